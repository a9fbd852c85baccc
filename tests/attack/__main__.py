"""`python -m tests.attack`: all of the attack, or parts of it; exit code 1 if there is a hole."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path

PARTS = ("states", "saves", "calls", "traces", "configurations", "data", "models", "runs", "lines")


def main() -> int:
    """Attack, and say what came of it."""
    parser = argparse.ArgumentParser(prog="python -m tests.attack", description=__doc__)
    parser.add_argument("--cases", type=int, default=200, help="of each part and game")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PARTS, action="append", help="may be given several times")
    parser.add_argument("--game", action="append", help="may be given several times; all by default")
    given = parser.parse_args()
    if (
        os.environ.get("NUMBA_DISABLE_JIT") != "1"
    ):  # without compiled code an access outside of an array is an error
        command = [sys.executable, "-m", "tests.attack", *sys.argv[1:]]
        return subprocess.run(command, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}).returncode
    sys.path.insert(0, str(Path(__file__).parents[1]))
    holes = 0
    with tempfile.TemporaryDirectory() as folder:
        for found in attacks(given.only or PARTS, given.game, given.cases, given.seed, Path(folder)):
            print(
                f"{found.name}: {found.cases} cases, {found.taken} taken, {found.refused} refused, "
                f"{len(found.holes)} holes",
                flush=True,
            )
            for hole in found.holes[:20]:
                print(f"    {hole[:600]}", flush=True)
            holes += len(found.holes)
    print(f"{holes} holes" if holes else "no hole")
    return int(holes > 0)


def attacks(parts: Sequence[str], games: list[str] | None, cases: int, seed: int, folder: Path) -> Iterator:  # type: ignore[type-arg]
    """The parts of the attack that are wanted; each has chance of its own."""
    import numpy as np

    from genesia_rl.core.registry import game_names

    from . import calls, files, states

    def rng(part: str) -> np.random.Generator:
        return np.random.default_rng([seed, zlib.crc32(part.encode())])

    if "lines" in parts:
        yield calls.attack_command_lines(rng("lines"), folder)
    if "runs" in parts:
        yield files.attack_runs(rng("runs"), cases, folder)
    for name in games or game_names():
        for part, attack in (
            ("states", states.attack_states), ("saves", files.attack_saves), ("calls", calls.attack_calls),
        ):  # fmt: skip
            if part in parts:
                yield attack(name, rng(f"{part} {name}"), cases)
        for part, on_files in (
            ("traces", files.attack_traces), ("configurations", files.attack_configurations),
            ("data", files.attack_data), ("models", files.attack_models),
        ):  # fmt: skip
            if part in parts:
                yield on_files(name, rng(f"{part} {name}"), cases, folder)


if __name__ == "__main__":
    sys.exit(main())
