"""The score (RULES 6): defined for every position, and kept up to date tile by tile.

Only the largest zone of a terrain can count more than once. So `points` holds what every zone gives if
it counts once, and beside it stands what the largest one of each terrain would give more.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.genesis.names import BEST, MAX_SEATS, NUM_TERRAINS, ROOM, SECOND_BEST, WORD
from genesia_rl.games.genesis.rules.tiles import seat_of

#: Numbers by seat in one 64-bit number: 16 bits for each.
LANE = 16
LANE_MASK = (1 << LANE) - 1

# ---------------------------------------------------------------- what a zone gives (RULES 6.3)


@kernel
def lane(numbers, seat):
    """The number of one seat."""
    return (numbers >> (LANE * seat)) & LANE_MASK


@kernel
def lanes(numbers):
    """The sum of the numbers of all seats."""
    total = 0
    for seat in range(MAX_SEATS):
        total += lane(numbers, seat)
    return total


@kernel
def best_herds(s, t, terrain, zone):
    """RULES 6.3: how many herds of each seat are the largest of a zone, and how many the second largest."""
    best, second = np.int64(0), np.int64(0)
    most, next_most = np.int64(0), np.int64(0)
    for word in range(t["words"]):
        left = s["herds"][terrain, word]
        while left != bits.ZERO:
            cell = WORD * word + lowest(left)
            left = bits.rest(left)
            if s["zone"][cell] != zone:
                continue
            tiles = np.int64(s["herd_tiles"][cell])
            one = np.int64(1) << (LANE * seat_of(s["tile"][cell]))
            if tiles > most:
                second, next_most = best, most
                best, most = one, tiles
            elif tiles == most:
                best += one
            elif tiles > next_most:
                second, next_most = one, tiles
            elif tiles == next_most:
                second += one
    return best, second


@kernel
def share_of_best(best, second, times):
    """RULES 6.3: the points of each largest herd of a zone that counts so many times."""
    herds = lanes(best)
    if herds == 1:
        return times * (BEST if second > 0 else BEST + SECOND_BEST)
    return times * (BEST + SECOND_BEST) // herds


@kernel
def share_of_second(best, second, times):
    """RULES 6.3: the points of each second largest herd: none if several are the largest."""
    if second == 0 or lanes(best) > 1:
        return 0
    return times * SECOND_BEST // lanes(second)


@kernel
def zone_points(best, second, seat, times):
    """RULES 6.3: what a zone gives to a seat, for all its herds together."""
    points = lane(best, seat) * share_of_best(best, second, times)
    return points + lane(second, seat) * share_of_second(best, second, times)


# ---------------------------------------------------------------- keeping it up to date


@kernel
def add_zone(s, t, terrain, zone):
    """A zone is there, by itself or in the place of smaller ones that have been dropped."""
    tiles = np.int64(s["zone_tiles"][zone])
    is_largest = compare_zone(s, t, terrain, tiles)
    if tiles < ROOM:  # RULES 6.1
        return
    best, second = best_herds(s, t, terrain, zone)
    for seat in range(t["seats"]):
        once = zone_points(best, second, seat, 1)
        s["points"][seat, terrain] += once
        if is_largest:
            s["twice_more"][seat, terrain] = zone_points(best, second, seat, 2) - once
            s["thrice_more"][seat, terrain] = zone_points(best, second, seat, 3) - once


@kernel
def compare_zone(s, t, terrain, tiles):
    """RULES 6.2: is a zone of so many tiles now larger than every other of its terrain?

    A zone only grows, so the largest is never to be looked for: it is beaten, or another one ties with it.
    """
    if tiles < s["largest"][terrain]:
        return False
    is_larger = tiles > s["largest"][terrain]
    s["largest"][terrain] = tiles
    s["ties"][terrain] = 1 if is_larger else s["ties"][terrain] + 1
    for other in range(NUM_TERRAINS):
        s["times"][other] = times_of_largest(s, other)
    if not is_larger:
        for seat in range(t["seats"]):
            s["twice_more"][seat, terrain] = 0
            s["thrice_more"][seat, terrain] = 0
    return is_larger


@kernel
def times_of_largest(s, terrain):
    """RULES 6.2: the multiplier of the terrain's largest zone, 0 if it is too small to score."""
    if s["largest"][terrain] < ROOM:
        return 0
    if s["ties"][terrain] != 1:
        return 1
    for other in range(NUM_TERRAINS):
        if other != terrain and s["largest"][other] >= s["largest"][terrain]:
            return 2
    return 3


@kernel
def drop_zone(s, t, terrain, zone):
    """A zone is about to be joined with others: it scores on its own no more."""
    if s["zone_tiles"][zone] < ROOM:
        return
    best, second = best_herds(s, t, terrain, zone)
    for seat in range(t["seats"]):
        s["points"][seat, terrain] -= zone_points(best, second, seat, 1)


# ---------------------------------------------------------------- the score as it stands


@kernel
def part_of(s, seat, terrain):
    """RULES 6.4: the part of a seat's total from one terrain."""
    points = np.int64(s["points"][seat, terrain])
    if s["times"][terrain] == 2:
        return points + s["twice_more"][seat, terrain]
    if s["times"][terrain] == 3:
        return points + s["thrice_more"][seat, terrain]
    return points


@kernel
def put_parts(s, t, parts, totals):
    """RULES 6.4: the parts and the totals of all seats."""
    for seat in range(t["seats"]):
        totals[seat] = 0
        for terrain in range(NUM_TERRAINS):
            points = part_of(s, seat, terrain)
            parts[seat, terrain] = points
            totals[seat] += points


@kernel
def put_ranks(t, totals, ranks):
    """RULES 6.4: for each seat the number of seats with a higher total."""
    for seat in range(t["seats"]):
        ranks[seat] = 0
        for other in range(t["seats"]):
            ranks[seat] += totals[other] > totals[seat]
