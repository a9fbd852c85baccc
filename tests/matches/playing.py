"""Games for the tests of matches: players that write down what they do, games stepped turn by turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from genesia_rl.core.game import Game
from genesia_rl.core.lab import lab_of
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.matches.play import Match, plain_match


class Recorder(Player):
    """Plays like another, and writes down the actions of each game in absolute numbering."""

    name = "recorder"

    def __init__(self, inner: Player, log: dict[int, list[int]]) -> None:
        self.inner, self.log = inner, log

    def act_batch(self, seen: DecisionBatch) -> Any:
        actions = self.inner.act_batch(seen)
        for row, action in zip(seen.rows.tolist(), actions.tolist(), strict=True):
            seat = seen.game.seat(seen.states, row)
            self.log.setdefault(row, []).append(seen.game.from_view(seat, action))
        return actions


class Looker(Player):
    """Plays like another, and shows every state in which it is asked."""

    name = "looker"

    def __init__(self, inner: Player, look: Callable[[Game, Any, int], None]) -> None:
        self.inner, self.look = inner, look

    def act_batch(self, seen: DecisionBatch) -> Any:
        for row in seen.rows.tolist():
            self.look(seen.game, seen.states, row)
        return self.inner.act_batch(seen)


def turns(game: Game, player: Player, match: Match) -> Iterator[Any]:
    """The states of all games at their first decision, then after every turn, to the end of the longest."""
    states, rows = game.new_states(len(match.seeds)), np.arange(len(match.seeds))
    log, kernels = np.zeros((len(rows), 4000), np.int32), lab_of(game.name).matches
    kernels.begin_rows(states, game.tables, match.which, match.seeds, match.interventions)
    yield states
    while len(rows):
        actions = np.asarray(player.act_batch(DecisionBatch(game, states, rows, match.seeds[rows])), np.int64)
        bad = kernels.play_rows(states, game.tables, match.which, rows, actions, match.interventions, log)
        assert bad == -1
        rows = rows[states["over"][rows] == 0]
        yield states


def games_of(game: Game, count: int, players: int = 1, first: int = 0) -> Match:
    """Plain games with the seeds from `first` on; players take turns round the table, game by game."""
    seats = np.arange(game.num_seats)
    lineup = (seats[None] + np.arange(count)[:, None]) % players
    return plain_match(game, np.arange(first, first + count, dtype=np.uint64), lineup)


def chi_square(counts: Sequence[int], shares: Sequence[float] | None = None) -> float:
    """The probability of counts so far from their shares (equal ones by default), or farther."""
    from scipy import stats

    expected = None if shares is None else np.asarray(shares) * sum(counts)
    return float(stats.chisquare(counts, expected).pvalue)
