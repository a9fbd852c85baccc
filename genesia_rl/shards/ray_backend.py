"""Shards as tasks of Ray: on this machine, or on the nodes of a cluster that need not share a disk.

Tables come back to the driver, which keeps them; a shard whose node or worker is lost is done again by Ray.
"""

from __future__ import annotations

import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import ConfigError
from genesia_rl.shards.job import Job, ShardError, Tables, run_shard
from genesia_rl.shards.processes import ONE_THREAD, RETRIES
from genesia_rl.shards.store import Store

AHEAD = 2  # tasks for each core that are on their way: no core waits, and few results wait to be kept
PATIENCE = 10.0  # seconds for a first answer
ROOT = Path(__file__).resolve().parents[2]

_unpacked: dict[str, Job] = {}  # in a worker: the job it works on


def run_ray(
    job: Job,
    store: Store,
    shards: Sequence[int],
    workers: int | None,
    address: str | None,
    on_shard: Callable[[int], None],
    stop: Callable[[], bool],
) -> None:
    """Run shards on Ray; `workers` bounds how many run at once, otherwise the cluster's cores do."""
    ray = _ray()
    with _connected(ray, address, workers):
        task = ray.remote(num_cpus=1, max_retries=RETRIES, runtime_env=_environment())(_work)
        held = [ray.put(job)]  # in a list it is handed on as it is, and each worker unpacks it once
        todo = deque(shards)
        running: dict[Any, int] = {}
        try:
            while True:
                limit = workers or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))
                while todo and len(running) < limit and not stop():
                    shard = todo.popleft()
                    running[task.remote(held, shard)] = shard
                if not running:
                    break
                (ready, *_), _ = ray.wait(list(running), num_returns=1)
                shard = running.pop(ready)
                store.write(shard, _tables(ray, ready, shard))
                on_shard(shard)
        except BaseException:
            for ref in running:
                ray.cancel(ref, force=True)
            raise


def _tables(ray: Any, ref: Any, shard: int) -> Tables:
    """What a task gave; its own errors are raised as they were."""
    try:
        found: Tables = ray.get(ref)
    except ray.exceptions.RayTaskError as error:
        raise (error.cause if isinstance(error.cause, Exception) else error) from None
    except ray.exceptions.RayError as error:
        raise ShardError(f"shard {shard}: {type(error).__name__}: {error}") from None
    return found


def _work(held: list[Any], shard: int) -> Tables:
    """In a worker: run a shard."""
    import ray

    key = held[0].hex()
    if key not in _unpacked:
        _unpacked.clear()
        _unpacked[key] = ray.get(held[0])
    return run_shard(_unpacked[key], shard)


@contextmanager
def _connected(ray: Any, address: str | None, workers: int | None) -> Iterator[None]:
    """A connection to Ray: the one there is, or one for now (of no address: a Ray of our own)."""
    if ray.is_initialized():
        there = ray.get_runtime_context().gcs_address
        if address not in (None, "auto", there):
            raise ConfigError(f"address = {address!r}, allowed is {there} to which Ray is connected already")
        yield
        return
    if address not in (None, "auto"):
        _require_answer(str(address))
    wanted: dict[str, Any] = {"address": address} if address else {"address": "local", "num_cpus": workers}
    try:
        ray.init(
            **wanted,
            include_dashboard=None if address else False,
            log_to_driver=False,
            logging_level="error",
        )
    except ConnectionError as error:
        raise ConfigError(
            f"address = {address!r}: {error}, allowed is auto or host:port of a Ray that runs"
        ) from None
    try:
        yield
    finally:
        ray.shutdown()


def _require_answer(address: str) -> None:
    """Refuse an address that nobody listens at: Ray itself would try it for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if not (host and port.isdecimal()):
            raise OSError("no host and port")
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise ConfigError(
            f"address = {address!r}: {error}, allowed is auto or host:port of a Ray that runs"
        ) from None


def _environment() -> dict[str, Any]:
    """What workers are started with: one thread each, and our paths before those of their node."""
    paths = os.pathsep.join([*_paths(), "${PYTHONPATH}"])
    return {"env_vars": ONE_THREAD | {"PYTHONPATH": paths}}


def _paths() -> list[str]:
    """Where the project and the job are, if that is not where Python itself looks."""
    own = {str(ROOT): None}
    for entry in sys.path:
        inside = any(Path(entry).is_relative_to(base) for base in (sys.prefix, sys.base_prefix))
        if entry and Path(entry).is_dir() and not inside:
            own[str(Path(entry).resolve())] = None
    return list(own)


def _ray() -> Any:
    """Ray, if it is installed."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise ConfigError(
            "backend = 'ray': ray is not installed, allowed after pip install genesia-rl[ray]"
        ) from None
    return ray
