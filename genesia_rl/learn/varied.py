"""Games in all variations: what a game lets vary in its deal changes from game to game.

Variations decide what is dealt and nothing else, so one batch plays them all (`Batch(tables=...)`). The first
games are spread over them; a game that begins later has the variation whose turn it is, and each has a step
in turn, in an order drawn from the seed. So no game is cut short, and only the number of steps is kept to go
on in the same way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.game import Game
from genesia_rl.vector.batch import Batch

Fields = Mapping[str, Any]


class Rotation:
    """The variations of a game, and whose turn it is; without any the game is played as it is."""

    def __init__(self, game: Game, fields: Sequence[Fields] = (), seed: int = 0) -> None:
        self.tables = game.variations(fields) if fields else game.tables
        self.order = np.random.default_rng([seed, 13]).permutation(len(self.tables)).astype(np.int32)
        self.turn = np.zeros(1, np.int64)  # steps so far

    def spread(self, games: int) -> npt.NDArray[np.int32]:
        """Variations for so many games, all of them as often."""
        return np.resize(self.order, games)

    def begin(self, batch: Batch, seed: int) -> None:
        """Begin all games anew."""
        batch.next_table[:] = self.spread(batch.num_games)
        self.turn[0] = 0
        batch.reset(seed)

    def step(self, batch: Batch, actions: npt.NDArray[Any]) -> None:
        """One action in every game; what begins now has the variation whose turn it is."""
        batch.next_table[:] = self.order[int(self.turn[0]) % len(self.order)]
        batch.step(actions)
        self.turn += 1
