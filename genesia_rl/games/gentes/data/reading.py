"""Reading the files that an owner of the box may replace: kinds of values, and the errors that name them.

Every refusal is one line: file and entry, key, value, and what is allowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from genesia_rl.core.mistakes import complain, noted
from genesia_rl.core.reading import DataFiles, Table, check_keys, is_int, mistake, refuse

PACKAGE_DATA = Path(__file__).parent
BOARD_FILE, TILES_FILE, CARDS_FILE = "board.toml", "tiles.toml", "cards.toml"
#: Lists whose entries have no number of their own (`bonus`, `beginner`, `rank`) are replaced as a whole.
FILES = DataFiles(
    PACKAGE_DATA,
    (BOARD_FILE, TILES_FILE, CARDS_FILE),
    entries={
        BOARD_FILE: dict.fromkeys(("tax", "row", "home", "city"), "number"),
        TILES_FILE: {"tile": "number"},
        CARDS_FILE: {"card": "number"},
    },
)

#: RULES 12: where an entry is from.
SOURCES = ("rulebook", "reconstructed")


class Kind(NamedTuple):
    """A kind of values: a test, and what is allowed in words."""

    test: Callable[[Any], bool]
    words: str


Kinds = Mapping[str, Kind]


def number(least: int, most: int) -> Kind:
    """A whole number of a range."""
    return Kind(lambda value: is_int(value, least, most), f"a whole number {least}..{most}")


def one_of(*names: str) -> Kind:
    """One of some words."""
    return Kind(lambda value: isinstance(value, str) and value in names, ", ".join(names))


def list_of(kind: Kind, least: int = 0, most: int = 99) -> Kind:
    """A list of values of a kind."""
    return Kind(
        lambda value: isinstance(value, list) and least <= len(value) <= most and all(map(kind.test, value)),
        f"a list of {least}..{most}: {kind.words}",
    )


def table_of(keys: Sequence[str], kind: Kind) -> Kind:
    """A table with some of these keys and values of a kind."""
    return Kind(
        lambda value: (
            isinstance(value, dict) and all(key in keys and kind.test(item) for key, item in value.items())
        ),
        f"a table of {', '.join(keys)}: {kind.words}",
    )


TEXT = Kind(lambda value: isinstance(value, str) and value != "", "a text")
TRUTH = Kind(lambda value: isinstance(value, bool), "true or false")
TABLE = Kind(lambda value: isinstance(value, dict), "a table")
TABLES = list_of(TABLE)


def check_table(where: str, table: object, must: Kinds, may: Kinds | None = None) -> Table:
    """All keys are there, none is unknown, all values are allowed."""
    optional = may or {}
    if not isinstance(table, dict):
        refuse(where, "entry", table, "a table")
    check_keys(where, table, must, optional)
    for key, kind in {**must, **optional}.items():
        if key in table and not kind.test(table[key]):
            complain(mistake(where, key, table[key], kind.words))
    return table


def check_entry(where: str, table: object, must: Kinds, may: Kinds | None = None) -> Table:
    """The same of an entry, which says where it is from: `facts` are keys, `source` follows from them."""
    ends = {"source": one_of(*SOURCES), "facts": list_of(one_of(*must, *(may or {})))}
    found = check_table(where, table, {**must, **ends}, may)
    source = SOURCES[0] if found["facts"] else SOURCES[1]
    if found["source"] != source:
        refuse(where, "source", found["source"], f"{source}, as facts = {found['facts']}")
    return found


@noted([])
def take_entries(where: str, table: Table, key: str) -> list[Any]:
    """A list of tables."""
    value = table.get(key)
    if not isinstance(value, list):
        refuse(where, key, value, "a list of tables")
    return value


def check_numbers(where: str, key: str, tables: Sequence[Any], last: int) -> None:
    """Entries are numbered 1 to the last, in order."""
    found = [table.get("number") if isinstance(table, dict) else None for table in tables]
    if found != list(range(1, last + 1)) or any(isinstance(item, bool) for item in found):
        refuse(where, f"{key}.number", found, f"1..{last}, once each, in order")
