"""Ray comes to the same bytes, also if a node is lost meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("ray")

import ray
from ray.cluster_utils import Cluster
from shard_jobs import (
    MEMORY,
    QUICK,
    Deadly,
    Dice,
    Faulty,
    Gated,
    Threads,
    bytes_of,
    gone,
    logged,
    pids,
    wait_for,
)

from genesia_rl.core.errors import ConfigError
from genesia_rl.shards.cluster import connected
from genesia_rl.shards.job import ShardError
from genesia_rl.shards.run import run_job
from genesia_rl.shards.store import open_store

pytestmark = pytest.mark.slow


@pytest.fixture
def whole(tmp_path: Path) -> dict[str, bytes]:
    return bytes_of(run_job(Dice(num_shards=12), tmp_path / "whole", backend="serial").folder)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """A head that runs nothing, to which nodes are added."""
    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "object_store_memory": MEMORY, "_system_config": QUICK},
    )
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


@pytest.fixture(scope="module")
def local() -> Iterator[None]:
    """A Ray that is there already: runs use it and leave it."""
    with connected(ray, None, 2):
        yield


def test_a_ray_of_its_own_comes_to_the_same_bytes_and_is_ended(
    tmp_path: Path, whole: dict[str, bytes]
) -> None:
    told: list[int] = []
    job = Dice(num_shards=12, log=tmp_path / "log")
    store = run_job(job, tmp_path / "run", workers=2, backend="ray", on_shard=told.append)
    assert bytes_of(store.folder) == whole
    assert sorted(told) == logged(tmp_path / "log") == list(range(12))
    assert not ray.is_initialized()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.0.1:99999", "nowhere", "auto"])
def test_an_address_where_nothing_runs_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("RAY_TMPDIR", str(tmp_path / "ray"))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(ConfigError, match=f"address = '{address}'.*allowed is auto or host:port"):
        run_job(Dice(), tmp_path / "run", backend="ray", address=address)


def test_a_node_that_is_lost_changes_nothing(
    tmp_path: Path, whole: dict[str, bytes], cluster: Cluster
) -> None:
    """Both nodes are at a shard when one of them is lost."""
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=MEMORY) for _ in range(2)]
    cluster.wait_for_nodes()
    log, gate, told = tmp_path / "log", tmp_path / "gate", list[int]()
    job = Gated(num_shards=12, log=log, gate=gate, free=4)

    def lose_one(shard: int) -> None:
        told.append(shard)
        if len(told) == 4:  # the others wait at the gate
            wait_for(lambda: len(logged(log)) == 6)
            cluster.remove_node(nodes[0], allow_graceful=False)
            wait_for(lambda: any(gone(pid) for pid in pids(log, since=job.free)))
            gate.touch()

    store = run_job(job, tmp_path / "run", backend="ray", address=cluster.address, on_shard=lose_one)
    assert bytes_of(store.folder) == whole
    assert sorted(told) == list(range(12)), "every shard is kept once"
    runs = logged(log)
    assert set(runs) == set(range(12)) and len(runs) == 13, "what the node was at was done again"


def test_a_part_on_ray_goes_on_elsewhere(tmp_path: Path, whole: dict[str, bytes], local: None) -> None:
    told: list[int] = []
    job, folder = Dice(num_shards=12), tmp_path / "run"
    run_job(job, folder, backend="ray", part=(2, 3))
    assert open_store(folder).done() == [1, 4, 7, 10]
    run_job(job, folder, 1, "ray", on_shard=told.append, stop=lambda: len(told) >= 2)
    assert len(told) == 2 and len(open_store(folder).done()) == 6
    assert bytes_of(run_job(job, folder, 1).folder) == whole
    assert ray.is_initialized()


def test_a_shard_whose_worker_is_killed_is_done_again_by_ray(
    tmp_path: Path, whole: dict[str, bytes], local: None
) -> None:
    (tmp_path / "marks").mkdir()
    job = Deadly(num_shards=12, marks=tmp_path / "marks")
    assert bytes_of(run_job(job, tmp_path / "run", backend="ray").folder) == whole
    assert len(list((tmp_path / "marks").iterdir())) == 1


def test_a_shard_that_always_kills_its_worker_is_named_with_ray(tmp_path: Path, local: None) -> None:
    (tmp_path / "marks").mkdir()
    with pytest.raises(ShardError, match="shard 2: WorkerCrashedError"):
        run_job(Deadly(marks=tmp_path / "marks", times=99), tmp_path / "run", workers=1, backend="ray")
    assert len(list((tmp_path / "marks").iterdir())) == 4
    assert {0, 1} <= set(open_store(tmp_path / "run").done())


def test_an_error_of_the_job_comes_from_ray_as_it_was(tmp_path: Path, local: None) -> None:
    with pytest.raises(ShardError, match=r"shard 3: ZeroDivisionError(.|\n)*shard_jobs\.py"):
        run_job(Faulty(), tmp_path / "run", workers=1, backend="ray")
    with pytest.raises(ConfigError, match="shard 3: agent = 'nobody', allowed is greedy"):
        run_job(Faulty(mistake=True), tmp_path / "mistake", workers=1, backend="ray")


def test_workers_of_ray_have_one_thread_and_unpack_the_job_once(tmp_path: Path, local: None) -> None:
    found = run_job(Threads(), tmp_path / "run", workers=1, backend="ray").read("found")
    assert set(found["OMP_NUM_THREADS"]) == set(found["OPENBLAS_NUM_THREADS"]) == {1}
    assert set(found["UNPACKED"]) == {1}


def test_another_address_than_that_of_the_connection_is_refused(tmp_path: Path, local: None) -> None:
    with pytest.raises(ConfigError, match=r"address = '127\.0\.0\.1:1', allowed is .* connected already"):
        run_job(Dice(), tmp_path / "run", backend="ray", address="127.0.0.1:1")
