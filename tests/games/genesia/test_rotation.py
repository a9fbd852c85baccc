"""An agent plays the same from every seat: when all seats move on, its whole game does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import make_game
from genesia_rl.players.codes import make_player


def moved_on(by_seat: list[Any], k: int) -> list[Any]:
    """What belonged to seat s belongs to seat s + k."""
    return [by_seat[(s - k) % len(by_seat)] for s in range(len(by_seat))]


def rotated_deal(deal: dict[str, Any], k: int, n: int) -> dict[str, Any]:
    return {
        "turn_order": [(seat + k) % n for seat in deal["turn_order"]],
        "objectives": moved_on(deal["objectives"], k),
        "packs": [moved_on(packs, k) for packs in deal["packs"]],
    }


@pytest.mark.parametrize("code", ["greedy", "warlord", "trader", "ppo"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_an_agent_plays_the_same_from_every_seat(code: str, players: int) -> None:
    game, agent = make_game("genesia", players=players), make_player(code, "genesia")
    decisions = 0
    for seed in range(12):
        k = 1 + seed % (players - 1)
        states, turned = game.new_states(), game.new_states()
        game.reset(states, 0, seed)
        deal = game.new_states()
        game.kernels.deal(deal, 0, game.tables, np.uint64(seed))
        game.put_deal(turned, 0, rotated_deal(game.deal_dict(deal, 0), k, players))
        while not game.is_over(states, 0):
            seat, other = game.seat(states, 0), game.seat(turned, 0)
            assert other == (seat + k) % players
            chosen, mirrored = (
                agent.act(DecisionBatch.one(game, held, 0, seed)) for held in (states, turned)
            )
            assert chosen == mirrored, (code, players, seed, decisions, game.kind(states, 0))
            game.step(states, 0, game.from_view(seat, chosen))
            game.step(turned, 0, game.from_view(other, mirrored))
            decisions += 1
        assert game.scores(turned, 0).totals.tolist() == moved_on(game.scores(states, 0).totals.tolist(), k)
    assert decisions > 1000
