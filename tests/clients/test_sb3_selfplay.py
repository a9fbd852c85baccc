"""Self-play as PettingZoo teaches it with stable-baselines3 and masks: a wrapper that makes one agent of all seats.

The wrapper is the idiom of PettingZoo's tutorial on masked actions in our words: only the environment is ours. What is
learned is saved, and the file is an agent here (`sb3:PATH`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pettingzoo.utils
import pytest

pytest.importorskip("sb3_contrib")

import torch
from cli_tools import Capture, genesia
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from sb3_contrib.common.wrappers import ActionMasker

from genesia_rl.core.registry import game_names
from genesia_rl.envs.registration import title_of

torch.set_num_threads(1)


AnyWrapper: Any = pettingzoo.utils.BaseWrapper  # its spaces and arguments are not Gymnasium's


class OneForAll(AnyWrapper, gymnasium.Env):  # type: ignore[misc]
    """Every step is the selected agent's; what is seen next is the next agent's, what is paid its own."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        """A new game; only now there are spaces without an agent's name."""
        inner: Any = super()
        inner.reset(seed, options)
        first = self.possible_agents[0]
        self.observation_space = inner.observation_space(first)["observation"]
        self.action_space = inner.action_space(first)
        return self.observe(self.agent_selection), {}

    def step(self, action: Any) -> Any:
        """The selected agent's action."""
        who = self.agent_selection
        super().step(action)
        told = (self._cumulative_rewards[who], self.terminations[who], self.truncations[who], self.infos[who])
        return (self.observe(self.agent_selection), *told)

    def observe(self, agent: str) -> Any:
        """Without the mask."""
        return super().observe(agent)["observation"]

    def action_mask(self) -> Any:
        """The mask alone."""
        return super().observe(self.agent_selection)["action_mask"]


def mask_of(env: Any) -> Any:
    """As sb3-contrib's wrapper asks for it."""
    return env.action_mask()


def made(game: str, **options: Any) -> Any:
    """From PettingZoo's registry, or as a module where it has none."""
    if hasattr(pettingzoo, "make"):
        return pettingzoo.make("aec", f"{title_of(game)}-v0", **options)
    import genesia_rl

    return genesia_rl.make(game, **options)


@pytest.mark.parametrize("game", game_names())
def test_a_model_learns_by_self_play_is_saved_and_plays(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    env = OneForAll(made(game, players=2))
    env.reset(seed=0)
    masked = ActionMasker(env, mask_of)
    model = MaskablePPO(MaskableActorCriticPolicy, masked, n_steps=32, batch_size=32, device="cpu", seed=0)
    model.learn(64)
    assert masked.unwrapped.metadata["name"] == f"{game}_v0"
    model.save(f"{game}_v0")
    _play_one_game(MaskablePPO.load(f"{game}_v0"), made(game, players=2, render_mode=None))
    given = ("--game", game, "--policy", f"sb3:{game}_v0.zip,random", "--players", "2", "--out", "game.jsonl")
    code, _, err = genesia(capsys, "record", *given)
    assert code == 0 and Path("game.jsonl").stat().st_size > 0, err


def _play_one_game(model: Any, env: Any) -> None:
    """The model on the second seat, random actions on the first; what is paid sums to nothing."""
    env.reset(seed=1)
    env.action_space(env.possible_agents[0]).seed(1)
    for agent in env.agent_iter():
        seen, _, termination, truncation, info = env.last()
        observation, mask = seen.values()
        if termination or truncation:
            assert sum(env.rewards.values()) == pytest.approx(0) and info["rank"] >= 0
            break
        if agent == env.possible_agents[0]:
            action = env.action_space(agent).sample(mask)
        else:
            action = int(model.predict(observation, action_masks=mask, deterministic=True)[0])
        assert mask[action] and np.isfinite(observation).all()
        env.step(action)
    env.close()
