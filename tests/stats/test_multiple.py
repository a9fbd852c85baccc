"""Many questions at once."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genesia_rl.core.errors import DataError
from genesia_rl.stats.estimate import around
from genesia_rl.stats.multiple import benjamini_hochberg, flag, holm

P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


def test_the_adjusted_values_of_a_textbook() -> None:
    p = np.array([0.01, 0.04, 0.03, 0.005])
    assert holm(p) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert benjamini_hochberg(p) == pytest.approx([0.02, 0.04, 0.04, 0.02])


@settings(deadline=None)
@given(P_VALUES)
def test_adjusted_values_keep_the_order_and_holm_is_the_stricter(p: list[float]) -> None:
    values = np.array(p)
    strict, mild = holm(values), benjamini_hochberg(values)
    order = np.argsort(values)
    assert (np.diff(strict[order]) >= 0).all() and (np.diff(mild[order]) >= 0).all()
    assert (values <= mild + 1e-15).all() and (mild <= strict + 1e-12).all() and (strict <= 1).all()


def test_questions_that_could_not_be_asked_do_not_count() -> None:
    p = np.array([0.02, math.nan, 0.04])
    assert holm(p)[[0, 2]] == pytest.approx(holm(p[[0, 2]])) and math.isnan(holm(p)[1])
    assert np.isnan(benjamini_hochberg(np.array([math.nan]))).all()
    with pytest.raises(DataError, match=r"allowed is 0 to 1"):
        holm(np.array([1.5]))


def test_without_a_difference_alarms_are_as_rare_as_said() -> None:
    """When nothing is there, any flag is a false one: both procedures have one in 5 % of families."""
    rng = np.random.default_rng(0)
    p = rng.random((4000, 25))
    for adjust in (holm, benjamini_hochberg):
        alarms = np.mean([(adjust(family) <= 0.05).any() for family in p])
        assert 0.04 < alarms < 0.06


def test_among_those_flagged_false_alarms_are_the_share_said() -> None:
    rng = np.random.default_rng(1)
    truth = np.concatenate([np.full(15, 0.4), np.full(15, 0.0)])
    false, none_false, found = [], [], []
    for _ in range(1500):
        seen = truth + rng.normal(size=30) * 0.1
        estimates = [around(float(value), 0.1, 500, 500) for value in seen]
        flagged = flag(estimates)
        false.append(flagged[15:].sum() / max(1, flagged.sum()))
        found.append(flagged[:15].mean())
        none_false.append((holm(np.array([e.p() for e in estimates]))[15:] <= 0.05).any())
    assert np.mean(false) == pytest.approx(0.025, abs=0.008), "0.05 times the half that are null"
    assert np.mean(none_false) < 0.05 and np.mean(found) > 0.9


def test_each_may_have_a_null_of_its_own() -> None:
    estimates = [around(0.5, 0.01, 100, 100), around(0.25, 0.01, 100, 100)]
    assert flag(estimates, [0.5, 0.25]).tolist() == [False, False]
    assert flag(estimates, 0.5).tolist() == [False, True]
