"""Needs of cards (RULES 9): what is missing, and which cards can be played."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.gentes.names import NEVER, NUM_TYPES

#: The highest bit of every byte. Numbers of needs stay below it, so that all are compared at once: a byte less
#: another keeps the bit exactly if it is no smaller.
HIGH = np.uint64(0x8080808080808080)
_BYTE = np.uint64(255)
_EIGHT = np.uint64(8)


@kernel
def lacking(have, need):
    """The highest bits of the bytes in which there is less than needed."""
    return ~((have | HIGH) - need) & HIGH


@kernel
def missing_citizens(have, need):
    """How many citizens are missing, of all types together."""
    if lacking(have, need) == bits.ZERO:
        return np.int64(0)
    found = np.int64(0)
    for kind in range(NUM_TYPES):
        shift = np.uint64(kind) * _EIGHT
        found += max(np.int64(0), np.int64((need >> shift) & _BYTE) - np.int64((have >> shift) & _BYTE))
    return found


@kernel
def missing(s, t, seat, card):
    """How many oracle cubes the card would take; NEVER if its symbols are not met."""
    if lacking(s["symbols"][seat], t["need_symbols"][card - 1]) != bits.ZERO:
        return NEVER
    return missing_citizens(s["strength"][seat], t["need"][card - 1])


@kernel
def playable(s, t, seat):
    """The cards in hand whose needs are met with the oracle cubes at hand."""
    found = bits.ZERO
    cubes = np.int64(s["oracle"][seat])
    left = s["hand"][seat]
    while left != bits.ZERO:
        place = np.int64(lowest(left))
        left = bits.rest(left)
        if missing(s, t, seat, place + 1) <= cubes:
            found |= bits.bit(place)
    return found
