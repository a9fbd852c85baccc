"""Rankings counted by block: who was left to choose from, and who was chosen.

A ranking is read from the top: one, or several who tie, are chosen among all, the next among those left. What
the likelihood needs of it is how often each kind of item was chosen alone, in twos and so on, and how often
each set of items was left. Kinds are told apart by their agent and covariates; copies of an agent are
different items of the same kind. The counts are integers, so neither the order of games nor that of seats
shows in a bit of what is found from them.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import sparse

from genesia_rl.core.errors import DataError

Array = npt.NDArray[Any]
NOBODY = -1


class Rankings(NamedTuple):
    """What games of some blocks say."""

    agents: Array  # of each kind
    covariates: Array  # [kinds, covariates]
    sets: Array  # [sets, seats] kinds of those left, then NOBODY
    chosen: sparse.csr_array  # [blocks, kinds * seats] how often: kind * seats + (how many were chosen) - 1
    left: sparse.csr_array  # [blocks, sets] how often
    ties: tuple[int, ...]  # of how many, those seen
    beats: Array  # [agents, agents] somewhere not behind
    games: int

    @property
    def blocks(self) -> int:
        """How many blocks."""
        return int(self.left.shape[0])

    @property
    def seats(self) -> int:
        """How many seats the largest game has."""
        return int(self.sets.shape[1])


class _Games(NamedTuple):
    """Games as they come: `[game, seat]`, with the row of each game's block."""

    kinds: Array  # NOBODY where a seat is empty
    places: Array
    rows: Array

    @property
    def present(self) -> Array:
        return np.asarray(self.kinds != NOBODY)


def count_rankings(
    agents: Array, places: Array, block: Array, covariates: Array | None = None, count: int | None = None
) -> Rankings:
    """Count games `[game, seat]`; an agent of -1 is an empty seat, the lowest place is best, equal ties."""
    who, ended = _whole("agents", agents), _whole("places", places)
    extra = np.zeros((*who.shape, 0)) if covariates is None else np.asarray(covariates, np.float64)
    _check(who, ended, np.asarray(block), extra)
    kinds, of_agent, of_covariates = _kinds(who, extra)
    rows = np.unique(block, return_inverse=True)[1]
    games = _Games(kinds, ended, rows)
    blocks, number = int(rows.max()) + 1, len(of_agent)
    sets, left = _left(games, blocks)
    chosen = _chosen(games, blocks, number)
    many = np.unique(chosen.tocoo().coords[1] % who.shape[1]) + 1
    return Rankings(
        of_agent, of_covariates, sets, chosen, left,
        tuple(int(k) for k in many if k > 1),
        _beats(who, ended, int(who.max()) + 1 if count is None else count),
        len(who),
    )  # fmt: skip


def _whole(name: str, values: Array) -> Array:
    found = np.asarray(values)
    if found.ndim != 2 or not np.issubdtype(found.dtype, np.integer):
        raise DataError(
            f"{name} of shape {found.shape} and type {found.dtype}, allowed is [games, seats] of int"
        )
    return found.astype(np.int64)


def _check(agents: Array, places: Array, block: Array, covariates: Array) -> None:
    games = agents.shape[:1]
    for name, shape, allowed in (
        ("places", places.shape, agents.shape),
        ("block", block.shape, games),
        ("covariates", covariates.shape[:2], agents.shape),
    ):
        if shape != allowed:
            raise DataError(f"{name} of shape {shape}, allowed is {allowed} as of agents")
    if games == (0,) or (agents < NOBODY).any() or ((agents != NOBODY).sum(axis=1) < 2).any():
        raise DataError("agents: allowed are games of at least two, and -1 for an empty seat")
    if not np.isfinite(covariates).all():
        raise DataError("covariates with a value that is not finite, allowed are numbers")


def _kinds(agents: Array, covariates: Array) -> tuple[Array, Array, Array]:
    """The kind of each item, and of each kind its agent and covariates; kinds are in lexicographic order."""
    here = agents != NOBODY
    columns = np.column_stack([agents[here], covariates[here]])
    which, first = _numbered(columns)
    kinds = np.full(agents.shape, NOBODY)
    kinds[here] = which
    return kinds, agents[here][first], covariates[here][first]


def _numbered(columns: Array) -> tuple[Array, Array]:
    """The number of each row among the different rows, and where each of these is first."""
    key = np.zeros(len(columns), np.int64)
    for column in columns.T:
        values, codes = np.unique(column, return_inverse=True)
        key = np.unique(key * len(values) + codes, return_inverse=True)[1]
    _, first = np.unique(key, return_index=True)
    return key, first


def _stages(games: _Games) -> list[tuple[Array, Array, Array]]:
    """Choices among two or more: the games, who was left, who was chosen, for each seat that leads one."""
    present, found = games.present, []
    for seat in range(games.kinds.shape[1]):
        own = games.places[:, [seat]]
        chosen = present & (games.places == own)
        left = present & (games.places >= own)
        leads = present[:, seat] & ~chosen[:, :seat].any(axis=1) & (left.sum(axis=1) > 1)
        rows = np.flatnonzero(leads)
        found.append((rows, left[rows], chosen[rows]))
    return found


def _left(games: _Games, blocks: int) -> tuple[Array, sparse.csr_array]:
    """The different sets that were left, and how often each in each block."""
    stages = _stages(games)
    sets = np.concatenate([np.where(left, games.kinds[rows], NOBODY) for rows, left, _ in stages])
    ordered = -np.sort(-sets, axis=1)
    which, first = _numbered(ordered)
    rows = np.concatenate([games.rows[rows] for rows, _, _ in stages])
    return ordered[first], _counts(rows, which, (blocks, len(first)))


def _chosen(games: _Games, blocks: int, kinds: int) -> sparse.csr_array:
    """How often each kind was chosen, alone or among two, three, ..., in each block."""
    rows, columns, seats = [], [], games.kinds.shape[1]
    for stage, _, chosen in _stages(games):
        game, seat = np.nonzero(chosen)
        rows.append(games.rows[stage[game]])
        columns.append(games.kinds[stage[game], seat] * seats + chosen.sum(axis=1)[game] - 1)
    return _counts(np.concatenate(rows), np.concatenate(columns), (blocks, kinds * seats))


def _counts(rows: Array, columns: Array, shape: tuple[int, int]) -> sparse.csr_array:
    counted = sparse.coo_array((np.ones(len(rows), np.int64), (rows, columns)), shape=shape).tocsr()
    counted.sort_indices()
    return counted


def _beats(agents: Array, places: Array, count: int) -> Array:
    """Who somewhere was not behind whom."""
    found = np.zeros((count, count), np.bool_)
    for a in range(agents.shape[1]):
        for b in range(agents.shape[1]):
            there = (agents[:, a] != NOBODY) & (agents[:, b] != NOBODY) & (places[:, a] <= places[:, b])
            found[agents[there, a], agents[there, b]] = True
    return found
