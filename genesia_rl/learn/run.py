"""A run: first the teacher, if there is one, then updates in the league, until the time is up.

With `run.updates` or `run.decisions` nothing depends on the clock: the same settings give the same weights bit for
bit, in one go or stopped and resumed (torch on one thread). With minutes the learning rate follows the clock.
"""

from __future__ import annotations

import copy
import json
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch

from genesia_rl.core.errors import DataError, StateError
from genesia_rl.core.files import replace_text
from genesia_rl.learn import checkpoint
from genesia_rl.learn.checkpoint import part_of, under
from genesia_rl.learn.expert import ExpertIteration
from genesia_rl.learn.exploiter import Exploiter
from genesia_rl.learn.league import Clock, game_of, rotation_of
from genesia_rl.learn.log import Log
from genesia_rl.learn.measure import measured
from genesia_rl.learn.members import can_teach
from genesia_rl.learn.policy import device_of
from genesia_rl.learn.ppo import PPO
from genesia_rl.learn.ready import agents_of, compile_all
from genesia_rl.learn.remote import RemoteGames
from genesia_rl.learn.settings import EXPERT, Settings
from genesia_rl.learn.table import Table, tables_of
from genesia_rl.learn.teacher import Cloner, LessonGiver, Lessons
from genesia_rl.learn.whole import TraceCloner, TraceLessons, TracePPO, WholeGames, in_whole_games
from genesia_rl.players.learned import LearnedPlayer, save_model
from genesia_rl.players.networks import INCREMENTAL
from genesia_rl.shards.lock import alone

MODEL = "model.npz"
STRENGTH = "strength.json"
MILESTONES = "model-*min.npz"


