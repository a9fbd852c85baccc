"""Random games by the million in which every state is checked by compiled code: what `genesia soak` does.

    for found in Soak("NAME", games=10_000).run(): ...

Game k of a mode has the seed `seed + k`, as `genesia record --seed` numbers them, so whatever is found is found again
by its seed alone. Memory is that of a few thousand games, however many are played.

Modes are the configurations that a game names (its `variants`); they take turns. Of every share of games one is
played again in Python, where the game's own `check_state` looks at every state too and must agree with the compiled
one on how the game went.
"""

from __future__ import annotations

import json
import subprocess
import time
from collections import deque
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import genesia_rl
from genesia_rl.core import chance
from genesia_rl.core.compile import CORE, PLAIN, source_hash, unit_of
from genesia_rl.core.errors import ConfigError, DataError, GenesiaError
from genesia_rl.core.files import replace_text
from genesia_rl.core.game import Game, States
from genesia_rl.core.invariants import (
    EVERY,
    FOUND,
    LIMITS,
    MOST_SEED,
    PROGRESS,
    VIOLATIONS,
    in_words,
    soak_of,
)
from genesia_rl.core.registry import make_game, variants
from genesia_rl.core.trace import to_line, trace_format

MOST_KEPT = 100  # violations that are kept as traces; all are counted
FIRST_SHARE, MOST_SHARE = 16, 20_000  # games that are played at once
SHARE_SECONDS = 2.0
#: Places of the states that a check works on (core/loops/soak.py).
PLACES = 4


@dataclass
class Violation:
    """Something that does not hold: in which game, after how many decisions, by which action tried there."""

    mode: str
    seed: int
    step: int
    what: str
    action: str | None = None
    line: int | None = None  # of the file of traces, from 1 on

    def __str__(self) -> str:
        tried = "" if self.action is None else f", trying {self.action}"
        return f"{self.mode}, seed {self.seed}, after {self.step} decisions{tried}: {self.what}"


@dataclass
class Mode:
    """How far a mode is."""

    games: int = 0
    decisions: int = 0
    thorough: int = 0
    tried: int = 0
    again: int = 0
    violations: int = 0


@dataclass
class Share:
    """What has been found in some games of a mode, one after the other."""

    mode: str
    first: int
    games: int
    found: Any = None
    seconds: float = 0.0
    again: list[Violation] = field(default_factory=list)


class Checker:
    """The arrays of one worker, for games of one mode."""

    def __init__(self, game: Game, every: int) -> None:
        self.game = game
        self.states = game.new_states(PLACES)
        self.words = self.states.view(np.uint64).reshape(PLACES, -1)
        self.limits = np.zeros(1, LIMITS)
        self.limits["num_actions"], self.limits["num_kinds"] = game.num_actions, len(game.kinds)
        self.limits["max_decisions"], self.limits["every"] = game.max_decisions, every
        self.limits["parts"] = len(game.score_parts)
        self.bounds = np.zeros((2, game.observation_size), np.int8)
        for piece in game.pieces:
            self.bounds[:, piece.start : piece.stop] = [[piece.low], [piece.high]]
        self.masks = np.zeros((2, game.num_actions), np.int8)
        self.views = np.zeros((2, game.observation_size), np.int8)
        self.results = np.zeros(1, game.facts.result_dtype)

    def play(self, seeds: Any) -> Any:
        """What is found in the games of some seeds."""
        found = np.zeros(len(seeds), FOUND)
        soak_of(self.game.name).play_checked(
            self.states, self.words, self.game.tables, np.asarray(seeds, np.uint64), self.limits, self.bounds,
            self.masks, self.views, self.results, found,
        )  # fmt: skip
        return found


