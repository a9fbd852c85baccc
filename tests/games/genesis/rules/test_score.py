"""RULES 6 and 7: zones that score, multipliers, herds, totals; the example of the rulebook."""

from __future__ import annotations

import pytest
from games.genesis.playing import game_of, random_states, start

from genesia_rl.games.genesis.names import TERRAINS
from genesia_rl.games.genesis.recount import parts_of, tiles_of, zones_of

EXAMPLE = [
    "F2 F2 F1 F1 ## ## ##",
    "F2 F3 ## S1 S1 S1 ##",
    "S3 ## ## ## S2 ## ##",
    "S2 ## ## ## S1 ## M0",
    "## W3 W3 W1 ## ## M0",
    "## W0 W0 W1 W3 W3 M0",
]
WITH_ROOM = [row.replace("##", "..") for row in EXAMPLE]


def on_a_large_board(rows: list[str], more: list[str] | None = None) -> list[str]:
    """These rows, more of them after an empty one, and room at the bottom."""
    width = max(len(row.split(" ")) for row in [*rows, *(more or [])])
    empty = " ".join([".."] * width)
    filled = [" ".join((row.split(" ") + [".."] * width)[:width]) for row in [*rows, empty, *(more or [])]]
    return [*filled, empty, empty]


# ---------------------------------------------------------------- the example


def example(*more: str) -> dict[tuple[str, int], tuple[int, list[int]]]:
    """The zones of the example, on a board of their own with more rows below."""
    return start([*WITH_ROOM, *more, ".. .. .. .. .. .. .."]).zones


def test_the_zones_of_the_example_with_nothing_else_on_the_board() -> None:
    assert example() == {
        ("forest", 0): (2, [0, 4, 8, 0]),
        ("savannah", 10): (2, [0, 10, 2, 0]),
        ("wetland", 29): (3, [4, 4, 0, 8]),
        ("mountain", 27): (2, [12, 0, 0, 0]),
    }


def test_the_totals_of_the_example() -> None:
    assert start(WITH_ROOM).score == [16, 18, 10, 8]


def test_the_parts_of_the_example() -> None:
    assert start(WITH_ROOM).result["points"] == {
        "forest": [0, 4, 8, 0], "savannah": [0, 10, 2, 0], "mountain": [12, 0, 0, 0], "wetland": [4, 4, 0, 8],
    }  # fmt: skip


def test_the_example_on_reliefs_is_over_and_scores_the_same() -> None:
    rows = [*EXAMPLE, "## ## ## ## ## ## ##", "## ## ## ## .. .. W2"]
    play = start(rows)
    assert play.is_over and play.score == [16, 18, 10, 8]


def test_the_zones_of_the_example_with_m_1_as_in_the_rulebook() -> None:
    """Two larger zones of each terrain make every zone of the example count once."""
    rows = [row + " .. .. .. .. .. .. .. .. .." for row in WITH_ROOM]
    larger = [" ".join([f"{letter}0"] * 9 + [".."] * 7) for letter in "FSMW"]
    larger += [" ".join([".."] * 7 + [f"{letter}1"] * 9) for letter in "MWFS"]
    zones = start([*rows, " ".join([".."] * 16), *larger], tiles=40).zones
    assert {key: value for key, value in zones.items() if key[1] < 96} == {
        ("forest", 0): (1, [0, 2, 4, 0]),
        ("savannah", 19): (1, [0, 5, 1, 0]),
        ("wetland", 65): (1, [1, 1, 0, 2]),
        ("mountain", 54): (1, [6, 0, 0, 0]),
    }


def test_the_small_savannah_of_the_example_scores_nothing() -> None:
    assert ("savannah", 14) not in example()


# ---------------------------------------------------------------- zones that score


@pytest.mark.parametrize(("tiles", "points"), [(1, 0), (2, 0), (3, 18), (4, 18)])
def test_a_zone_of_at_least_three_tiles_scores_a_smaller_one_nothing(tiles: int, points: int) -> None:
    play = start(on_a_large_board([" ".join(["F0"] * tiles + [".."])]))
    assert play.score == [points, 0, 0, 0]
    assert len(play.zones) == (points > 0)


def test_every_zone_scores_on_its_own() -> None:
    zones = start(on_a_large_board(["F0 F0 F0 .. F1 F1 F1 F1"])).zones
    assert zones == {("forest", 0): (1, [6, 0, 0, 0]), ("forest", 4): (3, [0, 18, 0, 0])}


def test_when_zones_are_joined_the_larger_one_scores_in_their_place() -> None:
    play = start(on_a_large_board(["F0 F0 F0 .. F1 F1 F1 F1"]), dice="FF")
    play.tile("forest", 3)
    assert play.zones == {("forest", 0): (3, [9, 9, 0, 0])}
    play.check()


# ---------------------------------------------------------------- the multiplier


def times(*rows: str, more: list[str] | None = None) -> dict[tuple[str, int], int]:
    return {key: found for key, (found, _) in start(on_a_large_board(list(rows), more)).zones.items()}


