"""RULES 7, Copying: the window, what a copy does, and the copier's small turn of free moves.

Copy cards: 4 copies Growth and Expansion, 27 Growth and End, 32 (Age II) and 62 (Age III) all three.
"""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Effect, Play, card, fx, start

from genesia_rl.core.bits import members


def copied(*effects: Effect, icons: str = "growth", phase: str = "growth", **fields: Any) -> Play:
    """In Age III seat 0 plays card 61 with these effects, and seat 1 copies it with 62."""
    cost, invention = fields.pop("cost", 0), fields.pop("invention", 0)
    cards = {61: card(icons, *effects, cost=cost, invention=invention)}
    hands = fields.pop("hands", [[61, 98], [62, 80]])
    game = start(age=3, phase=phase, hands=hands, cards=cards, **fields).do("card:61")
    return game.skip_to("copy", 1).do("card:62")


# ---------------------------------------------------------------- the window


def test_when_another_player_has_played_a_card_holders_of_a_matching_copy_card_may_answer() -> None:
    """RULES 7; PROTOCOL 2: copy, such copy cards or end."""
    game = start(hands=[[1, 2], [4, 20]]).do("card:1")
    assert game.asked == (1, "copy") and game.legal() == ["card:4", "end"]


def test_a_holder_may_decline_and_keeps_its_card() -> None:
    """RULES 7: may answer."""
    game = start(hands=[[1, 2], [4, 20]]).do("card:1", "end")
    assert game.asked == (0, "growth") and game.hand(1) == [4, 20] and game.clans(16) == [0, 0]


def test_the_turn_goes_on_after_the_copy() -> None:
    """RULES 7. Both have two clans more, and seat 0 is still in its Growth turn."""
    game = start(hands=[[1, 2], [4, 20]]).do("card:1", "card:4")
    assert game.asked == (0, "growth") and game.clans(0) == [2, 0] and game.clans(16) == [0, 2]
    assert game.hand(1) == [20]


@pytest.mark.parametrize(
    ("played", "phase", "copiers"),
    [
        (1, "growth", [4, 27]),  # Growth
        (12, "expansion", [4]),  # Expansion
        (2, "end", [27]),  # End
        (15, "growth", [4, 27]),  # Growth + Expansion
        (15, "expansion", [4, 27]),  # its Growth icon is copied by 27 in Expansion too
        (11, "growth", [4, 27]),  # all four
        (11, "expansion", [4, 27]),
        (11, "end", [4, 27]),  # and 4 copies it at the end of the Age
    ],
)
def test_one_common_icon_is_enough_whatever_the_phase(played: int, phase: str, copiers: list[int]) -> None:
    """RULES 7: one icon of the played card among the icons that the copy card copies."""
    game = start(phase=phase, hands=[[played, 20], [4, 27]], clans={0: {0: 1}, 16: {1: 1}})
    game.do(f"card:{played}")
    assert game.asked == (1, "copy") and game.cards == copiers


def test_a_growth_and_attack_card_is_copied_by_its_growth_icon() -> None:
    """RULES 7. Drones (64): the copier has the offence too, though the copy card shows no Attack."""
    clans = {4: {0: 3}, 1: {1: 5}}
    game = start(age=3, coins=[3, 0], hands=[[64, 61], [62, 67]], clans=clans).do("card:64", "card:62")
    game.skip_to("stance").do("peace", "war", "edge:1-4")
    assert game.asked == (1, "occupy") and game.clans(1) == [0, 4]  # two struck down, one each in the fight


def test_a_card_that_is_played_in_an_assault_turn_is_not_copied() -> None:
    """RULES 7: in its own Growth, Expansion or end-of-Age turn. A four-icon card that bears Growth."""
    game = start(age=3, phase="attack", hands=[[83, 98], [62, 67]], clans={1: {0: 1}, 4: {1: 3}})
    game.do("war", "peace", "card:83")
    assert game.asked == (0, "assault")


def test_offence_and_defence_cards_are_not_copied() -> None:
    """RULES 7: a turn card, not an offence, defence or copy card."""
    game = start(age=3, phase="attack", hands=[[98, 61], [62, 81]], clans={1: {0: 9}, 4: {1: 3}})
    assert game.do("war", "peace", "card:98").asked == (0, "assault")
    assert game.do("edge:1-4", "card:81").asked == (0, "losses")


