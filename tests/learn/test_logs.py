"""One hook for whoever is told of a run's updates: `--log tensorboard,csv,wandb`."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from genesia_rl.core.errors import ConfigError
from genesia_rl.learn import log
from genesia_rl.learn.log import Log, checked_logs, scalars

ROW = {
    "update": 1, "phase": "league", "minutes": 0.1, "decisions": 512, "games": 4, "decisions_per_second": 100.0,
    "games_per_second": 1.0, "policy_loss": 0.1, "seconds": {"learner": 1.0},
    "pool": {"random": {"ahead": 0.5}},
}  # fmt: skip


def files(folder: Path) -> set[str]:
    """What a log has written."""
    return {path.name for path in folder.iterdir()}


def test_only_what_is_asked_for_is_written(tmp_path: Path) -> None:
    found = Log(tmp_path, names=["csv"])
    found.add(ROW)
    found.close()
    assert files(tmp_path) == {"log.jsonl", "log.csv"}
    nothing = tmp_path / "nothing"
    nothing.mkdir()
    Log(nothing, names=[]).add(ROW)
    assert files(nothing) == {"log.jsonl"}  # from which a run goes on: it is always there


def test_a_log_that_begins_in_the_middle_of_a_run_has_its_header(tmp_path: Path) -> None:
    first = Log(tmp_path, names=[])
    first.add(ROW)
    then = Log(tmp_path, lines=1, names=["csv"])
    then.add(ROW | {"update": 2})
    again = Log(tmp_path, lines=2, names=["csv"])
    again.add(ROW | {"update": 3})
    with (tmp_path / "log.csv").open(newline="") as file:
        assert [row["update"] for row in csv.DictReader(file)] == ["2", "3"]
    assert len((tmp_path / "log.jsonl").read_text().splitlines()) == 3


def test_weights_and_biases_is_told_the_same_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[Mapping[str, Any]] = []
    begun: list[Mapping[str, Any]] = []
    ended: list[bool] = []

    def init(**given: Any) -> Any:
        begun.append(given)
        return SimpleNamespace(log=told.append, finish=lambda: ended.append(True))

    monkeypatch.setitem(sys.modules, "wandb", SimpleNamespace(init=init))
    monkeypatch.setattr(log, "find_spec", lambda name: name)
    for _ in range(2):  # the second goes on with the first
        found = Log(tmp_path, names=["wandb"], about={"run": {"seed": 7}})
        found.add(ROW)
        found.close()
    assert told == [{**scalars(ROW), "decisions": 512}] * 2 and ended == [True] * 2
    assert begun[0]["config"] == {"run": {"seed": 7}}
    assert begun[0]["id"] == begun[1]["id"] and begun[0]["resume"] == "allow"


def test_an_unknown_log_and_one_that_is_not_installed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ConfigError, match="log 'excel': unknown, allowed are csv, tensorboard, wandb"):
        checked_logs(["csv", "excel"])
    monkeypatch.setattr(log, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r'log .wandb. needs wandb: pip install "genesia-rl\[wandb\]"'):
        checked_logs(["wandb"])
    assert checked_logs(["csv", " csv"]) == ["csv"]


def test_the_command_takes_it_and_keeps_it_in_the_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from genesia_rl.cli.app import run
    from genesia_rl.learn import start

    seen: list[Any] = []

    def begun(settings: Any, folder: Path) -> _Nobody:
        seen.append(settings)
        return _Nobody()

    monkeypatch.setattr(start, "Run", begun)
    assert run(["train", "--preset", "quick", "--log", "csv", "--out", str(tmp_path / "run")]) == 0
    assert seen[0].run.log == ["csv"]
    assert json.loads((tmp_path / "run" / "settings.json").read_text())["settings"]["run"]["log"] == ["csv"]
    assert run(["train", "--preset", "quick", "--log", "csv,excel", "--out", str(tmp_path / "b")]) == 2
    assert "log 'excel': unknown" in capsys.readouterr().err


class _Nobody:
    def work(self) -> bool:
        """Nothing is learned here."""
        return True
