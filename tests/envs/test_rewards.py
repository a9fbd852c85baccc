"""Rewards against a plain computation with fractions, and shaping, which must not change what is best."""

from __future__ import annotations

from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from env_tools import CONTESTS, VARIANTS, Config, eager, game_of, positions
from genesia_positions import position
from hypothesis import given, settings
from hypothesis import strategies as st

from genesia_rl import genesia_v0
from genesia_rl.errors import ConfigError
from genesia_rl.rewards import REWARDS, SETTINGS, make_settings, potentials_of, rewards_of

EXAMPLES = settings(max_examples=300, deadline=None)
Table = tuple[list[int], list[int]]


# ---------------------------------------------------------------- plainly


class Plain:
    """The formulas of rewards.py, word for word, with exact numbers."""

    def __init__(self, teams: list[int], totals: list[int], ranks: list[int] | None = None) -> None:
        self.n, self.team = len(teams), teams
        self.names = sorted(set(teams))
        self.size = {t: teams.count(t) for t in self.names}
        self.score = {t: min(x for x, of in zip(totals, teams, strict=True) if of == t) for t in self.names}
        key = ranks if ranks is not None else [self.score[t] for t in teams]
        self.places = [sum(other > own for other in key) for own in key]
        self.place = {t: self.places[teams.index(t)] for t in self.names}

    def share(self, team: int) -> Fraction:
        winners = [t for t in self.names if self.place[t] == 0]
        return Fraction(team in winners, len(winners))

    def win(self, team: int) -> Fraction:
        k = len(self.names)
        return (k * self.share(team) - 1) / (k - 1)

    def rank(self, team: int) -> Fraction:
        better = sum(self.place[t] < self.place[team] for t in self.names)
        equal = sum(self.place[t] == self.place[team] for t in self.names)
        middle = Fraction(sum(range(better, better + equal)), equal)
        return 1 - 2 * middle / (len(self.names) - 1)

    def margin(self, team: int, scale: Fraction) -> Fraction:
        others = [self.score[t] for t in self.names if t != team]
        return (self.score[team] - Fraction(sum(others), len(others))) / scale

    def reward(self, kind: str, scale: Fraction) -> list[Fraction]:
        found = []
        for team in self.team:
            value = self.margin(team, scale) if kind == "score" else getattr(self, kind)(team)
            found.append(value * self.n / (len(self.names) * self.size[team]))
        return found


def settings_of(teams: list[int], kind: str = "win", contest: bool = True, **options: Any) -> np.ndarray:
    game = SimpleNamespace(is_contest=contest, num_seats=len(teams), teams=teams)
    return make_settings(game, kind, **options)


def compiled(which: np.ndarray, totals: list[int], places: list[int]) -> list[float]:
    """What the compiled code adds to an array of ones, less the ones."""
    out, padded, ranked = np.ones(5, np.float32), np.full(5, 77, np.int32), np.zeros(5, np.int8)
    padded[: len(totals)], ranked[: len(places)] = totals, places
    rewards_of(which, padded, ranked, out)
    assert (out[len(totals) :] == 1).all()
    found: list[float] = (out[: len(totals)].astype(float) - 1).tolist()
    return found


@st.composite
def tables(draw: st.DrawFn, with_teams: bool = True) -> Table:
    """Teams by seat, at least two, and totals that are often equal."""
    n = draw(st.integers(2, 5))
    teams = list(range(n))
    if with_teams and draw(st.booleans()):
        several = st.lists(st.integers(0, n - 1), min_size=n, max_size=n)
        teams = draw(several.filter(lambda labels: len(set(labels)) > 1))
    least = draw(st.sampled_from([0, 90]))
    return teams, draw(st.lists(st.integers(least, least + 8), min_size=n, max_size=n))


# ---------------------------------------------------------------- formulas


@EXAMPLES
@given(tables(), st.sampled_from(REWARDS), st.sampled_from([50, 20, 1]))
def test_every_reward_is_its_formula_and_sums_to_zero(table: Table, kind: str, scale: int) -> None:
    teams, totals = table
    plain = Plain(teams, totals)
    got = compiled(settings_of(teams, kind, scale=scale), totals, plain.places)
    assert got == pytest.approx([float(x) for x in plain.reward(kind, Fraction(scale))], abs=1e-5)
    assert sum(plain.reward(kind, Fraction(scale))) == 0
    assert sum(got) == pytest.approx(0, abs=1e-5)


@EXAMPLES
@given(tables(with_teams=False), st.sampled_from(("win", "rank")), st.randoms(use_true_random=False))
def test_ties_in_points_that_the_rules_break_count_as_ranked(table: Table, kind: str, rng: Any) -> None:
    teams, totals = table
    ranks = [(total, rng.randint(0, 1)) for total in totals]
    order = {key: place for place, key in enumerate(sorted(set(ranks)))}
    plain = Plain(teams, totals, [order[key] for key in ranks])
    got = compiled(settings_of(teams, kind), totals, plain.places)
    assert got == pytest.approx([float(x) for x in plain.reward(kind, Fraction(50))], abs=1e-5)


