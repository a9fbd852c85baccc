"""Many questions at once: p values as they are to be read when the smallest of them are picked out.

A p value of nan is a question that could not be asked: it stays nan and does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from genesia_rl.core.errors import DataError
from genesia_rl.stats.estimate import Estimate

Array = npt.NDArray[Any]


def holm(p: Array) -> Array:
    """Below 0.05: with 95 % confidence none of those below is a false alarm (Holm's step-down)."""
    return _asked(p, _holm)


def _holm(p: Array) -> Array:
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    found = np.empty(len(p))
    found[order] = np.minimum(steps, 1.0)
    return found


def benjamini_hochberg(p: Array) -> Array:
    """Below 0.05: of those below, 5 % are expected to be false alarms."""
    return _asked(p, lambda asked: np.asarray(stats.false_discovery_control(asked, method="bh")))


def _asked(p: Array, adjust: Callable[[Array], Array]) -> Array:
    """Adjust those that are numbers."""
    found = np.array(p, np.float64)
    asked = ~np.isnan(found)
    if ((found[asked] < 0) | (found[asked] > 1)).any():
        raise DataError(f"p = {found.tolist()}, allowed is 0 to 1")
    if asked.any():
        found[asked] = adjust(found[asked])
    return found


def flag(
    estimates: Sequence[Estimate], null: float | Sequence[float] = 0.0, rate: float = 0.05
) -> npt.NDArray[np.bool_]:
    """Which differ from `null` (one, or one for each) with this share of false alarms among the flagged."""
    nulls = np.broadcast_to(np.asarray(null, np.float64), len(estimates))
    p = np.array([found.p(float(at)) for found, at in zip(estimates, nulls, strict=True)])
    return np.asarray(benjamini_hochberg(p) <= rate)
