"""What must be true at every moment of a game, whatever was played."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .abilities import force, forces, is_strongest, is_weakest
from .asking import every_action, name_of, number_of, verb
from .config import HAND, civilizations_of
from .play import Game
from .scoring import final_result
from .state import MOST_WORKERS, State
from .technologies import on_card, reachable
from .turn import MOST_CIVILIZATIONS

MOST_DECISIONS = 1000  # PROTOCOL 2

# By kind of decision: the verbs that may be asked for, and the steps of the turn in which it is asked.
VERBS = {
    "draft": ({"card"}, {"draft"}),
    "civilization": ({"rise", "annex", "pass"}, {"civilization"}),
    "action": ({"act", "special", "rest", "end"}, {"actions"}),
    "technology": ({"tech"}, {"civilization", "actions", "end"}),
    "wonder": ({"wonder"}, {"civilization", "actions", "end"}),
    "grant": ({"act", "end"}, {"actions"}),
    "turn_end": ({"main", "heritage", "tech", "wonder", "end"}, {"end"}),
    "deposit": ({"card"}, {"end"}),
}


def broken(game: Game) -> list[str]:
    """What is not as it must be."""
    state = game.state
    return _seats(state) + _cards(state) + _ranks(state) + (_decision(game) if game.decision else _end(game))


def _seats(state: State) -> list[str]:
    problems = []
    for seat, me in enumerate(state.seats):
        turns = state.round - (state.step == "draft" or not _begun(state, seat))
        if not 0 <= me.idle <= me.workers <= MOST_WORKERS:
            problems.append(f"seat {seat}: {me.idle} idle of {me.workers} workers")
        if seat != state.seat and me.idle != me.workers:
            problems.append(f"seat {seat} has placed workers in the turn of seat {state.seat}")
        if me.coins < 0 or me.points < 0:
            problems.append(f"seat {seat}: {me.coins} coins, {me.points} points")
        if len(me.civilizations) > min(MOST_CIVILIZATIONS, turns):
            problems.append(f"seat {seat}: {me.civilizations} in its turn number {turns}")
        if (me.main is None) != (not me.civilizations) or me.main not in [None, *me.civilizations]:
            problems.append(f"seat {seat}: main {me.main} of {me.civilizations}")
        for t in me.technologies:
            on = t in on_card(state.data, me.special)
            if not on or not reachable(state.data, t, me.technologies) or me.technologies.count(t) > 1:
                problems.append(f"seat {seat}: technologies {me.technologies} with special card {me.special}")
        if me.special is not None and not state.config["innovation"]:
            problems.append(f"seat {seat} has a special card without innovation")
        if len(me.hand) > HAND or (me.hand and not state.config["draft"]):
            problems.append(f"seat {seat}: hand {me.hand}")
    if state.step in ("actions",):
        me = state.seats[state.seat]
        if me.workers - me.idle != sum(state.placed.values()):
            problems.append(f"{me.workers - me.idle} workers are placed, on the spaces are {state.placed}")
    elif any(me.idle != me.workers for me in state.seats):
        problems.append(f"workers are placed in step {state.step}")
    return problems


def _begun(state: State, seat: int) -> bool:
    """Has the seat begun its turn of this round?"""
    order = [(state.first + i) % state.players for i in range(state.players)]
    return order.index(seat) <= order.index(state.seat) or state.step == "over"


def _cards(state: State) -> list[str]:
    """Every card in one place; with a deal the markets have the right size."""
    problems = []
    packs = [card for pack in state.packs or [] for card in pack]
    own = [card for me in state.seats for card in me.civilizations + me.hand]
    civilizations = [*state.market, *state.deck, *packs, *own]
    wonders = state.wonder_market + [w for me in state.seats for w in me.wonders]
    specials = state.special_market + [me.special for me in state.seats if me.special is not None]
    for name, cards in (("civilization", civilizations), ("wonder", wonders), ("special card", specials)):
        if max(Counter(cards).values(), default=0) > 1:
            problems.append(f"a {name} is in two places: {sorted(cards)}")
    if not set(civilizations) <= set(civilizations_of(state.config, state.data)):
        problems.append("a civilization that was removed is in the game")
    if any(coins < 0 for coins in state.market.values()):
        problems.append(f"market {state.market}")
    return problems


def _ranks(state: State) -> list[str]:
    problems = []
    found = forces(state)
    seats = range(state.players)
    if found[: state.players] != [force(state, seat) for seat in seats]:
        problems.append("forces are not those of the seats")
    if not state.solo and not any(is_strongest(state, seat) for seat in seats):
        problems.append("nobody is strongest")
    if not state.solo and not any(is_weakest(state, seat) for seat in seats):
        problems.append("nobody is weakest")
    if len(set(found)) == 1 and not all(is_strongest(state, s) and is_weakest(state, s) for s in seats):
        problems.append("all are equal, but not all strongest and weakest")
    return problems


def _decision(game: Game) -> list[str]:
    state, decision = game.state, game.decision
    assert decision is not None
    problems = []
    legal, kind = list(decision.legal), decision.kind
    verbs = Counter(map(verb, legal))
    me = state.seats[decision.seat]
    allowed, steps = VERBS[kind]
    if not set(legal) <= set(every_action(state.data)):
        problems.append(f"an action that PROTOCOL 1 does not know: {legal}")
    if len(legal) < 2 or legal != sorted(set(legal)) or not set(verbs) <= allowed or state.step not in steps:
        problems.append(f"{kind} in step {state.step}: {legal}")
    if kind != "draft" and decision.seat != state.seat:
        problems.append(f"seat {decision.seat} is asked in the turn of seat {state.seat}")
    numbered = ("rise", "annex", "card", "special", "tech", "wonder")
    objects = [number_of(action) for action in legal if verb(action) in numbered]
    if kind == "draft":
        good = state.packs is not None and set(objects) == set(state.packs[decision.seat])
    elif kind == "civilization":
        cards = len(state.market) + len(me.hand)
        wanted = {"rise": cards} if not me.civilizations else {"rise": cards, "annex": cards, "pass": 1}
        good = dict(verbs) == {word: times for word, times in wanted.items() if times}
        good = good and len(me.civilizations) < MOST_CIVILIZATIONS
    elif kind == "action":
        good = verbs["rest"] + verbs["end"] == 1 and bool(verbs["end"]) == bool(state.performed)
        good = good and (me.idle > 0 or verbs["act"] == 0)
        good = good and all(_is_open(state, name_of(a)) for a in legal if verb(a) == "act")
    elif kind == "technology":
        good = set(objects) <= set(on_card(state.data, me.special)) - set(me.technologies)
    elif kind == "wonder":
        good = set(objects) == set(state.wonder_market)
    elif kind == "deposit":
        good = set(objects) == set(state.market)
    elif kind == "grant":
        good = verbs == {"act": 1, "end": 1}
    else:
        good = verbs["end"] <= 1 and not set(legal) & set(state.ended)
    if not good:
        problems.append(f"{kind} of seat {decision.seat}: {legal}")
    return problems


def _is_open(state: State, name: str) -> bool:
    """On the permanent card, on a card that is not closed, or a space of one's own may exist."""
    shown = [*state.data.permanent, *(card.action for card in state.open_cards(future=True))]
    civilizations = state.data.civilizations.values()
    abilities = [a for c in civilizations for a in (c.main, c.inherited)]
    abilities += [t.effects for t in state.data.technologies.values()]
    abilities += [w.effects for w in state.data.wonders.values()]
    return name in shown or any(e.do == "space" and e.action == name for a in abilities for e in a)