@EXAMPLES
@given(tables(), st.sampled_from(REWARDS))
def test_members_of_a_team_get_the_same_and_better_teams_no_less(table: Table, kind: str) -> None:
    teams, totals = table
    plain = Plain(teams, totals)
    got = compiled(settings_of(teams, kind), totals, plain.places)
    value = {t: got[teams.index(t)] * plain.size[t] for t in plain.names}
    for seat, team in enumerate(teams):
        assert got[seat] == got[teams.index(team)]
        assert all(value[team] >= value[t] - 1e-5 for t in plain.names if plain.place[t] > plain.place[team])


def test_some_rewards_in_figures() -> None:
    four, totals = [0, 1, 2, 3], [60, 30, 15, 15]
    expected = {"win": [1, -1 / 3, -1 / 3, -1 / 3], "rank": [1, 1 / 3, -2 / 3, -2 / 3],
                "score": [0.8, 0, -0.4, -0.4]}  # fmt: skip
    for kind, rewards in expected.items():
        assert compiled(settings_of(four, kind), totals, [0, 1, 2, 2]) == pytest.approx(rewards, abs=1e-6)
    shared = compiled(settings_of(four), [60, 60, 15, 15], [0, 0, 2, 2])
    assert shared == pytest.approx([1 / 3, 1 / 3, -1 / 3, -1 / 3], abs=1e-6)
    # one against two: the single player is worth both of them together
    got = compiled(settings_of([0, 1, 0]), [50, 40, 45], [0, 2, 0])
    assert got == pytest.approx([0.75, -1.5, 0.75], abs=1e-6)


@EXAMPLES
@given(st.lists(st.integers(0, 200), min_size=2, max_size=2), st.sampled_from(REWARDS))
def test_a_joint_game_pays_the_lower_total_over_a_hundred_to_all(totals: list[int], kind: str) -> None:
    which = settings_of([0, 1], kind, contest=False)
    assert compiled(which, totals, [0, 0]) == pytest.approx([min(totals) / 100] * 2, abs=1e-6)


def test_settings_are_checked() -> None:
    wrong: list[Config] = [
        {"kind": "money"}, {"scale": 0}, {"scale": -1}, {"scale": float("nan")}, {"scale": float("inf")},
        {"gamma": -0.1}, {"gamma": 1.1}, {"gamma": float("nan")}, {"shaping": float("nan")},
        {"shaping": float("inf")},
    ]  # fmt: skip
    for options in wrong:
        with pytest.raises(ConfigError):
            settings_of([0, 1], **options)
    assert settings_of([0, 1]).dtype == SETTINGS


@pytest.mark.parametrize("kind", REWARDS)
@pytest.mark.parametrize("variant", VARIANTS)
def test_returns_of_a_played_game_are_the_formulas_of_its_result(variant: str, kind: str) -> None:
    game = game_of(variant)
    states, rng = game.new_states(), np.random.default_rng(1)
    game.reset(states, 0, 1)
    while not game.is_over(states, 0):
        game.step(states, 0, eager(game, states, rng))
    totals, places = (x.tolist() for x in game.scores(states, 0)[1:])
    plain = Plain(list(game.teams), totals, [-place for place in places])
    expected = plain.reward(kind, Fraction(50)) if game.is_contest else [Fraction(min(totals), 100)] * 2
    assert game.returns(states, 0, kind).tolist() == pytest.approx([float(x) for x in expected], abs=1e-6)


# ---------------------------------------------------------------- shaping

SHAPING, GAMMA = 0.25, 0.9


def potentials(env: Any) -> list[float]:
    """P by seat of the position, worked out from the public totals."""
    game = env.game
    public = game.public_totals(env.states, 0).tolist()
    if not game.is_contest:
        return [min(public) / 100] * game.num_seats
    plain = Plain(list(game.teams), public)
    return [float(plain.margin(team, Fraction(50))) for team in plain.team]


def shaped_and_not(seed: int = 5, gamma: float = GAMMA, options: Any = None, **config: Any) -> Any:
    """The steps of one game: who acted, who is asked then, what shaping paid, and P there."""
    envs = [genesia_v0.raw_env(reward="rank", **config) for _ in range(2)]
    envs[1] = genesia_v0.raw_env(reward="rank", shaping=SHAPING, gamma=gamma, **config)
    for env in envs:
        env.reset(seed=seed, options=options)
    rng = np.random.default_rng(seed)
    yield None, envs[0].agent_selection, None, potentials(envs[0])
    while not envs[0].states[0]["over"]:
        actor = envs[0].agent_selection
        action = eager(envs[0].game, envs[0].states, rng)
        view = envs[0].game.to_view(envs[0].possible_agents.index(actor), action)
        for env in envs:
            env.step(view)
        paid = [envs[1].rewards[a] - envs[0].rewards[a] for a in envs[0].possible_agents]
        over = bool(envs[0].states[0]["over"])
        yield actor, None if over else envs[0].agent_selection, paid, potentials(envs[0])


