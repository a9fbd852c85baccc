"""Properties that hold in every game: a game is a configuration, a seed, and which legal action each time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any

import numpy as np
from games.age_of_civilization.playing import game_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from genesia_rl.core import trace
from genesia_rl.core.game import States
from genesia_rl.games.age_of_civilization.actions import verb_of
from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame
from genesia_rl.games.age_of_civilization.names import COUNTS, L_DISCOUNT, NUM_ACTS
from genesia_rl.games.age_of_civilization.recount import Recount
from genesia_rl.games.age_of_civilization.rules.counts import count, force_of
from genesia_rl.testing.strategies import Play, configs, plays


def examples(number: int) -> settings:
    """So many games, always the same ones on CI."""
    return settings(
        max_examples=number,
        deadline=None,
        derandomize=bool(os.environ.get("CI")),
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )


SETTINGS = examples(25)
HEAVY = examples(12)
NAME = "age_of_civilization"


@st.composite
def any_configs(draw: st.DrawFn) -> dict[str, Any]:
    """Any fields of RULES 3 together, the plainest first."""
    players = draw(st.integers(1, 4))
    found: dict[str, Any] = {"players": players, "innovation": draw(st.booleans())}
    if players > 1:
        found |= {"changing_world": draw(st.booleans()), "draft": draw(st.booleans())}
        found["track"] = draw(st.sampled_from(["random", "first_game"]))
    return found


GAMES = plays(NAME, st.one_of(configs(NAME), any_configs()))


def moves(play: Play) -> Iterator[tuple[AgeOfCivilizationGame, States, int]]:
    """What `Play.run` yields, with the game made once for all."""
    for game, states, action in play.run(game_of(**play.config)):
        assert isinstance(game, AgeOfCivilizationGame)
        yield game, states, action


@SETTINGS
@given(GAMES)
def test_nothing_is_ever_inconsistent(play: Play) -> None:
    for game, states, _ in moves(play):
        assert game.check_state(states, 0) == []


@SETTINGS
@given(GAMES)
def test_cards_are_conserved(play: Play) -> None:
    """Civilizations, wonders and special cards move and never appear or vanish."""
    before: dict[str, set[int]] = {}
    for game, states, _ in moves(play):
        state, s = game.state_dict(states, 0), states[0]
        drafting = game.config.draft and s["pick"] < 5
        cards = {int(card) for card in state["market"]} | {c for mine in state["civilizations"] for c in mine}
        cards |= {int(c) for c in s["deck"][s["drawn"] : s["deck_size"]]}
        for seat in range(game.num_seats):
            cards |= {k for k in range(1, 49) if int(s["hand"][seat]) >> k - 1 & 1}
        wonders = {*state["wonder_market"], *(w for mine in state["wonders"] for w in mine)}
        specials = {*state["special_market"], *(k for k in state["special_cards"] if k)}
        now = {"wonders": wonders, "specials": specials} | ({} if drafting else {"civilizations": cards})
        for name, found in now.items():
            assert before.setdefault(name, found) == found


@SETTINGS
@given(GAMES)
def test_points_never_fall_and_civilizations_are_never_lost(play: Play) -> None:
    before: dict[str, Any] | None = None
    for game, states, _ in moves(play):
        state = game.state_dict(states, 0)
        if before is not None:
            for seat in range(game.num_seats):
                assert state["points"][seat] >= before["points"][seat]
                for name in ("civilizations", "technologies", "wonders"):
                    assert set(state[name][seat]) >= set(before[name][seat])
        before = state


@SETTINGS
@given(GAMES)
def test_counts_are_those_of_a_slow_recount(play: Play) -> None:
    """Force, prices and all counts by tables are those of the effects in the data files."""
    for number, (game, states, action) in enumerate(moves(play)):
        if number % 5 and action >= 0:
            continue
        s, t, seen = states[0], game.tables[0], Recount(game.config, states[0])
        for seat in range(game.num_seats):
            for place, word in enumerate(COUNTS):
                assert int(count(s, t, seat, np.int64(place))) == seen.count(seat, word), word
            assert int(force_of(s, t, seat)) == seen.force(seat)
            assert s["sums"][seat][L_DISCOUNT : L_DISCOUNT + NUM_ACTS].min() >= 0


@SETTINGS
@given(GAMES)
def test_scores_equal_a_slow_recount(play: Play) -> None:
    for number, (game, states, action) in enumerate(moves(play)):
        if number % 5 and action >= 0:
            continue
        seen, scores = Recount(game.config, states[0]), game.scores(states, 0)
        for seat in range(game.num_seats):
            parts = [0, 0, 0]
            parts[0] = int(states[0]["points"][seat])
            wonders = [effects for k in seen.wonders(seat) for effects in [seen.box.wonder(k).effects]]
            for effects in seen.abilities(seat):
                for effect in effects:
                    if effect.when == "game_end" and seen.holds(seat, effect):
                        parts[1 if effects in wonders else 2] += seen.amount(seat, effect)
            assert scores.parts[seat].tolist() == parts
            assert scores.totals[seat] == sum(parts)
    result = game.result_dict(states, 0)
    if game.config.is_solo:
        assert result["winners"] == []
    else:
        keys = list(zip(result["score"], result["workers"], result["coins"], strict=True))
        assert result["winners"] == [seat for seat, key in enumerate(keys) if key == max(keys)]


@SETTINGS
@given(GAMES)
def test_a_turn_is_a_civilization_then_actions_then_its_end(play: Play) -> None:
    """Kinds come in the order of RULES 6, for one seat at a time."""
    order = {"civilization": 0, "action": 1, "grant": 1, "turn_end": 2, "deposit": 2}
    turn: tuple[int, ...] = ()
    stage = 0
    for game, states, action in moves(play):
        if action < 0 or game.kind(states, 0) == "draft":
            continue
        now = int(states[0]["round"]), int(states[0]["turn"])
        stage = 0 if now != turn else stage
        turn = now
        step = order.get(game.kind(states, 0), stage)
        assert step >= stage
        stage = step


@HEAVY
@given(GAMES)
def test_copies_share_nothing(play: Play) -> None:
    kept: list[tuple[States, bytes]] = []
    for number, (game, states, _) in enumerate(moves(play)):
        if number % 9 == 0:
            clone = game.clone(states)
            kept.append((clone, clone.tobytes()))
    untouched = states.tobytes()
    for clone, before in kept:
        assert clone.tobytes() == before
        while not game.is_over(clone, 0):
            game.step(clone, 0, game.legal_actions(clone, 0)[-1])
        assert states.tobytes() == untouched


@HEAVY
@given(GAMES)
def test_what_a_seat_sees_does_not_depend_on_where_it_sits(play: Play) -> None:
    """A position with all seats turned by one looks the same to everybody."""
    for number, (game, states, action) in enumerate(moves(play)):
        n = game.num_seats
        if action < 0 or number % 6 or game.kind(states, 0) != "civilization" or game.config.draft:
            continue
        position, other = position_of(game, states), game.new_states()
        game.put_position(other, 0, json.loads(json.dumps(position)))
        again = game.new_states()
        game.put_position(again, 0, turned(position, n))
        for seat in range(n):
            for mine, theirs in zip(
                game.view(other, 0, seat), game.view(again, 0, (seat + 1) % n), strict=True
            ):
                assert np.array_equal(mine, theirs)


BY_SEAT = ("coins", "points", "workers", "main", "civilizations", "technologies", "wonders", "special_cards")


def position_of(game: AgeOfCivilizationGame, states: States) -> dict[str, Any]:
    """The position of a state at the start of a turn."""
    state, s = game.state_dict(states, 0), states[0]
    keys = ("round", "first", "wonder_market", "special_market", *BY_SEAT)
    return {
        **{key: state[key] for key in keys},
        "seat": game.seat(states, 0),
        "track": [game.box.board.cards[k].name for k in s["track"]],
        "market": [[int(card), coins] for card, coins in state["market"].items()],
        "deck": s["deck"][s["drawn"] : s["deck_size"]].tolist(),
        "events": s["events"].tolist() if game.config.changing_world else None,
    }


def turned(position: dict[str, Any], n: int) -> dict[str, Any]:
    """Every seat is the next one."""
    found = {**position, **{key: [position[key][k - 1] for k in range(n)] for key in BY_SEAT}}
    return {**found, **{key: (position[key] + 1) % n for key in ("first", "seat")}}


@HEAVY
@given(GAMES)
def test_traces_round_trip(play: Play) -> None:
    steps = []
    for game, states, action in moves(play):
        if action >= 0:
            text = game.action_text(action)
            assert verb_of(action)[0] == text.partition(":")[0]
            steps.append([game.seat(states, 0), game.kind(states, 0), text])
    game.reset(other := game.new_states(), 0, play.seed)
    written = {"format": trace.trace_format(NAME), "config": game.config_dict(), "seed": play.seed,
               "deal": game.deal_dict(other, 0), "steps": steps, "result": game.result_dict(states, 0)}  # fmt: skip
    verdict = trace.verify(json.loads(trace.to_line(written)), game)
    assert verdict.differences == [] and verdict.decisions == len(steps)