class Run:
    """All that learns and is learned from, in a folder."""

    program = "genesia train"  # that makes its models, as their cards say

    def __init__(self, settings: Settings, folder: Path, with_lessons: bool = True) -> None:
        s = self.settings = settings
        self.folder = folder
        torch.set_num_threads(1 if s.network.kind == INCREMENTAL else s.learner.threads or 1)
        self.clock = Clock(s.run.clock)
        games = [game_of(own) for own in s.tables()]
        for game in games:  # the same codes at all tables, each of which they must be able to play at
            self.agents = agents_of(s, game, with_lessons)
        self.network, self.tables = tables_of(s, games, device_of(s.learner.device), self.clock)
        first = self.tables[0]  # the only one, but where a network learns several numbers of players
        self.game, self.pool, self.env = first.game, first.pool, first.env
        self.learner: Any
        self.cloner: Any
        if s.learner.method == EXPERT:
            self.learner = ExpertIteration(s, self.env, self.network, self.clock, s.run.seed)
            self.cloner = TraceCloner(self.network, s, self.env.workers)
        elif isinstance(self.env, WholeGames):
            self.learner = TracePPO(s.learner, self.tables, self.network, self.clock, s.run.seed)
            self.cloner = TraceCloner(self.network, s, self.env.workers)
        else:
            self.learner = PPO(s.learner, self.env, self.network, self.clock, s.run.seed)
            self.cloner = Cloner(self.network, s.teacher, s.run.seed)
        self.exploiter = Exploiter(s, self.game, self.clock) if s.league.exploiters else None
        self.lessons: Any = self._lessons() if with_lessons else None
        self.update = self.chunks = 0
        self.lesson_decisions = 0  # counted where a run is so many decisions long
        self.spent = self.taught = 0.0
        self.log: Log | None = None
        self.logged = 0  # lines of the logs that a checkpoint knows
        self.commands = [command()]  # all that made it, in their order

    def _lessons(self) -> LessonGiver | TraceLessons | None:
        """What the network copies first: a data set, or an agent."""
        asked = self.settings.teacher.asked
        if in_whole_games(self.settings, self.game) and asked is not None and can_teach(self.game, asked):
            return TraceLessons(self.settings, self.game, self.network.layout)
        t, g, seed = self.settings.teacher, self.settings.game, self.settings.run.seed
        if t.data is not None:
            from genesia_rl.learn.dataset import Recorded

            columns = self.network.layout.actions
            values = g.reward == "win" and not g.margin and self.settings.learner.gamma == 1
            scale = g.scale or self.game.facts.score_scale
            return Recorded(Path(t.data), self.game, columns, t.passes, seed, g.shaping, scale, values)
        if t.asked is not None:
            paid: dict[str, Any] = {"reward": g.reward, "scale": g.scale, "shaping": g.shaping}
            paid |= {"margin": g.margin, "gamma": self.settings.learner.gamma}
            rotation = rotation_of(self.settings, self.game)
            return Lessons(self.game, self.agents[t.asked], t, seed, rotation=rotation, **paid)
        return None

    # ---- how far it is
    @property
    def decisions(self) -> int:
        """Learned from so far, an exploiter's too: it is part of what the network costs."""
        of_exploiter = self.exploiter.learner.decisions if self.exploiter is not None else 0
        return int(self.learner.decisions + of_exploiter)

    def teaching(self) -> bool:
        """Is the teacher still at work?"""
        if self.lessons is None or self.update:
            return False
        return self.lesson_progress() < 1

    def lesson_progress(self) -> float:
        """The share of the lessons that is over."""
        s = self.settings
        if s.teacher.updates is not None:
            return self.chunks / s.teacher.updates
        if self.lessons is not None and self.lessons.total is not None:
            return float(self.chunks / self.lessons.total)
        if s.run.updates is not None:
            return self.chunks / max(1, round(s.teacher.share * s.run.updates))
        if s.run.decisions is not None:
            return self.lesson_decisions / max(1.0, s.teacher.share * s.run.decisions)
        return self.spent / max(1e-9, s.teacher.share * 60 * s.run.minutes)

    def progress(self) -> float:
        """The share of the league's part that is over."""
        if self.settings.run.updates is not None:
            return self.update / self.settings.run.updates
        if self.settings.run.decisions is not None:
            return self.decisions / self.settings.run.decisions
        return (self.spent - self.taught) / max(1e-9, 60 * self.settings.run.minutes - self.taught)

    def left(self) -> float:
        """The share of the way to where the learning rate ends that is still to come."""
        return 1 - self.progress()

    @property
    def games_played(self) -> int:
        """Finished games, an exploiter's too."""
        return int(sum(table.env.games_played for table in self.every_table))

    @property
    def every_table(self) -> list[Table]:
        """The run's own, and that of an exploiter."""
        return self.tables if self.exploiter is None else [*self.tables, self.exploiter.table]

    # ---- working
    def work(self) -> bool:
        """Go on until the time is up or somebody stops it; what was done is saved either way.

        Returns whether it was not stopped. A folder in which another process works is refused.
        """
        with alone(self.folder, None):
            return self._work()

    def _work(self) -> bool:
        s = self.settings
        step = 1 + (self.decisions or self.chunks)
        self.log = Log(self.folder, self.lines, step, s.run.log, s.model_dump())
        try:
            return self._work_on()
        finally:
            self.log.close()

    def _work_on(self) -> bool:
        assert self.log is not None
        row: dict[str, Any] = {}
        with self.helped(), stopping() as stop:  # in this order: Ray takes SIGTERM for itself
            if self.progress() < 1:
                (self.folder / STRENGTH).unlink(missing_ok=True)  # of a model that is no longer there
                if not (self.folder / checkpoint.NAME).exists():
                    self.save()  # from now on it can be gone on with
                for table in self.tables:  # off the clock
                    compile_all(table.settings, table.game, self.agents, table.network.frozen())
                self.env.gather()
            saved = time.perf_counter()
            while self.progress() < 1 and not stop:
                before = self.spent
                with self.safely():
                    row = self.step()
                self.keep_milestones(before)
                self.log.add(row)
                self.log.say(row)
                if time.perf_counter() - saved > 60 * self.settings.run.save_minutes:
                    self.save()
                    saved = time.perf_counter()
            self.save()
        if row:
            self.log.say(row, now=True)
        if not stop:
            self.measure()
        print(f"{'stopped, ' if stop else ''}saved in {self.folder}; play it as ppo:{self.folder / MODEL}")
        return not stop

    def helped(self) -> AbstractContextManager[None]:
        """With those who play its games elsewhere, if there is anything left to play."""
        if isinstance(self.env, RemoteGames) and self.progress() < 1:
            return self.env.helped()
        return nullcontext()

    @property
    def lines(self) -> int:
        """Of the logs."""
        return self.log.lines if self.log is not None else self.logged

    @contextmanager
    def safely(self) -> Iterator[None]:
        """If a step fails, what was done before it is saved: the failure costs no more than itself."""
        header, arrays = self.kept()
        arrays = {name: held.copy() for name, held in arrays.items()}
        header = copy.deepcopy(header)
        try:
            yield
        except BaseException:
            if header["chunks"] or header["update"]:
                self.put(header, arrays)
                self.save()
                print(
                    f"saved in {self.folder} as it was before this; --resume goes on from there", flush=True
                )
            raise

    def measure(self) -> None:
        """What the agent beats: a table for people, `strength.json` for programs."""
        s = self.settings.run
        if not s.measure or not s.panel:
            return
        agent, varied = LearnedPlayer(str(self.folder / MODEL)), bool(self.settings.game.varied)
        games = [table.game for table in self.tables]
        found = measured(agent, games, s.panel, s.measure, s.seed, varied)
        self.save_model(MODEL, strength=found)
        replace_text(self.folder / STRENGTH, json.dumps(found, indent=2) + "\n")

    def step(self) -> dict[str, Any]:
        """One chunk of lessons or one update; a row for the log."""
        start, before = self.clock.now(), dict(self.clock.seconds)
        decisions, played, lessons = self.decisions, self.games_played, self.lessons
        if lessons is not None and self.teaching():
            phase, taught = "teacher", lessons.finished
            done, found = self._teach(lessons)
            number, games = self.chunks, lessons.finished - taught
        else:
            phase, found = "league", self._play()
            done, games = self.decisions - decisions, self.games_played - played
            number = self.update
        took = self.clock.now() - start
        seconds = {k: v - before.get(k, 0.0) for k, v in self.clock.seconds.items()}
        seconds = {k: v for k, v in seconds.items() if v}
        seconds["other"] = max(0.0, took - sum(v for k, v in seconds.items() if k != "saving"))
        self.spent += took
        if phase == "teacher":
            self.taught = self.spent
        return {
            "phase": phase, "update": number, "minutes": self.spent / 60,
            "decisions": self.decisions, "games": self.games_played,
            "decisions_per_second": done / took,
            "games_per_second": games / took, **found, "seconds": seconds,
        }  # fmt: skip

    def _teach(self, lessons: LessonGiver | TraceLessons) -> tuple[int, dict[str, Any]]:
        """One chunk of lessons: its decisions, and what is told of it."""
        start, rate = self.clock.now(), max(0.05, 1 - self.lesson_progress())
        rows: Any
        if isinstance(lessons, TraceLessons):
            rows = lessons.chunk(self.network.numpy_weights())
            count = len(rows.rows)
        else:
            rows = lessons.chunk(self.cloner.frozen())
            count = len(rows["column"])
        start = self.clock.add("teacher", start)
        found = self.cloner.learn(rows, rate)
        self.clock.add("learner", start)
        self.chunks += 1
        self.lesson_decisions += count
        return count, dict(found)

    def _play(self) -> dict[str, Any]:
        if not self.update:
            self.lessons = None  # its games are not needed again
            self.learner.newest()
            for table in self.tables:
                table.env.begin()
        s, left = self.settings, self.left()
        self.learner.play()
        found = self.learner.learn(left, bool(self.chunks) and self.update < s.teacher.value_updates)
        self.update += 1
        if self.update % s.league.snapshot_every == 0:
            for table in self.tables:
                table.snapshot(self.update)
        if self.exploiter is not None:
            found["exploiter"] = self.exploiter.work(self.tables[0], self.update)
        if self.env.joint:
            found["joint"] = float(np.mean(self.env.joint))
            self.env.joint.clear()
        members = {name: told for table in self.tables for name, told in table.members().items()}
        return {**found, **self.env.told, "pool": members}

    # ---- keeping
    def save(self) -> None:
        """A checkpoint, and the model as agents play it."""
        start = self.clock.now()
        header, arrays = self.kept()
        checkpoint.write(self.folder, header, arrays)
        self.save_model(MODEL)
        self.clock.add("saving", start)

    def save_model(self, name: str, **more: Any) -> None:
        """The network as agents play it; `more` goes into its card."""
        card = {
            "by": self.program, "minutes": round(self.spent / 60, 2), "updates": self.update,
            "decisions": self.decisions, "settings": self.settings.model_dump(),
            "command": " && ".join(self.commands), **self.about(), **more,
        }  # fmt: skip
        architecture, weights = self.network.architecture, self.network.numpy_weights()
        also = [table.game for table in self.tables[1:]]
        save_model(self.folder / name, architecture, self.game, weights, card, also)

    def about(self) -> dict[str, Any]:
        """What else the cards of its models say."""
        return {}

    def keep_milestones(self, before: float) -> None:
        """Keep the model of every milestone that the last step has passed."""
        for minutes in self.settings.run.milestones:
            if before < 60 * minutes <= self.spent:
                self.save_model(milestone(minutes))

    def kept(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """All that the next update depends on."""
        header = {
            "settings": self.settings.model_dump(),
            "update": self.update, "chunks": self.chunks, "spent": self.spent, "taught": self.taught,
            "decisions": self.learner.decisions,
            "lines": self.lines, "seconds": self.clock.seconds,
            "rng": self.learner.rng.bit_generator.state,
        }  # fmt: skip
        for table in self.tables:
            header |= table.header()
        if self.settings.run.decisions is not None:
            header["lesson_decisions"] = self.lesson_decisions
        arrays = {
            **under("weights/", self.network.numpy_weights()),
            **under("adam/", checkpoint.optimizer_arrays(self.learner.optimizer)),
            "torch_rng": torch.get_rng_state().numpy(),
        }
        for table in self.tables:
            arrays |= table.arrays()
        if isinstance(self.learner, ExpertIteration):
            arrays |= under("replay/", self.learner.state())
        if self.exploiter is not None:
            header |= self.exploiter.header()
            arrays |= self.exploiter.arrays()
        if self.lessons is not None:
            header["lessons"] = self.lessons.rng.bit_generator.state
            arrays |= under("lessons/", self.lessons.state())
            arrays |= under("cloner/", checkpoint.optimizer_arrays(self.cloner.optimizer))
            arrays["cloner_rng"] = self.cloner.generator.get_state().numpy()
        return header, arrays

    def go_on(self, header: dict[str, Any], arrays: dict[str, Any]) -> None:
        """Continue from what was kept, with the logs as they were; what does not fit is refused."""
        path = self.folder / checkpoint.NAME
        for table in self.every_table:
            table.check(path, header)
        checkpoint.check_names(path, header, self.kept()[0])
        checkpoint.check_arrays(path, arrays, self._like(arrays))
        try:
            self.put(header, arrays)
        except StateError as error:
            raise DataError(f"{path}: {error}") from None
        except (KeyError, TypeError, ValueError, RuntimeError) as error:
            reason = f"{type(error).__name__}: {error}"
            raise DataError(f"{path}: {reason}, allowed is a checkpoint of this version") from None
        self.logged = header["lines"]

    def _like(self, arrays: dict[str, Any]) -> dict[str, Any]:
        """The arrays that must be there; of optimisers and former selves those that these speak of."""
        found = self.kept()[1]
        if checkpoint.OPEN in arrays and isinstance(self.env, WholeGames):
            found[checkpoint.OPEN] = np.zeros(0, np.int64)
        optimizers = {"adam/": self.learner.optimizer}
        if self.lessons is not None:
            optimizers["cloner/"] = self.cloner.optimizer
        for prefix, optimizer in optimizers.items():
            found |= under(prefix, checkpoint.optimizer_like(optimizer, part_of(arrays, prefix)))
        if isinstance(self.learner, ExpertIteration):
            found |= under("replay/", self.learner.like(part_of(arrays, "replay/")))
        if self.exploiter is not None:
            found |= self.exploiter.like(arrays)
        for table in self.tables:
            found |= table.like(arrays)
        return found

    def put(self, header: dict[str, Any], arrays: dict[str, Any]) -> None:
        """Be as what was kept."""
        self.update, self.chunks = header["update"], header["chunks"]
        self.spent, self.taught = header["spent"], header["taught"]
        self.learner.decisions = header["decisions"]
        self.lesson_decisions = header.get("lesson_decisions", 0)
        self.clock.seconds = dict(header["seconds"])
        self.learner.rng.bit_generator.state = header["rng"]
        self.network.put_weights(part_of(arrays, "weights/"))
        checkpoint.put_optimizer(self.learner.optimizer, part_of(arrays, "adam/"))
        for table in self.tables:
            table.put(header, arrays)
        if isinstance(self.learner, ExpertIteration):
            self.learner.put_state(part_of(arrays, "replay/"))
        if self.exploiter is not None:
            self.exploiter.put(header, arrays)
        torch.set_rng_state(torch.from_numpy(arrays["torch_rng"]))
        if self.lessons is not None:
            self.lessons.rng.bit_generator.state = header["lessons"]
            self.lessons.put_state(part_of(arrays, "lessons/"))
            checkpoint.put_optimizer(self.cloner.optimizer, part_of(arrays, "cloner/"))
            self.cloner.generator.set_state(torch.from_numpy(arrays["cloner_rng"]))


def command() -> str:
    """The command line of this process, as one would type it."""
    program, *given = sys.argv or ["python"]
    return shlex.join([Path(program).name, *given])


def milestone(minutes: float) -> str:
    """The name of a model that is kept."""
    return MILESTONES.replace("*", f"{minutes:g}")


@contextmanager
def stopping() -> Iterator[list[int]]:
    """A list that fills when Ctrl-C or a `kill` asks to stop; the second time it is an interrupt as usual."""
    asked: list[int] = []
    old = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def ask(number: int, frame: Any) -> None:
        if asked:
            raise KeyboardInterrupt
        asked.append(number)
        print("finishing the update; once more to stop at once", flush=True)

    for number in old:
        signal.signal(number, ask)
    try:
        yield asked
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)


def same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Are two sets of arrays equal to the last bit?"""
    return one.keys() == other.keys() and all(
        np.array_equal(held, other[name], equal_nan=held.dtype.kind == "f") for name, held in one.items()
    )
