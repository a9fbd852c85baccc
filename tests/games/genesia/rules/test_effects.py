"""RULES 7: the effects of cards in one's own turns (those of an assault: test_assault_effects.py)."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Effect, Play, card, fx, start

ATTACK_ONLY = {1: 20, 2: 59, 3: 98}  # an offence card of each Age: something to hold, so that turns are asked


def growth(*effects: Effect, cost: int = 0, **fields: Any) -> Play:
    """Seat 0 of two has just played a Growth card with these effects (in Age III unless said otherwise)."""
    age = fields.setdefault("age", 3)
    number = {1: 1, 2: 31, 3: 61}[age]
    seats = fields.get("players", 2)
    hands = fields.pop("hands", [[number, ATTACK_ONLY[age]], *([] for _ in range(seats - 1))])
    game = start(hands=hands, cards={number: card("growth", *effects, cost=cost)}, **fields)
    return game.do(f"card:{number}")


def expansion(*effects: Effect, **fields: Any) -> Play:
    """Seat 0 has just played an Expansion card with these effects, in Age III unless said otherwise."""
    age = fields.setdefault("age", 3)
    number = {1: 12, 2: 33, 3: 63}[age]
    seats = fields.get("players", 2)
    hands = [[number, ATTACK_ONLY[age]], *([] for _ in range(seats - 1))]
    made: dict[str, Any] = {
        "hands": hands,
        "cards": {number: card("expansion", *effects)},
        "phase": "expansion",
    }
    return start(**(made | fields)).do(f"card:{number}")


# ---------------------------------------------------------------- clans, city


def test_clans_are_placed_one_at_a_time() -> None:
    """RULES 7: clans n at; PROTOCOL 2: place, for each clan. Two here, one there."""
    game = growth(fx("clans", n=3, at="occupied"), clans={4: {0: 1}, 9: {0: 1}})
    for region in (4, 9, 4):
        assert game.asked == (0, "place") and game.legal() == ["region:4", "region:9"]
        game.do(f"region:{region}")
    assert game.asked == (0, "growth") and game.where(0) == {4: 3, 9: 2} and game.clan_supply == [25, 30]


def test_clans_are_placed_as_far_as_the_supply_goes() -> None:
    """RULES 7: up to n clans from supply. One of three is left."""
    game = growth(fx("clans", n=3, at="occupied"), clans={4: {0: 28}, 9: {0: 1}}).do("region:9")
    assert game.asked == (0, "growth") and game.where(0) == {4: 28, 9: 2} and game.clan_supply == [0, 30]


def test_placing_is_not_optional() -> None:
    """PROTOCOL 2: while a piece and a place are left there is no end."""
    game = growth(fx("clans", n=2, at="occupied"), clans={4: {0: 1}, 9: {0: 1}})
    assert "end" not in game.legal()


def test_an_effect_without_an_eligible_place_is_skipped() -> None:
    """PROTOCOL 2: skipped, and the next effect follows."""
    game = growth(fx("clans", n=2, at="occupied"), fx("coins", n=5, per="flat"))
    assert game.asked == (0, "growth") and game.where(0) == {} and game.coins == [5, 0]


def test_eligibility_is_that_of_the_moment() -> None:
    """RULES 7: each in a region eligible at that moment. The first clan is no longer on free land."""
    game = growth(fx("clans", n=2, at="free_outer"), cities=dict.fromkeys(range(3, 16), 1))
    free = [1, 2, *range(17, 32)]
    assert game.regions == free
    assert game.do("region:1").regions == [2, *range(17, 32)]


def test_clans_of_an_opponent_are_not_placed() -> None:
    """RULES 7: from supply means from one's own."""
    game = growth(fx("clans", n=2, at="homeland"))
    assert game.clans(0) == [2, 0] and game.clan_supply == [28, 30]


def test_clans_for_a_foreign_homeland_all_go_to_the_one_that_is_chosen() -> None:
    """RULES 7: one homeland is chosen and takes all n; PROTOCOL 2: place, once."""
    game = growth(fx("clans", n=4, at="foreign_homeland"), players=3)
    assert game.asked == (0, "place") and game.regions == [16, 32]
    game.do("region:32")
    assert game.asked == (0, "growth") and game.where(0) == {32: 4}


