"""Figures of a review with their intervals, from samples of worlds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.stats.estimate import Estimate, student, unknown
from genesia_rl.stats.multiple import benjamini_hochberg

Array = npt.NDArray[Any]
FALSE_ALARMS = 0.05  # of what is called a mistake, the share that may be none
LEAST_CHANCE, LEAST_POINTS = 0.02, 1.0  # what is lost by what is called a mistake, in either: no trifles


def estimate(values: Array, level: float = 0.95) -> Estimate:
    """The mean of a sample with Student's interval.

    Where all are the same and not 0, one more that is 0 is thought of: few worlds do not show what is rare.
    """
    number = len(values)
    if number < 2:
        return unknown(number)
    value = float(values.mean())
    counted = np.append(values, 0.0) if values.min() == values.max() and value != 0 else values
    se = float(counted.std(ddof=1)) / math.sqrt(len(counted))
    half = student(number, level) * se
    return Estimate(value, value - half, value + half, se, number, number)


def difference(a: Array, b: Array) -> Estimate:
    """The difference of two means from worlds that have nothing to do with one another (Welch)."""
    one, other = estimate(a), estimate(b)
    se = math.hypot(one.se, other.se)
    value, number = one.value - other.value, min(len(a), len(b))
    half = student(number) * se
    return Estimate(value, value - half, value + half, se, number, number)


def share(values: Array) -> Estimate:
    """A chance keeps to 0..1."""
    found = estimate(values)
    if math.isnan(found.value):
        return found
    if found.se == 0:  # all alike: a share that was never seen to vary is not certain
        part = 3.0 / (len(values) + 3.0)  # the rule of three
        return found._replace(low=max(0.0, found.value - part), high=min(1.0, found.value + part))
    return found._replace(low=max(0.0, found.low), high=min(1.0, found.high))


def total(samples: Sequence[Array]) -> Estimate:
    """The sum of means of samples that have nothing to do with one another."""
    if not samples:
        return unknown()
    value = float(sum(sample.mean() for sample in samples))
    se = math.sqrt(sum(float(sample.var(ddof=1)) / len(sample) for sample in samples if len(sample) > 1))
    number = sum(map(len, samples))
    half = student(number) * se
    return Estimate(value, value - half, value + half, se, number, number)


def kept(lost: Sequence[Array], stake: Sequence[Array]) -> Estimate:
    """1 less what was lost as a share of what was at stake, of samples in the same worlds; the error of a ratio."""
    all_of = sum(float(sample.mean()) for sample in stake)
    if all_of <= 0:
        return unknown(len(stake))
    gone = sum(float(sample.mean()) for sample in lost) / all_of
    rest = total([a - gone * b for a, b in zip(lost, stake, strict=True)])
    half = (rest.high - rest.value) / all_of
    return Estimate(1 - gone, 1 - gone - half, 1 - gone + half, rest.se / all_of, rest.blocks, len(stake))


# ---------------------------------------------------------------- what is called a mistake


def p_of(differences: Array) -> float:
    found = estimate(differences)
    return found.p() if found.se > 0 else 1.0


def game_level(p: Array) -> float:
    """The level at which intervals exclude none exactly for those that Benjamini and Hochberg pick out."""
    asked = int((~np.isnan(p)).sum())
    picked = int((benjamini_hochberg(p) <= FALSE_ALARMS).sum()) if asked else 0
    return 1 - FALSE_ALARMS * max(1, picked) / max(1, asked)


def is_mistake(chances: Estimate, points: Estimate) -> bool:
    """Is it sure that something was lost, and is it no trifle? Points count where the victory says nothing else."""
    if chances.low > 0:
        return chances.value >= LEAST_CHANCE or points.value >= LEAST_POINTS
    return points.low > 0 and points.value >= LEAST_POINTS and chances.value >= 0
