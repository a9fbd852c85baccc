"""The data files of RULES 10: what they say, and every refusal."""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from genesia_rl.core.errors import DataError
from genesia_rl.core.reading import parse_toml, read_text
from genesia_rl.games.genesis.data.board import check_board, read_board
from genesia_rl.games.genesis.data.pieces import check_pieces, load_data
from genesia_rl.games.genesis.data.reading import BOARD_FILE, PACKAGE_DATA, PIECES_FILE

Table = dict[str, Any]
BOARD: Table = tomllib.loads((PACKAGE_DATA / BOARD_FILE).read_text())
PIECES: Table = tomllib.loads((PACKAGE_DATA / PIECES_FILE).read_text())


def changed(table: Table, path: str, value: object) -> Table:
    """A copy with another value; `source.name` goes into a table."""
    copied = copy.deepcopy(table)
    *folders, key = path.split(".")
    inner = copied
    for folder in folders:
        inner = inner[folder]
    if value is None:
        del inner[key]
    else:
        inner[key] = value
    return copied


def refusal(check: Callable[[], object]) -> str:
    with pytest.raises(DataError) as caught:
        check()
    assert "\n" not in str(caught.value) and str(caught.value).startswith("file: ")
    assert "allowed" in str(caught.value)
    return str(caught.value)


def with_row(number: int, row: str) -> list[str]:
    return [row if place == number else old for place, old in enumerate(BOARD["rows"])]


# ---------------------------------------------------------------- what they say


def test_our_own_files_are_read() -> None:
    data = load_data()
    assert data.board.counts() == {key: BOARD[key] for key in data.board.counts()}
    assert (data.pieces.tiles, data.pieces.species) == (13, ("reptile", "dinosaur", "mammal", "human"))


def test_every_other_key_has_a_source() -> None:
    for table in (BOARD, PIECES):
        assert set(table["source"]) == set(table) - {"source"}
        assert set(table["source"].values()) == {"rulebook", "reconstructed"}


def test_a_board_of_ones_own_needs_rows_only() -> None:
    board = check_board("file", {"rows": ["...", ".V."]}, standard=False)
    assert board.rows == ("...", ".V.") and board.river is None


def test_a_board_of_ones_own_may_have_all_keys_and_another_name() -> None:
    assert check_board("file", changed(BOARD, "name", "mine"), standard=False) == load_data().board


# ---------------------------------------------------------------- boards

STANDARD_ONLY: list[tuple[str, object, str]] = [
    *((key, None, f"the key {key} is missing") for key in BOARD),
    ("name", "mine", "name = 'mine', allowed standard"),
    ("source.rows", None, "source: the key rows is missing"),
]
ANY_BOARD: list[tuple[str, object, str]] = [
    ("colour", "red", "unknown key 'colour' = 'red'"),
    ("name", 3, "name = 3, allowed"),
    ("name", "", "name = '', allowed"),
    ("width", 15, "width = 15, allowed 14, as rows and river have it"),
    ("height", 9, "height = 9, allowed 10"),
    ("reliefs", 23, "reliefs = 23, allowed 22"),
    ("volcanoes", 11, "volcanoes = 11, allowed 10"),
    ("pits", 11, "pits = 11, allowed 12"),
    ("pits", 12.0, "pits = 12.0, allowed 12"),
    ("beyond", 31, "beyond = 31, allowed 30"),
    ("rows", "....", "rows = '....', allowed 2..16 strings"),
    ("rows", ["...."], "allowed 2..16 strings"),
    ("rows", with_row(3, ".." * 8), "rows[3] = '................', allowed 14 characters"),
    ("rows", with_row(3, "..P......p...."), "rows[3] = '..P......p....', allowed the characters . V P"),
    ("river", 3, "river = 3, allowed 10 numbers"),
    ("river", [12] * 9, "allowed 10 numbers"),
    ("river", [12, 11, 11, 10, 10, 11, 11, 12, 11, 15], "river[9] = 15, allowed 0..14"),
    ("river", [12, 11, 11, 10, 10, 11, 11, 12, 11, "11"], "river[9] = '11', allowed 0..14"),
    ("source", "rulebook", "source = 'rulebook', allowed a table"),
    ("source.rows", "guess", "source.rows = 'guess', allowed rulebook or reconstructed"),
    ("source.colour", "rulebook", "source: unknown key 'colour' = 'rulebook'"),
    ("source.source", "rulebook", "source: unknown key 'source' = 'rulebook'"),
]


@pytest.mark.parametrize(("path", "value", "error"), [*STANDARD_ONLY, *ANY_BOARD])
def test_a_standard_board_that_is_wrong_is_refused(path: str, value: object, error: str) -> None:
    assert error in refusal(lambda: check_board("file", changed(BOARD, path, value), standard=True))


@pytest.mark.parametrize(("path", "value", "error"), ANY_BOARD)
def test_a_board_of_ones_own_that_is_wrong_is_refused(path: str, value: object, error: str) -> None:
    assert error in refusal(lambda: check_board("file", changed(BOARD, path, value), standard=False))


