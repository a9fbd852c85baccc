"""Counts of a seat in plain Python, from the public state and the data files (RULES 8).

For texts, results and checks; compiled code counts by tables (rules/counts.py), and `check_state` and the tests
compare the two.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from genesia_rl.games.age_of_civilization.config import Config
from genesia_rl.games.age_of_civilization.data.board import Need
from genesia_rl.games.age_of_civilization.data.box import Box, load_box
from genesia_rl.games.age_of_civilization.data.effects import Effect
from genesia_rl.games.age_of_civilization.names import (
    COLUMNS,
    G_INHERITED,
    G_MAIN,
    G_TECHNOLOGY,
    G_WONDER,
    ROUNDS,
    ROWS,
)
from genesia_rl.games.age_of_civilization.tables import members


@dataclass(frozen=True)
class Recount:
    """One state of one configuration."""

    config: Config
    state: np.void

    @cached_property
    def box(self) -> Box:
        """What the data files say; they are looked at once."""
        return load_box(self.config.data)

    @property
    def seats(self) -> range:
        """All seats."""
        return range(self.config.players)

    # ---- what a seat has
    def main(self, seat: int) -> int | None:
        """The civilization whose main ability is in force."""
        found = members(self.state["own"][seat, G_MAIN])
        return found[0] if found else None

    def civilizations(self, seat: int) -> list[int]:
        """All its civilizations."""
        return members(self.state["own"][seat, G_INHERITED])

    def technologies(self, seat: int) -> list[int]:
        """All its technologies."""
        return members(self.state["own"][seat, G_TECHNOLOGY])

    def wonders(self, seat: int) -> list[int]:
        """All its wonders."""
        return members(self.state["own"][seat, G_WONDER])

    def abilities(self, seat: int) -> Iterator[tuple[Effect, ...]]:
        """RULES 7: the abilities in force, in the order in which they are done."""
        box, main = self.box, self.main(seat)
        if main is not None:
            yield box.civilization(main).main
        for number in self.civilizations(seat):
            yield box.civilization(number).inherited
        for number in self.technologies(seat):
            yield box.technology(number).effects
        for number in self.wonders(seat):
            yield box.wonder(number).effects

    # ---- counts
    def count(self, seat: int, word: str) -> int:
        """RULES 8, third table."""
        if word == "force":
            return self.force(seat)
        if word == "strongest":
            return int(self.is_strongest(seat))
        cells = [self.box.technology(number).cell for number in self.technologies(seat)]
        by_column = [sum(column == c for c, _ in cells) for column in range(1, COLUMNS + 1)]
        if word.startswith("row_"):
            return sum(row == int(word[-1]) for _, row in cells)
        found = {
            "flat": 1,
            "technologies": len(cells),
            "columns": sum(number > 0 for number in by_column),
            "full_columns": sum(number >= ROWS for number in by_column),
            "wonders": len(self.wonders(seat)),
            "civilizations": len(self.civilizations(seat)),
            "future": ROUNDS - int(self.state["round"]),
            "bonus": int(self.state["bonus"]),
        }
        return found[word] if word in found else int(self.state[word][seat])

    def force(self, seat: int) -> int:
        """RULES 1: the sum of all `force` effects in force."""
        effects = [effect for ability in self.abilities(seat) for effect in ability if effect.do == "force"]
        return sum(self.amount(seat, effect) for effect in effects if self.holds(seat, effect))

    def forces(self) -> list[int]:
        """The force of every seat."""
        return [self.force(seat) for seat in self.seats]

    def is_strongest(self, seat: int) -> bool:
        """RULES 1 and 12: nobody has more, in solo not the virtual opponent."""
        rivals = [int(self.state["round"]) - 1] if self.config.is_solo else self.forces()
        return self.force(seat) >= max(rivals)

    def holds(self, seat: int, effect: Effect) -> bool:
        """RULES 8: does its need hold?"""
        if not effect.need:
            return True
        return Need(effect.need, effect.least, effect.most).holds(self.count(seat, effect.need))

    def amount(self, seat: int, effect: Effect) -> int:
        """RULES 8: n x floor(count / div), at most cap."""
        found = effect.n * (self.count(seat, effect.per) // effect.div)
        return found if effect.cap is None else min(found, effect.cap)

    def achievements(self, seat: int, score: int) -> list[int]:
        """RULES 12: those whose points the score reaches and whose needs hold."""
        return [
            found.number
            for found in self.box.board.achievements
            if score >= found.points and all(need.holds(self.count(seat, need.count)) for need in found.needs)
        ]
