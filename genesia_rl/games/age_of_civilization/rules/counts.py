"""Counts, needs and amounts (RULES 8), and what they need of force (RULES 1)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.age_of_civilization.names import (
    C_CIVILIZATIONS,
    C_COINS,
    C_COLUMNS,
    C_FLAT,
    C_FORCE,
    C_FULL_COLUMNS,
    C_FUTURE,
    C_POINTS,
    C_ROW_1,
    C_ROW_3,
    C_STRONGEST,
    C_TECHNOLOGIES,
    C_WONDERS,
    C_WORKERS,
    COLUMNS,
    G_WONDER,
    L_FORCE,
    M_ALWAYS,
    NO_NEED,
    NUM_GROUPS,
    ROUNDS,
    ROWS,
)
from genesia_rl.games.age_of_civilization.rules.abilities import (
    base_of,
    civilizations_of,
    first_row,
    num_seats,
    technologies_of,
)
from genesia_rl.games.age_of_civilization.tables import ALL_TECHS

# ---------------------------------------------------------------- counts that need no force


@kernel
def count_columns(s, t, seat, least):
    """How many columns have at least so many of the seat's technologies."""
    found = 0
    for column in range(COLUMNS):
        found += popcount(technologies_of(s, seat) & t["in_column"][column]) >= least
    return found


@kernel
def plain_count(s, t, seat, per):
    """RULES 8, third table: all counts but `force` and `strongest`."""
    if per == C_FLAT:
        return np.int64(1)
    if per == C_TECHNOLOGIES:
        return np.int64(popcount(technologies_of(s, seat)))
    if C_ROW_1 <= per <= C_ROW_3:
        return np.int64(popcount(technologies_of(s, seat) & t["in_row"][per - C_ROW_1]))
    if per == C_COLUMNS:
        return np.int64(count_columns(s, t, seat, 1))
    if per == C_FULL_COLUMNS:
        return np.int64(count_columns(s, t, seat, ROWS))
    if per == C_WONDERS:
        return np.int64(popcount(s["own"][seat, G_WONDER]))
    if per == C_CIVILIZATIONS:
        return np.int64(popcount(civilizations_of(s, seat)))
    return what_it_has(s, seat, per)


@kernel
def what_it_has(s, seat, per):
    """The rest of them: single numbers of the state."""
    if per == C_WORKERS:
        return np.int64(s["workers"][seat])
    if per == C_COINS:
        return np.int64(s["coins"][seat])
    if per == C_POINTS:
        return np.int64(s["points"][seat])
    if per == C_FUTURE:
        return np.int64(ROUNDS) - np.int64(s["round"])
    return np.int64(s["bonus"])


@kernel
def within(t, row, number):
    """Does the count lie between the bounds of the row's need?"""
    return t["op_min"][row] <= number <= t["op_max"][row]


