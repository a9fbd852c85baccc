"""What a data folder says: a copy of ours to begin with, its mistakes, and how two folders differ in words."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from genesia_rl.core.errors import ConfigError, NotOffered
from genesia_rl.core.files import replace_text
from genesia_rl.core.info import GameInfo
from genesia_rl.core.mistakes import mistakes_of
from genesia_rl.core.reading import DataFiles, parse_toml, read_text
from genesia_rl.core.registry import game_info

Folder = str | None  # None: ours
_ABSENT = object()


class Change(NamedTuple):
    """An entry that two folders have otherwise: `list` and `number` are those of a `[[list]]`, or `""` and 0."""

    file: str
    list: str
    number: int
    entry: str  # in words: `card 3, Flint deposit`
    details: tuple[str, ...]  # `cost 3 becomes 2`

    def told(self) -> str:
        """On one line."""
        return f"{self.entry}: {'; '.join(self.details)}"


def data_of(game: str) -> DataFiles:
    """The data files of a game; an error if it has none."""
    found = game_info(game).data
    if found is None:
        raise NotOffered(f"game {game!r} offers no data files")
    return found


def copy_data(game: str, folder: Path, names: Sequence[str] = ()) -> list[Path]:
    """Write our files (or some of them) into a folder, none of which it may have."""
    files = data_of(game)
    for name in names:
        if name not in files.names:
            raise ConfigError(f"file {name!r}: unknown, allowed are {', '.join(files.names)}")
    paths = [folder / name for name in files.names if name in names or not names]
    for path in paths:
        if path.exists():
            raise ConfigError(f"{path}: is there already, allowed is a folder without it")
    folder.mkdir(parents=True, exist_ok=True)
    for path in paths:
        replace_text(path, files.text(path.name))
    return paths


def mistakes(game: str, folder: str) -> list[str]:
    """All that is wrong with a folder's files, a line each."""
    files = data_of(game)
    files.check(files.folder(folder))
    whole = [partial(files.table, folder, name) for name in files.names]
    return mistakes_of((*whole, *game_info(game).readers(folder)))


def whole_text(files: DataFiles, folder: Folder, name: str) -> str:
    """A file as it holds: as it is written if it leaves nothing out, else with the entries that it leaves out."""
    path = files.path(folder, name)
    if files.own(folder, name) is None:
        return files.text(name)
    text, table = read_text(path), files.table(folder, name)
    return text if parse_toml(str(path), text) == table else written(table)


def written(table: Mapping[str, Any]) -> str:
    """A table as TOML: single values, lists of tables, tables."""
    lists = {key: value for key, value in table.items() if _is_tables(value)}
    tables = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    lines = [f"{key} = {_inline(value)}" for key, value in table.items() if key not in {*lists, *tables}]
    for key, entries in lists.items():
        for entry in entries:
            lines += ["", f"[[{key}]]", *(f"{name} = {_inline(value)}" for name, value in entry.items())]
    for key, entry in tables.items():
        lines += ["", f"[{key}]", *(f"{name} = {_inline(value)}" for name, value in entry.items())]
    return "\n".join(lines).lstrip("\n") + "\n"


def _is_tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)


def _inline(value: Any) -> str:
    """A value on one line; JSON writes single ones as TOML does."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{key} = {_inline(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, list):
        return f"[{', '.join(map(_inline, value))}]"
    return json.dumps(value)


# ---------------------------------------------------------------- differences


def changes(game: str, before: Folder, after: Folder) -> list[Change]:
    """The entries in which two sound folders differ, file by file."""
    info = game_info(game)
    files = info.data
    if files is None or before == after:
        return []
    return [found for name in files.names for found in _changes_of_file(info, files, name, before, after)]


def _changes_of_file(
    info: GameInfo, files: DataFiles, name: str, before: Folder, after: Folder
) -> Iterator[Change]:
    one, other = files.table(before, name), files.table(after, name)
    lists = files.entries.get(name, {})
    for key in dict.fromkeys([*one, *other]):
        a, b = one.get(key, _ABSENT), other.get(key, _ABSENT)
        if a == b or (b is _ABSENT and key in files.instead.get(name, {}).values()):
            continue
        if key in lists and isinstance(a, list) and isinstance(b, list):
            yield from _changes_of_list(name, key, lists[key], a, b)
        else:
            yield Change(name, "", 0, f"{name}: {key}", tuple(_told("", a, b)))


def _changes_of_list(file: str, name: str, key: str, one: list[Any], other: list[Any]) -> Iterator[Change]:
    """Entry by entry, by what they are known by."""
    a, b = ({entry[key]: entry for entry in entries} for entries in (one, other))
    for known in dict.fromkeys([*a, *b]):
        if a.get(known) != b.get(known):
            entry = {**a.get(known, {}), **b.get(known, {})}
            words = ", ".join(
                dict.fromkeys([f"{name} {known}", *([str(entry["name"])] if "name" in entry else [])])
            )
            number = known if isinstance(known, int) else 0
            details = tuple(_told("", a.get(known, _ABSENT), b.get(known, _ABSENT)))
            yield Change(file, name, number, words, details)


def _told(where: str, a: Any, b: Any) -> Iterator[str]:
    """What became of a value, in words."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in dict.fromkeys([*a, *b]):
            if a.get(key, _ABSENT) != b.get(key, _ABSENT):
                yield from _told(f"{where} {key}".strip(), a.get(key, _ABSENT), b.get(key, _ABSENT))
    elif isinstance(a, list) and isinstance(b, list):
        yield from _told_list(where, a, b)
    elif a is _ABSENT:
        yield f"{where} {_value(b)} is new".strip()
    elif b is _ABSENT:
        yield f"{where} {_value(a)} is gone".strip()
    else:
        yield f"{where} {_value(a)} becomes {_value(b)}".strip()


def _told_list(where: str, a: list[Any], b: list[Any]) -> Iterator[str]:
    """Place by place if there are as many; else what is gone and what is new."""
    if len(a) == len(b) and not all(isinstance(item, list) for item in (*a, *b)):
        for place, (one, other) in enumerate(zip(a, b, strict=True)):
            if one != other:
                which = place + 1 if isinstance(other, Mapping) else f"[{place}]"
                kind = f" ({other['do']})" if isinstance(other, Mapping) and "do" in other else ""
                yield from _told(f"{where} {which}{kind}".strip(), one, other)
        return
    for items, others, what in ((a, b, "gone"), (b, a, "new")):
        if found := [item for item in items if item not in others]:
            yield f"{where} {', '.join(map(_value, found))} {'is' if len(found) == 1 else 'are'} {what}".strip()
    if a != b and sorted(map(_value, a)) == sorted(map(_value, b)):
        yield f"{where} in another order".strip()


def _value(value: Any) -> str:
    """A value as its file writes it, more or less."""
    if isinstance(value, Mapping):
        return " ".join(str(item) if key == "do" else f"{key} {_value(item)}" for key, item in value.items())
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return value if isinstance(value, str) else json.dumps(value)
