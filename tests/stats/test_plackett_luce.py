"""Ratings: against another library, against the likelihood written out, and against known strengths."""

from __future__ import annotations

import math
from typing import Any

import choix
import numpy as np
import numpy.typing as npt
import pytest
from scipy import optimize
from stats_league import Drawing, League, places, probability, weight

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.stats.plackett_luce import ELO, Ratings, fit_plackett_luce
from genesia_rl.stats.rankings import count_rankings
from genesia_rl.stats.worth import Likelihood

Array = npt.NDArray[Any]
NO_GHOST = 1e-9
STRENGTHS = (0.6, 0.1, -0.2, -0.5)
DELTAS = {2: 0.3, 3: 0.1}


def rated(league: League, **options: Any) -> Ratings:
    """The fit of a league, with few resamples."""
    return fit_plackett_luce(*league, **{"resamples": 50, **options})


def league(seed: int, seats: int = 3, deltas: dict[int, float] | None = None, blocks: int = 100) -> League:
    """Four agents, two games a block."""
    drawing = Drawing(STRENGTHS, seats, DELTAS if deltas is None else deltas)
    return drawing.draw(np.random.default_rng(seed), blocks, 2, 0.5)


def same(a: Ratings, b: Ratings) -> bool:
    """Equal to the bit."""
    return bool(
        np.array_equal(a.log_worth, b.log_worth)
        and np.array_equal(a.coefficients, b.coefficients)
        and np.array_equal(a.replicates, b.replicates)
        and np.array_equal(a.cautious, b.cautious)
        and a.ties == b.ties
    )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_without_ties_it_is_the_fit_of_choix(seats: int) -> None:
    games = league(seats, seats, {})
    found = rated(games, ghost=NO_GHOST, resamples=0).log_worth
    data = [tuple(who[np.argsort(ended)]) for who, ended in zip(games.agents, games.places, strict=True)]
    assert np.abs(found - choix.opt_rankings(4, data)).max() < 1e-4
    assert np.abs(found - choix.ilsr_rankings(4, data)).max() < 1e-6
    assert abs(found.sum()) < 1e-12


def by_hand(parameters: Array, games: League) -> float:
    """Minus the log likelihood; three free log worths, then two log deltas."""
    worths = [*parameters[:3], -parameters[:3].sum()]
    deltas = {2: math.exp(parameters[3]), 3: math.exp(parameters[4])}
    found = 0.0
    for who, ended in zip(games.agents, games.places, strict=True):
        order = [tuple(np.flatnonzero(ended == place).tolist()) for place in np.unique(ended)]
        found -= math.log(probability(order, [worths[a] for a in who], deltas))
    return found


def test_with_ties_it_is_the_maximum_of_the_likelihood_written_out() -> None:
    games = league(7, blocks=60)
    best = optimize.minimize(by_hand, np.zeros(5), args=(games,), method="BFGS", options={"gtol": 1e-6})
    found = rated(games, ghost=NO_GHOST, resamples=0)
    assert set(found.ties) == {2, 3}
    assert np.abs(found.log_worth[:3] - best.x[:3]).max() < 1e-4
    assert found.ties[2] == pytest.approx(math.exp(best.x[3]), rel=1e-4)
    assert found.ties[3] == pytest.approx(math.exp(best.x[4]), rel=1e-4)


def test_the_likelihood_of_one_game_can_be_computed_by_hand() -> None:
    game = count_rankings(np.array([[0, 1, 2]]), np.array([[0, 1, 1]]), np.array([0]))
    likelihood = Likelihood(game, 3, NO_GHOST)
    theta = np.log([4.0, 1.0, 0.25, 0.5])  # worths 4, 1 and 1/4; two tie with 1/2
    gains, counts = likelihood.weigh(np.ones((1, 1), np.int64))
    first = 4 / (4 + 1 + 0.25 + 0.5 * (2 + 1 + 0.5))
    second = 0.5 * 0.5 / (1 + 0.25 + 0.5 * 0.5)
    assert likelihood.value(theta, gains[0], counts[0]) == pytest.approx(math.log(first * second), abs=1e-7)


