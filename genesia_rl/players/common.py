"""One network for several numbers of players: which of its rows are read at a table of so many.

Observations of more players are longer, and more actions have logits. A *common* network has a row of weights for
every input, plane, end and action that any of its numbers of players has, told apart by their names in the game's
declarations (`Layout.names`): what seat 1's coins weigh is one row, however many sit at the table. So at each table it
is a network like any other, some rows of the whole (`narrowed`), with a first bias that the number of players adds to.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import make_game
from genesia_rl.players.networks import INCREMENTAL, TABLES, Architecture, Layout, Rows

#: The rows that narrow the weights of these names; all others are the same at every table.
NARROWED = {"first": "inputs", "planes": "planes", "ends": "ends", "logits": "actions", "logits_b": "actions"}


def mark_of(players: int) -> str:
    """What names begin with that are about one of several numbers of players."""
    return f"{players}p/"


class View(NamedTuple):
    """What a table reads: rows of each kind, and which of the numbers of players it is."""

    rows: Rows
    number: int


class CommonLayout:
    """The rows of all layouts together, each once, in the order in which they are met."""

    def __init__(self, layouts: Sequence[Layout]) -> None:
        first = layouts[0]
        names = [dict.fromkeys(chain(*kind)) for kind in zip(*(own.names for own in layouts), strict=True)]
        self._place = [{name: place for place, name in enumerate(kind)} for kind in names]
        self.sizes, self.num_tables = Rows(*map(len, names)), len(layouts)
        self.game_name, self.traits, self.heads = first.game_name, first.traits, first.heads
        self.views = [self.view(own, number) for number, own in enumerate(layouts)]

    def view(self, layout: Layout, number: int) -> View:
        """The rows of a layout, all of which must be there."""
        found = []
        for places, names in zip(self._place, layout.names, strict=True):
            for name in names:
                if name not in places:
                    raise ConfigError(
                        f"{self.game_name}: the network has no weights for {name!r}, allowed is what its tables have"
                    )
            found.append(np.array([places[name] for name in names], np.int64))
        return View(Rows(*found), number)

    def check(self, architecture: Architecture) -> None:
        """Is it a network whose rows have names?"""
        if architecture.kind != INCREMENTAL:
            raise ConfigError(
                f"network kind = {architecture.kind!r}: one network for several numbers of players is of kind "
                f"{INCREMENTAL!r}"
            )


@lru_cache(maxsize=8)
def common_layout(name: str, numbers: tuple[int, ...]) -> CommonLayout:
    """That of a game for so many players."""
    return CommonLayout([Layout(make_game(name, players=number)) for number in numbers])


def narrowed(
    weights: Mapping[str, Any], view: View, convert: Callable[[Any], Any] = np.asarray
) -> dict[str, Any]:
    """The weights that are read at a table, as those of a network for one number of players."""
    found: dict[str, Any] = {}
    for name, held in weights.items():
        kind = NARROWED.get(name)
        if name != TABLES:
            found[name] = held if kind is None else held[convert(getattr(view.rows, kind))]
    found["first_b"] = found["first_b"] + weights[TABLES][view.number]
    return found
