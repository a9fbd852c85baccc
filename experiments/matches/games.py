"""Finished games as analyses see them: arrays by game and seat, and what follows from them."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.matches.series import Table, unfolded
from genesia_rl.games.genesia.names import MAX_CARD

Array = npt.NDArray[Any]
NOBODY = -1


class Games:
    """A part of a series' table `games`, in the order of its blocks."""

    def __init__(self, table: Table) -> None:
        self.seats = int(table["places"].shape[1])
        self._table = unfolded(table, self.seats)
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
        first = self["places"] == 0
        return np.asarray(first / first.sum(axis=1, keepdims=True))

    @cached_property
    def rank(self) -> Array:
        """[game, seat]: 1 for the first; those who share places have the mean of them."""
        places = self["places"]
        alike = (places[:, :, None] == places[:, None, :]).sum(axis=2)
        return np.asarray(places + (alike + 1) / 2)

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

    @cached_property
    def place(self) -> Array:
        """[game, Age, seat]: the seat's place in the turn order."""
        return np.argsort(self["order"], axis=2)

    def by_place(self, values: Array) -> Array:
        """[game, Age, place, ...] of [game, seat, ...]: by the place in the turn order of each Age."""
        order = self["order"].astype(np.int64)
        return np.take_along_axis(
            values[:, None], order.reshape(*order.shape, *(1,) * (values.ndim - 2)), axis=2
        )

    def at_place(self, values: Array, age: int) -> Array:
        """[game, place] of [game, seat]: of one Age."""
        return np.asarray(self.by_place(values)[:, age])

    # ---- cards
    @cached_property
    def dealt_cards(self) -> Array:
        """[game, card]: is the card in a pack?"""
        return self._marks(self["packs"].reshape(len(self), -1)) > 0

    @cached_property
    def holder(self) -> Array:
        """[game, card]: the seat that kept the card in the draft, -1 if nobody."""
        seats = np.broadcast_to(np.arange(self.seats)[:, None], self["picks"].shape[1:])
        return self._put(self["picks"], seats)

    @cached_property
    def pick(self) -> Array:
        """[game, card]: with which pick (0..4) it was kept, -1 if by nobody."""
        numbers = np.broadcast_to(np.arange(self["picks"].shape[3]), self["picks"].shape[1:])
        return self._put(self["picks"], numbers)

    @cached_property
    def is_played(self) -> Array:
        """[game, card]: was it played?"""
        return np.asarray(self["played"] > 0)

    def _marks(self, cards: Array) -> Array:
        marks = np.zeros((len(self), MAX_CARD + 1), np.int8)
        np.put_along_axis(marks, cards.astype(np.int64), 1, axis=1)
        marks[:, 0] = 0
        return marks

    def _put(self, cards: Array, values: Array) -> Array:
        """[game, card]: the value that stands at the card's place in `cards`, -1 where it does not stand."""
        found = np.full((len(self), MAX_CARD + 1), NOBODY, np.int8)
        flat = cards.reshape(len(self), -1).astype(np.int64)
        np.put_along_axis(
            found, flat, np.broadcast_to(values.reshape(1, -1), flat.shape).astype(np.int8), axis=1
        )
        found[:, 0] = NOBODY
        return found

    # ---- lots
    def combination(self, cells: tuple[tuple[int, ...], ...], age: int) -> Array:
        """[game]: the lots of an Age, as a place in `lots.choices`."""
        return np.array([cell[age] for cell in cells])[self["cell"]]

    @property
    def wars(self) -> Array:
        """[game]: assaults in all Ages."""
        return np.asarray(self["assaults"].sum(axis=(1, 2)).astype(np.float64))
