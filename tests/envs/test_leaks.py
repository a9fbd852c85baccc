"""In every registered game, no seat is shown what it may not know.

A position is resampled for a seat: all that is hidden from it is drawn anew. What the seat is shown may
then not differ by a byte, and the game must go on as well as the true one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from env_tools import EVERY, FEW, game_of, positions, random_action, split

from genesia_rl.core.game import Game, States
from genesia_rl.envs import aec

SAME = ("seat", "kind", "over", "steps")  # of a state's header; how much is legal may be hidden


def view(game: Game, states: States, seat: int) -> bytes:
    """All that a seat is shown."""
    mask, observation = game.view(states, 0, seat)
    return mask.tobytes() + observation.tobytes()


@pytest.mark.parametrize("variant", EVERY)
def test_no_seat_can_tell_a_resampled_game_from_the_true_one(variant: str) -> None:
    game, rng = game_of(variant), np.random.default_rng(1)
    for states in positions(game):
        for seat in range(game.num_seats):
            other = game.resample_hidden(states, 0, seat, rng)
            assert view(game, other, seat) == view(game, states, seat)
            assert all(other[0][field] == states[0][field] for field in SAME)
            assert game.check_state(other, 0) == []


@pytest.mark.parametrize("variant", EVERY)
def test_the_seat_to_act_has_the_same_legal_actions_in_a_resampled_game(variant: str) -> None:
    game, rng = game_of(variant), np.random.default_rng(2)
    for states in positions(game):
        if not game.is_over(states, 0):
            other = game.resample_hidden(states, 0, game.seat(states, 0), rng)
            assert game.legal_actions(other, 0) == game.legal_actions(states, 0)


@pytest.mark.parametrize("variant", EVERY)
def test_a_resampled_game_can_be_played_to_its_end(variant: str) -> None:
    game, rng = game_of(variant), np.random.default_rng(3)
    for states in positions(game)[::4]:
        other = game.resample_hidden(states, 0, int(rng.integers(game.num_seats)), rng)
        while not game.is_over(other, 0):
            game.step(other, 0, int(rng.choice(game.legal_actions(other, 0))))
        assert other[0]["steps"] <= game.max_decisions and game.check_state(other, 0) == []


@pytest.mark.parametrize("variant", EVERY)
def test_what_is_secret_of_a_score_is_not_in_the_public_totals(variant: str) -> None:
    """Drawn anew or not, the public totals are the same for everybody."""
    game, rng = game_of(variant), np.random.default_rng(4)
    for states in positions(game):
        if not game.is_over(states, 0):
            other = game.resample_hidden(states, 0, int(rng.integers(game.num_seats)), rng)
            assert np.array_equal(game.public_totals(states, 0), game.public_totals(other, 0))


# ---------------------------------------------------------------- the same through the environment


def shown(env: Any, agent: str) -> list[bytes]:
    """All that an agent is given by its environment."""
    seen, info = env.observe(agent), env.infos[agent]
    rest = repr((sorted(info.items()), env.rewards[agent], env.terminations[agent], env.truncations[agent]))
    return [seen["observation"].tobytes(), seen["action_mask"].tobytes(), rest.encode()]


@pytest.mark.parametrize("variant", FEW)
def test_no_agent_of_the_environment_can_tell_a_resampled_game_from_the_true_one(variant: str) -> None:
    name, config = split(variant)
    env, rng = aec.raw_env(name, **config), np.random.default_rng(7)
    env.reset(seed=7)
    for number in range(400):
        if env.terminations[env.agent_selection]:
            break
        if number % 10 == 0:
            for seat, agent in enumerate(env.possible_agents):
                other = env.clone()
                other.states[:] = env.game.resample_hidden(env.states, 0, seat, rng)
                other.restore(other.save())  # nothing is remembered of the true game
                assert shown(other, agent) == shown(env, agent)
        env.step(random_action(env.observe(env.agent_selection)["action_mask"], rng))
