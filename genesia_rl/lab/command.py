"""What `genesia balance` does."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.reading import shown
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.lab.arms import Condition, folder_name, require_alone
from genesia_rl.lab.pages_difference import compared, make_difference_report
from genesia_rl.lab.run import (
    Arms,
    checked_parts,
    conditions_of,
    is_complete,
    make_report,
    merge_runs,
    plan,
    play_all,
)
from genesia_rl.lab.settings import default_policy, read_setting
from genesia_rl.matches.entrant import parse_entrants
from genesia_rl.matches.progress import play_series
from genesia_rl.report.page import Report
from genesia_rl.shards.job import description
from genesia_rl.shards.run import parse_part
from genesia_rl.shards.store import open_store

#: Games of a row: each is kept, and more say nothing that fewer do not say.
MOST = 10_000_000


class Study(NamedTuple):
    """The command line, checked."""

    game: str
    arms: Arms
    parts: tuple[str, ...]
    fields: dict[str, Any]
    out: Path

    @property
    def games(self) -> int:
        """All games."""
        return sum(series.games for by_arm in self.arms.values() for series in by_arm.values())


def study(
    game: str,
    policy: str | None,
    players: str | None,
    games: str,
    parts: str | None,
    seed: int,
    out: str | None,
    fields: dict[str, Any],
) -> Study:
    """All games that are to be played; all that can be wrong is found here."""
    policies = policies_of(policy or default_policy(game), game)
    least, most = game_info(game).players
    numbers = numbers_between("players", players or str(least), least, most)
    if other := [n for n in numbers if fields.get("players", n) != n]:
        raise ConfigError(f"config: players = {fields['players']}, --players {other[0]}, allowed is the same")
    for n in numbers:
        require_alone(make_game(game, **{**fields, "players": n}), "config")
    chosen = checked_parts(parts, game)
    conditions = conditions_of(policies, numbers, numbers_between("games", games, 10))
    arms = plan(game, conditions, chosen, seed, fields)
    folder = Path(out) if out is not None else _folder(game, conditions, seed, fields)
    return Study(game, arms, chosen, fields, folder)


def numbers_between(name: str, text: str, low: int, high: int = MOST) -> list[int]:
    """Numbers between commas."""
    found = []
    for part in text.split(","):
        number = int(part) if part.strip().isdecimal() and len(part) < 20 else -1
        if not low <= number <= high:
            raise ConfigError(f"{name} = {shown(text)}, allowed are numbers {low}..{high} between commas")
        found.append(number)
    return found


def _folder(game: str, conditions: list[Condition], seed: int, fields: dict[str, Any]) -> Path:
    """A folder that the same command finds again."""
    return Path("runs") / f"balance-{_digest([game, conditions, seed, fields])}"


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
    return make_report(study.game, study.arms, study.out, study.parts, facts, study.fields)


def merged(folders: list[Path], out: Path) -> None:
    """Parts as one."""
    merge_runs(folders, out)


def difference(
    game: str,
    a: str,
    b: str,
    policy: str | None,
    games: int,
    seed: int,
    out: str | None,
    facts: Mapping[str, Any],
    on_games: Callable[[int], None],
    **how: Any,
) -> tuple[Report, Path]:
    """Play both configurations on the same deals and compare: by the policies of the files, or by each of `policy`."""
    given = read_setting(a, game), read_setting(b, game)
    if given[0].players != given[1].players:
        numbers = [setting.players for setting in given]
        raise ConfigError(f"players = {numbers[0]} in {a}, {numbers[1]} in {b}, allowed is the same number")
    pairs = [given] if policy is None else [
        (given[0].played_by(code), given[1].played_by(code)) for code in policies_of(policy, game)
    ]  # fmt: skip
    both = [tuple(setting.series(games, seed) for setting in pair) for pair in pairs]
    name = _digest([description(series)["digest"] for pair in both for series in pair])
    folder = Path(out) if out is not None else Path("runs") / f"diff-{name}"
    for pair in both:  # all that can be wrong with any is found before anything is played
        for series in pair:
            _ = series.games
            series.warm_up()
    shown = []
    for settings, pair in zip(pairs, both, strict=True):
        where = folder if len(pairs) == 1 else folder / folder_name(settings[0].policy)
        for name, series in zip("ab", pair, strict=True):
            play_series(series, where / name, on_games, **how)
        shown.append(compared(settings, (open_store(where / "a"), open_store(where / "b"))))
    about = {**facts, "A": a, "B": b, "seed": seed, "games": f"{games:,} under each"}
    return make_difference_report(shown, folder, about), folder


def policies_of(text: str, game: str) -> list[str]:
    """Policies between commas, each once."""
    found = [entrant.name for entrant in parse_entrants(text, game)]
    if restricted := [name for name in found if "!" in name]:
        raise ConfigError(f"policy {restricted[0]!r}, allowed are agents that go without nothing")
    return found
