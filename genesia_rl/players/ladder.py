"""`level:3` or `level:NAME`: a ladder of opponents from beginner to the best, by game and number of players.

What the levels are stands in the game's `ladder.toml` beside its models, made and measured by `genesia ladder`
(matches/ladder.py). The lower ones are `mixed:P`, who plays like the game's first scripted player in P of a hundred
decisions and does anything in the others; those above it `mixed:P:CODE`, who plays like a better agent in P of a
hundred and like the scripted one in the others.
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
from genesia_rl.core.player import DecisionBatch, Player, ask
from genesia_rl.core.reading import nearest, read_table
from genesia_rl.players.learned import models_of
from genesia_rl.players.scripted import ScriptedPlayer

FILE = "ladder.toml"
COMMANDS = "commands"  # the table of the file that says how each ladder was made
LADDER = "players"  # what the name of a ladder begins with, before the number of players
MIXING = 7  # the stream of random numbers that says whether to think


class Level(NamedTuple):
    """A step: its agent, and what it won against the one below, with the 95 % interval; the first has none.

    `won` is the share of the others, all of them of the level below, that it ended before, ties by half. So even is
    one half with every number of players; with two of them it is the share of games that are won.
    """

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
    try:
        return {
            int(key.removeprefix(LADDER)): tuple(Level(**level) for level in levels)
            for key, levels in _tables(game).items()
            if key != COMMANDS
        }
    except (TypeError, ValueError) as error:
        raise _unreadable(game, error) from None


@cache
def commands_of(game: str) -> dict[int, str]:
    """By what command each ladder of a game was made, by number of players."""
    held = _tables(game).get(COMMANDS, {})
    try:
        return {int(key.removeprefix(LADDER)): str(command) for key, command in held.items()}
    except (AttributeError, ValueError) as error:
        raise _unreadable(game, error) from None


def forget() -> None:
    """Read the files anew: one has changed."""
    ladders.cache_clear()
    commands_of.cache_clear()


def _tables(game: str) -> dict[str, Any]:
    file = ladder_file(game)
    return dict(read_table(file)) if file.is_file() else {}


def _unreadable(game: str, error: Exception) -> DataError:
    return DataError(f"{ladder_file(game)}: {error}, allowed is what genesia ladder writes")


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
    """Thinks in so many of a hundred decisions: `40` like the first scripted player and else not at all, `40:CODE`
    like another agent and else like the scripted one."""

    version = 1

    def __init__(self, game: str, argument: str) -> None:
        percent, colon, code = argument.partition(":")
        if not percent.isascii() or not percent.isdigit() or not 0 <= int(percent) <= 100:
            raise ConfigError(f"mixed {percent!r}: allowed are 0..100, in percent")
        self.name = f"mixed:{argument}"
        self._share = int(percent) / 100
        first = ScriptedPlayer(next(iter(mind_of(game).characters)))
        self._players = (first, _better(game, code)) if colon else (_at_random(), first)

    def fingerprint(self, game: Game) -> str:
        """That of the agent that is no scripted player, by its code."""
        found = self._players[1].fingerprint(game)
        return f"{self._players[1].name} {self._players[1].version} {found}" if found else ""

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """Each row by one of the two."""
        thinks = decisions.uniform(MIXING) < self._share
        return np.asarray(ask(self._players, thinks.astype(np.int64), decisions), np.int64)


def _at_random() -> Player:
    from genesia_rl.players.random import RandomPlayer  # compiled code: a list of levels needs none

    return RandomPlayer()


def _better(game: str, code: str) -> Player:
    """An agent that comes with the game: a trace or a file of levels may not name code or files of somebody's own."""
    from genesia_rl.players.codes import make_player, scripted_of

    kind, _, argument = code.partition(":")
    if kind not in ("mcts", "ppo", *scripted_of(game)) or (kind == "ppo" and argument):
        allowed = ", ".join((*scripted_of(game), "mcts:N", "ppo"))
        raise ConfigError(f"mixed with {code!r}: allowed are {allowed}")
    return make_player(code, game)


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
