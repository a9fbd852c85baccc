"""What players are shown, and what a player is.

A `Player` chooses for the seats that are to act in a number of games at once. It is handed a `Seen`: a row
for each game with the observation and the mask of the seat, and one number drawn by chance (`salt`).
All of a player's own chance comes from the salt, so that the same situation and salt give the same choice
in every batch and in every process: games can be split over workers and played again one by one.

A player that looks ahead needs games to look ahead in. `states` are the true ones: whoever touches them
must first draw anew what the seat cannot see (`Game.resample_hidden`, the entry `resample`), and the
tests hold every registered agent to it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cache, cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.contract import Game, States
from genesia_rl.errors import ActionError, ConfigError

Array = npt.NDArray[Any]
U64 = np.uint64

_GOLDEN = U64(0x9E3779B97F4A7C15)
_A, _B = U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB)


def mix(numbers: Array) -> npt.NDArray[np.uint64]:
    """The outputs of splitmix64 streams, as in `rng.mix`, for an array of them."""
    z = np.asarray(numbers, U64)
    with np.errstate(over="ignore"):
        z = (z ^ z >> U64(30)) * _A
        z = (z ^ z >> U64(27)) * _B
    return np.asarray(z ^ z >> U64(31))


def salts(seeds: Array, steps: Array) -> npt.NDArray[np.uint64]:
    """A number drawn by chance for a decision: from the game's seed and its place in the game."""
    with np.errstate(over="ignore"):
        return mix(np.asarray(seeds, U64) + _GOLDEN * (np.asarray(steps).astype(U64) + U64(1)))


class Seen:
    """The seats to act in some games: `rows` of `states`, with a salt for each."""

    def __init__(
        self,
        game: Game,
        states: States,
        rows: Array,
        salt: Array,
        observation: Array | None = None,
        mask: Array | None = None,
    ) -> None:
        self.game = game
        self.states = states
        self.rows = np.ascontiguousarray(rows, np.int64)
        self.salt = np.ascontiguousarray(salt, U64)
        if (states["seat"][self.rows] < 0).any():
            raise ActionError("a game that is over asks nobody, allowed are games in which a seat is to act")
        if observation is not None and mask is not None:
            self.views = mask, observation

    @classmethod
    def one(cls, game: Game, states: States, i: int = 0, seed: int = 0) -> Seen:
        """One game; the salt comes from the seed (of the game, say) and the number of decisions."""
        salt = salts(np.array([seed % (1 << 64)], U64), states["steps"][i : i + 1])
        return cls(game, states, np.array([i]), salt)

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, places: Array) -> Seen:
        """Some of the rows."""
        made = Seen(self.game, self.states, self.rows[places], self.salt[places])
        if "views" in self.__dict__:
            made.views = self.mask[places], self.observation[places]
        return made

    @cached_property
    def views(self) -> tuple[Array, Array]:
        """Masks and observations, in each seat's own numbering."""
        game, n = self.game, len(self.rows)
        mask = np.zeros((n, game.num_actions), np.int8)
        observation = np.zeros((n, game.observation_size), np.int8)
        for k, i in enumerate(self.rows.tolist()):
            seat = game.seat(self.states, i)
            game.entries.view(self.states, i, game.tables, seat, mask[k], observation[k])
        return mask, observation

    @property
    def mask(self) -> Array:
        """[row, action]: 1 where legal."""
        return self.views[0]

    @property
    def observation(self) -> Array:
        """[row, byte]."""
        return self.views[1]

    def uniform(self, stream: int = 0) -> npt.NDArray[np.float64]:
        """A number in [0, 1) for each row; other streams are independent of one another."""
        bits = salts(self.salt, np.full(len(self), stream))
        return np.asarray((bits >> U64(11)) * 2.0**-53)


@cache
def player_of(code: str) -> Player:
    """The registered agent of a short code (`greedy`, `mcts:400`); agents keep no memory of a game."""
    try:
        from agents.registry import make_agent
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "agents":
            raise
        raise ConfigError(f"agent {code!r}: the package `agents` is missing, allowed is random") from None
    return make_agent(code)


class Player(ABC):
    """Somebody who plays: what batches, the arena and the environments ask for actions."""

    name: str = "player"
    version: int = 0

    def reset(self, seed: int = 0) -> None:  # noqa: B027  most players have nothing to forget
        """A new match begins: forget what was learned about the games so far."""

    def fingerprint(self, game: Game) -> str:
        """What decides its choices in a game besides its name and version: a digest of its weights, say."""
        return ""

    def act(self, seen: Seen) -> int:
        """The action for one game, in the acting seat's numbering."""
        return int(self.act_batch(seen)[0])

    @abstractmethod
    def act_batch(self, seen: Seen) -> Array:
        """An action for each row, in the acting seats' numbering."""
