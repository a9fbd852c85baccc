"""A position as readable text: the board, the seats, the dice, and what is being asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from genesia_rl.games.genesis.actions import CELL_BASE
from genesia_rl.games.genesis.names import FACES, TERRAINS, VOLCANO
from genesia_rl.games.genesis.state import States
from genesia_rl.games.genesis.text.position import cell_rows, state_dict
from genesia_rl.games.genesis.text.words import NOT_IN_USE, face_name

if TYPE_CHECKING:
    from genesia_rl.games.genesis.game import GenesisGame


def draw(game: GenesisGame, states: States, i: int) -> str:
    """The whole position; a tile is the letter of its terrain and its seat."""
    s = states[i]
    lines = [f"turn {s['turn'] + 1}, decision {s['steps']}, {s['free_cells']} free cells", ""]
    lines += [*_board(game, s), "", *_seats(game, states, i), ""]
    return "\n".join([*lines, *(["the game is over"] if s["over"] else _question(game, states, i))])


def _board(game: GenesisGame, s: np.void) -> list[str]:
    """The rows with the numbers of their first cells, the columns above; `V` and `P` are reliefs."""
    board = game.config.board
    lines = ["      " + " ".join(f"{x:>2}" for x in range(board.width))]
    for y, row in enumerate(cell_rows(game.config, s)):
        marks = [_mark(mark, board.rows[y][x]) for x, mark in enumerate(row.split(" "))]
        lines.append(f"{y * board.width:>4}  {' '.join(marks)}".rstrip())
    return lines


def _mark(mark: str, relief: str) -> str:
    """A cell that is not in use shows why: a relief, or nothing beyond the river."""
    if mark != NOT_IN_USE:
        return f"{mark:>2}"
    return {".": "  ", VOLCANO: " V"}.get(relief, " P")


def _seats(game: GenesisGame, states: States, i: int) -> list[str]:
    scores = game.scores(states, i)
    lines = []
    for seat in range(game.num_seats):
        supply = ", ".join(
            f"{number} {name}" for number, name in zip(states[i]["supply"][seat], TERRAINS, strict=True)
        )
        parts = " + ".join(map(str, scores.parts[seat].tolist()))
        lines.append(
            f"seat {seat} ({game.species(seat)}): {scores.totals[seat]} points ({parts}), supply {supply}"
        )
    return lines


def _question(game: GenesisGame, states: States, i: int) -> list[str]:
    """The roll, how far the turn is, who decides what."""
    s = states[i]
    roll = state_dict(game.config, s)["dice"]
    lines = [f"the dice show {' and '.join(map(face_name, roll))}{_how_far(s)}"]
    lines.append(f"seat {s['seat']} decides: {game.kind(states, i)}")
    legal = game.legal_actions(states, i)
    if legal[-1] >= CELL_BASE:  # there are many
        return [*lines, "  cell:N for each free cell"]
    return [*lines, "  " + " ".join(game.texts(legal))]


def _how_far(s: np.void) -> str:
    """The terrain that is chosen and not yet placed, and the die that is left."""
    found = f"; a tile of {TERRAINS[s['pending'] - 1]} is to be placed" if s["pending"] else ""
    return found + (f"; the die with {FACES[s['left'] - 1]} is left" if s["left"] else "")
