"""Every wonder: its points at the end of the game and what it does besides (wonders.toml)."""

from __future__ import annotations

from typing import Any

import pytest
from games.age_of_civilization.playing import alone, start

from genesia_rl.games.age_of_civilization.data.box import load_box

BOX = load_box()

#: (wonder, what its holder has, its points at the end of the game)
POINTS: list[tuple[int, dict[str, Any], int]] = [
    (1, {}, 4),
    (2, {"workers": [2, 4]}, 4),
    (2, {"workers": [4, 4]}, 6),
    (3, {"techs": [7, 8]}, 3),
    (3, {"techs": [7, 8, 9], "inherited": [20]}, 6),
    (4, {"techs": [1, 4, 7]}, 3),
    (4, {"techs": [1, 2, 3, 4, 5, 7, 8]}, 6),
    (5, {"coins": 3}, 1),
    (5, {"coins": 40}, 6),
    (6, {}, 6),
    (6, {"techs": [1]}, 6),
    (6, {"techs": [1, 4]}, 0),
    (7, {}, 3),
    (8, {}, 2),
    (8, {"inherited": [16]}, 4),
    (8, {"inherited": [16, 34]}, 4),
    (9, {}, 2),
    (9, {"wonders": [1, 9]}, 4 + 4),
    (10, {"points": [9, 0]}, 1),
    (10, {"points": [99, 0]}, 5),
    (11, {"techs": [1, 2]}, 0),
    (11, {"techs": [1, 2, 3]}, 3),
    (11, {"techs": [1, 2, 3, 4, 5, 6, 7, 8, 9]}, 6),
    (12, {}, 2),
    (13, {}, 6),
    (13, {"techs": [7]}, 6),
    (13, {"techs": [7, 8]}, 0),
    (14, {}, 5),
    (14, {"technologies": [[], [7]]}, 0),
    (15, {"techs": [1, 4, 5]}, 4),
    (15, {"techs": [1, 4, 7]}, 6),
]


@pytest.mark.parametrize(("number", "has", "points"), POINTS, ids=lambda x: str(x))
def test_the_points_of_a_wonder_at_the_end_of_the_game(number: int, has: dict[str, Any], points: int) -> None:
    play = alone(rnd=6, **{"coins": 0, "wonders": [number], **has})
    assert play.game.scores(play.states, 0).parts[0, 1] == points


def test_every_wonder_is_in_the_table() -> None:
    assert {number for number, *_ in POINTS} == set(range(1, 16))


def test_the_great_wall_keeps_its_seat_from_sacrifices_in_a_war() -> None:
    track = ["hunt", "fish", "farm", "culture", "trade", "construction", "conquest", "plague"]
    for wonders, workers in (([7], [3, 2]), ([1], [2, 2])):
        play = start(rnd=2, wonders=[wonders, []], track=track, workers=[2, 2]).do("rest", "rest")
        assert play.state["round"] == 3 and play.state["workers"] == workers


def test_petra_gives_a_coin_at_the_end_of_the_turn() -> None:
    assert alone(wonders=[12], coins=0).do("rest").has("coins") == 5 + 1


def test_a_wonder_costs_seven_and_gives_three_points_at_once() -> None:
    play = alone(coins=7, wonder_market=[4, 9]).act("wonder")
    assert play.asked == (0, "wonder") and play.legal == {"wonder:4", "wonder:9"}
    play.do("wonder:9")
    assert play.has("points") == 3 and play.has("coins") == 0 and play.has("wonders") == [9]
    assert play.state["wonder_market"] == [4]
    assert "wonder" not in alone(coins=6, wonder_market=[4]).acts


def test_the_last_wonder_is_not_asked_and_with_an_empty_market_none_is_gained() -> None:
    assert alone(wonder_market=[4]).act("wonder").has("wonders") == [4]
    play = alone(wonder_market=[]).act("wonder")
    assert play.has("wonders") == [] and play.has("points") == 3 and play.has("coins") == 23


def test_a_wonder_gained_at_the_end_of_the_turn_is_still_done_in_it() -> None:
    """R5: Babylon gains a technology with an effect of its own."""
    play = alone(8, techs=[4], coins=0).do("rest", "tech:5")
    assert play.has("coins") == 2 + 1
