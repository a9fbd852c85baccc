"""RULES 7: when a card may be played, what it costs, and how long its effects last."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Play, card, fight, fx, start

# ---------------------------------------------------------------- cost and hand


def test_the_cost_is_paid_to_the_reserve_when_the_card_is_played() -> None:
    """RULES 7: cost. Invention of agriculture (9) costs 3; the opponent gets nothing."""
    game = start(coins=[5, 5], hands=[[9], []]).do("card:9")
    assert game.coins == [2, 5] and game.clans(0) == [2, 0]


def test_there_is_no_debt() -> None:
    """RULES 7: cost, no debt; PROTOCOL 2: playable, cost at most the player's coins."""
    assert start(coins=[2, 0], hands=[[9], []]).cards == []
    assert start(coins=[3, 0], hands=[[9], []]).cards == [9]


def test_what_a_card_brings_does_not_pay_for_it() -> None:
    """RULES 7: paid when it is played, before its effects."""
    cards = {1: card("growth", fx("coins", n=9, per="flat"), cost=3)}
    assert start(coins=[2, 0], hands=[[1], []], cards=cards).cards == []
    assert start(coins=[3, 0], hands=[[1, 2], []], cards=cards).do("card:1").coins == [9, 0]


def test_a_card_that_costs_all_coins_may_be_played_and_its_effects_see_what_is_left() -> None:
    """RULES 7: the cost is gone before `coins` are counted."""
    cards = {1: card("growth", fx("coins", n=1, per="coins"), cost=4)}
    assert start(coins=[9, 0], hands=[[1, 2], []], cards=cards).do("card:1").coins == [10, 0]


def test_a_card_leaves_the_hand_at_once_before_any_effect() -> None:
    """PROTOCOL 2. While region 11 asks for places the card is not in the hand any more."""
    game = start(hands=[[16, 2], []], coins=[5, 0]).do("card:16")
    assert game.asked == (0, "place") and game.hand(0) == [2]


def test_only_cards_in_ones_own_hand_are_played() -> None:
    """PROTOCOL 2: playable, in hand."""
    game = start(hands=[[1], [3]])
    assert game.cards == [1]
    assert game.do("end").cards == [3]


def test_a_card_may_be_played_though_its_effects_do_nothing() -> None:
    """R8. First village (18) with all cities on the map; leap (28) without clans."""
    cities = dict.fromkeys(range(5, 25), 0)
    game = start(coins=[1, 0], hands=[[18, 2], []], cities=cities).do("card:18")
    assert game.asked == (0, "growth") and game.coins == [0, 0] and game.hand(0) == [2]
    game = start(phase="expansion", hands=[[28, 2], []])
    assert game.cards == [28]
    game.do("card:28")
    assert game.asked == (0, "expansion") and game.inventions(0) == [28]


def test_effects_are_executed_in_the_listed_order() -> None:
    """RULES 7. Coins before or after the coins are counted."""
    gain, count = fx("coins", n=6, per="flat"), fx("coins", n=1, per="coins", div=2)
    game = start(
        hands=[[1, 3, 2], []], cards={1: card("growth", gain, count), 3: card("growth", count, gain)}
    )
    assert game.clone().do("card:1").coins == [9, 0]
    assert game.clone().do("card:3").coins == [6, 0]


# ---------------------------------------------------------------- timings


def test_a_turn_card_is_played_in_ones_own_turn_of_a_phase_whose_icon_it_bears() -> None:
    """RULES 7: timing turn. Growth (61), Expansion (74), End (66), both (75), four icons (83)."""
    hand = [61, 74, 66, 75, 83]
    asked: dict[str, list[int]] = {}
    for phase in ("growth", "expansion", "end"):
        game = start(age=3, phase=phase, hands=[hand, []], clans={4: {0: 1}})
        asked[phase] = game.cards
    assert asked == {"growth": [61, 75, 83], "expansion": [74, 75, 83], "end": [66, 83]}


