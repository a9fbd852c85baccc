"""Runs that are split, killed, stopped and resumed come to the same bytes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

from shard_jobs import Deadly, Dice, Faulty, Threads, bytes_of, gone, logged, pids, wait_for

from genesia_rl.core.errors import ConfigError
from genesia_rl.shards import run as runs
from genesia_rl.shards.job import ShardError
from genesia_rl.shards.run import parse_part, run_job
from genesia_rl.shards.store import open_store

ROOT = Path(runs.__file__).resolve().parents[2]
SCRIPT = """
import sys
from functools import partial
from pathlib import Path
from genesia_rl.shards.run import run_job
from shard_jobs import Dice

if __name__ == "__main__":
    job = Dice(log=Path(sys.argv[2]), seconds=float(sys.argv[3]))
    run_job(job, Path(sys.argv[1]), workers=2)
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole") / "run"
    run_job(Dice(), folder, backend="serial")
    return bytes_of(folder)


@pytest.mark.parametrize("workers", [1, 2])
def test_processes_come_to_the_same_bytes(tmp_path: Path, whole: dict[str, bytes], workers: int) -> None:
    told: list[int] = []
    store = run_job(Dice(log=tmp_path / "log"), tmp_path / "run", workers, on_shard=told.append)
    assert bytes_of(store.folder) == whole
    assert sorted(told) == logged(tmp_path / "log") == list(range(6))
    assert len(set(pids(tmp_path / "log"))) <= workers and os.getpid() not in pids(tmp_path / "log")


def test_workers_have_one_thread_and_unpack_the_job_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    found = run_job(Threads(), tmp_path / "run", workers=1).read("found")
    assert {name: set(held.tolist()) for name, held in found.items()} == {
        "OMP_NUM_THREADS": {1}, "OPENBLAS_NUM_THREADS": {1}, "UNPACKED": {1}
    }  # fmt: skip
    assert os.environ["OMP_NUM_THREADS"] == "7" and "OPENBLAS_NUM_THREADS" not in os.environ


def test_a_finished_run_runs_nothing_again(tmp_path: Path) -> None:
    job = Dice(log=tmp_path / "log")
    run_job(job, tmp_path / "run", backend="serial", part=(1, 2))
    assert logged(tmp_path / "log") == [0, 2, 4]
    for _ in range(2):
        run_job(job, tmp_path / "run", backend="serial")
        assert logged(tmp_path / "log") == list(range(6))


# ---------------------------------------------------------------- deaths


def test_a_shard_whose_worker_is_killed_is_done_again(tmp_path: Path, whole: dict[str, bytes]) -> None:
    (tmp_path / "marks").mkdir()
    job = Deadly(marks=tmp_path / "marks", log=tmp_path / "log")
    store = run_job(job, tmp_path / "run", workers=2)
    assert bytes_of(store.folder) == whole
    assert logged(tmp_path / "log") == list(range(6)), "the others went on"
    assert len(list((tmp_path / "marks").iterdir())) == 1


def test_a_shard_that_always_kills_its_worker_is_named(tmp_path: Path) -> None:
    (tmp_path / "marks").mkdir()
    with pytest.raises(ShardError, match="shard 2: its worker died 4 times"):
        run_job(Deadly(marks=tmp_path / "marks", times=99), tmp_path / "run", workers=2)
    store = open_store(tmp_path / "run")
    assert 2 in store.missing() and {0, 1} <= set(store.done())
    assert not list((tmp_path / "run" / "shards").glob("*.part"))


@pytest.mark.parametrize("backend", ["serial", "processes"])
def test_an_error_of_the_job_is_raised_with_its_shard_and_not_tried_again(
    tmp_path: Path, backend: str
) -> None:
    with pytest.raises(ShardError, match=r"shard 3: ZeroDivisionError(.|\n)*shard_jobs\.py"):
        run_job(Faulty(), tmp_path / "run", workers=1, backend=backend)
    assert open_store(tmp_path / "run").done() == [0, 1, 2]
    with pytest.raises(ConfigError, match="shard 3: agent = 'nobody', allowed is greedy"):
        run_job(Faulty(mistake=True), tmp_path / "mistake", workers=1, backend=backend)


class Unreadable(Dice):
    """Cannot be unpacked in a worker."""

    def __reduce__(self) -> Any:
        return int, ("no number",)


