"""A figure with its interval."""

from __future__ import annotations

import math
from typing import NamedTuple

from scipy import special

from genesia_rl.stats.shares import wilson

LEVEL = 0.95


def student(blocks: int, level: float = LEVEL) -> float:
    """How many standard errors an interval reaches to either side."""
    return float(special.stdtrit(blocks - 1, (1 + level) / 2)) if blocks > 1 else math.nan


class Estimate(NamedTuple):
    """A value with its 95 % interval and standard error, from so many blocks and games."""

    value: float
    low: float
    high: float
    se: float
    blocks: int
    games: int

    def p(self, null: float = 0.0) -> float:
        """How probable a value so far from `null` is, to either side, if `null` is true."""
        if math.isnan(self.value) or math.isnan(self.se):
            return math.nan
        if self.se == 0:
            return self._p_of_agreement(null)
        return float(2 * special.stdtr(self.blocks - 1, -abs(self.value - null) / self.se))

    def _p_of_agreement(self, null: float) -> float:
        """All blocks gave the same value.

        The interval has a width only if that value is a share. By Markov's inequality shares whose mean is
        `null` reach `value` with no more than the probability `one`.
        """
        if self.value == null:
            return 1.0
        if self.low == self.high or not 0 < null < 1:
            return 0.0
        one = null / self.value if null < self.value else (1 - null) / (1 - self.value)
        return float(min(1.0, 2 * one**self.blocks))

    def text(self, scale: float = 1.0, unit: str = "", digits: int = 1) -> str:
        """`55.0 % (52.1 .. 57.9)` for a scale of 100 and the unit ` %`; `-` where nothing was seen."""
        if math.isnan(self.value):
            return "-"
        shown = f"{scale * self.value:.{digits}f}{unit}"
        if math.isnan(self.low):
            return shown
        return f"{shown} ({scale * self.low:.{digits}f} .. {scale * self.high:.{digits}f})"


def unknown(games: int = 0) -> Estimate:
    """What can be said without a block."""
    return Estimate(math.nan, math.nan, math.nan, math.nan, 0, games)


def around_share(value: float, se: float, blocks: int, games: int) -> Estimate:
    """The interval of a share whose standard error was estimated from blocks: as of so many trials as have
    that error. Unlike `around` it stays right for a rare share, whose error is small by the same chance."""
    if math.isnan(se):
        return Estimate(value, math.nan, math.nan, se, blocks, games)
    varies = value * (1 - value)
    worth = varies / (se * se) if se * se > 0 and varies > 0 else blocks
    return Estimate(value, *wilson(value, worth, student(blocks)), se, blocks, games)


def around(value: float, se: float, blocks: int, games: int) -> Estimate:
    """The interval of Student around a value whose standard error was estimated from blocks."""
    half = student(blocks) * se
    return Estimate(value, value - half, value + half, se, blocks, games)
