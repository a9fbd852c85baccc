"""RULES 5.B: moving, stopping, crossing and paying tolls; R2."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Play, card, fx, start

HOSTILE = {1: {0: 1}, 4: {1: 1}}  # a clan of mine in region 1, one of theirs in region 4 beside it


def moving(coins: int | list[int] = 0, **fields: Any) -> Play:
    """Seat 0 in its Expansion turn."""
    by_seat = [coins, 0] if isinstance(coins, int) else coins
    return start(phase="expansion", coins=by_seat, **fields)


# ---------------------------------------------------------------- one move


@pytest.mark.parametrize("age", [1, 2])
def test_in_ages_one_and_two_a_coin_moves_one_clan(age: int) -> None:
    """RULES 5.B: move, Ages I and II; nobody asks how many."""
    game = moving(3, age=age, clans={1: {0: 3}}).do("edge:1-4")
    assert game.asked == (0, "expansion") and game.coins == [2, 0]
    assert game.where(0) == {1: 2, 4: 1}


def test_in_age_three_a_coin_moves_a_group_of_any_size() -> None:
    """RULES 5.B: move, Age III; PROTOCOL 2: group, amount 1..clans, asked before the step is made."""
    game = moving(3, age=3, clans={1: {0: 3}}).do("edge:1-4")
    assert game.asked == (0, "group") and game.legal() == ["amount:1", "amount:2", "amount:3"]
    assert game.where(0) == {1: 3} and game.coins == [3, 0]
    game.do("amount:2")
    assert game.where(0) == {1: 1, 4: 2} and game.coins == [2, 0]


def test_a_single_clan_is_a_group_of_one_without_a_question() -> None:
    """PROTOCOL 2: group, where the origin holds more than one own clan."""
    game = moving(3, age=3, clans={1: {0: 1}}).do("edge:1-4")
    assert game.asked == (0, "expansion") and game.where(0) == {4: 1}


def test_without_coins_and_free_moves_nothing_moves() -> None:
    """RULES 5.B: 1 coin a move."""
    assert moving(0, clans={1: {0: 1}}, hands=[[2], []]).legal() == ["discard:2", "end"]


def test_a_move_goes_to_an_adjacent_region_only() -> None:
    """RULES 5.B: to an adjacent region. Region 5 touches 2, 4, 6 and 8."""
    assert moving(9, clans={5: {0: 1}}).edges == ["5-2", "5-4", "5-6", "5-8"]


def test_a_clan_may_move_again() -> None:
    """RULES 5.B: any number of actions."""
    game = moving(4, clans={0: {0: 1}}).do("edge:0-1", "edge:1-4", "edge:4-7", "edge:7-10")
    assert game.where(0) == {10: 1} and game.coins == [0, 0]


def test_cities_never_move_and_no_clan_need_stay_in_them() -> None:
    """RULES 5.B. The last clan leaves the city; then nothing there can move."""
    game = moving(9, clans={1: {0: 1}, 9: {0: 1}}, cities={1: 0}).do("edge:1-4")
    assert game.cities(0) == [1] and game.where(0) == {4: 1, 9: 1}
    assert not [edge for edge in game.edges if edge.startswith("1-")]


def test_only_ones_own_clans_move() -> None:
    """RULES 5.B: from a region with own clans."""
    game = moving(9, clans={16: {0: 1, 1: 3}, 5: {1: 1}})
    assert game.edges == ["16-17", "16-18", "16-19"]
    assert game.do("edge:16-17").clans(16) == [0, 3]


# ---------------------------------------------------------------- free moves


def test_free_moves_are_spent_before_coins() -> None:
    """RULES 5.B. Four free moves (15), then a coin."""
    game = moving(1, clans={0: {0: 1}}, hands=[[15], []]).do("card:15")
    game.do("edge:0-1", "edge:1-4", "edge:4-7", "edge:7-10")
    assert game.coins == [1, 0]
    assert game.do("edge:10-13").coins == [0, 0]


def test_free_moves_of_several_cards_add_up() -> None:
    """RULES 7: moves n, n free moves. 4 of card 10 and 4 of card 12 make eight steps."""
    game = moving(0, clans={0: {0: 1}}, hands=[[10, 12], []])
    game.do("card:12").do("card:10", "edge:0-1")
    for step in ["1-4", "4-1"] * 3 + ["1-4"]:
        game.do(f"edge:{step}")
    assert game.kind != "expansion"


def test_a_free_move_moves_a_group_in_age_three() -> None:
    """RULES 5.B: free moves are moves."""
    game = moving(0, age=3, clans={0: {0: 6}}, hands=[[74], []]).do("card:74", "edge:0-1", "amount:6")
    assert game.where(0) == {1: 6} and game.coins == [0, 0]


def test_free_moves_gained_in_growth_wait_for_expansion() -> None:
    """RULES 7: Growth + Expansion; they are not lost with the Growth turn."""
    game = start(clans={0: {0: 1}}, hands=[[15, 2], []]).do("card:15")
    assert game.legal() == ["discard:2", "end"]
    game.skip_to("expansion", 0)
    assert game.edges == ["0-1", "0-2", "0-3"] and game.coins == [0, 0]


def test_free_moves_not_used_by_the_end_of_ones_expansion_turn_are_lost() -> None:
    """RULES 7. In Age II the first step costs a coin again: 15 become 14."""
    game = moving(0, clans={0: {0: 1}}, hands=[[15], []]).do("card:15").do("end")
    game.skip_to("expansion", 0)
    assert game.age == 2
    coins = game.coins[0]
    assert game.do("edge:0-1").coins[0] == coins - 1


# ---------------------------------------------------------------- where one may stop


def test_a_clan_may_stop_where_nobody_else_is() -> None:
    """RULES 5.B: stop, nobody else has presence; a foreign homeland that stands empty too."""
    game = moving(1, clans={17: {0: 1}}).do("edge:17-16")
    assert game.where(0) == {16: 1}


def test_a_clan_may_stop_where_the_mover_already_has_presence() -> None:
    """RULES 5.B: stop. Mine is the city in the homeland of seat 1, where it lives too."""
    game = moving([1, 1], clans={17: {0: 1}, 16: {1: 4}}, cities={16: 0}).do("edge:17-16")
    assert game.seat == 1 and game.clans(16) == [1, 4]


def test_a_clan_may_stop_in_its_own_homeland_among_guests() -> None:
    """RULES 5.B: stop, the mover's own homeland though it has nothing there and guests do."""
    game = moving(1, clans={1: {0: 1}, 0: {1: 3}}, hands=[[2], []]).do("edge:1-0")
    assert game.asked == (0, "expansion") and game.clans(0) == [1, 3] and game.coins == [0, 0]


