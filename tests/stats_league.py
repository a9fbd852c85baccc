"""The model of Davidson and Luce written out for single games, and leagues drawn from it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def orders(items: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to rank items, the tied ones together."""
    if not items:
        yield []
    for size in range(1, len(items) + 1):
        for first in combinations(items, size):
            for rest in orders([item for item in items if item not in first]):
                yield [first, *rest]


def weight(group: Sequence[int], log_worth: Sequence[float], deltas: Mapping[int, float]) -> float:
    """What a group that ties has in the numerator."""
    mean = sum(log_worth[item] for item in group) / len(group)
    return (1.0 if len(group) == 1 else deltas.get(len(group), 0.0)) * math.exp(mean)


def probability(
    order: list[tuple[int, ...]], log_worth: Sequence[float], deltas: Mapping[int, float]
) -> float:
    """How probable a ranking is, straight from the definition."""
    left = [item for group in order for item in group]
    found = 1.0
    for group in order:
        picks = (pick for size in range(1, len(left) + 1) for pick in combinations(left, size))
        found *= weight(group, log_worth, deltas) / sum(weight(pick, log_worth, deltas) for pick in picks)
        left = [item for item in left if item not in group]
    return found


def places(order: list[tuple[int, ...]], seats: int) -> list[int]:
    """The places 1224 style: how many are before."""
    found, before = [0] * seats, 0
    for group in order:
        for item in group:
            found[item] = before
        before += len(group)
    return found


class League(NamedTuple):
    """Games `[game, seat]` and their blocks."""

    agents: Array
    places: Array
    block: Array


class Drawing:
    """Draws leagues of games with `seats` different agents; a block's games may repeat its first."""

    def __init__(self, log_worth: Sequence[float], seats: int, deltas: Mapping[int, float]) -> None:
        self.tables = [np.array(pick) for pick in combinations(range(len(log_worth)), seats)]
        every = list(orders(range(seats)))
        self.places = np.array([places(order, seats) for order in every])
        chances = [
            [probability(order, [log_worth[a] for a in table], deltas) for order in every]
            for table in self.tables
        ]
        self.steps = np.cumsum(chances, axis=1)

    def draw(self, rng: np.random.Generator, blocks: int, games: int, repeat: float) -> League:
        """A block is one table; each later game is the first again with the probability `repeat`."""
        table = rng.integers(len(self.tables), size=blocks)
        chance = rng.random((blocks, games))
        again = rng.random((blocks, games)) < repeat
        chance = np.where(again, chance[:, :1], chance)
        order = (chance[:, :, None] > self.steps[table][:, None, :]).sum(axis=2).ravel()
        order = np.minimum(order, len(self.places) - 1)
        seated = np.repeat(np.array(self.tables)[table], games, axis=0)
        return League(seated, self.places[order], np.repeat(np.arange(blocks), games))
