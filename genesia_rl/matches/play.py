"""Many games side by side, decision by decision: each agent is asked once for all games that wait for it.

What a game does depends on its seed, its line-up and its intervention, and on nothing else: not on the games
beside it. Agents draw their chance from keys, which come from the seed and the number of the decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core import chance
from genesia_rl.core.errors import PlayerError
from genesia_rl.core.game import Game, States, Tables
from genesia_rl.core.lab import Lab, lab_of
from genesia_rl.core.player import DecisionBatch, Player, ask

Array = npt.NDArray[Any]
SIDE_BY_SIDE = 1024
LOG = 256  # decisions of a game for which there is room at first
COPY = -2  # what a habit says where an agent is to be asked with a narrowed copy


class Match(NamedTuple):
    """Games to be played: `[game]` or `[game, seat]` for each array."""

    seeds: npt.NDArray[np.uint64]
    lineup: Array  # the player of each seat
    interventions: Array
    habits: Array
    which: npt.NDArray[np.int32]  # the configuration of each game, as a place in the tables

    def part(self, rows: slice) -> Match:
        """Some of the games."""
        return self._replace(**{name: array[rows] for name, array in self._asdict().items()})


class Played(NamedTuple):
    """Finished games, and what each player took for them."""

    measures: Array
    decisions: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float64]


def plain_match(game: Game, seeds: Array, lineup: Array, which: Array | None = None) -> Match:
    """Games by the rules, in which everybody does as it likes."""
    interventions = np.zeros(len(seeds), lab_of(game.name).interventions)
    interventions["seed"] = seeds
    first = np.zeros(len(seeds), np.int32)
    given = first if which is None else np.asarray(which, np.int32)
    return Match(np.asarray(seeds, np.uint64), lineup, interventions, np.zeros_like(lineup), given)


def play(game: Game, players: Sequence[Player], match: Match, tables: Tables | None = None) -> Played:
    """Play all the games and measure them; `tables` are the configurations, by default the game's own."""
    tables = game.tables if tables is None else tables
    measures = np.zeros(len(match.seeds), lab_of(game.name).measure)
    decisions, seconds = np.zeros(len(players), np.int64), np.zeros(len(players))
    for first in range(0, len(measures), SIDE_BY_SIDE):
        part = slice(first, first + SIDE_BY_SIDE)
        table = SideBySide(game, players, match.part(part), tables)
        put_measures(game, table.match, tables, table.play(), measures[part])
        decisions += table.decisions
        seconds += table.seconds
    return Played(measures, decisions, seconds)


def put_measures(game: Game, match: Match, tables: Tables, log: Array, measures: Array) -> None:
    """Replay the games of a log."""
    lab_of(game.name).matches.measure_rows(
        game.new_states(),
        tables,
        match.which,
        match.seeds,
        match.interventions,
        log,
        *game.new_scores(),
        measures,
    )


class SideBySide:
    """Games that are played side by side."""

    def __init__(self, game: Game, players: Sequence[Player], match: Match, tables: Tables) -> None:
        self.game, self.players, self.match, self.tables = game, players, match, tables
        self.lab: Lab = lab_of(game.name)
        self.states: States = game.new_states(len(match.seeds))
        self.copies: States = game.new_states(len(match.seeds) if match.habits.any() else 0)
        self.decisions, self.seconds = np.zeros(len(players), np.int64), np.zeros(len(players))

    def play(self) -> Array:
        """Play to the end of all games; returns their actions."""
        match, kernels = self.match, self.lab.matches
        rows = np.arange(len(match.seeds))
        log = np.zeros((len(rows), LOG), np.int32)
        kernels.begin_rows(self.states, self.tables, match.which, match.seeds, match.interventions)
        turn = 0
        while len(rows):
            if turn == log.shape[1]:
                log = np.pad(log, ((0, 0), (0, turn)))
            actions = self.actions(rows)
            bad = kernels.play_rows(
                self.states, self.tables, match.which, rows, actions, match.interventions, log
            )
            if bad >= 0:
                self._refuse(int(rows[bad]), int(actions[bad]))
            rows = rows[self.states["over"][rows] == 0]
            turn += 1
        return log

    def actions(self, rows: Array) -> Array:
        """An action for each of the rows, by habit or by the agent of the seat to act."""
        seats = self.states["seat"][rows].astype(np.int64)
        who, habits = self.match.lineup[rows, seats], self.match.habits[rows, seats]
        if not habits.any():
            return self._asked(self.states, rows, who)
        chosen, narrowed = self._by_habit(rows, habits)
        for states, waits in ((self.states, chosen == -1), (self.copies, narrowed)):
            if waits.any():
                chosen[waits] = self._asked(states, rows[waits], who[waits])
        return chosen

    def _by_habit(self, rows: Array, habits: Array) -> tuple[Array, npt.NDArray[np.bool_]]:
        """What habits leave no choice about, and the rows that are asked with their narrowed copies."""
        match, actions = self.match, np.full(len(rows), -1, np.int64)
        keys = chance.keys(match.seeds[rows], self.states["steps"][rows])
        self.lab.matches.habit_rows(
            self.states, self.tables, match.which, rows, habits, keys, self.copies, actions
        )
        return actions, actions == COPY

    def _asked(self, states: States, rows: Array, who: Array) -> Array:
        match = self.match
        batch = DecisionBatch(
            self.game, states, rows, match.seeds[rows], tables=self.tables, which=match.which[rows]
        )
        actions = ask(self.players, who, batch, self._clock)
        if states is self.copies:
            self._check(batch, rows, actions)
        return actions

    def _check(self, batch: DecisionBatch, rows: Array, actions: Array) -> None:
        """A narrowed copy is what holds: the game itself would allow more."""
        kept = batch.mask[np.arange(len(rows)), actions] != 0
        if not kept.all():
            bad = int(np.argmin(kept))
            self._refuse(int(rows[bad]), int(actions[bad]), self.copies)

    def _clock(self, player: int, decisions: int, seconds: float) -> None:
        self.decisions[player] += decisions
        self.seconds[player] += seconds

    def _refuse(self, row: int, action: int, states: States | None = None) -> None:
        states = self.states if states is None else states
        seat = self.game.seat(states, row)
        name = self.players[int(self.match.lineup[row, seat])].name
        if 0 <= action < self.game.num_actions:
            action = self.game.from_view(seat, action)
        why = self.game.why_illegal(states, row, action)
        raise PlayerError(f"agent {name}, seat {seat} of the game with seed {self.match.seeds[row]}: {why}")
