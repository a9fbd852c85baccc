"""Genesia's referee for the tools that every game shares (tests/golden)."""

from __future__ import annotations

import random
from collections.abc import Iterator

from games.genesia.referee.config import seats_of
from games.genesia.referee.data import load_data
from games.genesia.referee.modes import config_of_mode
from games.genesia.referee.play import Game, random_position, resolve_config
from games.genesia.referee.policies import POLICIES, by_seat
from games.genesia.referee.traces import mode_of, record_game, record_random, verify_trace
from golden import Trace
from golden.second import Config, Position, Second

from genesia_rl.core.registry import variants

DATA = load_data()
PHASES = ("growth", "expansion", "attack", "end")

#: The variants that positions take turns with.
TURNS = ("players2", "all3", "players4", "solo_expert", "players3", "attack_recruiting2", "all5")


def random_game(number: int) -> Trace:
    """A game of each mode in turn, from a deal and from a position."""
    return record_random(mode_of(number // 2, "mixed"), number, bool(number % 2), "mixed", DATA)


def random_config(number: int, rng: random.Random) -> Config:
    """A configuration of each mode in turn."""
    return config_of_mode(mode_of(number, "mixed"), rng, DATA)


def position(phase: str, number: int, rng: random.Random) -> tuple[Config, Position]:
    """A random position that is rich in conflict."""
    config = resolve_config(variants("genesia")[TURNS[number % len(TURNS)]])
    if seats_of(config) == 2 and config["players"] == 1 and phase == "attack":
        config = resolve_config({"players": 5})
    return config, random_position(config, rng, DATA, phase=phase)


def perft_positions() -> Iterator[tuple[str, Config, Position]]:
    """One position for each phase and Age, for different numbers of seats."""
    for number, phase in enumerate(PHASES):
        for age in (1, 2, 3):
            config = resolve_config({"players": 2 + (number + age) % 4})
            rng = random.Random(f"{phase} {age}")
            yield f"{phase}-age{age}", config, random_position(config, rng, DATA, age, phase)


SECOND = Second(
    play=Game,
    record=record_game,
    verify=verify_trace,
    policies=tuple(sorted(POLICIES)),
    by_seat=by_seat,
    random_game=random_game,
    random_config=random_config,
    random_position=lambda config, rng: random_position(config, rng, DATA),
    kinds=PHASES,
    position=position,
    perft_variants=("players2", "players5", "solo_heroic", "no_objectives4"),
    perft_positions=perft_positions,
    few=("players2", "solo_expert", "all3", "promos5", "attack_recruiting4", "position-expansion"),
)
