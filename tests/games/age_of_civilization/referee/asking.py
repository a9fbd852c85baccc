"""Decisions (PROTOCOL 1 and 2).

The game is written as generators. `answer = yield from ask(seat, kind, legal)` puts a question; a
decision with exactly one legal action is not asked: it is taken.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from .data import Data


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


def name_of(action: str) -> str:
    """The object of `act`."""
    return action.split(":")[1]


def number_of(action: str) -> int:
    """The object of rise, annex, card, special, tech, wonder and heritage."""
    return int(action.split(":")[1])


def every_action(data: Data) -> list[str]:
    """All actions of PROTOCOL 1, in the order of its table."""
    civilizations, technologies = list(data.civilizations), list(data.technologies)
    return [
        *("end", "rest", "pass"),
        *each("rise", civilizations),
        *each("annex", civilizations),
        *each("card", civilizations),
        *each("act", data.actions),
        *each("special", data.specials),
        *each("tech", technologies),
        *each("wonder", data.wonders),
        "main",
        *each("heritage", civilizations),
    ]


def each(word: str, objects: Iterable[int | str]) -> list[str]:
    return [f"{word}:{x}" for x in objects]
