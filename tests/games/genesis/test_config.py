"""The configuration of RULES 3, its text forms, and its refusals."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path
from typing import Any

import pytest
from games.genesis.playing import game_of

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.games.genesis.config import Config, load_config, read_fields
from genesia_rl.games.genesis.data.pieces import load_data
from genesia_rl.games.genesis.data.reading import DATA_FILES, PACKAGE_DATA
from genesia_rl.games.genesis.info import INFO
from genesia_rl.games.genesis.variants import VARIANTS

FIELDS = ["players", "tiles", "first_player", "board"]
ROWS = ["..V", "...", "P.."]
STANDARD = load_data().board


def refusal(**fields: object) -> str:
    """The error that a configuration is refused with; always one line."""
    with pytest.raises(ConfigError) as caught:
        Config.make(**fields)
    assert "\n" not in str(caught.value)
    assert "allowed" in str(caught.value)
    return str(caught.value)


# ---------------------------------------------------------------- defaults


def test_the_defaults_are_those_of_section_3() -> None:
    assert Config.make().to_dict() == {"players": 2, "tiles": 13, "first_player": None, "board": "standard"}
    assert list(Config.make().to_dict()) == FIELDS


@pytest.mark.parametrize("field", [*FIELDS, "data"])
def test_null_means_the_default(field: str) -> None:
    assert Config.from_dict({field: None}) == Config.make()


def test_a_configuration_can_be_a_key_and_be_pickled() -> None:
    own = Config.make(board={"rows": ROWS})
    assert len({Config.make(), Config.make(players=2), Config.make(players=3), own}) == 3
    assert pickle.loads(pickle.dumps(own)) == own


@pytest.mark.parametrize("name", VARIANTS)
def test_a_resolved_configuration_is_accepted_again(name: str) -> None:
    resolved = Config.from_dict(VARIANTS[name]).to_dict()
    assert list(resolved) == FIELDS
    assert Config.from_dict(json.loads(json.dumps(resolved))).to_dict() == resolved


def test_the_variants_use_every_field() -> None:
    assert {field for fields in VARIANTS.values() for field in fields} == set(FIELDS)


# ---------------------------------------------------------------- boards of one's own


def test_a_board_of_ones_own_has_both_keys() -> None:
    assert Config.make(board={"rows": ROWS}).to_dict()["board"] == {"rows": ROWS, "river": None}
    assert Config.make(board={"rows": ROWS, "river": [2, 3, 3]}).to_dict()["board"] == {
        "rows": ROWS, "river": [2, 3, 3],
    }  # fmt: skip


def test_a_board_of_ones_own_is_never_turned_into_standard() -> None:
    same = {"rows": list(STANDARD.rows), "river": list(STANDARD.river or ())}
    config = Config.make(board=same)
    assert config.to_dict()["board"] == same and config != Config.make()
    assert config.board == STANDARD


@pytest.mark.parametrize("size", [(2, 2), (2, 16), (16, 2), (16, 16)])
def test_boards_have_2_to_16_rows_and_columns(size: tuple[int, int]) -> None:
    height, width = size
    assert Config.make(board={"rows": ["." * width] * height}).board.cells == height * width


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize("value", [1, 5, 0, -2, "2", 2.0, True, [2]])
def test_players_are_2_to_4(value: object) -> None:
    assert refusal(players=value) == f"players = {value!r}, allowed 2..4"


@pytest.mark.parametrize("value", [0, 41, "13", 13.0, True])
def test_tiles_are_1_to_40(value: object) -> None:
    assert refusal(tiles=value) == f"tiles = {value!r}, allowed 1..40"


@pytest.mark.parametrize(("players", "value"), [(2, 2), (4, 4), (2, -1), (3, "0"), (2, True), (2, 0.0)])
def test_the_first_player_is_a_seat_of_the_game(players: int, value: object) -> None:
    error = refusal(players=players, first_player=value)
    assert error.startswith(f"first_player = {value!r}, allowed 0..{players - 1}")


def test_an_unknown_field_is_refused() -> None:
    assert refusal(player=3) == (
        "unknown field 'player' = 3, allowed players, tiles, first_player, board, data "
        "(did you mean players?)"
    )
    assert "unknown field 'river'" in refusal(river=[1, 2])


@pytest.mark.parametrize("value", ["standart", "own", 3, ["..", ".."], True, ""])
def test_a_board_is_standard_or_an_object(value: object) -> None:
    assert refusal(board=value).startswith(f"board = {value!r}, allowed")


BAD_BOARDS: list[tuple[dict[str, Any], str]] = [
    ({}, "board: the key rows is missing"),
    ({"river": [1]}, "board: the key rows is missing"),
    ({"rows": ROWS, "name": "mine"}, "board: unknown key 'name' = 'mine', allowed rows, river"),
    ({"rows": None}, "board: rows = None, allowed 2..16 strings"),
    ({"rows": "..."}, "board: rows = '...', allowed 2..16 strings"),
    ({"rows": ["..."]}, "board: rows = ['...'], allowed 2..16 strings"),
    ({"rows": ["..."] * 17}, "allowed 2..16 strings"),
    ({"rows": ["...", 3]}, "board: rows[1] = 3, allowed a string of 2..16 characters"),
    ({"rows": [".", "."]}, "board: rows[0] = '.', allowed a string of 2..16 characters"),
    ({"rows": ["." * 17] * 2}, "allowed a string of 2..16 characters"),
    ({"rows": ["...", ".."]}, "board: rows[1] = '..', allowed 3 characters, like the first row"),
    ({"rows": ["...", ".X."]}, "board: rows[1] = '.X.', allowed the characters . V P"),
    ({"rows": ["...", ".v."]}, "board: rows[1] = '.v.', allowed the characters . V P"),
    ({"rows": ROWS, "river": [1, 2]}, "board: river = [1, 2], allowed 3 numbers, one for each row"),
    ({"rows": ROWS, "river": 3}, "board: river = 3, allowed 3 numbers, one for each row"),
    ({"rows": ROWS, "river": [3, 3, 4]}, "board: river[2] = 4, allowed 0..3"),
    ({"rows": ROWS, "river": [3, -1, 3]}, "board: river[1] = -1, allowed 0..3"),
    ({"rows": ROWS, "river": [3, True, 3]}, "board: river[1] = True, allowed 0..3"),
    ({"rows": ROWS, "river": [3, 2.0, 3]}, "board: river[1] = 2.0, allowed 0..3"),
]


@pytest.mark.parametrize(("board", "error"), BAD_BOARDS)
def test_a_board_that_breaks_a_constraint_is_refused(board: dict[str, Any], error: str) -> None:
    assert error in refusal(board=board)


@pytest.mark.parametrize("rows", [["..V", "VV."], [".V.", "V.V", ".V."], ["VV", "VV"]])
def test_a_board_without_room_is_refused(rows: list[str]) -> None:
    assert "three connected cells" in refusal(board={"rows": rows})


def test_room_is_asked_for_the_number_of_players_of_this_game() -> None:
    board = {"rows": ["...", "..."], "river": [1, 1]}
    assert "in use by 2 players" in refusal(players=2, board=board)
    assert Config.make(players=3, board=board).board.cells == 6


def test_a_configuration_is_a_table() -> None:
    with pytest.raises(ConfigError, match="a table of fields"):
        Config.from_dict([("players", 2)])  # type: ignore[arg-type]


# ---------------------------------------------------------------- data folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of our own data."""
    for name in DATA_FILES.names:
        shutil.copy(PACKAGE_DATA / name, tmp_path / name)
    return tmp_path