def _end(game: Game) -> list[str]:
    state = game.state
    result = final_result(state)
    problems = []
    if state.step != "over" or state.round != 6:
        problems.append(f"the game has ended in round {state.round}, step {state.step}")
    parts = zip(result["course"], result["wonders"], result["legacy"], strict=True)
    if result["score"] != [sum(part) for part in parts]:
        problems.append("a score is not the sum of its parts")
    best = max(result["score"])
    if bool(result["winners"]) == state.solo or any(result["score"][s] != best for s in result["winners"]):
        problems.append(f"winners {result['winners']} with scores {result['score']}")
    if ("achievements" in result) != state.solo:
        problems.append("achievements are those of the solo mode")
    return problems


def broken_between(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """What cannot have happened from one state of a game to a later one."""
    problems = []
    if after["round"] < before["round"]:
        problems.append("the round fell")
    players = len(before["points"])
    for seat in range(players):
        if after["points"][seat] < before["points"][seat]:
            problems.append(f"seat {seat} lost points")
        for key in ("civilizations", "technologies", "wonders"):
            if not set(before[key][seat]) <= set(after[key][seat]):
                problems.append(f"seat {seat} lost {key}")
        if before["special_cards"][seat] not in (None, after["special_cards"][seat]):
            problems.append(f"seat {seat} lost its special card")
        main = after["main"][seat]
        if main != before["main"][seat] and main in before["civilizations"][seat]:
            problems.append(f"seat {seat} let a civilization rise that it had")
    for key in ("wonder_market", "special_market"):
        if not set(after[key]) <= set(before[key]):
            problems.append(f"{key} was refilled")
    if after["first"] != (before["first"] - (after["round"] - before["round"])) % players:
        problems.append("the first player token is not where the round says")
    return problems
