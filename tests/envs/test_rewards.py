"""Rewards against a plain computation with fractions, and shaping, which must not change what is best."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from env_tools import EVERY, FEW, FEW_CONTESTS, Config, game_of, play, positions, split
from hypothesis import given, settings
from hypothesis import strategies as st

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.facts import TEAM_SCORES, Facts
from genesia_rl.core.game import Game
from genesia_rl.core.registry import make_game
from genesia_rl.core.rewards import REWARDS, make_settings
from genesia_rl.envs import aec

EXAMPLES = settings(max_examples=300, deadline=None)
Table = tuple[list[int], list[int]]
KERNELS, FACTS = make_game().kernels, make_game().facts  # what pays is the same in all games
MEMBERS = {how: replace(FACTS, team_score=how) for how in TEAM_SCORES}


# ---------------------------------------------------------------- plainly


class Plain:
    """The formulas of rewards.py, word for word, with exact numbers."""

    def __init__(
        self, teams: list[int], totals: list[int], order: list[int] | None = None, facts: Facts = FACTS
    ) -> None:
        self.n, self.team = len(teams), teams
        self.names = sorted(set(teams))
        self.size = {t: teams.count(t) for t in self.names}
        of_team = sum if facts.team_score == "sum" else min
        self.score = {
            t: of_team(x for x, of in zip(totals, teams, strict=True) if of == t) for t in self.names
        }
        key = order if order is not None else [self.score[t] for t in teams]
        self.ranks = [sum(other > own for other in key) for own in key]
        self.rank_of = {t: self.ranks[teams.index(t)] for t in self.names}

    def share(self, team: int) -> Fraction:
        winners = [t for t in self.names if self.rank_of[t] == 0]
        return Fraction(team in winners, len(winners))

    def win(self, team: int) -> Fraction:
        k = len(self.names)
        return (k * self.share(team) - 1) / (k - 1)

    def rank(self, team: int) -> Fraction:
        better = sum(self.rank_of[t] < self.rank_of[team] for t in self.names)
        equal = sum(self.rank_of[t] == self.rank_of[team] for t in self.names)
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


def settings_of(
    teams: list[int], kind: str = "win", contest: bool = True, facts: Facts = FACTS, **options: Any
) -> np.ndarray:
    game = SimpleNamespace(is_contest=contest, num_seats=len(teams), teams=teams, facts=facts)
    game.score_parts = facts.score_parts
    return make_settings(game, kind, **options)


def compiled(which: np.ndarray, totals: list[int], ranks: list[int]) -> list[float]:
    """What the compiled code adds to an array of ones, less the ones."""
    most = FACTS.most_seats
    out, padded, ranked = np.ones(most, np.float32), np.full(most, 77, np.int32), np.zeros(most, np.int8)
    padded[: len(totals)], ranked[: len(ranks)] = totals, ranks
    KERNELS.rewards(which, padded, ranked, out)
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
@given(tables(), st.sampled_from(REWARDS), st.sampled_from([50, 20, 1]), st.sampled_from(TEAM_SCORES))
def test_every_reward_is_its_formula_and_sums_to_zero(
    table: Table, kind: str, scale: int, members: str
) -> None:
    teams, totals = table
    facts = MEMBERS[members]
    plain = Plain(teams, totals, facts=facts)
    got = compiled(settings_of(teams, kind, facts=facts, scale=scale), totals, plain.ranks)
    assert got == pytest.approx([float(x) for x in plain.reward(kind, Fraction(scale))], abs=1e-5)
    assert sum(plain.reward(kind, Fraction(scale))) == 0
    assert sum(got) == pytest.approx(0, abs=1e-5)


@EXAMPLES
@given(tables(with_teams=False), st.sampled_from(("win", "rank")), st.randoms(use_true_random=False))
def test_ties_in_points_that_the_rules_break_count_as_ranked(table: Table, kind: str, rng: Any) -> None:
    teams, totals = table
    keys = [(total, rng.randint(0, 1)) for total in totals]
    order = {key: number for number, key in enumerate(sorted(set(keys)))}
    plain = Plain(teams, totals, [order[key] for key in keys])
    got = compiled(settings_of(teams, kind), totals, plain.ranks)
    assert got == pytest.approx([float(x) for x in plain.reward(kind, Fraction(50))], abs=1e-5)


@EXAMPLES
@given(tables(), st.sampled_from(REWARDS))
def test_members_of_a_team_get_the_same_and_better_teams_no_less(table: Table, kind: str) -> None:
    teams, totals = table
    plain = Plain(teams, totals)
    got = compiled(settings_of(teams, kind), totals, plain.ranks)
    value = {t: got[teams.index(t)] * plain.size[t] for t in plain.names}
    for seat, team in enumerate(teams):
        assert got[seat] == got[teams.index(team)]
        assert all(
            value[team] >= value[t] - 1e-5 for t in plain.names if plain.rank_of[t] > plain.rank_of[team]
        )


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
def test_a_joint_game_pays_the_lower_total_scaled_to_all(totals: list[int], kind: str) -> None:
    which = settings_of([0, 1], kind, contest=False)
    assert compiled(which, totals, [0, 0]) == pytest.approx([min(totals) / FACTS.joint_scale] * 2, abs=1e-6)


def test_settings_are_checked() -> None:
    wrong: list[Config] = [
        {"kind": "money"}, {"scale": 0}, {"scale": -1}, {"scale": float("nan")}, {"scale": float("inf")},
        {"gamma": -0.1}, {"gamma": 1.1}, {"gamma": float("nan")}, {"shaping": float("nan")},
        {"shaping": float("inf")},
    ]  # fmt: skip
    for options in wrong:
        with pytest.raises(ConfigError):
            settings_of([0, 1], **options)
    assert settings_of([0, 1]).dtype == FACTS.settings_dtype


@pytest.mark.parametrize("kind", REWARDS)
@pytest.mark.parametrize("variant", EVERY)
def test_returns_of_a_played_game_are_the_formulas_of_its_result(variant: str, kind: str) -> None:
    game = game_of(variant)
    *_, states = play(game, 1)
    totals, ranks = (found.tolist() for found in game.scores(states, 0)[1:])
    expected = expected_pay(game, totals, ranks, kind)
    assert game.returns(states, 0, kind).tolist() == pytest.approx(expected, abs=1e-6)


def expected_pay(game: Game, totals: list[int], ranks: list[int], kind: str) -> list[float]:
    """What the formulas pay each seat."""
    facts = game.facts
    if not game.is_contest:
        return [min(totals) / facts.joint_scale] * game.num_seats
    plain = Plain(list(game.teams), totals, [-rank for rank in ranks], facts)
    return [float(paid) for paid in plain.reward(kind, Fraction(facts.score_scale))]


# ---------------------------------------------------------------- shaping

SHAPING, GAMMA = 0.25, 0.9


def margins(game: Game, public: list[int]) -> list[float]:
    """P by seat, from the public totals."""
    if not game.is_contest:
        return [min(public) / game.facts.joint_scale] * game.num_seats
    plain = Plain(list(game.teams), public, facts=game.facts)
    return [float(plain.margin(team, Fraction(game.facts.score_scale))) for team in plain.team]


def potentials(env: Any) -> list[float]:
    """P by seat of the position."""
    return margins(env.game, env.game.public_totals(env.states, 0).tolist())


def shaped_and_not(variant: str, seed: int = 5, gamma: float = GAMMA, options: Any = None) -> Any:
    """The steps of one game: who acted, who is asked then, what shaping paid, and P there."""
    name, config = split(variant)
    plain = aec.raw_env(name, reward="rank", **config)
    shaped = aec.raw_env(name, reward="rank", shaping=SHAPING, gamma=gamma, **config)
    for env in (plain, shaped):
        env.reset(seed=seed, options=options)
    rng = np.random.default_rng(seed)
    yield None, plain.agent_selection, None, potentials(plain)
    while not plain.states[0]["over"]:
        actor = plain.agent_selection
        action = int(rng.choice(np.flatnonzero(plain.last()[0]["action_mask"])))
        for env in (plain, shaped):
            env.step(action)
        paid = [shaped.rewards[a] - plain.rewards[a] for a in plain.possible_agents]
        over = bool(plain.states[0]["over"])
        yield actor, None if over else plain.agent_selection, paid, potentials(plain)


@pytest.mark.parametrize("variant", FEW)
def test_shaping_pays_a_seat_from_one_of_its_decisions_to_the_next(variant: str) -> None:
    game = game_of(variant)
    last, times = [0.0] * game.num_seats, 0
    for actor, asked, paid, now in shaped_and_not(variant):
        for seat in range(game.num_seats) if actor else ():
            expected = 0.0
            if asked in (None, f"player_{seat}") or not game.is_contest:
                there = 0.0 if asked is None else now[seat]
                expected = SHAPING * (GAMMA * there - last[seat])
                last[seat] = there
            assert paid[seat] == pytest.approx(expected, abs=1e-6)
            times += abs(expected) > 1e-6
    assert times > 2


@pytest.mark.parametrize("variant", FEW)
def test_undiscounted_shaping_comes_to_nothing_over_a_game(variant: str) -> None:
    steps = list(shaped_and_not(variant, gamma=1.0))
    assert max(map(abs, steps[0][3])) == 0
    assert np.abs(np.sum([paid for _, _, paid, _ in steps[1:]], axis=0)).max() < 1e-5


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("variant", FEW_CONTESTS)
def test_shaping_changes_the_return_of_no_policy(variant: str, seed: int) -> None:
    """Discounted from one of the seat's decisions to the next, it comes to -c P(its first decision) for any play."""
    n = game_of(variant).num_seats
    returns, discount, decided = np.zeros(n), np.ones(n), np.zeros(n, bool)
    for actor, asked, paid, now in shaped_and_not(variant, seed):
        if actor:
            returns += discount * paid
        for seat in range(n):
            if asked == f"player_{seat}":
                if not decided[seat]:  # what was paid until then is no consequence of what it does
                    returns[seat] = SHAPING * now[seat]
                discount[seat] *= GAMMA if decided[seat] else 1
                decided[seat] = True
    assert np.abs(returns).max() < 1e-5


@pytest.mark.parametrize("variant", EVERY)
def test_potentials_are_margins_of_the_public_totals(variant: str) -> None:
    game = game_of(variant)
    most, secret = game.facts.most_seats, game.facts.secret_parts
    which, out = make_settings(game), np.zeros(most)
    for states in positions(game, 1):
        scores, public = game.scores(states, 0), game.public_totals(states, 0)
        hidden = sum(scores.parts[:, game.score_parts.index(part)] for part in secret)
        assert public.tolist() == (scores.totals - hidden).tolist()
        padded = np.zeros(most, np.int32)
        padded[: game.num_seats] = public
        game.kernels.potentials(which, padded, out)
        assert out[: game.num_seats].tolist() == pytest.approx(margins(game, public.tolist()))
