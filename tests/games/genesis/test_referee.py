"""The referee's own tests: RULES row by row, tricky turns, positions, random games in every mode."""

from __future__ import annotations

import copy
import itertools
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from games.genesis.referee.__main__ import parser
from games.genesis.referee.board import make_board
from games.genesis.referee.checks import broken, longest
from games.genesis.referee.config import ConfigError, board_of, check_deal
from games.genesis.referee.data import LETTER, TERRAIN, TERRAINS, DataError, load_data
from games.genesis.referee.flow import die_left_by, second_terrains
from games.genesis.referee.modes import MODES, config_of_mode
from games.genesis.referee.play import (
    Game,
    IllegalAction,
    check_position,
    random_deal,
    random_position,
    resolve_config,
)
from games.genesis.referee.policies import POLICIES, by_seat
from games.genesis.referee.scoring import multiplier, shares, zone_points, zones_of
from games.genesis.referee.state import empty_state
from games.genesis.referee.traces import record_game, record_random, verify_trace

DATA = load_data()
Config = dict[str, Any]


def on_picture(picture: str, players: int = 4, seat: int = 0, dice: list[str] | None = None) -> Game:
    """A game from a position: one row of cells a line; `##` is a relief of a board of one's own."""
    cells = [" ".join(line.split()) for line in picture.strip().splitlines()]
    rows = ["".join("V" if text == "##" else "." for text in row.split()) for row in cells]
    config = {"players": players, "tiles": 40, "board": {"rows": rows}}
    rolls = ["JJ"] if any(".." in row for row in cells) else []
    return Game(config, position={"cells": cells, "seat": seat, "dice": rolls if dice is None else dice})


def with_supplies(supplies: list[list[int]], dice: list[str], seat: int = 0, free: int = 60) -> Game:
    """A game where the seats have these tiles left and a row of free cells; the other tiles lie apart."""
    tiles = max(max(supply) for supply in supplies)
    placed = [
        f"{letter}{s}"
        for s, supply in enumerate(supplies)
        for letter, left in zip(TERRAIN, supply, strict=True)
        for _ in range(tiles - left)
    ]
    width = 12
    texts = [".."] * free + placed
    texts += ["##"] * max(-len(texts) % width, 2 * width - len(texts))
    cells = [" ".join(texts[i : i + width]) for i in range(0, len(texts), width)]
    rows = ["".join("P" if text == "##" else "." for text in row.split()) for row in cells]
    config = {"players": len(supplies), "tiles": tiles, "board": {"rows": rows}}
    return Game(config, position={"cells": cells, "seat": seat, "dice": dice})


def legal(game: Game) -> list[str]:
    assert game.decision is not None
    return list(game.decision.legal)


def asked(game: Game) -> tuple[int, str]:
    assert game.decision is not None
    return game.decision.seat, game.decision.kind


def act(game: Game, *texts: str) -> Game:
    for text in texts:
        game.act(text)
    return game


def tiles(letters: str) -> list[str]:
    return sorted(f"tile:{TERRAIN[letter]}" for letter in letters)


# -------------------------------------------------------------------- board and configuration


def test_the_standard_board_has_the_cells_of_the_rules() -> None:
    for players, cells in ((2, 93), (3, 118), (4, 118)):
        board = board_of(resolve_config({"players": players}, DATA), DATA)
        assert (board.width, board.height, len(board.in_use)) == (14, 10, cells)
        assert len(board.groups(board.in_use)) == 1


def test_neighbours_share_a_side_and_not_a_corner_nor_two_edges_of_the_board() -> None:
    board = make_board(["....", "....", "...."], None, 2)
    assert board.neighbours(5) == [1, 4, 6, 9]
    assert board.neighbours(3) == [2, 7]
    assert board.neighbours(8) == [4, 9]
    assert board.groups([0, 5, 3, 4]) == [{0, 4, 5}, {3}]


def test_the_river_bounds_the_board_of_two_and_means_nothing_to_three() -> None:
    rows, river = [".V..", "....", "...."], [2, 0, 4]
    assert make_board(rows, river, 2).in_use == {0, 8, 9, 10, 11}
    board = make_board(rows, river, 3)
    assert board.in_use == set(range(12)) - {1}
    assert 7 in board.neighbours(6)


def test_there_is_room_only_while_three_free_cells_are_connected() -> None:
    board = make_board(["....", "...."], None, 2)
    assert board.has_room([0, 1, 5])
    assert board.has_room([0, 4, 5])
    assert not board.has_room([0, 1, 3, 7])
    assert not board.has_room([0, 5, 2, 7])


def test_an_empty_configuration_resolves_to_the_defaults_and_null_is_the_default() -> None:
    every = {"players": 2, "tiles": DATA.tiles, "first_player": None, "board": "standard"}
    assert resolve_config() == resolve_config({}) == resolve_config(dict.fromkeys(every)) == every


def test_a_board_of_ones_own_has_both_keys_and_never_becomes_standard() -> None:
    board = {"rows": ["...", "..V"]}
    assert resolve_config({"board": board})["board"] == {"rows": ["...", "..V"], "river": None}
    own = {"rows": list(DATA.rows), "river": list(DATA.river or [])}
    assert resolve_config({"board": own})["board"] == own