@pytest.mark.parametrize("variant", ["players2", "players4", "teams5", "solo_beginner", "all3"])
def test_shaping_pays_a_seat_from_one_of_its_decisions_to_the_next(variant: str) -> None:
    game = game_of(variant)
    last, times = [0.0] * game.num_seats, 0
    for actor, asked, paid, now in shaped_and_not(**VARIANTS[variant]):
        for seat in range(game.num_seats) if actor else ():
            expected = 0.0
            if asked in (None, f"player_{seat}") or not game.is_contest:
                there = 0.0 if asked is None else now[seat]
                expected = SHAPING * (GAMMA * there - last[seat])
                last[seat] = there
            assert paid[seat] == pytest.approx(expected, abs=1e-6)
            times += abs(expected) > 1e-6
    assert times > 50


@pytest.mark.parametrize("variant", ["players2", "players5", "teams4", "solo_beginner"])
def test_undiscounted_shaping_comes_to_nothing_over_a_game(variant: str) -> None:
    steps = list(shaped_and_not(gamma=1.0, **VARIANTS[variant]))
    assert max(map(abs, steps[0][3])) == 0
    assert np.abs(np.sum([paid for _, _, paid, _ in steps[1:]], axis=0)).max() < 1e-5


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("variant", ["players2", "players3", "teams5"])
def test_shaping_changes_the_return_of_no_policy(variant: str, seed: int) -> None:
    """Discounted from one of the seat's decisions to the next, it comes to -c P(start) = 0 for any play."""
    n = game_of(variant).num_seats
    returns, discount, decided = np.zeros(n), np.ones(n), np.zeros(n, bool)
    for actor, asked, paid, _ in shaped_and_not(seed, **VARIANTS[variant]):
        if actor:
            returns += discount * paid
        for seat in range(n):
            if asked == f"player_{seat}":
                discount[seat] *= GAMMA if decided[seat] else 1
                decided[seat] = True
    assert np.abs(returns).max() < 1e-5


def test_shaping_of_a_game_from_a_position_begins_with_its_potential() -> None:
    game = game_of("players2")
    there = position(game, phase="growth", coins=[3, 3], clans={33: {0: 3}, 17: {1: 1}})
    steps = list(shaped_and_not(gamma=1.0, options={"position": there}, players=2))
    start = steps[0][3]
    assert start[0] == -start[1] != 0
    total = np.sum([paid for _, _, paid, _ in steps[1:]], axis=0)
    assert total == pytest.approx([-SHAPING * p for p in start], abs=1e-5)


@pytest.mark.parametrize("variant", CONTESTS)
def test_potentials_are_margins_of_the_public_totals(variant: str) -> None:
    game = game_of(variant)
    which, out = make_settings(game), np.zeros(5)
    for states in positions(game, 1, 2):
        scores = game.scores(states, 0)
        public = game.public_totals(states, 0)
        assert public.tolist() == (scores.totals - scores.parts[:, 3]).tolist()
        padded = np.zeros(5, np.int32)
        padded[: game.num_seats] = public
        potentials_of(which, padded, out)
        plain = Plain(list(game.teams), public.tolist())
        expected = [float(plain.margin(team, Fraction(50))) for team in plain.team]
        assert out[: game.num_seats].tolist() == pytest.approx(expected)


@pytest.mark.parametrize("variant", ["players2", "players4", "all3", "solo_beginner"])
def test_shaping_knows_nothing_secret(variant: str) -> None:
    """What is hidden may be drawn anew: the potentials, and what the seat's next step is paid, stay.

    War is left out: the last stance reveals all of them, and a defender who has no card is not asked, so
    that the step goes on to somewhere else.
    """
    game, rng, compared = game_of(variant), np.random.default_rng(0), 0
    env = genesia_v0.raw_env(shaping=1.0, **VARIANTS[variant])
    for states in positions(game, 4, 3):
        if game.is_over(states, 0):
            continue
        seat = game.seat(states, 0)
        other = game.resample_hidden(states, 0, seat, rng)
        assert np.array_equal(game.public_totals(states, 0), game.public_totals(other, 0))
        if game.kind(states, 0) not in ("stance", "assault", "defence", "reinforce"):
            action = game.to_view(seat, int(rng.choice(game.legal_actions(states, 0))))
            one, two = (step_from(env, s, action) for s in (states, other))
            compared += 1
            assert one == two
    assert compared > 40


def step_from(env: Any, states: np.ndarray, action: int) -> Any:
    """The public totals after one step from a state."""
    env.reset(seed=0)
    env.states[:] = states
    env.step(action)
    return env.game.public_totals(env.states, 0).tolist()
