"""Files that are whole or absent: what is written appears in one step, and an older one stays until then."""

from __future__ import annotations

import glob
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

#: This machine, in the names of files that are being written: of another one nothing is known.
HOST = re.sub(r"[^A-Za-z0-9_-]", "-", platform.node()) or "here"


@contextmanager
def replacing(path: str | Path, mode: str = "w", durable: bool = True) -> Iterator[IO[Any]]:
    """A file to be written (`w` text in UTF-8, `wb` bytes) that takes its name when the block ends well.

    `durable`: it is on the disk before it takes the name. An error names the file that was asked for.
    """
    goal = Path(path)
    part = goal.with_name(f".{goal.name}.{HOST}.{os.getpid()}.part")
    _clear(goal)
    text: dict[str, Any] = {} if "b" in mode else {"encoding": "utf-8", "newline": "\n"}
    try:
        with _opened(part, mode, text, goal) as file:
            yield file
            if durable:
                file.flush()
                os.fsync(file.fileno())
        if goal.exists():
            part.chmod(goal.stat().st_mode & 0o777)
        os.replace(part, goal)
    finally:
        with suppress(OSError):
            part.unlink()


def _clear(goal: Path) -> None:
    """Take away what killed processes of this machine have left of the file; others may be at work."""
    for part in goal.parent.glob(f".{glob.escape(goal.name)}.{HOST}.*.part"):
        pid = part.name.split(".")[-2]
        if pid.isdigit() and not _is_running(int(pid)):
            with suppress(OSError):
                part.unlink()


def _is_running(pid: int) -> bool:
    if os.name != "posix":  # elsewhere to ask for a process ends it
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _opened(part: Path, mode: str, text: dict[str, Any], goal: Path) -> IO[Any]:
    try:
        return open(part, mode, **text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(goal)) from None


def replace_text(path: str | Path, text: str) -> None:
    """Write a text file in one step."""
    with replacing(path) as file:
        file.write(text)
