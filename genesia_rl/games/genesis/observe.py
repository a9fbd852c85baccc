"""What a seat sees: tables of its pieces, and the kernel that writes them into one int8 buffer.

Everything is seen from the observer's own seat, which is 0; the next one clockwise is 1. All of a game is
public but the rolls of later turns, and of `dice` this file reads the roll of this turn alone. Numbers
beyond int8 are clipped. Sizes depend on the number of seats n and of cells C, in use or not:

    cells   [9 + n, C]            planes       seats   [n, SEAT_FEATURES]   rows
    globals [GLOBALS]

A plane is written by a loop over the bytes of the board that does the same for each: a processor makes 32
of them at a time.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.core.pieces import MOST, Piece, TokenSet
from genesia_rl.games.genesis.actions import CELL_BASE
from genesia_rl.games.genesis.names import (
    FACES,
    K_CELL,
    KINDS,
    MAX_TILES,
    NUM_FACES,
    NUM_TERRAINS,
    SCORE_PARTS,
    TERRAINS,
)
from genesia_rl.games.genesis.rules.scoring import part_of
from genesia_rl.games.genesis.rules.tiles import seat_bit, terrain_bit
from genesia_rl.games.genesis.rules.turn import face, is_open

#: Places in arrays are unsigned where it counts: a signed one could be negative, and Python's meaning of that
#: (from the end) keeps a loop from being made 32 bytes at a time.
U = np.uint64


class Row(NamedTuple):
    """A line of the tables below: one named part of the observation, its bounds, and what it says."""

    name: str
    low: int
    high: int
    meaning: str
    size: int = 1
    words: int = 0


#: Sizes of zones and herds are compared, so a network has an input for each; greater ones are as good as this.
SIZES = 16
#: One plane each; those of the terrains in their order.
PLANES = (
    Row("in_use", 0, 1, "the cell takes a tile in this game"),
    Row("free", 0, 1, "it is in use and has no tile"),
    Row("can_place", 0, 1, "legal now: place the tile there"),
    *(Row(terrain, 0, 1, f"a tile of {terrain}, whoever owns it") for terrain in TERRAINS),
    Row("zone_tiles", 0, MOST, "tiles of the zone that the cell is in; 0 without a tile", words=SIZES),
    Row("herd_tiles", 0, MOST, "tiles of the herd that the cell is in; 0 without a tile", words=SIZES),
)
#: One plane for each seat, the observer's own first.
SEAT_PLANES = (Row("owner", 0, 1, "a tile of the seat, whatever its terrain"),)

SEAT_FEATURES = (
    Row("supply", 0, MAX_TILES, f"tiles in supply: {', '.join(TERRAINS)}", NUM_TERRAINS),
    Row("total", 0, MOST, "score if the game ended now"),
    Row("parts", 0, MOST, f"its parts: {', '.join(SCORE_PARTS)}", NUM_TERRAINS),
    Row("is_turn", 0, 1, "it is this seat's turn"),
)
GLOBALS = (
    Row("kind", 0, 1, "kind of the decision that is being asked, one-hot", len(KINDS)),
    Row("my_decision", 0, 1, "the observer is asked"),
    Row("first_die", 0, 1, f"what the first die shows, one-hot: {', '.join(FACES)}", NUM_FACES),
    Row("second_die", 0, 1, "what the second die shows, likewise; nothing when the game is over", NUM_FACES),
    Row("left", 0, 1, "what the die that is left shows, one-hot: none, then likewise", 1 + NUM_FACES),
    Row("left_is_open", 0, 1, "the die that is left takes any tile of the seat now"),
    Row("pending", 0, 1, "terrain that is chosen and not yet placed, one-hot: none, then the four",
        1 + NUM_TERRAINS),
    Row("can_end", 0, 1, "legal now: decline the second tile"),
    Row("can_take", 0, 1, "legal now: a tile of this terrain", NUM_TERRAINS),
    Row("free_cells", 0, MOST, "free cells"),
    Row("middles", 0, MOST, "free cells with two free neighbours or more; without one there is no room"),
    Row("times", 0, 3, "multiplier of the largest zone of each terrain; 0 if it is too small to score",
        NUM_TERRAINS),
)  # fmt: skip

NUM_PLANES = len(PLANES)
NUM_SEAT_FEATURES = sum(row.size for row in SEAT_FEATURES)
NUM_GLOBALS = sum(row.size for row in GLOBALS)


def _places(rows: tuple[Row, ...]) -> Iterator[U]:
    """Where each row begins."""
    return (U(sum(row.size for row in rows[:k])) for k in range(len(rows)))


_, AT_TOTAL, AT_PARTS, AT_TURN = _places(SEAT_FEATURES)
(
    _, AT_MINE, AT_FIRST_DIE, AT_SECOND_DIE, AT_LEFT, AT_OPEN, AT_PENDING, AT_LEGAL, _, AT_FREE,
    AT_MIDDLES, AT_TIMES,
) = _places(GLOBALS)  # fmt: skip


def num_planes(seats: int) -> int:
    """Planes over the cells."""
    return NUM_PLANES + len(SEAT_PLANES) * seats


def observation_size(seats: int, cells: int) -> int:
    """Bytes of one observation."""
    return num_planes(seats) * cells + seats * NUM_SEAT_FEATURES + NUM_GLOBALS


def layout(seats: int, cells: int) -> tuple[Piece, ...]:
    """Where every piece lies in the buffer, in order; the groups follow one another without a gap."""
    found: list[Piece] = []

    def add(group: str, row: Row, shape: tuple[int, ...]) -> None:
        start = found[-1].stop if found else 0
        found.append(Piece(f"{group}_{row.name}", start, shape, row.low, row.high, row.meaning, row.words))

    for row in PLANES:
        add("cell", row, (cells,))
    for row in SEAT_PLANES:
        add("cell", row, (seats, cells))
    for seat in range(seats):
        for row in SEAT_FEATURES:
            add(f"seat{seat}", row, (row.size,))
    for row in GLOBALS:
        add("global", row, (row.size,))
    return tuple(found)


def groups(seats: int, cells: int) -> tuple[Piece, ...]:
    """The three groups as arrays."""
    found: list[Piece] = []
    for name, shape, meaning in (
        ("cells", (num_planes(seats), cells), "planes over the cells"),
        ("seats", (seats, NUM_SEAT_FEATURES), "rows of features, the own seat first"),
        ("globals", (NUM_GLOBALS,), "the rest"),
    ):
        start = found[-1].stop if found else 0
        found.append(Piece(name, start, shape, 0, MOST, meaning))
    return tuple(found)


def token_sets(seats: int, cells: int, edges: npt.NDArray[np.int64]) -> tuple[TokenSet, ...]:
    """The things that the observation speaks of: the cells, with who is a neighbour of whom."""
    return (TokenSet("cells", 0, num_planes(seats), cells, edges),)


# ---------------------------------------------------------------- the kernel


@kernel
def observe(s, t, seat, out):
    """Write what the seat sees into `out`, an int8 array of `observation_size` bytes."""
    seats, cells = np.int64(t["seats"]), U(t["cells"])
    put_free(s, t, seat, out, cells)
    place = put_tiles(s, out, U(3) * cells, cells)
    for k in range(seats):
        put_bit(s["tile"], seat_bit(seat_after(seat, k, seats)), out, place, cells)
        place += cells
    for k in range(seats):
        put_seat(s, U(seat_after(seat, k, seats)), out, place)
        place += U(NUM_SEAT_FEATURES)
    put_globals(s, seat, out, place)


@kernel
def seat_after(seat, k, seats):
    """The k-th seat from this one clockwise."""
    return seat + k if seat + k < seats else seat + k - seats


@kernel
def clip(number):
    """A number as int8."""
    return min(np.int64(number), MOST)


# ---------------------------------------------------------------- planes


@kernel
def put_free(s, t, seat, out, cells):
    """The cells in use, of these the free ones, and the same again if the seat may place a tile there now."""
    is_asked = np.uint8(s["seat"] == seat and s["kind"] == K_CELL)
    for cell in range(cells):
        out[cell] = t["used"][cell]
    for cell in range(cells):
        out[cells + cell] = t["used"][cell] & (s["tile"][cell] == 0)
    for cell in range(cells):
        out[cells + cells + cell] = t["used"][cell] & (s["tile"][cell] == 0) & is_asked


@kernel
def put_bit(tiles, bit, out, place, cells):
    """Where a tile has this bit."""
    for cell in range(cells):
        out[place + cell] = tiles[cell] & bit != 0


@kernel
def put_clipped(numbers, out, place, cells):
    """Numbers as int8."""
    for cell in range(cells):
        out[place + cell] = clip(numbers[cell])


@kernel
def put_tiles(s, out, place, cells):
    """The planes of the terrains, of zones and of herds from `place` on; returns where they end."""
    for terrain in range(NUM_TERRAINS):
        put_bit(s["tile"], terrain_bit(terrain), out, place, cells)
        place += cells
    put_clipped(s["zone_tiles"], out, place, cells)
    put_clipped(s["herd_tiles"], out, place + cells, cells)
    return place + cells + cells


# ---------------------------------------------------------------- seats and the rest


@kernel
def put_seat(s, seat, out, place):
    """The features of a seat, in the order of SEAT_FEATURES."""
    total = 0
    for terrain in range(U(NUM_TERRAINS)):
        points = part_of(s, seat, terrain)
        out[place + terrain] = s["supply"][seat, terrain]
        out[place + AT_PARTS + terrain] = clip(points)
        total += points
    out[place + AT_TOTAL] = clip(total)
    out[place + AT_TURN] = s["seat"] == np.int64(seat)


@kernel
def put_globals(s, seat, out, place):
    """The globals, in the order of GLOBALS."""
    for k in range(U(NUM_GLOBALS)):
        out[place + k] = 0
    out[place + U(s["kind"])] = 1
    if not s["over"]:
        put_dice(s, out, place)
    out[place + AT_PENDING + U(s["pending"])] = 1
    if s["seat"] == seat:
        out[place + AT_MINE] = 1
        for action in range(U(CELL_BASE)):
            out[place + AT_LEGAL + action] = np.int8((s["legal"][0] >> action) & bits.ONE)
    out[place + AT_FREE] = clip(s["free_cells"])
    out[place + AT_MIDDLES] = clip(s["middles"])
    for terrain in range(U(NUM_TERRAINS)):
        out[place + AT_TIMES + terrain] = s["times"][terrain]


@kernel
def put_dice(s, out, place):
    """The roll of this turn and the die that is left."""
    left = np.int64(s["left"])
    out[place + AT_FIRST_DIE + U(face(s, 0))] = 1
    out[place + AT_SECOND_DIE + U(face(s, 1))] = 1
    out[place + AT_LEFT + U(left)] = 1
    out[place + AT_OPEN] = left > 0 and is_open(s, np.int64(s["seat"]), left - 1)
