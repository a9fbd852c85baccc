"""What is sent to a browser is what its seat may know: the bytes are the same when all that is hidden is drawn anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pytest

from genesia_rl.core.game import Game, States
from genesia_rl.core.registry import game_names, make_game, variants
from genesia_rl.core.scene import BYSTANDER, tell
from genesia_rl.core.trace import begin
from genesia_rl.studio.live import PERSON, LiveGame, seated
from genesia_rl.studio.saved import new_trace
from genesia_rl.studio.server import packed
from genesia_rl.studio.view import position_of, view_of

GAMES = game_names()
SEED = 0x5EED0FD3C0DE5  # nowhere by chance


def positions(game: Game, number: int, rng: np.random.Generator) -> Iterator[States]:
    """Positions of random games, some decisions apart."""
    while True:
        states = game.new_states()
        game.reset(states, 0, int(rng.integers(1 << 62)))
        while not game.is_over(states, 0):
            if rng.random() < 0.15:
                yield states
                number -= 1
                if not number:
                    return
            legal = game.legal_actions(states, 0)
            game.step(states, 0, legal[int(rng.integers(len(legal)))])


def of_variants(name: str, number: int, rng: np.random.Generator) -> Iterator[tuple[Game, States]]:
    """So many positions in all, of all variants."""
    configs = list(variants(name).values())
    for config in configs:
        game = make_game(name, **config)
        for states in positions(game, -(-number // len(configs)), rng):
            yield game, states


def check(game: Game, states: States, rng: np.random.Generator, seats: Iterable[int] | None = None) -> None:
    """For these seats, and for who only looks on: the same bytes in a game that they cannot tell from this one."""
    for seat in range(game.num_seats) if seats is None else seats:
        other = game.resample_hidden(states, 0, seat, rng)
        for eyes in (seat, BYSTANDER):
            if eyes == BYSTANDER and game.seat(states, 0) == seat:
                continue  # whether a bystander is told of this seat's own secrets, the other seats show
            ours, theirs = packed(position_of(game, states, eyes)), packed(position_of(game, other, eyes))
            assert ours == theirs, f"{game.config_dict()}: seat {seat}, eyes {eyes}, {game.kind(states, 0)}"


@pytest.mark.parametrize("name", GAMES)
def test_hundreds_of_positions_look_the_same_with_the_hidden_drawn_anew(name: str) -> None:
    rng = np.random.default_rng(1)
    for game, states in of_variants(name, 150, rng):
        check(game, states, rng)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_ten_thousand_positions_look_the_same_with_the_hidden_drawn_anew(name: str) -> None:
    rng = np.random.default_rng(2)
    for game, states in of_variants(name, 10_000 // len(GAMES), rng):
        check(game, states, rng, [int(rng.integers(game.num_seats))])


@pytest.mark.parametrize("name", GAMES)
def test_the_log_tells_decisions_alike_that_a_seat_cannot_tell_apart(name: str) -> None:
    """Choices of another seat after which the same is drawn anew from the same seed are told in the same line.

    What is drawn depends on what a seat knows and on the seed alone (`resample`), so equal draws are equal knowledge.
    """
    rng, alike = np.random.default_rng(3), 0
    for game, states in of_variants(name, 60, rng):
        acting = game.seat(states, 0)
        for eyes in (seat for seat in range(game.num_seats) if seat != acting):
            lines: dict[tuple[str, bytes], str] = {}
            for action in game.legal_actions(states, 0)[:12] if game.is_contest else ():
                said = tell(game, states, 0, action, eyes)
                verb = game.action_text(action).partition(":")[0]  # everybody sees that one ends a turn
                knows = verb, known_after(game, states, action, eyes)
                alike += knows in lines
                assert lines.setdefault(knows, said) == said
            other = game.resample_hidden(states, 0, eyes, rng)
            for action in set(game.legal_actions(states, 0)) & set(game.legal_actions(other, 0)):
                assert tell(game, other, 0, action, eyes) == tell(game, states, 0, action, eyes)
    assert alike or not make_game(name).facts.secret_parts


def known_after(game: Game, states: States, action: int, eyes: int) -> bytes:
    """All that these eyes know after an action, as a game that is drawn from it."""
    after = states.copy()
    game.step(after, 0, action)
    return game.resample_hidden(after, 0, eyes, np.random.default_rng(0)).tobytes()


def live_game(name: str, steps: int, **config: Any) -> LiveGame:
    """A game of people after some decisions."""
    game, rng = make_game(name, **config), np.random.default_rng(5)
    live = LiveGame(game, seated(game, [PERSON] * game.num_seats), new_trace(game, SEED), lambda live: None)
    for _ in range(steps):
        legal = game.legal_actions(live.states, 0)
        live.act(live.seat, legal[int(rng.integers(len(legal)))], live.steps)
    return live


@pytest.mark.parametrize("name", GAMES)
def test_no_seed_and_no_deal_is_on_the_wire(name: str) -> None:
    live = live_game(name, 20)
    for eyes in (BYSTANDER, *range(live.game.num_seats)):
        told = view_of(live, eyes)
        assert set(told) == {"step", "eyes", "seat", "over", "scene", "log", "log_from", "by", "undo", "who",
                             "names", "pace", "trouble"}  # fmt: skip
        sent = packed(told)
        assert str(SEED).encode() not in sent and f"{SEED:x}".encode() not in sent
        assert b'"seed"' not in sent and b'"deal"' not in sent


@pytest.mark.parametrize("name", GAMES)
def test_only_who_is_asked_is_sent_what_may_be_done(name: str) -> None:
    live = live_game(name, 12)
    for eyes in (BYSTANDER, *range(live.game.num_seats)):
        decision = view_of(live, eyes)["scene"]["decision"]
        assert ("options" in decision) == (eyes == live.seat)


def test_the_test_finds_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """If eyes saw what everything shows, the bytes would differ."""
    rng = np.random.default_rng(6)

    def leaking(game: Game, states: States, eyes: int) -> dict[str, Any]:
        return {"state": states.tobytes().hex()}

    monkeypatch.setitem(globals(), "position_of", leaking)
    with pytest.raises(AssertionError):
        for game, states in of_variants(GAMES[0], 40, rng):
            check(game, states, rng)


def test_a_trace_that_is_replayed_begins_where_the_live_game_did() -> None:
    live = live_game(GAMES[0], 0)
    assert begin(live.game, live.trace).tobytes() == live.states.tobytes()
