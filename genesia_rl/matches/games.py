"""Finished games as analyses see them: arrays by game and seat, and what follows from them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.lab import Cell, Lab
from genesia_rl.stats.shares import first_shares, mean_ranks

Array = npt.NDArray[Any]
Table = dict[str, Array]
NOBODY = -1


def columns(measures: Array, seats: int, lab: Lab) -> Table:
    """The fields of measures as columns, cut to the seats that there are; a row of numbers at most."""
    found: Table = {}
    for name in lab.measure.names or ():
        values, axis = measures[name], lab.seat_axis(name)
        if axis is not None:
            values = values.take(range(seats), axis=axis + 1)
        rows = values.reshape(len(values), -1) if values.ndim > 2 else values
        found[name] = np.ascontiguousarray(rows)
    return found


def unfolded(table: Table, seats: int, lab: Lab) -> Table:
    """The columns in their own shapes again, as `[game, ...]`."""
    found = dict(table)
    for name in lab.measure.names or ():
        shape, axis = list(lab.measure[name].shape), lab.seat_axis(name)
        if axis is not None:
            shape[axis] = seats
        found[name] = table[name].reshape(-1, *shape)
    return found


class Games:
    """A part of a series' table `games`, in the order of its blocks."""

    def __init__(self, table: Table, lab: Lab) -> None:
        self.lab = lab
        self.seats = int(table["ranks"].shape[1])
        self._table = unfolded(table, self.seats, lab)
        self._starts = np.flatnonzero(np.diff(table["block"], prepend=-1))

    def __getitem__(self, name: str) -> Array:
        return self._table[name]

    def __len__(self) -> int:
        return len(self["block"])

    def by_block(self, values: Array) -> Array:
        """Sums over the games of each block: `[block, ...]` of `[game, ...]`."""
        return np.asarray(np.add.reduceat(values.astype(np.float64), self._starts, axis=0))

    @cached_property
    def won(self) -> Array:
        """[game, seat]: the seat's share of the first place."""
        return first_shares(self["ranks"])

    @cached_property
    def rank(self) -> Array:
        """[game, seat]: 1 for the first; those who share ranks have the mean of them."""
        return mean_ranks(self["ranks"])

    @cached_property
    def margin(self) -> Array:
        """[game, seat]: points ahead of the mean of the others."""
        totals = self["totals"].astype(np.float64)
        others = (totals.sum(axis=1, keepdims=True) - totals) / (self.seats - 1)
        return np.asarray(totals - others)

    @cached_property
    def lead(self) -> Array:
        """[game]: points between the first and the second."""
        ordered = np.sort(self["totals"], axis=1)
        return np.asarray((ordered[:, -1] - ordered[:, -2]).astype(np.float64))

    # ---- the turn order
    @cached_property
    def place(self) -> Array:
        """[game, stage, seat]: the seat's place in the turn order."""
        return np.argsort(self["order"], axis=2)

    def by_place(self, values: Array) -> Array:
        """[game, stage, place, ...] of [game, seat, ...]: by the place in the turn order of each stage."""
        order = self["order"].astype(np.int64)
        return np.take_along_axis(
            values[:, None], order.reshape(*order.shape, *(1,) * (values.ndim - 2)), axis=2
        )

    def at_place(self, values: Array, stage: int) -> Array:
        """[game, place] of [game, seat]: of one stage."""
        return np.asarray(self.by_place(values)[:, stage])

    # ---- what varies
    def choice(self, cells: tuple[Cell, ...], stage: int) -> Array:
        """[game]: which of the variation's choices a stage has."""
        return np.array([cell[stage] for cell in cells])[self["cell"]]

    # ---- numbered things, of which `lists` name some in each game; 0 is none
    def listed(self, lists: Array, most: int) -> npt.NDArray[np.bool_]:
        """[game, number]: does it stand in the game's lists?"""
        return self.put(lists, np.ones((), np.int8), most) > NOBODY

    def put(self, lists: Array, values: Array, most: int) -> npt.NDArray[np.int8]:
        """[game, number]: the value at the number's place in the game's lists, -1 if it does not stand there.

        `values` is of the lists' shape, or of one that is repeated to it.
        """
        found = np.full((len(lists), most + 1), NOBODY, np.int8)
        flat = lists.reshape(len(lists), -1).astype(np.int64)
        each = np.broadcast_to(values, lists.shape).reshape(flat.shape).astype(np.int8)
        np.put_along_axis(found, flat, each, axis=1)
        found[:, 0] = NOBODY
        return found
