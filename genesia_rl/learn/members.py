"""Who may sit in compiled games: random play, the characters of the game's mind, networks that are kept up to date."""

from __future__ import annotations

from genesia_rl.core.game import Game
from genesia_rl.core.mind import mind_of
from genesia_rl.core.registry import offers
from genesia_rl.players.learned import Fitted, network_of
from genesia_rl.players.networks import INCREMENTAL


def characters_of(game: Game) -> list[str]:
    """The characters of the game's mind."""
    return list(mind_of(game.name).characters) if offers(game.name, "mind") else []


def can_teach(game: Game, code: str) -> bool:
    """Can compiled games ask this player what it would do?"""
    return code in characters_of(game)


def compiled_network(game: Game, code: str) -> Fitted | None:
    """The trained network that a code names, if it can play in compiled games."""
    found = network_of(code, game)
    return found if found is not None and found.model.architecture.kind == INCREMENTAL else None


def playable(game: Game, code: str) -> bool:
    """Can compiled games seat this player?"""
    return code == "random" or can_teach(game, code) or compiled_network(game, code) is not None
