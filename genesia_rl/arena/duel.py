"""Is A better than B by so much? Games are played until the answer is sure enough, and no longer.

Shards are looked at in their order, whoever finishes first: the answer, and the block at which it came, do
not depend on how many of them are played at once. If the games run out first, nothing is decided. The share
of the games played and its interval describe them: they take no account of when the test stopped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from genesia_rl.arena.tally import Sides
from genesia_rl.core.errors import ConfigError
from genesia_rl.matches.games import Games
from genesia_rl.matches.series import Series
from genesia_rl.shards.run import run_job
from genesia_rl.shards.store import Store, open_store
from genesia_rl.stats.sequential import MIN_BLOCKS, Sequential
from genesia_rl.stats.shares import wilson


class Answer(NamedTuple):
    """What came out, after how many games."""

    state: str  # better, not better, undecided
    share: float  # of first places, in the games up to the answer
    low: float
    high: float
    llr: float
    bounds: tuple[float, float]  # of the ratio: whoever leaves them decides
    blocks: int
    games: int
    most_games: int


def even_share(series: Series) -> float:
    """What A would win of first places if all were equally strong."""
    return float(np.mean([np.mean(np.array(lineup) == 0) for lineup in series.lineups]))


def require_blocks(series: Series) -> None:
    """Refuse so few games that the test could not decide, whatever they say."""
    if series.blocks < MIN_BLOCKS:
        least = MIN_BLOCKS * series.games // series.blocks
        raise ConfigError(
            f"games = {series.games} of a duel, {series.blocks} blocks of one deal each, "
            f"allowed are {MIN_BLOCKS} blocks or more: {least} games"
        )


def duel(
    series: Series,
    out: Path,
    by: float,
    alpha: float,
    beta: float,
    on_look: Callable[[Sequential], None] | None = None,
    **how: Any,
) -> Answer:
    """Play until it is known whether entrant 0 wins `by` more than its even share; all games, if need be."""
    even = even_share(series)
    if not 0 < by < 1 - even:
        raise ConfigError(f"by = {by}, allowed is above 0 and below {1 - even:.3g}: a share of first places")
    require_blocks(series)
    test = Sequential(even, even + by, alpha, beta, max_blocks=series.blocks)
    looker = _Looker(series, out, test, on_look)
    run_job(series, out, on_shard=lambda shard: looker.look(), stop=looker.is_sure, **how)
    looker.look()
    games = series.games * test.blocks // series.blocks
    low, high = _interval(test)
    bounds = (test.lower, test.upper)
    return Answer(test.state, test.share, low, high, test.llr, bounds, test.blocks, games, series.games)


def _interval(test: Sequential) -> tuple[float, float]:
    """Of the share: as of so many blocks with the variance seen."""
    even = test.share * (1 - test.share)
    worth = test.blocks * even / test.variance if test.variance > 0 and even > 0 else test.blocks
    blocks = max(1, round(worth))
    return wilson(test.share, blocks)


class _Looker:
    """Looks at shards in their order as they come in."""

    def __init__(
        self, series: Series, out: Path, test: Sequential, on_look: Callable[[Sequential], None] | None
    ) -> None:
        self.series, self.out, self.test, self.on_look = series, out, test, on_look
        self.next = 0

    def look(self) -> None:
        """Take all shards that follow those taken, as far as they are there."""
        store = open_store(self.out)
        while self.test.state == "running" and self.next < store.num_shards and store.has(self.next):
            self._take(store)
            self.next += 1
            if self.on_look is not None:
                self.on_look(self.test)

    def is_sure(self) -> bool:
        """Is no other shard needed? Those of an earlier run may be enough."""
        self.look()
        return self.test.state != "running"

    def _take(self, store: Store) -> None:
        sides = Sides(Games(store.shard(self.next, "games"), self.series.lab), self.series)
        mine = sides.entrant == 0
        share = (sides.won * mine).sum(axis=1) / mine.sum(axis=1)
        blocks = sides.games.by_block(np.stack([share, np.ones(len(share))], axis=1))
        self.test.add(blocks[:, 0] / blocks[:, 1])
