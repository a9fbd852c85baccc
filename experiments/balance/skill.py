"""Balance is a curve: the same figures along the ladder of policies, in the order that was given."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from scipy import special, stats

from experiments.balance.figures import visible
from experiments.balance.first import WON
from experiments.balance.fit import spread_of
from experiments.balance.gather import Found
from experiments.balance.lots import EDGE, TRAITS
from experiments.balance.objectives import NUMBERS
from experiments.stats.estimate import Estimate, unknown

FEWEST_CARDS = 5
SURE = 1 - 1e-12  # a correlation of 1 has no interval


def figures_of(found: Found) -> dict[str, Estimate]:
    """What is compared along the ladder, by name; only what was asked for."""
    figures: dict[str, Estimate] = {}
    if found.first is not None:
        for age, name in enumerate(("I", "II", "III")):
            figures[f"first in Age {name}"] = found.first.places.get(age, 0, WON)
    if found.choosing is not None:
        for age, name in enumerate(("I", "II")):
            figures[f"chooses first after Age {name}"] = found.choosing.ranks.get(age, 0, WON)
    for what, restricted in found.restricted.items():
        figures[f"without {what}"] = restricted.won.get(0)
    return figures


def traits_of(found: Found) -> dict[str, Estimate]:
    """What games are like."""
    if found.lots is None:
        return {}
    return {name: found.lots.overall.get(k) for k, name in enumerate(TRAITS) if k != EDGE}


def spreads_of(found: Found) -> dict[str, Estimate]:
    """How far win shares lie apart, beyond chance: by objective, and by lots."""
    spreads: dict[str, Estimate] = {}
    if found.objectives is not None:
        for name, won in (("dealt", found.objectives.won_dealt), ("kept", found.objectives.won_kept)):
            spreads[f"objectives, when {name}"] = spread_of([won.get(number) for number in NUMBERS])
    if found.lots is not None and len(found.lots.names) > 1:
        spreads["the first player's edge, by lots"] = found.lots.apart(EDGE)
    return spreads


def agreement(one: Mapping[int, float], other: Mapping[int, float]) -> Estimate:
    """How alike two policies value cards: Spearman's correlation over the cards that both have held.

    The interval is Fisher's with the variance of Bonett and Wright (Psychometrika 65, 2000); what it counts
    are cards.
    """
    both = sorted(one.keys() & other.keys())
    if len(both) < FEWEST_CARDS:
        return unknown(len(both))
    found: Any = stats.spearmanr([one[k] for k in both], [other[k] for k in both])
    value = float(found.statistic)
    at, error = math.atanh(min(max(value, -SURE), SURE)), math.sqrt((1 + value**2 / 2) / (len(both) - 3))
    low, high = (math.tanh(at + side * special.ndtri(0.975) * error) for side in (-1, 1))
    return Estimate(value, low, high, error * (1 - value**2), len(both), len(both))


def visible_correlation(cards: int) -> float:
    """How great a correlation over so many cards is told from none four times in five."""
    if cards < FEWEST_CARDS:
        return math.nan
    return math.tanh(visible(1 / math.sqrt(cards - 3), 0.025))
