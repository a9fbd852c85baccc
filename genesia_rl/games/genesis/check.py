"""What every state must fulfil: to be called after any move, in tests and while debugging.

What the rules keep up to date tile by tile is compared with a recount from the tiles alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from genesia_rl.games.genesis.actions import CELL_BASE, END_ACTION, LEGAL_WORDS, TILE_BASE
from genesia_rl.games.genesis.config import Config
from genesia_rl.games.genesis.data.board import has_room
from genesia_rl.games.genesis.names import (
    CELL_WORDS,
    JOKER,
    K_CELL,
    K_FIRST,
    K_NONE,
    MAX_CELLS,
    MAX_SEATS,
    NUM_TERRAINS,
    WORD,
)
from genesia_rl.games.genesis.recount import Tiles, Zone, tiles_of, zones_of
from genesia_rl.games.genesis.tables import used_neighbours

#: What a recount says: the value that a field must have.
Claims = dict[str, object]


def check_state(config: Config, s: np.void) -> list[str]:
    """Everything that is inconsistent, in words."""
    broken = [*_check_tiles(config, s), *_check_rolls(s)]
    if broken:  # nothing can be counted in it
        return broken
    tiles = tiles_of(s)
    zones = zones_of(config.board, tiles)
    claims = {
        **_cells(config, tiles),
        **_supplies(config, tiles),
        **_groups(zones),
        **_scores(config, zones),
        **_header(config, s, tiles),
    }
    found = {name: s[name].tolist() for name in claims}
    return [
        f"{name} is {found[name]}, a recount says {claim}"
        for name, claim in claims.items()
        if found[name] != claim
    ]


def _check_tiles(config: Config, s: np.void) -> Iterator[str]:
    """A tile has one terrain and one seat of the game, and lies on a cell in use; a cell is chosen for a tile."""
    allowed = {1 << terrain | 16 << seat for terrain in range(NUM_TERRAINS) for seat in range(config.players)}
    used = set(config.board.in_use(config.players))
    for cell in np.flatnonzero(s["tile"]).tolist():
        if cell not in used or int(s["tile"][cell]) not in allowed:
            yield f"tile of cell {cell} is {s['tile'][cell]}"
    if (s["kind"] == K_CELL) != (s["pending"] > 0):
        yield f"pending is {s['pending']} in a decision of kind {s['kind']}"


def _check_rolls(s: np.void) -> list[str]:
    """RULES 5: there is a roll for this turn, and room for those of all that may come: each takes a cell."""
    turn, rolls = int(s["turn"]), int(s["num_rolls"])
    good = s["over"] or (turn < rolls and turn + int(s["free_cells"]) <= MAX_CELLS)
    return [] if good else [f"turn is {turn} with {rolls} rolls and {s['free_cells']} free cells"]


def _words(numbers: Iterable[int], words: int) -> list[int]:
    """A set of small numbers as words of bits."""
    whole = sum(1 << number for number in numbers)
    return [whole >> WORD * word & (1 << WORD) - 1 for word in range(words)]


def _free(config: Config, tiles: Tiles) -> list[int]:
    """RULES 1: the cells in use without a tile."""
    return [cell for cell in config.board.in_use(config.players) if cell not in tiles]


def _cells(config: Config, tiles: Tiles) -> Claims:
    """RULES 1: free cells, and those between two others."""
    free = set(_free(config, tiles))
    around = used_neighbours(config.board, config.players)
    return {
        "free": _words([CELL_BASE + cell for cell in free], LEGAL_WORDS),
        "free_cells": len(free),
        "middles": sum(len(free.intersection(around[cell])) >= 2 for cell in free),
    }


def _supplies(config: Config, tiles: Tiles) -> Claims:
    """RULES 2: what is not on the board is in the supply."""
    placed = Counter(tiles.values())
    rows = [
        [config.tiles - placed[terrain, seat] for terrain in range(NUM_TERRAINS)]
        for seat in range(config.players)
    ]
    return {"supply": _all_seats(rows)}


def _all_seats(rows: list[list[int]]) -> list[list[int]]:
    """Seats that are not in the game have zeros."""
    return rows + [[0] * NUM_TERRAINS for _ in range(MAX_SEATS - len(rows))]


def _groups(zones: Sequence[Zone]) -> Claims:
    """RULES 1: zones and herds by cell, and the lowest cells of herds."""
    zone, zone_tiles = _labels([zone.cells for zone in zones])
    herd, herd_tiles = _labels([herd for zone in zones for herd in zone.herds])
    lowest = [
        _words([herd[0] for zone in zones if zone.terrain == terrain for herd in zone.herds], CELL_WORDS)
        for terrain in range(NUM_TERRAINS)
    ]
    return {"zone": zone, "zone_tiles": zone_tiles, "herd": herd, "herd_tiles": herd_tiles, "herds": lowest}


def _labels(groups: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
    """By cell, the lowest cell and the number of tiles of its group."""
    names, tiles = list(range(MAX_CELLS)), [0] * MAX_CELLS
    for group in groups:
        for cell in group:
            names[cell], tiles[cell] = group[0], len(group)
    return names, tiles


def _scores(config: Config, zones: Sequence[Zone]) -> Claims:
    """RULES 6: the largest zones, and what all give."""
    by_terrain = [[zone for zone in zones if zone.terrain == terrain] for terrain in range(NUM_TERRAINS)]
    tops = [[zone for zone in found if zone.tiles == max(map(_size, found))] for found in by_terrain]
    return {
        "largest": [_size(top[0]) if top else 0 for top in tops],
        "ties": [len(top) for top in tops],
        "times": [top[0].times if top and top[0].scores else 0 for top in tops],
        "points": _all_seats(_points(config.players, by_terrain, 1)),
        "twice_more": _all_seats(_more(config.players, tops, 2)),
        "thrice_more": _all_seats(_more(config.players, tops, 3)),
    }


def _size(zone: Zone) -> int:
    return zone.tiles


def _points(seats: int, by_terrain: Sequence[Sequence[Zone]], times: int) -> list[list[int]]:
    """What zones give by seat and terrain, if each counts so many times."""
    return [
        [sum(zone.points(seats, times)[k] for zone in found) for found in by_terrain] for k in range(seats)
    ]


def _more(seats: int, tops: Sequence[Sequence[Zone]], times: int) -> list[list[int]]:
    """What the largest zones give more if they count so many times; none if several are the largest."""
    alone = [top if len(top) == 1 else [] for top in tops]
    once, often = _points(seats, alone, 1), _points(seats, alone, times)
    return [[b - a for a, b in zip(*rows, strict=True)] for rows in zip(once, often, strict=True)]


def _header(config: Config, s: np.void, tiles: Tiles) -> Claims:
    """PROTOCOL 2: who is asked what; RULES 5: when the game is over."""
    free = _free(config, tiles)
    is_over = not has_room(config.board, free) or not s["supply"].any()
    legal = [] if is_over else _legal(s, free)
    nothing = {"kind": int(K_NONE), "seat": -1, "left": 0} if is_over else {}
    return {
        "over": int(is_over),
        "legal": _words(legal, LEGAL_WORDS),
        "num_legal": len(legal),
        "pending": int(s["pending"]) if s["kind"] == K_CELL else 0,
        **nothing,
    }


def _legal(s: np.void, free: list[int]) -> list[int]:
    """PROTOCOL 2: the legal actions of the decision."""
    if s["kind"] == K_CELL:
        return [CELL_BASE + cell for cell in free]
    held = [terrain for terrain in range(NUM_TERRAINS) if s["supply"][s["seat"], terrain] > 0]
    if s["kind"] == K_FIRST:
        return [TILE_BASE + terrain for terrain in held]
    shown = int(s["left"]) - 1
    fitting = held if shown == JOKER or shown not in held else [shown]
    return [END_ACTION, *(TILE_BASE + terrain for terrain in fitting)]
