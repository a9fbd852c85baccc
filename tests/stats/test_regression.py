"""Least squares with dependent rows."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from experiments.stats.moments import Moments
from experiments.stats.regression import Fit, Rows, fit
from genesia_rl.errors import DataError

Array = npt.NDArray[Any]
TRUTH = np.array([1.0, -0.5, 0.25])


def in_parts(x: Array, y: Array, cluster: Array, parts: int = 1) -> Rows:
    """Rows some at a time."""

    def rows() -> Iterator[tuple[Array, Array, Array]]:
        for some in np.array_split(np.arange(len(x)), parts):
            yield x[some], y[some], cluster[some]

    return rows


def drawn(rng: np.random.Generator, clusters: int, size: int = 4) -> tuple[Array, Array, Array]:
    """Rows whose clusters share half of the noise, and one of the columns."""
    cluster = np.repeat(np.arange(clusters), size)
    shared = rng.normal(size=clusters)[cluster]
    x = np.column_stack(
        [np.ones(len(cluster)), rng.normal(size=clusters)[cluster], rng.normal(size=len(cluster))]
    )
    return x, x @ TRUTH + shared + rng.normal(size=len(cluster)), cluster


def by_hand(x: Array, y: Array, cluster: Array) -> Fit:
    """The textbook's formula."""
    bread = np.linalg.inv(x.T @ x)
    b = bread @ x.T @ y
    meat = sum(
        np.outer(s, s) for g in np.unique(cluster) for s in [x[cluster == g].T @ (y - x @ b)[cluster == g]]
    )
    groups, (n, k) = len(np.unique(cluster)), x.shape
    return Fit(b, groups / (groups - 1) * (n - 1) / (n - k) * bread @ meat @ bread, groups, n)


def test_it_is_the_formula_however_the_rows_are_cut() -> None:
    x, y, cluster = drawn(np.random.default_rng(0), 30)
    expected = by_hand(x, y, cluster)
    order = np.random.default_rng(1).permutation(len(x))
    for found in (
        fit(in_parts(x, y, cluster)),
        fit(in_parts(x, y, cluster, 7)),
        fit(in_parts(x[order], y[order], cluster[order], 5)),
    ):
        assert np.allclose(found.coefficients, expected.coefficients)
        assert np.allclose(found.covariance, expected.covariance)
        assert (found.clusters, found.rows) == (30, 120)


def test_a_mean_is_that_of_moments() -> None:
    x = np.random.default_rng(2).normal(3, 1, size=(25, 4))
    moments = Moments(1)
    moments.add(x.sum(axis=1)[:, None], np.full((25, 1), 4.0), np.full((25, 1), 4))
    found = fit(in_parts(np.ones((100, 1)), x.ravel(), np.repeat(np.arange(25), 4))).estimates()[0]
    assert found[:4] == pytest.approx(moments.estimate(0)[:4])
    assert (found.blocks, found.games) == (25, 100)


def test_a_contrast_is_a_sum_of_coefficients() -> None:
    found = fit(in_parts(*drawn(np.random.default_rng(3), 50)))
    both = found.estimate(np.array([0.0, 1.0, -1.0]))
    v = found.covariance
    assert both.value == pytest.approx(found.coefficients[1] - found.coefficients[2])
    assert both.se == pytest.approx(math.sqrt(v[1, 1] + v[2, 2] - 2 * v[1, 2]))
    with pytest.raises(DataError, match=r"contrast of shape \(2,\), allowed is \(3,\)"):
        found.estimate(np.ones(2))


def test_intervals_cover_95_percent() -> None:
    rng = np.random.default_rng(4)
    hits = []
    for _ in range(2000):
        found = fit(in_parts(*drawn(rng, 60))).estimates()
        hits.append([e.low <= truth <= e.high for e, truth in zip(found, TRUTH, strict=True)])
    assert ((np.mean(hits, axis=0) > 0.93) & (np.mean(hits, axis=0) < 0.97)).all()


def test_columns_that_follow_from_others_are_named() -> None:
    x, y, cluster = drawn(np.random.default_rng(5), 20)
    with pytest.raises(DataError, match=r"columns \[\d\] follow from the others"):
        fit(in_parts(np.column_stack([x, x[:, 1] + x[:, 2]]), y, cluster))
    with pytest.raises(DataError, match=r"columns \[3\] are 0 everywhere"):
        fit(in_parts(np.column_stack([x, 0 * y]), y, cluster))
    assert np.allclose(
        fit(in_parts(x * [1, 1e5, 1e-5], y, cluster)).coefficients * [1, 1e5, 1e-5],
        fit(in_parts(x, y, cluster)).coefficients,
    )


def test_rows_that_make_no_sense_are_errors() -> None:
    x, y, cluster = drawn(np.random.default_rng(6), 5)
    with pytest.raises(DataError, match="rows: 0 of them"):
        fit(lambda: [])
    with pytest.raises(DataError, match="not finite"):
        fit(in_parts(x, y * np.nan, cluster))
    assert math.isnan(fit(in_parts(x, y, 0 * cluster)).estimates()[0].se), "one cluster tells nothing"
