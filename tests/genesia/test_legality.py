"""The engine's legal sets are those of the referee: a slow, plain recomputation of every one of them."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest
from referee.config import seats_of
from referee.data import load_data
from referee.modes import MODES, config_of_mode
from referee.play import Game as Referee
from referee.play import random_position, resolve_config
from referee.traces import mode_of, record_random

from genesia_rl import trace
from genesia_rl.contract import Game, States
from genesia_rl.registry import make_game

DATA = load_data()


def play_both(game: Game, states: States, referee: Referee, rng: random.Random) -> int:
    """Play on at random: the same decisions, legal sets and states, the same result."""
    decisions = 0
    while referee.decision is not None:
        asked = referee.decision
        assert (game.seat(states, 0), game.kind(states, 0)) == (asked.seat, asked.kind)
        assert game.texts(game.legal_actions(states, 0)) == list(asked.legal)
        if decisions % 5 == 0:
            assert game.state_dict(states, 0) == referee.states()
        text = rng.choice(asked.legal)
        referee.act(text)
        game.step(states, 0, game.parse_action(text))
        decisions += 1
    assert game.is_over(states, 0)
    assert game.result_dict(states, 0) == referee.result()
    return decisions


def agree_from_deals(seeds: Iterable[int]) -> int:
    """Whole games of all modes, dealt by the engine."""
    decisions = 0
    for seed in seeds:
        rng = random.Random(seed)
        game = make_game(**config_of_mode(mode_of(seed, "mixed"), rng, DATA))
        states = game.new_states()
        game.reset(states, 0, seed)
        referee = Referee(game.config_dict(), deal=game.deal_dict(states, 0))
        decisions += play_both(game, states, referee, rng)
    return decisions


def agree_from_positions(seeds: Iterable[int]) -> int:
    """Games of all modes from the referee's random positions, where the players are in each other's way."""
    decisions = 0
    for seed in seeds:
        rng = random.Random(-seed - 1)
        config = resolve_config(config_of_mode(mode_of(seed, "mixed"), rng, DATA), DATA)
        position = random_position(config, rng, DATA)
        game = make_game(**config)
        states = game.new_states()
        game.put_position(states, 0, position)
        decisions += play_both(game, states, Referee(config, position=position), rng)
    return decisions


def verify_recorded(seeds: Iterable[int]) -> int:
    """The referee's own games, played with skewed policies, every other one from a position."""
    decisions = 0
    for seed in seeds:
        written = record_random(mode_of(seed // 2, "mixed"), seed, bool(seed % 2), "mixed", DATA)
        verdict = trace.verify(written)
        assert not verdict.differences, f"seed {seed}: {verdict.differences[0]}"
        decisions += verdict.decisions
    return decisions


def test_legal_sets_equal_the_referees_in_sixty_games() -> None:
    assert agree_from_deals(range(60)) > 60 * 50


def test_legal_sets_equal_the_referees_from_sixty_positions() -> None:
    assert agree_from_positions(range(60)) > 60 * 10


def test_sixty_games_that_the_referee_has_recorded_are_verified() -> None:
    assert verify_recorded(range(60)) > 60 * 20


@pytest.mark.slow
def test_legal_sets_equal_the_referees_in_a_thousand_games() -> None:
    agree_from_deals(range(1_000, 2_000))


@pytest.mark.slow
def test_legal_sets_equal_the_referees_from_five_hundred_positions() -> None:
    agree_from_positions(range(1_000, 1_500))


@pytest.mark.slow
def test_five_hundred_games_that_the_referee_has_recorded_are_verified() -> None:
    verify_recorded(range(1_000, 1_500))


def test_every_mode_of_the_referee_is_played() -> None:
    rng = random.Random(1)
    seats = {seats_of(config_of_mode(mode_of(seed, "mixed"), rng, DATA)) for seed in range(60)}
    assert seats == {2, 3, 4, 5} and len(MODES) <= 60
