"""Engine and referee are two implementations of the same pages: each replays what the other has recorded.

A trace holds every legal set, the result and, of the engine in every other game, every public state: a difference
shows at the decision where it arises.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from functools import cache

import pytest
from golden import Trace, our_games
from golden.second import Second, second_of

from genesia_rl.core import trace
from genesia_rl.core.player import Player
from genesia_rl.core.registry import make_game, variants
from genesia_rl.players.codes import GENERAL, codes_of, make_player

GAMES = our_games()


@cache
def seated(game: str) -> list[Player]:
    """Who plays for the engine: at random half of the time, else the game's own characters."""
    characters = [code for code in codes_of(game) if code not in GENERAL]
    return [make_player("random", game)] * max(1, len(characters)) + [
        make_player(c, game) for c in characters
    ]


def recorded_by_engine(game: str, number: int, from_position: bool) -> Trace:
    """A game of some configuration, dealt by the engine or from a position of the referee's, played by the engine."""
    second, rng = second_of(game), random.Random(number)
    config = second.random_config(number, rng)
    position = second.random_position(config, rng) if from_position else None
    made = make_game(game, **config)
    players = [rng.choice(seated(game)) for _ in range(made.num_seats)]
    return trace.record(made, players, number, position, legal=True, with_states=number % 2 == 0)


def referee_agrees(game: str, numbers: Iterable[int], from_position: bool) -> int:
    """The referee replays the engine's games; how many decisions there were."""
    decisions = 0
    for number in numbers:
        written: Trace = json.loads(trace.to_line(recorded_by_engine(game, number, from_position)))
        found = second_of(game).verify(written)
        assert not found, f"game {number}: {found[0]}"
        decisions += len(written["steps"])
    return decisions


def engine_agrees(second: Second, numbers: Iterable[int]) -> int:
    """The engine replays the referee's games; how many decisions there were."""
    decisions = 0
    for number in numbers:
        verdict = trace.verify(json.loads(json.dumps(second.random_game(number))))
        assert not verdict.differences, f"game {number}: {verdict.differences[0]}"
        decisions += verdict.decisions
    return decisions


@pytest.mark.parametrize("game", GAMES)
def test_the_referee_replays_forty_games_that_the_engine_has_dealt(game: str) -> None:
    assert referee_agrees(game, range(40), from_position=False) > 40 * 20


@pytest.mark.parametrize("game", GAMES)
def test_the_referee_replays_forty_games_of_the_engine_from_positions(game: str) -> None:
    assert referee_agrees(game, range(40, 80), from_position=True) > 40 * 5


@pytest.mark.parametrize("game", GAMES)
def test_the_engine_replays_forty_games_of_the_referee(game: str) -> None:
    assert engine_agrees(second_of(game), range(40)) > 40 * 10


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_referee_replays_four_hundred_games_of_the_engine(game: str) -> None:
    referee_agrees(game, range(1_000, 1_240), from_position=False)
    referee_agrees(game, range(1_400, 1_560), from_position=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_replays_three_hundred_games_of_the_referee(game: str) -> None:
    engine_agrees(second_of(game), range(1_000, 1_300))


@pytest.mark.parametrize("game", GAMES)
def test_the_referee_plays_for_every_number_of_seats(game: str) -> None:
    configs = [second_of(game).random_config(number, random.Random(number)) for number in range(30)]
    seats = {make_game(game, **config).num_seats for config in configs}
    assert seats == {make_game(game, **config).num_seats for config in variants(game).values()}
