"""The actions (RULES 4, 6), the bonus tiles (RULES 7), the extra options (RULES 8)."""

from __future__ import annotations

from typing import Any

import pytest
from games.gentes.playing import alone, dealt, start

from genesia_rl.games.gentes.data.box import load_box

BOX = load_box()
SHOWN = [1, 2, 3, 4, 5, 6, 7, 8]
TYPES = ["priest", "soldier", "merchant", "scholar", "artisan", "noble"]  # the slots from left to right


# ---------------------------------------------------------------- citizens


def test_a_full_row_pushes_out_the_opposite() -> None:
    play = alone(citizens=[{"priest": 4, "soldier": 2}]).do("tile:1", "citizen:priest")
    assert play.citizens() == {"priest": 5, "soldier": 1}


def test_a_row_that_is_not_full_leaves_the_opposite() -> None:
    play = alone(citizens=[{"priest": 3, "soldier": 2}]).do("tile:1", "citizen:priest")
    assert play.citizens() == {"priest": 4, "soldier": 2}


def test_a_type_that_has_six_cannot_be_recruited() -> None:
    play = alone(citizens=[{"priest": 6}]).do("tile:1")
    assert play.objects("citizen") == {"soldier", "merchant"}


# ---------------------------------------------------------------- Philosopher


def test_prices_of_the_row_for_one() -> None:
    for tile, types in (("tile:1", 3), ("tile:2", 5), ("tile:3", 6)):
        play = alone(recruit=TYPES).do(tile)
        if play.asked[1] == "count":
            play.do("count:1")
        assert play.objects("citizen") == set(TYPES[:types])


def test_prices_of_the_row_for_two() -> None:
    for tile, types in (("tile:2", 1), ("tile:3", 2), ("tile:6", 4), ("tile:8", 6)):
        play = alone(recruit=TYPES).do(tile)
        if types == 1:
            assert play.do("count:2").citizens() == {"priest": 2}
        else:
            assert play.do("count:2").objects("citizen") == set(TYPES[:types])


def test_two_coins_are_not_enough_for_two() -> None:
    assert alone().do("tile:1").asked == (0, "recruit")


def test_types_may_repeat_and_prices_do_not_change() -> None:
    play = alone().do("tile:8", "count:2", "citizen:noble", "citizen:noble")
    assert play.citizens() == {"noble": 2}


def test_taken_types_go_to_the_right_in_reverse() -> None:
    play = alone(recruit=TYPES).do("tile:8", "count:2", "citizen:soldier", "citizen:scholar")
    assert play.state["recruit"] == ["priest", "merchant", "artisan", "noble", "scholar", "soldier"]
    play = alone(recruit=TYPES).do("tile:8", "count:2", "citizen:noble", "citizen:priest")
    assert play.state["recruit"] == ["soldier", "merchant", "scholar", "artisan", "noble", "priest"]


def test_one_type_taken_twice_moves_once() -> None:
    play = alone(recruit=TYPES).do("tile:8", "count:2", "citizen:priest", "citizen:priest")
    assert play.state["recruit"] == [*TYPES[1:], "priest"]


def test_a_citizen_that_cannot_be_recruited_is_left_out() -> None:
    citizens = [{"priest": 5, "merchant": 6, "artisan": 6}]
    order = ["priest", "merchant", "artisan", "soldier", "scholar", "noble"]
    play = alone(recruit=order, citizens=citizens).do("tile:2", "count:2")
    assert play.citizens() == {"priest": 6, "merchant": 6, "artisan": 6} and play.asked == (0, "turn")


def test_a_philosopher_needs_a_type_within_its_amount() -> None:
    citizens = [{"priest": 6, "merchant": 6, "artisan": 6}]
    order = ["priest", "merchant", "artisan", "soldier", "scholar", "noble"]
    assert "tile:1" not in alone(recruit=order, citizens=citizens).legal  # slots 1 to 3 are full
    assert "tile:2" in alone(recruit=order, citizens=citizens).legal


def test_only_a_philosopher_moves_recruiting_tiles() -> None:
    play = alone(recruit=TYPES, temple=[3]).do("hire", "citizen:priest")
    assert play.state["recruit"] == TYPES


# ---------------------------------------------------------------- Scribe


def test_with_eight_coins_three_of_1_to_3_or_two_of_1_to_6_or_one_of_1_to_8() -> None:
    play = alone(display=SHOWN).do("tile:13")
    assert play.objects("card") == {str(k) for k in SHOWN}
    assert play.copy().do("card:7").asked == (0, "turn")
    second = play.copy().do("card:6")
    assert second.legal == {"card:1", "card:2", "card:3", "card:4", "card:5", "end"}
    assert second.do("card:1").asked == (0, "turn")
    third = play.copy().do("card:3", "card:1")
    assert third.legal == {"card:2", "end"}


