"""RULES 7: the effects that count in the Attack phase, lasting ones and those of one assault."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Effect, Play, card, fight, fx, start

SIEGE: dict[str, Any] = {"clans": {1: {0: 4}}, "cities": {4: 1}}  # four clans beside an empty city
SPARE = 61  # a Growth card, so that seat 0 has something else to do than the one assault


def offence(*effects: Effect) -> dict[int, Any]:
    """Card 98 of Age III as another offence card."""
    return {98: card("attack", *effects, timing="offence")}


def defence(*effects: Effect) -> dict[int, Any]:
    """Card 81 of Age III as another defence card."""
    return {81: card("attack", *effects, timing="defence")}


def after_growth(hands: list[list[int]], play: list[str], **fields: Any) -> Play:
    """Cards played in the Growth turn of seat 0, passed through to the first stance."""
    fields = {"coins": [9, 9], "clans": {1: {0: 5}, 4: {1: 3}}} | fields
    return start(age=3, hands=hands, **fields).do(*play).skip_to("stance")


# ---------------------------------------------------------------- lasting


def test_offence_counts_in_each_of_the_players_assaults() -> None:
    """RULES 7: offence n. Drones: 2 of 3 defenders fall at once, and again in the next assault."""
    game = after_growth([[64, SPARE], []], ["card:64"], clans={1: {0: 9}, 4: {1: 4}, 2: {1: 4}})
    game.do("war", "peace", "edge:1-4")
    assert game.asked == (0, "losses") and game.amounts == [1, 2]
    game.do("amount:2", "amount:0", "war", "peace", "edge:1-2")
    assert game.asked == (0, "losses") and game.amounts == [1, 2]


def test_offence_does_not_help_in_defence() -> None:
    """RULES 7: to the player's offence in each of its assaults. Seat 1 loses nothing but the fight."""
    clans = {4: {0: 3}, 1: {1: 5}}
    game = after_growth([[64, SPARE], [67]], ["card:64"], clans=clans).do("peace", "war", "edge:1-4")
    assert game.asked == (1, "losses") and game.amounts == [1, 2, 3] and game.clans(1) == [0, 5]


def test_defence_counts_in_each_assault_against_the_player() -> None:
    """RULES 7: defence n. Cyberdefence (72) costs each assault two clans."""
    clans = {4: {0: 3}, 5: {0: 2}, 1: {1: 8}, 2: {1: 8}}
    game = after_growth([[72, SPARE], [67]], ["card:72"], clans=clans).do("peace", "war", "edge:1-4")
    assert game.asked == (1, "losses") and game.clans(1) == [0, 6] and game.amounts == [1, 2, 3]
    game.do("amount:1", "peace", "war", "edge:2-5")
    assert game.clans(2) == [0, 6] and game.asked == (1, "losses")


def test_defence_does_not_help_in_ones_own_assaults() -> None:
    """RULES 7: in each assault against it. Three defenders are left for step 5."""
    game = after_growth([[72, SPARE], []], ["card:72"]).do("war", "peace", "edge:1-4")
    assert game.asked == (0, "losses") and game.amounts == [1, 2, 3]


def test_lasting_offence_of_several_cards_adds_up() -> None:
    """RULES 7: +n. Drones 2, War or Peace 1, and the strike of 98 (4) in the assault: 7 of 8 fall."""
    game = after_growth([[64, 65, 98], []], ["card:64", "card:65"], clans={1: {0: 9}, 4: {1: 8}, 38: {1: 1}})
    game.do("war", "peace", "card:98")
    assert game.asked == (0, "occupy") and game.clans(1) == [8, 0]  # a forced loss of one each


def test_lasting_offence_and_defence_are_set_off() -> None:
    """RULES 5.B resolution 4: x = 2 - 2."""
    game = after_growth([[64, SPARE], [72]], ["card:64", "end", "card:72"])
    game.do("war", "peace", "edge:1-4")
    assert game.asked == (0, "losses") and game.amounts == [1, 2, 3] and game.clans(1) == [5, 0]


