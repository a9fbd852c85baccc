"""The trees of a batch of searches, as arrays `[game, node, place]`: places are a node's likeliest actions.

A node is what the seat to act sees there, so nobody in the tree answers what it could not have seen, and two
ways to the same sight lead to the same node. Sums of values are those of the node's own seat.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def softmax(logits: Array) -> npt.NDArray[np.float64]:
    """Probabilities along the last axis; minus infinity becomes 0."""
    p = np.exp(logits - logits.max(-1, keepdims=True))
    return np.asarray(p / p.sum(-1, keepdims=True), np.float64)


def mixed(logits: Array, value: Array, visits: Array, total: Array) -> npt.NDArray[np.float64]:
    """What an action that was not tried is taken to be worth (Danihelka et al., 2022, appendix D).

    The mean of the network's value, counted once, and of the tried actions' mean by prior, counted by visits.
    """
    prior = softmax(logits) * (visits > 0)
    tried = (prior * means(visits, total)).sum(-1) / np.maximum(prior.sum(-1), 1e-12)
    number = visits.sum(-1)
    return np.asarray((value + number * tried) / (1 + number), np.float64)


def means(visits: Array, total: Array) -> npt.NDArray[np.float64]:
    """Mean values; of what was not tried 0."""
    return np.asarray(total / np.maximum(visits, 1), np.float64)


class Trees:
    """One tree a game; the root is not among its nodes."""

    def __init__(self, games: int, nodes: int, width: int, sharpness: float) -> None:
        self.sharpness = sharpness
        shape = games, nodes, width
        self.column = np.zeros(shape, np.int64)
        self.logit = np.full(shape, -np.inf)
        self.visits, self.total = np.zeros(shape, np.int64), np.zeros(shape)
        self.value = np.zeros(shape[:2])
        self.known: list[dict[int, int]] = [{} for _ in range(games)]

    def find(self, game: Array, keys: Sequence[int]) -> npt.NDArray[np.int64]:
        """The node of each key in the tree of its game, -1 if it is new."""
        places = zip(game.tolist(), keys, strict=True)
        return np.array([self.known[g].get(key, -1) for g, key in places], np.int64)

    def add(self, game: Array, keys: Sequence[int], logits: Array, value: Array) -> None:
        """Nodes for the keys that are new while there is room; illegal actions: minus infinity."""
        new = []
        for k, (g, key) in enumerate(zip(game.tolist(), keys, strict=True)):
            known = self.known[g]
            if key not in known and len(known) < self.column.shape[1]:
                known[key] = len(known)
                new.append((k, g, known[key]))
        if not new:
            return
        rows, games, nodes = np.array(new).T
        best = likeliest(logits[rows], self.column.shape[2])
        self.column[games, nodes] = best
        self.logit[games, nodes] = np.take_along_axis(logits[rows], best, 1)
        self.value[games, nodes] = value[rows]

    def select(self, game: Array, node: Array) -> npt.NDArray[np.int64]:
        """The place whose visits lag most behind the improved policy: no chance, and no constant but one."""
        logits, visits = self.logit[game, node], self.visits[game, node]
        total = self.total[game, node]
        untried = mixed(logits, self.value[game, node], visits, total)
        q = np.where(visits > 0, means(visits, total), untried[:, None])
        policy = softmax(logits + self.sharpness * q)
        lag = policy - visits / (1 + visits.sum(1, keepdims=True))
        return np.asarray(np.where(np.isfinite(logits), lag, -np.inf).argmax(1))

    def note(self, game: Array, node: Array, place: Array, value: Array) -> None:
        """What came of visits; the same place may be there several times."""
        np.add.at(self.visits, (game, node, place), 1)
        np.add.at(self.total, (game, node, place), value)


def likeliest(logits: Array, number: int) -> npt.NDArray[np.int64]:
    """The columns of the greatest logits of each row, the greatest first."""
    return np.asarray(np.argsort(-logits, 1, kind="stable")[:, :number])