@kernel
def times(t, row, number):
    """RULES 8: n x floor(count / div), at most cap."""
    found = np.int64(t["op_n"][row]) * (number // np.int64(t["op_div"][row]))
    return min(found, np.int64(t["op_cap"][row]))


# ---------------------------------------------------------------- force


@kernel
def live_force(s, t, seat):
    """The part of a seat's force that is worked out each time; it depends on no force (RULES 8)."""
    found = np.int64(0)
    for group in range(NUM_GROUPS):
        left = s["own"][seat, group]
        while left != bits.ZERO:
            ability = base_of(group) + lowest(left)
            left = bits.rest(left)
            for row in range(first_row(t, ability), first_row(t, ability + 1)):
                if t["op_moment"][row] == M_ALWAYS + L_FORCE and t["op_live"][row]:
                    need = np.int64(t["op_need"][row])
                    if need == NO_NEED or within(t, row, plain_count(s, t, seat, need)):
                        found += times(t, row, plain_count(s, t, seat, np.int64(t["op_per"][row])))
    return found


@kernel
def force_of(s, t, seat):
    """RULES 1: the sum of all `force` effects in force for a seat."""
    found = np.int64(s["sums"][seat, L_FORCE])
    if s["live"][seat] & bits.ONE != bits.ZERO:
        found += live_force(s, t, seat)
    return found


@kernel
def virtual_force(s):
    """RULES 12: the force of the virtual opponent."""
    return np.int64(s["round"]) - 1


@kernel
def is_strongest(s, t, seat):
    """RULES 1: nobody has more force."""
    own = force_of(s, t, seat)
    if t["solo"]:
        return own >= virtual_force(s)
    found = True
    for other in range(num_seats(t)):
        found &= force_of(s, t, other) <= own
    return found


@kernel
def is_weakest(s, t, seat):
    """RULES 1: nobody has less force."""
    own = force_of(s, t, seat)
    if t["solo"]:
        return own <= virtual_force(s)
    found = True
    for other in range(num_seats(t)):
        found &= force_of(s, t, other) >= own
    return found


# ---------------------------------------------------------------- any count


@kernel
def count(s, t, seat, per):
    """RULES 8, third table: any count of a seat."""
    if per == C_FORCE:
        return force_of(s, t, seat)
    if per == C_STRONGEST:
        return np.int64(is_strongest(s, t, seat))
    return plain_count(s, t, seat, per)


@kernel
def holds(s, t, seat, row):
    """RULES 8: does the need of the row hold now?"""
    need = np.int64(t["op_need"][row])
    return need == NO_NEED or within(t, row, count(s, t, seat, need))


@kernel
def amount(s, t, seat, row):
    """RULES 8: the amount of the row now."""
    if t["op_flat"][row]:
        return np.int64(t["op_n"][row])
    return times(t, row, count(s, t, seat, np.int64(t["op_per"][row])))


# ---------------------------------------------------------------- what holds always


@kernel
def live_sum(s, t, seat, lane, tech, at_end):
    """The part of a lane that is worked out each time.

    `tech` is the technology that research is to gain, as a set; without one no discount for some technologies
    counts. `at_end`: for an action that is performed by a turn_end effect.
    """
    found = np.int64(0)
    for group in range(NUM_GROUPS):
        left = s["own"][seat, group]
        while left != bits.ZERO:
            ability = base_of(group) + lowest(left)
            left = bits.rest(left)
            if (t["ability_live"][ability] >> np.uint64(lane)) & bits.ONE != bits.ZERO:
                found += live_rows(s, t, seat, ability, lane, tech, at_end)
    return found


@kernel
def live_rows(s, t, seat, ability, lane, tech, at_end):
    """What the live rows of one ability add to a lane."""
    found = np.int64(0)
    for row in range(first_row(t, ability), first_row(t, ability + 1)):
        if t["op_moment"][row] != M_ALWAYS + lane or not t["op_live"][row]:
            continue
        if not is_for(t, row, tech) or (at_end and t["op_not_at_end"][row]):
            continue
        if holds(s, t, seat, row):
            found += amount(s, t, seat, row)
    return found


@kernel
def is_for(t, row, tech):
    """RULES 8, `techs`: is the row for this technology, as a set, or for all?"""
    techs = t["op_techs"][row]
    return techs == ALL_TECHS or techs & tech != bits.ZERO


@kernel
def is_live(s, seat, lane):
    """Is a part of the lane worked out each time?"""
    return (s["live"][seat] >> np.uint64(lane)) & bits.ONE != bits.ZERO


@kernel
def lane_sum(s, t, seat, lane):
    """A sum of what holds always: `labour`, `space`."""
    found = np.int64(s["sums"][seat, lane])
    if is_live(s, seat, lane):
        found += live_sum(s, t, seat, lane, bits.ZERO, False)
    return found


@kernel
def has_flag(s, t, seat, lane):
    """A flag of what holds always: `safe`, `forbid`, `future`, `immune`."""
    if (s["flags"][seat] >> np.uint64(lane)) & bits.ONE != bits.ZERO:
        return True
    return is_live(s, seat, lane) and live_sum(s, t, seat, lane, bits.ZERO, False) > 0
