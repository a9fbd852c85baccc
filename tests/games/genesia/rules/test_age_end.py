"""RULES 5.C: the end of the Age: cities, End cards, progress, turn order; R5."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Play, card, fx, start

HOLD = [[91], []]  # a promo card of Age I in seat 0's hand, so that the end-of-Age turn is asked


def end(**fields: Any) -> Play:
    """The end of an Age, cities built, at the first decision."""
    return start(**({"phase": "end"} | fields))


# ---------------------------------------------------------------- cities


@pytest.mark.parametrize("age", [1, 2, 3])
def test_every_player_builds_where_it_has_at_least_2_clans(age: int) -> None:
    """RULES 5.C.1: also in Age III."""
    clans = {0: {0: 2}, 1: {0: 1}, 4: {0: 3}, 16: {1: 2}, 38: {1: 5}}
    game = start(age=age, phase="end", clans=clans, hands=[[{1: 2, 2: 35, 3: 66}[age]], []])
    assert game.asked == (0, "end_of_age")
    assert game.cities(0) == [0, 4] and game.cities(1) == [16, 38]
    assert game.city_supply == [18, 18]


def test_the_clans_stay_where_a_city_is_built() -> None:
    """RULES 5.C.1: a city is placed, nothing is paid for it."""
    game = end(clans={4: {0: 3}}, hands=HOLD)
    assert game.where(0) == {4: 3} and game.coins == [0, 0]


def test_a_region_has_at_most_one_city_of_a_player() -> None:
    """RULES 5.C.1: and no city of its own."""
    game = end(clans={4: {0: 9}}, cities={4: 0}, hands=HOLD)
    assert game.cities(0) == [4] and game.city_supply == [19, 20]


def test_cities_are_built_in_homelands_where_others_live() -> None:
    """RULES 5.C.1, R9: where several have at least 2 clans and no city stands, each of them places one."""
    game = end(clans={0: {0: 2, 1: 2}, 16: {0: 2, 1: 1}}, hands=HOLD)
    assert game.cities(0) == [0, 16] and game.cities(1) == [0]


@pytest.mark.parametrize("age", [1, 2, 3])
def test_no_second_city_is_built_where_one_stands(age: int) -> None:
    """RULES 5.C.1, R9: anybody's, also in Age III; in homeland 16 the city of seat 1 stands."""
    hands = {1: HOLD, 2: [[31, 32], [33]], 3: [[61, 62], [63]]}[age]
    game = end(age=age, clans={16: {0: 2, 1: 3}, 4: {0: 2}}, cities={16: 1}, hands=hands)
    assert game.cities(0) == [4] and game.cities(1) == [16]


def test_all_build_at_the_same_moment() -> None:
    """RULES 5.C.1: three players in one homeland; who comes first in seat or turn order hinders nobody."""
    game = end(players=3, turn_order=[2, 1, 0], clans={16: {0: 2, 1: 2, 2: 2}}, hands=[*HOLD, []])
    assert [game.cities(seat) for seat in range(3)] == [[16], [16], [16]]


def test_a_card_still_puts_a_second_city_into_a_homeland() -> None:
    """R9: only cards do."""
    cards = {61: card("growth", fx("city", n=1, at="foreign_homeland"))}
    game = start(age=3, hands=[[61, 98], []], cities={16: 1}, cards=cards).do("card:61")
    assert game.cities(0) == [16] and game.cities(1) == [16]


def all_but(free: list[int], supply: int, seat: int) -> dict[int, int]:
    """So many cities on the map, away from the free regions, that this supply is left."""
    regions = [r for r in range(1, 39) if r not in free][: 20 - supply]
    return dict.fromkeys(regions, seat)


def test_short_supply_builds_by_falling_value() -> None:
    """RULES 5.C.1, R5: two cities for the values 1, 3, 2 and 12: they go to 12 and 3."""
    sites = [1, 7, 4, 36]
    game = end(clans={r: {0: 2} for r in sites}, cities=all_but(sites, 2, 0), hands=HOLD)
    assert [r for r in sites if r in game.cities(0)] == [7, 36] and game.city_supply == [0, 20]


