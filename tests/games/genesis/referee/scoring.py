"""The score of a position (RULES 6), and the result (PROTOCOL 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .data import TERRAINS
from .state import State

SMALLEST = 3  # tiles of a zone that scores


@dataclass(frozen=True)
class Herd:
    seat: int
    cells: frozenset[int]


@dataclass(frozen=True)
class Zone:
    terrain: str
    cells: frozenset[int]
    herds: tuple[Herd, ...]

    @property
    def size(self) -> int:
        return len(self.cells)


def zones_of(state: State) -> list[Zone]:
    """Every zone, also those that are too small: terrain by terrain, then by lowest cell."""
    zones = []
    for terrain in TERRAINS:
        cells = [cell for cell, tile in state.tiles.items() if tile.terrain == terrain]
        for group in state.board.groups(cells):
            zones.append(Zone(terrain, frozenset(group), herds_in(state, group)))
    return zones


def herds_in(state: State, zone: set[int]) -> tuple[Herd, ...]:
    """The connected groups of one seat inside a zone."""
    herds = []
    for seat in range(state.players):
        own = [cell for cell in zone if state.tiles[cell].seat == seat]
        herds += [Herd(seat, frozenset(group)) for group in state.board.groups(own)]
    return tuple(herds)


def multiplier(zone: Zone, zones: list[Zone]) -> int:
    """RULES 6.2 [R10]."""
    others = [other for other in zones if other is not zone]
    if all(zone.size > other.size for other in others):
        return 3
    if all(zone.size > other.size for other in others if other.terrain == zone.terrain):
        return 2
    return 1


def shares(sizes: list[int], m: int) -> list[int]:
    """RULES 6.3: what each herd of a zone takes, in the order of the sizes given."""
    if len(sizes) == 1:
        return [6 * m]
    largest = max(sizes)
    top = sizes.count(largest)
    if top >= 2:
        return [6 * m // top if size == largest else 0 for size in sizes]
    second = max(size for size in sizes if size != largest)
    tied = sizes.count(second)  # alone, or several: floor(2m / 1) is 2m
    return [4 * m if size == largest else 2 * m // tied if size == second else 0 for size in sizes]


def zone_points(zone: Zone, m: int, players: int) -> list[int]:
    """What the zone gives to each seat: the shares of its herds, added."""
    points = [0] * players
    for herd, share in zip(zone.herds, shares([len(herd.cells) for herd in zone.herds], m), strict=True):
        points[herd.seat] += share
    return points


def final_result(state: State) -> dict[str, Any]:
    """The result in the form of PROTOCOL 3; it is defined for every position."""
    zones = zones_of(state)
    listed = []
    parts = {terrain: [0] * state.players for terrain in TERRAINS}
    for zone in zones:
        if zone.size < SMALLEST:
            continue
        m = multiplier(zone, zones)
        points = zone_points(zone, m, state.players)
        first = min(zone.cells)
        listed.append(
            {"terrain": zone.terrain, "cell": first, "size": zone.size, "times": m, "points": points}
        )
        parts[zone.terrain] = [a + b for a, b in zip(parts[zone.terrain], points, strict=True)]
    score = [sum(parts[terrain][seat] for terrain in TERRAINS) for seat in range(state.players)]
    winners = [seat for seat in range(state.players) if score[seat] == max(score)]  # [R13]
    return {"points": parts, "score": score, "zones": listed, "winners": winners}
