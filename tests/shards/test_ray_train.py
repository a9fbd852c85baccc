"""`genesia train --backend ray`: on a cluster of several nodes, of which some are lost."""

from __future__ import annotations

import json
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray")
pytest.importorskip("torch")
pytest.importorskip("pydantic")

import ray
from ray.cluster_utils import Cluster
from shard_jobs import MEMORY, QUICK, wait_for

from genesia_rl.cli.app import run as program
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import default_game, register_game
from genesia_rl.learn import checkpoint
from genesia_rl.learn.presets import merged
from genesia_rl.learn.remote import RemoteGames
from genesia_rl.learn.run import Run, same
from genesia_rl.learn.start import resumed, started
from genesia_rl.players.networks import INCREMENTAL

pytestmark = pytest.mark.slow

GAMES, UPDATES = 48, 6
LOCAL = {"actors": {"backend": "local", "address": None, "number": None}}
SMALL: dict[str, Any] = {
    "game": {"name": "toy", "players": 3},
    "network": {"kind": INCREMENTAL, "width": 16, "joint": 8},
    "league": {"scripted": ["random"], "snapshots": 2, "snapshot_every": 2},
    "learner": {"num_games": GAMES, "minibatch": 128, "epochs": 2, "threads": 1},
    "teacher": {"share": 0.0, "updates": None},
    "run": {"updates": UPDATES, "seed": 3, "measure": 0, "log": []},
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """A head that runs nothing, to which nodes are added."""
    register_game("toy", "toy", listed=False)
    made = Cluster(
        initialize_head=True,
        head_node_args={
            "num_cpus": 0,
            "object_store_memory": MEMORY,
            "_system_config": QUICK | {"worker_niceness": 0},
        },
    )
    try:
        yield made
    finally:
        ray.shutdown()
        made.shutdown()


@pytest.fixture
def nodes(cluster: Cluster, request: pytest.FixtureRequest) -> Iterator[list[Any]]:
    """Nodes of a core each."""
    made = [cluster.add_node(num_cpus=1, object_store_memory=MEMORY) for _ in range(request.param)]
    cluster.wait_for_nodes()
    yield made
    for node in set(made) & cluster.worker_nodes:
        cluster.remove_node(node, allow_graceful=False)


def run_of(folder: Path, address: str | None = None, *more: dict[str, Any]) -> Run:
    """A run, with actors where an address is given."""
    actors = {"backend": "ray", "address": address} if address else {}
    return started(overrides=merged(SMALL, {"actors": actors}, *more), out=str(folder))


def told(folder: Path) -> list[dict[str, Any]]:
    """The log's lines."""
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def after(run: Run, what: Callable[[int], None]) -> Run:
    """Let something happen after every update."""
    step = run.step

    def hooked() -> dict[str, Any]:
        row = step()
        what(run.update)
        return row

    run.step = hooked  # type: ignore[method-assign]
    return run


def processes(run: Run, number: int) -> list[int]:
    """The processes of its actors, once there are so many."""
    assert isinstance(run.env, RemoteGames) and run.env.crew is not None
    crew = run.env.crew
    wait_for(lambda: crew.alive() == number, 60.0)
    return [int(member.name.partition(":")[2]) for member in crew.members]


def tell(pids: list[int], what: signal.Signals) -> None:
    """A signal to processes that may be gone."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, what)


@pytest.mark.parametrize("nodes", [3], indirect=True)
def test_a_killed_actor_and_a_lost_node_change_nothing(
    tmp_path: Path, cluster: Cluster, nodes: list[Any]
) -> None:
    """Who is lost has been stopped before, so that it holds games that it has not finished."""
    whole = run_of(tmp_path / "whole")
    assert whole.work()
    run = run_of(tmp_path / "run", cluster.address, {"actors": {"max_stale": 0}})

    def kill(pids: list[int]) -> None:
        tell(pids, signal.SIGKILL)

    def remove(pids: list[int]) -> None:
        for node in nodes[:2]:
            cluster.remove_node(node, allow_graceful=False)
        tell(pids, signal.SIGCONT)

    def lose(update: int) -> None:
        if update in (2, 4):
            pids = processes(run, 3)[: 1 if update == 2 else 3]
            tell(pids, signal.SIGSTOP)
            threading.Timer(0.7, kill if update == 2 else remove, [pids]).start()

    assert after(run, lose).work()
    rows = told(tmp_path / "run")
    assert [row["update"] for row in rows if row["lost"]] == [3, 5], "what is lost is asked again at once"
    assert [row["games"] for row in rows] == [GAMES * (k + 1) for k in range(UPDATES)]
    ends = [checkpoint.read(tmp_path / name) for name in ("whole", "run")]
    assert same(ends[0][1], ends[1][1]) and ends[0][0]["pool"] == ends[1][0]["pool"]


@pytest.mark.parametrize("nodes", [2], indirect=True)
def test_who_is_late_is_not_waited_for_and_its_stale_games_are_played_again(
    tmp_path: Path, cluster: Cluster, nodes: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    limits = {"max_stale": 4, "most_stale": 0.0}
    run = run_of(tmp_path / "r", cluster.address, {"actors": limits, "run": {"updates": 60}})
    late: list[int] = []

    def pause(update: int) -> None:
        if update == 2:
            late.append(processes(run, 2)[0])
            tell(late, signal.SIGSTOP)
        elif update == 20:
            tell(late, signal.SIGCONT)

    assert after(run, pause).work()
    rows = told(tmp_path / "r")
    stale = sum(row["stale"] for row in rows)
    assert stale > 0 and all(row["behind"] <= 4 for row in rows)
    assert max(row["stale_share"] for row in rows) < 0.2
    assert "are stale, more than 4 updates behind (actors.most_stale is 0)" in capsys.readouterr().out
    numbers = checkpoint.read(tmp_path / "r")[1]["env/open"]
    assert rows[-1]["games"] + len(numbers) == run.env.given, (
        "every game was learned from once, or is left open"
    )


@pytest.mark.parametrize("nodes", [2], indirect=True)
def test_a_run_goes_on_with_either_backend(tmp_path: Path, cluster: Cluster, nodes: list[Any]) -> None:
    """Of a registered game, with lessons; what was never finished is played first."""
    tables = {"game": {"name": default_game(), "players": None}, "teacher": {"updates": 1, "num_games": 4}}
    learner = {"num_games": 12, "epochs": 1}
    run = run_of(tmp_path / "r", cluster.address, tables, {"learner": learner, "run": {"updates": 4}})
    assert run.work()
    rows, stated = told(tmp_path / "r"), run.settings.actors
    assert {row["phase"] for row in rows} == {"teacher", "league"}
    assert all(row["behind"] <= stated.max_stale for row in rows[1:])
    assert rows[-1]["stale_share"] < stated.most_stale and rows[-1]["games"] >= 48
    left = checkpoint.read(tmp_path / "r")[1]["env/open"].tolist()
    here = resumed(str(tmp_path / "r"), {"updates": 5}, LOCAL)
    given = here.env.given
    assert here.env.open.tolist() == left and len(left) >= 1
    assert here.work()
    numbers = checkpoint.read(tmp_path / "r")[1].get("env/open", np.zeros(0)).tolist()
    assert here.env.given - given == max(0, 12 - len(left)) and numbers == left[12:]
    elsewhere = {"actors": {"backend": "ray", "address": cluster.address}}
    again = resumed(str(tmp_path / "r"), {"updates": 9}, elsewhere)
    stopped = after(again, lambda update: os.kill(os.getpid(), signal.SIGTERM) if update == 7 else None)
    assert not stopped.work() and again.update == 7 and told(tmp_path / "r")[-1]["actors"] >= 1
    assert checkpoint.read(tmp_path / "r")[0]["update"] == 7, (
        "a signal finishes the update and saves, as ever"
    )
    entries = json.loads((tmp_path / "r" / "settings.json").read_text())["resumed"]
    assert [entry["settings"]["actors"]["backend"] for entry in entries] == ["local", "ray"]


@pytest.mark.parametrize("nodes", [1], indirect=True)
def test_a_run_without_any_actor_ends_in_a_line_and_can_go_on(
    tmp_path: Path, cluster: Cluster, nodes: list[Any], capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_of(tmp_path / "r", cluster.address, {"run": {"updates": 10_000}})

    def lose(update: int) -> None:
        if update == 3:
            crew = run.env.crew
            crew.settings = crew.settings.model_copy(update={"patience": 1.0})
            for node in nodes:
                cluster.remove_node(node, allow_graceful=False)

    with pytest.raises(
        ConfigError, match=r"^actors\.address = .*: no actor for 1 s \(.*\), allowed is a Ray with"
    ):
        after(run, lose).work()
    assert "--resume goes on from there" in capsys.readouterr().out
    done = checkpoint.read(tmp_path / "r")[0]["update"]
    assert done >= 3 and resumed(str(tmp_path / "r"), {"updates": done + 2}, LOCAL).work()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere"])
def test_an_address_where_nothing_runs_is_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    out = tmp_path / "r"
    assert program(["train", "--backend", "ray", "--address", address, "--out", str(out)]) == 2
    said = capsys.readouterr().err
    assert (
        f"address = '{address}'" in said and "allowed is auto or host:port" in said and said.count("\n") == 1
    )
    assert not out.exists()
