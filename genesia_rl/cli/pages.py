"""What a game's info says in words, one command a topic: `card 42`, say, where a game has cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from genesia_rl.cli.help import PLAYING
from genesia_rl.cli.numbers import integer
from genesia_rl.cli.options import FLAG, GameName
from genesia_rl.cli.output import AsJson, print_json
from genesia_rl.core.errors import GenesiaError, NotOffered
from genesia_rl.core.registry import default_game, game_info, game_names

Number = Annotated[int | None, typer.Argument(parser=integer(), metavar="NUMBER", help="Its number.")]
All = Annotated[bool, typer.Option("--all", help="Print all of them.")]
Folder = Annotated[
    str | None,
    typer.Option("--data", metavar="FOLDER", help="A folder of your own data, or a set."),
]


def add_to(app: typer.Typer, game: str) -> None:
    """One command for each topic of any game; those of other games say which they are of."""
    for topic, having in topics().items():
        app.command(
            topic,
            help=f"Print {topic} NUMBER in words, or all with --all.",
            epilog=f"genesia {topic} {_first_number(having[0], topic)} --game {having[0]}",
            rich_help_panel=PLAYING,
            hidden=game not in having,
        )(_printer(topic))


def topics() -> dict[str, list[str]]:
    """Every topic, and the games that have it."""
    found: dict[str, list[str]] = {}
    for game in game_names():
        for topic in game_info(game).topics:
            found.setdefault(topic, []).append(game)
    return found


def _as_dict(game: str, topic: str, number: int, text: str) -> dict[str, Any]:
    """The lines `name   what it is` below the first one by their names."""
    head, *lines = text.splitlines()
    found: dict[str, Any] = {"game": game, "topic": topic, "number": number}
    found["title"] = head.partition(": ")[2] or head
    fields: dict[str, str] = {}
    for line in lines:
        name, gap, words = line.strip().partition(" ")
        if line.startswith("  ") and not line.startswith("   ") and gap:
            fields[name] = words.strip()
        elif fields and line.strip():
            fields[next(reversed(fields))] += f" {line.strip()}"
    return {**found, "fields": fields, "text": text}


def _first_number(game: str, topic: str) -> int:
    """A number that there is."""
    return min(game_info(game).numbers(topic, None))


def _printer(topic: str) -> Callable[..., None]:
    def command(
        number: Number = None,
        all_of_them: All = False,
        data: Folder = None,
        game: GameName = default_game(),
        as_json: AsJson = False,
    ) -> None:
        info = game_info(game)
        if topic not in info.topics:
            having = " or ".join(f"{FLAG} {name}" for name in topics()[topic])
            raise NotOffered(f"game {game!r} offers no {topic}, allowed is {having}")
        if (number is None) != all_of_them:
            known = info.numbers(topic, data)
            raise GenesiaError(f"{topic}: allowed is either a number {min(known)}..{max(known)} or --all")
        numbers = info.numbers(topic, data) if number is None else (number,)
        told = {each: info.explain(topic, each, data) for each in numbers}
        if as_json:
            print_json([_as_dict(game, topic, each, text) for each, text in told.items()])
        else:
            print("\n\n".join(told.values()))

    return command