def test_a_data_folder_replaces_the_pieces(folder: Path) -> None:
    text = (folder / "pieces.toml").read_text()
    (folder / "pieces.toml").write_text(text.replace("tiles = 13", "tiles = 16"))
    config = Config.make(data=str(folder))
    assert config.to_dict() == Config.make(tiles=16).to_dict() | {"data": str(folder)}
    assert Config.make(data=folder, tiles=5).tiles == 5
    assert game_of(data=str(folder)).tables[0]["start"]["supply"][0].tolist() == [16] * 4


def test_a_data_folder_replaces_the_dice(folder: Path) -> None:
    text = (folder / "pieces.toml").read_text()
    first = '["forest", "savannah", "mountain", "wetland", "joker", "joker"]'
    text = text.replace(first, '["forest", "forest", "savannah", "mountain", "wetland", "joker"]', 1)
    (folder / "pieces.toml").write_text(text)
    rolls = game_of(data=str(folder)).tables[0]["roll"].tolist()
    assert [roll // 5 for roll in rolls[::6]] == [0, 0, 1, 2, 3, 4]
    assert [roll % 5 for roll in rolls[:6]] == [0, 1, 2, 3, 4, 4]


def test_a_data_folder_replaces_the_standard_board(folder: Path) -> None:
    text = (folder / "board.toml").read_text()
    (folder / "board.toml").write_text(text.replace('"....P....V....",', '"...P.....V....",'))
    config = Config.make(data=str(folder))
    assert config.to_dict()["board"] == "standard" and config.board.rows[0] == "...P.....V...."
    assert 3 not in config.board.in_use(2) and 4 in config.board.in_use(2)


def test_a_file_that_is_not_in_the_folder_is_ours(folder: Path) -> None:
    (folder / "board.toml").unlink()
    assert Config.make(data=str(folder)).board == STANDARD


@pytest.mark.parametrize("value", ["no such folder", "", 3, ["data"]])
def test_a_data_folder_exists(value: object) -> None:
    assert refusal(data=value) == f"data = {value!r}, allowed the path of a folder that exists"


def test_a_data_folder_holds_data_files_only(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    (folder / "bord.toml").write_text("")
    with pytest.raises(DataError, match=r"bord\.toml is not read, allowed .*did you mean board\.toml"):
        Config.make(data=str(folder))
    with pytest.raises(DataError, match="has no data file"):
        Config.make(data=str(tmp_path_factory.mktemp("empty")))


# ---------------------------------------------------------------- files and the command line


def test_a_configuration_file_is_toml_or_json(tmp_path: Path) -> None:
    toml, js = tmp_path / "a.toml", tmp_path / "a.json"
    toml.write_text('players = 3\n[board]\nrows = ["...", "..."]\n')
    js.write_text(json.dumps({"players": 3, "board": {"rows": ["...", "..."], "river": None}}))
    assert load_config(toml) == load_config(js) == Config.make(players=3, board={"rows": ["...", "..."]})


def test_a_relative_data_folder_is_meant_from_where_the_file_is(folder: Path) -> None:
    (folder / "sub").mkdir()
    file = folder / "sub" / "config.json"
    file.write_text('{"data": ".."}')
    assert Path(str(read_fields(file)["data"])).resolve() == folder.resolve()


@pytest.mark.parametrize(
    ("name", "text"), [("a.toml", "players ="), ("a.json", "{"), ("a.json", "[]"), ("a.toml", "plaiers = 3")]
)
def test_a_bad_configuration_file_is_refused_by_its_name(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path / name)
    assert str(tmp_path / name) in str(caught.value)


def test_a_missing_configuration_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_fields(tmp_path / "none.toml")


def test_a_bad_value_in_a_file_is_refused_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_text("players = 7")
    with pytest.raises(ConfigError, match=r"a\.toml: players = 7, allowed 2\.\.4"):
        load_config(tmp_path / "a.toml")


def option(flag: str, value: object) -> dict[str, Any]:
    """The fields that an option of the command line sets."""
    found = {option.flag: option for option in INFO.options}[flag]
    return found.fields(value)


def test_the_options_set_the_fields(tmp_path: Path) -> None:
    assert option("--players", 3) == {"players": 3}
    assert option("--tiles", 16) == {"tiles": 16}
    assert option("--first-player", 1) == {"first_player": 1}
    assert option("--data", "x") == {"data": "x"}
    assert option("--board", "standard") == {"board": None}


def test_the_option_board_reads_a_board_file_with_its_rows_and_river(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('name = "mine"\nrows = ["....", "...."]\nriver = [3, 2]\n')
    assert option("--board", str(file)) == {"board": {"rows": ["....", "...."], "river": [3, 2]}}
    file.write_text('rows = ["....", "...."]\n')
    assert option("--board", str(file)) == {"board": {"rows": ["....", "...."], "river": None}}
    file.write_text('rows = ["....", "...?"]\n')
    with pytest.raises(ConfigError, match=r"mine\.toml: rows\[1\] = '\.\.\.\?', allowed"):
        option("--board", str(file))


def test_the_terrains_are_explained() -> None:
    assert INFO.numbers("terrain", None) == (0, 1, 2, 3)
    assert "wetland (blue, W in traces)" in INFO.explain("terrain", 3, None)
    with pytest.raises(ConfigError, match=r"terrain 4: unknown, allowed are 0\.\.3"):
        INFO.explain("terrain", 4, None)
    assert INFO.full(3) == {"players": 3} and INFO.all_players == (2, 3, 4)
