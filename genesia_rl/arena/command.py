"""What `genesia arena` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from genesia_rl.arena.duel import Answer
from genesia_rl.arena.duel import duel as run_duel
from genesia_rl.arena.league import make_league
from genesia_rl.arena.ratings import checked_covariates, varying
from genesia_rl.arena.report import make_report
from genesia_rl.core.plain import plain
from genesia_rl.matches.entrant import parse_entrants
from genesia_rl.matches.progress import continued, extend, play_series
from genesia_rl.matches.series import Series, series_of
from genesia_rl.report.page import Report
from genesia_rl.shards.job import description
from genesia_rl.shards.merge import merge
from genesia_rl.shards.run import parse_part
from genesia_rl.shards.store import open_store
from genesia_rl.stats.sequential import Sequential

#: At most so many configurations of what varies.
MOST_VARIED = 1000


class Options(NamedTuple):
    """The command line."""

    game: str
    agents: str
    games: int
    seed: int
    out: str | None
    form: str
    varied: bool
    covariates: str | None
    fields: dict[str, Any]
    mixed: bool = False  # a duel sees the first games only


def prepared(options: Options) -> tuple[Series, Path]:
    """The games to play, and where they are kept; all that can be wrong is found here."""
    covariates = checked_covariates(options.covariates, options.game)
    series = make_league(
        options.game, parse_entrants(options.agents, options.game), options.games, options.seed, options.form,
        options.fields, MOST_VARIED if options.varied else 0, options.mixed,
    )  # fmt: skip
    varying(series, covariates)
    folder = folder_of(options.out, "arena", series)
    return continued(series, folder), folder


def folder_of(out: str | None, name: str, series: Series) -> Path:
    """The folder that was asked for, or one that the same command finds again."""
    return Path(out) if out is not None else Path("runs") / f"{name}-{description(series)['digest'][:8]}"


def play(series: Series, folder: Path, on_games: Callable[[int], None], part: str | None, **how: Any) -> bool:
    """Play what is not there yet; is everything there now?"""
    parsed = None if part is None else parse_part(part)
    return play_series(series, folder, on_games, part=parsed, **how).is_complete


def report(series: Series, folder: Path, facts: Mapping[str, Any], covariates: str | None) -> Report:
    """The page over finished games."""
    about = {**facts, "game": series.game_name, "agents": [entrant.name for entrant in series.entrants],
             "seed": series.seed, "players": series.players}  # fmt: skip
    chosen = checked_covariates(covariates, series.game_name)
    return make_report(series, open_store(folder), about, chosen)


def merged(folders: list[Path], out: Path, facts: Mapping[str, Any], covariates: str | None) -> Report:
    """Parts as one, and their report."""
    if folders:
        checked_covariates(covariates, series_of(open_store(folders[0]).settings).game_name)
    store = merge(folders, out)
    told = {**facts, "parts": [str(folder) for folder in folders]}
    return report(series_of(store.settings), out, told, covariates)


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

    extend(series, folder)
    return run_duel(series, folder, by, alpha, beta, look, **how)


def answer_dict(series: Series, answer: Answer, by: float, alpha: float, beta: float) -> dict[str, Any]:
    """The answer for programs."""
    one, other = (entrant.name for entrant in series.entrants)
    low, high = answer.bounds
    told: dict[str, Any] = plain({
        "game": series.game_name, "players": series.players, "seed": series.seed, "agent": one, "against": other,
        "by": by, "alpha": alpha, "beta": beta, "answer": answer.state,
        "first": {"value": answer.share, "low": answer.low, "high": answer.high},
        "log_likelihood_ratio": answer.llr, "not_better_below": low, "better_above": high,
        "games": answer.games, "deals": answer.blocks, "most_games": answer.most_games,
        "words": answer_text(series, answer, by, alpha, beta),
    })  # fmt: skip
    return told


def answer_text(series: Series, answer: Answer, by: float, alpha: float, beta: float) -> str:
    """The answer in words."""
    one, other = (entrant.name for entrant in series.entrants)
    share = f"{100 * answer.share:.1f} % ({100 * answer.low:.1f} .. {100 * answer.high:.1f})"
    much = f"{100 * by:.1f} percentage points of first places"
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
