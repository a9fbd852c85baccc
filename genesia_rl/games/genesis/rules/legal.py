"""The legal set of a decision (PROTOCOL 2)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, popcount
from genesia_rl.games.genesis.actions import END_ACTION, LEGAL_WORDS, TILE_BASE
from genesia_rl.games.genesis.names import K_CELL, K_FIRST, K_NONE, K_SECOND, NUM_TERRAINS

END_BIT = np.uint64(1 << END_ACTION)


@kernel
def pose(s, kind, first_word):
    """A decision of this kind, with legal actions in the first word alone: no cell is among them."""
    s["kind"] = kind
    s["legal"][0] = first_word
    for word in range(1, LEGAL_WORDS):
        s["legal"][word] = bits.ZERO
    s["num_legal"] = popcount(first_word)


@kernel
def tile_bit(terrain):
    """The action `tile` of a terrain."""
    return bits.ONE << np.uint64(TILE_BASE + terrain)


@kernel
def tiles_in_supply(s, seat):
    """The actions `tile` of each terrain of which the seat has a tile."""
    found = bits.ZERO
    for terrain in range(NUM_TERRAINS):
        if s["supply"][seat, terrain] > 0:
            found |= tile_bit(terrain)
    return found


@kernel
def ask_first(s, seat):
    """PROTOCOL 2, first: any terrain of which the seat has a tile, whatever the dice show."""
    pose(s, K_FIRST, tiles_in_supply(s, seat))


@kernel
def ask_second(s, tiles):
    """PROTOCOL 2, second: what the die left allows, or to decline."""
    pose(s, K_SECOND, tiles | END_BIT)


@kernel
def ask_cell(s):
    """PROTOCOL 2, cell: each free cell."""
    s["kind"] = K_CELL
    for word in range(LEGAL_WORDS):
        s["legal"][word] = s["free"][word]
    s["num_legal"] = s["free_cells"]


@kernel
def ask_nothing(s):
    """The game is over."""
    pose(s, K_NONE, bits.ZERO)
    s["seat"] = -1
    s["over"] = 1
