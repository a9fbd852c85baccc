"""Who sits where and with which lots: everybody equally often, in every sense that is promised."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations, product
from math import comb, factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from experiments.matches.entrant import Entrant, parse_entrant, parse_entrants
from experiments.matches.lots import choices, lots_fields, name_of, orthogonal_array, triples
from experiments.matches.seating import (
    MOST_SEATINGS,
    balanced_square,
    lineups,
    mirrors,
    one_against,
    seatings,
    sides_of,
)
from genesia_rl.errors import ConfigError
from genesia_rl.games.genesia.names import AGES, COLOURS
from genesia_rl.registry import make_game


@pytest.mark.parametrize("n", [2, 3, 4, 5, 6])
def test_squares_are_balanced_by_place_and_by_neighbour(n: int) -> None:
    rows = balanced_square(n)
    assert len(rows) == len(set(rows)) == (n if n % 2 == 0 else 2 * n)
    assert all(sorted(row) == list(range(n)) for row in rows)
    places = Counter((place, side) for row in rows for place, side in enumerate(row))
    assert set(places) == set(product(range(n), repeat=2)) and len(set(places.values())) == 1
    neighbours = Counter(pair for row in rows for pair in pairwise(row))
    assert set(neighbours) == set(permutations(range(n), 2)) and len(set(neighbours.values())) == 1


@pytest.mark.parametrize(("n", "often"), [(2, {2}), (3, {3}), (4, {1, 2}), (5, {2, 3}), (6, {1, 2})])
def test_round_a_table_everybody_sits_beside_everybody_about_equally_often(n: int, often: set[int]) -> None:
    rows = seatings(range(n))
    left = Counter((row[place - 1], side) for row in rows for place, side in enumerate(row))
    assert set(left) == set(permutations(range(n), 2)) and set(left.values()) == often


@given(st.integers(2, 6).flatmap(lambda n: st.lists(st.integers(0, n), min_size=n, max_size=n)))
def test_seatings_give_every_entrant_every_place_equally_often(lineup: list[int]) -> None:
    found = seatings(lineup)
    assert found and len(set(found)) == len(found) <= max(MOST_SEATINGS, 2 * len(lineup))
    assert all(sorted(row) == sorted(lineup) for row in found)
    number = factorial(len(lineup)) // prod(map(factorial, Counter(lineup).values()))
    if number <= MOST_SEATINGS:
        assert set(found) == set(permutations(lineup))
    if number <= MOST_SEATINGS or len(set(lineup)) == len(lineup):
        for place in range(len(lineup)):
            often = Counter(row[place] for row in found)
            for entrant, copies in Counter(lineup).items():
                assert often[entrant] * len(lineup) == copies * len(found)


@pytest.mark.parametrize("lineup", [(0, 0, 1, 1, 2), (0, 0, 1, 2, 3), (0, 0, 0, 1, 2), (0, 0, 1, 1, 2, 2)])
def test_seatings_of_copies_are_balanced_too(lineup: tuple[int, ...]) -> None:
    found = seatings(lineup)
    for place in range(len(lineup)):
        often = Counter(row[place] for row in found)
        for entrant, copies in Counter(lineup).items():
            assert often[entrant] * len(lineup) == copies * len(found)


@given(st.integers(1, 7), st.integers(2, 5))
def test_lineups_are_as_even_as_can_be_and_everybody_meets_everybody(entrants: int, sides: int) -> None:
    found = lineups(entrants, sides)
    assert len(set(found)) == len(found) and all(len(lineup) == sides for lineup in found)
    assert len({often for lineup in found for often in [tuple(sorted(Counter(lineup).values()))]}) == 1
    often = Counter(entrant for lineup in found for entrant in lineup)
    assert set(often) == set(range(entrants)) and len(set(often.values())) == 1
    if entrants >= sides:
        assert len(found) == comb(entrants, sides)
    else:
        for lineup in found:
            copies = Counter(lineup)
            assert set(copies) == set(range(entrants)) and max(copies.values()) - min(copies.values()) <= 1
    met = Counter(
        frozenset(pair) for lineup in found for pair in combinations(lineup, 2) if len(set(pair)) == 2
    )
    assert len(met) == comb(entrants, 2) and len(set(met.values())) <= 1


def test_mirrors_and_one_against_copies_of_another() -> None:
    assert mirrors(2, 3) == [(0, 0, 0), (1, 1, 1)]
    assert one_against(4) == [(0, 1, 1, 1)] and seatings((0, 1, 1, 1)) == [
        (0, 1, 1, 1), (1, 0, 1, 1), (1, 1, 0, 1), (1, 1, 1, 0)
    ]  # fmt: skip
    with pytest.raises(ConfigError, match="sides = 1, allowed is 2 or more"):
        one_against(1)


def test_sides_are_seats_or_teams() -> None:
    assert sides_of(make_game("genesia", players=3)) == ((0,), (1,), (2,))
    assert sides_of(make_game("genesia", players=4, teams=[[0, 2], [1, 3]])) == ((0, 2), (1, 3))


# ---------------------------------------------------------------- lots


@pytest.mark.parametrize(("players", "all_of_them"), [(2, 1000), (3, 1000), (4, 125), (5, 1)])
def test_all_lots_are_all_of_them(players: int, all_of_them: int) -> None:
    assert choices(players) == tuple(combinations(COLOURS, players))
    found = triples(players, 1000)
    assert len(found) == len(set(found)) == all_of_them == len(choices(players)) ** AGES
    assert triples(players, 10**6) == found


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("wanted", [1, 5, 10, 25, 99, 100, 125, 999, 1000])
def test_any_number_of_lots_is_balanced_in_every_age(players: int, wanted: int) -> None:
    found, number = triples(players, wanted), len(choices(players))
    assert len(set(found)) == len(found) in (number, number**2, number**3)
    for age in range(AGES):
        often = Counter(triple[age] for triple in found)
        assert set(often) == set(range(number)) and len(set(often.values())) == 1
    if number**2 <= wanted:
        for one, other in combinations(range(AGES), 2):
            pairs = Counter((triple[one], triple[other]) for triple in found)
            assert len(pairs) == number**2 and len(set(pairs.values())) == 1


@pytest.mark.parametrize("number", [1, 3, 5, 7, 10])
def test_two_places_of_an_orthogonal_array_are_every_pair_once(number: int) -> None:
    rows = orthogonal_array(number)
    for one, other in combinations(range(4), 2):
        assert sorted((row[one], row[other]) for row in rows) == list(product(range(number), repeat=2))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_lots_are_balanced_wherever_one_stops(players: int) -> None:
    found, number = triples(players, 1000), len(choices(players))
    ages = [(age,) for age in range(AGES)]
    for chosen in (*ages, *combinations(range(AGES), 2)):
        often = Counter(dict.fromkeys(product(range(number), repeat=len(chosen)), 0))
        for triple in found:
            often[tuple(triple[age] for age in chosen)] += 1
            assert max(often.values()) - min(often.values()) <= 1


def test_lots_make_a_configuration_and_have_names() -> None:
    fields = lots_fields(2, (0, 9, 4))
    assert fields == {"lots": [["blue", "yellow"], ["red", "violet"], ["yellow", "green"]]}
    assert make_game("genesia", players=2, **fields).config_dict()["lots"] == fields["lots"]
    assert name_of(("blue", "red")) == "blue+red"


# ---------------------------------------------------------------- entrants


def test_entrants_are_read_and_written() -> None:
    assert parse_entrant(" greedy!war!cities ") == Entrant("greedy", ("cities", "war"))
    assert parse_entrant("greedy!war!cities").name == "greedy!cities!war"
    for name in ("greedy", "mcts:5!drafting", "random!objective!places"):
        assert parse_entrant(name).name == name and parse_entrant(name).player().name
    assert [entrant.name for entrant in parse_entrants("greedy,greedy!war")] == ["greedy", "greedy!war"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("greedy!nonsense", "agent 'greedy!nonsense': without 'nonsense', allowed are war, cities"),
        ("greedy!", "without '', allowed are war"),
        ("greedy!war!war", "names something twice"),
        ("gredy", "agent 'gredy': unknown, allowed are random, greedy"),
        ("greedy,", "agent '': unknown"),
        ("greedy,random,greedy", "greedy stands twice, allowed is once"),
        ("greedy!war!cities,greedy!cities!war", "greedy!cities!war stands twice"),
    ],
)
def test_entrants_that_are_none_are_refused(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_entrants(text)
