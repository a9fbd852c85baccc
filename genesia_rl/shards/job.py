"""What a job is: some shards, each of which gives the same tables wherever and whenever it is run.

A job is told from another by its settings. Whatever decides the result belongs in them: a folder goes on
only with the job it was begun with, and stores are merged only if they belong to one job. Settings named
`paths` tell where files are, which may differ from machine to machine: they are kept, and not compared. What
decides is what the files hold, so a digest of it belongs in the other settings.
"""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError, GenesiaError

Array = npt.NDArray[Any]
Table = dict[str, Array]  # columns of one length; of two dimensions if a row holds several numbers
Tables = Mapping[str, Table]

PATHS = "paths"
ABSENT = "nothing"  # how a setting is shown that one of two jobs does not have


class ShardError(RuntimeError):
    """A shard could not be done: which one, and why."""


class Job(Protocol):
    """Something to be run; it is pickled once for each worker.

    `run` may be called in any process and in any order, and the tables must depend on the settings and
    the shard only. Names that begin with an underscore are for what does not repeat, like thinking times.
    """

    @property
    def num_shards(self) -> int:
        """How many shards there are, whoever runs them."""

    def settings(self) -> dict[str, Any]:
        """Everything that decides the result, as JSON can write it."""

    def run(self, shard: int) -> Tables:
        """The tables of one shard: 0 .. num_shards - 1."""


def description(job: Job) -> dict[str, Any]:
    """What is written down of a job; equal for equal jobs, and as it is read again."""
    if job.num_shards < 1:
        raise ConfigError(f"num_shards = {job.num_shards}, allowed is 1 or more")
    try:
        text = json.dumps(job.settings(), allow_nan=False, sort_keys=True)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"settings of {type(job).__name__}: {error}, allowed is plain JSON") from None
    about = {"num_shards": int(job.num_shards), "settings": json.loads(text)}
    return {"digest": digest(about), **about}


def digest(about: Mapping[str, Any]) -> str:
    """The name of a job: a digest of the settings that decide, and of the number of its shards."""
    told = {"num_shards": about["num_shards"], "settings": decisive(about["settings"])}
    text = json.dumps(told, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def decisive(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings without those that say where files are."""
    return {name: held for name, held in settings.items() if name != PATHS}


def first_difference(ours: Any, theirs: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """The first setting that differs, by its path, and both values."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        names: list[Any] = sorted(ours.keys() | theirs.keys())
    elif isinstance(ours, list) and isinstance(theirs, list):
        names = list(range(max(len(ours), len(theirs))))
    else:
        same = type(ours) is type(theirs) and ours == theirs
        return None if same else (path, ours, theirs)
    for name in names:
        below = f"{path}.{name}" if path else str(name)
        found = first_difference(_part(ours, name), _part(theirs, name), below)
        if found is not None:
            return found
    return None


def _part(held: Any, name: Any) -> Any:
    """A value of a dictionary or a list, if it has it."""
    has = name in held if isinstance(held, dict) else name < len(held)
    return held[name] if has else ABSENT


def run_shard(job: Job, shard: int) -> Tables:
    """Run one shard; an error says which one it was, and can be sent from any process to any other."""
    try:
        return checked(job.run(shard))
    except GenesiaError as error:
        raise type(error)(f"shard {shard}: {error}") from None
    except Exception as error:
        where = "".join(traceback.format_tb(error.__traceback__)).rstrip()
        raise ShardError(f"shard {shard}: {type(error).__name__}: {error}\n{where}") from None


def checked(tables: Tables) -> Tables:
    """Tables as a store can keep them."""
    if not tables:
        raise ConfigError("tables = none, allowed is at least one")
    for name, table in tables.items():
        if not name.replace("-", "_").isidentifier():
            raise ConfigError(f"table {name!r}, allowed is a name of letters, digits, _ and -")
        if not table:
            raise ConfigError(f"table {name}: no columns, allowed is at least one")
        lengths = {column: len(held) for column, held in table.items()}
        if len(set(lengths.values())) > 1:
            raise ConfigError(f"table {name}: columns of {lengths} rows, allowed is one length")
        for column, held in table.items():
            _check_column(f"table {name}, column {column}", held)
    return tables


def _check_column(which: str, held: Array) -> None:
    """Refuse what would not be read as it was written."""
    if held.dtype.kind not in "biufU" or held.dtype == np.longdouble:
        raise ConfigError(f"{which}: {held.dtype}, allowed are booleans, integers, floats and strings")
    if held.ndim > 2 or (held.ndim == 2 and held.shape[1] == 0):
        raise ConfigError(f"{which}: shape {held.shape}, allowed are numbers or rows of numbers")
    if held.ndim == 2 and held.dtype.kind == "U":
        raise ConfigError(f"{which}: rows of strings, allowed are rows of numbers")