def test_growth_and_expansion_cards_are_played_in_either() -> None:
    """RULES 7: Growth + Expansion, in either; once."""
    game = start(hands=[[15, 2], []], clans={0: {0: 1}})
    assert game.clone().do("card:15").cards == []
    assert game.do("end").skip_to("expansion", 0).cards == [15]


def test_a_growth_and_attack_card_is_played_in_growth_only() -> None:
    """RULES 7: Growth + Attack. Drones (64): not in Expansion, assault or end-of-Age turn."""
    fields: dict[str, Any] = {"age": 3, "hands": [[64], []], "coins": [5, 0], "clans": {1: {0: 3}, 4: {1: 1}}}
    assert start(phase="growth", **fields).cards == [64]
    assert start(phase="expansion", **fields).cards == []
    assert start(phase="attack", **fields).do("war", "peace").legal() == ["discard:64", "edge:1-4"]
    assert start(phase="end", **fields).cards == []


def test_a_four_icon_card_is_played_in_ones_own_turn_of_any_phase() -> None:
    """RULES 7: all four; in Attack in one's own assault turn."""
    fields: dict[str, Any] = {"age": 3, "hands": [[83], []], "clans": {1: {0: 3}, 4: {1: 1}}}
    for phase in ("growth", "expansion", "end"):
        assert start(phase=phase, **fields).cards == [83]
    assert start(phase="attack", **fields).do("war", "peace").legal() == ["card:83", "discard:83", "edge:1-4"]


def test_a_four_icon_card_in_an_assault_turn_is_done_before_the_declaration() -> None:
    """RULES 7. Three clans come to region 1, then 4 against 3 is an assault."""
    game = fight(1, 3, hands=[[83, 61], []])
    assert game.edges == []
    game.do("card:83")  # region 1 is the only one occupied, so neither places nor a relay are asked
    assert game.clans(1) == [4, 0] and game.clans(4) == [0, 3]
    assert game.asked == (0, "assault") and game.legal() == ["discard:61", "edge:1-4"]


def test_a_four_icon_card_is_not_played_by_the_defender_nor_as_reinforcement() -> None:
    """RULES 7: in one's own assault turn before the declaration; step 2 is for defence cards."""
    game = fight(5, 1, hands=[[83, 98], []]).do("edge:1-4")
    assert game.asked == (0, "reinforce") and game.legal() == ["card:98", "end"]
    game = fight(5, 1, hands=[[61], [83, 81]]).do("edge:1-4")
    assert game.asked == (1, "defence") and game.legal() == ["card:81", "end"]


def test_an_offence_card_before_the_declaration_needs_a_legal_assault_after_it() -> None:
    """RULES 7: timing offence. A strike (98) makes none legal, a feint (80) does: 1 + 3 > 3."""
    game = fight(1, 3, hands=[[80, 98], []])
    assert game.cards == [80] and "end" in game.legal()
    assert fight(4, 3, hands=[[80, 98], []]).cards == [80, 98]
    assert fight(1, 4, hands=[[80, 98], []]).cards == []


def test_offence_cards_wait_for_their_own_turn() -> None:
    """RULES 7: in one's own assault turn, not in any other turn and not in defence."""
    for phase in ("growth", "expansion", "end"):
        game = start(age=3, phase=phase, hands=[[98], []], clans={1: {0: 3}, 4: {1: 1}})
        assert game.cards == []
    assert fight(5, 1, hands=[[61], [98]]).do("edge:1-4").asked == (0, "occupy")


def test_defence_cards_wait_for_an_assault() -> None:
    """RULES 7: by the defender, in step 2: not in one's own assault turn either."""
    game = fight(5, 1, hands=[[81], []])
    assert game.legal() == ["discard:81", "edge:1-4"]


