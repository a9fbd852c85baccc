"""A plan: the weights of the heuristic, and the tables that follow from them for one game.

Weights are in points of the final score; those of `BY_ROUNDS` are given for each number of rounds left after the
present one.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError
from genesia_rl.games.gentes.game import GentesGame
from genesia_rl.games.gentes.mind.worth import Worth
from genesia_rl.games.gentes.names import CARDS, CITIES, ROUNDS, ROWS

BY_ROUNDS = (ROUNDS,)
DISTANCES = 9  # how far a card may be from being played, in citizens

#: name, shape, what it says.
WEIGHTS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("coin", BY_ROUNDS, "a coin"),
    ("cube", BY_ROUNDS, "a cube"),
    ("citizen", BY_ROUNDS, "a citizen, besides what cards in hand need"),
    ("space", BY_ROUNDS, "a free space on the track"),
    ("token", BY_ROUNDS, "a token placed, besides its rewards"),
    ("ready", (DISTANCES,), "the part of a card's worth that counts in hand, by the citizens it lacks"),
    ("late", BY_ROUNDS, "the part of what a card left in hand costs that counts"),
    ("effect", (), "the part of what lasting effects usually bring that counts"),
    ("coming", (), "a citizen that is still to come in the action under way"),
    ("first", (), "being first player in the next round"),
    ("rival", (), "an opponent's point"),
    ("noise", (), "how far a choice strays from the best: the scale of its Gumbel noise"),
)
NAMES = tuple(name for name, *_ in WEIGHTS)

PLAN = np.dtype(
    [
        *((name, np.float64, shape) if shape else (name, np.float64) for name, shape, _ in WEIGHTS),
        # by rounds left: what playing a card brings, what a card in play and a Home still bring; a city's reward
        ("card", np.float64, (CARDS, ROUNDS)),
        ("lasting", np.float64, (CARDS, ROUNDS)),
        ("home", np.float64, (ROWS, ROUNDS)),
        ("reward", np.float64, (CITIES, ROUNDS)),
    ],
    align=True,
)

Plan = npt.NDArray[np.void]
Weights = Mapping[str, Any]


@cache
def characters() -> dict[str, dict[str, Any]]:
    """The weights of each character: those of `greedy`, and what it changes of them."""
    file = Path(__file__).with_name("weights.toml")
    written = tomllib.loads(file.read_text(encoding="utf-8"))
    base = written["greedy"]
    return {name: {**base, **changes} for name, changes in written.items()}


def make_plan(game: GentesGame, weights: Weights) -> Plan:
    """The record of one plan for one game."""
    plans = np.zeros(1, PLAN)
    p = plans[0]
    for name, shape, _ in WEIGHTS:
        if name not in weights:
            raise ConfigError(f"weights: {name} is missing, needed are {', '.join(NAMES)}")
        given = np.asarray(weights[name], np.float64)
        if given.shape != shape:
            raise ConfigError(f"weights: {name} of shape {given.shape}, allowed is {shape}")
        p[name] = given
    for left in range(ROUNDS):
        _put_worth(game, p, left, Worth(weights, left))
    return plans


def _put_worth(game: GentesGame, p: np.void, left: int, worth: Worth) -> None:
    """What everything is worth with so many rounds left."""
    for place, card in enumerate(game.box.cards):
        p["lasting"][place, left] = worth.in_play(card)
        p["card"][place, left] = worth.played(card)
    for row, sides in enumerate(game.box.board.rows):
        p["home"][row, left] = worth.home(sides)
    for place, city in enumerate(game.box.board.cities):
        p["reward"][place, left] = worth.reward(city.reward, city.n)
