"""Free cells and room (RULES 1 and 5): kept up to date tile by tile."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.genesis.actions import CELL_BASE


@kernel
def is_free(s, cell):
    """RULES 1: a cell in use without a tile."""
    return bits.has(s["free"], cell + CELL_BASE)


@kernel
def free_neighbours(s, t, cell):
    """How many neighbours of the cell are free."""
    number = 0
    for k in range(t["degree"][cell]):
        number += is_free(s, np.int64(t["neighbour"][cell, k]))
    return number


@kernel
def take_cell(s, t, cell):
    """The cell is free no longer.

    A free cell with two free neighbours is the middle of three connected ones, and any three connected
    ones have such a middle. The cell was one itself perhaps, and each free neighbour has one less.
    """
    bits.drop(s["free"], cell + CELL_BASE)
    s["free_cells"] -= 1
    around = 0
    for k in range(t["degree"][cell]):
        other = np.int64(t["neighbour"][cell, k])
        if is_free(s, other):
            around += 1
            s["middles"] -= free_neighbours(s, t, other) == 1
    s["middles"] -= around >= 2


@kernel
def has_room(s):
    """RULES 1: are some three free cells connected?"""
    return s["middles"] > 0
