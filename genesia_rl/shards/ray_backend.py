"""Shards as tasks of Ray: on this machine, or on the nodes of a cluster that need not share a disk.

Tables come back to the driver, which keeps them; a shard whose node or worker is lost is done again by Ray.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from genesia_rl.shards.cluster import connected, environment, the_ray
from genesia_rl.shards.job import Job, ShardError, Tables, run_shard
from genesia_rl.shards.processes import RETRIES
from genesia_rl.shards.store import Store

AHEAD = 2  # tasks for each core that are on their way: no core waits, and few results wait to be kept

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
    ray = the_ray()
    with connected(ray, address, workers):
        task = ray.remote(num_cpus=1, max_retries=RETRIES, runtime_env=environment())(_work)
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
