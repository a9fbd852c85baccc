"""The folder of a job: its settings, a folder for each finished shard, in the end a file for each table.

    .lock                       held by the run that is at work
    job.json                    the settings, the number of shards, a digest of both; written first
    results.json                for each file below: of which shards it was made, and a digest of its bytes
    shards/00017/games.parquet  a table of one shard
    shards/00017/shard.json     rows, size and a digest of each of its tables
    games.parquet               all shards in their order; written when the last is there

A shard's folder is written under another name and renamed when it is whole, so a killed run leaves finished
shards and rubbish that the next run takes away, and nothing between.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from genesia_rl.core.errors import DataError
from genesia_rl.core.files import replacing
from genesia_rl.core.reading import is_int, parse_json, read_text
from genesia_rl.core.reading import shown as shortened
from genesia_rl.shards import tables as files
from genesia_rl.shards.job import Job, Table, Tables, decisive, description, digest, first_difference

JOB, SHARD, PART = "job.json", "shard.json", ".part"
BEFORE = "before"  # in the settings of a job that was made longer, until all of its shards are signed again
#: What the files of a finished job are, so that a damaged one is written anew and none is taken for another.
RESULTS = "results.json"
MOST_SHARDS = 100_000_000


@dataclass(frozen=True)
class Store:
    """What is kept of a job."""

    folder: Path
    num_shards: int
    settings: Mapping[str, Any]
    digest: str
    #: Of the shorter job that the folder was of: its digest, and how many of its shards are this one's too.
    before: tuple[str, int] | None = None

    # ------------------------------------------------------------ shards

    def shard_folder(self, shard: int) -> Path:
        """Where a finished shard is."""
        return self.folder / "shards" / f"{shard:05d}"

    def done(self) -> list[int]:
        """The finished shards."""
        return [shard for shard in range(self.num_shards) if self.has(shard)]

    def missing(self) -> list[int]:
        """The shards that are not there, or not whole."""
        return [shard for shard in range(self.num_shards) if not self.has(shard)]

    @property
    def is_complete(self) -> bool:
        """Whether every shard is there."""
        return all(self.has(shard) for shard in range(self.num_shards))

    def has(self, shard: int) -> bool:
        """Whether a shard is there, as long as it was written."""
        try:
            about = self.about(shard)
        except DataError:
            return False
        folder = self.shard_folder(shard)
        return all(_size(folder / f"{name}.parquet") == held["bytes"] for name, held in about.items())

    def about(self, shard: int) -> dict[str, dict[str, Any]]:
        """For each table of a shard its rows, its size in bytes and the digest of its content."""
        path = self.shard_folder(shard) / SHARD
        held = _read_json(path, "a finished shard")
        if held.get("job") != self.digest and not self._is_of_before(shard, held):
            raise DataError(f"{path}: of job {shortened(held.get('job'))}, allowed is {self.digest}")
        return _tables(path, held.get("tables"))

    def _is_of_before(self, shard: int, held: Mapping[str, Any]) -> bool:
        return self.before is not None and shard < self.before[1] and held.get("job") == self.before[0]

    def sign_again(self) -> None:
        """Make the shards of the shorter job this one's for good."""
        if self.before is None:
            return
        for shard in filter(self.has, range(self.before[1])):
            path = self.shard_folder(shard) / SHARD
            _write_json(path, {**_read_json(path, "a finished shard"), "job": self.digest})
        for path in self.folder.glob("*.parquet"):  # of all shards of the shorter job
            path.unlink()
        settings = {"digest": self.digest, "num_shards": self.num_shards, "settings": dict(self.settings)}
        _write_json(self.folder / JOB, settings)

    def write(self, shard: int, tables: Tables) -> None:
        """Keep a shard; until this returns it is not there, and then it is there for good."""
        part = self.shard_folder(shard).with_suffix(f".{os.getpid()}{PART}")
        part.mkdir(parents=True)
        about = {}
        for name, table in tables.items():
            path = part / f"{name}.parquet"
            with replacing(path, "wb") as file:
                rows = files.write(file, [files.to_arrow(table)])
            about[name] = {"rows": rows, "bytes": path.stat().st_size, "content": files.content(table)}
        _write_json(part / SHARD, {"job": self.digest, "tables": about})
        self.take(shard, part)

    def take(self, shard: int, part: Path) -> None:
        """Give a whole folder the name of its shard; one that is there already is as good and stays."""
        goal = self.shard_folder(shard)
        files.sync_folder(part)
        try:
            os.rename(part, goal)
        except OSError:
            if not self.has(shard):
                raise
            shutil.rmtree(part)
        files.sync_folder(goal.parent)

    def clean(self, shards: Sequence[int]) -> None:
        """Take away what a killed run has left of some shards; if of all, unfinished results too."""
        wanted = set(shards)
        for path in (self.folder / "shards").glob(f"*{PART}"):
            if path.name.split(".")[0].isdigit() and int(path.name.split(".")[0]) in wanted:
                shutil.rmtree(path)
        for shard in wanted:
            if self.shard_folder(shard).exists() and not self.has(shard):
                shutil.rmtree(self.shard_folder(shard))
        if len(wanted) == self.num_shards:  # nobody else is at work here
            for path in self.folder.glob(f".*{PART}"):
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    # ------------------------------------------------------------ reading

    @property
    def names(self) -> list[str]:
        """The tables."""
        done = next((shard for shard in range(self.num_shards) if self.has(shard)), None)
        return [] if done is None else list(self.about(done))

    def shard(self, shard: int, name: str) -> Table:
        """A table of one shard, checked against its digest."""
        return files.to_arrays(self._arrow(shard, name))

    def iter(self, name: str, shards: Sequence[int] | None = None) -> Iterator[Table]:
        """A table shard by shard, in their order: of all shards, or of those that are named."""
        if shards is None:
            self.require_complete()
            shards = range(self.num_shards)
        for shard in shards:
            yield self.shard(shard, name)

    def read(self, name: str) -> Table:
        """A whole table; it has to fit into memory."""
        self.require_complete()
        return files.to_arrays(pa.concat_tables(self._all(name)))

    def require_complete(self) -> None:
        """Refuse to take some shards for all of them."""
        missing = self.missing()
        if missing:
            raise DataError(f"{self.folder}: no shards {shown(missing)}, allowed are all {self.num_shards}")

    def _arrow(self, shard: int, name: str) -> pa.Table:
        path, about = self.shard_folder(shard) / f"{name}.parquet", self.about(shard)
        if name not in about:
            raise DataError(f"{path}: no table {name!r}, allowed is one of {sorted(about)}")
        table = files.read(path)
        if files.content(files.to_arrays(table)) != about[name]["content"]:
            raise DataError(f"{path}: not what was written, allowed is the table of {SHARD}")
        return table

    def _all(self, name: str) -> Iterator[pa.Table]:
        """Every shard's table; they have to have the same columns."""
        schema = None
        for shard in range(self.num_shards):
            table = self._arrow(shard, name)
            schema = table.schema if schema is None else schema
            if not table.schema.equals(schema):
                path = self.shard_folder(shard) / f"{name}.parquet"
                raise DataError(f"{path}: columns {_columns(table.schema)}, allowed are {_columns(schema)}")
            yield table

    # ------------------------------------------------------------ the end

    def result(self, name: str) -> Path:
        """The file of a table, once the job is finished."""
        return self.folder / f"{name}.parquet"

    def finish(self) -> None:
        """Write the file of each table, one shard in memory at a time; those that are whole stay."""
        self.require_complete()
        names = self.names
        for shard in range(self.num_shards):
            about = self.about(shard)
            if set(about) != set(names):
                where = self.shard_folder(shard)
                raise DataError(
                    f"{where}: tables {sorted(about)}, allowed are {sorted(names)} as in the first shard"
                )
        known = self._known_results()
        for name in names:
            made_of = files.digest_of(
                *(self.about(shard)[name]["content"] for shard in range(self.num_shards))
            )
            if known.get(name) != [made_of, files.digest_of_file(self.result(name))]:
                self._write_result(name)
                if name.startswith("_"):  # it does not repeat, and folders of one job are equal
                    continue
                known[name] = [made_of, files.digest_of_file(self.result(name))]
                _write_json(self.folder / RESULTS, known)

    def _known_results(self) -> dict[str, Any]:
        """What is written down of the files; nothing if it was damaged, and then they are written anew."""
        try:
            return _read_json(self.folder / RESULTS, "the digests of a finished job")
        except DataError:
            return {}

    def _write_result(self, name: str) -> None:
        with replacing(self.result(name), "wb") as file:
            files.write(file, self._all(name))
        files.sync_folder(self.folder)


