"""How far agents come where all play together (a solo mode): each plays the same deals on all seats.

There is nobody to be ahead of, so what is measured is the joint score (the lowest total of the seats) with its 95 %
interval, and between two agents the difference deal by deal, which has less noise than either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game
from genesia_rl.core.player import Player
from genesia_rl.core.registry import make_game
from genesia_rl.matches.play import plain_match, play
from genesia_rl.players.codes import make_player
from genesia_rl.stats.shares import NORMAL_95

Array = npt.NDArray[Any]
CHUNK = 512  # games played side by side


class Scores(NamedTuple):
    """The joint scores of an agent, by deal."""

    joint: Array

    @property
    def mean(self) -> float:
        """Over all deals."""
        return float(self.joint.mean())

    @property
    def median(self) -> float:
        """Half of the games come to as much or more."""
        return float(np.median(self.joint))

    def interval(self) -> tuple[float, float]:
        """Where the true mean lies with 95 % confidence."""
        reach = (
            NORMAL_95 * float(self.joint.std(ddof=1 if len(self.joint) > 1 else 0)) / len(self.joint) ** 0.5
        )
        return self.mean - reach, self.mean + reach

    def text(self) -> str:
        """`71.3 (70.2 .. 72.4), median 71`."""
        low, high = self.interval()
        return f"{self.mean:.1f} ({low:.1f} .. {high:.1f}), median {self.median:g}"

    def to_dict(self) -> dict[str, float]:
        """As a model's card holds it."""
        low, high = self.interval()
        return {"games": len(self.joint), "score": self.mean, "low": low, "high": high, "median": self.median}


class Comparison(NamedTuple):
    """Two agents at the same deals."""

    own: Scores
    other: Scores

    @property
    def ahead(self) -> Scores:
        """What the first comes to beyond the second, by deal."""
        return Scores(self.own.joint - self.other.joint)

    def to_dict(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "own": self.own.to_dict(), "other": self.other.to_dict(), "ahead": self.ahead.to_dict(),
        }  # fmt: skip

    def text(self, agent: str, against: str) -> str:
        """One line."""
        low, high = self.ahead.interval()
        return (
            f"{agent}: joint score {self.own.text()}; {against}: {self.other.text()}; "
            f"difference {self.ahead.mean:+.1f} ({low:+.1f} .. {high:+.1f}) in {len(self.own.joint):,} deals each"
        )


def joint_of(totals: Array, seats: int) -> Array:
    """The joint score of each game: the lowest total."""
    return np.asarray(totals[:, :seats].min(axis=1))


def scores_of(
    agent: Player, game: Game, games: int, seed: int = 0, on_games: Callable[[int], None] | None = None
) -> Scores:
    """The agent on all seats; everybody with the same seed has the same deals."""
    if games < 1:
        raise ConfigError(f"games = {games}, allowed is 1 or more")
    if game.is_contest:
        raise ConfigError(f"game {game.config_dict()}: a contest, allowed are games with one joint score")
    seeds = np.random.default_rng([seed, 5]).integers(1 << 63, size=games, dtype=np.uint64)
    found = []
    for first in range(0, games, CHUNK):
        part = seeds[first : first + CHUNK]
        lineup = np.zeros((len(part), game.num_seats), np.int64)
        totals = play(game, [agent], plain_match(game, part, lineup)).measures["totals"]
        found.append(joint_of(totals, game.num_seats).astype(np.float64))
        if on_games is not None:
            on_games(len(part))
    return Scores(np.concatenate(found))


def compared(
    game_name: str,
    agent: str,
    against: str,
    players: int,
    games: int,
    seed: int = 0,
    on_games: Callable[[int], None] | None = None,
) -> Comparison:
    """The same of two agents' codes."""
    game = make_game(game_name, players=players)
    own, other = make_player(agent, game_name), make_player(against, game_name)
    return Comparison(scores_of(own, game, games, seed, on_games), scores_of(other, game, games, seed))


def against_others(
    agent: Player, game: Game, panel: list[str], games: int, seed: int = 0
) -> dict[str, dict[str, float]]:
    """An agent (as `itself`) and each code of a panel, a printed line each: what is found, by code."""
    players = {"itself": agent} | {code: make_player(code, game.name) for code in panel}
    found = {}
    for code, player in players.items():
        scores = scores_of(player, game, games, seed)
        found[code] = scores.to_dict()
        print(f"  {code:10}  joint score {scores.text()}", flush=True)
    return found
