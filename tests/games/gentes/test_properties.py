"""Properties that hold in every game: a game is a configuration, a seed, and which legal action each time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from games.gentes.playing import game_of
from games.gentes.second import SECOND
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genesia_rl.core import trace
from genesia_rl.core.game import States
from genesia_rl.games.gentes.game import GentesGame
from genesia_rl.games.gentes.names import S_SETTLE, S_TURN
from genesia_rl.games.gentes.rules.abilities import has_amount, has_room
from genesia_rl.games.gentes.rules.needs import HIGH, lacking, missing_citizens
from genesia_rl.games.gentes.tables import members, packed
from genesia_rl.games.gentes.variants import VARIANTS
from genesia_rl.testing.check_game import check_game
from genesia_rl.testing.strategies import Play, configs, plays


def examples(number: int) -> settings:
    """So many games, always the same ones on CI."""
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=bool(os.environ.get("CI")),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


SETTINGS = examples(20)
HEAVY = examples(10)
NAME = "gentes"
GAMES = plays(NAME, configs(NAME))


def moves(play: Play) -> Iterator[tuple[GentesGame, States, int]]:
    """What `Play.run` yields, with the game made once for all."""
    for game, states, action in play.run(game_of(**play.config)):
        assert isinstance(game, GentesGame)
        yield game, states, action


@pytest.mark.parametrize("name", VARIANTS)
def test_the_contract_is_kept(name: str) -> None:
    check_game(game_of(**VARIANTS[name]), seeds=(0,))


@SETTINGS
@given(GAMES)
def test_nothing_is_ever_inconsistent(play: Play) -> None:
    for game, states, _ in moves(play):
        assert game.check_state(states, 0) == []


@SETTINGS
@given(GAMES)
def test_cards_are_conserved(play: Play) -> None:
    """Cards move; they leave the game only into the box: marked ones and the draft's rest, with one or two players."""
    before: set[int] | None = None
    for game, states, _ in moves(play):
        s = states[0]
        if s["stage"] <= S_SETTLE:
            continue
        now = (
            {int(card) for card in s["display"] if card}
            | set(members(s["discard"]))
            | set(members(s["unseen"]))
        )
        for seat in range(game.num_seats):
            now |= set(members(s["hand"][seat])) | set(members(s["played"][seat]))
        assert before is None or now <= before
        if not game.config.is_small:
            assert len(now) == 54
        before = now


@SETTINGS
@given(GAMES)
def test_cards_in_play_and_bonus_tiles_stay_and_scores_of_cards_never_fall(play: Play) -> None:
    before: dict[str, Any] | None = None
    for game, states, _ in moves(play):
        state = game.state_dict(states, 0)
        if before is not None:
            for seat in range(game.num_seats):
                assert set(state["played"][seat]) >= set(before["played"][seat])
                assert all(
                    a >= b for a, b in zip(state["points"][seat][:3], before["points"][seat][:3], strict=True)
                )
            for condition, seats in before["bonus"].items():
                assert state["bonus"][condition][: len(seats)] == seats
        before = state


@SETTINGS
@given(GAMES)
def test_tiles_on_tracks_are_those_that_are_taken(play: Play) -> None:
    for game, states, _ in moves(play):
        state = game.state_dict(states, 0)
        assert sum(track[0] for track in state["time"]) == len(state["taken"])
        assert all(sum(track) <= 12 for track in state["time"])


@SETTINGS
@given(GAMES)
def test_the_total_is_the_sum_of_its_parts_and_decides(play: Play) -> None:
    for game, states, _ in moves(play):
        scores = game.scores(states, 0)
        assert scores.totals.tolist() == scores.parts.sum(axis=1).tolist()
    result = game.result_dict(states, 0)
    keys = list(zip(result["score"], result["played"], result["coins"], strict=True))
    best = [seat for seat, key in enumerate(keys) if key == max(keys)]
    assert result["winners"] == ([] if game.config.is_solo else best)


@SETTINGS
@given(GAMES)
def test_somebody_who_is_asked_has_a_free_space(play: Play) -> None:
    for game, states, action in moves(play):
        if action >= 0 and states[0]["stage"] == S_TURN:
            assert sum(game.state_dict(states, 0)["time"][game.seat(states, 0)]) < 12


@HEAVY
@given(GAMES)
def test_copies_share_nothing(play: Play) -> None:
    kept: list[tuple[States, bytes]] = []
    for number, (game, states, _) in enumerate(moves(play)):
        if number % 29 == 0:
            clone = game.clone(states)
            kept.append((clone, clone.tobytes()))
    untouched = states.tobytes()
    for clone, before in kept:
        assert clone.tobytes() == before
        while not game.is_over(clone, 0):
            game.step(clone, 0, game.legal_actions(clone, 0)[-1])
        assert states.tobytes() == untouched


