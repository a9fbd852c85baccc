"""The arena's page: ratings, who ends before whom, points, and what each entrant takes for a decision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from genesia_rl.arena.ratings import Rated, rate
from genesia_rl.arena.tally import RESULTS, Sides, Tally
from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.registry import game_info
from genesia_rl.matches.games import Games
from genesia_rl.matches.series import Series
from genesia_rl.report.page import Number, Report
from genesia_rl.report.plots import forest, grouped_bars, heatmap
from genesia_rl.report.style import Palette
from genesia_rl.shards.store import Store
from genesia_rl.stats.estimate import Estimate
from genesia_rl.stats.plackett_luce import ELO
from genesia_rl.stats.power import games_needed

DIGITS = {"first": ".1%", "rank": ".2f"}


def parts_of(series: Series, store: Store) -> Iterator[Sides]:
    """The games of a store by side, a shard at a time."""
    for table in store.iter("games"):
        yield Sides(Games(table, series.lab), series)


def make_report(
    series: Series, store: Store, facts: Mapping[str, Any], covariates: tuple[str, ...] = ()
) -> Report:
    """Gather everything; `report.html` and `tables/` are written beside the games."""
    tally, games = Tally(series), 0
    for sides in parts_of(series, store):
        tally.add(sides)
        games += len(sides.games)
    report = Report(
        f"{game_info(series.game_name).title}: arena", "Which agent is stronger, and how sure are we?"
    )
    rated = rate(series, parts_of(series, store), covariates) if rates(series) else None
    report.answer(*_answer(series, rated, tally, games))
    report.facts({**facts, "games": f"{games:,} in {series.blocks:,} blocks of one deal each"})
    report.text(
        "A block is one deal, played by the same agents in all seatings, or in a balanced part of them if "
        "there are many, so that neither the deal nor the seat favours anybody. Intervals are those of 95 %, "
        "taken over blocks."
    )
    palette = Palette([entrant.name for entrant in series.entrants])
    if rated is not None:
        _ratings_section(report, series, rated, tally, palette)
        _pairs_section(report, series, tally)
    _points_section(report, series, tally, palette)
    _time_section(report, series, store)
    report.save(store.folder)
    return report


def _answer(series: Series, rated: Rated | None, tally: Tally, games: int) -> tuple[list[str], list[Number]]:
    """Who is stronger, how sure that is, and from what; then every agent's share of first places."""
    names = [entrant.name for entrant in series.entrants]
    order = list(range(len(names)))
    said = [f"Everybody plays itself only, so nothing is said about who of {', '.join(names)} is stronger."]
    if rated is not None:
        elo = rated.ratings.elo()
        order.sort(key=lambda a: -elo[a].value)
        said = _who_is_ahead(order, names, rated, tally)
    said.append(
        f"{games:,} games, {series.players} players, {series.blocks:,} deals; every deal is played in all seatings, "
        "or in a balanced part of them. Intervals are those of 95 %."
    )
    return said, [_first_places(names[a], tally.figure(a, "first")) for a in order]


def _first_places(name: str, found: Estimate) -> Number:
    more = f"first places in {found.games:,} games"
    return Number(name, found.value, found.low, found.high, ".1%", more)


def _who_is_ahead(order: Sequence[int], names: Sequence[str], rated: Rated, tally: Tally) -> list[str]:
    """The strongest beside the next and the last."""
    best, second, last = order[0], order[1], order[-1]
    ahead = rated.ratings.win_probability(best, second)
    share = _share(ahead)
    sure = ahead.low > 0.5
    first = (
        f"{names[best]} is the strongest: it ends before {names[second]}, the next, with a chance of {share}."
        if sure
        else f"It is open who is the strongest: {names[best]} is ahead, but it ends before {names[second]}, the next, "
        f"with a chance of {share}, which may be an even one."
    )
    if last == second:
        return [first]
    found = tally.ahead(best, last)
    if not found.games:
        return [first, f"The weakest is {names[last]}."]
    return [
        first,
        f"The last of {len(order)} is {names[last]}: {names[best]} ended before it in {_share(found)} of their games.",
    ]


