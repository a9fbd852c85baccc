"""Where the regions lie in the picture: continents as sectors round the inner island, values in rings (RULES 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil, cos, pi, radians, sin

from genesia_rl.core.scene import Area, Shape
from genesia_rl.games.genesia.data.board import (
    COLUMNS,
    RINGS,
    centre,
    homeland,
    inland,
    num_regions,
    seven,
    standard_board,
    twelve,
)

Point = tuple[float, float]

CENTRE, TWELVES, SEVENS, COAST = (
    48.0,
    108.0,
    170.0,
    194.0,
)  # radii: outer edges, and the continents' inner one
RING, HOME = 54.0, 64.0  # how deep a ring and a homeland are
SHORE = COAST + RINGS * RING + HOME
MARGIN = 22.0
WIDEST = 100.0  # degrees that a continent takes at most
FINE = 4.0  # degrees from corner to corner of what is drawn for an arc
SEA = 9.0  # degrees of water between two continents, at least
BRIDGE = 3.0  # width of a landing, in line widths


@dataclass(frozen=True)
class Sector:
    """A region: its edges as radii and degrees."""

    inner: float
    outer: float
    begin: float
    end: float

    @property
    def turn(self) -> float:
        """The direction of its middle."""
        return (self.begin + self.end) / 2

    @property
    def radius(self) -> float:
        """How far its middle is from the middle of the map."""
        return (self.inner + self.outer) / 2 if self.inner else 0.0


@dataclass(frozen=True)
class Map:
    """All regions of a map with so many continents, and where its upper left corner is."""

    sectors: tuple[Sector, ...]
    left: float
    top: float
    size: Point

    def at(self, radius: float, turn: float) -> Point:
        """A point by its distance from the middle and its direction, clockwise from the right."""
        x, y = _polar(radius, turn)
        return x - self.left, y - self.top

    def middle(self, region: int) -> Point:
        """The middle of a region."""
        sector = self.sectors[region]
        return self.at(sector.radius, sector.turn)

    def spread(self, region: int, number: int, wanted: float) -> list[Point]:
        """So many points side by side in a region, as far apart as wanted if there is room."""
        sector = self.sectors[region]
        if not sector.inner:
            x, y = self.at(0, 0)
            return [(x + wanted * 0.9 * (k - (number - 1) / 2), y + 4) for k in range(number)]
        radius = sector.radius - 3
        room = radians(sector.end - sector.begin) * radius * 0.92 / max(1, number)
        step = min(wanted, room) / radius * 180 / pi
        return [self.at(radius, sector.turn + step * (k - (number - 1) / 2)) for k in range(number)]

    def shape(self, region: int) -> Shape:
        """A region's outline."""
        return self.outline(self.sectors[region])

    def outline(self, s: Sector) -> Shape:
        """Between two radii and two directions; from the middle on, a circle."""
        if not s.inner:
            return Shape("circle", (*self.at(0, 0), s.outer))
        steps = ceil((s.end - s.begin) / FINE)
        turns = [s.begin + k * (s.end - s.begin) / steps for k in range(steps + 1)]
        points = [self.at(s.outer, turn) for turn in turns] + [
            self.at(s.inner, turn) for turn in reversed(turns)
        ]
        return Shape("polygon", tuple(number for point in points for number in point))

    def corner(self, region: int) -> Point:
        """Where the value stands: near the outer edge, at the beginning."""
        s = self.sectors[region]
        if not s.inner:
            x, y = self.at(0, 0)
            return x, y - s.outer + 13
        return self.at(s.outer - 12, s.begin + 13 / s.outer * 180 / pi)


def _polar(radius: float, turn: float) -> Point:
    return radius * cos(radians(turn)), radius * sin(radians(turn))


