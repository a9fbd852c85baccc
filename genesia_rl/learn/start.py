"""How runs begin: from settings, from a model or a data set, or where another stopped."""

from __future__ import annotations

import json
import platform
import time
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.files import replace_text
from genesia_rl.core.reading import parse_json, read_text
from genesia_rl.core.registry import default_game
from genesia_rl.learn import checkpoint
from genesia_rl.learn.log import CSV, JSON, checked_logs
from genesia_rl.learn.policy import device_of
from genesia_rl.learn.presets import checked, make_settings, merged
from genesia_rl.learn.remote import check_cluster
from genesia_rl.learn.run import MILESTONES, MODEL, STRENGTH, Run, command
from genesia_rl.learn.settings import Settings
from genesia_rl.players.learned import check_weights, common_of, fitted, load_model
from genesia_rl.players.networks import TRAITS
from genesia_rl.shards.lock import alone

SETTINGS = "settings.json"
#: Weights by which the layer over traits adds to logits.
ADDING = ("traits_out", "traits_own")
#: What a run's end is said by; of those behind the first each comes before it.
ENDS = ("minutes", "updates", "decisions")
PACKAGES = ("genesia-rl", "torch", "numpy", "numba", "pydantic")


def started(
    preset: str = "standard",
    file: str | None = None,
    overrides: Mapping[str, Any] | None = None,
    out: str | None = None,
    warm_start: str | None = None,
    kind: type[Run] | None = None,
) -> Run:
    """A new run in a folder of its own; of another kind it does more than learn."""
    settings = make_settings(preset, file, merged(timed(overrides or {}), brought(warm_start)))
    checked_logs(settings.run.log or ())
    if warm_start is not None:
        settings = warmed(settings, warm_start)
    device_of(settings.learner.device)
    check_cluster(settings)
    game = settings.game
    which = "" if game.name == default_game() else f"{game.name}-"
    players = "-".join(map(str, (game.players, *game.also)))
    where = f"runs/{which}{preset}-{players}p-seed{settings.run.seed}"
    folder = Path(out if out is not None else where)
    refuse_a_run(folder)
    folder.mkdir(parents=True, exist_ok=True)
    run = (kind or Run)(settings, folder)
    if warm_start is not None and settings.teacher.data is None:
        warm(run, warm_start)
    keep_settings(settings, folder, warm_start)
    return run


def timed(tables: Mapping[str, Any]) -> Mapping[str, Any]:
    """The end that is asked for is not overruled by another one of a file or of an earlier call."""
    run = tables.get("run")
    if not isinstance(run, Mapping) or not any(name in run for name in ENDS):
        return tables
    return {**tables, "run": {**dict.fromkeys(ENDS[1:]), **run}}


def refuse_a_run(folder: Path) -> None:
    """Nothing of another run may be overwritten or stay beside the new one."""
    if (folder / checkpoint.NAME).exists():
        raise ConfigError(f"{folder}: holds a run, allowed is --resume {folder} or another --out")
    for name in (SETTINGS, JSON, CSV, STRENGTH, MODEL, MILESTONES):
        for path in sorted(folder.glob(name)):
            raise ConfigError(f"{folder}: holds {path.name} of another run, allowed is another --out")


def resumed(
    folder: str,
    given: Mapping[str, Any],
    more: Mapping[str, Any] | None = None,
    kind: type[Run] | None = None,
) -> Run:
    """The run of a folder, from its last checkpoint; it may be given more time.

    `more` are other tables' settings that change who plays and where, not what is learned.
    """
    header, arrays = checkpoint.read(Path(folder))
    kept = header.get("settings")
    if not isinstance(kept, dict):
        raise DataError(f"{Path(folder) / checkpoint.NAME}: settings = {kept!r}, allowed is a table")
    settings = checked(merged(kept, timed({"run": dict(given)}), more or {}), f"{folder}: ")
    checked_logs(settings.run.log or ())
    device_of(settings.learner.device)
    check_cluster(settings)
    run = (kind or Run)(settings, Path(folder), with_lessons="lessons" in header)
    run.go_on(header, arrays)
    run.commands = [*dict.fromkeys([*commands_of(run.folder), command()])]
    with alone(run.folder, None):  # nothing is touched where another process is at work
        keep_settings(settings, run.folder)
    return run


def keep_settings(settings: Settings, folder: Path, warm_start: str | None = None) -> None:
    """Everything that was resolved, and with what it ran; for a run that goes on, an entry of `resumed`."""
    found: dict[str, Any] = {"settings": settings.model_dump(), "warm_start": warm_start}
    found |= {"time": time.strftime("%Y-%m-%dT%H:%M:%S%z"), "command": command()}
    found["versions"] = {"python": platform.python_version(), **_versions()}
    path = folder / SETTINGS
    if (folder / checkpoint.NAME).exists():
        del found["warm_start"]
        first = _kept_settings(path)
        found = {**first, "resumed": [*first.get("resumed", []), found]}
    replace_text(path, json.dumps(found, indent=2) + "\n")


def _kept_settings(path: Path) -> dict[str, Any]:
    try:
        found = parse_json(str(path), read_text(path)) if path.exists() else {}
    except DataError as error:
        raise DataError(f"{error}, allowed is what genesia train has written") from None
    if not isinstance(found, dict) or not isinstance(found.get("resumed", []), list):
        raise DataError(f"{path}: not a table of settings, allowed is what genesia train has written")
    return found


def commands_of(folder: Path) -> list[str]:
    """The commands that a run was begun and gone on with, as its settings tell."""
    kept = _kept_settings(folder / SETTINGS)
    told = [kept, *kept.get("resumed", [])]
    held = [entry.get("command") for entry in told if isinstance(entry, dict)]
    return [text for text in held if isinstance(text, str)]


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "a checkout"
    return found


def brought(warm_start: str | None) -> dict[str, Any]:
    """A model brings its network, and with it what the settings are for such a network; a data set is the teacher.

    A model that reads no traits of actions may learn to.
    """
    if warm_start is None or Path(warm_start).suffix != ".npz":
        return {} if warm_start is None else {"teacher": {"data": warm_start}}
    found = load_model(warm_start).architecture.to_dict()
    return {"network": {name: value for name, value in found.items() if name != "traits" or value}}


def warmed(settings: Settings, path: str) -> Settings:
    """A model takes the teacher's place: it has learned already. (A data set is the teacher: `brought`.)"""
    tables = settings.model_dump()
    suffix = Path(path).suffix
    if suffix == ".npz":
        tables["teacher"] |= {"share": 0.0, "updates": None}
    elif suffix != ".parquet":
        raise ConfigError(f"warm start = {path!r}, allowed is a model (.npz) or a data set (.parquet)")
    return checked(tables)


def warm(run: Run, path: str) -> None:
    """Begin from a model's weights."""
    model, layout = load_model(path), run.network.layout
    if len(run.tables) == 1:
        model = fitted(path, model, run.game, layout)
    else:
        tables = tuple(table.game.num_seats for table in run.tables)
        if model.tables != tables:
            raise DataError(f"{path}: players = {[*model.tables]}, allowed in this run is {[*tables]}")
        common_of(path, model, run.game.name)
        check_weights(path, model, layout)
    run.network.put_weights({**_unread(run), **model.weights})


def _unread(run: Run) -> dict[str, Any]:
    """The run's own layer over traits, which adds nothing yet: a model that has none plays on as it did."""
    weights = run.network.numpy_weights()
    return {name: weights[name] * (name not in ADDING) for name in TRAITS if name in weights}