def test_clans_for_a_foreign_homeland_are_as_many_as_the_supply_has() -> None:
    """RULES 7: up to n."""
    game = growth(fx("clans", n=4, at="foreign_homeland"), players=3, clans={4: {0: 28}}).do("region:16")
    assert game.where(0) == {4: 28, 16: 2}


def test_cities_are_placed_like_clans() -> None:
    """RULES 7: city n at, the same; PROTOCOL 2: found. Builders (39): two cities where one lives."""
    game = start(age=2, phase="expansion", hands=[[39, 59], []], clans={r: {0: 1} for r in (4, 5, 6)})
    game.do("card:39")
    assert game.asked == (0, "found") and game.regions == [4, 5, 6]
    assert game.do("region:5").regions == [4, 6]
    game.do("region:6")
    assert game.cities(0) == [5, 6] and game.asked == (0, "expansion") and game.coins == [2, 0]


def test_a_city_needs_a_region_without_an_own_city() -> None:
    """RULES 7: eligible only if the player has no city there."""
    game = growth(fx("city", n=2, at="occupied"), clans={4: {0: 1}, 5: {0: 1}, 6: {0: 1}}, cities={5: 0})
    assert game.regions == [4, 6]


def test_cities_are_placed_as_far_as_the_supply_goes() -> None:
    """RULES 7. The twentieth city is the last one."""
    cities = dict.fromkeys(range(5, 24), 0)
    game = growth(fx("city", n=3, at="own"), cities=cities)
    assert game.asked == (0, "found") and game.regions == [0, 1, 2, 3, 4]
    game.do("region:4")
    assert game.asked == (0, "growth") and game.city_supply == [0, 20]


def test_a_city_for_a_foreign_homeland_is_one_city_in_one_homeland() -> None:
    """RULES 7: one homeland, one city, whatever n."""
    game = growth(fx("city", n=3, at="foreign_homeland"), players=3)
    assert game.asked == (0, "found") and game.regions == [16, 32]
    game.do("region:32")
    assert game.cities(0) == [32] and game.asked == (0, "growth") and game.city_supply == [19, 20, 20]


# ---------------------------------------------------------------- coins


@pytest.mark.parametrize(("parameters", "gain"), [
    ({"n": 4, "per": "flat"}, 4),
    ({"n": 2, "per": "clans"}, 14),
    ({"n": 2, "per": "clans", "div": 2}, 6),
    ({"n": 2, "per": "clans", "div": 3}, 4),
    ({"n": 2, "per": "clans", "div": 8}, 0),
    ({"n": 2, "per": "clans", "cap": 9}, 9),
    ({"n": 2, "per": "clans", "div": 2, "cap": 7}, 6),
    ({"n": 2, "per": "clans", "div": 2, "cap": 5}, 5),
])  # fmt: skip
def test_coins_are_n_times_the_floor_of_count_by_div_at_most_cap(
    parameters: dict[str, Any], gain: int
) -> None:
    """RULES 7: coins. Seven clans."""
    game = growth(fx("coins", **parameters), clans={4: {0: 7}}, coins=[1, 1])
    assert game.coins == [1 + gain, 1]


def test_others_coins_go_to_every_opponent() -> None:
    """RULES 7: others_coins, from the reserve."""
    assert growth(fx("others_coins", n=3), players=3, coins=[1, 2, 0]).coins == [1, 5, 3]


def test_take_each_takes_up_to_n_from_every_opponent() -> None:
    """RULES 7: take n each. 3 of 5, and the 2 that seat 2 has."""
    assert growth(fx("take", n=3, who="each"), players=3, coins=[1, 5, 2]).coins == [6, 2, 0]


def test_take_one_takes_up_to_n_from_a_chosen_opponent_with_coins() -> None:
    """RULES 7: take n one; PROTOCOL 2: rob, seats of opponents with at least 1 coin."""
    game = growth(fx("take", n=3, who="one"), players=4, coins=[9, 0, 2, 7])
    assert game.asked == (0, "rob") and game.legal() == ["seat:2", "seat:3"]
    assert game.clone().do("seat:2").coins == [11, 0, 0, 7]
    assert game.clone().do("seat:3").coins == [12, 0, 2, 4]


