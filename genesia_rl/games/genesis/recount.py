"""A position counted anew from its tiles alone, in plain Python: zones, herds, the score (RULES 1 and 6).

The rules keep all this up to date tile by tile; here it is worked out from the beginning, by other means. The
consistency check compares both, and results and drawings are written from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from genesia_rl.games.genesis.data.board import Board, groups
from genesia_rl.games.genesis.names import BEST, NUM_TERRAINS, ROOM, SECOND_BEST

#: cell -> terrain and seat of its tile
Tiles = Mapping[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Zone:
    """RULES 1 and 6: a zone, its herds by their lowest cells, and its multiplier."""

    terrain: int
    cells: tuple[int, ...]
    herds: tuple[tuple[int, ...], ...]
    owners: tuple[int, ...]  # of the herds
    times: int = 1

    @property
    def tiles(self) -> int:
        """RULES 6.2: its size."""
        return len(self.cells)

    @property
    def scores(self) -> bool:
        """RULES 6.1: has it at least three tiles?"""
        return self.tiles >= ROOM

    def points(self, seats: int, times: int | None = None) -> list[int]:
        """RULES 6.3: what it gives to each seat."""
        points = [0] * seats
        if self.scores:
            for owner, share in zip(self.owners, self._shares(times or self.times), strict=True):
                points[owner] += share
        return points

    def _shares(self, times: int) -> list[int]:
        """RULES 6.3: what it gives to each herd."""
        sizes = [len(herd) for herd in self.herds]
        (best, k), *others = sorted(Counter(sizes).items(), reverse=True)
        if k > 1 or not others:
            return [(BEST + SECOND_BEST) * times // k if size == best else 0 for size in sizes]
        second, k = others[0]
        share = SECOND_BEST * times // k
        return [BEST * times if size == best else share if size == second else 0 for size in sizes]


def tiles_of(state: np.void) -> dict[int, tuple[int, int]]:
    """The tiles of a state by cell."""
    codes = {cell: code for cell, code in enumerate(state["tile"].tolist()) if code}
    return {cell: _terrain_and_seat(code) for cell, code in codes.items()}


def _terrain_and_seat(code: int) -> tuple[int, int]:
    """A tile of the state: a bit for the terrain and, four higher, one for the seat."""
    return (code & -code).bit_length() - 1, (code >> NUM_TERRAINS).bit_length() - 1


def zones_of(board: Board, tiles: Tiles) -> list[Zone]:
    """RULES 1 and 6.2: all zones, by terrain and then by their lowest cells."""
    found = [
        _zone(board, tiles, terrain, cells)
        for terrain in range(NUM_TERRAINS)
        for cells in groups(board, (cell for cell in tiles if tiles[cell][0] == terrain))
    ]
    return [_with_times(zone, found) for zone in found]


def _zone(board: Board, tiles: Tiles, terrain: int, cells: Sequence[int]) -> Zone:
    """RULES 1: the herds of a zone are its connected groups of one seat."""
    owners = sorted({tiles[cell][1] for cell in cells})
    herds = sorted(
        tuple(herd) for seat in owners for herd in groups(board, (c for c in cells if tiles[c][1] == seat))
    )
    return Zone(terrain, tuple(cells), tuple(herds), tuple(tiles[herd[0]][1] for herd in herds))


def _with_times(zone: Zone, zones: Sequence[Zone]) -> Zone:
    """RULES 6.2: 3 if it is larger than every other, 2 if larger than every other of its terrain, else 1."""
    rivals = [other for other in zones if other is not zone and other.tiles >= zone.tiles]
    of_terrain = [other for other in rivals if other.terrain == zone.terrain]
    times = 3 if not rivals else 2 if not of_terrain else 1
    return Zone(zone.terrain, zone.cells, zone.herds, zone.owners, times)


def parts_of(zones: Sequence[Zone], seats: int) -> list[list[int]]:
    """RULES 6.4: the parts by seat and terrain."""
    parts = [[0] * NUM_TERRAINS for _ in range(seats)]
    for zone in zones:
        for seat, points in enumerate(zone.points(seats)):
            parts[seat][zone.terrain] += points
    return parts
