"""What games are like, in numbers: what every game has, and what a game's laboratory adds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.lab import Lab, Trait
from genesia_rl.lab.figures import Figures
from genesia_rl.matches.games import Games

Array = npt.NDArray[Any]


def score(games: Games) -> Array:
    """[game]: the mean of all players."""
    return np.asarray(games["totals"].mean(axis=1))


def decisions(games: Games) -> Array:
    """[game]."""
    return games["steps"]


def lead(games: Games) -> Array:
    """[game]: points between the first and the second; the fewer, the closer was the game."""
    return games.lead


def edge(games: Games) -> Array:
    """[game]: by how much the first of the first turn order wins more than its share."""
    return np.asarray(games.at_place(games.won, 0)[:, 0] - 1 / games.seats)


SCORE = Trait("score", score, "highest scoring", never_below_0=False)
LENGTH = Trait("decisions", decisions, "longest")
LEAD = Trait("winner's lead", lead, "closest", sign=-1)
EDGE = Trait("first player's edge", edge, "fairest", sign=0, never_below_0=False)


def traits_of(lab: Lab) -> tuple[Trait, ...]:
    """All that is counted; the first player's edge comes last."""
    return (SCORE, LENGTH, *lab.traits, LEAD, EDGE)


def place_of(lab: Lab, name: str) -> int:
    """A trait's place among all."""
    return [trait.name for trait in traits_of(lab)].index(name)


def counted(games: Games) -> Array:
    """[game, trait]."""
    return np.stack([trait.value(games) for trait in traits_of(games.lab)], axis=1).astype(np.float64)


class Course:
    """What games are like, all of them together."""

    def __init__(self, lab: Lab) -> None:
        self.traits = traits_of(lab)
        self.overall = Figures(len(self.traits))

    def add(self, games: Games) -> None:
        """Some more games."""
        self.overall.add(games, counted(games))
