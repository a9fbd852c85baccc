"""All commands together, one module a group."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from genesia_rl.cli import laboratory, pages, play, speed, traces, training
from genesia_rl.cli.output import print_version

GROUPS = (play, traces, pages, speed, training, laboratory)

#: Click's errors of usage and interruption, wherever the installed typer keeps them.
USAGE_ERROR: Any = typer.BadParameter.__mro__[1]
Abort = typer.Abort

Version = Annotated[
    bool, typer.Option("--version", help="Print the version.", callback=print_version, is_eager=True)
]


def build() -> typer.Typer:
    """The program `genesia`."""
    app = typer.Typer(
        help="Play, record, check and measure games of Genesia.",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback(invoke_without_command=True)(_root)
    for group in GROUPS:
        group.add_to(app)
    return app


def _root(context: typer.Context, version: Version = False) -> None:
    """Without a command: what there is."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())
