"""Configuration and data, compiled into one record of arrays that every kernel takes as an argument.

Kernels know no file and no word: how large the board is, which cells neighbour, what the dice show is
here. One record serves every configuration with the same compiled code.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genesia_rl.core.bits import put
from genesia_rl.core.records import TableField, tables_dtype
from genesia_rl.games.genesis.actions import CELL_BASE, num_actions
from genesia_rl.games.genesis.config import Config
from genesia_rl.games.genesis.data.board import Board
from genesia_rl.games.genesis.data.pieces import Pieces, load_data
from genesia_rl.games.genesis.names import (
    DIE_PAIRS,
    FACES,
    MAX_CELLS,
    MAX_NEIGHBOURS,
    NUM_FACES,
    WORD,
)
from genesia_rl.games.genesis.state import RECORDS

NO_SEAT = -1
_CELLS = (MAX_CELLS,)

FIELDS: tuple[TableField, ...] = (
    # The configuration (RULES 3): the seat of the first turn, -1 if chance decides.
    ("seats", np.int8, ()),
    ("first_player", np.int8, ()),
    # The board (RULES 2): its cells, the words of a set of them, how many are in use and which.
    ("cells", np.int16, ()),
    ("words", np.int16, ()),
    ("num_actions", np.int16, ()),
    ("num_used", np.int16, ()),
    ("used", np.uint8, _CELLS),
    # The neighbours of a cell that are in use, in ascending order.
    ("degree", np.int8, _CELLS),
    ("neighbour", np.uint8, (MAX_CELLS, MAX_NEIGHBOURS)),
    # The roll of each pair of sides: 5 x the face of the first die + that of the second.
    ("roll", np.int8, (DIE_PAIRS,)),
)

Tables = npt.NDArray[np.void]


TABLES = tables_dtype(RECORDS, FIELDS)
WIDE_TABLES = tables_dtype(RECORDS, FIELDS, wide=True)


def build_tables(config: Config, wide: bool = False) -> Tables:
    """All tables of a configuration, as an array of one record."""
    tables = np.zeros(1, WIDE_TABLES if wide else TABLES)
    t = tables[0]
    t["seats"] = config.players
    t["first_player"] = NO_SEAT if config.first_player is None else config.first_player
    _put_board(t, config.board, config.players)
    _put_dice(t, load_data(config.data).pieces)
    _put_start(t, config)
    return tables


def used_neighbours(board: Board, players: int) -> dict[int, list[int]]:
    """RULES 1: for each cell in use its neighbours that are in use."""
    used = board.in_use(players)
    inside = set(used)
    return {cell: [other for other in board.neighbours(cell) if other in inside] for cell in used}


def _put_board(t: np.void, board: Board, players: int) -> None:
    t["cells"] = board.cells
    t["words"] = -(-board.cells // WORD)
    t["num_actions"] = num_actions(board.cells)
    neighbours = used_neighbours(board, players)
    t["num_used"] = len(neighbours)
    for cell, others in neighbours.items():
        t["used"][cell] = 1
        t["degree"][cell] = len(others)
        t["neighbour"][cell, : len(others)] = others


def _put_dice(t: np.void, pieces: Pieces) -> None:
    first, second = pieces.dice
    t["roll"] = [NUM_FACES * FACES.index(a) + FACES.index(b) for a in first for b in second]


def _put_start(t: np.void, config: Config) -> None:
    """RULES 4: the board is empty, every seat has all its tiles."""
    start = t["start"]
    neighbours = used_neighbours(config.board, config.players)
    put(start["free"], *(CELL_BASE + cell for cell in neighbours))
    start["free_cells"] = len(neighbours)
    start["middles"] = sum(len(others) >= 2 for others in neighbours.values())
    start["supply"][: config.players] = config.tiles
    start["zone"] = start["herd"] = range(MAX_CELLS)
