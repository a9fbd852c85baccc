"""A test that is looked at while the games come in: is A better than B by so much?

A generalised sequential probability ratio test on the scores of blocks, as fishtest's on pairs of chess
games: the score of a block is A's mean share of first places in it, and nothing is supposed of how scores
are distributed, so games of a block may depend on each other as they like. The ratio is that of the largest
likelihoods of the scores seen: among the distributions on them with the mean `p1`, and with the mean `p0`.

Few blocks may look more alike than they are. So a block is added to those seen whose score is 0 or 1, as far
from the others as can be, and which favours neither; and nothing is decided before `min_blocks`.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError, DataError

Array = npt.NDArray[Any]
State = Literal["running", "better", "not better", "undecided"]
MIN_BLOCKS = 30  # before that many nothing is decided
DOUBT = 1.0  # blocks added to those seen, at 0 and 1
DIGITS = 12  # scores that agree so far are one: a third is not the same number however it is come by
STEPS = 100  # of Newton's method, halving where it leaves the interval; some six are the rule
CLOSE = 1e-12  # in the logarithm of the likelihood
CELLS = 1_000_000  # numbers in an array of working memory


class Sequential:
    """Is the expected share `p0` or `p1`? `better` is said of `p0` with probability `alpha`, `not better` of
    `p1` with `beta`: the bounds are those that hold each of them, a little wider than Wald's for their sum.

    After `max_blocks` without an answer it is `undecided`, and stays so.
    """

    def __init__(
        self,
        p0: float,
        p1: float,
        alpha: float = 0.05,
        beta: float = 0.05,
        min_blocks: int = MIN_BLOCKS,
        max_blocks: int | None = None,
    ) -> None:
        if not 0 < p0 < p1 < 1:
            raise ConfigError(f"p0 = {p0}, p1 = {p1}, allowed is 0 < p0 < p1 < 1")
        if not (0 < alpha < 0.5 and 0 < beta < 0.5):
            raise ConfigError(f"alpha = {alpha}, beta = {beta}, allowed is above 0 and below 0.5")
        if min_blocks < 2 or (max_blocks is not None and max_blocks < min_blocks):
            raise ConfigError(
                f"min_blocks = {min_blocks}, max_blocks = {max_blocks}, "
                "allowed is 2 <= min_blocks <= max_blocks"
            )
        self.p0, self.p1 = p0, p1
        self.lower, self.upper = math.log(beta), -math.log(alpha)
        self.min_blocks, self.max_blocks = min_blocks, max_blocks
        self.state: State = "running"
        self.llr = 0.0
        self._scores = np.array([0.0, 1.0])  # the different ones, rising
        self._counts = np.zeros(2, np.int64)

    @property
    def blocks(self) -> int:
        """How many blocks, up to the decision."""
        return int(self._counts.sum())

    @property
    def share(self) -> float:
        """The mean score of the blocks up to the decision: it says what was seen. Who stops at a high or a
        low sees a little more of it than there is."""
        return float(self._counts @ self._scores) / self.blocks if self.blocks else math.nan

    @property
    def variance(self) -> float:
        """Of a block's score, with the block of doubt."""
        weights = self._counts + self._doubt()
        mean = weights @ self._scores / weights.sum()
        return float(weights @ (self._scores - mean) ** 2 / weights.sum())

    def add(self, block_scores: Array) -> State:
        """Take blocks in their order. The first to cross a bound decides, however many come at once; later
        ones change nothing."""
        scores = np.asarray(block_scores, np.float64).ravel()
        if not ((scores >= 0) & (scores <= 1)).all():
            raise DataError(f"block_scores from {scores.min()} to {scores.max()}, allowed is 0 to 1")
        scores = np.round(scores, DIGITS)
        self._make_room(scores)
        step = max(1, CELLS // len(self._scores))
        for first in range(0, len(scores), step):
            if self.state != "running":
                break
            self._take(scores[first : first + step])
        return self.state

    def _make_room(self, scores: Array) -> None:
        """Have a count for each score that occurs."""
        known = np.union1d(self._scores, scores)
        counts = np.zeros(len(known), np.int64)
        counts[np.searchsorted(known, self._scores)] = self._counts
        self._scores, self._counts = known, counts

    def _take(self, scores: Array) -> None:
        counts = np.cumsum(scores[:, None] == self._scores, axis=0) + self._counts
        n = counts.sum(axis=1)
        llr = self._llr(counts)
        last = self._last(n, llr)
        self._counts, self.llr = counts[last], float(llr[last])
        self.state = self._state()

    def _doubt(self) -> Array:
        """The block of doubt: parts of a block at 0 and 1, in the middle between the hypotheses."""
        middle = (self.p0 + self.p1) / 2
        return np.where(self._scores == 0, 1 - middle, np.where(self._scores == 1, middle, 0.0)) * DOUBT

    def _llr(self, counts: Array) -> Array:
        """The logarithm of the likelihood ratio for each row of counts `[rows, scores]`."""
        weights = counts + self._doubt()
        return _unlikely(weights, self._scores, self.p0) - _unlikely(weights, self._scores, self.p1)

    def _last(self, n: Array, llr: Array) -> int:
        """The first block that decides, or the last of all."""
        crossed = ((llr <= self.lower) | (llr >= self.upper)) & (n >= self.min_blocks)
        if self.max_blocks is not None:
            crossed |= n >= self.max_blocks
        return int(crossed.argmax()) if crossed.any() else len(n) - 1

    def _state(self) -> State:
        if self.blocks >= self.min_blocks and self.llr >= self.upper:
            return "better"
        if self.blocks >= self.min_blocks and self.llr <= self.lower:
            return "not better"
        return "undecided" if self.max_blocks is not None and self.blocks >= self.max_blocks else "running"

    def expected_blocks(self, share: float, variance: float) -> float:
        """About how many blocks until the answer, for a true share and a variance of block scores (Wald's
        approximation, without the limits)."""
        if not (0 <= share <= 1 and 0 < variance <= 0.25):
            raise ConfigError(f"share = {share}, variance = {variance}, allowed is 0 to 1, above 0 to 0.25")
        drift = (self.p1 - self.p0) * (share - (self.p0 + self.p1) / 2) / variance
        noise = (self.p1 - self.p0) ** 2 / variance
        low, high = self.lower, self.upper
        if abs(drift) < 1e-6 * noise:
            return -low * high / noise
        k = 2 * abs(drift) / noise
        ahead, behind = (high, -low) if drift > 0 else (-low, high)  # the bound it drifts to, and the other
        wrong = math.exp(-k * behind) * math.expm1(-k * ahead) / math.expm1(-k * (ahead + behind))
        return ((1 - wrong) * ahead - wrong * behind) / abs(drift)


def _unlikely(weights: Array, scores: Array, mean: float) -> Array:
    """By how much the largest likelihood falls, as a logarithm, if the mean of scores has to be `mean`.

    The largest is at probabilities `weight / (1 + bend * (score - mean))` for the bend that gives the mean;
    as scores 0 and 1 have weights, it lies between -1 / (1 - mean) and 1 / mean.
    """
    apart = scores - mean
    low, high = np.full(len(weights), -1 / (1 - mean)), np.full(len(weights), 1 / mean)
    bend = np.zeros(len(weights))
    for _ in range(STEPS):
        pull = apart / (1 + bend[:, None] * apart)
        slope, curve = (weights * pull).sum(axis=1), (weights * pull**2).sum(axis=1)
        if (slope**2 <= CLOSE * curve).all():
            break
        low, high = np.where(slope > 0, bend, low), np.where(slope > 0, high, bend)
        bend = bend + slope / curve
        bend = np.where((low < bend) & (bend < high), bend, (low + high) / 2)
    return np.asarray((weights * np.log1p(bend[:, None] * apart)).sum(axis=1))