@pytest.mark.parametrize(
    ("config", "names"),
    [
        ({"players": 1}, "players = 1"),
        ({"players": 5}, "players = 5"),
        ({"players": True}, "players = True"),
        ({"players": 2.0}, r"players = 2\.0"),
        ({"players": "2"}, "players = '2'"),
        ({"tiles": 0}, r"tiles = 0: allowed 1\.\.40"),
        ({"tiles": 41}, "tiles = 41"),
        ({"first_player": 2}, r"first_player = 2: allowed 0\.\.1"),
        ({"first_player": -1}, "first_player = -1"),
        ({"first_player": False}, "first_player = False"),
        ({"solo": None}, "solo = None"),
        ({"board": "small"}, "board = 'small'"),
        ({"board": ["...", "..."]}, "board = "),
        ({"board": {}}, "board = "),
        ({"board": {"rows": None}}, "board.rows = None"),
        ({"board": {"rows": ["..."]}}, "board.rows = "),
        ({"board": {"rows": ["..."] * 17}}, "board.rows = "),
        ({"board": {"rows": [".", ".", "."]}}, r"board.rows\[0\] = "),
        ({"board": {"rows": ["." * 17] * 2}}, r"board.rows\[0\] = "),
        ({"board": {"rows": ["...", ".."]}}, r"board.rows\[1\] = "),
        ({"board": {"rows": ["...", "..v"]}}, r"board.rows\[1\] = "),
        ({"board": {"rows": ["...", 3]}}, r"board.rows\[1\] = "),
        ({"board": {"rows": ["...", "..."], "river": [3]}}, "board.river = "),
        ({"board": {"rows": ["...", "..."], "river": [3, 4]}}, r"board.river\[1\] = 4"),
        ({"board": {"rows": ["...", "..."], "river": [3, -1]}}, r"board.river\[1\] = -1"),
        ({"board": {"rows": ["...", "..."], "river": [3, True]}}, r"board.river\[1\] = True"),
        ({"board": {"rows": ["...", "..."], "name": "x"}}, "board.name = 'x'"),
        ({"board": {"rows": [".V", ".V"]}}, "board = "),
        ({"board": {"rows": ["..V", "V.V", "V.."]}, "players": 2, "tiles": 0}, "tiles = 0"),
        ({"board": {"rows": ["...", "..."], "river": [1, 1]}}, "board = "),
    ],
)
def test_a_configuration_that_breaks_a_constraint_is_refused_by_name(config: Config, names: str) -> None:
    with pytest.raises(ConfigError, match=names):
        resolve_config(config)


def test_a_board_that_lacks_room_for_two_beside_its_river_is_allowed_with_three() -> None:
    board = {"rows": ["...", "..."], "river": [1, 1]}
    assert resolve_config({"players": 3, "board": board})["board"] == board


def test_a_deal_names_the_first_seat_and_has_a_roll_for_each_cell_in_use() -> None:
    for players, cells in ((2, 93), (4, 118)):
        deal = random_deal({"players": players}, random.Random(3))
        assert check_deal({"players": players}, deal) == []
        assert len(deal["dice"]) == cells
        assert {letter for roll in deal["dice"] for letter in roll} == set("FSMWJ")
    firsts = {random_deal({"players": 4}, random.Random(i))["first"] for i in range(50)}
    assert firsts == {0, 1, 2, 3}
    assert random_deal({"players": 4, "first_player": 2}, random.Random(1))["first"] == 2


@pytest.mark.parametrize(
    "change",
    [
        {"first": 2},
        {"first": None},
        {"first": 1},
        {"dice": ["FJ"] * 5},
        {"dice": ["FJ"] * 7},
        {"dice": ["FJ"] * 5 + ["FX"]},
        {"dice": ["FJ"] * 5 + ["F"]},
        {"seed": 3},
    ],
)
def test_a_deal_that_does_not_fit_the_configuration_is_refused(change: dict[str, Any]) -> None:
    config = {"board": {"rows": ["...", "..."]}, "first_player": 0}
    deal = {"first": 0, "dice": ["FJ"] * 6}
    assert check_deal(config, deal) == []
    assert check_deal(config, {**deal, **change})
    with pytest.raises(ValueError):
        Game(config, deal={**deal, **change})
    assert check_deal(config, {"first": 0})


def test_data_files_are_read_from_any_folder_and_bad_ones_are_refused(tmp_path: Path) -> None:
    faces = [*TERRAINS, "joker", "forest"]
    pieces = f"tiles = 5\ndice = [{json.dumps(faces)}, {json.dumps(faces[::-1])}]\n"
    for number, rows in enumerate((["...", "..V"], ["..."], [])):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "board.toml").write_text(f"rows = {json.dumps(rows)}\n", encoding="utf-8")
        (folder / "pieces.toml").write_text(pieces, encoding="utf-8")
    data = load_data(tmp_path / "0")
    assert (data.rows, data.river, data.tiles) == (("...", "..V"), None, 5)
    assert data.dice == (tuple("FSMWJF"), tuple("FJWMSF"))
    assert resolve_config({}, data)["tiles"] == 5
    for bad in ("1", "2"):
        with pytest.raises(DataError, match="rows"):
            load_data(tmp_path / bad)


# -------------------------------------------------------------------- turns


def test_forest_and_joker_allow_a_forest_and_any_second_tile_in_either_order() -> None:
    for dice in ("FJ", "JF"):
        start = with_supplies([[3, 3, 3, 3], [3, 3, 3, 3]], [dice])
        assert asked(start) == (0, "first")
        assert legal(start) == tiles("FSMW")
        exact = act(copy_of(start), "tile:forest", "cell:7")
        assert asked(exact) == (0, "second")
        assert legal(exact) == ["end", *tiles("FSMW")]
        by_joker = act(copy_of(start), "tile:savannah", "cell:7")
        assert legal(by_joker) == ["end", *tiles("F")]
        alone = act(by_joker, "end")
        assert asked(alone) == (1, "first")


