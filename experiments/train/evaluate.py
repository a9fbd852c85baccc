"""How strong an agent is: every deal is played once from every seat, and the interval is taken over deals.

Games of one deal are not independent, so the 95 % interval is a block bootstrap: deals are drawn, with
all their games. A shared first place counts its share. Deals are of the game's own lots, or, with
`lots = "all"`, of a balanced set of all combinations in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from agents.registry import make_agent
from experiments.train.deals import Deals, DealtBatch, rotated
from genesia_rl.contract import Game
from genesia_rl.errors import ConfigError
from genesia_rl.registry import make_game
from genesia_rl.seen import Player
from genesia_rl.selfplay import interval

Array = npt.NDArray[Any]
GAME = "genesia"
CHUNK = 512  # games played side by side
RESAMPLES = 2000


class Evaluation(NamedTuple):
    """Games of one agent against others: `[deal, seat]` for each array."""

    seeds: Array
    won: Array
    margin: Array

    @property
    def games(self) -> int:
        """How many games were played."""
        return int(self.won.size)

    @property
    def rate(self) -> float:
        """The share of first places."""
        return float(self.won.mean())

    def interval(self) -> tuple[float, float]:
        """Where the true share lies with 95 % confidence."""
        deals = self.won.mean(axis=1)
        rng = np.random.default_rng(0)
        means = [deals[rng.integers(len(deals), size=len(deals))].mean() for _ in range(RESAMPLES)]
        if deals.min() == deals.max():  # resampling would claim to be certain
            found = interval(float(self.won.sum()), self.games)
            return found.low, found.high
        low, high = np.quantile(means, (0.025, 0.975))
        return float(low), float(high)

    def text(self, agent: str, against: str) -> str:
        """One line."""
        low, high = self.interval()
        seats = ", ".join(f"{100 * share:.1f}" for share in self.won.mean(axis=0))
        return (
            f"{agent} against {against}: first in {100 * self.rate:.1f} % of {self.games:,} games "
            f"({100 * low:.1f} .. {100 * high:.1f}), margin {self.margin.mean():+.1f}; by seat {seats}"
        )


def evaluate(
    agent: Player,
    against: Sequence[Player],
    game: Game,
    games: int,
    seed: int = 0,
    on_games: Callable[[int], None] | None = None,
    lots: str = "game",
) -> Evaluation:
    """Play at least so many games; the others sit in their order after the agent's left hand."""
    rotate, seats = rotated(lots), game.num_seats
    if games < 1:
        raise ConfigError(f"games = {games}, allowed is 1 or more")
    if len(against) not in (1, seats - 1):
        allowed = "1" if seats == 2 else f"1 or {seats - 1}"
        raise ConfigError(f"against = {len(against)} agents, allowed is {allowed}")
    others = list(against) * (seats - 1) if len(against) == 1 else list(against)
    deals = -(-games // seats)
    seeds = np.random.default_rng([seed, 5]).integers(1 << 63, size=deals, dtype=np.uint64)
    dealt = Deals(game, rotate, seed)
    numbers = dealt.spread(deals)
    won, margin = np.zeros((deals, seats)), np.zeros((deals, seats))
    step = max(1, CHUNK // seats)
    for first in range(0, deals, step):
        part = slice(first, min(deals, first + step))
        won[part], margin[part] = _play([agent, *others], dealt, seeds[part], numbers[part])
        if on_games is not None:
            on_games(won[part].size)
    return Evaluation(seeds, won, margin)


def _play(players: list[Player], dealt: Deals, seeds: Array, lots: Array) -> tuple[Array, Array]:
    """Every deal from every seat of the first player: what it won, and its margin over the best other."""
    seats, deals = dealt.game.num_seats, len(seeds)
    batch = DealtBatch(dealt, deals * seats, first=np.repeat(lots, seats))
    batch.reset(np.repeat(seeds, seats))
    own = np.tile(np.arange(seats), deals)
    over = np.zeros(len(own), np.bool_)
    while not over.all():
        who = (batch.seat.astype(np.int64) - own) % seats
        for k in range(seats):
            rows = np.flatnonzero(~over & (who == k))
            if len(rows):
                batch.step_rows(rows, batch.ask(players[k], rows))
        over |= batch.done  # a finished row has begun another game, which nobody plays
    places, totals = batch.results["places"][:, :seats], batch.results["totals"][:, :seats]
    rows = np.arange(len(own))
    won = (places[rows, own] == 0) / (places == 0).sum(axis=1)
    rest = np.where(np.arange(seats) == own[:, None], np.iinfo(np.int32).min, totals).max(axis=1)
    return won.reshape(deals, seats), (totals[rows, own] - rest).reshape(deals, seats)


def evaluate_codes(
    agent: str,
    against: str,
    players: int,
    games: int,
    seed: int = 0,
    on_games: Callable[[int], None] | None = None,
    lots: str = "game",
) -> Evaluation:
    """The same from agents' codes; `against` is one code, or one for each other seat."""
    others = [make_agent(code) for code in against.split(",")]
    game = make_game(GAME, players=players)
    return evaluate(make_agent(agent), others, game, games, seed, on_games, lots)


def against_panel(
    agent: Player, game: Game, panel: Sequence[str], games: int, seed: int = 0, lots: str = "game"
) -> dict[str, dict[str, Any]]:
    """An agent against each code of a panel, a printed line each: what is found, by code."""
    found = {}
    for code in panel:
        result = evaluate(agent, [make_agent(code)], game, games, seed, lots=lots)
        low, high = result.interval()
        margin = float(result.margin.mean())
        found[code] = {
            "games": result.games,
            "first": result.rate,
            "low": low,
            "high": high,
            "margin": margin,
        }
        shown = f"{100 * result.rate:5.1f} % ({100 * low:.1f} .. {100 * high:.1f})"
        print(f"  {code:10}  first in {shown}  margin {margin:+.1f}", flush=True)
    return found
