"""Estimates, exact sums, moments, the bootstrap and how many games are needed."""

from __future__ import annotations

import io
import math
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.stats.bootstrap import block_bootstrap, replicates, tail
from genesia_rl.stats.estimate import Estimate, around
from genesia_rl.stats.exact import UNIT, exact_sums
from genesia_rl.stats.moments import Moments
from genesia_rl.stats.power import games_needed

Array = npt.NDArray[Any]
NUMBERS = st.floats(-1e6, 1e6).filter(lambda x: x == 0 or abs(x) > 1e-30)


def moments(x: Array, y: Array | None = None, games: Array | None = None) -> Moments:
    """Of blocks given at once."""
    found = Moments(np.shape(x)[1])
    found.add(x, y, games)
    return found


def wilson(share: float, trials: int) -> tuple[float, float]:
    """The interval of another library, for a whole number of successes."""
    found = stats.binomtest(round(share * trials), trials).proportion_ci(method="wilson")
    return found.low, found.high


def bits(found: Moments) -> list[tuple[float, ...]]:
    """All estimates, for comparison to the bit; nan is 9."""
    return [tuple(9.0 if math.isnan(x) else x for x in estimate) for estimate in found.estimates()]


@settings(deadline=None)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=30))
def test_sums_are_exact(rows: list[tuple[float, float]]) -> None:
    found = [Fraction(total) / 2**UNIT for total in exact_sums(np.array(rows))]
    assert found == [sum(map(Fraction, column)) for column in zip(*rows, strict=True)]


@pytest.mark.parametrize("value", [2.0**61, math.inf, math.nan])
def test_numbers_too_large_to_add_are_an_error(value: float) -> None:
    with pytest.raises(DataError, match=r"allowed is a sum below 2\*\*62"):
        exact_sums(np.array([[value], [value]]))


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6))
def test_parts_merged_in_any_order_are_one_run_to_the_bit(seed: int, parts: int) -> None:
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, size=(20, 3)).astype(float)
    x = rng.normal(size=(20, 3)) / 3 * y
    shards = [moments(x[rows], y[rows], y[rows]) for rows in np.array_split(rng.permutation(20), parts)]
    together = Moments(3)
    for shard in shards:
        together = shard + together
    assert bits(together) == bits(moments(x, y, y))


def test_moments_are_kept_in_a_file() -> None:
    x = np.random.default_rng(1).normal(size=(30, 4)) - 1
    file = io.BytesIO()
    np.savez(file, allow_pickle=False, **moments(x).to_arrays())
    file.seek(0)
    with np.load(file, allow_pickle=False) as arrays:
        again = Moments.from_arrays(dict(arrays))
    again.add(x)
    assert bits(again) == bits(moments(np.vstack([x, x])))


def test_of_blocks_of_one_size_it_is_the_interval_of_student() -> None:
    x = np.random.default_rng(2).normal(5, 2, size=(40, 1))
    found = moments(x).estimate(0)
    test = stats.ttest_1samp(x[:, 0], 4.5)
    low, high = test.confidence_interval(0.95)
    assert np.allclose(found[:4], (x.mean(), low, high, x.std(ddof=1) / math.sqrt(40)))
    assert found.p(4.5) == pytest.approx(test.pvalue)
    assert (found.blocks, found.games) == (40, 40)


def test_a_ratio_is_linearised_over_the_blocks_that_count() -> None:
    x, y = np.array([[3.0], [0.0], [1.0], [5.0]]), np.array([[4.0], [0.0], [2.0], [6.0]])
    found = moments(x, y, games=y).estimate(0)
    residuals = np.array([3 - 0.75 * 4, 1 - 0.75 * 2, 5 - 0.75 * 6])
    assert found.value == 0.75 and found.blocks == 3 and found.games == 12
    assert found.se == pytest.approx(math.sqrt((residuals**2).sum() * 3 / 2) / 12)


def test_a_large_mean_costs_no_digits() -> None:
    x = np.random.default_rng(3).normal(size=(50, 1)).round(6)
    near, far = moments(x).estimate(0), moments(x + 30_000).estimate(0)
    assert far.se == pytest.approx(near.se, rel=1e-7)


def test_without_blocks_nothing_is_known() -> None:
    found = moments(np.zeros((5, 1)), np.zeros((5, 1))).estimate(0)
    assert math.isnan(found.value) and math.isnan(found.low) and found.blocks == 0 and found.text() == "-"
    assert math.isnan(found.p())
    one = moments(np.array([[2.0]])).estimate(0)
    assert one.value == 2 and math.isnan(one.low) and one.text() == "2.0" and math.isnan(one.p())