def copy_of(game: Game) -> Game:
    """The same start once more: generators cannot be copied."""
    return Game(game.config, game.start.get("deal"), game.start.get("position"))


def test_without_a_forest_tile_the_dice_forest_and_joker_allow_any_two_tiles() -> None:
    start = with_supplies([[0, 3, 3, 3], [3, 3, 3, 3]], ["FJ"])
    assert legal(start) == tiles("SMW")
    for first in "SMW":
        game = act(copy_of(start), *tiles(first), "cell:0")
        assert legal(game) == ["end", *tiles("SMW")]


def test_the_last_forest_tile_opens_the_other_die_that_shows_forest() -> None:
    start = with_supplies([[1, 3, 3, 3], [3, 3, 3, 3]], ["FF"])
    assert legal(start) == tiles("FSMW")
    game = act(copy_of(start), "tile:forest", "cell:0")
    assert legal(game) == ["end", *tiles("SMW")]
    single = act(copy_of(start), "tile:savannah", "cell:0")
    assert asked(single) == (1, "first")


def test_a_double_allows_two_tiles_of_its_terrain_and_no_other_second() -> None:
    game = act(with_supplies([[2, 2, 2, 2], [2, 2, 2, 2]], ["MM"]), "tile:mountain", "cell:0")
    assert legal(game) == ["end", *tiles("M")]


def test_a_tile_that_no_die_wants_is_the_whole_turn_and_leaves_no_second() -> None:
    game = act(with_supplies([[2, 2, 2, 2], [2, 2, 2, 2]], ["FM", "SJ"]), "tile:wetland", "cell:0")
    assert asked(game) == (1, "first")
    assert game.states()["dice"] == "SJ"


def test_a_used_up_terrain_opens_a_die_whatever_the_other_die_shows() -> None:
    start = with_supplies([[0, 2, 2, 2], [2, 2, 2, 2]], ["FS"])
    exact = act(copy_of(start), "tile:savannah", "cell:0")
    assert legal(exact) == ["end", *tiles("SMW")]
    by_open = act(copy_of(start), "tile:mountain", "cell:0")
    assert legal(by_open) == ["end", *tiles("S")]


def test_two_jokers_and_two_used_up_dice_allow_any_two_tiles() -> None:
    for supply, dice in (([2, 2, 2, 2], "JJ"), ([0, 0, 2, 2], "FS"), ([0, 2, 2, 2], "FF")):
        game = with_supplies([supply, [2, 2, 2, 2]], [dice])
        first = legal(game)
        act(game, "tile:wetland", "cell:0")
        assert legal(game) == ["end", *first]


def test_the_tile_leaves_the_supply_when_it_is_placed_and_not_before() -> None:
    game = with_supplies([[1, 3, 3, 3], [3, 3, 3, 3]], ["FS"])
    act(game, "tile:forest")
    assert asked(game) == (0, "cell")
    assert game.states()["supply"][0] == [1, 3, 3, 3]
    act(game, "cell:4")
    assert game.states()["supply"][0] == [0, 3, 3, 3]
    assert game.states()["cells"][0].split()[4] == "F0"
    assert legal(game) == ["end", "tile:savannah"]


def test_a_die_that_shows_the_terrain_just_used_up_is_judged_after_the_tile_is_placed() -> None:
    game = act(with_supplies([[1, 1, 3, 3], [3, 3, 3, 3]], ["FJ"]), "tile:savannah", "cell:0")
    assert legal(game) == ["end", "tile:forest"]
    act(game, "tile:forest", "cell:1")
    assert asked(game) == (1, "first")


def test_a_seat_with_one_terrain_only_is_not_asked_for_the_first_tile() -> None:
    game = with_supplies([[0, 0, 3, 0], [3, 3, 3, 3]], ["FS"])
    assert asked(game) == (0, "cell")
    act(game, "cell:0")
    assert game.states()["cells"][0].startswith("M0 ..")
    assert legal(game) == ["end", "tile:mountain"]


def test_a_player_without_any_tile_after_the_first_has_no_second() -> None:
    game = act(with_supplies([[0, 0, 1, 0], [3, 3, 3, 3]], ["JJ", "SS"]), "cell:0")
    assert asked(game) == (1, "first")
    assert game.states()["dice"] == "SS"


def test_the_free_cells_are_the_same_for_every_tile_and_sorted_as_text() -> None:
    game = act(with_supplies([[2, 2, 2, 2], [2, 2, 2, 2]], ["JF"], free=12), "tile:savannah")
    assert legal(game) == sorted(f"cell:{cell}" for cell in range(12))
    assert legal(game).index("cell:10") < legal(game).index("cell:9")
    act(game, "cell:11", "tile:forest")
    assert legal(game) == sorted(f"cell:{cell}" for cell in range(11))


def test_seats_without_tiles_are_passed_over_and_take_no_roll() -> None:
    supplies = [[2, 2, 2, 2], [0, 0, 0, 0], [2, 2, 2, 2], [0, 0, 0, 0]]
    game = act(with_supplies(supplies, ["FF", "SS", "MM"]), "tile:wetland", "cell:0")
    assert (asked(game), game.states()["dice"]) == ((2, "first"), "SS")
    act(game, "tile:wetland", "cell:1")
    assert (asked(game), game.states()["dice"]) == ((0, "first"), "MM")


def test_the_only_seat_with_tiles_takes_turn_after_turn_until_nobody_has_one() -> None:
    game = with_supplies([[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]], ["MM", "WW"], seat=2)
    assert asked(game) == (1, "first")
    # both mountain and wetland are used up: the dice are open
    act(game, "tile:forest", "cell:0", "end")
    assert (asked(game), game.states()["dice"]) == ((1, "cell"), "WW")
    act(game, "cell:1")
    assert game.over
    assert game.states()["supply"] == [[0] * 4] * 3


