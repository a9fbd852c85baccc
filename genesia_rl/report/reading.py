"""The tables of reports, read again: some rows, in some order, shown as the page shows them.

rows = read([folder], "places").where(players=2, place=1)
rows["won"], rows.shown({"won": ".1%"})
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from genesia_rl.core.errors import DataError
from genesia_rl.report.estimates import is_missing
from genesia_rl.report.page import TABLES
from genesia_rl.report.parquet import read_table
from genesia_rl.report.table import Table

ENDS = ("", " low", " high")
WIDE = 200  # letters of a line where a table is text


class Shown(Table):
    """A table that a notebook shows by itself: as a page, or as text."""

    def _repr_html_(self) -> str:
        return self.html()

    def __repr__(self) -> str:
        file = io.StringIO()
        self.print(Console(file=file, width=WIDE, force_jupyter=False, color_system=None))
        return file.getvalue()


class Rows:
    """Some rows of a table, column by column."""

    def __init__(self, name: str, columns: Mapping[str, Sequence[Any]]) -> None:
        self.name = name
        self.columns = {key: list(held) for key, held in columns.items()}

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), []))

    def __getitem__(self, column: str) -> list[Any]:
        if not self.columns:  # a table without rows was written without columns
            return []
        if column not in self.columns:
            raise DataError(f"{self.name}: no column {column!r}, allowed are {', '.join(self.columns)}")
        return self.columns[column]

    def __add__(self, other: Rows) -> Rows:
        return Rows(self.name, {name: [*column, *other[name]] for name, column in self.columns.items()})

    def different(self, column: str) -> list[Any]:
        """The values of a column, each once, in their order."""
        return list(dict.fromkeys(self[column]))

    def where(self, **values: Any) -> Rows:
        """The rows that hold these values, `None` and not-a-number being no values."""
        held = [self[column] for column in values]
        wanted = list(values.values())
        return self._taken(
            [i for i in range(len(self)) if [column[i] for column in held] == wanted],
        )

    def known(self, column: str) -> Rows:
        """The rows in which a column has a value."""
        return self._taken([i for i, value in enumerate(self[column]) if not is_missing(value)])

    def sorted(self, column: str, descending: bool = True) -> Rows:
        """In the order of a column; rows without a value are left out."""
        held = self.known(column)
        order = sorted(range(len(held)), key=lambda i: held[column][i], reverse=descending)
        return held._taken(order)

    def first(self, number: int) -> Rows:
        """Only so many rows."""
        return self._taken(range(min(number, len(self))))

    def label(self, pattern: str) -> list[str]:
        """A text for each row: `{players} players, {policy}`."""
        return [
            pattern.format(**{name: column[i] for name, column in self.columns.items()})
            for i in range(len(self))
        ]

    def less(self, column: str, than: Sequence[float]) -> tuple[list[float], list[float], list[float]]:
        """A figure with both ends of its interval, less a number for each row."""
        low, middle, high = (
            [value - other for value, other in zip(self[f"{column}{end}"], than, strict=True)]
            for end in (" low", "", " high")
        )
        return middle, low, high

    def figure(self, column: str) -> tuple[list[Any], list[Any], list[Any]]:
        """A figure with both ends of its interval, as plots take it."""
        return self[column], self[f"{column} low"], self[f"{column} high"]

    def shown(self, columns: Mapping[str, str], caption: str = "", show: int | None = None) -> Shown:
        """A table of some columns with the formats of their cells; intervals come with their figures."""
        names = [f"{name}{end}" for name in columns for end in ENDS if f"{name}{end}" in self.columns]
        formats = {
            f"{name}{end}": code for name, code in columns.items() for end in ENDS
            if code and f"{name}{end}" in self.columns
        }  # fmt: skip
        for name in columns:
            _ = self[name]
        return Shown(self.name, {name: self[name] for name in names}, caption, formats, show)

    def _taken(self, places: Sequence[int]) -> Rows:
        return Rows(self.name, {name: [column[i] for i in places] for name, column in self.columns.items()})


def read(folders: Sequence[Path], name: str) -> Rows:
    """A table of several reports, one below the other; reports without it are passed over."""
    paths = [folder / TABLES / f"{name}.parquet" for folder in folders]
    parts = [read_table(path) for path in paths if path.exists()]
    if not parts:
        raise DataError(f"{name}: in none of {', '.join(map(str, folders))}, allowed are tables of reports")
    columns: dict[str, list[Any]] = {key: [] for part in parts for key in part}
    for part in parts:
        rows = len(next(iter(part.values()), []))
        for key, column in columns.items():
            column += part.get(key, [None] * rows)
    return Rows(name, columns)
