"""The games that a network learns from: against itself and guests, with a search in some of the decisions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from experiments.alphazero.search import Found, Net, Optimism, Search, Style
from genesia_rl.core.game import Game
from genesia_rl.core.player import ask
from genesia_rl.core.registry import default_game
from genesia_rl.learn.policy import Frozen
from genesia_rl.players.codes import make_players, scripted_of
from genesia_rl.players.networks import draw
from genesia_rl.vector.batch import Batch

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Settings:
    """A run; the defaults were used for the results in README.md."""

    game: str = field(default_factory=default_game)
    minutes: float = 10.0
    seed: int = 0
    network: str = "graph"  # the kind, with its usual sizes; or as in compare.py, `flat:width=256`
    start: str | None = None  # a model to begin from, instead of the lessons
    teacher: str | None = None  # the first character of the game's mind
    lessons: float = 0.15  # share of the minutes
    shaping: float = 1.0  # what values foresee is shaped, as in `genesia train`
    games: int = 128
    steps: int = 32  # decisions of each game between two spells of learning
    guests: str | None = None  # codes between commas; all characters of the game's mind
    guest_share: float = 0.4  # share of the games in which a guest has one of the seats
    searched: float = 0.25  # share of the decisions in which the seat searches
    trust: float = 0.0  # how much of a value comes from the search, the rest from the result
    capacity: int = 40_000  # positions that are remembered
    passes: float = 4.0  # how often a position is learned from
    minibatch: int = 1024
    learning_rate: float = 3e-4
    final_rate: float = 0.1
    style: Style = field(default_factory=Style)


class Memory:
    """The latest searched positions, in a ring; `known` are those whose game is over."""

    def __init__(self, capacity: int, size: int, columns: int) -> None:
        self.observation = np.zeros((capacity, size), np.int8)
        self.legal = np.zeros((capacity, columns), np.bool_)
        self.policy = np.zeros((capacity, columns), np.float16)
        self.value = np.zeros(capacity, np.float32)
        self.known = np.zeros(capacity, np.bool_)
        self.written = 0

    def add(self, observation: Array, legal: Array, policy: Array) -> npt.NDArray[np.int64]:
        """Keep positions; their numbers."""
        numbers = self.written + np.arange(len(policy))
        places = numbers % len(self.known)
        self.observation[places], self.legal[places], self.policy[places] = observation, legal, policy
        self.known[places] = False
        self.written += len(places)
        return numbers

    def tell(self, number: int, value: float) -> None:
        """The value of a position, unless it was forgotten meanwhile."""
        if self.written - number <= len(self.known):
            self.value[number % len(self.known)], self.known[number % len(self.known)] = value, True

    def draw(self, number: int, size: int, rng: np.random.Generator) -> Iterator[dict[str, torch.Tensor]]:
        """So many minibatches of positions whose result is known."""
        known = np.flatnonzero(self.known)
        for _ in range(number if len(known) else 0):
            rows = rng.choice(known, size)
            names = ("observation", "legal", "policy", "value")
            yield {name: torch.from_numpy(getattr(self, name)[rows]) for name in names}


class SelfPlay:
    """Games of the network against itself; what is searched goes to the memory."""

    def __init__(self, settings: Settings, game: Game, memory: Memory) -> None:
        self.settings, self.memory = settings, memory
        self.batch = Batch(game, settings.games, shaping=settings.shaping)
        self.batch.reset(settings.seed)
        self.rng = np.random.default_rng([settings.seed, 13])
        self.finished = 0
        self.optimism = Optimism(game)
        self.guests = make_players(settings.guests or ",".join(characters_of(game.name)), game.name)
        self.guest = np.zeros(settings.games, np.int64)  # who it is in each game, -1 for nobody
        self.guest_seat = np.zeros(settings.games, np.int64)
        self._invite(np.arange(settings.games))
        self._open: list[list[tuple[int, int, float, float]]] = [[] for _ in range(settings.games)]

    def play(self, frozen: Frozen) -> None:
        """`steps` decisions of every game."""
        actions = frozen.layout.actions
        search = Search(self.batch.game, net_of(frozen), actions, self.settings.style,
                        self.settings.shaping, self.batch.game.facts.score_scale)  # fmt: skip
        search.optimism = self.optimism
        self.optimism.fade(0.9)
        search.calibrate(self.batch.decisions(np.flatnonzero(self.guest < 0)))
        for _ in range(self.settings.steps):
            away = (self.guest >= 0) & (self.guest_seat == self.batch.seat)
            searching = self.rng.random(self.settings.games) < self.settings.searched
            chosen = self._asked(np.flatnonzero(away))
            rows = np.flatnonzero(searching & ~away)
            if len(rows):
                found = search(self.batch.decisions(rows), self.rng.gumbel(size=(len(rows), len(actions))))
                self._keep(rows, found, actions)
                chosen[rows] = actions[found.column]
            rows = np.flatnonzero(~searching & ~away)
            if len(rows):
                chosen[rows] = actions[self._drawn(rows, frozen)]
            self.batch.step(chosen)
            self._close(np.flatnonzero(self.batch.done))

    def _invite(self, rows: Array) -> None:
        """Draw who sits opposite the network in these games, and where."""
        guests = self.rng.integers(len(self.guests), size=len(rows))
        coming = self.rng.random(len(rows)) < self.settings.guest_share
        self.guest[rows] = np.where(coming, guests, -1)
        self.guest_seat[rows] = self.rng.integers(2, size=len(rows))

    def _asked(self, rows: Array) -> npt.NDArray[np.int64]:
        """The actions of guests in these games; of the others nothing yet."""
        chosen = np.zeros(self.settings.games, np.int64)
        chosen[rows] = ask(self.guests, self.guest[rows], self.batch.decisions(rows))
        return chosen

    def _drawn(self, rows: Array, frozen: Frozen) -> npt.NDArray[np.int64]:
        """Columns drawn from the policy."""
        logits, _ = frozen(self.batch.observation[rows])
        legal = self.batch.mask[rows][:, frozen.layout.actions] != 0
        return draw(logits.numpy(), legal, self.rng.random(len(rows)))

    def _keep(self, rows: Array, found: Found, actions: Array) -> None:
        batch = self.batch
        legal = batch.mask[rows][:, actions] != 0
        numbers = self.memory.add(batch.observation[rows], legal, found.policy)
        seats = batch.seat[rows].astype(np.int64)
        told = (numbers, seats, self._paid(rows), found.value)
        kept = zip(*(array.tolist() for array in told), strict=True)
        for row, position in zip(rows.tolist(), kept, strict=True):
            self._open[row].append(position)

    def _paid(self, rows: Array) -> Array:
        """What shaping has paid the seats to act so far: the running margin."""
        seats = self.batch.seat[rows].astype(np.int64)
        return self.settings.shaping * self.batch.games["potential"][rows, seats]

    def _close(self, rows: Array) -> None:
        """Finished games tell their positions the result."""
        trust = self.settings.trust
        for row in rows.tolist():
            ranks = self.batch.results["ranks"][row]
            for number, seat, paid, value in self._open[row]:
                result = float(np.sign(int(ranks[1 - seat]) - int(ranks[seat])))
                self.memory.tell(number, (1 - trust) * result + trust * value - paid)
            self._open[row] = []
        self.finished += len(rows)
        self._invite(rows)


def characters_of(game: str) -> list[str]:
    """The codes of the characters of a game's mind, or random play."""
    return list(scripted_of(game)) or ["random"]


def net_of(frozen: Frozen) -> Net:
    """A frozen network as the search asks it."""

    def net(observation: Array) -> tuple[Array, Array]:
        logits, value = frozen(np.ascontiguousarray(observation))
        return logits.numpy(), value.numpy()

    return net
