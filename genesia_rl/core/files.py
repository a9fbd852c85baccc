"""Files that are whole or absent: what is written appears in one step, and an older one stays until then."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any


@contextmanager
def replacing(path: str | Path, mode: str = "w", durable: bool = True) -> Iterator[IO[Any]]:
    """A file to be written (`w` text in UTF-8, `wb` bytes) that takes its name when the block ends well.

    `durable`: it is on the disk before it takes the name. An error names the file that was asked for.
    """
    goal = Path(path)
    part = goal.with_name(f".{goal.name}.{os.getpid()}.part")
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


def _opened(part: Path, mode: str, text: dict[str, Any], goal: Path) -> IO[Any]:
    try:
        return open(part, mode, **text)
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(goal)) from None


def replace_text(path: str | Path, text: str) -> None:
    """Write a text file in one step."""
    with replacing(path) as file:
        file.write(text)
