"""RULES 11: the rulings R1..R17, each by an example of its own."""

from __future__ import annotations

from typing import Any

from games.genesia.positions import Play, card, dealt, fight, fx, start


def second_pick(age: int) -> tuple[set[int], list[set[int]], int]:
    """What is offered at the second pick of the first seat, the packs as dealt, and that seat."""
    game = start(players=3, age=age - 1, phase="end").do("position:0", "position:1")
    packs = [{int(c) for c in row} for row in game.state["packs"][age - 1][:3]]
    for _ in range(3):
        game.do(game.legal()[0])
    return set(game.cards), packs, game.seat


def test_r1_packs_go_right_in_age_two_and_left_in_age_three() -> None:
    """R1. The right neighbour hands me hers in Age III, the left one in Age II."""
    offered, packs, seat = second_pick(2)
    assert offered < packs[(seat + 1) % 3]
    offered, packs, seat = second_pick(3)
    assert offered < packs[(seat - 1) % 3]


def test_r2_a_crossing_must_be_completable() -> None:
    """R2. Two coins pay the way in and the toll, and not the way out: the step is not offered."""
    fields: dict[str, Any] = {"phase": "expansion", "clans": {1: {0: 1}, 4: {1: 1}}}
    assert start(coins=[2, 0], **fields).edges == ["1-0", "1-2"]
    assert start(coins=[3, 0], **fields).edges == ["1-0", "1-2", "1-4"]


def test_r3_war_without_an_assault_obliges_to_peace() -> None:
    """R3. Both choose War on an empty map, once; then all must choose Peace, and the phase ends."""
    game = start(phase="attack", hands=[[2], []]).do("war", "war", "end")
    assert game.asked == (0, "end_of_age")
    game = start(phase="attack", hands=[[2], []]).do("war", "peace", "end")
    assert game.asked == (1, "stance") and game.do("peace").asked == (0, "end_of_age")


def test_r4_an_empty_city_must_be_besieged_once_declared() -> None:
    """R4. It is not asked whether."""
    game = fight(3, 0, hands=[[61], []], clans={1: {0: 3}}, cities={4: 1}).do("edge:1-4")
    assert game.asked == (0, "occupy") and game.cities(0) == [4]


def test_r4_an_empty_city_needs_a_city_piece() -> None:
    """R4. Without one the assault is not legal."""
    cities = dict.fromkeys((0, *range(5, 16), *range(25, 33)), 0) | {4: 1}
    assert fight(3, 0, hands=[[61], []], clans={1: {0: 3}}, cities=cities).legal() == ["discard:61", "end"]


def building(seat: int) -> Play:
    """One city left for the regions of value 1 on both continents."""
    cities = dict.fromkeys([*range(4, 16), *range(20, 27)], seat)
    clans = {r: {seat: 2} for r in (1, 3, 17, 19)}
    return start(phase="end", clans=clans, cities=cities, hands=[[2], []])


def test_r5_cities_are_built_in_the_players_own_numbering() -> None:
    """R5. Seat 0 builds in 1, seat 1 in 17."""
    assert [r for r in (1, 3, 17, 19) if r in building(0).cities(0)] == [1]
    assert [r for r in (1, 3, 17, 19) if r in building(1).cities(1)] == [17]


def test_r6_teams_are_compared_by_their_last_members_tie_breaks_included() -> None:
    """R6. 3 and 3 are the lowest totals: equal teams share; with region 3 instead, more progress wins."""
    fields: dict[str, Any] = {"players": 3, "age": 3, "phase": "end", "teams": [[0, 1], [2]]}
    assert start(progress=[[9, 0], [3, 0], [1, 2]], **fields).result["winners"] == [0, 1, 2]
    game = start(progress=[[9, 0], [0, 0], [1, 2]], clans={23: {1: 1}}, **fields)
    assert game.result["score"] == [9, 3, 3] and game.result["winners"] == [2]


TEAM: dict[str, Any] = {"players": 3, "age": 3, "teams": [[0, 1], [2]]}


def test_r7_a_team_mate_may_be_assaulted() -> None:
    """R7: in every other rule a team-mate is an opponent like the others."""
    game = start(phase="attack", clans={1: {0: 3}, 4: {1: 1}}, hands=[[61], [], []], **TEAM)
    assert game.do("war", "peace", "peace").edges == ["1-4"]