def test_a_copy_card_is_not_copied() -> None:
    """RULES 7. Seat 2 declines the original; the copy by seat 1 opens no window of its own."""
    game = start(players=3, turn_order=[0, 2, 1], hands=[[1, 2], [4], [27]]).do("card:1")
    assert game.asked == (2, "copy")
    game.do("end")
    assert game.asked == (1, "copy")
    assert game.do("card:4").asked == (0, "growth")


def test_a_discarded_card_is_not_copied() -> None:
    """RULES 7: when another player has played a card."""
    game = start(hands=[[1, 2], [4, 20]]).do("discard:1")
    assert game.asked == (0, "growth")


def test_nobody_copies_its_own_card() -> None:
    """RULES 7: another player."""
    game = start(hands=[[1, 4, 2], []]).do("card:1")
    assert game.asked == (0, "growth") and game.legal() == ["discard:2", "discard:4", "end"]


@pytest.mark.parametrize(("player", "asked"), [(2, [0, 1]), (0, [1, 2]), (1, [2, 0])])
def test_holders_are_asked_in_turn_order_starting_after_the_player(player: int, asked: list[int]) -> None:
    """RULES 7. The order is 2, 0, 1 and goes round."""
    hands = [[4], [27], [91]]
    cards = {91: card("growth expansion", timing="copy")}
    hands[player] = [1, 2]
    game = start(players=3, turn_order=[2, 0, 1], hands=hands, cards=cards).skip_to("growth", player)
    game.do("card:1")
    for seat in asked:
        assert game.asked == (seat, "copy")
        game.do("end")
    assert game.asked == (player, "growth")


def test_a_holder_is_asked_once_a_played_card_and_answers_with_one() -> None:
    """RULES 7. With 4 and 27 in hand, 4 is played; 27 is not offered again."""
    game = start(hands=[[1, 2], [4, 27]]).do("card:1")
    assert game.legal() == ["card:27", "card:4", "end"]
    game.do("card:4")
    assert game.asked == (0, "growth") and game.hand(1) == [27] and game.clans(16) == [0, 2]


def test_the_next_played_card_is_a_new_occasion() -> None:
    """RULES 7: once a played card."""
    game = start(hands=[[1, 3], [4, 27]]).do("card:1", "end", "card:3")
    assert game.asked == (1, "copy") and game.cards == [4, 27]


def test_several_holders_may_copy_one_card() -> None:
    """RULES 7: holders."""
    game = start(players=3, hands=[[1, 2], [4], [27]]).do("card:1", "card:4", "card:27")
    assert game.asked == (0, "growth") and [game.clans(16 * seat)[seat] for seat in range(3)] == [2, 2, 2]


def test_the_originals_effects_are_completed_before_the_first_copy_is_offered() -> None:
    """RULES 7; PROTOCOL 2: its own decisions, then the copy window."""
    game = start(coins=[5, 0], hands=[[16, 2], [4, 20]]).do("card:16")
    assert game.asked == (0, "place")
    assert game.do("region:1").asked == (0, "place")
    assert game.do("region:2").asked == (1, "copy")


def test_the_first_copy_is_completed_before_the_second_is_offered() -> None:
    """RULES 7: executed at once, with the small turn at its end."""
    cards = {15: card("growth expansion", fx("moves", n=2), fx("clans", n=1, at="own"))}
    game = start(players=3, hands=[[15, 2], [4], [27]], cards=cards).do("card:15", "region:0", "card:4")
    assert game.asked == (1, "place")
    assert game.do("region:16").asked == (1, "free_moves")
    assert game.do("end").asked == (2, "copy")


# ---------------------------------------------------------------- what is paid


def test_the_copier_pays_the_copy_cards_cost_only() -> None:
    """RULES 7. Agriculture costs 3, its copy by card 4 nothing."""
    game = start(coins=[3, 0], hands=[[9, 2], [4, 20]]).do("card:9", "card:4")
    assert game.coins == [0, 0] and game.clans(16) == [0, 2]


