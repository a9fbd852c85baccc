"""The board (RULES 2, 3 and 10): its rows, the river, and which cells are in use.

A board is what `rows` and `river` say. The file `board.toml` gives the standard board and repeats what
follows from them (`width`, `reliefs`, ...), which must agree; the rulebook's own numbers are checked too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from genesia_rl.core.errors import DataError
from genesia_rl.core.mistakes import complain, noted, settle
from genesia_rl.core.reading import Table, check_keys, is_int, mistake, read_table, refuse, shown
from genesia_rl.games.genesis.data.reading import check_source
from genesia_rl.games.genesis.names import (
    BOTH_BANKS,
    MARKS,
    MAX_SEATS,
    MAX_SIDE,
    MIN_SEATS,
    MIN_SIDE,
    PIT,
    ROOM,
    STANDARD,
    TAKES_TILE,
    VOLCANO,
)

COUNTS = ("width", "height", "reliefs", "volcanoes", "pits", "beyond")
KEYS = ("name", *COUNTS, "rows", "river", "source")
#: What the rulebook says of the standard board (RULES 2, R3).
FACTS = {"width": 14, "height": 10, "reliefs": 22}


@dataclass(frozen=True, slots=True)
class Board:
    """RULES 3: the rows from the top, and for each the number of cells to the left of the river, if any."""

    rows: tuple[str, ...]
    river: tuple[int, ...] | None = None

    @property
    def width(self) -> int:
        """RULES 2: the number of columns."""
        return len(self.rows[0])

    @property
    def height(self) -> int:
        """RULES 2: the number of rows."""
        return len(self.rows)

    @property
    def cells(self) -> int:
        """RULES 2: the number of cells, in use or not."""
        return self.width * self.height

    def in_use(self, players: int) -> tuple[int, ...]:
        """RULES 1: the cells that take a tile with this number of players, in ascending order."""
        marks = "".join(self.rows)
        return tuple(c for c in range(self.cells) if marks[c] == TAKES_TILE and self._is_near(c, players))

    def _is_near(self, cell: int, players: int) -> bool:
        """RULES 2: only with two players does it matter on which side of the river a cell lies."""
        if self.river is None or players >= BOTH_BANKS:
            return True
        y, x = divmod(cell, self.width)
        return x < self.river[y]

    def neighbours(self, cell: int) -> tuple[int, ...]:
        """RULES 1: the cells that share a side with it, in ascending order."""
        y, x = divmod(cell, self.width)
        around = ((y - 1, x), (y, x - 1), (y, x + 1), (y + 1, x))
        return tuple(b * self.width + a for b, a in around if 0 <= a < self.width and 0 <= b < self.height)

    def counts(self) -> dict[str, int]:
        """RULES 10: what follows from the rows and the river."""
        marks = Counter("".join(self.rows))
        return {
            "width": self.width,
            "height": self.height,
            "reliefs": marks[VOLCANO] + marks[PIT],
            "volcanoes": marks[VOLCANO],
            "pits": marks[PIT],
            "beyond": sum(self.width - left for left in self.river or ()),
        }


def groups(board: Board, cells: Iterable[int]) -> list[list[int]]:
    """RULES 1: the connected groups of a set of cells, each in ascending order, by their lowest cells."""
    left, found = set(cells), []
    while left:
        border = [min(left)]
        left.remove(border[0])
        for cell in border:  # grows while it is walked through
            border += [other for other in board.neighbours(cell) if other in left]
            left.difference_update(border)
        found.append(sorted(border))
    return found


def has_room(board: Board, cells: Iterable[int]) -> bool:
    """RULES 1: is there a connected group of at least three of these cells?"""
    return any(len(group) >= ROOM for group in groups(board, cells))


# ---------------------------------------------------------------- checking


@noted(())
def check_rows(where: str, value: object) -> tuple[str, ...]:
    """RULES 3: 2..16 strings of the same length 2..16 of the characters `.VP`."""
    if not isinstance(value, list | tuple) or not MIN_SIDE <= len(value) <= MAX_SIDE:
        refuse(where, "rows", value, f"{MIN_SIDE}..{MAX_SIDE} strings")
    for number, row in enumerate(value):
        if not isinstance(row, str) or not MIN_SIDE <= len(row) <= MAX_SIDE:
            refuse(where, f"rows[{number}]", row, f"a string of {MIN_SIDE}..{MAX_SIDE} characters")
        if len(row) != len(value[0]):
            refuse(where, f"rows[{number}]", row, f"{len(value[0])} characters, like the first row")
        if set(row) - set(MARKS):
            refuse(where, f"rows[{number}]", row, f"the characters {' '.join(MARKS)}")
    return tuple(value)


@noted(None)
def check_river(where: str, value: object, rows: tuple[str, ...]) -> tuple[int, ...] | None:
    """RULES 3: for each row a number 0..width; None means that there is no river."""
    if value is None:
        return None
    width = len(rows[0])
    if not isinstance(value, list | tuple) or len(value) != len(rows):
        refuse(where, "river", value, f"{len(rows)} numbers, one for each row, or none at all")
    for number, left in enumerate(value):
        if not is_int(left, 0, width):
            refuse(where, f"river[{number}]", left, f"0..{width}")
    return tuple(value)


def check_board(where: str, table: Table, standard: bool) -> Board:
    """RULES 10: the board of a file; the standard one has every key and keeps to the rulebook."""
    required = KEYS if standard else ("rows",)
    check_keys(where, table, required, (key for key in KEYS if key not in required))
    check_source(where, table, KEYS)
    _check_name(where, table, standard)
    rows = check_rows(where, table["rows"])
    board = Board(rows, check_river(where, table.get("river"), rows))
    settle()
    _check_counts(where, table, board)
    if standard:
        _check_facts(where, board)
    for players in (MIN_SEATS, MAX_SEATS):
        _check_room(where, board, players)
        if standard and table["source"]["rows"] == "reconstructed":  # type: ignore[index]
            _check_connected(where, board, players)
    return board


@noted(None)
def _check_name(where: str, table: Table, standard: bool) -> None:
    name = table.get("name", STANDARD)
    if standard and name != STANDARD:
        refuse(where, "name", name, STANDARD)
    if not isinstance(name, str) or not name:
        refuse(where, "name", name, "a text")


def _check_counts(where: str, table: Table, board: Board) -> None:
    for key, number in board.counts().items():
        if key in table and not is_int(table[key], number, number):
            complain(mistake(where, key, table[key], f"{number}, as rows and river have it"))


def _check_facts(where: str, board: Board) -> None:
    for key, number in FACTS.items():
        if board.counts()[key] != number:
            complain(mistake(where, f"{key} of rows", board.counts()[key], f"{number}, as the rulebook says"))
    if board.river is None:
        refuse(where, "river", None, f"{board.height} numbers: the standard board has a river")


def _check_room(where: str, board: Board, players: int) -> None:
    if not has_room(board, board.in_use(players)):
        raise DataError(
            f"{where}: rows = {shown(list(board.rows))}, allowed some three connected cells without relief "
            f"with {players} players"
        )


def _check_connected(where: str, board: Board, players: int) -> None:
    """A board that somebody made up has no corner of its own."""
    number = len(groups(board, board.in_use(players)))
    if number > 1:
        refuse(where, f"groups of cells in use of rows with {players} players", number, "one connected group")


def with_counts(table: Table, own: Table) -> Table:
    """RULES 10: the board of a folder laid over ours: what follows from rows and river, as its own have it.

    It may leave that out, and then not ours counts.
    """
    rows, river = table["rows"], table["river"]
    if not set(own) & {"rows", "river"} or not isinstance(rows, list) or not isinstance(river, list):
        return table
    try:
        counts = Board(tuple(rows), tuple(river)).counts()
    except (TypeError, IndexError):  # the check says what is wrong with them
        return table
    return {**table, **{key: number for key, number in counts.items() if key not in own}}


def read_board(path: str | Path) -> Board:
    """RULES 3: the board of a board file, of which only `rows` must be there."""
    return check_board(str(path), read_table(Path(path)), standard=False)
