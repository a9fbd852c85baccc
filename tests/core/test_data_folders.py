"""Data folders of every game: copied, laid over ours, checked for all mistakes at once, and told apart in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_tools import Capture, genesia, mistake

from genesia_rl.core.data import changes, copy_data, mistakes, whole_text, written
from genesia_rl.core.errors import ConfigError, DataError, NotOffered
from genesia_rl.core.info import GameInfo
from genesia_rl.core.mistakes import each, mistakes_of, noted, settle
from genesia_rl.core.reading import DataFiles, parse_toml, read_table
from genesia_rl.core.registry import game_info, game_names, make_game, register_game

TOY = "toy"
register_game(TOY, "toy", listed=False)
GAMES = [name for name in (*game_names(), TOY) if game_info(name).data is not None]


def toml(table: dict[str, Any]) -> str:
    """A table as a file."""
    lines = [f"{key} = {inline(value)}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def inline(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {inline(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return json.dumps(value)


def lists_of(game: str) -> list[tuple[str, str, str]]:
    """Every list whose entries can be changed one by one: file, list, key."""
    files = files_of(game)
    return [(file, name, key) for file, held in files.entries.items() for name, key in held.items()]


def files_of(game: str) -> DataFiles:
    """The data files of a game."""
    files = game_info(game).data
    assert files is not None
    return files


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_is_whole_has_no_mistakes_and_changes_nothing(tmp_path: Path, game: str) -> None:
    written = copy_data(game, tmp_path / "own")
    assert [path.name for path in written] == list(files_of(game).names)
    assert mistakes(game, str(tmp_path / "own")) == []
    assert changes(game, None, str(tmp_path / "own")) == []
    for name in files_of(game).names:
        assert files_of(game).table(tmp_path / "own", name) == read_table(tmp_path / "own" / name)


@pytest.mark.parametrize("game", GAMES)
def test_a_copy_overwrites_nothing(tmp_path: Path, game: str) -> None:
    first = files_of(game).names[0]
    (tmp_path / first).write_text("mine = 1\n")
    with pytest.raises(ConfigError, match=f"{first}: is there already"):
        copy_data(game, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [first]
    with pytest.raises(ConfigError, match=r"'none\.toml': unknown, allowed are"):
        copy_data(game, tmp_path, ["none.toml"])


@pytest.mark.parametrize("game", GAMES)
def test_each_entry_may_stand_alone_in_a_folder(tmp_path: Path, game: str) -> None:
    """The last entry of each list as ours has it: nothing differs, and the game is made."""
    for file, name, _ in lists_of(game):
        last = files_of(game).table(None, file)[name][-1]  # type: ignore[index]
        (tmp_path / file).write_text(toml({name: [last]}))
        assert files_of(game).table(tmp_path, file) == files_of(game).table(None, file)
    first = files_of(game).names[0]
    (tmp_path / first).touch()
    assert mistakes(game, str(tmp_path)) == [] and changes(game, None, str(tmp_path)) == []
    ours = make_game(game, players=2)
    assert make_game(game, players=2, data=str(tmp_path)).tables.tobytes() == ours.tables.tobytes()


@pytest.mark.parametrize("game", GAMES)
def test_every_mistake_has_its_line(tmp_path: Path, game: str) -> None:
    """An unknown key in two entries of each list, and one beside each list."""
    count = 0
    for file in files_of(game).names:
        table = files_of(game).table(None, file)
        for name in files_of(game).entries.get(file, {}):
            table[name] = [{**entry, "zzz": 1} for entry in table[name][:2]]  # type: ignore[index]
            count += 2
        count += 1
        (tmp_path / file).write_text(toml({**table, "zzz": 2}))
    found = mistakes(game, str(tmp_path))
    assert len(found) == count
    assert all("unknown key 'zzz'" in line and "allowed" in line and str(tmp_path) in line for line in found)


@pytest.mark.parametrize("game", GAMES)
def test_what_is_no_toml_is_one_mistake_and_the_other_files_are_read(tmp_path: Path, game: str) -> None:
    copy_data(game, tmp_path)
    for name in files_of(game).names:
        (tmp_path / name).write_text("[[[")
    assert len(mistakes(game, str(tmp_path))) == len(files_of(game).names)


def test_differences_are_told_in_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ours, files = tmp_path / "ours", ("a.toml", "b.toml")
    ours.mkdir()
    effects = [{"do": "gain", "n": 3}, {"do": "lose", "n": 1}]
    things = [{"number": n, "name": f"T{n}", "cost": n, "effects": effects} for n in (1, 2, 3)]
    (ours / "a.toml").write_text(toml({"thing": things}))
    (ours / "b.toml").write_text(toml({"rooms": [0, 1, 2], "doors": [[0, 1], [1, 2]], "old": 1}))
    info = game_info(TOY)._replace(data=DataFiles(ours, files, {"a.toml": {"thing": "number"}}))
    monkeypatch.setattr("genesia_rl.core.data.game_info", lambda game: info)
    own = tmp_path / "own"
    own.mkdir()
    changed = {**things[1], "cost": 5, "effects": [{"do": "gain", "n": 4, "cap": 6}, effects[1]]}
    (own / "a.toml").write_text(toml({"thing": [changed]}))
    (own / "b.toml").write_text(toml({"rooms": [0, 4, 2], "doors": [[1, 2], [0, 2]]}))
    found = changes("any", None, str(own))
    assert [(change.list, change.number) for change in found] == [("thing", 2), ("", 0), ("", 0)]
    assert [change.told() for change in found] == [
        "thing 2, T2: cost 2 becomes 5; effects 1 (gain) n 3 becomes 4; effects 1 (gain) cap 6 is new",
        "b.toml: rooms: [1] 1 becomes 4",
        "b.toml: doors: [0, 1] is gone; [0, 2] is new",
    ]
    back = changes("any", str(own), None)
    assert back[0].details[0] == "cost 5 becomes 2"


def test_an_entry_stands_once(tmp_path: Path) -> None:
    game = next(name for name in GAMES if lists_of(name))
    file, name, key = lists_of(game)[0]
    first = files_of(game).table(None, file)[name][0]  # type: ignore[index]
    (tmp_path / file).write_text(toml({name: [first, first]}))
    with pytest.raises(DataError, match=f"{name}: {key} = .*, allowed every entry once"):
        files_of(game).table(tmp_path, file)


@pytest.mark.parametrize("game", GAMES)
def test_what_a_file_leaves_out_is_written_beside_what_it_says(tmp_path: Path, game: str) -> None:
    for file in files_of(game).names:
        ours = files_of(game).table(None, file)
        assert parse_toml(file, written(ours)) == ours
        assert whole_text(files_of(game), None, file) == files_of(game).text(file)
    for file, name, key in lists_of(game):
        last = {**files_of(game).table(None, file)[name][-1], "more": [{"a": "b", "c": [True]}, {}]}  # type: ignore[index]
        (tmp_path / file).write_text(toml({name: [last]}))
        text = whole_text(files_of(game), str(tmp_path), file)
        assert parse_toml(file, text) == files_of(game).table(tmp_path, file)
        assert text.count(f"[[{name}]]") > 1 and key in text


def test_a_game_without_data_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    info: GameInfo = game_info(TOY)._replace(data=None)
    monkeypatch.setattr("genesia_rl.core.data.game_info", lambda game: info)
    with pytest.raises(NotOffered, match="offers no data files"):
        mistakes("any", "folder")


# ---------------------------------------------------------------- collecting


@noted(0)
def number(text: str) -> int:
    """A field."""
    if not text.isdecimal():
        raise DataError(f"{text}: no number")
    return int(text)


def entry(texts: list[str]) -> int:
    """An entry of some fields, and what is asked of them together."""
    found = sum(map(number, texts))
    settle()
    if found > 9:
        raise DataError(f"{found}: too much")
    return found


def test_outside_of_a_check_the_first_mistake_is_raised() -> None:
    with pytest.raises(DataError, match="a: no number"):
        each(entry, [["a", "b"], ["c"]])
    assert each(entry, [["1", "2"], ["3"]]) == (3, 3)


def test_all_fields_of_all_entries_are_told_and_nothing_that_follows_from_them() -> None:
    read: Callable[[], object] = lambda: each(entry, [["a", "99", "b"], ["5", "6"], ["1"]])  # noqa: E731
    assert mistakes_of([read, read]) == ["a: no number", "b: no number", "11: too much"]
    assert mistakes_of([lambda: entry(["1"])]) == []


def test_what_is_broken_in_a_reader_is_no_mistake_of_the_file() -> None:
    with pytest.raises(ZeroDivisionError):
        mistakes_of([lambda: 1 // 0])
    with pytest.raises(KeyError):
        mistakes_of([lambda: dict[str, int]()["key"]])


# ---------------------------------------------------------------- the commands


def test_the_commands_copy_and_check(tmp_path: Path, capsys: Capture) -> None:
    game, own = GAMES[0], tmp_path / "own"
    code, out, _ = genesia(capsys, "data", "copy", str(own), "--game", game)
    assert (code, out.split()) == (0, [str(own / name) for name in files_of(game).names])
    code, out, err = genesia(capsys, "data", "check", str(own), "--game", game)
    assert (code, out) == (0, "") and "no mistakes; no entries differ" in err
    first = own / files_of(game).names[0]
    first.write_text("zzz = 1\nyyy = 2\n" + first.read_text())
    code, out, err = genesia(capsys, "data", "check", str(own), "--game", game)
    assert code == 1 and "2 mistakes" in err
    assert [line.split("unknown key ")[1][:5] for line in out.splitlines()] == ["'zzz'", "'yyy'"]
    assert "is not there" in mistake(capsys, "data", "check", str(tmp_path / "none"), "--game", game)


# ---------------------------------------------------------------- sets that come with a game

SETS = [(game, name) for game in GAMES for name in files_of(game).sets]


@pytest.mark.parametrize(("game", "name"), SETS)
def test_a_set_is_a_folder_that_is_known_by_its_name(game: str, name: str) -> None:
    files = files_of(game)
    assert mistakes(game, name) == []
    folder = str(files.folder(name))
    assert changes(game, None, name) == changes(game, None, folder) != []
    players = game_info(game).all_players[-1]
    one, other = make_game(game, players=players, data=name), make_game(game, players=players, data=folder)
    assert one.tables.tobytes() == other.tables.tobytes() != make_game(game, players=players).tables.tobytes()


def test_the_name_of_a_set_means_the_same_in_every_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("late").mkdir()
    Path("late/pig.toml").write_text("later = 7\n")
    assert make_game(TOY, data="late").tables["later"] == 6
    assert make_game(TOY, data="./late").tables["later"] == 7
    Path("own.toml").write_text("data = 'late'\n")
    assert game_info(TOY).read_config("own.toml") == {"data": "late"}
    code, out, _ = genesia(capsys, "data", "check", "--game", TOY, "late")
    assert code == 0 and out.startswith("pig.toml: later: 0 becomes 6")
    with pytest.raises(ConfigError, match=r"data = 'lat', allowed the path .*, late \(did you mean late\?\)"):
        make_game(TOY, data="lat")
