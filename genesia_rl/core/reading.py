"""Reading what people write: data files that an owner of a box may replace, and files of settings.

Every refusal is one line: where it stands, key, value, and what is allowed.
"""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeGuard

from genesia_rl.core.errors import ArgumentError, ConfigError, DataError
from genesia_rl.core.mistakes import complain, noted

#: Letters of a file that somebody has written: a device gives them without end.
LONGEST = 1 << 26

Table = Mapping[str, object]


# ---------------------------------------------------------------- refusing


def shown(value: object) -> str:
    """The value as an error prints it: on one line, and never a whole file."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits, lists in lists in lists
        text = f"{type(value).__name__} without end"
    text = " ".join(text.split()) if "\n" in text else text
    return text if len(text) <= 100 else text[:97] + "..."


def nearest(word: object, known: Iterable[str]) -> str:
    """A suggestion for a word that is probably misspelt, or nothing."""
    match = get_close_matches(word, list(known), n=1) if isinstance(word, str) else []
    return f" (did you mean {match[0]}?)" if match else ""


def is_int(value: object, low: int, high: int) -> TypeGuard[int]:
    """An integer of the range; true and false are not integers here, though Python thinks so."""
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def refuse(where: str, key: str, value: object, allowed: str) -> NoReturn:
    """Raise the one-line error of a data file."""
    raise mistake(where, key, value, allowed)


def mistake(where: str, key: str, value: object, allowed: str) -> DataError:
    """The same, to be raised or noted."""
    return DataError(f"{where}: {key} = {shown(value)}, allowed {allowed}")


def refuse_field(field: str, value: object, allowed: str) -> NoReturn:
    """Raise the one-line error of a configuration."""
    raise ConfigError(f"{field} = {shown(value)}, allowed {allowed}")


# ---------------------------------------------------------------- keys


def check_keys(where: str, table: Table, required: Iterable[str], optional: Iterable[str] = ()) -> None:
    """Every required key is there and no other; a misspelt key is reported as unknown, not as missing."""
    required = tuple(required)
    known = (*required, *optional)
    for key in table:
        if key not in known:
            words = ", ".join(known) + nearest(key, known)
            complain(mistake(where, f"unknown key {key!r}", table[key], words))
    for key in required:
        if key not in table:
            complain(DataError(f"{where}: the key {key} is missing, allowed {', '.join(known)}"))


@noted(1)
def take_int(where: str, table: Table, key: str, low: int, high: int) -> int:
    """The integer under a key."""
    value = table[key]
    if not is_int(value, low, high):
        refuse(where, key, value, f"an integer {low}..{high}")
    return value


@noted("")
def take_word(where: str, table: Table, key: str, words: Sequence[str]) -> str:
    """The word under a key, out of a fixed list."""
    value = table[key]
    if not isinstance(value, str) or value not in words:
        refuse(where, key, value, ", ".join(words) + nearest(value, words))
    return value


# ---------------------------------------------------------------- files


class DataFiles(NamedTuple):
    """The data files of a game: the folder that holds ours, their names, and which entries they are made of.

    A folder of somebody's own is laid over ours entry by entry. So is a set, a folder beside our files that comes with
    the game and is known by its name. An entry is a `[[table]]` of a list in `entries` (file
    -> list -> the key by which its tables are known), or else whatever stands under a key of the file; each is
    whole, and what a file leaves out is as in ours. `made` are files of ours that are worked out; a file of a folder
    that has a key of `instead` (file -> key -> key) does not get the other key from ours.
    """

    ours: Path
    names: tuple[str, ...]
    entries: Mapping[str, Mapping[str, str]] = {}
    made: Mapping[str, Callable[[], str]] = {}
    instead: Mapping[str, Mapping[str, str]] = {}

    @property
    def sets(self) -> tuple[str, ...]:
        """The names of the sets that come with the game."""
        return tuple(sorted({path.parent.name for path in self.ours.glob("*/*.toml")}))

    def folder(self, data: str | Path) -> Path:
        """Where the files of a set are, or of a folder of somebody's own."""
        return self.ours / data if data in self.sets else Path(data)

    def path(self, data: str | Path | None, name: str) -> Path:
        """A folder's own file, or ours where the folder has none of that name."""
        if data is None:
            return self.ours / name
        folder = self.folder(data)
        self.check(folder)
        path = folder / name
        # A link that leads nowhere counts as a file, so that it is reported and not passed over.
        return path if os.path.lexists(path) else self.ours / name

    def check(self, folder: Path) -> None:
        """A folder is there and holds files that are read; a misspelt name would go unnoticed."""
        if not folder.is_dir():
            raise DataError(f"{folder}: is not there, allowed a folder with data files")
        found = sorted(path.name for path in folder.glob("*.toml"))
        for name in found or [""]:
            if name not in self.names:
                what = f"the file {name} is not read" if name else "has no data file"
                known = ", ".join(self.names) + nearest(name, self.names)
                raise DataError(f"{folder}: {what}, allowed {known}")

    def text(self, name: str) -> str:
        """A file of ours as it is written."""
        return self.made[name]() if name in self.made else read_text(self.ours / name)

    def own(self, data: str | Path | None, name: str) -> dict[str, object] | None:
        """What a folder itself says in a file; None if it has no such file."""
        path = self.path(data, name)
        return read_table(path) if data is not None and path.parent == self.folder(data) else None

    def table(self, data: str | Path | None, name: str) -> dict[str, object]:
        """A file as it holds: ours, with the entries of a folder laid over it."""
        ours, own = parse_toml(str(self.ours / name), self.text(name)), self.own(data, name)
        if own is None:
            return ours
        for key, other in self.instead.get(name, {}).items():
            if key in own and other not in own:
                del ours[other]
        where, lists = str(self.path(data, name)), self.entries.get(name, {})
        laid = {
            key: _laid_over(f"{where}: {key}", ours[key], value, lists[key]) if key in lists else value
            for key, value in own.items()
        }
        return {**ours, **laid}


