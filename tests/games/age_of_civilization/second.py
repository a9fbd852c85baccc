"""Age of Civilization's referee for the tools that every game shares (tests/golden)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from games.age_of_civilization.referee.data import load_data
from games.age_of_civilization.referee.modes import config_of_mode
from games.age_of_civilization.referee.play import Game, random_position, resolve_config
from games.age_of_civilization.referee.policies import POLICIES, by_seat
from games.age_of_civilization.referee.traces import mode_of, record_game, record_random, verify_trace
from golden import Trace
from golden.second import Config, Position, Second

from genesia_rl.core.registry import variants

DATA = load_data()

#: Kinds of positions, and their rounds.
ROUNDS = {"early": (1, 2), "middle": (3, 4), "late": (5, 6)}

#: The variants that positions take turns with.
TURNS = ("players2", "all3", "players4", "solo_innovation")


def random_game(number: int) -> Trace:
    """A game of each mode in turn, from a deal and from a position."""
    return record_random(mode_of(number // 2, "mixed"), number, bool(number % 2))


def random_config(number: int, rng: random.Random) -> Config:
    """A configuration of each mode in turn."""
    return config_of_mode(mode_of(number, "mixed"), rng)


def position(kind: str, number: int, rng: random.Random) -> tuple[Config, Position]:
    """A random position of these rounds, in which somebody is asked."""
    config = resolve_config(variants("age_of_civilization")[TURNS[number % len(TURNS)]])
    while True:
        found = random_position(config, rng, DATA)
        if found["round"] in ROUNDS[kind] and not Game(config, position=found, data=DATA).over:
            return config, found


def perft_positions() -> Iterator[tuple[str, Config, Position]]:
    """Two positions of each kind, for different numbers of seats."""
    for place, kind in enumerate(ROUNDS):
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
    kinds=tuple(ROUNDS),
    position=position,
    perft_variants=("players2", "players4", "solo", "draft2", "draft4", "all3"),
    perft_positions=perft_positions,
    few=("players3", "solo_innovation", "draft2", "all4", "position-middle"),
)
