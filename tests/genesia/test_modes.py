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
from pathlib import Path
from typing import Any

import pytest
from golden import trace_files
from golden.replay import replay_files

from genesia_rl import jit

ROOT = Path(__file__).resolve().parents[2]
ALL = trace_files()
FEW = ("players2", "solo_expert", "all3", "promos5", "attack_recruiting4", "position-expansion")
SOME = [path for path in ALL if path.name.split(".")[0] in FEW]


def replay_elsewhere(width: str, files: list[Path], **environment: str) -> dict[str, Any]:
    """The result of golden/replay.py in a process with this environment."""
    command = [sys.executable, "-W", "error::RuntimeWarning", "-m", "golden.replay", width, *map(str, files)]
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    process = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": path, **environment}, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stderr[-3_000:]
    found: dict[str, Any] = json.loads(process.stdout)
    return found


def agree(found: dict[str, Any], files: list[Path]) -> None:
    """No difference to the traces, and the states of this process."""
    assert found["differences"] == []
    assert found["digests"] == replay_files(files, wide=False)["digests"]


@pytest.fixture(autouse=True)
def compiled_here() -> None:
    if jit.PLAIN:
        pytest.skip("this process runs plain Python: there is nothing to compare it with")


@pytest.mark.parametrize("width", ["wide", "narrow"])
def test_plain_python_does_what_compiled_code_does(width: str) -> None:
    found = replay_elsewhere(width, SOME, NUMBA_DISABLE_JIT="1")
    assert found["plain"]
    agree(found, SOME)


@pytest.mark.slow
@pytest.mark.parametrize("width", ["wide", "narrow"])
def test_plain_python_replays_all_golden_games_as_compiled_code_does(width: str) -> None:
    agree(replay_elsewhere(width, ALL, NUMBA_DISABLE_JIT="1"), ALL)


@pytest.mark.slow
def test_no_index_is_out_of_range_when_bounds_are_checked() -> None:
    found = replay_elsewhere("narrow", ALL, NUMBA_BOUNDSCHECK="1")
    assert found["bounds"] and not found["plain"]
    agree(found, ALL)
