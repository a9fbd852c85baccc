"""Figures of many games, gathered part by part: memory does not grow with the number of games."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special

from genesia_rl.core.errors import GenesiaError
from genesia_rl.matches.games import Games
from genesia_rl.stats.estimate import Estimate
from genesia_rl.stats.moments import Moments
from genesia_rl.stats.power import games_needed

Array = npt.NDArray[Any]
OFTEN = 0.8  # the probability with which an effect is to be seen
POINT = 0.01  # of a win share: the reports say how many games it takes to see one percentage point


class Figures:
    """A box of figures with axes: each is a mean, or a ratio of sums, over the games that have it.

    `shares` lie within 0 and 1, and are not certain because all games agree: all figures, or those at some places of
    the last axis.
    """

    def __init__(self, *shape: int, shares: bool | Collection[int] = False) -> None:
        self.shape = shape
        self.shares = shares
        self.moments = Moments(prod(shape))

    def add(self, games: Games, values: Array, counted: Array | None = None) -> None:
        """`values[game, ...]`, and whether (or how often) each counts; what does not count is left out."""
        weights = np.ones_like(values, np.float64) if counted is None else np.asarray(counted, np.float64)
        weights = np.broadcast_to(weights, values.shape)
        held = np.where(weights > 0, values, 0.0)
        x, y, seen = (
            games.by_block(part).reshape(-1, prod(self.shape)) for part in (held, weights, weights > 0)
        )
        self.moments.add(x, y, seen)

    def get(self, *at: int) -> Estimate:
        """One of them."""
        is_share = self.shares if isinstance(self.shares, bool) else at[-1] in self.shares
        return self.moments.estimate(int(np.ravel_multi_index(at, self.shape)), is_share)

    def row(self, *at: int) -> list[Estimate]:
        """Those along the last axis."""
        return [self.get(*at, k) for k in range(self.shape[-1])]


def power_text(estimate: Estimate, what: str) -> str:
    """How many games it takes to see one percentage point of a win share."""
    try:
        needed = games_needed(estimate, POINT)
    except GenesiaError:
        return f"Too few games to say how many are needed for {what}."
    return (
        f"Power: to see one percentage point in {what} (80 % of the time, at the 5 % level), {needed:,} "
        f"games are needed; there were {estimate.games:,}."
    )


def visible(error: float, level: float) -> float:
    """How far from its null value a figure with this standard error is, if a test of the one-sided level
    finds it four times in five."""
    return float(special.ndtri(1 - level) + special.ndtri(OFTEN)) * error


def reach_text(estimates: Mapping[str, Estimate]) -> str:
    """How small a change of figures that are no win rates can be seen, each in its own unit."""
    seen = {name: visible(e.se, 0.025) for name, e in estimates.items() if e.se > 0}
    if not seen:
        return f"Too few games to say how small a change can be seen in {', '.join(estimates)}."
    told = ", ".join(f"{name} {value:.2g}" for name, value in seen.items())
    return f"Power: so great a change is seen 80 % of the time, at the 5 % level, one by one: {told}."
