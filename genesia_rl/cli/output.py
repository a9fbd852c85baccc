"""What the commands share: where they write, progress on long work, files that are whole or absent."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import IO, Annotated, Any, TypeVar

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

import genesia_rl
from genesia_rl.cli.help import OUTPUT
from genesia_rl.core.files import replacing
from genesia_rl.core.game import Game

T = TypeVar("T")

#: What every command offers whose result another program may want.
AsJson = Annotated[
    bool,
    typer.Option("--json", help="One JSON object on standard output instead.", rich_help_panel=OUTPUT),
]


def console() -> Console:
    """Standard output, for tables. Whoever redirects it gets plain text, not cut to a terminal."""
    wide = None if sys.stdout.isatty() else 120
    return Console(width=wide, highlight=False, markup=False, emoji=False)


def side_by_side(columns: Sequence[T], first: int, each: int, width: int) -> list[Sequence[T]]:
    """The columns that fit beside the names of rows, part by part: a number that is cut or broken is none."""
    many = max(1, (width - first) // each)
    return [columns[start : start + many] for start in range(0, len(columns), many)]


def note(line: str) -> None:
    """A remark that is no result: on standard error."""
    print(line, file=sys.stderr, flush=True)


def print_version(wanted: bool) -> None:
    """Answer `--version`."""
    if wanted:
        print(f"genesia-rl {genesia_rl.__version__}")
        raise typer.Exit


def print_json(held: Any) -> None:
    """One object for other programs, on standard output."""
    print(json.dumps(held, ensure_ascii=False, allow_nan=False, indent=2))


def facts_of_run() -> dict[str, str]:
    """What was typed, when, and under which version: for reports."""
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    version = f"genesia-rl {genesia_rl.__version__}"
    return {"command": shlex.join(["genesia", *sys.argv[1:]]), "date": now, "version": version}


def _nothing(number: int = 1) -> None:
    """Whoever does not see a bar."""


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Gives a function that is told of so many things done; until the end a bar shows it, and that time passes.

    Only on a terminal, and on standard error: output and logs stay clean.
    """
    columns = (
        SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
        TextColumn("left"), TimeRemainingColumn(),
    )  # fmt: skip
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=total)
    if not bar.console.is_terminal:
        yield _nothing
        return
    with bar:
        yield partial(bar.advance, task)


def announce_compiling(game: Game, *kernels: str) -> None:
    """Say why the first command takes long, if it will."""
    from genesia_rl.core.compile import say_compiling
    from genesia_rl.core.warmup import is_compiled, unit_of_game

    if not is_compiled(game, *kernels):
        say_compiling(unit_of_game(game))


@contextmanager
def compile_clock() -> Iterator[list[float]]:
    """The seconds that are spent on compiling meanwhile: they are no playing."""
    from numba.core.event import install_timer

    spent: list[float] = []
    with install_timer("numba:compile", spent.append):
        yield spent


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
