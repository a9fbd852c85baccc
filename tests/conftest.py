"""Before tests are shared out among processes, everything is compiled once (compile_ahead.py)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
