"""The configuration on the command line: a game's own options, a file, and how they come together.

The options come from the game's handbook, so this module knows none of them by name.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any

import typer

from genesia_rl.cli.numbers import integer
from genesia_rl.contract import Game, Option
from genesia_rl.errors import ConfigError
from genesia_rl.registry import handbook, make_game

GAME = "genesia"
PANEL = "Configuration"


def _name(option: Option) -> str:
    return option.flag.split("/")[0].removeprefix("--").replace("-", "_")


def _parameter(option: Option) -> inspect.Parameter:
    """The option as typer reads it off a signature; None means that it was not given."""
    info = typer.Option(
        option.flag,
        help=option.says,
        metavar=option.metavar or None,
        parser=integer() if option.type is int else None,
        rich_help_panel=PANEL,
        show_default=False,
    )
    return inspect.Parameter(
        _name(option),
        inspect.Parameter.KEYWORD_ONLY,
        default=None,
        annotation=Annotated[option.type | None, info],
    )


def takes_config(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command an option for every field of the configuration; it gets them as `fields`.

    `fields` are those that were given, and only those.
    """
    options = {_name(option): option for option in handbook(GAME).options}

    @wraps(command)
    def with_fields(**given: Any) -> Any:
        chosen = {name: given.pop(name) for name in options}
        return command(fields=_together(options, chosen), **given)

    own = inspect.signature(command, eval_str=True).parameters.values()
    parameters = [
        *(p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own if p.name != "fields"),
        *map(_parameter, options.values()),
    ]
    with_fields.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    with_fields.__annotations__ = {p.name: p.annotation for p in parameters}
    return with_fields


def _together(options: Mapping[str, Option], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that the given options set; two that contradict each other are refused."""
    fields: dict[str, Any] = {}
    setters: dict[str, str] = {}
    for name, value in chosen.items():
        if value is None:
            continue
        flag = options[name].flag.split("/")[0]
        for field, item in options[name].fields(value).items():
            if field in fields and fields[field] != item:
                raise ConfigError(
                    f"{field} = {fields[field]!r} by {setters[field]} and {item!r} by {flag}, allowed is one"
                )
            fields[field], setters[field] = item, flag
    return fields


def configured(
    fields: Mapping[str, Any], base: Mapping[str, Any] | None = None, where: str | None = None
) -> Game:
    """The game of a file's fields, which the options given besides override."""
    try:
        return make_game(GAME, **{**(base or {}), **fields})
    except ConfigError as error:
        if where is None:
            raise
        besides = " with the options given besides" if fields else ""
        raise ConfigError(f"{where}{besides}: {error}") from None
