"""Tables for people: cells as text, a table of the page, the same table in the terminal."""

from __future__ import annotations

import numbers
import textwrap
from collections.abc import Mapping, Sequence
from copy import copy
from html import escape
from typing import Any, NamedTuple

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from genesia_rl.core.errors import ConfigError
from genesia_rl.report.estimates import MISSING, is_missing
from genesia_rl.report.parquet import Column, check_lengths

SPACE = "\u00a0"  # between a number and its unit
POINTS = "pp"  # of a format: a difference of shares, in percentage points
WIDEST = 44  # letters of a column; longer cells are broken into lines
ROOM = 28  # letters that words get in a terminal, if they want them
GAP = 3  # letters between columns in a terminal


class Shown(NamedTuple):
    """A column as it is read: its cells, and what to sort them by."""

    name: str
    cells: list[str]
    keys: list[str]
    numeric: bool
    names_row: bool  # words or whole numbers: the first such columns say what a row is about

    @property
    def width(self) -> int:
        """Letters that it takes, the arrow of a sorted one included."""
        heading = max(map(len, self.name.split()), default=0) + 2
        return min(WIDEST, max([heading, *map(len, self.cells)]))


class Table:
    """Columns of equal length under a name, checked and written as text."""

    def __init__(
        self,
        name: str,
        columns: Mapping[str, Column],
        caption: str = "",
        formats: Mapping[str, str] | None = None,
        show: int | None = None,
    ) -> None:
        if show is not None and show < 1:
            raise ConfigError(f"table {name!r}: show = {show}, allowed is 1 or more, or None for all")
        for column in formats or {}:
            if column not in columns:
                raise ConfigError(f"table {name!r}: format of {column!r}, allowed are {', '.join(columns)}")
        self.name, self.caption, self.show = name, caption, show
        self.columns = {key: copy(held) for key, held in columns.items()}
        self.rows = check_lengths(columns, f"table {name!r}")
        shown = [_shown(name, key, held, (formats or {}).get(key)) for key, held in columns.items()]
        self.shown = _one_count(_with_intervals(shown))

    def html(self) -> str:
        """The first rows, and the others where they can be unfolded."""
        first = self.rows if self.show is None else min(self.show, self.rows)
        caption = f"<figcaption>{escape(self.caption)}</figcaption>" if self.caption else ""
        rest = self._folded(first) if first < self.rows else ""
        label = escape(self.caption or self.name)
        return (
            f'<figure class="table" id="table-{self.name}">\n{caption}\n'
            f'<div class="scroll" role="region" aria-label="{label}" tabindex="0">\n'
            f"{self._part(0, first)}\n{rest}</div>\n</figure>"
        )

    def _folded(self, first: int) -> str:
        rest = self.rows - first
        summary = f"{rest:,} more row{'' if rest == 1 else 's'}"
        return f"<details><summary>{summary}</summary>\n{self._part(first, self.rows)}\n</details>\n"

    def _part(self, first: int, last: int) -> str:
        """Some rows as a table; both parts of one have the same widths."""
        widths = [column.width + 4 for column in self.shown]
        columns = "".join(f'<col style="width:{width}ch">' for width in widths)
        heads = "".join(f'<th scope="col"{_side(c)}>{escape(c.name)}</th>' for c in self.shown)
        rows = "\n".join(self._row(i) for i in range(first, last))
        if not self.rows:
            rows = f'<tr><td colspan="{max(1, len(self.shown))}">no rows</td></tr>'
        return (
            f'<table style="width:{sum(widths)}ch"><colgroup>{columns}</colgroup>\n'
            f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody></table>"
        )

    def _row(self, i: int) -> str:
        cells = "".join(f"<td{_side(c)}{_key(c.keys[i])}>{escape(c.cells[i])}</td>" for c in self.shown)
        return f"<tr>{cells}</tr>"

    def print(self, console: Console) -> None:
        """The first rows in the terminal: what does not fit beside goes below, under the same names of rows."""
        first = self.rows if self.show is None else min(self.show, self.rows)
        columns = [column._replace(cells=column.cells[:first]) for column in self.shown]
        same, columns = _same_in_all(columns)
        told = f" ({', '.join(same)})" if same else ""
        console.print(Text(f"\n{self.caption or self.name}{told}", style="bold"))
        for k, part in enumerate(_parts(columns, console.width)):
            if k:
                console.print()
            console.print(_drawn(part, console.width))
        if first < self.rows:
            console.print(Text(f"{self.rows - first:,} more in the table {self.name}"))


def _same_in_all(columns: list[Shown]) -> tuple[list[str], list[Shown]]:
    """Names of rows that are the same in all of several rows are said once; at least one name stays."""
    names = _names_of(columns)
    same = [c for c in names if len(c.cells) > 1 and len(set(c.cells)) == 1][: len(names) - 1]
    return [f"{c.name} {c.cells[0]}" for c in same], [c for c in columns if c not in same]


def _names_of(columns: Sequence[Shown]) -> list[Shown]:
    """The first columns, which say what a row is about."""
    end = next((k for k, column in enumerate(columns) if not column.names_row), len(columns))
    return list(columns[:end])


