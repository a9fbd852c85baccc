"""Games in words: drawings and descriptions."""

from __future__ import annotations

import pytest
from games.genesis.playing import dealt, game_of, random_states, start

from genesia_rl.games.genesis.variants import VARIANTS


def test_a_drawing_shows_the_board_the_seats_and_the_question() -> None:
    play = start(["F0 .. ##", "S1 .. .."], dice="FJ", players=2).do("tile:forest")
    nothing = "0 points (0 + 0 + 0 + 0)"
    assert play.game.draw(play.states, 0) == "\n".join(
        [
            "turn 1, decision 1, 3 free cells",
            "",
            "       0  1  2",
            "   0  F0 ..  V",
            "   3  S1 .. ..",
            "",
            f"seat 0 (reptile): {nothing}, supply 12 forest, 13 savannah, 13 mountain, 13 wetland",
            f"seat 1 (dinosaur): {nothing}, supply 13 forest, 12 savannah, 13 mountain, 13 wetland",
            "",
            "the dice show forest and joker; a tile of forest is to be placed; the die with joker is left",
            "seat 0 decides: cell",
            "  cell:N for each free cell",
        ]
    )


def test_a_drawing_names_the_legal_actions_if_they_are_few() -> None:
    play = start([".. .. ..", ".. .. .."], dice="FS").tile("forest", 0)
    assert play.game.draw(play.states, 0).endswith("seat 0 decides: second\n  end tile:savannah")


def test_a_finished_game_is_drawn_as_over() -> None:
    play = start([".. .. ..", "F1 S1 M1"]).tile("forest", 1)
    assert play.game.draw(play.states, 0).endswith("the game is over")


def test_cells_beyond_the_river_are_blank() -> None:
    play = dealt(players=2, board={"rows": ["....", "..PV"], "river": [3, 3]})
    assert play.game.draw(play.states, 0).split("\n")[3:5] == ["   0  .. .. ..", "   4  .. ..  P  V"]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_state_can_be_drawn(name: str) -> None:
    game = game_of(**VARIANTS[name])
    for states, _ in random_states(game, 0):
        assert "\t" not in game.draw(states, 0)


def test_actions_are_described() -> None:
    game = game_of()
    assert game.describe(game.parse_action("end")) == "place no second tile"
    assert game.describe(game.parse_action("tile:wetland")) == "take a tile of wetland"
    assert game.describe(game.parse_action("cell:57")) == "place the tile on cell 57 (row 5, column 2)"
