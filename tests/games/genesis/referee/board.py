"""The board (RULES 1 and 2): cells, neighbours, connected groups, room; what a board may be (RULES 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

LOW, HIGH = 2, 16  # rows and columns of a board
ROOM = 3  # there is room while some connected group of free cells has at least so many


@dataclass(frozen=True)
class Board:
    """The grid, and the cells in use for the number of players of a game."""

    width: int
    height: int
    in_use: frozenset[int]

    def neighbours(self, cell: int) -> list[int]:
        """The cells that share a side with the cell, in use or not."""
        y, x = divmod(cell, self.width)
        found = []
        if y > 0:
            found.append(cell - self.width)
        if x > 0:
            found.append(cell - 1)
        if x < self.width - 1:
            found.append(cell + 1)
        if y < self.height - 1:
            found.append(cell + self.width)
        return found

    def groups(self, cells: Iterable[int]) -> list[set[int]]:
        """The connected groups that the cells fall into, in the order of their lowest cells."""
        left = set(cells)
        found = []
        for start in sorted(left):
            if start not in left:
                continue
            left.remove(start)
            group, border = {start}, [start]
            while border:
                for cell in self.neighbours(border.pop()):
                    if cell in left:
                        left.remove(cell)
                        group.add(cell)
                        border.append(cell)
            found.append(group)
        return found

    def has_room(self, free: Iterable[int]) -> bool:
        return any(len(group) >= ROOM for group in self.groups(free))


def make_board(rows: Sequence[str], river: Sequence[int] | None, players: int) -> Board:
    """RULES 2: no relief; with two players nothing beyond the river. Else the river means nothing."""
    width = len(rows[0])
    in_use = {
        y * width + x
        for y, row in enumerate(rows)
        for x, mark in enumerate(row)
        if mark == "." and not (players == 2 and river is not None and x >= river[y])
    }
    return Board(width, len(rows), frozenset(in_use))


def grid_problem(rows: Any, river: Any) -> tuple[str, Any, str] | None:
    """The first thing that is wrong with rows and river: the key, its value, what is allowed."""
    if not isinstance(rows, list | tuple) or not LOW <= len(rows) <= HIGH:
        return "rows", rows, f"{LOW}..{HIGH} strings"
    for y, row in enumerate(rows):
        if not isinstance(row, str) or not LOW <= len(row) <= HIGH:
            return f"rows[{y}]", row, f"a string of {LOW}..{HIGH} characters"
        if len(row) != len(rows[0]):
            return f"rows[{y}]", row, f"{len(rows[0])} characters, like the first row"
        if set(row) - set(".VP"):
            return f"rows[{y}]", row, "the characters . V P"
    if river is None:
        return None
    if not isinstance(river, list | tuple) or len(river) != len(rows):
        return "river", river, f"{len(rows)} numbers, one for each row, or null"
    for y, left in enumerate(river):
        if type(left) is not int or not 0 <= left <= len(rows[0]):
            return f"river[{y}]", left, f"0..{len(rows[0])}"
    return None
