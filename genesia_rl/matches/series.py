"""A series of games, cut into shards that may be played anywhere, in any order, as often as need be.

A *block* is one deal with all the games that are played of it: its line-up in every seating. Luck of the
deal is the same for all of them, and every entrant has every place, so blocks are what figures are made of:
independent of one another, each fair. The table `games` has a row for each game, `_times` what entrants took.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from dataclasses import fields as dataclass_fields
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

import genesia_rl
from genesia_rl.core import chance
from genesia_rl.core.data import data_of
from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game, Tables
from genesia_rl.core.lab import Cell, Lab, lab_of
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import make_game
from genesia_rl.matches.entrant import Entrant, parse_entrant
from genesia_rl.matches.games import Table, columns
from genesia_rl.matches.play import Match, plain_match, play
from genesia_rl.matches.seating import Lineup, seatings, sides_of
from genesia_rl.matches.variations import variation_of
from genesia_rl.players.random import RandomPlayer
from genesia_rl.shards.job import PATHS

Array = npt.NDArray[Any]
SHARD_GAMES = 1000
LEAST_SHARDS = 32

_WARM: set[tuple[str, str]] = set()  # games and agents that have acted in this process


@dataclass(frozen=True)
class Series:
    """Who plays what how often. A *round* is a block of each line-up; all of them have the same configuration,
    and `blocks` are spread evenly over the line-ups and over what varies. A series may be made longer: the games that
    were played stay what they were (`matches.progress.continued`).

    A field `data` of a configuration is a folder of the user's own: what it holds counts, not where it is.
    """

    game_name: str
    entrants: tuple[Entrant, ...]
    lineups: tuple[Lineup, ...]  # places in `entrants`, one for each side
    blocks: int
    seed: int = 0
    fields: dict[str, Any] = field(default_factory=dict)  # the configuration of the game
    varied: int = 0  # in how many configurations of what varies; 0: the one that there is
    changes: dict[str, Any] = field(default_factory=dict)  # what the game is played with, by name
    shard_blocks: int = 0  # 0: what suits the number of games
    mixed: bool = False  # in random order: whoever looks at the first games only sees all configurations
    extended: tuple[int, ...] = ()  # of how many blocks the run was before it was made longer, each time

    # ---- what is played
    @cached_property
    def lab(self) -> Lab:
        """What can be counted and changed in the game."""
        return lab_of(self.game_name)

    @cached_property
    def game(self) -> Game:
        """The configuration; of what varies it has one of many."""
        game = make_game(self.game_name, **self.fields)
        if not game.is_contest:
            raise ConfigError(
                f"players = {self.fields.get('players', game.num_seats)}: one joint score, allowed are games "
                "with opponents"
            )
        return game

    @property
    def players(self) -> int:
        """Seats at the table."""
        return int(self.game.num_seats)

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return sides_of(self.game)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """What each cell has of what varies; one empty cell if the configuration decides."""
        return variation_of(self.game_name).cells(self.players, self.varied) if self.varied else ((),)

    def tables_of(self, cells: Array) -> Tables:
        """The configurations of some cells."""
        if not self.varied:
            return self.game.tables
        variation = variation_of(self.game_name)
        return self.game.variations([variation.fields(self.players, self.cells[cell]) for cell in cells])

    def cell_of(self, blocks: Array) -> Array:
        """The cells of some blocks. Neighbours have the same, so that a shard has few, unless they are mixed; if
        not all cells come equally often, then the first of them once more."""
        number = blocks // len(self.lineups)
        if self.mixed:
            number = self._order[number]
        return np.asarray(np.searchsorted(self._ends, number, side="right") % len(self.cells))

    @cached_property
    def _rounds(self) -> list[int]:
        """Of how many rounds the run was each time it was made longer, and is now."""
        return [-(-blocks // len(self.lineups)) for blocks in (*self.extended, self.blocks)]

    @cached_property
    def _ends(self) -> Array:
        """Cell by cell, once for each time that the run was made longer: the round before which its rounds end. What is
        added brings the cells to where they come evenly again."""
        cells = np.arange(len(self.cells))
        often = [rounds // len(cells) + (cells < rounds % len(cells)) for rounds in self._rounds]
        return np.diff(often, axis=0, prepend=0).reshape(-1).cumsum()

    @cached_property
    def _order(self) -> Array:
        """Of rounds whose configurations are mixed: whose each of them has."""
        found, first = [], 0
        for number, rounds in enumerate(self._rounds):
            key = [self.seed, 17, number] if number else [self.seed, 17]
            found.append(first + np.random.default_rng(key).permutation(rounds - first))
            first = rounds
        return np.concatenate(found)

    @cached_property
    def seats(self) -> list[Array]:
        """For each line-up the entrant of every seat, in each of its seatings."""
        found = []
        for lineup in self.lineups:
            rows = np.zeros((len(order := seatings(lineup)), self.players), np.int64)
            for row, seated in zip(rows, order, strict=True):
                for side, entrant in zip(self.sides, seated, strict=True):
                    row[list(side)] = entrant
            found.append(rows)
        return found

    @property
    def games(self) -> int:
        """Games in all."""
        sizes = [len(rows) for rows in self.seats]
        return sum(sizes[block % len(sizes)] for block in range(self.blocks))

    # ---- the job (shards)
    def settings(self) -> dict[str, Any]:
        """All that decides the results; of files what they hold, and where they are apart from it."""
        data = self.fields.get("data")
        return {
            **asdict(self),
            "entrants": [entrant.base_name for entrant in self.entrants],
            "versions": [self._about(entrant.player(self.game_name)) for entrant in self.entrants],
            "fields": _without_data(self.fields),
            "game": {**_without_data(self.game.config_dict()), "version": self.game.version},
            PATHS: {"data": data, "entrants": [entrant.name for entrant in self.entrants]},
            "cells": hashlib.blake2b(repr(self.cells).encode(), digest_size=8).hexdigest(),
            "data": _digest_of(self.game_name, data),
            "genesia_rl": genesia_rl.__version__,
            "shard_blocks": self._shard_blocks,
        }

    def _about(self, player: Player) -> list[Any]:
        """What decides an agent's choices besides its code."""
        return [player.version, player.fingerprint(self.game)]

    @cached_property
    def _shard_blocks(self) -> int:
        """Blocks of a shard: about a thousand games, and shards enough to share them out."""
        if self.shard_blocks:
            return self.shard_blocks
        fits = SHARD_GAMES // max(len(rows) for rows in self.seats)
        return max(1, min(fits, -(-self.blocks // LEAST_SHARDS)))

    @property
    def num_shards(self) -> int:
        """Parts that are played one by one."""
        return -(-self.blocks // self._shard_blocks)

    def run(self, shard: int) -> dict[str, Table]:
        """Play a shard."""
        self.warm_up()
        blocks = np.arange(shard * self._shard_blocks, min(self.blocks, (shard + 1) * self._shard_blocks))
        rows = [self.seats[block % len(self.lineups)] for block in blocks.tolist()]
        lineup, sizes = np.concatenate(rows), [len(seated) for seated in rows]
        block = np.repeat(blocks, sizes)
        cells, which = np.unique(self.cell_of(block), return_inverse=True)
        seeds = chance.keys(np.full(len(block), self.seed, np.uint64), block)
        players = [entrant.player(self.game_name) for entrant in self.entrants]
        played = play(self.game, players, self._match(seeds, lineup, which), self.tables_of(cells))
        told = {
            "block": block, "seating": np.concatenate([np.arange(size) for size in sizes]).astype(np.int16),
            "cell": cells[which].astype(np.int32), "seed": seeds, "entrants": lineup.astype(np.int16),
        }  # fmt: skip
        entrants = np.arange(len(self.entrants), dtype=np.int16)
        times: Table = {"entrant": entrants, "decisions": played.decisions, "seconds": played.seconds}
        return {"games": {**told, **columns(played.measures, self.players, self.lab)}, "_times": times}

    def warm_up(self) -> None:
        """Load, or compile, whatever is needed before the clock is looked at; once in each process.

        Whoever starts several processes calls it first, so that they do not all compile the same.
        """
        new = {(self.game_name, entrant.code) for entrant in self.entrants} - _WARM
        if not new:
            return
        _WARM.update(new)
        game, nobody = self.game, np.zeros((1, self.players), np.int64)
        play(game, [RandomPlayer()], plain_match(game, np.zeros(1, np.uint64), nobody))
        states = game.new_states()
        for _, code in sorted(new):
            game.reset(states, 0, 0)
            Entrant(code).player(self.game_name).act(DecisionBatch.one(game, states))

    # ---- what is done to games
    def _match(self, seeds: Array, lineup: Array, which: Array) -> Match:
        """The games with all that is done to them."""
        match = plain_match(self.game, seeds, lineup, which)
        for name, value in self.changes.items():
            self._change(match, name, value)
        for number, entrant in enumerate(self.entrants):
            for what in entrant.without:
                self._take_away(match, what, lineup == number)
        return match

    def _change(self, match: Match, name: str, value: Any) -> None:
        """One of the changes, for all games."""
        change = self.lab.changes[name]
        if change.is_list:
            match.interventions[change.field][:, : len(value)] = value
        elif change.field:
            match.interventions[change.field] = value
        elif value:
            match.habits[:] |= change.habit

    def _take_away(self, match: Match, what: str, seats: Array) -> None:
        """What some seats go without."""
        without = self.lab.without[what]
        if without.habit:
            match.habits[seats] |= without.habit
        else:
            match.interventions[without.field][:, : self.players][seats] = 1


def _without_data(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "data"}


def _digest_of(game: str, data: str | None) -> str:
    """Of the files of a folder: a changed file is another game."""
    if data is None:
        return ""
    folder, found = data_of(game).folder(data), hashlib.blake2b(digest_size=8)
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        found.update(f"{path.relative_to(folder)}:{path.stat().st_size}:".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def series_of(settings: Mapping[str, Any]) -> Series:
    """The series that has these settings, as a store keeps them."""
    names = {item.name for item in dataclass_fields(Series)}
    given = {name: value for name, value in settings.items() if name in names}
    if PATHS not in settings or "game_name" not in settings:
        missing = PATHS if PATHS not in settings else "game_name"
        raise DataError(
            f"settings without {missing!r}, allowed are those of games of this version: play them again"
        )
    paths = settings[PATHS]
    if paths["data"] is not None:
        given["fields"] = {**settings["fields"], "data": paths["data"]}
    game = str(settings["game_name"])
    given["entrants"] = tuple(parse_entrant(name, game, make=False) for name in paths["entrants"])
    given["lineups"] = tuple(tuple(lineup) for lineup in settings["lineups"])
    given["extended"] = tuple(settings.get("extended", ()))
    return Series(**given)
