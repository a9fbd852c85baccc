"""Several configurations of a game on the same deals, and how far each is from the goals.

A trial is one job: each of its shards plays a part of the deals of every policy and arm under every configuration,
so that a difference between configurations is one of the same deals. Shards are what errors of differences
are made of.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import special

from genesia_rl.core.lab import Lab, lab_of
from genesia_rl.lab.arms import Condition, series_of
from genesia_rl.lab.figures import Figures
from genesia_rl.lab.goals import Goal, Question, column, things_of
from genesia_rl.lab.numbers import Subject
from genesia_rl.matches.games import Games
from genesia_rl.matches.series import Series
from genesia_rl.shards.job import PATHS, Table, decisive
from genesia_rl.shards.run import run_job
from genesia_rl.shards.store import JOB, Store, open_store

Array = npt.NDArray[Any]
SHARDS = 16
CELLS = 100  # of what varies, in one trial
SERIES = "series"
SHARE_GAMES = 0.5  # of the games where nothing but shares is asked for, which fewer games tell
#: Who plays how many games of which configuration.
Plan = list[tuple[Condition, str, int]]


@dataclass(frozen=True)
class Trial:
    """The series of a trial, all cut into the same number of shards."""

    series: tuple[Series, ...]

    @property
    def num_shards(self) -> int:
        """Parts that are played one by one."""
        return SHARDS

    def settings(self) -> dict[str, Any]:
        """Those of all series."""
        held = [series.settings() for series in self.series]
        return {"series": [decisive(one) for one in held], PATHS: [one[PATHS] for one in held]}

    def run(self, shard: int) -> dict[str, Table]:
        """A part of every series: a table for each number of players, whose rows say which series they are of."""
        held: dict[str, list[Table]] = {}
        for k, series in enumerate(self.series):
            games = series.run(shard)["games"]
            games[SERIES] = np.full(len(games["block"]), k, np.int32)
            held.setdefault(f"players{series.players}", []).append(games)
        return {
            name: {column: np.concatenate([part[column] for part in parts]) for column in parts[0]}
            for name, parts in held.items()
        }

    @property
    def games(self) -> int:
        """Games in all."""
        return sum(series.games for series in self.series)


class Measured:
    """The figures of one configuration: of each question an estimate, and what every shard has to say."""

    def __init__(self, questions: Sequence[Question], estimates: Sequence[Any], sums: Array) -> None:
        self.questions, self.estimates = tuple(questions), tuple(estimates)
        self.sums = sums  # [shard, question, (of the values, of the weights)]

    def missed(self) -> list[int]:
        """The questions whose whole interval is beyond the goal."""
        pairs = zip(self.questions, self.estimates, strict=True)
        return [k for k, (question, found) in enumerate(pairs) if question.is_missed(found)]

    def p(self) -> Array:
        """Of every question; nan of one that cannot be judged yet."""
        pairs = zip(self.questions, self.estimates, strict=True)
        return np.array([question.p(found) for question, found in pairs])

    def of(self, subject: Subject) -> list[int]:
        """The questions about a thing that can be judged."""
        pairs = zip(self.questions, self.estimates, strict=True)
        return [k for k, (q, found) in enumerate(pairs) if q.subject == subject and q.is_judged(found)]

    def excess(self, which: Sequence[int]) -> float:
        """How far some questions are beyond their goals, added up."""
        return float(self._beyond(self.sums.sum(axis=0), which))

    def without_each(self, which: Sequence[int]) -> Array:
        """The same without each of the shards."""
        left = self.sums.sum(axis=0) - self.sums
        return np.array([self._beyond(sums, which) for sums in left])

    def _beyond(self, sums: Array, which: Sequence[int]) -> float:
        total = 0.0
        for k in which:
            value, weight = sums[k]
            total += float(self.questions[k].beyond(value / weight)) if weight > 0 else 0.0
        return total


class Fall(NamedTuple):
    """By how much an excess falls from one configuration to another on the same deals."""

    before: float
    after: float
    se: float
    p: float  # how probable so great a fall is if there is none

    @property
    def by(self) -> float:
        """The fall."""
        return self.before - self.after


def fall(before: Measured, after: Measured, which: Sequence[int]) -> Fall:
    """Of some questions together; its error by leaving out each shard in turn."""
    parts = before.without_each(which) - after.without_each(which)
    n = len(parts)
    se = float(np.sqrt((n - 1) / n * ((parts - parts.mean()) ** 2).sum()))
    return _fall(before.excess(which), after.excess(which), se, n - 1)


def pooled(falls: Sequence[Fall]) -> Fall:
    """What several independent sets of deals say of one change together."""
    n = len(falls)
    before, after = sum(one.before for one in falls) / n, sum(one.after for one in falls) / n
    return _fall(before, after, math.sqrt(sum(one.se**2 for one in falls)) / n, (SHARDS - 1) * n)


def _fall(before: float, after: float, se: float, freedom: int) -> Fall:
    """One tail of Student's distribution."""
    by = before - after
    return Fall(before, after, se, float(special.stdtr(freedom, -by / se)) if se > 0 else float(by <= 0))