def test_a_job_that_cannot_be_unpacked_is_no_death(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no number"):
        run_job(Unreadable(), tmp_path / "run", workers=1)


# ---------------------------------------------------------------- stopping and going on


def started(tmp_path: Path, seconds: float) -> subprocess.Popen[bytes]:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    told = [sys.executable, str(script), str(tmp_path / "run"), str(tmp_path / "log"), str(seconds)]
    return subprocess.Popen(
        told, env=os.environ | {"PYTHONPATH": paths}, stderr=subprocess.PIPE, start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests may run where it is ignored
    )  # fmt: skip


def finished(tmp_path: Path) -> list[int]:
    try:
        return open_store(tmp_path / "run").done()
    except ValueError:
        return []  # not begun


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc which processes are left")
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGINT])
def test_a_run_that_is_ended_goes_on_with_what_it_lacks(
    tmp_path: Path, whole: dict[str, bytes], sent: signal.Signals
) -> None:
    process = started(tmp_path, 0.4)
    wait_for(lambda: len(finished(tmp_path)) >= 2)
    (os.killpg if sent == signal.SIGINT else os.kill)(process.pid, sent)
    _, said = process.communicate(timeout=20)
    assert process.returncode == -sent
    wait_for(lambda: all(gone(pid) for pid in pids(tmp_path / "log")))
    done = finished(tmp_path)
    assert 2 <= len(done) < 6
    if sent == signal.SIGINT:
        assert not list((tmp_path / "run" / "shards").glob("*.part"))
        assert said.count(b"Traceback") == 1, "workers leave Ctrl-C to their parent"
    (tmp_path / "log").unlink()
    run_job(Dice(log=tmp_path / "log"), tmp_path / "run", workers=1)
    assert logged(tmp_path / "log") == [shard for shard in range(6) if shard not in done]
    assert bytes_of(tmp_path / "run") == whole


@pytest.mark.parametrize("backend", ["serial", "processes"])
def test_a_run_that_is_told_to_stop_keeps_what_it_has(
    tmp_path: Path, whole: dict[str, bytes], backend: str
) -> None:
    told: list[int] = []
    job, folder = Dice(), tmp_path / "run"
    store = run_job(job, folder, 1, backend, on_shard=told.append, stop=lambda: len(told) >= 2)
    assert store.done() == told == [0, 1] and not store.is_complete
    assert bytes_of(run_job(job, folder, 1, backend).folder) == whole


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize("text", ["", "1", "1/", "/2", "a/2", "-1/2", "0/2", "3/2", "1/0", "1/2/3", "1.0/2"])
def test_parts_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="shard = "):
        parse_part(text)


def test_parts_are_read() -> None:
    assert parse_part("1/4") == (1, 4) and parse_part("4/4") == (4, 4)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"backend": "threads"}, "backend = 'threads', allowed is one of processes, serial, ray"),
        ({"workers": 0}, "workers = 0"),
        ({"part": (0, 2)}, "shard = 0/2"),
        ({"address": "auto"}, "address = 'auto' with backend processes"),
    ],
)
def test_options_out_of_range_are_refused_before_anything_is_written(
    tmp_path: Path, given: dict[str, Any], named: str
) -> None:
    with pytest.raises(ConfigError, match=named):
        run_job(Dice(), tmp_path / "run", **given)
    assert not (tmp_path / "run").exists()


def test_a_missing_ray_is_named_with_what_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(ConfigError, match=r"pip install genesia-rl\[ray\]"):
        run_job(Dice(), tmp_path / "run", backend="ray")


def test_a_second_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    """The same shards by two at once; other parts of the job may be run side by side."""
    folder, refused = tmp_path / "run", list[str]()

    def again(shard: int, part: tuple[int, int] | None = None) -> None:
        try:
            run_job(Dice(), folder, backend="serial", part=part)
        except ConfigError as error:
            refused.append(str(error))

    run_job(Dice(), folder, backend="serial", stop=lambda: True)  # the folder is there
    run_job(Dice(), folder, backend="serial", part=(1, 2), on_shard=partial(again, part=(2, 2)))
    assert refused == [] and open_store(folder).is_complete
    other = tmp_path / "other"
    folder = other
    run_job(Dice(), other, backend="serial", part=(1, 2), on_shard=partial(again, part=(1, 2)))
    run_job(Dice(), other, backend="serial", part=(2, 2), on_shard=again)
    assert len(refused) == 6
    assert set(refused) == {f"{other}: another run is at work there, allowed is one at a time"}
    assert bytes_of(run_job(Dice(), other, backend="serial").folder) == bytes_of(tmp_path / "run")
