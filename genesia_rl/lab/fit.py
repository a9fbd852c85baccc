"""Do effects of stages add up? How far their choices differ, and what these do together beyond."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from genesia_rl.stats.estimate import LEVEL, Estimate

FEWEST_BLOCKS = 5  # of a combination: with fewer its own error is not known


def spread(squares: float, freedom: int, chance: float, games: int, scale: float = 1.0) -> Estimate:
    """The standard deviation of figures, without what chance (their mean squared error) adds to it.

    `squares` are the sum of their squared deviations with so many degrees of freedom. Never below 0; the
    interval is that of normal deviations. With less than one degree nothing can be said.
    """
    if freedom < 1 or not math.isfinite(squares) or not math.isfinite(chance):
        return Estimate(math.nan, math.nan, math.nan, math.nan, 0, games)
    high, low = stats.chi2.ppf([(1 - LEVEL) / 2, (1 + LEVEL) / 2], freedom)
    value, least, most = (
        scale * math.sqrt(max(0.0, squares / part - chance)) for part in (freedom, low, high)
    )
    return Estimate(value, least, most, math.nan, freedom + 1, games)


def spread_of(held: Sequence[Estimate]) -> Estimate:
    """How far figures lie apart, beyond chance."""
    known = [e for e in held if math.isfinite(e.value) and math.isfinite(e.se)]
    values = np.array([e.value for e in known])
    squares = float(((values - values.mean()) ** 2).sum()) if known else math.nan
    return spread(squares, len(known) - 1, _mean_square(known), sum(e.games for e in known))


def spread_of_stages(stages: Sequence[Sequence[Estimate]]) -> Estimate:
    """How far games lie apart by what the choices of their stages add to them, one stage after the other."""
    squares, freedom, known = 0.0, 0, []
    for held in stages:
        seen = [e for e in held if math.isfinite(e.value) and math.isfinite(e.se)]
        values = np.array([e.value for e in seen])
        squares += float(((values - values.mean()) ** 2).sum()) if seen else 0.0
        freedom += max(0, len(seen) - 1)
        known += seen
    games = sum(e.games for e in known) // max(1, len(stages))
    return spread(squares, freedom, _mean_square(known), games, math.sqrt(len(stages)))


def spread_beyond(cells: Sequence[Estimate], expected: Sequence[float], fitted: int) -> Estimate:
    """What combinations do besides what was expected, with so many effects taken from the same games."""
    known = [(e, at) for e, at in zip(cells, expected, strict=True)
             if e.blocks >= FEWEST_BLOCKS and math.isfinite(at)]  # fmt: skip
    squares = sum((e.value - at) ** 2 for e, at in known)
    held = [e for e, _ in known]
    return spread(squares, len(known) - fitted, _mean_square(held), sum(e.games for e in held))


def _mean_square(held: Sequence[Estimate]) -> float:
    return float(np.mean([e.se**2 for e in held])) if held else math.nan
