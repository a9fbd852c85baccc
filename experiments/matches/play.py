"""Many games side by side, decision by decision: each agent is asked once for all games that wait for it.

What a game does depends on its seed, its line-up and its treatment, and on nothing else: not on the games
beside it. Agents draw their chance from a salt, which comes from the seed and the number of the decision.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.contract import MAX_PARTS, MAX_SEATS, Game, States
from genesia_rl.errors import OpponentError
from genesia_rl.games.genesia.actions import PEACE_ACTION
from genesia_rl.games.genesia.measure import MEASURE, begin_rows, measure_rows, play_rows
from genesia_rl.games.genesia.names import K_DRAFT, K_POSITION, K_STANCE
from genesia_rl.games.genesia.treatments import TREATMENT
from genesia_rl.seen import Player, Seen, mix, salts

Array = npt.NDArray[Any]
SIDE_BY_SIDE = 1024
LOG = 256  # decisions of a game for which there is room at first

#: What a seat goes without by its own choice: bits of `Match.habits`.
PEACEFUL, BLIND, PLACELESS = 1, 2, 4
HABITS = {"war": PEACEFUL, "drafting": BLIND, "places": PLACELESS}


class Match(NamedTuple):
    """Games to be played: `[game]` or `[game, seat]` for each array."""

    seeds: npt.NDArray[np.uint64]
    lineup: Array  # the player of each seat
    treatments: Array
    habits: Array

    def part(self, rows: slice) -> Match:
        """Some of the games."""
        return Match(*(array[rows] for array in self))


class Played(NamedTuple):
    """Finished games, and what each player took for them."""

    measures: Array
    decisions: npt.NDArray[np.int64]
    seconds: npt.NDArray[np.float64]


def plain_match(game: Game, seeds: Array, lineup: Array) -> Match:
    """Games by the rules, in which everybody does as it likes."""
    treatments = np.zeros(len(seeds), TREATMENT)
    treatments["seed"] = seeds
    return Match(np.asarray(seeds, np.uint64), lineup, treatments, np.zeros_like(lineup))


def play(game: Game, players: Sequence[Player], match: Match) -> Played:
    """Play all the games and measure them."""
    measures = np.zeros(len(match.seeds), MEASURE)
    decisions, seconds = np.zeros(len(players), np.int64), np.zeros(len(players))
    for first in range(0, len(measures), SIDE_BY_SIDE):
        rows = slice(first, first + SIDE_BY_SIDE)
        part = match.part(rows)
        log = _play_side_by_side(game, players, part, decisions, seconds)
        put_measures(game, part, log, measures[rows])
    return Played(measures, decisions, seconds)


def put_measures(game: Game, match: Match, log: Array, measures: Array) -> None:
    """Replay the games of a log."""
    room = (
        np.zeros((MAX_SEATS, MAX_PARTS), np.int32),
        np.zeros(MAX_SEATS, np.int32),
        np.zeros(MAX_SEATS, np.int8),
    )
    measure_rows(game.new_states(), game.tables, match.seeds, match.treatments, log, *room, measures)


def _play_side_by_side(
    game: Game, players: Sequence[Player], match: Match, decisions: Array, seconds: Array
) -> Array:
    """Play all the games at once; returns their actions."""
    states, rows = game.new_states(len(match.seeds)), np.arange(len(match.seeds))
    log = np.zeros((len(rows), LOG), np.int16)
    begin_rows(states, game.tables, match.seeds, match.treatments)
    turn = 0
    while len(rows):
        if turn == log.shape[1]:
            log = np.pad(log, ((0, 0), (0, turn)))
        actions = _ask(game, players, match, states, rows, decisions, seconds)
        bad = play_rows(states, game.tables, rows, actions, match.treatments, log)
        if bad >= 0:
            _refuse(game, players, match, states, int(rows[bad]), int(actions[bad]))
        rows = rows[states["over"][rows] == 0]
        turn += 1
    return log


def _ask(
    game: Game,
    players: Sequence[Player],
    match: Match,
    states: States,
    rows: Array,
    decisions: Array,
    seconds: Array,
) -> Array:
    """An action for each of the rows, by habit or by the agent of the seat to act."""
    seats = states["seat"][rows].astype(np.int64)
    salt = salts(match.seeds[rows], states["steps"][rows])
    actions = np.full(len(rows), -1, np.int64)
    _follow_habits(game, states, rows, match.habits[rows, seats], salt, actions)
    waiting = np.where(actions < 0, match.lineup[rows, seats], -1)
    for number, player in enumerate(players):
        places = np.flatnonzero(waiting == number)
        if len(places):
            start = time.perf_counter()
            actions[places] = player.act_batch(Seen(game, states, rows[places], salt[places]))
            seconds[number] += time.perf_counter() - start
            decisions[number] += len(places)
    return actions


def _follow_habits(
    game: Game, states: States, rows: Array, habits: Array, salt: Array, actions: Array
) -> None:
    """Those who go without War, without drafting or without choosing their place do so."""
    if not habits.any():
        return
    kinds = states["kind"][rows]
    actions[(habits & PEACEFUL != 0) & (kinds == K_STANCE)] = PEACE_ACTION  # the same in every numbering
    blind = (habits & BLIND != 0) & (kinds == K_DRAFT) | (habits & PLACELESS != 0) & (kinds == K_POSITION)
    places = np.flatnonzero(blind)
    if len(places):
        drawn = np.zeros(len(places), np.int64)
        game.entries.random_rows(states, rows[places], mix(salt[places]), game.tables, drawn)
        actions[places] = drawn


def _refuse(
    game: Game, players: Sequence[Player], match: Match, states: States, row: int, action: int
) -> None:
    seat = game.seat(states, row)
    name = players[int(match.lineup[row, seat])].name
    if 0 <= action < game.num_actions:
        action = game.from_view(seat, action)
    why = game.why_illegal(states, row, action)
    raise OpponentError(f"agent {name}, seat {seat} of the game with seed {match.seeds[row]}: {why}")
