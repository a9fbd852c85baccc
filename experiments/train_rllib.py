"""PPO of RLlib's new API stack with masked actions against random opponents, on the Gymnasium environment.

    python experiments/train_rllib.py --players 2 --minutes 5
    python experiments/train_rllib.py --game NAME --minutes 5

The masking module is the one of RLlib's own examples. Needs `pip install "genesia-rl[rllib]"`, in an environment of its
own: Ray pins a version of gymnasium (`make test-rllib` sets one up).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import torch
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from genesia_rl.core.registry import default_game
from genesia_rl.envs.single import GameGym

ENV = "genesia_rl"


class MaskSeen(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Puts the mask beside the observation, by the names that RLlib's masking module asks for."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        assert isinstance(env.action_space, gymnasium.spaces.Discrete)
        actions = int(env.action_space.n)
        self.action_space = gymnasium.spaces.Discrete(actions)
        masks = gymnasium.spaces.Box(0.0, 1.0, (actions,), np.float32)
        self.observation_space = gymnasium.spaces.Dict(
            {"action_mask": masks, "observations": env.observation_space}
        )

    def _seen(self, observation: Any, info: dict[str, Any]) -> dict[str, np.ndarray]:
        return {"action_mask": info["action_mask"].astype(np.float32), "observations": observation}

    def reset(self, **options: Any) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """A new game."""
        observation, info = self.env.reset(**options)
        return self._seen(observation, info), {}

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """The learner's action; everybody else answers."""
        observation, paid, ended, cut, info = self.env.step(action)
        return self._seen(observation, info), float(paid), ended, cut, {}


def make_env(game: str | None = None, **config: Any) -> MaskSeen:
    """A game against random opponents; an illegal action would be an error."""
    return MaskSeen(GameGym(game, normalise=True, illegal="raise", **config))


def make_algorithm(
    players: int, game: str | None = None, seed: int = 0, batch: int = 2048, envs: int = 16
) -> PPO:
    """A learner that plays and learns in this process."""
    register_env(ENV, lambda config: make_env(game, players=players))
    config = (
        PPOConfig()
        .environment(ENV)
        .env_runners(num_env_runners=0, num_envs_per_env_runner=envs)
        .learners(num_learners=0)
        .rl_module(
            rl_module_spec=RLModuleSpec(
                module_class=ActionMaskingTorchRLModule, model_config={"fcnet_hiddens": [128, 128]}
            )
        )
        .training(
            lr=1e-3, gamma=1.0, entropy_coeff=0.01, train_batch_size_per_learner=batch,
            minibatch_size=min(1024, batch // 2), num_epochs=3,
        )
        .debugging(seed=seed)
    )  # fmt: skip
    return config.build_algo()


def learn(algorithm: PPO, seconds: float, tell: Callable[[float], None] = lambda paid: None) -> float:
    """Learn until the time is up, at least once; the mean reward of the last games."""
    end, paid = time.monotonic() + seconds, float("nan")
    while np.isnan(paid) or time.monotonic() < end:
        found = algorithm.train()
        paid = float(found["env_runners"].get("episode_return_mean", 0.0))
        tell(paid)
    return paid


def main() -> None:
    """Learn, and print the mean reward (from -1 to 1 with two players) as it goes."""
    parser = argparse.ArgumentParser(description="RLlib's PPO against random opponents")
    parser.add_argument("--game", default=default_game())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.set_num_threads(1)
    algorithm = make_algorithm(args.players, args.game, args.seed)
    learn(algorithm, 60 * args.minutes, lambda paid: print(f"mean reward {paid:+.3f}", flush=True))
    algorithm.stop()


if __name__ == "__main__":
    main()
