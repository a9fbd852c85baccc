"""States of every game with a few fields changed: what is taken must be played on without leaving an array."""

from __future__ import annotations

from typing import Any

import numpy as np

from genesia_rl.core.bounds import bounds_of, check_states
from genesia_rl.core.game import Game, States
from genesia_rl.core.registry import make_game, variants

from .cases import Found, Rng, damaged, pick

STEPS_ON = 15  # of a state that was taken
DEPTHS = (0, 3, 20, 60, 120)


def positions(game_name: str, rng: Rng, wanted: int) -> list[tuple[Game, States]]:
    """States of random games in several configurations."""
    found, known = [], list(variants(game_name).values())
    for number in range(wanted):
        game = make_game(game_name, **known[number * len(known) // wanted])
        states = game.new_states()
        game.reset(states, 0, int(rng.integers(1 << 62)))
        played(game, states, rng, int(pick(rng, DEPTHS)))
        found.append((game, states))
    return found


def played(game: Game, states: States, rng: Rng, steps: int) -> None:
    """Random actions."""
    for _ in range(steps):
        if game.is_over(states, 0):
            return
        game.step(states, 0, pick(rng, game.legal_actions(states, 0)))


def changed(game: Game, states: States, rng: Rng) -> tuple[States, str]:
    """A copy with one to three values changed, mostly to some that their bounds allow."""
    other, told = states.copy(), []
    bounds, names = bounds_of(game), [name for name in game.state_dtype.names or () if name != "legal"]
    for _ in range(int(rng.integers(1, 4))):
        name = pick(rng, names if rng.random() < 0.9 else ["legal"])
        place = tuple(int(rng.integers(size)) for size in other[0][name].shape)
        value = _value(rng, other[name].dtype, place, bounds[name], other[name][(0, *place)])
        other[name][(0, *place)] = value
        told.append(f"{name}{list(place) or ''} = {int(value)}")
    return other, ", ".join(told)


def _value(rng: Rng, kind: np.dtype[Any], place: tuple[int, ...], bounds: Any, old: Any) -> Any:
    limits = np.iinfo(kind)
    low, high = (int(_at(limit, place)) for limit in bounds)
    if kind.itemsize == 8 and kind.kind == "u":
        drawn = int(rng.integers(1 << 63)) * 2 + int(rng.integers(2))
        flip = int(old) ^ (1 << int(rng.integers(64)))
        return np.uint64(pick(rng, [drawn & high, flip & high, flip & high, flip, 0, high]))
    near = [int(old) + 1, int(old) - 1, low, high, high + 1, low - 1, int(limits.max), int(limits.min)]
    inside = [int(rng.integers(low, high + 1)) for _ in range(8)]
    return kind.type(min(max(pick(rng, [*near, *inside]), int(limits.min)), int(limits.max)))


def _at(limit: Any, place: tuple[int, ...]) -> Any:
    held = np.asarray(limit)
    return held[place[len(place) - held.ndim :]] if held.ndim else held


def play_on(game: Game, states: States, rng: Rng) -> None:
    """What anybody does with a state: views, texts, scores, steps, drawing anew."""
    check_states(game, states, "bytes")
    game.draw(states, 0)
    game.state_dict(states, 0)
    for _ in range(STEPS_ON):
        game.scores(states, 0)
        if game.is_over(states, 0):
            return
        seat = game.seat(states, 0)
        game.view(states, 0, seat)
        game.step(states, 0, pick(rng, game.legal_actions(states, 0)))


def attack_states(game_name: str, rng: Rng, cases: int) -> Found:
    """Changed and damaged states."""
    found = Found(f"states of {game_name}")
    held = positions(game_name, rng, 4 + cases // 100)
    for number in range(cases):
        game, states = pick(rng, held)
        if number % 10 == 0:
            body = damaged(rng, states.tobytes())[: states.nbytes].ljust(states.nbytes, b"\0")
            other, told = np.frombuffer(body, game.state_dtype).copy(), "damaged bytes"
        else:
            other, told = changed(game, states, rng)
        at = f"{game.config_dict()}, decision {states[0]['steps']}, {game.kind(states, 0)}: {told}"
        found.case(at, lambda g=game, s=other: play_on(g, s, rng))  # type: ignore[misc]
    return found
