"""A plan: the weights of the heuristic, and the tables that follow from them for one game.

Weights are in points of the final score; those of `BY_TURNS` are given for each number of turns left.
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
from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame
from genesia_rl.games.age_of_civilization.mind.worth import ability_worth
from genesia_rl.games.age_of_civilization.names import (
    ABILITIES,
    CIVILIZATIONS,
    G_INHERITED,
    G_MAIN,
    GROUP_SIZE,
    ROUNDS,
)
from genesia_rl.games.age_of_civilization.tables import ability_of

TURNS = ROUNDS + 1
BY_TURNS = (TURNS,)
DRAFT_TURNS = 4  # for how long a card that is kept in the draft will be in force

#: name, shape, what it says.
WEIGHTS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("coin", BY_TURNS, "a coin"),
    ("worker", BY_TURNS, "a worker owned"),
    ("force", BY_TURNS, "a point of force"),
    ("technology", BY_TURNS, "a technology, besides what it does"),
    ("wonder", BY_TURNS, "a wonder, besides its points"),
    ("idle", (), "a worker that is idle in the own turn"),
    ("ability", (), "the part of what abilities usually bring that counts"),
    ("horizon", (), "the turns after which a main ability is replaced"),
    ("growth", (), "the part of the points of the end that is still to come and counts"),
    ("rival", (), "an opponent's point"),
    ("noise", (), "how far a choice strays from the best: the scale of its Gumbel noise"),
)
NAMES = tuple(name for name, *_ in WEIGHTS)

PLAN = np.dtype(
    [
        *((name, np.float64, shape) if shape else (name, np.float64) for name, shape, _ in WEIGHTS),
        # what an ability is worth by turns left; and a civilization that is kept in the draft
        ("worth", np.float64, (ABILITIES, TURNS)),
        ("card", np.float64, (CIVILIZATIONS,)),
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


def make_plan(game: AgeOfCivilizationGame, weights: Weights) -> Plan:
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
    for ability, effects in enumerate(game.box.abilities[:ABILITIES]):
        most = float(weights["horizon"]) if ability < GROUP_SIZE else ROUNDS
        for turns in range(TURNS):
            p["worth"][ability, turns] = ability_worth(effects, weights, turns, game.num_seats, most)
    _put_cards(game, p)
    return plans


def _put_cards(game: AgeOfCivilizationGame, p: np.void) -> None:
    """A card of the draft is worth its abilities and its workers."""
    for card in game.box.civilizations:
        abilities = [ability_of(int(group), card.number) for group in (G_MAIN, G_INHERITED)]
        worth = sum(p["worth"][ability, DRAFT_TURNS] for ability in abilities)
        p["card"][card.number - 1] = worth + card.population * p["worker"][DRAFT_TURNS]
