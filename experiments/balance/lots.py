"""Which colour lots make which game: by the combination of each Age, and the best for a purpose."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from experiments.balance.figures import Figures
from experiments.balance.fit import spread_beyond, spread_of_ages
from experiments.matches.games import Games
from experiments.matches.lots import choices, name_of
from experiments.stats.estimate import Estimate
from experiments.stats.shrink import Shrunk, shrink
from genesia_rl.games.genesia.names import AGES

Array = npt.NDArray[Any]
NORMAL = 1.96  # standard errors to either side: an interval of 95 %

#: What a game is like; the last is by how much the first player of Age I wins more than its share.
TRAITS = ("score", "decisions", "assaults", "lead changes", "closeness", "first player's edge")
SCORE, LENGTH, WARS, LEAD_CHANGES, CLOSENESS, EDGE = range(len(TRAITS))

#: Traits that no game has less than none of.
NEVER_BELOW_0 = (LENGTH, WARS, LEAD_CHANGES, CLOSENESS)

#: purpose -> (trait, sign): the best have most of it (1), least (-1), or are nearest to none (0).
TARGETS = {
    "fairest": (EDGE, 0), "most warlike": (WARS, 1), "longest": (LENGTH, 1), "closest": (CLOSENESS, -1),
    "highest scoring": (SCORE, 1), "most lead changes": (LEAD_CHANGES, 1),
}  # fmt: skip


def traits(games: Games) -> Array:
    """[game, trait]."""
    edge = games.at_place(games.won, 0)[:, 0] - 1 / games.seats
    columns = (
        games["totals"].mean(axis=1),
        games["steps"],
        games.wars,
        games["lead_changes"],
        games.lead,
        edge,
    )
    return np.stack(columns, axis=1).astype(np.float64)


class Choice(NamedTuple):
    """The lots of the three Ages, and a trait of the games that they make."""

    lots: tuple[str, ...]
    value: float
    low: float
    high: float
    games: int  # that were played with exactly these lots


class Lots:
    """By the combination of each Age, and for all games together."""

    def __init__(self, players: int, cells: tuple[tuple[int, ...], ...]) -> None:
        self.names = [name_of(combination) for combination in choices(players)]
        self._cells = cells
        self.by_age = Figures(AGES, len(self.names), len(TRAITS))
        self.overall = Figures(len(TRAITS))
        self.by_cell = [Figures(len(TRAITS)) for _ in cells]

    @property
    def always_together(self) -> bool:
        """Do an Age's lots always come with the same lots of the other Ages, so that nobody can tell whose
        effect it is?"""
        return 1 < len(self._cells) <= len(self.names)

    def add(self, games: Games) -> None:
        """Some more games."""
        found = traits(games)
        self.overall.add(games, found)
        age_lots = np.stack([games.combination(self._cells, age) for age in range(AGES)], axis=1)
        used = age_lots[:, :, None] == np.arange(len(self.names))
        shape = (len(games), AGES, len(self.names), len(TRAITS))
        self.by_age.add(games, np.broadcast_to(found[:, None, None], shape), used[..., None])
        for cell in np.unique(games["cell"]):
            self.by_cell[cell].add(games, found, (games["cell"] == cell)[:, None])

    def ranked(self, target: str) -> list[Choice]:
        """All combinations of three Ages, the best for a purpose first; none if there is only one.

        Each differs from the mean by the effects of its three Ages. The Ages' lots vary independently of one
        another, so that effects are added up, and their errors as well. As the best and the worst are picked
        out, effects are drawn towards their mean: otherwise the ends would be those with the most luck. What
        lots do together beyond that is part of the interval. If Ages' lots always come together, only
        those that were played are compared.
        """
        trait, sign = TARGETS[target]
        if len(self._cells) < 2:
            return []
        every = self._played_ones(trait) if self.always_together else self._added_up(trait)
        found = [choice for choice in every if not math.isnan(choice.value)]
        found.sort(key=lambda c: (abs(c.value) if sign == 0 else -sign * c.value, c.lots))
        return [_clipped(choice) for choice in found] if trait in NEVER_BELOW_0 else found

    def _added_up(self, trait: int) -> Iterator[Choice]:
        """Every combination, whether it was played or not."""
        mean, places = self.overall.get(trait).value, range(len(self.names))
        ages = [_drawn(self._effects(age, trait)) for age in range(AGES)]
        together = self.together(trait).value
        own = 0.0 if math.isnan(together) else together
        games = {cell: figures.get(trait).games for cell, figures in self.played()}
        for triple in product(places, repeat=AGES):
            value = mean + sum(age.values[k] - age.mean for age, k in zip(ages, triple, strict=True))
            errors = (age.errors[k] for age, k in zip(ages, triple, strict=True))
            yield self._choice(triple, float(value), math.hypot(own, *errors), games.get(triple, 0))

    def _played_ones(self, trait: int) -> Iterator[Choice]:
        """The combinations that were played, each by its own games."""
        held = [figures.get(trait) for figures in self.by_cell]
        drawn = _drawn(held)
        for cell, value, error, e in zip(self._cells, drawn.values, drawn.errors, held, strict=True):
            yield self._choice(cell, float(value), float(error), e.games)

    def _choice(self, triple: tuple[int, ...], value: float, error: float, games: int) -> Choice:
        lots, half = tuple(self.names[place] for place in triple), NORMAL * error
        return Choice(lots, value, value - half, value + half, games)

    def _effects(self, age: int, trait: int) -> list[Estimate]:
        """A trait by the lots of one Age."""
        return [self.by_age.get(age, place, trait) for place in range(len(self.names))]

    def apart(self, trait: int) -> Estimate:
        """How far combinations lie apart by the added effects of their three Ages (a standard deviation)."""
        return spread_of_ages([self._effects(age, trait) for age in range(AGES)])

    def together(self, trait: int) -> Estimate:
        """What the lots of three Ages do together beyond the added effects (a standard deviation)."""
        mean = self.overall.get(trait).value
        effects = [[e.value - mean for e in self._effects(age, trait)] for age in range(AGES)]
        expected = [mean + sum(effects[age][place] for age, place in enumerate(cell)) for cell in self._cells]
        fitted = 1 + AGES * (len(self.names) - 1)
        return spread_beyond([figures.get(trait) for figures in self.by_cell], expected, fitted)

    def played(self) -> Iterator[tuple[tuple[int, ...], Figures]]:
        """The lots of three Ages that were played, and what those games were like."""
        return zip(self._cells, self.by_cell, strict=True)


def _drawn(held: list[Estimate]) -> Shrunk:
    """Figures without what is chance."""
    return shrink(np.array([e.value for e in held]), np.array([e.se for e in held]))


def _clipped(choice: Choice) -> Choice:
    """Of what cannot be below 0."""
    return choice._replace(value=max(0.0, choice.value), low=max(0.0, choice.low), high=max(0.0, choice.high))
