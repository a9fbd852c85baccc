"""Who sits where. A *side* is who wins together: a seat, or a team's seats.

A line-up names the entrant of every side, before they are seated. Every deal is played in all seatings of
its line-up if they are few, else in a square: every side of the line-up has every place equally often. Who
sits beside whom is balanced only about: Williams' squares (1949) are balanced along a row, and a table is
round. With four or six sides every one has every other at its left hand once or twice, with five twice or
three times.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game

MOST_SEATINGS = 12  # of one deal

Lineup = tuple[int, ...]


def sides_of(game: Game) -> tuple[tuple[int, ...], ...]:
    """The seats of each side: one seat each, or the teams."""
    teams = sorted(set(game.teams))
    return tuple(tuple(seat for seat, team in enumerate(game.teams) if team == t) for t in teams)


def seatings(lineup: Sequence[int]) -> list[Lineup]:
    """Line-ups with the same entrants in other places; each is played with the same deal."""
    different = sorted(set(permutations(lineup)))
    if len(different) <= MOST_SEATINGS:
        return different
    return sorted({tuple(lineup[place] for place in row) for row in balanced_square(len(lineup))})


def balanced_square(n: int) -> list[Lineup]:
    """Rows of places; Williams' design: n rows if n is even, else twice as many. Each follows each equally
    often, if the first of a row does not count as following the last."""
    first = [place for pair in zip(range(n), reversed(range(n)), strict=True) for place in pair][:n]
    rows = [tuple((place + shift) % n for place in first) for shift in range(n)]
    return rows if n % 2 == 0 else rows + [row[::-1] for row in rows]


def lineups(entrants: int, sides: int) -> list[Lineup]:
    """Which entrants meet: all of them, or all choices of as many as there are sides.

    If there are fewer entrants than sides they sit several times, as evenly as can be.
    """
    if entrants >= sides:
        return list(combinations(range(entrants), sides))
    often, more = divmod(sides, entrants)
    once = tuple(entrant for entrant in range(entrants) for _ in range(often))
    return [tuple(sorted((*once, *chosen))) for chosen in combinations(range(entrants), more)]


def mirrors(entrants: int, sides: int) -> list[Lineup]:
    """Everybody against itself."""
    return [(entrant,) * sides for entrant in range(entrants)]


def one_against(sides: int, one: int = 0, others: int = 1) -> list[Lineup]:
    """One entrant, and another on all the other sides."""
    if sides < 2:
        raise ConfigError(f"sides = {sides}, allowed is 2 or more")
    return [(one, *(others,) * (sides - 1))]


def rotations(seats: int) -> npt.NDArray[np.int64]:
    """[turn, seat]: players 0, 1, ... sit in this order round the table, the first of them at each seat in turn."""
    return np.asarray((np.arange(seats) - np.arange(seats)[:, None]) % seats)
