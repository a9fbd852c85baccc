"""Ratings from rankings of two or more players, with ties, covariates and intervals over blocks.

The model is in `worth`. An interval comes from drawing blocks again; the order of games and seats does not
change a bit of it. Ratings are relative: they sum to zero, `difference` compares two of them, `elo` can
count from one of them.

An agent that never got ahead of another, not even through others, could be any distance below it. Its
rating is then what the ghost of the model says, and the interval is open to that side. To the other side it
reaches to where three blocks would have been expected to say otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special
from scipy.sparse import csgraph

from genesia_rl.core.errors import ConfigError
from genesia_rl.stats.bootstrap import draws, from_replicates
from genesia_rl.stats.estimate import Estimate, student
from genesia_rl.stats.rankings import Rankings, count_rankings
from genesia_rl.stats.worth import CELLS, Likelihood

Array = npt.NDArray[Any]
ELO = 400 / math.log(10)
GHOST = 0.1
#: What was not seen in n independent trials happens, with 95 % confidence, less often than in 3 of n.
UNSEEN = 3.0
BLIND = 1e-9  # an eigenvalue of the information, to the largest, that is none


class Ratings(NamedTuple):
    """A fit: log worths of agents, tie parameters, coefficients, and the same of each resample."""

    names: tuple[str, ...]
    log_worth: Array  # [agents], sums to zero
    coefficients: Array  # [covariates]
    ties: dict[int, float]  # delta of each number of tied that was seen
    replicates: Array  # [resamples, agents + coefficients + ties], the ties as logarithms
    cautious: Array  # log worths if three blocks had spoken against what all say
    reach: Array  # [agents, agents] who got ahead of, or tied with, whom, perhaps through others
    blocks: int
    games: int

    def difference(self, a: int, b: int) -> Estimate:
        """By how much the log worth of one agent is above that of another."""
        found = self._estimate(
            self.log_worth[a] - self.log_worth[b], self.replicates[:, a] - self.replicates[:, b]
        )
        near = float(self.cautious[a] - self.cautious[b])
        return self._opened(found, near, bool(self.reach[a, b]), bool(self.reach[b, a]))

    def rating(self, a: int) -> Estimate:
        """The log worth of an agent.

        Zero is the mean of all; the interval is open if the agent is apart from the largest group
        of agents that got ahead of each other.
        """
        found = self._estimate(self.log_worth[a], self.replicates[:, a])
        core = self._core()
        if len(core) == 1:  # everybody is apart from everybody
            core = np.delete(np.arange(len(self.names)), a)
        near = self.cautious[a] - self.cautious[core].mean() + self.log_worth[core].mean()
        return self._opened(
            found, float(near), bool(self.reach[a, core].all()), bool(self.reach[core, a].all())
        )

    def elo(self, anchor: int | None = None) -> list[Estimate]:
        """All ratings in Elo, counted from their mean or from one agent."""
        if anchor is None:
            return [_scaled(self.rating(a), ELO) for a in range(len(self.names))]
        return [_scaled(self.difference(a, anchor), ELO) for a in range(len(self.names))]

    def win_probability(self, a: int, b: int) -> Estimate:
        """How probable it is that one agent ends before another, unless they tie, all covariates equal."""
        found = self.difference(a, b)
        value, low, high = (float(special.expit(x)) for x in found[:3])
        se = found.se * value * (1 - value)
        return Estimate(value, low, high, se, found.blocks, found.games)

    def coefficient(self, k: int) -> Estimate:
        """What one of covariate `k` adds to the log worth."""
        return self._estimate(self.coefficients[k], self.replicates[:, len(self.names) + k])

    def tie(self, count: int) -> Estimate:
        """The delta of a tie of so many: how often equal agents tie, by how often a given one is alone."""
        if count not in self.ties:
            raise ConfigError(f"tie of {count}, allowed is {sorted(self.ties)}: those seen")
        at = len(self.names) + len(self.coefficients) + sorted(self.ties).index(count)
        return self._estimate(self.ties[count], np.exp(self.replicates[:, at]))

    def _estimate(self, value: float, found: Array) -> Estimate:
        if not len(found):
            return Estimate(float(value), math.nan, math.nan, math.nan, self.blocks, self.games)
        return from_replicates(float(value), found, self.blocks, self.games)

    def _opened(self, found: Estimate, near: float, ahead: bool, behind: bool) -> Estimate:
        """Open the interval below if never `ahead`, above if never `behind`; `near` bounds the other side."""
        if (ahead and behind) or math.isnan(found.low):
            return found
        low = min(found.low, near) if ahead else -math.inf
        high = max(found.high, near) if behind else math.inf
        se = max(found.se, abs(near - found.value) / student(self.blocks)) if ahead or behind else math.inf
        return found._replace(low=low, high=high, se=se)

    def _core(self) -> Array:
        """The largest group of agents that got ahead of each other."""
        both = self.reach & self.reach.T
        return np.flatnonzero(both[both.sum(axis=1).argmax()])


def _scaled(found: Estimate, scale: float) -> Estimate:
    value, low, high, se = (scale * x for x in found[:4])
    return Estimate(value, low, high, se, found.blocks, found.games)


def fit_plackett_luce(
    agents: Array,
    places: Array,
    block: Array,
    covariates: Array | None = None,
    names: Sequence[str] | None = None,
    ghost: float = GHOST,
    resamples: int = 1000,
    seed: int = 0,
    told: Sequence[str] = (),
) -> Ratings:
    """Rate agents from games `[game, seat]`: numbers of agents (-1: an empty seat), places (0 is best, equal
    ones are tied), the block of each game, and covariates `[game, seat, covariate]`.

    Covariates may be dummies that sum to one for every item: they are then relative to each other. `told`
    are their names, for errors.
    """
    if not ghost > 0:
        raise ConfigError(f"ghost = {ghost}, allowed is above 0")
    known = _names(agents, names)
    rankings = count_rankings(agents, places, block, covariates, len(known))
    _connected(rankings.beats, known)
    likelihood = Likelihood(rankings, len(known), ghost)
    _told_apart(likelihood, len(known), told)
    once = np.ones(rankings.blocks, np.int64)
    theta = likelihood.maximum(once)
    found = list(_resampled(likelihood, theta, resamples, seed))
    worths, rest = np.split(theta, [len(known)])
    coefficients, ties = np.split(rest, [rankings.covariates.shape[1]])
    deltas = dict(zip(rankings.ties, np.exp(ties).tolist(), strict=True))
    return Ratings(
        known, worths, coefficients, deltas,
        np.concatenate(found) if found else np.zeros((0, len(theta))),
        _cautious(rankings, likelihood, theta, len(known)),
        _closure(rankings.beats), rankings.blocks, rankings.games,
    )  # fmt: skip


def _names(agents: Array, names: Sequence[str] | None) -> tuple[str, ...]:
    count = int(np.max(agents, initial=-1)) + 1
    if names is None:
        return tuple(str(number) for number in range(count))
    if count > len(names):
        raise ConfigError(f"agents up to number {count - 1}, allowed is below {len(names)}: as many as names")
    return tuple(names)


def _connected(beats: Array, names: tuple[str, ...]) -> None:
    """Complain of agents that cannot be compared: no chain of games leads from one to the other."""
    number, group = csgraph.connected_components(beats, directed=False)
    if number > 1:
        groups = [", ".join(names[a] for a in np.flatnonzero(group == g)) for g in range(number)]
        raise ConfigError(
            f"agents in {number} groups without a game between: {' | '.join(groups)}; allowed is one"
        )


def _told_apart(likelihood: Likelihood, count: int, told: Sequence[str]) -> None:
    """Complain of covariates that say the same as agents: a shift from one to the other changes nothing."""
    once = np.asarray(likelihood.rankings.left.sum(axis=0), np.float64)
    information = likelihood.information(np.zeros(likelihood.size), once, ghost=False)
    inside = likelihood.basis.T @ information @ likelihood.basis
    size = np.sqrt(np.maximum(np.diag(inside), np.finfo(float).tiny))
    values, vectors = np.linalg.eigh(inside / np.outer(size, size))
    blind = vectors[:, values < BLIND * max(1.0, float(values.max(initial=0.0)))]
    agents, columns = blind[: count - 1], blind[count - 1 :]
    mixed = (np.abs(columns) > 1e-6).any(axis=1)
    if (np.abs(agents) > 1e-6).any() and mixed.any():
        these = [told[k] if told else str(k) for k in np.flatnonzero(mixed).tolist()]
        raise ConfigError(
            f"covariates {', '.join(these)} cannot be told from agents, allowed are "
            "covariates that differ between items of an agent otherwise than by a constant"
        )


def _resampled(likelihood: Likelihood, theta: Array, resamples: int, seed: int) -> Iterator[Array]:
    """The fits of blocks drawn again, as many at a time as memory likes."""
    blocks = likelihood.rankings.blocks
    drawn = draws(blocks, resamples, seed)
    step = min(likelihood.fits_at_once(), max(1, CELLS // blocks))
    for first in range(0, resamples, step):
        size = min(step, resamples - first)
        copies = [np.bincount(next(drawn), minlength=blocks) for _ in range(size)]
        yield likelihood.maxima(theta, np.array(copies))


def _cautious(rankings: Rankings, likelihood: Likelihood, theta: Array, count: int) -> Array:
    """The log worths with a larger ghost: the games of three blocks, for and against each agent."""
    wary = Likelihood(rankings, count, float(likelihood.ghost[0]))
    wary.ghost[:count] = UNSEEN * rankings.games / rankings.blocks
    return wary.maximum(np.ones(rankings.blocks, np.int64), theta)[:count]


def _closure(beats: Array) -> Array:
    """Who reaches whom in any number of steps."""
    found = beats | np.eye(len(beats), dtype=np.bool_)
    while True:
        wider = (found.astype(np.int64) @ found.astype(np.int64)) > 0
        if (wider == found).all():
            return np.asarray(found)
        found = wider
