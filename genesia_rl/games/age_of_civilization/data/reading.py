"""Reading the files that an owner of the box may replace: TOML, keys, and the errors that name them.

Every refusal is one line: file and entry, key, value, and what is allowed.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from genesia_rl.core.mistakes import noted
from genesia_rl.core.reading import DataFiles, Table, check_keys, refuse, take_word

PACKAGE_DATA = Path(__file__).parent
CIVILIZATIONS_FILE, TECHNOLOGIES_FILE = "civilizations.toml", "technologies.toml"
WONDERS_FILE, GAME_FILE = "wonders.toml", "game.toml"
#: The achievements, of which there may be more or fewer, are replaced as a whole.
FILES = DataFiles(
    PACKAGE_DATA,
    (CIVILIZATIONS_FILE, TECHNOLOGIES_FILE, WONDERS_FILE, GAME_FILE),
    entries={
        CIVILIZATIONS_FILE: {"civilization": "number"},
        TECHNOLOGIES_FILE: {"technology": "number"},
        WONDERS_FILE: {"wonder": "number"},
        GAME_FILE: {"action": "name", "card": "name", "event": "number"},
    },
)

#: RULES 14: where a field's value is from.
SOURCES = ("rulebook", "public", "reconstructed")


@noted("")
def take_text(where: str, table: Table, key: str) -> str:
    """A text that is not empty."""
    value = table[key]
    if not isinstance(value, str) or not value:
        refuse(where, key, value, "a text")
    return value


@noted(False)
def take_flag(where: str, table: Table, key: str) -> bool:
    """True or false."""
    value = table[key]
    if not isinstance(value, bool):
        refuse(where, key, value, "true or false")
    return value


@noted([])
def take_tables(where: str, table: Table, key: str) -> list[Table]:
    """A list of tables."""
    value = table.get(key)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        refuse(where, key, value, "a list of tables")
    return value


@noted([])
def take_numbered(where: str, table: Table, key: str, number: int | None = None) -> list[Table]:
    """A list of tables that are numbered from 1 on, in order; of so many, if it is said."""
    tables = take_tables(where, table, key)
    last = len(tables) if number is None else number
    found = [item.get("number") for item in tables]
    if found != list(range(1, last + 1)) or any(isinstance(item, bool) for item in found):
        refuse(where, f"{key}.number", found, f"1..{last}, in order")
    return tables


@noted(None)
def check_source(where: str, table: Table, fields: Sequence[str]) -> None:
    """RULES 14: `source` is one word, or a table with a word for each of some fields."""
    value = table["source"]
    if isinstance(value, dict):
        check_keys(f"{where}: source", value, fields)
        for field in fields:
            take_word(f"{where}: source", value, field, SOURCES)
    elif value not in SOURCES:
        refuse(where, "source", value, f"{', '.join(SOURCES)}, or a table of these for {', '.join(fields)}")


def check_different(where: str, tables: Sequence[Table], key: str) -> None:
    """No two entries have the same name."""
    names = [table.get(key) for table in tables]
    for name in names:
        if names.count(name) > 1:
            refuse(where, key, name, "every name once")
