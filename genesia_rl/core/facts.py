"""The facts of a game: declared first, and everything is sized by them.

Records of results, of a batch's rows and of reward settings have as many seats and score parts as the game
needs at most, so that a small game pays nothing for a large one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

#: Who plays a seat of a row: the learner, the compiled random player, or (from 1 on) a player that is asked.
LEARNER, RANDOM_PLAYER = -1, 0
#: How the learner's seat changes from game to game.
SEATINGS = ("fixed", "rotate", "random")
SEAT_FIXED, SEAT_ROTATING, SEAT_RANDOM = range(len(SEATINGS))
#: How the score of a team follows from those of its members.
TEAM_SCORES = ("lowest", "sum")

#: What every state begins with: the seat to act (-1 when the game is over), the kind of its decision, whether
#: the game is over, the number of legal actions, the decisions taken, and the legal set as bits.
HEADER = ("seat", "kind", "over", "num_legal", "steps", "legal")


@dataclass(frozen=True)
class Facts:
    """What holds for a game in every configuration."""

    name: str
    version: int  # raised whenever the same seed and actions could give another result
    most_seats: int
    kinds: tuple[str, ...]  # of decisions, by their number in a state's header
    max_decisions: int  # no game may take more
    score_parts: tuple[str, ...] = ()  # what a total is made of; none if it has no parts
    secret_parts: tuple[str, ...] = ()  # those of them that only their own seat knows before the end
    team_score: str = "lowest"
    score_scale: float = 50.0  # points of a margin that a reward counts as 1
    joint_scale: float = 100.0  # points of a joint score that a reward counts as 1
    #: more fields of a result row, as NumPy describes fields; `rules.put_extra(s, t, result)` fills them
    extra_results: tuple[tuple[Any, ...], ...] = ()

    @cached_property
    def result_dtype(self) -> np.dtype[Any]:
        """A finished game: parts of every seat's score, totals, how many rank before each seat, the first
        turn order, the number of decisions."""
        seats = (self.most_seats,)
        return np.dtype(
            [
                ("parts", np.int32, (self.most_seats, self.part_columns)),
                ("totals", np.int32, seats),
                ("ranks", np.int8, seats),
                ("order", np.int8, seats),
                ("steps", np.int32),
                *self.extra_results,
            ],
            align=True,
        )

    @property
    def part_columns(self) -> int:
        """Columns of `parts`: one that stays empty where a score has no parts, as no array is empty."""
        return max(1, len(self.score_parts))

    @cached_property
    def row_dtype(self) -> np.dtype[Any]:
        """What a batch keeps about each of its games, beside the state.

        `seed` is the game's own; the next game of the row has the seed mixed from it, so that a row plays
        the same games in every batch. `table` is the configuration of the present game, as a place in the
        batch's tables, `next_table` that of the next. `length` counts the learner's decisions: the steps
        of an environment (where it plays all seats, all of them).
        """
        seats = (self.most_seats,)
        return np.dtype(
            [
                ("seed", np.uint64),
                ("stream", np.uint64),
                ("table", np.int32),
                ("next_table", np.int32),
                ("seat", np.int8),
                ("kind", np.int8),
                ("learner", np.int8),
                ("done", np.int8),
                ("order", np.int8, seats),
                ("controller", np.int16, seats),
                ("lineup", np.int16, seats),
                ("length", np.int32),
                ("episode", np.int64),
                ("reward", np.float32, seats),
                ("sum", np.float32, seats),
                ("potential", np.float32, seats),
                ("scratch_parts", np.int32, (self.most_seats, self.part_columns)),
                ("scratch_totals", np.int32, seats),
                ("scratch_ranks", np.int8, seats),
                # of the game that has just ended, while `done` is set
                ("final_reward", np.float32, seats),
                ("final_sum", np.float32, seats),
                ("final_length", np.int32),
                ("final_learner", np.int8),
                ("final_seed", np.uint64),
            ],
            align=True,
        )

    @cached_property
    def settings_dtype(self) -> np.dtype[Any]:
        """How a trainer wants to be paid: one record that compiled loops read."""
        return np.dtype(
            [
                ("reward", np.int8),
                ("scale", np.float32),
                ("shaping", np.float32),
                ("gamma", np.float32),
                ("joint_scale", np.float64),
                ("is_contest", np.int8),
                ("team_sum", np.int8),
                ("seats", np.int8),
                ("team", np.int8, (self.most_seats,)),
                ("secret", np.int8, (self.part_columns,)),
                ("seating", np.int8),
            ],
            align=True,
        )
