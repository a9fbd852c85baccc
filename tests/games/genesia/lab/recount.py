"""The figures of the balance laboratory counted once more: game by game, in plain Python, from the rules.

A game is a dictionary of lists. A figure is a list of (block, numerator, denominator).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from genesia_rl.games.genesia.lab import LAB
from genesia_rl.matches.games import Table, unfolded
from genesia_rl.stats.estimate import Estimate

Game = dict[str, Any]
Figure = list[tuple[int, float, float]]
AGES = range(3)
COLOURS = ("blue", "yellow", "green", "red", "violet")
OBJECTIVE = 3  # the last of the four parts of a score


def games_of(table: Table) -> list[Game]:
    """Every game by itself."""
    held = {name: values.tolist() for name, values in unfolded(table, table["ranks"].shape[1], LAB).items()}
    return [{name: values[k] for name, values in held.items()} for k in range(len(held["block"]))]


def same(estimate: Estimate, figure: Figure) -> None:
    """The estimate is the ratio of the sums, its error that of the blocks' residuals."""
    x: dict[int, float] = defaultdict(float)
    y: dict[int, float] = defaultdict(float)
    counted = 0
    for block, numerator, denominator in figure:
        x[block] += numerator
        y[block] += denominator
        counted += denominator > 0
    blocks = [block for block in y if y[block] > 0]
    assert (estimate.blocks, estimate.games) == (len(blocks), counted)
    if not blocks:
        assert math.isnan(estimate.value)
        return
    total = sum(y[b] for b in blocks)
    value = sum(x[b] for b in blocks) / total
    assert math.isclose(estimate.value, value, rel_tol=1e-9, abs_tol=1e-9)
    if len(blocks) > 1:
        residuals = sum((x[b] - value * y[b]) ** 2 for b in blocks)
        error = math.sqrt(residuals * len(blocks) / (len(blocks) - 1)) / total
        assert math.isclose(estimate.se, error, rel_tol=1e-6, abs_tol=1e-9)


# ---------------------------------------------------------------- a game


def seats(game: Game) -> range:
    return range(len(game["totals"]))


def won(game: Game, seat: int) -> float:
    """1 for the winner; those who share the first place share it."""
    first = [s for s in seats(game) if all(game["ranks"][s] <= other for other in game["ranks"])]
    return 1 / len(first) if seat in first else 0.0


def rank(game: Game, seat: int) -> float:
    """1, 2, ...: equals have the mean of the ranks that they take up together."""
    ordered = sorted(game["ranks"])
    mine = [k + 1 for k, place in enumerate(ordered) if place == game["ranks"][seat]]
    return sum(mine) / len(mine)


def outcomes(game: Game, seat: int) -> tuple[float, float, float]:
    return won(game, seat), rank(game, seat), game["totals"][seat]


def ahead(game: Game, seat: int) -> float:
    """Points ahead of the mean of the others."""
    others = [game["totals"][s] for s in seats(game) if s != seat]
    return float(game["totals"][seat] - sum(others) / len(others))


def wins_oftener(game: Game, seat: int) -> float:
    """The wins of a seat less the mean of the others' wins."""
    others = [won(game, s) for s in seats(game) if s != seat]
    return won(game, seat) - sum(others) / len(others)


def traits(game: Game) -> list[float]:
    """Mean score, decisions, assaults, lead changes, the winner's lead in points, the first one's edge."""
    best, second = sorted(game["totals"], reverse=True)[:2]
    return [
        sum(game["totals"]) / len(game["totals"]),
        game["steps"],
        sum(sum(row) for row in game["assaults"]),
        game["lead_changes"],
        best - second,
        won(game, game["order"][0][0]) - 1 / len(game["totals"]),
    ]


def lots(game: Game, cells: tuple[tuple[int, ...], ...], age: int) -> str:
    """The colours in play."""
    choices = list(combinations(COLOURS, len(game["totals"])))
    return "+".join(choices[cells[game["cell"]][age]])


# ---------------------------------------------------------------- cards


def dealt(game: Game) -> set[int]:
    return {card for age in AGES for pack in game["packs"][age] for card in pack}


def holders(game: Game) -> dict[int, int]:
    """card -> the seat that kept it."""
    return {c: seat for age in AGES for seat in seats(game) for c in game["picks"][age][seat]}


def picks(game: Game) -> dict[int, int]:
    """card -> with which pick it was kept."""
    return {c: k for age in AGES for row in game["picks"][age] for k, c in enumerate(row)}


def offers(game: Game) -> Iterator[tuple[int, int, bool]]:
    """(card, pick, was it kept) for every card that somebody could keep with a pick."""
    kept = picks(game)
    for card in dealt(game):
        last = kept.get(card, 4)  # a card that nobody keeps goes round to the end
        for pick in range(last + 1):
            yield card, pick, kept.get(card) == pick


def played(game: Game, card: int) -> bool:
    return bool(game["played"][card])
