"""What `genesia balance tune` does: from the command line to a search, a report and a data folder.

DIR/report.html    the report, its tables as Parquet in DIR/tables/
DIR/data/          the data folder that is proposed; not there if nothing is
DIR/tried/         the data folders that were tried
DIR/games/         the games of every trial (shards): the same command goes on where it was stopped
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.lab import lab_of
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.lab.arms import Condition, require_alone
from genesia_rl.lab.command import numbers_between
from genesia_rl.lab.goals import Goal, Question, goals_of, questions_of
from genesia_rl.lab.numbers import Numbers, Values, check_sets
from genesia_rl.lab.pages_tune import make_tune_report
from genesia_rl.lab.run import conditions_of
from genesia_rl.lab.settings import default_policy
from genesia_rl.lab.trial import Trial, measured, plan_of, play_trial, series_for
from genesia_rl.lab.tune import Plan, Tuned, tune
from genesia_rl.matches.entrant import parse_entrants
from genesia_rl.report.page import Report
from genesia_rl.shards.job import description

DATA, TRIED, GAMES = "data", "tried", "games"


class Task(NamedTuple):
    """The command line, checked."""

    game: str
    numbers: Numbers
    levels: tuple[Condition, ...]
    goals: tuple[Goal, ...]
    questions: tuple[Question, ...]
    plan: Plan
    seed: int
    fields: dict[str, Any]
    out: Path

    @property
    def most_games(self) -> int:
        """As many as may be played at most."""
        once = sum(games for _, _, games in plan_of(self.goals, self.levels))
        apart = sum(goal.set == "game" for goal in self.goals)
        each = 1 + self.plan.tries * (1 + apart)
        return round(once * (1 + each * (self.plan.rounds + self.plan.back) + 2 * self.plan.verdict))


def task(
    game: str, policy: str | None, players: str | None, games: str, goals: str | None, lines: Sequence[str],
    plan: Plan, seed: int, out: str | None, fields: dict[str, Any],
) -> Task:  # fmt: skip
    """All that can be wrong is found here."""
    numbers = Numbers(game, fields.get("data"))
    check_sets(numbers)
    lab, (least, most) = lab_of(game), game_info(game).players
    agents = parse_entrants(policy or default_policy(game), game)
    if restricted := [agent.name for agent in agents if agent.without]:
        raise ConfigError(f"policy {restricted[0]!r}, allowed are agents that go without nothing")
    tables = numbers_between("players", players or str(fields.get("players", least)), least, most)
    for n in tables:
        require_alone(make_game(game, **{**fields, "players": n}), "config")
    levels = tuple(
        conditions_of([agent.name for agent in agents], tables, numbers_between("games", games, 10))
    )
    wanted = goals_of(lab, fields, goals, lines)
    folder = Path(out) if out is not None else _folder(game, levels, wanted, plan, seed, fields)
    questions = questions_of(wanted, levels, lab, fields)
    return Task(game, numbers, levels, wanted, questions, plan, seed, fields, folder)


def _folder(game: str, *told: Any) -> Path:
    """A folder that the same command finds again."""
    return Path("runs") / f"tune-{_digest([game, *told])}"


def _digest(told: Any) -> str:
    """A short name for something that can be told."""
    return hashlib.blake2b(json.dumps(told, sort_keys=True).encode(), digest_size=6).hexdigest()


def run(task: Task, on_games: Callable[[int], None], warm_up: Callable[[Any], None], **how: Any) -> Tuned:
    """Search; write the data folder if a change is proposed, and take away one that no longer is."""
    player = Player(task, on_games, warm_up, how)
    found = tune(task.numbers.all, player, task.plan, player.allows)
    goal = task.out / DATA
    if goal.exists():
        shutil.rmtree(goal)
    if found.stands:
        task.numbers.write(goal, found.values)
    return found


class Player:
    """Plays configurations and counts: what the search asks."""

    def __init__(
        self,
        task: Task,
        on_games: Callable[[int], None],
        warm_up: Callable[[Any], None],
        how: Mapping[str, Any],
    ) -> None:
        self.task, self.on_games, self.warm_up, self.how = task, on_games, warm_up, how
        self._allowed: dict[Values, bool] = {}
        self._written: dict[Values, str] = {}

    def __call__(self, deals: str, configurations: Sequence[Values], often: float) -> list[Any]:
        """The figures of some configurations on the same deals."""
        task = self.task
        plan = plan_of(task.goals, task.levels, often)
        seed = _seed(task.seed, deals)
        folders = [self._data(values) for values in configurations]
        series = [one for data in folders for one in series_for(task.game, plan, seed, task.fields, data)]
        for one in series[: len(plan)]:
            self.warm_up(one)
        trial = Trial(tuple(series))
        folder = task.out / GAMES / f"{deals}-{description(trial)['digest'][:8]}"
        store = play_trial(trial, folder, self.on_games, **self.how)
        return measured(
            task.game, store, plan, task.goals, task.questions, task.fields, len(configurations)
        )  # fmt: skip

    def allows(self, values: Values) -> bool:
        """Does the game take these values, with every number of players?"""
        if values not in self._allowed:
            self._allowed[values] = self._takes(self._data(values))
        return self._allowed[values]

    def _takes(self, data: str) -> bool:
        tables = {level.players for level in self.task.levels}
        try:
            for players in tables:
                make_game(self.task.game, **{**self.task.fields, "players": players, "data": data})
        except GenesiaError:
            return False
        return True

    def _data(self, values: Values) -> str:
        """A folder with these values, written once."""
        if values not in self._written:
            folder = self.task.out / TRIED / _digest(values)
            self._written[values] = self.task.numbers.write(folder, values)
        return self._written[values]


def _seed(seed: int, deals: str) -> int:
    """Other deals for every part of the search."""
    told = hashlib.blake2b(f"{seed}:{deals}".encode(), digest_size=8).digest()
    return int.from_bytes(told, "big") >> 1


def report(task: Task, found: Tuned, facts: Mapping[str, Any]) -> Report:
    """The page over a finished search."""
    return make_tune_report(
        game_info(task.game).title, task.numbers, task.goals, task.plan, found, facts, task.out
    )
