"""What the tests of the environments share: agents that are functions, games with much going on.

A `Chooser` decides from what it is shown alone, so that the same game can be played through two doors.
`eager` plays cards, goes to War and seldom passes: in its games the rare kinds of decisions come up.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.contract import Game, States
from genesia_rl.games.genesia.actions import BASES, verb_of
from genesia_rl.games.genesia.game import GenesiaGame
from genesia_rl.registry import make_game
from genesia_rl.testing import variants

Array = npt.NDArray[Any]
Config = dict[str, Any]

VARIANTS = variants("genesia")
CONTESTS = {name: config for name, config in VARIANTS.items() if config["players"] > 1}
PLAYERS = {name: config for name, config in VARIANTS.items() if name.startswith("players")}


@lru_cache(maxsize=64)
def game_of(variant: str) -> GenesiaGame:
    """The game of a variant by its name; games never change, so that one is enough."""
    game = make_game("genesia", **VARIANTS[variant])
    assert isinstance(game, GenesiaGame)
    return game


# ---------------------------------------------------------------- choosing


def random_action(mask: Array, rng: np.random.Generator) -> int:
    """A legal action, each as likely."""
    return int(rng.choice(np.flatnonzero(mask)))


class Chooser:
    """Chooses by a hash of what it sees: whoever shows it the same gets the same answer."""

    def __init__(self, salt: int = 0) -> None:
        self.salt = salt
        self.seen: list[tuple[bytes, bytes]] = []

    def choose(self, observation: Array, mask: Array) -> int:
        """One action."""
        legal = np.flatnonzero(mask)
        return int(legal[zlib.crc32(observation.tobytes(), self.salt) % len(legal)])

    def act(self, observation: Array, mask: Array, rng: np.random.Generator) -> int:
        """As an opponent; what it was shown is kept."""
        self.seen.append((observation.tobytes(), mask.tobytes()))
        return self.choose(observation, mask)


class BatchChooser(Chooser):
    """The same, asked for many games at once."""

    def __init__(self, salt: int = 0) -> None:
        super().__init__(salt)
        self.calls = 0

    def act_batch(self, observations: Array, masks: Array, rng: np.random.Generator) -> Array:
        """An action for every row."""
        self.calls += 1
        return np.array([self.act(o, m, rng) for o, m in zip(observations, masks, strict=True)])


# ---------------------------------------------------------------- games with much going on

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


def seats_of(game: Game) -> range:
    """All seats."""
    return range(game.num_seats)
