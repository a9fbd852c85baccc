"""RULES 5, end: without room, or without tiles, the game ends at once."""

from __future__ import annotations

import pytest
from games.genesis.playing import dealt, game_of, random_states, start

from genesia_rl.games.genesis.data.board import has_room
from genesia_rl.games.genesis.recount import tiles_of


def test_the_game_ends_at_once_when_there_is_no_room_even_between_two_tiles_r9() -> None:
    play = start([".. .. ..", "F1 S1 M1"], dice="JJ")
    play.tile("forest", 1)
    assert play.is_over and play.asked is None and play.legal == set()


def test_it_goes_on_as_long_as_three_free_cells_are_connected() -> None:
    play = start([".. .. .. ..", "F1 S1 M1 W1"], dice="JJ")
    play.tile("forest", 0)
    assert play.asked == (0, "second")
    assert play.tile("forest", 3).is_over


def test_two_free_cells_and_two_more_apart_are_no_room() -> None:
    play = start([".. .. .. .. ..", "## ## ## ## ##"], dice="FF")
    assert play.tile("wetland", 2).is_over


def test_cells_not_in_use_are_no_room() -> None:
    play = start(["F0 .. .. ##", "F1 S1 ## ##"])
    assert play.is_over


def test_it_ends_when_no_seat_has_a_tile_left_r6() -> None:
    rows = ["F0 .. S0 .. M0 .. ..", ".. F1 .. S1 .. M1 ..", ".. .. W1 .. .. .. ..", ".. .. .. .. .. .. .."]
    play = start(rows, players=2, tiles=1)
    assert play.asked == (0, "cell")
    play.do("cell:27")
    assert play.is_over and not any(map(any, play.state["supply"]))


def test_it_ends_when_no_seat_has_a_tile_left_even_if_a_die_is_left() -> None:
    rows = ["F0 .. S0 .. M0 .. ..", ".. F1 .. S1 .. M1 ..", ".. .. W1 .. .. .. ..", ".. .. .. .. .. .. .."]
    assert start(rows, players=2, tiles=1, dice="WJ").do("cell:27").is_over


@pytest.mark.parametrize("players", [2, 3, 4])
def test_at_every_decision_at_least_three_free_cells_are_there(players: int) -> None:
    game = game_of(players=players)
    for seed in range(3):
        for states, action in random_states(game, seed):
            if action >= 0:
                assert states[0]["free_cells"] >= 3


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_places_at_most_n_minus_2_tiles_and_takes_three_decisions_for_each(players: int) -> None:
    game = game_of(players=players)
    used = len(game.config.board.in_use(players))
    for seed in range(5):
        states = list(random_states(game, seed))[-1][0]
        assert len(tiles_of(states[0])) <= used - 2
        assert states[0]["steps"] <= 3 * (used - 2) <= game.max_decisions


def test_n_minus_2_tiles_can_be_placed() -> None:
    play = dealt(players=2, board={"rows": ["....", "...."]})
    placed = 0
    for cell in (0, 4, 1, 5, 2, 6):  # the last three are 3, 7 and one beside them to the end
        if play.asked is not None and play.asked[1] == "second":
            play.do("end")
        play.tile("forest", cell)
        placed += 1
        assert play.is_over is (placed == 6)
    assert placed == 8 - 2


def test_the_end_is_found_in_every_random_game_when_a_flood_fill_finds_it() -> None:
    game = game_of(players=3, tiles=4, board={"rows": ["....P...", "..V.....", "........", ".V....P."]})
    for seed in range(10):
        for states, action in random_states(game, seed):
            tiles = tiles_of(states[0])
            free = [cell for cell in game.config.board.in_use(3) if cell not in tiles]
            room = has_room(game.config.board, free)
            assert (action < 0) == (not room or not states[0]["supply"].any())
