"""How many games it takes to see a difference."""

from __future__ import annotations

import math

from scipy import special

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.stats.estimate import Estimate, student


def games_needed(estimate: Estimate, effect: float = 0.01, power: float = 0.8, level: float = 0.05) -> int:
    """To see one point of win rate, so many games are needed: from how blocks differed so far.

    A test of the given level against a fixed value finds an `effect` with the probability `power`. Blocks
    of the same make are supposed; for a difference of two agents on games of their own, take its estimate.
    """
    for name, value in (("power", power), ("level", level)):
        if not 0 < value < 1:
            raise ConfigError(f"{name} = {value}, allowed is above 0 and below 1")
    if not effect > 0:
        raise ConfigError(f"effect = {effect}, allowed is above 0")
    reach = float(special.ndtri(1 - level / 2) + special.ndtri(power))
    blocks = max(2, math.ceil(_spread(estimate) ** 2 * estimate.blocks * (reach / effect) ** 2))
    return math.ceil(blocks * estimate.games / estimate.blocks)


def _spread(estimate: Estimate) -> float:
    """The standard error; of a share on which all blocks agree, what its interval speaks of."""
    if estimate.se > 0:
        return estimate.se
    if estimate.se == 0 and estimate.high > estimate.low:
        return (estimate.high - estimate.low) / (2 * student(max(2, estimate.blocks)))
    raise DataError(f"se = {estimate.se} of {estimate.blocks} blocks, allowed is above 0")
