"""Tiles (RULES 1): a terrain and a seat in one byte, as the board has it."""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.genesis.names import NUM_TERRAINS


@kernel
def terrain_bit(terrain):
    """What all tiles of a terrain have in common."""
    return np.uint8(1 << terrain)


@kernel
def seat_bit(seat):
    """What all tiles of a seat have in common: four higher than the terrains."""
    return np.uint8(1 << (NUM_TERRAINS + seat))


@kernel
def tile_of(seat, terrain):
    """The tile of a seat and a terrain."""
    return np.int64(terrain_bit(terrain) | seat_bit(seat))


@kernel
def terrain_of(tile):
    """The terrain of a tile."""
    return lowest(np.uint64(tile))


@kernel
def seat_of(tile):
    """The seat of a tile."""
    return lowest(np.uint64(tile) >> np.uint64(NUM_TERRAINS))


@kernel
def has_terrain(tile, terrain):
    """Is there a tile, and of this terrain?"""
    return (tile >> terrain) & 1 == 1
