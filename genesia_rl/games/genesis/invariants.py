"""What holds in every state (RULES 1, 2, 5 and 6), compiled: what is kept up to date tile by tile is counted anew.

Said once more, by other means and for people, in `check.py`; here it is counted by the million (core/invariants.py).
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, owning
from genesia_rl.games.genesis.actions import CELL_BASE, LEGAL_WORDS
from genesia_rl.games.genesis.names import (
    K_CELL,
    MAX_CELLS,
    MAX_SEATS,
    NUM_TERRAINS,
    ROOM,
    WORD,
)
from genesia_rl.games.genesis.rules.scoring import best_herds, times_of_largest, zone_points

INVARIANTS = (
    "tiles on the board and in supply are as many as every seat was given",
    "free are the cells in use without a tile",
    "middles are the free cells with two free neighbours or more",
    "zones and herds are the connected tiles of a terrain, and of a seat in it",
    "zones and herds have as many tiles as they hold cells",
    "herds are listed by their lowest cells",
    "the largest zone of a terrain, its ties and its multiplier are those of the board",
    "points by seat and terrain are what the zones of the board give",
    "the game is over when nowhere is room or nobody has a tile, and not before",
    "a terrain is chosen while a cell is asked for, and only then; the cells asked for are the free ones",
    "turns have a roll each",
    "a seat that is not in the game has nothing",
)


@kernel
def broken(s, t):
    """The first of them that does not hold, counted from 1; 0 if all do."""
    if not are_all_tiles_there(s, t):
        return 1
    found = broken_room(s, t)
    if found == 0:
        found = broken_groups(s, t)
    if found == 0:
        found = broken_score(s, t)
    if found == 0:
        found = broken_course(s, t)
    return found


@kernel
def terrain_of_tile(tile):
    """The terrain of a tile's code: the lowest bit of its four."""
    return lowest(np.uint64(tile))


# ---------------------------------------------------------------- cells and tiles


@owning
def are_all_tiles_there(s, t):
    """RULES 2: what is not on the board is in the supply."""
    left = np.zeros((MAX_SEATS, NUM_TERRAINS), np.int64)
    for seat in range(MAX_SEATS):
        for terrain in range(NUM_TERRAINS):
            if s["supply"][seat, terrain] < 0:
                return False
            given = np.int64(t["start"]["supply"][seat, terrain])
            left[seat, terrain] = given - np.int64(s["supply"][seat, terrain])
    for cell in range(t["cells"]):
        tile = np.int64(s["tile"][cell])
        if tile != 0:
            left[lowest(np.uint64(tile >> NUM_TERRAINS)), terrain_of_tile(tile)] -= 1
    for seat in range(MAX_SEATS):
        for terrain in range(NUM_TERRAINS):
            if left[seat, terrain] != 0:
                return False
    return True


@kernel
def broken_room(s, t):
    """RULES 1: free cells, and those between two others."""
    free, middles = 0, 0
    for cell in range(MAX_CELLS):
        is_free = t["used"][cell] == 1 and s["tile"][cell] == 0
        if bits.has(s["free"], cell + CELL_BASE) != is_free:
            return 2
        if is_free:
            free += 1
            around = 0
            for k in range(t["degree"][cell]):
                around += s["tile"][np.int64(t["neighbour"][cell, k])] == 0
            middles += around >= 2
    if free != s["free_cells"]:
        return 2
    return 0 if middles == s["middles"] else 3


# ---------------------------------------------------------------- zones and herds


@kernel
def root_of(group, cell):
    """The lowest cell of a group, as far as is known."""
    while group[cell] != cell:
        group[cell] = group[group[cell]]
        cell = group[cell]
    return cell


@kernel
def put_groups(s, t, mask, group, size):
    """Connected tiles that are alike in the bits of the mask: the lowest cell of each group, and its tiles."""
    for cell in range(t["cells"]):
        group[cell], size[cell] = cell, 0
    for cell in range(t["cells"]):
        tile = np.int64(s["tile"][cell]) & mask
        if tile == 0:
            continue
        for k in range(t["degree"][cell]):
            other = np.int64(t["neighbour"][cell, k])
            if np.int64(s["tile"][other]) & mask == tile:
                a, b = root_of(group, cell), root_of(group, other)
                group[max(a, b)] = min(a, b)
    for cell in range(t["cells"]):
        group[cell] = root_of(group, cell)
        if s["tile"][cell] != 0:
            size[group[cell]] += 1


