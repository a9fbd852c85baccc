"""Least squares over rows that need not fit into memory, with rows of a cluster depending on each other.

The covariance is the sandwich of cluster-robust regression with the usual correction for few clusters (CR1),
the intervals are Student's with one degree of freedom fewer than clusters. The rows are gone through
twice, once for the coefficients and once for the scores of the clusters at them; kept are one score of each
cluster, so memory grows with clusters times columns. A cluster's rows may come anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import linalg

from experiments.stats.estimate import Estimate, around
from genesia_rl.errors import DataError

Array = npt.NDArray[Any]
Rows = Callable[[], Iterable[tuple[Array, Array, Array]]]
RANK = 1e-9  # what is left of a column's squared norm beside the columns before


class Fit(NamedTuple):
    """Coefficients with their covariance."""

    coefficients: Array
    covariance: Array
    clusters: int
    rows: int

    def estimate(self, contrast: Array) -> Estimate:
        """A sum of coefficients with these weights."""
        weights = np.asarray(contrast, np.float64)
        if weights.shape != self.coefficients.shape:
            raise DataError(f"contrast of shape {weights.shape}, allowed is {self.coefficients.shape}")
        variance = float(weights @ self.covariance @ weights)
        se = math.sqrt(variance) if variance > 0 else 0 * variance  # nan stays
        return around(float(weights @ self.coefficients), se, self.clusters, self.rows)

    def estimates(self) -> list[Estimate]:
        """Each coefficient."""
        return [self.estimate(row) for row in np.eye(len(self.coefficients))]


def fit(rows: Rows) -> Fit:
    """Fit `y` to the columns of `X`; `rows` gives parts (X, y, cluster) anew each time it is called."""
    gram, moment, count = _first_pass(rows)
    scale = np.sqrt(np.diag(gram))
    if not (scale > 0).all():
        raise DataError(f"columns {np.flatnonzero(scale == 0).tolist()} are 0 everywhere, allowed are others")
    correlation = gram / np.outer(scale, scale)
    _independent(correlation)
    bread = np.asarray(linalg.inv(correlation)) / np.outer(scale, scale)
    coefficients = bread @ moment
    scores = _second_pass(rows, coefficients)
    clusters, columns = len(scores), len(moment)
    if clusters < 2 or count <= columns:
        return Fit(coefficients, np.full_like(gram, math.nan), clusters, count)
    few = clusters / (clusters - 1) * (count - 1) / (count - columns)
    return Fit(coefficients, few * bread @ (scores.T @ scores) @ bread, clusters, count)


def _first_pass(rows: Rows) -> tuple[Array, Array, int]:
    """X'X, X'y and the number of rows."""
    gram, moment, count = None, None, 0
    for given, y, _ in rows():
        x = np.asarray(given, np.float64)
        gram = x.T @ x if gram is None else gram + x.T @ x
        moment = x.T @ y if moment is None else moment + x.T @ y
        count += len(x)
    if gram is None or moment is None or count == 0:
        raise DataError("rows: 0 of them, allowed is 1 or more")
    if not (np.isfinite(gram).all() and np.isfinite(moment).all()):
        raise DataError("rows with a value that is not finite, allowed are numbers")
    return gram, moment, count


def _independent(correlation: Array) -> None:
    """Complain of columns that the others determine."""
    triangle, order = linalg.qr(correlation, mode="r", pivoting=True)
    rest = np.abs(np.diag(triangle))
    if (rest < RANK).any():
        extra = sorted(np.asarray(order)[rest < RANK].tolist())
        raise DataError(f"columns {extra} follow from the others, allowed are columns that do not")


def _second_pass(rows: Rows, coefficients: Array) -> Array:
    """The scores X'e of each cluster, `[clusters, columns]`."""
    names, parts = [], []
    for x, y, cluster in rows():
        ids, part = _sums_by(cluster, np.asarray(x) * (y - x @ coefficients)[:, None])
        names.append(ids)
        parts.append(part)
    return _sums_by(np.concatenate(names), np.concatenate(parts))[1]


def _sums_by(cluster: Array, values: Array) -> tuple[Array, Array]:
    """Sums of rows with the same name."""
    names, where = np.unique(cluster, return_inverse=True)
    sums = np.zeros((len(names), values.shape[1]))
    np.add.at(sums, where, values)
    return names, sums
