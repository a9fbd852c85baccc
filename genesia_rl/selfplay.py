"""Random games by the thousand, wholly in the kernel, and what they say about winning and scoring."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.contract import RESULT, Game

CHUNK = 500  # games of one call: long enough to cost nothing, short enough to be interrupted
NORMAL_95 = 1.959964

Floats = npt.NDArray[np.float64]
Results = npt.NDArray[Any]


class Played(NamedTuple):
    """Finished games: a row of results each, in the order of their seeds."""

    results: Results
    decisions: int
    seconds: float


def play(
    game: Game, games: int, seed: int = 0, threads: int = 2, on_chunk: Callable[[int], None] | None = None
) -> Played:
    """Play games with seeds seed, seed + 1, ...; the result does not depend on the number of threads."""
    seeds = np.uint64(seed) + np.arange(games, dtype=np.uint64)
    results = np.zeros(games, RESULT)

    def chunk(first: int) -> tuple[int, int]:
        part = slice(first, first + CHUNK)
        decisions = game.entries.play_random(game.new_states(), 0, game.tables, seeds[part], results[part])
        return len(seeds[part]), int(decisions)

    start, total = time.perf_counter(), 0
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done, decisions in pool.map(chunk, range(0, games, CHUNK)):
                total += decisions
                if on_chunk is not None:
                    on_chunk(done)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return Played(results, total, time.perf_counter() - start)


# ---------------------------------------------------------------- what the results say


class Share(NamedTuple):
    """A share of wins with its 95 % interval."""

    value: float
    low: float
    high: float


def interval(wins: float, games: int) -> Share:
    """Wilson's interval: right for few games and near 0 and 1 too. A shared win counts as its part."""
    p, z2 = wins / games, NORMAL_95**2
    middle = (p + z2 / (2 * games)) / (1 + z2 / games)
    half = NORMAL_95 * math.sqrt(p * (1 - p) / games + z2 / (4 * games * games)) / (1 + z2 / games)
    return Share(p, max(0.0, middle - half), min(1.0, middle + half))


def wins(results: Results, seats: int) -> Floats:
    """[game, seat]: 1 for the winner; winners of a tie share it."""
    won = (results["places"][:, :seats] == 0).astype(np.float64)
    return np.asarray(won / won.sum(axis=1, keepdims=True))


def shares_by_seat(results: Results, seats: int) -> list[Share]:
    """The share of wins of every seat."""
    return [interval(float(column.sum()), len(results)) for column in wins(results, seats).T]


def shares_by_order(results: Results, seats: int) -> list[Share]:
    """The share of wins of whoever came first, second, ... in the first turn order."""
    order = results["order"][:, :seats].astype(np.int64)
    by_order = np.take_along_axis(wins(results, seats), order, axis=1)
    return [interval(float(column.sum()), len(results)) for column in by_order.T]


class Summary(NamedTuple):
    """Means over games and seats."""

    decisions: float
    score: float
    deviation: float
    parts: tuple[float, ...]
    best: float  # the winner's score; of a joint result, its score
    shared: float  # the share of games with several winners


def summary(game: Game, results: Results) -> Summary:
    """What games were like on the average."""
    totals = results["totals"][:, : game.num_seats].astype(np.float64)
    parts = results["parts"][:, : game.num_seats, : len(game.score_parts)].mean(axis=(0, 1))
    winners = (results["places"][:, : game.num_seats] == 0).sum(axis=1)
    return Summary(
        decisions=float(results["steps"].mean()),
        score=float(totals.mean()),
        deviation=float(totals.std()),
        parts=tuple(float(part) for part in parts),
        best=float((totals.max(axis=1) if game.is_contest else totals.min(axis=1)).mean()),
        shared=float((winners > 1).mean()) if game.is_contest else 0.0,
    )
