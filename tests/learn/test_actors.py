"""Who plays a run's games: what is refused before anything runs, and games that were asked for and never finished."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

import torch

from genesia_rl.cli.app import run as program
from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.registry import default_game
from genesia_rl.learn import checkpoint, start
from genesia_rl.learn.policy import device_of
from genesia_rl.learn.presets import make_settings, merged
from genesia_rl.learn.run import Run, same
from genesia_rl.learn.start import resumed, started
from genesia_rl.learn.whole import seeds_of
from genesia_rl.players.networks import INCREMENTAL

SMALL: dict[str, Any] = {
    "network": {"kind": INCREMENTAL, "width": 16, "joint": 8},
    "league": {"scripted": ["random"], "snapshots": 1, "snapshot_every": 2},
    "learner": {"num_games": 4, "minibatch": 128, "epochs": 1},
    "teacher": {"share": 0.0, "updates": None},
    "run": {"updates": 3, "seed": 3, "measure": 0, "log": []},
}
RAY = {"backend": "ray"}


def run_of(folder: Path, **tables: Any) -> Run:
    return started(overrides=merged(SMALL, tables), out=str(folder))


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"actors": {"backend": "spark"}}, r"^actors\.backend = 'spark': input should be 'local' or 'ray'"),
        (
            {"actors": {"address": "a:1"}},
            r"^actors: address = 'a:1' with backend = 'local', allowed is it with 'ray'",
        ),
        ({"actors": {"number": 3}}, r"^actors: number = 3 with backend = 'local', allowed is it with 'ray'"),
        ({"actors": RAY | {"number": 0}}, r"^actors\.number = 0: input should be greater than or equal to 1"),
        ({"actors": RAY | {"max_stale": -1}}, r"^actors\.max_stale = -1: input should be greater"),
        (
            {"actors": RAY | {"most_stale": 2}},
            r"^actors\.most_stale = 2: input should be less than or equal to 1",
        ),
        (
            {"actors": RAY, "network": {"kind": "flat"}},
            r"^actors\.backend = 'ray' with network\.kind = 'flat', allowed is it with 'incremental'",
        ),
        (
            {"learner": {"device": "tpu"}},
            r"^learner\.device = 'tpu': input should be 'cpu', 'cuda' or 'auto'",
        ),
    ],
)
def test_wrong_settings_are_refused_by_name(tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_settings("quick", None, tables)


def test_whoever_cannot_sit_in_compiled_games_is_refused_with_actors() -> None:
    league = {"scripted": ["random", "mcts:1"], "snapshots": 1}
    with pytest.raises(ConfigError, match=r"'mcts:1'.*(allowed with it are|learns from and against) random"):
        make_settings("quick", None, {"actors": RAY, "league": league})


def test_a_device_that_is_not_there_is_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert program(["train", "--device", "cuda", "--out", str(tmp_path / "r")]) == 2
    said = capsys.readouterr().err
    assert "learner.device = 'cuda': torch finds no CUDA device here" in said and said.count("\n") == 1
    assert not (tmp_path / "r").exists() and device_of("auto").type == device_of("cpu").type == "cpu"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert device_of("auto").type == device_of("cuda").type == "cuda" and device_of("cpu").type == "cpu"


def test_without_ray_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    assert program(["train", "--backend", "ray", "--out", str(tmp_path / "r")]) == 2
    said = capsys.readouterr().err
    assert "ray is not installed, allowed after pip install genesia-rl[ray]" in said and said.count("\n") == 1
    assert not (tmp_path / "r").exists()


def test_games_that_were_never_finished_are_played_first(tmp_path: Path) -> None:
    """As a checkpoint of a run with actors keeps them; each number is played once."""
    run = run_of(tmp_path)
    run.step()
    run.env.open, run.env.given = np.array([4, 6]), 7  # of 4..6 only game 5 has come
    run.env.games_played = 5
    run.save()
    again = resumed(str(tmp_path), {})
    assert again.env.open.tolist() == [4, 6] and again.env.given == 7
    assert again.env.take_numbers(4).tolist() == [4, 6, 7, 8] and again.env.given == 9
    once = resumed(str(tmp_path), {})
    assert once.work() and once.env.games_played == 13 and once.env.given == 13 and not len(once.env.open)
    assert "env/open" not in checkpoint.read(tmp_path)[1]
    assert seeds_of(3, 17, np.array([4, 6])).tolist() == seeds_of(3, 17, np.arange(9))[[4, 6]].tolist()


def test_open_games_that_cannot_be_are_refused(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    run.env.open = np.array([7])
    run.save()
    with pytest.raises(DataError, match=r"open names game 7, allowed are 0\.\.0"):
        resumed(str(tmp_path), {})


def test_a_run_with_actors_of_which_none_was_called_is_that_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without `work` there is no crew, and no Ray is asked for."""
    monkeypatch.setattr(start, "check_cluster", lambda settings: None)
    ends = []
    for name, actors in (("here", {}), ("there", RAY)):
        run = run_of(tmp_path / name, actors=actors, game={"name": default_game()})
        for _ in range(2):
            run.step()
        ends.append(run.kept()[1])
    assert same(*ends)
