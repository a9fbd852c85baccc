"""A series of games, cut into shards that may be played anywhere, in any order, as often as need be.

A *block* is one deal with all the games that are played of it: its line-up in every seating. Luck of the
deal is the same for all of them, and every entrant has every place, so blocks are what figures are made of:
independent of one another, each fair. The table `games` has a row for each game, `_times` what entrants took.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from dataclasses import fields as dataclass_fields
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import genesia_rl
from agents.random import RandomAgent
from experiments.matches.entrant import WITHOUT, Entrant, parse_entrant
from experiments.matches.lots import lots_fields, triples
from experiments.matches.play import BLIND, HABITS, Match, plain_match, play
from experiments.matches.seating import Lineup, seatings, sides_of
from experiments.shards.job import PATHS
from genesia_rl.contract import MAX_SEATS, Game
from genesia_rl.errors import ConfigError, DataError
from genesia_rl.games.genesia.measure import MEASURE
from genesia_rl.games.genesia.treatments import TREATMENT
from genesia_rl.registry import make_game
from genesia_rl.seen import Player, Seen, salts

Array = npt.NDArray[Any]
Table = dict[str, Array]
GAME = "genesia"
SHARD_GAMES = 1000
LEAST_SHARDS = 32

_WARM: set[str] = set()  # agents that have acted in this process

#: The fields of a measure that go by seat or place: the axis that has as many entries as seats.
BY_SEAT = {
    "parts": 0, "totals": 0, "places": 0, "order": 1, "choosers": 1, "progress": 1, "scores": 1, "wars": 1,
    "assaults": 1, "conquests": 0, "packs": 1, "picks": 1, "dealt": 0, "kept": 0,
}  # fmt: skip


@dataclass(frozen=True)
class Series:
    """Who plays what how often. A *round* is a block of each line-up; all of them have the same lots, and
    `blocks` are spread evenly over the line-ups and over the lots."""

    entrants: tuple[Entrant, ...]
    lineups: tuple[Lineup, ...]  # places in `entrants`, one for each side
    blocks: int
    seed: int = 0
    fields: dict[str, Any] = field(default_factory=dict)  # the configuration of the game
    lots: int = 0  # in how many combinations of lots; 0: those of the configuration
    coins: tuple[int, ...] = ()  # more coins in Age I, by place in the turn order
    blind_drafts: bool = False  # everybody keeps cards at random
    random_choosers: bool = False  # places are chosen in random order
    shard_blocks: int = 0  # 0: what suits the number of games
    mixed: bool = False  # lots by lot: whoever looks at the first games only sees all of them

    # ---- what is played
    @cached_property
    def players(self) -> int:
        """Seats at the table."""
        return int(self.game(0).num_seats)

    @cached_property
    def sides(self) -> tuple[tuple[int, ...], ...]:
        """The seats of each side."""
        return sides_of(self.game(0))

    @cached_property
    def cells(self) -> tuple[tuple[int, ...], ...]:
        """The lots of each cell, as places in `choices`; one empty one if the configuration decides."""
        if not self.lots:
            return ((),)
        return triples(int(self.fields.get("players", 2)), self.lots)

    def cell_of(self, blocks: Array) -> Array:
        """The cells of some blocks. Neighbours have the same, as a game takes some time to make, unless they
        are mixed; if not all cells come equally often, then the first of them once more."""
        often, more = divmod(self._rounds, len(self.cells))
        number, first = blocks // len(self.lineups), more * (often + 1)
        if self.mixed:
            number = self._order[number]
        later = more + (number - first) // max(1, often)
        return np.asarray(np.where(number < first, number // (often + 1), later))

    @property
    def _rounds(self) -> int:
        return -(-self.blocks // len(self.lineups))

    @cached_property
    def _order(self) -> Array:
        """Of rounds whose lots are mixed: whose lots each of them has."""
        return np.random.default_rng([self.seed, 17]).permutation(self._rounds)

    def game(self, cell: int) -> Game:
        """The game that is played in a cell."""
        return self._first_game if cell == 0 else self._make_game(cell)

    @cached_property
    def _first_game(self) -> Game:
        """Made once: it is asked for often, and making one takes some hundredths of a second."""
        return self._make_game(0)

    def _make_game(self, cell: int) -> Game:
        """The configuration with the lots of a cell."""
        players = int(self.fields.get("players", 2))
        more = lots_fields(players, self.cells[cell]) if self.lots else {}
        game = make_game(GAME, **{**self.fields, **more})
        if not game.is_contest:
            raise ConfigError(
                f"players = {players}, allowed is 2..{MAX_SEATS}: the solo mode has no opponents"
            )
        return game

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

    # ---- the job (experiments/shards)
    def settings(self) -> dict[str, Any]:
        """All that decides the results; of files what they hold, and where they are apart from it."""
        data = self.fields.get("data")
        return {
            **asdict(self),
            "entrants": [entrant.base_name for entrant in self.entrants],
            "versions": [self._about(entrant.player()) for entrant in self.entrants],
            "fields": _without_data(self.fields),
            "game": {**_without_data(self.game(0).config_dict()), "version": self.game(0).version},
            PATHS: {"data": data, "entrants": [entrant.name for entrant in self.entrants]},
            "cells": hashlib.blake2b(repr(self.cells).encode(), digest_size=8).hexdigest(),
            "data": _digest_of(data),
            "genesia_rl": genesia_rl.__version__,
            "shard_blocks": self._shard_blocks,
        }

    def _about(self, player: Player) -> list[Any]:
        """What decides an agent's choices besides its code."""
        return [player.version, player.fingerprint(self.game(0))]

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
        parts = []
        decisions, seconds = (np.zeros(len(self.entrants), kind) for kind in (np.int64, np.float64))
        blocks = range(shard * self._shard_blocks, min(self.blocks, (shard + 1) * self._shard_blocks))
        for cell, mine in self._by_cell(blocks):
            table, took = self._play(cell, mine)
            parts.append(table)
            decisions, seconds = decisions + took[0], seconds + took[1]
        games = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        in_order = np.argsort(games["block"], kind="stable")
        games = {name: held[in_order] for name, held in games.items()}
        entrants = np.arange(len(self.entrants), dtype=np.int16)
        times: Table = {"entrant": entrants, "decisions": decisions, "seconds": seconds}
        return {"games": games, "_times": times}

    def warm_up(self) -> None:
        """Load, or compile, whatever is needed before the clock is looked at; once in each process.

        Whoever starts several processes calls it first, so that they do not all compile the same.
        """
        new = {entrant.code for entrant in self.entrants} - _WARM
        if not new:
            return
        _WARM.update(new)
        game, nobody = self.game(0), np.zeros((1, self.players), np.int64)
        play(game, [RandomAgent()], plain_match(game, np.zeros(1, np.uint64), nobody))
        for code in new:
            states = game.new_states()
            game.reset(states, 0, 0)
            Entrant(code).player().act(Seen.one(game, states))

    def _by_cell(self, blocks: range) -> Iterator[tuple[int, Array]]:
        """The blocks of a shard by the lots they are played with."""
        cells = self.cell_of(np.arange(blocks.start, blocks.stop))
        for cell in np.unique(cells):
            yield int(cell), np.asarray(blocks)[cells == cell]

    def _play(self, cell: int, blocks: Array) -> tuple[Table, tuple[Any, Any]]:
        """The games of some blocks."""
        game = self.game(cell)
        rows = [self.seats[block % len(self.lineups)] for block in blocks.tolist()]
        lineup = np.concatenate(rows)
        block = np.repeat(blocks, [len(seated) for seated in rows])
        seating = np.concatenate([np.arange(len(seated)) for seated in rows])
        seeds = salts(np.full(len(block), self.seed, np.uint64), block)
        players = [entrant.player() for entrant in self.entrants]
        played = play(game, players, self._match(seeds, lineup))
        told = {
            "block": block, "seating": seating.astype(np.int16), "cell": np.full(len(block), cell, np.int32),
            "seed": seeds, "entrants": lineup.astype(np.int16),
        }  # fmt: skip
        return {**told, **columns(played.measures, self.players)}, (played.decisions, played.seconds)

    def _match(self, seeds: Array, lineup: Array) -> Match:
        """The games with all that is done to them."""
        treatments = np.zeros(len(seeds), TREATMENT)
        treatments["seed"] = seeds
        treatments["coins"][:, : len(self.coins)] = self.coins
        treatments["random_choosers"] = self.random_choosers
        habits = np.full(lineup.shape, BLIND if self.blind_drafts else 0, np.int64)
        for number, entrant in enumerate(self.entrants):
            seats = lineup == number
            for what in entrant.without:
                if what in HABITS:
                    habits[seats] |= HABITS[what]
                else:
                    treatments[f"without_{what}"][:, : self.players][seats] = 1
        return Match(seeds, lineup, treatments, habits)