def test_a_clan_may_not_stop_in_a_foreign_homeland_where_only_others_live() -> None:
    """RULES 5.B: stop. The owner is not even there, a third player is."""
    fields: dict[str, Any] = {"players": 3, "clans": {17: {0: 1}, 16: {2: 1}}}
    assert moving([1, 0, 0], **fields).edges == ["17-18", "17-20"]
    game = moving([2, 0, 0], **fields).do("edge:17-16")
    assert game.asked == (0, "transit") and game.legal() == ["edge:16-17", "edge:16-18", "edge:16-19"]


# ---------------------------------------------------------------- crossings


@pytest.mark.parametrize(("coins", "edges"), [(1, ["1-0", "1-2"]), (2, ["1-0", "1-2"]),
                                              (3, ["1-0", "1-2", "1-4"])])  # fmt: skip
def test_a_crossing_needs_the_means_for_a_complete_route(coins: int, edges: list[str]) -> None:
    """RULES 5.B, R2. Into 4: a move and a toll; and out of it another move: three coins."""
    assert moving(coins, clans=HOSTILE).edges == edges


def test_the_toll_goes_straight_to_the_player_who_occupies_the_region() -> None:
    """RULES 5.B: toll. Seat 2 of three, and nobody else, gets a coin."""
    game = moving([3, 5, 5], players=3, clans={1: {0: 1}, 4: {2: 1}}).do("edge:1-4")
    assert game.coins == [1, 5, 6]