def test_lasting_offence_makes_no_assault_legal() -> None:
    """PROTOCOL 2: only a feint counts in the comparison."""
    game = after_growth([[64, SPARE], []], ["card:64"], clans={1: {0: 3}, 4: {1: 3}}).do("war", "peace")
    assert game.legal() == [f"discard:{SPARE}", "end"]


def test_lasting_offence_ends_with_the_age() -> None:
    """RULES 7: active in that Age's Attack phase. In Age II, by another card, it is gone in Age III."""
    cards = {31: card("growth attack", fx("offence", n=5))}
    game = start(age=2, hands=[[31, 59], []], clans={1: {0: 5}, 4: {1: 3}}, cards=cards).do("card:31")
    game.skip_to("draft").skip_to("stance")
    assert game.age == 3
    game.do(*("war" if seat == 0 else "peace" for seat in game.order)).skip_to("losses")
    assert game.amounts == [1, 2, 3]


def test_a_pacifist_must_choose_peace_in_every_round_of_that_age() -> None:
    """RULES 7: pacifist, lasting. Only seats 1 and 2 are asked, twice."""
    clans = {1: {0: 5}, 4: {1: 3}, 20: {1: 5}, 23: {2: 1}}
    game = after_growth([[87], [SPARE], []], ["card:87"], players=3, clans=clans, coins=[0, 0, 0])
    assert game.asked == (1, "stance") and game.do("war").asked == (2, "stance")
    game.do("peace", "edge:20-23", "amount:0")
    assert game.asked == (1, "stance") and game.do("war").asked == (2, "stance")
    assert game.do("peace").legal() == [f"discard:{SPARE}", "end"]


def test_a_pacifist_may_defend() -> None:
    """RULES 7: it must choose Peace, no more; the prize adds a defence of 1."""
    game = after_growth([[87, 81], []], ["card:87"], clans={4: {0: 1}, 1: {1: 9}}).do("war")
    assert game.asked == (0, "defence") and game.cards == [81]
    assert game.do("end").clans(1) == [0, 7]  # one for the prize, one in the fight


# ---------------------------------------------------------------- strike, feint


def test_strike_adds_to_the_offence_of_this_assault() -> None:
    """RULES 7: strike n. Two strikes, 3 and 4, take seven of eight."""
    cards = {80: card("attack", fx("strike", n=3), timing="offence")}
    game = fight(9, 8, hands=[[80, 98, SPARE], []], cards=cards).do("card:80", "card:98", "edge:1-4")
    assert game.asked == (0, "occupy") and game.clans(1) == [8, 0]


def test_a_strike_is_forgotten_after_its_assault() -> None:
    """RULES 7: this assault."""
    clans = {1: {0: 9}, 4: {1: 1}, 2: {1: 3}}
    game = fight(9, 1, hands=[[98, SPARE], []], clans=clans).do("card:98", "edge:1-4", "amount:0")
    game.do("war", "peace", "edge:1-2")
    assert game.asked == (0, "losses") and game.amounts == [1, 2, 3]


def test_a_strike_whose_assault_never_came_helps_nobody() -> None:
    """RULES 7: this assault. A four-icon card moved the clans away after the strike; seat 1 is next."""
    cards = {83: card("all", fx("relay", n=1))}
    clans = {1: {0: 1}, 4: {1: 3}, 20: {0: 2}, 17: {1: 6}}
    game = start(age=3, phase="attack", hands=[[80, 83], []], clans=clans, cities={9: 0}, cards=cards)
    game.do("war", "war", "card:80", "card:83", "region:1", "region:9")
    # seat 0 had to end its turn; seat 1 goes from 17 to 20, six against two
    assert game.asked == (1, "losses") and game.amounts == [1, 2]


@pytest.mark.parametrize(("d", "legal"), [(3, True), (4, False)])
def test_feint_counts_n_clans_more_in_the_comparison(d: int, legal: bool) -> None:
    """RULES 7: feint n. 1 + 3 is more than 3 and not more than 4."""
    game = fight(1, d, hands=[[98, SPARE], []], cards=offence(fx("feint", n=3)))
    assert game.cards == ([98] if legal else [])
    if legal:
        assert game.do("card:98").edges == ["1-4"]


