"""What the fields of a state may hold (core/bounds.py): a state that comes from bytes is held to it."""

from __future__ import annotations

from genesia_rl.core.bounds import of_seats, set_of
from genesia_rl.core.game import Bounds
from genesia_rl.games.genesis.actions import CELL_BASE, LEGAL_WORDS
from genesia_rl.games.genesis.config import Config
from genesia_rl.games.genesis.names import CELL_WORDS, MAX_CELLS, MAX_SEATS, NUM_FACES, NUM_TERRAINS
from genesia_rl.games.genesis.state import STATE

MOST_POINTS = 30_000


def state_bounds(config: Config) -> dict[str, Bounds]:
    """The bounds of every field behind the header."""
    cells, last = config.board.cells, config.players - 1
    tiles, cell = (0, cells), (0, MAX_CELLS - 1)
    both = set_of(NUM_TERRAINS + MAX_SEATS)[1]
    return {
        "first": (0, last), "turn": (0, cells), "left": (0, NUM_FACES), "pending": (0, NUM_TERRAINS),
        "free_cells": tiles, "middles": tiles, "free": set_of(CELL_BASE + cells, LEGAL_WORDS),
        "largest": tiles, "ties": tiles, "times": (0, 127), "herds": set_of(cells, CELL_WORDS),
        "tile": (0, both), "zone": cell, "zone_tiles": (0, 255), "herd": cell, "herd_tiles": (0, 255),
        "num_rolls": (0, MAX_CELLS), "dice": (0, NUM_FACES * NUM_FACES - 1),
        **of_seats(STATE, config.players, MAX_SEATS, {
            "supply": (0, config.tiles), "points": (0, MOST_POINTS),
            "twice_more": (0, 127), "thrice_more": (0, 127),
        }),
    }  # fmt: skip
