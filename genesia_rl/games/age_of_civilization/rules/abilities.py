"""Abilities in force (RULES 8), and what follows from all that holds always."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.age_of_civilization.names import (
    G_INHERITED,
    G_MAIN,
    G_TECHNOLOGY,
    GROUP_SIZE,
    NUM_GROUPS,
    SUMS,
)


@kernel
def num_seats(t):
    """The number of seats."""
    return np.int64(t["seats"])


@kernel
def first_row(t, source):
    """Where the effects of an ability or action begin; those of the one before end there."""
    return np.int64(t["first_row"][source])


@kernel
def base_of(group):
    """The first ability of a group."""
    return np.int64(group) * GROUP_SIZE


@kernel
def number_bit(number):
    """The number as a set."""
    return bits.ONE << np.uint64(number - 1)


@kernel
def civilizations_of(s, seat):
    """The seat's civilizations, as a set."""
    return s["own"][seat, G_INHERITED]


@kernel
def technologies_of(s, seat):
    """The seat's technologies, as a set."""
    return s["own"][seat, G_TECHNOLOGY]


@kernel
def add_always(s, t, seat, ability):
    """What holds always by this ability holds for the seat."""
    for k in range(SUMS):
        s["sums"][seat, k] += t["ability_sums"][ability, k]
    s["flags"][seat] |= t["ability_flags"][ability]
    s["live"][seat] |= t["ability_live"][ability]


@kernel
def gain_ability(s, t, seat, group, number):
    """An ability is in force from now on."""
    s["own"][seat, group] |= number_bit(number)
    add_always(s, t, seat, base_of(group) + number - 1)


@kernel
def change_main(s, t, seat, number):
    """RULES 6: this civilization's main ability is in force; the former one's is not."""
    s["own"][seat, G_MAIN] = number_bit(number)
    s["own"][seat, G_INHERITED] |= number_bit(number)
    refresh(s, t, seat)


@kernel
def refresh(s, t, seat):
    """Work out anew what follows from the abilities in force."""
    s["flags"][seat] = bits.ZERO
    s["live"][seat] = bits.ZERO
    for k in range(SUMS):
        s["sums"][seat, k] = 0
    for group in range(NUM_GROUPS):
        left = s["own"][seat, group]
        while left != bits.ZERO:
            add_always(s, t, seat, base_of(group) + lowest(left))
            left = bits.rest(left)