def test_a_zone_alone_on_the_board_counts_three_times() -> None:
    assert times("F0 F0 F0") == {("forest", 0): 3}


def test_the_largest_of_the_board_counts_three_times_the_largest_of_a_terrain_twice() -> None:
    assert times("F0 F0 F0 F0 .. S0 S0 S0") == {("forest", 0): 3, ("savannah", 5): 2}


def test_a_zone_that_is_not_the_largest_of_its_terrain_counts_once() -> None:
    assert times("F0 F0 F0 F0 .. F0 F0 F0") == {("forest", 0): 3, ("forest", 5): 1}


def test_the_size_is_that_of_all_seats_together() -> None:
    assert times("F0 F1 F2 F3 .. S0 S0 S0") == {("forest", 0): 3, ("savannah", 5): 2}


def test_small_zones_are_compared_too_but_never_larger() -> None:
    assert times("F0 F0 F0 .. F1 F1 .. F2") == {("forest", 0): 3}


def test_when_zones_of_two_terrains_tie_for_the_largest_nobody_has_three_and_both_have_two_r10() -> None:
    assert times("F0 F0 F0 .. S0 S0 S0") == {("forest", 0): 2, ("savannah", 4): 2}


def test_when_zones_of_one_terrain_tie_for_the_largest_they_have_one_r10() -> None:
    assert times("F0 F0 F0 .. F1 F1 F1") == {("forest", 0): 1, ("forest", 4): 1}


def test_a_tie_between_two_of_one_terrain_keeps_a_third_of_another_terrain_from_three_r10() -> None:
    found = times("F0 F0 F0 .. F1 F1 F1 .. S0 S0 S0")
    assert found == {("forest", 0): 1, ("forest", 4): 1, ("savannah", 8): 2}


def test_below_a_tie_the_largest_of_another_terrain_has_two() -> None:
    found = times("F0 F0 F0 F0 .. F1 F1 F1 F1 .. S0 S0 S0")
    assert found == {("forest", 0): 1, ("forest", 5): 1, ("savannah", 10): 2}


def test_zones_that_tie_for_the_largest_of_their_terrain_have_one_below_a_larger_of_another_r10() -> None:
    found = times("F0 F0 F0 F0 .. S0 S0 S0 .. S1 S1 S1")
    assert found == {("forest", 0): 3, ("savannah", 5): 1, ("savannah", 9): 1}


def test_the_multiplier_moves_when_a_zone_grows() -> None:
    play = start(on_a_large_board(["F0 F0 F0 .. .. S1 S1 S1"]), dice="FF")
    assert play.score == [12, 12, 0, 0]
    assert play.tile("forest", 3).score == [18, 12, 0, 0]
    play.check()


def test_the_multiplier_is_lost_when_another_zone_draws_level() -> None:
    play = start(on_a_large_board(["F0 F0 F0 F0 .. F1 F1 F1 .."]), seat=1, dice="FF")
    assert play.score == [18, 6, 0, 0]
    assert play.tile("forest", 8).score == [6, 6, 0, 0]
    play.check()


# ---------------------------------------------------------------- the table of herds

#: rows of one zone of forest, and what it gives to the seats if it counts once, twice, three times
HERDS = {
    "only one herd takes 6m": (["F0 F0 F0"], [[6, 0, 0, 0], [12, 0, 0, 0], [18, 0, 0, 0]]),
    "two tie for the largest": (["F0 F0 F1 F1"], [[3, 3, 0, 0], [6, 6, 0, 0], [9, 9, 0, 0]]),
    "two tie and the third has nothing": (
        ["F0 F0 F1 F1 F2"], [[3, 3, 0, 0], [6, 6, 0, 0], [9, 9, 0, 0]]),
    "three tie": (["F0 F1 F2"], [[2, 2, 2, 0], [4, 4, 4, 0], [6, 6, 6, 0]]),
    "four tie": (["F0 F1 F2 F3"], [[1, 1, 1, 1], [3, 3, 3, 3], [4, 4, 4, 4]]),
    "five tie, two of one seat": (["F0 F1 F2 F3 F0"], [[2, 1, 1, 1], [4, 2, 2, 2], [6, 3, 3, 3]]),
    "seven tie": (["F0 F1 F2 F3 F0 F1 F2"], [[0, 0, 0, 0], [2, 2, 2, 1], [4, 4, 4, 2]]),
    "one is the largest, one alone second": (["F0 F0 F1"], [[4, 2, 0, 0], [8, 4, 0, 0], [12, 6, 0, 0]]),
    "a third herd has nothing": (
        ["F0 F0 F0 F1 F1 F2"], [[4, 2, 0, 0], [8, 4, 0, 0], [12, 6, 0, 0]]),
    "two tie for second": (["F1 F0 F0 F2"], [[4, 1, 1, 0], [8, 2, 2, 0], [12, 3, 3, 0]]),
    "three tie for second": (
        ["F1 F0 F0 F2 F3"], [[4, 0, 0, 0], [8, 1, 1, 1], [12, 2, 2, 2]]),
    "a seat takes both shares": (["F0 F0 F1 F0"], [[4 + 1, 1, 0, 0], [8 + 2, 2, 0, 0], [12 + 3, 3, 0, 0]]),
    "a seat is first and alone second": (
        ["F0 F0 F0 F1 F0 F0"], [[6, 0, 0, 0], [12, 0, 0, 0], [18, 0, 0, 0]]),
    "two herds of one seat tie for the largest": (
        ["F0 F0 F1 F0 F0"], [[6, 0, 0, 0], [12, 0, 0, 0], [18, 0, 0, 0]]),
    "seconds of seven are rounded down to nothing": (
        ["F0 F0 F1 F2 F3 F1 F2 F3"], [[4, 0, 0, 0], [8, 0, 0, 0], [12, 2, 2, 2]]),
}  # fmt: skip
#: rows beside it that make it count once, twice, three times
BESIDE = [
    ["S0 S0 S0 S0 S0 S0 S0 S0 S0", ".. .. .. .. .. .. .. .. ..", "F0 F0 F0 F0 F0 F0 F0 F0 F0"],
    ["S0 S0 S0 S0 S0 S0 S0 S0 S0"],
    [],
]


