"""Records from tables of fields: of states (name, type, who may know it, shape) and of tables (name, type, shape).

There is no hole between the fields: what alignment leaves free is a field as well. NumPy copies fields, and a
copy would have garbage in between where a hash is the record's bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

#: A field of a state: its name, its type, who may know it, its shape.
Field = tuple[str, type, str, tuple[int, ...]]

#: A field of tables: its name, its type, its shape.
TableField = tuple[str, type, tuple[int, ...]]


class Records(NamedTuple):
    """A table of fields as two types: narrow ones to play with, and 64 bits each, for tests in plain Python."""

    fields: tuple[Field, ...]
    narrow: np.dtype[Any]
    wide: np.dtype[Any]

    def as_wide(self, states: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
        """The same states as wide records."""
        return self._as(states, self.wide)

    def as_narrow(self, states: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
        """The same states as ordinary records."""
        return self._as(states, self.narrow)

    def _as(self, states: npt.NDArray[np.void], dtype: np.dtype[Any]) -> npt.NDArray[np.void]:
        copies = np.zeros(len(states), dtype)
        for name, *_ in self.fields:
            copies[name] = states[name]
        return copies


def records_of(fields: Sequence[Field]) -> Records:
    """The types of a table of fields."""
    held = tuple(fields)
    return Records(held, _dtype(held, wide=False), _dtype(held, wide=True))


def _dtype(fields: tuple[Field, ...], wide: bool) -> np.dtype[Any]:
    """The type of a state."""
    made: list[tuple[Any, ...]] = []
    place = 0
    for name, narrow, _, shape in (*fields, ("", np.uint64, "", ())):
        kind = _kind(narrow, wide)
        if gap := -place % kind.itemsize:
            made.append((f"unused_{place}", np.int8, (gap,)))
        if name:
            made.append((name, kind, shape) if shape else (name, kind))
        place += gap + kind.itemsize * prod(shape)
    return np.dtype(made, align=True)


def tables_dtype(start: Records, fields: Sequence[TableField], wide: bool = False) -> np.dtype[Any]:
    """The type of a configuration's tables: the state that a game starts from, then the fields."""
    made: list[tuple[Any, ...]] = [("start", start.wide if wide else start.narrow)]
    for name, narrow, shape in fields:
        kind = _kind(narrow, wide)
        made.append((name, kind, shape) if shape else (name, kind))
    return np.dtype(made, align=True)


def _kind(narrow: type, wide: bool) -> np.dtype[Any]:
    """The type of a field; sets of bits stay unsigned."""
    return np.dtype(np.int64 if wide and narrow is not np.uint64 else narrow)
