"""Small jobs for the tests of the shards, and what they left behind."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from genesia_rl.core.errors import ConfigError
from genesia_rl.shards.job import Tables

MEMORY = 80 * 1024 * 1024  # of each node of a cluster, for objects
QUICK = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 500}
RESULTS = ("job.json", "games.parquet", "seats.parquet")


@dataclass(frozen=True)
class Dice:
    """Tables of every kind of column; every third shard has no rows in one of them."""

    num_shards: int = 6
    seed: int = 1
    rows: int = 40
    log: Path | None = None  # a line for each shard that is run, by whom
    seconds: float = 0.0

    def settings(self) -> dict[str, Any]:
        return {"kind": "dice", "seed": self.seed, "rows": self.rows, "faces": [1, 6]}

    def run(self, shard: int) -> Tables:
        begun = time.perf_counter()
        if self.log is not None:
            with self.log.open("a") as file:
                file.write(f"{shard} {os.getpid()}\n")
        time.sleep(self.seconds)
        rng = np.random.default_rng([self.seed, shard])
        rows = self.rows + shard
        games = {
            "game": shard * 1000 + np.arange(rows),
            "seed": rng.integers(1 << 63, size=rows, dtype=np.uint64),
            "won": rng.random(rows) < 0.5,
            "agent": rng.choice(["greedy", "mcts:400", "zufällig"], rows),
            "margin": rng.normal(size=rows),
            "totals": rng.integers(-100, 100, (rows, 5)).astype(np.int16),
        }
        seats = 0 if shard % 3 == 0 else 2 * rows
        return {
            "games": games,
            "seats": {"seat": rng.integers(5, size=seats).astype(np.int8)},
            "_times": {"seconds": np.array([time.perf_counter() - begun])},
        }


@dataclass(frozen=True)
class Deadly(Dice):
    """One shard kills the process that runs it, as often as it is told."""

    shard: int = 2
    times: int = 1
    marks: Path = Path()

    def run(self, shard: int) -> Tables:
        killed = len(list(self.marks.glob("mark*")))
        if shard == self.shard and killed < self.times:
            (self.marks / f"mark{killed}").touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().run(shard)


@dataclass(frozen=True)
class Faulty(Dice):
    """One shard has an error of its own, or a user's mistake."""

    mistake: bool = False

    def run(self, shard: int) -> Tables:
        if shard == 3 and self.mistake:
            raise ConfigError("agent = 'nobody', allowed is greedy")
        return {"games": {"x": np.array([1 // (shard - 3)])}}


@dataclass(frozen=True)
class Threads(Dice):
    """Tells what its worker was started with, and how often the job was unpacked there."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        os.environ["UNPACKED"] = str(int(os.environ.get("UNPACKED", "0")) + 1)

    def run(self, shard: int) -> Tables:
        names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "UNPACKED")
        return {"found": {name: np.array([int(os.environ.get(name, "0"))]) for name in names}}


@dataclass(frozen=True)
class Gated(Dice):
    """All but the first shards wait until a file is there."""

    gate: Path = Path()
    free: int = 0

    def run(self, shard: int) -> Tables:
        tables = super().run(shard)
        if shard >= self.free:
            wait_for(self.gate.exists, 60.0)
        return tables


def bytes_of(folder: Path) -> dict[str, bytes]:
    """The files that have to be the same, whoever ran the job."""
    return {name: (folder / name).read_bytes() for name in RESULTS}


def logged(log: Path) -> list[int]:
    """The shards that were begun."""
    return sorted(int(line.split()[0]) for line in log.read_text().splitlines())


def pids(log: Path, since: int = 0) -> list[int]:
    """The processes that began them, or those that began the shards from one on."""
    begun = [line.split() for line in log.read_text().splitlines()]
    return [int(pid) for shard, pid in begun if int(shard) >= since]


def gone(pid: int) -> bool:
    """Whether a process is no more, or a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def wait_for(what: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.02)
