"""Made-up games for the tests of the arena: any entrants, any sides, chosen by chance."""

from __future__ import annotations

from typing import Any

import numpy as np

from genesia_rl.arena.tally import Sides
from genesia_rl.games.genesia.lab import LAB
from genesia_rl.games.genesia.lab.measure import MEASURE
from genesia_rl.matches.games import Games, columns
from genesia_rl.matches.play import plain_match
from genesia_rl.matches.series import Series


def made_up(series: Series, seed: int, skill: float = 3.0) -> Games:
    """All games of a series with results drawn by chance: later entrants are better by `skill` points."""
    rng = np.random.default_rng(seed)
    order = [series.seats[block % len(series.lineups)] for block in range(series.blocks)]
    lineup = np.concatenate(order)
    block = np.repeat(np.arange(series.blocks), [len(rows) for rows in order])
    n, count = series.players, len(block)
    measures = np.zeros(count, MEASURE)
    parts = rng.integers(0, 6, (count, n, 4))
    parts[:, :, 0] += (skill * lineup).astype(np.int64)
    measures["parts"][:, :n] = parts
    measures["totals"][:, :n] = parts.sum(axis=2)
    measures["ranks"][:, :n] = ranks(parts.sum(axis=2), series.sides)
    measures["order"][:, :, :n] = rng.permuted(np.tile(np.arange(n), (count, 3, 1)), axis=2)
    game = series.game
    assert plain_match(game, block, lineup).lineup.shape == (count, n)
    table = columns(measures, n, LAB) | {"block": block, "entrants": lineup.astype(np.int16)}
    return Games(table | {"cell": series.cell_of(block)}, LAB)


def ranks(totals: Any, sides: tuple[tuple[int, ...], ...]) -> Any:
    """How many seats rank before: a side counts as its lowest seat, ties are left."""
    of_seat = np.zeros_like(totals)
    for side in sides:
        of_seat[:, list(side)] = totals[:, list(side)].min(axis=1, keepdims=True)
    return (of_seat[:, None, :] > of_seat[:, :, None]).sum(axis=2)


def sides_of_games(series: Series, games: Games) -> Sides:
    return Sides(games, series)


def picked(games: Games, rows: Any) -> Games:
    """Some of the games, in this order."""
    table = {name: held[rows] for name, held in games._table.items()}
    found = Games.__new__(Games)
    found.lab, found.seats, found._table = games.lab, games.seats, table
    found._starts = np.flatnonzero(np.diff(table["block"], prepend=-1))
    return found
