"""The native VecEnv of stable-baselines3, and MaskablePPO on it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from env_tools import FEW, game_of
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

from genesia_rl.vector.sb3 import SB3Batch

torch.set_num_threads(1)


def lowest(env: SB3Batch) -> Any:
    return np.stack(env.env_method("action_masks")).argmax(axis=1)


@pytest.mark.parametrize("variant", FEW)
def test_masks_are_answered_from_an_array(variant: str) -> None:
    env = SB3Batch(4, game_of(variant))
    env.reset()
    assert is_masking_supported(env)
    masks = get_action_masks(env)
    assert masks.dtype == np.bool_ and (masks == env.action_masks()).all() and masks.any(axis=1).all()
    assert len(env.env_method("action_masks", indices=[2])) == 1
    with pytest.raises(AttributeError, match="allowed is action_masks"):
        env.env_method("close")


def test_a_finished_game_hands_over_its_last_observation_and_sum() -> None:
    env = SB3Batch(8, players=2)
    env.reset()
    finished = 0
    for _ in range(200):
        seen, rewards, done, infos = env.step(lowest(env))
        assert isinstance(seen, np.ndarray)
        for i in np.flatnonzero(done):
            assert infos[i]["episode"]["r"] == rewards[i] and env.observation_space.contains(
                infos[i]["terminal_observation"]
            )
            assert (infos[i]["terminal_observation"] != seen[i]).any()
            finished += 1
        for i in np.flatnonzero(~done):
            assert infos[i]["rank"] == -1 and set(infos[i]) == {
                "TimeLimit.truncated",
                "seat",
                "score",
                "rank",
            }
    assert finished > 8


def test_observations_handed_out_do_not_change() -> None:
    env = SB3Batch(4, players=2)
    first = env.reset()
    kept = first.copy()
    env.step(lowest(env))
    assert (first == kept).all()


def learner(**options: Any) -> MaskablePPO:
    env = VecMonitor(SB3Batch(8, players=2, **options))
    policy = "MultiInputPolicy" if options.get("observation") == "dict" else "MlpPolicy"
    return MaskablePPO(policy, env, n_steps=32, batch_size=64, n_epochs=1, seed=1, device="cpu")


def test_the_groups_fit_the_multi_input_policy() -> None:
    model = learner(observation="dict", normalise=True)
    model.learn(256)
    assert model.num_timesteps == 256


def test_the_same_seed_trains_the_same_policy() -> None:
    one, other = learner(normalise=True).learn(512), learner(normalise=True).learn(512)
    for mine, its in zip(one.policy.parameters(), other.policy.parameters(), strict=True):
        assert torch.equal(mine, its)


@pytest.mark.slow
def test_a_minute_of_learning_beats_random_play() -> None:
    """The lower end of a 95 % interval over 400 games is above one half."""
    env = VecMonitor(SB3Batch(64, players=2, normalise=True))
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=128, batch_size=2048, n_epochs=2, seed=1, device="cpu", gamma=0.997,
        learning_rate=5e-4, ent_coef=0.005,
    )  # fmt: skip
    model.learn(400_000)
    paid, _ = evaluate_policy(
        model, SB3Batch(32, players=2, normalise=True, seed=9), n_eval_episodes=400, deterministic=False,
        return_episode_rewards=True,
    )  # fmt: skip
    share = (np.mean(paid) + 1) / 2
    assert share - 1.96 * math.sqrt(0.25 / 400) > 0.5, share