def test_the_game_ends_in_the_middle_of_a_turn_when_there_is_no_room() -> None:
    game = with_supplies([[9, 9, 9, 9], [9, 9, 9, 9]], ["JJ"], free=3)
    act(game, "tile:forest")
    assert legal(game) == ["cell:0", "cell:1", "cell:2"]
    act(game, "cell:2")
    assert game.over
    assert len(game.state.free) == 2


def test_four_free_cells_in_a_row_may_leave_room_or_none() -> None:
    at_the_end = act(with_supplies([[9] * 4, [9] * 4], ["JJ"], free=4), "tile:forest", "cell:0")
    assert asked(at_the_end) == (0, "second")
    inside = act(with_supplies([[9] * 4, [9] * 4], ["JJ"], free=4), "tile:forest", "cell:1")
    assert inside.over


def test_the_game_ends_after_the_last_tile_of_all_even_as_a_first_tile() -> None:
    game = act(with_supplies([[0, 1, 0, 0], [0, 0, 0, 0]], ["JJ"]), "cell:5")
    assert game.over


def fits(terrain: str, face: str, supply: dict[str, int]) -> bool:
    if supply[terrain] == 0:
        return False
    return face == "J" or TERRAIN[face] == terrain or supply[TERRAIN[face]] == 0


def turns_by_the_definition(dice: str, supply: dict[str, int]) -> set[tuple[str, ...]]:
    """RULES 5 without its steps: one tile, or one for each die in any order, judged tile by tile."""
    turns: set[tuple[str, ...]] = {(terrain,) for terrain in TERRAINS if supply[terrain]}
    for first, second, i in itertools.product(TERRAINS, TERRAINS, (0, 1)):
        if fits(first, dice[i], supply):
            after = {**supply, first: supply[first] - 1}
            if fits(second, dice[1 - i], after):
                turns.add((first, second))
    return turns


def test_the_steps_of_a_turn_allow_exactly_the_turns_of_the_definition() -> None:
    state = empty_state(resolve_config({"players": 2}), DATA)
    for letters in itertools.product("FSMWJ", repeat=2):
        for numbers in itertools.product((0, 1, 2), repeat=4):
            state.dice = "".join(letters)
            supply = dict(zip(TERRAINS, numbers, strict=True))
            played: set[tuple[str, ...]] = set()
            for first in TERRAINS:
                if not supply[first]:
                    continue
                played.add((first,))
                state.supply[0] = dict(supply)
                left = die_left_by(state, 0, first)
                state.supply[0][first] -= 1
                if left is not None and state.terrains_of(0):
                    played |= {(first, second) for second in second_terrains(state, 0, left)}
            assert played == turns_by_the_definition(state.dice, supply)


def test_the_order_of_the_two_dice_makes_no_difference_to_what_may_be_done() -> None:
    config = {"players": 3, "tiles": 2}
    deal = random_deal(config, random.Random(8))
    mirrored = {**deal, "dice": [roll[::-1] for roll in deal["dice"]]}
    one, other = Game(config, deal=deal), Game(config, deal=mirrored)
    rng = random.Random(1)
    while one.decision is not None:
        assert one.decision == other.decision
        action = rng.choice(legal(one))
        act(one, action)
        act(other, action)
    assert one.result() == other.result()


def test_an_illegal_action_is_refused() -> None:
    game = with_supplies([[1, 1, 1, 1], [1, 1, 1, 1]], ["FF"])
    for text in ("end", "cell:0", "tile:joker", ""):
        with pytest.raises(IllegalAction):
            game.act(text)
    with pytest.raises(ValueError):
        game.result()


# -------------------------------------------------------------------- score


EXAMPLE = """
F2 F2 F1 F1 ## ## ##
F2 F3 ## S1 S1 S1 ##
S3 ## ## ## S2 ## ##
S2 ## ## ## S1 ## M0
## W3 W3 W1 ## ## M0
## W0 W0 W1 W3 W3 M0
"""


@pytest.mark.parametrize("hole", ["##", ".."])
def test_the_example_of_the_rulebook_scores_as_the_rules_say(hole: str) -> None:
    result = on_picture(EXAMPLE.replace("##", hole)).scores()
    assert result == {
        "points": {
            "forest": [0, 4, 8, 0],
            "savannah": [0, 10, 2, 0],
            "mountain": [12, 0, 0, 0],
            "wetland": [4, 4, 0, 8],
        },
        "score": [16, 18, 10, 8],
        "zones": [
            {"terrain": "forest", "cell": 0, "size": 6, "times": 2, "points": [0, 4, 8, 0]},
            {"terrain": "savannah", "cell": 10, "size": 5, "times": 2, "points": [0, 10, 2, 0]},
            {"terrain": "mountain", "cell": 27, "size": 3, "times": 2, "points": [12, 0, 0, 0]},
            {"terrain": "wetland", "cell": 29, "size": 8, "times": 3, "points": [4, 4, 0, 8]},
        ],
        "winners": [1],
    }


def test_the_example_of_the_rulebook_scores_as_printed_there_without_a_multiplier() -> None:
    zones = zones_of(on_picture(EXAMPLE).state)
    assert [(zone.terrain, zone.size) for zone in zones] == [
        ("forest", 6),
        ("savannah", 5),
        ("savannah", 2),
        ("mountain", 3),
        ("wetland", 8),
    ]
    printed = [zone_points(zone, 1, 4) for zone in zones if zone.size >= 3]
    assert printed == [[0, 2, 4, 0], [0, 5, 1, 0], [6, 0, 0, 0], [1, 1, 0, 2]]


