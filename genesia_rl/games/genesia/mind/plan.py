"""A plan: the weights of the heuristic, and the tables that follow from them for one game.

Weights are in points of the final score. `AGE_STAGE` ones are given for each Age and stage: before
Expansion, in Expansion, and later in the Age.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.bits import put
from genesia_rl.core.errors import ConfigError
from genesia_rl.games.genesia.game import GenesiaGame
from genesia_rl.games.genesia.mind.cards import card_prepares, card_worth, last_stage, objective_worth
from genesia_rl.games.genesia.names import AGES, MAX_CARD, MAX_OBJECTIVE, MAX_REGIONS, MAX_SEATS, REGION_WORDS

STAGES = 3
AGE = (AGES,)
AGE_STAGE = (AGES, STAGES)
MAX_LEVELS = 18

#: name, shape, what it says.
WEIGHTS: tuple[tuple[str, tuple[int, ...], str], ...] = (
    ("coin", AGE_STAGE, "a coin"),
    ("card", AGE, "a card in an opponent's hand"),
    ("clan", AGE, "a clan on the map"),
    ("city", AGE, "a city on the map"),
    ("city_to_be", (), "the part of a city that two clans without one are worth already"),
    ("invention", (), "a point that an Invention will bring in Ages to come"),
    ("score", (), "a point that a card in hand will score"),
    ("objective", AGE, "a point of the objective as it stands"),
    ("reach", AGE_STAGE, "what spare clans can still reach, over all of them"),
    ("trust", AGE_STAGE, "the part of a region's worth that a clan on its way to it counts"),
    ("step", AGE, "a step of that way"),
    ("ahead", AGE, "the coins of the next Age that the way may count on"),
    ("base", AGE, "the best place to recruit in the next Age"),
    ("bases", AGE, "all places to recruit together"),
    ("threat", AGE, "the part of a region's worth that an opponent could take is lost"),
    ("chance", AGE, "the part of a region's worth that an assault could take"),
    ("rival", AGE, "an opponent's point"),
    ("war", AGE, "what an assault must promise before War is chosen"),
    ("loss", AGE, "a clan lost in an assault"),
    ("spoils", AGE, "the worth of what an opponent loses"),
    ("place", (2,), "each place later in the turn order, after Ages I and II"),
    ("free_move", AGE, "a free move"),
    (
        "idle",
        AGE_STAGE,
        "what is lost with a turn by a card that will be discarded anyway: its coins come too late",
    ),
    (
        "means",
        AGE,
        "the coins with which cheap recruits, recruiting anywhere and group moves are worth all they can be",
    ),
    ("price", AGE, "a coin saved on a recruit to come"),
    ("anywhere", AGE, "recruiting anywhere"),
    ("groups", AGE, "moving groups"),
    ("no_toll", AGE, "paying no tolls"),
    ("offence", AGE, "a point of lasting offence"),
    ("defence", AGE, "a point of lasting defence"),
    ("attack_card", AGE, "a card for the Attack phase beyond its four coins"),
    ("copy_card", AGE, "a copy card, in coins"),
    ("relay", AGE, "a clan moved by a relay"),
    ("leap", AGE, "a clan moved by a leap"),
    ("abroad", AGE, "a homeland of another occupied by a card"),
    ("frontier", AGE, "a region on the frontier occupied by a card"),
    ("noise", (), "how far a choice strays from the best: the scale of its Gumbel noise"),
)
NAMES = tuple(name for name, *_ in WEIGHTS)

PLAN = np.dtype(
    [
        *((name, np.float64, shape) if shape else (name, np.float64) for name, shape, _ in WEIGHTS),
        ("is_random", np.int8),
        ("solo", np.int8),
        # what a card is worth in hand, by stage; and an objective before the game
        ("worth", np.float64, (STAGES, MAX_CARD + 1)),
        # what of that can be had only with coins left; what the card costs; the last stage of the turns it is for
        ("prepares", np.float64, (STAGES, MAX_CARD + 1)),
        ("cost", np.int64, (MAX_CARD + 1,)),
        ("last", np.int64, (MAX_CARD + 1,)),
        ("objective_worth", np.float64, (MAX_OBJECTIVE + 1,)),
        # what occupying a region brings a seat, and the regions of each such worth, best first
        ("want", np.float64, (MAX_SEATS, MAX_REGIONS)),
        ("num_levels", np.int64),
        ("level", np.float64, (MAX_LEVELS,)),
        ("level_regions", np.uint64, (MAX_SEATS, MAX_LEVELS, REGION_WORDS)),
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


def as_vector(weights: Weights) -> npt.NDArray[np.float64]:
    """The weights one after the other, in the order of WEIGHTS."""
    return np.concatenate([np.ravel(np.asarray(weights[name], np.float64)) for name in NAMES])


def from_vector(vector: npt.NDArray[np.float64]) -> dict[str, Any]:
    """The weights of a vector."""
    weights, place = {}, 0
    for name, shape, _ in WEIGHTS:
        size = int(np.prod(shape))
        part = vector[place : place + size]
        weights[name] = part.reshape(shape).tolist() if shape else float(part[0])
        place += size
    return weights


def make_plan(game: GenesiaGame, weights: Weights) -> Plan:
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
    p["solo"] = not game.is_contest
    for card in game.data.cards.values():
        p["cost"][card.number] = card.cost
        p["last"][card.number] = last_stage(card) if card.timing == "turn" else STAGES
        for stage in range(STAGES):
            p["worth"][stage, card.number] = card_worth(card, stage, weights, game.num_seats)
            p["prepares"][stage, card.number] = card_prepares(card, stage, weights)
    for number, objective in game.data.objectives.items():
        p["objective_worth"][number] = objective_worth(objective)
    _put_wants(game, p)
    return plans


def random_plan(game: GenesiaGame) -> Plan:
    """The plan of a player who chooses anything."""
    plans = np.zeros(1, PLAN)
    plans[0]["is_random"] = 1
    return plans


def _put_wants(game: GenesiaGame, p: np.void) -> None:
    """RULES 6: its value, and radiance on another player's continent."""
    t, regions = game.tables[0], len(game.board.values)
    seats = game.num_seats
    for seat in range(seats):
        for region in range(regions):
            word, bit = region // 64, np.uint64(1 << region % 64)
            abroad = any(t["continent"][other, word] & bit for other in range(seats) if other != seat)
            p["want"][seat, region] = t["value"][region] + 2 * abroad
    levels = sorted({float(w) for w in np.unique(p["want"][:seats, :regions]) if w > 0}, reverse=True)
    p["num_levels"] = len(levels)
    p["level"][: len(levels)] = levels
    for seat in range(seats):
        for k, level in enumerate(levels):
            put(p["level_regions"][seat, k], *np.flatnonzero(p["want"][seat, :regions] == level).tolist())
