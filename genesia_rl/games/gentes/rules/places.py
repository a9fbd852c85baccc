"""Tokens on cities and Homes (RULES 6, Navigator)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.gentes.names import CITIES, E_CITY, E_MOVE, E_NONE, E_REGION, NUM_REGIONS
from genesia_rl.games.gentes.rules.seats import gain_reward, num_placed, num_seats

CITY_PLACES = np.uint64((1 << CITIES) - 1)


@kernel
def empty_places(s, t, symbol):
    """The empty places with a symbol."""
    found = t["on_symbol"][symbol]
    for seat in range(num_seats(t)):
        found &= ~s["tokens"][seat]
    return found


@kernel
def regions_had(s, t, seat):
    """The regions where the seat has a city, as a set."""
    found = bits.ZERO
    for region in range(NUM_REGIONS):
        if s["tokens"][seat] & t["region_cities"][region] != bits.ZERO:
            found |= bits.bit(region)
    return found


@kernel
def begin_placing(s, t, seat, symbol):
    """A token is placed on the symbol, or moved if all are placed; without an empty place nothing happens."""
    if empty_places(s, t, symbol) == bits.ZERO:
        return
    s["symbol"] = symbol
    s["errand"] = E_MOVE if num_placed(s, seat) >= t["num_tokens"] else E_CITY


@kernel
def lift_token(s, t, seat, place):
    """RULES 6: a token leaves its place; what a Home did in this round is forgotten."""
    s["tokens"][seat] &= ~bits.bit(place)
    s["used_homes"] &= ~bits.bit(place)
    s["symbols"][seat] -= t["place_symbols"][place]
    s["lifted"] = place + 1


@kernel
def put_token(s, t, seat, place):
    """RULES 6: on a city its region is activated, on a Home one is chosen."""
    s["tokens"][seat] |= bits.bit(place)
    s["symbols"][seat] += t["place_symbols"][place]
    s["symbol"] = 0
    s["lifted"] = 0
    if place < CITIES:
        s["errand"] = E_NONE
        activate(s, t, seat, np.int64(t["city_region"][place]))
    else:
        s["errand"] = E_REGION


@kernel
def activate(s, t, seat, region):
    """RULES 6: every own city of the region gives its reward, by rising number."""
    left = s["tokens"][seat] & t["region_cities"][region]
    while left != bits.ZERO:
        city = np.int64(lowest(left))
        left = bits.rest(left)
        gain_reward(s, t, seat, np.int64(t["city_reward"][city]), np.int64(t["city_n"][city]))
