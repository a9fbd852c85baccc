"""The files that an owner of the box may replace (RULES 10), and what they say of their sources."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from genesia_rl.core.mistakes import noted
from genesia_rl.core.reading import DataFiles, Table, check_keys, nearest, refuse

PACKAGE_DATA = Path(__file__).parent
BOARD_FILE, PIECES_FILE = "board.toml", "pieces.toml"
DATA_FILES = DataFiles(PACKAGE_DATA, (BOARD_FILE, PIECES_FILE))

SOURCES = ("rulebook", "reconstructed")


@noted(None)
def check_source(where: str, table: Table, keys: Sequence[str]) -> None:
    """RULES 10: `[source]` says of every other key where its value is from; it may be missing as a whole."""
    if "source" not in table:
        return
    source = table["source"]
    others = tuple(key for key in table if key in keys and key != "source")
    if not isinstance(source, dict):
        refuse(where, "source", source, "a table with an entry for every other key")
    check_keys(f"{where}: source", source, others)
    for key, value in source.items():
        if value not in SOURCES:
            refuse(where, f"source.{key}", value, " or ".join(SOURCES) + nearest(value, SOURCES))
