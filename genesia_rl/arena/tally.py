"""What can be counted: first places, ranks, points and their parts, and who ends before whom."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.matches.games import Games
from genesia_rl.matches.series import Series
from genesia_rl.stats.estimate import Estimate
from genesia_rl.stats.moments import Moments
from genesia_rl.stats.shares import first_shares, mean_ranks

Array = npt.NDArray[Any]
#: Figures of every game; the parts of its score come on top.
RESULTS = ("first", "rank", "score", "lead")


class Sides:
    """Finished games by side (a seat or a team): `[game, side]` for each array."""

    def __init__(self, games: Games, series: Series) -> None:
        first = [side[0] for side in series.sides]
        self.games = games
        self.entrant = games["entrants"][:, first].astype(np.int64)
        self.place = games["ranks"][:, first].astype(np.int64)
        totals = games["totals"].astype(np.float64)
        parts = games["parts"][..., : len(series.game.score_parts)].astype(np.float64)
        if series.game.facts.team_score == "sum":
            self.score = _summed(totals, series.sides)
            self.parts = _summed(parts, series.sides)
        else:  # the lowest among a team's members; its parts are theirs
            lowest = [np.array(side)[totals[:, list(side)].argmin(axis=1)] for side in series.sides]
            seats = np.stack(lowest, axis=1)
            self.score = np.take_along_axis(totals, seats, axis=1)
            self.parts = np.take_along_axis(parts, seats[..., None], axis=1)

    @property
    def won(self) -> Array:
        """The side's share of the first place."""
        return first_shares(self.place)

    @property
    def rank(self) -> Array:
        """1 for the first; those who share ranks have the mean of them."""
        return mean_ranks(self.place)

    @property
    def lead(self) -> Array:
        """Points ahead of the best other side."""
        rest = [np.delete(self.score, side, axis=1).max(axis=1) for side in range(self.score.shape[1])]
        return np.asarray(self.score - np.stack(rest, axis=1))

    def figures(self) -> Array:
        """[game, side, figure]: RESULTS, then the parts of the score."""
        counted = np.stack([self.won, self.rank, self.score, self.lead], axis=2)
        return np.concatenate([counted, self.parts], axis=2)


def _summed(values: Array, sides: tuple[tuple[int, ...], ...]) -> Array:
    """[game, side, ...]: sums over the seats of each side."""
    return np.stack([values[:, list(side)].sum(axis=1) for side in sides], axis=1)


class Tally:
    """Figures of entrants and of pairs of them; memory does not grow with the games."""

    def __init__(self, series: Series) -> None:
        self.entrants = len(series.entrants)
        self.names = (*RESULTS, *series.game.score_parts)
        self._own = Moments(self.entrants * len(self.names))
        self._pairs = Moments(self.entrants * self.entrants)

    def add(self, sides: Sides) -> None:
        """Some more games."""
        games = sides.games
        who = np.eye(self.entrants)[sides.entrant]  # [game, side, entrant]
        sums = np.einsum("gse,gsf->gef", who, sides.figures())
        often = np.repeat(who.sum(axis=1)[..., None], len(self.names), axis=2)
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
        place = entrant * len(self.names) + self.names.index(name)
        return self._own.estimate(place, proportion=name == "first")

    def ahead(self, one: int, other: int) -> Estimate:
        """How often one ends before the other, ties counting half."""
        return self._pairs.estimate(one * self.entrants + other, proportion=True)
