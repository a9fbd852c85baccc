"""Intervals by drawing blocks again, with all their games.

Percentiles of few blocks are too narrow; they are taken further out, as far as Student's interval of a
mean would reach (Hesterberg 2015, "What teachers should know about the bootstrap", section 4.3). Where that
is beyond all replicates, it is Student's interval with their standard error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from genesia_rl.core.errors import DataError
from genesia_rl.stats.estimate import LEVEL, Estimate, around, student

Array = npt.NDArray[Any]


def draws(blocks: int, resamples: int, seed: int) -> Iterator[Array]:
    """Numbers of blocks, drawn with replacement: an array for each resample."""
    rng = np.random.default_rng([seed, 11])
    for _ in range(resamples):
        yield rng.integers(blocks, size=blocks)


def replicates(
    values_by_block: Array, statistic: Callable[[Array], Any], resamples: int = 1000, seed: int = 0
) -> Array:
    """The statistic of each resample, `[resamples, ...]`; the first axis of the values is that of blocks."""
    values = np.asarray(values_by_block)
    if len(values) == 0:
        raise DataError("values_by_block has 0 blocks, allowed is 1 or more")
    return np.array([statistic(values[rows]) for rows in draws(len(values), resamples, seed)])


def tail(blocks: int) -> float:
    """Which quantile is the lower end of the interval."""
    reach = student(blocks) * math.sqrt(blocks / (blocks - 1))
    return float(special.ndtr(-reach))


def from_replicates(value: float, found: Array, blocks: int, games: int) -> Estimate:
    """An estimate whose interval is the percentiles of replicates; one block tells of no other."""
    if blocks < 2:
        return Estimate(value, math.nan, math.nan, math.nan, blocks, games)
    outside = min(tail(blocks), (1 - LEVEL) / 2)
    se = float(found.std(ddof=1)) * math.sqrt(blocks / (blocks - 1))
    if outside * (len(found) + 1) < 1:  # of so few blocks no replicate lies so far out
        return around(value, se, blocks, games)
    low, high = np.quantile(found, (outside, 1 - outside), method="weibull")
    return Estimate(value, float(low), float(high), se, blocks, games)


def block_bootstrap(
    values_by_block: Array,
    statistic: Callable[[Array], float],
    resamples: int = 1000,
    seed: int = 0,
    games: int | None = None,
) -> Estimate:
    """A statistic of blocks with its interval; without `games` a block is one game."""
    values = np.asarray(values_by_block)
    found = replicates(values, statistic, resamples, seed)
    return from_replicates(
        float(statistic(values)), found, len(values), len(values) if games is None else games
    )
