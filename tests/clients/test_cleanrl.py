"""The script in CleanRL's form: legal actions, every step stored, games that end, parameters that change."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from experiments import train_cleanrl  # noqa: E402
from experiments.train_cleanrl import Agent, arguments, gae, train  # noqa: E402
from genesia_rl.core.registry import game_names  # noqa: E402
from genesia_rl.envs.registration import title_of  # noqa: E402

SMALL = ["--num-envs", "4", "--num-steps", "16", "--num-minibatches", "2", "--update-epochs", "1"]


@pytest.mark.parametrize("game", game_names())
def test_it_plays_and_learns_every_game(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An illegal action would be an error of the vector."""
    losses: list[float] = []
    learn = train_cleanrl.learn

    def told(agent: Agent, *rest: Any) -> float:
        before = [p.detach().clone() for p in agent.parameters()]
        losses.append(learn(agent, *rest))
        after = list(agent.parameters())
        assert all(torch.isfinite(p).all() for p in after)
        assert any((p != q).any() for p, q in zip(after, before, strict=True))
        return losses[-1]

    monkeypatch.setattr(train_cleanrl, "learn", told)
    train(arguments(["--env-id", f"{title_of(game)}-v0", "--total-timesteps", "192", *SMALL]))
    assert len(losses) == 3


def test_an_advantage_ends_with_its_game() -> None:
    """Three steps of one environment, the second ends a game and pays 1: the third knows nothing of it."""
    agent: Any = SimpleNamespace(get_value=lambda x: torch.zeros(1))
    rewards, dones = torch.tensor([[0.0], [1.0], [0.0]]), torch.tensor([[0.0], [0.0], [1.0]])
    found = gae(agent, arguments([]), rewards, torch.zeros(3, 1), dones, torch.zeros(1, 1), torch.zeros(1))
    assert found.flatten().tolist() == pytest.approx([0.95, 1.0, 0.0])


@pytest.mark.slow
def test_half_a_minute_of_learning_beats_random_play() -> None:
    returns = train(arguments(["--total-timesteps", "120000"]))
    tenth = len(returns) // 10
    assert sum(returns[-tenth:]) / tenth > 0.3 > sum(returns[:tenth]) / tenth
