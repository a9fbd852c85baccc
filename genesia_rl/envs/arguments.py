"""The arguments of an environment that configure its game: what is not taken is refused as Python does it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from genesia_rl.core.errors import ArgumentError
from genesia_rl.core.game import Game
from genesia_rl.core.registry import make_game


def configured(game: str | Game | None, config: Mapping[str, Any]) -> Game:
    """The game of an environment: one that is made already, or one of the fields given."""
    if isinstance(game, Game):
        for name in config:
            raise unexpected(name, "the game is made already, and has its configuration")
        return game
    try:
        return make_game(game, **config)
    except ArgumentError as error:
        for name in config:
            if f"unknown field {name!r}" in str(error):
                raise unexpected(name, str(error)) from None
        raise


def unexpected(name: str, why: str) -> ArgumentError:
    """The words by which libraries recognise an argument that is not taken."""
    return ArgumentError(f"got an unexpected keyword argument {name!r}: {why}")
