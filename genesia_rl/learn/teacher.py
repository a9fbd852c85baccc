"""Behaviour cloning: a network learns to choose what a teacher would choose, and who will win.

Any `Player` can teach. It is asked in every position of games in which it plays itself, except that some
decisions are the pupil's own (`mix`): so the teacher is also asked about the positions into which a pupil's
mistakes lead. Values are learned from the results of the games.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional as F

from genesia_rl.core.game import Game
from genesia_rl.core.player import Player
from genesia_rl.learn.league import batch_state, final_margins, put_batch_state
from genesia_rl.learn.policy import Frozen, Network, adam, descend, log_probabilities, set_rate
from genesia_rl.learn.settings import TeacherSettings
from genesia_rl.learn.varied import Rotation
from genesia_rl.players.networks import draw
from genesia_rl.vector.batch import Batch

Array = npt.NDArray[Any]
Rows = dict[str, Array]


class LessonGiver(Protocol):
    """Where chunks of rows come from, and what a checkpoint keeps of it."""

    rng: np.random.Generator
    total: int | None  # chunks there are; None: as many as time allows
    finished: int  # games that were played to their end

    def chunk(self, pupil: Frozen) -> Rows:
        """The next rows to learn from."""

    def state(self) -> dict[str, Array]:
        """What a checkpoint keeps beside the random stream."""

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from there."""


class Lessons:
    """Games in which a teacher is asked: chunks of rows to learn from."""

    total: int | None = None

    def __init__(
        self, game: Game, teacher: Player, settings: TeacherSettings, seed: int, margin: float = 0.0,
        gamma: float = 1.0, rotation: Rotation | None = None, **reward: Any,
    ) -> None:  # fmt: skip
        self.teacher, self.settings, self.finished = teacher, settings, 0
        self.margin, self.gamma = margin, gamma
        self.rotation = rotation or Rotation(game)
        self.batch = Batch(game, settings.num_games, gamma=gamma, tables=self.rotation.tables, **reward)
        self.rotation.begin(self.batch, seed)
        self.rng = np.random.default_rng([seed, 11])

    def chunk(self, pupil: Frozen) -> Rows:
        """`steps` decisions of every game: what was seen, what the teacher chose, what it came to.

        Where the game's end is not in the chunk `known` is False: these rows do not teach the value.
        """
        batch, s, actions = self.batch, self.settings, pupil.layout.actions
        to_column = np.zeros(batch.game.num_actions, np.int64)
        to_column[actions] = np.arange(len(actions))
        kept: dict[str, list[Array]] = {name: [] for name in ("observation", "legal", "column", "seat")}
        paid, done = [], []
        for _ in range(s.steps):
            chosen = self.teacher.act_batch(batch.decisions())
            legal = batch.mask[:, actions] != 0
            seat = batch.seat.copy() if batch.game.is_contest else np.zeros_like(batch.seat)
            seen = batch.observation.copy(), legal, to_column[chosen], seat
            for name, held in zip(kept, seen, strict=True):
                kept[name].append(held)
            own = np.flatnonzero(self.rng.random(batch.num_games) < s.mix)
            if len(own):
                logits, _ = pupil(batch.observation[own])
                chosen = chosen.copy()
                chosen[own] = actions[draw(logits.numpy(), legal[own], self.rng.random(len(own)))]
            self.rotation.step(batch, chosen)
            paid.append(batch.reward.copy())
            done.append(batch.done.copy())
            ended = np.flatnonzero(batch.done)
            self.finished += len(ended)
            if self.margin and len(ended):
                paid[-1][ended] += self.margin * final_margins(batch, ended)
        rows = {name: np.stack(held) for name, held in kept.items()}
        rows["value"], rows["known"] = outcomes(np.stack(paid), np.stack(done), rows.pop("seat"), self.gamma)
        return {name: held.reshape(-1, *held.shape[2:]) for name, held in rows.items()}

    def state(self) -> dict[str, Array]:
        """What a checkpoint keeps of the games."""
        return batch_state(self.batch, self.rotation)

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from there."""
        put_batch_state(self.batch, self.rotation, state)


def outcomes(paid: Array, done: Array, seat: Array, gamma: float = 1.0) -> tuple[Array, Array]:
    """For each `[step, game]`: what its seat was paid from then on, and whether that is all.

    As for a learner that sees its own decisions only, each of them discounts what comes after it. (Where all
    play together one learner leads all seats: then all decisions are of seat 0.)
    """
    steps, games = done.shape
    ahead, known = np.zeros(paid.shape[1:], np.float32), np.zeros(games, np.bool_)
    value, whole = np.zeros((steps, games), np.float32), np.zeros((steps, games), np.bool_)
    for k in reversed(range(steps)):
        ahead[done[k]] = 0
        known = known | done[k]
        ahead += paid[k]
        value[k], whole[k] = ahead[np.arange(games), seat[k]], known
        ahead[np.arange(games), seat[k]] *= gamma
    return value, whole


class Cloner:
    """A network, an optimiser of its own, and the lessons so far."""

    def __init__(self, network: Network, settings: TeacherSettings, seed: int) -> None:
        self.network, self.settings = network, settings
        self.optimizer = adam(network, settings.learning_rate)
        self.generator = torch.Generator().manual_seed(seed)

    def frozen(self) -> Frozen:
        """The pupil as it is now."""
        return self.network.frozen()

    def learn(self, rows: Rows, rate: float = 1.0) -> dict[str, float]:
        """Some passes over a chunk, with a share of the learning rate; the means of loss and hits."""
        set_rate(self.optimizer, self.settings.learning_rate * rate)
        data = {name: torch.from_numpy(held) for name, held in rows.items()}
        sums, passes = np.zeros(3), 0
        for _ in range(self.settings.epochs):
            order = torch.randperm(len(data["column"]), generator=self.generator)
            for places in order.split(self.settings.minibatch):
                device = self.network.device
                sums += self._step({name: held[places].to(device) for name, held in data.items()})
                passes += 1
        return dict(zip(("clone_loss", "value_loss", "hits"), (sums / passes).tolist(), strict=True))

    def _step(self, rows: dict[str, torch.Tensor]) -> npt.NDArray[np.float64]:
        logits, value = self.network(rows["observation"])
        log_p = log_probabilities(logits, rows["legal"])
        clone_loss = F.nll_loss(log_p, rows["column"])
        known = rows["known"].float()
        value_loss = ((value - rows["value"]).square() * known).sum() / known.sum().clamp(min=1)
        descend(self.network, self.optimizer, clone_loss + 0.5 * value_loss, 1.0, "lessons")
        hits = (log_p.detach().argmax(1) == rows["column"]).float().mean()
        return np.array([float(clone_loss.detach()), float(value_loss.detach()), float(hits)])