def test_a_copy_card_has_a_cost_of_its_own() -> None:
    """RULES 7: the copy card's cost; PROTOCOL 2: affordable copy card."""
    cards = {4: card("growth expansion", timing="copy", cost=2)}
    fields: dict[str, Any] = {"hands": [[1, 2], [4, 20]], "cards": cards}
    assert start(coins=[0, 1], **fields).do("card:1").asked == (0, "growth")
    game = start(coins=[0, 2], **fields).do("card:1")
    assert game.asked == (1, "copy")
    assert game.do("card:4").coins == [0, 0]


def test_coins_from_the_original_can_pay_the_copy() -> None:
    """RULES 7: the original's effects are completed before. Shell money gives the opponent 1 coin."""
    cards = {4: card("growth expansion", timing="copy", cost=1)}
    game = start(hands=[[7, 2], [4, 20]], cards=cards).do("card:7")
    assert game.asked == (1, "copy") and game.coins == [8, 1]
    assert game.do("card:4").coins == [9, 8]


# ---------------------------------------------------------------- as if the copier had played the card


def test_places_and_opponents_are_the_copiers() -> None:
    """RULES 7: as if the copier had played the card. Tribute: 2 coins from seat 0, clans to homeland 16."""
    game = start(coins=[5, 1], hands=[[21, 2], [4, 20]]).do("card:21")
    assert game.coins == [6, 0]
    game.do("card:4")
    assert game.coins == [4, 2] and game.clans(0) == [2, 0] and game.clans(16) == [0, 2]


def test_a_copied_foreign_homeland_is_one_of_the_copiers_opponents() -> None:
    """RULES 7. Seat 1 chooses among the homelands of seats 0 and 2; the host is rewarded."""
    effects = fx("clans", n=2, at="foreign_homeland"), fx("host_coins", n=3)
    game = start(
        players=3,
        age=3,
        hands=[[61, 98], [62], []],
        cards={61: card("growth", *effects)},
    ).do("card:61", "region:16", "card:62")
    assert game.asked == (1, "place") and game.regions == [0, 32] and game.coins == [0, 3, 0]
    game.do("region:0")
    assert game.clans(0) == [0, 2, 0] and game.coins == [3, 3, 0]


def test_the_copier_takes_the_decisions_of_the_effects() -> None:
    """RULES 7. A leap of the copier's own clans."""
    game = copied(fx("leap", n=1, d=1), clans={17: {1: 1}})
    assert game.asked == (1, "leap_from") and game.legal() == ["end", "region:17"]


def test_a_copied_recruit_price_holds_to_the_end_of_the_age() -> None:
    """RULES 7. Copied in Growth it still holds in the copier's Expansion and assault turns."""
    clans = {17: {1: 3}, 20: {0: 1}}
    game = copied(fx("recruit_price", p=0, n=30), clans=clans, attack_recruiting=True)
    game.skip_to("growth", 1).do("region:16").skip_to("expansion", 1).do("region:16")
    game.skip_to("stance").do("peace", "war")
    assert game.asked == (1, "assault")
    game.do("region:16")
    assert game.coins[1] == 0 and game.clans(16) == [0, 3]


def test_the_original_of_a_copied_price_ends_with_its_own_turn() -> None:
    """RULES 7: only the copy holds to the end of the Age."""
    game = copied(fx("recruit_price", p=0, n=30), clans={0: {0: 1}}).skip_to("expansion", 0)
    assert game.regions == []


def test_a_copied_lasting_effect_is_gone_in_the_next_age() -> None:
    """RULES 7: to the end of the Age. Amber road (91) copied in Age I; in Age II only the homeland."""
    game = start(phase="expansion", coins=[5, 0], hands=[[91, 20], [4, 2]], clans={20: {1: 1}, 0: {0: 1}})
    game.do("card:91", "card:4").skip_to("expansion", 1).skip_to("growth", 1)
    assert game.age == 2 and game.regions == [16]


def test_copied_group_moves_work_in_the_copiers_own_expansion_turn() -> None:
    """RULES 7: lasting effects hold to the end of the Age. Great migration (13)."""
    game = start(phase="expansion", coins=[2, 1], hands=[[13, 20], [4, 2]], clans={17: {1: 3}, 1: {0: 1}})
    game.do("card:13", "card:4").skip_to("expansion", 1).do("edge:17-18")
    assert game.asked == (1, "group") and game.amounts == [1, 2, 3]


