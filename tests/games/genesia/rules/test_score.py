"""RULES 6: the final score."""

from __future__ import annotations

from typing import Any

from games.genesia.positions import start


def result(**fields: Any) -> dict[str, Any]:
    """The result of an Age III that is over at once."""
    return start(**({"age": 3, "phase": "end"} | fields)).finish()


def test_progress_is_that_of_the_three_ages() -> None:
    """RULES 6: 4 and 5 of the Ages done, 3 of an Invention in the last one."""
    found = result(progress=[[4, 5], [0, 0]], inventions=[[61], []])
    assert found["progress"] == [[4, 5, 3], [0, 0, 0]] and found["score"] == [12, 0]


def test_radiance_is_2_for_each_region_on_another_players_continent() -> None:
    """RULES 6. Homeland 16 and 17 count, the island (32) and one's own continent (1) do not."""
    found = result(clans={16: {0: 1}, 17: {0: 1}, 32: {0: 1}, 1: {0: 1}})
    assert found["radiance"] == [4, 0]


def test_radiance_counts_cities_without_clans_and_shared_homelands() -> None:
    """RULES 6: regions that the player occupies."""
    found = result(cities={16: [0, 1], 0: 1, 31: 0}, clans={0: {0: 1}})
    assert found["radiance"] == [4, 2]


def test_conquest_is_the_value_of_every_region_wherever_it_is() -> None:
    """RULES 6. 0 for homelands, 1 for region 1, 5 for region 31, 7, 12 and 15 on the island."""
    found = result(clans={0: {0: 1}, 1: {0: 1}, 32: {0: 9}}, cities={31: 0, 36: 0, 38: 0})
    assert found["conquest"] == [0 + 1 + 7 + 5 + 12 + 15, 0]


def test_a_region_counts_once_with_clans_and_a_city() -> None:
    """RULES 6: every region the player occupies."""
    assert result(clans={10: {0: 3}}, cities={10: 0})["conquest"] == [4, 0]


def test_the_objective_gives_its_points() -> None:
    """RULES 6. Little People (5): three regions with exactly one clan."""
    lots = [["green", "blue"]] * 3
    found = result(lots=lots, objectives=[5, None], clans={1: {0: 1}, 2: {0: 1}, 3: {0: 1}, 4: {1: 1}})
    assert found["objective"] == [3, 0] and found["objective_kept"] == [5, None]


def test_an_unmet_objective_is_never_negative() -> None:
    """RULES 6."""
    assert result(objectives=[3, 1])["objective"] == [0, 0]


def test_the_score_is_the_sum_of_the_parts() -> None:
    """RULES 6. 2 + 1 progress, 2 radiance, 1 conquest, 2 for two regions with a single clan."""
    found = result(
        lots=[["green", "blue"]] * 3, objectives=[5, None], progress=[[2, 1], [0, 0]],
        clans={16: {0: 1}, 1: {0: 1}},
    )  # fmt: skip
    assert (found["radiance"], found["conquest"], found["objective"]) == ([2, 0], [1, 0], [2, 0])
    assert found["score"] == [3 + 2 + 1 + 2, 0]


def test_the_highest_total_wins() -> None:
    """RULES 6."""
    found = result(progress=[[3, 0], [4, 0]])
    assert found["score"] == [3, 4] and found["winners"] == [1]


def test_a_tie_goes_to_more_objective_points() -> None:
    """RULES 6. 1 for region 1 and 1 for a single clan there, against 2 points of progress."""
    fields: dict[str, Any] = {"lots": [["green", "blue"]] * 3, "clans": {1: {0: 1}}}
    found = result(objectives=[5, None], progress=[[0, 0], [2, 0]], **fields)
    assert found["score"] == [2, 2] and found["objective"] == [1, 0] and found["winners"] == [0]


def test_then_to_more_progress() -> None:
    """RULES 6. 7 points of progress against the value 7."""
    found = result(clans={32: {0: 1}}, progress=[[0, 0], [3, 4]])
    assert found["score"] == [7, 7] and found["winners"] == [1]


def test_then_the_victory_is_shared() -> None:
    """RULES 6. Conquest and radiance do not break a tie: 1 + 2 for region 17, the value 3 for region 23."""
    found = result(players=3, clans={17: {0: 1}, 23: {1: 1}}, progress=[[1, 0], [0, 1], [0, 0]])
    assert found["score"] == [4, 4, 0] and found["winners"] == [0, 1]


