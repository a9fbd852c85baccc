"""Estimates with their intervals as columns of a table and as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol

MISSING = "–"  # noqa: RUF001  the sign for "nothing here"


class EstimateLike(Protocol):
    """A value with the ends of its interval, and the games it is taken from."""

    @property
    def value(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def games(self) -> int: ...


PARTS = ("value", "low", "high", "games")


def columns_of(estimates: Sequence[EstimateLike | None], prefix: str = "") -> dict[str, list[Any]]:
    """Columns `value`, `low`, `high` and `games`, with the prefix before each; None where there is none."""
    return {
        f"{prefix}{part}": [None if held is None else getattr(held, part) for held in estimates]
        for part in PARTS
    }


def interval_text(
    value: float | None, low: float | None, high: float | None, scale: float = 100, digits: int = 1
) -> str:
    """`52.1 (49.8 .. 54.3)`; only the value where an end is unknown, a dash where it is unknown itself."""
    middle, *ends = (_scaled(number, scale, digits) for number in (value, low, high))
    if MISSING in (middle, *ends):
        return middle
    return f"{middle} ({ends[0]} .. {ends[1]})"


def is_missing(value: Any) -> bool:
    """None and not-a-number, of numpy too."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def _scaled(number: float | None, scale: float, digits: int) -> str:
    if number is None or is_missing(float(number)):
        return MISSING
    return f"{round(number * scale, digits) + 0.0:,.{digits}f}"  # + 0.0: no "-0.0"