def test_slots_keep_their_numbers_and_then_the_display_is_filled() -> None:
    play = alone(display=SHOWN, deck=[9, 10, 11]).do("tile:14", "card:2")
    assert play.state["display"] == [1, None, 3, 4, 5, 6, 7, 8]
    play.do("card:5", "end")
    assert play.state["display"] == [1, 3, 4, 6, 7, 8, 9, 10] and play.of("hands") == [2, 5]
    assert play.state["deck"] == 1


def test_the_rightmost_card_decides() -> None:
    """Three cards with 10 coins: up to slot 5."""
    play = alone(display=SHOWN).do("tile:14", "card:5")
    assert play.legal == {f"card:{k}" for k in (1, 2, 3, 4, 6, 7, 8)} | {"end"}
    assert play.copy().do("card:6").asked == (0, "turn")
    assert play.do("card:1").legal == {"card:2", "card:3", "card:4", "end"}


def test_cards_of_the_discard_pile() -> None:
    play = alone(round=3, display=[21, 22, 23, 24, 25, 26, 27, 28], discard=[3, 9]).do("tile:13")
    assert {"card:3", "card:9"} <= play.legal
    one = play.do("card:9")
    assert one.asked == (0, "turn") and one.state["discard"] == [3] and one.of("hands") == [9]
    two = alone(round=3, display=[21], discard=[3, 5, 9]).do("tile:14", "card:9")
    assert two.legal == {"card:3", "card:5", "end"}
    assert two.do("card:3").asked == (0, "turn")
    cheap = alone(round=3, display=[21], discard=[3]).do("tile:9")  # 3 coins
    assert cheap.state["discard"] == [3] and cheap.of("hands") == [21]


def test_never_from_both() -> None:
    play = alone(round=3, display=[21, 22, 23, 24, 25, 26, 27, 28], discard=[3, 9]).do("tile:14", "card:21")
    assert play.objects("card") == {"22", "23", "24", "25", "26", "27", "28"}


def test_a_scribe_needs_a_card() -> None:
    assert not {"tile:9", "tile:11"} & alone().legal
    assert alone(round=3, discard=[3]).objects("tile") & {"9", "11"} == {"11"}


# ---------------------------------------------------------------- Navigator


def test_a_city_activates_its_region_by_rising_number() -> None:
    play = alone(cities={"4": 0, "6": 0, "12": 0}).do("tile:26", "city:2")
    assert play.of("coins") == 20 - 6 + 5 and play.other() == 2 and play.of("temple") == 1


def test_the_symbol_of_a_tile() -> None:
    play = alone(cities={"4": 1}).do("tile:22", "double:0")  # anchor
    assert play.objects("city") == {"6", "8", "9", "15", "18"}
    assert play.objects("home") == {"2", "6", "9"}
    assert (
        "tile:22"
        not in alone(
            cities={"4": 1, "6": 1, "8": 1, "9": 1, "15": 1, "18": 1}, homes={"2": 0, "6": 0, "9": 0}
        ).legal
    )


def test_a_home_activates_a_region_of_choice() -> None:
    play = alone(cities={"6": 0, "10": 0}).do("tile:26", "home:1")
    assert play.asked == (0, "region") and play.legal == {"region:red", "region:green"}
    assert play.do("region:green").of("coins") == 20 - 6 + 5
    assert alone().do("tile:26", "home:1").asked == (0, "turn")


def test_with_all_tokens_placed_one_moves() -> None:
    cities = {"2": 0, "6": 0, "8": 0, "10": 0, "12": 0}
    play = alone(cities=cities, homes={"1": 0}).do("tile:26")
    assert play.asked == (0, "move") and play.legal == {"home:1", *(f"city:{k}" for k in cities)}
    play.do("city:6")
    assert "city:6" not in play.legal and "home:1" not in play.legal and "city:4" in play.legal
    before = play.other()
    play.do("city:4")
    assert play.state["cities"] == {"2": 0, "4": 0, "8": 0, "10": 0, "12": 0}
    assert play.of("temple") == 1 and play.other() == before + 8  # the bonus for six tokens


def test_what_a_lifted_home_did_is_forgotten() -> None:
    cities = {"2": 0, "6": 0, "8": 0, "10": 0, "12": 0}
    play = alone(cities=cities, homes={"1": 0}, display=SHOWN).do("home:1", "card:6")
    assert play.state["used"] == ["home:1"]
    play.do("tile:26", "home:1")
    assert play.state["used"] == []