BY_SEAT = (
    "coins",
    "temple",
    "oracle",
    "singles",
    "doubles",
    "locks",
    "citizens",
    "hands",
    "played",
    "points",
)


def turned(position: dict[str, Any], n: int) -> dict[str, Any]:
    """Every seat is the next one."""
    found = {**position, **{key: [position[key][k - 1] for k in range(n)] for key in BY_SEAT}}
    found["first"] = (position["first"] + 1) % n
    if position["next_first"] is not None:
        found["next_first"] = (position["next_first"] + 1) % n
    for key in ("cities", "homes"):
        found[key] = {place: (seat + 1) % n for place, seat in position[key].items()}
    found["bonus"] = {key: [(seat + 1) % n for seat in seats] for key, seats in position["bonus"].items()}
    return found


@HEAVY
@given(st.integers(2, 4), st.randoms(use_true_random=False))
def test_what_a_seat_sees_and_may_do_does_not_depend_on_where_it_sits(n: int, rng: Any) -> None:
    """A position with all seats turned by one looks the same to everybody, and goes on alike."""
    config = {"players": n, "first_game": False, "advanced": False}
    position = json.loads(json.dumps(SECOND.random_position(config, rng)))
    game = game_of(**config)
    one, two = game.new_states(), game.new_states()
    game.put_position(one, 0, position)
    game.put_position(two, 0, turned(position, n))
    while not game.is_over(one, 0):
        assert game.seat(two, 0) == (game.seat(one, 0) + 1) % n
        for seat in range(n):
            for mine, theirs in zip(game.view(one, 0, seat), game.view(two, 0, (seat + 1) % n), strict=True):
                assert np.array_equal(mine, theirs)
        action = rng.choice(game.legal_actions(one, 0))
        game.step(one, 0, action)
        game.step(two, 0, action)


@HEAVY
@given(GAMES)
def test_traces_round_trip(play: Play) -> None:
    steps = []
    for game, states, action in moves(play):
        if action >= 0:
            text = game.action_text(action)
            assert game.parse_action(text) == action and game.describe(action, states, 0)
            steps.append([game.seat(states, 0), game.kind(states, 0), text])
    game.reset(other := game.new_states(), 0, play.seed)
    written = {"format": trace.trace_format(NAME), "config": game.config_dict(), "seed": play.seed,
               "deal": game.deal_dict(other, 0), "steps": steps, "result": game.result_dict(states, 0)}  # fmt: skip
    verdict = trace.verify(json.loads(trace.to_line(written)), game)
    assert verdict.differences == [] and verdict.decisions == len(steps)


# ---------------------------------------------------------------- small functions against slow ones

_BYTES = st.lists(st.integers(0, 100), min_size=6, max_size=6)


@examples(200)
@given(_BYTES, st.lists(st.integers(0, 6), min_size=6, max_size=6))
def test_what_is_missing_is_what_a_loop_finds(have: list[int], need: list[int]) -> None:
    lacks = [max(0, b - a) for a, b in zip(have, need, strict=True)]
    assert missing_citizens(packed(have), packed(need)) == sum(lacks)
    found = int(lacking(packed(have), packed(need)))
    assert [found >> 8 * k & 255 for k in range(6)] == [128 if lack else 0 for lack in lacks]
    assert int(HIGH).bit_count() == 8


@examples(300)
@given(st.integers(0, 10), st.integers(0, 10), st.integers(0, 5), st.integers(0, 10), st.integers(0, 12))
def test_an_amount_can_be_paid_if_some_amount_can(
    amount: int, least: int, less: int, most: int, coins: int
) -> None:
    """PROTOCOL 2: for A, or for any of 1..max, the price is there and the amount reaches a target."""
    amounts = {amount, *range(1, most + 1)}
    expected = any(a >= least and max(0, a - less) <= coins for a in amounts)
    assert bool(has_amount(*map(np.int64, (amount, least, less, most, coins)))) == expected


@examples(200)
@given(st.integers(0, 12), st.integers(0, 1), st.integers(0, 3), st.integers(0, 4))
def test_room_on_the_track(free: int, tile: int, hours: int, saved: int) -> None:
    left = max(0, hours - saved)
    expected = free >= max(1, tile + -(-left // 2))
    assert bool(has_room(*map(np.int64, (free, tile, hours, saved)))) == expected
