"""Play what the questions need, gather it, and write the report.

DIR/2p-greedy/natural/    the games of an arm (shards)
DIR/report.html           the report, its tables as Parquet in DIR/tables/
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.lab import lab_of
from genesia_rl.core.registry import game_info
from genesia_rl.lab.arms import Condition, arms_of, parts_of, series_of
from genesia_rl.lab.gather import Found, gather
from genesia_rl.lab.pages_answer import answer
from genesia_rl.lab.pages_first import first_section
from genesia_rl.lab.pages_items import items_sections
from genesia_rl.lab.pages_offers import offers_sections
from genesia_rl.lab.pages_skill import restricted_section, skill_section
from genesia_rl.lab.pages_varied import varied_section
from genesia_rl.matches.progress import play_series
from genesia_rl.matches.series import Series
from genesia_rl.report.page import Report
from genesia_rl.shards.merge import merge
from genesia_rl.shards.store import Store, open_store

Arms = dict[Condition, dict[str, Series]]


def conditions_of(policies: Sequence[str], players: Sequence[int], games: Sequence[int]) -> list[Condition]:
    """Every policy with every number of players; games are one number, or one for each policy."""
    if len(games) not in (1, len(policies)):
        raise ConfigError(
            f"games = {list(games)}: {len(games)} numbers, allowed is 1 or {len(policies)}, one a policy"
        )
    each = list(games) * len(policies) if len(games) == 1 else games
    return [
        Condition(policy, n, number) for n in players for policy, number in zip(policies, each, strict=True)
    ]


def checked_parts(text: str | None, game: str) -> tuple[str, ...]:
    """The parts of the report, between commas; without any, all that the game has."""
    known = tuple(parts_of(lab_of(game)))
    found = known if text is None else tuple(part.strip() for part in text.split(","))
    for part in found:
        if part not in known:
            raise ConfigError(f"part {part!r}: unknown, allowed are {', '.join(known)}")
    return tuple(part for part in known if part in found)


def plan(
    game: str, conditions: Sequence[Condition], parts: tuple[str, ...], seed: int, fields: Mapping[str, Any]
) -> Arms:
    """All series of games."""
    arms = arms_of(lab_of(game), parts, fields)
    return {c: {arm: series_of(game, arm, c, seed, fields) for arm in arms} for c in conditions}


def folder_of(out: Path, condition: Condition, arm: str) -> Path:
    """Where the games of an arm are kept."""
    return out / condition.folder / arm


def play_all(arms: Arms, out: Path, on_games: Callable[[int], None], **how: Any) -> None:
    """Play all games that are not there yet; `how` is handed to `run_job`."""
    for condition, by_arm in arms.items():
        for arm, series in by_arm.items():
            play_series(series, folder_of(out, condition, arm), on_games, **how)


def stores_of(arms: Arms, out: Path) -> dict[Condition, dict[str, tuple[Series, Store]]]:
    """The finished games."""
    return {
        condition: {
            arm: (series, open_store(folder_of(out, condition, arm))) for arm, series in by_arm.items()
        }
        for condition, by_arm in arms.items()
    }


def is_complete(arms: Arms, out: Path) -> bool:
    """Are all games there? Not after a `--shard`."""
    return all(store.is_complete for by_arm in stores_of(arms, out).values() for _, store in by_arm.values())


def merge_runs(folders: Sequence[Path], out: Path) -> None:
    """Runs of `--shard i/n` as one: arm by arm."""
    arms = sorted({job.parent.relative_to(f) for f in folders for job in f.glob("*/*/job.json")})
    if not arms:
        names = ", ".join(map(str, folders))
        raise ConfigError(f"{names}: no games, allowed are folders written by genesia balance --shard")
    for arm in arms:
        merge([f / arm for f in folders if (f / arm).exists()], out / arm)


def make_report(
    game: str,
    arms: Arms,
    out: Path,
    parts: tuple[str, ...],
    facts: Mapping[str, Any],
    fields: Mapping[str, Any],
) -> Report:
    """Gather all figures and write the page."""
    lab = lab_of(game)
    found = {c: gather(c, held, parts, lab) for c, held in stores_of(arms, out).items()}
    report = Report(
        f"{game_info(game).title}: balance", "Is the game fair, to whom, and at which level of skill?"
    )
    report.facts({**facts, "games": f"{sum(sum(f.games.values()) for f in found.values()):,}"})
    report.text(
        "Every figure has its 95 % interval and the number of games behind it. Games of one deal are one "
        "block; blocks are "
        "what intervals are made of."
    )
    _games_table(report, found)
    first_section(report, found, lab, fields)
    varied_section(report, found, lab)
    examined = items_sections(report, found, lab, fields)
    offers_sections(report, found, lab, fields)
    restricted_section(report, found, lab)
    skill_section(report, found, lab)
    report.answer(*answer(found, examined, lab))
    report.save(out)
    return report


def _games_table(report: Report, found: dict[Condition, Found]) -> None:
    rows = [(c.players, c.policy, arm, number) for c, f in found.items() for arm, number in f.games.items()]
    names = ("players", "policy", "arm", "games")
    report.table(
        "games", {name: [row[k] for row in rows] for k, name in enumerate(names)}, "What was played."
    )