def test_take_one_is_skipped_when_no_opponent_has_coins() -> None:
    """PROTOCOL 2: an effect with no target is skipped."""
    game = growth(fx("take", n=3, who="one"), fx("coins", n=1, per="flat"), players=3, coins=[9, 0, 0])
    assert game.asked == (0, "growth") and game.coins == [10, 0, 0]


# ---------------------------------------------------------------- moving and recruiting


def test_moves_are_free_moves() -> None:
    """RULES 7: moves n. Two steps without a coin, and no third."""
    game = expansion(fx("moves", n=2), clans={0: {0: 1}}).do("edge:0-1", "edge:1-4")
    assert game.where(0) == {4: 1} and game.edges == []


@pytest.mark.parametrize("age", [1, 2])
def test_group_moves_move_groups_in_ages_one_and_two(age: int) -> None:
    """RULES 7: group_moves, as in Age III: one coin for three clans."""
    game = expansion(fx("group_moves"), age=age, clans={1: {0: 4}}, coins=[5, 0]).do("edge:1-2")
    assert game.asked == (0, "group") and game.amounts == [1, 2, 3, 4]
    game.do("amount:3")
    assert game.where(0) == {1: 1, 2: 3} and game.coins == [4, 0]


def test_group_moves_pay_one_toll_a_group() -> None:
    """RULES 5.B: a group, as in Age III; great migration (13)."""
    game = expansion(fx("group_moves"), age=1, clans={1: {0: 4}, 4: {1: 1}}, coins=[5, 0])
    game.do("edge:1-4", "amount:4", "edge:4-7")
    assert game.where(0) == {7: 4} and game.coins == [2, 1]


def test_no_toll_leaves_only_the_moves_to_pay() -> None:
    """RULES 7: no_toll. Two coins are enough for a crossing, and the host gets none."""
    fields: dict[str, Any] = {"clans": {1: {0: 1}, 4: {1: 1}}, "coins": [2, 0]}
    assert "1-4" not in expansion(fx("coins", n=1, per="inventions"), **fields).edges
    game = expansion(fx("no_toll"), **fields)
    assert game.edges == ["1-0", "1-2", "1-4"]
    game.do("edge:1-4", "edge:4-7")
    assert game.where(0) == {7: 1} and game.coins == [0, 0]


def test_no_toll_gives_no_right_to_stop() -> None:
    """RULES 7: no tolls to pay, but the crossing must go on."""
    game = expansion(fx("no_toll"), clans={1: {0: 1}, 4: {1: 1}}, coins=[9, 0]).do("edge:1-4")
    assert game.asked == (0, "transit") and "end" not in game.legal()


def test_recruit_price_holds_for_the_next_n_recruits() -> None:
    """RULES 7: recruit_price p n. Barley grains (6): six clans for 1 coin each, then 2 again."""
    game = start(coins=[9, 0], hands=[[6, 2], []]).do("card:6")
    for clans in range(1, 7):
        game.do("region:0")
        assert game.coins[0] == 9 - clans
    assert game.do("region:0").coins[0] == 1


def test_a_price_of_zero_recruits_without_coins() -> None:
    """RULES 7: recruit_price. Five clans for nothing, and not a sixth."""
    game = growth(fx("recruit_price", p=0, n=5))
    for _ in range(5):
        assert game.regions == [0]
        game.do("region:0")
    assert game.regions == [] and game.clans(0) == [5, 0]


@pytest.mark.parametrize("age", [1, 2, 3])
def test_recruit_anywhere_recruits_in_every_region_one_occupies(age: int) -> None:
    """RULES 7: recruit_anywhere; PROTOCOL 2: own homeland, cities, every occupied region."""
    game = growth(fx("recruit_anywhere"), age=age, clans={4: {0: 1}, 38: {0: 2}, 16: {0: 1, 1: 1}},
                  cities={5: 0, 6: 1}, coins=[3, 0])  # fmt: skip
    assert game.regions == [0, 4, 5, 16, 38]
    assert game.do("region:16").clans(16) == [2, 1] and game.coins == [1, 0]


# ---------------------------------------------------------------- relay


