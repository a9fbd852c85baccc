"""What `genesia arena` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from experiments.arena.duel import Answer
from experiments.arena.duel import duel as run_duel
from experiments.arena.league import make_league
from experiments.arena.ratings import checked_covariates, require_lots
from experiments.arena.report import make_report
from experiments.matches.entrant import parse_entrants
from experiments.matches.progress import play_series
from experiments.matches.series import Series, series_of
from experiments.report.page import Report
from experiments.shards.job import description
from experiments.shards.merge import merge
from experiments.shards.run import parse_part
from experiments.shards.store import open_store
from experiments.stats.sequential import Sequential

MOST_LOTS = 1000


class Options(NamedTuple):
    """The command line."""

    agents: str
    games: int
    seed: int
    out: str | None
    form: str
    all_lots: bool
    covariates: str | None
    fields: dict[str, Any]
    mixed: bool = False  # a duel sees the first games only


def prepared(options: Options) -> tuple[Series, Path]:
    """The games to play, and where they are kept; all that can be wrong is found here."""
    covariates = checked_covariates(options.covariates)
    series = make_league(
        parse_entrants(options.agents), options.games, options.seed, options.form, options.fields,
        MOST_LOTS if options.all_lots else 0, options.mixed,
    )  # fmt: skip
    require_lots(series, covariates)
    return series, folder_of(options.out, "arena", series)


def folder_of(out: str | None, name: str, series: Series) -> Path:
    """The folder that was asked for, or one that the same command finds again."""
    return Path(out) if out is not None else Path("runs") / f"{name}-{description(series)['digest'][:8]}"


def play(series: Series, folder: Path, on_games: Callable[[int], None], part: str | None, **how: Any) -> bool:
    """Play what is not there yet; is everything there now?"""
    parsed = None if part is None else parse_part(part)
    return play_series(series, folder, on_games, part=parsed, **how).is_complete


def report(series: Series, folder: Path, facts: Mapping[str, Any], covariates: str | None) -> Report:
    """The page over finished games."""
    about = {**facts, "agents": [entrant.name for entrant in series.entrants], "seed": series.seed,
             "players": series.players}  # fmt: skip
    return make_report(series, open_store(folder), about, checked_covariates(covariates))


def merged(folders: list[Path], out: Path, covariates: str | None) -> Report:
    """Parts as one, and their report."""
    checked_covariates(covariates)
    store = merge(folders, out)
    return report(series_of(store.settings), out, {"parts": [str(folder) for folder in folders]}, covariates)


def duel(
    series: Series,
    folder: Path,
    by: float,
    alpha: float,
    beta: float,
    on_games: Callable[[int], None],
    **how: Any,
) -> Answer:
    """A sequential test."""
    seen = 0

    def look(test: Sequential) -> None:
        nonlocal seen
        now = series.games * test.blocks // series.blocks
        on_games(now - seen)
        seen = now

    return run_duel(series, folder, by, alpha, beta, look, **how)


def answer_text(series: Series, answer: Answer, by: float, alpha: float, beta: float) -> str:
    """The answer in words."""
    one, other = (entrant.name for entrant in series.entrants)
    share = f"{100 * answer.share:.1f} % ({100 * answer.low:.1f} .. {100 * answer.high:.1f})"
    much = f"{100 * by:.1f} points of first places"
    ratio = f"log-likelihood ratio {answer.llr:+.2f}"
    seen = f"first in {share} of {answer.games:,} games, {answer.blocks:,} deals"
    if answer.state == "undecided":
        low, high = answer.bounds
        return (
            f"undecided: the games ran out before it was known whether {one} is better than {other}, or not "
            f"by {much}; {seen}; {ratio}, an answer needs {low:+.2f} or less, or {high:+.2f} or more"
        )
    if answer.state == "better":
        said = f"{one} is better than {other} (of an equal one this is said with {100 * alpha:.1f} %)"
    else:
        said = f"{one} is not better than {other} by {much} (of one that is, with {100 * beta:.1f} %)"
    return (
        f"{said}: {seen} of at most {series.blocks:,}; {ratio} (the share and its interval describe these "
        "games and take no account of when the test stopped)"
    )
