"""What a card is worth before it is played, worked out from what it does; so other card files work too.

Estimates are deliberately simple: each effect times a weight, counters at what they usually are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from genesia_rl.games.genesia.data.cards import Card, Effect, Objective, Term
from genesia_rl.games.genesia.names import AGES

#: What counters usually are at the time of Age I, II, III, and at the end.
USUAL: dict[str, tuple[float, float, float, float]] = {
    "flat": (1, 1, 1, 1),
    "regions": (4, 8, 12, 13),
    "regions_own": (4, 6, 7, 7),
    "regions_foreign": (0, 1, 3, 3),
    "regions_island": (0, 2, 4, 4),
    "singles": (2, 5, 8, 8),
    "stacks": (2, 3, 3, 3),
    "clans": (8, 14, 20, 20),
    "cities": (1, 4, 7, 8),
    "city_pairs": (0, 1, 2, 3),
    "coins": (3, 3, 3, 0),
    "inventions": (1, 2, 3, 3),
    "continents": (0, 0.5, 1, 1),
    "foreign_homelands": (0, 0.2, 0.3, 0.3),
    "conquests": (0.2, 0.6, 1, 1.5),
    "most_cities": (0.4, 0.45, 0.45, 0.45),
    "most_clans": (0.4, 0.45, 0.45, 0.45),
    "most_regions": (0.4, 0.45, 0.45, 0.45),
}
LATER = 3  # the column for the end of the game
FLAT_COINS = 4  # what a card in hand is worth to everybody

#: The last stage in which a card of an icon can be played.
LAST_STAGE = {"growth": 0, "expansion": 1, "attack": 2, "end": 2}

#: Effects that are worth something only with coins left to recruit and move for.
PREPARING = ("recruit_price", "recruit_anywhere", "group_moves")


def last_stage(card: Card) -> int:
    """The last stage of its Age in which a card can be played; after Growth none of Growth + Attack can be."""
    if card.timing == "turn" and set(card.icons) == {"growth", "attack"}:
        return 0
    return max(LAST_STAGE[icon] for icon in card.icons)


def usual(per: str, column: int) -> float:
    """What a counter usually is; a family's number stands behind its word."""
    family, _, number = per.rpartition("_")
    if family == "regions_value":
        return USUAL["regions"][column] * max(0.15, 1 - int(number) / 12)
    if family == "stacks":
        return USUAL["stacks"][column] * 2 / int(number)
    return USUAL[per][column]


def counted(row: Effect | Term, column: int) -> float:
    """n x floor(count / div), at most cap, at the usual count."""
    got = row.n * usual(row.per, column) / row.div
    return got if row.cap is None else min(got, row.cap)


def card_worth(card: Card, stage: int, weights: Mapping[str, Any], seats: int) -> float:
    """What a card in hand is worth in a stage of its Age: what it does, or the coins of a discard."""
    age = card.age - 1
    coin = weights["coin"][age][stage]
    least = FLAT_COINS * coin
    if last_stage(card) < stage:
        return float(least)
    if card.timing in ("offence", "defence"):
        return float(least + weights["attack_card"][age] + card.invention * (AGES - age) * 0.3)
    if card.timing == "copy":
        return float(max(least, weights["copy_card"][age] * coin))
    got = -card.cost * coin + card.invention * (AGES - age) * weights["invention"]
    for effect in card.effects:
        worth = EFFECTS.get(effect.do)
        if worth is not None:
            got += worth(effect, age, coin, weights, seats)
    return float(max(least, got))


def card_prepares(card: Card, stage: int, weights: Mapping[str, Any]) -> float:
    """What of a card's worth can be had only with coins to recruit and move for."""
    if last_stage(card) < stage:
        return 0.0
    return sum(
        EFFECTS[effect.do](effect, card.age - 1, 0.0, weights, 2)
        for effect in card.effects
        if effect.do in PREPARING
    )


def _clans(e: Any, age: int, coin: float, w: Mapping[str, Any], seats: int) -> float:
    each = {"foreign_homeland": w["abroad"][age] / max(1, e.n), "frontier": w["frontier"][age],
            "free_outer": w["frontier"][age] + 1, "own": coin, "occupied": 0.5 * coin}  # fmt: skip
    return float(e.n * (w["clan"][age] + each.get(e.at, 0.0)))


def _city(e: Any, age: int, coin: float, w: Mapping[str, Any], seats: int) -> float:
    each = {"foreign_homeland": w["abroad"][age], "frontier": w["frontier"][age],
            "free_outer": w["frontier"][age] + 1}  # fmt: skip
    return float(e.n * (w["city"][age] + each.get(e.at, 0.0)))


_Worth = Callable[[Any, int, float, Mapping[str, Any], int], float]

#: effect -> what it is worth: (effect, Age from 0, worth of a coin, weights, seats).
EFFECTS: dict[str, _Worth] = {
    "clans": _clans,
    "city": _city,
    "coins": lambda e, age, coin, w, seats: counted(e, age) * coin,
    "others_coins": lambda e, age, coin, w, seats: -e.n * coin * w["rival"][age],
    "take": lambda e, age, coin, w, seats: e.n * coin * (seats - 1 if e.who == "each" else 1) * 0.9,
    "moves": lambda e, age, coin, w, seats: e.n * w["free_move"][age],
    "group_moves": lambda e, age, coin, w, seats: w["groups"][age],
    "no_toll": lambda e, age, coin, w, seats: w["no_toll"][age],
    "recruit_price": lambda e, age, coin, w, seats: (2 - e.p) * min(e.n, 5) * w["price"][age],
    "recruit_anywhere": lambda e, age, coin, w, seats: w["anywhere"][age],
    "relay": lambda e, age, coin, w, seats: min(e.n, 3) * w["relay"][age],
    "leap": lambda e, age, coin, w, seats: min(e.n, 3) * w["leap"][age],
    "score": lambda e, age, coin, w, seats: counted(e, age) * w["score"],
    "host_coins": lambda e, age, coin, w, seats: -e.n * coin * w["rival"][age],
    "host_clans": lambda e, age, coin, w, seats: -e.n * w["clan"][age] * w["rival"][age],
    "offence": lambda e, age, coin, w, seats: e.n * w["offence"][age],
    "defence": lambda e, age, coin, w, seats: e.n * w["defence"][age],
}


def objective_worth(objective: Objective) -> float:
    """What an objective usually brings in the end."""
    if objective.need is not None and usual(objective.need[0], LATER) < objective.need[1]:
        return 0.0
    return sum(counted(term, LATER) for term in objective.terms)
