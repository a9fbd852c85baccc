"""What something in the game is worth: who plays without it, against others who play with it."""

from __future__ import annotations

import numpy as np

from genesia_rl.lab.figures import Figures
from genesia_rl.matches.games import Games


class Restricted:
    """How the one without does, from every seat of every deal."""

    def __init__(self) -> None:
        self.won = Figures(1, shares=True)
        self.points = Figures(1)

    def add(self, games: Games) -> None:
        """Some more games; the one without is entrant 0."""
        seat = np.argmax(games["entrants"] == 0, axis=1)[:, None]
        self.won.add(games, np.take_along_axis(games.won, seat, axis=1))
        self.points.add(games, np.take_along_axis(games.margin, seat, axis=1))