@pytest.mark.parametrize(
    ("rows", "counts", "error"),
    [
        (
            with_row(0, "....P....V...P"),
            {"reliefs": 23, "pits": 13},
            "reliefs of rows = 23, allowed 22, as the rulebook",
        ),
        ([*BOARD["rows"], "." * 14], {"height": 11}, "height of rows = 11, allowed 10"),
        ([row[:13] for row in BOARD["rows"]], {"width": 13}, "allowed"),
    ],
)
def test_the_standard_board_keeps_to_the_numbers_of_the_rulebook(
    rows: list[str], counts: Table, error: str
) -> None:
    table = {**copy.deepcopy(BOARD), "rows": rows, **counts}
    table["river"] = (table["river"] + [14])[: len(rows)]
    for key in ("volcanoes", "pits", "reliefs", "beyond"):
        if key not in counts:
            marks = "".join(rows)
            true = {"volcanoes": marks.count("V"), "pits": marks.count("P")}
            true |= {"reliefs": sum(true.values()), "beyond": sum(len(rows[0]) - x for x in table["river"])}
            table[key] = true[key]
    assert error in refusal(lambda: check_board("file", table, standard=True))


def test_the_standard_board_has_a_river() -> None:
    table = changed(BOARD, "river", None)
    table["source"].pop("river")
    assert "the key river is missing" in refusal(lambda: check_board("file", table, standard=True))


def test_a_reconstructed_standard_board_is_one_connected_group() -> None:
    rows = list(BOARD["rows"])  # the corner at the top left is cut off by two reliefs that are moved there
    rows[0] = ".V" + rows[0][2:].replace("P", ".")
    rows[1] = "P" + rows[1][1:].replace("V", ".")
    table = {**copy.deepcopy(BOARD), "rows": rows}
    assert "allowed one connected group" in refusal(lambda: check_board("file", table, standard=True))
    table["source"]["rows"] = "rulebook"  # the owner of the box knows better
    assert check_board("file", table, standard=True).rows == tuple(rows)


@pytest.mark.parametrize(
    ("rows", "river", "players"),
    [(["..V", "VV."], None, 2), (["...", "..."], [1, 1], 2), (["..V.", "VVVV"], [4, 4], 2)],
)
def test_a_board_has_room_for_every_number_of_players(rows: list[str], river: Any, players: int) -> None:
    table = {"rows": rows} if river is None else {"rows": rows, "river": river}
    error = refusal(lambda: check_board("file", table, standard=False))
    assert "three connected cells" in error and f"with {players} players" in error


# ---------------------------------------------------------------- pieces

DIE = ["forest", "savannah", "mountain", "wetland", "joker", "joker"]
BAD_PIECES: list[tuple[str, object, str]] = [
    *((key, None, f"the key {key} is missing") for key in ("species", "tiles", "dice")),
    ("source", None, "the key source is missing"),
    ("jokers", 2, "unknown key 'jokers' = 2"),
    ("species", ["a", "b", "c"], "allowed 4 different names"),
    ("species", ["a", "b", "c", "c"], "allowed 4 different names"),
    ("species", ["a", "b", "c", ""], "allowed 4 different names"),
    ("species", ["a", "b", "c", 4], "allowed 4 different names"),
    ("species", "abcd", "allowed 4 different names"),
    ("tiles", 0, "tiles = 0, allowed 1..40"),
    ("tiles", 41, "tiles = 41, allowed 1..40"),
    ("tiles", True, "tiles = True, allowed 1..40"),
    ("tiles", "13", "tiles = '13', allowed 1..40"),
    ("dice", DIE, "dice = ['forest'"),
    ("dice", [DIE], "allowed two lists of 6 faces"),
    ("dice", [DIE, DIE[:5]], "dice[1] = ['forest'"),
    ("dice", [DIE, 6], "dice[1] = 6, allowed a list of 6 faces"),
    ("dice", [[*DIE[:5], "jocker"], DIE], "dice[0][5] = 'jocker', allowed forest, savannah"),
    ("dice", [DIE, ["forest", *DIE[1:3], "forest", *DIE[4:]]], "dice[1] = ["),
    ("dice", [DIE, [*DIE[:4], "forest", "forest"]], "allowed at least one face joker"),
    ("source.tiles", "box", "source.tiles = 'box', allowed rulebook or reconstructed"),
    ("source.dice", None, "source: the key dice is missing"),
]


@pytest.mark.parametrize(("path", "value", "error"), BAD_PIECES)
def test_pieces_that_are_wrong_are_refused(path: str, value: object, error: str) -> None:
    table = changed(PIECES, path, value)
    if value is None and path in PIECES["source"]:
        del table["source"][path]
    assert error in refusal(lambda: check_pieces("file", table))


def test_dice_may_have_other_numbers_of_faces_as_long_as_each_is_there() -> None:
    die = ["joker", "forest", "forest", "savannah", "mountain", "wetland"]
    assert check_pieces("file", changed(PIECES, "dice", [die, DIE])).dice == (tuple(die), tuple(DIE))


# ---------------------------------------------------------------- files


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read_board(tmp_path / "none.toml")
    (tmp_path / "a.toml").write_bytes(b'rows = ["\xff"]')
    with pytest.raises(DataError, match="is not UTF-8"):
        read_board(tmp_path / "a.toml")
    (tmp_path / "a.toml").write_text("rows = [")
    with pytest.raises(DataError, match="is not TOML"):
        read_board(tmp_path / "a.toml")


def test_a_mark_before_utf_8_is_no_part_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text('rows = ["..", ".."]', encoding="utf-8-sig")
    assert parse_toml("a", read_text(tmp_path / "a.toml")) == {"rows": ["..", ".."]}
