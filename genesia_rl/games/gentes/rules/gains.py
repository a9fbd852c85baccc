"""Gains and decline rewards (RULES 9): one row of operations after the other."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.gentes.names import (
    ANY_TYPE,
    C_CARDS,
    C_CITIES,
    C_CITIZENS,
    C_FLAT,
    C_HOMES,
    C_REGIONS,
    C_SYMBOL,
    C_TYPE,
    C_TYPES,
    E_CUBE,
    E_ENLIST,
    E_HOURS,
    E_LOSE,
    E_REGION,
    E_TAKE,
    G_ACTIVATE,
    G_CARD,
    G_CITIZEN,
    G_CITY,
    G_FIRST,
    G_FREE_HOURS,
    G_HOURS,
    G_LOSE_CITIZEN,
    G_LOSE_COINS,
    G_UNLOCK,
    NUM_REWARDS,
)
from genesia_rl.games.gentes.rules.places import CITY_PLACES, begin_placing, regions_had
from genesia_rl.games.gentes.rules.seats import (
    free_hours,
    gain_reward,
    lose_citizen,
    num_cards,
    num_citizens,
    num_placed,
    recruit,
    types_had,
)

_BYTE = np.uint64(255)

# ---------------------------------------------------------------- counting


@kernel
def count(s, seat, t, per):
    """RULES 9: what a counter counts."""
    if per == C_FLAT:
        return np.int64(1)
    if per < C_SYMBOL:
        return np.int64(s["citizens"][seat, per - C_TYPE])
    if per < C_CITIES:
        return np.int64((s["symbols"][seat] >> np.uint64((per - C_SYMBOL) * 8)) & _BYTE)
    if per == C_CITIES:
        return num_placed(s, seat)
    if per == C_HOMES:
        return np.int64(popcount(s["tokens"][seat] & ~CITY_PLACES))
    if per == C_REGIONS:
        return np.int64(popcount(regions_had(s, t, seat)))
    if per == C_CARDS:
        return num_cards(s, seat)
    if per == C_TYPES:
        return np.int64(popcount(types_had(s, seat)))
    if per == C_CITIZENS:
        return num_citizens(s, seat)
    return np.int64(s["coins"][seat])


@kernel
def amount_of(s, t, seat, row):
    """RULES 9: n x floor(count / div), at most cap."""
    number = count(s, seat, t, t["op_per"][row]) // np.int64(t["op_div"][row])
    return min(np.int64(t["op_n"][row]) * number, np.int64(t["op_cap"][row]))


# ---------------------------------------------------------------- doing


@kernel
def do_gain(s, t, seat, row):
    """Execute a row, or set the errand that asks what it needs."""
    do, n = t["op_do"][row], np.int64(t["op_n"][row])
    if do < NUM_REWARDS:
        gain_reward(s, t, seat, np.int64(do), amount_of(s, t, seat, row))
    elif do == G_LOSE_COINS:
        s["coins"][seat] -= np.int32(min(n, np.int64(s["coins"][seat])))
    elif do in (G_CITIZEN, G_LOSE_CITIZEN):
        do_citizens(s, t, seat, do == G_CITIZEN, np.int64(t["op_what"][row]), n)
    elif do == G_HOURS:
        s["due"] = n
        s["errand"] = E_HOURS
    elif do == G_FREE_HOURS:
        free_hours(s, seat, n)
    else:
        do_rare_gain(s, t, seat, row, n)


@kernel
def do_rare_gain(s, t, seat, row, n):
    """The same for what few cards do."""
    do = t["op_do"][row]
    if do == G_UNLOCK:
        s["left"] = n
        s["errand"] = E_CUBE
    elif do == G_CARD:
        s["left"] = n
        s["slots"] = t["op_first"][row]
        s["errand"] = E_TAKE
    elif do == G_CITY:
        begin_placing(s, t, seat, np.int64(t["op_what"][row]))
    elif do == G_ACTIVATE:
        s["errand"] = E_REGION
    elif do == G_FIRST:
        s["next_first"] = seat + 1


@kernel
def do_citizens(s, t, seat, gained, kind, n):
    """Citizens of a type come or go, one at a time; of any type each is chosen."""
    if kind == ANY_TYPE:
        s["left"] = n
        s["errand"] = E_ENLIST if gained else E_LOSE
        return
    for _ in range(n):
        if gained and s["citizens"][seat, kind] < t["room"]:
            recruit(s, t, seat, kind)
        elif not gained and s["citizens"][seat, kind] > 0:
            lose_citizen(s, seat, kind)


@kernel
def do_decline_rewards(s, t, seat):
    """RULES 10: the decline rewards of the seat's cards in play, by rising number."""
    left = s["played"][seat] & t["decliners"]
    while left != bits.ZERO:
        place = np.int64(lowest(left))
        left = bits.rest(left)
        for row in range(t["first_decline"][place], t["first_decline"][place + 1]):
            do_gain(s, t, seat, np.int64(row))