def test_gradient_and_information_are_derivatives() -> None:
    rng = np.random.default_rng(0)
    games = league(3, blocks=20)
    covariates = rng.normal(size=(*games.agents.shape, 2))
    likelihood = Likelihood(count_rankings(*games, covariates), 4, 0.3)
    gains, counts = (part[0] for part in likelihood.weigh(np.ones((1, 20), np.int64)))
    theta = rng.normal(size=likelihood.size)

    def slope(at: Array) -> Array:
        return np.asarray(likelihood.gradient(at[None], gains[None], counts[None])[0])

    numeric = optimize.approx_fprime(theta, lambda at: likelihood.value(at, gains, counts), 1e-6)
    assert np.allclose(numeric, slope(theta), atol=1e-3)
    bend = np.array([(slope(theta - e) - slope(theta + e)) / 2e-5 for e in 1e-5 * np.eye(len(theta))])
    assert np.allclose(bend, likelihood.information(theta, counts), atol=1e-5)


def test_neither_the_order_of_games_nor_of_seats_shows_in_a_bit() -> None:
    games = league(5)
    rng = np.random.default_rng(1)
    covariates = rng.normal(size=(*games.agents.shape, 1)).round(1)
    before = fit_plackett_luce(*games, covariates, resamples=20)
    mixed = rng.permutation(len(games.agents))
    seats = rng.permuted(np.tile(np.arange(3), (len(mixed), 1)), axis=1)
    agents, ended = (np.take_along_axis(x[mixed], seats, axis=1) for x in (games.agents, games.places))
    moved = np.take_along_axis(covariates[mixed], seats[:, :, None], axis=1)
    assert same(before, fit_plackett_luce(agents, ended, games.block[mixed], moved, resamples=20))
    assert not same(before, fit_plackett_luce(agents, ended, games.block, moved, resamples=20)), (
        "other blocks"
    )


def test_places_may_be_counted_in_any_way() -> None:
    games = league(6)
    dense = np.array([np.unique(row, return_inverse=True)[1] for row in games.places])
    assert (dense != games.places).any()
    assert same(rated(games), rated(games._replace(places=dense)))


def test_resamples_are_fits_of_the_drawn_blocks() -> None:
    games = league(8)
    likelihood = Likelihood(count_rankings(*games), 4, 0.1)
    theta = likelihood.maximum(np.ones(100, np.int64))
    copies = np.random.default_rng(2).multinomial(100, np.full(100, 0.01), size=5)
    for row, found in zip(copies, likelihood.maxima(theta, copies), strict=True):
        rows = np.concatenate([np.flatnonzero(games.block == b) for b in np.repeat(np.arange(100), row)])
        again = rated(League(*(part[rows] for part in games)), resamples=0)
        assert np.abs(found[:4] - again.log_worth).max() < 1e-3, "but for ties that were not drawn"
        assert np.abs(found - likelihood.maximum(row)).max() < 1e-4


def test_games_of_different_sizes_count_together() -> None:
    three, two = league(9, 3), league(10, 2)
    padded = League(
        np.vstack([three.agents, np.pad(two.agents, ((0, 0), (1, 0)), constant_values=-1)]),
        np.vstack([three.places, np.pad(two.places, ((0, 0), (1, 0)), constant_values=7)]),
        np.concatenate([three.block, 100 + two.block]),
    )
    both = rated(padded)
    assert both.blocks == 200 and both.games == 400
    assert both.difference(0, 3).se < min(rated(three).difference(0, 3).se, rated(two).difference(0, 3).se)
    twos = rated(League(padded.agents[200:], padded.places[200:], padded.block[200:]))
    assert np.allclose(twos.replicates, rated(two).replicates, atol=1e-9), "an empty seat changes nothing"


