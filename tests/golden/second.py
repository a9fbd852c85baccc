"""How a game's second implementation, its referee, is reached.

A referee is written from RULES and PROTOCOL alone, in plain Python, by somebody who has not seen the engine. Each is
a little different, so every game says in `tests/games/GAME/second.py` what is what: a `SECOND` of this form.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

from golden import Trace

Config = dict[str, Any]
Position = dict[str, Any]


class Asked(Protocol):
    """A decision."""

    @property
    def legal(self) -> Sequence[str]:
        """The legal actions, in order."""


class Referee(Protocol):
    """A game that a referee leads."""

    @property
    def decision(self) -> Asked | None:
        """What is asked; None when the game is over."""

    def act(self, text: str) -> None:
        """Answer the decision."""


@dataclass(frozen=True)
class Second:
    """A referee, the ways in which it plays, and where golden games and counts begin."""

    #: (config, deal=..., position=...): one of the two
    play: Callable[..., Referee]
    #: (config, deal=..., position=..., policy=..., rng=..., seed=...): a game with legal sets and states
    record: Callable[..., Trace]
    #: What is different from what the referee does, line by line.
    verify: Callable[[Trace], list[str]]
    #: Ways to play at random, uniform or skewed, and what makes one of a list of names, a name a seat.
    policies: tuple[str, ...]
    by_seat: Callable[[list[str]], Any]
    #: A recorded game of any configuration, all of it drawn from its number; every other from a position.
    random_game: Callable[[int], Trace]
    #: Any configuration, and a position of it.
    random_config: Callable[[int, random.Random], Config]
    random_position: Callable[[Config, random.Random], Position]
    #: The kinds of positions from which golden games begin, and one of a kind by its number.
    kinds: tuple[str, ...]
    position: Callable[[str, int, random.Random], tuple[Config, Position]]
    #: Where counts begin: variants, and named positions.
    perft_variants: tuple[str, ...]
    perft_positions: Callable[[], Iterator[tuple[str, Config, Position]]]
    #: The golden files (variants, or `position-` and a kind) that each run replays in other modes.
    few: tuple[str, ...]

    def any_policy(self, seats: int, rng: random.Random) -> Any:
        """Some way to play for each seat."""
        return self.by_seat([rng.choice(self.policies) for _ in range(seats)])

    def perft(
        self, config: Mapping[str, Any], start: Mapping[str, Any], depth: int, path: tuple[str, ...] = ()
    ) -> int:
        """How many sequences go on from `path`: a referee cannot copy a game and plays each from its beginning."""
        game = self.play(config, **start)
        for text in path:
            game.act(text)
        if game.decision is None:
            return 0
        legal = game.decision.legal
        if depth == 1:
            return len(legal)
        return sum(self.perft(config, start, depth - 1, (*path, text)) for text in legal)


def second_of(game: str) -> Second:
    """The referee of a game."""
    found: Second = import_module(f"games.{game}.second").SECOND
    return found
