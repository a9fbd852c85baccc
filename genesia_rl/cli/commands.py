"""All commands together, one module a group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from genesia_rl.cli import agents, laboratory, pages, play, speed, traces, training, window
from genesia_rl.cli.options import GameName, defaults_for_all, split_game
from genesia_rl.cli.output import print_version
from genesia_rl.core.registry import default_game, game_info

GROUPS = (window, play, agents, traces, pages, speed, training, laboratory)

#: Click's errors of usage and interruption, wherever the installed typer keeps them.
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]
Abort = typer.Abort

Version = Annotated[
    bool, typer.Option("--version", help="Print the version.", callback=print_version, is_eager=True)
]


def program(arguments: Sequence[str]) -> Any:
    """Run a command line; what its command returns."""
    named, left = split_game(arguments)
    command = typer.main.get_command(build(named or default_game()))
    defaults = {} if named is None else defaults_for_all(command, {"game": named})
    return command(args=left, prog_name="genesia", standalone_mode=False, default_map=defaults)


def build(game: str) -> typer.Typer:
    """The program `genesia`, with the options of a game's configuration."""
    app = typer.Typer(
        help=f"Play, record, check and measure games, now of {game_info(game).title}.",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(invoke_without_command=True)(_root)
    for group in GROUPS:
        group.add_to(app, game)
    return app


def _root(context: typer.Context, game: GameName = default_game(), version: Version = False) -> None:
    """Without a command: what there is."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
