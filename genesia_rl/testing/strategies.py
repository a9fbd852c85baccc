"""Strategies for hypothesis: a game is a configuration, a seed, and which legal action each time.

`Play.run` plays it. Choices are taken modulo the number of legal actions, so that every list of numbers
is a game, and a shorter list or smaller numbers are a simpler one. When the list has run out a random
stream goes on to the end; tail 0 instead takes the first legal action, which mostly ends turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from genesia_rl.core.game import Game, States
from genesia_rl.core.registry import default_game, make_game, variants
from genesia_rl.testing.stream import Stream


@dataclass(frozen=True)
class Play:
    """A whole game as a few numbers."""

    name: str
    config: dict[str, Any]
    seed: int
    choices: tuple[int, ...]
    tail: int

    def game(self) -> Game:
        """The game that is played."""
        return make_game(self.name, **self.config)

    def run(self, game: Game | None = None) -> Iterator[tuple[Game, States, int]]:
        """Every decision with the action that is about to be taken; at last the finished game, with -1.

        The array stays the same: whoever wants to keep a state clones it.
        """
        game = game or self.game()
        states, stream = game.new_states(), Stream(self.tail)
        game.reset(states, 0, self.seed)
        choices = iter(self.choices)
        while not game.is_over(states, 0):
            legal = game.legal_actions(states, 0)
            default = stream.below(len(legal)) if self.tail else 0
            action = legal[next(choices, default) % len(legal)]
            yield game, states, action
            game.step(states, 0, action)
        yield game, states, -1


def configs(name: str | None = None) -> st.SearchStrategy[dict[str, Any]]:
    """The configurations that cover a game; the plainest come first."""
    return st.sampled_from(list(variants(name or default_game()).values()))


def seeds() -> st.SearchStrategy[int]:
    """Seeds of games."""
    return st.integers(0, (1 << 64) - 1)


def plays(
    name: str | None = None, config: st.SearchStrategy[dict[str, Any]] | None = None
) -> st.SearchStrategy[Play]:
    """Whole games."""
    return st.builds(
        Play,
        name=st.just(name or default_game()),
        config=configs(name) if config is None else config,
        seed=seeds(),
        choices=st.lists(st.integers(0, 255), max_size=60).map(tuple),
        tail=st.integers(0, 1 << 32),
    )
