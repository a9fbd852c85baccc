"""PPO of Tianshou with masked actions against random opponents, on the Gymnasium environment.

    python experiments/train_tianshou.py --players 2 --minutes 2
    python experiments/train_tianshou.py --game NAME --minutes 2

Evaluates, learns, evaluates again. Needs `pip install "genesia-rl[tianshou]"`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Batch, Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

from genesia_rl.core.registry import default_game
from genesia_rl.envs.single import GameGym
from genesia_rl.vector.gym import GameVector


class MaskSeen(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Puts the mask beside the observation, by the names that Tianshou's own environments use."""

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        assert isinstance(env.action_space, gymnasium.spaces.Discrete)
        masks = gymnasium.spaces.Box(0, 1, (int(env.action_space.n),), np.int8)
        self.observation_space = gymnasium.spaces.Dict({"obs": env.observation_space, "mask": masks})

    def reset(self, **options: Any) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """A new game."""
        seen, info = self.env.reset(**options)
        return {"obs": seen, "mask": info["action_mask"]}, {}  # infos would be stored with every step

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """The learner's action; everybody else answers."""
        seen, paid, ended, cut, info = self.env.step(action)
        return {"obs": seen, "mask": info["action_mask"]}, float(paid), ended, cut, {}


class MaskedActor(Net):
    """Illegal actions get no probability: Tianshou masks Q-values by itself, but not logits."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[torch.Tensor, Any]:
        """The logits of all actions."""
        logits, state = super().forward(obs.obs, state)
        return logits.masked_fill(torch.as_tensor(obs.mask) == 0, torch.finfo(logits.dtype).min), state


class Critic(Net):
    """The value of a position, for which the mask is of no use."""

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        """A value for each observation."""
        return super().forward(obs.obs, state)[0]


def make_env(players: int, game: str | None = None) -> MaskSeen:
    """A game against random opponents; an illegal action would be an error."""
    return MaskSeen(GameGym(game, players=players, normalise=True, illegal="raise"))


def make_algorithm(players: int, game: str | None = None) -> PPO:
    """A learner with settings that learn fast on a processor."""
    env: Any = make_env(players, game)
    actions, size = env.action_space, env.observation_space["obs"].shape
    layers: dict[str, Any] = {"hidden_sizes": [128, 128], "activation": torch.nn.Tanh}
    actor = MaskedActor(state_shape=size, action_shape=int(actions.n), **layers)
    return PPO(
        policy=DiscreteActorPolicy(actor=actor, action_space=actions),
        critic=Critic(state_shape=size, action_shape=1, **layers), optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0, ent_coef=0.01, max_grad_norm=0.5, max_batchsize=4096,
    )  # fmt: skip


def learn(
    algorithm: PPO, players: int, seconds: float, seed: int = 0, envs: int = 32, game: str | None = None
) -> int:
    """Play and learn in turn until the time is up, at least once; how many gradient steps were made."""
    games = DummyVectorEnv([lambda: make_env(players, game) for _ in range(envs)])
    games.seed(seed)
    buffer = VectorReplayBuffer(envs * 64, envs)
    collector = Collector(algorithm, games, buffer)
    collector.reset()
    end, made = time.monotonic() + seconds, 0
    while not made or time.monotonic() < end:
        with policy_within_training_step(algorithm.policy):  # without it, `update` is an error
            collector.collect(n_step=envs * 64)
            made += algorithm.update(buffer=buffer, batch_size=1024, repeat=3).gradient_steps
        collector.reset_buffer(keep_statistics=True)  # PPO learns only from what it has just played
    return made


def evaluate(algorithm: PPO, players: int, num_games: int, seed: int = 1, game: str | None = None) -> float:
    """The share of games won; every row plays one, so that short ones count no more."""
    envs = GameVector(num_games, game, players=players, normalise=True)
    (seen, info), won = envs.reset(seed=seed), np.full(num_games, np.nan)
    while np.isnan(won).any():
        with torch.no_grad():  # actions are drawn: an untrained network's best ones lose to random play
            asked = Batch(obs=Batch(obs=seen, mask=info["action_mask"]), info=Batch())
            action = algorithm.policy(asked).act.numpy()
        seen, paid, done, _, info = envs.step(action)
        first = done & np.isnan(won)
        won[first] = paid[first] > 0
    return float(won.mean())


def main() -> None:
    """Evaluate, learn, evaluate."""
    parser = argparse.ArgumentParser(description="Tianshou's PPO against random opponents")
    parser.add_argument("--game", default=default_game())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=2.0)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    algorithm = make_algorithm(args.players, args.game)
    for minutes in (0.0, args.minutes):
        made = learn(algorithm, args.players, 60 * minutes, args.seed, game=args.game) if minutes else 0
        won = evaluate(algorithm, args.players, 500, game=args.game)
        print(f"{minutes:g} minutes, {made} gradient steps: {won:.1%} of 500 games won", flush=True)


if __name__ == "__main__":
    main()
