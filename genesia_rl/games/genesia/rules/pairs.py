"""The counter `city_pairs`: the most disjoint pairs of adjacent regions that both hold an own city.

A maximum matching. The homelands make triangles, so a bipartite algorithm will not do; a greedy one
is wrong on trees with two long arms. With at most 20 cities an exact search is quick: a city with one
free neighbour is paired with it at once (never worse), others are tried both ways, and a branch that
cannot beat the best is dropped. Cities are renumbered 0..19, so that a set of them is one integer.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, owning, popcount
from genesia_rl.games.genesia.names import CITIES, REGION_WORDS


@owning
def _neighbour_sets(regions, t, near):
    """For each city the set of cities next to it; returns how many cities there are."""
    ids = np.empty(CITIES, np.int64)
    num = 0
    for word in range(REGION_WORDS):
        left = regions[word]
        while left != bits.ZERO:
            ids[num] = word * 64 + lowest(left)
            num += 1
            left = bits.rest(left)
    for i in range(num):
        near[i] = bits.ZERO
        for j in range(num):
            if bits.has(t["adjacent"][ids[i]], ids[j]):
                near[i] |= bits.bit(j)
    return num


@kernel
def _next_city(free, near):
    """The free city with the fewest free neighbours but at least one, or -1."""
    best, fewest = -1, CITIES + 1
    left = free
    while left != bits.ZERO:
        city = lowest(left)
        left = bits.rest(left)
        num = popcount(near[city] & free)
        if 0 < num < fewest:
            best, fewest = city, num
    return best


@kernel
def _only_neighbour(t, region, free_0, free_1):
    """How many free neighbours a region has, and one of them (-1: none)."""
    near_0, near_1 = t["adjacent"][region, 0] & free_0, t["adjacent"][region, 1] & free_1
    number = popcount(near_0) + popcount(near_1)
    if number == 0:
        return number, -1
    return number, lowest(near_0) if near_0 != bits.ZERO else 64 + lowest(near_1)


@owning
def max_pairs(regions, t):
    """The size of a maximum matching among the regions of the set.

    First everything that needs no search: a city without free neighbours is left out, a city with
    one is paired with it. That settles most positions of a game.
    """
    free_0, free_1 = regions[0], regions[1]
    pairs = 0
    changed = True
    while changed:
        changed = False
        left_0, left_1 = free_0, free_1
        while left_0 | left_1 != bits.ZERO:
            if left_0 != bits.ZERO:
                region = lowest(left_0)
                left_0 = bits.rest(left_0)
            else:
                region = 64 + lowest(left_1)
                left_1 = bits.rest(left_1)
            number, other = _only_neighbour(t, region, free_0, free_1)
            if number > 1:
                continue
            changed = True
            free_0, free_1 = _without(free_0, free_1, region)
            if number == 1:
                pairs += 1
                free_0, free_1 = _without(free_0, free_1, other)
                left_0, left_1 = left_0 & free_0, left_1 & free_1
    if free_0 | free_1 == bits.ZERO:
        return pairs
    core = np.empty(REGION_WORDS, np.uint64)
    core[0], core[1] = free_0, free_1
    return pairs + search_pairs(core, t)


@kernel
def _without(word_0, word_1, region):
    """A set of two words without one region."""
    if region < 64:
        return word_0 & ~bits.bit(region), word_1
    return word_0, word_1 & ~bits.bit(region)


@owning
def search_pairs(regions, t):
    """The same by search, for what is left."""
    near = np.empty(CITIES, np.uint64)
    num = _neighbour_sets(regions, t, near)
    # a branch is the set of cities still free and the pairs made so far
    free_of = np.empty(CITIES * CITIES, np.uint64)
    pairs_of = np.empty(CITIES * CITIES, np.int64)
    free_of[0] = (bits.ONE << np.uint64(num)) - bits.ONE
    pairs_of[0] = 0
    branches, best = 1, 0
    while branches > 0:
        branches -= 1
        free, pairs = free_of[branches], pairs_of[branches]
        if pairs + popcount(free) // 2 <= best:
            continue
        city = _next_city(free, near)
        if city < 0:
            best = max(best, pairs)
            continue
        others = near[city] & free
        free &= ~bits.bit(city)
        if popcount(others) > 1:  # with one neighbour, leaving the city alone is never better
            free_of[branches] = free
            pairs_of[branches] = pairs
            branches += 1
        while others != bits.ZERO:
            free_of[branches] = free & ~bits.bit(lowest(others))
            pairs_of[branches] = pairs + 1
            branches += 1
            others = bits.rest(others)
    return best
