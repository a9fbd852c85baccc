"""Balance is a curve: the same figures along the ladder of policies, from the weakest to the strongest."""

from __future__ import annotations

from typing import Any

from experiments.balance.first import WON
from experiments.balance.gather import Found
from experiments.balance.lots import EDGE, TRAITS
from experiments.stats.estimate import Estimate


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


def agreement(one: dict[int, float], other: dict[int, float]) -> float:
    """How alike two policies value cards: Spearman's correlation over the cards that both have held."""
    from scipy import stats

    both = sorted(one.keys() & other.keys())
    if len(both) < 3:
        return float("nan")
    found: Any = stats.spearmanr([one[k] for k in both], [other[k] for k in both])
    return float(found.statistic)
