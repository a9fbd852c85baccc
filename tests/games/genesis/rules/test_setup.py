"""RULES 4 and R5: the set-up and what chance decides."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from games.genesis.playing import dealt, game_of

from genesia_rl.games.genesis.text.words import ROLLS

#: The greatest value of chi-square that one draw in a million exceeds, by degrees of freedom.
LIMITS = {1: 24.0, 2: 27.7, 3: 30.7, 4: 33.4, 24: 76.0, 35: 94.0}

#: How often each roll comes up in 36, with two jokers on either die (R4).
WEIGHTS = {roll: (2 if roll[0] == "J" else 1) * (2 if roll[1] == "J" else 1) for roll in ROLLS}


def chi_square(found: Counter[str], weights: dict[str, int]) -> float:
    """How far counts are from what the weights let one expect."""
    total, whole = sum(found.values()), sum(weights.values())
    expected = {key: total * weight / whole for key, weight in weights.items()}
    assert set(found) <= set(weights)
    return sum((found[key] - number) ** 2 / number for key, number in expected.items())


def test_the_board_is_empty_at_the_start() -> None:
    marks = " ".join(dealt(players=4).state["cells"]).split(" ")
    assert Counter(marks) == {"..": 118, "##": 22}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_chance_says_who_takes_the_first_turn_r5(players: int) -> None:
    game = game_of(players=players)
    states, found = game.new_states(), Counter[str]()
    for seed in range(3000):
        game.kernels.deal(states, 0, game.tables, np.uint64(seed))
        found[str(states[0]["first"])] += 1
    assert chi_square(found, {str(seat): 1 for seat in range(players)}) < LIMITS[players - 1]


@pytest.mark.parametrize("seat", range(4))
def test_the_configuration_may_name_the_first_player_r5(seat: int) -> None:
    for seed in range(20):
        play = dealt(seed, players=4, first_player=seat)
        assert play.asked == (seat, "first")


def test_a_seed_has_the_same_rolls_whether_or_not_the_first_player_is_named() -> None:
    named, drawn = dealt(5, first_player=1), dealt(5)
    assert named.game.deal_dict(named.states, 0)["dice"] == drawn.game.deal_dict(drawn.states, 0)["dice"]


def test_every_face_of_both_dice_is_equally_likely_and_they_are_independent() -> None:
    game = game_of()
    states, found = game.new_states(), Counter[str]()
    for seed in range(300):
        game.kernels.deal(states, 0, game.tables, np.uint64(seed))
        found.update(ROLLS[roll] for roll in states[0]["dice"][:93].tolist())
    assert chi_square(found, WEIGHTS) < LIMITS[24]


def test_one_roll_says_nothing_of_the_next() -> None:
    game = game_of()
    states, found = game.new_states(), Counter[str]()
    for seed in range(300):
        game.kernels.deal(states, 0, game.tables, np.uint64(seed))
        firsts = [ROLLS[roll][0] for roll in states[0]["dice"][:92].tolist()]
        found.update(a + b for a, b in zip(firsts[::2], firsts[1::2], strict=True))
    assert chi_square(found, WEIGHTS) < LIMITS[24]


@pytest.mark.parametrize(("players", "number"), [(2, 93), (3, 118), (4, 118)])
def test_the_deal_has_a_roll_for_each_cell_in_use(players: int, number: int) -> None:
    play = dealt(players=players)
    assert len(play.game.deal_dict(play.states, 0)["dice"]) == number


def test_the_same_seed_is_the_same_deal_and_another_is_another() -> None:
    deals = [play.game.deal_dict(play.states, 0) for play in (dealt(3), dealt(3), dealt(4))]
    assert deals[0] == deals[1] != deals[2]


def test_the_players_take_turns_clockwise() -> None:
    play = dealt(players=3, first_player=2)
    found = []
    for cell in (0, 1, 2, 3, 5):
        found.append(play.asked)
        play.tile("forest", cell)
        if play.asked is not None and play.asked[1] == "second":
            play.do("end")
    assert found == [(seat, "first") for seat in (2, 0, 1, 2, 0)]


def test_the_first_order_is_clockwise_from_the_first_player() -> None:
    game = game_of(players=4, first_player=2)
    results = np.zeros(1, game.facts.result_dtype)
    game.kernels.play_random(game.new_states(), 0, game.tables, np.zeros(1, np.uint64), results)
    assert results[0]["order"].tolist() == [2, 3, 0, 1]
