"""Rows of figures as tables of a report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from genesia_rl.core.lab import Trait
from genesia_rl.lab.arms import Condition
from genesia_rl.lab.gather import Found
from genesia_rl.lab.traits import EDGE
from genesia_rl.report.page import Report
from genesia_rl.report.style import Palette
from genesia_rl.stats.estimate import Estimate

Row = dict[str, Any]
All = dict[Condition, Found]
SHARE, CHANGE, DIGITS, P = ".1%", "+.1pp", ".2f", ".2g"


def label(condition: Condition) -> str:
    """A condition in plots and sentences."""
    return label_of(told(condition))


def label_of(row: Row) -> str:
    """The condition of a row."""
    return f"{row['players']} players, {row['policy']}"


def told(condition: Condition) -> Row:
    """The first cells of a condition's rows."""
    return {"players": condition.players, "policy": condition.policy}


def figure(name: str, estimate: Estimate) -> Row:
    """The cells of one figure: the value, both ends of its interval, the number of games."""
    return {
        name: estimate.value, f"{name} low": estimate.low, f"{name} high": estimate.high,
        f"{name} games": estimate.games,
    }  # fmt: skip


def palette_of(found: All) -> Palette:
    """One colour for each policy in all charts."""
    return Palette([condition.policy for condition in found])


def put(
    report: Report,
    name: str,
    rows: Iterable[Row],
    caption: str = "",
    codes: Mapping[str, str] | None = None,
    show: int | None = None,
) -> None:
    """A table; `codes` are the formats of figures, which hold for the ends of their intervals too."""
    held = list(rows)
    columns = {key: [row.get(key) for row in held] for key in held[0]} if held else {}
    spread = {
        f"{figure}{end}": code for figure, code in (codes or {}).items() for end in ("", " low", " high")
    }
    report.table(name, columns, caption, {key: code for key, code in spread.items() if key in columns}, show)


def trait_codes(traits: Iterable[Trait]) -> dict[str, str]:
    """The formats of traits."""
    return {trait.name: CHANGE if trait == EDGE else DIGITS for trait in traits}
