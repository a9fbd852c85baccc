"""splitmix64 in Python's own integers: choices that are the same on every machine and compile nothing."""

from __future__ import annotations

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


class Stream:
    """A stream of numbers of a seed; the outputs are those of the published splitmix64."""

    def __init__(self, seed: int) -> None:
        self._state = seed & _MASK

    def next(self) -> int:
        """The next 64 bits."""
        self._state = z = (self._state + _GOLDEN) & _MASK
        z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & _MASK
        z = (z ^ z >> 27) * 0x94D049BB133111EB & _MASK
        return z ^ z >> 31

    def below(self, bound: int) -> int:
        """A number 0..bound-1."""
        return (self.next() >> 32) * bound >> 32
