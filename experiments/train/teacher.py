"""Behaviour cloning: a network learns to choose what a teacher would choose, and who will win.

Any `Player` can teach. It is asked in every position of games in which it plays itself, except that some
decisions are the pupil's own (`mix`): so the teacher is also asked about the positions into which a pupil's
mistakes lead. Values are learned from the results of the games.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional as F

from agents.networks import draw
from experiments.train.deals import Deals, DealtBatch
from experiments.train.league import batch_state, final_margins, put_batch_state
from experiments.train.policy import Frozen, Network, log_probabilities, refuse_non_finite
from experiments.train.settings import TeacherSettings
from genesia_rl.contract import Game
from genesia_rl.seen import Player

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
        self, game: Game | Deals, teacher: Player, settings: TeacherSettings, seed: int, margin: float = 0.0,
        gamma: float = 1.0, **reward: Any,
    ) -> None:  # fmt: skip
        self.teacher, self.settings, self.finished = teacher, settings, 0
        self.margin, self.gamma = margin, gamma
        deals = game if isinstance(game, Deals) else Deals(game)
        self.batch = DealtBatch(deals, settings.num_games, gamma=gamma, **reward)
        self.batch.reset(seed)
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
            chosen = batch.ask(self.teacher)
            legal = batch.mask[:, actions] != 0
            for name, held in zip(
                kept, (batch.observation.copy(), legal, to_column[chosen], batch.seat.copy()), strict=True
            ):
                kept[name].append(held)
            own = np.flatnonzero(self.rng.random(batch.num_games) < s.mix)
            if len(own):
                logits, _ = pupil(batch.observation[own])
                chosen = chosen.copy()
                chosen[own] = actions[draw(logits.numpy(), legal[own], self.rng.random(len(own)))]
            batch.step(chosen)
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
        return batch_state(self.batch)

    def put_state(self, state: dict[str, Array]) -> None:
        """Go on from there."""
        put_batch_state(self.batch, state)


def outcomes(paid: Array, done: Array, seat: Array, gamma: float = 1.0) -> tuple[Array, Array]:
    """For each `[step, game]`: what its seat was paid from then on, and whether that is all.

    As for a learner that sees its own decisions only, each of them discounts what comes after it.
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
        self.optimizer = torch.optim.Adam(network.parameters(), settings.learning_rate, eps=1e-5)
        self.generator = torch.Generator().manual_seed(seed)

    def frozen(self) -> Frozen:
        """The pupil as it is now."""
        return Frozen(self.network.architecture, self.network.layout, self.network.numpy_weights())

    def learn(self, rows: Rows, rate: float = 1.0) -> dict[str, float]:
        """Some passes over a chunk, with a share of the learning rate; the means of loss and hits."""
        for group in self.optimizer.param_groups:
            group["lr"] = self.settings.learning_rate * rate
        data = {name: torch.from_numpy(held) for name, held in rows.items()}
        sums, passes = np.zeros(3), 0
        for _ in range(self.settings.epochs):
            order = torch.randperm(len(data["column"]), generator=self.generator)
            for places in order.split(self.settings.minibatch):
                sums += self._step({name: held[places] for name, held in data.items()})
                passes += 1
        return dict(zip(("clone_loss", "value_loss", "hits"), (sums / passes).tolist(), strict=True))

    def _step(self, rows: dict[str, torch.Tensor]) -> npt.NDArray[np.float64]:
        logits, value = self.network(rows["observation"])
        log_p = log_probabilities(logits, rows["legal"])
        clone_loss = F.nll_loss(log_p, rows["column"])
        known = rows["known"].float()
        value_loss = ((value - rows["value"]).square() * known).sum() / known.sum().clamp(min=1)
        self.optimizer.zero_grad()
        loss = clone_loss + 0.5 * value_loss
        loss.backward()
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        refuse_non_finite("lessons", loss, norm)
        self.optimizer.step()
        hits = (log_p.detach().argmax(1) == rows["column"]).float().mean()
        return np.array([float(clone_loss.detach()), float(value_loss.detach()), float(hits)])


def clone(
    network: Network,
    game: Game,
    teacher: Player,
    settings: TeacherSettings,
    seed: int = 0,
    minutes: float | None = None,
    on_chunk: Callable[[dict[str, float]], None] | None = None,
    **reward: Any,
) -> dict[str, float]:
    """Copy a teacher for so many minutes, or `settings.updates` chunks; the last chunk's figures."""
    lessons, cloner = Lessons(game, teacher, settings, seed, **reward), Cloner(network, settings, seed)
    start, chunks, found = time.perf_counter(), 0, {"hits": 0.0}
    while True:
        spent = time.perf_counter() - start
        over = chunks / settings.updates if settings.updates else spent / (60 * (minutes or 1.0))
        if over >= 1:
            return found
        begun = time.perf_counter()
        rows = lessons.chunk(cloner.frozen())
        asked = time.perf_counter()
        found = cloner.learn(rows, max(0.05, 1 - over))
        chunks += 1
        found |= {"chunk": chunks, "decisions": chunks * len(rows["column"]),
                  "asking": asked - begun, "learning": time.perf_counter() - asked}  # fmt: skip
        if on_chunk is not None:
            on_chunk(found)