def test_feint_is_only_for_the_legality() -> None:
    """RULES 7. After it nobody is struck: one against three, both lose one."""
    game = fight(1, 3, hands=[[98, SPARE], []], cards=offence(fx("feint", n=3))).do("card:98", "edge:1-4")
    assert game.where(0) == {} and game.clans(4) == [0, 2] and game.asked == (0, "stance")


def test_feints_add_up() -> None:
    """PROTOCOL 2. One feint of 3 reaches 4 (three clans), two of them reach 2 (six clans) as well."""
    clans = {1: {0: 1}, 4: {1: 3}, 2: {1: 6}}
    game = fight(1, 3, hands=[[80, 98, SPARE], []], clans=clans, cards=offence(fx("feint", n=3)))
    assert game.cards == [80, 98] and game.edges == []
    assert game.do("card:80").edges == ["1-4"]
    assert game.do("card:98").edges == ["1-2", "1-4"]


def test_a_feint_that_is_not_enough_alone_is_not_playable() -> None:
    """RULES 7: provided an assault is legal after it is played; the second feint in hand does not count."""
    game = fight(1, 5, hands=[[80, 98, SPARE], []], cards=offence(fx("feint", n=3)))
    assert game.cards == []


def test_a_feint_comes_too_late_as_reinforcement() -> None:
    """PROTOCOL 2: reinforce, offence cards except feint ones; 80 has a strike besides, and still not."""
    game = fight(5, 1, hands=[[80, 98], []]).do("edge:1-4")
    assert game.asked == (0, "reinforce") and game.legal() == ["card:98", "end"]


def test_a_feint_is_forgotten_after_its_assault() -> None:
    """RULES 7: this assault. Two rounds later 1 against 3 is not legal."""
    clans = {1: {0: 1}, 4: {1: 3}, 17: {0: 2}, 20: {1: 1}}
    game = fight(1, 3, hands=[[98, SPARE], []], clans=clans, cards=offence(fx("feint", n=3)))
    game.do("card:98", "edge:17-20", "amount:0", "war", "peace")
    assert game.asked == (0, "assault") and game.legal() == [f"discard:{SPARE}", "end"]


# ---------------------------------------------------------------- storm, raid


def test_storm_makes_a_siege_cost_no_clan() -> None:
    """RULES 7: storm. A compulsory siege: all four clans are left to move in."""
    game = fight(4, 0, hands=[[98, SPARE], []], cards=offence(fx("storm")), **SIEGE).do("card:98", "edge:1-4")
    assert game.asked == (0, "occupy") and game.amounts == [0, 1, 2, 3, 4] and game.cities(0) == [4]


def test_storm_leaves_an_optional_siege_optional() -> None:
    """RULES 7: storm changes the price only."""
    game = fight(4, 1, hands=[[98, SPARE], []], cards=offence(fx("storm")), cities={4: 1})
    game.do("card:98", "edge:1-4")
    assert game.asked == (0, "siege") and game.amounts == [0, 1]
    assert game.do("amount:1").amounts == [0, 1, 2, 3] and game.clans(1) == [3, 0]


def test_storm_needs_a_city_in_supply_all_the_same() -> None:
    """RULES 5.B resolution 6: the attacker has a city in supply."""
    cities = dict.fromkeys((0, *range(5, 16), *range(25, 33)), 0) | {4: 1}
    game = fight(4, 1, hands=[[98, SPARE], []], cards=offence(fx("storm")), cities=cities)
    game.do("card:98", "edge:1-4")
    assert game.asked == (0, "stance") and game.cities(1) == [4]


