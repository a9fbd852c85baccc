"""The result of a game as traces write it (PROTOCOL 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from genesia_rl.core.game import Scores
from genesia_rl.games.genesis.config import Config
from genesia_rl.games.genesis.names import TERRAINS
from genesia_rl.games.genesis.recount import Zone, tiles_of, zones_of


def result_dict(config: Config, state: np.void, scores: Scores) -> dict[str, Any]:
    """PROTOCOL 3: parts by terrain and seat, totals, every zone that scores, who has won."""
    zones = zones_of(config.board, tiles_of(state))
    return {
        "points": {name: scores.parts[:, part].tolist() for part, name in enumerate(TERRAINS)},
        "score": scores.totals.tolist(),
        "zones": [zone_dict(zone, config.players) for zone in zones if zone.scores],
        "winners": np.flatnonzero(scores.ranks == 0).tolist(),
    }


def zone_dict(zone: Zone, seats: int) -> dict[str, Any]:
    """PROTOCOL 3: a zone that scores, even if all its shares are rounded down to 0."""
    return {
        "terrain": TERRAINS[zone.terrain],
        "cell": zone.cells[0],
        "size": zone.tiles,
        "times": zone.times,
        "points": zone.points(seats),
    }
