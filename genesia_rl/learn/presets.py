"""Presets, TOML files, and what is given besides: tables over tables, from which settings are made."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.reading import parse_toml, read_text
from genesia_rl.learn.fitting import fitted_to_its_game
from genesia_rl.learn.settings import EXPERT, Settings
from genesia_rl.players.networks import INCREMENTAL

#: What a network that is kept up to date changes: it learns from more decisions in the same time.
KEPT_UP_TO_DATE: dict[str, Any] = {
    "network": {"width": 256},
    "learner": {"minibatch": 4096, "learning_rate": 1e-3},
    "teacher": {"minibatch": 2048, "learning_rate": 2e-3, "share": 0.1},
    "league": {"snapshots": 5},
}

#: And what expert iteration changes: its games cost more, and each is learned from several times.
BY_SEARCH: dict[str, Any] = {
    "learner": {"num_games": 64, "epochs": 1, "gae_lambda": 1.0},
    "league": {"snapshot_every": 5},
}

#: What each preset changes.
PRESETS: dict[str, dict[str, Any]] = {
    "quick": {
        "run": {"minutes": 2.0, "save_minutes": 0.5, "measure": 200},
        "teacher": {"share": 0.2},
        "network": {"kind": INCREMENTAL},
    },
    "standard": {
        "run": {"minutes": 60.0, "milestones": [1.0, 5.0, 10.0, 30.0]},
        "network": {"kind": INCREMENTAL},
    },
    "long": {
        "run": {"minutes": 480.0, "save_minutes": 5.0, "milestones": [10.0, 30.0, 60.0, 120.0, 240.0]},
        "network": {"kind": INCREMENTAL},
        "teacher": {"share": 0.03},
        "league": {"snapshots": 6, "snapshot_every": 60},
    },
}


def merged(base: Mapping[str, Any], *more: Mapping[str, Any]) -> dict[str, Any]:
    """Tables over tables: later values win, tables are merged; what is a table once must stay one."""
    out = dict(base)
    for tables in more:
        for key, value in tables.items():
            out[key] = _over(key, out[key], value) if key in out else value
    return out


def _over(key: str, old: Any, value: Any) -> Any:
    """A later value of a key."""
    if not isinstance(old, Mapping) and not isinstance(value, Mapping):
        return value
    for given in (old, value):
        if not isinstance(given, Mapping):
            raise ConfigError(f"{key} = {given!r}, allowed is a table")
    return merged(old, value)


def read_file(path: str | Path) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        return parse_toml(str(path), read_text(Path(path)))
    except DataError as error:
        raise ConfigError(str(error)) from None


def make_settings(
    preset: str = "standard",
    file: str | Path | None = None,
    overrides: Mapping[str, Any] | None = None,
) -> Settings:
    """The preset, over it the file, over that what is given besides."""
    if preset not in PRESETS:
        raise ConfigError(f"preset = {preset!r}, allowed are {', '.join(PRESETS)}")
    where, given = f"{file}: " if file else "", read_file(file) if file else {}
    try:
        tables = merged(PRESETS[preset], given, overrides or {})
        if _said(tables, "network", "kind") == INCREMENTAL:
            tables = merged(KEPT_UP_TO_DATE, tables)
        if _said(tables, "learner", "method") == EXPERT:
            tables = merged(BY_SEARCH, tables)
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None
    taught = {"share", "updates", "agent"} & set(merged(given, overrides or {}).get("teacher", {}))
    if not taught and _said(tables, "game", "also"):  # lessons are for one number of players
        tables = merged(tables, {"teacher": {"share": 0.0}})
    made = checked(tables, where)
    return made if taught else _without_lessons(made)


def _said(tables: Mapping[str, Any], name: str, key: str) -> Any:
    """What unchecked tables say of a key, if they do."""
    table = tables.get(name)
    return table.get(key) if isinstance(table, Mapping) else None


def _without_lessons(made: Settings) -> Settings:
    """Who reads what the first character thinks begins as that character: lessons by it would be lost time."""
    if not made.network.traits or made.teacher.data is not None:
        return made
    return made.model_copy(update={"teacher": made.teacher.model_copy(update={"share": 0.0})})


def checked(tables: Mapping[str, Any], where: str = "") -> Settings:
    """Settings from plain tables, with all that the game decides.

    An error names the first wrong key, its value and what is allowed.
    """
    try:
        made = Settings.model_validate(dict(tables))
    except ValidationError as error:
        raise ConfigError(where + _in_words(error)) from None
    try:
        return fitted_to_its_game(made)
    except ConfigError as error:
        raise ConfigError(f"{where}{error}") from None


# ---------------------------------------------------------------- errors in words


def _in_words(error: ValidationError) -> str:
    first = error.errors()[0]
    path, model = _path(first["loc"])
    key = ".".join(path)
    if first["type"] == "extra_forbidden":
        return f"{key}: unknown key, allowed are {', '.join(model.model_fields)}"
    if first["type"] == "model_type":
        return f"{key} = {first['input']!r}, allowed is a table"
    if first["type"] == "value_error":
        return f"{key}: {first['ctx']['error']}"
    # a value of several kinds has an error for each
    of_key = [other["msg"] for other in error.errors() if _path(other["loc"])[0] == path]
    words = [msg.partition(", unable")[0] for msg in of_key]
    words = [words[0][0].lower() + words[0][1:], *(msg.removeprefix("Input should be ") for msg in words[1:])]
    return f"{key} = {first['input']!r}: {' or '.join(words)}"


def _path(place: tuple[int | str, ...]) -> tuple[list[str], type[BaseModel]]:
    """The keys that lead to an error, without the kinds that a value may have; and the last table."""
    path: list[str] = []
    model: type[BaseModel] = Settings
    inside = True
    for name in place:
        if not inside and isinstance(name, str):
            continue
        path.append(str(name))
        kind: Any = (
            model.model_fields[str(name)].annotation if inside and name in model.model_fields else None
        )
        inside = isinstance(kind, type) and issubclass(kind, BaseModel)
        model = kind if inside else model
    return path, model
