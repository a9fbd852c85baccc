"""`soak`: random games by the million, every state checked by compiled code."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from genesia_rl.cli.help import MACHINE
from genesia_rl.cli.numbers import integer
from genesia_rl.cli.options import GameName
from genesia_rl.cli.output import note, progress
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.invariants import EVERY, MOST_SEED, PROGRESS, VIOLATIONS
from genesia_rl.core.registry import default_game, make_game, variants

if TYPE_CHECKING:
    from genesia_rl.testing.soak import Soak

DIFFERENCES = 1
MOST_GAMES = 10**12
MOST_WORKERS = 1024

Games = Annotated[
    int,
    typer.Option(parser=integer(1, MOST_GAMES), metavar="N", help="How many games, of all modes together."),
]
Modes = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES", help="Some of the game's modes, between commas; all by default.", show_default=False
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        parser=integer(0, MOST_SEED),
        metavar="SEED",
        help="Game k of a mode, counted from 0, has seed SEED + k.",
    ),
]
Thorough = Annotated[
    int,
    typer.Option(
        "--thorough", parser=integer(1, 1 << 30), metavar="N",
        help="In one of so many states all legal actions and all seats' views are tried.",
    ),
]  # fmt: skip
Workers = Annotated[
    int | None,
    typer.Option(
        parser=integer(1, MOST_WORKERS), metavar="N", help="Threads; as many as cores by default.",
        show_default=False,
    ),
]  # fmt: skip
Folder = Annotated[
    Path | None,
    typer.Option("--out", "-o", metavar="FOLDER", help="Where it is kept; the same command goes on there."),
]
AsJson = Annotated[bool, typer.Option("--json", help="All figures as one object on standard output.")]


def add_to(app: typer.Typer, game: str) -> None:
    """The commands of this module."""
    app.command(epilog="genesia soak --games 100000", rich_help_panel=MACHINE)(soak)


def soak(
    game: GameName = default_game(),
    games: Games = 10_000,
    modes: Modes = None,
    seed: Seed = 0,
    thorough: Thorough = EVERY,
    workers: Workers = None,
    out: Folder = None,
    as_json: AsJson = False,
) -> int:
    """Play random games of every mode and check every state. Ctrl-C keeps what was found."""
    from genesia_rl.testing.soak import Soak, is_compiled  # compiled code: not before a game is played

    fields = variants(game)
    if modes is not None:
        fields = {name: fields[name] for name in chosen(game, modes)}
    run = Soak(game, games, seed, thorough, workers or os.cpu_count() or 1, fields, out)
    if not is_compiled(make_game(game)):
        note(f"compiling the check of {game} for this machine; this takes a minute or more, once")
    run.warm()
    stopped = False
    with progress("games", games) as advance:
        advance(run.done)
        try:
            told = len(run.kept)
            for share in run.run():
                advance(share.games)
                for violation in run.kept[told:]:
                    note(f"VIOLATION: {violation}")
                told = len(run.kept)
        except KeyboardInterrupt:
            stopped = True
    if as_json:
        print(json.dumps(run.to_dict()))
    else:
        print("\n".join(in_words(run)))
    if stopped:
        going_on = "" if out is None else "; the same command goes on"
        note(f"stopped after {run.done:,} of {games:,} games{going_on}")
        raise KeyboardInterrupt
    return DIFFERENCES if run.violations else 0


def chosen(game: str, modes: str) -> list[str]:
    """The names of some modes."""
    known = variants(game)
    for name in (names := [item.strip() for item in modes.split(",")]):
        if name not in known:
            raise ConfigError(f"mode {name!r}: {game} has none of that name, allowed are {', '.join(known)}")
    return list(dict.fromkeys(names))


def in_words(run: Soak) -> list[str]:
    """What was played, what was looked at, what was found."""
    seconds = max(run.seconds, 1e-9)
    lines = [
        f"{run.game}: {run.done:,} games of {len(run.modes)} modes, {run.total('decisions'):,} decisions",
        f"speed: {run.done / seconds:,.0f} games/s, {run.total('decisions') / seconds:,.0f} decisions/s "
        f"on {run.workers} thread{'' if run.workers == 1 else 's'}, {seconds:,.0f} s",
        f"looked at thoroughly: {run.total('thorough'):,} states, {run.total('tried'):,} legal actions tried; "
        f"{run.total('again'):,} games played again in Python",
    ]
    if run.memory:
        lines.append(f"memory: {run.memory[0]:,.0f} MiB at first, {run.memory[-1]:,.0f} MiB at the end")
    lines.append(f"violations: {run.violations:,}" if run.violations else "violations: none")
    lines += [f"  {violation}" for violation in run.kept]
    if run.kept and run.folder is not None:
        lines.append(
            f"kept: {run.folder / VIOLATIONS}, a line each, and {run.folder / PROGRESS}; look at the first with\n"
            f"  genesia show {run.folder / VIOLATIONS} --game 0"
        )
    return lines
