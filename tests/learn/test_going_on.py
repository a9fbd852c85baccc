"""What stands between a run and its loss: locks, the first checkpoint, results that belong to their model."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

from genesia_rl.cli.app import run as program
from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.registry import make_game
from genesia_rl.learn import checkpoint, compare
from genesia_rl.learn import run as runs
from genesia_rl.learn.presets import merged
from genesia_rl.learn.run import MODEL, STRENGTH, Run, same
from genesia_rl.learn.start import resumed, started
from genesia_rl.players.learned import LearnedPlayer, load_model
from genesia_rl.shards.lock import alone

SMALL: dict[str, Any] = {
    "network": {"kind": "flat", "width": 16},
    "league": {"scripted": ["random"], "snapshots": 1, "snapshot_every": 2},
    "learner": {"num_games": 8, "steps": 24, "minibatch": 64, "epochs": 2},
    "teacher": {"agent": "random", "updates": 2, "num_games": 4, "steps": 64, "minibatch": 32},
    "run": {"updates": 3, "seed": 3, "measure": 0},
}


def run_of(folder: Path, **tables: Any) -> Run:
    return started(overrides=merged(SMALL, tables), out=str(folder))


def test_one_process_at_a_time_works_in_a_folder(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    run.save()
    before = sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir())
    with alone(tmp_path, None):
        for again in (run.work, lambda: resumed(str(tmp_path), {})):
            with pytest.raises(ConfigError, match="another run is at work there, allowed is one at a time"):
                again()
    found = sorted((path.name, path.read_bytes()) for path in tmp_path.iterdir() if path.name != ".lock")
    assert found == before
    assert resumed(str(tmp_path), {}).work()


def test_a_run_that_is_stopped_while_compiling_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*given: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(runs, "compile_all", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_of(tmp_path / "stopped").work()
    assert resumed(str(tmp_path / "stopped"), {}).work() and run_of(tmp_path / "whole").work()
    ends = [checkpoint.read(tmp_path / name)[1] for name in ("stopped", "whole")]
    assert same(*ends)


def test_a_run_that_is_saved_before_it_goes_on_keeps_its_logs(tmp_path: Path) -> None:
    run_of(tmp_path).work()
    logged = (tmp_path / "log.jsonl").read_text()
    resumed(str(tmp_path), {}).save()
    assert resumed(str(tmp_path), {}).work() and (tmp_path / "log.jsonl").read_text() == logged != ""


def test_what_a_run_beat_is_forgotten_when_it_goes_on(tmp_path: Path) -> None:
    run = run_of(tmp_path, run={"measure": 2, "panel": ["random"]})
    assert run.work() and (tmp_path / STRENGTH).exists()
    assert resumed(str(tmp_path), {}).work() and (tmp_path / STRENGTH).exists(), "nothing was left to do"
    again = resumed(str(tmp_path), {"updates": 5})
    again.measure = lambda: None  # type: ignore[method-assign]  # as if it was stopped
    again.work()
    assert not (tmp_path / STRENGTH).exists()
    assert "strength" not in load_model(tmp_path / MODEL).header["card"]


def test_minutes_that_are_asked_for_are_not_overruled_by_updates(tmp_path: Path) -> None:
    run = run_of(tmp_path / "run")
    run.save()
    more = resumed(str(tmp_path / "run"), {"minutes": 300.0})
    assert (more.settings.run.minutes, more.settings.run.updates) == (300.0, None)
    file = tmp_path / "own.toml"
    file.write_text("[run]\nupdates = 500\n")
    timed = started("quick", str(file), merged(SMALL, {"run": {"minutes": 2.0}}), str(tmp_path / "both"))
    assert timed.settings.run.updates == 3, "given besides"
    tables = {**SMALL, "run": {"minutes": 2.0}}
    assert started("quick", str(file), tables, str(tmp_path / "minutes")).settings.run.updates is None


def test_minutes_and_updates_are_refused_together(capsys: pytest.CaptureFixture[str]) -> None:
    assert program(["train", "--minutes", "1", "--updates", "2"]) == 2
    assert "--minutes with --updates: allowed is one of them" in capsys.readouterr().err


def test_games_of_lessons_are_counted(tmp_path: Path) -> None:
    run = run_of(tmp_path, teacher={"steps": 400, "num_games": 8})
    row = run.step()
    assert row["phase"] == "teacher" and row["games_per_second"] > 0 and row["games"] == 0


def test_learning_stops_before_a_step_that_comes_too_late(tmp_path: Path) -> None:
    """As in stable-baselines3: what is too far from the decisions is not learned from at all."""
    steps = []
    for number, kl in enumerate((None, 1e-9)):
        run = run_of(
            tmp_path / str(number), learner={"target_kl": kl}, teacher={"share": 0.0, "updates": None}
        )
        run.step()
        (state, *_) = run.learner.optimizer.state.values()
        steps.append(int(state["step"]))
    assert steps == [2 * 3, 1], "two epochs of three minibatches; the first one finds the policy as it was"


@pytest.mark.parametrize("kind", ["array", "cut", "bytes"])
def test_a_damaged_model_is_named(tmp_path: Path, kind: str) -> None:
    path, whole = tmp_path / "m.npz", tmp_path / "whole.npz"
    run = run_of(tmp_path / "run")
    run.save()
    whole.write_bytes((tmp_path / "run" / MODEL).read_bytes())
    held = whole.read_bytes()
    if kind == "array":
        with path.open("wb") as file:
            np.save(file, np.zeros(3))
        kinds = [path.read_bytes()]
    elif kind == "cut":
        kinds = [held[: len(held) * k // 7] for k in range(1, 7)]
    else:
        rng = np.random.default_rng(0)
        kinds = []
        for _ in range(60):
            broken = bytearray(held)
            for place in rng.integers(len(held), size=20).tolist():
                broken[place] ^= 0xFF
            kinds.append(bytes(broken))
    found = 0
    for damaged in kinds:
        path.write_bytes(damaged)
        try:
            load_model(path)
        except DataError as error:
            found += "m.npz: " in str(error)
    assert found == len(kinds)


# ---------------------------------------------------------------- comparing networks


def compared(folder: Path, *more: str) -> int:
    try:
        compare.main(
            ["--networks", "flat:width=16", "--seeds", "0", "--minutes", "0.01", "--out", str(folder), *more]
        )
    except SystemExit as stopped:
        return int(stopped.code or 0)
    return 0


def test_a_comparison_that_was_stopped_has_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Run, "work", lambda run: False)
    assert compared(tmp_path) == 130 and "the same command goes on" in capsys.readouterr().err
    assert not list(tmp_path.rglob(compare.RESULT)) and not (tmp_path / "table.csv").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--games", "0"), "--games = 0, allowed is an integer from 1 on"),
        (("--players", "3", "--against", "ppo:{model}"), "players = 2, allowed in this game is 3"),
    ],
)
def test_mistakes_of_a_comparison_are_found_before_it_begins(
    tmp_path: Path, given: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    run_of(tmp_path / "run", game={"players": 2}).save()
    (tmp_path / "compared").mkdir()
    model = tmp_path / "run" / MODEL
    assert compared(tmp_path / "compared", *(text.format(model=model) for text in given)) == 2
    assert said in capsys.readouterr().err and not any((tmp_path / "compared").iterdir())


def test_compared_networks_are_measured_with_what_varied_while_they_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def measured(*given: Any, **more: Any) -> Any:
        asked.append(more["varied"])
        return argparse.Namespace(rate=0.5, interval=lambda: (0.4, 0.6))

    monkeypatch.setattr(compare, "evaluate_codes", measured)
    monkeypatch.setattr(Run, "work", lambda run: True)
    assert compared(tmp_path) == 0 and asked == [run_of(tmp_path / "run").settings.game.varied]


def test_a_learned_player_of_another_number_of_players_is_named(tmp_path: Path) -> None:
    run_of(tmp_path, game={"players": 2}).save()
    with pytest.raises(DataError, match="players = 2, allowed in this game is 3"):
        LearnedPlayer(str(tmp_path / MODEL)).net(make_game(players=3))
