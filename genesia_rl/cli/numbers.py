"""Numbers on the command line: read here, so that a wrong one is named with its value and what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer

from genesia_rl.core.reading import shown

LARGEST = (1 << 63) - 1
MOST_GAMES = 10_000_000


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
            raise typer.BadParameter(f"{shown(str(given))}, allowed {_allowed(what, low, high)}")
        return value

    number.__name__ = "number"
    return number


def integer(low: int | None = None, high: int | None = None) -> Callable[[Any], int]:
    """Reads an integer of a range; compiled code has 64 bits for it whatever the range."""
    read = _reader(int, "an integer", low, high)
    bounded = _reader(int, "an integer", -LARGEST if low is None else low, LARGEST if high is None else high)

    def number(given: Any) -> int:
        found = bounded(given) if _is_huge(given) else read(given)
        return int(found)

    return number


def games(low: int = 1) -> Callable[[Any], int]:
    """Reads a number of games: a row of each is kept in memory, and more says nothing that fewer do not say."""
    return integer(low, MOST_GAMES)


def _is_huge(given: Any) -> bool:
    return len(str(given)) > len(str(LARGEST)) - 1


def real(low: float, high: float) -> Callable[[Any], float]:
    """Reads a number of a range."""
    return _reader(float, "a number", low, high)
