"""Named configurations: numbers of players and tiles, first players, boards of one's own. Most are drawn."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .board import HIGH, LOW
from .config import ConfigError, resolve_config
from .data import Data

Config = dict[str, Any]

# -------------------------------------------------------------------- boards


def random_rows(width: int, height: int, reliefs: float, rng: random.Random) -> list[str]:
    def mark() -> str:
        return rng.choice("VP") if rng.random() < reliefs else "."

    return ["".join(mark() for _ in range(width)) for _ in range(height)]


def random_river(width: int, height: int, rng: random.Random) -> list[int]:
    """Straight, winding by a step a row, or with jumps to anywhere, both edges included."""
    style = rng.choice(["straight", "winding", "jumps"])
    left = rng.randint(0, width)
    river = []
    for _ in range(height):
        if style == "winding":
            left = min(width, max(0, left + rng.choice([-1, 0, 1])))
        elif style == "jumps":
            left = rng.randint(0, width)
        river.append(left)
    return river


def any_number(rng: random.Random) -> int:
    return rng.randint(2, 4)


def few_tiles(rng: random.Random) -> int | None:
    """Often few, so that seats are passed over; often what the box holds."""
    return rng.choice([None, None, 1, 2, 3, 4, 6])


def drawn(draw: Callable[[], Config], data: Data) -> Config:
    """The first configuration drawn that is allowed: a board drawn at random may lack room."""
    while True:
        config = draw()
        try:
            resolve_config(config, data)
        except ConfigError:
            continue
        return config


def on_board(
    rng: random.Random, data: Data, sides: tuple[int, int], reliefs: list[float], river: bool = False
) -> Config:
    def draw() -> Config:
        width, height = rng.randint(*sides), rng.randint(*sides)
        rows = random_rows(width, height, rng.choice(reliefs), rng)
        made = random_river(width, height, rng) if river else None
        board = {"rows": rows, "river": made}
        return {"players": any_number(rng), "tiles": few_tiles(rng), "board": board}

    return drawn(draw, data)


def small(rng: random.Random, data: Data) -> Config:
    return on_board(rng, data, (LOW, 4), [0.0, 0.1, 0.3])


def odd(rng: random.Random, data: Data) -> Config:
    """Long and narrow, or a passage of a few cells through reliefs; with and without a river."""

    def draw() -> Config:
        width, height = rng.choice([(LOW, HIGH), (HIGH, LOW), (3, 11), (9, 2), (5, 5), (2, 2)])
        rows = random_rows(width, height, rng.choice([0.0, 0.2, 0.5]), rng)
        if rng.random() < 0.3:
            rows = ["P" * width for _ in rows]
            rows[rng.randrange(height)] = ("V" * width + "...")[-width:]
            rows[rng.randrange(height)] = "." * rng.randint(1, width) + "P" * width
            rows = [row[:width] for row in rows]
        river = random_river(width, height, rng) if rng.random() < 0.5 else None
        return {"players": any_number(rng), "tiles": few_tiles(rng), "board": {"rows": rows, "river": river}}

    return drawn(draw, data)


def river(rng: random.Random, data: Data) -> Config:
    """A river that matters to two players, and is there with three or four too."""
    config = on_board(rng, data, (4, 10), [0.0, 0.15], river=True)
    if config["players"] > 2 and rng.random() < 0.5:
        try:
            resolve_config({**config, "players": 2}, data)
        except ConfigError:
            return config
        config["players"] = 2
    return config


def islands(rng: random.Random, data: Data) -> Config:
    """Many groups of cells, some too small to be room."""
    return on_board(rng, data, (5, 12), [0.4, 0.55], river=rng.random() < 0.3)


def own_standard(rng: random.Random, data: Data) -> Config:
    """The standard board as one's own, sometimes without its river."""
    river = None if data.river is None or rng.random() < 0.3 else list(data.river)
    return {"players": any_number(rng), "board": {"rows": list(data.rows), "river": river}}


# -------------------------------------------------------------------- other fields


def first_player(rng: random.Random, data: Data) -> Config:
    players = any_number(rng)
    return {"players": players, "first_player": rng.randrange(players)}


def combination(rng: random.Random, data: Data) -> Config:
    """Any fields together."""
    config = rng.choice([small, odd, river, islands, own_standard, first_player])(rng, data)
    config["tiles"] = rng.choice([None, rng.randint(1, 6), rng.randint(1, 40)])
    config["first_player"] = rng.choice([None, rng.randrange(config["players"])])
    return config


def with_tiles(tiles: int) -> Callable[[random.Random, Data], Config]:
    return lambda rng, data: {"players": any_number(rng), "tiles": tiles}


MODES: dict[str, Callable[[random.Random, Data], Config]] = {
    "players2": lambda rng, data: {"players": 2},
    "players3": lambda rng, data: {"players": 3},
    "players4": lambda rng, data: {"players": 4},
    "first_player": first_player,
    "tiles1": with_tiles(1),
    "tiles2": with_tiles(2),
    "tiles3": with_tiles(3),
    "tiles16": with_tiles(16),
    "tiles40": with_tiles(40),
    "small": small,
    "odd": odd,
    "river": river,
    "islands": islands,
    "large": lambda rng, data: on_board(rng, data, (14, HIGH), [0.0, 0.1], river=rng.random() < 0.5),
    "own_standard": own_standard,
    "combination": combination,
}


def config_of_mode(mode: str, rng: random.Random, data: Data) -> Config:
    return resolve_config(MODES[mode](rng, data), data)
