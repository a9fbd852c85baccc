"""The report's sections on who plays: restricted play, and the same figures along the ladder of policies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from genesia_rl.core.lab import Lab
from genesia_rl.lab.arms import Condition
from genesia_rl.lab.figures import power_text, reach_text
from genesia_rl.lab.gather import Found
from genesia_rl.lab.skill import figures_of, spreads_of, traits_along
from genesia_rl.lab.tables import DIGITS, SHARE, All, P, Row, figure, label, palette_of, put, told
from genesia_rl.report.page import Report
from genesia_rl.report.plots import forest, grouped_bars
from genesia_rl.report.style import Palette
from genesia_rl.stats.estimate import Estimate


def restricted_section(report: Report, found: All, lab: Lab) -> None:
    """What is lost by going without."""
    shown = {c: f for c, f in found.items() if f.restricted}
    if not shown:
        return
    report.section(
        "Playing without",
        "One plays without something, the others with it; every deal from every seat. The policy is not "
        "told: it goes on as if it could, so this is what the thing is worth to it, and one that had learned "
        "to go without would lose less.",
    )
    report.facts({f"without {what}": without.meaning for what, without in lab.without.items()})
    rows = [
        {**told(c), "without": what, "even": 1 / c.players,
         **figure("won", r.won.get(0)),
         "p": r.won.get(0).p(1 / c.players), **figure("points ahead", r.points.get(0))}
        for c, f in shown.items() for what, r in f.restricted.items()
    ]  # fmt: skip
    codes = {"won": SHARE, "even": SHARE, "p": P, "points ahead": DIGITS}
    put(report, "without", rows, "Win share of who goes without, and points ahead of the others.", codes)
    names = [f"{r['players']}p {r['policy']}, no {r['without']}" for r in rows]
    drawn = forest(
        names, [r["won"] - r["even"] for r in rows], [r["won low"] - r["even"] for r in rows],
        [r["won high"] - r["even"] for r in rows], reference=0.0, xlabel="win share less the even share", unit="pp",
        flags=[r["policy"] for r in rows], palette=palette_of(found), listed=False,
    )  # fmt: skip
    words = "What going without costs, in percentage points of win share."
    report.plot(
        drawn, words, f"{words} A line for each policy and restriction with its 95 % interval; 0 is no loss."
    )
    for c, f in shown.items():
        first = next(iter(f.restricted.values()))
        report.text(power_text(first.won.get(0), f"restricted play ({label(c)})"))
        ahead = {"points ahead": first.points.get(0)}
        report.text(f"Restricted play ({label(c)}). {reach_text(ahead)}")


# ---------------------------------------------------------------- skill


def skill_section(report: Report, found: All, lab: Lab) -> None:
    """The same figures along the ladder."""
    if len({c.policy for c in found}) < 2:
        return
    report.section(
        "Along the ladder",
        "The same figures for every policy, in the order in which they were given: balance depends on who "
        "plays.",
    )
    if rows := _along(found, figures_of, "figure", "value"):
        put(report, "ladder", rows, "Win shares.", {"value": SHARE})
    if rows := _along(found, traits_along, "trait", "value"):
        put(report, "ladder_traits", rows, "The games.", {"value": DIGITS})
    if rows := _along(found, spreads_of, "figure", "spread"):
        put(report, "ladder_spreads", rows, _spread_words(lab), {"spread": SHARE})
    for c, f in found.items():
        if known := figures_of(f):
            name, one = next(iter(known.items()))
            report.text(power_text(one, f"{name} ({label(c)})"))
        if held := traits_along(f):
            report.text(f"{label(c)}. {reach_text(held)}")
    for players in sorted({c.players for c in found}):
        alike = {c: figures_of(f) for c, f in found.items() if c.players == players}
        _plot_ladder(report, alike, players, palette_of(found))


def _along(found: All, read: Callable[[Found], Mapping[str, Estimate]], what: str, value: str) -> list[Row]:
    """A row for each figure and policy; the policies of a figure stand together."""
    rows: list[Row] = [
        {"players": c.players, what: name, "policy": c.policy, **figure(value, e)}
        for c, f in found.items()
        for name, e in read(f).items()
    ]
    return sorted(rows, key=lambda row: (row["players"], row[what]))


def _spread_words(lab: Lab) -> str:
    names = [offers.name for offers in lab.offers]
    names += [] if lab.variation is None else [lab.variation.name]
    return (
        f"How unlike one another {' and '.join(names)} are: the standard deviation of win shares without what "
        "chance adds. An interval that begins at 0 is no more than chance may do: its other end is what "
        "these games would have shown."
    )


def _plot_ladder(
    report: Report, held: dict[Condition, dict[str, Estimate]], players: int, palette: Palette
) -> None:
    names = list(dict.fromkeys(name for figures in held.values() for name in figures))
    if not names:
        return
    series = {}
    for c, figures in held.items():
        known = [figures.get(name) for name in names]
        series[c.policy] = tuple(
            [None if e is None else getattr(e, part) for e in known] for part in ("value", "low", "high")
        )
    even: Any = {"reference": 1 / players, "reference_label": "even"}
    drawn = grouped_bars(names, series, "win share", palette=palette, **even)  # type: ignore[arg-type]
    words = f"{players} players: win shares along the ladder."
    report.plot(drawn, words, f"{words} Bars for each figure and policy with 95 % intervals.")
