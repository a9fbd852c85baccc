"""What is on the table, and how far the turn is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from .board import Board
from .config import board_of
from .data import JOKER, LETTER, TERRAIN, TERRAINS, Data

NO_TILE, NOT_IN_USE = "..", "##"


class Tile(NamedTuple):
    """A tile belongs to one seat and has one terrain."""

    terrain: str
    seat: int

    @property
    def text(self) -> str:
        return f"{LETTER[self.terrain]}{self.seat}"


@dataclass
class State:
    """One game at one moment. It is changed in place by the rules."""

    config: dict[str, Any]
    board: Board
    tiles: dict[int, Tile]  # by cell
    supply: list[dict[str, int]]  # by seat, then by terrain
    seat: int  # whose turn it is
    rolls: list[str]  # those of all turns, in order
    turns: int = 0  # begun so far
    placed: int = 0  # tiles placed in this turn
    dice: str = ""  # the roll of this turn
    chosen: str | None = None  # the terrain of a tile that is chosen and not yet placed
    die_left: str | None = None  # the face of the die that the first tile leaves

    @property
    def players(self) -> int:
        return len(self.supply)

    @property
    def free(self) -> list[int]:
        """The cells in use without a tile, ascending."""
        return sorted(self.board.in_use - self.tiles.keys())

    def terrains_of(self, seat: int) -> list[str]:
        """The terrains of which the seat has a tile in its supply."""
        return [terrain for terrain in TERRAINS if self.supply[seat][terrain] > 0]

    def is_open(self, seat: int, face: str) -> bool:
        """RULES 5: the joker, or a terrain of which the player has no tile left."""
        return face == JOKER or self.supply[seat][TERRAIN[face]] == 0

    def is_over(self) -> bool:
        """RULES 5: there is no room, or no seat has a tile left."""
        if not self.board.has_room(self.free):
            return True
        return not any(self.terrains_of(seat) for seat in range(self.players))

    def next_with_tile(self, seat: int) -> int:
        """The seat itself or, clockwise, the next one that has a tile (RULES 5: others are passed over)."""
        for step in range(self.players):
            other = (seat + step) % self.players
            if self.terrains_of(other):
                return other
        raise AssertionError("no seat has a tile: the game is over")

    def put(self, cell: int, tile: Tile) -> None:
        """From the supply to a free cell."""
        if cell not in self.board.in_use or cell in self.tiles or self.supply[tile.seat][tile.terrain] < 1:
            raise AssertionError(f"{tile.text} cannot go to cell {cell}")
        self.supply[tile.seat][tile.terrain] -= 1
        self.tiles[cell] = tile

    def rows(self) -> list[str]:
        """The cells as PROTOCOL 3 writes them."""
        width = self.board.width
        every = [self._cell_text(cell) for cell in range(width * self.board.height)]
        return [" ".join(every[y * width : (y + 1) * width]) for y in range(self.board.height)]

    def _cell_text(self, cell: int) -> str:
        if cell not in self.board.in_use:
            return NOT_IN_USE
        return self.tiles[cell].text if cell in self.tiles else NO_TILE

    def picture(self) -> dict[str, Any]:
        """The state before a decision (PROTOCOL 3)."""
        supply = [[self.supply[seat][terrain] for terrain in TERRAINS] for seat in range(self.players)]
        return {"cells": self.rows(), "supply": supply, "dice": self.dice}


def parse_tile(text: str) -> Tile:
    return Tile(TERRAIN[text[0]], int(text[1]))


def empty_state(config: dict[str, Any], data: Data) -> State:
    """RULES 4: the board is empty, every seat has all its tiles."""
    supply = [dict.fromkeys(TERRAINS, config["tiles"]) for _ in range(config["players"])]
    return State(config, board_of(config, data), {}, supply, seat=0, rolls=[])


def state_of_deal(config: dict[str, Any], deal: Mapping[str, Any], data: Data) -> State:
    state = empty_state(config, data)
    state.seat = deal["first"]
    state.rolls = list(deal["dice"])
    return state


def state_of_position(config: dict[str, Any], position: Mapping[str, Any], data: Data) -> State:
    """PROTOCOL 4: the supplies follow from the board. The position is valid and its rolls are complete."""
    state = empty_state(config, data)
    for y, row in enumerate(position["cells"]):
        for x, text in enumerate(row.split(" ")):
            if text not in (NO_TILE, NOT_IN_USE):
                state.put(y * state.board.width + x, parse_tile(text))
    state.seat = position["seat"]
    state.rolls = list(position["dice"])
    return state
