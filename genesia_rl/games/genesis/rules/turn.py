"""A turn, and the end of the game (RULES 5); who is asked what (PROTOCOL 2)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.genesis.actions import CELL_BASE, END_ACTION, TILE_BASE
from genesia_rl.games.genesis.names import JOKER, K_CELL, K_FIRST, NO_FACE, NUM_FACES
from genesia_rl.games.genesis.rules.legal import (
    ask_cell,
    ask_first,
    ask_nothing,
    ask_second,
    tile_bit,
    tiles_in_supply,
)
from genesia_rl.games.genesis.rules.room import has_room
from genesia_rl.games.genesis.rules.tiles import tile_of
from genesia_rl.games.genesis.rules.zones import put_tile

# ---------------------------------------------------------------- whose turn it is


@kernel
def has_tile(s, seat):
    """Is there a tile in the seat's supply?"""
    return tiles_in_supply(s, seat) != bits.ZERO


@kernel
def next_with_tile(s, t, seat):
    """R6: the seat or the first one after it, clockwise, that has a tile; -1 if nobody has one."""
    seats = np.int64(t["seats"])
    for _ in range(seats):
        if has_tile(s, seat):
            return seat
        seat = seat + 1 if seat + 1 < seats else np.int64(0)
    return np.int64(-1)


@kernel
def is_end(s, t, seat):
    """RULES 5, end: no room, or no tile in any supply."""
    return not has_room(s) or next_with_tile(s, t, seat) < 0


@kernel
def begin_game(s, t):
    """The first turn, or the end at once (PROTOCOL 4)."""
    first = np.int64(s["first"])
    if is_end(s, t, first):
        ask_nothing(s)
    else:
        begin_turn(s, next_with_tile(s, t, first))


@kernel
def begin_turn(s, seat):
    """RULES 5, roll: the roll of this turn is there; a seat with one terrain left has nothing to choose."""
    s["seat"] = seat
    ask_first(s, seat)
    if s["num_legal"] == 1:
        apply_first(s, lowest(s["legal"][0]) - TILE_BASE)


@kernel
def end_turn(s, t):
    """The turn passes to the next seat that has a tile; there is one, since the game is not over."""
    s["left"] = 0
    s["turn"] += 1
    begin_turn(s, next_with_tile(s, t, (np.int64(s["seat"]) + 1) % np.int64(t["seats"])))


# ---------------------------------------------------------------- the dice


@kernel
def face(s, die):
    """What a die shows in this turn: 0 the first, 1 the second."""
    roll = np.int64(s["dice"][s["turn"]])
    return roll // NUM_FACES if die == 0 else roll % NUM_FACES


@kernel
def is_open(s, seat, shown):
    """RULES 5, R7: does a die that shows this take any tile of the seat, judged now?"""
    return shown == JOKER or s["supply"][seat, shown] == 0


@kernel
def die_left(s, seat, terrain):
    """RULES 5, step 2: what the die left shows when this tile has used the other; -1 if it uses none.

    The exact die is used before an open one (R8), and of two that would do the first.
    """
    first, second = face(s, 0), face(s, 1)
    if first == terrain:
        return second
    if second == terrain:
        return first
    if is_open(s, seat, first):
        return second
    if is_open(s, seat, second):
        return first
    return NO_FACE


# ---------------------------------------------------------------- the three decisions


@kernel
def apply_first(s, terrain):
    """RULES 5, steps 1 and 2: the terrain of the first tile, and the die it uses."""
    s["left"] = die_left(s, np.int64(s["seat"]), terrain) + 1
    s["pending"] = terrain + 1
    ask_cell(s)


@kernel
def apply_second(s, t, action):
    """RULES 5, step 5: the terrain of the second tile, or none."""
    if action == END_ACTION:
        end_turn(s, t)
        return
    s["left"] = 0
    s["pending"] = action - TILE_BASE + 1
    ask_cell(s)


@kernel
def apply_cell(s, t, cell):
    """RULES 5, steps 3, 4 and 6: the tile is placed; the game may end at once, even here (R9)."""
    seat = np.int64(s["seat"])
    put_tile(s, t, cell, tile_of(seat, np.int64(s["pending"]) - 1))
    s["pending"] = 0
    if is_end(s, t, seat):
        s["left"] = 0
        ask_nothing(s)
    elif s["left"] > 0 and has_tile(s, seat):
        ask_second(s, second_tiles(s, seat, np.int64(s["left"]) - 1))
    else:
        end_turn(s, t)


@kernel
def second_tiles(s, seat, shown):
    """RULES 5, step 5: what fits the die left, judged now."""
    return tiles_in_supply(s, seat) if is_open(s, seat, shown) else tile_bit(shown)


@kernel
def apply_action(s, t, action):
    """Do what a legal action does, and ask the next decision."""
    if s["kind"] == K_CELL:
        apply_cell(s, t, action - CELL_BASE)
    elif s["kind"] == K_FIRST:
        apply_first(s, action - TILE_BASE)
    else:
        apply_second(s, t, action)