def _laid_over(where: str, ours: object, own: object, key: str) -> object:
    """A list of tables over ours, each in the place of ours that has the same value under the key.

    A list that cannot be laid over ours stands alone: the game says what is wrong with it.
    """
    if not isinstance(ours, list) or not isinstance(own, list):
        return own
    named = [entry.get(key) if isinstance(entry, dict) else None for entry in own]
    places = {entry[key]: place for place, entry in enumerate(ours)}
    if not all(isinstance(name, str | int) and not isinstance(name, bool) for name in named):
        return own
    if len(own) >= len(ours) or any(name not in places for name in named):
        return own
    whole = list(ours)
    for name, entry in zip(named, own, strict=True):
        if named.count(name) > 1:
            refuse(where, key, name, "every entry once")
        whole[places[name]] = entry
    return whole


def read_text(path: Path) -> str:
    """A file's text; the mark that some editors put in front of UTF-8 is not part of it."""
    try:
        with path.open(encoding="utf-8-sig") as file:
            text = file.read(LONGEST + 1)
        if len(text) > LONGEST:
            raise DataError(f"{path}: is longer than {LONGEST} letters, allowed are files of people's size")
        return text
    except OSError as error:
        raise DataError(f"{path}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}: is not UTF-8: {error}") from error


def parse_toml(file: str, text: str) -> dict[str, object]:
    """A TOML text as a table."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file}: is not TOML: {one_line(error)}, allowed is TOML") from error


def parse_json(file: str, text: str) -> object:
    """The content of a JSON text; a key that stands twice in a table is refused, as nobody knows which is meant."""
    try:
        content: object = json.loads(text, object_pairs_hook=_table, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{file}: is not JSON: {one_line(error)}") from error
    return content


def one_line(error: BaseException) -> str:
    """What an error says, shortened to one line."""
    return shown(Plain(" ".join(str(error).split()) or type(error).__name__))


class Plain(str):
    """A text that is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _table(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {shown(twice)} stands twice in a table")
    return found


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def read_table(path: Path) -> dict[str, object]:
    """A TOML file as a table."""
    return parse_toml(str(path), read_text(path))


# ---------------------------------------------------------------- configurations


def given_fields(mapping: object, known: Sequence[str]) -> dict[str, object]:
    """The fields that are not left at their default, all of them known."""
    if not isinstance(mapping, Mapping):
        refuse_field("config", mapping, "a table of fields")
    for name, value in mapping.items():
        if name not in known:
            allowed = ", ".join(known) + nearest(name, known)
            raise ArgumentError(f"unknown field {name!r} = {shown(value)}, allowed {allowed}")
    return {name: value for name, value in mapping.items() if value is not None}


def read_fields(path: str | Path, known: Sequence[str], files: DataFiles) -> dict[str, object]:
    """The known fields that a configuration file sets: JSON if it is called so, else TOML."""
    file = Path(path)
    parse: Callable[[str, str], object] = parse_json if file.suffix.lower() == ".json" else parse_toml
    try:
        content = parse(str(file), read_text(file))
    except DataError as error:
        raise ConfigError(str(error)) from error
    try:
        fields = given_fields(content, known)
    except ConfigError as error:
        raise ConfigError(f"{file}: {error}") from error
    if isinstance(data := fields.get("data"), str):
        fields["data"] = beside(file, data, files)
    return fields


def beside(file: Path, data: str, files: DataFiles) -> str:
    """The data of a configuration file: a relative folder is meant from where the file is."""
    return data if data in files.sets else str(file.parent / data)


def own_folder(fields: Mapping[str, object], files: DataFiles) -> str | None:
    """The field `data`: a folder with data of one's own, which must be there, or a set that comes with the game."""
    value = fields.get("data")
    if value is None:
        return None
    folder = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not isinstance(folder, str) or not folder or not files.folder(folder).is_dir():
        allowed = ", ".join(("the path of a folder that exists", *files.sets)) + nearest(folder, files.sets)
        refuse_field("data", value, allowed)
    return folder
