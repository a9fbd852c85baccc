"""The time track (RULES 1, 6 and 9): putting hourglasses, freeing them, removing locks."""

from __future__ import annotations

from .asking import Asking, ask_object
from .data import CUBES
from .state import State


def put_hours(state: State, seat: int, hours: int) -> Asking:
    """Each hourglass alone, or two together, on free spaces; those without room are left out."""
    free = state.free_spaces(seat)
    hours = min(hours, 2 * free)
    if hours == 0:
        return
    pairs = range(max(0, hours - free), hours // 2 + 1)
    double = int((yield from ask_object(seat, "hours", "double", pairs)))
    own = state.seats[seat]
    own.doubles += double
    own.singles += hours - 2 * double


def free_hour(state: State, seat: int) -> None:
    """A lone hourglass leaves the track; if there is none, a pair loses one."""
    own = state.seats[seat]
    if own.singles:
        own.singles -= 1
    elif own.doubles:
        own.doubles -= 1
        own.singles += 1


def unlock(state: State, seat: int) -> Asking:
    """A lock leaves the track; if there is none, one cube of a kind that has room, by choice."""
    own = state.seats[seat]
    if own.locks:
        own.locks -= 1
        return
    kinds = [cube for cube in CUBES if own.cubes[cube] < state.data.cube_slots]
    if kinds:
        cube = yield from ask_object(seat, "cube", "gain", kinds)
        state.receive(seat, cube, 1)
