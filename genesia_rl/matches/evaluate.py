"""How strong an agent is: every deal is played once from every seat, and the interval is taken over deals.

Games of one deal are not independent, so the 95 % interval is a block bootstrap: deals are drawn, with
all their games. A shared first place counts its share. Deals are of the game's own configuration or, if
`varied`, of a balanced set of what varies in it, in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game, Tables
from genesia_rl.core.player import Player
from genesia_rl.core.registry import make_game
from genesia_rl.matches.play import plain_match, play
from genesia_rl.matches.seating import rotations
from genesia_rl.matches.variations import fields_of
from genesia_rl.players.codes import make_player, make_players
from genesia_rl.stats.shares import first_shares, mean_ranks, share_of

Array = npt.NDArray[Any]
CHUNK, LEAST_CHUNK = 512, 32  # games played side by side
RESAMPLES = 2000
#: At most so many configurations of a variation.
MOST = 125


class Evaluation(NamedTuple):
    """Games of one agent against others: `[deal, seat]` for each array."""

    seeds: Array
    won: Array  # the share of the first place
    margin: Array
    ahead: Array  # the share of the others that it ended before, ties by half

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
        return interval_of(self.won)

    def text(self, agent: str, against: str) -> str:
        """What came out, then the numbers beside their names."""
        low, high = self.interval()
        even = 1 / self.won.shape[1]
        word = "stronger" if low > even else "weaker" if high < even else "not told apart"
        seats = "  ".join(f"{100 * share:.1f}" for share in self.won.mean(axis=0))
        return (
            f"{agent} against {against}: {word} (an even share is {100 * even:.1f} %)\n"
            f"  first    {100 * self.rate:.1f} % ({100 * low:.1f} .. {100 * high:.1f}) of {self.games:,} games\n"
            f"  margin   {self.margin.mean():+.1f} points over the best other\n"
            f"  by seat  {seats} %"
        )

    def to_dict(self) -> dict[str, Any]:
        """The same for programs."""
        low, high = self.interval()
        return {
            "games": self.games, "first": {"value": self.rate, "low": low, "high": high},
            "even": 1 / self.won.shape[1], "margin": float(self.margin.mean()),
            "first_by_seat": [float(share) for share in self.won.mean(axis=0)],
        }  # fmt: skip


def interval_of(shares: Array) -> tuple[float, float]:
    """Of shares `[deal, seat]`: where the true one lies with 95 % confidence."""
    deals = shares.mean(axis=1)
    rng = np.random.default_rng(0)
    means = [deals[rng.integers(len(deals), size=len(deals))].mean() for _ in range(RESAMPLES)]
    if deals.min() == deals.max():  # resampling would claim to be certain
        found = share_of(float(shares.sum()), shares.size)
        return found.low, found.high
    low, high = np.quantile(means, (0.025, 0.975))
    return float(low), float(high)


def evaluate(
    agent: Player,
    against: Sequence[Player],
    game: Game,
    games: int,
    seed: int = 0,
    on_games: Callable[[int], None] | None = None,
    varied: bool = False,
) -> Evaluation:
    """Play at least so many games; the others sit in their order after the agent's left hand."""
    seats = game.num_seats
    if games < 1:
        raise ConfigError(f"games = {games}, allowed is 1 or more")
    if not game.is_contest:
        raise ConfigError(f"game {game.config_dict()}: one joint score, allowed are games with opponents")
    if len(against) not in (1, seats - 1):
        allowed = "1" if seats == 2 else f"1 or {seats - 1}"
        raise ConfigError(f"against = {len(against)} agents, allowed is {allowed}")
    players = [agent, *(list(against) * (seats - 1) if len(against) == 1 else against)]
    deals = -(-games // seats)
    seeds = np.random.default_rng([seed, 5]).integers(1 << 63, size=deals, dtype=np.uint64)
    tables, which = varied_tables(game, deals, seed) if varied else (game.tables, np.zeros(deals, np.int32))
    won, margin, ahead = (np.zeros((deals, seats)) for _ in range(3))
    step = max(1, CHUNK // seats)
    if on_games is not None:  # somebody watches: no chunk is more than an eighth, unless it is tiny
        step = min(step, max(LEAST_CHUNK // seats, -(-deals // 8), 1))
    for first in range(0, deals, step):
        part = slice(first, min(deals, first + step))
        won[part], margin[part], ahead[part] = _play(players, game, tables, seeds[part], which[part])
        if on_games is not None:
            on_games(won[part].size)
    return Evaluation(seeds, won, margin, ahead)


def varied_tables(game: Game, deals: int, seed: int) -> tuple[Tables, npt.NDArray[np.int32]]:
    """A balanced set of configurations, and which of them each deal has: all of them as often."""
    fields = fields_of(game.name, game.num_seats, MOST)
    order = np.random.default_rng([seed, 13]).permutation(len(fields))
    return game.variations(fields), np.resize(order, deals).astype(np.int32)


def _play(
    players: list[Player], game: Game, tables: Tables, seeds: Array, which: Array
) -> tuple[Array, Array, Array]:
    """Every deal from every seat of the first player: what it won, its margin over the best other, and the share of the
    others that it ended before."""
    seats, deals = game.num_seats, len(seeds)
    lineup = np.tile(rotations(seats), (deals, 1))
    match = plain_match(game, np.repeat(seeds, seats), lineup, np.repeat(which, seats))
    measures = play(game, players, match, tables).measures
    ranks, totals = measures["ranks"][:, :seats], measures["totals"][:, :seats]
    own = lineup == 0
    rest = np.where(own, np.iinfo(np.int32).min, totals).max(axis=1)
    ahead = (seats - mean_ranks(ranks)) / (seats - 1)
    won, margin, ahead = first_shares(ranks)[own], totals[own] - rest, ahead[own]
    return won.reshape(deals, seats), margin.reshape(deals, seats), ahead.reshape(deals, seats)


def evaluate_codes(
    game_name: str,
    agent: str,
    against: str,
    players: int,
    games: int,
    seed: int = 0,
    on_games: Callable[[int], None] | None = None,
    varied: bool = False,
) -> Evaluation:
    """The same from agents' codes; `against` is one code, or one for each other seat."""
    others, game = make_players(against, game_name), make_game(game_name, players=players)
    return evaluate(make_player(agent, game_name), others, game, games, seed, on_games, varied)


def against_panel(
    agent: Player, game: Game, panel: Sequence[str], games: int, seed: int = 0, varied: bool = False
) -> dict[str, dict[str, Any]]:
    """An agent against each code of a panel, a printed line each: what is found, by code."""
    found = {}
    for code in panel:
        result = evaluate(agent, [make_player(code, game.name)], game, games, seed, varied=varied)
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