def test_a_cube_for_which_there_is_no_room_is_not_gained() -> None:
    play = alone(temple=[4]).do("tile:26", "city:4")
    assert play.of("temple") == 4


@pytest.mark.parametrize("number", range(1, 19))
def test_every_city_gives_its_reward(number: int) -> None:
    city = BOX.city(number)
    play = alone().do("tile:26", f"city:{number}")
    found = {"coins": play.of("coins") - 14, "points": play.other(), "temple": play.of("temple"),
             "oracle": play.of("oracle")}  # fmt: skip
    assert found == {**dict.fromkeys(found, 0), city.reward: city.n}


def test_homes_of_the_two_sides() -> None:
    small, large = alone(), alone({"players": 3})
    assert small.do("tile:26").objects("home") == {"1", "2", "4", "6", "8", "9"}
    assert large.do("tile:25").objects("home") == {str(k) for k in range(1, 10)}


# ---------------------------------------------------------------- Chronicler


def test_cubes_stand_for_missing_citizens() -> None:
    play = alone(hands=[[4, 12]], citizens=[{"soldier": 1}], oracle=[2]).do("tile:18")
    assert play.asked == (0, "play") and play.legal == {"card:4", "card:12"}
    assert play.copy().do("card:4").of("oracle") == 0
    one = alone(hands=[[4, 12]], citizens=[{"soldier": 1, "artisan": 1}], oracle=[2]).do("tile:18", "card:12")
    assert one.of("oracle") == 1


def test_a_home_with_two_symbols_counts_for_both() -> None:
    for card, citizens in ((14, {"merchant": 2}),):
        assert "tile:18" in alone(hands=[[card]], citizens=[citizens], homes={"2": 0}).legal
        assert (
            "tile:18" not in alone({"players": 4}, hands=[[card]], citizens=[citizens], homes={"2": 0}).legal
        )


def test_a_symbol_listed_twice_needs_two_tokens() -> None:
    given: dict[str, Any] = {"round": 5, "hands": [[45]], "citizens": [{"priest": 4}]}
    assert "tile:18" not in alone(**given, cities={"3": 0}).legal
    assert "tile:18" in alone(**given, cities={"3": 0, "5": 0}).legal


def test_the_synergy_that_most_cards_show() -> None:
    """Card 2 shows sun and laurel: two others show the sun, one of them laurel as well."""
    given: dict[str, Any] = {"citizens": [{"priest": 2, "noble": 1}], "hands": [[2]]}
    assert alone(**given).do("tile:18").of("points") == [3, 1, 0, 0]
    assert alone(**given, played=[[3, 4, 7]]).do("tile:18").of("points") == [3, 3, 0, 0]
    assert alone(**given, played=[[3, 8]]).do("tile:18").of("points") == [3, 3, 0, 0]


# ---------------------------------------------------------------- Leader


def test_the_leader_brings_two_coins_and_the_first_place_of_the_next_round() -> None:
    play = start(coins=[0, 0], singles=[11, 11]).do("tile:28")
    assert play.of("coins") == 2 and play.state["next_first"] == 0 and play.state["first"] == 0
    second = start(coins=[0, 0], singles=[11, 11]).do("tax:1", "tile:28")
    assert second.state["round"] == 2 and second.state["first"] == 1 and second.state["next_first"] is None
    assert second.asked == (1, "turn")


def test_the_last_to_become_first_player_in_a_round_counts() -> None:
    play = start(
        {"players": 3}, singles=[0, 0, 12], hands=[[], [18]], citizens=[{}, {"soldier": 6, "noble": 6}]
    )
    play.do("tile:28")
    assert play.state["next_first"] == 0
    play.do("tile:18")
    assert play.of("played", 1) == [18] and play.state["next_first"] == 1


# ---------------------------------------------------------------- the wild tile


def test_the_wild_tile_is_for_four_actions() -> None:
    play = start({"players": 1}, display=SHOWN, hands=[[12]], citizens=[{"artisan": 1, "merchant": 1}])
    play.do("tile:26")
    assert play.asked == (0, "wild")
    assert play.legal == {"do:philosopher", "do:scribe", "do:navigator", "do:chronicler"}
    assert play.copy().do("do:philosopher").of("coins") == 14
    assert len(play.copy().do("do:navigator").legal) == 18 + 6
    assert play.copy().do("do:chronicler").of("played") == [12]
    assert play.do("do:scribe").objects("card") == {"1", "2", "3", "4", "5", "6"}


def test_the_wild_tile_does_what_is_possible() -> None:
    play = start({"players": 1}).do("tile:26")
    assert play.legal == {"do:philosopher", "do:navigator"}
    assert alone().do("tile:26").asked == (0, "city")  # with two players it is a Navigator


