"""What a laboratory may do to a game that the rules do not offer, to find out what something is worth."""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel
from genesia_rl.games.genesis.names import MAX_SEATS, NUM_TERRAINS, TERRAINS
from genesia_rl.games.genesis.rules.turn import begin_game

#: `fewer_tiles` goes by the place in the first turn order; the others by seat.
INTERVENTION = np.dtype(
    [
        ("seed", np.uint64),
        ("fewer_tiles", np.int16, (MAX_SEATS,)),  # of each terrain, from the beginning
        *((f"without_{terrain}", np.int8, (MAX_SEATS,)) for terrain in TERRAINS),
    ],
    align=True,
)


@kernel
def intervene_first(states, i, tables, intervention):
    """At the first decision: other supplies, and what is asked follows from them."""
    s, t = states[i], tables[0]
    hand_out(s, t, intervention["fewer_tiles"])
    take_away(s, t, 0, intervention["without_forest"])
    take_away(s, t, 1, intervention["without_savannah"])
    take_away(s, t, 2, intervention["without_mountain"])
    take_away(s, t, 3, intervention["without_wetland"])
    begin_game(s, t)


@kernel
def take_away(s, t, terrain, seats_without):
    """Some seats have no tile of a terrain; a die that shows it takes any of theirs (RULES 5, R7)."""
    for seat in range(t["seats"]):
        if seats_without[seat]:
            s["supply"][seat, terrain] = 0


@kernel
def hand_out(s, t, fewer):
    """Fewer tiles of each terrain by place in the first turn order; nobody has less than none."""
    seats = np.int64(t["seats"])
    for place in range(seats):
        seat = (np.int64(s["first"]) + place) % seats
        for terrain in range(NUM_TERRAINS):
            tiles = np.int64(s["supply"][seat, terrain]) - np.int64(fewer[place])
            s["supply"][seat, terrain] = max(np.int64(0), tiles)