@pytest.mark.parametrize(("seat", "built"), [(0, 1), (1, 17)])
def test_ties_are_built_by_rising_id_as_the_player_sees_the_map(seat: int, built: int) -> None:
    """R5: regions 1 and 17 are both of value 1; rotated, each player's own continent comes first."""
    sites = [1, 17]
    game = end(clans={r: {seat: 2} for r in sites}, cities=all_but(sites, 1, seat), hands=HOLD)
    assert [r for r in sites if r in game.cities(seat)] == [built]


@pytest.mark.parametrize(("seat", "built"), [(0, 33), (1, 35)])
def test_ties_on_the_island_are_rotated_too(seat: int, built: int) -> None:
    """R5: sevens i -> i+2k. Seat 1 sees 35 as 33 and 33 as 35."""
    sites = [33, 35]
    game = end(clans={r: {seat: 2} for r in sites}, cities=all_but(sites, 1, seat), hands=HOLD)
    assert [r for r in sites if r in game.cities(seat)] == [built]


def test_ties_of_three_players_go_round_the_board() -> None:
    """R5: seat 1 sees continent 2 before continent 0; two cities for regions 1, 17 and 33."""
    sites = [1, 17, 33]
    cities = dict.fromkeys([r for r in range(2, 30) if r not in sites][:18], 1)
    game = end(players=3, clans={r: {1: 2} for r in sites}, cities=cities, hands=[[2], [], []])
    assert [r for r in sites if r in game.cities(1)] == [17, 33]


# ---------------------------------------------------------------- the end-of-Age turn


def test_end_of_age_turns_are_taken_in_turn_order() -> None:
    """RULES 5.C.2."""
    game = end(players=3, turn_order=[1, 2, 0], hands=[[2], [8], [17]])
    for seat in (1, 2, 0):
        assert game.asked == (seat, "end_of_age")
        game.do("end")
    assert game.kind == "position"


def test_the_end_of_age_turn_plays_cards_with_the_end_icon() -> None:
    """RULES 5.C.2. 2 and 17: End; 11: all four; 1: Growth; 12: Expansion; each may be discarded."""
    game = end(hands=[[1, 2, 11, 12, 17], []])
    assert game.cards == [2, 11, 17]
    assert len(game.legal("discard")) == 5 and "end" in game.legal() and len(game.legal()) == 9


def test_ending_the_turn_discards_what_is_left_for_4_coins_each() -> None:
    """RULES 5.C.2. Three cards are left: 12 coins; the turn is the last of Age III."""
    game = end(age=3, hands=[[61, 66, 98], [66 + 5]], coins=[1, 2]).do("end")
    assert game.hand(0) == [] and game.coins == [13, 2]


def test_there_is_no_recruiting_and_no_moving_at_the_end_of_the_age() -> None:
    """RULES 5.C.2: cards only."""
    game = end(coins=[9, 9], clans={1: {0: 2}}, hands=HOLD)
    assert game.legal() == ["discard:91", "end"]


def test_a_hand_is_empty_when_the_next_age_begins() -> None:
    """RULES 5.C.2 and 5.A: five cards are picked, five are held."""
    game = end(hands=[[1, 2, 3], [4]]).skip_to("growth")
    assert game.age == 2 and len(game.hand(0)) == 5 and len(game.hand(1)) == 5


# ---------------------------------------------------------------- progress


def test_progress_of_an_age_is_the_points_of_its_end_cards() -> None:
    """RULES 5.C.3. Cave paintings: 2, and 1 for each of four regions; Great feast: 6."""
    clans = {0: {0: 1}, 1: {0: 1}, 4: {0: 1}, 16: {0: 1}}
    game = end(hands=[[2, 29], []], clans=clans).do("card:2", "card:29").skip_to("draft")
    assert game.progress(0)[0] == 2 + 4 + 6 and game.progress(1)[0] == 0


