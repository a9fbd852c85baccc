"""What the commands share: where they write, progress on long work, files that are whole or absent."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import genesia_rl
from genesia_rl.core.files import replacing
from genesia_rl.core.game import Game

LONG = 1.0  # seconds after which work deserves a progress bar


def console() -> Console:
    """Standard output, for tables. Whoever redirects it gets plain text, not cut to a terminal."""
    wide = None if sys.stdout.isatty() else 120
    return Console(width=wide, highlight=False, markup=False, emoji=False)


def note(line: str) -> None:
    """A remark that is no result: on standard error."""
    print(line, file=sys.stderr, flush=True)


def print_version(wanted: bool) -> None:
    """Answer `--version`."""
    if wanted:
        print(f"genesia-rl {genesia_rl.__version__}")
        raise typer.Exit


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Gives a function that is told of so many things done; a bar appears if the work is long.

    Only on a terminal, and on standard error: output and logs stay clean.
    """
    start = time.perf_counter()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=total)
    shown = False

    def advance(number: int = 1) -> None:
        nonlocal shown
        bar.advance(task, number)
        if not shown and time.perf_counter() - start > LONG and bar.console.is_terminal:
            bar.start()
            shown = True

    try:
        yield advance
    finally:
        if shown:
            bar.stop()


def announce_compiling(game: Game, *kernels: str) -> None:
    """Say why the first command takes long, if it will."""
    from genesia_rl.core.warmup import is_compiled

    if not is_compiled(game, *kernels):
        note(f"compiling {game.name} for this machine; this takes up to a minute, once")


@contextmanager
def writing(path: str) -> Iterator[IO[str]]:
    """A text file that appears when it is complete; until then an older one of that name stays.

    `-` is standard output. What is not a regular file (a pipe, a device) is written to directly.
    """
    if path == "-":
        yield sys.stdout
        sys.stdout.flush()
        return
    goal = Path(os.path.realpath(path))
    if goal.exists() and not goal.is_file():
        with open(goal, "w", encoding="utf-8", newline="\n") as file:
            yield file
        return
    with replacing(goal, durable=False) as file:
        yield file