@pytest.mark.parametrize("share", [0.0, 1 / 3, 1.0])
def test_a_share_on_which_all_blocks_agree_is_not_certain(share: float) -> None:
    blocks = np.full((30, 1), share)
    found = moments(blocks).estimate(0, proportion=True)
    assert found[1:3] == pytest.approx(wilson(share, 30)) and found.high - found.low > 0.1
    assert moments(blocks).estimate(0).low == share, "a mean may be certain"
    assert found.p(share) == 1.0 and found.p(0.9 if share < 0.5 else 0.1) < 1e-6
    uneven = moments(np.vstack([blocks, 2 * blocks]), np.repeat([[1.0], [2.0]], 30, axis=0))
    assert uneven.estimate(0, proportion=True)[1:3] == pytest.approx(wilson(share, 90**2 // 150))


def test_p_of_agreement_is_no_smaller_than_chance_allows() -> None:
    won = moments(np.ones((4, 1))).estimate(0, proportion=True)
    assert won.p(0.5) == pytest.approx(2 / 2**4)
    lost = moments(np.zeros((4, 1))).estimate(0, proportion=True)
    assert lost.p(0.5) == pytest.approx(2 / 2**4) and lost.p(0.0) == 1.0


def test_proportions_stay_within_their_bounds() -> None:
    x = np.concatenate([np.ones(19), [0.5]])[:, None]
    plain, share = moments(x).estimate(0), moments(x).estimate(0, proportion=True)
    assert plain.high > 1 > share.high > share.value > share.low > 0
    assert (share.value, share.se, share.p(0.9)) == (plain.value, plain.se, plain.p(0.9))


def test_of_many_blocks_of_one_game_it_is_the_interval_of_wilson() -> None:
    for hits in (1, 30, 999):
        found = moments((np.arange(1000) < hits)[:, None]).estimate(0, proportion=True)
        assert found[1:3] == pytest.approx(wilson(hits / 1000, 1000), rel=0.01)


def test_more_hits_never_mean_a_lower_end() -> None:
    found = [moments((np.arange(300) < k)[:, None]).estimate(0, proportion=True) for k in range(301)]
    assert (np.diff([e.high for e in found]) > 0).all() and (np.diff([e.low for e in found]) > 0).all()


@pytest.mark.parametrize(
    ("x", "y", "error"),
    [
        (np.ones((2, 3)), None, r"numerators of shape \[2, 3\], allowed is \[blocks, 2\]"),
        (np.ones((2, 2)), np.ones((3, 2)), "denominators of shape"),
        (np.full((1, 2), np.nan), None, "numerators with a value that is not finite"),
        (np.ones((1, 2)), np.zeros((1, 2)), "allowed is 0 where the numerator is 0"),
        (np.zeros((1, 2)), -np.ones((1, 2)), "above 0 elsewhere"),
    ],
)
def test_figures_that_make_no_sense_are_errors(x: Array, y: Array | None, error: str) -> None:
    with pytest.raises(DataError, match=error):
        Moments(2).add(x, y)
    with pytest.raises(DataError, match="moments of 3 figures"):
        Moments(2).merge(Moments(3))


def test_text_is_scaled() -> None:
    found = around(0.5512, 0.01, 1000, 2000)
    assert found.text(100, " %") == "55.1 % (53.2 .. 57.1)"
    assert found.text(digits=3) == "0.551 (0.532 .. 0.571)"


def ratios(rng: np.random.Generator, blocks: int) -> Moments:
    """A rate of 0.3 in blocks of one to five games that share half of their luck, each size as likely."""
    size = rng.integers(1, 6, size=blocks)
    own = rng.random((blocks, 5)) < 0.3
    shared = np.where(rng.random((blocks, 5)) < 0.5, own[:, :1], own)
    seen = np.arange(5) < size[:, None]
    return moments((shared & seen).sum(axis=1)[:, None], size[:, None].astype(float))


def test_moments_cover_95_percent() -> None:
    rng = np.random.default_rng(5)
    found = [ratios(rng, 80).estimate(0, proportion=True) for _ in range(3000)]
    assert 0.93 < np.mean([e.low <= 0.3 <= e.high for e in found]) < 0.97
    assert 0.03 < np.mean([e.p(0.3) < 0.05 for e in found]) < 0.07


def test_intervals_of_rare_shares_cover_too() -> None:
    """Of 300 blocks in which something happens hardly ever: an interval of Student covers 85 % of shares of
    one in a hundred."""
    hits = np.arange(40)
    found = [moments((np.arange(300) < k)[:, None]).estimate(0, proportion=True) for k in hits]
    low, high = np.array([e.low for e in found]), np.array([e.high for e in found])
    rates = np.linspace(0.005, 0.02, 31)[:, None]
    likely = stats.binom.pmf(hits, 300, rates)
    covered = (likely * ((low <= rates) & (rates <= high))).sum(axis=1)
    assert (covered >= 0.93).all() and 0.95 < covered.mean() < 0.97


def test_intervals_of_rare_shares_cover_in_larger_blocks() -> None:
    rng = np.random.default_rng(9)
    size = np.full((300, 1), 4.0)
    for rate in (0.005, 0.02):
        hits = (rng.random((2000, 300, 4)) < rate).sum(axis=2)[..., None]
        found = [moments(each, size).estimate(0, proportion=True) for each in hits]
        assert 0.93 <= np.mean([e.low <= rate <= e.high for e in found]) < 0.98


def test_a_bootstrap_of_means_is_nearly_the_interval_of_student() -> None:
    values = np.random.default_rng(6).normal(size=60)
    found = block_bootstrap(values, np.mean, resamples=4000, seed=1, games=120)
    exact = moments(values[:, None]).estimate(0)
    assert np.allclose(found[:4], exact[:4], atol=0.03) and found.games == 120
    assert found == block_bootstrap(values, np.mean, resamples=4000, seed=1, games=120)
    assert found != block_bootstrap(values, np.mean, resamples=4000, seed=2, games=120)


@pytest.mark.parametrize("blocks", [2, 3, 5, 6])
def test_the_interval_of_few_blocks_covers(blocks: int) -> None:
    rng = np.random.default_rng(blocks)
    found = [block_bootstrap(rng.normal(size=blocks), np.mean, 300) for _ in range(400)]
    assert 0.92 < np.mean([e.low <= 0 <= e.high for e in found]) < 0.99


def test_blocks_are_drawn_with_all_their_games() -> None:
    values = np.arange(12).reshape(4, 3)
    drawn = replicates(values, lambda some: some, resamples=50)
    assert drawn.shape == (50, 4, 3) and {tuple(row) for row in drawn.reshape(-1, 3)} == set(
        map(tuple, values)
    )


def test_few_blocks_make_the_bootstrap_reach_further() -> None:
    assert tail(5) < tail(20) < tail(1000) < 0.025 < 1.05 * tail(1000)
    rng = np.random.default_rng(7)
    wider = []
    for _ in range(60):
        values = rng.normal(size=8)
        found, exact = block_bootstrap(values, np.mean, 1000), moments(values[:, None]).estimate(0)
        wider.append((found.high - found.low) / (exact.high - exact.low))
    assert np.mean(wider) == pytest.approx(1, abs=0.06), "plain percentiles would be 0.78"
    assert math.isnan(block_bootstrap(np.ones(1), np.mean).low)
    with pytest.raises(DataError, match="0 blocks"):
        block_bootstrap(np.ones(0), np.mean)


def test_the_games_needed_find_the_effect_as_often_as_asked() -> None:
    rng = np.random.default_rng(8)
    first = moments(
        (rng.random((4000, 2)) < 0.5).mean(axis=1)[:, None], games=np.full((4000, 1), 2)
    ).estimate(0)
    games = games_needed(first, effect=0.1)
    assert games == pytest.approx(0.25 * (2.8016 / 0.1) ** 2, rel=0.05)
    again = [moments((rng.random((games // 2, 2)) < 0.6).mean(axis=1)[:, None]) for _ in range(2000)]
    assert np.mean([found.estimate(0).p(0.5) < 0.05 for found in again]) == pytest.approx(0.8, abs=0.04)
    assert games_needed(first, effect=0.01) == pytest.approx(100 * games, rel=0.01)


def test_what_cannot_be_told_of_games_needed_is_an_error() -> None:
    sure = moments(np.ones((50, 1))).estimate(0, proportion=True)
    assert games_needed(sure) > 50
    with pytest.raises(DataError, match=r"se = 0.0 of 50 blocks"):
        games_needed(Estimate(1, 1, 1, 0.0, 50, 50))
    with pytest.raises(DataError, match="se = nan"):
        games_needed(Moments(1).estimate(0))
    with pytest.raises(ConfigError, match="effect = 0"):
        games_needed(sure, effect=0)
    with pytest.raises(ConfigError, match="power = 1"):
        games_needed(sure, power=1)
