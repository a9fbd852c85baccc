"""RULES 8: objectives, the twelve of the data file by hand."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import start

COLOUR = dict(
    zip(range(1, 11), [c for c in ("blue", "yellow", "green", "red", "violet") for _ in "12"], strict=True)
)


def points(number: int, **fields: Any) -> int:
    """What seat 0 of two gets for an objective when Age III ends so."""
    colour = COLOUR.get(number, "blue")
    lots = [[colour, "red" if colour != "red" else "blue"]] * 3
    made = {"age": 3, "phase": "end", "objectives": [number, None], "extra_objectives": number > 10} | fields
    made.setdefault("lots", lots)
    return int(start(**made).finish()["objective"][0])


def cities(number: int, seat: int = 0) -> dict[int, int]:
    """So many cities, from region 1 on for seat 0, from 17 on for seat 1."""
    return dict.fromkeys(range(16 * seat + 1, 16 * seat + 1 + number), seat)


@pytest.mark.parametrize(
    ("held", "expected"),
    [([], 0), ([1], 0), ([1, 5], 5), ([1, 5, 9], 5), ([1, 5, 9, 15, 23, 28, 33, 34], 15)],
)
def test_1_age_of_reason(held: list[int], expected: int) -> None:
    """RULES 8: 5 x floor(inventions / 2), at most 15: eight would give 20."""
    assert points(1, inventions=[held, []]) == expected


@pytest.mark.parametrize(("number", "expected"), [(1, 0), (2, 2), (5, 4), (15, 14)])
def test_2_twin_cities(number: int, expected: int) -> None:
    """RULES 8: 2 x city_pairs, at most 14. All of 1..15 give seven pairs."""
    assert points(2, cities=cities(number)) == expected


def test_2_twin_cities_is_capped() -> None:
    """RULES 8: at most 14: the homeland with 1..15 has eight pairs."""
    assert points(2, cities=cities(15) | {0: 0}) == 14


@pytest.mark.parametrize(("number", "expected"), [(8, 0), (9, 9), (15, 15)])
def test_3_capitals_of_the_world(number: int, expected: int) -> None:
    """RULES 8: 1 x cities, at most 15, and 0 with fewer than 9."""
    assert points(3, cities=cities(number)) == expected


def test_3_capitals_of_the_world_is_capped() -> None:
    """RULES 8: at most 15 for 18 cities."""
    assert points(3, cities=cities(15) | {17: 0, 18: 0, 19: 0}) == 15


@pytest.mark.parametrize(("number", "expected"), [(1, 0), (2, 1), (27, 13), (28, 14), (30, 14)])
def test_4_crowded_planet(number: int, expected: int) -> None:
    """RULES 8: 1 x floor(clans / 2), at most 14."""
    assert points(4, clans={5: {0: number}}) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, 0), (5, 5), (14, 14), (15, 14)])
def test_5_little_people(number: int, expected: int) -> None:
    """RULES 8: 1 x singles, at most 14; two clans together are none."""
    clans = {r: {0: 1} for r in range(1, number + 1)} | {0: {0: 2}}
    assert points(5, clans=clans) == expected


@pytest.mark.parametrize(("number", "expected"), [(3, 0), (4, 4), (11, 8), (15, 12), (16, 16)])
def test_6_deep_roots(number: int, expected: int) -> None:
    """RULES 8: 4 x floor(regions_own / 4), at most 16: the homeland counts, others' continents do not."""
    clans = {r: {0: 1} for r in range(number)} | {17: {0: 1}, 38: {0: 1}}
    assert points(6, clans=clans) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, 0), (4, 12), (5, 15), (6, 15)])
def test_7_conquerors(number: int, expected: int) -> None:
    """RULES 8: 3 x conquests, at most 15."""
    assert points(7, conquests=[number, 0]) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, 0), (2, 6), (5, 15), (6, 15)])
def test_8_strongholds(number: int, expected: int) -> None:
    """RULES 8: 3 x stacks_3, at most 15; two clans are no stronghold."""
    assert points(8, clans={r: {0: 3} for r in range(1, number + 1)} | {9: {0: 2}}) == expected


