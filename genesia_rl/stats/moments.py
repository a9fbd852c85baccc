"""Many figures at once from blocks that arrive bit by bit: rates, means, ratios.

A figure is a ratio of sums over blocks: games won by games played, points by games. Its standard error
is that of a ratio by linearisation, with a block for a unit. Kept are sums, so memory does not grow with the
games; they are exact (`exact`), so parts may be merged in any order and give the bits of one run.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import DataError
from genesia_rl.stats.estimate import Estimate, around, around_share, unknown
from genesia_rl.stats.exact import UNIT, exact_sums
from genesia_rl.stats.shares import wilson

Array = npt.NDArray[Any]
#: Blocks agree when their squared residuals are this small a part of the squares: the rest is rounding.
AGREEMENT = Fraction(1, 10**14)


class Moments:
    """Sums of `k` figures over blocks."""

    def __init__(self, k: int) -> None:
        self.sums = np.full((5, k), 0, object)  # x, y, xx, xy, yy
        self.blocks = np.zeros(k, np.int64)
        self.games = np.zeros(k, np.int64)

    @property
    def k(self) -> int:
        """How many figures."""
        return len(self.blocks)

    def add(self, numerators: Array, denominators: Array | None = None, games: Array | None = None) -> None:
        """Blocks `[blocks, k]`; a figure does not count a block in which its denominator is 0.

        Without denominators they are 1, without games a block is one game.
        """
        x = self._figures("numerators", numerators)
        y = np.ones_like(x) if denominators is None else self._figures("denominators", denominators, x)
        counted = y > 0
        if (y < 0).any() or x[~counted].any():
            raise DataError("denominators: allowed is 0 where the numerator is 0, above 0 elsewhere")
        played = counted if games is None else self._figures("games", games, x) * counted
        self.sums += np.stack([exact_sums(part) for part in (x, y, x * x, x * y, y * y)])
        self.blocks += counted.sum(axis=0)
        self.games += played.sum(axis=0).astype(np.int64)

    def _figures(self, name: str, values: Array, like: Array | None = None) -> Array:
        found = np.asarray(values, np.float64)
        if found.ndim != 2 or found.shape[1] != self.k or (like is not None and found.shape != like.shape):
            allowed = (f"[blocks, {self.k}]", "as the numerators")[like is not None]
            raise DataError(f"{name} of shape {list(found.shape)}, allowed is {allowed}")
        if not np.isfinite(found).all():
            raise DataError(f"{name} with a value that is not finite, allowed are numbers")
        return found

    def merge(self, other: Moments) -> None:
        """Count the blocks of another in."""
        if other.k != self.k:
            raise DataError(f"moments of {other.k} figures, allowed to merge are {self.k}")
        self.sums = self.sums + other.sums
        self.blocks = self.blocks + other.blocks
        self.games = self.games + other.games

    def __add__(self, other: Moments) -> Moments:
        both = Moments(self.k)
        both.merge(self)
        both.merge(other)
        return both

    def estimate(self, k: int, proportion: bool = False) -> Estimate:
        """Figure `k`. A `proportion` lies within 0 and 1, and is not certain because all blocks agree."""
        blocks, games = int(self.blocks[k]), int(self.games[k])
        if blocks == 0:
            return unknown(games)
        ratio, square = self._ratio(k)
        value = float(ratio)
        if proportion and square == 0:
            return Estimate(value, *wilson(value, self._alike(k)), 0.0, blocks, games)
        if blocks == 1:
            return Estimate(value, math.nan, math.nan, math.nan, blocks, games)
        made = around_share if proportion else around
        return made(value, math.sqrt(square * blocks / (blocks - 1)), blocks, games)

    def _ratio(self, k: int) -> tuple[Fraction, Fraction]:
        """The ratio, and the squared residuals by the squared denominator."""
        x, y, xx, xy, yy = (Fraction(part) for part in self.sums[:, k])
        ratio = x / y
        residuals = xx - 2 * ratio * xy + ratio * ratio * yy
        if residuals <= AGREEMENT * (xx + ratio * ratio * yy):
            return ratio, Fraction(0)
        return ratio, residuals * 2**UNIT / (y * y)

    def _alike(self, k: int) -> int:
        """How many blocks of the same size these are worth, by Kish's rule."""
        _, y, _, _, yy = (Fraction(part) for part in self.sums[:, k])
        return max(1, int(y * y / (yy * 2**UNIT)))

    def estimates(self, proportion: bool = False) -> list[Estimate]:
        """All figures."""
        return [self.estimate(k, proportion) for k in range(self.k)]

    def to_arrays(self) -> dict[str, Array]:
        """The same as arrays that `np.savez` takes: the exact sums are hexadecimal."""
        sums = np.array([[hex(part) for part in row] for row in self.sums], dtype=np.str_)
        return {"sums": sums.reshape(self.sums.shape), "blocks": self.blocks, "games": self.games}

    @classmethod
    def from_arrays(cls, arrays: dict[str, Array]) -> Moments:
        """What `to_arrays` gave."""
        found = cls(len(arrays["blocks"]))
        for at, text in np.ndenumerate(arrays["sums"]):
            found.sums[at] = int(text, 16)
        found.blocks += arrays["blocks"]
        found.games += arrays["games"]
        return found
