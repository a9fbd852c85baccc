"""One run at a time in a folder, except that parts of a job (`--shard i/n`) may be run side by side."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from genesia_rl.core.errors import ConfigError

try:
    import fcntl
except ModuleNotFoundError:  # not on Windows: there nobody looks after it
    fcntl = None  # type: ignore[assignment]

LOCK = ".lock"


@contextmanager
def alone(folder: Path, part: tuple[int, int] | None) -> Iterator[None]:
    """Hold the folder, or a part of its shards; refused while another run of the same shards is at work.

    The system lets go of it when the process ends, however it ends.
    """
    if fcntl is None:
        yield
        return
    whole = _held(folder / LOCK, folder, fcntl.LOCK_EX if part is None else fcntl.LOCK_SH)
    mine = None
    try:
        if part is not None:
            mine = _held(folder / f"{LOCK}-{part[0]}-{part[1]}", folder, fcntl.LOCK_EX)
        yield
    finally:
        for held in (mine, whole):
            if held is not None:
                os.close(held)


def _held(path: Path, folder: Path, kind: int) -> int:
    """A file that is locked until it is closed."""
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(file)
        raise ConfigError(f"{folder}: another run is at work there, allowed is one at a time") from None
    except OSError:  # a file system without locks
        return file
    return file
