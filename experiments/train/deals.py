"""Many lots side by side: which colours of cards each Age is played with changes from game to game.

Lots decide what is dealt and nothing else: of all tables only the decks and the pool of objectives differ
(`tests/train/test_lots.py` holds them to it). So one batch plays them all: whatever begins in a step is
dealt from the lots whose turn it is, and the next step has others. Who looks ahead draws hidden cards anew,
so it is asked with the game that a row was dealt from; everybody else is asked once for all rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from agents.characters import CharacterAgent
from agents.greedy import GreedyAgent
from agents.learned import LearnedAgent
from agents.random import RandomAgent
from experiments.matches.lots import choices, triples
from genesia_rl.contract import Game
from genesia_rl.errors import ConfigError
from genesia_rl.games.genesia.config import Config
from genesia_rl.games.genesia.game import GenesiaGame
from genesia_rl.games.genesia.tables import put_decks
from genesia_rl.seen import Player
from genesia_rl.vector import Batch
from genesia_rl.vector.batch import LearnerBatch

Array = npt.NDArray[Any]
#: At most so many combinations of lots: 100 with 2 and 3 players, 125 (all) with 4, one with 5.
MOST = 125
#: How the command line names the game's own lots, and a balanced part of all combinations.
LOTS = ("game", "all")
DEALT = ("deck_size", "deck", "pool_size", "pool")
#: They never draw hidden cards, so that any of the games will do to ask them.
ASK_ONLY_WHAT_IS_SEEN: tuple[type[Player], ...] = (RandomAgent, GreedyAgent, CharacterAgent, LearnedAgent)


def rotated(lots: str) -> bool:
    """Are lots `all`, and not those of the `game` itself?"""
    if lots not in LOTS:
        raise ConfigError(f"lots = {lots!r}, allowed are {', '.join(LOTS)}")
    return lots == "all"


class Deals:
    """The lots of some games: those of `game` itself, or a balanced part of all combinations."""

    def __init__(self, game: Game, rotate: bool = False, seed: int = 0) -> None:
        self.game = game
        self.configs: list[Config | None] = [None]
        if rotate:
            self.configs = list(_configs(game))
        self.order = np.random.default_rng([seed, 13]).permutation(len(self.configs)).astype(np.int16)
        self._cards: dict[int, dict[str, Array]] = {}
        self._games: dict[int, Game] = {}

    def __len__(self) -> int:
        return len(self.configs)

    def put(self, tables: Array, number: int) -> None:
        """Let tables deal from these lots."""
        if number not in self._cards:
            config, game = self.configs[number], self.game
            held: Any = game.tables[0]
            if config is not None:
                assert isinstance(game, GenesiaGame)
                held = _dealt_from(config, game)
            self._cards[number] = {name: np.array(held[name]) for name in DEALT}
        for name, cards in self._cards[number].items():
            tables[name] = cards

    def game_of(self, number: int) -> Game:
        """The game with these lots."""
        config = self.configs[number]
        if config is None:
            return self.game
        if number not in self._games:  # built when somebody who looks ahead asks: it takes a while
            self._games[number] = GenesiaGame(config)
        return self._games[number]

    def spread(self, rows: int) -> Array:
        """Lots for so many games, all of them as often."""
        return np.resize(self.order, rows)


def _configs(game: Game) -> Sequence[Config]:
    """The game's configuration with other lots."""
    if not isinstance(game, GenesiaGame) or game.config.decks is not None or not game.is_contest:
        raise ConfigError(
            "lots of all combinations: with decks and in the solo mode allowed are the game's own"
        )
    found = choices(game.num_seats)
    return [
        replace(game.config, lots=tuple(found[place] for place in triple))
        for triple in triples(game.num_seats, MOST)
    ]


def _dealt_from(config: Config, game: GenesiaGame) -> Any:
    """The decks and the pool as tables hold them."""
    dtype = game.tables.dtype
    held = np.zeros(1, [(name, dtype[name]) for name in DEALT])[0]
    put_decks(held, config, game.data)
    return held


def looks_ahead(player: Any) -> bool:
    """Does a player perhaps draw hidden cards anew? Whoever is unknown might; a wrapped one is looked up."""
    while hasattr(player, "player"):
        player = player.player
    return not getattr(player, "asks_only_what_is_seen", type(player) in ASK_ONLY_WHAT_IS_SEEN)


class DealtBatch(Batch):
    """A batch whose games have the lots of `deals`.

    `lots[i]` are those of row i's present game, as a number in `deals`. The first games have `first`; a game
    that begins later has those whose turn it is in that step, which depends on the number of steps only.
    """

    def __init__(
        self, deals: Deals, num_games: int, *given: Any, first: Array | None = None, **options: Any
    ) -> None:
        self.deals = deals
        self.tables = deals.game.tables.copy()
        self.first = deals.spread(num_games) if first is None else first
        self.lots = self.first.copy()
        self.turn = np.zeros(1, np.int64)
        super().__init__(deals.game, num_games, *given, **options)

    @property
    def coming(self) -> int:
        """The lots of games that begin now."""
        return int(self.deals.order[int(self.turn[0]) % len(self.deals)])

    def reset(self, seed: int | Sequence[int] | Array = 0) -> None:
        """Begin all games anew, with the lots that each row began with."""
        self.lots[:] = self.first
        self.turn[0] = 0
        super().reset(seed)

    def step(self, actions: Sequence[int] | Array) -> None:
        """Take one action in every game; in the next step other lots have their turn."""
        super().step(actions)
        self.turn += 1
        self.put_turn()

    def put_turn(self) -> None:
        """Let new games have the lots whose turn it is."""
        self.deals.put(self.tables, self.coming)

    def _start(self, rows: Array) -> None:
        for number in np.unique(self.lots[rows]):
            self.deals.put(self.tables, int(number))
            part = rows[self.lots[rows] == number]
            self.game.entries.start_rows(self.states, self.tables, self.games, part, *self._outputs())
        self.put_turn()

    def _step(self, rows: Array, actions: Array) -> None:
        self.game.entries.step_rows(self.states, self.tables, self.games, rows, actions, *self._outputs())
        if len(self.deals) > 1:
            self.lots[rows[self.done[rows]]] = self.coming

    def ask(self, player: Player, rows: Array | None = None) -> Array:
        """A player's actions in some rows or in all."""
        seen = self.seen(rows)
        if len(self.deals) == 1 or not looks_ahead(player):
            return np.asarray(player.act_batch(seen))
        actions, lots = np.zeros(len(seen), np.int64), self.lots[seen.rows]
        for number in np.unique(lots):
            places = np.flatnonzero(lots == number)
            part = seen.part(places)
            part.game = self.deals.game_of(int(number))
            actions[places] = player.act_batch(part)
        return actions


class DealtLearnerBatch(DealtBatch, LearnerBatch):
    """The same for one learner in each game."""

    def _ask(self, opponent: Any, rows: Array) -> Array:
        return self.ask(opponent, rows) if isinstance(opponent, Player) else super()._ask(opponent, rows)
