"""The flow of a game: turns, and the end (RULES 5, PROTOCOL 2)."""

from __future__ import annotations

from .asking import Asking, ask, cell_of, terrain_of
from .data import TERRAIN
from .state import State, Tile


def whole_game(state: State) -> Asking:
    """Turn after turn until the game is over; a position may be over before the first."""
    if state.is_over():
        return
    while True:
        state.seat = state.next_with_tile(state.seat)
        yield from turn(state)
        if state.is_over():
            return
        state.seat = (state.seat + 1) % state.players


def turn(state: State) -> Asking:
    """A roll, then the first tile, then perhaps the second (RULES 5, steps 1 to 6)."""
    seat = state.seat
    state.dice = state.rolls[state.turns]  # those passed over take none
    state.turns += 1
    state.placed = 0
    state.die_left = None
    first = terrain_of((yield from ask(seat, "first", tiles(state.terrains_of(seat)))))
    state.die_left = die_left_by(state, seat, first)
    yield from place(state, first)
    if state.die_left is None or state.is_over() or not state.terrains_of(seat):
        return
    answer = yield from ask(seat, "second", ["end", *tiles(second_terrains(state, seat, state.die_left))])
    state.die_left = None
    if answer != "end":
        yield from place(state, terrain_of(answer))


def die_left_by(state: State, seat: int, terrain: str) -> str | None:
    """Step 2, before the tile leaves the supply: the other die than the one it uses; None if it uses none."""
    a, b = state.dice[0], state.dice[1]
    for used, left in ((a, b), (b, a)):
        if TERRAIN.get(used) == terrain:
            return left
    for used, left in ((a, b), (b, a)):
        if state.is_open(seat, used):
            return left
    return None


def second_terrains(state: State, seat: int, die: str) -> list[str]:
    """Step 5, after the first tile is placed."""
    return state.terrains_of(seat) if state.is_open(seat, die) else [TERRAIN[die]]


def place(state: State, terrain: str) -> Asking:
    """Steps 3 and 6: on any free cell; the tile leaves the supply now."""
    state.chosen = terrain
    cell = cell_of((yield from ask(state.seat, "cell", [f"cell:{cell}" for cell in state.free])))
    state.put(cell, Tile(terrain, state.seat))
    state.chosen = None
    state.placed += 1


def tiles(terrains: list[str]) -> list[str]:
    return [f"tile:{terrain}" for terrain in terrains]
