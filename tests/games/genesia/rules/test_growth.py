"""RULES 5.B: turns, discarding, the Growth turn and recruiting."""

from __future__ import annotations

import pytest
from games.genesia.positions import Play, card, fx, start


def test_every_player_takes_one_growth_turn_and_then_one_expansion_turn() -> None:
    """RULES 5.B: in turn order, Growth, then Expansion, then Attack."""
    game = start(
        players=3, turn_order=[2, 0, 1], coins=[9, 9, 9], clans={r: {r // 16: 1} for r in (0, 16, 32)}
    )
    asked = []
    while game.kind in ("growth", "expansion"):
        asked.append(game.asked)
        game.do("end")
    assert asked == [(s, "growth") for s in (2, 0, 1)] + [(s, "expansion") for s in (2, 0, 1)]
    assert game.asked == (2, "stance")


def test_a_turn_has_any_number_of_actions_in_any_order() -> None:
    """RULES 5.B. Recruit, play, recruit, discard, recruit."""
    game = start(coins=[3, 0], hands=[[3, 2], []])
    game.do("region:0", "card:3", "region:0", "discard:2", "region:0", "region:0")
    assert game.asked == (0, "growth") and game.clans(0) == [6, 0]
    assert game.coins == [3 + 6 + 4 - 8, 0]


def test_a_turn_lasts_until_it_is_ended() -> None:
    """RULES 5.B."""
    game = start(coins=[4, 4]).do("region:0")
    assert game.asked == (0, "growth")
    assert game.do("end").asked == (1, "growth")


@pytest.mark.parametrize("phase", ["growth", "expansion", "end"])
def test_a_card_in_hand_may_be_discarded_for_4_coins(phase: str) -> None:
    """RULES 5.B: in one's own Growth, Expansion and end-of-Age turn; any card, here a defence card."""
    game = start(age=2, phase=phase, hands=[[51, 58], []])
    assert game.legal("discard") == ["discard:51", "discard:58"]
    game.do("discard:51")
    assert game.coins == [4, 0] and game.hand(0) == [58]


def test_a_card_may_be_discarded_in_ones_own_assault_turn_before_the_declaration() -> None:
    """RULES 5.B."""
    game = start(age=2, phase="attack", hands=[[51, 58], []], clans={1: {0: 3}, 4: {1: 1}})
    game.do("war", "peace", "discard:51")
    assert game.asked == (0, "assault") and game.coins == [4, 0]
    assert game.legal() == ["discard:58", "edge:1-4"]


def test_nothing_is_discarded_after_the_declaration() -> None:
    """RULES 5.B: before the declaration. Reinforcement offers offence cards only."""
    game = start(age=3, phase="attack", hands=[[98, 61], [81]], clans={1: {0: 3}, 4: {1: 1}})
    game.do("war", "peace", "edge:1-4")
    assert game.legal() == ["card:81", "end"]
    game.do("end")
    assert game.asked == (0, "reinforce") and game.legal() == ["card:98", "end"]


def test_nothing_is_discarded_when_stances_are_chosen() -> None:
    """RULES 5.B: a stance is no assault turn."""
    assert start(phase="attack", hands=[[1], [2]]).legal() == ["peace", "war"]


def test_the_growth_turn_plays_cards_with_the_growth_icon() -> None:
    """RULES 5.B. Growth (1), both (15), all four (11); not 13 (Expansion), 2 (End), 20, 4 (copy)."""
    assert start(hands=[[1, 15, 11, 13, 2], []]).cards == [1, 11, 15]
    assert start(hands=[[20, 4, 15], []]).cards == [15]


def test_a_clan_costs_2_coins_and_comes_from_the_supply_to_the_homeland() -> None:
    """RULES 5.B: recruit."""
    game = start(coins=[5, 0]).do("region:0")
    assert game.coins == [3, 0] and game.clans(0) == [1, 0] and game.clan_supply == [29, 30]


def test_one_coin_recruits_nobody() -> None:
    """RULES 5.B: recruit, 2 coins a clan."""
    assert start(coins=[1, 0], hands=[[2], []]).legal() == ["discard:2", "end"]


def test_one_clan_is_recruited_an_action() -> None:
    """RULES 5.B: with 6 coins the question comes three times."""
    game = start(coins=[6, 0])
    for clans in (1, 2):
        assert game.do("region:0").clans(0) == [clans, 0]
        assert game.asked == (0, "growth")
    game.do("region:0")
    assert game.clans(0) == [3, 0] and game.kind != "growth"


@pytest.mark.parametrize("phase", ["growth", "expansion"])
@pytest.mark.parametrize(("age", "regions"), [(1, [0]), (2, [0, 5, 16, 38]), (3, [0, 5, 16, 38])])
def test_from_age_two_on_clans_are_recruited_in_any_own_city(
    phase: str, age: int, regions: list[int]
) -> None:
    """RULES 5.B: homeland, later any own city: with or without clans, abroad, on the island."""
    game = start(
        age=age, phase=phase, coins=[2, 0], cities={5: 0, 16: [0, 1], 38: 0, 7: 1}, clans={5: {0: 2}}
    )
    assert game.regions == regions


def test_a_recruit_comes_to_the_city_that_was_named() -> None:
    """RULES 5.B: recruit."""
    game = start(age=2, coins=[3, 0], cities={38: 0}).do("region:38")
    assert game.clans(38) == [1, 0] and game.coins == [1, 0]


def test_a_city_in_the_homeland_is_no_second_place() -> None:
    """PROTOCOL 2: recruiting places are regions."""
    assert start(age=2, coins=[2, 0], cities={0: 0}).regions == [0]


def test_guests_in_the_homeland_do_not_hinder_recruiting() -> None:
    """RULES 5.B: the own homeland, whoever is there."""
    game = start(coins=[2, 0], clans={0: {1: 5}}, cities={0: 1}).do("region:0")
    assert game.clans(0) == [1, 5]


def test_without_a_clan_in_supply_nobody_is_recruited() -> None:
    """PROTOCOL 2: growth, region if a clan is in supply."""
    game = start(coins=[9, 0], clans={0: {0: 29}}, hands=[[2], []])
    assert game.regions == [0]
    game.do("region:0")
    assert game.legal() == ["discard:2", "end"] and game.clans(0) == [30, 0]


def recruits_in_expansion() -> Play:
    """Seat 0 in its Expansion turn with money and somebody to move."""
    return start(phase="expansion", coins=[5, 0], clans={1: {0: 1}})


def test_in_expansion_one_recruits_as_in_growth() -> None:
    """RULES 5.B: Expansion turn, recruit as above."""
    game = recruits_in_expansion()
    assert game.regions == [0]
    game.do("region:0")
    assert game.coins == [3, 0] and game.clans(0) == [1, 0]


def test_there_is_no_moving_in_growth() -> None:
    """RULES 5.B: moves belong to the Expansion turn."""
    game = start(coins=[5, 0], clans={1: {0: 1}})
    assert game.legal() == ["end", "region:0"]


def test_the_expansion_turn_plays_cards_with_the_expansion_icon() -> None:
    """RULES 5.B. 13: Expansion, 15: Growth and Expansion, 11: all four; not 1 (Growth), 2 (End), 20, 4."""
    hands = [[1, 15, 11, 13, 2], [20, 4, 12]]
    game = start(phase="expansion", hands=hands, coins=[2, 0])
    assert game.cards == [11, 13, 15]
    assert game.do("end").cards == [12]


def test_recruiting_goes_by_the_price_that_a_card_has_set() -> None:
    """PROTOCOL 2: price 2, or the current `recruit_price`. A price of 0 needs no coin."""
    cards = {1: card("growth", fx("recruit_price", p=0, n=2))}
    game = start(hands=[[1, 2], []], cards=cards).do("card:1", "region:0", "region:0")
    assert game.clans(0) == [2, 0] and game.legal() == ["discard:2", "end"]
