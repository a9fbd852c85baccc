"""Copies of the package that tests may edit, and programs that run in one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import genesia_rl

PACKAGE = Path(genesia_rl.__file__).parent


def copied(folder: Path) -> Path:
    """A copy of the package's sources."""
    copy = folder / "copy" / "genesia_rl"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def run(package: Path, code: str, **environment: str | None) -> str:
    """What a program prints in a process of its own; None takes a variable away."""
    settings = {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": None}
    settings.update(environment)
    env = {key: value for key, value in {**os.environ, **settings}.items() if value is not None}
    command = [sys.executable, "-c", code]
    process = subprocess.run(command, env=env, capture_output=True, text=True, cwd=package.parent)
    assert process.returncode == 0, process.stderr[-2_000:]
    return process.stdout.strip()


def edit(path: Path, old: str, new: str) -> None:
    """Change a source; the text must be there once."""
    text = path.read_text()
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new))
