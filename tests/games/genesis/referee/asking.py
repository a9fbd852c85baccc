"""Decisions (PROTOCOL 1 and 2).

The game is written as generators. `answer = yield from ask(seat, kind, legal)` puts a question; a
decision with exactly one legal action is not asked: it is taken.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Decision:
    """Who is asked, what for, and the legal actions, sorted as text."""

    seat: int
    kind: str
    legal: tuple[str, ...]


# A part of the game: yields decisions, receives the answers, returns nothing.
Asking = Generator[Decision, str, None]


def ask(seat: int, kind: str, legal: Iterable[str]) -> Generator[Decision, str, str]:
    options = tuple(sorted(legal))
    if not options or len(set(options)) != len(options):
        raise AssertionError(f"{kind} of seat {seat}: bad legal set {options}")
    if len(options) == 1:
        return options[0]
    answer = yield Decision(seat, kind, options)
    return answer


def verb(action: str) -> str:
    return action.split(":")[0]


def terrain_of(action: str) -> str:
    """The object of `tile`."""
    return action.split(":")[1]


def cell_of(action: str) -> int:
    """The object of `cell`."""
    return int(action.split(":")[1])