def test_relay_moves_clans_between_occupied_regions_at_any_distance() -> None:
    """RULES 7: relay n; PROTOCOL 2: relay_from, relay_to, relay_amount. From 4 to a city at 31."""
    game = growth(fx("relay", n=2), clans={4: {0: 3}, 9: {0: 1}, 10: {1: 1}}, cities={31: 0})
    assert game.asked == (0, "relay_from") and game.legal() == ["end", "region:4", "region:9"]
    game.do("region:4")
    assert game.asked == (0, "relay_to") and game.legal() == ["region:31", "region:9"]
    game.do("region:31")
    assert game.asked == (0, "relay_amount") and game.legal() == ["amount:1", "amount:2"]
    game.do("amount:2")
    assert game.where(0) == {4: 1, 9: 1, 31: 2} and game.coins == [0, 0] and game.asked == (0, "growth")


def test_relay_moves_at_most_the_clans_that_are_there() -> None:
    """PROTOCOL 2: relay_amount 1..min(n, clans)."""
    game = growth(fx("relay", n=12), clans={4: {0: 3}, 9: {0: 1}}).do("region:4")
    assert game.asked == (0, "relay_amount") and game.amounts == [1, 2, 3]


def test_relay_may_be_declined() -> None:
    """RULES 7: or decline; once chosen, it is done."""
    game = growth(fx("relay", n=2), clans={4: {0: 3}, 9: {0: 1}}).do("end")
    assert game.where(0) == {4: 3, 9: 1} and game.asked == (0, "growth")


def test_relay_needs_another_occupied_region() -> None:
    """PROTOCOL 2: provided another occupied region exists; an effect without one is skipped."""
    game = growth(fx("relay", n=2), fx("coins", n=1, per="flat"), clans={4: {0: 3}})
    assert game.asked == (0, "growth") and game.coins == [1, 0]


def test_relay_needs_own_clans() -> None:
    """RULES 7: a region with own clans. Two cities alone move nobody."""
    assert growth(fx("relay", n=2), cities={4: 0, 9: 0}).asked == (0, "growth")


def test_relay_goes_to_a_homeland_that_is_shared() -> None:
    """RULES 7: another region the player occupies."""
    game = growth(fx("relay", n=2), clans={4: {0: 1}, 16: {0: 1, 1: 5}}).do("region:4")
    assert game.where(0) == {16: 2} and game.asked == (0, "growth")


# ---------------------------------------------------------------- leap


def test_leap_goes_to_a_region_within_its_distance() -> None:
    """RULES 7: leap n d; PROTOCOL 2: leap_from, leap_to, leap_amount. From 10, distance 2."""
    game = growth(fx("leap", n=2, d=2), clans={10: {0: 3}, 38: {0: 1}})
    assert game.asked == (0, "leap_from") and game.legal() == ["end", "region:10", "region:38"]
    game.do("region:10")
    # 10 touches 7, 11, 13; these touch 4, 8, 12, 14, 32
    assert game.asked == (0, "leap_to") and game.regions == [4, 7, 8, 11, 12, 13, 14, 32]
    assert "end" not in game.legal()
    game.do("region:32")
    assert game.asked == (0, "leap_amount") and game.legal() == ["amount:1", "amount:2"]
    game.do("amount:2")
    assert game.where(0) == {10: 1, 32: 2, 38: 1} and game.asked == (0, "growth")


def test_leap_does_not_mind_who_occupies_the_way() -> None:
    """RULES 7: occupation does not matter on the way; nothing is paid."""
    clans = {0: {0: 1}, 1: {1: 1}, 2: {1: 1}, 3: {1: 1}}
    game = growth(fx("leap", n=1, d=2), clans=clans).do("region:0")
    assert game.asked == (0, "leap_to") and game.regions == [4, 5, 6]
    assert game.do("region:5").where(0) == {5: 1} and game.coins == [0, 0]


def test_leap_ends_where_the_clans_may_stop() -> None:
    """RULES 7: where they may stop: my homeland among guests (0), free 2, my 4; not their 5."""
    clans = {1: {0: 1}, 4: {0: 1}, 0: {1: 2}, 5: {1: 1}, 7: {1: 1}}
    game = growth(fx("leap", n=1, d=1), clans=clans).do("region:1")
    assert game.regions == [0, 2, 4]


def test_leap_starts_only_where_it_can_land() -> None:
    """PROTOCOL 2: leap_from, region with own clans and some legal destination."""
    clans = {0: {0: 1}, 1: {1: 1}, 2: {1: 1}, 3: {1: 1}, 38: {0: 1}}
    game = growth(fx("leap", n=1, d=1), clans=clans)
    assert game.legal() == ["end", "region:38"]