def test_every_invention_gives_its_progress_in_its_age_and_in_every_later_one() -> None:
    """RULES 5.C.3. Card 1 (1 point) of Age I, card 34 (2 points) played in Age II."""
    game = start(age=2, hands=[[34], []], inventions=[[1], []], progress=[[1], [0]]).do("card:34")
    result = game.finish()
    assert result["progress"] == [[1, 1 + 2, 1 + 2], [0, 0, 0]]


def test_an_invention_in_the_hand_gives_nothing() -> None:
    """RULES 5.C.3: that the player has played or copied."""
    assert start(age=3, hands=[[61], []]).finish()["progress"] == [[0, 0, 0], [0, 0, 0]]


def test_the_effect_of_an_invention_is_spent() -> None:
    """RULES 5.C: Inventions stay for their progress; the six coins of card 34 come once."""
    game = start(age=2, hands=[[34], []]).do("card:34")
    assert game.coins == [6, 0] and game.inventions(0) == [34]
    game.skip_to("draft")
    assert game.age == 3 and game.coins == [21, 15]


def test_other_played_cards_leave_the_game() -> None:
    """RULES 5.C: Shell money (7) is no Invention: neither in hand nor on the table."""
    game = start(hands=[[7, 2], []]).do("card:7")
    assert game.hand(0) == [2] and game.inventions(0) == []


def test_end_cards_of_an_earlier_age_do_not_score_again() -> None:
    """RULES 5.C.3: the End cards played now."""
    game = end(hands=[[29], []]).do("card:29")
    assert game.finish()["progress"] == [[6, 0, 0], [0, 0, 0]]


# ---------------------------------------------------------------- turn order


@pytest.mark.parametrize("age", [1, 2])
def test_the_least_progress_of_this_age_chooses_its_position_first(age: int) -> None:
    """RULES 5.C.4. Inventions worth 1, 2 and 0 points: seats 2, 0, 1; earlier Ages do not count."""
    progress = [[50] * (age - 1), [0] * (age - 1), [20] * (age - 1)]
    game = end(players=3, age=age, inventions=[[1], [9], []], progress=progress)
    assert game.asked == (2, "position")
    assert game.legal() == ["position:0", "position:1", "position:2"]
    game.do("position:1")
    assert game.asked == (0, "position") and game.legal() == ["position:0", "position:2"]
    game.do("position:2")
    assert game.order == [1, 2, 0]


def test_ties_choose_in_the_current_turn_order() -> None:
    """RULES 5.C.4. Seats 0 and 2 have 0 points, seat 1 has 1, in the order 2, 1, 0."""
    game = end(players=3, turn_order=[2, 1, 0], inventions=[[], [1], []])
    assert game.asked == (2, "position")
    assert game.do("position:2").asked == (0, "position")
    assert game.do("position:0").order == [0, 1, 2]


def test_the_last_one_takes_what_is_left_without_being_asked() -> None:
    """PROTOCOL 2: a decision with exactly one legal action is not asked."""
    game = end().do("position:0")
    assert game.order == [0, 1] and game.kind == "draft"


def test_end_cards_count_for_the_choice() -> None:
    """RULES 5.C.4: the progress of this Age, End cards included."""
    assert end(hands=[[29], []]).do("card:29").asked == (1, "position")


def test_no_position_is_chosen_after_age_three() -> None:
    """RULES 5.C.4: after Ages I and II."""
    assert end(age=3).over


def test_score_on_a_card_that_is_played_in_another_phase_counts_in_this_age() -> None:
    """RULES 7: score, progress in this Age, whatever the card's icon."""
    cards = {93: card("all", fx("score", n=3, per="flat"))}
    game = start(hands=[[93], []], cards=cards).do("card:93")
    assert game.finish()["progress"] == [[3, 0, 0], [0, 0, 0]]
