"""The report's sections on things that are dealt by chance and kept by choice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from genesia_rl.core.lab import Item, Lab, OfferSet
from genesia_rl.lab.arms import Condition
from genesia_rl.lab.figures import power_text
from genesia_rl.lab.offers import Offers
from genesia_rl.lab.tables import CHANGE, DIGITS, All, Row, figure, label, put, told
from genesia_rl.report.page import Report
from genesia_rl.report.plots import forest

CODES = {
    "dealt: won": CHANGE, "dealt: points": DIGITS, "keeps": ".0%", "kept: won": CHANGE,
    "kept: points": DIGITS,
}  # fmt: skip
PLAIN_WORDS = (
    "Dealt: the win share of who is dealt something, less the even share, and the points that it brings in, none if "
    "it is not kept; who is dealt what is chance. Kept: of those who kept it, by choice."
)


def offers_sections(report: Report, found: All, lab: Lab, fields: Mapping[str, Any]) -> None:
    """What things are worth when dealt and when kept: a section for each set."""
    for offers in lab.offers:
        shown = {c: f.offers[offers.name] for c, f in found.items() if offers.name in f.offers}
        if shown:
            about = lab.about.get(offers.name, PLAIN_WORDS)
            _section(report, shown, offers, about, offers.load(fields))


def _section(
    report: Report, shown: dict[Condition, Offers], offers: OfferSet, about: str, named: Mapping[int, Item]
) -> None:
    report.section(offers.name.capitalize(), about)
    rows = {c: list(_rows(c, o, named)) for c, o in shown.items()}
    every = [row for held in rows.values() for row in held]
    put(report, offers.name, every, f"All {offers.name}.", CODES, show=24)
    for c, mine in rows.items():
        drawn = forest(
            [f"{r['number']} {r[offers.one]}" for r in mine], [r["dealt: won"] for r in mine],
            [r["dealt: won low"] for r in mine], [r["dealt: won high"] for r in mine], reference=0.0,
            xlabel="win share less the even share", unit="pp",
        )  # fmt: skip
        words = f"{label(c)}: what it does to be dealt each of the {offers.name}."
        report.plot(drawn, words, f"{words} A line for each with its 95 % interval.")
        if mine:
            won = shown[c].won_dealt.get(mine[0]["number"])
            report.text(power_text(won, f"one {offers.one} ({label(c)})"))


def _rows(c: Condition, o: Offers, named: Mapping[int, Item]) -> Iterable[Row]:
    for number in o.numbers:
        if number in named and o.won_dealt.get(number).games:
            item = named[number]
            yield {
                **told(c), "number": number, o.offers.one: item.name, **item.cells,
                **figure("dealt: won", o.won_dealt.get(number)),
                **figure("dealt: points", o.points_dealt.get(number)),
                **figure("keeps", o.keeps.get(number)), **figure("kept: won", o.won_kept.get(number)),
                **figure("kept: points", o.points.get(number)),
            }  # fmt: skip
