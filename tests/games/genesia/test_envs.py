"""Genesia in its environments: what general tests cannot ask, as it needs positions and rare decisions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from games.genesia.eager import VARIANTS, eager, game_of, positions
from games.genesia.positions import position

from genesia_rl import genesia_v0
from genesia_rl.core.rewards import make_settings


def played(env: Any, seed: int) -> Iterator[tuple[str, Any]]:
    """Agents and what `last()` tells them, at random to the end."""
    rng = np.random.default_rng(seed)
    while env.agents:
        last = env.last()
        yield env.agent_selection, last
        env.step(None if last[2] else int(rng.choice(np.flatnonzero(last[0]["action_mask"]))))


# ---------------------------------------------------------------- positions


def test_a_game_can_begin_from_a_position() -> None:
    env = genesia_v0.env(players=3)
    clans = {17: {0: 3}, 20: {1: 2}}
    there = position(env.game, age=3, phase="attack", coins=[1, 2, 3], clans=clans, hands=[[98], [], []])
    env.reset(options={"position": there})
    assert env.game.kind(env.states, 0) == "stance"
    assert env.game.state_dict(env.states, 0)["coins"] == [1, 2, 3]
    assert list(played(env, 0))


def test_a_position_after_which_nothing_is_asked_is_a_finished_game() -> None:
    env = genesia_v0.env(players=2)
    env.reset(options={"position": position(env.game, age=3, phase="end", clans={17: {0: 3}})})
    assert all(env.terminations.values()) and env.agent_selection == "player_0"
    assert {agent: last[1] for agent, last in played(env, 0)} == {"player_0": 1.0, "player_1": -1.0}


def test_the_position_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    env = genesia_v0.env(players=3, render_mode="human")
    env.reset(seed=1)
    env.render()
    assert "Player C: 0 points" in capsys.readouterr().out


# ---------------------------------------------------------------- rewards and shaping


def test_the_groups_are_those_of_the_page() -> None:
    assert [group.name for group in game_of("players2").groups] == ["regions", "seats", "cards", "globals"]


def test_a_solo_game_pays_its_lower_total_over_a_hundred_to_both_tribes() -> None:
    env = genesia_v0.env(**VARIANTS["solo_beginner"])
    env.reset(seed=3)
    paid = [last[1] for _, last in played(env, 3) if last[2]]
    lowest = env.game.scores(env.states, 0).totals.min()
    assert paid == [np.float32(lowest / 100)] * 2


def test_the_margin_counts_fifty_points_as_one_and_leaves_objectives_out() -> None:
    game = game_of("players2")
    which, out, padded = make_settings(game), np.zeros(5), np.zeros(5, np.int32)
    for states in positions(game, 1, 2):
        scores, public = game.scores(states, 0), game.public_totals(states, 0)
        assert public.tolist() == (scores.totals - scores.parts[:, 3]).tolist()
        padded[:2] = public
        game.kernels.potentials(which, padded, out)
        assert out[0] == pytest.approx((int(public[0]) - int(public[1])) / 50)


def test_shaping_of_a_game_from_a_position_begins_with_its_potential() -> None:
    game = game_of("players2")
    there = position(game, phase="growth", coins=[3, 3], clans={33: {0: 3}, 17: {1: 1}})
    env = genesia_v0.raw_env(players=2, reward="score", shaping=0.25, gamma=1.0)
    plain = genesia_v0.raw_env(players=2, reward="score")
    for each in (env, plain):
        each.reset(options={"position": there})
    public = game.public_totals(env.states, 0).tolist()
    start, total, rng = (public[0] - public[1]) / 50, np.zeros(2), np.random.default_rng(5)
    assert start != 0
    while not plain.states[0]["over"]:
        action = game.to_view(game.seat(plain.states, 0), eager(game, plain.states, rng))
        for each in (env, plain):
            each.step(action)
        total += [env.rewards[agent] - plain.rewards[agent] for agent in plain.possible_agents]
    assert total == pytest.approx([-0.25 * start, 0.25 * start], abs=1e-5)


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