def _share(found: Estimate) -> str:
    """In words; where all games of a few blocks went alike an end may be unknown."""
    value = f"{100 * found.value:.0f} %"
    ends = (found.low, found.high)
    return f"{value} ({100 * ends[0]:.0f} .. {100 * ends[1]:.0f})" if np.isfinite(ends).all() else value


def rates(series: Series) -> bool:
    """Does anybody meet another?"""
    return any(len(set(lineup)) > 1 for lineup in series.lineups)


def _ratings_section(report: Report, series: Series, rated: Rated, tally: Tally, palette: Palette) -> None:
    """Elo, the worth behind it, and what covariates add."""
    ratings = rated.ratings
    report.section(
        "Ratings",
        "One fit of all games by the model of Plackett and Luce with ties, on the scale of Elo: who is 400 "
        "points ahead ends before a single opponent ten times as often as behind it. The mean of all is 0. "
        "Only differences within this report mean something.",
    )
    elo = ratings.elo()
    order = sorted(range(len(elo)), key=lambda a: -elo[a].value)
    names = [ratings.names[a] for a in order]
    held = [elo[a] for a in order]
    columns: dict[str, Any] = {"agent": names, "Elo": [e.value for e in held], "low": [e.low for e in held],
                               "high": [e.high for e in held]}  # fmt: skip
    next_best = [ratings.win_probability(a, b) for a, b in pairwise(order)]
    ends = {"before the next": "value", "before the next low": "low", "before the next high": "high"}
    columns |= {name: [*(getattr(e, end) for e in next_best), None] for name, end in ends.items()}
    columns["games"] = [tally.figure(a, "first").games for a in order]
    formats = {**dict.fromkeys(("Elo", "low", "high"), "+.0f"), **dict.fromkeys(ends, ".1%")}
    words = "Ratings, the probability to end before the next in the list, and the games of each."
    report.table("ratings", columns, words, formats)
    if apart := [name for name, e in zip(names, held, strict=True) if not np.isfinite([e.low, e.high]).all()]:
        report.note(
            f"{', '.join(apart)}: always behind, or always ahead of the others, so how far apart they are "
            "cannot be told from these games. The interval is open to that side; the number is a convention."
        )
    lows, highs = ([_finite(end) for end in ends] for ends in ([e.low for e in held], [e.high for e in held]))
    drawn = forest(
        names, [e.value for e in held], lows, highs, unit="Elo", digits=0, reference=0.0,
        flags=names, palette=palette, listed=False,
    )  # fmt: skip
    words = "Ratings with their 95 % intervals."
    report.plot(
        drawn, words, "A line for each agent, the strongest on top, with its rating in Elo and the interval."
    )
    if rated.covariates:
        effects = [_scaled(ratings.coefficient(k)) for k in range(len(rated.covariates))]
        report.table(
            "covariates",
            {"covariate": list(rated.covariates), "Elo": [e.value for e in effects],
             "low": [e.low for e in effects], "high": [e.high for e in effects],
             "games": [e.games for e in effects]},
            _what_is_relative(series),
            dict.fromkeys(("Elo", "low", "high"), "+.1f"),
        )  # fmt: skip


def _what_is_relative(series: Series) -> str:
    """What covariates are counted from."""
    words = "What covariates add to a rating; places are relative to their mean"
    variation = series.lab.variation if series.varied else None
    if variation is None:
        return f"{words}."
    return f"{words}, {variation.name} to those with {variation.parts[0]} and to the first agent."


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _scaled(found: Estimate) -> Estimate:
    value, low, high, se = (ELO * x for x in found[:4])
    return Estimate(value, low, high, se, found.blocks, found.games)


