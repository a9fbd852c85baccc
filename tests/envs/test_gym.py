"""Gymnasium: one agent against others, and vectors of such games, through `gymnasium.make`."""

from __future__ import annotations

import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from genesia_rl.errors import ActionError, ConfigError

ENVIRONMENTS: list[tuple[str, dict[str, Any]]] = [
    ("Genesia-v0", {"players": 2}),
    ("Genesia-v0", {"players": 3, "seat": 1}),
    ("Genesia-v0", {"players": 4, "seat": "rotate", "teams": [[0, 2], [1, 3]]}),
    ("Genesia-v0", {"players": 5, "promos": True, "normalise": True}),
    ("Genesia-v0", {"players": 2, "observation": "dict", "reward": "score", "shaping": 0.5}),
    ("GenesiaSolo-v0", {"solo_level": "heroic"}),
]
IDS = [f"{name}-{next(iter(options.items()))}" for name, options in ENVIRONMENTS]
#: Warnings of the checkers, and why they are right to stand.
EXPLAINED = (
    "The game is lost by an illegal action",  # the checker plays one game's action in another
    "unconventional shape",  # planes over regions are neither a picture nor a vector
    "different from the unwrapped",
)


class Lowest:
    """An opponent that takes the lowest legal action and remembers how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def act(self, observation: Any, mask: Any, rng: np.random.Generator) -> int:
        self.asked += 1
        return int(np.argmax(mask))


def unexplained(caught: list[warnings.WarningMessage]) -> list[str]:
    texts = [str(warning.message) for warning in caught]
    return [text for text in texts if not any(known in text for known in EXPLAINED)]


def play(env: Any, seed: int) -> list[float]:
    """The rewards of a game in which the learner takes the lowest legal action."""
    _, info = env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        _, reward, over, cut, info = env.step(int(np.argmax(info["action_mask"])))
        rewards.append(reward)
        assert not cut
    return rewards


@pytest.mark.parametrize(("name", "options"), ENVIRONMENTS, ids=IDS)
def test_gymnasiums_checker_passes(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options).unwrapped
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(env)
    assert unexplained(caught) == []


@pytest.mark.parametrize(("name", "options"), ENVIRONMENTS, ids=IDS)
def test_the_checker_of_stable_baselines3_passes(name: str, options: dict[str, Any]) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        checker.check_env(gymnasium.make(name, **options).unwrapped)
    assert unexplained(caught) == []


@pytest.mark.parametrize(("name", "options"), ENVIRONMENTS, ids=IDS)
def test_the_same_seed_plays_the_same_game(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options)
    assert play(env, 5) == play(env, 5)


def test_the_learner_is_paid_when_the_game_ends() -> None:
    env = gymnasium.make("Genesia-v0", players=2)
    for seed in range(6):
        *before, last = play(env, seed)
        assert set(before) <= {0.0} and last in (1.0, 0.0, -1.0)


def test_opponents_are_asked_with_their_own_mask() -> None:
    opponent = Lowest()
    env = gymnasium.make("Genesia-v0", players=3, opponents=opponent, seat=0)
    play(env, 1)
    assert opponent.asked > 50


def test_an_illegal_action_loses_the_game_and_says_why() -> None:
    env = gymnasium.make("Genesia-v0", players=2).unwrapped
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="lost by an illegal action"):
        _, reward, over, cut, info = env.step(831)
    assert (reward, over, cut) == (-1.0, True, False) and "allowed are" in info["illegal"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_illegal_action_may_be_an_error_that_changes_nothing() -> None:
    env: Any = gymnasium.make("Genesia-v0", players=2, illegal="raise").unwrapped
    env.reset(seed=1)
    before = env.action_masks().copy()
    with pytest.raises(ActionError, match="allowed are"):
        env.step(831)
    assert (env.action_masks() == before).all()


@pytest.mark.parametrize(
    "wrong", [{"seat": 2}, {"seat": "left"}, {"opponents": []}, {"illegal": "ignore"}, {"render_mode": "rgb"}]
)
def test_wrong_arguments_are_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="allowed"):
        gymnasium.make("Genesia-v0", players=2, **wrong)


def test_a_sample_is_legal() -> None:
    env: Any = gymnasium.make("Genesia-v0", players=2).unwrapped
    _, info = env.reset(seed=3)
    for _ in range(60):
        action = env.action_space.sample()
        assert info["action_mask"][action]
        _, _, over, _, info = env.step(action)
        if over:
            _, info = env.reset()


def vector(**options: Any) -> Any:
    return gymnasium.make_vec("Genesia-v0", 6, vectorization_mode="vector_entry_point", **options)


def test_a_vector_hands_over_the_last_observation_of_a_game() -> None:
    envs = vector(players=2)
    seen, infos = envs.reset(seed=2)
    assert seen.shape == (6, *envs.single_observation_space.shape)
    finished = 0
    for _ in range(200):
        seen, rewards, over, cut, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert not cut.any() and set(rewards[~over]) <= {0.0}
        for i in np.flatnonzero(over):
            assert envs.single_observation_space.contains(infos["final_obs"][i])
            assert infos["final_info"]["episode"]["r"][i] == rewards[i] and rewards[i] in (1.0, 0.0, -1.0)
            assert (infos["final_obs"][i] != seen[i]).any()
            finished += 1
    assert finished > 6


def test_a_vector_of_the_same_seed_plays_the_same_games() -> None:
    games = []
    for _ in range(2):
        envs = vector(players=3)
        _, infos = envs.reset(seed=4)
        rows = []
        for _ in range(150):
            seen, rewards, over, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
            rows.append((seen.tobytes(), rewards.tolist(), over.tolist()))
        games.append(rows)
    assert games[0] == games[1]


def test_a_solo_vector_needs_no_opponents() -> None:
    envs = gymnasium.make_vec("GenesiaSolo-v0", 3, vectorization_mode="vector_entry_point")
    _, infos = envs.reset(seed=1)
    rewards = np.zeros(3)
    for _ in range(150):
        _, paid, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        rewards += paid
    assert (rewards >= 0).all()
