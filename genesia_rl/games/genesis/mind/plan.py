"""A plan: the weights of the evaluation, in points of the final score (`weights.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.mind import Plan

#: name -> what it says.
WEIGHTS = {
    "best_rival": "a point of the best other seat",
    "rivals": "a point of the mean of the others",
    "herd": "an own herd, times the square of its tiles",
    "small_zone": "a tile of a zone with an own herd that is too small to score",
    "others": "the same of the others, as a part of what it is worth to oneself",
    "space": "a free cell beside the tile that is placed",
}
PLAN = np.dtype([(name, np.float64) for name in WEIGHTS])


@cache
def characters() -> dict[str, dict[str, Any]]:
    """The weights of each character."""
    return tomllib.loads(Path(__file__).with_name("weights.toml").read_text(encoding="utf-8"))


def make_plan(game: Any, weights: Mapping[str, Any]) -> Plan:
    """The record of one plan; it is the same for every configuration."""
    plan = np.zeros(1, PLAN)
    for name in WEIGHTS:
        if name not in weights:
            raise ConfigError(f"weights: {name} is missing, needed are {', '.join(WEIGHTS)}")
        plan[0][name] = float(weights[name])
    return plan