def _without_data(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name != "data"}


def _digest_of(folder: str | None) -> str:
    """Of the cards, objectives and boards of a folder: a changed file is another game."""
    if folder is None:
        return ""
    found = hashlib.blake2b(digest_size=8)
    for path in sorted(path for path in Path(folder).rglob("*") if path.is_file()):
        found.update(f"{path.relative_to(folder)}:{path.stat().st_size}:".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def series_of(settings: Mapping[str, Any]) -> Series:
    """The series that has these settings, as a store keeps them."""
    names = {item.name for item in dataclass_fields(Series)}
    given = {name: value for name, value in settings.items() if name in names}
    if PATHS not in settings:
        raise DataError(
            f"settings without {PATHS!r}, allowed are those of games of this version: play them again"
        )
    paths = settings[PATHS]
    if paths["data"] is not None:
        given["fields"] = {**settings["fields"], "data": paths["data"]}
    given["entrants"] = tuple(parse_entrant(name) for name in paths["entrants"])
    given["lineups"] = tuple(tuple(lineup) for lineup in settings["lineups"])
    given["coins"] = tuple(settings["coins"])
    return Series(**given)


def columns(measures: Array, seats: int) -> Table:
    """The fields of measures as columns, cut to the seats that there are; a row of numbers at most."""
    found: Table = {}
    for name in MEASURE.names or ():
        values = measures[name]
        if name in BY_SEAT:
            values = values.take(range(seats), axis=BY_SEAT[name] + 1)
        rows = values.reshape(len(values), -1) if values.ndim > 2 else values
        found[name] = np.ascontiguousarray(rows)
    return found


def unfolded(table: Table, seats: int) -> Table:
    """The columns in their own shapes again, as `[game, ...]`."""
    found = dict(table)
    for name in MEASURE.names or ():
        shape = list(MEASURE[name].shape)
        if name in BY_SEAT:
            shape[BY_SEAT[name]] = seats
        found[name] = table[name].reshape(-1, *shape)
    return found


assert set(WITHOUT) == {*HABITS, "cities", "objective"}
