"""States that come from bytes are checked before compiled code sees them: it writes where they point.

Every game declares once what each field of its state may hold (`Game.bounds`); those of the header follow from its
facts. A state that keeps them, and in which the game's own `check_state` finds nothing, may be played on. What
people keep in files has a digest besides, which tells damage from a change that somebody made.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import StateError
from genesia_rl.core.game import Bounds, Game, States, Tables

Array = npt.NDArray[Any]
ALL_BITS = (1 << 64) - 1


def set_of(size: int, words: int | None = None) -> Bounds:
    """A set of the numbers 0 .. size - 1: one word, or so many of them."""
    masks = [(1 << min(64, max(0, size - 64 * word))) - 1 for word in range(words or 1)]
    return 0, masks[0] if words is None else np.array(masks, np.uint64)


def of_seats(dtype: np.dtype[Any], seats: int, most: int, bounds: Mapping[str, Bounds]) -> dict[str, Bounds]:
    """Bounds of fields whose first axis are the seats: those that are not in the game hold zeros."""
    found: dict[str, Bounds] = {}
    for name, limits in bounds.items():
        shape, kind = dtype[name].shape, dtype[name].base
        whole = [np.array(np.broadcast_to(np.array(limit, kind), shape)) for limit in limits]
        for limit in whole:
            limit[seats:most] = 0
        found[name] = whole[0], whole[1]
    return found


def header_bounds(game: Game) -> dict[str, Bounds]:
    """What follows from the facts of a game: who is asked what, and which actions may ever be legal."""
    words = np.zeros(game.state_dtype["legal"].shape[0], np.uint64)
    for head in game.heads:
        for action in head.actions.tolist():
            words[action // 64] |= np.uint64(1 << action % 64)
    return {
        "seat": (-1, game.num_seats - 1), "kind": (0, len(game.kinds) - 1), "over": (0, 1),
        "num_legal": (0, game.num_actions), "steps": (0, game.max_decisions), "legal": (0, words),
    }  # fmt: skip


def bounds_of(game: Game) -> dict[str, Bounds]:
    """The bounds of every field of a game's state; what alignment leaves free is zero."""
    found = {**header_bounds(game), **game.bounds}
    for name in game.state_dtype.names or ():
        if name.startswith("unused_"):
            found[name] = 0, 0
        elif name not in found:
            raise StateError(
                f"game {game.name!r}: its field {name} has no bounds, allowed to restore are games that declare them"
            )
    return found


def outside(values: Array, bounds: Bounds) -> npt.NDArray[np.bool_]:
    """Where values break their bounds; in a set of bits every bit counts by itself."""
    low, high = (np.asarray(limit, values.dtype) for limit in bounds)
    if values.dtype.kind == "u" and values.dtype.itemsize == 8:
        return np.asarray((values & ~high) != 0)
    return np.asarray((values < low) | (values > high))


def refuse_outside(where: str, records: Array, bounds: Mapping[str, Bounds]) -> None:
    """An error that names the first field that breaks its bounds, if one does."""
    for name, limits in bounds.items():
        values = records[name]
        wrong = np.argwhere(outside(values, limits))
        if len(wrong):
            place = tuple(wrong[0].tolist())
            raise StateError(
                f"{where}: {_told(name, place, len(records))} = {values[place].item()}, "
                f"allowed {_allowed(values, place, limits)}"
            )


def _told(name: str, place: tuple[int, ...], records: int) -> str:
    inside = f"{name}[{', '.join(map(str, place[1:]))}]" if len(place) > 1 else name
    return f"{inside} of game {place[0]}" if records > 1 else inside


def _allowed(values: Array, place: tuple[int, ...], bounds: Bounds) -> str:
    low, high = (np.broadcast_to(np.asarray(limit), values.shape[1:])[place[1:]].item() for limit in bounds)
    if values.dtype.kind == "u" and values.dtype.itemsize == 8:
        return f"are bits of {high:#x}"
    return f"{low}..{high}"


def check_states(
    game: Game, states: States, where: str, tables: Tables | None = None, which: Array | None = None
) -> None:
    """Refuse states that no game can be in, with the name of what is wrong.

    State i is of the configuration `tables[which[i]]`; without them all are the game's own.
    A record of zeros is a game that has not begun: nobody is asked in it, so that nothing can be done there.
    """
    if states.dtype != game.state_dtype:
        raise StateError(f"{where}: records of another layout, allowed are states of {game.name}")
    begun = np.flatnonzero(np.ascontiguousarray(states).view(np.uint8).reshape(len(states), -1).any(axis=1))
    if not len(begun):
        return
    refuse_outside(where, states[begun] if len(begun) < len(states) else states, bounds_of(game))
    for i in begun.tolist():
        found = (
            _check_header(game, states[i])
            or game.check_state(states, i)
            or _check_question(
                game,
                states,
                i,
                game.tables if tables is None or which is None else tables[which[i] : which[i] + 1],
            )
        )
        if found:
            of = f"game {i}: " if len(states) > 1 else ""
            raise StateError(f"{where}: {of}{found[0]}, allowed are states that the rules lead to")


def _check_header(game: Game, s: np.void) -> list[str]:
    """Somebody is asked with two legal actions or more, or the game is over and nobody is."""
    legal = sum(int(word).bit_count() for word in s["legal"])
    if s["over"]:
        calm = legal == 0 and s["seat"] == -1 and s["num_legal"] == 0 and s["kind"] == 0
        return [] if calm else ["the game is over, yet somebody is asked"]
    if legal != s["num_legal"] or legal < 2:
        return [f"num_legal = {s['num_legal']}, and {legal} actions are legal"]
    if s["seat"] < 0 or s["kind"] == 0:
        return [f"seat {s['seat']} is asked, kind {s['kind']}"]
    return []


def _check_question(game: Game, states: States, i: int, tables: Tables) -> list[str]:
    """The rules ask the same in this state, and find the same legal."""
    if states[i]["over"]:
        return []
    asked = game.clone(states, i)
    game.kernels.start(asked, 0, tables)
    differ = [name for name in game.state_dtype.names or () if np.any(asked[0][name] != states[i][name])]
    return (
        [f"{differ[0]} = {states[i][differ[0]].tolist()}, the rules say {asked[0][differ[0]].tolist()}"]
        if differ
        else []
    )


def digest(*parts: bytes) -> str:
    """A short name of some bytes: another one if any of them has changed."""
    told = hashlib.blake2b(digest_size=16)
    for part in parts:
        told.update(len(part).to_bytes(8, "little"))
        told.update(part)
    return told.hexdigest()
