"""RULES 7: the counters (`per`), each read off as coins that a card gains."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from games.genesia.positions import card, fx, game_of, start

# Three players: continents 0..15, 16..31, 32..47, sevens 48..53, twelves 54..56, centre 57. Seat 0 has
# clans 1 in 0, 2 in 1, 3 in 13, 1 in 16, 1 in 17, 4 in 53, 1 in 57 and cities in 1, 2, 16, 33, 54.
MAP: dict[str, Any] = {
    "players": 3,
    "clans": {
        0: {0: 1, 1: 1}, 1: {0: 2}, 13: {0: 3}, 16: {0: 1}, 17: {0: 1}, 53: {0: 4}, 57: {0: 1},
        20: {1: 9}, 40: {2: 5},
    },
    "cities": {1: 0, 2: 0, 16: [0, 1], 33: 0, 54: 0, 4: 1, 32: 2},
}  # fmt: skip
VALUES = {0: 0, 1: 1, 2: 1, 13: 5, 16: 0, 17: 1, 33: 1, 53: 7, 54: 12, 57: 15}


def count(per: str, seat: int = 0, **fields: Any) -> int:
    """What the counter says for a seat that plays a card in Growth of Age III, beside 2 coins of its own."""
    made = MAP | fields
    n = made.get("players", 2)
    hands: list[list[int]] = [[] for _ in range(n)]
    hands[seat] = [61, 98]
    order = [seat, *(s for s in range(n) if s != seat)]
    coins = made.pop("coins", [2] * n)
    cards = {61: card("growth", fx("coins", n=1, per=per), invention=made.pop("invention", 0))}
    game = start(age=3, turn_order=order, hands=hands, cards=cards, coins=coins, **made).do("card:61")
    return int(game.coins[seat] - coins[seat])


@pytest.mark.parametrize(
    ("per", "expected"),
    [
        ("flat", 1),
        ("regions", 10),
        ("regions_own", 4),  # 0, 1, 2, 13
        ("regions_foreign", 3),  # 16, 17, 33
        ("regions_island", 3),  # 53, 54, 57
        ("singles", 4),  # 0, 16, 17, 57; the city in 16 does not matter
        ("stacks_2", 3),  # 1, 13, 53
        ("stacks_3", 2),
        ("stacks_4", 1),
        ("stacks_5", 0),
        ("clans", 13),
        ("cities", 5),
        ("city_pairs", 1),  # 1 and 2
        ("coins", 2),
        ("inventions", 0),
        ("continents", 2),
        ("foreign_homelands", 1),  # 16; of continent 2 only region 33
        ("conquests", 0),
        ("most_cities", 1),  # 5 against 2 and 1
        ("most_clans", 1),  # 13 against 10 and 5
        ("most_regions", 1),
    ],
)
def test_counter(per: str, expected: int) -> None:
    """RULES 7: counters, by hand on one map."""
    assert count(per) == expected


@pytest.mark.parametrize("least", range(2, 16))
def test_regions_value_counts_occupied_regions_of_at_least_that_value(least: int) -> None:
    """RULES 7: regions_value_V, V = 2..15: here the values 5, 7, 12, 15 once each."""
    assert count(f"regions_value_{least}") == sum(value >= least for value in VALUES.values())


def test_regions_foreign_and_own_are_those_of_the_counting_player() -> None:
    """RULES 7. Seat 1 is in 0, 4 (continent 0) and 16, 20 (its own)."""
    assert count("regions_foreign", seat=1) == 2 and count("regions_own", seat=1) == 2
    assert count("continents", seat=1) == 1 and count("foreign_homelands", seat=1) == 1


def test_regions_own_includes_the_homeland() -> None:
    """RULES 7: homeland included."""
    assert count("regions_own", clans={0: {0: 1}}, cities={}) == 1


def test_a_region_with_clans_and_a_city_is_one_region() -> None:
    """RULES 7: regions occupied."""
    assert count("regions", clans={4: {0: 3}}, cities={4: 0}) == 1


def test_a_single_clan_beside_a_city_of_ones_own_is_a_single() -> None:
    """RULES 7: singles, a city there does not matter; a city alone is none."""
    assert count("singles", clans={4: {0: 1}}, cities={4: 0, 5: 0}) == 1


def test_a_single_clan_among_others_is_a_single() -> None:
    """RULES 7: exactly one own clan."""
    assert count("singles", clans={16: {0: 1, 1: 4}}, cities={}) == 1


def test_a_city_without_clans_is_no_stack() -> None:
    """RULES 7: stacks_K, regions with at least K own clans."""
    assert count("stacks_2", clans={5: {0: 1}}, cities={4: 0}) == 0


def test_stacks_go_up_to_30() -> None:
    """RULES 7: stacks_K."""
    assert count("stacks_30", clans={5: {0: 30}}, cities={}) == 1


def test_coins_are_what_is_left_after_the_cost() -> None:
    """RULES 7: coins, own ones in that moment."""
    assert count("coins", coins=[7, 99, 99]) == 7


def test_inventions_are_those_played_or_copied() -> None:
    """RULES 7: inventions; those of others and those in the hand do not count."""
    assert count("inventions", inventions=[[1, 9, 34], [5], []]) == 3


def test_the_invention_that_is_being_played_is_included() -> None:
    """RULES 7: inventions, the one being played included."""
    assert count("inventions", inventions=[[1], [], []], invention=2) == 2


def test_continents_are_other_continents() -> None:
    """RULES 7: neither the own one nor the island; an occupied homeland is enough."""
    assert count("continents", clans={1: {0: 1}, 48: {0: 1}, 57: {0: 1}}, cities={}) == 0
    assert count("continents", clans={32: {0: 1, 2: 1}}, cities={17: 0, 18: 0}) == 2


def test_foreign_homelands_may_be_occupied_by_a_city() -> None:
    """RULES 7: opponents' homelands one occupies; the own one is none."""
    assert count("foreign_homelands", clans={0: {0: 1}, 32: {0: 1, 1: 3}}, cities={16: [0, 1]}) == 2


