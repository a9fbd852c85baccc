"""How tests are shared out among processes; before that, everything is compiled once (compile_ahead.py)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest


def pytest_sessionstart(session: pytest.Session) -> None:
    """In the process that shares the tests out; where one process runs them all, there is nothing to gain."""
    processes = getattr(session.config.option, "numprocesses", None)
    if not processes or hasattr(session.config, "workerinput"):
        return
    from compile_ahead import uncompiled

    games = uncompiled()
    if not games:
        return
    print(f"compiling {', '.join(games)}, once", flush=True)
    script, root = Path(__file__).parent / "compile_ahead.py", str(Path(__file__).parents[1])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    number = min(int(processes), len(games))
    shares = [games[k::number] for k in range(number)]
    made = [
        subprocess.Popen([sys.executable, str(script), *share], env={**os.environ, "PYTHONPATH": path})
        for share in shares
    ]
    for process in made:
        process.wait()


#: Files of long tests that have nothing in common: which process is free takes the next test, not the next file.
SPLIT = ("tests/games/test_modes.py", "tests/games/test_second.py", "tests/core/test_check_game.py")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadfile` a process plays through a file; only the files above are shared out test by test."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Scheduling(LoadFileScheduling):  # type: ignore[misc]
        """By files, but for some."""

        def _split_scope(self, nodeid: str) -> str:
            file = str(super()._split_scope(nodeid))
            return nodeid if file in SPLIT else file

    return Scheduling(config, log)