def test_copied_recruit_anywhere_holds_to_the_end_of_the_age() -> None:
    """RULES 7. Copied in Growth, used in the copier's Expansion."""
    game = copied(fx("recruit_anywhere"), clans={20: {1: 1}}, coins=[0, 9]).skip_to("expansion", 1)
    assert game.regions == [16, 20]


def test_a_copied_peace_prize_makes_a_pacifist() -> None:
    """RULES 7. Nobody is asked for a stance, the phase ends at once."""
    game = start(age=3, hands=[[87, 66], [62, 71]], clans={1: {0: 5}, 4: {1: 1}}).do("card:87", "card:62")
    game.skip_to("end_of_age")
    assert game.state["war_round"] == 0 and game.clans(4) == [0, 1]


def test_a_copied_inventions_progress_is_gained_from_now_on() -> None:
    """RULES 7. Mastery of fire: 1 point in each Age, for both."""
    game = start(hands=[[1, 2], [4, 20]]).do("card:1", "card:4")
    assert game.inventions(0) == [1] and game.inventions(1) == [1]
    assert game.finish()["progress"] == [[1, 1, 1], [1, 1, 1]]


def test_a_copied_invention_counts_itself() -> None:
    """RULES 7: inventions played or copied, the one being played included."""
    game = copied(fx("coins", n=5, per="inventions"), invention=1, inventions=[[], [1, 9]])
    assert game.coins == [5, 15]


def test_a_copied_end_card_scores_for_the_copier() -> None:
    """RULES 7. Cave paintings: 2 and one for each region: 1 for seat 0, 3 for seat 1."""
    clans = {0: {0: 1}, 16: {1: 1}, 17: {1: 1}, 18: {1: 1}}
    game = start(phase="end", hands=[[2, 20], [27]], clans=clans).do("card:2", "card:27").skip_to("draft")
    assert game.progress(0)[0] == 3 and game.progress(1)[0] == 5


# ---------------------------------------------------------------- the small turn

TWO_MOVES = fx("moves", n=2)


def test_copied_free_moves_are_used_in_a_small_turn() -> None:
    """RULES 7; PROTOCOL 2: free_moves, edges and end, nothing else, though seat 1 could pay for more."""
    game = copied(TWO_MOVES, icons="growth expansion", clans={17: {1: 1}}, coins=[0, 9])
    assert game.asked == (1, "free_moves")
    assert game.legal() == ["edge:17-16", "edge:17-18", "edge:17-20", "end"]
    game.do("edge:17-20", "edge:20-23")
    assert game.asked == (0, "growth") and game.where(1) == {23: 1} and game.coins == [0, 9]


def test_the_small_turn_comes_after_the_other_effects_of_the_card() -> None:
    """RULES 7: after its other effects, although `moves` stands first."""
    game = copied(TWO_MOVES, fx("clans", n=1, at="occupied"), icons="growth expansion",
                  clans={17: {1: 1}, 20: {1: 1}})  # fmt: skip
    assert game.asked == (1, "place")
    assert game.do("region:20").asked == (1, "free_moves")


def test_unused_moves_of_the_small_turn_are_lost() -> None:
    """RULES 7. In its own Expansion turn seat 1 has no move left."""
    game = copied(TWO_MOVES, icons="growth expansion", clans={17: {1: 1}}).do("end")
    assert game.asked == (0, "growth")
    assert game.skip_to("expansion", 1).legal() == ["discard:80", "end"]


def test_own_stored_free_moves_do_not_count_in_the_small_turn() -> None:
    """RULES 7. Seat 1 has stored four moves (15); the small turn has four of its own, then those are left."""
    clans = {16: {1: 1}}
    game = start(turn_order=[1, 0], hands=[[10, 2], [15, 4, 20]], clans=clans).do("card:15", "end")
    game.do("card:10", "card:4")
    for step in ("16-17", "17-20", "20-23", "23-26"):
        assert game.asked == (1, "free_moves")
        game.do(f"edge:{step}")
    assert game.asked == (0, "growth")
    game.skip_to("expansion", 1).do("edge:26-29")
    assert game.kind == "expansion" and game.coins == [0, 0] and game.where(1) == {16: 2, 29: 1}


