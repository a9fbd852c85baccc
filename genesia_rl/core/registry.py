"""The only list of games: a name and the package where the game stands.

Every package has the same parts (`game`, `info`, `variants`, and what it offers besides: `mind`, `lab`). They are
imported when they are first asked for, so that one game does not load another. A game that is not part of this
package is added by `register_game`, or by an entry point of the group `genesia_rl.games`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any, cast

from genesia_rl.core.errors import ConfigError, NotOffered
from genesia_rl.core.game import Game
from genesia_rl.core.info import GameInfo

#: The first is what tools take if they are not told which.
_GAMES: dict[str, str] = {
    "genesia": "genesia_rl.games.genesia",
    "genesis": "genesia_rl.games.genesis",
    "age_of_civilization": "genesia_rl.games.age_of_civilization",
    "gentes": "genesia_rl.games.gentes",
}


#: Games that are found by their names only.
_UNLISTED: dict[str, str] = {}


def game_names() -> tuple[str, ...]:
    """The names of all games."""
    _add_entry_points()
    return tuple(_GAMES)


def default_game() -> str:
    """The game that is meant if none is named."""
    return next(iter(_GAMES))


def register_game(name: str, package: str, listed: bool = True) -> None:
    """Add a game of somebody else's: the importable package that holds its parts.

    One that is not listed is found by its name, and is in no list of games: what is being worked on, or tried out, say.
    """
    known = known_games().get(name, package)
    if known != package:
        raise ConfigError(f"game {name!r}: is registered as {known}, allowed is another name")
    if listed or name in _GAMES:
        _GAMES[name] = package
    else:
        _UNLISTED[name] = package


@cache
def _add_entry_points() -> None:
    for point in entry_points(group="genesia_rl.games"):
        _GAMES.setdefault(point.name, point.value)


def known_games() -> dict[str, str]:
    """All games that can be made, listed or not: name and package."""
    _add_entry_points()
    return _GAMES | {name: package for name, package in _UNLISTED.items() if name not in _GAMES}


def package_of(name: str) -> str:
    """Where a game stands."""
    found = known_games().get(name)
    if found is None:
        raise ConfigError(f"game {name!r}: unknown, allowed are {', '.join(_GAMES)}")
    return found


def part_of(name: str, part: str, what: str) -> Any:
    """A part of a game; if the game has none, `what` says in the error what it does not offer."""
    module = f"{package_of(name)}.{part}"
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise NotOffered(f"game {name!r} offers no {what}") from None


def offers(name: str, part: str) -> bool:
    """Has the game this part?"""
    try:
        part_of(name, part, part)
    except NotOffered:
        return False
    return True


def make_game(name: str | None = None, /, **config: Any) -> Game:
    """A game in a configuration, given as the fields of the game's own configuration."""
    module = part_of(name or default_game(), "game", "rules")
    return cast("Callable[..., Game]", module.make)(**config)


def game_info(name: str | None = None) -> GameInfo:
    """What people may ask about a game without loading its kernels."""
    return cast("GameInfo", part_of(name or default_game(), "info", "description").INFO)


def variants(name: str) -> dict[str, dict[str, Any]]:
    """Configurations of a game that together use every field of it, by name."""
    return cast("dict[str, dict[str, Any]]", part_of(name, "variants", "variants").VARIANTS)
