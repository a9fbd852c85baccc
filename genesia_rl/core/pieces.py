"""What an observation is made of: named pieces of one int8 buffer, and the things that they speak of.

A *token set* is a number of things of one kind (regions, cells, cards) of which an observation says the same:
planes over the things, one after the other. Networks encode the things of the first set one by one and let
them talk along its edges; pictures and pages name them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

#: What counts without a bound (coins, points) is divided by this when an observation is normalised.
COUNT_SCALE = 32.0
MOST = 127  # the greatest int8


class Piece(NamedTuple):
    """A named part of the observation: where it lies, its shape, its bounds, and what it says.

    `words` tells a number that is a name (which of so many seats, say) from one that counts; networks give
    each word an input of its own. A piece that is not `used` says nothing in this configuration.
    """

    name: str
    start: int
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    words: int = 0
    used: bool = True

    @property
    def stop(self) -> int:
        """The first byte after the piece."""
        return self.start + int(np.prod(self.shape))

    @property
    def scale(self) -> float:
        """What its bytes are divided by when an observation is normalised."""
        return COUNT_SCALE if self.high >= MOST else float(self.high)


class TokenSet(NamedTuple):
    """Things of one kind: a block `[planes, size]` of the observation, and which of them are neighbours."""

    name: str
    start: int
    planes: int
    size: int
    edges: npt.NDArray[np.int64] | None = None  # [edge, (from, to)]

    @property
    def stop(self) -> int:
        """The first byte after the block."""
        return self.start + self.planes * self.size


class Head(NamedTuple):
    """Actions that a network scores in one way.

    Without `tokens` each has weights of its own. With `tokens`, the name of a token set, `things` says which
    thing each action stands for, `[action]`, or between which two, `[action, 2]`.
    """

    name: str
    actions: npt.NDArray[np.int64]
    tokens: str | None = None
    things: npt.NDArray[np.int64] | None = None


def split(observation: npt.NDArray[Any], pieces: Iterable[Piece]) -> dict[str, npt.NDArray[Any]]:
    """Pieces of one observation or of a batch of them, by name: views, not copies."""
    batch = observation.shape[:-1]
    return {p.name: observation[..., p.start : p.stop].reshape(*batch, *p.shape) for p in pieces}