def create_store(folder: Path, job: Job) -> Store:
    """The store of a job: a new one, or the one that was begun there."""
    about = description(job)
    if (folder / JOB).exists():
        store = open_store(folder)
        require_same(store, about)
        store.sign_again()
        return store
    if folder.exists() and not all(_is_begun(path) for path in folder.iterdir()):
        raise DataError(f"{folder}: a folder with other files, allowed is a new one or one of this job")
    return _created(folder, about)


def extend_store(folder: Path, job: Job, whole: int) -> Store:
    """Make the folder of a job that of a longer one, whose first `whole` shards are the same.

    The new settings take the place of the old ones in one step, and say which shards hold; a run that is killed before
    these are signed again loses none of them.
    """
    store = open_store(folder)
    store.sign_again()
    _write_json(folder / JOB, {**description(job), BEFORE: {"digest": store.digest, "shards": whole}})
    files.sync_folder(folder)
    extended = open_store(folder)
    extended.sign_again()
    return open_store(folder)


def _is_begun(path: Path) -> bool:
    """Whether a run that was killed before it had written its settings has left this."""
    return path.name.endswith(PART) or (path.name == "shards" and not any(path.iterdir()))


def same_store(folder: Path, other: Store) -> Store:
    """The store of another store's job: a new one, or the one that was begun there."""
    about = {"digest": other.digest, "num_shards": other.num_shards, "settings": dict(other.settings)}
    if not (folder / JOB).exists():
        return _created(folder, about)
    store = open_store(folder)
    require_same(store, about)
    return store


