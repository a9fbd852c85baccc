"""Every registered game, and the toy: one without a laboratory of its own."""

from __future__ import annotations

from collections.abc import Iterator

from genesia_rl.core import registry
from genesia_rl.core.registry import game_names, register_game
from genesia_rl.players.codes import codes_of

GAMES = (*game_names(), "toy")


def toy_registered() -> Iterator[None]:
    """Make the toy known; afterwards nobody knows it any more."""
    register_game("toy", "toy")
    yield
    del registry._GAMES["toy"]


def two_players(game: str) -> tuple[str, str]:
    """Codes of a game's first scripted player, or of a small search, and of random play."""
    scripted = [code for code, held in codes_of(game).items() if held.usage == code != "random"]
    return (scripted or ["mcts:2"])[0], "random"