@owning
def broken_groups(s, t):
    """RULES 1: zones and herds by cell, and the lowest cells of herds."""
    zone, herd = np.empty(MAX_CELLS, np.int64), np.empty(MAX_CELLS, np.int64)
    zone_size, herd_size = np.empty(MAX_CELLS, np.int64), np.empty(MAX_CELLS, np.int64)
    put_groups(s, t, (1 << NUM_TERRAINS) - 1, zone, zone_size)
    put_groups(s, t, 255, herd, herd_size)
    for cell in range(t["cells"]):
        if s["zone"][cell] != zone[cell] or s["herd"][cell] != herd[cell]:
            return 4
        if s["zone_tiles"][cell] != zone_size[zone[cell]] or s["herd_tiles"][cell] != herd_size[herd[cell]]:
            return 5
    for terrain in range(NUM_TERRAINS):
        for cell in range(MAX_CELLS):
            tile = np.int64(s["tile"][cell])
            is_lowest = tile != 0 and herd[cell] == cell and terrain_of_tile(tile) == terrain
            if (
                (s["herds"][terrain, cell // WORD] >> np.uint64(cell % WORD)) & bits.ONE != bits.ZERO
            ) != is_lowest:
                return 6
    return 0


# ---------------------------------------------------------------- the score


@kernel
def broken_score(s, t):
    """RULES 6: the largest zones, and what all give, zone by zone."""
    for terrain in range(NUM_TERRAINS):
        largest, ties = np.int64(0), np.int64(0)
        for cell in range(t["cells"]):
            if is_zone(s, cell, terrain):
                tiles = np.int64(s["zone_tiles"][cell])
                ties = 1 if tiles > largest else ties + (tiles == largest)
                largest = max(largest, tiles)
        if s["largest"][terrain] != largest or s["ties"][terrain] != ties:
            return 7
        if s["times"][terrain] != times_of_largest(s, terrain):
            return 7
        if not are_points(s, t, terrain, largest, ties):
            return 8
    return 0


@kernel
def is_zone(s, cell, terrain):
    """Is it the lowest cell of a zone of the terrain?"""
    tile = np.int64(s["tile"][cell])
    return tile != 0 and s["zone"][cell] == cell and terrain_of_tile(tile) == terrain


@owning
def are_points(s, t, terrain, largest, ties):
    """Are the points of a terrain the sums over its zones, and is what the largest gives more?"""
    sums = np.zeros((3, MAX_SEATS), np.int64)
    for cell in range(t["cells"]):
        tiles = np.int64(s["zone_tiles"][cell])
        if tiles < ROOM or not is_zone(s, cell, terrain):
            continue
        best, second = best_herds(s, t, terrain, cell)
        for seat in range(t["seats"]):
            once = zone_points(best, second, seat, 1)
            sums[0, seat] += once
            if tiles == largest and ties == 1:
                sums[1, seat] = zone_points(best, second, seat, 2) - once
                sums[2, seat] = zone_points(best, second, seat, 3) - once
    for seat in range(t["seats"]):
        if s["points"][seat, terrain] != sums[0, seat]:
            return False
        if (
            s["twice_more"][seat, terrain] != sums[1, seat]
            or s["thrice_more"][seat, terrain] != sums[2, seat]
        ):
            return False
    return True


# ---------------------------------------------------------------- the course of a game


@kernel
def broken_course(s, t):
    """RULES 5: when it is over; PROTOCOL 2: what is asked."""
    held, stranger = 0, 0
    for seat in range(MAX_SEATS):
        for terrain in range(NUM_TERRAINS):
            supply = np.int64(s["supply"][seat, terrain])
            held += supply
            stranger += seat >= t["seats"] and (supply != 0 or s["points"][seat, terrain] != 0)
    if (s["middles"] <= 0 or held == 0) != (s["over"] == 1):
        return 9
    if (s["pending"] > 0) != (s["kind"] == K_CELL):
        return 10
    if s["kind"] == K_CELL:
        for word in range(LEGAL_WORDS):
            if s["legal"][word] != s["free"][word]:
                return 10
    if s["turn"] < 0 or s["turn"] > s["num_rolls"]:
        return 11
    return 12 if stranger > 0 else 0
