"""What cards, Homes and rewards are worth, worked out from their effects; so other data files work too.

Estimates are deliberately simple: an action is done as often as is usual, counts are what they usually are.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from genesia_rl.games.gentes.data.cards import Card
from genesia_rl.games.gentes.data.effects import Effect, Gain
from genesia_rl.games.gentes.names import ACTS, REWARDS, SYMBOLS, TYPES

#: How often an action is done in a round.
OFTEN = dict(zip(ACTS, (1.6, 0.9, 0.7, 1.1, 0.1, 1.2), strict=True))
#: What a counter usually counts.
USUAL = {
    "flat": 1.0, "cities": 3.0, "homes": 1.0, "regions": 2.0, "cards": 6.0, "types": 4.0, "citizens": 12.0,
    "coins": 10.0, **dict.fromkeys(TYPES, 3.0), **dict.fromkeys(SYMBOLS, 1.5),
}  # fmt: skip
#: What an action of one's own is worth over its price, in points.
OWN_ACTION = {"philosopher": 1.2, "scribe": 1.0, "navigator": 2.0, "chronicler": 2.0}


class Worth:
    """Estimates for one set of weights and a number of rounds left."""

    def __init__(self, weights: Mapping[str, Any], left: int) -> None:
        self.left = left
        self.coin, self.cube, self.citizen, self.space, self.token = (
            float(weights[name][left]) for name in ("coin", "cube", "citizen", "space", "token")
        )
        self.part = float(weights["effect"])

    # ---------------------------------------------------------------- gains
    def reward(self, what: str, number: float) -> float:
        """Coins, points or cubes."""
        return number * {"coins": self.coin, "points": 1.0}.get(what, self.cube)

    def gain(self, gain: Gain) -> float:
        """A gain or a decline reward."""
        if gain.do in REWARDS:
            number = gain.n * (USUAL[gain.per] // gain.div)
            return self.reward(gain.do, number if gain.cap is None else min(number, gain.cap))
        return (
            gain.n
            * {
                "lose_coins": -self.coin,
                "citizen": self.citizen,
                "lose_citizen": -self.citizen,
                "hours": -self.space,
                "free_hours": self.space,
                "unlock": self.space * (1 + self.left),
                "card": 1.5,
                "city": self.token + 2.0,
                "activate": 2.0,
                "first": 0.4,
            }[gain.do]
        )

    # ---------------------------------------------------------------- lasting effects
    def effect(self, effect: Effect) -> float:
        """A lasting effect in one round."""
        if effect.do == "action":
            return OWN_ACTION[effect.action]
        if effect.do == "virtual":
            return 0.5 * effect.n
        if effect.do == "hand":
            return 0.3 * effect.n
        often = min(1.0, OFTEN[effect.action]) if effect.is_once else OFTEN[effect.action]
        return (
            often
            * {
                "gain": self.reward(effect.what, effect.n) if effect.what else 0.0,
                "discount": effect.n * self.coin,
                "hours": effect.n * self.space,
                "extra": effect.n * self.citizen,
                "amount": 1.0,
                "double": 5 * self.coin,
            }[effect.do]
        )

    def in_play(self, card: Card) -> float:
        """What a card in play still brings."""
        lasting = sum(map(self.effect, card.lasting)) * self.left
        return self.part * lasting + sum(map(self.gain, card.decline)) * self.left

    def played(self, card: Card) -> float:
        """What playing a card brings; its decline rewards come at the end of this round as well."""
        synergy = 2.0 if card.synergy else 0.0
        now = card.points + synergy + sum(map(self.gain, card.gains)) + sum(map(self.gain, card.decline))
        return now + self.in_play(card)

    def home(self, sides: tuple[Effect, ...]) -> float:
        """What a Home brings: the better of its sides, in each round left."""
        return self.part * max(map(self.effect, sides)) * self.left
