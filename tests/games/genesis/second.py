"""Genesis's referee for the tools that every game shares (tests/golden)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from games.genesis.referee.data import load_data
from games.genesis.referee.modes import config_of_mode
from games.genesis.referee.play import Game, random_position, resolve_config
from games.genesis.referee.policies import POLICIES, by_seat
from games.genesis.referee.positions import free_cells
from games.genesis.referee.traces import mode_of, record_game, record_random, verify_trace
from golden import Trace
from golden.second import Config, Position, Second

from genesia_rl.core.registry import variants

DATA = load_data()

#: Kinds of positions, and how many cells of how many are free in them.
FREE = {"open": (40, 100), "crowded": (9, 39), "end": (3, 8)}

#: The variants that positions take turns with.
TURNS = ("players2", "players3", "players4", "tiles40")


def random_game(number: int) -> Trace:
    """A game of each mode in turn, from a deal and from a position."""
    return record_random(mode_of(number // 2, "mixed"), number, bool(number % 2))


def random_config(number: int, rng: random.Random) -> Config:
    """A configuration of each mode in turn."""
    return config_of_mode(mode_of(number, "mixed"), rng, DATA)


def position(kind: str, number: int, rng: random.Random) -> tuple[Config, Position]:
    """A random position of the standard board with so many free cells, in which somebody is asked."""
    config = resolve_config(variants("genesis")[TURNS[number % len(TURNS)]])
    fewest, most = FREE[kind]
    while True:
        found = random_position(config, rng, DATA)
        if fewest <= free_cells(found) <= most and not Game(config, position=found).over:
            return config, found


def perft_positions() -> Iterator[tuple[str, Config, Position]]:
    """Two positions of each kind, for different numbers of seats."""
    for place, kind in enumerate(FREE):
        for number in (1, 2):
            config, found = position(kind, place + 2 * number, random.Random(f"{kind} {number}"))
            yield f"{kind}{number}", config, found


SECOND = Second(
    play=Game,
    record=record_game,
    verify=verify_trace,
    policies=tuple(sorted(POLICIES)),
    by_seat=by_seat,
    random_game=random_game,
    random_config=random_config,
    random_position=lambda config, rng: random_position(config, rng, DATA),
    kinds=tuple(FREE),
    position=position,
    perft_variants=("players2", "players4", "river3", "tiles1", "small3", "narrow2"),
    perft_positions=perft_positions,
    few=("players2", "river3", "tiles1", "small3", "narrow2", "position-end"),
)
