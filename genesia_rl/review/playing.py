"""Playing choices out in imagined worlds: the same worlds and the same later chance for every choice.

A world is the position with all that a seat cannot know drawn anew (`resample`). In each of them every choice is
taken once and the game is played to its end by the agent on all seats, whose own chance depends on the world and the
number of the decision only. So what is compared differs by the choice, and luck is taken out of the difference.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core import chance
from genesia_rl.core.errors import PlayerError
from genesia_rl.core.game import Game, States
from genesia_rl.core.lab import lab_of
from genesia_rl.core.player import DecisionBatch, Player

Array = npt.NDArray[Any]
#: In place of an action: nothing is done before the agent goes on.
NOTHING = -1
#: What a finished game is to each seat: its share of the victory, its lead in points, and what both come to. A lead
#: counts besides a victory, and the less the larger it is: it says sooner which way is better, and victory decides.
CHANCE, LEAD, WORTH = 0, 1, 2
ROWS = 1024  # games side by side in one thread
_OF_WORLDS, _OF_AGENTS = 17, 18  # streams of random numbers


class Question(NamedTuple):
    """A position, whose knowledge counts, and what is tried: `actions[world, choice]`, absolute.

    Worlds are numbered from `first`; the same key and number give the same world.
    """

    states: States
    eyes: int
    actions: Array
    key: int
    first: int = 0


def worlds_of(question: Question) -> Array:
    """The seed of each world."""
    numbers = question.first + np.arange(len(question.actions))
    return np.asarray(chance.keys(np.full(len(numbers), question.key % (1 << 64), np.uint64), numbers))


class Playouts:
    """Answers questions, on some threads; each has a player of its own, as players keep room to think in."""

    def __init__(self, game: Game, player: Player, threads: int = 1) -> None:
        self.game, self.threads = game, threads
        self.played = 0
        self._players: SimpleQueue[Player] = SimpleQueue()
        for _ in range(threads):
            self._players.put(copy.deepcopy(player))

    def answer(self, questions: Sequence[Question], tell: Callable[[int], None] | None = None) -> list[Array]:
        """For each question `[world, choice, CHANCE LEAD or WORTH, seat]`."""
        parts = list(_parts(questions, self.threads))
        found: list[Array] = []
        with ThreadPoolExecutor(self.threads) as pool:
            for part, answers in zip(parts, pool.map(self._answered, parts), strict=True):
                found += answers
                self.played += sum(question.actions.size for question in part)
                if tell is not None:
                    tell(len(part))
        return found

    def _answered(self, questions: Sequence[Question]) -> list[Array]:
        player = self._players.get()
        try:
            return self._played(player, questions)
        finally:
            self._players.put(player)

    def _played(self, player: Player, questions: Sequence[Question]) -> list[Array]:
        states = self.game.new_states(sum(question.actions.size for question in questions))
        seeds = np.zeros(len(states), np.uint64)
        row = 0
        for question in questions:
            row = self._put(question, states, seeds, row)
        play_out(self.game, player, states, seeds)
        worth = worth_of(self.game, states)
        ends = np.cumsum([question.actions.size for question in questions])[:-1]
        return [
            values.reshape(*question.actions.shape, 3, self.game.num_seats)
            for question, values in zip(questions, np.split(worth, ends), strict=True)
        ]

    def _put(self, question: Question, states: States, seeds: Array, row: int) -> int:
        """A game for every world and choice, from `row` on."""
        game, worlds = self.game, worlds_of(question)
        imagined = chance.keys(worlds, np.full(len(worlds), _OF_WORLDS))
        goes_on = chance.keys(worlds, np.full(len(worlds), _OF_AGENTS))
        over = game.is_over(question.states, 0)
        base = question.states.copy()
        for world, choices in enumerate(question.actions.tolist()):
            if not over:
                game.kernels.resample(
                    question.states, 0, base, 0, game.tables, question.eyes, imagined[world]
                )
            for action in choices:
                states[row], seeds[row] = base[0], goes_on[world]
                if action != NOTHING:
                    game.step(states, row, action)
                row += 1
        return row


def _parts(questions: Sequence[Question], threads: int) -> Iterator[list[Question]]:
    """Questions side by side, so that threads have about the same to do."""
    total = sum(question.actions.size for question in questions)
    most = max(1, min(ROWS, -(-total // threads)))
    part: list[Question] = []
    rows = 0
    for question in questions:
        if part and rows + question.actions.size > most:
            yield part
            part, rows = [], 0
        part.append(question)
        rows += question.actions.size
    if part:
        yield part


def play_out(game: Game, player: Player, states: States, seeds: Array) -> None:
    """To the end of all games, by the player on all seats."""
    lab = lab_of(game.name)
    interventions = np.zeros(len(states), lab.interventions)
    which = np.zeros(len(states), np.int32)
    log = np.zeros((len(states), game.max_decisions + 1), np.int32)
    rows = np.flatnonzero(states["over"] == 0)
    while len(rows):
        decisions = DecisionBatch(game, states, rows, seeds[rows], which=which[rows])
        actions = np.ascontiguousarray(player.act_batch(decisions), np.int64)
        bad = lab.matches.play_rows(states, game.tables, which, rows, actions, interventions, log)
        if bad >= 0:
            row = int(rows[bad])
            action = game.from_view(game.seat(states, row), int(actions[bad]))
            raise PlayerError(f"agent {player.name}: {game.why_illegal(states, row, action)}")
        rows = rows[states["over"][rows] == 0]


# ---------------------------------------------------------------- what a finished game is worth


def worth_of(game: Game, states: States) -> Array:
    """[game, CHANCE LEAD or WORTH, seat] of finished games.

    The victory is shared by those who are first; who is in a team has what its team has. The lead is over the best
    other team. Where all play together there is no victory to share, and what counts is what they have reached.
    """
    totals = np.zeros((len(states), game.num_seats))
    ranks = np.zeros((len(states), game.num_seats))
    found = game.new_scores()
    for row in range(len(states)):
        game.kernels.scores(states, row, game.tables, *found)
        totals[row], ranks[row] = found.totals[: game.num_seats], found.ranks[: game.num_seats]
    if not game.is_contest:
        reached = np.broadcast_to(totals.min(axis=1, keepdims=True), totals.shape)
        return np.stack([np.zeros_like(totals), reached, reached], axis=1)
    teams = np.array(game.teams)
    first = ranks == ranks.min(axis=1, keepdims=True)
    by_team = np.stack([first[:, teams == team].any(axis=1) for team in range(teams.max() + 1)], axis=1)
    together = np.sum if game.facts.team_score == "sum" else np.min
    points = np.stack([together(totals[:, teams == team], axis=1) for team in range(teams.max() + 1)], axis=1)
    best_other = np.stack(
        [np.delete(points, team, axis=1).max(axis=1) for team in range(points.shape[1])], axis=1
    )
    shares = (by_team / by_team.sum(axis=1, keepdims=True))[:, teams]
    lead = (points - best_other)[:, teams]
    return np.stack([shares, lead, shares + np.tanh(lead / game.facts.score_scale) / 2], axis=1)