def test_leap_without_any_destination_is_skipped() -> None:
    """PROTOCOL 2: an effect with no target is skipped."""
    clans = {0: {0: 1}, 1: {1: 1}, 2: {1: 1}, 3: {1: 1}}
    assert growth(fx("leap", n=1, d=1), clans=clans).asked == (0, "growth")


def test_leap_may_be_declined() -> None:
    """RULES 7: or decline."""
    game = growth(fx("leap", n=1, d=3), clans={0: {0: 1}}).do("end")
    assert game.where(0) == {0: 1} and game.asked == (0, "growth")


def test_distance_is_the_number_of_edges() -> None:
    """PROTOCOL 2. From the homeland it is 5 to the fives and 6 to the sevens 32 and 33."""
    game = growth(fx("leap", n=1, d=6), clans={0: {0: 1}}).do("region:0")
    assert game.regions == [*range(1, 16), 32, 33]


# ---------------------------------------------------------------- score and hosts


@pytest.mark.parametrize(("parameters", "points"), [
    ({"n": 3, "per": "flat"}, 3),
    ({"n": 2, "per": "clans"}, 14),
    ({"n": 2, "per": "clans", "div": 3}, 4),
    ({"n": 2, "per": "clans", "cap": 10}, 10),
])  # fmt: skip
def test_score_is_progress_in_this_age(parameters: dict[str, Any], points: int) -> None:
    """RULES 7: score. Seven clans in a homeland that is worth nothing."""
    cards = {66: card("end", fx("score", **parameters))}
    game = start(age=3, phase="end", hands=[[66], []], clans={0: {0: 7}}, cards=cards).do("card:66")
    assert game.finish()["progress"] == [[0, 0, points], [0, 0, 0]]


def test_score_counts_in_the_moment_the_card_is_played() -> None:
    """RULES 7: executed when the card is played. Coins gained later do not count."""
    cards = {66: card("end", fx("score", n=1, per="coins"))}
    game = start(age=3, phase="end", hands=[[66, 61], []], coins=[5, 0], cards=cards).do("card:66")
    assert game.finish()["progress"][0] == [0, 0, 5]


def test_host_coins_go_to_the_owner_of_the_chosen_homeland() -> None:
    """RULES 7: host_coins. Right of asylum: homeland 32 is that of seat 2, whoever lives there."""
    game = growth(
        fx("clans", n=1, at="foreign_homeland"), fx("host_coins", n=3), players=3, clans={32: {1: 4}}
    )
    assert game.do("region:32").coins == [0, 0, 3]


def test_host_clans_are_the_hosts_own_in_that_homeland() -> None:
    """RULES 7: host_clans, from its supply."""
    game = growth(fx("clans", n=2, at="foreign_homeland"), fx("host_clans", n=2), players=3).do("region:16")
    assert game.clans(16) == [2, 2, 0] and game.clan_supply == [28, 28, 30]


def test_host_clans_are_up_to_n() -> None:
    """RULES 7: up to n clans. The host has one left in supply."""
    game = growth(fx("clans", n=2, at="foreign_homeland"), fx("host_clans", n=2), clans={17: {1: 29}})
    assert game.clans(16) == [2, 1] and game.clan_supply == [28, 0]


def test_a_host_of_a_city_is_rewarded() -> None:
    """RULES 7: after a foreign_homeland effect of the same card, be it clans or a city."""
    game = growth(fx("city", n=1, at="foreign_homeland"), fx("host_coins", n=2), fx("host_clans", n=1))
    assert game.coins == [0, 2] and game.clans(16) == [0, 1] and game.cities(0) == [16]


def test_hosts_get_nothing_if_nothing_was_placed() -> None:
    """RULES 7. No clan in supply; or a city in every foreign homeland already."""
    hosts = fx("host_coins", n=2), fx("host_clans", n=1)
    game = growth(fx("clans", n=2, at="foreign_homeland"), *hosts, clans={4: {0: 30}})
    assert game.coins == [0, 0] and game.clans(16) == [0, 0]
    game = growth(fx("city", n=1, at="foreign_homeland"), *hosts, cities={16: 0})
    assert game.coins == [0, 0] and game.clans(16) == [0, 0]


