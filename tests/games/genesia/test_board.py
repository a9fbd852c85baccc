"""The map of RULES 2: the standard boards, their rotations, and boards that an owner wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from genesia_rl.core.errors import DataError, GenesiaError
from genesia_rl.games.genesia.data.board import (
    Board,
    board_borders,
    board_for,
    board_to_toml,
    centre,
    continent_of,
    distances,
    edge_slots,
    homeland,
    inland,
    load_board,
    looks_alike,
    num_regions,
    region_name,
    rotate_region,
    seven,
    standard_board,
    twelve,
)
from genesia_rl.games.genesia.names import EDGE_WORDS, MAX_DEGREE, WORD

SIZES = range(2, 6)
Table = dict[str, Any]
Edit = Callable[[Table], object]


def table_of(n: int) -> Table:
    """The standard board as the table that a file would hold."""
    board = standard_board(n)
    return {
        "continents": n,
        "values": list(board.values),
        "borders": [list(border) for border in board_borders(board)],
    }


def write(folder: Path, table: Table) -> Path:
    """A board file; what JSON calls a list or a number TOML calls the same."""
    path = folder / f"board-{table.get('continents', 'x')}.toml"
    path.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items()))
    return path


def refusal(folder: Path, table: Table, n: int) -> str:
    """The error that a board is refused with; always one line, with the file."""
    path = write(folder, table)
    with pytest.raises(DataError) as caught:
        load_board(path, n)
    assert str(path) in str(caught.value)
    assert "allowed" in str(caught.value)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---------------------------------------------------------------- the standard boards


@pytest.mark.parametrize("n", SIZES)
def test_a_board_has_19n_plus_1_regions(n: int) -> None:
    board = standard_board(n)
    assert len(board.values) == len(board.neighbours) == num_regions(n) == 19 * n + 1
    assert board.continents == n


@pytest.mark.parametrize("n", SIZES)
def test_a_continent_has_three_regions_of_each_value_and_a_homeland(n: int) -> None:
    board = standard_board(n)
    for seat in range(n):
        values = [v for r, v in enumerate(board.values) if continent_of(r, n) == seat]
        assert values == [0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 5]


def test_the_island_of_three_players_has_six_sevens_three_twelves_and_one_fifteen() -> None:
    """The example that the rulebook gives."""
    board = standard_board(3)
    island = [v for r, v in enumerate(board.values) if continent_of(r, 3) == 3]
    assert island == [7] * 6 + [12] * 3 + [15]


@pytest.mark.parametrize(("n", "borders"), [(2, 69), (3, 105), (4, 140), (5, 175)])
def test_borders_are_as_many_as_section_2_lists(n: int, borders: int) -> None:
    """For each seat 3 at the homeland, 12 inwards, 10 sideways, 4 landings, 2 of the ring of sevens,
    2 up to a twelve, 1 between twelves and 1 to the centre; with two seats the twelves share one."""
    assert borders == 35 * n - (1 if n == 2 else 0)
    assert len(board_borders(standard_board(n))) == borders


@pytest.mark.parametrize("n", SIZES)
def test_adjacency_is_symmetric_sorted_and_without_loops(n: int) -> None:
    neighbours = standard_board(n).neighbours
    for region, others in enumerate(neighbours):
        assert list(others) == sorted(set(others))
        assert region not in others
        assert all(region in neighbours[other] for other in others)


@pytest.mark.parametrize("n", SIZES)
def test_the_distance_from_a_homeland_is_the_value_within_its_continent(n: int) -> None:
    board = standard_board(n)
    far = distances(board)
    for seat in range(n):
        for region in range(16 * seat, 16 * seat + 16):
            assert far[homeland(seat)][region] == board.values[region]


@pytest.mark.parametrize("n", SIZES)
def test_distances_are_symmetric_and_0_only_at_home(n: int) -> None:
    far = distances(standard_board(n))
    for a, row in enumerate(far):
        for b, distance in enumerate(row):
            assert distance == far[b][a]
            assert (distance == 0) == (a == b)


@pytest.mark.parametrize("n", SIZES)
def test_rotating_the_seats_maps_the_board_onto_itself(n: int) -> None:
    board = standard_board(n)
    for k in range(-n, n + 1):
        image = [rotate_region(region, k, n) for region in range(num_regions(n))]
        assert sorted(image) == list(range(num_regions(n)))
        for region, others in enumerate(board.neighbours):
            assert board.values[image[region]] == board.values[region]
            assert {image[other] for other in others} == set(board.neighbours[image[region]])


@pytest.mark.parametrize("n", SIZES)
def test_a_rotation_moves_every_seat_by_k_and_back(n: int) -> None:
    for region in range(num_regions(n)):
        for k in range(n):
            moved = rotate_region(region, k, n)
            was = continent_of(region, n)
            assert continent_of(moved, n) == (n if was == n else (was + k) % n)
            assert rotate_region(moved, -k, n) == region


def test_borders_of_the_island_are_those_of_section_2() -> None:
    """Three players: 32 + 13..15 are the fives of seat 2, 48..53 the sevens, 54..56 the twelves."""
    neighbours = standard_board(3).neighbours
    assert neighbours[homeland(2)] == (33, 34, 35)
    assert neighbours[inland(2, 3, 1)] == (inland(2, 2, 1), 39, 41, inland(2, 4, 1))
    assert neighbours[inland(2, 5, 0)] == (42, 46, 52)
    assert neighbours[inland(2, 5, 1)] == (43, 45, 47, 52, 53)
    assert neighbours[inland(2, 5, 2)] == (44, 46, 53)
    assert neighbours[seven(5, 3)] == (46, 47, 48, 52, 56)
    assert neighbours[twelve(2, 3)] == (52, 53, 54, 55, 57)
    assert neighbours[centre(3)] == (54, 55, 56)


def test_with_two_players_the_twelves_share_one_border() -> None:
    neighbours = standard_board(2).neighbours
    assert neighbours[36] == (32, 33, 37, 38)
    assert neighbours[37] == (34, 35, 36, 38)


@pytest.mark.parametrize("n", SIZES)
def test_every_region_has_a_name_of_its_own(n: int) -> None:
    assert len({region_name(region, n) for region in range(num_regions(n))}) == num_regions(n)


@pytest.mark.parametrize(
    ("region", "name"),
    [
        (0, "seat 0: homeland"),
        (16, "seat 1: homeland"),
        (inland(1, 3, 2), "seat 1: value 3, column 2"),
        (inland(2, 5, 0), "seat 2: value 5, column 0"),
        (seven(3, 3), "island 7 #3"),
        (twelve(0, 3), "island 12 #0"),
        (57, "centre"),
    ],
)
def test_a_name_says_where_a_region_lies(region: int, name: str) -> None:
    assert region_name(region, 3) == name


@pytest.mark.parametrize("region", [-1, 58])
def test_a_region_off_the_map_has_no_name(region: int) -> None:
    with pytest.raises(GenesiaError, match=rf"region = {region}, allowed 0\.\.57"):
        region_name(region, 3)


@pytest.mark.parametrize("n", [1, 6, True])
def test_there_are_boards_for_two_to_five_only(n: int) -> None:
    with pytest.raises(DataError, match=rf"continents = {n}, allowed an integer 2\.\.5"):
        standard_board(n)


# ---------------------------------------------------------------- edges in words


@pytest.mark.parametrize("n", SIZES)
def test_the_edges_of_a_region_share_a_word_and_overlap_with_no_other(n: int) -> None:
    neighbours = standard_board(n).neighbours
    taken: set[tuple[int, int]] = set()
    for (word, bit), others in zip(edge_slots(neighbours), neighbours, strict=True):
        assert 0 <= word < EDGE_WORDS
        assert bit + len(others) <= WORD
        places = {(word, bit + i) for i in range(len(others))}
        assert not places & taken
        taken |= places
    assert len(taken) == 2 * len(board_borders(standard_board(n)))


def test_a_region_that_does_not_fit_opens_the_next_word() -> None:
    assert edge_slots([range(8)] * 7 + [range(5), range(4), range(1)])[-3:] == ((0, 56), (1, 0), (1, 4))


# ---------------------------------------------------------------- custom boards


@pytest.mark.parametrize("n", SIZES)
def test_a_board_survives_being_written_and_read(tmp_path: Path, n: int) -> None:
    path = tmp_path / f"board-{n}.toml"
    path.write_text(board_to_toml(standard_board(n)))
    assert load_board(path, n) == standard_board(n)


def test_a_data_folder_may_replace_the_board_of_one_size(tmp_path: Path) -> None:
    table = table_of(2)
    table["values"][centre(2)] = 20
    table["borders"].append([0, 16])
    write(tmp_path, table)
    board = board_for(tmp_path, 2)
    assert board.values[centre(2)] == 20
    assert board.neighbours[0] == (1, 2, 3, 16)
    assert board_for(tmp_path, 3) == standard_board(3)
    assert board_for(None, 2) == standard_board(2)


def test_a_board_that_changed_is_read_anew(tmp_path: Path) -> None:
    table = table_of(2)
    for value in (3, 4):
        table["values"][1] = value
        write(tmp_path, table)
        assert board_for(tmp_path, 2).values[1] == value


def test_borders_may_be_written_in_any_order_and_direction(tmp_path: Path) -> None:
    table = table_of(3)
    table["borders"] = [border[::-1] for border in reversed(table["borders"])]
    assert load_board(write(tmp_path, table), 3) == standard_board(3)


def test_a_board_may_list_the_neighbours_of_each_region_instead(tmp_path: Path) -> None:
    table = table_of(3)
    del table["borders"]
    table["neighbours"] = [list(reversed(others)) for others in standard_board(3).neighbours]
    assert load_board(write(tmp_path, table), 3) == standard_board(3)


def put(key: str, place: int, value: object) -> Edit:
    """Replace one item of a list."""
    return lambda table: table[key].__setitem__(place, value)


def add(value: object) -> Edit:
    """One more border."""
    return lambda table: table["borders"].append(value)


BOARD_REFUSALS = [
    (lambda t: t.update(continents=3), ["continents = 3", "2..2"]),
    (lambda t: t.update(continents=True), ["continents = True"]),
    (lambda t: t.update(value=[]), ["unknown key 'value' = []", "did you mean values?"]),
    (lambda t: t.pop("values"), ["key values is missing"]),
    (lambda t: t.pop("borders"), ["key borders is missing", "neighbours"]),
    (lambda t: t.pop("continents"), ["key continents is missing"]),
    (lambda t: t.update(neighbours=[]), ["both borders and neighbours"]),
    (lambda t: t.update(values=7), ["values = 7", "a list"]),
    (lambda t: t["values"].pop(), ["values has 38 items", "allowed 39"]),
    (put("values", 5, 31), ["values[5] (seat 0: value 2, column 1) = 31", "0..30"]),
    (put("values", 5, -1), ["values[5]", "= -1", "0..30"]),
    (put("values", 5, True), ["values[5]", "= True", "0..30"]),
    (put("values", 5, 2.5), ["values[5]", "= 2.5", "0..30"]),
    (put("values", 16, 1), ["values[16] (seat 1: homeland) = 1", "0 for a homeland"]),
    (lambda t: t.update(borders="0-1"), ["borders = '0-1'", "a list"]),
    (add(7), ["borders[69] = 7", "a pair"]),
    (add([1, 2, 3]), ["borders[69] = [1, 2, 3]", "a pair"]),
    (add([1, 39]), ["borders[69] = 39", "0..38"]),
    (add([-1, 3]), ["borders[69] = -1", "0..38"]),
    (add([False, 3]), ["borders[69] = False", "0..38"]),
    (add([4, 4]), ["borders[69] = [4, 4]", "seat 0: value 2, column 0"]),
    (add([1, 0]), ["borders[69] = [1, 0]", "once", "0 (seat 0: homeland)", "1 (seat 0: value 1, column 0)"]),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "parts"), BOARD_REFUSALS)
def test_a_board_that_is_not_well_formed_is_refused(tmp_path: Path, edit: Edit, parts: list[str]) -> None:
    table = table_of(2)
    edit(table)
    message = refusal(tmp_path, table, 2)
    assert all(part in message for part in parts), message


NEIGHBOUR_REFUSALS = [
    (lambda t: t.pop(), ["neighbours has 38 items", "allowed 39"]),
    (lambda t: t.__setitem__(3, 5), ["neighbours[3] = 5", "a list"]),
    (lambda t: t[3].append(39), ["neighbours[3] = 39", "0..38"]),
    (lambda t: t[3].append(3), ["neighbours[3] = ", "3 (seat 0: value 1, column 2) itself"]),
    (lambda t: t[3].append(0), ["neighbours[3] = [0, 2, 6, 0]", "each neighbour once"]),
    (lambda t: t[3].append(38), ["neighbours[3]", "38 (centre)", "3 (seat 0: value 1, column 2)"]),
    (lambda t: t[3].remove(0), ["neighbours[0]", "3 (seat 0: value 1, column 2)", "0 (seat 0: homeland)"]),
]  # fmt: skip


@pytest.mark.parametrize(("edit", "parts"), NEIGHBOUR_REFUSALS)
def test_lists_of_neighbours_must_agree_from_both_ends(
    tmp_path: Path, edit: Callable[[list[Any]], object], parts: list[str]
) -> None:
    table = table_of(2)
    del table["borders"]
    table["neighbours"] = [list(others) for others in standard_board(2).neighbours]
    edit(table["neighbours"])
    message = refusal(tmp_path, table, 2)
    assert all(part in message for part in parts), message


def test_a_region_that_nobody_can_reach_is_refused(tmp_path: Path) -> None:
    table = table_of(2)
    table["borders"] = [border for border in table["borders"] if centre(2) not in border]
    message = refusal(tmp_path, table, 2)
    assert "region 38 (centre) cannot be reached from region 0 (seat 0: homeland)" in message


def test_a_region_has_at_most_eight_neighbours(tmp_path: Path) -> None:
    table = table_of(2)
    table["borders"] += [[0, region] for region in range(4, 10)]
    message = refusal(tmp_path, table, 2)
    assert (
        f"region 0 (seat 0: homeland) has 9 neighbours [1, 2, 3, 4, 5, 6, 7, 8, 9], allowed {MAX_DEGREE}"
        in message
    )


def grown(borders: int) -> Board:
    """The board of five with more borders, wherever a region has fewer than eight neighbours."""
    neighbours = [set(others) for others in standard_board(5).neighbours]
    for a in range(len(neighbours)):
        for b in range(a):
            if sum(map(len, neighbours)) // 2 == borders:
                break
            if b not in neighbours[a] and max(len(neighbours[a]), len(neighbours[b])) < MAX_DEGREE:
                neighbours[a].add(b)
                neighbours[b].add(a)
    return Board(5, standard_board(5).values, tuple(tuple(sorted(others)) for others in neighbours))


def test_more_than_192_borders_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "board-5.toml"
    path.write_text(board_to_toml(grown(193)))
    with pytest.raises(DataError, match=r"board-5\.toml: there are 193 borders, allowed 192"):
        load_board(path, 5)


def test_borders_that_do_not_fit_into_their_words_are_refused(tmp_path: Path) -> None:
    """192 borders are 384 directed edges, as many as six words hold, but some of each word is lost."""
    path = tmp_path / "board-5.toml"
    path.write_text(board_to_toml(grown(192)))
    with pytest.raises(DataError, match=r"fill 7 words of 64 directed edges, allowed 6"):
        load_board(path, 5)


def test_a_few_more_borders_than_the_standard_ones_do_fit(tmp_path: Path) -> None:
    path = tmp_path / "board-5.toml"
    path.write_text(board_to_toml(grown(180)))
    assert len(board_borders(load_board(path, 5))) == 180


def test_a_board_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "board-2.toml"
    path.write_text("continents = \n")
    with pytest.raises(DataError, match=r"board-2\.toml: is not TOML"):
        board_for(tmp_path, 2)


@pytest.mark.parametrize("n", range(2, 6))
def test_whether_a_map_looks_the_same_from_every_seat_is_read_off_it(n: int) -> None:
    board = standard_board(n)
    assert looks_alike(board)
    values = list(board.values)
    values[homeland(1) + 1] += 1
    assert not looks_alike(replace(board, values=tuple(values)))
    neighbours = [list(others) for others in board.neighbours]
    a, b = board_borders(board)[0]
    neighbours[a].remove(b)
    neighbours[b].remove(a)
    assert not looks_alike(replace(board, neighbours=tuple(map(tuple, neighbours))))
