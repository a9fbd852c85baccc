"""What an ability is worth while it is in force, worked out from its effects; so other data files work too.

Estimates are deliberately simple: an effect is done as often as is usual, counts are what they usually are. What
happens at once (birth, gain) is not estimated: it is tried out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from genesia_rl.games.age_of_civilization.data.effects import Effect
from genesia_rl.games.age_of_civilization.names import ROUNDS

#: How often an action is performed in a turn.
OFTEN = {
    "wonder": 0.25, "research": 0.7, "enslavement": 0.4, "hunt": 0.35, "fish": 0.35, "farm": 0.3, "trade": 0.4,
    "culture": 0.35, "construction": 0.35, "conquest": 0.25,
}  # fmt: skip
#: What performing an action besides is worth, over its price.
PERFORMED = {
    "wonder": 4.0, "research": 2.0, "enslavement": 1.0, "hunt": 0.7, "fish": 0.5, "farm": 1.5, "trade": 1.0,
    "culture": 1.0, "construction": 1.0, "conquest": 1.5,
}  # fmt: skip
OFTEN_REST, OFTEN_WAR = 0.25, 0.4  # in a turn, in a round
#: What counts usually are in the middle of a game, and at its end.
USUAL: dict[str, tuple[float, float]] = {
    "flat": (1, 1), "technologies": (2.5, 4.5), "row_1": (1.5, 2), "row_2": (0.8, 1.5), "row_3": (0.2, 1),
    "columns": (1.7, 2.3), "full_columns": (0.1, 0.5), "wonders": (0.4, 1.2), "civilizations": (2, 2.7),
    "workers": (3, 3), "coins": (4, 4), "points": (8, 18), "force": (2, 3.5), "strongest": (0.6, 0.6),
    "future": (3, 0), "bonus": (2, 2),
}  # fmt: skip
MIDDLE, END = 0, 1


def counted(effect: Effect, when: int) -> float:
    """n x count / div, at most cap, at the usual count; a need holds more or less often."""
    found = effect.n * USUAL[effect.per][when] / effect.div
    found = found if effect.cap is None else min(found, effect.cap)
    return found * (0.6 if effect.need else 1.0)


def gain(effect: Effect, coin: float, worker: float, rival: float, seats: int) -> float:
    """What an effect that is done once brings."""
    number = counted(effect, MIDDLE)
    return {
        "coins": number * coin,
        "points": number,
        "workers": number * worker * 0.5,
        "others_coins": -number * coin * rival * (seats > 1),
        "technology": number * 2.5,
        "wonder": number * 4.0,
        "perform": PERFORMED.get(effect.what, 0.0),
        "deposit": effect.points - effect.n * coin,
    }.get(effect.do, 0.0)


def hold(effect: Effect, coin: float, worker: float) -> float:
    """What an effect that holds always brings in a turn; force is counted with the position."""
    number, often = counted(effect, MIDDLE), OFTEN.get(effect.action, 0.0)
    few = 0.3 if effect.techs else 1.0
    return {
        "discount": min(number, 4.0) * often * coin * few * 1.2,
        "labour": -number * often * 0.5,
        "space": number * 0.4 * PERFORMED.get(effect.action, 0.0),
        "safe": often * worker * 0.5,
        "future": 1.0,
        "forbid": 0.2,
        "immune": OFTEN_WAR * worker * 0.4,
    }.get(effect.do, 0.0)


def a_turn(effect: Effect, weights: Mapping[str, Any], turns: int, seats: int) -> float:
    """What an effect brings in a turn, of which so many are left."""
    coin, worker, rival = weights["coin"][turns], weights["worker"][turns], weights["rival"]
    if effect.when == "always":
        return hold(effect, coin, worker)
    often = {"act": OFTEN.get(effect.action, 0.0) * (0.5 if effect.techs else 1.0), "rest": OFTEN_REST,
             "turn_end": 1.0, "war": OFTEN_WAR}.get(effect.when, 0.0)  # fmt: skip
    return often * gain(effect, coin, worker, rival, seats)


def ability_worth(
    effects: Iterable[Effect], weights: Mapping[str, Any], turns: int, seats: int, most: float
) -> float:
    """What an ability is worth for so many turns, at most for `most` of them, and what it will still grow by."""
    found = 0.0
    for effect in effects:
        if effect.when == "game_end":
            grown = counted(effect, END) - counted(effect, MIDDLE)
            found += weights["growth"] * max(0.0, grown) * turns / ROUNDS
        else:
            found += a_turn(effect, weights, turns, seats) * min(turns, most)
    return float(weights["ability"] * found)
