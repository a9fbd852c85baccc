"""PPO: what was decided, what it was worth, and steps towards what turned out better than expected.

Observations stay bytes until a minibatch is learned from, masks cover only the actions that the game's
configuration has, and no Python runs for a single game.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from genesia_rl.learn.league import SELF, Clock, LeagueEnv
from genesia_rl.learn.policy import Frozen, Network, adam, descend, log_probabilities, seed_all, set_rate
from genesia_rl.learn.settings import LearnerSettings
from genesia_rl.players.networks import draw

Array = npt.NDArray[Any]
PARTS = ("policy_loss", "value_loss", "entropy", "kl", "clipped")


class Rollout:
    """The decisions of one update: `[step, game]`."""

    def __init__(self, steps: int, games: int, size: int, columns: int) -> None:
        shape = steps, games
        self.observation = np.zeros((*shape, size), np.int8)
        self.legal = np.zeros((*shape, columns), np.bool_)
        self.column = np.zeros(shape, np.int64)
        self.done = np.zeros(shape, np.bool_)
        self.log_p, self.value, self.reward, self.advantage = np.zeros((4, *shape), np.float32)

    def decide(
        self, step: int, observation: Array, legal: Array, column: Array, log_p: Array, value: Array
    ) -> None:
        """What was decided in all games."""
        self.observation[step], self.legal[step], self.column[step] = observation, legal, column
        self.log_p[step], self.value[step] = log_p, value

    def pay(self, step: int, reward: Array, done: Array) -> None:
        """What came of it."""
        self.reward[step], self.done[step] = reward, done

    def judge(self, last_values: Array, gamma: float, gae_lambda: float) -> None:
        """Generalised advantages; a game that has ended has no next value."""
        ahead, following = np.zeros_like(last_values), last_values
        for step in reversed(range(len(self.reward))):
            goes_on = ~self.done[step]
            delta = self.reward[step] + gamma * following * goes_on - self.value[step]
            ahead = delta + gamma * gae_lambda * goes_on * ahead
            self.advantage[step], following = ahead, self.value[step]

    def explained(self) -> float:
        """The share of the returns' variance that the values foresaw."""
        variance = float((self.value + self.advantage).var())
        return 1 - float(self.advantage.var()) / variance if variance else float("nan")

    def tensors(self) -> dict[str, Tensor]:
        """All decisions, one after another: views."""
        names = ("observation", "legal", "column", "log_p", "value", "advantage")
        return {name: torch.from_numpy(getattr(self, name)).flatten(0, 1) for name in names}


class PPO:
    """The learner of a league: it plays an update's decisions, then it learns from them."""

    def __init__(
        self, settings: LearnerSettings, env: LeagueEnv, network: Network, clock: Clock, seed: int
    ) -> None:
        self.settings, self.env, self.network, self.clock = settings, env, network, clock
        seed_all(seed)
        self.rng = np.random.default_rng([seed, 3])
        self.optimizer = adam(network, settings.learning_rate)
        columns = len(network.layout.actions)
        size = env.batch.game.observation_size
        self.rollout = Rollout(settings.steps, env.num_games, size, columns)
        self.decisions = 0  # that it has taken so far

    def newest(self) -> Frozen:
        """The network as it is now; it takes the seat of the newest self."""
        frozen = self.network.frozen()
        self.env.networks[SELF].frozen = frozen
        return frozen

    def play(self) -> None:
        """Play one update's decisions; the newest self among the opponents is this very network."""
        rollout, env, frozen = self.rollout, self.env, self.newest()
        batch, actions, s = env.batch, self.network.layout.actions, self.settings
        for step in range(s.steps):
            start = self.clock.now()
            legal = batch.mask[:, actions] != 0
            logits, value = frozen(batch.observation)
            column = draw(logits.numpy(), legal, self.rng.random(env.num_games))
            log_p = log_probabilities(logits, torch.from_numpy(legal)).numpy()
            log_p = log_p[np.arange(env.num_games), column]
            rollout.decide(step, batch.observation, legal, column, log_p, value.numpy())
            self.clock.add("inference", start)
            rollout.pay(step, *env.advance(actions[column]))
            self.decisions += env.num_games
        rollout.judge(frozen(batch.observation)[1].numpy(), s.gamma, s.gae_lambda)

    def learn(self, left: float, value_only: bool = False) -> dict[str, float]:
        """Learn from the update's decisions; `left` is the share of the run that is still to come.

        Returns the means of the loss and its parts.
        """
        start, s = self.clock.now(), self.settings
        rate = s.rate(left)
        set_rate(self.optimizer, rate)
        steps = np.array([*self._steps(self.rollout.tensors(), value_only)]).reshape(-1, len(PARTS))
        found = dict(zip(PARTS, (steps.sum(0) / max(1, len(steps))).tolist(), strict=True))
        found |= {"explained": self.rollout.explained(), "rate": rate}
        self.clock.add("learner", start)
        return found

    def _steps(self, data: dict[str, Tensor], value_only: bool) -> Any:
        """The parts of the loss in each minibatch of each epoch, until the policy has moved too far."""
        for _ in range(self.settings.epochs):
            for rows in torch.randperm(len(data["column"])).split(self.settings.minibatch):
                if len(rows) < 2:
                    continue
                device = self.network.device
                parts = self._step({name: held[rows].to(device) for name, held in data.items()}, value_only)
                yield parts
                if self._too_far(parts[PARTS.index("kl")]):
                    return

    def _step(self, rows: dict[str, Tensor], value_only: bool) -> list[float]:
        """One step of the optimiser."""
        s = self.settings
        logits, value = self.network(rows["observation"])
        every = log_probabilities(logits, rows["legal"])
        entropy = -(every.exp() * every).sum(1)
        change = every.gather(1, rows["column"][:, None])[:, 0] - rows["log_p"]
        gain, ratio = rows["advantage"], change.exp()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - s.clip, 1 + s.clip) * gain).mean()
        value_loss = (value - rows["value"] - rows["advantage"]).square().mean()
        loss = s.value * value_loss
        if not value_only:
            loss = loss + policy_loss - s.entropy * entropy.mean()
        with torch.no_grad():
            kl = (ratio - 1 - change).mean()
            clipped = ((ratio - 1).abs() > s.clip).float().mean()
        if not self._too_far(float(kl)):
            # the value's own layers alone: the rest would carry the policy away with it
            only = "value" if value_only else ""
            descend(self.network, self.optimizer, loss, s.grad_norm, "learner", only)
        return [float(part.detach()) for part in (policy_loss, value_loss, entropy.mean(), kl, clipped)]

    def _too_far(self, kl: float) -> bool:
        """Has the policy left its decisions so far behind that nothing more is to be learned from them?"""
        most = self.settings.target_kl
        return most is not None and kl > 1.5 * most