@pytest.mark.parametrize(("coins", "left"), [(9, 4), (5, 0), (3, 0)])
def test_raid_takes_up_to_n_coins_from_the_defender(coins: int, left: int) -> None:
    """RULES 7: raid 5, if the attacker has presence in T after step 7."""
    game = fight(4, 1, hands=[[98, SPARE], []], cards=offence(fx("raid", n=5)), coins=[1, coins])
    game.do("card:98", "edge:1-4")
    assert game.clone().do("amount:1").coins == [1 + coins - left, left]
    assert game.clone().do("amount:0").coins == [1, coins]


def test_raid_takes_from_the_defender_alone() -> None:
    """RULES 7: from the defender. Seat 2 of three loses nothing."""
    clans = {1: {0: 4}, 4: {1: 1}}
    game = start(players=3, age=3, phase="attack", hands=[[98, SPARE], [], []], clans=clans,
                 coins=[0, 9, 9], cards=offence(fx("raid", n=5)))  # fmt: skip
    game.do("war", "peace", "peace", "card:98", "edge:1-4", "amount:3")
    assert game.coins == [5, 4, 9]


def test_raid_counts_a_presence_by_a_city_alone() -> None:
    """RULES 7: presence after step 7: the last clan was given for the siege, and the raid still succeeds."""
    game = fight(1, 0, hands=[[98], []], clans={1: {0: 1}}, cities={4: 1}, coins=[0, 9],
                 cards=offence(fx("raid", n=5))).do("card:98")  # fmt: skip
    assert game.cities(0) == [4] and game.where(0) == {} and game.coins == [5, 4]


def test_raid_fails_where_the_assault_fails() -> None:
    """RULES 7: only with presence in T. Two against five, by a feint: all attackers fall."""
    game = fight(
        2, 4, hands=[[98, SPARE], []], cards=offence(fx("feint", n=3), fx("raid", n=5)), coins=[0, 9]
    )
    assert game.do("card:98", "edge:1-4", "amount:2").coins == [0, 9]


def test_raids_of_several_cards_add_up() -> None:
    """RULES 7: up to 5 and up to 2."""
    cards = offence(fx("raid", n=5)) | {80: card("attack", fx("raid", n=2), timing="offence")}
    game = fight(4, 1, hands=[[80, 98], []], cards=cards, coins=[0, 9]).do("card:80", "card:98", "amount:3")
    assert game.coins == [7, 2]


# ---------------------------------------------------------------- ward, parry, retreat, fortify


def test_ward_adds_to_the_defence_of_this_assault() -> None:
    """RULES 7: ward n; and in the next assault it is forgotten."""
    game = fight(9, 3, hands=[[SPARE], [81]], cards=defence(fx("ward", n=4))).do("edge:1-4", "card:81")
    assert game.clans(1) == [5, 0] and game.asked == (0, "losses")
    game.do("amount:1", "war", "peace", "edge:1-4")
    assert game.clans(1) == [4, 0] and game.asked == (0, "losses") and game.amounts == [1, 2]


def test_parry_ends_the_assault_without_losses() -> None:
    """RULES 7: parry. Not even lasting or earlier effects of this assault take a clan."""
    game = fight(9, 3, hands=[[98, SPARE], [77, 88]]).do("card:98", "edge:1-4", "card:77", "card:88")
    assert game.clans(1) == [9, 0] and game.clans(4) == [0, 3] and game.asked == (0, "stance")


def test_parry_spends_the_offence_cards_and_counts_as_launched() -> None:
    """RULES 7: parry; PROTOCOL 2: a round of Attack with one counts as one with an assault."""
    game = fight(9, 3, hands=[[98], [88]]).do("card:98", "card:88")
    assert game.hand(0) == [] and game.hand(1) == [] and game.asked == (0, "stance")
    assert game.conquests == [0, 0]


def test_parry_ends_the_assault_turn() -> None:
    """RULES 5.B: exactly one assault a turn. There is a second target, but a new round begins first."""
    clans = {1: {0: 9}, 4: {1: 3}, 2: {1: 3}}
    game = fight(9, 3, hands=[[SPARE], [88]], clans=clans).do("edge:1-4", "card:88")
    assert game.asked == (0, "stance")


