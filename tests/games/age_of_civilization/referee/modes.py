"""Named configurations: every allowed combination of players and variants, and a few that are drawn."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

from .config import Config, resolve_config

VARIANTS = ("innovation", "changing_world", "draft", "first_game")
SOLO_VARIANTS = ("innovation",)


def with_variants(players: int, variants: tuple[str, ...]) -> Config:
    config: dict[str, Any] = {"players": players}
    for variant in variants:
        if variant == "first_game":
            config["track"] = "first_game"
        else:
            config[variant] = True
    return config


def every_combination() -> dict[str, Config]:
    """`players3`, `players2-innovation-draft`, ..., `solo`, `solo-innovation`."""
    found = {}
    for size in range(len(VARIANTS) + 1):
        for players in (2, 3, 4):
            for variants in itertools.combinations(VARIANTS, size):
                found["-".join([f"players{players}", *variants])] = with_variants(players, variants)
        for variants in itertools.combinations(SOLO_VARIANTS, size):
            found["-".join(["solo", *variants])] = with_variants(1, variants)
    return found


def _fixed(config: Config) -> Callable[[random.Random], Config]:
    return lambda rng: dict(config)


def _any_players(variants: tuple[str, ...]) -> Callable[[random.Random], Config]:
    return lambda rng: with_variants(rng.randint(2, 4), variants)


COMBINATIONS = every_combination()
MODES: dict[str, Callable[[random.Random], Config]] = {
    **{name: _fixed(config) for name, config in COMBINATIONS.items()},
    **{variant: _any_players((variant,)) for variant in VARIANTS},
    "all_variants": _any_players(VARIANTS),
    "any": lambda rng: dict(COMBINATIONS[rng.choice(list(COMBINATIONS))]),
}


def config_of_mode(mode: str, rng: random.Random) -> Config:
    return resolve_config(MODES[mode](rng))
