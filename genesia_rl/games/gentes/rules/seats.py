"""What a seat has: citizens (RULES 4), the time track, cubes and coins (RULES 1)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, popcount
from genesia_rl.games.gentes.names import NUM_TYPES, P_OTHER, R_COINS, R_ORACLE, R_POINTS, R_TEMPLE

_BYTE = np.uint64(255)
_MOST_STRENGTH = np.int64(100)  # more than any need; a byte must stay below 128


@kernel
def num_seats(t):
    """The number of seats."""
    return np.int64(t["seats"])


@kernel
def seat_in_order(s, t, place):
    """The seat of a place in seat order: clockwise from the first player."""
    seat = np.int64(s["first"]) + place
    return seat - num_seats(t) if seat >= num_seats(t) else seat


@kernel
def number_bit(number):
    """The number as a set."""
    return bits.ONE << np.uint64(number - 1)


# ---------------------------------------------------------------- citizens


@kernel
def put_strength(s, seat, kind):
    """Citizens of a type with the virtual ones, as needs are compared with them."""
    number = np.int64(s["citizens"][seat, kind]) + np.int64(s["virtual"][seat, kind])
    shift = np.uint64(kind * 8)
    rest = s["strength"][seat] & ~(_BYTE << shift)
    s["strength"][seat] = rest | (np.uint64(min(number, _MOST_STRENGTH)) << shift)


@kernel
def recruitable(s, t, seat):
    """RULES 4: the types that can be recruited, as a set."""
    found = bits.ZERO
    for kind in range(NUM_TYPES):
        if s["citizens"][seat, kind] < t["room"]:
            found |= bits.bit(kind)
    return found


@kernel
def types_had(s, seat):
    """The types of which the seat has a citizen, as a set."""
    found = bits.ZERO
    for kind in range(NUM_TYPES):
        if s["citizens"][seat, kind] > 0:
            found |= bits.bit(kind)
    return found


@kernel
def recruit(s, t, seat, kind):
    """RULES 4: add one; if the row is full, its opposite loses one."""
    other = np.int64(t["opposite"][kind])
    s["citizens"][seat, kind] += 1
    put_strength(s, seat, kind)
    if np.int64(s["citizens"][seat, kind]) + np.int64(s["citizens"][seat, other]) > t["room"]:
        lose_citizen(s, seat, other)


@kernel
def lose_citizen(s, seat, kind):
    """RULES 4: take one away."""
    s["citizens"][seat, kind] -= 1
    put_strength(s, seat, kind)


@kernel
def num_citizens(s, seat):
    """All citizens of a seat, real ones."""
    found = np.int64(0)
    for kind in range(NUM_TYPES):
        found += np.int64(s["citizens"][seat, kind])
    return found


# ---------------------------------------------------------------- the track


@kernel
def free_spaces(s, t, seat):
    """RULES 1: the spaces of the track that are free."""
    used = np.int64(s["tiles"][seat]) + np.int64(s["singles"][seat])
    return np.int64(t["spaces"]) - used - np.int64(s["doubles"][seat]) - np.int64(s["locks"][seat])


@kernel
def free_hours(s, seat, number):
    """RULES 9: so many times a lone hourglass leaves the track; if there is none, a pair loses one."""
    for _ in range(number):
        if s["singles"][seat] > 0:
            s["singles"][seat] -= 1
        elif s["doubles"][seat] > 0:
            s["doubles"][seat] -= 1
            s["singles"][seat] += 1


# ---------------------------------------------------------------- coins, points, cubes


@kernel
def cube_room(s, t, seat):
    """The kinds of cubes for which there is room, as a set of rewards."""
    found = bits.ZERO
    if s["temple"][seat] < t["cube_slots"]:
        found |= bits.bit(R_TEMPLE)
    if s["oracle"][seat] < t["cube_slots"]:
        found |= bits.bit(R_ORACLE)
    return found


@kernel
def gain_reward(s, t, seat, what, number):
    """Coins, points or cubes; a cube for which there is no room is not gained."""
    if what == R_COINS:
        s["coins"][seat] += np.int32(number)
    elif what == R_POINTS:
        s["points"][seat, P_OTHER] += np.int32(number)
    elif what == R_TEMPLE:
        room = np.int64(t["cube_slots"]) - np.int64(s["temple"][seat])
        s["temple"][seat] += np.int8(min(number, room))
    else:
        room = np.int64(t["cube_slots"]) - np.int64(s["oracle"][seat])
        s["oracle"][seat] += np.int8(min(number, room))


@kernel
def num_cubes(s, seat):
    """Cubes of both kinds."""
    return np.int64(s["temple"][seat]) + np.int64(s["oracle"][seat])


@kernel
def num_cards(s, seat):
    """Cards in play."""
    return np.int64(popcount(s["played"][seat]))


@kernel
def num_placed(s, seat):
    """Tokens placed."""
    return np.int64(popcount(s["tokens"][seat]))
