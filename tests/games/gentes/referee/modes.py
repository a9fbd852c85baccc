"""Named configurations: numbers of players, both set-ups, the advanced option."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .config import ConfigError, resolve_config

Config = dict[str, Any]


def fixed(players: int, **fields: bool) -> Callable[[random.Random], Config]:
    return lambda rng: {"players": players, **fields}


def combination(rng: random.Random) -> Config:
    """Any fields together."""
    while True:
        config = {
            "players": rng.randint(1, 4),
            "first_game": rng.random() < 0.5,
            "advanced": rng.random() < 0.5,
        }
        try:
            return resolve_config(config)
        except ConfigError:
            continue


MODES: dict[str, Callable[[random.Random], Config]] = {
    "players2": fixed(2),
    "players3": fixed(3),
    "players4": fixed(4),
    "solo": fixed(1),
    "first_game2": fixed(2, first_game=True),
    "first_game3": fixed(3, first_game=True),
    "first_game4": fixed(4, first_game=True),
    "advanced2": fixed(2, advanced=True),
    "advanced3": fixed(3, advanced=True),
    "advanced4": fixed(4, advanced=True),
    "advanced_solo": fixed(1, advanced=True),
    "combination": combination,
}


def config_of_mode(mode: str, rng: random.Random) -> Config:
    return resolve_config(MODES[mode](rng))
