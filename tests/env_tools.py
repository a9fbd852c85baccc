"""What the tests of the environments share: every registered game, and players that are functions.

A variant is written `NAME/VARIANT`, of the default game just `VARIANT`. Tests run over `EVERY` variant, or over
`FEW`: of each game a small and a large contest, one of teams, one joint game.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.game import Game, States
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import default_game, game_names, make_game, variants

Array = npt.NDArray[Any]
Config = dict[str, Any]

EVERY = [f"{name}/{variant}" for name in game_names() for variant in variants(name)]


def split(variant: str) -> tuple[str, Config]:
    """The name of the game and the configuration of a variant."""
    name, _, own = variant.rpartition("/")
    name = name or default_game()
    return name, variants(name)[own]


@lru_cache(maxsize=128)
def game_of(variant: str) -> Game:
    """The game of a variant; games never change, so that one is enough."""
    name, config = split(variant)
    return make_game(name, **config)


def has_teams(variant: str) -> bool:
    """Do some of the seats play together?"""
    game = game_of(variant)
    return game.is_contest and len(set(game.teams)) < game.num_seats


def few_of(name: str) -> list[str]:
    """Of one game the smallest and the largest contest, the last one of teams, and one joint game."""
    own = [variant for variant in EVERY if variant.startswith(f"{name}/")]
    contests = [variant for variant in own if game_of(variant).is_contest and not has_teams(variant)]
    by_size = sorted(contests, key=lambda variant: game_of(variant).num_seats)
    largest = next(v for v in by_size if game_of(v).num_seats == game_of(by_size[-1]).num_seats)
    teams, joint = filter(has_teams, own), (v for v in own if not game_of(v).is_contest)
    return [*dict.fromkeys([by_size[0], largest]), *list(teams)[-1:], *list(joint)[-1:]]


FEW = [variant for name in game_names() for variant in few_of(name)]
CONTESTS = [variant for variant in EVERY if game_of(variant).is_contest]
FEW_CONTESTS = [variant for variant in FEW if game_of(variant).is_contest]
JOINT = [variant for variant in EVERY if not game_of(variant).is_contest]
SMALLEST = [few_of(name)[0] for name in game_names()]


# ---------------------------------------------------------------- choosing


def random_action(mask: Array, rng: np.random.Generator) -> int:
    """A legal action, each as likely."""
    return int(rng.choice(np.flatnonzero(mask)))


class Told(Player):
    """Chooses what a function of the game and its state says: an action in absolute numbering."""

    def __init__(self, choose: Callable[[Game, States], int]) -> None:
        self._choose = choose

    def act(self, decision: DecisionBatch) -> int:
        """For a single game."""
        game, states = decision.game, decision.states
        return game.to_view(game.seat(states, 0), self._choose(game, states))


class Chooser(Player):
    """Chooses by a hash of what it sees: whoever shows it the same gets the same answer."""

    def __init__(self, key: int = 0) -> None:
        self.key = key
        self.seen: list[tuple[bytes, bytes]] = []

    def choose(self, observation: Array, mask: Array) -> int:
        """One action."""
        legal = np.flatnonzero(mask)
        return int(legal[zlib.crc32(observation.tobytes(), self.key) % len(legal)])

    def act(self, decision: DecisionBatch) -> int:
        """What it was shown is kept."""
        observation, mask = decision.observation[0], decision.mask[0]
        self.seen.append((observation.tobytes(), mask.tobytes()))
        return self.choose(observation, mask)


class BatchChooser(Chooser):
    """The same, asked for many games at once."""

    def __init__(self, key: int = 0) -> None:
        super().__init__(key)
        self.calls = 0

    def act_batch(self, decisions: DecisionBatch) -> Array:
        """An action for every row."""
        self.calls += 1
        rows = [decisions.part(np.array([k])) for k in range(len(decisions))]
        return np.array([self.act(row) for row in rows])


def choices(learner: Chooser, batch: Any) -> list[int]:
    """What the learner chooses in every row of a batch."""
    return [learner.choose(o, m) for o, m in zip(batch.observation, batch.mask, strict=True)]


# ---------------------------------------------------------------- positions


def play(game: Game, seed: int) -> Iterator[States]:
    """Every position of a random game, the finished one last; the array stays the same."""
    rng = np.random.default_rng(seed)
    states = game.new_states()
    game.reset(states, 0, seed)
    while not game.is_over(states, 0):
        yield states
        game.step(states, 0, int(rng.choice(game.legal_actions(states, 0))))
    yield states


def positions(game: Game, games: int = 4, of_each: int = 5) -> list[States]:
    """Positions of every kind of decision that comes up, so many of each at most, from all over the games."""
    found: dict[str, list[States]] = defaultdict(list)
    for seed in range(games):
        for number, states in enumerate(play(game, seed)):
            kind = found["over" if game.is_over(states, 0) else game.kind(states, 0)]
            if len(kind) < of_each * (seed + 1) / games and number % games == seed:
                kind.append(game.clone(states))
    return [states for kept in found.values() for states in kept]