# ---------------------------------------------------------------- bonus tiles


def test_the_first_to_meet_a_condition_gets_8_and_others_4() -> None:
    citizens = [{"priest": 6, "merchant": 6, "artisan": 5}]
    play = start(citizens=citizens * 2, singles=[11, 11], recruit=["artisan", *TYPES[:4], "noble"])
    play.do("tile:1", "citizen:artisan")
    assert play.other(0) == 8 and play.state["bonus"]["citizens"] == [0]
    late = alone(citizens=citizens, bonus={"cards": [], "citizens": [1], "cities": []},
                 recruit=["artisan", *TYPES[:4], "noble"]).do("tile:1", "citizen:artisan")  # fmt: skip
    assert late.other(0) == 4 and late.state["bonus"]["citizens"] == [1, 0]


def test_each_seat_once_a_condition() -> None:
    play = alone(cities={"2": 0, "6": 0, "8": 0, "10": 0, "12": 0}).do("tile:26", "home:1", "region:red")
    assert play.state["bonus"]["cities"] == [0] and play.other() == 8 + 2
    play.do("tax:1")
    assert play.other() == 10


def test_eight_cards_in_play() -> None:
    play = alone(played=[[*range(1, 8)]], hands=[[12]], citizens=[{"artisan": 1, "merchant": 1}]).do(
        "tile:18"
    )
    assert play.other() == 8 and play.state["bonus"]["cards"] == [0]


@pytest.mark.parametrize(("rnd", "points"), [(4, 8), (5, 4)])
def test_bonus_tiles_of_the_solo_game(rnd: int, points: int) -> None:
    play = start({"players": 1}, round=rnd, cities={"2": 0, "6": 0, "8": 0, "10": 0, "12": 0})
    assert play.do("tile:26", "do:navigator", "home:1", "region:green").other() == points + 2


def test_conditions_are_checked_after_an_extra_option() -> None:
    play = alone(citizens=[{"priest": 6, "merchant": 6, "artisan": 5}], temple=[3])
    play.do("hire", "citizen:artisan")
    assert play.asked == (0, "turn") and play.other() == 8


# ---------------------------------------------------------------- extra options


def test_a_swap_is_one_exchange_or_two() -> None:
    play = alone(citizens=[{"priest": 2, "noble": 1}], temple=[1])
    assert "swap" in play.legal
    play.do("swap")
    assert play.of("temple") == 0 and play.legal == {"citizen:priest", "citizen:noble"}
    play.do("citizen:priest")
    assert play.citizens() == {"priest": 1, "noble": 1} and "citizen:priest" not in play.legal
    play.do("citizen:scholar")
    assert play.asked == (0, "swap_from") and play.legal == {
        "citizen:priest", "citizen:noble", "citizen:scholar", "end"
    }  # fmt: skip
    assert play.copy().do("end").asked == (0, "turn")
    play.do("citizen:scholar", "citizen:priest")
    assert (
        play.citizens() == {"priest": 2, "noble": 1}
        and play.asked == (0, "turn")
        and "swap" not in play.legal
    )


def test_a_swap_needs_a_cube_and_a_citizen() -> None:
    assert "swap" not in alone(citizens=[{"priest": 2}], oracle=[4]).legal
    assert "swap" not in alone(temple=[1]).legal


def test_hire_takes_three_cubes_of_any_kinds() -> None:
    assert "hire" not in alone(temple=[1], oracle=[1]).legal
    play = alone(temple=[2], oracle=[2]).do("hire")
    assert play.asked == (0, "hire") and play.legal == {"amount:1", "amount:2"}
    play.do("amount:2")
    assert (play.of("temple"), play.of("oracle")) == (0, 1) and play.asked == (0, "enlist")
    assert play.do("citizen:noble").citizens() == {"noble": 1}


def test_extra_options_come_before_the_action_and_repeat() -> None:
    play = alone(citizens=[{"priest": 1}], temple=[2]).do("swap")
    assert play.asked == (0, "swap_to")  # the only citizen is given away without a question
    play.do("citizen:noble", "end", "swap", "citizen:priest", "end")
    assert play.asked == (0, "turn") and play.citizens() == {"priest": 1} and play.of("temple") == 0


# ---------------------------------------------------------------- the beginning


def test_every_dealt_game_begins_with_the_draft() -> None:
    for players in (1, 2, 3, 4):
        play = dealt(3, players=players)
        state = play.state
        assert play.asked == ((state["first"] - 1) % players, "draft")
        assert state["coins"] == [20] * players and state["time"] == [[0, 1, 0, 5]] * players
