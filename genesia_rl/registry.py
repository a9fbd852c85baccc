"""The only list of games: a name and where the game and its handbook are found."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, cast

from genesia_rl.contract import Game, Handbook
from genesia_rl.errors import ConfigError


class _Listing(NamedTuple):
    """Module and attribute; imported when first asked for, so that one game does not load another."""

    make: tuple[str, str]
    handbook: tuple[str, str]


_GAMES: dict[str, _Listing] = {
    "genesia": _Listing(
        make=("genesia_rl.games.genesia.game", "make"),
        handbook=("genesia_rl.games.genesia.handbook", "HANDBOOK"),
    ),
}


def game_names() -> tuple[str, ...]:
    """The names of all games."""
    return tuple(_GAMES)


def _listing(name: str) -> _Listing:
    if name not in _GAMES:
        raise ConfigError(f"game {name!r}: unknown, allowed are {', '.join(_GAMES)}")
    return _GAMES[name]


def _load(place: tuple[str, str]) -> Any:
    module, attribute = place
    return getattr(import_module(module), attribute)


def make_game(name: str = "genesia", **config: Any) -> Game:
    """A game in a configuration, given as the fields of the game's own configuration."""
    return cast("Callable[..., Game]", _load(_listing(name).make))(**config)


def handbook(name: str = "genesia") -> Handbook:
    """What people may ask about a game without loading its kernels."""
    return cast("Handbook", _load(_listing(name).handbook))
