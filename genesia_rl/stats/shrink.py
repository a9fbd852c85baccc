"""Many alike figures at once: what is left of them when the part that chance plays is taken away.

The largest of many figures is large also by luck, and its own interval does not know that it was picked
out. Empirical Bayes draws every figure towards the mean of all, the more the larger its error is beside the
spread of the figures (Morris, Parametric Empirical Bayes Inference, 1983). Whichever is then picked out, its
interval holds.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import DataError

Array = npt.NDArray[Any]
FEWEST = 4  # figures from which a spread can be told


class Shrunk(NamedTuple):
    """Figures drawn towards their mean, and what is uncertain about each."""

    mean: float
    values: Array
    errors: Array


def shrink(values: Array, errors: Array) -> Shrunk:
    """Draw figures with these standard errors towards their mean; with fewer than four nothing is drawn.

    A figure that is not a number, or whose error is none, is left as it is and does not count;
    without any errors the mean is that of the figures as they are.
    """
    values, errors = np.array(values, np.float64), np.array(errors, np.float64)
    if values.ndim != 1 or values.shape != errors.shape:
        raise DataError(f"errors of shape {errors.shape}, allowed is one for each figure, {values.shape}")
    known = np.isfinite(values) & np.isfinite(errors)
    k = int(known.sum())
    if k == 0:
        finite = values[np.isfinite(values)]
        return Shrunk(float(finite.mean()) if len(finite) else float("nan"), values, errors)
    y, chance = values[known], errors[known] ** 2
    mean = float(y.mean())
    if k < FEWEST:
        return Shrunk(mean, values, errors)
    spread = max(0.0, float(((y - mean) ** 2).sum() / (k - 1) - chance.mean()))
    total = chance + spread
    pull = (k - 3) / (k - 1) * np.divide(chance, total, out=np.zeros(k), where=total > 0)
    values[known] = mean + (1 - pull) * (y - mean)
    # what the figure itself leaves open, and that the spread was guessed from k figures
    errors[known] = np.sqrt(chance * (1 - (k - 1) / k * pull) + 2 / (k - 3) * pull**2 * (y - mean) ** 2)
    return Shrunk(mean, values, errors)
