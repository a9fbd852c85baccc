"""PROTOCOL 1 to 3: actions, decisions, what a trace holds."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from games.genesis.playing import Playing, dealt, game_of, random_states, start

from genesia_rl.core.errors import ActionError, TraceError
from genesia_rl.games.genesis.game import FACTS
from genesia_rl.games.genesis.names import TERRAINS
from genesia_rl.games.genesis.text.words import ROLLS

EMPTY = [".. .. .. ..", ".. .. .. .."]

# ---------------------------------------------------------------- actions


def test_actions_are_numbered_end_terrains_cells() -> None:
    game = game_of()
    texts = ["end", *(f"tile:{terrain}" for terrain in TERRAINS), *(f"cell:{cell}" for cell in range(140))]
    assert [game.action_text(action) for action in range(145)] == texts
    assert [game.parse_action(text) for text in texts] == list(range(145))


@pytest.mark.parametrize(("board", "number"), [("standard", 145), ({"rows": ["..", ".."]}, 9),
                                               ({"rows": ["." * 16] * 16}, 261)])  # fmt: skip
def test_there_are_1_plus_4_plus_width_times_height_actions(board: Any, number: int) -> None:
    assert {game_of(board=board, players=n).num_actions for n in (2, 3, 4)} == {number}


NO_ACTIONS = (
    "", "End", "end:1", " end", "tile", "tile:", "tile:joker", "tile:Forest", "place:3", "cell", "cell:",
    "cell:140", "cell:-1", "cell:01", "cell:1 ", "cell:1.0", "cell:\u0663", "cell:99999999999999999999",
)  # fmt: skip


@pytest.mark.parametrize("text", NO_ACTIONS)
def test_a_text_that_is_no_action_is_refused(text: str) -> None:
    with pytest.raises(ActionError, match="allowed"):
        game_of().parse_action(text)


@pytest.mark.parametrize("action", [-1, 145, 1 << 40])
def test_a_number_that_is_no_action_is_refused(action: int) -> None:
    game = game_of()
    for use in (
        game.action_text,
        game.describe,
        lambda a: game.to_view(0, a),
        lambda a: game.from_view(1, a),
    ):
        with pytest.raises(ActionError, match=r"no such action, allowed are 0\.\.144"):
            use(action)


def test_an_action_is_the_same_in_every_seats_numbering() -> None:
    game = game_of(players=3)
    for seat in range(3):
        assert [game.to_view(seat, a) for a in range(145)] == [game.from_view(seat, a) for a in range(145)]
        assert [game.to_view(seat, a) for a in range(145)] == list(range(145))


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    play = dealt(players=2, first_player=0)
    before = play.states.tobytes()
    for text in ("end", "cell:0"):
        with pytest.raises(
            ActionError, match=rf"action {text} of seat 0: not legal .*'first', allowed are tile"
        ):
            play.do(text)
    assert play.states.tobytes() == before
    with pytest.raises(ActionError, match=r"cell:4 of seat 0"):  # a pit
        play.do("tile:forest", "cell:4")


# ---------------------------------------------------------------- decisions


def test_a_turn_is_first_cell_second_cell() -> None:
    play, kinds = start(EMPTY), []
    for text in ("tile:forest", "cell:0", "tile:wetland", "cell:7"):
        kinds.append(play.asked)
        play.do(text)
    assert kinds == [(0, "first"), (0, "cell"), (0, "second"), (0, "cell")]
    assert play.asked == (1, "first")


def test_the_kinds_of_decisions() -> None:
    assert FACTS.kinds == ("none", "first", "second", "cell")


def test_a_seat_with_one_terrain_left_is_not_asked_first() -> None:
    rows = ["F0 .. S0 .. M0 ..", ".. .. .. .. .. .."]
    play = start(rows, tiles=1)
    assert play.asked == (0, "cell") and play.states[0]["steps"] == 0
    assert play.do("cell:11").state["cells"][1].endswith("W0")


def test_such_a_seat_is_asked_second() -> None:
    gone = ["F0 F0 S0 S0 M0 M0 ..", ".. .. .. .. .. .. ..", ".. .. .. .. .. .. .."]
    play = start(gone, tiles=2, dice="JW")
    assert play.asked == (0, "cell")
    assert play.do("cell:20").legal == {"end", "tile:wetland"}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_second_has_at_least_two_actions_and_cell_at_least_three(players: int) -> None:
    least = {"first": 2, "second": 2, "cell": 3}
    game = game_of(players=players, tiles=3)
    for seed in range(5):
        for states, action in random_states(game, seed):
            if action >= 0:
                assert states[0]["num_legal"] >= least[game.kind(states, 0)]


def test_a_turn_that_is_cut_short_leaves_no_second_step() -> None:
    play = start([".. .. ..", "F1 S1 M1"]).tile("forest", 1)
    assert play.is_over and play.states[0]["steps"] == 2


def test_forced_decisions_are_not_counted() -> None:
    game = game_of(players=2, tiles=1)
    for states, _ in random_states(game, 1):
        assert states[0]["steps"] <= 3 * 8
    assert states[0]["over"]


# ---------------------------------------------------------------- deals


def test_a_deal_is_the_first_seat_and_a_roll_for_every_cell_in_use() -> None:
    play = dealt(7, players=3)
    deal = play.game.deal_dict(play.states, 0)
    assert list(deal) == ["first", "dice"]
    assert play.asked == (deal["first"], "first")
    assert len(deal["dice"]) == 118 and set(deal["dice"]) <= set(ROLLS)
    assert play.state["dice"] == deal["dice"][0]


def test_a_deal_can_be_put_back_and_the_order_of_the_dice_stays() -> None:
    game = game_of(players=2, board={"rows": EMPTY_BOARD})
    play = Playing(game)
    deal = {"first": 1, "dice": ["FJ", "JF", "WS", "SW", "MM", "JJ", "FS", "SF"]}
    game.put_deal(play.states, 0, json.loads(json.dumps(deal)))
    assert game.deal_dict(play.states, 0) == deal
    assert play.asked == (1, "first") and play.state["dice"] == "FJ"


EMPTY_BOARD = ["....", "...."]
GOOD = {"first": 1, "dice": ["FJ"] * 8}
BAD_DEALS: list[tuple[Any, str]] = [
    ([], "deal = [], allowed an object with the keys first, dice"),
    ({"first": 1}, "deal: the key dice is missing"),
    ({"dice": ["FJ"] * 8}, "deal: the key first is missing"),
    ({**GOOD, "turn": 1}, "deal: unknown key 'turn'"),
    ({**GOOD, "first": 2}, "deal.first = 2, allowed 0..1"),
    ({**GOOD, "first": True}, "deal.first = True, allowed 0..1"),
    ({**GOOD, "first": None}, "deal.first = None, allowed 0..1"),
    ({**GOOD, "dice": ["FJ"] * 7}, "allowed 8 rolls"),
    ({**GOOD, "dice": ["FJ"] * 9}, "allowed 8 rolls"),
    ({**GOOD, "dice": "FJ"}, "deal.dice = 'FJ', allowed 8 rolls"),
    ({**GOOD, "dice": [*["FJ"] * 7, "FX"]}, "deal.dice[7] = 'FX', allowed two of the letters F S M W J"),
    ({**GOOD, "dice": [*["FJ"] * 7, ["F", "J"]]}, "deal.dice[7] = ['F', 'J']"),
]


@pytest.mark.parametrize(("deal", "error"), BAD_DEALS)
def test_a_bad_deal_is_refused(deal: Any, error: str) -> None:
    game = game_of(players=2, board={"rows": EMPTY_BOARD})
    with pytest.raises(TraceError) as caught:
        game.put_deal(game.new_states(), 0, deal)
    assert error in str(caught.value)


def test_the_deal_keeps_to_the_first_player_of_the_configuration() -> None:
    game = game_of(players=2, first_player=0, board={"rows": EMPTY_BOARD})
    with pytest.raises(TraceError, match=r"deal\.first = 1, allowed 0, the first_player"):
        game.put_deal(game.new_states(), 0, GOOD)


# ---------------------------------------------------------------- states and results


def test_a_state_is_the_board_the_supplies_and_the_roll_of_this_turn() -> None:
    play = start(["F2 .. ## S0", ".. .. .. .."], dice="FJ", players=3)
    assert play.state == {
        "cells": ["F2 .. ## S0", ".. .. .. .."],
        "supply": [[13, 12, 13, 13], [13] * 4, [12, 13, 13, 13]],
        "dice": "FJ",
    }
    assert list(play.state) == ["cells", "supply", "dice"]


def test_cells_beyond_the_river_are_not_in_use_in_a_state() -> None:
    play = dealt(players=2, board={"rows": ["....", "...V"], "river": [3, 4]})
    assert play.state["cells"] == [".. .. .. ##", ".. .. .. ##"]


def test_a_result_has_points_score_zones_winners() -> None:
    play = start(["F0 F0 F0 .. S1 S1", "F1 .. .. .. .. S1", ".. .. .. .. .. .."], players=2)
    assert json.loads(json.dumps(play.result)) == {
        "points": {"forest": [12, 6], "savannah": [0, 12], "mountain": [0, 0], "wetland": [0, 0]},
        "score": [12, 18],
        "zones": [
            {"terrain": "forest", "cell": 0, "size": 4, "times": 3, "points": [12, 6]},
            {"terrain": "savannah", "cell": 4, "size": 3, "times": 2, "points": [0, 12]},
        ],
        "winners": [1],
    }


def test_zones_are_in_the_order_of_terrains_and_of_their_lowest_cells() -> None:
    rows = [
        "W0 W0 W0 .. F0 F0",
        ".. .. .. .. .. F0",
        "F1 F1 F1 .. S0 ..",
        ".. .. .. .. S0 S0",
        ".. .. .. .. .. ..",
    ]
    keys = [(zone["terrain"], zone["cell"]) for zone in start(rows).result["zones"]]
    assert keys == [("forest", 4), ("forest", 12), ("savannah", 16), ("wetland", 0)]


def test_the_result_of_a_random_game_agrees_with_itself() -> None:
    game = game_of(players=4)
    for seed in range(5):
        *_, (states, _) = random_states(game, seed)
        result = game.result_dict(states, 0)
        by_terrain = {name: np.zeros(4, int) for name in TERRAINS}
        for zone in result["zones"]:
            by_terrain[zone["terrain"]] += zone["points"]
        assert {name: points.tolist() for name, points in by_terrain.items()} == result["points"]
        assert result["winners"] == [k for k in range(4) if result["score"][k] == max(result["score"])]
