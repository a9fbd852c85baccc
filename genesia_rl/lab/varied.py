"""What each choice of what varies makes of a game: stage by stage, and the best for a purpose."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from genesia_rl.core.lab import Cell, Lab, Variation
from genesia_rl.lab.figures import Figures
from genesia_rl.lab.fit import spread_beyond, spread_of_stages
from genesia_rl.lab.traits import counted, traits_of
from genesia_rl.matches.games import Games
from genesia_rl.stats.estimate import Estimate
from genesia_rl.stats.shrink import Shrunk, shrink

NORMAL = 1.96  # standard errors to either side: an interval of 95 %


class Choice(NamedTuple):
    """What each stage has, and a trait of the games that it makes."""

    stages: tuple[str, ...]
    value: float
    low: float
    high: float
    games: int  # that were played with exactly this


class Varied:
    """By the choice of each stage, and for all games together."""

    def __init__(self, players: int, variation: Variation, cells: tuple[Cell, ...], lab: Lab) -> None:
        self.names = variation.names(players)
        self.traits = traits_of(lab)
        self._cells = cells
        self._stages = range(len(cells[0]))
        self.by_stage = Figures(len(self._stages), len(self.names), len(self.traits))
        self.overall = Figures(len(self.traits))
        self.by_cell = [Figures(len(self.traits)) for _ in cells]

    @property
    def always_together(self) -> bool:
        """Does a stage's choice always come with the same choices of the other stages, so that nobody can tell
        whose effect it is?"""
        return len(self._stages) > 1 and 1 < len(self._cells) <= len(self.names)

    def add(self, games: Games) -> None:
        """Some more games."""
        found = counted(games)
        self.overall.add(games, found)
        chosen = np.stack([games.choice(self._cells, stage) for stage in self._stages], axis=1)
        used = chosen[:, :, None] == np.arange(len(self.names))
        shape = (len(games), len(self._stages), len(self.names), len(self.traits))
        self.by_stage.add(games, np.broadcast_to(found[:, None, None], shape), used[..., None])
        for cell in np.unique(games["cell"]):
            self.by_cell[cell].add(games, found, (games["cell"] == cell)[:, None])

    def ranked(self, trait: int) -> list[Choice]:
        """All combinations of choices, the best for the trait's purpose first; none if there is only one.

        Each differs from the mean by the effects of its stages. Choices of stages vary independently of one
        another, so that effects are added up, and their errors as well. As the best and the worst are picked
        out, effects are drawn towards their mean: otherwise the ends would be those with the most luck. What
        choices do together beyond that is part of the interval. If choices always come together, only
        those that were played are compared.
        """
        if len(self._cells) < 2:
            return []
        every = self._played_ones(trait) if self.always_together else self._added_up(trait)
        found = [choice for choice in every if not math.isnan(choice.value)]
        sign = self.traits[trait].sign
        found.sort(key=lambda c: (abs(c.value) if sign == 0 else -sign * c.value, c.stages))
        return [_clipped(choice) for choice in found] if self.traits[trait].never_below_0 else found

    def _added_up(self, trait: int) -> Iterator[Choice]:
        """Every combination, whether it was played or not."""
        mean, places = self.overall.get(trait).value, range(len(self.names))
        stages = [_drawn(self._effects(stage, trait)) for stage in self._stages]
        together = self.together(trait).value
        own = 0.0 if math.isnan(together) else together
        games = {cell: figures.get(trait).games for cell, figures in self.played()}
        for cell in product(places, repeat=len(stages)):
            pairs = list(zip(stages, cell, strict=True))
            value = mean + sum(stage.values[k] - stage.mean for stage, k in pairs)
            errors = (stage.errors[k] for stage, k in pairs)
            yield self._choice(cell, float(value), math.hypot(own, *errors), games.get(cell, 0))

    def _played_ones(self, trait: int) -> Iterator[Choice]:
        """The combinations that were played, each by its own games."""
        held = [figures.get(trait) for figures in self.by_cell]
        drawn = _drawn(held)
        for cell, value, error, e in zip(self._cells, drawn.values, drawn.errors, held, strict=True):
            yield self._choice(cell, float(value), float(error), e.games)

    def _choice(self, cell: Cell, value: float, error: float, games: int) -> Choice:
        stages, half = tuple(self.names[place] for place in cell), NORMAL * error
        return Choice(stages, value, value - half, value + half, games)

    def _effects(self, stage: int, trait: int) -> list[Estimate]:
        """A trait by the choice of one stage."""
        return [self.by_stage.get(stage, place, trait) for place in range(len(self.names))]

    def apart(self, trait: int) -> Estimate:
        """How far combinations lie apart by the added effects of their stages (a standard deviation)."""
        return spread_of_stages([self._effects(stage, trait) for stage in self._stages])

    def together(self, trait: int) -> Estimate:
        """What choices of several stages do together beyond the added effects (a standard deviation)."""
        mean = self.overall.get(trait).value
        effects = [[e.value - mean for e in self._effects(stage, trait)] for stage in self._stages]
        expected = [mean + sum(effects[k][place] for k, place in enumerate(cell)) for cell in self._cells]
        fitted = 1 + len(self._stages) * (len(self.names) - 1)
        return spread_beyond([figures.get(trait) for figures in self.by_cell], expected, fitted)

    def played(self) -> Iterator[tuple[Cell, Figures]]:
        """The combinations that were played, and what those games were like."""
        return zip(self._cells, self.by_cell, strict=True)


def _drawn(held: list[Estimate]) -> Shrunk:
    """Figures without what is chance."""
    return shrink(np.array([e.value for e in held]), np.array([e.se for e in held]))


def _clipped(choice: Choice) -> Choice:
    """Of what cannot be below 0."""
    return choice._replace(value=max(0.0, choice.value), low=max(0.0, choice.low), high=max(0.0, choice.high))
