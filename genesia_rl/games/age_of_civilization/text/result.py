"""The public state and the result of a game as traces write them (PROTOCOL 3)."""

from __future__ import annotations

from typing import Any

import numpy as np

from genesia_rl.core.game import Scores
from genesia_rl.games.age_of_civilization.config import Config
from genesia_rl.games.age_of_civilization.names import SCORE_PARTS
from genesia_rl.games.age_of_civilization.recount import Recount
from genesia_rl.games.age_of_civilization.tables import members


def state_dict(config: Config, state: np.void) -> dict[str, Any]:
    """PROTOCOL 3: what everybody sees on the table."""
    seen, n = Recount(config, state), config.players
    workers = state["workers"][:n].tolist()
    return {
        "round": int(state["round"]),
        "first": int(state["first"]),
        "coins": state["coins"][:n].tolist(),
        "points": state["points"][:n].tolist(),
        "workers": workers,
        "idle": [
            k - (int(state["placed"]) if seat == state["seat"] else 0) for seat, k in enumerate(workers)
        ],
        "force": seen.forces(),
        "main": [seen.main(seat) for seat in seen.seats],
        "civilizations": [seen.civilizations(seat) for seat in seen.seats],
        "technologies": [seen.technologies(seat) for seat in seen.seats],
        "special_cards": special_cards(config, state),
        "wonders": [seen.wonders(seat) for seat in seen.seats],
        "market": {str(card): int(state["card_coins"][card - 1]) for card in members(state["market"])},
        "wonder_market": members(state["wonder_market"]),
        "special_market": members(state["special_market"]),
    }


def special_cards(config: Config, state: np.void) -> list[int | None]:
    """The special card of every seat."""
    return [int(number) or None for number in state["special"][: config.players]]


def result_dict(config: Config, state: np.void, scores: Scores) -> dict[str, Any]:
    """PROTOCOL 3: the parts and totals, what decides ties, who has won or what was achieved."""
    n = config.players
    result: dict[str, Any] = {part: scores.parts[:, k].tolist() for k, part in enumerate(SCORE_PARTS)}
    result["score"] = scores.totals.tolist()
    result["workers"] = state["workers"][:n].tolist()
    result["coins"] = state["coins"][:n].tolist()
    result["winners"] = [] if config.is_solo else np.flatnonzero(scores.ranks == 0).tolist()
    if config.is_solo:
        result["achievements"] = Recount(config, state).achievements(0, int(scores.totals[0]))
    return result
