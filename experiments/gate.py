"""The speed gate: is this tree slower than the commit before it? Both are measured side by side in one run.

    python -m experiments.gate                      against the last commit before what is here now
    python -m experiments.gate --against v0.2.0     against any commit
    python -m experiments.gate --series 4           against the last one that is 4 hours older than HEAD
    python -m experiments.gate --game NAME --figures kernel,search --repeats 15

The other commit is laid out in a temporary folder and each tree has a process of its own, which measures when it is
asked. Every figure is measured in turns, this tree and the other one; what counts is the median of the ratios of the
pairs, in the time of the processor and not of the clock, so that a busy machine does little harm. More than 10 %
slower warns, more than 20 % fails (exit code 1), if it does so twice in a row; a figure that the other commit cannot
measure is left out and said. The first run compiles the other commit, which takes minutes; what is compiled is kept.

A change is often a series of commits, and CI knows only the last one of it. `--series` compares with what was there
before: the first commit among the first parents of HEAD that is so many hours older. The environment variable
GATE_AGAINST names another one, as CI of a proposed change does with what it is based on. Where there is no such commit,
as in a shallow clone, and where nothing in the package has changed since, that is said and all is well.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import math
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ("kernel", "observed", "batch", "selfplay", "search")
TITLES = {
    "kernel": "whole games in the kernel",
    "observed": "the same, mask and observation written",
    "batch": "batch of 64 games, random actions",
    "selfplay": "whole games of a network",
    "search": "whole games of a search",
}
WARNS, FAILS = 0.90, 0.80  # of the other commit's speed
REPEATS, SECONDS = 9, 0.4
ROWS, WIDTH, LOOKS = 64, 64, "20"
MISSING = "missing"


# ---------------------------------------------------------------- one tree: what is measured when it is asked


def runners(name: str) -> dict[str, Callable[[], Callable[[int], object]]]:
    """For each figure what makes its run: a function that plays so many games (of a batch: steps)."""
    import numpy as np

    from genesia_rl.core.registry import game_info, make_game

    game = make_game(name, **game_info(name).full(game_info(name).players[0]))
    states, k = game.new_states(), game.kernels

    def whole(games: int) -> tuple[Any, Any]:
        return np.arange(games, dtype=np.uint64), np.zeros(games, game.facts.result_dtype)

    def kernel() -> Callable[[int], object]:
        return lambda games: k.play_random(states, 0, game.tables, *whole(games))

    def observed() -> Callable[[int], object]:
        mask, seen = np.zeros(game.num_actions, np.int8), np.zeros(game.observation_size, np.int8)
        return lambda games: k.play_random_observed(states, 0, game.tables, *whole(games), mask, seen)

    def batch() -> Callable[[int], object]:
        from genesia_rl.vector.batch import Batch

        def run(steps: int) -> None:
            made, streams = Batch(game, ROWS), np.arange(ROWS, dtype=np.uint64)
            made.reset(0)
            for _ in range(steps):
                made.step(made.random_actions(streams))

        return run

    def selfplay() -> Callable[[int], object]:
        from genesia_rl.players.incremental import Games
        from genesia_rl.players.networks import INCREMENTAL, Architecture, Layout, initial_weights

        architecture, layout = Architecture(INCREMENTAL, WIDTH), Layout(game)
        made = Games(game, architecture, layout)
        nets = made.nets([initial_weights(architecture, layout, np.random.default_rng(0))])

        def run(games: int) -> None:
            nobody = np.zeros((games, game.facts.most_seats), np.int8)
            made.play(nets, np.arange(games, dtype=np.uint64), nobody.astype(np.int16), nobody)

        return run

    def search() -> Callable[[int], object]:
        from genesia_rl.players.search import SearchPlayer

        player = SearchPlayer(LOOKS)
        return lambda games: player.play(
            game, np.arange(games, dtype=np.uint64), np.arange(games, dtype=np.int64) % game.num_seats
        )

    return {"kernel": kernel, "observed": observed, "batch": batch, "selfplay": selfplay, "search": search}


def serve(name: str) -> None:
    """Answer each line `FIGURE NUMBER` with the seconds of the processor that it took, or that there is no such."""
    makers, made = runners(name), dict[str, Callable[[int], object]]()
    for line in sys.stdin:
        figure, number = line.split()
        try:
            if figure not in made:
                made[figure] = makers[figure]()
                made[figure](1)  # compiled or loaded
            start = time.process_time()
            made[figure](int(number))
            print(time.process_time() - start, flush=True)
        except (ImportError, AttributeError, TypeError) as error:
            print(MISSING, type(error).__name__, error, flush=True)


class Tree:
    """A tree of sources with a process that measures it; the one before the change need not be able to."""

    def __init__(self, folder: Path, game: str, may_fail: bool = False) -> None:
        self.may_fail = may_fail
        env = os.environ | {"PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}
        command = [sys.executable, str(Path(__file__).resolve()), "--serve", "--game", game]
        self.process = subprocess.Popen(
            command, cwd=folder, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def seconds(self, figure: str, number: int) -> float | None:
        """How long so many take; None if the tree has no such figure."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            print(figure, number, file=self.process.stdin, flush=True)
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer and not self.may_fail:
            raise SystemExit(f"gate: this tree could not measure {figure}: its process ended")
        return None if not answer or answer.startswith(MISSING) else float(answer)

    def close(self) -> None:
        """Its process ends."""
        with contextlib.suppress(BrokenPipeError):
            if self.process.stdin is not None:
                self.process.stdin.close()
        self.process.wait(timeout=60)


