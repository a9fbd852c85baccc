"""`level:3` or `level:NAME`: a ladder of opponents from beginner to the best, by game and number of players.

What the levels are stands in the game's `ladder.toml` beside its models, made and measured by `genesia ladder`
(matches/ladder.py). The lower ones are `mixed:P`, who plays like the game's first scripted player in P of a hundred
decisions and does anything in the others.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game
from genesia_rl.core.mind import mind_of
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.reading import nearest, read_table
from genesia_rl.players.learned import models_of
from genesia_rl.players.scripted import ScriptedPlayer

FILE = "ladder.toml"
MIXING = 7  # the stream of random numbers that says whether to think


class Level(NamedTuple):
    """A step: its agent, and how much it won against the one below, with the 95 % interval; the first has none."""

    name: str
    agent: str
    won: float | None = None
    low: float | None = None
    high: float | None = None
    games: int = 0


def ladder_file(game: str) -> Path:
    """Where the levels of a game stand."""
    return models_of(game) / FILE


@cache
def ladders(game: str) -> dict[int, tuple[Level, ...]]:
    """The ladders of a game by number of players."""
    file = ladder_file(game)
    if not file.is_file():
        return {}
    try:
        return {
            int(key.removeprefix("players")): tuple(Level(**level) for level in levels)
            for key, levels in dict[str, Any](read_table(file)).items()
        }
    except (TypeError, ValueError) as error:
        raise DataError(f"{file}: {error}, allowed is what genesia ladder writes") from None


def level_of(game: Game, which: str) -> Level:
    """A level by its number, counted from 1, or its name."""
    found = ladders(game.name).get(game.num_seats, ()) if game.is_contest else ()
    if which.isascii() and which.isdigit() and 1 <= int(which) <= len(found):
        return found[int(which) - 1]
    names = [level.name for level in found]
    if which in names:
        return found[names.index(which)]
    allowed = f"1..{len(found)}, {', '.join(names)}{nearest(which, names)}" if found else "no level"
    raise ConfigError(f"level {which!r} of {game.name} for {game.num_seats} seats: allowed is {allowed}")


class MixedPlayer(Player):
    """Thinks in so many of a hundred decisions."""

    version = 1

    def __init__(self, game: str, percent: str) -> None:
        if not percent.isascii() or not percent.isdigit() or not 0 <= int(percent) <= 100:
            raise ConfigError(f"mixed {percent!r}: allowed are 0..100, in percent")
        self.name = f"mixed:{percent}"
        self._share = int(percent) / 100
        from genesia_rl.players.random import RandomPlayer  # compiled code: a list of levels needs none

        self._thinker, self._random = ScriptedPlayer(next(iter(mind_of(game).characters))), RandomPlayer()

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """Each row by one of the two."""
        thinks = decisions.uniform(MIXING) < self._share
        return np.where(thinks, self._thinker.act_batch(decisions), self._random.act_batch(decisions))


class LevelPlayer(Player):
    """The agent of a level, for whatever number of players it is asked."""

    version = 1

    def __init__(self, which: str) -> None:
        self.name, self._which = f"level:{which}", which

    def agent(self, game: Game) -> Player:
        """Who plays in a game."""
        from genesia_rl.players.codes import make_player

        return make_player(level_of(game, self._which).agent, game.name)

    def fingerprint(self, game: Game) -> str:
        """That of its agent, by its code."""
        agent = self.agent(game)
        return f"{agent.name} {agent.version} {agent.fingerprint(game)}"

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """What the agent does."""
        return np.asarray(self.agent(decisions.game).act_batch(decisions), np.int64)
