"""States that are damaged on purpose: the compiled invariants of a game have to name what is broken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from genesia_rl.core.registry import make_game, part_of
from genesia_rl.testing.soak import walk

#: What does a damage to a state (a record, with the tables): False if there is nothing to damage in it.
Damage = Callable[[Any, Any], object]
EVERY = 9


def check_damages(name: str, fields: Mapping[str, Any], damages: Mapping[int, Damage], seed: int = 3) -> None:
    """Each invariant, by its number from 1 on, is broken by one damage, and found; whole states break nothing."""
    part = part_of(name, "invariants", "invariants")
    assert sorted(damages) == [*range(1, len(part.INVARIANTS) + 1)]
    game = make_game(name, **fields)
    kept = [game.clone(states) for k, states in enumerate(walk(game, seed)) if k % EVERY == 0]
    kept = [states for states in kept if not states["over"][0]]
    tables = game.tables[0]
    assert len(kept) >= 5 and all(part.broken(states[0], tables) == 0 for states in kept)
    for number, damage in damages.items():
        found = []
        for states in kept:
            copy = game.clone(states)
            if damage(copy[0], tables) is not False:
                found.append(int(part.broken(copy[0], tables)))
        assert found, f"nothing to damage for {number}: {part.INVARIANTS[number - 1]}"
        assert set(found) == {number}, f"{part.INVARIANTS[number - 1]}: found were {sorted(set(found))}"


def put(field: str, place: Any, value: Any) -> Damage:
    """A field gets a value there; without a place the field itself."""

    def damage(s: Any, t: Any) -> None:
        s[field][place] = value

    def whole(s: Any, t: Any) -> None:
        s[field] = value

    return whole if place is None else damage


def add(field: str, place: Any = None, number: int = 1) -> Damage:
    """A number is too large by so much."""

    def damage(s: Any, t: Any) -> None:
        if place is None:
            s[field] += number
        else:
            s[field][place] += number

    return damage


def flip(field: str, place: Any = None, bit: int = 0) -> Damage:
    """A member of a set of bits comes or goes."""
    import numpy as np

    def damage(s: Any, t: Any) -> None:
        if place is None:
            s[field] ^= np.uint64(1 << bit)
        else:
            s[field][place] ^= np.uint64(1 << bit)

    return damage
