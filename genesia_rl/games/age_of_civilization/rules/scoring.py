"""The score (RULES 10)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.age_of_civilization.names import (
    G_WONDER,
    M_GAME_END,
    P_COURSE,
    P_LEGACY,
    P_WONDERS,
)
from genesia_rl.games.age_of_civilization.rules.abilities import (
    base_of,
    first_row,
    num_seats,
)
from genesia_rl.games.age_of_civilization.rules.counts import amount, holds


@kernel
def scoring_now(s, t, seat, group):
    """The abilities of a group with game_end points. Mostly there are none, and nothing has to be called."""
    return s["own"][seat, group] & t["at_moment"][M_GAME_END, group]


@kernel
def end_points(s, t, seat, group):
    """The game_end points of a group of a seat's abilities, counted as things stand."""
    found = np.int64(0)
    left = scoring_now(s, t, seat, group)
    while left != bits.ZERO:
        ability = base_of(group) + lowest(left)
        left = bits.rest(left)
        for row in range(first_row(t, ability), first_row(t, ability + 1)):
            if t["op_moment"][row] == M_GAME_END and holds(s, t, seat, row):
                found += amount(s, t, seat, row)
    return found


@kernel
def wonder_points(s, t, seat):
    """The game_end points of wonders."""
    if scoring_now(s, t, seat, G_WONDER) == bits.ZERO:
        return np.int64(0)
    return end_points(s, t, seat, G_WONDER)


@kernel
def legacy(s, t, seat):
    """All game_end points but those of wonders."""
    found = np.int64(0)
    for group in range(G_WONDER):
        if scoring_now(s, t, seat, group) != bits.ZERO:
            found += end_points(s, t, seat, group)
    return found


@kernel
def put_parts(s, t, parts, totals):
    """Course, wonders and legacy of every seat; points gained before are not among what is counted."""
    for seat in range(num_seats(t)):
        parts[seat, P_COURSE] = s["points"][seat]
        parts[seat, P_WONDERS] = wonder_points(s, t, seat)
        parts[seat, P_LEGACY] = legacy(s, t, seat)
        totals[seat] = parts[seat, P_COURSE] + parts[seat, P_WONDERS] + parts[seat, P_LEGACY]


@kernel
def is_before(s, totals, other, seat):
    """A higher score; ties: more workers, then more coins."""
    if totals[other] != totals[seat]:
        return totals[other] > totals[seat]
    if s["workers"][other] != s["workers"][seat]:
        return s["workers"][other] > s["workers"][seat]
    return s["coins"][other] > s["coins"][seat]


@kernel
def put_ranks(s, t, totals, ranks):
    """How many seats rank before each."""
    for seat in range(num_seats(t)):
        ranks[seat] = 0
        for other in range(num_seats(t)):
            ranks[seat] += is_before(s, totals, other, seat)