@pytest.mark.parametrize(
    ("sizes", "m", "points"),
    [
        # one herd
        ([3], 1, [6]),
        ([7], 2, [12]),
        ([3], 3, [18]),
        # k >= 2 herds tie for the largest
        ([3, 3], 1, [3, 3]),
        ([2, 1, 2], 2, [6, 0, 6]),
        ([2, 2, 2], 1, [2, 2, 2]),
        ([1, 1, 1, 1], 1, [1] * 4),
        ([1, 1, 1, 1], 2, [3] * 4),
        ([2, 2, 2, 2, 1], 3, [4, 4, 4, 4, 0]),
        ([1] * 5, 3, [3] * 5),
        ([1] * 7, 1, [0] * 7),
        ([1] * 7, 3, [2] * 7),
        # one largest, one second
        ([2, 1], 1, [4, 2]),
        ([1, 5, 3, 1], 2, [0, 8, 4, 0]),
        ([4, 2, 1], 3, [12, 6, 0]),
        # one largest, k >= 2 tie for second
        ([3, 1, 1], 1, [4, 1, 1]),
        ([1, 2, 1, 1], 1, [0, 4, 0, 0]),
        ([1, 2, 1, 1], 2, [1, 8, 1, 1]),
        ([1, 3, 2, 2, 2, 2], 3, [0, 12, 1, 1, 1, 1]),
        ([9, *[1] * 7], 3, [12, *[0] * 7]),
    ],
)
def test_the_herds_of_a_zone_share_as_the_table_says(sizes: list[int], m: int, points: list[int]) -> None:
    assert shares(sizes, m) == points