def test_copies_of_an_agent_are_items_of_their_own() -> None:
    """Two of A against one of B: A is first with 2a / (2a + b), whichever of the two it is."""
    first = np.array([0, 0, 0, 0, 0, 0, 2, 2])  # six of eight: 2a / b = 3
    order = np.array([[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [0, 1, 2], [1, 0, 2], [2, 0, 1], [2, 1, 0]])
    ended = np.argsort(order, axis=1)
    assert (order[:, 0] // 2 * 2 == first).all()
    agents = np.tile([0, 0, 1], (8, 1))
    found = rated(League(agents, ended, np.arange(8)), ghost=NO_GHOST, resamples=0)

    def minus(d: float) -> float:
        a, b = math.exp(d / 2), math.exp(-d / 2)
        picks = [math.log((a, a, b)[row[0]] / (2 * a + b)) for row in order]
        rest = [math.log((a, a, b)[row[1]] / ((2 * a + b) - (a, a, b)[row[0]])) for row in order]
        return -sum(picks) - sum(rest)

    best = optimize.minimize_scalar(minus, bounds=(-5, 5), method="bounded", options={"xatol": 1e-8}).x
    assert found.log_worth[0] - found.log_worth[1] == pytest.approx(best, abs=1e-5)


def turned(seed: int, effect: tuple[float, ...], games: int = 3000) -> tuple[League, Array]:
    """Three seats in turn order, which adds to the log worth; and dummies of it."""
    rng = np.random.default_rng(seed)
    agents = np.array([rng.permutation(4)[:3] for _ in range(games)])
    worth = np.array(STRENGTHS)[agents] + np.array(effect) + rng.gumbel(size=agents.shape)
    ended = np.argsort(np.argsort(-worth, axis=1), axis=1)
    return League(agents, ended, np.arange(games) // 2), np.tile(np.eye(3), (games, 1, 1))


def test_the_place_in_the_turn_order_is_told_from_strength() -> None:
    games, dummies = turned(4, (0.5, 0.0, -0.5))
    found = fit_plackett_luce(*games, dummies, resamples=200)
    for k, truth in enumerate((0.5, 0.0, -0.5)):
        seen = found.coefficient(k)
        assert abs(seen.value - truth) < 4 * seen.se and 0 < seen.se < 0.1
    assert abs(found.coefficients.sum()) < 1e-3, "relative to each other"
    for a, b in ((0, 3), (1, 2)):
        seen = found.difference(a, b)
        assert abs(seen.value - (STRENGTHS[a] - STRENGTHS[b])) < 4 * seen.se


def test_an_agent_may_play_itself_only_to_learn_of_the_turn_order() -> None:
    games, dummies = turned(4, (0.5, 0.0, -0.5))
    alone = games._replace(agents=np.zeros_like(games.agents))
    found = fit_plackett_luce(*alone, dummies, resamples=20)
    assert found.log_worth.tolist() == [0.0]
    assert found.coefficients[0] > 0.3 > -0.3 > found.coefficients[2]


def test_covariates_that_say_the_same_as_agents_are_an_error() -> None:
    games, dummies = turned(4, (0.5, 0.0, -0.5), 200)
    own = (games.agents == 2)[:, :, None] * dummies  # agent 2 by its place, all three of them
    with pytest.raises(ConfigError, match="covariates 0, 1, 2 cannot be told from agents"):
        fit_plackett_luce(*games, own, resamples=0)
    found = fit_plackett_luce(*games, own[:, :, :2], resamples=0)
    assert np.abs(found.coefficients).max() < 3


def test_groups_without_a_game_between_are_named() -> None:
    agents, ended = np.array([[0, 1], [2, 3], [1, 0]]), np.array([[0, 1], [0, 1], [0, 1]])
    with pytest.raises(ConfigError, match=r"2 groups.*greedy, mcts \| ppo, random"):
        fit_plackett_luce(agents, ended, np.arange(3), names=["greedy", "mcts", "ppo", "random"])


@pytest.mark.parametrize(
    ("agents", "ended", "block", "error"),
    [
        ([[0, 1]], [[0, 1, 2]], [0], "places"),
        ([[0, 1]], [[0, 1]], [0, 1], "block"),
        ([[0, -1]], [[0, 1]], [0], "at least two"),
        ([[0.5, 1.0]], [[0, 1]], [0], "int"),
    ],
)
def test_games_that_make_no_sense_are_errors(agents: Any, ended: Any, block: Any, error: str) -> None:
    with pytest.raises(DataError, match=error):
        fit_plackett_luce(np.array(agents), np.array(ended), np.array(block))


def test_a_ghost_is_needed() -> None:
    with pytest.raises(ConfigError, match="ghost = 0"):
        rated(league(1), ghost=0.0)


def test_the_ghost_does_not_matter_where_all_win_and_lose() -> None:
    games = league(2, blocks=500)
    found = rated(games, resamples=200)
    without = rated(games, ghost=NO_GHOST, resamples=0)
    assert np.abs(found.log_worth - without.log_worth).max() < 0.02 * found.rating(0).se


def beaten(blocks: int) -> League:
    """Agents 0 and 1 take turns, 2 loses to either."""
    agents, ended = np.tile([0, 1, 2], (blocks, 1)), np.tile([0, 1, 2], (blocks, 1))
    ended[::2] = [1, 0, 2]
    return League(agents, ended, np.arange(blocks))


def test_who_never_won_may_be_any_distance_below() -> None:
    found = rated(beaten(100))
    last = found.rating(2)
    assert last.low == -math.inf and math.isfinite(last.value)
    assert last.value < last.high < found.rating(0).low
    other = found.difference(0, 2)
    assert other.high == math.inf and other.low < other.value and other.p() < 0.05
    assert math.isfinite(found.difference(0, 1).low) and math.isfinite(found.rating(0).high)
    # three of a hundred games lost would be a difference of log(97 / 3) at two players
    assert 2.0 < other.low < math.log(97 / 3) + 1
    assert rated(beaten(10)).difference(0, 2).low < other.low
    chance = found.win_probability(0, 2)
    assert chance.high == 1.0 and chance.low < 0.99


def test_agents_that_only_met_through_a_loser_cannot_be_compared() -> None:
    agents, ended = np.array([[0, 2], [1, 2]] * 20), np.array([[0, 1], [0, 1]] * 20)
    found = rated(League(agents, ended, np.arange(40)))
    between = found.difference(0, 1)
    assert (between.low, between.high) == (-math.inf, math.inf) and between.p() == 1.0


def test_scales_and_probabilities_say_the_same() -> None:
    found = rated(league(11), resamples=100)
    above = found.difference(0, 3)
    assert found.elo(anchor=3)[0].value == pytest.approx(ELO * above.value)
    assert found.elo(anchor=3)[3][:4] == (0.0, 0.0, 0.0, 0.0)
    assert found.win_probability(0, 3).value == pytest.approx(1 / (1 + 10 ** (-ELO * above.value / 400)))
    assert found.win_probability(0, 3).low == pytest.approx(1 / (1 + math.exp(-above.low)))
    assert sum(e.value for e in found.elo()) == pytest.approx(0)
    with pytest.raises(ConfigError, match=r"tie of 4, allowed is \[2, 3\]"):
        found.tie(4)


def test_the_reference_of_these_tests_sums_to_one() -> None:
    drawing = Drawing(STRENGTHS, 3, DELTAS)
    assert np.allclose(drawing.steps[:, -1], 1) and len(drawing.places) == 13
    assert weight((0, 1), [1.0, 2.0], {2: 0.5}) == pytest.approx(0.5 * math.exp(1.5))
    assert places([(1,), (0, 2), (3,)], 4) == [1, 0, 1, 3]


def covered(repetitions: int, blocks: int, resamples: int) -> dict[str, float]:
    """How often intervals hold the truth: four agents, half of the games of a block repeat its first."""
    drawing = Drawing(STRENGTHS, 3, DELTAS)
    rng = np.random.default_rng(12)
    hits: dict[str, list[bool]] = {"rating": [], "difference": [], "tie": []}
    for _ in range(repetitions):
        found = fit_plackett_luce(*drawing.draw(rng, blocks, 3, 0.5), resamples=resamples)
        pairs = [(found.rating(a), STRENGTHS[a]) for a in range(4)]
        hits["rating"] += [e.low <= truth <= e.high for e, truth in pairs]
        differences = [(found.difference(a, a + 1), STRENGTHS[a] - STRENGTHS[a + 1]) for a in range(3)]
        hits["difference"] += [e.low <= truth <= e.high for e, truth in differences]
        hits["tie"].append(found.tie(2).low <= DELTAS[2] <= found.tie(2).high)
    return {name: float(np.mean(found)) for name, found in hits.items()}


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    found = covered(50, 100, 150)
    assert 0.89 < found["rating"] < 0.995 and 0.88 < found["difference"] < 0.999


@pytest.mark.slow
def test_intervals_of_ratings_cover_95_percent() -> None:
    found = covered(1200, 150, 300)
    assert all(0.93 < share < 0.97 for share in found.values()), found
