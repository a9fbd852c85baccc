"""Finding all mistakes of data files at once, where a game that is made stops at the first.

Readers raise a `DataError` at a mistake. While mistakes are collected, what reads one field notes it and gives a
stand-in, and what reads many entries goes on with the next one. What fails in an entry (or file) after a mistake was
noted in it may follow from it, and is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from genesia_rl.core.errors import DataError

P = ParamSpec("P")
T = TypeVar("T")
S = TypeVar("S")


class Follows(DataError):
    """What is asked of several fields together is not asked, as one of them is wrong."""


class _Notes:
    """The mistakes so far, and how many there were when each open part began."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.begun: list[int] = [0]

    def is_sound(self) -> bool:
        """Is nothing wrong in the innermost part?"""
        return len(self.lines) == self.begun[-1]


_NOTES: ContextVar[_Notes | None] = ContextVar("mistakes", default=None)
#: What stand-ins may lead to.
_FOLLOWS = (LookupError, TypeError, ValueError, AttributeError)


def mistakes_of(readers: Iterable[Callable[[], object]]) -> list[str]:
    """Every mistake that is found by some readers, each on one line; nothing if there is none."""
    notes = _Notes()
    token = _NOTES.set(notes)
    try:
        each(lambda read: read(), readers)
    finally:
        _NOTES.reset(token)
    return [" ".join(line.split()) for line in dict.fromkeys(notes.lines)]


def each(read: Callable[[S], T], items: Iterable[S]) -> tuple[T, ...]:
    """What is read of every item; while mistakes are collected, of those that can be read."""
    found: list[T] = []
    for item in items:
        with _part():
            found.append(read(item))
    return tuple(found)


@contextmanager
def _part() -> Iterator[None]:
    """A part whose mistakes are its own: what comes after it is read all the same, if mistakes are collected."""
    notes = _NOTES.get()
    if notes is None:
        yield
        return
    notes.begun.append(len(notes.lines))
    try:
        yield
    except DataError as error:
        if notes.is_sound():
            notes.lines.append(str(error))
    except _FOLLOWS:
        if notes.is_sound():
            raise
    finally:
        notes.begun.pop()


def settle() -> None:
    """All fields of a part were read: what is asked of them together is asked only if nothing is wrong with any."""
    notes = _NOTES.get()
    if notes is not None and not notes.is_sound():
        raise Follows("asked for nothing more, as something is wrong already")


def complain(error: DataError) -> None:
    """A mistake after which reading can go on."""
    notes = _NOTES.get()
    if notes is None:
        raise error
    notes.lines.append(str(error))


def noted(stand_in: Any) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Of a function that reads one field: while mistakes are collected it notes its own and gives the stand-in."""

    def decorated(take: Callable[P, T]) -> Callable[P, T]:
        @wraps(take)
        def taking(*args: P.args, **kwargs: P.kwargs) -> T:
            notes = _NOTES.get()
            if notes is None:
                return take(*args, **kwargs)
            try:
                return take(*args, **kwargs)
            except Follows:
                pass
            except DataError as error:
                notes.lines.append(str(error))
            except _FOLLOWS:  # the key is missing, and that was said
                if notes.is_sound():
                    raise
            found: T = stand_in
            return found

        return taking

    return decorated
