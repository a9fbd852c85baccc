"""MaskablePPO with its slow paths replaced: what is stored, how a choice is made, how advantages are found.

The algorithm is sb3-contrib's, and so are the loss, the advantages and the meaning of every setting.
Observations stay bytes until a minibatch is learned from, masks cover only the actions the board has,
and no Python runs for a single game.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from torch import Tensor, nn

from agents.networks import draw
from experiments.train.league import SELF, Clock, LeagueEnv
from experiments.train.policy import Frozen, LeaguePolicy, Network, log_probabilities, refuse_non_finite
from experiments.train.settings import Settings

Array = npt.NDArray[Any]


class ByteBuffer:
    """The decisions of one update: `[step, game]`."""

    def __init__(
        self, buffer_size: int, observation_space: Any, action_space: Any, device: Any = "cpu", *,
        columns: int, gamma: float = 1.0, gae_lambda: float = 0.95, n_envs: int = 1,
    ) -> None:  # fmt: skip
        self.gamma, self.gae_lambda = gamma, gae_lambda
        shape = buffer_size, n_envs
        self.observation = np.zeros((*shape, *observation_space.shape), np.int8)
        self.legal = np.zeros((*shape, columns), np.bool_)
        self.column = np.zeros(shape, np.int64)
        self.done = np.zeros(shape, np.bool_)
        self.log_p, self.value, self.reward, self.advantage = np.zeros((4, *shape), np.float32)
        self.place = 0

    def reset(self) -> None:
        """Begin anew."""
        self.place = 0

    def add(self, observation: Array, legal: Array, column: Array, log_p: Array, value: Array) -> None:
        """What was decided in all games."""
        p = self.place
        self.observation[p], self.legal[p], self.column[p] = observation, legal, column
        self.log_p[p], self.value[p] = log_p, value

    def paid(self, reward: Array, done: Array) -> None:
        """What came of it."""
        self.reward[self.place], self.done[self.place] = reward, done
        self.place += 1

    def compute_returns_and_advantage(self, last_values: Array, dones: Any = None) -> None:
        """Generalised advantages, as in stable-baselines3; a game that has ended has no next value."""
        ahead, following = np.zeros_like(last_values), last_values
        for p in reversed(range(self.place)):
            goes_on = ~self.done[p]
            delta = self.reward[p] + self.gamma * following * goes_on - self.value[p]
            ahead = delta + self.gamma * self.gae_lambda * goes_on * ahead
            self.advantage[p], following = ahead, self.value[p]

    def tensors(self) -> dict[str, Tensor]:
        """All decisions, one after another: views."""
        names = ("observation", "legal", "column", "log_p", "value", "advantage")
        return {name: torch.from_numpy(getattr(self, name)).flatten(0, 1) for name in names}


class LeaguePPO(MaskablePPO):
    """The learner of a league."""

    env: LeagueEnv
    rollout_buffer: ByteBuffer  # type: ignore[assignment]

    def __init__(self, settings: Settings, env: LeagueEnv, network: Network, clock: Clock) -> None:
        s = settings.learner
        self.settings, self.clock = settings, clock
        super().__init__(
            LeaguePolicy, env, learning_rate=s.learning_rate, n_steps=s.steps, batch_size=s.minibatch,
            n_epochs=s.epochs, gamma=s.gamma, gae_lambda=s.gae_lambda, clip_range=s.clip,
            ent_coef=s.entropy, vf_coef=s.value, max_grad_norm=s.grad_norm, target_kl=s.target_kl,
            rollout_buffer_class=ByteBuffer,  # type: ignore[arg-type]
            rollout_buffer_kwargs={"columns": len(network.layout.actions)},
            policy_kwargs={"network": network}, seed=settings.run.seed, device="cpu",
        )  # fmt: skip
        self.set_logger(Logger(None, []))
        self.network = network
        self.rng = np.random.default_rng([settings.run.seed, 3])
        self.value_only = False

    def collect_rollouts(self, env: Any, callback: Any = None, *rest: Any, **more: Any) -> bool:
        """Play one update's decisions; the newest self among the opponents is this very policy."""
        league, buffer, layout = self.env, self.rollout_buffer, self.network.layout
        frozen = self.newest()
        batch, clock = league.batch, self.clock
        buffer.reset()
        for _step in range(self.n_steps):
            start = time.perf_counter()
            legal = batch.mask[:, layout.actions] != 0
            logits, value = frozen(batch.observation)
            column = draw(logits.numpy(), legal, self.rng.random(league.num_envs))
            log_p = log_probabilities(logits, torch.from_numpy(legal)).numpy()
            log_p = log_p[np.arange(league.num_envs), column]
            buffer.add(batch.observation, legal, column, log_p, value.numpy())
            clock.add("inference", start)
            reward, done = league.advance(layout.actions[column])
            buffer.paid(reward, done)
            self.num_timesteps += league.num_envs
            if callback is not None and not callback.on_step():
                return False
        buffer.compute_returns_and_advantage(frozen(batch.observation)[1].numpy())
        return True

    def learn(self, *given: Any, **more: Any) -> LeaguePPO:
        """MaskablePPO's own loop; `Run` has one that can be stopped and gone on with."""
        self.newest()
        return super().learn(*given, **more)

    def newest(self) -> Frozen:
        """The network as it is now, to choose with; it takes the seat of the newest self."""
        weights = {name: w.detach().clone() for name, w in self.network.weights.items()}
        frozen = Frozen(self.network.architecture, self.network.layout, weights)
        self.env.networks[SELF].frozen = frozen
        return frozen

    def train(self) -> None:
        """Learn from the update's decisions; `found` are the means of the loss parts."""
        start = time.perf_counter()
        self.policy.set_training_mode(True)
        rate = self.rate()
        for group in self.policy.optimizer.param_groups:
            group["lr"] = rate
        data, sums, passes = self.rollout_buffer.tensors(), np.zeros(5), 0
        for _ in range(self.n_epochs):
            going = True
            for rows in torch.randperm(len(data["column"])).split(self.batch_size or 1):
                if len(rows) < 2:
                    continue
                parts = self._learn({name: held[rows] for name, held in data.items()})
                sums, passes = sums + parts, passes + 1
                going = not self.too_far(parts[3])
                if not going:
                    break
            if not going:
                break
        names = ("policy_loss", "value_loss", "entropy", "kl", "clipped")
        self.found = dict(zip(names, (sums / max(1, passes)).tolist(), strict=True))
        self.found |= {"explained": self._explained(), "rate": rate}
        self._n_updates += self.n_epochs
        self.clock.add("learner", start)

    def rate(self) -> float:
        """The learning rate: it falls evenly to `final_rate` of itself."""
        s = self.settings.learner
        left = max(0.0, min(1.0, self._current_progress_remaining))
        return s.learning_rate * (s.final_rate + (1 - s.final_rate) * left)

    def _learn(self, rows: dict[str, Tensor]) -> npt.NDArray[np.float64]:
        """One step of the optimiser: MaskablePPO's loss."""
        s = self.settings.learner
        value, log_p, entropy = self.policy.evaluate_rows(  # type: ignore[operator]
            rows["observation"], rows["column"], rows["legal"]
        )
        change = log_p - rows["log_p"]
        gain, ratio = rows["advantage"], change.exp()
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
        policy_loss = -torch.min(ratio * gain, ratio.clamp(1 - s.clip, 1 + s.clip) * gain).mean()
        value_loss = (value - rows["value"] - rows["advantage"]).square().mean()
        loss = s.value * value_loss
        if not self.value_only:
            loss = loss + policy_loss - s.entropy * entropy.mean()
        with torch.no_grad():
            kl = (ratio - 1 - change).mean()
            clipped = ((ratio - 1).abs() > s.clip).float().mean()
        if not self.too_far(float(kl)):
            self.policy.optimizer.zero_grad()
            loss.backward()
            if self.value_only:
                self.spare_policy()
            norm = nn.utils.clip_grad_norm_(self.network.parameters(), s.grad_norm)
            refuse_non_finite("learner", loss, norm)
            self.policy.optimizer.step()
        parts = (policy_loss, value_loss, entropy.mean(), kl, clipped)
        return np.array([float(part.detach()) for part in parts])

    def too_far(self, kl: float) -> bool:
        """Has the policy left its decisions so far behind that nothing more is to be learned from them?"""
        return self.target_kl is not None and kl > 1.5 * self.target_kl

    def spare_policy(self) -> None:
        """Only the value's own layers learn: the rest would carry the policy away with it."""
        for name, weight in self.network.weights.items():
            if not name.startswith("value"):
                weight.grad = None

    def _explained(self) -> float:
        """The share of the returns' variance that the values explained."""
        buffer = self.rollout_buffer
        variance = float((buffer.value + buffer.advantage).var())
        return 1 - float(buffer.advantage.var()) / variance if variance else float("nan")
