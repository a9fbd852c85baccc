"""What happened in a game: one record of figures, read off by replaying its actions."""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel
from genesia_rl.core.lab import measure_dtype
from genesia_rl.games.genesis.names import FACES, JOKER, K_CELL, MAX_SEATS, NUM_TERRAINS, SCORE_PARTS
from genesia_rl.games.genesis.rules.room import has_room
from genesia_rl.games.genesis.rules.turn import face

_SEATS = (MAX_SEATS,)
#: The 15 rolls that differ, whichever die is which; 0 is none.
ROLLS = tuple((a, b) for a in range(len(FACES)) for b in range(a, len(FACES)))

MEASURE = measure_dtype(
    MAX_SEATS,
    len(SCORE_PARTS),
    1,
    [
        ("turns", np.int16, _SEATS),
        ("tiles", np.int16, _SEATS),  # placed
        ("jokers", np.int16, _SEATS),  # rolled
        ("first_roll", np.int8, _SEATS),  # 1 + the place in ROLLS of what was rolled in the first turn
        ("first_tiles", np.int8, _SEATS),  # placed in it
        ("last_turn", np.int16),  # 1 + the number of the turn that was seen last
        ("largest", np.int16),  # tiles of the largest zone
        ("left_over", np.int16),  # free cells at the end
        ("no_room", np.int8),  # did the game end for want of room?
    ],
)
#: Of these fields: the axis that goes by seat.
BY_SEAT = {"turns": 0, "tiles": 0, "jokers": 0, "first_roll": 0, "first_tiles": 0}


@kernel
def measure_action(states, i, tables, action, m):
    """A turn is seen by its first tile: whatever else is forced, the cell is always asked."""
    s = states[i]
    if s["kind"] != K_CELL:
        return
    seat = np.int64(s["seat"])
    if s["turn"] + 1 != m["last_turn"]:
        m["last_turn"] = s["turn"] + 1
        see_roll(s, seat, m)
    m["tiles"][seat] += 1
    m["first_tiles"][seat] += m["turns"][seat] == 1


@kernel
def see_roll(s, seat, m):
    """A turn begins."""
    first, second = face(s, 0), face(s, 1)
    m["turns"][seat] += 1
    m["jokers"][seat] += (first == JOKER) + (second == JOKER)
    if m["turns"][seat] == 1:
        m["first_roll"][seat] = 1 + place_of_roll(min(first, second), max(first, second))


@kernel
def place_of_roll(low, high):
    """The place of a roll in ROLLS."""
    place = high - low
    for first in range(low):
        place += JOKER + 1 - first
    return place


@kernel
def measure_end(s, t, m):
    """The finished game."""
    for terrain in range(NUM_TERRAINS):
        m["largest"] = max(np.int64(m["largest"]), np.int64(s["largest"][terrain]))
    m["left_over"] = s["free_cells"]
    m["no_room"] = not has_room(s)
