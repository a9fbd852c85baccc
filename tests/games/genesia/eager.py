"""Games of Genesia with much going on, for tests of the rare kinds of decisions.

`eager` plays cards, goes to War and seldom passes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from genesia_rl.core.game import States
from genesia_rl.core.registry import variants
from genesia_rl.games.genesia.actions import BASES, verb_of
from genesia_rl.games.genesia.game import GenesiaGame, make

VARIANTS: dict[str, dict[str, Any]] = variants("genesia")
CONTESTS = {name: config for name, config in VARIANTS.items() if config["players"] > 1}


@lru_cache(maxsize=64)
def game_of(variant: str) -> GenesiaGame:
    """The game of a variant by its name; games never change, so that one is enough."""
    return make(**VARIANTS[variant])


#: How eagerly an action is chosen, by its verb; everything else weighs 3.
WEIGHTS = {"end": 1, "discard": 1, "peace": 1, "war": 6, "card": 12}


def weight(game: GenesiaGame, kind: str, action: int) -> float:
    """How eagerly `eager` chooses an action; in the draft it likes cards for others' turns."""
    verb, number = verb_of(action)
    if kind == "draft":
        return 1 if game.data.cards[number].timing == "turn" else 4
    if kind in ("defence", "reinforce", "copy"):
        return 2 if verb == "end" else 1
    return WEIGHTS.get(verb, 3)


def eager(game: GenesiaGame, states: States, rng: np.random.Generator) -> int:
    """A legal action that makes things happen."""
    legal = game.legal_actions(states, 0)
    if legal[0] > BASES["card"]:
        return int(rng.choice(legal))
    weights = np.array([weight(game, game.kind(states, 0), action) for action in legal])
    return legal[int(np.searchsorted(np.cumsum(weights), rng.random() * weights.sum(), side="right"))]


def play_eagerly(game: GenesiaGame, seed: int) -> Iterator[States]:
    """Every position of a game, the finished one last; the array stays the same."""
    rng = np.random.default_rng(seed)
    states = game.new_states()
    game.reset(states, 0, seed)
    while not game.is_over(states, 0):
        yield states
        game.step(states, 0, eager(game, states, rng))
    yield states


def positions(game: GenesiaGame, games: int, of_each: int) -> list[States]:
    """Positions of every kind of decision in every Age, so many of each at most."""
    found: dict[tuple[str, int], list[States]] = defaultdict(list)
    for seed in range(games):
        per_game: dict[tuple[str, int], int] = defaultdict(int)
        for states in play_eagerly(game, seed):
            key = game.kind(states, 0), int(states[0]["age"])
            per_game[key] += 1
            # not the first ones only: every other one, until there are enough
            if len(found[key]) < of_each and per_game[key] % 2 == seed % 2:
                found[key].append(game.clone(states))
    return [states for kept in found.values() for states in kept]
