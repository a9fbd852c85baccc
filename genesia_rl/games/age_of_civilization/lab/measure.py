"""What happened in a game: one record of figures, read off by replaying its actions.

Things are seen when the next decision is asked: who has what then and had it not before.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.core.lab import measure_dtype
from genesia_rl.games.age_of_civilization.actions import ACT_BASE, REST_ACTION
from genesia_rl.games.age_of_civilization.lab.interventions import intervene, technology_gift, wonder_gift
from genesia_rl.games.age_of_civilization.names import (
    CIVILIZATIONS,
    G_MAIN,
    G_WONDER,
    K_ACTION,
    MAX_SEATS,
    NUM_ACTS,
    SCORE_PARTS,
    TECHNOLOGIES,
    WONDERS,
)
from genesia_rl.games.age_of_civilization.rules import kernel as rules
from genesia_rl.games.age_of_civilization.rules.abilities import civilizations_of, num_seats, technologies_of

_SEATS = (MAX_SEATS,)

#: Things go by their number; 0 is none. Of what somebody holds stands 1 + the seat.
MEASURE = measure_dtype(
    MAX_SEATS,
    len(SCORE_PARTS),
    1,
    [
        ("first_civilization", np.int8, _SEATS),
        ("last_main", np.int8, _SEATS),  # the main civilization at the end
        ("civilizations", np.int8, _SEATS),  # how many at the end, as the next two
        ("researched", np.int8, _SEATS),
        ("built", np.int8, _SEATS),
        ("special", np.int8, _SEATS),  # the special card
        ("workers", np.int8, _SEATS),
        ("coins", np.int16, _SEATS),
        ("acts", np.int16, _SEATS),  # actions performed on spaces by choice
        ("rests", np.int8, _SEATS),  # turns of rest by choice
        ("technology_gift", np.int8, _SEATS),  # what it began with
        ("wonder_gift", np.int8, _SEATS),
        ("offered", np.int8, (CIVILIZATIONS + 1,)),  # somebody could have begun with it
        ("for_sale", np.int8, (WONDERS + 1,)),  # in the wonder market
        ("technology_seat", np.int8, (TECHNOLOGIES + 1,)),  # who had it first
        ("technology_owners", np.int8, (TECHNOLOGIES + 1,)),  # how many have it at the end
        ("wonder_seat", np.int8, (WONDERS + 1,)),
        ("wonder_round", np.int8, (WONDERS + 1,)),  # in which it was there first
    ],
)
#: Of these fields: the axis that goes by seat.
BY_SEAT = dict.fromkeys(
    ("first_civilization", "last_main", "civilizations", "researched", "built", "special", "workers", "coins", "acts",
     "rests", "technology_gift", "wonder_gift"), 0
)  # fmt: skip


@kernel
def mark(numbers, members, value):
    """The value at the numbers of a set where there is none yet."""
    left = members
    while left != bits.ZERO:
        number = lowest(left) + 1
        left = bits.rest(left)
        if numbers[number] == 0:
            numbers[number] = value


@kernel
def measure_deal(s, t, m):
    """The wonder market, and the civilizations that come into the market in the first round, or into hands."""
    mark(m["for_sale"], s["wonder_market"], 1)
    if t["draft"]:
        for seat in range(num_seats(t)):
            mark(m["offered"], s["sights"][seat, 0], 1)
    else:
        mark(m["offered"], s["market"], 1)
        for place in range(s["drawn"], np.int64(s["drawn"]) + num_seats(t) - 1):
            m["offered"][s["deck"][place]] = 1


@kernel
def replay(states, tables, intervention, log, parts, totals, ranks, m):
    """The whole game: what everybody began with, and what it has when somebody is asked."""
    s, t = states[0], tables[0]
    see_gifts(t, intervention, m)
    while not s["over"]:
        action = np.int64(log[s["steps"]])
        see_things(s, t, m)
        see_action(s, action, m)
        rules.step(states, 0, tables, action)
        if not s["over"]:
            intervene(states, 0, tables, intervention)


@kernel
def see_gifts(t, intervention, m):
    """What everybody began with; the wonder market is that of the deal."""
    market = bits.ZERO
    for number in range(1, WONDERS + 1):
        if m["for_sale"][number]:
            market |= bits.bit(number - 1)
    for seat in range(num_seats(t)):
        m["technology_gift"][seat] = technology_gift(intervention, seat)
        m["wonder_gift"][seat] = wonder_gift(intervention, market, seat)


@kernel
def see_action(s, action, m):
    """Actions performed, and turns of rest."""
    if s["kind"] == K_ACTION:
        seat = np.int64(s["seat"])
        m["acts"][seat] += ACT_BASE <= action < ACT_BASE + NUM_ACTS
        m["rests"][seat] += action == REST_ACTION


@kernel
def single(members):
    """The lowest number of a set from 1 on, 0 if there is none."""
    return lowest(members) + 1 if members != bits.ZERO else 0


@kernel
def see_things(s, t, m):
    """First civilizations, technologies and wonders that were not there before."""
    for seat in range(num_seats(t)):
        if m["first_civilization"][seat] == 0:
            m["first_civilization"][seat] = single(civilizations_of(s, seat))
        mark(m["technology_seat"], technologies_of(s, seat), seat + 1)
        mark(m["wonder_seat"], s["own"][seat, G_WONDER], seat + 1)
        mark(m["wonder_round"], s["own"][seat, G_WONDER], s["round"])


@kernel
def measure_end(s, t, m):
    """The finished game."""
    see_things(s, t, m)
    for seat in range(num_seats(t)):
        m["last_main"][seat] = single(s["own"][seat, G_MAIN])
        m["civilizations"][seat] = popcount(civilizations_of(s, seat))
        m["researched"][seat] = popcount(technologies_of(s, seat))
        m["built"][seat] = popcount(s["own"][seat, G_WONDER])
        m["special"][seat] = s["special"][seat]
        m["workers"][seat] = s["workers"][seat]
        m["coins"][seat] = s["coins"][seat]
        for number in range(1, TECHNOLOGIES + 1):
            m["technology_owners"][number] += bits.bit(number - 1) & technologies_of(s, seat) != bits.ZERO