def test_conquests_are_those_of_the_whole_game() -> None:
    """RULES 7: assaults in this game."""
    assert count("conquests", conquests=[3, 5, 0]) == 3


@pytest.mark.parametrize(
    ("per", "fields"),
    [
        ("most_cities", {"clans": {}, "cities": {4: 0, 5: 0, 20: 1, 21: 1, 40: 2}}),
        ("most_clans", {"clans": {4: {0: 3}, 20: {1: 1}, 21: {1: 2}}, "cities": {}}),
        ("most_regions", {"clans": {4: {0: 9}, 40: {2: 1}}, "cities": {}}),
    ],
)
def test_most_needs_strictly_more_than_every_opponent(per: str, fields: dict[str, Any]) -> None:
    """RULES 7: most_cities, most_clans, most_regions: a tie with one opponent is 0; one less gives 1."""
    assert count(per, **fields) == 0
    without = dict(list(fields["clans"].items())[:-1]) if fields["clans"] else {}
    cities = {r: seat for r, seat in fields["cities"].items() if r != 21}
    assert count(per, clans=without, cities=cities) == 1


def test_nobody_has_most_of_nothing() -> None:
    """RULES 7: strictly more."""
    assert [count(per, clans={}, cities={}) for per in ("most_cities", "most_clans", "most_regions")] == [
        0
    ] * 3


# ---------------------------------------------------------------- conquests in play


def test_each_conquest_counts_once_whatever_brought_the_presence() -> None:
    """RULES 7: conquests, step 6 or 7: a siege and an occupation in one assault are one conquest."""
    game = start(age=3, phase="attack", clans={1: {0: 5}}, cities={4: 1}, hands=[[61], []])
    game.do("war", "peace", "edge:1-4", "amount:3")
    assert game.where(0) == {1: 1, 4: 3} and game.cities(0) == [4] and game.conquests == [1, 0]


def test_the_same_region_may_count_again() -> None:
    """RULES 7: conquests. Seat 0 takes 4, seat 1 takes it back, seat 0 takes it once more."""
    game = start(age=3, phase="attack", clans={1: {0: 5}, 4: {1: 1}, 5: {1: 9}}, hands=[[61], [67]])
    game.do("war", "peace", "edge:1-4", "amount:1")
    game.do("peace", "war", "edge:5-4", "amount:1")
    assert game.conquests == [1, 1] and game.where(1) == {4: 1, 5: 7}
    game.do("war", "peace", "edge:1-4", "amount:2")
    assert game.conquests == [2, 1]


