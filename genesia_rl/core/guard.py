"""What the methods of a game check before they let compiled code at the caller's arrays, which checks nothing itself.

`Game` wraps the methods of every game that take states, places, seats or actions, so that no game has to.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np

from genesia_rl.core.errors import ActionError, StateError
from genesia_rl.core.reading import shown

if TYPE_CHECKING:
    from genesia_rl.core.game import Game

#: Arrays that one call may ask for.
MOST_BYTES = 1 << 36


def whole(name: str, value: object, error: type[Exception] = StateError) -> int:
    """A whole number of any kind; true and false are none."""
    if type(value) is int:
        return value
    if not isinstance(value, bool | np.bool_):
        try:
            return index(value)  # type: ignore[arg-type]
        except TypeError:
            pass
    raise error(f"{name} = {shown(value)}, allowed is a whole number")


def place(game: Game, states: Any, i: object, write: bool = False, begun: bool = False) -> int:
    """The place of a record in an array of states that compiled code may be given."""
    at = i if type(i) is int else whole("i", i)
    fits = isinstance(states, np.ndarray) and (
        states.dtype is game.state_dtype or states.dtype == game.state_dtype
    )
    if not fits or states.ndim != 1:
        raise StateError(f"states = {_told(states)}, allowed is an array of records by new_states()")
    flags = states.flags
    if not (flags.c_contiguous and flags.aligned) or (write and not flags.writeable):
        wrong = "is read-only" if flags.c_contiguous and flags.aligned else "has gaps between its records"
        raise StateError(f"states: the array {wrong}, allowed is one by new_states(), or a copy")
    if not 0 <= at < len(states):
        allowed = f"allowed is 0..{len(states) - 1}" if len(states) else "the array has no records"
        raise StateError(f"i = {shown(at)}: no such place, {allowed}")
    if (
        begun and not states[at]["num_legal"] and not states[at].tobytes().strip(b"\0")
    ):  # neither asked nor dealt
        raise StateError(f"game {at} has not begun, allowed is to ask after reset()")
    return at


def _told(states: object) -> str:
    if isinstance(states, np.ndarray):
        kind = "records of something else" if states.dtype.names else str(states.dtype)
        return f"an array of {kind} of shape {states.shape}"
    return shown(states)


def seat_of(game: Game, seat: object) -> int:
    """A seat of the game."""
    number = whole("seat", seat, ActionError)
    if not 0 <= number < game.num_seats:
        raise ActionError(f"seat {shown(number)}: no such seat, allowed are 0..{game.num_seats - 1}")
    return number


def action_of(game: Game, action: object) -> int:
    """The number of an action, legal or not."""
    number = whole("action", action, ActionError)
    if not 0 <= number < game.num_actions:
        raise ActionError(f"action {shown(number)}: no such action, allowed are 0..{game.num_actions - 1}")
    return number


# ---------------------------------------------------------------- wrapping the methods of a game

Method = Callable[..., Any]


def _reading(method: Method) -> Method:
    @wraps(method)
    def checked(self: Game, states: Any, i: int) -> Any:
        return method(self, states, place(self, states, i, begun=True))

    return checked


def _checking(method: Method) -> Method:
    @wraps(method)
    def checked(self: Game, states: Any, i: int) -> Any:
        return method(self, states, place(self, states, i))

    return checked


def _writing(method: Method) -> Method:
    @wraps(method)
    def checked(self: Game, states: Any, i: int, given: Any) -> Any:
        return method(self, states, place(self, states, i, write=True), given)

    return checked


def _numbering(method: Method) -> Method:
    @wraps(method)
    def checked(self: Game, seat: int, action: int) -> int:
        return int(method(self, seat_of(self, seat), action_of(self, action)))

    return checked


def _telling(method: Method) -> Method:
    @wraps(method)
    def checked(self: Game, action: int) -> Any:
        return method(self, action_of(self, action))

    return checked


def _describing(method: Method) -> Method:
    @wraps(method)
    def checked(self: Game, action: int, states: Any = None, i: int = 0) -> Any:
        at = 0 if states is None else place(self, states, i)
        return method(self, action_of(self, action), states, at)

    return checked


def _parsing(method: Method) -> Method:
    @wraps(method)
    def checked(self: Game, text: str) -> int:
        if not isinstance(text, str):
            raise ActionError(f"action {shown(text)}: cannot be parsed, allowed is a text")
        return int(method(self, text))

    return checked


#: The methods that a game writes itself, and what is checked before each.
GUARDS: dict[str, Callable[[Method], Method]] = {
    **dict.fromkeys(("draw", "state_dict", "result_dict", "deal_dict"), _reading), "check_state": _checking,
    **dict.fromkeys(("put_deal", "put_position"), _writing),
    **dict.fromkeys(("to_view", "from_view"), _numbering),
    "action_text": _telling, "describe": _describing, "parse_action": _parsing,
}  # fmt: skip


def guard(of: type) -> None:
    """Let the methods of a class of games check what they are given."""
    for name, wrap in GUARDS.items():
        if name in of.__dict__ and not getattr(of.__dict__[name], "__isabstractmethod__", False):
            setattr(of, name, wrap(of.__dict__[name]))
