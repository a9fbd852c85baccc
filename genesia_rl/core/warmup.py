"""Compiling ahead: every kernel of a game is called once, with exactly the types it is always called with.

One compilation serves every configuration, because states and tables have one size. What is compiled
is kept on disk (compile.py), so this costs about a minute once and a fraction of a second afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from genesia_rl.core.cache import is_shared, place_of
from genesia_rl.core.compile import CORE, PLAIN, cache_of, unit_of
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch

#: What environments use. All else (positions and traces, imagining, whole games in the kernel, what only the bench
#: calls) is compiled when somebody asks for it.
OF_ENVIRONMENTS = (
    "reset", "view", "step_view", "scores", "rewards", "potentials", "start_rows", "random_rows", "check_rows",
    "step_rows", "open_step", "view_rows",
)  # fmt: skip

Calls = dict[str, Callable[[], object]]


def _calls(game: Game) -> Calls:
    """For each kernel, in an order in which each finds a state it can work on, one call of it."""
    return {**_calls_of_one(game), **_calls_of_batches(game), **_calls_of_whole_games(game)}


def _calls_of_one(game: Game) -> Calls:
    from genesia_rl.core.rewards import make_settings

    k, tables, states = game.kernels, game.tables, game.new_states(2)
    mask, observation = np.zeros(game.num_actions, np.int8), np.zeros(game.observation_size, np.int8)
    found, settings, most = game.new_scores(), make_settings(game), game.facts.most_seats
    seed = np.uint64(0)

    def first() -> int:
        return game.legal_actions(states, 0)[0]

    return {
        "deal": lambda: k.deal(states, 0, tables, seed),
        "start": lambda: k.start(states, 0, tables),
        "reset": lambda: k.reset(states, 0, tables, seed),
        "step": lambda: k.step(states, 0, tables, first()),
        "view": lambda: k.view(states, 0, tables, game.seat(states, 0), mask, observation),
        "step_view": lambda: k.step_view(
            states, 0, tables, game.to_view(game.seat(states, 0), first()), mask, observation
        ),
        "put_mask": lambda: k.put_mask(states, 0, mask),
        "scores": lambda: k.scores(states, 0, tables, *found),
        "rewards": lambda: k.rewards(settings, found.totals, found.ranks, np.zeros(most, np.float32)),
        "potentials": lambda: k.potentials(settings, found.totals, np.zeros(most)),
        "resample": lambda: k.resample(states, 0, states, 1, tables, 0, seed),
        "clone": lambda: k.clone(states, 0, states, 1),
    }


def _calls_of_batches(game: Game) -> Calls:
    from genesia_rl.vector.batch import Batch

    batch, rows, streams = Batch(game, 1), np.arange(1), np.zeros(1, np.uint64)

    def check() -> object:
        actions = batch.random_actions(streams)
        return game.kernels.check_rows(batch.states, batch.tables, batch.games, rows, actions)

    return {
        "start_rows": lambda: batch.reset(0),
        "random_rows": lambda: batch.random_actions(streams),
        "check_rows": check,
        "step_rows": lambda: batch.step_rows(rows, batch.random_actions(streams)),
        "open_step": lambda: game.kernels.open_step(batch.games),
        "view_rows": lambda: DecisionBatch.one(game, batch.states).mask,
    }


def _calls_of_whole_games(game: Game) -> Calls:
    k, tables, states = game.kernels, game.tables, game.new_states(2)
    mask, observation = np.zeros(game.num_actions, np.int8), np.zeros(game.observation_size, np.int8)
    seeds, results = np.zeros(1, np.uint64), np.zeros(1, game.facts.result_dtype)
    return {
        "clone_often": lambda: k.clone_often(states, 0, states, 1, 1),
        "play_random": lambda: k.play_random(states, 0, tables, seeds, results),
        "play_random_observed": lambda: k.play_random_observed(
            states, 0, tables, seeds, results, mask, observation
        ),
    }


def warm_up(game: Game, all_kernels: bool = True) -> Iterator[tuple[str, float]]:
    """Compile or load every kernel, or what environments use; yields each name with the seconds it took."""
    for name, call in _calls(game).items():
        if all_kernels or name in OF_ENVIRONMENTS:
            start = time.perf_counter()
            call()
            yield name, time.perf_counter() - start


def unit_of_game(game: Game) -> Path:
    """The folder of its sources."""
    return unit_of(game.kernels.reset.__module__)


def folder_of(game: Game) -> Path | None:
    """Where the compiled code of a game is kept, None if nowhere."""
    return cache_of(unit_of_game(game))


def is_compiled(game: Game, *names: str) -> bool:
    """Are these compiled functions (by default all kernels) on disk? If not, their first call takes long.

    Every installation of the same sources of the package shares them; of a game of somebody else's each compiles its
    own, and what another one has compiled lies beside.
    """
    if PLAIN:
        return True
    folder = folder_of(game)
    if folder is None:
        return False
    own = {place_of(path) for source in (CORE, unit_of_game(game)) for path in source.rglob("*.py")}
    files = [path for path in folder.rglob("*.nbi") if path.parent.name in own or is_shared(path.parent)]
    kept = {path.name.split("-")[0].rpartition(".")[2] for path in files}
    return set(names or (kernel.__name__ for kernel in game.kernels)) <= kept
