"""Who sits where: everybody equally often, in every sense that is promised."""

from __future__ import annotations

from collections import Counter
from itertools import combinations, pairwise, permutations, product
from math import comb, factorial, prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import game_names, make_game, variants
from genesia_rl.matches.seating import (
    MOST_SEATINGS,
    balanced_square,
    lineups,
    mirrors,
    one_against,
    rotations,
    seatings,
    sides_of,
)


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


@pytest.mark.parametrize("seats", [1, 2, 5])
def test_rotations_bring_everybody_to_every_seat_in_the_same_order(seats: int) -> None:
    rows = rotations(seats)
    assert rows[0].tolist() == list(range(seats))
    for turn, row in enumerate(rows.tolist()):
        assert row.index(0) == turn and row[turn:] + row[:turn] == list(range(seats))


@pytest.mark.parametrize("name", game_names())
def test_without_teams_every_seat_is_a_side(name: str) -> None:
    for fields in variants(name).values():
        game = make_game(name, **fields)
        sides = sides_of(game)
        assert sorted(seat for side in sides for seat in side) == list(range(game.num_seats))
        assert len(sides) == len(set(game.teams))
