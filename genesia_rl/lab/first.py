"""Is it good to be first? By place in the turn order of every stage, and by who may choose that place first."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.lab import Lab
from genesia_rl.lab.figures import Figures
from genesia_rl.matches.games import Games
from genesia_rl.stats.estimate import Estimate, around, around_share

Array = npt.NDArray[Any]
OUTCOMES = ("won", "rank", "score")
WON, RANK, SCORE = range(len(OUTCOMES))


def outcomes(games: Games) -> Array:
    """[game, seat, outcome]: the share of the first place, the rank, the score."""
    return np.stack([games.won, games.rank, games["totals"].astype(np.float64)], axis=2)


class FirstPlayer:
    """By place in each stage; and by seat, which must show nothing where all seats are alike."""

    def __init__(self, players: int, lab: Lab) -> None:
        self.players, stages = players, len(lab.stages)
        self.places = Figures(stages, players, len(OUTCOMES), shares=(WON,))
        self.seats = Figures(players, len(OUTCOMES), shares=(WON,))
        self._by_seat = Figures(stages, players, players, len(OUTCOMES))  # by place and seat

    def add(self, games: Games) -> None:
        """Some more games."""
        found = outcomes(games)
        by_place = games.by_place(found)
        self.places.add(games, by_place)
        held = games["order"][..., None] == np.arange(self.players)
        shape = (*held.shape, len(OUTCOMES))
        self._by_seat.add(games, np.broadcast_to(by_place[..., None, :], shape), held[..., None])
        self.seats.add(games, found)

    @property
    def is_drawn(self) -> bool:
        """Has the first place of the first stage been several seats'? If not, place and seat are one thing."""
        return sum(self._by_seat.get(0, 0, seat, WON).games > 0 for seat in range(self.players)) > 1

    def adjusted(self, stage: int, place: int, outcome: int = WON) -> Estimate:
        """An outcome of a place with the seat taken out: as if every seat had had it equally often.

        A place is one seat's in each game, so the figures by seat come from different games.
        """
        held = [self._by_seat.get(stage, place, seat, outcome) for seat in range(self.players)]
        value = float(np.mean([e.value for e in held]))
        error = math.sqrt(sum(e.se**2 for e in held)) / self.players
        made = around_share if outcome == WON else around
        return made(value, error, sum(e.blocks for e in held), sum(e.games for e in held))


class Choosing:
    """By who chose its place first after each stage but the last."""

    def __init__(self, players: int, lab: Lab) -> None:
        self.turns = Figures(len(lab.stages) - 1, players, len(OUTCOMES), shares=(WON,))
        self.taken = Figures(len(lab.stages) - 1, players, shares=True)

    def add(self, games: Games) -> None:
        """Some more games."""
        choosers = games["choosers"].astype(np.int64)
        by_turn = np.take_along_axis(outcomes(games)[:, None], choosers[..., None], axis=2)
        self.turns.add(games, by_turn)
        place = np.take_along_axis(games.place[:, 1:], choosers[..., :1], axis=2)[..., 0]
        self.taken.add(games, (place[..., None] == np.arange(games.seats)).astype(np.float64))