# ---------------------------------------------------------------- two trees


class Ratio(NamedTuple):
    """How fast this tree is, as a share of the other one's speed: the median of the pairs, and their middle half."""

    figure: str
    value: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """What it means."""
        return "FAILS" if self.value < FAILS else "warns" if self.value < WARNS else "holds"

    def __str__(self) -> str:
        spread = f"{100 * self.low:.0f} to {100 * self.high:.0f}"
        return f"{TITLES[self.figure]:<42}{100 * self.value:6.1f} % ({spread})  {self.verdict}"


def ratio_of(figure: str, pairs: Sequence[tuple[float, float]]) -> Ratio:
    """From seconds of this tree and of the other one, pair by pair."""
    found = sorted(other / own for own, other in pairs)
    quarter = len(found) // 4
    return Ratio(figure, statistics.median(found), found[quarter], found[-1 - quarter])


def compare(own: Tree, other: Tree, figure: str, repeats: int, seconds: float) -> Ratio | None:
    """Measure a figure in turns; None if one of the trees lacks it."""
    number = 1
    while True:
        spent = own.seconds(figure, number)
        if spent is None or other.seconds(figure, 1) is None:
            return None
        if spent > seconds / 4 or number >= 1 << 24:
            break
        number *= 4
    number = max(1, round(number * seconds / max(spent, 1e-6)))
    pairs = []
    for turn in range(repeats):
        both = (own, other) if turn % 2 else (other, own)  # neither is always the first
        spent_by = {tree: tree.seconds(figure, number) or 1e-9 for tree in both}
        pairs.append((spent_by[own], spent_by[other]))
    return ratio_of(figure, pairs)


def git(*arguments: str) -> bytes:
    """What git says of this checkout."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise SystemExit(f"gate: git {' '.join(arguments)}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def before() -> str:
    """The last commit before what is here now: HEAD if something has been changed since, else the one before it."""
    return "HEAD" if git("status", "--porcelain", "--", "genesia_rl").strip() else "HEAD~1"


def before_series(hours: float, lines: Sequence[str]) -> str | None:
    """The first commit so much older than the first one; each line is a commit and its time in seconds."""
    dated = [line.split() for line in lines]
    return next((commit for commit, when in dated if int(dated[0][1]) - int(when) > 3600 * hours), None)


def other_commit(given: argparse.Namespace) -> str | None:
    """What to compare with; None, and said why, if `--series` finds nothing to compare with."""
    named = given.against or (os.environ.get("GATE_AGAINST", "") if given.series is not None else "")
    if given.series is None or named:
        return git("rev-parse", "--verify", f"{named or before()}^{{commit}}").decode().strip()
    try:
        found = before_series(
            given.series, git("log", "--first-parent", "--format=%H %ct").decode().splitlines()
        )
    except SystemExit as error:  # no checkout of git
        print(f"{error}; nothing is compared")
        return None
    if found is None:
        print(f"gate: no commit here is {given.series:g} hours older than HEAD; nothing is compared")
    elif not git("diff", "--name-only", found, "--", "genesia_rl").strip():
        print(f"gate: nothing in genesia_rl has changed since {found[:12]}; nothing is compared")
        found = None
    return found


def lay_out(commit: str, folder: Path) -> None:
    """The sources of a commit in a folder."""
    with tarfile.open(fileobj=io.BytesIO(git("archive", commit, "genesia_rl", "agents"))) as archive:
        archive.extractall(folder, filter="data")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line; 1 if a figure fails."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--game", default="")
    parser.add_argument("--against", default="", metavar="COMMIT")
    parser.add_argument(
        "--series", type=float, metavar="HOURS", help="against what is so much older than HEAD"
    )
    parser.add_argument("--figures", default=",".join(FIGURES), metavar="LIST")
    parser.add_argument("--repeats", type=int, default=REPEATS, metavar="N")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help="of each measurement")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.serve:
        serve(given.game)
        return 0
    from genesia_rl.core.registry import default_game

    figures = given.figures.split(",")
    if unknown := set(figures) - set(FIGURES):
        parser.error(f"--figures: {sorted(unknown)[0]!r}, allowed are {', '.join(FIGURES)}")
    if given.repeats < 3:
        parser.error(f"--repeats: {given.repeats}, allowed are 3 and more")
    if given.series is not None and not 0 <= given.series < math.inf:
        parser.error(f"--series: {given.series}, allowed are hours, 0 and more")
    commit = other_commit(given)
    if commit is None:
        return 0
    game = given.game or default_game()
    print(f"{game}: this tree against {commit[:12]}, speed as a share of the other one's", flush=True)
    with tempfile.TemporaryDirectory(prefix="gate-") as folder:
        lay_out(commit, Path(folder))
        trees = Tree(ROOT, game), Tree(Path(folder), game, may_fail=True)
        try:
            found = [ratio for name in figures if (ratio := told(*trees, name, given)) is not None]
        finally:
            for tree in trees:
                tree.close()
    return int(any(ratio.value < FAILS for ratio in found))


def told(own: Tree, other: Tree, figure: str, given: argparse.Namespace) -> Ratio | None:
    """Compare a figure and print it; one that fails is measured once more, as machines have bad moments."""
    for turn in range(2):
        ratio = compare(own, other, figure, given.repeats, given.seconds)
        left_out = f"{TITLES[figure]:<42}left out: one of the two cannot measure it"
        print(left_out if ratio is None else ratio, "(once more)" if turn else "", flush=True)
        if ratio is None or ratio.value >= FAILS:
            break
    return ratio


if __name__ == "__main__":
    sys.exit(main())
