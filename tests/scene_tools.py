"""Positions of every game that is known here, for the tests of what is drawn."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from genesia_rl.core.game import Game, States
from genesia_rl.core.registry import known_games, make_game, register_game, variants

register_game("toy", "toy", listed=False)  # the shortest game, which has no scene of its own
GAMES = tuple(known_games())


def positions(name: str, each: int, seed: int = 1) -> Iterator[tuple[Game, States]]:
    """So many positions of every variant, some decisions apart; the last of each is a game's end."""
    rng = np.random.default_rng(seed)
    for config in variants(name).values():
        game = make_game(name, **config)
        for number in range(each):
            yield game, position(game, rng, to_end=number == each - 1)


def position(game: Game, rng: np.random.Generator, to_end: bool = False) -> States:
    """Somewhere in a random game."""
    states = game.new_states()
    game.reset(states, 0, int(rng.integers(1 << 62)))
    left = game.max_decisions if to_end else int(rng.integers(20 * game.num_seats * 4))
    while left and not game.is_over(states, 0):
        before, legal = game.clone(states), game.legal_actions(states, 0)
        game.step(states, 0, legal[int(rng.integers(len(legal)))])
        left -= 1
        if not to_end and game.is_over(states, 0):
            return before
    return states
