"""Every mode of the game, as configurations; some are drawn at random."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .config import POOLS, resolve_config
from .data import Data
from .meaning import COLOURS

Config = dict[str, Any]


def random_lots(players: int, rng: random.Random) -> list[list[str]]:
    return [rng.sample(COLOURS, players) for _ in range(3)]


def random_decks(players: int, rng: random.Random, data: Data) -> list[list[int]]:
    return [rng.sample(data.age_cards(age), 6 * players) for age in (1, 2, 3)]


def random_teams(players: int, rng: random.Random) -> list[list[int]]:
    """Any partition of the seats into at least two teams."""
    while True:
        labels = [rng.randrange(players) for _ in range(players)]
        teams = [[s for s in range(players) if labels[s] == label] for label in sorted(set(labels))]
        if len(teams) >= 2:
            return teams


def random_extra(rng: random.Random) -> bool | list[int]:
    """The black objectives that join the pool."""
    choices: list[bool | list[int]] = [False, True, [11], [12], [11, 12], [12, 11]]
    return rng.choice(choices)


def any_number(rng: random.Random) -> int:
    return rng.randint(2, 5)


def combination(rng: random.Random, data: Data) -> Config:
    """Any fields together."""
    players = any_number(rng)
    config: Config = {"players": players}
    if rng.random() < 0.4:
        config["decks"] = random_decks(players, rng, data)
    else:
        config["promos"] = rng.random() < 0.6
        if rng.random() < 0.7:
            config["lots"] = random_lots(players, rng)
    config["objectives"] = rng.random() < 0.8
    if config["objectives"]:
        config["extra_objectives"] = random_extra(rng)
        config["objective_pool"] = rng.choice(POOLS)
    config["attack_recruiting"] = rng.random() < 0.6
    if rng.random() < 0.5:
        config["teams"] = random_teams(players, rng)
    return config


def with_lots(rng: random.Random, data: Data) -> Config:
    players = any_number(rng)
    return {"players": players, "lots": random_lots(players, rng)}


def with_teams(rng: random.Random, data: Data) -> Config:
    players = rng.randint(3, 5)
    return {"players": players, "teams": random_teams(players, rng)}


def with_decks(rng: random.Random, data: Data) -> Config:
    players = any_number(rng)
    return {"players": players, "decks": random_decks(players, rng, data)}


MODES: dict[str, Callable[[random.Random, Data], Config]] = {
    "players2": lambda rng, data: {"players": 2},
    "players3": lambda rng, data: {"players": 3},
    "players4": lambda rng, data: {"players": 4},
    "players5": lambda rng, data: {"players": 5},
    "solo_beginner": lambda rng, data: {"players": 1, "solo_level": "beginner"},
    "solo_expert": lambda rng, data: {"players": 1, "solo_level": "expert"},
    "solo_heroic": lambda rng, data: {"players": 1, "solo_level": "heroic"},
    "lots": with_lots,
    "decks": with_decks,
    "promos": lambda rng, data: {**with_lots(rng, data), "promos": True},
    "extra_objectives": lambda rng, data: {"players": any_number(rng), "extra_objectives": True},
    "one_black_objective": lambda rng, data: {
        "players": any_number(rng),
        "extra_objectives": [rng.choice([11, 12])],
    },
    "all_objectives": lambda rng, data: {**with_lots(rng, data), "objective_pool": "all"},
    "no_objectives": lambda rng, data: {"players": any_number(rng), "objectives": False},
    "attack_recruiting": lambda rng, data: {**with_lots(rng, data), "attack_recruiting": True},
    "teams": with_teams,
    "combination": combination,
}


def config_of_mode(mode: str, rng: random.Random, data: Data) -> Config:
    return resolve_config(MODES[mode](rng, data), data)
