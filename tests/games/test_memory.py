"""Compiled code lets go of all that it makes: nobody counts arrays but the few functions that make some (`owning`)."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from numba import njit

from genesia_rl.bench.engine import guided_search, kernel_observed, learned_selfplay, least_players
from genesia_rl.core.compile import OWNING, PLAIN
from genesia_rl.core.registry import game_names, make_game
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.codes import make_player

pytestmark = pytest.mark.skipif(PLAIN, reason="plain Python counts by itself")

SECONDS = 0.01
#: numba's count of what compiled code makes.
RUNTIME: Any = import_module("numba.core.runtime.nrt")

#: Something that makes an array, and lets it go.
counted: Any = njit(**OWNING)(lambda: np.zeros(3).sum())


def made_and_held() -> tuple[int, int]:
    """How many arrays compiled code has made so far, and how many of them it has not let go."""
    stats = RUNTIME.rtsys.get_allocation_stats()
    return stats.alloc, stats.alloc - stats.free


@pytest.mark.parametrize("name", game_names())
def test_nothing_is_held_after_games_of_all_kinds(name: str) -> None:
    players = least_players(name)
    game = make_game(name, players=players)
    first, other = make_player("mcts:2"), make_player("greedy")

    def play() -> None:
        for measure in (kernel_observed, learned_selfplay, guided_search):
            measure(game, players, 1, SECONDS)
        counted()
        evaluate(first, [other], game, 2 * players, seed=1)

    RUNTIME._nrt.memsys_enable_stats()
    play()
    before, held = made_and_held()
    play()
    after, still = made_and_held()
    assert after > before and still == held
