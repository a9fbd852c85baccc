"""What a position is worth for a seat, in points of the final score; all of it is on the board."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.genesis.names import NUM_TERRAINS, ROOM, WORD
from genesia_rl.games.genesis.rules.scoring import part_of
from genesia_rl.games.genesis.rules.tiles import seat_of


@kernel
def total_of(s, seat):
    """RULES 6.4: the seat's total as it stands."""
    total = np.int64(0)
    for terrain in range(NUM_TERRAINS):
        total += part_of(s, seat, terrain)
    return total


@kernel
def free_around(s, t, cell):
    """Free cells beside a cell."""
    found = 0
    for k in range(t["degree"][cell]):
        found += s["tile"][t["neighbour"][cell, k]] == 0
    return found


@kernel
def promise(s, t, p, seat):
    """What the seat's herds may still become, less what those of the others may.

    A herd counts by the square of its size, as the largest of a zone takes most; in a zone that is too small to
    score yet, by what is still missing.
    """
    worth = 0.0
    for terrain in range(NUM_TERRAINS):
        for word in range(t["words"]):
            left = s["herds"][terrain, word]
            while left != bits.ZERO:
                cell = WORD * word + lowest(left)
                left = bits.rest(left)
                tiles = np.float64(s["herd_tiles"][cell])
                mine = p["herd"] * tiles * tiles
                if s["zone_tiles"][cell] < ROOM:
                    mine += p["small_zone"] * np.float64(s["zone_tiles"][cell])
                worth += mine if seat_of(s["tile"][cell]) == seat else -p["others"] * mine
    return worth


@kernel
def standing(s, t, p, seat):
    """How the seat stands: its total against the best and the mean of the others', and what may become of it."""
    best, together = np.int64(0), np.int64(0)
    seats = np.int64(t["seats"])
    for other in range(seats):
        if other != seat:
            total = total_of(s, other)
            best = max(best, total)
            together += total
    against = p["best_rival"] * best + p["rivals"] * together / (seats - 1)
    return total_of(s, seat) - against + promise(s, t, p, seat)
