"""Seats as wide integers.

Fields are narrow, and a loop or an argument takes over the type of what it is given: without this a
function that is called from three places is compiled three times, for int8, int32 and int64.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel


@kernel
def num_seats(t):
    """How many seats play."""
    return np.int64(t["seats"])


@kernel
def turn_seat(s):
    """The seat whose turn it is."""
    return np.int64(s["order"][s["turn"]])


@kernel
def seat_after(seat, steps, seats):
    """The seat so many places to the left; without the slow division, as steps are fewer than seats."""
    other = seat + steps
    return other - seats if other >= seats else other


@kernel
def place_in_order(s, t, seat):
    """The seat's place in the turn order."""
    for place in range(num_seats(t)):
        if s["order"][place] == seat:
            return place
    return -1
