"""Plays whole games for a learner that is elsewhere. It needs no torch, and knows nothing of Ray but its objects."""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.game import Game
from genesia_rl.core.registry import make_game, register_game
from genesia_rl.learn.varied import Rotation
from genesia_rl.players.incremental import Games
from genesia_rl.players.learned import facts_of
from genesia_rl.players.networks import Architecture, Layout, initial_weights

Array = npt.NDArray[Any]
#: Results, decisions, and the arrays of their trace.
Answer = tuple[Array, int, tuple[Array, ...]]


class Setup(NamedTuple):
    """All that decides how an actor plays, beside weights, seeds and who sits where."""

    package: str  # of the game
    name: str
    config: dict[str, Any]
    fields: list[dict[str, Any]]  # of the variations that games are dealt with
    seed: int
    architecture: Architecture  # the widest of all that play
    temperatures: dict[int, float]  # of networks by number that do not draw as they learned
    characters: list[str]
    reward: dict[str, Any]


def made_for(game: Game) -> dict[str, Any]:
    """The game, and how the records of its states are laid out: what two machines must have in common."""
    kinds = (game.state_dtype, game.facts.row_dtype, game.facts.result_dtype)
    records = repr([kind.descr for kind in kinds]).encode()
    return {**facts_of(game), "states": hashlib.blake2b(records, digest_size=8).hexdigest()}


class Actor:
    """One core's worth of games, in compiled calls."""

    def __init__(self) -> None:
        self.games: Games
        self.temperatures: dict[int, float] = {}
        self.known: dict[str, dict[str, Array]] = {}  # weights by the names of Ray's objects
        self.nets: Any = None

    def here(self) -> str:
        """Where it is: the machine's name, and the process there."""
        return f"{socket.gethostname()}:{os.getpid()}"

    def begin(self, setup: Setup) -> dict[str, Any]:
        """Make the game and compile what plays it; returns which game it is here."""
        register_game(setup.name, setup.package, listed=False)
        game = make_game(setup.name, **setup.config)
        layout, self.temperatures = Layout(game), setup.temperatures
        tables = Rotation(game, setup.fields, setup.seed).tables
        self.games = Games(
            game, setup.architecture, layout, setup.characters, tables, 1, **setup.reward
        )  # compiled on one thread, as an actor has one core
        weights = initial_weights(setup.architecture, layout, np.random.default_rng(0))
        lineup = np.zeros((1, game.facts.most_seats), np.int16)
        self.games.play(
            self.games.nets([weights]), np.zeros(1, np.uint64), lineup, np.ones(lineup.shape, np.int8)
        )
        return made_for(game)

    def play(
        self, weights: Sequence[Any], seeds: Array, seated: Array, learns: Array, which: Array
    ) -> Answer:
        """A game for every seed; `weights` are Ray's objects, the newest network's first."""
        lineup, pupils, dealt = map(np.array, (seated, learns, which))  # Ray's own may not be written to
        played = self.games.play(self._nets(weights), np.array(seeds), lineup, pupils, dealt)
        return played.results, played.decisions, tuple(played.trace)

    def _nets(self, weights: Sequence[Any]) -> Any:
        """The networks as compiled code reads them; weights that are known already are not fetched again."""
        import ray

        names = [ref.hex() for ref in weights]
        if self.nets is None or self.nets[0] != names:
            new = {name: ref for name, ref in zip(names, weights, strict=True) if name not in self.known}
            found = dict(zip(new, ray.get([*new.values()]), strict=True))
            self.known = {name: self.known.get(name) or found[name] for name in names}
            held = [self.known[name] for name in names]
            self.nets = names, self.games.nets(held, self.temperatures)
        return self.nets[1]
