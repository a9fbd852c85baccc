"""The counter `city_pairs`: the most disjoint pairs of adjacent regions that both hold an own city.

A maximum matching. The homelands make triangles, so a bipartite algorithm will not do; a greedy one
is wrong on trees with two long arms. With at most 20 cities an exact search is quick: a city with one
free neighbour is paired with it at once (never worse), others are tried both ways, and a branch that
cannot beat the best is dropped. Cities are renumbered 0..19, so that a set of them is one integer.
"""

from __future__ import annotations

import numpy as np

from genesia_rl import bits
from genesia_rl.games.genesia.names import CITIES, REGION_WORDS
from genesia_rl.jit import kernel, lowest, popcount


@kernel
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
def max_pairs(regions, t):
    """The size of a maximum matching among the regions of the set."""
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
