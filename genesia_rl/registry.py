"""The only list of games: a name and the function that makes a game of a configuration."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, cast

from genesia_rl.contract import Game
from genesia_rl.errors import ConfigError

#: name -> module and function; imported when first asked for, so that one game does not load another.
_GAMES: dict[str, tuple[str, str]] = {
    "genesia": ("genesia_rl.games.genesia.game", "make"),
}


def game_names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(_GAMES)


def make_game(name: str = "genesia", **config: Any) -> Game:
    """A game in a configuration, given as the fields of the game's own configuration."""
    if name not in _GAMES:
        raise ConfigError(f"game {name!r}: unknown, allowed are {', '.join(_GAMES)}")
    module, function = _GAMES[name]
    factory = cast("Callable[..., Game]", getattr(import_module(module), function))
    return factory(**config)
