"""RULES 1 and 2: seats, cells in use, neighbours, room, zones and herds."""

from __future__ import annotations

import pytest
from games.genesis.playing import Playing, dealt, game_of, start

from genesia_rl.games.genesis.config import Config
from genesia_rl.games.genesis.data.board import Board, groups, has_room
from genesia_rl.games.genesis.data.pieces import load_data
from genesia_rl.games.genesis.names import TERRAINS

STANDARD = load_data().board


def labels(play: Playing, field: str) -> dict[int, tuple[int, int]]:
    """cell -> (name, number of tiles) of the zone or herd of every tile."""
    s = play.states[0]
    return {
        cell: (int(s[field][cell]), int(s[f"{field}_tiles"][cell]))
        for cell in range(play.game.config.board.cells)
        if s["tile"][cell]
    }


# ---------------------------------------------------------------- the board


def test_cells_are_numbered_row_by_row_from_the_top_left() -> None:
    play = start([".. .. ..", ".. .. .."])
    play.tile("forest", 4)
    assert play.state["cells"] == [".. .. ..", ".. F0 .."]


def test_the_standard_board_has_14_x_10_cells_22_of_them_relief() -> None:
    assert (STANDARD.width, STANDARD.height, STANDARD.counts()["reliefs"]) == (14, 10, 22)


def test_30_cells_of_the_standard_board_lie_beyond_the_river() -> None:
    assert STANDARD.counts()["beyond"] == 30


@pytest.mark.parametrize(("players", "cells"), [(2, 93), (3, 118), (4, 118)])
def test_the_cells_in_use_of_the_standard_board(players: int, cells: int) -> None:
    play = dealt(players=players, first_player=0)
    assert play.do("tile:forest").cells == set(STANDARD.in_use(players))
    assert len(play.cells) == cells


def test_a_relief_never_takes_a_tile() -> None:
    play = dealt(players=4).do("tile:forest")
    reliefs = {cell for cell, mark in enumerate("".join(STANDARD.rows)) if mark != "."}
    assert len(reliefs) == 22 and not play.cells & reliefs


def test_volcanoes_and_pits_differ_in_the_picture_only() -> None:
    two = [game_of(board={"rows": ["....", mark + "..."]}) for mark in "VP"]
    assert two[0].tables.tobytes() == two[1].tables.tobytes()


