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


def ask_object(
    seat: int, kind: str, word: str, objects: Iterable[int | str]
) -> Generator[Decision, str, str]:
    """A question whose actions have all the same verb; the answer is the object."""
    answer = yield from ask(seat, kind, each(word, objects))
    return thing(answer)


def each(word: str, objects: Iterable[int | str]) -> list[str]:
    """The verb with each of the objects."""
    return [f"{word}:{item}" for item in objects]


def verb(action: str) -> str:
    return action.split(":")[0]


def thing(action: str) -> str:
    """The object of an action."""
    return action.split(":")[1]


def number(action: str) -> int:
    """The object of an action, where it is a number."""
    return int(thing(action))
