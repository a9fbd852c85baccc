"""What a run's model beats in the end: others in a contest; where all play together, what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from genesia_rl.core.game import Game
from genesia_rl.core.player import Player
from genesia_rl.matches.evaluate import against_panel
from genesia_rl.matches.together import against_others


def measured(
    agent: Player, game: Game, panel: Sequence[str], games: int, seed: int, varied: bool = False
) -> dict[str, dict[str, Any]]:
    """What is found, by code, with a printed line for each."""
    if game.is_contest:
        print(f"measuring: {games} games against each, every deal from every seat", flush=True)
        return against_panel(agent, game, panel, games, seed, varied)
    print(f"measuring: {games} games together, and as many of each other", flush=True)
    return against_others(agent, game, list(panel), games, seed)
