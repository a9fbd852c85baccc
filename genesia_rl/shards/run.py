"""Running a job: here, on processes or on Ray; all or a part of it; from the start or from where it was."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from genesia_rl.core.errors import ConfigError
from genesia_rl.shards.job import Job, run_shard
from genesia_rl.shards.lock import alone
from genesia_rl.shards.processes import run_processes
from genesia_rl.shards.store import Store, create_store

BACKENDS = ("processes", "serial", "ray")
Part = tuple[int, int]


def run_job(
    job: Job,
    out: Path,
    workers: int | None = None,
    backend: str = "processes",
    address: str | None = None,
    part: Part | None = None,
    on_shard: Callable[[int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> Store:
    """Run the shards that a folder lacks, then write the tables if it lacks none.

    `part` is (i, n) of `--shard i/n`. `on_shard` is told of each shard as soon as it is kept. `stop` is asked
    before each shard; once it says so, those being run are finished and no other is begun. After Ctrl-C or
    an error finished shards are kept too: the same call goes on with the others. A second run of the same
    shards in the same folder is refused while one is at work.
    """
    _require(backend, workers, address, part)
    store = create_store(Path(out), job)
    mine = [shard for shard in range(store.num_shards) if _is_mine(shard, part)]
    with alone(store.folder, part):
        store.clean(mine)
        todo = [shard for shard in mine if not store.has(shard)]
        tell, ask = on_shard or _nothing, stop or _never
        try:
            if todo:
                _run(job, store, todo, workers, backend, address, tell, ask)
        except BaseException:
            store.clean(mine)
            raise
        if store.is_complete:
            store.finish()
    return store


def _run(
    job: Job,
    store: Store,
    todo: list[int],
    workers: int | None,
    backend: str,
    address: str | None,
    on_shard: Callable[[int], None],
    stop: Callable[[], bool],
) -> None:
    if backend == "ray":
        from genesia_rl.shards.ray_backend import run_ray

        run_ray(job, store, todo, workers, address, on_shard, stop)
    elif backend == "processes":
        run_processes(job, store, todo, workers or num_cores(), on_shard, stop)
    else:
        run_serial(job, store, todo, on_shard, stop)


def run_serial(
    job: Job, store: Store, todo: list[int], on_shard: Callable[[int], None], stop: Callable[[], bool]
) -> None:
    """Run shards in this process, with the threads that its libraries have."""
    for shard in todo:
        if stop():
            return
        store.write(shard, run_shard(job, shard))
        on_shard(shard)


def parse_part(text: str) -> Part:
    """`--shard 1/4`: the first of four parts."""
    first, slash, second = text.partition("/")
    if not (slash and first.isdecimal() and second.isdecimal()):
        raise ConfigError(f"shard = {text!r}, allowed is i/n like 1/4")
    part = int(first), int(second)
    _require_part(part)
    return part


def num_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _is_mine(shard: int, part: Part | None) -> bool:
    return part is None or shard % part[1] == part[0] - 1


def _require(backend: str, workers: int | None, address: str | None, part: Part | None) -> None:
    if backend not in BACKENDS:
        raise ConfigError(f"backend = {backend!r}, allowed is one of {', '.join(BACKENDS)}")
    if workers is not None and workers < 1:
        raise ConfigError(f"workers = {workers}, allowed is 1 or more")
    if address is not None and backend != "ray":
        raise ConfigError(f"address = {address!r} with backend {backend}, allowed is it with ray")
    if part is not None:
        _require_part(part)


def _require_part(part: Part) -> None:
    if not 1 <= part[0] <= part[1]:
        raise ConfigError(f"shard = {part[0]}/{part[1]}, allowed is i/n with 1 <= i <= n")


def _nothing(shard: int) -> None:
    pass


def _never() -> bool:
    return False
