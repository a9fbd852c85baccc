"""What things are worth that are dealt by chance and kept by choice."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.lab import OfferSet
from genesia_rl.lab.figures import Figures
from genesia_rl.matches.games import Games

Array = npt.NDArray[Any]


def keeps(offers: OfferSet, games: Games) -> tuple[Array, Array]:
    """[game, item]: how many seats keep it; how many were dealt it."""
    dealt, kept = offers.dealt(games), offers.kept(games)
    return kept.astype(np.float64).sum(axis=1), dealt.sum(axis=1)


class Offers:
    """By number. Who is dealt what is chance, so `dealt` is causal; who keeps what is not."""

    def __init__(self, offers: OfferSet) -> None:
        self.offers = offers
        size = offers.most + 1
        self.won_dealt = Figures(size)  # above the even share
        self.keeps = Figures(size, shares=True)
        self.won_kept = Figures(size)
        self.points_dealt = Figures(size)  # none if it is not kept
        self.points = Figures(size)  # of those who keep it

    @property
    def numbers(self) -> range:
        """Of all things that there may be."""
        return range(1, self.offers.most + 1)

    def add(self, games: Games) -> None:
        """Some more games: sums over seats."""
        dealt, kept = self.offers.dealt(games), self.offers.kept(games)
        won = (games.won - 1 / games.seats)[..., None]
        points = self.offers.points(games)[..., None]
        self._add(self.won_dealt, games, won * dealt, dealt)
        self.keeps.add(games, *keeps(self.offers, games))
        self._add(self.won_kept, games, won * kept, kept)
        self._add(self.points_dealt, games, points * kept, dealt)
        self._add(self.points, games, points * kept, kept)

    @staticmethod
    def _add(figures: Figures, games: Games, values: Array, counted: Array) -> None:
        """Several seats of a game may have it only one after the other: sums, and how many."""
        figures.add(games, values.sum(axis=1), counted.sum(axis=1))