def test_parry_leaves_no_reinforcement() -> None:
    """RULES 7: the assault ends when the card's effects are done; 98 is not offered."""
    game = fight(9, 3, hands=[[98], [88]]).do("edge:1-4", "card:88")
    assert game.asked == (0, "stance") and game.hand(0) == [98]


def test_parry_prevents_a_raid() -> None:
    """RULES 7: raid needs presence in T after step 7, which never comes."""
    game = fight(9, 3, hands=[[98, SPARE], [88]], cards=offence(fx("raid", n=5)), coins=[0, 9])
    assert game.do("card:98", "edge:1-4", "card:88").coins == [0, 9]


def test_retreat_takes_the_defenders_clans_to_its_homeland() -> None:
    """RULES 7: retreat; T then has d = 0, so step 5 is left out and the region may be entered."""
    game = fight(5, 3, hands=[[SPARE], [81]], cards=defence(fx("retreat"))).do("edge:1-4", "card:81")
    assert game.where(1) == {16: 3} and game.asked == (0, "occupy") and game.amounts == list(range(6))
    assert game.do("amount:2").conquests == [1, 0] and game.clan_supply == [25, 27]


def test_retreat_goes_to_the_defenders_homeland_even_among_guests() -> None:
    """RULES 7: its homeland."""
    clans = {1: {0: 5}, 4: {1: 3}, 16: {0: 2, 1: 1}}
    game = fight(5, 3, hands=[[SPARE], [81]], clans=clans, cards=defence(fx("retreat")))
    assert game.do("edge:1-4", "card:81").clans(16) == [2, 4]


def test_retreat_from_an_empty_city_does_nothing() -> None:
    """RULES 7: the clans in T, if any. The siege stays compulsory."""
    game = fight(4, 0, hands=[[SPARE], [81]], cards=defence(fx("retreat")), **SIEGE).do("edge:1-4", "card:81")
    assert game.where(1) == {} and game.cities(0) == [4] and game.asked == (0, "occupy")


def test_retreat_saves_the_clans_from_strikes() -> None:
    """RULES 5.B resolution 4: the defender loses min(x, d) clans of T, and d is 0."""
    game = fight(5, 3, hands=[[98, SPARE], [81]], cards={**defence(fx("retreat"))})
    assert game.do("card:98", "edge:1-4", "card:81").where(1) == {16: 3}


def test_fortify_forbids_the_siege_after_a_fight() -> None:
    """RULES 7: fortify. The garrison falls, the city stands, nobody moves in."""
    game = fight(5, 1, hands=[[SPARE], [81]], cards=defence(fx("fortify")), cities={4: 1})
    game.do("edge:1-4", "card:81")
    assert game.asked == (0, "stance") and game.cities(1) == [4] and game.where(0) == {1: 4}
    assert game.conquests == [0, 0]


def test_fortify_forbids_a_compulsory_siege_too() -> None:
    """RULES 7: no siege. The assault counts as launched: a new round begins."""
    game = fight(4, 0, hands=[[SPARE], [81]], cards=defence(fx("fortify")), **SIEGE).do("edge:1-4", "card:81")
    assert game.asked == (0, "stance") and game.cities(1) == [4] and game.where(0) == {1: 4}


def test_fortify_is_stronger_than_storm() -> None:
    """RULES 7: fortify, no siege at all; storm only makes a siege free."""
    game = fight(
        4, 0, hands=[[98, SPARE], [81]], cards=offence(fx("storm")) | defence(fx("fortify")), **SIEGE
    )
    assert game.do("card:98", "edge:1-4", "card:81").cities(1) == [4]


def test_fortify_does_not_keep_attackers_out_of_a_region_without_a_city() -> None:
    """RULES 7: no siege, that is all; step 7 follows."""
    game = fight(5, 1, hands=[[SPARE], [81]], cards=defence(fx("fortify"))).do("edge:1-4", "card:81")
    assert game.asked == (0, "occupy") and game.amounts == [0, 1, 2, 3, 4]