def test_tolls_of_the_small_turn_are_paid_in_coins() -> None:
    """RULES 7. Two moves and one coin make a crossing."""
    clans = {17: {1: 1}, 20: {0: 1}}
    fields: dict[str, Any] = {"icons": "growth expansion", "clans": clans}
    poor = copied(TWO_MOVES, coins=[0, 0], **fields)
    assert poor.edges == ["17-16", "17-18"]
    game = copied(TWO_MOVES, coins=[0, 1], **fields)
    assert game.edges == ["17-16", "17-18", "17-20"]
    game.do("edge:17-20")
    assert game.asked == (1, "transit") and game.coins == [1, 0]
    assert game.edges == ["20-17", "20-21", "20-23"]
    game.do("edge:20-23")
    assert game.asked == (0, "growth") and game.where(1) == {23: 1}


def test_every_step_of_the_small_turn_takes_one_of_its_moves() -> None:
    """RULES 7. With one move there is no crossing, however many coins one has."""
    clans = {17: {1: 1}, 20: {0: 1}}
    game = copied(fx("moves", n=1), icons="growth expansion", clans=clans, coins=[0, 9])
    assert game.edges == ["17-16", "17-18"]


def test_a_crossing_in_the_small_turn_cannot_be_finished_with_coins() -> None:
    """RULES 7. 20 and 23 are hostile: with two moves 20-23 is out of the question, with three it is not."""
    clans = {17: {1: 1}, 20: {0: 1}, 23: {0: 1}}
    fields: dict[str, Any] = {"icons": "growth expansion", "clans": clans, "coins": [0, 9]}
    assert copied(fx("moves", n=2), **fields).do("edge:17-20").edges == ["20-17", "20-21"]
    assert copied(fx("moves", n=3), **fields).do("edge:17-20").edges == ["20-17", "20-21", "20-23"]


def test_the_small_turn_moves_groups_in_age_three() -> None:
    """RULES 5.B: one move moves a group."""
    game = copied(TWO_MOVES, icons="growth expansion", clans={17: {1: 3}}).do("edge:17-20")
    assert game.asked == (1, "group") and game.amounts == [1, 2, 3]
    game.do("amount:3")
    assert game.where(1) == {20: 3} and game.asked == (1, "free_moves")


def test_the_small_turn_moves_single_clans_in_age_two() -> None:
    """RULES 5.B. Spice route (42): 2 moves and 1 coin a region."""
    game = start(age=2, hands=[[42, 59], [32, 49]], clans={17: {1: 3}}).do("card:42", "card:32")
    assert game.coins == [0, 1]
    game.do("edge:17-20")
    assert game.where(1) == {17: 2, 20: 1} and game.asked == (1, "free_moves")


def test_copied_group_moves_and_no_toll_hold_in_the_small_turn() -> None:
    """RULES 7: moves come after the other effects. Age II: two moves carry three clans over 20."""
    cards = {42: card("growth expansion", TWO_MOVES, fx("group_moves"), fx("no_toll"))}
    game = start(age=2, hands=[[42, 59], [32, 49]], clans={17: {1: 3}, 20: {0: 1}}, cards=cards)
    game.do("card:42", "card:32", "edge:17-20", "amount:3")
    assert game.asked == (1, "transit")
    game.do("edge:20-23")
    assert game.where(1) == {23: 3} and game.coins == [0, 0] and game.asked == (0, "growth")


def test_a_copier_that_cannot_move_has_no_small_turn() -> None:
    """PROTOCOL 2: only `end` would be left, so nothing is asked."""
    game = copied(TWO_MOVES, icons="growth expansion", clans={1: {0: 1}})
    assert game.asked == (0, "growth")


def test_the_originals_free_moves_stay_with_the_player() -> None:
    """RULES 7. Seat 0 uses its two moves in Expansion."""
    game = copied(TWO_MOVES, icons="growth expansion", clans={1: {0: 1}}).skip_to("expansion", 0)
    game.do("edge:1-4", "edge:4-7")
    assert game.where(0) == {7: 1} and game.edges == []


def test_a_small_turn_may_come_at_the_end_of_the_age() -> None:
    """RULES 7: in a small turn, whenever the card is copied: a four-icon card at the end of Age III."""
    game = copied(TWO_MOVES, icons="all", phase="end", clans={17: {1: 1}})
    assert game.asked == (1, "free_moves")
    assert game.do("edge:17-20", "end").asked == (0, "end_of_age") and game.where(1) == {20: 1}