@pytest.mark.parametrize(("number", "expected"), [(0, 0), (1, 3), (9, 11), (12, 11)])
def test_9_ambassadors(number: int, expected: int) -> None:
    """RULES 8: regions_foreign, at most 9, and 2 x continents, at most 6: a sum."""
    assert points(9, clans={r: {0: 1} for r in range(17, 17 + number)}) == expected


def test_9_ambassadors_on_several_continents() -> None:
    """RULES 8: five players: four continents would give 8, the cap is 6."""
    clans = {r: {0: 1} for r in (16, 32, 48, 64)}
    lots = [["blue", "yellow", "green", "red", "violet"]] * 3
    assert points(9, players=5, lots=lots, clans=clans, objectives=[9, None, None, None, None]) == 4 + 6


@pytest.mark.parametrize(("number", "expected"), [(0, 0), (3, 9), (5, 15), (7, 15)])
def test_10_heart_of_the_world(number: int, expected: int) -> None:
    """RULES 8: 3 x regions_island, at most 15."""
    assert points(10, clans={r: {0: 1} for r in range(32, 32 + number)} | {13: {0: 1}}) == expected


@pytest.mark.parametrize(
    ("mine", "theirs", "expected"),
    [
        ({"clans": {}, "cities": {}}, {}, 0),
        ({"clans": {1: {0: 5}}, "cities": {1: 0}}, {"clans": {17: {1: 1}, 18: {1: 1}}}, 5 + 5),
        ({"clans": {1: {0: 1}, 2: {0: 1}}, "cities": {1: 0}}, {"clans": {17: {1: 3}}, "cities": {17: 1}}, 6),
        ({"clans": {1: {0: 3}, 2: {0: 1}}, "cities": {1: 0, 2: 0}}, {"clans": {17: {1: 2}}}, 6 + 5 + 5),
    ],
)
def test_11_hegemony(mine: dict[str, Any], theirs: dict[str, Any], expected: int) -> None:
    """RULES 8: 6 for most regions, 5 for most cities, 5 for most clans; cities are built before the end."""
    clans = mine["clans"] | theirs.get("clans", {})
    assert points(11, clans=clans, cities=mine["cities"] | theirs.get("cities", {})) == expected


@pytest.mark.parametrize(
    ("high", "low", "expected"), [(8, 0, 12), (7, 1, 9), (9, 0, 12), (10, 0, 15), (6, 1, 0)]
)
def test_12_high_places(high: int, low: int, expected: int) -> None:
    """RULES 8: 3 x floor(regions_value_5 / 2), at most 15, and 0 with fewer than 8 cities."""
    high_regions = [13, 14, 15, 29, 30, 31, 32, 33, 34, 35][:high]
    assert points(12, cities=dict.fromkeys([*high_regions, *range(1, low + 1)], 0)) == expected


def test_12_high_places_is_capped() -> None:
    """RULES 8: twelve such regions would give 18."""
    regions = [13, 14, 15, 29, 30, 31, 32, 33, 34, 35, 36, 37]
    assert points(12, cities=dict.fromkeys(regions, 0)) == 15


def test_an_objective_without_a_need_has_no_minimum() -> None:
    """RULES 8: 0 if a need is not met; Heart of the World has none."""
    assert points(10, clans={32: {0: 1}}) == 3


def test_a_need_is_another_counter_than_the_terms() -> None:
    """RULES 8: need (counter, minimum): nine regions of value 5 or more held by clans, not one city."""
    assert points(12, clans={r: {0: 1} for r in (13, 14, 15, 29, 30, 31, 32, 33, 34)}) == 0


def test_terms_are_summed_and_capped_one_by_one() -> None:
    """RULES 8: a file of one's own: 2 x floor(5 / 2) = 4, and 5 capped at 3."""
    terms = [{"n": 2, "per": "clans", "div": 2}, {"n": 1, "per": "clans", "cap": 3}]
    assert points(1, clans={4: {0: 1}, 5: {0: 1}, 6: {0: 1}, 7: {0: 1}, 8: {0: 1}},
                  objective_cards={1: {"terms": terms}}) == 4 + 3  # fmt: skip


def test_objectives_are_scored_at_the_end_of_the_game() -> None:
    """RULES 6 and 8: the cities of the last Age are built before: two clans in 9 regions make 9 cities."""
    assert points(3, clans={r: {0: 2} for r in range(1, 10)}) == 9
