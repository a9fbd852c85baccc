"""What a change does: two configurations on the same deals, and the differences deal by deal.

Luck of the deal is in both, so that the differences are smaller than those of games apart. What happens to
the holder of an item is counted only if it is chance who holds it under both: choices of players answer to the
change, so that those who hold an item under both would be picked out by it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import DataError
from genesia_rl.core.lab import NATURAL, ItemSet, Lab
from genesia_rl.lab.figures import Figures
from genesia_rl.lab.items import of_holder
from genesia_rl.lab.traits import counted, place_of, traits_of
from genesia_rl.matches.games import NOBODY, Games
from genesia_rl.stats.estimate import Estimate

Array = npt.NDArray[Any]


class Difference:
    """B less A, in every deal. `both` are the changes with which both are played."""

    def __init__(self, players: int, lab: Lab, both: Collection[str] = ()) -> None:
        self.players, self.lab = players, lab
        self.names = tuple(trait.name for trait in traits_of(lab))
        self.traits = Figures(2, len(self.names))  # of A; B less A
        self.places = Figures(len(lab.stages), players, 2)  # won, score by place in the turn order: B less A
        self.seats = Figures(3, players, 2)  # won, score by seat: of A, of B, B less A
        self.items = {items.name: ItemDifference(items, _is_chance(items, both)) for items in lab.items}

    def add(self, a: Games, b: Games) -> None:
        """The same deals under both."""
        if not np.array_equal(a["seed"], b["seed"]):
            raise DataError("games of A and B with different seeds, allowed are the same deals")
        before, after = counted(a), counted(b)
        self.traits.add(a, np.stack([before, after - before], axis=1))
        self.places.add(a, b.by_place(won_and_score(b)) - a.by_place(won_and_score(a)))
        one, other = won_and_score(a), won_and_score(b)
        self.seats.add(a, np.stack([one, other, other - one], axis=1))
        for items in self.items.values():
            items.add(a, b)

    def trait(self, name: str) -> Estimate:
        """The difference in a trait of the game."""
        return self.traits.get(1, place_of(self.lab, name))


class ItemDifference:
    """How items are used under both, and what happens to those who hold them."""

    def __init__(self, items: ItemSet, blind: bool) -> None:
        self.set = items
        self.blind = blind  # it is chance who holds what, under both
        size = items.most + 1
        # of A; of B: kept by somebody when dealt, used when kept
        self.shares = Figures(2, size, 2, shares=True)
        self.use = Figures(size, 2)  # kept, used, each when dealt in both: B less A
        self.holders = Figures(size, 2)  # if blind: won, points of who holds it in both, B less A

    def add(self, a: Games, b: Games) -> None:
        """The same deals under both."""
        both = [self.use_of(games) for games in (a, b)]
        self.shares.add(a, *(np.stack(pair, axis=1) for pair in zip(*both, strict=True)))
        dealt = self.set.dealt(a) & self.set.dealt(b)
        self.use.add(a, both[1][0] - both[0][0], dealt[..., None])
        if self.blind:
            self._add_holders(a, b)

    def _add_holders(self, a: Games, b: Games) -> None:
        """Whoever holds an item under both."""
        holder = self.set.holder(a)
        same = (holder == self.set.holder(b)) & (holder != NOBODY)
        change = [of_holder(after - before, holder)
                  for before, after in ((a.won, b.won), (a.margin, b.margin))]  # fmt: skip
        self.holders.add(a, np.stack(change, axis=2), same[..., None])

    def use_of(self, games: Games) -> tuple[Array, Array]:
        """[game, item, (kept, used)], and where each counts: among what is dealt, among what is kept."""
        held = self.set.holder(games) != NOBODY
        values = np.stack([held, self.set.used(games)], axis=2).astype(np.float64)
        return values, np.stack([self.set.dealt(games), held], axis=2)


def _is_chance(items: ItemSet, both: Collection[str]) -> bool:
    """Is it chance who holds what, by the rules or because both are played so?"""
    return items.blind in both if items.blind else items.chance == NATURAL


def won_and_score(games: Games) -> Array:
    """[game, seat, (won, score)]."""
    return np.stack([games.won, games["totals"].astype(np.float64)], axis=2)
