"""The map (RULES 2)."""

from __future__ import annotations

from functools import lru_cache


class Board:
    """The map of n continents and the inner island: values and adjacency."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.regions = list(range(19 * n + 1))
        self.centre = 19 * n
        self.value = {r: self._value(r) for r in self.regions}
        neighbours: dict[int, set[int]] = {r: set() for r in self.regions}
        for a, b in self._edges():
            neighbours[a].add(b)
            neighbours[b].add(a)
        self.adjacent = {r: sorted(neighbours[r]) for r in self.regions}
        self._distances: dict[int, dict[int, int]] = {}

    # ---------------------------------------------------------------- names of the regions

    def homeland(self, seat: int) -> int:
        return 16 * seat

    def local(self, seat: int, value: int, column: int) -> int:
        """The region of value 1..5 in column 0..2 of a continent."""
        return 16 * seat + 1 + 3 * (value - 1) + column

    def seven(self, i: int) -> int:
        return 16 * self.n + i % (2 * self.n)

    def twelve(self, s: int) -> int:
        return 18 * self.n + s % self.n

    def is_homeland(self, region: int) -> bool:
        return region < 16 * self.n and region % 16 == 0

    def continent(self, region: int) -> int | None:
        """The seat the region's continent belongs to; None on the island."""
        return region // 16 if region < 16 * self.n else None

    def _value(self, region: int) -> int:
        if region < 16 * self.n:
            local = region % 16
            return 0 if local == 0 else 1 + (local - 1) // 3
        if region < 18 * self.n:
            return 7
        return 12 if region < 19 * self.n else 15

    # ---------------------------------------------------------------- adjacency

    def _edges(self) -> list[tuple[int, int]]:
        edges = []
        for s in range(self.n):
            edges += [(self.homeland(s), self.local(s, 1, c)) for c in (0, 1, 2)]
            edges += [(self.local(s, v, c), self.local(s, v + 1, c)) for v in (1, 2, 3, 4) for c in (0, 1, 2)]
            edges += [(self.local(s, v, c), self.local(s, v, c + 1)) for v in (1, 2, 3, 4, 5) for c in (0, 1)]
            edges += [(self.local(s, 5, 0), self.seven(2 * s))]
            edges += [(self.local(s, 5, 1), self.seven(2 * s)), (self.local(s, 5, 1), self.seven(2 * s + 1))]
            edges += [(self.local(s, 5, 2), self.seven(2 * s + 1))]
            edges += [(self.seven(2 * s), self.twelve(s)), (self.seven(2 * s + 1), self.twelve(s))]
            edges += [(self.twelve(s), self.twelve(s + 1)), (self.twelve(s), self.centre)]
        edges += [(self.seven(i), self.seven(i + 1)) for i in range(2 * self.n)]
        return edges

    def distances(self, start: int) -> dict[int, int]:
        """The number of edges from start to every region."""
        if start not in self._distances:
            found = {start: 0}
            ring = [start]
            while ring:
                ring = sorted({b for a in ring for b in self.adjacent[a] if b not in found})
                distance = max(found.values()) + 1
                found.update(dict.fromkeys(ring, distance))
            self._distances[start] = found
        return self._distances[start]

    def seen_by(self, region: int, seat: int) -> int:
        """The region's id as the seat sees the map: seats rotated so that its own is 0 (RULES 2, R5)."""
        n = self.n
        if region < 16 * n:
            return 16 * ((region // 16 - seat) % n) + region % 16
        if region < 18 * n:
            return 16 * n + (region - 16 * n - 2 * seat) % (2 * n)
        if region < 19 * n:
            return 18 * n + (region - 18 * n - seat) % n
        return region


@lru_cache(maxsize=8)
def board_of(n: int) -> Board:
    return Board(n)