class Soak:
    """A number of random games of all modes, to be played and checked; `run` yields what is found."""

    def __init__(
        self,
        game: str,
        games: int,
        seed: int = 0,
        every: int = EVERY,
        workers: int = 1,
        modes: Mapping[str, Mapping[str, Any]] | None = None,
        folder: Path | None = None,
    ) -> None:
        self.game, self.games, self.seed, self.every = game, games, seed, every
        self.workers, self.folder = workers, folder
        soak_of(game)  # a game without a compiled check is told at once
        if seed + games - 1 > MOST_SEED:
            raise ConfigError(f"seed = {seed} with {games} games, allowed are seeds up to {MOST_SEED}")
        fields = variants(game) if modes is None else modes
        self.made = {name: make_game(game, **chosen) for name, chosen in fields.items()}
        self.modes = {name: Mode() for name in self.made}
        self.wanted = dict(zip(self.made, _split(games, len(self.made)), strict=True))
        self.kept: list[Violation] = []
        self.seconds = 0.0
        self.memory: list[float] = []  # MiB: after the first share of every mode, and now
        self.rate: dict[str, float] = {}
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            self._go_on()

    # ---- how far it is
    @property
    def done(self) -> int:
        """Games that have been played."""
        return sum(mode.games for mode in self.modes.values())

    @property
    def violations(self) -> int:
        """How many games broke something."""
        return sum(mode.violations for mode in self.modes.values())

    def total(self, name: str) -> int:
        """A count over all modes."""
        return sum(getattr(mode, name) for mode in self.modes.values())

    # ---- playing
    def warm(self) -> None:
        """Compile or load the check, so that it is not counted as play."""
        Checker(next(iter(self.made.values())), self.every).play([])

    def run(self) -> Iterator[Share]:
        """Play what is left; yields every share as it is done. Whoever stops asking loses nothing that was yielded."""
        self.warm()
        waiting: deque[Future[Share]] = deque()
        left = self._shares()
        start, before = time.perf_counter(), self.seconds
        with ThreadPoolExecutor(self.workers) as pool:
            try:
                while True:
                    while len(waiting) < self.workers and (share := next(left, None)) is not None:
                        waiting.append(pool.submit(self._play, share))
                    if not waiting:
                        return
                    share = waiting[0].result()
                    waiting.popleft()
                    self.seconds = before + time.perf_counter() - start
                    self._count(share)
                    yield share
            finally:
                for future in waiting:
                    future.cancel()

    def _shares(self) -> Iterator[Share]:
        """The modes in turn, in shares of a few seconds each."""
        next_game = {name: mode.games for name, mode in self.modes.items()}
        while any(next_game[name] < self.wanted[name] for name in self.made):
            for name in self.made:
                size = round(self.rate.get(name, 0) * SHARE_SECONDS)
                size = min(max(size, FIRST_SHARE), MOST_SHARE, self.wanted[name] - next_game[name])
                if size > 0:
                    yield Share(name, next_game[name], size)
                    next_game[name] += size

    def _play(self, share: Share) -> Share:
        game = self.made[share.mode]
        seeds = np.arange(self.seed + share.first, self.seed + share.first + share.games, dtype=np.uint64)
        tables, start = game.tables.tobytes(), time.perf_counter()
        share.found = Checker(game, self.every).play(seeds)
        share.seconds = time.perf_counter() - start
        if game.tables.tobytes() != tables:
            what = "a game changed the tables of its configuration"
            share.again.append(Violation(share.mode, int(seeds[0]), 0, what))
        sound = np.flatnonzero(share.found["broken"] == 0)
        if len(sound):
            share.again += self._play_again(share.mode, int(seeds[sound[0]]), share.found[sound[0]])
        return share

    def _play_again(self, mode: str, seed: int, found: Any) -> list[Violation]:
        """The same game in Python: `check_state` in every state, and as many decisions."""
        game, steps = self.made[mode], 0
        for states in walk(game, seed):
            wrong = game.check_state(states, 0)
            if wrong:
                return [Violation(mode, seed, steps, f"check_state: {wrong[0]}")]
            steps += 1
        if steps - 1 != found["decisions"]:
            what = f"{found['decisions']} decisions in the compiled game, {steps - 1} in the same one step by step"
            return [Violation(mode, seed, steps - 1, what)]
        return []

    def _count(self, share: Share) -> None:
        """Add up what was found, and keep it."""
        mode, found = self.modes[share.mode], share.found
        mode.games += share.games
        mode.decisions += int(found["decisions"].sum())
        mode.thorough += int(found["thorough"].sum())
        mode.tried += int(found["tried"].sum())
        mode.again += 1
        self.rate[share.mode] = share.games / max(share.seconds, 1e-9)
        broken = np.flatnonzero(found["broken"])
        mode.violations += len(broken) + len(share.again)
        room = MOST_KEPT - len(self.kept)
        mine = [self._violation(share, int(k)) for k in broken[: max(0, room)]]
        self._keep((mine + share.again)[: max(0, room)])
        now = memory()
        if now is not None:
            self.memory = [*self.memory[:1], now] if len(self.rate) == len(self.made) else [now]
        if self.folder is not None:
            replace_text(self.folder / PROGRESS, json.dumps(self.to_dict(), indent=1) + "\n")

    def _violation(self, share: Share, k: int) -> Violation:
        game, row = self.made[share.mode], share.found[k]
        action = None if row["action"] < 0 else game.action_text(int(row["action"]))
        what = in_words(self.game, int(row["broken"]))
        return Violation(share.mode, self.seed + share.first + k, int(row["step"]), what, action)

    def _keep(self, found: list[Violation]) -> None:
        """Write them as traces that end where something is broken."""
        for violation in found:
            self.kept.append(violation)
            if self.folder is None:
                continue
            written = trace_to(self.made[violation.mode], violation)
            violation.line = sum(known.line is not None for known in self.kept) + 1
            with (self.folder / VIOLATIONS).open("a", encoding="utf-8", newline="\n") as file:
                file.write(to_line(written))

    # ---- keeping
    def about(self) -> dict[str, Any]:
        """What the games depend on: runs that differ in it are not one."""
        game = next(iter(self.made.values()))
        unit = unit_of(game.kernels.reset.__module__)
        return {
            "game": self.game, "seed": self.seed, "every": self.every, "modes": list(self.made),
            "source": source_hash(CORE, unit),
        }  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        """All that there is to say, as JSON."""
        return {
            **self.about(),
            "version": genesia_rl.__version__, "commit": commit(), "games_wanted": self.games, "games": self.done,
            "decisions": self.total("decisions"), "thorough": self.total("thorough"), "tried": self.total("tried"),
            "again": self.total("again"), "violations": self.violations, "seconds": round(self.seconds, 1),
            "memory_mib": [round(size, 1) for size in self.memory],
            "by_mode": {name: asdict(mode) for name, mode in self.modes.items()},
            "found": [asdict(violation) for violation in self.kept],
        }  # fmt: skip

    def _go_on(self) -> None:
        """Take up what stands in the folder."""
        assert self.folder is not None
        path = self.folder / PROGRESS
        if not path.exists():
            if (self.folder / VIOLATIONS).exists():
                raise DataError(
                    f"{self.folder}: has {VIOLATIONS} and no {PROGRESS}, allowed is another --out"
                )
            return
        try:
            held = json.loads(path.read_text(encoding="utf-8"))
            for name, value in self.about().items():
                if held[name] != value:
                    raise DataError(
                        f"{path}: {name} = {held[name]!r}, allowed in this run is {value!r}: name another --out"
                    )
            self.modes = {name: Mode(**held["by_mode"][name]) for name in self.made}
            self.kept = [Violation(**violation) for violation in held["found"]]
            self.seconds = float(held["seconds"])
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, GenesiaError):
                raise
            raise DataError(f"{path}: damaged ({error}), allowed is a file by genesia soak") from None
        self._cut_violations()

    def _cut_violations(self) -> None:
        """A run that was killed may have written traces that its figures do not know."""
        assert self.folder is not None
        path, known = self.folder / VIOLATIONS, sum(v.line is not None for v in self.kept)
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True) if path.exists() else []
        if len(lines) < known:
            raise DataError(f"{path}: {len(lines)} lines, {PROGRESS} knows {known}: name another --out")
        if len(lines) > known:
            replace_text(path, "".join(lines[:known]))