def test_every_share_follows_the_table_for_all_small_zones() -> None:
    for number in range(1, 6):
        for sizes in itertools.product(range(1, 5), repeat=number):
            ranked = sorted(sizes, reverse=True)
            for m in (1, 2, 3):
                found = shares(list(sizes), m)
                if number == 1:
                    expected = [6 * m]
                elif ranked[0] == ranked[1]:
                    k = ranked.count(ranked[0])
                    expected = [(6 * m) // k if size == ranked[0] else 0 for size in sizes]
                else:
                    k = ranked.count(ranked[1])
                    expected = [{ranked[0]: 4 * m, ranked[1]: (2 * m) // k}.get(size, 0) for size in sizes]
                assert found == expected


def times(picture: str) -> list[int]:
    zones = zones_of(on_picture(picture).state)
    return [multiplier(zone, zones) for zone in zones]


def test_a_zone_alone_on_the_board_has_three() -> None:
    assert times("F0 F1 F1 .. .. ..\n.. .. .. .. .. ..") == [3]


def test_the_largest_has_three_and_the_largest_of_another_terrain_two() -> None:
    assert times("F0 F1 F1 F0\n.. .. .. ..\nS0 S0 S1 ..\n.. .. .. ..\nF0 F1 F1 ..\nM0 .. .. ..") == [
        3,
        1,
        2,
        2,
    ]


def test_zones_of_two_terrains_that_tie_for_the_largest_have_two_each() -> None:
    assert times("F0 F1 F1 ..\n.. .. .. ..\nS0 S0 S1 ..\n.. .. .. ..\nF0 F1 .. M1") == [2, 1, 2, 2]


def test_zones_of_one_terrain_that_tie_for_its_largest_have_one() -> None:
    both_largest = "F0 F1 F1 ..\n.. .. .. ..\nF0 F0 F1 ..\n.. .. .. ..\nS0 S1 .. .."
    assert times(both_largest) == [1, 1, 2]
    below = "F0 F1 F1 ..\n.. .. .. ..\nF0 F0 F1 ..\n.. .. .. ..\nS0 S1 S1 S0"
    assert times(below) == [1, 1, 3]


def test_two_of_one_terrain_and_one_of_another_tie_for_the_largest() -> None:
    assert times("F0 F1 F1 ..\n.. .. .. ..\nF0 F0 F1 ..\n.. .. .. ..\nS0 S1 S1 ..") == [1, 1, 2]


def test_zones_of_two_tiles_score_nothing_and_corners_do_not_connect() -> None:
    result = on_picture("F0 F1 .. ..\n.. .. F0 F1\nS0 .. S0 ..\n.. S0 .. S0").scores()
    assert result["zones"] == []
    assert result["score"] == [0, 0, 0, 0]
    assert result["winners"] == [0, 1, 2, 3]


def test_two_herds_of_one_seat_in_a_zone_take_two_shares() -> None:
    result = on_picture("F0 F0 F1 F0 F0 ..\n.. .. .. .. .. ..").scores()
    assert result["score"] == [18, 0, 0, 0]
    second = on_picture("F0 F1 F1 F0 .. ..\n.. .. .. .. .. ..").scores()
    assert second["score"] == [6, 12, 0, 0]


def test_a_zone_is_listed_even_if_all_its_shares_are_rounded_down_to_nothing() -> None:
    row = "F0 F1 F0 F1 F0 F1 F0"
    result = on_picture(f"{row}\n.. .. .. .. .. .. ..\n{row}").scores()
    zone = {"terrain": "forest", "size": 7, "times": 1, "points": [0, 0, 0, 0]}
    assert result["zones"] == [{**zone, "cell": 0}, {**zone, "cell": 14}]


def test_a_zone_is_known_by_its_lowest_cell_and_zones_come_terrain_by_terrain() -> None:
    result = on_picture(".. .. W0 ..\nW0 W0 W0 F1\n.. .. .. F1\nF0 F0 .. F1\nF0 .. .. ..").scores()
    assert [(z["terrain"], z["cell"]) for z in result["zones"]] == [
        ("forest", 7),
        ("forest", 12),
        ("wetland", 2),
    ]


def test_a_zone_crosses_the_river_with_three_players() -> None:
    config = {"players": 3, "board": {"rows": ["....", "...."], "river": [2, 2]}}
    cells = ["F0 F1 F1 ..", ".. .. .. .."]
    game = Game(config, position={"cells": cells, "seat": 0, "dice": ["FF"]})
    assert game.scores()["score"] == [6, 12, 0]


def test_seats_that_tie_for_the_highest_total_share_the_victory() -> None:
    result = on_picture("F0 F0 F0 .. S2 S2 S2\n.. .. .. .. .. .. ..", players=3).scores()
    assert (result["score"], result["winners"]) == ([12, 0, 12], [0, 2])


def labelled(game: Game, by_seat_too: bool) -> dict[int, int]:
    """The lowest cell of the group of each tile: labels pass between neighbours until nothing changes."""
    state = game.state
    labels = {cell: cell for cell in state.tiles}
    changed = True
    while changed:
        changed = False
        for cell, tile in state.tiles.items():
            for other in state.board.neighbours(cell):
                alike = state.tiles.get(other)
                if alike is None or alike.terrain != tile.terrain or (by_seat_too and alike != tile):
                    continue
                if labels[other] < labels[cell]:
                    labels[cell] = labels[other]
                    changed = True
    return labels


def test_zones_and_herds_worked_out_in_another_way_are_the_same() -> None:
    for seed in range(60):
        rng = random.Random(seed)
        config = config_of_mode(list(MODES)[seed % len(MODES)], rng, DATA)
        game = Game(config, position=random_position(config, rng, DATA))
        zones = zones_of(game.state)
        zone_labels = {cell: min(zone.cells) for zone in zones for cell in zone.cells}
        herds = [herd for zone in zones for herd in zone.herds]
        assert zone_labels == labelled(game, False)
        assert {cell: min(herd.cells) for herd in herds for cell in herd.cells} == labelled(game, True)


# -------------------------------------------------------------------- positions


SMALL: Config = {"players": 2, "tiles": 2, "board": {"rows": ["...V", "...."], "river": [4, 3]}}
GOOD: dict[str, Any] = {"cells": ["F0 .. .. ##", "F0 S1 .. ##"], "seat": 0, "dice": ["JJ", "FS"]}


def test_a_position_that_keeps_the_rules_is_accepted() -> None:
    assert check_position(SMALL, GOOD) == []
    assert asked(Game(SMALL, position=GOOD)) == (0, "first")


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"cells": ["F0 .. .. ##"]}, "1 rows, not 2"),
        ({"cells": ["F0 .. .. ##"] * 3}, "3 rows, not 2"),
        ({"cells": None}, "no list"),
        ({"cells": ["F0 .. .. ##", 3]}, "no list"),
        ({"cells": ["F0 .. ..", "F0 S1 .. ##"]}, "3 cells"),
        ({"cells": ["F0 .. .. ## ..", "F0 S1 .. ##"]}, "5 cells"),
        ({"cells": ["F0  .. .. ##", "F0 S1 .. ##"]}, "5 cells"),
        ({"cells": ["F0 ## .. ##", "F0 S1 .. ##"]}, "cell 1 = '##'"),
        ({"cells": ["F0 .. .. ..", "F0 S1 .. ##"]}, "cell 3 = '..'"),
        ({"cells": ["F0 .. .. M0", "F0 S1 .. ##"]}, "cell 3 = 'M0'"),
        ({"cells": ["F0 .. .. ##", "F0 S1 .. .."]}, "cell 7 = '..'"),
        ({"cells": ["F0 .. .. ##", "F0 S2 .. ##"]}, "there is no seat 2"),
        ({"cells": ["F0 .. .. ##", "F0 J1 .. ##"]}, "cell 5 = 'J1'"),
        ({"cells": ["F0 .. .. ##", "F0 f1 .. ##"]}, "cell 5 = 'f1'"),
        ({"cells": ["F0 .. .. ##", "F0 F .. ##"]}, "cell 5 = 'F'"),
        ({"cells": ["F0 F0 .. ##", "F0 S1 .. ##"]}, "seat 0 has 3 tiles of forest"),
        ({"seat": 2}, "seat = 2"),
        ({"seat": -1}, "seat = -1"),
        ({"seat": None}, "seat = None"),
        ({"seat": True}, "seat = True"),
        ({"dice": []}, "0 rolls"),
        ({"dice": ["FF"] * 4}, "4 rolls"),
        ({"dice": "FF"}, "no list"),
        ({"dice": ["FX"]}, "'FX'"),
        ({"dice": ["FF", "J"]}, "'J'"),
        ({"dice": ["FF", None]}, "None"),
        ({"dice": ["FFF"]}, "'FFF'"),
        ({"supply": [[2] * 4] * 2}, "unknown key supply"),
        ({"first": 0}, "unknown key first"),
    ],
)
def test_a_position_that_breaks_a_rule_is_refused_with_the_reason(
    change: dict[str, Any], reason: str
) -> None:
    made = {**GOOD, **change}
    problems = check_position(SMALL, made)
    assert any(reason in problem for problem in problems), problems
    with pytest.raises(ValueError):
        Game(SMALL, position=made)


@pytest.mark.parametrize("key", ["cells", "seat", "dice"])
def test_a_position_that_lacks_a_key_is_refused(key: str) -> None:
    made = {name: value for name, value in GOOD.items() if name != key}
    assert check_position(SMALL, made) == [f"position: the key {key} is missing"]
    assert check_position(SMALL, [])  # type: ignore[arg-type]