def test_copy_cards_are_not_played_in_ones_own_turn() -> None:
    """RULES 7: timing copy, in the moment another player has played a card."""
    for phase in ("growth", "expansion", "end"):
        assert start(age=3, phase=phase, hands=[[62, 98], []]).cards == []


# ---------------------------------------------------------------- how long effects last

PRICE = fx("recruit_price", p=1, n=9)


def paid(game: Play, before: str = "region:0") -> int:
    """What the next recruit costs seat 0."""
    coins = game.coins[0]
    return coins - game.do(before).coins[0]


def test_the_lasting_effects_of_a_single_icon_card_end_with_that_turn() -> None:
    """RULES 7. A price set in Growth holds for Growth only."""
    game = start(coins=[9, 0], hands=[[1], []], clans={0: {0: 1}}, cards={1: card("growth", PRICE)})
    game.do("card:1")
    assert paid(game) == 1
    game.do("end").skip_to("expansion", 0)
    assert paid(game) == 2


def test_growth_and_expansion_effects_hold_to_the_end_of_the_expansion_turn() -> None:
    """RULES 7. And not into the next Age."""
    game = start(coins=[9, 0], hands=[[6], []], clans={0: {0: 1}}, cards={6: card("growth expansion", PRICE)})
    game.do("card:6", "end").skip_to("expansion", 0)
    assert paid(game) == 1
    game.do("end").skip_to("growth", 0)
    assert game.age == 2 and paid(game) == 2


def test_growth_and_expansion_effects_do_not_reach_the_attack_phase() -> None:
    """RULES 7: to the end of the Expansion turn. Recruiting in assault turns costs 2 again."""
    fields: dict[str, Any] = {"coins": [9, 0], "hands": [[6, 20], []], "attack_recruiting": True}
    fields |= {"clans": {1: {0: 2}, 4: {1: 1}}, "cards": {6: card("growth expansion", PRICE)}}
    game = start(**fields).do("card:6", "end").skip_to("stance").do("war", "peace")
    assert paid(game) == 2


def test_four_icon_effects_hold_to_the_end_of_the_age() -> None:
    """RULES 7. Played in Growth, the price still holds in an assault turn, not in the next Age."""
    fields: dict[str, Any] = {"coins": [9, 0], "hands": [[11, 20], []], "attack_recruiting": True}
    fields |= {"clans": {1: {0: 3}, 4: {1: 1}}, "cards": {11: card("all", PRICE)}}
    game = start(**fields).do("card:11", "end").skip_to("expansion", 0)
    assert paid(game) == 1
    game.do("end").skip_to("stance").do("war", "peace")
    assert paid(game) == 1
    game.skip_to("growth", 0)
    assert game.age == 2 and paid(game) == 2


def test_four_icon_effects_of_the_end_turn_are_gone_in_the_next_age() -> None:
    """RULES 7: to the end of the Age: price, recruiting anywhere, group moves, no tolls, free moves."""
    every = [PRICE, *(fx(do) for do in ("recruit_anywhere", "group_moves", "no_toll")), fx("moves", n=5)]
    game = start(
        phase="end", hands=[[11, 2], []], clans={4: {0: 2}, 5: {1: 1}}, cards={11: card("all", *every)}
    )
    game.do("card:11").skip_to("growth", 0)
    assert game.age == 2 and game.regions == [0, 4]  # 4 has a city now
    assert paid(game) == 2
    game.skip_to("expansion", 0)
    coins = game.coins
    game.do("edge:4-5")
    assert game.asked == (0, "transit") and game.coins == [coins[0] - 2, coins[1] + 1]
    assert game.clans(4) == [1, 0]


