"""PPO in one file, in CleanRL's form, with masked actions, against random opponents.

    python experiments/train_cleanrl.py --total-timesteps 200000
    python experiments/train_cleanrl.py --env-id OTHER-v0

What differs from CleanRL's `ppo.py` is the mask: it comes with the infos, is kept beside the observations, and takes
illegal actions out of the distribution. `gymnasium.make_vec` gives the environments; a game that has ended begins anew
in the same step, so that every row of the storage is a decision. Needs `pip install "genesia-rl[torch]"`.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import gymnasium
import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical

import genesia_rl  # noqa: F401  # makes the ids known
from genesia_rl.core.registry import default_game
from genesia_rl.envs.registration import title_of


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="PPO in CleanRL's form")
    parser.add_argument("--env-id", default=f"{title_of(default_game())}-v0")
    parser.add_argument("--total-timesteps", type=int, default=200_000)
    parser.add_argument("--num-envs", type=int, default=32)
    parser.add_argument("--num-steps", type=int, default=64)
    parser.add_argument("--num-minibatches", type=int, default=4)
    parser.add_argument("--update-epochs", type=int, default=3)
    parser.add_argument("--learning-rate", type=float, default=1e-3)
    parser.add_argument("--gamma", type=float, default=1.0)
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--clip-coef", type=float, default=0.2)
    parser.add_argument("--ent-coef", type=float, default=0.01)
    parser.add_argument("--vf-coef", type=float, default=0.5)
    parser.add_argument("--max-grad-norm", type=float, default=0.5)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1, help="of torch; more help on idle cores only")
    return parser.parse_args(given)


def layer_init(layer: nn.Linear, std: float = 2**0.5) -> nn.Linear:
    """Orthogonal weights."""
    nn.init.orthogonal_(layer.weight, std)
    nn.init.zeros_(layer.bias)
    return layer


class Agent(nn.Module):
    """Actor and critic."""

    def __init__(self, envs: Any, width: int = 128) -> None:
        super().__init__()
        size, actions = int(np.prod(envs.single_observation_space.shape)), int(envs.single_action_space.n)

        def net(outputs: int, std: float) -> nn.Sequential:
            return nn.Sequential(
                layer_init(nn.Linear(size, width)), nn.Tanh(), layer_init(nn.Linear(width, width)), nn.Tanh(),
                layer_init(nn.Linear(width, outputs), std),
            )  # fmt: skip

        self.critic, self.actor = net(1, 1.0), net(actions, 0.01)

    def get_value(self, x: Tensor) -> Tensor:
        """What a position is worth."""
        value: Tensor = self.critic(x).squeeze(-1)
        return value

    def get_action_and_value(
        self, x: Tensor, mask: Tensor, action: Tensor | None = None
    ) -> tuple[Tensor, Tensor, Tensor, Tensor]:
        """An action of the legal ones, its log probability, the entropy, the value."""
        logits = self.actor(x).masked_fill(mask == 0, torch.finfo(torch.float32).min)
        probs = Categorical(logits=logits)
        action = probs.sample() if action is None else action
        return action, probs.log_prob(action), probs.entropy(), self.get_value(x)


def train(args: argparse.Namespace) -> list[float]:
    """Learn; what each finished game paid, in their order."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    envs: Any = gymnasium.make_vec(
        args.env_id, num_envs=args.num_envs, vectorization_mode="vector_entry_point", normalise=True
    )
    agent = Agent(envs)
    optimizer = torch.optim.Adam(agent.parameters(), lr=args.learning_rate, eps=1e-5)
    shape = (args.num_steps, args.num_envs)
    obs = torch.zeros((*shape, *envs.single_observation_space.shape))
    masks = torch.zeros((*shape, int(envs.single_action_space.n)), dtype=torch.int8)
    actions = torch.zeros(shape, dtype=torch.int64)
    logprobs, rewards, dones, values = (torch.zeros(shape) for _ in range(4))
    returns, start = list[float](), time.monotonic()
    seen, infos = envs.reset(seed=args.seed)
    next_obs, next_mask = torch.as_tensor(seen), torch.as_tensor(infos["action_mask"])
    next_done = torch.zeros(args.num_envs)
    batch = args.num_steps * args.num_envs
    for iteration in range(1, args.total_timesteps // batch + 1):
        for step in range(args.num_steps):
            obs[step], masks[step], dones[step] = next_obs, next_mask, next_done
            with torch.no_grad():
                action, logprob, _, value = agent.get_action_and_value(next_obs, next_mask)
            actions[step], logprobs[step], values[step] = action, logprob, value
            seen, reward, terminations, truncations, infos = envs.step(action.numpy())
            rewards[step] = torch.as_tensor(reward, dtype=torch.float32)
            next_obs, next_mask = torch.as_tensor(seen), torch.as_tensor(infos["action_mask"])
            next_done = torch.as_tensor(np.logical_or(terminations, truncations), dtype=torch.float32)
            if "final_info" in infos:
                episode = infos["final_info"]["episode"]
                returns += episode["r"][episode["_r"]].tolist()
        advantages = gae(agent, args, rewards, values, dones, next_obs, next_done)
        loss = learn(agent, optimizer, args, obs, masks, actions, logprobs, advantages, advantages + values)
        if iteration % 10 == 0:
            sps = int(iteration * batch / (time.monotonic() - start))
            print(
                f"{iteration * batch} steps, {sps} a second, loss {loss:.3f}, return {np.mean(returns[-500:]):+.3f}"
            )
    envs.close()
    return returns


def gae(
    agent: Agent, args: argparse.Namespace, rewards: Tensor, values: Tensor, dones: Tensor, next_obs: Tensor,
    next_done: Tensor,
) -> Tensor:  # fmt: skip
    """Generalised advantage estimation."""
    with torch.no_grad():
        following = agent.get_value(next_obs)
    advantages, last = torch.zeros_like(rewards), torch.zeros(rewards.shape[1])
    for t in reversed(range(len(rewards))):
        going_on = 1.0 - (next_done if t == len(rewards) - 1 else dones[t + 1])
        value = following if t == len(rewards) - 1 else values[t + 1]
        delta = rewards[t] + args.gamma * value * going_on - values[t]
        advantages[t] = last = delta + args.gamma * args.gae_lambda * going_on * last
    return advantages


def learn(agent: Agent, optimizer: Any, args: argparse.Namespace, *stored: Tensor) -> float:
    """Some epochs of PPO over the stored steps; the last loss."""
    flat = [item.flatten(0, 1) for item in stored]
    loss = torch.zeros(())
    for _ in range(args.update_epochs):
        for part in torch.randperm(len(flat[0])).chunk(args.num_minibatches):
            obs, masks, actions, logprobs, advantages, returns = (item[part] for item in flat)
            _, logprob, entropy, value = agent.get_action_and_value(obs, masks, actions)
            ratio = (logprob - logprobs).exp()
            advantage = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
            clipped = torch.clamp(ratio, 1 - args.clip_coef, 1 + args.clip_coef)
            policy = torch.max(-advantage * ratio, -advantage * clipped).mean()
            loss = (
                policy - args.ent_coef * entropy.mean() + args.vf_coef * 0.5 * ((value - returns) ** 2).mean()
            )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), args.max_grad_norm)
            optimizer.step()
    return float(loss.detach())


def main(given: list[str] | None = None) -> None:
    """Learn, and say how the first and the last games went."""
    returns = train(arguments(given))
    part = max(1, len(returns) // 10)
    first, last = np.mean(returns[:part]), np.mean(returns[-part:])
    print(f"{len(returns)} games; the first {part} paid {first:+.3f}, the last {last:+.3f}")


if __name__ == "__main__":
    main()
