"""Tianshou's PPO plays and learns on the Gymnasium environment, with legal actions only."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tianshou")

import torch
from tianshou.data import Batch

from experiments.train_tianshou import evaluate, learn, make_algorithm, make_env

torch.set_num_threads(1)


def asked_of(seen: dict[str, np.ndarray], times: int) -> Any:
    """One position, many times over."""
    obs = Batch(obs=np.repeat(seen["obs"][None], times, 0), mask=np.repeat(seen["mask"][None], times, 0))
    return Batch(obs=obs, info=Batch())


@pytest.mark.parametrize("players", [2, 4])
def test_only_legal_actions_are_drawn(players: int) -> None:
    torch.manual_seed(0)
    policy, env = make_algorithm(players).policy, make_env(players)
    seen, _ = env.reset(seed=0)
    assert env.observation_space.contains(seen)
    ended = False
    for _ in range(60):
        with torch.no_grad():
            found = policy(asked_of(seen, 20))
        assert seen["mask"][found.act.numpy()].all()
        assert (found.dist.probs.numpy()[:, seen["mask"] == 0] == 0).all()
        seen, _, ended, _, _ = env.step(int(found.act[0]))
        if ended:
            break


def test_a_few_updates_change_the_networks() -> None:
    """The environment raises an error at the first illegal action."""
    torch.manual_seed(0)
    algorithm = make_algorithm(2)
    before = [p.detach().clone() for p in algorithm.parameters()]
    made = learn(algorithm, 2, seconds=2.0, envs=4)
    assert made >= 3
    after = list(algorithm.parameters())
    assert all(torch.isfinite(p).all() for p in after)
    assert all((p != q).any() for p, q in zip(after, before, strict=True))
    assert 0 <= evaluate(algorithm, 2, 8) <= 1


@pytest.mark.slow
def test_a_minute_of_learning_beats_random_play() -> None:
    """The lower end of a 95 % interval over 400 games is above one half."""
    torch.manual_seed(0)
    algorithm = make_algorithm(2)
    learn(algorithm, 2, seconds=60)
    assert evaluate(algorithm, 2, 400) - 1.96 * (0.25 / 400) ** 0.5 > 0.5