def test_a_fight_without_gaining_presence_is_no_conquest() -> None:
    """RULES 7: by which one gained presence in T."""
    game = start(age=3, phase="attack", clans={1: {0: 5}, 4: {1: 3}}, hands=[[61], []])
    assert game.do("war", "peace", "edge:1-4", "amount:1").conquests == [0, 0]


# ---------------------------------------------------------------- city pairs


def matching(cities: frozenset[int], neighbours: tuple[tuple[int, ...], ...]) -> int:
    """The greatest number of disjoint adjacent pairs, by trying everything."""

    @cache
    def best(left: frozenset[int]) -> int:
        if not left:
            return 0
        first, rest = min(left), left - {min(left)}
        pairs = [1 + best(rest - {other}) for other in neighbours[first] if other in rest]
        return max([best(rest), *pairs])

    return best(cities)


@pytest.mark.parametrize(
    ("cities", "pairs"),
    [
        ([4], 0),
        ([4, 6], 0),  # not adjacent
        ([4, 5], 1),
        ([4, 5, 6], 1),  # each city once
        ([1, 4, 7, 10], 2),
        ([4, 5, 8, 6], 1),  # 5 in the middle of three
        ([32, 33, 36], 1),  # a triangle
        ([13, 15, 32, 33, 36, 37], 3),  # the triangle, and a city beside each of its corners
        ([32, 33, 36, 37, 34, 35], 3),  # two triangles with a bridge
        ([13, 14, 32, 33, 36, 38], 3),
        ([0, 1, 2, 3], 2),  # the homeland and the ones: 0-1, 2-3
        ([14, 32, 33, 36, 38], 2),
    ],
)
def test_city_pairs_are_disjoint_pairs_of_adjacent_cities(cities: list[int], pairs: int) -> None:
    """RULES 7: city_pairs, the greatest number; two players."""
    assert count("city_pairs", players=2, clans={}, cities=dict.fromkeys(cities, 0)) == pairs


def test_both_cities_of_a_pair_are_ones_own() -> None:
    """RULES 7: that both hold an own city; 16 holds mine and theirs."""
    assert count("city_pairs", players=2, clans={}, cities={16: [0, 1], 17: 1, 4: 0, 5: 1}) == 0
    assert count("city_pairs", players=2, clans={}, cities={16: [0, 1], 17: 0}) == 1


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_city_pairs_are_a_maximum_matching_in_any_graph(players: int) -> None:
    """RULES 7: city_pairs. Dense random sets of up to 20 cities on and around the island, by brute force."""
    neighbours = game_of(players=players).board.neighbours
    rng = random.Random(players)
    island = range(16 * players, 19 * players + 1)
    shore = [16 * s + local for s in range(players) for local in (10, 11, 12, 13, 14, 15)]
    for _ in range(80):
        size = rng.randint(5, 20)
        regions = [*island, *rng.sample(shore, len(shore) // rng.choice([1, 2, 3]))]
        cities = frozenset(rng.sample(regions, min(size, len(regions))))
        found = count("city_pairs", players=players, clans={}, cities=dict.fromkeys(cities, 0))
        assert found == matching(cities, neighbours), sorted(cities)


def test_city_pairs_on_the_continent_are_a_maximum_matching() -> None:
    """RULES 7: city_pairs. A board of one's own is not needed: the ones and the homeland make triangles."""
    neighbours = game_of(players=2).board.neighbours
    rng = random.Random(7)
    for _ in range(80):
        cities = frozenset(rng.sample(range(16), rng.randint(4, 16)))
        found = count("city_pairs", players=2, clans={}, cities=dict.fromkeys(cities, 0))
        assert found == matching(cities, neighbours), sorted(cities)


def test_an_amount_without_a_cap_has_none() -> None:
    """RULES 7 and 12: cap, default none: as many coins again as one has."""
    assert count("coins", coins=[40_000, 0, 0]) == 40_000
