"""What each objective is worth: dealt by chance, kept by choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.balance.figures import Figures
from experiments.matches.games import Games
from genesia_rl.games.genesia.names import MAX_OBJECTIVE, PART_OBJECTIVE

Array = npt.NDArray[Any]
NUMBERS = range(1, MAX_OBJECTIVE + 1)


class Objectives:
    """By number. Who is dealt what is chance, so `dealt` is causal; who keeps what is not."""

    def __init__(self) -> None:
        self.won_dealt = Figures(MAX_OBJECTIVE + 1)  # above the even share
        self.keeps = Figures(MAX_OBJECTIVE + 1, shares=True)
        self.won_kept = Figures(MAX_OBJECTIVE + 1)
        self.points_dealt = Figures(MAX_OBJECTIVE + 1)  # none if it is not kept
        self.points = Figures(MAX_OBJECTIVE + 1)  # of those who keep it

    def add(self, games: Games) -> None:
        """Some more games: sums over seats."""
        numbers = np.arange(MAX_OBJECTIVE + 1)
        dealt = (games["dealt"][..., None] == numbers).any(axis=2) & (numbers > 0)
        kept = (games["kept"][..., None] == numbers) & (numbers > 0)
        won = (games.won - 1 / games.seats)[..., None]
        points = games["parts"][:, :, PART_OBJECTIVE, None]
        self._add(self.won_dealt, games, won * dealt, dealt)
        self._add(self.keeps, games, kept.astype(np.float64), dealt)
        self._add(self.won_kept, games, won * kept, kept)
        self._add(self.points_dealt, games, points * kept, dealt)
        self._add(self.points, games, points * kept, kept)

    @staticmethod
    def _add(figures: Figures, games: Games, values: Array, counted: Array) -> None:
        """Several seats of a game may have it only one after the other: sums, and how many."""
        figures.add(games, values.sum(axis=1), counted.sum(axis=1))
