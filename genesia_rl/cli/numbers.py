"""Numbers on the command line: read here, so that a wrong one is named with its value and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer


def _allowed(what: str, low: float | None, high: float | None) -> str:
    if low is None:
        return what
    return f"{what} of at least {low}" if high is None else f"{what} {low}..{high}"


def _reader(read: Callable[[str], Any], what: str, low: Any, high: Any) -> Callable[[Any], Any]:
    def number(given: Any) -> Any:
        # Defaults come here too. The command line would hide the message of a ValueError.
        try:
            value = read(str(given))
        except ValueError:
            value = None
        if (
            value is None
            or (low is not None and not value >= low)
            or (high is not None and not value <= high)
        ):
            raise typer.BadParameter(f"{str(given)!r}, allowed {_allowed(what, low, high)}")
        return value

    number.__name__ = "number"
    return number


def integer(low: int | None = None, high: int | None = None) -> Callable[[Any], int]:
    """Reads an integer of a range."""
    return _reader(int, "an integer", low, high)


def real(low: float, high: float) -> Callable[[Any], float]:
    """Reads a number of a range."""
    return _reader(float, "a number", low, high)
