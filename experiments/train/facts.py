"""What files of a game say about it, so that they are not read as those of another."""

from __future__ import annotations

from typing import Any

from genesia_rl.contract import Game


def facts_of(game: Game) -> dict[str, Any]:
    """What a game must have in common with that of a file, or its bytes mean something else."""
    return {
        "game": game.name, "game_version": game.version, "players": game.num_seats,
        "observation_size": game.observation_size, "num_actions": game.num_actions,
    }  # fmt: skip