@pytest.mark.parametrize("name", HERDS)
@pytest.mark.parametrize("multiplier", [1, 2, 3])
def test_the_table_of_herds(name: str, multiplier: int) -> None:
    rows, points = HERDS[name]
    play = start(on_a_large_board(rows, BESIDE[multiplier - 1]), tiles=40)
    assert play.zones["forest", 0] == (multiplier, points[multiplier - 1])


def test_herds_not_players_are_ranked_r11() -> None:
    """Seat 0 has more tiles than seat 1, but no herd as large."""
    zones = start(on_a_large_board(["F0 F0 F1 F1 F1 F0 F0"])).zones
    assert zones["forest", 0] == (3, [3 + 3, 12, 0, 0])


def test_each_herds_share_is_rounded_down_by_itself_after_the_multiplication_r12() -> None:
    zones = start(on_a_large_board(["F0 F1 F0 F2"], BESIDE[0]), tiles=40).zones
    assert zones["forest", 0] == (1, [2, 1, 1, 0])  # not floor(6 x 2 / 4) = 3


def test_a_zone_is_listed_even_if_all_its_shares_are_rounded_down_to_0() -> None:
    zones = start(on_a_large_board(HERDS["seven tie"][0], BESIDE[0]), tiles=40).zones
    assert zones["forest", 0] == (1, [0, 0, 0, 0])


# ---------------------------------------------------------------- totals


def test_the_total_is_the_sum_of_the_parts() -> None:
    result = start(WITH_ROOM).result
    assert result["score"] == [sum(result["points"][name][seat] for name in TERRAINS) for seat in range(4)]


def test_the_parts_are_the_sums_over_the_zones_of_each_terrain() -> None:
    result = start(on_a_large_board(["F0 F0 F0 .. F1 F1 F1 F1 .. S2 S2 S2"])).result
    assert result["points"] == {
        "forest": [6, 18, 0, 0], "savannah": [0, 0, 12, 0], "mountain": [0] * 4, "wetland": [0] * 4,
    }  # fmt: skip


def test_the_highest_total_wins() -> None:
    assert start(WITH_ROOM).result["winners"] == [1]


def test_seats_that_tie_share_the_victory_r13() -> None:
    assert start(on_a_large_board(["F0 F0 F0 .. S2 S2 S2"])).result["winners"] == [0, 2]
    assert start(on_a_large_board(["F0 .. .."]), players=3).result["winners"] == [0, 1, 2]


def test_a_seats_rank_is_the_number_of_seats_with_a_higher_total() -> None:
    play = start(on_a_large_board(["F0 F0 F0 .. S2 S2 S2 .. M1 M1 M3 M3"], ["M1 M1 M1 M1 M1"]))
    scores = play.game.scores(play.states, 0)
    assert scores.totals.tolist() == [12, 18 + 3, 12, 3]
    assert scores.ranks.tolist() == [1, 0, 1, 3]


def test_the_score_is_defined_for_every_position_in_the_same_way() -> None:
    play = start(on_a_large_board(["F0 F0 .. .."]), dice="FF")
    assert play.score == [0, 0, 0, 0]
    assert play.do("tile:forest").score == [0, 0, 0, 0]
    assert play.do("cell:2").score == [18, 0, 0, 0]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_score_is_that_of_a_slow_recount_in_every_state(players: int) -> None:
    game = game_of(players=players)
    for seed in range(3):
        for states, _ in random_states(game, seed):
            found = game.scores(states, 0)
            parts = parts_of(zones_of(game.config.board, tiles_of(states[0])), players)
            assert found.parts.tolist() == parts
            assert found.totals.tolist() == [sum(row) for row in parts]