def test_free_moves_of_a_four_icon_card_wait_for_expansion_only() -> None:
    """RULES 7. Gained in Growth they are used in Expansion; gained in an assault turn they are lost."""
    fields: dict[str, Any] = {"hands": [[11, 20], []], "clans": {1: {0: 1}, 4: {1: 1}}}
    fields |= {"cards": {11: card("all", fx("moves", n=2))}}
    game = start(**fields).do("card:11").skip_to("expansion", 0)
    assert game.edges == ["1-0", "1-2"] and game.coins == [0, 0]
    game = start(phase="attack", **fields).do("war", "peace", "card:11").skip_to("expansion", 0)
    coins = game.coins[0]
    assert game.age == 2 and game.do("edge:1-2").coins[0] == coins - 1


def test_growth_and_attack_effects_are_active_in_that_ages_attack_phase() -> None:
    """RULES 7. Drones (64): +2 offence in each assault: 2 of 3 defenders fall at once."""
    game = start(age=3, coins=[3, 0], hands=[[64, 61], []], clans={1: {0: 5}, 4: {1: 3}, 2: {1: 2}})
    game.do("card:64").skip_to("stance").do("war", "peace", "edge:1-4")
    assert game.asked == (0, "occupy") and game.clans(1) == [4, 0]  # 3 - 2 = 1, a forced loss each
    game.do("amount:0").do("war", "peace").do("edge:1-2")
    assert game.asked == (0, "occupy") and game.clans(1) == [4, 0] and game.where(1) == {}


def test_a_new_recruit_price_replaces_an_older_one() -> None:
    """RULES 7. Price 0 for one clan instead of price 1 for nine: the second one costs 2."""
    cards = {1: card("growth", PRICE), 3: card("growth", fx("recruit_price", p=0, n=1))}
    game = start(coins=[9, 0], hands=[[1, 3], []], cards=cards).do("card:1", "card:3")
    assert [paid(game) for _ in range(2)] == [0, 2]


def test_a_new_recruit_price_replaces_an_older_one_even_if_it_is_higher() -> None:
    """RULES 7. Price 1 after price 0."""
    cards = {1: card("growth", PRICE), 3: card("growth", fx("recruit_price", p=0, n=5))}
    game = start(coins=[9, 0], hands=[[1, 3], []], cards=cards).do("card:3", "card:1")
    assert paid(game) == 1


def test_a_replaced_price_does_not_come_back() -> None:
    """RULES 7. A Growth price replaces the longer one of a Growth + Expansion card, and ends with Growth."""
    cards = {1: card("growth", fx("recruit_price", p=0, n=5)), 6: card("growth expansion", PRICE)}
    game = start(coins=[9, 0], hands=[[1, 6], []], clans={0: {0: 1}}, cards=cards).do("card:6", "card:1")
    game.skip_to("expansion", 0)
    assert paid(game) == 2


@pytest.mark.parametrize("first", [11, 1])
def test_a_shorter_effect_does_not_end_a_longer_one_of_the_same_kind(first: int) -> None:
    """RULES 7: only prices replace each other. Recruiting anywhere of the four-icon card 11 goes on."""
    cards = {11: card("all", fx("recruit_anywhere")), 1: card("growth", fx("recruit_anywhere"))}
    game = start(coins=[9, 0], hands=[[1, 11], []], clans={4: {0: 1}}, cards=cards)
    game.do(f"card:{first}", f"card:{12 - first}")
    assert game.regions == [0, 4]
    assert game.do("end").skip_to("expansion", 0).regions == [0, 4]


# ---------------------------------------------------------------- Inventions


def test_an_invention_stays_and_is_counted_from_the_age_it_is_played() -> None:
    """RULES 7: invention, progress each Age from the Age it is played."""
    game = start(hands=[[1], []]).do("card:1")
    assert game.inventions(0) == [1]
    assert game.finish()["progress"][0] == [1, 1, 1]


def test_a_defence_invention_scores_too() -> None:
    """RULES 7: Emergency summit (88), 7 points each Age."""
    game = fight(5, 1, hands=[[], [88]]).do("card:88")
    assert game.inventions(1) == [88]
    assert game.finish()["progress"][1] == [0, 0, 7]
