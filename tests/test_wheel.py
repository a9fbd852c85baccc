"""What pip installs: one top-level name, no results, small, and everything works from it without a checkout."""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest

from genesia_rl.core.registry import game_names

ROOT = Path(__file__).resolve().parent.parent
PAGE = "genesia_rl/studio/page/"  # of the window: it is no result
MOST_BYTES = 25_000_000  # networks of a megabyte or two for every game and number of players, and the code
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        check=True, capture_output=True, text=True,
    )  # fmt: skip
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its files, as pip would lay them."""
    folder = tmp_path_factory.mktemp("installed")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    return folder


def run(installed: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command of the installed package, in a folder that has nothing of the checkout."""
    return subprocess.run(
        [sys.executable, "-m", "genesia_rl", *arguments],
        cwd=folder, env=os.environ | {"PYTHONPATH": str(installed)}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_wheel_owns_one_top_level_name(unpacked: Path) -> None:
    names = {path.name for path in unpacked.iterdir() if not path.name.endswith(".dist-info")}
    assert names == {"genesia_rl"}


def test_the_wheel_holds_no_results_and_is_small(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
    results = (".parquet", ".html", ".csv", ".ipynb", ".jsonl.gz")
    assert not [name for name in names if name.endswith(results) and not name.startswith(PAGE)]
    assert wheel.stat().st_size < MOST_BYTES


def test_the_models_of_the_checkout_are_in_it(unpacked: Path) -> None:
    ours = {path.relative_to(ROOT / "agents") for path in (ROOT / "agents").rglob("*.npz")}
    shipped = unpacked / "genesia_rl" / "models"
    assert ours and {path.relative_to(shipped) for path in shipped.rglob("*.npz")} == ours


@pytest.mark.parametrize("game", game_names())
def test_playing_rating_reporting_and_training_need_no_checkout(
    game: str, unpacked: Path, tmp_path: Path
) -> None:
    agent = "ppo" if list((unpacked / "genesia_rl" / "models" / game).glob("*.npz")) else "mcts:2"
    settings = tmp_path / "small.toml"
    settings.write_text(
        "[learner]\nnum_games = 16\nsteps = 8\n[teacher]\nupdates = 1\nnum_games = 8\nsteps = 8\n"
    )
    for command in (
        ["record", "--games", "1", "--policy", agent, "--out", "games.jsonl"],
        ["evaluate", "--agent", agent, "--against", "random", "--games", "4"],
        ["arena", "--agents", f"{agent},random", "--games", "4", "--out", "arena"],
        ["balance", "--policy", "random", "--games", "20", "--parts", "first", "--out", "balance"],
        ["train", "--preset", "quick", "--updates", "1", "--config", str(settings), "--out", "run"],
    ):
        done = run(unpacked, tmp_path, command[0], "--game", game, *command[1:])
        assert done.returncode == 0, f"{command}: {done.stderr}"
    done = run(unpacked, tmp_path, "verify", "games.jsonl")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "run" / "model.npz").exists()
    assert (tmp_path / "arena" / "report.html").exists()


def test_the_page_of_the_window_is_in_it_and_is_served(unpacked: Path, tmp_path: Path) -> None:
    """`genesia play` from what pip installs: the program prints an address, and the page is there."""
    ours = {path.name for path in (ROOT / PAGE).iterdir() if path.is_file()}
    assert {path.name for path in (unpacked / PAGE).iterdir()} == ours
    command = ["play", "--no-open", "--port", "0", "--folder", str(tmp_path / "live")]
    with subprocess.Popen(
        [sys.executable, "-m", "genesia_rl", *command], cwd=tmp_path, text=True,
        env=os.environ | {"PYTHONPATH": str(unpacked)}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    ) as program:  # fmt: skip
        try:
            assert program.stdout is not None
            url = program.stdout.readline().split()[-1]
            with urllib.request.urlopen(url.partition("#")[0], timeout=30) as answer:
                assert b"play.js" in answer.read()
        finally:
            program.terminate()
