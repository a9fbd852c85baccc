"""What every part of the attack shares: one case, what came of it, and damage to bytes and texts."""

from __future__ import annotations

import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from genesia_rl.core.errors import GenesiaError

Rng = np.random.Generator
#: Seconds after which a case hangs.
PATIENCE = 20
#: Errors that are the caller's: those of this package, and a wrong number of arguments.
ALLOWED = (GenesiaError,)


class Hangs(BaseException):
    """A case has not come to an end."""


@dataclass
class Found:
    """What an attack has come to."""

    name: str
    taken: int = 0
    refused: int = 0
    holes: list[str] = field(default_factory=list)

    @property
    def cases(self) -> int:
        """All that were tried."""
        return self.taken + self.refused + len(self.holes)

    def case(
        self, told: str, act: Callable[[], Any], allowed: tuple[type[BaseException], ...] = ALLOWED
    ) -> bool:
        """Try something; it may do its work or refuse, and nothing else. True if it was taken."""
        try:
            with patience(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                act()
        except allowed as error:
            self.refused += 1
            if "\n" in str(error) or len(str(error)) > 3_000:
                self.holes.append(f"{told}: the refusal is no line but {str(error)[:200]!r}")
            return False
        except Hangs:
            self.holes.append(f"{told}: hangs")
            return False
        except Exception as error:
            where = traceback.extract_tb(error.__traceback__)[-1]
            self.holes.append(f"{told}: {type(error).__name__}: {error} ({where.filename}:{where.lineno})")
            return False
        self.taken += 1
        return True


@contextmanager
def patience(seconds: int = PATIENCE) -> Iterator[None]:
    """Whatever takes longer is ended."""

    def ring(number: int, frame: object) -> None:
        raise Hangs

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def pick(rng: Rng, items: Any) -> Any:
    """One of some things."""
    return items[int(rng.integers(len(items)))]


def damaged(rng: Rng, content: bytes) -> bytes:
    """Bytes that were cut, doubled, overwritten or flipped."""
    held, size = bytearray(content), max(1, len(content))
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(size))
        way = int(rng.integers(5))
        if way == 0:
            held = held[:at]
        elif way == 1:
            held[at : at + 1] = bytes([int(rng.integers(256))])
        elif way == 2:
            held[at:at] = held[at : at + int(rng.integers(1, 40))]
        elif way == 3:
            del held[at : at + int(rng.integers(1, 40))]
        elif at < len(held):
            held[at] ^= 1 << int(rng.integers(8))
    return bytes(held)


#: Values that stand where others are expected.
ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 1.0, 2**31, 2**63, 2**64, -(2**63), 1e308, "", "x", "\x00", "é" * 50, [], {}, [[]],
    [None], {"a": 1}, [1] * 1_000, "9" * 5_000,
)  # fmt: skip


def odd_table(rng: Rng, value: Any) -> Any:
    """A copy of plain data with something changed, somewhere in it."""
    if isinstance(value, dict) and value and rng.random() < 0.85:
        key = pick(rng, list(value))
        way = rng.random()
        if way < 0.1:
            return {k: v for k, v in value.items() if k != key}
        if way < 0.2:
            return {**value, f"{key}x": value[key]}
        return {**value, key: odd_table(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.85:
        at = int(rng.integers(len(value)))
        way = rng.random()
        if way < 0.1:
            return value[:at]
        if way < 0.2:
            return [*value, value[at]]
        return [*value[:at], odd_table(rng, value[at]), *value[at + 1 :]]
    if isinstance(value, int) and not isinstance(value, bool) and rng.random() < 0.5:
        return value + int(rng.integers(-3, 4))
    return pick(rng, ODD)