def _need(column: Shown) -> int:
    """Letters that a column takes in a terminal: numbers are never broken, words only between words."""
    longest = max(map(len, column.cells), default=0)
    if not column.numeric:
        words = (len(word) for cell in column.cells for word in cell.split())
        longest = min(longest, max(ROOM, *words, 0))
    return max(longest, *map(len, column.name.split()), 1)


def _parts(columns: list[Shown], width: int) -> list[list[Shown]]:
    """Columns that fit side by side, each part after the names of the rows."""
    names = _names_of(columns)[:-1] if len(_names_of(columns)) == len(columns) else _names_of(columns)
    used = sum(_need(column) + GAP for column in names)
    parts, left = [list(names)], width - used
    for column in columns[len(names) :]:
        if len(parts[-1]) > len(names) and _need(column) > left:
            parts.append(list(names))
            left = width - used
        parts[-1].append(column)
        left -= _need(column) + GAP
    return parts


def _drawn(columns: list[Shown], width: int) -> RichTable:
    """Columns that fit as a table; only words that would not fit even so are broken."""
    table = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    wide = [_need(column) for column in columns]
    over = sum(wide) + GAP * (len(wide) - 1) - width
    for column, size in zip(columns, wide, strict=True):
        cut = 0 if column.numeric else max(0, min(over, size - ROOM // 2))
        over -= cut
        heading = "\n".join(textwrap.wrap(column.name, max(1, size - cut), break_long_words=False))
        side: Any = "right" if column.numeric else "left"
        table.add_column(Text(heading), justify=side, width=size - cut, overflow="fold")
    for row in zip(*(column.cells for column in columns), strict=True):
        table.add_row(*map(Text, row))
    return table


def _with_intervals(columns: list[Shown]) -> list[Shown]:
    """`won`, `won low`, `won high` are read as one column: `52.1 % (49.8 .. 54.3)`; files keep all three."""
    found, at = [], 0
    while at < len(columns):
        value, ends = columns[at], [column.name for column in columns[at + 1 : at + 3]]
        if ends in (["low", "high"], [f"{value.name} low", f"{value.name} high"]):
            cells = [
                _interval(*three) for three in zip(*(c.cells for c in columns[at : at + 3]), strict=True)
            ]
            found.append(value._replace(cells=cells, names_row=False))
            at += 3
        else:
            found.append(value)
            at += 1
    return found


def _interval(value: str, low: str, high: str) -> str:
    if MISSING in (value, low, high):
        return value
    bare_low, bare_high = (end.partition(SPACE)[0] for end in (low, high))
    return f"{value} ({bare_low} .. {bare_high})"


def _one_count(columns: list[Shown]) -> list[Shown]:
    """Columns `... games` that all say the same are read as one, `games`, at the end."""
    counts = [column for column in columns if column.name.split(" ")[-1] == "games"]
    if not counts or any(column.cells != counts[0].cells for column in counts):
        return columns
    return [column for column in columns if column not in counts] + [counts[0]._replace(name="games")]


def _shown(table: str, name: str, column: Column, spec: str | None) -> Shown:
    held = [value.item() if isinstance(value, np.generic) else value for value in column]
    known = [value for value in held if not is_missing(value)]
    numeric = bool(known) and all(_is_number(value) for value in known)
    if spec is None:
        spec = _usual(known) if numeric else ""
    cells = [_cell(value, spec, f"table {table!r}: column {name!r}") for value in held]
    keys = ["" if not numeric or is_missing(value) else _sortable(value) for value in held]
    whole = not numeric or all(isinstance(value, numbers.Integral) for value in known)
    return Shown(name, cells, keys, numeric, whole and name.split(" ")[-1] != "games")


def _is_number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


def _sortable(value: numbers.Real) -> str:
    return repr(value if isinstance(value, int) else float(value))


def _usual(known: Sequence[Any]) -> str:
    """The format of a column of numbers for which none is given."""
    if all(isinstance(value, numbers.Integral) for value in known):
        return ","
    return ",.1f" if max(abs(value) for value in known) >= 1000 else ".3f"


def _cell(value: Any, spec: str, what: str) -> str:
    if is_missing(value):
        return MISSING
    if isinstance(value, bool):
        return "yes" if value else "no"
    try:
        return formatted(value, spec)
    except (ValueError, TypeError):
        raise ConfigError(
            f"{what}: format {spec!r} of {value!r}, allowed are format codes of Python, and with {POINTS} at the end "
            "percentage points"
        ) from None


def formatted(value: Any, spec: str) -> str:
    """A number by a format code of Python; `+.1pp` is a difference of shares in percentage points."""
    if spec.endswith(POINTS):
        return f"{round(100 * value, 6) + 0.0:{spec.removesuffix(POINTS)}f}{SPACE}{POINTS}"
    text = format(value, spec)
    return f"{text[:-1]}{SPACE}%" if spec.endswith("%") else text


def _side(column: Shown) -> str:
    return ' class="number"' if column.numeric else ""


def _key(key: str) -> str:
    return f' data-key="{key}"' if key else ""
