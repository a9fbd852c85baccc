"""The actions (PROTOCOL 1): their numbers and their texts.

An action is the place of a bit in the legal set. There is no gap: `end`, the terrains, the cells of the
board. No action names a seat, so every seat numbers them alike.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from genesia_rl.core.errors import ActionError
from genesia_rl.games.genesis.names import MAX_CELLS, NUM_TERRAINS, TERRAINS, WORD

END_ACTION = 0
TILE_BASE = 1
CELL_BASE = TILE_BASE + NUM_TERRAINS
LEGAL_WORDS = -(-(CELL_BASE + MAX_CELLS) // WORD)


class Segment(NamedTuple):
    """The numbers of one verb: `base + object`, for `size` objects."""

    verb: str
    base: int
    size: int


def num_actions(cells: int) -> int:
    """PROTOCOL 1: 1 + 4 + width x height."""
    return CELL_BASE + cells


def segments(cells: int) -> tuple[Segment, ...]:
    """PROTOCOL 1: the verbs in the order of their numbers."""
    return (
        Segment("end", END_ACTION, 1),
        Segment("tile", TILE_BASE, NUM_TERRAINS),
        Segment("cell", CELL_BASE, cells),
    )


def verb_of(action: int, cells: int) -> tuple[str, int]:
    """The verb and the object of an action, on a board of so many cells."""
    for segment in segments(cells):
        if segment.base <= action < segment.base + segment.size:
            return segment.verb, action - segment.base
    raise ActionError(f"action {action}: no such action, allowed are 0..{num_actions(cells) - 1}")


def action_text(action: int, cells: int) -> str:
    """PROTOCOL 1: `end`, `tile:forest`, `cell:57`."""
    verb, place = verb_of(int(action), cells)
    objects = {"end": "", "tile": f":{TERRAINS[place % NUM_TERRAINS]}", "cell": f":{place}"}
    return verb + objects[verb]


_TEXT = re.compile(r"end|tile:([a-z]+)|cell:(0|[1-9][0-9]{0,8})")


def parse_action(text: str, cells: int) -> int:
    """PROTOCOL 1: the number of an action's text."""
    match = _TEXT.fullmatch(text) if isinstance(text, str) else None
    if match is None:
        raise ActionError(f"action {text!r}: cannot be parsed, allowed are end, tile:TERRAIN and cell:NUMBER")
    terrain, cell = match.groups()
    if terrain is not None:
        return _parse_terrain(text, terrain)
    return END_ACTION if cell is None else _parse_cell(text, int(cell), cells)


def _parse_terrain(text: str, terrain: str) -> int:
    if terrain not in TERRAINS:
        raise ActionError(f"action {text!r}: no such terrain, allowed are {', '.join(TERRAINS)}")
    return TILE_BASE + TERRAINS.index(terrain)


def _parse_cell(text: str, cell: int, cells: int) -> int:
    if cell >= cells:
        raise ActionError(f"action {text!r}: no such cell, allowed are 0..{cells - 1}")
    return CELL_BASE + cell
