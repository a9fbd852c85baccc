"""How fast a series of games is played, kept and gathered, and how much memory that takes.

    python -m experiments.bench.series --game NAME --policy greedy --players 2 --games 100000

Plays the natural games of the balance laboratory, with all that varies in turn, in processes, then gathers every
figure that needs no others. Run it with two numbers of games to see that memory does not grow with them.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

from genesia_rl.core.lab import NATURAL, Lab, lab_of
from genesia_rl.core.registry import default_game
from genesia_rl.lab.arms import FIRST, Condition, parts_of, series_of
from genesia_rl.lab.gather import gather
from genesia_rl.shards.run import num_cores, run_job


def natural_parts(lab: Lab) -> tuple[str, ...]:
    """The parts of the report that need the natural games alone."""
    return (FIRST, *(part for part, arms in parts_of(lab).items() if part != FIRST and arms == (NATURAL,)))


def measure(game: str, policy: str, players: int, games: int, workers: int, seed: int) -> dict[str, float]:
    """Seconds and megabytes."""
    condition, lab = Condition(policy, players, games), lab_of(game)
    series = series_of(game, NATURAL, condition, seed, {})
    series.warm_up()  # compiled before the clock is looked at
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        store = run_job(series, Path(folder) / "games", workers=workers)
        played = time.perf_counter()
        gather(condition, {NATURAL: (series, store)}, natural_parts(lab), lab)
        gathered = time.perf_counter()
        kept = sum(path.stat().st_size for path in store.folder.glob("*.parquet"))
    return {
        "games": games, "workers": workers, "games/s": games / (played - start), "playing s": played - start,
        "gathering s": gathered - played, "kept bytes a game": kept / games,
        "memory MB": _peak(resource.RUSAGE_SELF), "worker's memory MB": _peak(resource.RUSAGE_CHILDREN),
    }  # fmt: skip


def _peak(who: int) -> float:
    """The most memory that this process, or the largest of its children, has held."""
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(who).ru_maxrss * unit / 1e6


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="speed and memory of a series of games")
    parser.add_argument("--game", default=default_game())
    parser.add_argument("--policy", default="greedy")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--workers", type=int, default=num_cores())
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    found = measure(args.game, args.policy, args.players, args.games, args.workers, args.seed)
    for name, value in found.items():
        print(f"{name:20} {value:12,.1f}")


if __name__ == "__main__":
    main()
