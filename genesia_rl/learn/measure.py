"""What a run's model beats in the end: others in a contest; where all play together, what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from genesia_rl.core.game import Game
from genesia_rl.core.player import Player
from genesia_rl.matches.evaluate import against_panel
from genesia_rl.matches.together import against_others
from genesia_rl.players.common import mark_of


def measured(
    agent: Player, tables: Sequence[Game], panel: Sequence[str], games: int, seed: int, varied: bool = False
) -> dict[str, dict[str, Any]]:
    """What is found, by code, with a printed line for each; at several numbers of players by mark and code."""
    if len(tables) == 1:
        return _at_table(agent, tables[0], panel, games, seed, varied)
    found: dict[str, dict[str, Any]] = {}
    for game in tables:
        print(f"{game.num_seats} players")
        rows = _at_table(agent, game, panel, games, seed, varied)
        found |= {mark_of(game.num_seats) + code: row for code, row in rows.items()}
    return found


def _at_table(
    agent: Player, game: Game, panel: Sequence[str], games: int, seed: int, varied: bool
) -> dict[str, dict[str, Any]]:
    """At one number of players."""
    if game.is_contest:
        print(f"measuring: {games} games against each, every deal from every seat", flush=True)
        return against_panel(agent, game, panel, games, seed, varied)
    print(f"measuring: {games} games together, and as many of each other", flush=True)
    return against_others(agent, game, list(panel), games, seed)
