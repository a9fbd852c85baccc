"""`agents`: the codes of a game's players, and how strong they are."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table

from genesia_rl.cli.help import PLAYING
from genesia_rl.cli.numbers import integer
from genesia_rl.cli.options import GameName
from genesia_rl.cli.output import console
from genesia_rl.core.registry import default_game, game_info
from genesia_rl.players.strength import OWN, Listed, ladder_lines, listed

Players = Annotated[
    int | None,
    typer.Option(
        parser=integer(1),
        metavar="N",
        help="Strength with so many players; else the least.",
        show_default=False,
    ),
]


def add_to(app: typer.Typer, game: str) -> None:
    """The command of this module."""
    app.command(epilog="genesia agents --players 3", rich_help_panel=PLAYING)(agents)


def agents(game: GameName = default_game(), players: Players = None) -> None:
    """List the codes of players, and how strong they are."""
    info = game_info(game)
    number = players or info.players[0]
    out = console()
    table = Table(
        title=f"{info.title}: who plays, and how strong with {number} players",
        title_justify="left",
        title_style="bold",
    )
    for name in ("code", "who", "strength"):
        table.add_column(name, overflow="fold")
    for row in (*listed(game, number), *(Listed(*own) for own in OWN)):
        table.add_row(*row)
    out.print(table)
    for line in ladder_lines(game, number):
        out.print(line, soft_wrap=True)