# ---------------------------------------------------------------- playing


def series_for(game: str, plan: Plan, seed: int, fields: Mapping[str, Any], data: str) -> list[Series]:
    """What is played of one configuration."""
    return [_series(game, *part, seed, {**fields, "data": data}) for part in plan]


def _series(
    game: str, level: Condition, arm: str, games: int, seed: int, fields: Mapping[str, Any]
) -> Series:
    """One arm in shards of one size; of what varies every shard has its part."""
    made = series_of(game, arm, level._replace(games=max(20, games)), seed, fields)
    each = max(1, -(-games // SHARDS))
    varied = min(made.varied, CELLS, each * SHARDS)
    return replace(made, blocks=each * SHARDS, shard_blocks=each, varied=varied, mixed=True)


def plan_of(goals: Sequence[Goal], levels: Sequence[Condition], often: float = 1.0) -> Plan:
    """The games that the goals need, at every level."""
    arms: dict[str, float] = {}
    for goal in goals:
        arms[goal.arm] = max(arms.get(goal.arm, 0.0), SHARE_GAMES if goal.is_share else 1.0)
    return [(level, arm, round(level.games * part * often)) for level in levels for arm, part in arms.items()]


def play_trial(trial: Trial, folder: Path, on_games: Callable[[int], None], **how: Any) -> Store:
    """Play what the folder lacks."""
    a_shard = trial.games // trial.num_shards
    if (folder / JOB).exists():
        on_games(a_shard * len(open_store(folder).done()))
    return run_job(trial, folder, on_shard=lambda shard: on_games(a_shard), **how)


# ---------------------------------------------------------------- counting


class Counted:
    """One goal in the games of its arm."""

    def __init__(self, goal: Goal, lab: Lab, fields: Mapping[str, Any]) -> None:
        self.goal, self.lab = goal, lab
        self.numbers = [number for number, _ in things_of(goal, lab, fields)]
        self.figures = Figures(len(self.numbers), shares=goal.is_share)
        self.sums = np.zeros((SHARDS, len(self.numbers), 2))

    def add(self, games: Games, shard: int) -> None:
        """The games of a shard."""
        values, counted = (part[:, self.numbers] for part in column(self.goal, self.lab, games))
        self.figures.add(games, values, counted)
        self.sums[shard, :, 0] += np.where(counted > 0, values, 0.0).sum(axis=0)
        self.sums[shard, :, 1] += counted.sum(axis=0)


def measured(
    game: str, store: Store, plan: Plan, goals: Sequence[Goal], questions: Sequence[Question],
    fields: Mapping[str, Any], configurations: int,
) -> list[Measured]:  # fmt: skip
    """The figures of every configuration of a finished trial."""
    lab, levels = lab_of(game), dict.fromkeys(level for level, _, _ in plan)
    held = [
        {
            level: [Counted(goal, lab, {**fields, "players": level.players}) for goal in goals]
            for level in levels
        }
        for _ in range(configurations)
    ]
    for shard, k, games in _all_games(store, lab):
        place, part = divmod(k, len(plan))
        level, arm, _ = plan[part]
        for counted in held[place][level]:
            if counted.goal.arm == arm:
                counted.add(games, shard)
    return [_together([one for level in levels for one in by_level[level]], questions) for by_level in held]


def _all_games(store: Store, lab: Lab) -> Iterator[tuple[int, int, Games]]:
    """The games of every shard and series."""
    for name in store.names:
        for shard, table in enumerate(store.iter(name)):
            for k in np.unique(table[SERIES]).tolist():
                rows = table[SERIES] == k
                yield shard, k, Games({column: values[rows] for column, values in table.items()}, lab)


def _together(held: Sequence[Counted], questions: Sequence[Question]) -> Measured:
    """The figures of all goals at all levels, in the order of the questions."""
    estimates = [estimate for one in held for estimate in one.figures.row()]
    return Measured(questions, estimates, np.concatenate([one.sums for one in held], axis=1))
