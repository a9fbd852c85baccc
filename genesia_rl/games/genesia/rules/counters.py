"""Places and counters (RULES 7): where an effect may put pieces, and what it counts. Each once."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.genesia.names import (
    AT_BASES,
    AT_FOREIGN_HOMELAND,
    AT_FREE_OUTER,
    AT_FRONTIER,
    AT_HOMELAND,
    AT_OCCUPIED,
    AT_OWN,
    CITIES,
    CLANS,
    PER_CITIES,
    PER_CITY_PAIRS,
    PER_CLANS,
    PER_COINS,
    PER_CONQUESTS,
    PER_CONTINENTS,
    PER_FLAT,
    PER_FOREIGN_HOMELANDS,
    PER_INVENTIONS,
    PER_MOST_CITIES,
    PER_MOST_CLANS,
    PER_MOST_REGIONS,
    PER_REGIONS,
    PER_REGIONS_FOREIGN,
    PER_REGIONS_ISLAND,
    PER_REGIONS_OWN,
    PER_REGIONS_VALUE,
    PER_SINGLES,
    PER_STACKS,
    REGION_WORDS,
)
from genesia_rl.games.genesia.rules.pairs import max_pairs
from genesia_rl.games.genesia.rules.pieces import others_presence
from genesia_rl.games.genesia.rules.players import num_seats

# ---------------------------------------------------------------- places


@kernel
def own_homeland(t, seat, word):
    """One word of the set that holds the seat's homeland alone."""
    home = t["homeland"][seat]
    return bits.bit(home) if home >> 6 == word else bits.ZERO


@kernel
def frontier(s, t, seat, word):
    """One word of the regions next to a region that the seat occupies."""
    near = bits.ZERO
    for w in range(REGION_WORDS):
        own = s["occupied"][seat, w]
        while own != bits.ZERO:
            near |= t["adjacent"][w * 64 + lowest(own), word]
            own = bits.rest(own)
    return near


@kernel
def place_word(s, t, seat, at, word):
    """One word of the regions that a place means for the seat now."""
    if at == AT_HOMELAND:
        return own_homeland(t, seat, word)
    if at == AT_BASES:
        return own_homeland(t, seat, word) | s["city_regions"][seat, word]
    if at == AT_OCCUPIED:
        return s["occupied"][seat, word]
    others = others_presence(s, t, seat, word)
    if at == AT_OWN:
        return own_homeland(t, seat, word) | (t["continent"][seat, word] & ~others)
    if at == AT_FOREIGN_HOMELAND:
        return t["homelands"][word] & ~own_homeland(t, seat, word)
    free = t["all_regions"][word] & ~(others | s["occupied"][seat, word])
    if at == AT_FREE_OUTER:
        return free & t["outer"][word]
    if at == AT_FRONTIER:
        return free & frontier(s, t, seat, word)
    return bits.ZERO


@kernel
def city_place_word(s, t, seat, at, word):
    """The same for a city: no own city there and, outside homelands, no other player's presence."""
    others = others_presence(s, t, seat, word) & ~t["homelands"][word]
    return place_word(s, t, seat, at, word) & ~s["city_regions"][seat, word] & ~others


# ---------------------------------------------------------------- counters


@kernel
def num_regions(s, seat):
    """How many regions the seat occupies."""
    return bits.num_members(s["occupied"][seat])


@kernel
def num_regions_in(s, seat, regions):
    """How many regions of a set the seat occupies."""
    total = 0
    for word in range(REGION_WORDS):
        total += popcount(s["occupied"][seat, word] & regions[word])
    return total


@kernel
def num_foreign(s, t, seat):
    """How many regions of other continents the seat occupies; the island is no continent."""
    total = 0
    for word in range(REGION_WORDS):
        total += popcount(s["occupied"][seat, word] & ~t["continent"][seat, word] & ~t["island"][word])
    return total


@kernel
def num_continents(s, t, seat):
    """On how many other continents the seat occupies a region."""
    total = 0
    for other in range(num_seats(t)):
        if other != seat and num_regions_in(s, seat, t["continent"][other]) > 0:
            total += 1
    return total


@kernel
def num_foreign_homelands(s, t, seat):
    """How many opponents' homelands the seat occupies."""
    total = 0
    for word in range(REGION_WORDS):
        foreign = t["homelands"][word] & ~own_homeland(t, seat, word)
        total += popcount(s["occupied"][seat, word] & foreign)
    return total


@kernel
def num_with_clans(s, seat, least, most):
    """How many regions hold least..most own clans; a city there does not matter."""
    total = 0
    for word in range(REGION_WORDS):
        regions = s["clan_regions"][seat, word]
        while regions != bits.ZERO:
            here = s["clans"][seat, word * 64 + lowest(regions)]
            if least <= here <= most:
                total += 1
            regions = bits.rest(regions)
    return total


@kernel
def num_clans(s, seat):
    """How many clans the seat has on the map; those that mark Inventions are not there."""
    return CLANS - np.int64(s["clan_supply"][seat]) - bits.num_members(s["marked"][seat])


@kernel
def num_cities(s, seat):
    """How many cities the seat has on the map."""
    return CITIES - np.int64(s["city_supply"][seat])


@kernel
def has_most(s, t, seat, per):
    """1 if the seat has strictly more than every opponent, else 0."""
    own = _amount(s, seat, per)
    for other in range(num_seats(t)):
        if other != seat and _amount(s, other, per) >= own:
            return 0
    return 1


@kernel
def _amount(s, seat, per):
    if per == PER_MOST_CITIES:
        return num_cities(s, seat)
    if per == PER_MOST_CLANS:
        return num_clans(s, seat)
    return num_regions(s, seat)


@kernel
def count(s, t, seat, per, arg):
    """RULES 7, Counters: the number that a counter stands for now."""
    if per == PER_FLAT:
        return 1
    if per == PER_REGIONS:
        return num_regions(s, seat)
    if per == PER_REGIONS_OWN:
        return num_regions_in(s, seat, t["continent"][seat])
    if per == PER_REGIONS_FOREIGN:
        return num_foreign(s, t, seat)
    if per == PER_REGIONS_ISLAND:
        return num_regions_in(s, seat, t["island"])
    if per == PER_REGIONS_VALUE:
        return num_regions_in(s, seat, t["value_at_least"][arg])
    if per == PER_SINGLES:
        return num_with_clans(s, seat, 1, 1)
    if per == PER_STACKS:
        return num_with_clans(s, seat, arg, CLANS)
    if per == PER_CLANS:
        return num_clans(s, seat)
    if per == PER_CITIES:
        return num_cities(s, seat)
    if per == PER_CITY_PAIRS:
        return max_pairs(s["city_regions"][seat], t)
    if per == PER_COINS:
        return np.int64(s["coins"][seat])
    if per == PER_INVENTIONS:
        return bits.num_members(s["inventions"][seat])
    if per == PER_CONTINENTS:
        return num_continents(s, t, seat)
    if per == PER_FOREIGN_HOMELANDS:
        return num_foreign_homelands(s, t, seat)
    if per == PER_CONQUESTS:
        return np.int64(s["conquests"][seat])
    if per in (PER_MOST_CITIES, PER_MOST_CLANS, PER_MOST_REGIONS):
        return has_most(s, t, seat, per)
    return 0


@kernel
def worth(s, t, seat, n, per, arg, div, cap):
    """n x floor(count(per) / div), at most cap."""
    number = count(s, t, seat, per, arg)
    if div > 1:
        number = number // div
    return min(n * number, cap)