def test_a_city_alone_takes_toll() -> None:
    """RULES 5.B: the player who occupies it, be it with a city only."""
    assert moving(3, clans={1: {0: 1}}, cities={4: 1}).do("edge:1-4").coins == [1, 1]


def test_in_age_three_the_toll_is_one_coin_a_group() -> None:
    """RULES 5.B: toll, a group in Age III. Five clans cross for one coin."""
    game = moving(3, age=3, clans={1: {0: 5}, 4: {1: 2}}).do("edge:1-4", "amount:5")
    assert game.coins == [1, 1] and game.clans(4) == [5, 2]
    game.do("edge:4-7")
    assert game.where(0) == {7: 5} and game.coins == [0, 1]


@pytest.mark.parametrize("age", [1, 2])
def test_in_ages_one_and_two_the_toll_is_one_coin_a_clan(age: int) -> None:
    """RULES 5.B: toll. Two clans cross one after the other and pay twice."""
    game = moving(6, age=age, clans={1: {0: 2}, 4: {1: 1}})
    game.do("edge:1-4", "edge:4-7", "edge:1-4", "edge:4-7")
    assert game.coins == [0, 2] and game.where(0) == {7: 2}


def test_homelands_are_crossed_without_toll() -> None:
    """RULES 5.B. Two coins are enough: in and out."""
    fields: dict[str, Any] = {"clans": {17: {0: 1}, 16: {1: 2}}}
    assert moving(1, **fields).edges == ["17-18", "17-20"]
    game = moving(2, **fields)
    assert game.edges == ["17-16", "17-18", "17-20"]
    assert game.do("edge:17-16").coins == [1, 0]
    assert game.do("edge:16-19").coins == [0, 0] and game.where(0) == {19: 1}


def test_a_crossing_must_go_on_until_it_stops() -> None:
    """RULES 5.B, PROTOCOL 2: transit, edges from that region only, no end, nothing else."""
    clans = {**HOSTILE, 9: {0: 3}}
    game = moving(9, clans=clans, hands=[[15, 2], []]).do("edge:1-4")
    assert game.asked == (0, "transit") and game.legal() == ["edge:4-1", "edge:4-5", "edge:4-7"]
    assert game.do("edge:4-5").asked == (0, "expansion")


def test_a_crossing_goes_on_with_the_same_group() -> None:
    """RULES 5.B: with that same clan or group: two of five go, and two arrive."""
    game = moving(9, age=3, clans={1: {0: 5}, 4: {1: 1}}).do("edge:1-4", "amount:2")
    assert game.asked == (0, "transit") and game.clans(4) == [2, 1]
    assert game.do("edge:4-7").where(0) == {1: 3, 7: 2}


def test_while_it_crosses_the_clan_is_on_the_map_in_the_region_it_crosses() -> None:
    """RULES 5.B."""
    game = moving(3, clans=HOSTILE).do("edge:1-4")
    assert game.public == {"coins": [1, 1], "supply": [29, 29], "clans": {"4": [1, 1]}, "cities": {}}


def test_being_in_the_region_gives_no_right_to_stop_there() -> None:
    """RULES 5.B. From 4 over 7 back to 4: both are paid for again, and it still must go on."""
    game = moving(9, clans={**HOSTILE, 7: {1: 1}}).do("edge:1-4", "edge:4-7", "edge:7-4")
    assert game.asked == (0, "transit") and game.coins == [3, 3]
    assert game.legal() == ["edge:4-1", "edge:4-5", "edge:4-7"]


def test_the_origin_is_a_place_to_stop_though_the_last_clan_has_left_it() -> None:
    """RULES 5.B, PROTOCOL 2. 1 is empty now, all else around 4 is hostile: the way back is the only one."""
    game = moving(3, clans={1: {0: 1}, 4: {1: 1}, 5: {1: 1}, 7: {1: 1}}, hands=[[2], []])
    assert game.edges == ["1-0", "1-2", "1-4"]
    game.do("edge:1-4")  # one coin is left, so stepping back to 1 is forced and not asked
    assert game.where(0) == {1: 1} and game.coins == [0, 1] and game.asked == (0, "expansion")


