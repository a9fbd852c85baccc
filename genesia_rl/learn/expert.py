"""Expert iteration: a network learns to choose as a search with it inside has chosen, and what came of it.

An update plays `num_games` games (searched.py) and learns from those of the last `window` updates: the policy from
the shares of visits of fully searched decisions, the value from the results of all. The games are kept in the
checkpoint, so that a run goes on as if it had not stopped.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from genesia_rl.core.errors import DataError
from genesia_rl.learn.checkpoint import part_of, under
from genesia_rl.learn.league import SELF, Clock
from genesia_rl.learn.policy import Frozen, Network, adam, seed_all, set_rate
from genesia_rl.learn.searched import Searched, SearchedGames, together
from genesia_rl.learn.settings import LearnerSettings, Settings
from genesia_rl.learn.sparse import Compared, Segments, SparseLearner, compared
from genesia_rl.players.incremental import num_traits

Array = npt.NDArray[Any]
#: `policy_loss` is the cross-entropy, `kl` what of it is not the spread of the shares themselves.
PARTS = ("policy_loss", "value_loss", "entropy", "kl")


class ExpertIteration:
    """Learns from searched games."""

    def __init__(
        self, settings: Settings, env: SearchedGames, network: Network, clock: Clock, seed: int
    ) -> None:
        self.settings, self.env, self.network, self.clock = settings, env, network, clock
        seed_all(seed)
        self.rng = np.random.default_rng([seed, 3])
        self.optimizer = adam(network, settings.learner.learning_rate)
        self.learner = SparseLearner(network, env.workers, settings.learner.grad_norm)
        self.decisions = 0
        self.replay: list[Searched] = []

    def newest(self) -> Frozen:
        """The network as it is now."""
        frozen = self.network.frozen()
        self.env.networks[SELF].frozen = frozen
        return frozen

    def play(self) -> None:
        """Play one update's games."""
        made = self.env.search(self.network.numpy_weights())
        self.replay = [*self.replay, made][-self.settings.expert.window :]
        self.decisions += len(made.goal)

    def learn(self, left: float, value_only: bool = False) -> dict[str, float]:
        """Learn from the games that are kept; `left` is the share of the run that is still to come."""
        start, s = self.clock.now(), self.settings.learner
        rate = s.rate(left)
        set_rate(self.optimizer, rate)
        held, newest = together(self.replay, s.num_games), self.replay[-1]
        judge, segments = partial(compared, shares=held.shares), Segments(held.trace)
        sums, steps = np.zeros(len(PARTS)), 0
        for _ in range(s.epochs):
            for halves in segments.minibatches(s.minibatch, self.rng):
                loss = ShareLoss(s, held, np.concatenate(halves), value_only)
                only = "value" if value_only else ""
                sums += self.learner.step(
                    self.optimizer, held.trace, halves, loss, "learner", only, judge=judge
                )
                steps += 1
        found = dict(zip(PARTS, (sums / max(1, steps)).tolist(), strict=True))
        variance, missed = float(newest.goal.var()), newest.goal - newest.trace.rows["value"]
        explained = 1 - float(missed.var()) / variance if variance else float("nan")
        searched = float((newest.shares.number > 0).mean())
        self.clock.add("learner", start)
        return found | {"explained": explained, "searched": searched, "rate": rate}

    # ---- what a checkpoint keeps beside the optimiser
    def state(self) -> dict[str, Array]:
        """The games that are kept."""
        found: dict[str, Array] = {}
        for k, held in enumerate(self.replay):
            found |= under(f"{k}/", held.arrays())
        return found

    def like(self, arrays: dict[str, Array]) -> dict[str, Array]:
        """The same of as many games as these arrays speak of, as far as types and dimensions go."""
        traits = num_traits(self.env.game, self.network.architecture)
        number = len({name.partition("/")[0] for name in arrays})
        if number > self.settings.expert.window:
            allowed = self.settings.expert.window
            raise DataError(f"replay of {number} updates, allowed are {allowed} (expert.window)")
        empty = Searched.empty(traits).arrays()
        return {name: held for k in range(number) for name, held in under(f"{k}/", empty).items()}

    def put_state(self, arrays: dict[str, Array]) -> None:
        """Go on from there."""
        inputs, actions = len(self.network.scaled()["first"]), len(self.network.layout.actions)
        number = len({name.partition("/")[0] for name in arrays})
        self.replay = [Searched.of_arrays(part_of(arrays, f"{k}/"), inputs, actions) for k in range(number)]


class ShareLoss:
    """How far the network is from what searches chose and from what came of it, over rows of a minibatch."""

    def __init__(self, settings: LearnerSettings, held: Searched, rows: Array, value_only: bool) -> None:
        self.s, self.goal, self.count, self.value_only = settings, held.goal, len(rows), value_only
        self.searched = max(1, int((held.shares.number[rows] > 0).sum()))

    def __call__(self, of: Compared, rows: Array) -> tuple[Tensor, Array]:
        value_loss = (of.value - torch.from_numpy(self.goal[rows])).square().sum() / self.count
        policy_loss = -(of.weight * of.log_p).sum() / self.searched
        loss = self.s.value * value_loss
        if not self.value_only:
            loss = loss + policy_loss
        spread = (of.weight * of.entropy).sum() / self.searched
        own = (of.weight * of.weight.log()).sum() / self.searched
        parts = (policy_loss, value_loss, spread, policy_loss + own)
        return loss, np.array([float(x.detach()) for x in parts])
