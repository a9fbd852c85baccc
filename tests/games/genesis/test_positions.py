"""PROTOCOL 4: games that start from a position, and every refusal."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from games.genesis.playing import JOKERS, Playing, dealt, game_of, random_states, start

from genesia_rl.core.errors import PositionError
from genesia_rl.games.genesis.names import TERRAINS

BOARD = {"rows": ["..V.", "....", "...."], "river": [4, 4, 3]}
GOOD: dict[str, Any] = {
    "cells": ["F0 .. ## ..", "S1 F0 .. ..", ".. .. .. ##"],
    "seat": 1,
    "dice": ["FJ", "WS"],
}


def put(position: Any, **config: Any) -> tuple[Playing, dict[str, Any]]:
    play = Playing(game_of(**{"board": BOARD, "tiles": 3, **config}))
    return play, play.game.put_position(play.states, 0, position)


def test_a_position_is_the_start_of_a_turn() -> None:
    play, _ = put(GOOD)
    assert play.asked == (1, "first") and play.states[0]["steps"] == 0
    assert play.state == {
        "cells": GOOD["cells"], "supply": [[1, 3, 3, 3], [3, 2, 3, 3]], "dice": "FJ",
    }  # fmt: skip
    play.check()


def test_a_list_of_rolls_is_repeated_until_there_are_as_many_as_free_cells() -> None:
    play, whole = put(GOOD)
    assert whole == {**GOOD, "dice": ["FJ", "WS", "FJ", "WS", "FJ", "WS", "FJ"]}
    assert put(whole)[1] == whole
    assert play.game.deal_dict(play.states, 0) == {"first": 1, "dice": whole["dice"]}


def test_as_many_rolls_as_free_cells_are_taken_as_they_are() -> None:
    rolls = ["FJ", "WS", "JJ", "FF", "SM", "MW", "WJ"]
    assert put({**GOOD, "dice": rolls})[1]["dice"] == rolls


def test_the_first_player_has_no_effect() -> None:
    assert put(GOOD, first_player=0)[0].asked == (1, "first")


def test_the_same_position_is_the_same_state_however_it_was_reached() -> None:
    """All fields but those that speak of the past are those of a position put there."""
    game = game_of(players=3, tiles=4)
    for states, action in random_states(game, 3):
        if game.kind(states, 0) != "first" or action < 0:
            continue
        there = Playing(game)
        cells = game.state_dict(states, 0)["cells"]
        there.game.put_position(
            there.states, 0, {"cells": cells, "seat": int(states[0]["seat"]), "dice": ["JJ"]}
        )
        for field in states.dtype.names or ():
            if field not in ("steps", "first", "turn", "num_rolls", "dice"):
                assert states[0][field].tobytes() == there.states[0][field].tobytes(), field


def test_a_position_without_room_is_over_and_its_result_is_its_score() -> None:
    play = start(["F0 F0 F0", "S1 .. .."])
    assert play.is_over and play.asked is None and play.score == [18, 0, 0, 0]


def test_a_position_in_which_nobody_has_a_tile_is_over() -> None:
    rows = ["F0 S0 M0 W0 ..", "F1 S1 M1 W1 ..", ".. .. .. .. .."]
    assert start(rows, players=2, tiles=1).is_over


def test_a_full_board_has_no_rolls() -> None:
    play = start(["F0 F0", "F0 S1"], players=2)
    assert play.is_over and play.score == [18, 0]
    assert play.state["dice"] is None
    assert play.game.deal_dict(play.states, 0) == {"first": 0, "dice": []}


def test_a_position_may_have_160_tiles_of_one_terrain_in_one_zone() -> None:
    rows = [" ".join([f"F{seat}"] * 10) for seat in range(4) for _ in range(4)]
    play = start(rows, tiles=40)
    assert play.is_over and play.score == [4, 4, 4, 4]


def test_most_tiles_lie_on_the_largest_board() -> None:
    rows = [" ".join(f"{'FSMW'[(x + y) % 4]}{(x // 4 + y) % 4}" for x in range(16)) for y in range(16)]
    play = start(rows, tiles=40)
    play.check()


# ---------------------------------------------------------------- refusals


def edited(y: int, x: int, mark: str) -> dict[str, Any]:
    """The good position with another mark on one cell."""
    position = copy.deepcopy(GOOD)
    marks = position["cells"][y].split(" ")
    marks[x] = mark
    position["cells"][y] = " ".join(marks)
    return position


def without(key: str) -> dict[str, Any]:
    return {name: value for name, value in GOOD.items() if name != key}


BAD: list[tuple[Any, str]] = [
    ([], "position = [], allowed an object with the keys cells, seat, dice"),
    ({**GOOD, "supply": []}, "unknown key 'supply' = [], allowed cells, seat, dice"),
    ({**GOOD, "cell": []}, "unknown key 'cell' = [], allowed cells, seat, dice (did you mean cells?)"),
    *((without(key), f"the key {key} is missing") for key in GOOD),
    ({**GOOD, "cells": GOOD["cells"][:2]}, "allowed 3 strings, one a row"),
    ({**GOOD, "cells": [*GOOD["cells"], ".. .. .. .."]}, "allowed 3 strings, one a row"),
    ({**GOOD, "cells": "F0"}, "cells = 'F0', allowed 3 strings"),
    ({**GOOD, "cells": ["F0 .. ##", *GOOD["cells"][1:]]}, "cells[0] = 'F0 .. ##', allowed 4 cells"),
    ({**GOOD, "cells": ["F0 .. ## .. ..", *GOOD["cells"][1:]]}, "allowed 4 cells, separated by one space"),
    ({**GOOD, "cells": ["F0  .. ## ..", *GOOD["cells"][1:]]}, "allowed 4 cells, separated by one space"),
    ({**GOOD, "cells": [4, *GOOD["cells"][1:]]}, "cells[0] = 4, allowed 4 cells"),
    (edited(0, 1, "##"), "cell 1 (row 0, column 1) = '##', allowed a tile or .., the cell is in use"),
    (edited(0, 2, ".."), "cell 2 (row 0, column 2) = '..', allowed ##, the cell is not in use"),
    (edited(0, 2, "F0"), "cell 2 (row 0, column 2) = 'F0', allowed ##, the cell is not in use"),
    (edited(2, 3, ".."), "cell 11 (row 2, column 3) = '..', allowed ##, the cell is not in use"),
    (edited(1, 0, "S2"), "cell 4 (row 1, column 0) = 'S2', allowed .., or one of F S M W and a seat 0..1"),
    (edited(1, 0, "J0"), "= 'J0', allowed"),
    (edited(1, 0, "f0"), "= 'f0', allowed"),
    (edited(1, 0, "."), "= '.', allowed"),
    (edited(1, 0, "F00"), "= 'F00', allowed"),
    (
        {**GOOD, "cells": ["F0 F0 ## F0", "F0 .. .. ..", ".. .. .. ##"]},
        "forest tiles of seat 0 = 4, allowed at most 3",
    ),
    ({**GOOD, "seat": 2}, "seat = 2, allowed 0..1"),
    ({**GOOD, "seat": -1}, "seat = -1, allowed 0..1"),
    ({**GOOD, "seat": True}, "seat = True, allowed 0..1"),
    ({**GOOD, "seat": None}, "seat = None, allowed 0..1"),
    ({**GOOD, "dice": []}, "dice = [], allowed 1..7 rolls, as 7 cells are free"),
    ({**GOOD, "dice": ["JJ"] * 8}, "allowed 1..7 rolls, as 7 cells are free"),
    ({**GOOD, "dice": "JJ"}, "dice = 'JJ', allowed 1..7 rolls"),
    ({**GOOD, "dice": ["JJ", "FX"]}, "dice[1] = 'FX', allowed two of the letters F S M W J"),
    ({**GOOD, "dice": ["jj"]}, "dice[0] = 'jj', allowed"),
    ({**GOOD, "dice": ["J"]}, "dice[0] = 'J', allowed"),
    ({**GOOD, "dice": [["J", "J"]]}, "dice[0] = ['J', 'J'], allowed"),
]


@pytest.mark.parametrize(("position", "error"), BAD)
def test_a_position_that_breaks_a_rule_is_refused_with_the_reason(position: Any, error: str) -> None:
    play = dealt(players=2, tiles=3, board=BOARD)
    before = play.states.tobytes()
    with pytest.raises(PositionError) as caught:
        play.game.put_position(play.states, 0, position)
    assert error in str(caught.value) and "\n" not in str(caught.value)
    assert play.states.tobytes() == before


def test_a_full_board_with_rolls_is_refused() -> None:
    game = game_of(players=2, board={"rows": ["..", ".."]})
    with pytest.raises(PositionError, match="allowed no rolls, as 0 cells are free"):
        game.put_position(game.new_states(), 0, {"cells": ["F0 F0", "F0 S1"], "seat": 0, "dice": [JOKERS]})


def test_with_more_players_what_lies_beyond_the_river_is_in_use() -> None:
    play, _ = put(edited(2, 3, "W2"), players=3)
    assert play.supply(2) == dict(zip(TERRAINS, [3, 3, 3, 2], strict=True))
