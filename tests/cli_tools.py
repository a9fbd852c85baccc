"""What the tests of the command line share: the program run in this process, and what it has written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from genesia_rl.cli.app import run

Capture = pytest.CaptureFixture[str]


def genesia(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    capsys.readouterr()
    code = run(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def mistake(capsys: Capture, *arguments: str) -> str:
    """The one line that a mistake gives."""
    code, out, err = genesia(capsys, *arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"genesia: error: [^\n]+\n", err), err
    return err.removeprefix("genesia: error: ").strip()


def lines(path: str) -> list[dict[str, Any]]:
    """The traces of a file."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
