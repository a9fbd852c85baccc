"""The objectives as things that are dealt: two to each seat, of which it keeps one."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from genesia_rl.core.lab import Array, Fields, Games, Item, OfferSet
from genesia_rl.games.genesia.data.cards import load_data
from genesia_rl.games.genesia.names import MAX_OBJECTIVE, PART_OBJECTIVE

NUMBERS = np.arange(MAX_OBJECTIVE + 1)


def load(fields: Fields) -> Mapping[int, Item]:
    """The objectives of a configuration."""
    held = load_data(fields.get("data")).objectives
    return {number: Item(number, one.name, {"lot": one.lot}) for number, one in held.items()}


def dealt(games: Games) -> Array:
    """[game, seat, objective]."""
    return np.asarray((games["dealt"][..., None] == NUMBERS).any(axis=2) & (NUMBERS > 0))


def kept(games: Games) -> Array:
    """[game, seat, objective]."""
    return np.asarray((games["kept"][..., None] == NUMBERS) & (NUMBERS > 0))


def points(games: Games) -> Array:
    """[game, seat]."""
    return np.asarray(games["parts"][:, :, PART_OBJECTIVE])


def exist(fields: Fields) -> bool:
    """Is the game played with objectives?"""
    return bool(fields.get("objectives", True))


OBJECTIVES = OfferSet("objectives", "objective", MAX_OBJECTIVE, load, dealt, kept, points, exist)
