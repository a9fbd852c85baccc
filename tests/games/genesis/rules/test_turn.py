"""RULES 5 and the examples of turns in RULES 7: the roll, the dice, one or two tiles."""

from __future__ import annotations

from itertools import product

import pytest
from games.genesis.playing import Playing, start

from genesia_rl.games.genesis.names import FACE_LETTERS, TERRAINS

EMPTY = [".. .. .. .. .. ..", ".. .. .. .. .. ..", ".. .. .. .. .. .."]
ALL = set(TERRAINS)
#: Tiles of seat 0 on the board, out of two of each terrain.
PLACED: list[dict[str, int]] = [
    {},
    {"forest": 1},
    {"forest": 2},
    {"forest": 2, "wetland": 2},
    {"forest": 1, "savannah": 2},
    {"savannah": 2, "mountain": 2, "wetland": 1},
    {"forest": 2, "savannah": 2, "mountain": 2},
    {"forest": 2, "savannah": 2, "mountain": 2, "wetland": 1},
]


def used_up(**placed: int) -> list[str]:
    """A board of four rows on which seat 0 has so many tiles of these terrains, apart from each other."""
    marks = [f"{name[0].upper()}0" for name, number in placed.items() for _ in range(number)]
    row = [marks[k // 2] if k % 2 == 0 and k // 2 < len(marks) else ".." for k in range(16)]
    return [" ".join(row), *([" ".join([".."] * 16)] * 3)]


def pairs(play: Playing) -> set[tuple[str, ...]]:
    """The turns that are possible: the terrain of the first tile, and of the second if there is one."""
    found: set[tuple[str, ...]] = set()
    firsts = play.terrains or {"only"}
    for first in firsts:
        after = play.copy()
        if play.terrains:
            after.do(f"tile:{first}")
        else:
            first = TERRAINS[int(after.states[0]["pending"]) - 1]
        seat = after.game.seat(after.states, 0)
        after.do(f"cell:{max(after.cells)}")
        found.add((first,))
        if after.asked == (seat, "second"):
            assert "end" in after.legal
            found |= {(first, second) for second in after.terrains}
    return found


def turns_by_the_rules(roll: str, held: dict[str, int]) -> set[tuple[str, ...]]:
    """RULES 5 as its first paragraphs say it: one tile, or a tile for each die in any order."""
    faces = ["joker" if letter == "J" else TERRAINS[FACE_LETTERS.index(letter)] for letter in roll]

    def fits(face: str, terrain: str, supply: dict[str, int]) -> bool:
        is_open = face == "joker" or supply[face] == 0
        return supply[terrain] > 0 and (is_open or face == terrain)

    found: set[tuple[str, ...]] = {(terrain,) for terrain in TERRAINS if held[terrain]}
    for one, other in ((faces[0], faces[1]), (faces[1], faces[0])):
        for first in TERRAINS:
            if fits(one, first, held):
                left = {**held, first: held[first] - 1}
                found |= {(first, second) for second in TERRAINS if fits(other, second, left)}
    return found


# ---------------------------------------------------------------- the examples of section 7


def test_forest_and_joker_with_all_terrains() -> None:
    turns = pairs(start(EMPTY, dice="FJ"))
    assert {turn for turn in turns if len(turn) == 1} == {(terrain,) for terrain in TERRAINS}
    assert {turn for turn in turns if len(turn) == 2} == (
        {("forest", any_one) for any_one in TERRAINS} | {(any_one, "forest") for any_one in TERRAINS}
    )
    assert ("savannah", "mountain") not in turns


def test_forest_and_joker_without_a_forest_tile_allow_any_two_tiles() -> None:
    held = ALL - {"forest"}
    turns = pairs(start(used_up(forest=2), dice="FJ", tiles=2))
    assert turns == {(a,) for a in held} | set(product(held, held))


def test_forest_and_forest_with_exactly_one_forest_tile() -> None:
    turns = pairs(start(used_up(forest=1), dice="FF", tiles=2))
    assert turns == {(a,) for a in TERRAINS} | {("forest", a) for a in ALL - {"forest"}}


# ---------------------------------------------------------------- which tile fits a die


@pytest.mark.parametrize("roll", [a + b for a, b in product(FACE_LETTERS, FACE_LETTERS)])
@pytest.mark.parametrize("placed", PLACED)
def test_the_turns_are_exactly_those_of_the_rules_r8(roll: str, placed: dict[str, int]) -> None:
    play = start(used_up(**placed), dice=roll, tiles=2)
    held = {terrain: 2 - placed.get(terrain, 0) for terrain in TERRAINS}
    assert pairs(play) == turns_by_the_rules(roll, held)


def test_the_first_terrain_is_any_of_which_the_player_has_a_tile_whatever_the_dice_show() -> None:
    assert start(EMPTY, dice="FF").terrains == ALL
    assert start(used_up(forest=2), dice="FF", tiles=2).terrains == ALL - {"forest"}


def test_a_tile_that_no_die_wants_ends_the_turn() -> None:
    play = start(EMPTY, dice="FS").tile("mountain", 0)
    assert play.asked == (1, "first")


def test_a_die_that_shows_the_terrain_is_used_before_a_joker_r8() -> None:
    assert start(EMPTY, dice="JF").tile("forest", 0).terrains == ALL  # the joker is left
    assert start(EMPTY, dice="JF").tile("savannah", 0).terrains == {"forest"}


def test_a_die_that_shows_the_terrain_is_used_before_a_used_up_one_r8() -> None:
    play = start(used_up(forest=2), dice="FS", tiles=2).tile("savannah", 40)
    assert play.terrains == ALL - {"forest"}  # the forest die is left, and open


def test_the_first_tile_may_use_up_a_terrain_and_so_open_the_other_die_r7() -> None:
    play = start(used_up(forest=1), dice="FF", tiles=2)
    play.do("tile:forest")
    assert play.supply(0)["forest"] == 1  # the tile is still there
    play.do("cell:40")
    assert play.asked == (0, "second") and play.terrains == ALL - {"forest"}


def test_a_joker_takes_any_tile_in_the_supply() -> None:
    assert start(EMPTY, dice="JJ").tile("wetland", 0).terrains == ALL


def test_whichever_of_two_dice_that_would_do_is_used_makes_no_difference() -> None:
    one = start(used_up(forest=2), dice="FJ", tiles=2)
    other = start(used_up(forest=2), dice="JF", tiles=2)
    assert pairs(one) == pairs(other)


# ---------------------------------------------------------------- the second tile


def test_the_second_tile_may_be_declined() -> None:
    play = start(EMPTY, dice="FS").tile("forest", 0)
    assert play.legal == {"end", "tile:savannah"}
    assert play.do("end").asked == (1, "first")
    assert play.state["cells"][0].startswith("F0 ..")


def test_the_second_tile_ends_the_turn() -> None:
    play = start(EMPTY, dice="FS").tile("forest", 0).tile("savannah", 7)
    assert play.asked == (1, "first")
    assert play.state["cells"][:2] == ["F0 .. .. .. .. ..", ".. S0 .. .. .. .."]


def test_both_tiles_may_be_of_one_terrain() -> None:
    play = start(EMPTY, dice="FF").tile("forest", 0)
    assert play.terrains == {"forest"}
    play.tile("forest", 1)
    assert play.supply(0)["forest"] == 11


def test_a_player_without_any_tile_after_the_first_has_no_second() -> None:
    placed = used_up(forest=1, savannah=1, mountain=1)
    play = start(placed, dice="JJ", tiles=1)
    assert play.asked == (0, "cell")  # only wetland is left, so that it is taken
    assert play.do("cell:40").asked == (1, "first")


# ---------------------------------------------------------------- where tiles go


def test_free_never_depends_on_the_dice_r2() -> None:
    free = set(range(18)) - {3}
    for roll, terrain in (("FF", "forest"), ("JJ", "forest"), ("FF", "wetland")):
        play = start([".. .. .. F1 .. ..", *EMPTY[1:]], dice=roll)
        assert play.do(f"tile:{terrain}").cells == free


def test_the_second_tile_goes_on_any_free_cell_too() -> None:
    play = start(EMPTY).tile("forest", 0).do("tile:forest")
    assert play.cells == set(range(1, 18))


def test_the_tile_leaves_the_supply_when_it_is_placed_not_when_it_is_chosen() -> None:
    play = start(EMPTY).do("tile:mountain")
    assert play.supply(0)["mountain"] == 13
    assert play.do("cell:5").supply(0)["mountain"] == 12


# ---------------------------------------------------------------- whose turn it is


def test_every_turn_takes_the_next_roll() -> None:
    play = start(EMPTY, dice=["FS", "MW", "JJ"], players=3)
    assert play.state["dice"] == "FS"
    assert play.tile("wetland", 0).state["dice"] == "MW"
    assert play.tile("forest", 1).state["dice"] == "JJ"


def test_a_seat_without_tiles_is_passed_over_without_a_roll_r6() -> None:
    gone = ["F1 .. S1 .. M1 .. W1 ..", *([".. .. .. .. .. .. .. .."] * 2)]
    play = start(gone, dice=["FS", "MW"], players=3, tiles=1)
    play.tile("mountain", 1)
    assert play.asked == (2, "first") and play.state["dice"] == "MW"


def test_the_turn_of_a_position_goes_to_the_next_seat_that_has_a_tile_r6() -> None:
    gone = ["F1 .. S1 .. M1 .. W1 ..", *([".. .. .. .. .. .. .. .."] * 2)]
    play = start(gone, seat=1, dice=["FS", "MW"], players=3, tiles=1)
    assert play.asked == (2, "first") and play.state["dice"] == "FS"


def test_with_one_seat_left_it_takes_turn_after_turn_r6() -> None:
    gone = ["F1 .. S1 .. M1 .. W1 ..", *([".. .. .. .. .. .. .. .."] * 2)]
    play = start(gone, dice=["FS", "MW"], players=2, tiles=1)
    assert play.tile("mountain", 1).asked == (0, "first")
    assert play.state["dice"] == "MW"