def _pairs_section(report: Report, series: Series, tally: Tally) -> None:
    """How often the row ends before the column."""
    names = [entrant.name for entrant in series.entrants]
    every = range(len(names))
    report.section(
        "Pairs", "How often one ends before the other in the games that both play, ties counting half."
    )
    rows = [(a, b, tally.ahead(a, b)) for a in every for b in every if a != b and tally.ahead(a, b).games]
    report.table(
        "pairs",
        {"agent": [names[a] for a, _, _ in rows], "against": [names[b] for _, b, _ in rows],
         "ahead": [e.value for *_, e in rows], "low": [e.low for *_, e in rows],
         "high": [e.high for *_, e in rows],
         "games": [e.games for *_, e in rows]},
        "How often an agent ends before another.",
        formats=dict.fromkeys(("ahead", "low", "high"), ".1%"), show=30,
    )  # fmt: skip
    matrix = [
        [None if a == b or not tally.ahead(a, b).games else tally.ahead(a, b).value for b in every]
        for a in every
    ]
    words = "How often the row ends before the column."
    report.plot(heatmap(matrix, names, names, centre=0.5, label="ahead"), words, words)
    try:
        needed = games_needed(rows[0][2])
        report.text(
            f"Power: to see a difference of one percentage point in how often {names[rows[0][0]]} ends before "
            f"{names[rows[0][1]]} (80 % of the time, at the 5 % level), {needed:,} games of the two are "
            f"needed; they have played {rows[0][2].games:,}."
        )
    except GenesiaError:
        report.text("Power: too few games to say how many are needed for one percentage point.")


def _points_section(report: Report, series: Series, tally: Tally, palette: Palette) -> None:
    """First places, ranks, points and, if they have some, their parts."""
    report.section(
        "Points",
        "Means over all games of an agent. First: its share of first places. Rank: 1 is the best. "
        "Lead: points ahead of the best other.",
    )
    _figures_table(report, "points", "First places, ranks and points.", series, tally, RESULTS)
    if not series.game.score_parts:
        return
    parts = series.game.score_parts
    _figures_table(report, "parts", "What the points are made of.", series, tally, parts)
    names = [entrant.name for entrant in series.entrants]
    bars = {
        name: tuple(
            [getattr(tally.figure(a, part), end) for part in parts] for end in ("value", "low", "high")
        )
        for a, name in enumerate(names)
    }
    drawn = grouped_bars(parts, bars, "mean", unit="points", palette=palette)  # type: ignore[arg-type]
    words = "For each part of the score a bar of each agent's mean, with 95 % intervals."
    report.plot(drawn, "The parts of the score.", words)


def _figures_table(
    report: Report, name: str, caption: str, series: Series, tally: Tally, figures: Sequence[str]
) -> None:
    """Some figures of every entrant with their intervals."""
    every = range(len(series.entrants))
    columns: dict[str, list[Any]] = {"agent": [entrant.name for entrant in series.entrants]}
    formats: dict[str, str] = {}
    for figure in figures:
        held = [tally.figure(a, figure) for a in every]
        columns |= {figure: [e.value for e in held], f"{figure} low": [e.low for e in held],
                    f"{figure} high": [e.high for e in held]}  # fmt: skip
        formats |= dict.fromkeys((figure, f"{figure} low", f"{figure} high"), DIGITS.get(figure, ".1f"))
    columns["games"] = [tally.figure(a, "first").games for a in every]
    report.table(name, columns, caption, formats)


def _time_section(report: Report, series: Series, store: Store) -> None:
    """What thinking takes; measured, so it differs from run to run."""
    decisions, seconds = np.zeros(len(series.entrants)), np.zeros(len(series.entrants))
    for table in store.iter("_times"):
        decisions += table["decisions"]
        seconds += table["seconds"]
    report.section(
        "Thinking time",
        "Time of the processor for the agents alone, many games side by side; it differs from run to run.",
    )
    report.table(
        "times",
        {"agent": [entrant.name for entrant in series.entrants], "decisions": decisions.astype(np.int64),
         "microseconds a decision": 1e6 * seconds / np.maximum(decisions, 1)},
        "Decisions that the agents were asked for, and how long one took.",
        formats={"microseconds a decision": ",.1f"},
    )  # fmt: skip
