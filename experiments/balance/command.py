"""What `genesia balance` does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from experiments.balance.arms import Condition, check_fields
from experiments.balance.pages_difference import make_difference_report
from experiments.balance.run import (
    Arms,
    checked_parts,
    conditions_of,
    is_complete,
    make_report,
    merge_runs,
    plan,
    play_all,
)
from experiments.balance.settings import read_setting
from experiments.matches.entrant import parse_entrants
from experiments.matches.progress import play_series
from experiments.report.page import Report
from experiments.shards.job import description
from experiments.shards.run import parse_part
from experiments.shards.store import open_store
from genesia_rl.contract import MAX_SEATS
from genesia_rl.errors import ConfigError


class Study(NamedTuple):
    """The command line, checked."""

    arms: Arms
    parts: tuple[str, ...]
    fields: dict[str, Any]
    out: Path

    @property
    def games(self) -> int:
        """All games."""
        return sum(series.games for by_arm in self.arms.values() for series in by_arm.values())


def study(
    policy: str, players: str, games: str, parts: str, seed: int, out: str | None, fields: dict[str, Any]
) -> Study:
    """All games that are to be played; all that can be wrong is found here."""
    policies = [entrant.name for entrant in parse_entrants(policy)]
    if restricted := [name for name in policies if "!" in name]:
        raise ConfigError(f"policy {restricted[0]!r}, allowed are agents that go without nothing")
    check_fields(fields, "config")
    numbers = _numbers("players", players, 2, MAX_SEATS)
    if other := [n for n in numbers if fields.get("players", n) != n]:
        raise ConfigError(f"config: players = {fields['players']}, --players {other[0]}, allowed is the same")
    chosen = checked_parts(parts)
    conditions = conditions_of(policies, numbers, _numbers("games", games, 10))
    arms = plan(conditions, chosen, seed, fields)
    for series in (series for by_arm in arms.values() for series in by_arm.values()):
        series.game(0)
    return Study(arms, chosen, fields, Path(out) if out is not None else _folder(conditions, seed, fields))


def _numbers(name: str, text: str, low: int, high: int | None = None) -> list[int]:
    """Numbers between commas."""
    found = []
    for part in text.split(","):
        number = int(part) if part.strip().isdecimal() else -1
        if number < low or (high is not None and number > high):
            raise ConfigError(
                f"{name} = {text!r}, allowed are numbers {low}..{'' if high is None else high} between commas"
            )
        found.append(number)
    return found


def _folder(conditions: list[Condition], seed: int, fields: dict[str, Any]) -> Path:
    """A folder that the same command finds again."""
    return Path("runs") / f"balance-{_digest([conditions, seed, fields])}"


def _digest(told: Any) -> str:
    """A short name for something that JSON can tell."""
    text = json.dumps(told, sort_keys=True)
    return hashlib.blake2b(text.encode(), digest_size=4).hexdigest()


def play(study: Study, on_games: Callable[[int], None], part: str | None, **how: Any) -> bool:
    """Play what is not there yet; is everything there now?"""
    play_all(study.arms, study.out, on_games, part=None if part is None else parse_part(part), **how)
    return is_complete(study.arms, study.out)


def report(study: Study, facts: Mapping[str, Any]) -> Report:
    """The page over finished games."""
    return make_report(study.arms, study.out, study.parts, facts, study.fields)


def merged(folders: list[Path], out: Path) -> None:
    """Parts as one."""
    merge_runs(folders, out)


def difference(
    a: str,
    b: str,
    games: int,
    seed: int,
    out: str | None,
    facts: Mapping[str, Any],
    on_games: Callable[[int], None],
    **how: Any,
) -> tuple[Report, Path]:
    """Play both configurations on the same deals and compare."""
    settings = [read_setting(path) for path in (a, b)]
    if settings[0].players != settings[1].players:
        numbers = [setting.players for setting in settings]
        raise ConfigError(f"players = {numbers[0]} in {a}, {numbers[1]} in {b}, allowed is the same number")
    both = [setting.series(games, seed) for setting in settings]
    name = _digest([description(series)["digest"] for series in both])
    folder = Path(out) if out is not None else Path("runs") / f"diff-{name}"
    for series in both:  # all that can be wrong with either is found before anything is played
        _ = series.games
        series.warm_up()
    for name, series in zip("ab", both, strict=True):
        play_series(series, folder / name, on_games, **how)
    stores = open_store(folder / "a"), open_store(folder / "b")
    about = {**facts, "A": a, "B": b, "seed": seed, "games": f"{games:,} under each"}
    return make_difference_report(settings, stores, folder, about), folder
