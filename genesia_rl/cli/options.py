"""Which game, and its configuration on the command line: its own options, a file, and how they come together.

The options come from the game's info, so this module knows none of them by name. As they differ from game to game,
the game is looked up in the arguments before the program is built: `--game NAME` may stand anywhere.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Annotated, Any

import typer

from genesia_rl.cli.help import THE_GAME
from genesia_rl.cli.numbers import integer
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game
from genesia_rl.core.info import Option, fields_of
from genesia_rl.core.registry import default_game, game_info, game_names, make_game

FLAG = "--game"

#: Every command declares it; without one it is the default game.
GameName = Annotated[
    str,
    typer.Option(
        FLAG,
        metavar="NAME",
        help=f"{', '.join(game_names())}; may stand anywhere in the line.",
        autocompletion=lambda incomplete: [name for name in game_names() if name.startswith(incomplete)],
        rich_help_panel=THE_GAME,
    ),
]


# ---------------------------------------------------------------- which game


def split_game(arguments: Sequence[str]) -> tuple[str | None, list[str]]:
    """The game that the arguments name, None if they name none, and the arguments without it.

    A number is no name: `show` takes it for the game of a file.
    """
    end = list(arguments).index("--") if "--" in arguments else len(arguments)
    before, left, name = list(arguments[:end]), list[str](), None
    while before:
        argument = before.pop(0)
        flag, equals, value = argument.partition("=")
        value = value if equals or not before else before[0]
        if flag != FLAG or not value or value.lstrip("-").isdigit():
            left.append(argument)
            continue
        name = value
        before = before if equals else before[1:]
    return name, [*left, *arguments[end:]]


def defaults_for_all(program: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """The same defaults for a program and for every command below it, as click takes them."""
    below = getattr(program, "commands", {})
    return {**given, **{name: defaults_for_all(command, given) for name, command in below.items()}}


# ---------------------------------------------------------------- its configuration


def _parameter(option: Option) -> inspect.Parameter:
    """The option as typer reads it off a signature; None means that it was not given."""
    info = typer.Option(
        option.flag,
        help=option.help,
        metavar=option.metavar or None,
        parser=integer() if option.type is int else None,
        rich_help_panel=THE_GAME,
        show_default=False,
    )
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[option.type | None, info],
    )


def takes_config(command: Callable[..., Any], game: str | None = None) -> Callable[..., Any]:
    """Give a command an option for every field of the game's configuration; it gets them as `fields`.

    `fields` are those that were given, and only those.
    """
    options = {option.name: option for option in game_info(game or default_game()).options}

    @wraps(command)
    def with_fields(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in options}
        return command(fields=fields_of(options, chosen), **given)

    own = inspect.signature(command, eval_str=True).parameters.values()
    parameters = [
        *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own if p.name != "fields"),
        *map(_parameter, options.values()),
    ]
    with_fields.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_fields.__annotations__ = {p.name: p.annotation for p in parameters}
    return with_fields


def configured(
    game: str, fields: Mapping[str, Any], base: Mapping[str, Any] | None = None, where: str | None = None
) -> Game:
    """The game of a file's fields, which the options given besides override."""
    try:
        return make_game(game, **{**(base or {}), **fields})
    except ConfigError as error:
        if where is None:
            raise
        besides = " with the options given besides" if fields else ""
        raise ConfigError(f"{where}{besides}: {error}") from None
