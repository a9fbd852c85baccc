"""The sequential test errs as often as it says, on scores of many kinds."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.stats.sequential import Sequential

Array = npt.NDArray[Any]
Draw = Callable[[np.random.Generator, int], Array]


def games(share: float, size: int = 1, together: float = 0.0) -> Draw:
    """Blocks of so many games; each later game ends as the first with the probability `together`."""

    def draw(rng: np.random.Generator, blocks: int) -> Array:
        won = rng.random((blocks, size)) < share
        again = rng.random((blocks, size)) < together
        return np.asarray(np.where(again, won[:, :1], won).mean(axis=1))

    return draw


def opposed(share: float, decided: float) -> Draw:
    """Pairs of games that mostly go to the same seat: a half, and a whole or nothing where agents differ."""

    def draw(rng: np.random.Generator, blocks: int) -> Array:
        won = rng.random(blocks) < 0.5 + (share - 0.5) / decided
        return np.where(rng.random(blocks) < decided, won, 0.5)

    return draw


def tied(share: float) -> Draw:
    """Three games with shared first places: many different scores."""

    def draw(rng: np.random.Generator, blocks: int) -> Array:
        first = rng.random((blocks, 3)) < 1.5 * share
        return np.asarray((first * rng.choice([1.0, 0.5, 1 / 3, 5 / 6], size=(blocks, 3))).mean(axis=1))

    return draw


class Case(NamedTuple):
    """Scores of a kind for any share, and the hypotheses."""

    p0: float
    p1: float
    make: Callable[[float], Draw]


CASES = {
    "single games": Case(0.5, 0.6, games),
    "pairs that go together": Case(0.5, 0.58, lambda share: games(share, 2, 0.5)),
    "pairs that are independent": Case(0.5, 0.57, lambda share: games(share, 2)),
    "pairs that oppose each other": Case(0.5, 0.54, lambda share: opposed(share, 0.3)),
    "pairs that nearly always split": Case(0.5, 0.53, lambda share: opposed(share, 0.1)),
    "three seats with shared places": Case(1 / 3, 0.4, tied),
    "five seats": Case(0.2, 0.26, lambda share: games(share, 5, 0.3)),
    "seldom won": Case(0.03, 0.08, games),
}


def outcomes(case: Case, share: float, tests: int, seed: int = 3) -> tuple[float, float]:
    """How often `better` is said, and of how many blocks on average."""
    rng, draw = np.random.default_rng(seed), case.make(share)
    better, blocks = 0, 0
    for _ in range(tests):
        test = Sequential(case.p0, case.p1)
        while test.state == "running":
            test.add(draw(rng, 100))
        better += test.state == "better"
        blocks += test.blocks
    return better / tests, blocks / tests


def most(rate: float, tests: int) -> float:
    """What a rate may look like in so many tests; one of a thousand right ones would be above."""
    return rate + 3.1 * math.sqrt(rate * (1 - rate) / tests)


def check(name: str, tests: int) -> None:
    """Both errors, at the hypotheses and beyond, and the length."""
    case = CASES[name]
    step = case.p1 - case.p0
    for share in (case.p0 - step / 3, case.p0):
        assert outcomes(case, share, tests)[0] <= most(0.05, tests), share
    for share in (case.p1, case.p1 + step / 3):
        assert 1 - outcomes(case, share, tests)[0] <= most(0.05, tests), share
    between, long = outcomes(case, (case.p0 + case.p1) / 2, tests)
    assert 0.3 < between < 0.7
    scores = case.make((case.p0 + case.p1) / 2)(np.random.default_rng(0), 100_000)
    expected = Sequential(case.p0, case.p1).expected_blocks((case.p0 + case.p1) / 2, float(scores.var()))
    assert 0.75 < long / expected < 1.4


@pytest.mark.parametrize("name", ["single games", "pairs that oppose each other", "five seats"])
def test_errors_are_as_rare_as_said(name: str) -> None:
    check(name, 150)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CASES))
def test_errors_are_as_rare_as_said_of_scores_of_every_kind(name: str) -> None:
    check(name, 2000)


def test_of_single_games_it_is_the_ratio_of_wald() -> None:
    test = Sequential(0.4, 0.5, min_blocks=1000)
    test.add(np.repeat([1.0, 0.0], [30, 20]))
    exact = 30 * math.log(0.5 / 0.4) + 20 * math.log(0.5 / 0.6)
    doubt = 0.45 * math.log(0.5 / 0.4) + 0.55 * math.log(0.5 / 0.6)
    assert test.llr == pytest.approx(exact + doubt) and abs(doubt) < 0.01
    assert test.share == 0.6 and test.blocks == 50 and 0.24 < test.variance < 0.25


def test_for_many_blocks_it_is_the_ratio_of_normal_scores() -> None:
    scores = games(0.52, 4)(np.random.default_rng(1), 3000)
    test = Sequential(0.5, 0.51, alpha=1e-9, beta=1e-9)
    test.add(scores)
    normal = 3000 * 0.01 * (scores.mean() - 0.505) / scores.var()
    assert test.state == "running" and test.llr == pytest.approx(normal, rel=0.03)


def test_it_does_not_matter_how_many_blocks_come_at_once() -> None:
    scores = tied(0.42)(np.random.default_rng(2), 2000)
    whole, single = Sequential(1 / 3, 0.4), Sequential(1 / 3, 0.4)
    assert whole.add(scores) == "better"
    for score in scores:
        single.add(np.array([score]))
    assert (single.state, single.blocks) == (whole.state, whole.blocks) and whole.blocks < 2000
    assert single.llr == pytest.approx(whole.llr)
    before = whole.llr
    assert whole.add(np.zeros(500)) == "better" and whole.llr == before, "an answer stays"


def test_blocks_that_all_agree_decide_nothing_at_once() -> None:
    test = Sequential(0.5, 0.55)
    assert test.add(np.full(29, 1.0)) == "running"
    assert Sequential(0.5, 0.52).add(np.full(40, 0.5)) == "running", "they may differ yet"
    assert Sequential(0.5, 0.55, min_blocks=2).add(np.full(1000, 0.5)) == "not better"


def test_the_expected_length_falls_with_the_distance_from_the_middle() -> None:
    test = Sequential(0.5, 0.501)
    lengths = [test.expected_blocks(share, 0.1) for share in (0.0, 0.4, 0.499, 0.5, 0.5005, 0.501, 0.6, 1.0)]
    assert np.argmax(lengths) == 4 and (np.diff(lengths[:5]) > 0).all() and (np.diff(lengths[4:]) < 0).all()
    assert lengths[3] == pytest.approx(lengths[5])
    assert lengths[-1] == pytest.approx(-math.log(0.05) * 0.1 / (0.001 * 0.4995))
    with pytest.raises(ConfigError, match="variance = 0"):
        test.expected_blocks(0.5, 0)


def test_at_the_limit_it_is_undecided_and_stays_so() -> None:
    test = Sequential(0.5, 0.52, max_blocks=100)
    assert test.add(games(0.51)(np.random.default_rng(3), 99)) == "running"
    assert test.add(np.ones(5)) == "undecided" and test.blocks == 100
    assert test.lower < test.llr < test.upper
    assert test.add(np.ones(500)) == "undecided" and test.blocks == 100


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"p0": 0.5, "p1": 0.5}, "p0 = 0.5, p1 = 0.5, allowed is 0 < p0 < p1 < 1"),
        ({"alpha": 0.0}, "alpha = 0.0"),
        ({"min_blocks": 50, "max_blocks": 20}, "max_blocks = 20"),
    ],
)
def test_settings_that_make_no_sense_are_errors(options: dict[str, Any], error: str) -> None:
    with pytest.raises(ConfigError, match=error):
        Sequential(**{"p0": 0.5, "p1": 0.6, **options})
    with pytest.raises(DataError, match=r"block_scores from 0.5 to 1.5"):
        Sequential(0.5, 0.6).add(np.array([0.5, 1.5]))