def test_with_two_players_the_cells_beyond_the_river_are_not_in_use() -> None:
    board = {"rows": ["....", "....", "...."], "river": [4, 2, 0]}
    assert dealt(players=2, board=board).do("tile:forest").cells == {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize("players", [3, 4])
def test_with_more_players_the_river_means_nothing(players: int) -> None:
    board = {"rows": ["....", "....", "...."], "river": [4, 2, 0]}
    assert dealt(players=players, board=board).do("tile:forest").cells == set(range(12))
    assert game_of(players=players, board=board).tables.tobytes() == (
        game_of(players=players, board={"rows": board["rows"]}).tables.tobytes()
    )


def test_cells_on_the_two_banks_of_the_river_are_neighbours_with_three_players() -> None:
    board = {"rows": ["....", "...."], "river": [2, 2]}
    play = start(["F0 F0 F0 ..", ".. .. .. .."], players=3, board=board)
    assert labels(play, "zone") == {0: (0, 3), 1: (0, 3), 2: (0, 3)}


def test_neighbours_share_a_side_and_cells_at_a_corner_are_none() -> None:
    board = Board(("...", "...", "..."))
    assert board.neighbours(4) == (1, 3, 5, 7)
    assert board.neighbours(0) == (1, 3)
    assert board.neighbours(5) == (2, 4, 8)  # and not 6, the first cell of the next row


def test_a_set_is_connected_if_each_is_reached_from_each_inside_of_it() -> None:
    board = Board(("...", "...", "..."))
    assert groups(board, {0, 1, 4, 8, 6}) == [[0, 1, 4], [6], [8]]


@pytest.mark.parametrize(
    ("cells", "room"),
    [({0, 1, 2}, True), ({0, 1, 4}, True), ({0, 1, 3, 5}, True), ({0, 4, 8}, False), ({0, 1, 8, 5}, False)],
)
def test_there_is_room_while_some_three_free_cells_are_connected(cells: set[int], room: bool) -> None:
    board = Board(("...", "...", "..."))
    assert has_room(board, cells) is room
    marks = [".." if cell in cells else "F0" for cell in range(9)]
    rows = [" ".join(marks[y : y + 3]) for y in (0, 3, 6)]
    assert start(rows).is_over is not room


# ---------------------------------------------------------------- zones and herds


def test_a_zone_is_of_one_terrain_whoever_owns_its_tiles() -> None:
    play = start(["F0 F1 S1 ..", "F0 .. S0 ..", ".. .. .. .."])
    assert labels(play, "zone") == {0: (0, 3), 1: (0, 3), 4: (0, 3), 2: (2, 2), 6: (2, 2)}


def test_a_herd_is_of_one_terrain_and_one_seat() -> None:
    play = start(["F0 F1 S1 ..", "F0 .. S0 ..", ".. .. .. .."])
    assert labels(play, "herd") == {0: (0, 2), 4: (0, 2), 1: (1, 1), 2: (2, 1), 6: (6, 1)}


def test_tiles_that_meet_at_a_corner_only_are_neither_a_zone_nor_a_herd() -> None:
    play = start(["F0 .. ..", ".. F0 ..", ".. .. .."])
    assert labels(play, "zone") == labels(play, "herd") == {0: (0, 1), 4: (4, 1)}


def test_a_tile_joins_up_to_four_zones() -> None:
    play = start([".. F1 .. ..", "F2 .. F3 ..", ".. F0 .. .."], dice="FF")
    assert len(set(labels(play, "zone").values())) == 4
    play.tile("forest", 5)
    assert set(labels(play, "zone").values()) == {(1, 5)}
    assert labels(play, "herd") == {1: (1, 1), 4: (4, 1), 5: (5, 2), 6: (6, 1), 9: (5, 2)}
    play.check()


def test_a_tile_joins_up_to_four_herds_of_its_seat() -> None:
    play = start([".. F0 .. ..", "F0 .. F0 ..", ".. F0 .. .."], dice="FF")
    play.tile("forest", 5)
    assert set(labels(play, "herd").values()) == {(1, 5)}
    play.check()


def test_two_herds_of_one_seat_may_be_in_one_zone() -> None:
    play = start(["F0 F1 F0 .. .. ..", ".. .. .. .. .. .."])
    assert set(labels(play, "zone").values()) == {(0, 3)}
    assert set(labels(play, "herd").values()) == {(0, 1), (1, 1), (2, 1)}


def test_a_reliefs_cell_keeps_zones_apart() -> None:
    play = start(["F0 ## F0 ..", ".. .. .. .."])
    assert labels(play, "zone") == {0: (0, 1), 2: (2, 1)}


# ---------------------------------------------------------------- seats, tiles, dice


def test_seats_are_reptiles_dinosaurs_mammals_and_humans() -> None:
    game = game_of(players=4)
    assert [game.species(seat) for seat in range(4)] == ["reptile", "dinosaur", "mammal", "human"]


def test_the_species_have_no_effect() -> None:
    assert "species" not in Config.make().to_dict()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_seat_has_13_tiles_of_each_terrain_r1(players: int) -> None:
    assert dealt(players=players).state["supply"] == [[13] * 4] * players


def test_tiles_16_plays_the_other_reading_r1() -> None:
    assert dealt(tiles=16).supply(1) == dict.fromkeys(TERRAINS, 16)


def test_there_are_two_dice_with_each_terrain_once_and_two_jokers_r4() -> None:
    for die in load_data().pieces.dice:
        assert sorted(die) == sorted([*TERRAINS, "joker", "joker"])