def test_the_origin_among_hosts_is_a_place_to_stop_after_the_last_clan_has_left_it() -> None:
    """RULES 5.B. Another's homeland, left by my only clan."""
    clans = {16: {0: 1, 1: 1}, 17: {1: 1}, 18: {1: 1}, 19: {1: 1}, 20: {1: 1}}
    game = moving(3, clans=clans, hands=[[2], []]).do("edge:16-17")
    assert game.where(0) == {16: 1} and game.coins == [0, 1]


def test_every_hostile_region_of_a_route_takes_its_toll() -> None:
    """RULES 5.B, PROTOCOL 2. 4 and 7 are hostile: 2 + 2 coins, and 1 for the step to 10."""
    fields: dict[str, Any] = {"clans": {**HOSTILE, 7: {1: 1}}}
    game = moving(5, **fields).do("edge:1-4")
    assert game.edges == ["4-1", "4-5", "4-7"]
    assert game.do("edge:4-7", "edge:7-10").coins == [0, 2]
    assert moving(4, **fields).do("edge:1-4").edges == ["4-1", "4-5"]


@pytest.mark.parametrize(("coins", "edges"), [(6, ["4-1", "4-5"]), (7, ["4-1", "4-5", "4-7"])])
def test_the_means_must_reach_to_the_end_of_the_cheapest_route(coins: int, edges: list[str]) -> None:
    """R2. From 4 into the dead end 7 (2 coins), back to 4 (2) and out of it (1): five after the first two."""
    clans = {**HOSTILE, 7: {1: 1}, 8: {1: 1}, 10: {1: 1}, 11: {1: 1}, 13: {1: 1}}
    assert moving(coins, clans=clans).do("edge:1-4").edges == edges


def test_a_route_over_a_homeland_costs_no_toll_on_the_way() -> None:
    """R2, PROTOCOL 2: 0 if b is a homeland. 20, 17 hostile, 16 a homeland: out of 17 by 16 to 18."""
    clans = {20: {0: 1}, 17: {1: 1}, 16: {1: 1}, 18: {1: 1}}
    # 20-17: 2; 17-16: 1; 16-19: 1. Back from 16 it would be dearer.
    game = moving(4, clans=clans).do("edge:20-17")
    assert game.edges == ["17-16", "17-20"]
    assert game.do("edge:17-16").where(0) == {19: 1} and game.coins == [0, 1]  # the last step is forced
    assert moving(3, clans=clans, hands=[[2], []]).do("edge:20-17").where(0) == {20: 1}


def test_free_moves_pay_steps_and_coins_pay_tolls() -> None:
    """PROTOCOL 2. Two free moves and a coin are enough for a crossing; free moves alone are not."""
    cards = {15: card("expansion", fx("moves", n=2))}
    fields: dict[str, Any] = {"clans": HOSTILE, "hands": [[15, 2], []], "cards": cards}
    assert moving(0, **fields).do("card:15").edges == ["1-0", "1-2"]
    game = moving(1, **fields).do("card:15", "edge:1-4")
    assert game.asked == (0, "transit") and game.coins == [0, 1]
    assert game.do("edge:4-7").coins == [0, 1]


@pytest.mark.parametrize(("coins", "allowed"), [(1, False), (2, True)])
def test_a_route_may_begin_with_free_moves_and_end_with_coins(coins: int, allowed: bool) -> None:
    """PROTOCOL 2. One free move in, a coin of toll, a coin out."""
    cards = {15: card("expansion", fx("moves", n=1))}
    game = moving(coins, clans=HOSTILE, hands=[[15, 2], []], cards=cards).do("card:15")
    assert ("1-4" in game.edges) is allowed


def test_a_toll_is_paid_on_entering() -> None:
    """PROTOCOL 2. In transit the coin is gone already."""
    game = moving([4, 0], clans=HOSTILE).do("edge:1-4")
    assert game.coins == [2, 1]


def test_nobody_pays_for_joining_ones_own_pieces() -> None:
    """RULES 5.B: where one may stop nothing but the move is paid."""
    game = moving(1, clans={1: {0: 1}, 4: {0: 1}}).do("edge:1-4")
    assert game.coins == [0, 0] and game.where(0) == {4: 2}


