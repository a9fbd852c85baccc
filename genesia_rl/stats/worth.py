"""The likelihood of rankings with ties, and where it is largest.

Among those left, a set of k is chosen with a probability proportional to delta_k times the geometric mean of
its members' worths; delta_1 is 1 (Davidson-Luce: Turner and others, "Modelling rankings in R: the
PlackettLuce package", arXiv 1810.12068). The log worth of an item is its agent's plus covariates times
coefficients. The log worths of agents sum to zero.

The parameters in a row: log worths of agents, coefficients, and log delta_k of each k that was seen. Where
somebody never wins, the likelihood has no maximum. So every parameter has played a ghost: `ghost` wins
and as many losses against an item of log worth 0. A tenth of a game is below a hundredth of a standard
error after a hundred games and makes the maximum finite.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import linalg, sparse, special

from genesia_rl.core.errors import DataError
from genesia_rl.stats.rankings import NOBODY, Rankings

Array = npt.NDArray[Any]
CLOSE = 1e-10  # the last step of a fit, in log worth
ITERATIONS = 200
CHORD_CLOSE = 1e-5  # the same where many are fitted at once: 0.002 Elo
CHORD_ITERATIONS = 25
FAR = 10.0  # in log worth: no place to go on from
CELLS = 2_000_000  # numbers in an array of working memory


class Likelihood:
    """The likelihood of rankings with any weights of their blocks."""

    def __init__(self, rankings: Rankings, count: int, ghost: float) -> None:
        self.rankings = rankings
        own = np.eye(count)[rankings.agents]
        self.features = np.hstack([own, rankings.covariates])  # [kinds, worths and coefficients]
        self.size = self.features.shape[1] + len(rankings.ties)
        self.ghost = np.full(self.size, ghost)
        self.basis = linalg.block_diag(_sum_zero(count), np.eye(self.size - count))
        self.subsets, self.tied, self.closed = _subsets(rankings)
        self.gains = self._gains()
        self.where = self._where()
        self.chosen = rankings.chosen.T.tocsr()
        self.left = rankings.left.T.tocsr()

    def _gains(self) -> Array:
        """What a choice adds to the gradient, `[kinds * seats, parameters]`: a row for each kind and size."""
        seats, ties = self.rankings.seats, self.rankings.ties
        parts = []
        for size in range(1, seats + 1):
            tie = np.full((len(self.features), len(ties)), [float(k == size) for k in ties])
            parts.append(np.hstack([self.features, tie]) / size)
        return np.stack(parts, axis=1).reshape(-1, self.size)

    def _where(self) -> sparse.csr_array:
        """[kinds, sets * seats]: which kind sits where."""
        flat = self.rankings.sets.ravel()
        at = np.flatnonzero(flat != NOBODY)
        shape = (len(self.features), len(flat))
        return sparse.coo_array((np.ones(len(at)), (flat[at], at)), shape=shape).tocsr()

    def weigh(self, weights: Array) -> tuple[Array, Array]:
        """With how many copies of each block, `[fits, blocks]`: the sums of gains, and the counts of sets."""
        copies = np.asarray(weights).T
        return (self.chosen @ copies).T @ self.gains, (self.left @ copies).T.astype(np.float64)

    def chances(self, theta: Array) -> tuple[Array, Array]:
        """Of each subset of each set `[fits, sets, subsets]`, and the logarithm of their divisor."""
        columns = self.features.shape[1]
        worth = theta[:, :columns] @ self.features.T
        worth = np.hstack([worth, np.zeros((len(theta), 1))])  # of nobody
        logits = worth[:, self.rankings.sets] @ self.subsets.T + self.closed
        logits += (theta[:, columns:] @ self.tied.T)[:, None, :]
        top = logits.max(axis=2, keepdims=True)
        np.exp(logits - top, out=logits)
        total = logits.sum(axis=2, keepdims=True)
        logits /= total
        return logits, (top + np.log(total))[:, :, 0]

    def gradient(self, theta: Array, gains: Array, counts: Array) -> Array:
        """The gradient `[fits, parameters]`, with the ghost's part."""
        chances, _ = self.chances(theta)
        return np.asarray(gains - self._expected(chances, counts) - self.ghost * np.tanh(theta / 2))

    def _expected(self, chances: Array, counts: Array) -> Array:
        seated = (chances @ self.subsets) * counts[:, :, None]
        tied = (counts[:, None, :] @ chances)[:, 0, :] @ self.tied
        kinds = (self.where @ seated.reshape(len(counts), -1).T).T
        return np.hstack([kinds @ self.features, tied])

    def value(self, theta: Array, gains: Array, counts: Array) -> float:
        """The logarithm of the likelihood, with the ghost's part."""
        _, divided = self.chances(theta[None])
        ghost = self.ghost @ (theta - 2 * np.logaddexp(0, theta))
        return float(gains @ theta - counts @ divided[0] + ghost)

    def information(self, theta: Array, counts: Array, ghost: bool = True) -> Array:
        """Minus the second derivatives, `[parameters, parameters]`."""
        chances = self.chances(theta[None])[0][0]
        found = np.zeros((self.size, self.size))
        local = np.hstack([self.subsets, self.tied])
        products = (local[:, :, None] * local[:, None, :]).reshape(len(local), -1)
        step = max(1, CELLS // (local.shape[1] * self.size))
        for first in range(0, len(counts), step):
            part = slice(first, first + step)
            mean = chances[part] @ local
            spread = (chances[part] @ products).reshape(*mean.shape, -1)
            spread -= mean[:, :, None] * mean[:, None, :]
            design = self._design(part)
            weighted = (spread * counts[part, None, None]) @ design
            found += design.reshape(-1, self.size).T @ weighted.reshape(-1, self.size)
        share = special.expit(theta)
        return np.asarray(found + np.diag(2 * self.ghost * share * (1 - share)) * ghost)

    def _design(self, part: slice) -> Array:
        """Of some sets, what each seat and each order of ties is in terms of parameters."""
        sets, columns = self.rankings.sets[part], self.features.shape[1]
        ties = self.size - columns
        design = np.zeros((len(sets), sets.shape[1] + ties, self.size))
        design[:, : sets.shape[1], :columns] = np.where((sets != NOBODY)[:, :, None], self.features[sets], 0)
        design[:, sets.shape[1] :, columns:] = np.eye(ties)
        return design

    def maximum(self, weights: Array, start: Array | None = None) -> Array:
        """Newton's method with the step halved until the likelihood rises."""
        gains, counts = (part[0] for part in self.weigh(np.asarray(weights)[None]))
        theta = np.zeros(self.size) if start is None else start
        value = self.value(theta, gains, counts)
        for _ in range(ITERATIONS):
            step = self._step(theta, gains, counts)
            if np.abs(step).max(initial=0.0) < CLOSE:
                return np.asarray(theta + step)
            theta, value = self._climb(theta, step, value, gains, counts)
        raise DataError(
            f"the ratings did not settle in {ITERATIONS} steps, allowed are rankings that let them"
        )

    def _step(self, theta: Array, gains: Array, counts: Array) -> Array:
        slope = self.gradient(theta[None], gains[None], counts[None])[0] @ self.basis
        bend = self.basis.T @ self.information(theta, counts) @ self.basis
        return np.asarray(self.basis @ linalg.solve(bend, slope, assume_a="pos")) if len(slope) else theta * 0

    def _climb(
        self, theta: Array, step: Array, value: float, gains: Array, counts: Array
    ) -> tuple[Array, float]:
        for _ in range(50):
            found = self.value(theta + step, gains, counts)
            if found >= value - 1e-12 * abs(value):  # rounding near the top
                return theta + step, found
            step = step / 2
        return theta, value

    def maxima(self, theta: Array, weights: Array) -> Array:
        """The maxima for many weightings `[fits, blocks]`, near that of all blocks.

        The second derivatives at `theta` serve for all, so a step costs a gradient; the few fits that
        do not settle so are made by Newton's method.
        """
        everything = np.asarray(self.rankings.left.sum(axis=0), np.float64)
        bend = self.basis.T @ self.information(theta, everything) @ self.basis
        inverse = self.basis @ np.linalg.inv(bend) @ self.basis.T
        gains, counts = self.weigh(weights)
        found = np.repeat(theta[None], len(counts), axis=0)
        moving = np.arange(len(counts))
        for _ in range(CHORD_ITERATIONS):
            step = self.gradient(found[moving], gains[moving], counts[moving]) @ inverse
            found[moving] += step
            moving = moving[~(np.abs(step).max(axis=1, initial=0.0) < CHORD_CLOSE)]
            if not len(moving):
                return found
        for row in moving:
            near = np.abs(found[row] - theta).max() < FAR
            found[row] = self.maximum(weights[row], found[row] if near else theta)
        return found

    def fits_at_once(self) -> int:
        """How many fits `maxima` should be given."""
        return max(1, CELLS // max(1, self.closed.size))


def _sum_zero(count: int) -> Array:
    """Columns that span what sums to zero."""
    return np.asarray(linalg.helmert(count).T) if count > 1 else np.zeros((count, 0))


def _subsets(rankings: Rankings) -> tuple[Array, Array, Array]:
    """What can be chosen from a set: weights of seats `[subsets, seats]`, ties `[subsets, orders]`, and the
    logarithm of 0 for each set and subset with a seat that is empty."""
    seats = rankings.seats
    chosen = [pick for size in (1, *rankings.ties) for pick in combinations(range(seats), size)]
    member = np.array([[float(seat in pick) for seat in range(seats)] for pick in chosen])
    sizes = member.sum(axis=1, keepdims=True)
    tied = (sizes == np.array(rankings.ties)).astype(np.float64).reshape(len(chosen), -1)
    empty = (rankings.sets == NOBODY).astype(np.float64) @ member.T > 0
    return member / sizes, tied, np.where(empty, -np.inf, 0.0)