def test_a_team_stands_where_its_last_member_stands() -> None:
    """RULES 6. Totals 9, 4, 6, 5 with pairs 0+3 and 1+2: the lowest are 5 and 4."""
    progress = [[9, 0], [4, 0], [6, 0], [5, 0]]
    found = result(players=4, teams=[[0, 3], [1, 2]], progress=progress)
    assert found["score"] == [9, 4, 6, 5] and found["winners"] == [0, 3]


def test_the_best_single_player_may_be_in_the_losing_team() -> None:
    """RULES 6. 90 and 1 lose against 2 and 3."""
    found = result(players=4, teams=[[0, 1], [2, 3]], progress=[[90, 0], [1, 0], [2, 0], [3, 0]])
    assert found["winners"] == [2, 3]


def test_teams_are_compared_with_the_same_tie_breaks() -> None:
    """RULES 6, R6. Both lowest totals are 4; seat 1 has 2 of them for its objective, seat 2 none."""
    progress = [[8, 0], [1, 0], [4, 0], [9, 0]]
    found = result(
        players=4, teams=[[0, 1], [2, 3]], progress=progress, lots=[["green", "blue", "red", "yellow"]] * 3,
        objectives=[None, 5, None, None], clans={17: {1: 1}, 16: {1: 1}},
    )  # fmt: skip
    assert found["score"] == [8, 4, 4, 9] and found["objective"] == [0, 2, 0, 0]
    assert found["winners"] == [0, 1]


def test_then_teams_are_compared_by_progress() -> None:
    """RULES 6, R6. 4 points of progress against 4 of which 3 are the value of region 23."""
    found = result(
        players=4, teams=[[0, 1], [2, 3]], progress=[[8, 0], [1, 0], [4, 0], [9, 0]], clans={23: {1: 1}}
    )
    assert found["score"] == [8, 4, 4, 9] and found["winners"] == [2, 3]


def test_the_last_member_of_a_team_is_told_by_the_tie_breaks() -> None:
    """RULES 6: among equal totals fewer objective points, then less progress: it is seat 0 of 0 and 1."""
    fields: dict[str, Any] = {"players": 4, "lots": [["green", "blue", "red", "yellow"]] * 3}
    fields |= {"teams": [[0, 1], [2, 3]], "objectives": [None, 5, None, None]}
    found = result(progress=[[2, 2], [1, 0], [5, 4], [4, 0]], clans={17: {1: 1}, 16: {1: 1}}, **fields)
    # seats 0, 1 and 3 have 4 each, and only seat 1 has points for an objective: the last of the first team is
    # seat 0, level with seat 3
    assert found["score"] == [4, 4, 9, 4] and found["winners"] == [0, 1, 2, 3]
    found = result(progress=[[2, 1], [1, 0], [5, 4], [4, 0]],
                   clans={17: {1: 1}, 16: {1: 1}, 1: {0: 1}}, **fields)  # fmt: skip
    assert found["score"] == [4, 4, 9, 4] and found["winners"] == [2, 3]


def test_equal_teams_share() -> None:
    """RULES 6, R6. The last members have 4 points of progress each: all four win."""
    found = result(players=4, teams=[[0, 1], [2, 3]], progress=[[8, 0], [4, 0], [4, 0], [9, 0]])
    assert found["score"] == [8, 4, 4, 9] and found["winners"] == [0, 1, 2, 3]


def test_a_tie_within_the_lowest_totals_of_unequal_teams_does_not_matter() -> None:
    """RULES 6. Teams of two and one: lowest 3 and 3, shared by all three players."""
    found = result(players=3, teams=[[0, 2], [1]], progress=[[3, 0], [3, 0], [7, 0]])
    assert found["winners"] == [0, 1, 2]


def test_the_value_of_what_a_team_mate_occupies_is_not_ones_own() -> None:
    """R7: teams change the ranking only; the totals are those of the players."""
    found = result(players=3, teams=[[0, 2], [1]], clans={57: {0: 1}, 17: {1: 1}})
    assert found["score"] == [15, 1, 0] and found["winners"] == [1]
