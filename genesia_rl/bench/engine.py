"""How fast the engine is: what `genesia bench` measures. See experiments/bench/README.md.

Every figure is the median of several runs after a run that warms up. The configuration has every rule
switched on; actions are random and legal. Measurements never overlap.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numba
import numpy as np

import genesia_rl
from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.players.guided import GuidedPlayer, guide_of
from genesia_rl.players.incremental import Games
from genesia_rl.players.networks import INCREMENTAL, Architecture, Layout, initial_weights
from genesia_rl.players.random import RandomPlayer

RUNS = 5
LOOKS = 200  # simulations of a search
NAMES = (
    "kernel", "kernel_observed", "learned_selfplay", "guided_search", "python_step", "clone", "start_cold",
    "start_warm",
)  # fmt: skip
LEARNED_WIDTH = 256  # of the network's first layer
STEP_GAMES = 20  # recorded beforehand, then replayed by `python_step`


class Figure(NamedTuple):
    """One measured figure."""

    name: str
    players: int
    threads: int
    value: float
    unit: str
    games_per_s: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The fields that the figure has."""
        return {key: value for key, value in self._asdict().items() if value is not None}


def machine() -> dict[str, Any]:
    """What the figures were measured on and with."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        pass  # not Linux: the short name has to do
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "genesia_rl": genesia_rl.__version__,
    }


def figures(
    name: str,
    players: Sequence[int],
    seconds: float = 1.0,
    starts: bool = True,
    envs: bool = True,
    subprocesses: bool = False,
    search: bool = False,
) -> Iterator[Figure]:
    """All figures of a game, each as soon as it is measured; `seconds` is spent on each."""
    for number in players:
        game = make_game(name, **game_info(name).full(number))
        for threads in (1, 2):
            yield kernel(game, number, threads, seconds)
            yield kernel_observed(game, number, threads, seconds)
            yield learned_selfplay(game, number, threads, seconds)
            if search:
                yield guided_search(game, number, threads, seconds)
        yield python_step(game, number, seconds)
        yield clone(game, number, seconds)
    if envs:
        from genesia_rl.bench.envs import aec_figures, batch_figures

        number = least_players(name) if least_players(name) in players else players[0]
        game = make_game(name, players=number)
        yield from aec_figures(game, number, seconds)
        yield from batch_figures(game, number, seconds, subprocesses)
    if starts:
        yield from start_figures(name)


def least_players(name: str) -> int:
    """The smallest contest of a game."""
    return game_info(name).players[0]


# ---------------------------------------------------------------- whole games in the kernel


def kernel(game: Game, players: int, threads: int, seconds: float) -> Figure:
    """Decisions a second: legal set, random choice, step; whole games with deal and score."""

    def make_run() -> Callable[[int], int]:
        states = game.new_states()

        def run(games: int) -> int:
            seeds, results = np.arange(games, dtype=np.uint64), np.zeros(games, game.facts.result_dtype)
            return int(game.kernels.play_random(states, 0, game.tables, seeds, results))

        return run

    return _whole_games("kernel", make_run, players, threads, seconds)


def kernel_observed(game: Game, players: int, threads: int, seconds: float) -> Figure:
    """The same with the acting seat's mask and observation written for every decision."""

    def make_run() -> Callable[[int], int]:
        states = game.new_states()
        mask, seen = np.zeros(game.num_actions, np.int8), np.zeros(game.observation_size, np.int8)

        def run(games: int) -> int:
            seeds, results = np.arange(games, dtype=np.uint64), np.zeros(games, game.facts.result_dtype)
            return int(game.kernels.play_random_observed(states, 0, game.tables, seeds, results, mask, seen))

        return run

    return _whole_games("kernel_observed", make_run, players, threads, seconds)


def learned_selfplay(game: Game, players: int, threads: int, seconds: float) -> Figure:
    """Decisions a second of a network that draws from its policy, its weights as at the start of a training."""
    architecture, layout = Architecture(INCREMENTAL, LEARNED_WIDTH), Layout(game)
    weights = initial_weights(architecture, layout, np.random.default_rng(0))

    def make_run() -> Callable[[int], int]:
        made = Games(game, architecture, layout)
        nets = made.nets([weights])

        def run(games: int) -> int:
            nobody = np.zeros((games, game.facts.most_seats), np.int8)
            seeds = np.arange(games, dtype=np.uint64)
            return made.play(nets, seeds, nobody.astype(np.int16), nobody).decisions

        return run

    return _whole_games("learned_selfplay", make_run, players, threads, seconds)


