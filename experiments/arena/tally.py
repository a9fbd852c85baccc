"""What can be counted: first places, ranks, points and their parts, and who ends before whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.matches.games import Games
from experiments.stats.estimate import Estimate
from experiments.stats.moments import Moments
from genesia_rl.games.genesia.names import SCORE_PARTS

Array = npt.NDArray[Any]
FIGURES = ("first", "rank", "score", "lead", *SCORE_PARTS)


class Sides:
    """Finished games by side (a seat or a team): `[game, side]` for each array."""

    def __init__(self, games: Games, sides: tuple[tuple[int, ...], ...]) -> None:
        first = [side[0] for side in sides]
        self.games = games
        self.entrant = games["entrants"][:, first].astype(np.int64)
        self.place = games["places"][:, first].astype(np.int64)
        totals = games["totals"].astype(np.float64)
        parts = games["parts"].astype(np.float64)
        #: RULES 6: a team's score is the lowest among its members; its parts are theirs.
        lowest = [np.array(side)[totals[:, list(side)].argmin(axis=1)] for side in sides]
        seats = np.stack(lowest, axis=1)
        self.score = np.take_along_axis(totals, seats, axis=1)
        self.parts = np.take_along_axis(parts, seats[..., None], axis=1)

    @property
    def won(self) -> Array:
        """The side's share of the first place."""
        best = self.place == self.place.min(axis=1, keepdims=True)
        return np.asarray(best / best.sum(axis=1, keepdims=True))

    @property
    def rank(self) -> Array:
        """1 for the first; those who share places have the mean of them."""
        before = (self.place[:, None, :] < self.place[:, :, None]).sum(axis=2)
        alike = (self.place[:, None, :] == self.place[:, :, None]).sum(axis=2)
        return np.asarray(before + (alike + 1) / 2)

    @property
    def lead(self) -> Array:
        """Points ahead of the best other side."""
        rest = [np.delete(self.score, side, axis=1).max(axis=1) for side in range(self.score.shape[1])]
        return np.asarray(self.score - np.stack(rest, axis=1))

    def figures(self) -> Array:
        """[game, side, figure], in the order of FIGURES."""
        counted = np.stack([self.won, self.rank, self.score, self.lead], axis=2)
        return np.concatenate([counted, self.parts], axis=2)


class Tally:
    """Figures of entrants and of pairs of them; memory does not grow with the games."""

    def __init__(self, entrants: int) -> None:
        self.entrants = entrants
        self._own = Moments(entrants * len(FIGURES))
        self._pairs = Moments(entrants * entrants)

    def add(self, sides: Sides) -> None:
        """Some more games."""
        games = sides.games
        who = np.eye(self.entrants)[sides.entrant]  # [game, side, entrant]
        sums = np.einsum("gse,gsf->gef", who, sides.figures())
        often = np.repeat(who.sum(axis=1)[..., None], len(FIGURES), axis=2)
        self._add(self._own, games, sums, often)
        ahead = np.sign(sides.place[:, None, :] - sides.place[:, :, None]) / 2 + 0.5  # [game, a, b]
        apart = 1.0 - np.eye(sides.place.shape[1])
        met = np.einsum("gae,gbf,ab->gef", who, who, apart)
        won = np.einsum("gae,gbf,gab->gef", who, who, ahead * apart)
        self._add(self._pairs, games, won, met)

    @staticmethod
    def _add(moments: Moments, games: Games, sums: Array, often: Array) -> None:
        x, y, seen = (games.by_block(part).reshape(-1, moments.k) for part in (sums, often, often > 0))
        moments.add(x, y, seen)

    def figure(self, entrant: int, name: str) -> Estimate:
        """A figure of an entrant; `first` is a share."""
        return self._own.estimate(entrant * len(FIGURES) + FIGURES.index(name), proportion=name == "first")

    def ahead(self, one: int, other: int) -> Estimate:
        """How often one ends before the other, ties counting half."""
        return self._pairs.estimate(one * self.entrants + other, proportion=True)
