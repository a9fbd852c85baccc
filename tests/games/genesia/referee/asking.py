"""Decisions (PROTOCOL 1 and 2).

The game is written as generators. `answer = yield from ask(seat, kind, legal)` puts a question; a
decision with exactly one legal action is not asked: it is taken.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Decision:
    """Who is asked, what for, and the legal actions, sorted as text."""

    seat: int
    kind: str
    legal: tuple[str, ...]


# A part of the game: yields decisions, receives the answers, returns whatever it is annotated with.
Asking = Generator[Decision, str, Any]


def ask(seat: int, kind: str, legal: Iterable[str]) -> Generator[Decision, str, str]:
    options = tuple(sorted(legal))
    if not options or len(set(options)) != len(options):
        raise AssertionError(f"{kind} of seat {seat}: bad legal set {options}")
    if len(options) == 1:
        return options[0]
    answer = yield Decision(seat, kind, options)
    return answer


def verb(answer: str) -> str:
    return answer.split(":")[0]


def number(answer: str) -> int:
    """The object of card, discard, objective, region, amount, position or seat."""
    return int(answer.split(":")[1])


def ends(answer: str) -> tuple[int, int]:
    """The two ends of an edge."""
    a, b = answer.split(":")[1].split("-")
    return int(a), int(b)


def edge(a: int, b: int) -> str:
    return f"edge:{a}-{b}"


def each(word: str, objects: Iterable[int]) -> list[str]:
    return [f"{word}:{x}" for x in objects]