def guided_search(game: Game, players: int, threads: int, seconds: float) -> Figure:
    """Evaluations a second of the same network in trees of 200 simulations: drawing the hidden anew and all included.

    The positions are those in the middle of a random game, in turn.
    """
    architecture, layout = Architecture(INCREMENTAL, LEARNED_WIDTH), Layout(game)
    guide = guide_of(
        game, architecture, layout, initial_weights(architecture, layout, np.random.default_rng(0))
    )
    positions = game.new_states(STEP_GAMES)
    for seed in range(STEP_GAMES):
        actions = recorded(game, seed)
        game.reset(positions, seed, seed)
        for action in actions[: len(actions) // 2]:
            game.step(positions, seed, game.from_view(game.seat(positions, seed), action))

    def make_run() -> Callable[[int], int]:
        player = GuidedPlayer(str(LOOKS), guide=guide)

        def run(decisions: int) -> int:
            return sum(
                player.evaluations(DecisionBatch.one(game, positions, k % STEP_GAMES, k))
                for k in range(decisions)
            )

        return run

    found = _whole_games("guided_search", make_run, players, threads, seconds)
    return found._replace(unit="evaluations/s", games_per_s=None)


def _whole_games(
    name: str, make_run: Callable[[], Callable[[int], int]], players: int, threads: int, seconds: float
) -> Figure:
    """Each thread plays the same number of games with arrays of its own, in one long call."""
    runs = [make_run() for _ in range(threads)]
    games = _calibrate(runs[0], seconds / RUNS)
    with ThreadPoolExecutor(threads) as pool:

        def together() -> tuple[int, float]:
            start = time.perf_counter()
            decisions = sum(pool.map(lambda run: run(games), runs))
            return decisions, time.perf_counter() - start

        together()
        measured = [together() for _ in range(RUNS)]
    rate = statistics.median(decisions / spent for decisions, spent in measured)
    rate_of_games = statistics.median(games * threads / spent for _, spent in measured)
    return Figure(name, players, threads, rate, "decisions/s", rate_of_games)


def _calibrate(run: Callable[[int], object], seconds: float) -> int:
    """How many times fit into so many seconds, at least one; the first call warms up."""
    number = 1
    run(number)
    while True:
        start = time.perf_counter()
        run(number)
        spent = time.perf_counter() - start
        if spent > seconds / 10:
            return max(1, round(number * seconds / spent))
        number *= 4


# ---------------------------------------------------------------- single calls


def recorded(game: Game, seed: int) -> list[int]:
    """A random game as the actions of its seats, each in the seat's own numbering."""
    states, player, actions = game.new_states(), RandomPlayer(), list[int]()
    game.reset(states, 0, seed)
    while not game.is_over(states, 0):
        actions.append(player.act(DecisionBatch.one(game, states, 0, seed)))
        game.step(states, 0, game.from_view(game.seat(states, 0), actions[-1]))
    return actions


def python_step(game: Game, players: int, seconds: float) -> Figure:
    """Microseconds of one call from Python that takes an action and writes mask and observation.

    The actions come from games played before; the loop round the call is counted.
    """
    played = [recorded(game, seed) for seed in range(STEP_GAMES)]
    starts = game.new_states(STEP_GAMES)
    for seed in range(STEP_GAMES):
        game.reset(starts, seed, seed)
    mask, seen = np.zeros(game.num_actions, np.int8), np.zeros(game.observation_size, np.int8)
    states, step_view, tables = starts.copy(), game.kernels.step_view, game.tables

    def once() -> float:
        states[:] = starts
        start = time.perf_counter()
        for i, actions in enumerate(played):
            for action in actions:
                step_view(states, i, tables, action, mask, seen)
        return time.perf_counter() - start

    once()
    if not states["over"].all():
        raise GenesiaError("bench: a recorded game did not end when replayed; this is a bug")
    calls = sum(map(len, played))
    rounds = max(1, round(seconds / RUNS / once()))
    measured = [sum(once() for _ in range(rounds)) / (rounds * calls) for _ in range(RUNS)]
    return Figure("python_step", players, 1, statistics.median(measured) * 1e6, "us")


def clone(game: Game, players: int, seconds: float) -> Figure:
    """Nanoseconds of copying a state to another place of an array, in the kernel."""
    states = game.new_states(2)
    game.reset(states, 0, 0)

    def run(times: int) -> None:
        game.kernels.clone_often(states, 0, states, 1, times)

    times = _calibrate(run, seconds / RUNS)
    measured = []
    for _ in range(RUNS):
        start = time.perf_counter()
        run(times)
        measured.append((time.perf_counter() - start) / times)
    return Figure("clone", players, 1, statistics.median(measured) * 1e9, "ns")


# ---------------------------------------------------------------- starting

_COLD = """
import time; start = time.perf_counter()
from genesia_rl.core.registry import make_game
from genesia_rl.core.warmup import warm_up
for _ in warm_up(make_game({name!r}, players={players}), all_kernels=False): pass
print(time.perf_counter() - start)
"""

_WARM = """
import time; start = time.perf_counter()
import numpy as np
from genesia_rl.core.registry import make_game
game = make_game({name!r}, players={players})
states = game.new_states(); game.reset(states, 0, 1)
mask, seen = np.zeros(game.num_actions, np.int8), np.zeros(game.observation_size, np.int8)
seat = game.seat(states, 0)
action = game.to_view(seat, game.legal_actions(states, 0)[0])
assert game.kernels.step_view(states, 0, game.tables, action, mask, seen)
print(time.perf_counter() - start)
"""


def start_figures(name: str) -> Iterator[Figure]:
    """Seconds from the first import: cold, compiling what environments use; warm, to the first step."""
    with tempfile.TemporaryDirectory(prefix="genesia-bench-") as cache:
        players = least_players(name)
        yield Figure("start_cold", players, 1, _seconds_of(_COLD, name, cache), "s")
        warm = [_seconds_of(_WARM, name, cache) for _ in range(RUNS)]
        yield Figure("start_warm", players, 1, statistics.median(warm), "s")


def _seconds_of(script: str, name: str, cache: str) -> float:
    """What a script measures in a process of its own, with a cache of its own."""
    package = str(Path(genesia_rl.__file__).resolve().parent.parent)
    paths = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, "-c", script.format(name=name, players=least_players(name))],
        env=os.environ | {"GENESIA_RL_CACHE": cache, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise GenesiaError(f"bench: a start failed: {(done.stderr.strip() or 'no message').splitlines()[-1]}")
    return float(done.stdout)