def test_a_list_of_rolls_is_repeated_and_a_trace_writes_all_of_them() -> None:
    cells = [".. .. .. ##", ".. .. .. ##"]
    made = {"cells": cells, "seat": 0, "dice": ["FF", "SJ"]}
    trace = record_game(SMALL, position=made, rng=random.Random(1))
    assert trace["position"] == {**made, "dice": ["FF", "SJ"] * 3}
    assert "seed" not in trace
    assert verify_trace(trace) == []
    trace["position"] = made
    assert verify_trace(trace)


def test_the_supplies_follow_from_the_board_and_the_first_player_has_no_effect() -> None:
    game = Game({**SMALL, "first_player": 0}, position={**GOOD, "seat": 1})
    assert asked(game) == (1, "first")
    assert game.states() == {
        "cells": GOOD["cells"],
        "supply": [[0, 2, 2, 2], [2, 1, 2, 2]],
        "dice": "JJ",
    }


def test_a_position_passes_the_turn_on_from_a_seat_without_tiles() -> None:
    game = with_supplies([[0] * 4, [0] * 4, [1] * 4], ["FF"], seat=0)
    assert (asked(game), game.states()["dice"]) == ((2, "first"), "FF")


def test_a_position_without_room_is_over_and_scores() -> None:
    game = Game(SMALL, position={**GOOD, "cells": ["F0 .. S0 ##", "F0 S1 .. ##"], "dice": ["FF"]})
    assert game.over
    assert game.states()["dice"] == ""
    assert game.result()["score"] == [0, 0]


def test_a_full_position_has_no_rolls_and_is_over() -> None:
    cells = ["F0 F1 F0 ##", "S0 S1 M0 ##"]
    game = Game(SMALL, position={"cells": cells, "seat": 1, "dice": []})
    assert game.over
    assert game.result()["points"]["forest"] == [12, 6]
    assert check_position(SMALL, {"cells": cells, "seat": 1, "dice": ["FF"]})


def test_a_position_in_which_nobody_has_a_tile_is_over_although_there_is_room() -> None:
    config = {"players": 2, "tiles": 1, "board": {"rows": ["...."] * 4}}
    cells = ["F0 S0 M0 W0", "F1 S1 M1 W1", ".. .. .. ..", ".. .. .. .."]
    game = Game(config, position={"cells": cells, "seat": 0, "dice": ["FF"]})
    assert game.over
    assert game.state.board.has_room(game.state.free)


def test_random_positions_are_valid_varied_and_sometimes_over() -> None:
    seen: Counter[str] = Counter()
    for seed in range(240):
        rng = random.Random(seed)
        config = config_of_mode(list(MODES)[seed % len(MODES)], rng, DATA)
        made = random_position(config, rng, DATA)
        assert check_position(config, made) == []
        game = Game(config, position=made)
        state = game.state
        seen["over"] += game.over
        seen["full"] += not state.free
        seen["empty"] += not state.tiles
        seen["near the end"] += not game.over and len(state.free) < 8
        lacking = sum(not state.terrains_of(seat) for seat in range(state.players))
        seen["a seat without tiles"] += bool(lacking) and not game.over
        seen["nobody has a tile"] += lacking == state.players
        seen["zones"] += len(game.scores()["zones"]) > 2
        seen["few rolls"] += 0 < len(made["dice"]) < len(state.free)
    for what in ("over", "full", "empty", "near the end", "a seat without tiles", "nobody has a tile"):
        assert seen[what] >= 3, seen
    assert seen["zones"] > 40 and seen["few rolls"] > 40


# -------------------------------------------------------------------- random games


def random_start(mode: str, seed: int, from_position: bool) -> tuple[Game, random.Random]:
    rng = random.Random(seed)
    config = config_of_mode(mode, rng, DATA)
    if from_position:
        return Game(config, position=random_position(config, rng, DATA)), rng
    return Game(config, deal=random_deal(config, rng, DATA)), rng


@pytest.mark.parametrize("from_position", [False, True])
@pytest.mark.parametrize("mode", list(MODES))
def test_random_games_in_every_mode_break_nothing(mode: str, from_position: bool) -> None:
    for seed in range(3):
        game, rng = random_start(mode, seed, from_position)
        policy = by_seat([rng.choice(list(POLICIES)) for _ in range(game.state.players)])
        decisions = 0
        while game.decision is not None:
            assert broken(game) == []
            game.act(policy(game, rng))
            decisions += 1
        assert broken(game) == []
        assert decisions <= longest(game)
        assert len(game.result()["score"]) == game.state.players


@pytest.mark.parametrize("name", list(POLICIES))
def test_every_policy_plays_to_the_end(name: str) -> None:
    for mode in ("players2", "tiles1", "small"):
        game, rng = random_start(mode, 5, False)
        while game.decision is not None:
            game.act(POLICIES[name](game, rng))
        assert broken(game) == []


def tiles_by_turn(name: str, mode: str = "players2") -> list[int]:
    trace = record_random(mode, 3, policy=name, folder=None)
    placed: list[int] = []
    for _, kind, _, _, _ in trace["steps"]:
        if kind == "first":
            placed.append(0)
        placed[-1] += kind == "cell"
    return placed