def test_a_copy_in_expansion_brings_a_small_turn_within_the_others_turn() -> None:
    """RULES 7: executed at once. Afterwards seat 0 goes on moving."""
    game = copied(TWO_MOVES, icons="expansion", phase="expansion", clans={1: {0: 1}, 17: {1: 1}})
    game.do("edge:17-18", "end")
    assert game.asked == (0, "expansion") and game.edges == ["1-0", "1-2", "1-4"]


# ---------------------------------------------------------------- markers of copied Inventions


def markers(game: Play, seat: int) -> list[int]:
    """The Inventions that are marked with a clan of the seat."""
    return members(game.state["marked"][seat])


def test_a_copied_invention_is_marked_with_a_clan_from_supply() -> None:
    """RULES 7, R10: with one of the copier's clans; the player of the original marks nothing."""
    game = copied(fx("coins", n=1, per="flat"), invention=2)
    assert game.clan_supply == [30, 29] and markers(game, 1) == [61] and markers(game, 0) == []


def test_a_copied_card_that_is_no_invention_is_not_marked() -> None:
    """RULES 7: a copied Invention."""
    assert copied(fx("coins", n=1, per="flat")).clan_supply == [30, 30]


def test_the_marker_is_taken_before_the_copied_effects_are_executed() -> None:
    """RULES 7: the last clan of seat 1 marks the Invention; its clans find none left in supply."""
    game = copied(fx("clans", n=2, at="homeland"), invention=2, clans={16: {1: 29}})
    assert game.clan_supply == [28, 0] and game.clans(16) == [0, 29] and markers(game, 1) == [61]


def test_without_a_clan_in_supply_no_clan_is_taken_then_or_later() -> None:
    """RULES 7: it is marked otherwise; 30 clans are on the map, and one that comes back stays in supply."""
    clans = {16: {1: 29}, 20: {1: 1}, 17: {0: 3}}
    game = copied(fx("coins", n=1, per="flat"), invention=2, clans=clans)
    assert game.clan_supply == [27, 0] and markers(game, 1) == [] and game.inventions(1) == [61]
    game.skip_to("stance").do("war", "peace").skip_to("stance")
    assert game.clans(20) == [0, 0] and game.clan_supply[1] == 1
    assert game.finish()["progress"] == [[0, 0, 2], [0, 0, 2]]


def test_a_clan_of_the_originals_effects_may_be_the_marker() -> None:
    """RULES 7: if none is there at that moment. Host clans of the original empty the supply before."""
    effects = fx("clans", n=1, at="foreign_homeland"), fx("host_clans", n=3)
    game = copied(*effects, invention=1, clans={20: {1: 27}}, players=3, hands=[[61, 98], [62], []])
    assert game.clan_supply[1] == 0 and markers(game, 1) == [] and game.clans(16)[1] == 3


def test_markers_are_not_on_the_map() -> None:
    """RULES 1, 7: neither for `clans` nor for `most_clans`: two against two, in spite of the marker."""
    cards = {
        61: card("growth", fx("coins", n=1, per="flat"), invention=1),
        66: card("end", fx("score", n=5, per="most_clans"), fx("score", n=1, per="clans")),
    }
    game = start(age=3, hands=[[61, 98], [62, 66]], cards=cards, clans={0: {0: 2}, 16: {1: 2}})
    game.do("card:61", "card:62").skip_to("end_of_age", 1).do("card:66")
    assert game.finish()["progress"][1] == [0, 0, 2 + 1]


def test_a_marker_stays_for_the_rest_of_the_game() -> None:
    """RULES 7: for the rest of the game, into the next Ages."""
    game = start(hands=[[1, 2], [4, 20]]).do("card:1", "card:4")
    assert game.clan_supply == [28, 27]
    game.skip_to("draft")
    assert game.clan_supply == [28, 27] and markers(game, 1) == [1]


def test_every_copier_marks_with_a_clan_of_its_own() -> None:
    """RULES 7: one of the copier's clans, for each who copies."""
    game = start(players=3, hands=[[1, 2], [4], [27]]).do("card:1", "card:4", "card:27")
    assert game.clan_supply == [28, 27, 27]
