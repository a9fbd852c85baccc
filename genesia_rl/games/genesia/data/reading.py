"""The files that an owner of the box may replace (RULES 12), and reading the words in them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from genesia_rl.core.errors import DataError
from genesia_rl.core.mistakes import noted
from genesia_rl.core.reading import DataFiles, Table, nearest, refuse, shown
from genesia_rl.games.genesia.names import COUNTER_FAMILIES, COUNTERS, ICONS, MAX_SEATS

PACKAGE_DATA = Path(__file__).parent
CARDS_FILE, OBJECTIVES_FILE = "cards.toml", "objectives.toml"


def board_file(n: int) -> str:
    """The file of the board of n continents."""
    return f"board-{n}.toml"


def standard_text(n: int) -> str:
    """The standard board, which no file of ours holds, as a data folder may hold it."""
    from genesia_rl.games.genesia.data.board import board_to_toml, standard_board  # which import this module

    return board_to_toml(standard_board(n))


BOARD_SIZES = range(2, MAX_SEATS + 1)
DATA_FILES = DataFiles(
    PACKAGE_DATA,
    (CARDS_FILE, OBJECTIVES_FILE, *map(board_file, BOARD_SIZES)),
    entries={CARDS_FILE: {"card": "number"}, OBJECTIVES_FILE: {"objective": "number"}},
    made={board_file(n): partial(standard_text, n) for n in BOARD_SIZES},
    instead={board_file(n): {"neighbours": "borders"} for n in BOARD_SIZES},
)

PLAIN_COUNTERS = tuple(c for c in COUNTERS if c not in COUNTER_FAMILIES)
COUNTER_WORDS = (
    *PLAIN_COUNTERS,
    *(f"{f}_{k}" for f, (low, high) in COUNTER_FAMILIES.items() for k in range(low, high + 1)),
)
COUNTERS_ALLOWED = ", ".join(
    (*PLAIN_COUNTERS, *(f"{f}_{low}..{f}_{high}" for f, (low, high) in COUNTER_FAMILIES.items()))
)


@noted("")
def take_name(where: str, table: Table) -> str:
    """The name: printable, and without blanks at its ends, because it is printed inside of lines."""
    value = table["name"]
    if not isinstance(value, str) or not value or value != value.strip() or not value.isprintable():
        refuse(where, "name", value, "a text of one line without blanks at its ends")
    return value


@noted("")
def take_counter(where: str, table: Table, key: str) -> str:
    """RULES 7: the counter under a key, the number of a family within its range."""
    value = table[key]
    if not isinstance(value, str) or value not in COUNTER_WORDS:
        refuse(where, key, value, COUNTERS_ALLOWED + nearest(value, COUNTER_WORDS))
    return value


@noted(())
def take_icons(where: str, table: Table, key: str, known: tuple[str, ...] = ICONS) -> tuple[str, ...]:
    """RULES 7: a list of icons, each at most once and in the order of the phases."""
    value = table[key]
    if not isinstance(value, list) or not value:
        refuse(where, key, value, f"a list of {', '.join(known)}")
    for icon in value:
        if icon not in known:
            refuse(where, key, value, f"a list of {', '.join(known)}" + nearest(icon, known))
    if value != [icon for icon in known if icon in value]:
        refuse(where, key, value, f"each icon once, in the order {', '.join(known)}")
    return tuple(value)


def take_table(where: str, key: str, value: object) -> dict[str, object]:
    """A table, which TOML writes with [brackets] or {braces}."""
    if not isinstance(value, dict):
        refuse(where, key, value, "a table")
    return value


@noted([])
def take_tables(where: str, table: Table, key: str, most: int) -> list[dict[str, object]]:
    """A list of 1..most tables."""
    value = table[key]
    if not isinstance(value, list):
        refuse(where, key, value, "a list of tables")
    if not 1 <= len(value) <= most:
        raise DataError(f"{where}: {key} = {shown(value)}: {len(value)} of them, allowed 1..{most}")
    return [take_table(f"{where}: {key} {place}", key, item) for place, item in enumerate(value, 1)]
