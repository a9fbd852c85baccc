"""`data`: a folder with data of one's own, to be copied, changed and checked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from genesia_rl.cli.help import MEASURING, Program
from genesia_rl.cli.options import GameName
from genesia_rl.cli.output import note
from genesia_rl.core import data as folders
from genesia_rl.core.registry import default_game

Folder = Annotated[str, typer.Argument(metavar="FOLDER", help="The folder.", show_default=False)]
Files = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES", help="Only these files, between commas; else all of them.", show_default=False
    ),
]


def add_to(app: typer.Typer, game: str) -> None:
    """The commands of this module."""
    data = Program(no_args_is_help=True)
    data.callback(help="Copy a game's data and check your own: cards, boards and others.")(_none)
    data.command("copy", epilog="genesia data copy mine")(copy)
    data.command("check", epilog="genesia data check mine")(check)
    app.add_typer(data, name="data", rich_help_panel=MEASURING, epilog="genesia data copy mine")


def _none() -> None:
    """Only its commands do something."""


def copy(folder: Folder, game: GameName = default_game(), files: Files = None) -> None:
    """Write the game's data files into a folder, to be changed there; every command takes it as --data.

    What you do not change may be left out: a folder is laid over the game's own data entry by entry.
    """
    names = [name.strip() for name in files.split(",")] if files else []
    for path in folders.copy_data(game, Path(folder), names):
        print(path)


def check(folder: Folder, game: GameName = default_game()) -> None:
    """Say what is wrong with a folder, a line for each mistake (exit code 1), or what it changes.

    A line names the file, the entry, the key, its value and what is allowed.
    """
    if found := folders.mistakes(game, folder):
        for line in found:
            print(line)
        note(f"{folder}: {len(found)} mistake{'s' * (len(found) > 1)}")
        raise typer.Exit(1)
    changed = folders.changes(game, None, folder)
    for change in changed:
        print(change.told())
    note(f"{folder}: no mistakes; {len(changed) or 'no'} {'entry differs' if len(changed) == 1 else 'entries differ'}"
         " from the game's own")  # fmt: skip
