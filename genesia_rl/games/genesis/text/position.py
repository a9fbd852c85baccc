"""Explicit positions (PROTOCOL 4): checked against the rules, then written into a state.

A position file is `{"config": {...}, "position": {...}}`. A position is the start of a turn, before its roll.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import cycle, islice
from typing import Any, NoReturn

import numpy as np

from genesia_rl.core.errors import PositionError
from genesia_rl.core.reading import is_int, nearest, shown
from genesia_rl.games.genesis.config import Config
from genesia_rl.games.genesis.names import FACE_LETTERS, NUM_TERRAINS, TERRAINS
from genesia_rl.games.genesis.recount import Tiles, tiles_of
from genesia_rl.games.genesis.state import States
from genesia_rl.games.genesis.tables import Tables
from genesia_rl.games.genesis.text.deal import put_rolls
from genesia_rl.games.genesis.text.words import FREE, NOT_IN_USE, ROLLS, ROLLS_ALLOWED, roll_text

KEYS = ("cells", "seat", "dice")


# ---------------------------------------------------------------- writing


def cell_rows(config: Config, state: np.void) -> list[str]:
    """PROTOCOL 3: the board as text, one string a row."""
    board, tiles, used = config.board, tiles_of(state), set(config.board.in_use(config.players))
    cells = [_cell(cell, tiles) if cell in used else NOT_IN_USE for cell in range(board.cells)]
    return [" ".join(cells[y * board.width : (y + 1) * board.width]) for y in range(board.height)]


def _cell(cell: int, tiles: Tiles) -> str:
    if cell not in tiles:
        return FREE
    terrain, seat = tiles[cell]
    return f"{FACE_LETTERS[terrain]}{seat}"


def state_dict(config: Config, state: np.void) -> dict[str, Any]:
    """PROTOCOL 3: the board, the supplies and the roll of this turn."""
    turn, rolls = int(state["turn"]), state["dice"][: state["num_rolls"]].tolist()
    return {
        "cells": cell_rows(config, state),
        "supply": state["supply"][: config.players].tolist(),
        "dice": roll_text(rolls[turn]) if turn < len(rolls) else None,  # a full board has none
    }


# ---------------------------------------------------------------- reading


def _refuse(where: str, value: object, allowed: str) -> NoReturn:
    raise PositionError(f"position: {where} = {shown(value)}, allowed {allowed}")


def put_position(
    config: Config, tables: Tables, states: States, i: int, position: Mapping[str, Any]
) -> dict[str, Any]:
    """Write a position into a state: tiles, the seat and the rolls; what follows, the rules work out.

    Returns the position with all its rolls.
    """
    _check_keys(position)
    tiles = _check_cells(position["cells"], config)
    seat = position["seat"]
    if not is_int(seat, 0, config.players - 1):
        _refuse("seat", seat, f"0..{config.players - 1}")
    dice = _check_dice(position["dice"], int(tables[0]["num_used"]) - len(tiles))

    states[i] = tables[0]["start"]
    states[i]["first"] = seat
    put_rolls(states[i], dice)
    for cell, (terrain, owner) in tiles.items():
        states[i]["tile"][cell] = 1 << terrain | 1 << NUM_TERRAINS + owner
    return {"cells": list(position["cells"]), "seat": seat, "dice": dice}


def _check_keys(position: object) -> None:
    if not isinstance(position, Mapping):
        raise PositionError(
            f"position = {shown(position)}, allowed an object with the keys {', '.join(KEYS)}"
        )
    for key in position:
        if key not in KEYS:
            _refuse(f"unknown key {key!r}", position[key], ", ".join(KEYS) + nearest(key, KEYS))
    for key in KEYS:
        if key not in position:
            raise PositionError(f"position: the key {key} is missing, allowed {', '.join(KEYS)}")


def _check_cells(value: object, config: Config) -> Tiles:
    """PROTOCOL 3 and 4: rows of cells, `##` exactly where the board has a cell that is not in use."""
    board = config.board
    if not isinstance(value, list) or len(value) != board.height:
        _refuse("cells", value, f"{board.height} strings, one a row")
    used, tiles = set(board.in_use(config.players)), {}
    for y, row in enumerate(value):
        for x, mark in enumerate(_check_row(y, row, board.width)):
            cell = y * board.width + x
            where = f"cell {cell} (row {y}, column {x})"
            if (mark == NOT_IN_USE) == (cell in used):
                is_used = "a tile or .., the cell is in use" if cell in used else "##, the cell is not in use"
                _refuse(where, mark, is_used)
            if cell in used and mark != FREE:
                tiles[cell] = _check_tile(where, mark, config.players)
    _check_numbers(tiles.values(), config.tiles)
    return tiles


def _check_row(y: int, row: object, width: int) -> list[str]:
    marks = row.split(" ") if isinstance(row, str) else []
    if len(marks) != width:
        _refuse(f"cells[{y}]", row, f"{width} cells, separated by one space")
    return marks


def _check_tile(where: str, mark: str, players: int) -> tuple[int, int]:
    """PROTOCOL 3: the letter of a terrain and a seat of the game."""
    letters = FACE_LETTERS[:NUM_TERRAINS]
    known = {f"{letter}{seat}": (t, seat) for t, letter in enumerate(letters) for seat in range(players)}
    if mark not in known:
        _refuse(where, mark, f".., or one of {' '.join(letters)} and a seat 0..{players - 1}")
    return known[mark]


def _check_numbers(tiles: Iterable[tuple[int, int]], most: int) -> None:
    """RULES 2: nobody has more tiles of a terrain than the configuration gives."""
    for (terrain, seat), number in Counter(tiles).items():
        if number > most:
            _refuse(f"{TERRAINS[terrain]} tiles of seat {seat}", number, f"at most {most}")


def _check_dice(value: object, free: int) -> list[str]:
    """PROTOCOL 4: 1..F rolls for F free cells, repeated until there are F."""
    least = min(1, free)
    if not isinstance(value, list) or not least <= len(value) <= free:
        number = f"{least}..{free}" if free else "no"
        _refuse("dice", value, f"{number} rolls, as {free} cells are free")
    for place, roll in enumerate(value):
        if roll not in ROLLS:
            _refuse(f"dice[{place}]", roll, ROLLS_ALLOWED)
    return list(islice(cycle(value), free))
