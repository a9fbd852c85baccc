"""Stores of one job that ran in parts, as one: its files equal those of a run that was never parted."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import DataError
from genesia_rl.shards import tables as files
from genesia_rl.shards.store import PART, Store, open_store, require_same, same_store, shown


def merge(dirs: Sequence[Path], out: Path) -> Store:
    """Put the shards of some stores into one and write its tables; a shard may be in several of them."""
    if not dirs:
        raise DataError("stores = none, allowed is at least one to merge")
    stores = [open_store(Path(folder)) for folder in dirs]
    for other in stores[1:]:
        require_same(other, _about(stores[0]))
    sources = _sources(stores)
    merged = same_store(Path(out), stores[0])
    merged.clean(range(merged.num_shards))
    for shard, source in sources.items():
        if merged.has(shard):
            _require_equal(shard, merged, source)
        else:
            _copy(shard, source, merged)
    merged.finish()
    return merged


def _about(store: Store) -> dict[str, Any]:
    return {"num_shards": store.num_shards, "settings": store.settings}


def _sources(stores: Sequence[Store]) -> dict[int, Store]:
    """For every shard a store that has it; what several have has to be the same."""
    found: dict[int, Store] = {}
    for store in stores:
        for shard in store.done():
            if shard in found:
                _require_equal(shard, found[shard], store)
            found.setdefault(shard, store)
    missing = [shard for shard in range(stores[0].num_shards) if shard not in found]
    if missing:
        where = ", ".join(str(store.folder) for store in stores)
        raise DataError(f"{where}: no shards {shown(missing)}, allowed are all {stores[0].num_shards}")
    return found


def _require_equal(shard: int, one: Store, other: Store) -> None:
    """The promise itself: who ran a shard makes no difference, but for tables that do not repeat."""
    ours, theirs = _contents(one, shard), _contents(other, shard)
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            raise DataError(
                f"shard {shard}, table {name}: different in {one.folder} and {other.folder}, "
                "allowed are equal tables wherever a shard is run"
            )


def _contents(store: Store, shard: int) -> dict[str, str]:
    return {name: held["content"] for name, held in store.about(shard).items() if not name.startswith("_")}


def _copy(shard: int, source: Store, goal: Store) -> None:
    part = goal.shard_folder(shard).with_suffix(f".{os.getpid()}{PART}")
    shutil.copytree(source.shard_folder(shard), part)
    for path in part.iterdir():
        with path.open("rb+") as file:
            os.fsync(file.fileno())
    files.sync_folder(part)
    goal.take(shard, part)
