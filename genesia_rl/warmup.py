"""Compiling ahead: every entry of a game is called once, with exactly the types it is always called with.

One compilation serves every configuration, because states and tables have one size. What is compiled
is kept on disk (jit.py), so this costs about a minute once and a fraction of a second afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import numpy as np

from genesia_rl import jit
from genesia_rl.contract import MAX_PARTS, MAX_SEATS, RESULT, Game
from genesia_rl.vector.batch import Batch

#: What no environment uses: whole games in the kernel, and what only the bench calls.
ONLY_WHOLE_GAMES = ("clone_often", "play_random", "play_random_observed")


def _calls(game: Game) -> dict[str, Callable[[], object]]:
    """For each entry, in an order in which each finds a state it can work on, one call of it."""
    e, tables, states = game.entries, game.tables, game.new_states(2)
    mask, observation = np.zeros(game.num_actions, np.int8), np.zeros(game.observation_size, np.int8)
    parts = np.zeros((MAX_SEATS, MAX_PARTS), np.int32)
    totals, places = np.zeros(MAX_SEATS, np.int32), np.zeros(MAX_SEATS, np.int8)
    seed, seeds, results = np.uint64(0), np.zeros(1, np.uint64), np.zeros(1, RESULT)

    batch = Batch(game, 1)

    def first() -> int:
        return game.legal_actions(states, 0)[0]

    return {
        "deal": lambda: e.deal(states, 0, tables, seed),
        "start": lambda: e.start(states, 0, tables),
        "reset": lambda: e.reset(states, 0, tables, seed),
        "step": lambda: e.step(states, 0, tables, first()),
        "view": lambda: e.view(states, 0, tables, game.seat(states, 0), mask, observation),
        "step_view": lambda: e.step_view(
            states, 0, tables, game.to_view(game.seat(states, 0), first()), mask, observation
        ),
        "put_mask": lambda: e.put_mask(states, 0, mask),
        "scores": lambda: e.scores(states, 0, tables, parts, totals, places),
        "resample": lambda: e.resample(states, 0, states, 1, tables, 0, seed),
        "clone": lambda: e.clone(states, 0, states, 1),
        "start_rows": lambda: batch.reset(0),
        "random_rows": lambda: batch.random_actions(seeds),
        "check_rows": lambda: e.check_rows(batch.states, tables, np.arange(1), batch.random_actions(seeds)),
        "step_rows": lambda: batch.step_rows(np.arange(1), batch.random_actions(seeds)),
        "open_step": lambda: e.open_step(batch.games),
        "clone_often": lambda: e.clone_often(states, 0, states, 1, 1),
        "play_random": lambda: e.play_random(states, 0, tables, seeds, results),
        "play_random_observed": lambda: e.play_random_observed(
            states, 0, tables, seeds, results, mask, observation
        ),
    }


def warm_up(game: Game, whole_games: bool = True) -> Iterator[tuple[str, float]]:
    """Compile or load every entry; yields each name with the seconds it took."""
    for name, call in _calls(game).items():
        if whole_games or name not in ONLY_WHOLE_GAMES:
            start = time.perf_counter()
            call()
            yield name, time.perf_counter() - start


def is_compiled(game: Game, *names: str) -> bool:
    """Are these entries (all by default) in the cache on disk? If not, their first call takes long."""
    if jit.PLAIN:
        return True
    if jit.CACHE is None:
        return False
    kept = {path.name.split("-")[0].rpartition(".")[2] for path in jit.CACHE.rglob("*.nbi")}
    return set(names or game.entries._fields) <= kept