def test_r7_a_team_mate_takes_toll_and_hinders_stopping() -> None:
    """R7."""
    game = start(phase="expansion", clans={1: {0: 1}, 4: {1: 1}}, coins=[3, 0, 0], **TEAM).do("edge:1-4")
    assert game.asked == (0, "transit") and game.coins == [1, 1, 0]


def test_r7_a_team_mate_pays_tribute_and_is_an_opponent_of_effects() -> None:
    """R7. War economy (82) takes 2 coins from each; asylum (70) may be asked of either."""
    assert start(hands=[[82, 98], [], []], coins=[0, 5, 5], **TEAM).do("card:82").coins == [4, 3, 3]
    assert start(hands=[[70, 98], [], []], **TEAM).do("card:70").regions == [16, 32]


def test_r7_a_team_mates_continent_is_another_players_continent() -> None:
    """R7: radiance."""
    game = start(phase="end", clans={17: {0: 1}}, **TEAM)
    assert game.result["radiance"] == [2, 0, 0]


def test_r8_a_card_may_be_played_though_its_effects_do_nothing() -> None:
    """R8. Space elevator's leap without clans would still give coins; Royal roads gives nothing to move."""
    game = start(age=2, phase="expansion", hands=[[44, 59], []])
    assert game.cards == [44]
    assert game.do("card:44").legal() == ["discard:59", "end"]


def test_r9_no_second_city_where_one_stands() -> None:
    """R9. In homeland 0 the city of seat 1 stands already."""
    game = start(phase="end", clans={0: {0: 2, 1: 1}}, cities={0: 1}, hands=[[2], []])
    assert game.cities(0) == [] and game.cities(1) == [0]


def test_r10_a_copied_invention_is_marked_with_a_clan() -> None:
    """R10. Mastery of fire, copied with 4: 30 clans less the marker and the two that it brings."""
    game = start(hands=[[1, 2], [4, 20]]).do("card:1", "card:4")
    assert game.clan_supply == [28, 27] and game.clans(16) == [0, 2]


def test_r11_objectives_of_all_colours_on_request() -> None:
    """R11."""
    assert start(objective_pool="all", objectives=[9, None], hands=[[2], []]).kind == "growth"


def test_r12_the_order_of_the_lots_is_blue_yellow_green_red_violet() -> None:
    """R12: the first n."""
    assert dealt(players=3).game.config_dict()["lots"] == [["blue", "yellow", "green"]] * 3


def test_r13_end_of_age_turns_come_one_after_the_other() -> None:
    """R13."""
    game = start(phase="end", turn_order=[1, 0], hands=[[2, 3], [8, 7]])
    assert game.asked == (1, "end_of_age") and game.do("card:8").asked == (1, "end_of_age")
    assert game.do("end").asked == (0, "end_of_age")


def test_r14_nothing_is_discarded_between_a_declaration_and_its_end() -> None:
    """R14."""
    game = fight(4, 3, hands=[[98, 61], [81, 62]]).do("edge:1-4")
    assert game.legal() == ["card:81", "end"]
    assert game.do("end").legal() == ["card:98", "end"]
    assert game.do("end").kind == "losses" and game.legal("discard") == []


def test_r15_nobody_walks_into_a_foreign_homeland_where_others_are() -> None:
    """R15: it can only be crossed; an empty one can be entered."""
    fields: dict[str, Any] = {"phase": "expansion", "coins": [1, 0], "hands": [[2], []]}
    assert "17-16" not in start(clans={17: {0: 1}, 16: {1: 1}}, **fields).edges
    assert start(clans={17: {0: 1}}, **fields).do("edge:17-16").where(0) == {16: 1}


def test_r16_only_cards_with_two_or_four_icons_outlast_their_turn() -> None:
    """R16. A cheap price of a Growth card is over in Expansion, that of a Growth + Expansion card is not."""
    for icons, coins in (("growth", 1), ("growth expansion", 2)):
        cards = {61: card(icons, fx("recruit_price", p=1, n=9))}
        game = start(age=3, hands=[[61, 98], []], coins=[3, 0], clans={0: {0: 1}}, cards=cards).do("card:61")
        assert game.skip_to("expansion", 0).do("region:0").coins[0] == coins


def test_r17_who_chose_peace_recruits_nothing_in_the_attack_phase() -> None:
    """R17: nobody at Peace has an assault turn; the round goes by without asking seat 1, which has coins."""
    game = start(age=3, phase="attack", attack_recruiting=True, coins=[0, 9], hands=[[61], [62]])
    assert game.do("war", "peace").asked == (0, "assault") and game.do("end").asked == (1, "stance")
