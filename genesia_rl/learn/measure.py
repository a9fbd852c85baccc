"""What a run's model beats in the end: others in a contest; where all play together, what they come to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from genesia_rl.core.game import Game
from genesia_rl.core.player import Player
from genesia_rl.matches.evaluate import against_panel
from genesia_rl.matches.play import plain_match, play
from genesia_rl.players.codes import make_player
from genesia_rl.stats.shares import NORMAL_95


def measured(
    agent: Player, game: Game, panel: Sequence[str], games: int, seed: int, varied: bool = False
) -> dict[str, dict[str, Any]]:
    """What is found, by code, with a printed line for each."""
    if game.is_contest:
        print(f"measuring: {games} games against each, every deal from every seat", flush=True)
        return against_panel(agent, game, panel, games, seed, varied)
    print(f"measuring: {games} games together, and as many of each other", flush=True)
    players = {"itself": agent} | {code: make_player(code, game.name) for code in panel}
    return {code: _joint(code, player, game, games, seed) for code, player in players.items()}


def _joint(code: str, player: Player, game: Game, games: int, seed: int) -> dict[str, float]:
    """The mean joint score of a player on all seats, with its 95 % interval; everybody has the same deals."""
    seeds = np.random.default_rng([seed, 5]).integers(1 << 63, size=games, dtype=np.uint64)
    lineup = np.zeros((games, game.num_seats), np.int64)
    totals = play(game, [player], plain_match(game, seeds, lineup)).measures["totals"]
    joint = totals[:, : game.num_seats].min(axis=1)
    mean, reach = float(joint.mean()), NORMAL_95 * float(joint.std()) / games**0.5
    print(f"  {code:10}  joint score {mean:.1f} ({mean - reach:.1f} .. {mean + reach:.1f})", flush=True)
    return {"games": games, "score": mean, "low": mean - reach, "high": mean + reach}
