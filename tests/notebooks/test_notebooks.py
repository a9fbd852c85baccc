"""The notebooks: what is kept is whole, and all of them run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("sb3_contrib")
pytest.importorskip("pyarrow")

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "notebooks"
PATHS = {path.stem: path for path in FOLDER.rglob("*.ipynb") if "runs" not in path.parts}
NAMES = ("balance", "first_game", "time", "training", "worth")
FAST = "first_game"
MOST_BYTES = 512 * 1024
SMALL = {"balance": "40", "first_game": "20", "time": "40", "training": "32", "worth": "40"}
#: How many plots and tables each shows, at least.
SHOWS = {"balance": 12, "first_game": 2, "time": 11, "training": 5, "worth": 9}


def code_of(path: Path) -> list[Any]:
    """The code cells of a notebook; its form is checked."""
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def execute(*words: str, folder: Path = FOLDER, games: str = "20") -> subprocess.CompletedProcess[str]:
    """`python notebooks/execute.py ...`"""
    env = {**os.environ, "GENESIA_NOTEBOOK_GAMES": games}
    line = [sys.executable, str(folder / "execute.py"), *words]
    return subprocess.run(line, env=env, cwd=ROOT, capture_output=True, text=True)


def check_outputs(cells: list[Any], shows: int) -> None:
    """Executed from top to bottom, without errors and warnings, and there is something to see."""
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    outputs = [output for cell in cells for output in cell.outputs]
    assert [output.output_type for output in outputs if output.output_type == "error"] == []
    assert [output.text for output in outputs if output.get("name") == "stderr"] == []
    plots = [o for o in outputs if {"image/png", "text/html"} & o.get("data", {}).keys()]
    assert len(plots) >= shows


def test_there_are_no_other_notebooks() -> None:
    assert sorted(PATHS) == list(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_kept_was_executed_and_is_small(name: str) -> None:
    path = PATHS[name]
    check_outputs(code_of(path), SHOWS[name])
    assert path.stat().st_size < MOST_BYTES
    text = path.read_text(encoding="utf-8")
    assert re.findall(r"(?<![\w.])/(?:tmp|home|root|work|usr|Users)/[^\"\s]*", text) == []


def test_cells_are_formatted_like_the_rest() -> None:
    pytest.importorskip("ruff")
    for words in (["format", "--check"], ["check"]):
        found = subprocess.run(
            [sys.executable, "-m", "ruff", *words, str(FOLDER)], capture_output=True, text=True, cwd=ROOT
        )
        assert found.returncode == 0, found.stdout + found.stderr
    assert "ipynb" in subprocess.run(
        [sys.executable, "-m", "ruff", "check", "--show-files", str(FOLDER)],
        capture_output=True, text=True, cwd=ROOT,
    ).stdout  # fmt: skip


def test_notebooks_link_to_what_there_is() -> None:
    links: list[Path] = []
    for path in [FOLDER / "README.md", *PATHS.values()]:
        found = re.findall(r"\]\(([^)#\s]+)", path.read_text(encoding="utf-8"))
        links += [path.parent / link for link in found if "://" not in link]
    assert len(links) >= len(NAMES)
    assert [link for link in links if not link.exists()] == []


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == FAST else [pytest.mark.slow]) for name in NAMES]
)
def test_a_notebook_runs_at_small_size(name: str, tmp_path: Path) -> None:
    kept = PATHS[name].read_bytes()
    found = execute("--to", str(tmp_path), name, games=SMALL[name])
    assert found.returncode == 0, found.stderr
    cells = code_of(tmp_path / f"{name}.ipynb")
    check_outputs(cells, SHOWS[name])
    assert [cell.source for cell in cells] == [cell.source for cell in code_of(PATHS[name])]
    assert PATHS[name].read_bytes() == kept


def test_a_notebook_that_fails_is_not_written(tmp_path: Path) -> None:
    cells = [nbformat.v4.new_code_cell("x = 1"), nbformat.v4.new_code_cell("raise ValueError(x)")]
    (tmp_path / "execute.py").write_bytes((FOLDER / "execute.py").read_bytes())
    path = tmp_path / "failing.ipynb"
    nbformat.write(nbformat.v4.new_notebook(cells=cells), path)
    before = path.read_bytes()
    found = execute("failing", folder=tmp_path)
    assert found.returncode != 0 and "ValueError" in found.stderr
    assert path.read_bytes() == before
    found = execute("other", folder=tmp_path)
    assert found.returncode == 2 and "notebook 'other': allowed are failing" in found.stderr
