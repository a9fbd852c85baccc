"""What a seat sees (RULES 8): all that is public, from its own seat, and nothing of later rolls."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from games.genesis.playing import dealt, game_of, observed, random_states, start

from genesia_rl.games.genesis import observe
from genesia_rl.games.genesis.names import FACE_LETTERS, KINDS, TERRAINS
from genesia_rl.games.genesis.recount import tiles_of, zones_of
from genesia_rl.games.genesis.variants import VARIANTS

ROWS = ["F0 F1 F1 ..", "S2 .. ## ..", ".. .. .. .."]


def one_hot(place: int, size: int) -> list[int]:
    return [int(k == place) for k in range(size)]


def cells_of(plane: Any) -> set[int]:
    return set(np.flatnonzero(plane).tolist())


def test_the_planes_of_the_board() -> None:
    play = start(ROWS, players=3)
    seen = observed(play.game, play.states, 0)
    assert cells_of(seen["cell_in_use"]) == set(range(12)) - {6}
    assert cells_of(seen["cell_free"]) == {3, 5, 7, 8, 9, 10, 11}
    assert cells_of(seen["cell_can_place"]) == set()
    assert cells_of(seen["cell_forest"]) == {0, 1, 2} and cells_of(seen["cell_savannah"]) == {4}
    assert cells_of(seen["cell_mountain"]) == cells_of(seen["cell_wetland"]) == set()
    assert seen["cell_zone_tiles"].tolist() == [3, 3, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0]
    assert seen["cell_herd_tiles"].tolist() == [1, 2, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("seat", range(3))
def test_seats_are_counted_from_the_observers_own(seat: int) -> None:
    play = start(ROWS, players=3, seat=1)
    seen = observed(play.game, play.states, seat)
    owners = [{0}, {1, 2}, {4}]
    supplies = [[12, 13, 13, 13], [11, 13, 13, 13], [13, 12, 13, 13]]
    points = [6, 12, 0]
    for k in range(3):
        other = (seat + k) % 3
        assert cells_of(seen["cell_owner"][k]) == owners[other]
        assert seen[f"seat{k}_supply"].tolist() == supplies[other]
        assert seen[f"seat{k}_total"] == points[other]
        assert seen[f"seat{k}_parts"].tolist() == [points[other], 0, 0, 0]
        assert seen[f"seat{k}_is_turn"] == (other == 1)
    assert seen["global_my_decision"] == (seat == 1)


def test_where_a_tile_may_go_is_seen_by_the_seat_that_is_asked() -> None:
    play = start(ROWS, players=3).do("tile:wetland")
    assert cells_of(observed(play.game, play.states, 0)["cell_can_place"]) == play.cells
    assert cells_of(observed(play.game, play.states, 1)["cell_can_place"]) == set()


def test_the_roll_the_die_left_and_the_terrain_chosen_are_seen_by_all() -> None:
    play = start(ROWS, players=3, dice=["FJ", "MM"])
    expected = {
        0: ("first", "none", "none", False),
        1: ("cell", "J", "forest", True),
        2: ("second", "J", "none", True),
        3: ("cell", "none", "mountain", False),
    }
    for step, text in enumerate(("tile:forest", "cell:3", "tile:mountain", "cell:8")):
        kind, left, pending, is_open = expected[step]
        for seat in range(3):
            seen = observed(play.game, play.states, seat)
            assert seen["global_kind"].tolist() == one_hot(KINDS.index(kind), 4)
            assert seen["global_first_die"].tolist() == one_hot(0, 5)
            assert seen["global_second_die"].tolist() == one_hot(4, 5)
            assert seen["global_left"].tolist() == one_hot(("none", *FACE_LETTERS).index(left), 6)
            assert seen["global_pending"].tolist() == one_hot(("none", *TERRAINS).index(pending), 5)
            assert seen["global_left_is_open"] == is_open
        play.do(text)
    assert observed(play.game, play.states, 2)["global_first_die"].tolist() == one_hot(2, 5)


def test_whether_the_die_left_is_open_now() -> None:
    play = start(["F0 .. .. ..", ".. .. .. .."], tiles=2, dice="FF").do("tile:forest")
    assert observed(play.game, play.states, 0)["global_left_is_open"] == 0
    play.do("cell:7")  # that was the last forest tile
    assert observed(play.game, play.states, 0)["global_left_is_open"] == 1


def test_no_die_is_open_when_none_is_left() -> None:
    play = start(["W0 .. .. ..", ".. .. .. .."], tiles=1, dice="WJ")
    assert observed(play.game, play.states, 0)["global_left_is_open"] == 0


def test_what_is_legal_is_seen_by_the_seat_that_is_asked() -> None:
    play = start(["F0 .. .. ..", ".. .. .. .."], tiles=1, dice="SJ")
    seen = observed(play.game, play.states, 0)
    assert (seen["global_can_end"], seen["global_can_take"].tolist()) == (0, [0, 1, 1, 1])
    play.tile("savannah", 7)
    seen = observed(play.game, play.states, 0)
    assert (seen["global_can_end"], seen["global_can_take"].tolist()) == (1, [0, 0, 1, 1])
    other = observed(play.game, play.states, 1)
    assert (other["global_can_end"], other["global_can_take"].tolist()) == (0, [0, 0, 0, 0])


def test_the_multipliers_and_how_far_the_end_is() -> None:
    play = start(["F0 F0 F0 .. S1 S1 S1 .. S0", "F0 .. .. .. .. .. .. .. M0"])
    seen = observed(play.game, play.states, 0)
    assert seen["global_times"].tolist() == [3, 2, 0, 0]
    assert seen["global_free_cells"] == 9 and seen["global_middles"] == 6


def test_when_the_game_is_over_nobody_is_asked_and_no_die_lies_there() -> None:
    play = start([".. .. ..", "F1 S1 M1"]).tile("forest", 1)
    seen = observed(play.game, play.states, 0)
    assert seen["global_kind"].tolist() == one_hot(0, 4)
    for name in (
        "global_first_die",
        "global_second_die",
        "global_left",
        "global_my_decision",
        "seat0_is_turn",
    ):
        assert not np.any(seen[name])


def test_numbers_beyond_int8_are_clipped() -> None:
    rows = [" ".join([f"F{seat}"] * 10) for seat in range(4) for _ in range(4)]
    seen = observed((play := start(rows, tiles=40)).game, play.states, 0)
    assert seen["cell_zone_tiles"].max() == seen["cell_zone_tiles"].min() == 127
    assert seen["cell_herd_tiles"].max() == 40


@pytest.mark.parametrize("name", ["players2", "players4", "river2", "small3", "tiles1"])
def test_every_plane_is_what_a_recount_says(name: str) -> None:
    game = game_of(**VARIANTS[name])
    n = game.num_seats
    for states, _ in random_states(game, 5):
        tiles = tiles_of(states[0])
        for seat in range(n):
            seen = observed(game, states, seat)
            for k, terrain in enumerate(TERRAINS):
                assert cells_of(seen[f"cell_{terrain}"]) == {c for c, (t, _) in tiles.items() if t == k}
            for k in range(n):
                mine = {cell for cell, (_, owner) in tiles.items() if owner == (seat + k) % n}
                assert cells_of(seen["cell_owner"][k]) == mine
            for zone in zones_of(game.config.board, tiles):
                assert {int(seen["cell_zone_tiles"][cell]) for cell in zone.cells} == {zone.tiles}
                for herd in zone.herds:
                    assert {int(seen["cell_herd_tiles"][cell]) for cell in herd} == {len(herd)}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_pieces_cover_the_observation_within_their_bounds(name: str) -> None:
    game = game_of(**VARIANTS[name])
    ends = [0, *(piece.stop for piece in game.pieces)]
    assert [piece.start for piece in game.pieces] == ends[:-1] and ends[-1] == game.observation_size
    assert game.groups[-1].stop == game.observation_size
    low = np.concatenate([np.full(p.stop - p.start, p.low) for p in game.pieces])
    high = np.concatenate([np.full(p.stop - p.start, p.high) for p in game.pieces])
    for states, _ in random_states(game, 2):
        seen = game.view(states, 0, max(0, int(states[0]["seat"])))[1]
        assert (low <= seen).all() and (seen <= high).all()


def test_every_byte_is_written_whatever_was_there_before() -> None:
    game = game_of(players=3)
    for states, _ in random_states(game, 1):
        mask = np.zeros(game.num_actions, np.int8)
        dirty = np.full(game.observation_size, 99, np.int8)
        game.kernels.view(states, 0, game.tables, 1, mask, dirty)
        assert np.array_equal(dirty, game.view(states, 0, 1)[1])


def test_the_edges_of_the_cells_are_their_neighbours_in_use() -> None:
    game = game_of(players=2, board={"rows": ["..V", "..."], "river": [3, 2]})
    (cells,) = game.token_sets
    assert cells.edges is not None
    assert {tuple(edge) for edge in cells.edges.tolist()} == {
        (0, 1), (1, 0), (0, 3), (3, 0), (1, 4), (4, 1), (3, 4), (4, 3),
    }  # fmt: skip
    assert (cells.start, cells.planes, cells.size) == (0, observe.num_planes(2), 6)


def test_the_heads_hold_every_action_once() -> None:
    game = game_of(players=2)
    assert np.concatenate([head.actions for head in game.heads]).tolist() == list(range(game.num_actions))
    assert game.action_text(int(game.heads[1].actions[57])) == "cell:57"


def test_the_first_decision_of_a_dealt_game_shows_its_first_roll() -> None:
    play = dealt(11, players=2)
    seen = observed(play.game, play.states, 0)
    letters = [FACE_LETTERS[int(np.argmax(seen[f"global_{die}_die"]))] for die in ("first", "second")]
    assert "".join(letters) == play.state["dice"]
