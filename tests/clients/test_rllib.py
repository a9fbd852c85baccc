"""RLlib's new API stack plays and learns on the Gymnasium environment, with legal actions only."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("ray.rllib", exc_type=ImportError)  # Ray alone is not enough

import torch

from experiments.train_rllib import learn, make_algorithm, make_env

torch.set_num_threads(1)


@pytest.mark.parametrize("players", [2, 4])
def test_the_mask_is_beside_the_observation(players: int) -> None:
    env, rng = make_env(players=players), np.random.default_rng(0)
    seen, _ = env.reset(seed=0)
    for _ in range(30):
        assert env.observation_space.contains(seen) and seen["action_mask"].sum() >= 2
        seen, _, ended, _, _ = env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        if ended:
            break


def test_an_update_changes_the_network() -> None:
    """The environment raises an error at the first illegal action."""
    algorithm = make_algorithm(2, batch=128, envs=2)
    try:
        before = {name: np.copy(held) for name, held in algorithm.get_module().get_state().items()}
        learn(algorithm, 0.0)
        after = algorithm.get_module().get_state()
        assert all(np.isfinite(held).all() for held in after.values())
        assert any((after[name] != held).any() for name, held in before.items())
    finally:
        algorithm.stop()