@cache
def map_of(n: int) -> Map:
    """The map of n continents; with two they lie left and right, else the first one lies below."""
    sectors = tuple(_sector(region, n) for region in range(num_regions(n)))
    points = [_polar(s.outer, s.begin + k * (s.end - s.begin) / 8) for s in sectors for k in range(9)]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, top = min(xs) - MARGIN, min(ys) - MARGIN
    return Map(sectors, left, top, (max(xs) + MARGIN - left, max(ys) + MARGIN - top))


def _direction(seat: int, n: int) -> float:
    return (180.0 if n == 2 else 90.0) + 360.0 * seat / n


def _sector(region: int, n: int) -> Sector:
    return _standing(n)[region]


@cache
def _standing(n: int) -> dict[int, Sector]:
    """Every region of the map."""
    width, share = min(WIDEST, 360.0 / n - SEA), 360.0 / n
    found = {centre(n): Sector(0.0, CENTRE, 0.0, 360.0)}
    for seat in range(n):
        begin, first = _direction(seat, n) - width / 2, _direction(seat, n) - share / 2
        found[homeland(seat)] = Sector(SHORE - HOME, SHORE, begin, begin + width)
        for value in range(1, RINGS + 1):
            inner = COAST + (RINGS - value) * RING
            for column in range(COLUMNS):
                at = begin + column * width / COLUMNS
                found[inland(seat, value, column)] = Sector(inner, inner + RING, at, at + width / COLUMNS)
        for half in range(2):
            at = first + half * share / 2
            found[seven(2 * seat + half, n)] = Sector(TWELVES, SEVENS, at, at + share / 2)
        found[twelve(seat, n)] = Sector(CENTRE, TWELVES, first, first + share)
    return found


# ---------------------------------------------------------------- water and ways


@lru_cache(maxsize=8)
def scenery(n: int, borders: tuple[tuple[int, int], ...]) -> tuple[Area, ...]:
    """The sea, the landings between the coasts and the island, and borders that no standard map has."""
    return tuple(_scenery(n, borders))


def _scenery(n: int, borders: tuple[tuple[int, int], ...]) -> Iterator[Area]:
    chart = map_of(n)
    width, height = chart.size
    yield Area(
        "sea", Shape("rect", (2.0, 2.0, width - 4, height - 4, 26.0)), "water", edge="none", passive=True
    )
    for seat in range(n):
        yield _coast(chart, n, seat)
    yield Area("surf", Shape("circle", (*chart.at(0, 0), SEVENS + 7)), "shallows", edge="none", passive=True)
    standard = {(a, b) for a, others in enumerate(standard_board(n).neighbours) for b in others if a < b}
    for a, b in borders:
        if (a, b) not in standard:
            numbers = (*chart.middle(a), *chart.middle(b))
            yield Area(f"way:{a}-{b}", Shape("line", numbers), "dark", size=0.7, edge="dashed", passive=True)
        elif a < 16 * n <= b:
            yield _landing(chart, a, b)


def _coast(chart: Map, n: int, seat: int) -> Area:
    """The shallow water round a continent."""
    home = chart.sectors[homeland(seat)]
    s = Sector(COAST - 7, home.outer + 7, home.begin - 1.2, home.end + 1.2)
    return Area(f"coast:{seat}", chart.outline(s), "shallows", edge="none", passive=True)


def _landing(chart: Map, a: int, b: int) -> Area:
    """A bridge from the coast straight to the island, in the part of the coast that faces the region there."""
    coast, shore = chart.sectors[a], chart.sectors[b]
    turn = coast.turn + (coast.end - coast.begin) / 4 * _side(coast.turn, shore)
    numbers = (*chart.at(SEVENS - 2, turn), *chart.at(COAST + 2, turn))
    return Area(f"way:{a}-{b}", Shape("line", numbers), "sand", size=BRIDGE, passive=True)


def _side(turn: float, shore: Sector) -> float:
    """0 if the region lies straight ahead, else the side on which it lies."""
    ahead = (turn - shore.begin) % 360
    width = shore.end - shore.begin
    if 1 < ahead < width - 1:
        return 0.0
    return 1.0 if ahead <= 1 else -1.0
