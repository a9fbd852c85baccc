"""Bonus tiles (RULES 7)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel
from genesia_rl.games.gentes.names import CONDITIONS, MAX_BONUS, NUM_CONDITIONS, P_OTHER
from genesia_rl.games.gentes.rules.seats import num_cards, num_citizens, num_placed

_CARDS, _CITIZENS = (np.int64(CONDITIONS.index(word)) for word in ("cards", "citizens"))
LAST_HIGH_ROUND = 4  # of the solo game: the highest tile until then, the lowest after it


@kernel
def reached(s, seat, condition):
    """What the seat has of what a condition asks for."""
    if condition == _CARDS:
        return num_cards(s, seat)
    return num_citizens(s, seat) if condition == _CITIZENS else num_placed(s, seat)


@kernel
def bonus_place(s, seat, condition):
    """The place where the seat would be the next to take a tile; -1 if it has taken one."""
    for place in range(MAX_BONUS):
        if s["bonus"][condition, place] == 0:
            return place
        if s["bonus"][condition, place] == seat + 1:
            return -1
    return -1


@kernel
def bonus_points(s, t, condition, place):
    """The points of the tile that is taken there."""
    last = np.int64(t["num_bonus"][condition]) - 1
    if t["solo"]:
        place = np.int64(0) if s["round"] <= LAST_HIGH_ROUND else last
    return np.int32(t["bonus_points"][condition, min(place, last)])


@kernel
def check_bonus(s, t, seat):
    """All conditions are checked for the seat."""
    for condition in range(NUM_CONDITIONS):
        if reached(s, seat, condition) < t["bonus_least"][condition]:
            continue
        place = bonus_place(s, seat, condition)
        if place >= 0:
            s["bonus"][condition, place] = seat + 1
            s["points"][seat, P_OTHER] += bonus_points(s, t, condition, place)
