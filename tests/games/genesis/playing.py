"""Positions in few words, and a wrapper to play them: what the tests of the rules are written with.

    play = start(["F0 .. ..", ".. .. ##"], dice="FJ")
    play.do("tile:forest", "cell:1")
    assert play.asked == (0, "second")

A row is a row of PROTOCOL 3; `##` makes a relief of the board, so that a position brings its board along. The
rolls are repeated from their beginning. Cells are numbered row by row from the top left.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from genesia_rl.core.game import States
from genesia_rl.games.genesis.game import GenesisGame, make
from genesia_rl.games.genesis.names import TERRAINS
from genesia_rl.testing.stream import Stream

Fields = dict[str, Any]
JOKERS = "JJ"


@lru_cache(maxsize=256)
def _game(config: str) -> GenesisGame:
    return make(**json.loads(config))


def game_of(**config: Any) -> GenesisGame:
    """The game of a configuration, made once."""
    return _game(json.dumps(config, sort_keys=True))


def board_of(cells: Sequence[str]) -> Fields:
    """The board on which these cells are: a relief wherever nothing can lie."""
    return {"rows": ["".join("V" if mark == "##" else "." for mark in row.split(" ")) for row in cells]}


class Playing:
    """A game under way, played by the texts of actions."""

    def __init__(self, game: GenesisGame, states: States | None = None) -> None:
        self.game = game
        self.states = game.new_states() if states is None else states

    def do(self, *texts: str) -> Playing:
        """Take these actions."""
        for text in texts:
            self.game.step(self.states, 0, self.game.parse_action(text))
        return self

    def tile(self, terrain: str, cell: int) -> Playing:
        """Choose a terrain and place the tile."""
        return self.do(f"tile:{terrain}", f"cell:{cell}")

    def copy(self) -> Playing:
        """The same game, to go on with otherwise."""
        return Playing(self.game, self.game.clone(self.states))

    @property
    def asked(self) -> tuple[int, str] | None:
        """The seat that is asked and the kind of its decision, None when the game is over."""
        if self.is_over:
            return None
        return self.game.seat(self.states, 0), self.game.kind(self.states, 0)

    @property
    def is_over(self) -> bool:
        return self.game.is_over(self.states, 0)

    @property
    def legal(self) -> set[str]:
        return set(self.game.texts(self.game.legal_actions(self.states, 0)))

    @property
    def terrains(self) -> set[str]:
        """The terrains that may be chosen now."""
        return {text.removeprefix("tile:") for text in self.legal if text.startswith("tile:")}

    @property
    def cells(self) -> set[int]:
        """The cells where the tile may go."""
        return {int(text.removeprefix("cell:")) for text in self.legal if text.startswith("cell:")}

    @property
    def state(self) -> Fields:
        return self.game.state_dict(self.states, 0)

    @property
    def result(self) -> Fields:
        return self.game.result_dict(self.states, 0)

    @property
    def score(self) -> list[int]:
        totals: list[int] = self.game.scores(self.states, 0).totals.tolist()
        return totals

    @property
    def zones(self) -> dict[tuple[str, int], tuple[int, list[int]]]:
        """(terrain, lowest cell) -> (multiplier, points by seat) of every zone that scores."""
        return {(z["terrain"], z["cell"]): (z["times"], z["points"]) for z in self.result["zones"]}

    def supply(self, seat: int) -> dict[str, int]:
        return dict(zip(TERRAINS, self.state["supply"][seat], strict=True))

    def check(self) -> None:
        """Nothing is inconsistent."""
        assert self.game.check_state(self.states, 0) == []


def start(
    cells: Sequence[str],
    seat: int = 0,
    dice: str | Sequence[str] = JOKERS,
    players: int = 4,
    **config: Any,
) -> Playing:
    """A game that begins from this position, on the board that it brings along."""
    game = game_of(players=players, **{"board": board_of(cells), **config})
    play = Playing(game)
    rolls = [dice] if isinstance(dice, str) else list(dice)
    has_free = any(".." in row for row in cells)
    play.game.put_position(
        play.states, 0, {"cells": list(cells), "seat": seat, "dice": rolls if has_free else []}
    )
    play.check()
    return play


def dealt(seed: int = 0, **config: Any) -> Playing:
    """A game that is dealt from a seed."""
    play = Playing(game_of(**config))
    play.game.reset(play.states, 0, seed)
    return play


def random_states(game: GenesisGame, seed: int) -> Iterator[tuple[States, int]]:
    """Every state of a random game with the action that is taken in it; at last the final one with -1."""
    states, stream = game.new_states(), Stream(seed)
    game.reset(states, 0, seed)
    while not game.is_over(states, 0):
        legal = game.legal_actions(states, 0)
        action = legal[stream.below(len(legal))]
        yield states, action
        game.step(states, 0, action)
    yield states, -1


def observed(game: GenesisGame, states: States, seat: int) -> Mapping[str, Any]:
    """What a seat sees, by name: lists, and numbers where a piece is one number."""
    named = game.named(game.view(states, 0, seat)[1])
    return {name: array.item() if array.size == 1 else np.array(array) for name, array in named.items()}
