"""`card` and `objective`: what the game's handbook says in words, one command a topic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from genesia_rl.cli.numbers import integer
from genesia_rl.cli.options import GAME
from genesia_rl.errors import GenesiaError
from genesia_rl.registry import handbook

Number = Annotated[int | None, typer.Argument(parser=integer(), metavar="NUMBER", help="Its number.")]
All = Annotated[bool, typer.Option("--all", help="Print all of them.")]
Folder = Annotated[str | None, typer.Option("--data", metavar="FOLDER", help="A folder of your own data.")]


def add_to(app: typer.Typer) -> None:
    """One command for each topic of the handbook."""
    for topic in handbook(GAME).topics:
        app.command(topic, help=f"Print {topic} NUMBER in words, or all with --all.")(_printer(topic))


def _printer(topic: str) -> Callable[..., None]:
    def command(number: Number = None, all_of_them: All = False, data: Folder = None) -> None:
        book = handbook(GAME)
        if (number is None) != all_of_them:
            known = book.numbers(topic, data)
            raise GenesiaError(f"{topic}: allowed is either a number {min(known)}..{max(known)} or --all")
        numbers = book.numbers(topic, data) if number is None else (number,)
        print("\n\n".join(book.explain(topic, each, data) for each in numbers))

    return command