def test_the_policies_reach_what_they_are_made_for() -> None:
    assert set(tiles_by_turn("one")) == set(tiles_by_turn("off_dice")) == {1}
    assert tiles_by_turn("two")[:-1] == [2] * (len(tiles_by_turn("two")) - 1)
    cells = {name: sum(tiles_by_turn(name)) for name in ("fill", "riddle", "uniform")}
    assert cells["riddle"] < cells["uniform"] < cells["fill"]
    assert cells["fill"] > 84  # of at most 91
    cluster = record_random("players4", 3, policy="cluster")["result"]
    mingle = record_random("players4", 3, policy="mingle")["result"]
    assert max(cluster["score"]) > max(mingle["score"])


def test_random_games_reach_the_rare_moments() -> None:
    seen: Counter[str] = Counter()
    for i, mode in enumerate(["tiles1", "tiles2", "tiles3", "small", "islands", "players4"] * 8):
        trace = record_random(mode, 100 + i, from_position=i % 3 == 0)
        times_of = [zone["times"] for zone in trace["result"]["zones"]]
        seen.update(f"times {m}" for m in times_of)
        seen["shared victory"] += len(trace["result"]["winners"]) > 1
        seats = [seat for seat, kind, *_ in trace["steps"] if kind == "first"]
        players = trace["config"]["players"]
        seen["passed over"] += any((a + 1) % players != b for a, b in itertools.pairwise(seats))
        if trace["steps"]:
            last = trace["steps"][-1][4]
            seen["tiles used up"] += sum(map(sum, last["supply"])) == 1
        for _, kind, action, options, state in trace["steps"]:
            seen[kind] += 1
            seen["declined"] += action == "end"
            if kind == "second":
                shown = {LETTER[option.split(":")[1]] for option in options if option != "end"}
                seen["opened"] += len(shown) > 1 and "J" not in state["dice"]
    rare = ("times 1", "times 2", "times 3", "shared victory", "passed over", "tiles used up", "opened")
    for what in (*rare, "declined", "first", "second", "cell"):
        assert seen[what] > 0, (what, seen)


# -------------------------------------------------------------------- traces


@pytest.mark.parametrize("from_position", [False, True])
@pytest.mark.parametrize("mode", list(MODES))
def test_what_is_recorded_is_verified_without_a_difference(mode: str, from_position: bool) -> None:
    for seed in range(2):
        trace = json.loads(json.dumps(record_random(mode, seed, from_position)))
        assert verify_trace(trace) == []
        assert trace == record_random(mode, seed, from_position)


def test_a_trace_has_the_form_of_the_protocol() -> None:
    trace = record_random("players3", 7)
    assert list(trace) == ["format", "config", "seed", "deal", "steps", "result"]
    assert trace["steps"][0][:2] == [trace["deal"]["first"], "first"]
    assert trace["steps"][0][4] == {
        "cells": Game(trace["config"], deal=trace["deal"]).state.rows(),
        "supply": [[13] * 4] * 3,
        "dice": trace["deal"]["dice"][0],
    }
    assert len(record_random("players3", 7, legal=False, states=False)["steps"][0]) == 3
    assert record_random("players3", 7, legal=False)["steps"][0][3] is None
    assert len(record_random("players3", 7, states=False)["steps"][0]) == 4


def test_a_trace_that_was_tampered_with_is_found_out() -> None:
    config = resolve_config({"players": 3})
    deal = random_deal(config, random.Random(2))
    trace = record_game(config, deal, rng=random.Random(2), seed=2)
    assert verify_trace(trace) == []

    def changed(change: Any) -> list[str]:
        other = copy.deepcopy(trace)
        change(other)
        return verify_trace(other)

    assert changed(lambda t: t["result"]["score"].__setitem__(0, -1))
    assert changed(lambda t: t["result"]["zones"].pop())
    assert changed(lambda t: t["result"]["winners"].append(9))
    assert changed(lambda t: t.pop("result"))
    assert changed(lambda t: t["steps"][5][3].append("end"))
    assert changed(lambda t: t["steps"][5][3].reverse())
    assert changed(lambda t: t["steps"][5].__setitem__(3, 7))
    assert changed(lambda t: t["steps"].__setitem__(5, "end"))
    assert changed(lambda t: t["steps"][30][4]["supply"][0].__setitem__(0, 99))
    assert changed(lambda t: t["steps"][30][4]["cells"].__setitem__(0, "##"))
    assert changed(lambda t: t["steps"][30][4].__setitem__("die_left", "F"))
    assert changed(lambda t: t["steps"][7].__setitem__(1, "turn"))
    assert changed(lambda t: t["steps"][0].__setitem__(0, 3))
    assert changed(lambda t: t["steps"].pop())
    assert changed(lambda t: t["steps"].append(t["steps"][-1]))
    assert changed(lambda t: t["deal"]["dice"].pop())
    assert changed(lambda t: t["config"].pop("tiles"))
    assert changed(lambda t: t["config"].__setitem__("tiles", 41))
    assert changed(lambda t: t.pop("seed"))
    assert changed(lambda t: t.__setitem__("note", "x"))
    assert changed(lambda t: t.__setitem__("format", "genesis-trace/2"))


def test_the_command_line_records_and_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "games.jsonl")
    for extra in ([], ["--positions"], ["--mode", "small", "--policy", "two", "--no-legal", "--no-states"]):
        options = parser().parse_args(["record", "--games", "4", "--seed", "9", "--out", out, *extra])
        assert options.run(options) == 0
        options = parser().parse_args(["verify", out])
        assert options.run(options) == 0
        assert "4 games, 0 with differences" in capsys.readouterr().out
    lines = Path(out).read_text(encoding="utf-8").replace('"result":{', '"result":{"more":1,')
    Path(out).write_text(lines, encoding="utf-8")
    options = parser().parse_args(["verify", "--show", "1", out])
    assert options.run(options) == 1
