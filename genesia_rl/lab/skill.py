"""Balance is a curve: the same figures along the ladder of policies, in the order that was given."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from scipy import special, stats

from genesia_rl.lab.figures import visible
from genesia_rl.lab.first import WON
from genesia_rl.lab.fit import spread_of
from genesia_rl.lab.gather import Found
from genesia_rl.lab.traits import EDGE
from genesia_rl.stats.estimate import Estimate, unknown

FEWEST_ITEMS = 5
SURE = 1 - 1e-12  # a correlation of 1 has no interval


def figures_of(found: Found) -> dict[str, Estimate]:
    """What is compared along the ladder, by name; only what was asked for."""
    figures: dict[str, Estimate] = {}
    stages = found.lab.stages
    if found.first is not None:
        for stage in range(len(stages)):
            figures[stages.after("first", stage)] = found.first.places.get(stage, 0, WON)
    if found.choosing is not None:
        for stage in range(len(stages) - 1):
            figures[stages.after("chooses first", stage, "after")] = found.choosing.turns.get(stage, 0, WON)
    for what, restricted in found.restricted.items():
        figures[f"without {what}"] = restricted.won.get(0)
    return figures


def traits_along(found: Found) -> dict[str, Estimate]:
    """What games are like."""
    if found.course is None:
        return {}
    traits, overall = found.course.traits, found.course.overall
    return {trait.name: overall.get(k) for k, trait in enumerate(traits) if trait != EDGE}


def spreads_of(found: Found) -> dict[str, Estimate]:
    """How far win shares lie apart, beyond chance: by what is dealt and kept, and by what varies."""
    spreads: dict[str, Estimate] = {}
    for name, offers in found.offers.items():
        for when, won in (("dealt", offers.won_dealt), ("kept", offers.won_kept)):
            spreads[f"{name}, when {when}"] = spread_of([won.get(number) for number in offers.numbers])
    varied, variation = found.varied, found.lab.variation
    if varied is not None and variation is not None and len(varied.names) > 1:
        spreads[f"the {EDGE.name}, by {variation.name}"] = varied.apart(len(varied.traits) - 1)
    return spreads


def agreement(one: Mapping[int, float], other: Mapping[int, float]) -> Estimate:
    """How alike two policies value items: Spearman's correlation over those that both have held.

    The interval is Fisher's with the variance of Bonett and Wright (Psychometrika 65, 2000); what it counts
    are items.
    """
    both = sorted(one.keys() & other.keys())
    if len(both) < FEWEST_ITEMS:
        return unknown(len(both))
    found: Any = stats.spearmanr([one[k] for k in both], [other[k] for k in both])
    value = float(found.statistic)
    at, error = math.atanh(min(max(value, -SURE), SURE)), math.sqrt((1 + value**2 / 2) / (len(both) - 3))
    low, high = (math.tanh(at + side * special.ndtri(0.975) * error) for side in (-1, 1))
    return Estimate(value, low, high, error * (1 - value**2), len(both), len(both))


def visible_correlation(items: int) -> float:
    """How great a correlation over so many items is told from none four times in five."""
    if items < FEWEST_ITEMS:
        return math.nan
    return math.tanh(visible(1 / math.sqrt(items - 3), 0.025))
