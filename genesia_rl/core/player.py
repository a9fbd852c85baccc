"""Who decides: the one protocol that batches, matches, training, environments and people's games share.

A `Player` chooses for the seats that are to act in a number of games at once. It is handed a `DecisionBatch`: a
row for each game with the observation and the mask of the seat, and one random key (`rng_key`), which comes from
the game's seed and the decision's place in the game. All of a player's own chance comes from these, so that the
same situation and key give the same choice in every batch and in every process: games can be split over workers
and played again one by one.

A player that looks ahead needs games to look ahead in. `states` are the true ones: whoever touches them
must first draw anew what the seat cannot see (the kernel `resample`), and the tests hold every registered
player to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ActionError
from genesia_rl.core.game import Game, States, Tables

Array = npt.NDArray[Any]


class DecisionBatch:
    """The seats to act in some games: `rows` of `states`, with the seed of each game.

    Games may be of several configurations: row k's is `tables[which[k]]`. `game` is one that looks like all of
    them (it has the texts, the sizes and the kernels).
    """

    def __init__(
        self,
        game: Game,
        states: States,
        rows: Array,
        seeds: Array,
        observation: Array | None = None,
        mask: Array | None = None,
        tables: Tables | None = None,
        which: Array | None = None,
    ) -> None:
        self.game = game
        self.states = states
        self.rows = np.ascontiguousarray(rows, np.int64)
        self.seeds = np.ascontiguousarray(seeds, np.uint64)
        self.tables = game.tables if tables is None else tables
        none = np.zeros(len(self.rows), np.int32)
        self.which = none if which is None else np.ascontiguousarray(which, np.int32)
        if (states["seat"][self.rows] < 0).any():
            raise ActionError("a game that is over asks nobody, allowed are games in which a seat is to act")
        if observation is not None and mask is not None:
            self.views = mask, observation

    @classmethod
    def one(cls, game: Game, states: States, i: int = 0, seed: int = 0) -> DecisionBatch:
        """One game; all chance comes from the seed (of the game, say) and the number of decisions."""
        return cls(game, states, np.array([i]), np.array([seed % (1 << 64)], np.uint64))

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, places: Array) -> DecisionBatch:
        """Some of the rows."""
        rows, seeds, which = self.rows[places], self.seeds[places], self.which[places]
        made = DecisionBatch(self.game, self.states, rows, seeds, tables=self.tables, which=which)
        if "views" in self.__dict__:
            made.views = self.mask[places], self.observation[places]
        return made

    def tables_of(self, k: int) -> Tables:
        """The configuration of a row, as tables of one record."""
        place = int(self.which[k])
        return self.tables[place : place + 1]

    @cached_property
    def views(self) -> tuple[Array, Array]:
        """Masks and observations, in each seat's own numbering."""
        game, n = self.game, len(self.rows)
        mask = np.zeros((n, game.num_actions), np.int8)
        observation = np.zeros((n, game.observation_size), np.int8)
        game.kernels.view_rows(self.states, self.rows, self.tables, self.which, mask, observation)
        return mask, observation

    @property
    def mask(self) -> Array:
        """[row, action]: 1 where legal."""
        return self.views[0]

    @property
    def observation(self) -> Array:
        """[row, byte]."""
        return self.views[1]

    @property
    def seats(self) -> Array:
        """[row]: the seat to act."""
        return self.states["seat"][self.rows].astype(np.int64)

    @property
    def steps(self) -> Array:
        """[row]: how many decisions the game has seen."""
        return self.states["steps"][self.rows]

    @cached_property
    def rng_key(self) -> npt.NDArray[np.uint64]:
        """[row]: a random number for the decision."""
        from genesia_rl.core import chance  # compiled code: only when it is needed

        return np.asarray(chance.keys(self.seeds, self.steps))

    def uniform(self, stream: int = 0) -> npt.NDArray[np.float64]:
        """A number in [0, 1) for each row; other streams are independent of one another."""
        from genesia_rl.core import chance

        return np.asarray(chance.fractions(chance.keys(self.rng_key, np.full(len(self), stream))))


class Player:
    """Somebody who plays. One of `act` and `act_batch` is to be written; each does the other's work."""

    name: str = "player"
    version: int = 0

    def reset(self, seed: int = 0) -> None:
        """A new match begins: forget what was learned about the games so far."""

    def fingerprint(self, game: Game) -> str:
        """What decides its choices in a game besides its name and version: a digest of its weights, say."""
        return ""

    def act(self, decision: DecisionBatch) -> int:
        """The action for one game, in the acting seat's numbering."""
        if type(self).act_batch is Player.act_batch:
            raise NotImplementedError(f"{type(self).__name__} has neither act nor act_batch")
        return int(self.act_batch(decision)[0])

    def act_batch(self, decisions: DecisionBatch) -> Array:
        """An action for each row, in the acting seats' numbering."""
        return np.array([self.act(decisions.part(np.array([k]))) for k in range(len(decisions))], np.int64)


def ask(players: Sequence[Player], who: Array, decisions: DecisionBatch, clock: Any = None) -> Array:
    """An action for each row from the player whose place in `players` is `who[row]`, each asked once.

    Rows with a negative place are left at -1. `clock(place, rows, seconds)` is told what each took of the processor:
    what others do on the machine meanwhile is no thinking.
    """
    actions = np.full(len(decisions), -1, np.int64)
    for place in np.unique(who[who >= 0]).tolist():
        mine = np.flatnonzero(who == place)
        part = decisions if len(mine) == len(decisions) else decisions.part(mine)
        start = process_time()
        actions[mine] = players[place].act_batch(part)
        if clock is not None:
            clock(place, len(mine), process_time() - start)
    return actions
