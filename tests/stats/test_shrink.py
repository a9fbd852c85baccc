"""Figures drawn towards their mean: what is picked out of many keeps its interval."""

from __future__ import annotations

import numpy as np
import pytest

from genesia_rl.core.errors import DataError
from genesia_rl.stats.shrink import shrink


@pytest.mark.parametrize("spread", [0.0, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("number", [5, 10, 40])
def test_the_interval_of_the_largest_holds_the_truth(spread: float, number: int) -> None:
    """Errors of about 1, true values with this spread: the largest is looked at."""
    rng, hits, plain, runs = np.random.default_rng(number), 0, 0, 1000
    for _ in range(runs):
        truth = 7 + rng.normal(0, spread, number)
        errors = rng.uniform(0.8, 1.2, number)
        seen = truth + errors * rng.normal(size=number)
        found = shrink(seen, errors)
        best = int(np.argmax(found.values))
        hits += bool(abs(found.values[best] - truth[best]) <= 1.96 * found.errors[best])
        first = int(np.argmax(seen))
        plain += bool(abs(seen[first] - truth[first]) <= 1.96 * errors[first])
    assert hits / runs > 0.92, (spread, number)
    if spread <= 0.5:
        assert plain / runs < 0.9, "without drawing, the largest is flattered"


def test_what_is_all_chance_is_drawn_far_and_what_is_sure_is_not() -> None:
    rng = np.random.default_rng(1)
    seen = rng.normal(size=200)
    assert np.abs(shrink(seen, np.ones(200)).values - seen.mean()).max() < 0.5 * np.abs(seen).max()
    sure = shrink(seen, np.full(200, 1e-6))
    assert np.allclose(sure.values, seen) and np.allclose(sure.errors, 1e-6)
    assert np.allclose(shrink(seen, np.zeros(200)).values, seen)


def test_order_is_kept_when_all_errors_are_the_same() -> None:
    seen = np.random.default_rng(2).normal(size=30)
    found = shrink(seen, np.full(30, 0.7))
    assert np.array_equal(np.argsort(found.values), np.argsort(seen))
    assert found.values.mean() == pytest.approx(found.mean) == pytest.approx(seen.mean())


def test_the_less_sure_is_drawn_further() -> None:
    found = shrink(np.array([0.0, 0, 0, 0, 4, 4]), np.array([1.0, 1, 1, 1, 0.5, 2]))
    assert found.values[4] > found.values[5] > found.mean


def test_few_figures_and_those_without_a_number_are_left_alone() -> None:
    three = np.array([1.0, 2, 9])
    assert np.array_equal(shrink(three, np.ones(3)).values, three)
    holes = np.array([1.0, np.nan, 3, 2, 5, 4])
    found = shrink(holes, np.array([1.0, 1, 1, 1, np.nan, 1]))
    assert np.isnan(found.values[1]) and found.values[4] == 5 and found.mean == 2.5
    assert np.isnan(shrink(np.full(5, np.nan), np.ones(5)).mean)
    with pytest.raises(DataError, match=r"errors of shape \(2,\), allowed is one for each figure, \(3,\)"):
        shrink(three, np.ones(2))


def test_without_errors_figures_still_have_a_mean() -> None:
    found = shrink(np.array([1.0, 3.0, np.nan]), np.full(3, np.nan))
    assert found.mean == 2 and np.isnan(found.errors).all()
    assert np.array_equal(found.values, [1, 3, np.nan], equal_nan=True)