def test_fortify_is_forgotten_after_its_assault() -> None:
    """RULES 7: this assault. The next round's siege goes through."""
    game = fight(4, 0, hands=[[SPARE], [81]], cards=defence(fx("fortify")), **SIEGE)
    game.do("edge:1-4", "card:81", "war", "peace", "edge:1-4")
    assert game.cities(0) == [4] and game.asked == (0, "occupy")


# ---------------------------------------------------------------- rout

ROUT = {98: card("attack", fx("rout"), timing="offence")}


@pytest.mark.parametrize(("k", "left"), [(1, 3), (2, 1), (3, 0), (4, 0)])
def test_under_rout_the_defender_loses_two_clans_for_one(k: int, left: int) -> None:
    """RULES 7: rout, step 5: min(2k, d) of 5; 1 <= k <= min(a, d)."""
    game = fight(6, 5, hands=[[98, SPARE], []], cards=ROUT).do("card:98", "edge:1-4")
    assert game.asked == (0, "losses") and game.amounts == [1, 2, 3, 4, 5]
    game.do(f"amount:{k}")
    assert (
        game.clans(1) == [6 - k, 0] and game.clans(4) == [0, left] and game.clan_supply == [24 + k, 30 - left]
    )


def test_rout_from_a_reinforcement_counts() -> None:
    """RULES 7: rout, this assault; played in step 3."""
    game = fight(5, 4, hands=[[98, SPARE], []], cards=ROUT).do("edge:1-4", "card:98", "amount:2")
    assert game.clans(4) == [0, 0] and game.asked == (0, "occupy") and game.amounts == [0, 1, 2, 3]


def test_rout_counts_in_this_assault_only() -> None:
    """RULES 7: this assault."""
    clans = {1: {0: 9}, 4: {1: 2}, 2: {1: 2}}
    game = fight(9, 2, hands=[[98, SPARE], []], cards=ROUT, clans=clans).do("card:98", "edge:1-4", "amount:1")
    game.do("amount:0", "war", "peace", "edge:1-2", "amount:1")
    assert game.clans(2) == [0, 1]


def test_rout_does_not_touch_the_extra_losses_of_cards() -> None:
    """RULES 7: in step 5. Cavalry charge (50): a strike of 1 in step 4, then two for one."""
    game = fight(6, 5, hands=[[50, 31], []], age=2).do("card:50", "edge:1-4")
    assert game.clans(4) == [0, 4] and game.amounts == [1, 2, 3, 4]
    assert game.do("amount:1").clans(4) == [0, 2] and game.clans(1) == [5, 0]


def test_fortify_stops_even_a_compulsory_siege() -> None:
    """RULES 7: fortify. The city was empty when the assault was declared."""
    game = fight(4, 0, hands=[[SPARE], [81]], cards=defence(fx("fortify")), **SIEGE).do("edge:1-4", "card:81")
    assert game.cities(1) == [4] and game.where(0) == {1: 4} and game.asked == (0, "stance")


@pytest.mark.parametrize(("do", "expected"), [("strike", 4), ("ward", 4), ("raid", 4)])
def test_numbers_of_several_cards_add_up(do: str, expected: int) -> None:
    """RULES 7: strike, ward, raid (feint, moves, offence and defence have tests of their own)."""
    timing = "defence" if do == "ward" else "offence"
    cards = {number: card("attack", fx(do, n=2), timing=timing) for number in (80, 98)}
    hands = [[SPARE], [80, 98]] if do == "ward" else [[80, 98, SPARE], []]
    game = fight(9, 6, hands=hands, cards=cards, coins=[0, 9])
    game.do("edge:1-4", "card:80", "card:98") if do == "ward" else game.do("card:80", "card:98", "edge:1-4")
    if do == "ward":
        assert game.clans(1) == [9 - expected, 0]
    elif do == "strike":
        assert game.clans(4) == [0, 6 - expected]
    else:
        assert game.do("amount:6", "amount:1").coins == [expected, 9 - expected]
