"""What must be true at every moment of a game, whatever was played."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .asking import verb
from .board import ROOM
from .data import TERRAINS
from .play import Game
from .scoring import SMALLEST, zones_of
from .state import State


def broken(game: Game) -> list[str]:
    """What is not as it must be."""
    return _table(game.state) + (_at_decision(game) if game.decision else _at_end(game)) + _score(game)


def _table(state: State) -> list[str]:
    problems = []
    on_board = Counter((tile.seat, tile.terrain) for tile in state.tiles.values())
    for seat in range(state.players):
        for terrain in TERRAINS:
            left, lying = state.supply[seat][terrain], on_board[seat, terrain]
            if left < 0 or left + lying != state.config["tiles"]:
                problems.append(f"seat {seat}, {terrain}: {left} left, {lying} on the board")
    if not state.tiles.keys() <= state.board.in_use:
        problems.append("a tile lies on a cell that is not in use")
    if state.turns > len(state.rolls):
        problems.append("more turns than rolls")
    return problems


def _at_decision(game: Game) -> list[str]:
    state, decision = game.state, game.decision
    assert decision is not None
    problems = []
    legal = list(decision.legal)
    if len(legal) < 2 or legal != sorted(set(legal)):
        problems.append(f"legal set {legal}")
    if state.is_over() or len(state.free) < ROOM:
        problems.append("a decision although the game is over")
    if decision.seat != state.seat or not state.terrains_of(decision.seat):
        problems.append(f"seat {decision.seat} is asked; the turn is that of {state.seat}")
    if state.dice != state.rolls[state.turns - 1]:
        problems.append(f"the roll {state.dice} is not that of turn {state.turns}")
    verbs = Counter(map(verb, legal))
    kind, placed, chosen = decision.kind, state.placed, state.chosen
    how_far = (placed, chosen is not None, state.die_left is not None)
    if kind == "first":
        good = how_far == (0, False, False) and set(verbs) == {"tile"}
    elif kind == "second":
        good = how_far == (1, False, True) and set(verbs) == {"end", "tile"} and verbs["end"] == 1
    elif kind == "cell":
        good = placed in (0, 1) and chosen is not None and legal == sorted(f"cell:{c}" for c in state.free)
        good = good and chosen is not None and state.supply[decision.seat][chosen] > 0
    else:
        good = False
    if not good:
        problems.append(f"{kind} with {legal} after {placed} tiles, chosen {chosen}, die {state.die_left}")
    return problems


def _at_end(game: Game) -> list[str]:
    state = game.state
    problems = []
    if not state.is_over():
        problems.append("the game has ended although it is not over")
    if "deal" in game.start and len(state.tiles) > len(state.board.in_use) - 2:
        problems.append(f"{len(state.tiles)} tiles on {len(state.board.in_use)} cells")
    return problems


def _score(game: Game) -> list[str]:
    state, result = game.state, game.scores()
    problems = []
    zones = zones_of(state)
    covered = Counter(cell for zone in zones for cell in zone.cells)
    herded = Counter(cell for zone in zones for herd in zone.herds for cell in herd.cells)
    once = Counter(list(state.tiles))
    if covered != once or herded != once:
        problems.append("a tile is not in exactly one zone and one herd")
    listed: list[dict[str, Any]] = result["zones"]
    if len(listed) != sum(zone.size >= SMALLEST for zone in zones):
        problems.append("not every zone that scores is listed")
    if sum(zone["times"] == 3 for zone in listed) > 1:
        problems.append("two zones are the largest of the board")
    for terrain in TERRAINS:
        own = [zone for zone in listed if zone["terrain"] == terrain]
        if sum(zone["times"] > 1 for zone in own) > 1:
            problems.append(f"two zones are the largest of {terrain}")
        added = [sum(zone["points"][seat] for zone in own) for seat in range(state.players)]
        if added != result["points"][terrain]:
            problems.append(f"the part of {terrain} is not the sum over its zones")
    if any(sum(zone["points"]) > 6 * zone["times"] for zone in listed):
        problems.append("a zone gives more than six times its multiplier")
    if result["score"] != [sum(seat) for seat in zip(*result["points"].values(), strict=True)]:
        problems.append("a total is not the sum of its parts")
    best = max(result["score"])
    if result["winners"] != [seat for seat, total in enumerate(result["score"]) if total == best]:
        problems.append("the winners are not those of the highest total")
    return problems


def longest(game: Game) -> int:
    """PROTOCOL 2: the most decisions that a game may take from its beginning, N - 2 tiles of three each."""
    start = game.start
    if "deal" in start:
        return 3 * (len(game.state.board.in_use) - 2)
    return 3 * max(0, len(start["position"]["dice"]) - 2)
