"""Shares of first places, ranks with ties, and Wilson's interval of a share. Needs numpy only."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
NORMAL_95 = 1.959964


class Share(NamedTuple):
    """A share with its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(value: float, trials: float, reach: float = NORMAL_95) -> tuple[float, float]:
    """Both ends for a share: the values from which so many trials would not be farther than `reach` of the
    standard errors that *those* values have. So it has a width even where nothing was seen to vary."""
    each = reach * reach / trials
    middle = (value + each / 2) / (1 + each)
    half = math.sqrt(each * value * (1 - value) + each * each / 4) / (1 + each)
    return max(0.0, middle - half), min(1.0, middle + half)


def share_of(wins: float, games: int) -> Share:
    """The share of games that were won; a shared win counts as its part."""
    return Share(wins / games, *wilson(wins / games, games))


def first_shares(ranks: Array) -> npt.NDArray[np.float64]:
    """[game, seat]: the share of the first place, from how many rank before each."""
    first = ranks == ranks.min(axis=1, keepdims=True)
    return np.asarray(first / first.sum(axis=1, keepdims=True))


def mean_ranks(ranks: Array) -> npt.NDArray[np.float64]:
    """[game, seat]: 1 for the first; those who share ranks have the mean of them."""
    before = (ranks[:, None, :] < ranks[:, :, None]).sum(axis=2)
    alike = (ranks[:, None, :] == ranks[:, :, None]).sum(axis=2)
    return np.asarray(before + (alike + 1) / 2)