def test_a_crossing_may_end_among_hosts_in_ones_own_homeland() -> None:
    """RULES 5.B: a complete route to a region where it may stop: 4, hostile 1, homeland with guests."""
    clans = {4: {0: 1}, 1: {1: 1}, 0: {1: 1}, 2: {1: 1}}
    game = moving(3, clans=clans, hands=[[2], []]).do("edge:4-1")
    assert game.edges == ["1-0", "1-4"]
    assert game.do("edge:1-0").where(0) == {0: 1} and game.asked == (0, "expansion")


def test_a_clan_that_is_crossing_cannot_be_moved_on_together_with_others() -> None:
    """RULES 5.B. After the crossing the group at the origin is still whole."""
    game = moving(9, age=3, clans={1: {0: 4}, 4: {1: 1}}).do("edge:1-4", "amount:1", "edge:4-1")
    assert game.where(0) == {1: 4} and game.coins == [6, 1]


def test_tolls_that_one_has_earned_can_be_spent() -> None:
    """RULES 5.B: straight to the player: seat 1 moves with the coin it got from seat 0."""
    game = moving([3, 0], clans=HOSTILE).do("edge:1-4", "edge:4-7")
    assert game.asked == (1, "expansion") and game.edges == ["4-1", "4-5"] and game.coins == [0, 1]


# ---------------------------------------------------------------- the cheapest route

# Three players and a road from homeland 16 to homeland 32. A clan of seat 0 comes from 23. Hostile are 17 to
# 21, 24 and 26; in 16 and 32 others live, 33 is free. From 17 there are two ways out: back over 20, which is
# two steps and a toll, and over both homelands to 33, which is three steps and no toll.
TWO_WAYS: dict[str, Any] = {
    "players": 3,
    "roads": [[16, 32]],
    "clans": {23: {0: 1}, 16: {1: 1}, 32: {2: 1}} | {r: {1: 1} for r in (*range(17, 22), 24, 26)},
}


@pytest.mark.parametrize(
    ("free", "coins", "legal"),
    [
        (5, 2, True),  # two tolls, five free steps over the homelands
        (4, 2, False),  # the long way lacks a step, the short one a toll
        (4, 3, True),  # the short way: four steps, three tolls
        (3, 3, False),
        (3, 4, True),
        (9, 1, False),  # no coin for the toll of 17
    ],
)
def test_a_longer_route_may_be_the_cheaper_one(free: int, coins: int, legal: bool) -> None:
    """R2, PROTOCOL 2: some complete route, be it long and without tolls or short and dear."""
    cards = {68: card("growth expansion", fx("moves", n=free))}
    game = start(
        age=3, phase="expansion", coins=[coins, 0, 0], hands=[[68, 98], [], []], cards=cards, **TWO_WAYS
    )
    game.do("card:68", "edge:23-20")
    assert ("20-17" in game.edges if game.kind == "transit" else False) is legal


def test_the_way_over_the_homelands_can_be_gone_to_its_end() -> None:
    """R2. Five free moves, two coins: no toll for the homelands, none is left."""
    cards = {68: card("growth expansion", fx("moves", n=5))}
    game = start(age=3, phase="expansion", coins=[2, 0, 0], hands=[[68, 98], [], []], cards=cards, **TWO_WAYS)
    game.do("card:68", "edge:23-20", "edge:20-17")  # 17-16 and 16-32 are forced then
    assert game.asked == (0, "transit") and game.legal() == ["edge:32-33", "edge:32-34", "edge:32-35"]
    assert game.do("edge:32-33").where(0) == {33: 1} and game.coins == [0, 2, 0]


def test_group_moves_of_a_card_end_with_the_turn() -> None:
    """RULES 7: a single-icon card's effects end with that turn. In Age II a step moves one clan again."""
    game = moving(9, clans={1: {0: 3}}, hands=[[13, 2], []]).do("card:13", "end")
    game.skip_to("expansion", 0).do("edge:1-4")
    assert game.age == 2 and game.where(0) == {1: 2, 4: 1}
