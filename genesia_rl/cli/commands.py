"""All commands together, one module a group."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer

import genesia_rl
from genesia_rl.cli import (
    agents,
    data,
    exploit,
    laboratory,
    pages,
    play,
    review,
    soak,
    speed,
    traces,
    training,
    window,
)
from genesia_rl.cli.help import Program
from genesia_rl.cli.options import GameName, defaults_for_all, split_game
from genesia_rl.cli.output import print_version
from genesia_rl.core.registry import default_game, game_info, known_games

GROUPS = (window, play, agents, traces, review, pages, speed, soak, training, exploit, laboratory, data)
#: What somebody who is new here may want to do; the README's first screen has the same lines.
FIRST_STEPS = (
    ("genesia play", "a game in the browser"),
    ("genesia evaluate --agent greedy --against random", "which one is stronger?"),
    ("genesia train --preset quick --out runs/first", "learn for two minutes"),
    ("genesia balance --games 200", "is the game fair?"),
    ("genesia COMMAND --help", "options and an example"),
)
#: A shell that wants to know how a line may go on sets this, and hands over the line.
COMPLETING, LINES = "_GENESIA_COMPLETE", ("COMP_WORDS", "_TYPER_COMPLETE_ARGS")

#: Click's errors of usage and interruption, wherever the installed typer keeps them.
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]
Abort = typer.Abort

Version = Annotated[
    bool, typer.Option("--version", help="Print the version.", callback=print_version, is_eager=True)
]


def program(arguments: Sequence[str]) -> Any:
    """Run a command line; what its command returns."""
    named, left = split_game(arguments)
    if named is None and COMPLETING in os.environ:
        named = being_completed(os.environ)
    command = typer.main.get_command(build(named or default_game()))
    defaults = {} if named is None else defaults_for_all(command, {"game": named})
    return command(args=left, prog_name="genesia", standalone_mode=False, default_map=defaults)


def being_completed(environment: Mapping[str, str]) -> str | None:
    """The game in the line that a shell is completing, if it is typed to its end."""
    line = next((environment[name] for name in LINES if environment.get(name)), "")
    named, _ = split_game(line.split()[1:])
    return named if named in known_games() else None


def build(game: str) -> typer.Typer:
    """The program `genesia`, with the options of a game's configuration."""
    app = Program(help=f"Play, record, check and measure games, now of {game_info(game).title}.")
    app.callback(invoke_without_command=True)(_root)
    for group in GROUPS:
        group.add_to(app, game)
    return app


def _root(context: typer.Context, game: GameName = default_game(), version: Version = False) -> None:
    """Without a command: first steps, and what there is."""
    if context.invoked_subcommand is None:
        typer.echo(first_screen(context, game))


def first_screen(context: Any, game: str) -> str:
    """What somebody sees who types nothing else."""
    formatter = context.make_formatter()
    formatter.write(f"genesia-rl {genesia_rl.__version__}: {context.command.help}\n")
    with formatter.section("First steps"):
        formatter.write_dl(FIRST_STEPS, col_max=max(len(step) for step, _ in FIRST_STEPS))
    context.command.format_commands(context, formatter)
    formatter.write_paragraph()
    formatter.write_text(
        f"--game NAME, anywhere in the line, takes another game: {', '.join(_others(game))}."
    )
    return str(formatter.getvalue()).rstrip("\n")


def _others(game: str) -> list[str]:
    return [name for name in genesia_rl.game_names() if name != game]
