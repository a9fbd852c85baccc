"""Sums of floats without rounding: the same bits in whatever order and groups the terms are taken.

A sum is a Python integer, in units of 2**-256. A term is cut into whole numbers of 32 bits, which integer
arithmetic adds; what a term has beyond the last of them is dropped, from each term in the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import DataError

Array = npt.NDArray[Any]
LIMB, LIMBS = 32, 8
UNIT = LIMB * LIMBS  # a sum is a multiple of 2**-UNIT
LARGEST = 2.0**62  # of the sum of absolute values: the first limb is summed in 64 bits


def exact_sums(values: Array) -> Array:
    """The sums of the columns of `[rows, columns]`: Python integers, in an array of objects."""
    rest = np.asarray(values, np.float64)
    totals = [0] * rest.shape[1]
    largest = float(np.abs(rest).max(initial=0.0)) * len(rest)
    if not largest < LARGEST:
        raise DataError(
            f"values: {len(rest)} of them up to {largest / len(rest)}, allowed is a sum below 2**62"
        )
    for limb in range(LIMBS + 1):
        whole = np.trunc(rest)
        column = whole.astype(np.int64).sum(axis=0).tolist()
        totals = [total + (part << (UNIT - LIMB * limb)) for total, part in zip(totals, column, strict=True)]
        rest = (rest - whole) * 2.0**LIMB  # both steps are exact
        if not rest.any():
            break
    found = np.empty(len(totals), object)
    found[:] = totals
    return found
