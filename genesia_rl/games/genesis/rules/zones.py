"""Zones and herds (RULES 1): kept up to date tile by tile.

A zone or herd is called by its lowest cell. Every tile knows the names of its own and their numbers of
tiles, so that joining two is a pass over the bytes of the board, which a processor makes 32 at a time.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.genesis.rules.room import take_cell
from genesia_rl.games.genesis.rules.scoring import add_zone, drop_zone
from genesia_rl.games.genesis.rules.tiles import has_terrain, seat_of, terrain_of


@kernel
def put_tile(s, t, cell, tile):
    """A tile leaves the supply and lies on a free cell; room, zones, herds and points follow."""
    terrain = terrain_of(tile)
    s["supply"][seat_of(tile), terrain] -= 1
    take_cell(s, t, cell)
    s["tile"][cell] = tile
    s["zone_tiles"][cell] = 1
    s["herd_tiles"][cell] = 1
    bits.add(s["herds"][terrain], cell)
    join_zones(s, t, cell, terrain)  # first: what a zone gave is known as long as its herds are as they were
    join_herds(s, t, cell, tile, terrain)
    add_zone(s, t, terrain, np.int64(s["zone"][cell]))


@kernel
def join_zones(s, t, cell, terrain):
    """The new tile's zone takes in those of its terrain beside it, which score on their own no more."""
    for k in range(t["degree"][cell]):
        other = np.int64(t["neighbour"][cell, k])
        if has_terrain(np.int64(s["tile"][other]), terrain) and s["zone"][other] != s["zone"][cell]:
            drop_zone(s, t, terrain, np.int64(s["zone"][other]))
            join(s["zone"], s["zone_tiles"], t["cells"], cell, other)


@kernel
def join_herds(s, t, cell, tile, terrain):
    """The new tile's herd takes in those of its seat and terrain beside it."""
    for k in range(t["degree"][cell]):
        other = np.int64(t["neighbour"][cell, k])
        if s["tile"][other] == tile and s["herd"][other] != s["herd"][cell]:
            bits.drop(s["herds"][terrain], max(np.int64(s["herd"][other]), np.int64(s["herd"][cell])))
            join(s["herd"], s["herd_tiles"], t["cells"], cell, other)


@kernel
def join(names, tiles, cells, a, b):
    """The groups of two cells become one: by the lower name, with the tiles of both."""
    low, high = min(names[a], names[b]), max(names[a], names[b])
    both = np.uint8(np.int64(tiles[a]) + np.int64(tiles[b]))
    for cell in range(cells):
        names[cell] = low if names[cell] == high else names[cell]
        tiles[cell] = both if names[cell] == low else tiles[cell]
