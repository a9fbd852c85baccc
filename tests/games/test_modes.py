"""Compiled, plain Python and compiled with bounds checks do the same, in every field of every state.

Compiled code wraps narrow numbers silently, computes in wide ones and reads past the end of an array;
plain Python does none of this. So the same games are replayed in processes of other modes, where an overflow
or an index out of range is an error, and the states are compared number by number.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from golden import our_games, stem_of, trace_files
from golden.replay import replay_files
from golden.second import second_of

from genesia_rl.core import compile as jit

ROOT = Path(__file__).resolve().parents[2]
GAMES = our_games()

Files = tuple[Path, ...]


def all_files(game: str) -> Files:
    """Every golden game."""
    found = tuple(trace_files(game))
    assert found, f"{game} has no golden games"
    return found


def few_files(game: str) -> Files:
    """Those that each run replays."""
    found = tuple(path for path in all_files(game) if stem_of(path) in second_of(game).few)
    assert len(found) == len(second_of(game).few)
    return found


@cache
def replayed_here(files: Files) -> dict[str, Any]:
    """The result in this process."""
    return replay_files(files, wide=False)


def replayed_elsewhere(width: str, files: Files, **environment: str) -> dict[str, Any]:
    """The result of golden/replay.py in a process with this environment."""
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "golden.replay", width, *map(str, files)]
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    process = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path, **environment}, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr[-3_000:]
    found: dict[str, Any] = json.loads(process.stdout)
    return found


def agree(found: dict[str, Any], files: Files) -> None:
    """No difference to the traces, and the states of this process."""
    assert found["differences"] == []
    assert found["digests"] == replayed_here(files)["digests"]


@pytest.fixture(autouse=True)
def compiled_here() -> None:
    if jit.PLAIN:
        pytest.skip("this process runs plain Python: there is nothing to compare it with")


@pytest.mark.parametrize("width", ["wide", "narrow"])
@pytest.mark.parametrize("game", GAMES)
def test_plain_python_does_what_compiled_code_does(game: str, width: str) -> None:
    files = few_files(game)
    found = replayed_elsewhere(width, files, NUMBA_DISABLE_JIT="1")
    assert found["plain"]
    agree(found, files)


@pytest.mark.slow
@pytest.mark.parametrize("width", ["wide", "narrow"])
@pytest.mark.parametrize("game", GAMES)
def test_plain_python_replays_all_golden_games_as_compiled_code_does(game: str, width: str) -> None:
    agree(replayed_elsewhere(width, all_files(game), NUMBA_DISABLE_JIT="1"), all_files(game))


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_no_index_is_out_of_range_when_bounds_are_checked(game: str) -> None:
    found = replayed_elsewhere("narrow", all_files(game), NUMBA_BOUNDSCHECK="1")
    assert found["bounds"] and not found["plain"]
    agree(found, all_files(game))
