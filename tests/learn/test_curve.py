"""Strength against compute: of a run's models and of the search with them, and what was never met."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")
pytest.importorskip("matplotlib")

from genesia_rl.core.registry import register_game
from genesia_rl.learn import curve
from genesia_rl.learn.start import started


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run of the toy that kept a model on its way."""
    register_game("toy", "toy", listed=False)
    made = tmp_path_factory.mktemp("run") / "toy"
    tables = {
        "game": {"name": "toy"}, "network": {"width": 16, "joint": 8},
        "learner": {"num_games": 8, "epochs": 1, "threads": 1},
        "run": {"updates": 2, "measure": 0, "milestones": [1e-6]},
    }  # fmt: skip
    started("standard", None, tables, str(made)).work()
    return made


def test_models_are_drawn_over_what_they_cost(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    curve.main([str(folder), "--panel", "random,mcts:2", "--games", "8", "--over", "decisions"])
    page = (folder / "curve" / "report.html").read_text(encoding="utf-8")
    assert str(folder / "curve" / "report.html") in capsys.readouterr().out
    assert "mcts:2 (never met)" in page and "random (never met)" not in page and "<svg" in page
    rows = json.loads((folder / "curve.json").read_text())
    assert [row["held_out"] for row in rows] == [False, True] * 2
    assert 0 < rows[0]["decisions"] < rows[-1]["decisions"]


def test_the_search_is_drawn_over_seconds_a_decision(folder: Path) -> None:
    curve.main([str(folder), "--panel", "random", "--games", "8", "--search", "2,2048"])
    rows = json.loads((folder / "curve-search.json").read_text())
    assert [row["budget"] for row in rows] == ["2", "2048"]
    assert 0 < rows[0]["seconds"] < rows[1]["seconds"], "more simulations take longer"
    assert "seconds a decision" in (folder / "curve-search" / "report.html").read_text(encoding="utf-8")


def test_a_wrong_budget_is_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        curve.main([str(folder), "--search", "much", "--games", "8"])
    assert "budget 'much': allowed are" in capsys.readouterr().err
