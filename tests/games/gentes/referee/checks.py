"""What must be true at every moment of a game, whatever was played."""

from __future__ import annotations

from collections import Counter

from .asking import number, verb
from .data import CONDITIONS, CUBES, TYPES
from .play import Game
from .state import State, cards_outside_box, homes_on_side

VERBS = {
    "draft": {"card"},
    "settle": {"citizen"},
    "turn": {"tile", "tax", "home", "use", "swap", "hire"},
    "wild": {"do"},
    "ability": {"use", "home", "end"},
    "pay": {"pay"},
    "hours": {"double"},
    "count": {"count"},
    "recruit": {"citizen"},
    "take": {"card", "end"},
    "play": {"card"},
    "move": {"city", "home"},
    "city": {"city", "home"},
    "region": {"region"},
    "enlist": {"citizen"},
    "lose": {"citizen"},
    "cube": {"gain"},
    "hire": {"amount"},
    "swap_from": {"citizen", "end"},
    "swap_to": {"citizen"},
    "reward": {"gain"},
    "final": {"card", "swap", "hire", "end"},
}
SETTING_UP = ("draft", "settle")
IN_DECLINE = ("cube", "reward", "hours")  # kinds that a Decline may ask


def broken(game: Game) -> list[str]:
    """What is not as it must be."""
    state = game.state
    problems = [line for seat in range(state.n) for line in _seat(state, seat)]
    problems += _cards(game) + _table(state)
    return problems + (_at_decision(game) if game.decision else _at_end(game))


def _seat(state: State, seat: int) -> list[str]:
    own, data, problems = state.seats[seat], state.data, []
    if own.coins < 0:
        problems.append(f"{own.coins} coins")
    if any(not 0 <= own.cubes[cube] <= data.cube_slots for cube in CUBES):
        problems.append(f"cubes {own.cubes}")
    if any(own.citizens[a] + own.citizens[b] > data.room for a, b in data.pairs):
        problems.append(f"citizens {own.citizens}")
    if any(own.citizens[citizen] < 0 for citizen in TYPES):
        problems.append(f"citizens {own.citizens}")
    if min(own.singles, own.doubles, own.locks, state.free_spaces(seat)) < 0 or own.locks > data.locks:
        problems.append(f"track {own.singles, own.doubles, own.locks}, {state.free_spaces(seat)} free")
    if not 0 <= state.tokens_placed(seat) <= data.tokens:
        problems.append(f"{state.tokens_placed(seat)} tokens")
    if min(own.points["cards"], own.points["synergy"], own.points["other"]) < 0:
        problems.append(f"points {own.points}")
    return [f"seat {seat}: {problem}" for problem in problems]


def _cards(game: Game) -> list[str]:
    """Every card is in exactly one place."""
    state, problems = game.state, []
    decision = game.decision
    places = Counter(cards_outside_box(state) + state.box)
    if decision is not None and decision.kind in SETTING_UP:
        # The open cards of the draft, and what was kept of them, are in the decks of the deal, too.
        held = [card for own in state.seats for card in own.hand]
        if (
            state.display
            or state.deck
            or state.discard
            or Counter(held + state.open).most_common(1)[0][1] > 1
        ):
            problems.append("the set-up has laid out cards already, or a card is twice in the draft")
    elif places != Counter(list(state.data.cards)):
        problems.append(f"a card is not in one place: {places}")
    gap = None in state.display
    if gap and (decision is None or decision.kind != "take"):
        problems.append(f"gaps in the display: {state.display}")
    if len(state.display) > state.data.slots or (len(state.display) < state.data.slots and state.deck):
        problems.append(f"display {state.display} with {len(state.deck)} cards in the deck")
    strange = any(state.card(card).era != state.era for card in state.display if card is not None)
    if strange and not _changed(game):
        problems.append(f"display {state.display} in Era {state.era}")
    return problems


def _changed(game: Game) -> bool:
    """In the questions of a Decline of rounds 2 and 4 the next era lies open already."""
    kind = game.decision.kind if game.decision else ""
    return game.state.phase == "decline" and kind in IN_DECLINE and game.state.round in (2, 4)


def _table(state: State) -> list[str]:
    problems = []
    if not set(state.homes) <= set(homes_on_side(state.data, state.n)):
        problems.append(f"a token in a Home that is not there: {state.homes}")
    if not set(state.taken) <= {tile.number for tile in state.tiles}:
        problems.append(f"tiles {sorted(state.taken)} are not all in the game")
    if not state.marked <= set(state.display) or (state.marked and not state.small):
        problems.append(f"marked {state.marked}")
    if state.marked_type is not None and not state.solo:
        problems.append(f"marked {state.marked_type}")
    if sorted(state.recruit) != sorted(TYPES):
        problems.append(f"recruiting tiles {state.recruit}")
    for use in state.used:
        if verb(use) == "home":
            good = number(use) in state.homes
        else:
            good = any(number(use) in own.played for own in state.seats)
            good = good and state.card(number(use)).once is not None
        if not good:
            problems.append(f"{use} is used and not there")
    for condition in CONDITIONS:
        if len(set(state.bonus[condition])) != len(state.bonus[condition]):
            problems.append(f"bonus {state.bonus}")
    if state.phase in ("decline", "scoring") and (state.used or state.taken or state.marked):
        problems.append("marks, tiles or uses after the Apogee")
    return problems


def _at_decision(game: Game) -> list[str]:
    decision, state = game.decision, game.state
    assert decision is not None
    problems = []
    legal = list(decision.legal)
    if len(legal) < 2 or legal != sorted(set(legal)):
        problems.append(f"legal set {legal}")
    if decision.kind not in VERBS or not {verb(action) for action in legal} <= VERBS[decision.kind]:
        problems.append(f"{decision.kind} with {legal}")
    right = {
        "setup": decision.kind in SETTING_UP,
        "apogee": decision.kind not in (*SETTING_UP, "reward", "final"),
        "decline": decision.kind in IN_DECLINE,
        "scoring": decision.kind in ("final", "swap_from", "swap_to", "hire", "enlist"),
    }
    if not right[state.phase]:
        problems.append(f"{decision.kind} in {state.phase}")
    if decision.kind == "turn" and state.free_spaces(decision.seat) < 1:
        problems.append(f"seat {decision.seat} acts without a free space")
    if state.phase != "scoring" and any(own.points["end"] or own.late for own in state.seats):
        problems.append("points of the final scoring before it")
    return problems


def _at_end(game: Game) -> list[str]:
    state, result = game.state, game.result()
    problems = []
    if state.round != 6 or state.phase != "scoring":
        problems.append(f"the end in round {state.round}, {state.phase}")
    parts = zip(*(result[part] for part in ("cards", "synergy", "other", "end")), strict=True)
    if result["score"] != [sum(own) for own in parts]:
        problems.append("a total is not the sum of its parts")
    if state.solo:
        if result["winners"] or result["solo_score"] != result["score"][0] or "rank" not in result:
            problems.append(f"result of the solo game {result}")
    elif not result["winners"] or any(result["score"][s] != max(result["score"]) for s in result["winners"]):
        problems.append("the winners are not among those of the highest total")
    return problems
