"""What is handed to a game from outside: states that came from bytes, and arguments of its methods."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from genesia_rl.core import registry
from genesia_rl.core.bounds import bounds_of, check_states, set_of
from genesia_rl.core.errors import ActionError, GenesiaError, StateError
from genesia_rl.core.game import Game, States
from genesia_rl.core.registry import game_names, make_game, register_game, variants


@pytest.fixture(scope="module")
def game() -> Iterator[Game]:
    register_game("toy", "toy", listed=False)
    yield make_game("toy")
    registry._UNLISTED.pop("toy", None)


def begun(game: Game, steps: int = 5) -> States:
    """A game after a few decisions."""
    states = game.new_states()
    game.reset(states, 0, 1)
    for _ in range(steps):
        game.step(states, 0, game.legal_actions(states, 0)[0])
    return states


# ---------------------------------------------------------------- states


@pytest.mark.parametrize("name", game_names())
def test_every_field_of_every_game_has_bounds_that_its_type_can_hold(name: str) -> None:
    for config in variants(name).values():
        game = make_game(name, **config)
        for field, limits in bounds_of(game).items():
            kind = game.state_dtype[field]
            for limit in limits:
                held = np.broadcast_to(np.asarray(limit, kind.base), kind.shape)
                assert (held == np.broadcast_to(np.asarray(limit, object), kind.shape)).all(), field


def test_a_set_of_bits_may_have_its_own_alone() -> None:
    assert set_of(5) == (0, 31)
    assert set_of(70, 2)[1].tolist() == [2**64 - 1, 63]
    assert set_of(3, 2)[1].tolist() == [7, 0]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("seat", 9, "seat = 9, allowed -1..1"), ("kind", -1, "kind = -1, allowed 0..1"),
        ("steps", -5, "steps = -5, allowed 0.."), ("first", 2, "first = 2, allowed 0..1"),
        ("num_legal", 1, "num_legal = 1, and 2 actions are legal"), ("used", 241, "used = 241, allowed 0..240"),
        ("over", 1, "the game is over, yet somebody is asked"), ("turn", -1, "turn = -1, allowed 0.."),
        ("kind", 0, "seat . is asked, kind 0"),
    ],
)  # fmt: skip
def test_a_state_of_no_game_is_refused_by_name(game: Game, field: str, value: int, said: str) -> None:
    states = begun(game)
    check_states(game, states, "here")
    states[field] = value
    with pytest.raises(StateError, match=f"here: {said}"):
        check_states(game, states, "here")


def test_of_several_games_the_wrong_one_is_named(game: Game) -> None:
    states = np.concatenate([begun(game), begun(game, 7), game.new_states()])
    check_states(game, states, "here")  # one that has not begun is none that anybody can play on
    states["dice"][1, 4] = 101
    with pytest.raises(StateError, match=r"dice\[4\] of game 1 = 101, allowed 0\.\.100"):
        check_states(game, states, "here")


def test_a_game_without_bounds_takes_no_state_from_bytes(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game, "bounds", {})
    with pytest.raises(StateError, match="its field first has no bounds"):
        check_states(game, begun(game), "here")


# ---------------------------------------------------------------- methods


def frozen(states: States) -> States:
    states.flags.writeable = False
    return states


Call = Callable[[Game, States], Any]
WRONG: dict[str, tuple[Call, str]] = {
    "place": (lambda g, s: g.reset(s, 1, 0), r"i = 1: no such place, allowed is 0\.\.0"),
    "negative": (lambda g, s: g.draw(s, -1), r"i = -1: no such place"),
    "half": (lambda g, s: g.seat(s, 0.5), r"i = 0\.5, allowed is a whole number"),  # type: ignore[arg-type]
    "true": (lambda g, s: g.step(s, 0, True), r"action = True, allowed is a whole number"),
    "type": (
        lambda g, s: g.step(np.zeros(3), 0, 0),
        r"an array of float64 of shape \(3,\), allowed is an array of",
    ),
    "list": (lambda g, s: g.view([1], 0, 0), r"states = \[1\], allowed is an array"),  # type: ignore[arg-type]
    "shape": (lambda g, s: g.scores(s.reshape(1, 1), 0), r"of shape \(1, 1\), allowed"),
    "gaps": (lambda g, s: g.seat(np.repeat(s, 4)[::2], 0), "has gaps between its records"),
    "read_only": (lambda g, s: g.reset(frozen(s.copy()), 0, 1), "is read-only"),
    "not_begun": (lambda g, s: g.draw(g.new_states(), 0), "game 0 has not begun"),
    "seat": (lambda g, s: g.view(s, 0, 2), r"seat 2: no such seat, allowed are 0\.\.1"),
    "seat_below": (lambda g, s: g.to_view(-1, 0), "seat -1: no such seat"),
    "action": (lambda g, s: g.from_view(0, 10**6), "action 1000000: no such action"),
    "endless": (lambda g, s: g.step(s, 0, 10**5_000), "action int without end: no such action"),
    "text": (lambda g, s: g.parse_action(7), "action 7: cannot be parsed"),  # type: ignore[arg-type]
    "seed": (lambda g, s: g.reset(s, 0, 1.5), r"seed = 1\.5, allowed is a whole number"),  # type: ignore[arg-type]
    "number": (lambda g, s: g.new_states(1 << 60), "allowed is a number of games 0.."),
    "rng": (lambda g, s: g.resample_hidden(s, 0, 0, 7), "rng = 7, allowed is a generator"),  # type: ignore[arg-type]
    "observation": (lambda g, s: g.named(np.zeros(3, np.int8)), r"observation of shape \(3,\), allowed are"),
    "variations": (lambda g, s: g.variations([3]), r"variations = \[3\], allowed"),  # type: ignore[list-item]
}


@pytest.mark.parametrize("wrong", WRONG)
def test_methods_say_what_is_wrong_with_what_they_are_given(game: Game, wrong: str) -> None:
    call, said = WRONG[wrong]
    states = begun(game)
    before = states.tobytes()
    with pytest.raises(GenesiaError, match=said) as caught:
        call(game, states)
    assert states.tobytes() == before and "\n" not in str(caught.value)


def test_numbers_of_numpy_are_numbers(game: Game) -> None:
    states = game.new_states(3)
    game.reset(states, np.int16(2), np.uint64(5))  # type: ignore[arg-type]
    action = np.int8(game.legal_actions(states, 2)[0])
    game.step(states, 2, action)  # type: ignore[arg-type]
    assert states[2]["steps"] == 1
    with pytest.raises(ActionError):
        game.step(states, 2, np.int64(-1))  # type: ignore[arg-type]