def test_a_host_of_an_earlier_card_is_forgotten() -> None:
    """RULES 7: of the same card; the second card places nothing, so nobody is rewarded."""
    effects = fx("city", n=1, at="foreign_homeland"), fx("host_coins", n=2)
    cards = {61: card("growth", *effects), 67: card("growth", *effects)}
    game = start(age=3, hands=[[61, 67, 98], []], cards=cards).do("card:61", "card:67")
    assert game.coins == [0, 2] and game.cities(0) == [16]


# ---------------------------------------------------------------- hosts of whole continents

HOSTS = (fx("host_coins", n=2), fx("host_clans", n=1))


def test_hosts_are_those_on_whose_continents_a_piece_was_put() -> None:
    """RULES 7: host. Three clans on the frontier: two on the continents of seats 1 and 2, one on the island."""
    clans = {16: {0: 1}, 32: {0: 1}, 57: {0: 1}}
    game = growth(fx("clans", n=3, at="frontier"), *HOSTS, players=3, clans=clans)
    game.do("region:17", "region:33", "region:54")
    assert game.coins == [0, 2, 2] and game.clans(16) == [1, 1, 0] and game.clans(32) == [1, 0, 1]


def test_a_host_is_rewarded_once_however_many_pieces_there_are() -> None:
    """RULES 7: each once, whatever the effects: two clans and a city on one continent."""
    effects = fx("clans", n=2, at="free_outer"), fx("city", n=1, at="free_outer")
    game = growth(*effects, *HOSTS, players=3).do("region:17", "region:18", "region:19")
    assert game.coins == [0, 2, 0] and game.clans(16) == [0, 1, 0]


def test_the_own_continent_and_the_island_make_no_host() -> None:
    """RULES 7: the other players on whose continents."""
    game = growth(fx("clans", n=2, at="frontier"), *HOSTS, clans={0: {0: 1}, 38: {0: 1}})
    game.do("region:1", "region:36")
    assert game.coins == [0, 0] and game.clans(16) == [0, 0]


@pytest.mark.parametrize("do", [fx("relay", n=2), fx("leap", n=2, d=3)])
def test_a_relay_or_a_leap_makes_a_host_wherever_it_came_from(do: Effect) -> None:
    """RULES 7: relay, leap; wherever the piece came from: from one region of the continent to another."""
    game = growth(do, *HOSTS, clans={17: {0: 3}, 18: {0: 1}, 20: {0: 1}}).do(
        "region:17", "region:18", "amount:2"
    )
    assert game.coins == [0, 2] and game.clans(16) == [0, 1] and game.clans(18) == [3, 0]


def test_a_relay_that_is_declined_makes_no_host() -> None:
    """RULES 7: have put a piece."""
    assert growth(fx("relay", n=2), *HOSTS, clans={17: {0: 3}, 18: {0: 1}}).do("end").coins == [0, 0]


def test_only_earlier_effects_of_the_card_make_hosts() -> None:
    """RULES 7: this card's earlier effects: the coins come before the city on seat 2's continent."""
    effects = (
        fx("clans", n=1, at="foreign_homeland"),
        fx("host_coins", n=2),
        fx("city", n=1, at="foreign_homeland"),
    )
    game = growth(*effects, fx("host_clans", n=1), players=3).do("region:16", "region:32")
    assert game.coins == [0, 2, 0] and game.clans(16) == [1, 1, 0] and game.clans(32) == [0, 0, 1]


def test_host_clans_stand_in_the_hosts_homeland() -> None:
    """RULES 7: in its own homeland, wherever on its continent the piece was put."""
    game = growth(fx("clans", n=1, at="free_outer"), *HOSTS).do("region:31")
    assert game.clans(31) == [1, 0] and game.clans(16) == [0, 1]


def test_a_copy_rewards_the_hosts_of_the_copiers_pieces() -> None:
    """RULES 7: when a card is copied, the first player among them; the original's hosts are forgotten."""
    cards = {61: card("growth", fx("clans", n=1, at="free_outer"), *HOSTS)}
    game = start(players=3, age=3, hands=[[61, 98], [62], []], cards=cards).do("card:61", "region:33")
    assert game.coins == [0, 0, 2] and game.asked == (1, "copy")
    game.do("card:62", "region:1")
    assert game.coins == [2, 0, 2] and game.clans(0) == [1, 0, 0] and game.clans(32) == [0, 0, 1]
