"""What is handed to a game from outside: states that came from bytes, and arguments of its methods."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

import genesia_rl
from genesia_rl.core.bounds import bounds_of, check_states, set_of
from genesia_rl.core.errors import ActionError, ConfigError, GenesiaError, StateError
from genesia_rl.core.files import HOST, replace_text
from genesia_rl.core.game import Game, States
from genesia_rl.core.registry import game_names, make_game, register_game, variants
from genesia_rl.vector import Batch
from genesia_rl.vector.restoring import check_batch


@pytest.fixture(scope="module")
def game() -> Iterator[Game]:
    register_game("toy", "toy", listed=False)
    yield make_game("toy")


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
        lambda g, s: g.step(np.zeros(3), 0, 0),  # type: ignore[arg-type]
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


# ---------------------------------------------------------------- batches


def played(batch: Batch, steps: int = 30) -> bytes:
    """Some steps of the first legal actions; the states they lead to."""
    for _ in range(steps):
        batch.step(batch.mask.argmax(axis=1))
    return batch.states.tobytes()


@pytest.mark.parametrize("way", ["pickle", "copy", "deepcopy"])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_copy_of_a_batch_goes_on_identically_and_shares_nothing(game: Game, threads: int, way: str) -> None:
    batch = Batch(game, 8, threads=threads)
    batch.reset(3)
    played(batch)
    ways: dict[str, Callable[[Batch], Batch]] = {
        "pickle": lambda b: pickle.loads(pickle.dumps(b)), "copy": copy.copy, "deepcopy": copy.deepcopy,
    }  # fmt: skip
    other = ways[way](batch)
    before = batch.states.tobytes()
    ahead = played(other)
    assert batch.states.tobytes() == before != ahead
    assert played(batch) == ahead
    for one in (batch, other):
        one.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process")
def test_a_batch_of_threads_goes_on_in_a_fork(game: Game) -> None:
    batch = Batch(game, 8, threads=2)
    batch.reset(3)
    played(batch)
    reading, writing = os.pipe()
    child = os.fork()
    if not child:  # the threads of the parent are not here
        try:
            os.write(writing, hashlib.sha256(played(batch)).digest())
        finally:
            os._exit(0)
    os.close(writing)
    try:
        found = os.read(reading, 32)
    finally:
        os.waitpid(child, 0)
        os.close(reading)
    assert found == hashlib.sha256(played(batch)).digest()
    batch.close()


def test_a_second_thread_is_refused_while_one_is_playing(game: Game) -> None:
    batch = Batch(game, 2)
    batch.reset(0)
    before, found = batch.states.tobytes(), []

    def step() -> None:
        try:
            batch.step(batch.mask.argmax(axis=1))
        except ConfigError as error:
            found.append(str(error))

    with batch._alone():
        thread = Thread(target=step)
        thread.start()
        thread.join()
    assert len(found) == 1 and "another thread is playing in it" in found[0]
    assert batch.states.tobytes() == before
    step()
    assert len(found) == 1 and batch.states.tobytes() != before


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda b: b.reset([1]), r"seed = \[1\], allowed is a number, or 2 of them"),
        (lambda b: b.reset([0.5, 1]), "allowed is a number, or 2 of them"),
        (lambda b: b.step([[1], [1, 2]]), "allowed are integers"),
        (lambda b: b.step([10**30, 1]), "allowed are integers"),
        (lambda b: b.step_rows([0.5], [1]), r"games \[0\.5\], allowed are numbers of 0\.\.1"),
        (lambda b: b.step_rows([[0]], [1]), "allowed are numbers of 0"),
        (lambda b: b.decisions([7]), r"games \[7\], allowed are different ones of 0\.\.1"),
        (lambda b: b.random_actions(np.zeros(1, np.uint64)), "allowed is an array of 2 uint64"),
        (lambda b: b.next_table.fill(5) or b.step([0, 0]), r"next_table\[0\] = 5, allowed is 0\.\.0"),
    ],
)
def test_batches_say_what_is_wrong_with_what_they_are_given(game: Game, call: Any, said: str) -> None:
    batch = Batch(game, 2)
    batch.reset(0)
    before = batch.states.tobytes()
    with pytest.raises(GenesiaError, match=said):
        call(batch)
    assert batch.states.tobytes() == before


@pytest.mark.parametrize(
    ("array", "field", "value", "said"),
    [
        ("games", "table", 3, r"rows: table of game 0 = 3, allowed 0\.\.0"),
        ("games", "controller", 9, r"rows: controller\[0\] of game 0 = 9, allowed -1\.\.0"),
        ("games", "reward", np.nan, "rows: reward holds what is no number"),
        ("games", "seat", -1, "rows: seat = -1 of game 0"), ("results", "ranks", 50, r"results: ranks\[0\]"),
        ("states", "used", 999, "states: used of game 0 = 999"),
    ],
)  # fmt: skip
def test_kept_games_of_a_batch_are_checked(game: Game, array: str, field: str, value: Any, said: str) -> None:
    batch = Batch(game, 2)
    batch.reset(0)
    held = {name: getattr(batch, name).copy() for name in ("states", "games", "results", "mask")}
    check_batch(game, held, 1, 0, "here", game.tables)
    held[array][field] = value
    with pytest.raises(StateError, match=f"here: {said}"):
        check_batch(game, held, 1, 0, "here", game.tables)
    held = {name: getattr(batch, name).copy() for name in ("states", "games", "results", "mask")}
    held["mask"][0] = 0
    with pytest.raises(StateError, match="mask: is not the legal set"):
        check_batch(game, held, 1, 0, "here", game.tables)


def test_an_illegal_action_of_any_kind_ends_the_game_where_it_is_to(game: Game) -> None:
    actions: tuple[Any, ...] = (None, "x", 0.5, -1, 99, 10**30, [], True, np.zeros(2), np.nan)
    for action in actions:
        env = genesia_rl.make("toy", illegal="terminate", illegal_reward=-2.0)
        env.reset(seed=1)
        who = env.agent_selection
        env.step(action)
        assert env.terminations[who] and env.rewards[who] == -2.0
        while env.agents:
            env.step(None)


# ---------------------------------------------------------------- files that were being written


def test_what_a_killed_process_has_left_is_taken_away_with_the_next_writing(tmp_path: Path) -> None:
    gone = subprocess.run(
        [sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True
    )
    left = tmp_path / f".a.json.{HOST}.{int(gone.stdout)}.part"
    elsewhere = tmp_path / ".a.json.elsewhere.1.part"
    for path in (left, elsewhere):
        path.touch()
    replace_text(tmp_path / "a.json", "1")
    assert not left.exists() and elsewhere.exists()
