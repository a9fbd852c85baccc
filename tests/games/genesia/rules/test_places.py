"""RULES 7: the places (`at`), for clans and for cities, on one map of three players.

Continents 0..15, 16..31 and 32..47, sevens 48..53, twelves 54..56, centre 57. Seat 0 plays. It has clans
in 1, 16 and 48 and cities in 5 and 17. Seat 1 has clans in 0 (the homeland of seat 0), in 4 and in 16; seat 2
has a city in 2.
"""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Play, card, fx, start

MAP: dict[str, Any] = {
    "players": 3,
    "clans": {0: {1: 1}, 1: {0: 2}, 4: {1: 1}, 16: {0: 1, 1: 1}, 48: {0: 1}},
    "cities": {5: 0, 17: 0, 2: 2},
}

# 5 touches 2, 4, 6, 8; 16 touches 17, 18, 19; 17 touches 16, 18, 20; 48 touches 13, 14, 49, 53, 54
FRONTIER = [6, 8, 13, 14, 18, 19, 20, 49, 53, 54]
FREE_OUTER = [3, *range(6, 16), *range(18, 32), *range(33, 48)]


def placing(do: str, at: str, n: int = 2, **fields: Any) -> Play:
    """Seat 0 has just played a Growth card that places clans or cities there."""
    cards = {61: card("growth", fx(do, n=n, at=at))}
    made = MAP | {"age": 3, "hands": [[61, 98], [], []], "cards": cards} | fields
    return start(**made).do("card:61")


@pytest.mark.parametrize(
    ("at", "regions"),
    [
        ("bases", [0, 5, 17]),
        ("occupied", [1, 5, 16, 17, 48]),
        ("own", [0, 1, 3, *range(5, 16)]),
        ("frontier", FRONTIER),
        ("foreign_homeland", [16, 32]),
        ("free_outer", FREE_OUTER),
    ],
)
def test_clans_are_placed_at(at: str, regions: list[int]) -> None:
    """RULES 7: places. `own` has the own homeland among guests, and leaves out 2 and 4."""
    game = placing("clans", at)
    assert game.asked == (0, "place") and game.regions == regions


@pytest.mark.parametrize(
    ("at", "regions"),
    [
        ("occupied", [1, 16, 48]),
        ("own", [0, 1, 3, *range(6, 16)]),
        ("frontier", FRONTIER),
        ("foreign_homeland", [16, 32]),
        ("free_outer", FREE_OUTER),
    ],
)
def test_a_city_is_placed_at(at: str, regions: list[int]) -> None:
    """RULES 7: of the list's regions those without an own city and, outside homelands, without others."""
    game = placing("city", at)
    assert game.asked == (0, "found") and game.regions == regions


def test_clans_at_homeland_come_to_the_own_one_whoever_lives_there() -> None:
    """RULES 7: homeland."""
    assert placing("clans", "homeland").clans(0) == [2, 1, 0]


@pytest.mark.parametrize("at", ["homeland", "bases"])
def test_a_city_at_homeland_or_bases_comes_to_the_own_homeland(at: str) -> None:
    """RULES 7: homeland; bases: own cities have an own city already. One of two is placed."""
    game = placing("city", at)
    assert game.cities(0) == [0, 5, 17] and game.asked == (0, "growth")


@pytest.mark.parametrize("at", ["homeland", "bases"])
def test_a_second_city_in_the_homeland_is_impossible(at: str) -> None:
    """RULES 7: in which a city of one's own is possible: no own city there."""
    game = placing("city", at, cities={0: 0, 5: 0})
    assert game.cities(0) == [0, 5] and game.asked == (0, "growth")


def test_the_empty_homeland_is_own_and_a_base_but_not_occupied() -> None:
    """RULES 7: bases, own and occupied, with seat 0 at region 1 only."""
    clans = {1: {0: 1}, 40: {0: 1}}
    assert placing("clans", "bases", clans=clans, cities={}).clans(0) == [2, 0, 0]
    assert placing("clans", "occupied", clans=clans, cities={}).regions == [1, 40]
    assert placing("clans", "own", clans=clans, cities={}).regions == list(range(16))


def test_the_frontier_includes_free_homelands() -> None:
    """RULES 7: frontier, homelands too: my own empty one beside 1, and that of seat 1 beside 17."""
    game = placing("clans", "frontier", clans={1: {0: 1}, 17: {0: 1}}, cities={})
    assert game.regions == [0, 2, 4, 16, 18, 20]


def test_the_frontier_leaves_out_homelands_with_guests() -> None:
    """RULES 7: free regions: the own homeland is not free while somebody else lives there."""
    game = placing("clans", "frontier", clans={1: {0: 1}, 0: {2: 1}}, cities={})
    assert game.regions == [2, 4]


def test_each_placement_on_the_frontier_counts_for_the_next() -> None:
    """RULES 7: frontier. After 4 come 5 and 7, and 4 itself is no longer free."""
    game = placing("clans", "frontier", n=3, clans={1: {0: 1}}, cities={})
    assert game.regions == [0, 2, 4]
    assert game.do("region:4").regions == [0, 2, 5, 7]
    assert game.do("region:7").regions == [0, 2, 5, 8, 10]


def test_cities_on_the_frontier_count_for_the_next_too() -> None:
    """RULES 7: frontier, for cities."""
    game = placing("city", "frontier", n=2, clans={1: {0: 1}}, cities={}).do("region:4")
    assert game.regions == [0, 2, 5, 7]


def test_without_presence_there_is_no_frontier() -> None:
    """RULES 7: adjacent to a region one occupies."""
    assert placing("clans", "frontier", clans={}, cities={}).asked == (0, "growth")


def test_foreign_homelands_are_those_of_all_opponents_occupied_or_not() -> None:
    """RULES 7: any opponent's homeland."""
    game = placing("clans", "foreign_homeland", clans={16: {1: 5, 2: 3}}, cities={32: 0})
    assert game.regions == [16, 32]


def test_a_city_in_a_foreign_homeland_may_stand_beside_others() -> None:
    """RULES 7: outside homelands no other player's presence; in a homeland it does not matter."""
    game = placing("city", "foreign_homeland", clans={16: {1: 5}}, cities={16: [1, 2], 32: 0})
    assert game.cities(0) == [16, 32] and game.public["cities"]["16"] == [0, 1, 2]


def test_free_outer_leaves_out_homelands_and_the_island() -> None:
    """RULES 7: free regions of any continent that are not homelands, all of them on an empty map."""
    game = placing("clans", "free_outer", clans={}, cities={})
    assert game.regions == [r for r in range(48) if r % 16]


def test_for_cities_occupied_includes_shared_homelands() -> None:
    """RULES 7: occupied: my clan in homeland 16 among those of seat 1."""
    game = placing("city", "occupied", n=1, clans={16: {0: 1, 1: 9}, 1: {0: 1}}, cities={16: 1})
    assert game.regions == [1, 16]


def test_own_is_the_own_continent_only() -> None:
    """RULES 7: own. Seat 2 plays: 32..47 without 33, where seat 0 is; 32 has guests and counts."""
    cards = {61: card("growth", fx("clans", n=1, at="own"))}
    game = start(players=3, turn_order=[2, 0, 1], age=3, hands=[[], [], [61]], cards=cards,
                 clans={32: {0: 1}, 33: {0: 1}, 34: {2: 1}, 1: {2: 1}}).do("card:61")  # fmt: skip
    assert game.asked == (2, "place") and game.regions == [32, *range(34, 48)]