def _split(games: int, modes: int) -> list[int]:
    """As many games for each mode, the first ones one more."""
    return [games // modes + (k < games % modes) for k in range(modes)]


# ---------------------------------------------------------------- one game again


def drawn(game: Game, states: States, seed: int, step: int) -> int:
    """The action that the compiled game of a seed takes after so many decisions."""
    legal = game.legal_actions(states, 0)
    output = int(chance.mixed(chance.policy_streams([seed], [step]))[0])
    return legal[(output >> 32) * len(legal) >> 32]


def walk(game: Game, seed: int) -> Iterator[States]:
    """Every state of the random game of a seed, the same array each time."""
    states = game.new_states()
    game.reset(states, 0, seed)
    for step in range(game.max_decisions + 1):
        yield states
        if game.is_over(states, 0):
            return
        game.step(states, 0, drawn(game, states, seed, step))


def trace_to(game: Game, violation: Violation) -> dict[str, Any]:
    """The game up to where something is broken, as a trace: its last position is the one to look at."""
    states = game.new_states()
    game.reset(states, 0, violation.seed)
    trace: dict[str, Any] = {"format": trace_format(game.name), "config": game.config_dict()}
    trace |= {"seed": violation.seed, "deal": game.deal_dict(states, 0), "steps": []}
    for step in range(violation.step):
        action = drawn(game, states, violation.seed, step)
        trace["steps"].append([game.seat(states, 0), game.kind(states, 0), game.action_text(action)])
        game.step(states, 0, action)
    if violation.action is not None:
        trace["steps"].append([game.seat(states, 0), game.kind(states, 0), violation.action])
    return trace


# ---------------------------------------------------------------- the machine


def memory() -> float | None:
    """MiB that this process holds now, None where the system does not say."""
    try:
        import resource

        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
        return pages * resource.getpagesize() / 2**20
    except (ImportError, OSError, ValueError):
        return None


def commit() -> str | None:
    """The commit of the checkout that the package stands in, None if it stands in none."""
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=Path(genesia_rl.__file__).parent, capture_output=True, text=True,
            check=False, timeout=10,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def is_compiled(game: Game) -> bool:
    """Is the check on disk?"""
    from genesia_rl.core.warmup import is_compiled as are_compiled

    return PLAIN or are_compiled(game, "play_checked")
