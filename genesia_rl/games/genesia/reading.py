"""Reading the files that an owner of the box may replace: TOML, keys, and the errors that name them.

Every refusal is one line: file, card or objective, key, value, and what is allowed.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import NoReturn, TypeGuard

from genesia_rl.errors import DataError
from genesia_rl.games.genesia.names import COUNTER_FAMILIES, COUNTERS, ICONS

PACKAGE_DATA = Path(__file__).parent / "data"
DATA_FILES = ("cards.toml", "objectives.toml", "board-2.toml", "board-3.toml", "board-4.toml", "board-5.toml")

PLAIN_COUNTERS = tuple(c for c in COUNTERS if c not in COUNTER_FAMILIES)
COUNTER_WORDS = (
    *PLAIN_COUNTERS,
    *(f"{f}_{k}" for f, (low, high) in COUNTER_FAMILIES.items() for k in range(low, high + 1)),
)
COUNTERS_ALLOWED = ", ".join(
    (*PLAIN_COUNTERS, *(f"{f}_{low}..{f}_{high}" for f, (low, high) in COUNTER_FAMILIES.items()))
)


# ---------------------------------------------------------------- refusing


def shown(value: object) -> str:
    """The value as an error prints it: on one line, and never a whole file."""
    text = repr(value)
    return text if len(text) <= 100 else text[:97] + "..."


def nearest(word: object, known: Iterable[str]) -> str:
    """A suggestion for a word that is probably misspelt, or nothing."""
    match = get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f" (did you mean {match[0]}?)" if match else ""


def is_int(value: object, low: int, high: int) -> TypeGuard[int]:
    """An integer of the range; true and false are not integers here, though Python thinks so."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def refuse(where: str, key: str, value: object, allowed: str) -> NoReturn:
    """Raise the one-line error of a data file."""
    raise DataError(f"{where}: {key} = {shown(value)}, allowed {allowed}")


# ---------------------------------------------------------------- reading one key

Table = Mapping[str, object]


def check_keys(where: str, table: Table, required: Iterable[str], optional: Iterable[str] = ()) -> None:
    """Every required key is there and no other; a misspelt key is reported as unknown, not as missing."""
    required = tuple(required)
    known = (*required, *optional)
    for key in table:
        if key not in known:
            refuse(where, f"unknown key {key!r}", table[key], ", ".join(known) + nearest(key, known))
    for key in required:
        if key not in table:
            raise DataError(f"{where}: the key {key} is missing, allowed {', '.join(known)}")


def take_int(where: str, table: Table, key: str, low: int, high: int) -> int:
    """The integer under a key."""
    value = table[key]
    if not is_int(value, low, high):
        refuse(where, key, value, f"an integer {low}..{high}")
    return value


def take_word(where: str, table: Table, key: str, words: tuple[str, ...]) -> str:
    """The word under a key, out of a fixed list."""
    value = table[key]
    if not isinstance(value, str) or value not in words:
        refuse(where, key, value, ", ".join(words) + nearest(value, words))
    return value


def take_name(where: str, table: Table) -> str:
    """The name: printable, and without blanks at its ends, because it is printed inside of lines."""
    value = table["name"]
    if not isinstance(value, str) or not value or value != value.strip() or not value.isprintable():
        refuse(where, "name", value, "a text of one line without blanks at its ends")
    return value


def take_counter(where: str, table: Table, key: str) -> str:
    """RULES 7: the counter under a key, the number of a family within its range."""
    value = table[key]
    if not isinstance(value, str) or value not in COUNTER_WORDS:
        refuse(where, key, value, COUNTERS_ALLOWED + nearest(value, COUNTER_WORDS))
    return value


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


def take_tables(where: str, table: Table, key: str, most: int, least: int = 1) -> list[dict[str, object]]:
    """A list of least..most tables."""
    value = table[key]
    if not isinstance(value, list):
        refuse(where, key, value, "a list of tables")
    if not least <= len(value) <= most:
        raise DataError(f"{where}: {key} = {shown(value)}: {len(value)} of them, allowed {least}..{most}")
    return [take_table(f"{where}: {key} {place}", key, item) for place, item in enumerate(value, 1)]


# ---------------------------------------------------------------- files


def data_path(folder: str | Path | None, name: str) -> Path:
    """RULES 12: a custom folder's file, or our own where the folder has none of that name."""
    if folder is None:
        return PACKAGE_DATA / name
    check_folder(Path(folder))
    path = Path(folder) / name
    # A link that leads nowhere counts as a file, so that it is reported and not passed over.
    return path if os.path.lexists(path) else PACKAGE_DATA / name


def check_folder(folder: Path) -> None:
    """A custom folder is there and holds files that are read; a misspelt name would go unnoticed."""
    if not folder.is_dir():
        raise DataError(f"{folder}: is not there, allowed a folder with data files")
    found = sorted(path.name for path in folder.glob("*.toml"))
    for name in found or [""]:
        if name not in DATA_FILES:
            what = f"the file {name} is not read" if name else "has no data file"
            raise DataError(f"{folder}: {what}, allowed {', '.join(DATA_FILES)}{nearest(name, DATA_FILES)}")


def read_text(path: Path) -> str:
    """A file's text; the mark that some editors put in front of UTF-8 is not part of it."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not UTF-8: {error}") from error


def parse_toml(file: str, text: str) -> dict[str, object]:
    """A TOML text as a table."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file}: is not TOML: {error}") from error