def open_store(folder: Path) -> Store:
    """A store that is there."""
    path = folder / JOB
    about = _read_json(path, "the folder of a job")
    whole = {"num_shards", "settings", "digest"} <= about.keys() and isinstance(about["settings"], dict)
    if not whole or not is_int(about["num_shards"], 1, MOST_SHARDS) or digest(about) != about["digest"]:
        raise DataError(f"{path}: settings and digest do not belong together, allowed is the file as written")
    return Store(folder, about["num_shards"], about["settings"], about["digest"], _before(about, path))


def _before(about: Mapping[str, Any], path: Path) -> tuple[str, int] | None:
    """What the settings say of a shorter job."""
    held = about.get(BEFORE)
    if held is None:
        return None
    name, shards = (held.get("digest"), held.get("shards")) if isinstance(held, dict) else (None, None)
    if not isinstance(name, str) or not isinstance(shards, int):
        raise DataError(f"{path}: {BEFORE} = {held!r}, allowed is the file as written")
    return name, shards


def require_same(store: Store, about: Mapping[str, Any]) -> None:
    """Refuse the folder of another job: name the first setting that differs; the number of shards, which
    mostly follows from them, only if none does."""
    found = first_difference(decisive(about["settings"]), decisive(store.settings), "settings")
    found = found or first_difference(about["num_shards"], store.num_shards, "num_shards")
    if found is not None:
        name, ours, theirs = found
        raise DataError(f"{store.folder}: of another job, there {name} = {theirs!r}, allowed is {ours!r}")


def shown(shards: Sequence[int]) -> str:
    """Some shards for an error."""
    return ", ".join(map(str, shards[:10])) + (f" and {len(shards) - 10} more" if len(shards) > 10 else "")


def _created(folder: Path, about: Mapping[str, Any]) -> Store:
    (folder / "shards").mkdir(parents=True, exist_ok=True)
    _write_json(folder / JOB, about)
    files.sync_folder(folder)
    return open_store(folder)


def _write_json(path: Path, held: Mapping[str, Any]) -> None:
    with replacing(path) as file:
        json.dump(held, file, indent=1, sort_keys=True)
        file.write("\n")


def _read_json(path: Path, what: str) -> dict[str, Any]:
    try:
        held = parse_json(str(path), read_text(path)) if path.exists() else None
    except DataError as error:
        raise DataError(f"{error}, allowed is {what}") from None
    if held is None:
        raise DataError(f"{path}: no such file, allowed is {what}")
    if not isinstance(held, dict):
        raise DataError(f"{path}: {type(held).__name__}, allowed is {what}")
    return held


def _tables(path: Path, found: object) -> dict[str, dict[str, Any]]:
    """What a shard says of its tables; a name is no path."""
    good = isinstance(found, dict) and all(
        name.replace("-", "_").isidentifier()
        and isinstance(about, dict)
        and is_int(about.get("rows"), 0, 1 << 60)
        and is_int(about.get("bytes"), 0, 1 << 60)
        and isinstance(about.get("content"), str)
        for name, about in found.items()
    )
    if not good or not isinstance(found, dict):
        raise DataError(f"{path}: tables = {shortened(found)}, allowed are those of a finished shard")
    return dict(found)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _columns(schema: Any) -> str:
    return ", ".join(f"{field.name} {field.type}" for field in schema)
