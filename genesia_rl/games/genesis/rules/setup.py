"""The set-up (RULES 4): chance says who begins and what all rolls will be; nothing else is left to it."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import chance
from genesia_rl.core.compile import kernel, owning
from genesia_rl.games.genesis.names import DIE_PAIRS
from genesia_rl.games.genesis.rules.zones import put_tile


@kernel
def draw_deal(s, t, seed):
    """RULES 4: the seat of the first turn, and a roll for each cell in use: more than any game takes.

    The seat is drawn even when the configuration names one, so that a seed has the same rolls either way.
    """
    stream = chance.mix(seed)
    first = chance.below(chance.mix(stream), t["seats"])
    s["first"] = first if t["first_player"] < 0 else t["first_player"]
    s["num_rolls"] = t["num_used"]
    draw_rolls(s, t, 0, chance.advance(stream))


@kernel
def draw_rolls(s, t, begin, stream):
    """RULES 8: the rolls from `begin` on; as every side of a die is equally likely, so is every pair."""
    for place in range(begin, s["num_rolls"]):
        s["dice"][place] = t["roll"][chance.below(chance.mix(stream), DIE_PAIRS)]
        stream = chance.advance(stream)


@owning
def lay_out(s, t):
    """PROTOCOL 4: put the tiles of a position on the board one by one, each out of its seat's supply.

    Until then a position is nothing but `tile`; what follows from it is worked out by the rules alone.
    """
    tiles = s["tile"].copy()
    for cell in range(t["cells"]):
        s["tile"][cell] = 0
    for cell in range(t["cells"]):
        if tiles[cell] != 0:
            put_tile(s, t, cell, np.int64(tiles[cell]))
