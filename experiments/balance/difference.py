"""What a change does: two configurations on the same deals, and the differences deal by deal.

Luck of the deal is in both, so that the differences are smaller than those of games apart. What happens to
the holder of a card is counted only if cards are kept at random under both: drafts of their own answer to the
change, so that those who hold a card under both would be picked out by it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.balance.cards import of_holder
from experiments.balance.figures import Figures
from experiments.balance.lots import TRAITS, traits
from experiments.matches.games import NOBODY, Games
from experiments.stats.estimate import Estimate
from genesia_rl.errors import DataError
from genesia_rl.games.genesia.names import AGES, MAX_CARD

Array = npt.NDArray[Any]


class Difference:
    """B less A, in every deal."""

    def __init__(self, players: int, blind: bool) -> None:
        self.players = players
        self.blind = blind  # cards are kept at random under both
        self.traits = Figures(2, len(TRAITS))  # of A; B less A
        self.places = Figures(AGES, players, 2)  # won, score by place in the turn order: B less A
        # of A; of B: kept by somebody when dealt, played when kept
        self.cards = Figures(2, MAX_CARD + 1, 2, shares=True)
        self.use = Figures(MAX_CARD + 1, 2)  # kept, played, each when dealt in both: B less A
        self.holders = Figures(MAX_CARD + 1, 2)  # if blind: won, points of who holds it in both, B less A

    def add(self, a: Games, b: Games) -> None:
        """The same deals under both."""
        if not np.array_equal(a["seed"], b["seed"]):
            raise DataError("games of A and B with different seeds, allowed are the same deals")
        before, after = traits(a), traits(b)
        self.traits.add(a, np.stack([before, after - before], axis=1))
        self.places.add(a, b.by_place(won_and_score(b)) - a.by_place(won_and_score(a)))
        both = [use_of_cards(games) for games in (a, b)]
        self.cards.add(a, *(np.stack(pair, axis=1) for pair in zip(*both, strict=True)))
        change = both[1][0] - both[0][0]
        self.use.add(a, change, (a.dealt_cards & b.dealt_cards)[..., None])
        if self.blind:
            self._add_holders(a, b)

    def _add_holders(self, a: Games, b: Games) -> None:
        """Whoever holds a card under both."""
        same = (a.holder == b.holder) & (a.holder != NOBODY)
        change = [of_holder(after, b.holder) - of_holder(before, a.holder)
                  for before, after in ((a.won, b.won), (a.margin, b.margin))]  # fmt: skip
        self.holders.add(a, np.stack(change, axis=2), same[..., None])

    def trait(self, number: int) -> Estimate:
        """The difference in a trait of the game."""
        return self.traits.get(1, number)


def won_and_score(games: Games) -> Array:
    """[game, seat, (won, score)]."""
    return np.stack([games.won, games["totals"].astype(np.float64)], axis=2)


def use_of_cards(games: Games) -> tuple[Array, Array]:
    """[game, card, (kept, played)], and where each counts: among dealt cards, among kept ones."""
    held = games.holder != NOBODY
    values = np.stack([held, games.is_played], axis=2).astype(np.float64)
    return values, np.stack([games.dealt_cards, held], axis=2)
