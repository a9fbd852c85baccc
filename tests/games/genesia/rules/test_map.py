"""RULES 2: the map, read from the text and compared with what the engine lets a clan do."""

from __future__ import annotations

from collections import deque

import pytest
from games.genesia.positions import game_of, start

SIZES = [2, 3, 4, 5]
Pairs = set[tuple[int, int]]


def region(seat: int, value: int, column: int) -> int:
    """The region of a value and column, as the text numbers it: local 1 + 3(v-1) + c."""
    return 16 * seat + 1 + 3 * (value - 1) + column


def pairs_of_the_text(n: int) -> Pairs:
    """The adjacent pairs, bullet by bullet."""
    pairs: Pairs = set()
    for s in range(n):
        pairs |= {(16 * s, region(s, 1, c)) for c in range(3)}
        pairs |= {(region(s, v, c), region(s, v + 1, c)) for v in range(1, 5) for c in range(3)}
        pairs |= {(region(s, v, c), region(s, v, c + 1)) for v in range(1, 6) for c in range(2)}
        left, right = 16 * n + 2 * s, 16 * n + 2 * s + 1
        pairs |= {(region(s, 5, 0), left), (region(s, 5, 1), left)}
        pairs |= {(region(s, 5, 1), right), (region(s, 5, 2), right)}
        pairs |= {(left, 18 * n + s), (right, 18 * n + s)}
        pairs |= {(18 * n + s, 18 * n + (s + 1) % n), (18 * n + s, 19 * n)}
    pairs |= {(16 * n + i, 16 * n + (i + 1) % (2 * n)) for i in range(2 * n)}
    return {(a, b) for pair in pairs for a, b in (pair, pair[::-1])}


def values_of_the_text(n: int) -> list[int]:
    """The value of every region in order of id."""
    continent = [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]
    return continent * n + [7] * (2 * n) + [12] * n + [15]


@pytest.mark.parametrize("n", SIZES)
def test_there_are_19n_plus_1_regions_with_these_values(n: int) -> None:
    """RULES 2: R = 19n + 1; 16 on each continent, 2n sevens, n twelves, the centre."""
    board = game_of(players=n).board
    assert len(board.values) == 19 * n + 1
    assert list(board.values) == values_of_the_text(n)


@pytest.mark.parametrize("n", SIZES)
def test_the_regions_are_adjacent_as_the_text_says(n: int) -> None:
    """RULES 2: adjacency, symmetric."""
    neighbours = game_of(players=n).board.neighbours
    assert {(a, b) for a, row in enumerate(neighbours) for b in row} == pairs_of_the_text(n)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_a_clan_can_step_to_every_adjacent_region_and_no_other(n: int) -> None:
    """RULES 2, by playing: one clan on an empty map, one coin."""
    pairs = pairs_of_the_text(n)
    coins = [1] + [0] * (n - 1)
    for r in range(19 * n + 1):
        game = start(players=n, phase="expansion", coins=coins, clans={r: {0: 1}})
        assert game.edges == [f"{r}-{b}" for b in sorted(b for a, b in pairs if a == r)]


def test_the_regions_of_value_2_column_0_touch_three_regions() -> None:
    """RULES 2, an example by hand: region 4 of two players touches 1, 5 and 7."""
    game = start(phase="expansion", coins=[1, 0], clans={4: {0: 1}})
    assert game.edges == ["4-1", "4-5", "4-7"]


def test_with_two_players_the_twelves_share_one_edge() -> None:
    """RULES 2: twelve s - twelve s+1 (mod n), one edge only when n = 2."""
    assert game_of(players=2).board.neighbours[36] == (32, 33, 37, 38)


def test_every_twelve_touches_the_centre() -> None:
    """RULES 2: every twelve - the centre."""
    assert game_of(players=4).board.neighbours[76] == (72, 73, 74, 75)


@pytest.mark.parametrize("n", SIZES)
def test_the_distance_from_a_homeland_within_its_continent_is_the_value(n: int) -> None:
    """RULES 2: the rulebook's facts."""
    board = game_of(players=n).board
    for seat in range(n):
        distance = {16 * seat: 0}
        queue = deque(distance)
        while queue:
            here = queue.popleft()
            for there in board.neighbours[here]:
                if there not in distance:
                    distance[there] = distance[here] + 1
                    queue.append(there)
        assert all(distance[r] == board.values[r] for r in range(16 * seat, 16 * seat + 16))


def test_the_island_of_three_players_has_six_sevens_three_twelves_and_one_fifteen() -> None:
    """RULES 2: the rulebook's facts."""
    assert list(game_of(players=3).board.values[48:]) == [7] * 6 + [12] * 3 + [15]


@pytest.mark.parametrize("n", SIZES)
def test_rotating_all_seats_is_an_automorphism(n: int) -> None:
    """RULES 2: continents s -> s+k, sevens i -> i+2k, twelves s -> s+k, the centre stays."""
    board = game_of(players=n).board

    def turned(r: int, k: int) -> int:
        if r < 16 * n:
            return (r + 16 * k) % (16 * n)
        if r < 18 * n:
            return 16 * n + (r - 16 * n + 2 * k) % (2 * n)
        return 18 * n + (r - 18 * n + k) % n if r < 19 * n else r

    for k in range(1, n):
        for r, row in enumerate(board.neighbours):
            assert {turned(b, k) for b in row} == set(board.neighbours[turned(r, k)])
            assert board.values[turned(r, k)] == board.values[r]


def test_the_borders_are_data() -> None:
    """RULES, opening: an owner of the box can replace the boards without touching the engine."""
    game = start(phase="expansion", coins=[1, 0], clans={0: {0: 1}}, roads=[[0, 38]])
    assert game.edges == ["0-1", "0-2", "0-3", "0-38"]
