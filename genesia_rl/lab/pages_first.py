"""The report's sections on the first player: places in the turn order, seats, the right to choose a place."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from genesia_rl.core.lab import Fields, Lab
from genesia_rl.lab.arms import Condition
from genesia_rl.lab.figures import power_text
from genesia_rl.lab.first import OUTCOMES, WON, FirstPlayer
from genesia_rl.lab.gather import Found
from genesia_rl.lab.tables import (
    DIGITS,
    SHARE,
    All,
    P,
    Row,
    figure,
    label,
    label_of,
    palette_of,
    put,
    told,
    trait_codes,
)
from genesia_rl.lab.traits import traits_of
from genesia_rl.report.page import Report
from genesia_rl.report.plots import grouped_bars
from genesia_rl.report.style import Palette
from genesia_rl.stats.estimate import Estimate
from genesia_rl.stats.multiple import holm

SEAT_ALARM = 0.01
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
PLACE_CODES = {"won": SHARE, "rank": DIGITS, "score": DIGITS, "p": P}
PLAIN_WORDS = "Places are those of the turn order in which the game begins."


def first_section(report: Report, found: All, lab: Lab, fields: Fields) -> None:
    """By place in the turn order, by seat, and by the right to choose."""
    shown = {c: f.first for c, f in found.items() if f.first is not None}
    if not shown:
        return
    about = lab.about.get("first", PLAIN_WORDS)
    report.section(
        "The first player",
        f"{about} In the tables of this section p is that of an even share, without correction for the number of "
        "lines.",
    )
    put(report, "places", _place_rows(shown, lab), "By place in the turn order.", PLACE_CODES)
    for players in sorted({c.players for c in shown}):
        alike = {c: f for c, f in shown.items() if c.players == players}
        _plot_places(report, alike, players, lab, palette_of(found))
    drawn = {c: f for c, f in shown.items() if f.is_drawn}
    if drawn:
        words = "By place with the seat taken out: as if every seat had had it equally often."
        put(report, "places_adjusted", _adjusted_rows(drawn, lab), words, PLACE_CODES)
        _seats(report, drawn, lab, fields)
    for condition, f in shown.items():
        report.text(power_text(f.places.get(0, 0, WON), f"a place ({label(condition)})"))
        if f.is_drawn:
            report.text(power_text(f.adjusted(0, 0), f"a place, the seat taken out ({label(condition)})"))
            report.text(power_text(f.seats.get(0, WON), f"a seat ({label(condition)})"))
    if lab.variation is None:
        _course(report, found, lab)
    _choosing(report, found, lab)


def _rows(found: dict[Condition, FirstPlayer], lab: Lab, get: Callable[..., Estimate]) -> Iterable[Row]:
    """A row for each place of each stage, with all outcomes."""
    for c, f in found.items():
        for stage in range(len(lab.stages)):
            for place in range(c.players):
                row: Row = {**told(c), **lab.stages.cell(stage), "place": place + 1}
                for k, outcome in enumerate(OUTCOMES):
                    row |= figure(outcome, get(f, stage, place, k))
                yield row


def _place_rows(found: dict[Condition, FirstPlayer], lab: Lab) -> Iterable[Row]:
    at = [(c, f, stage, place) for c, f in found.items() for stage in range(len(lab.stages))
          for place in range(c.players)]  # fmt: skip
    rows = _rows(found, lab, lambda f, *where: f.places.get(*where))
    for row, (c, f, stage, place) in zip(rows, at, strict=True):
        yield row | {"p": f.places.get(stage, place, WON).p(1 / c.players)}


def _adjusted_rows(found: dict[Condition, FirstPlayer], lab: Lab) -> Iterable[Row]:
    return _rows(found, lab, lambda f, *where: f.adjusted(*where))


def _ordinal(place: int) -> str:
    return ORDINALS[place] if place < len(ORDINALS) else f"{place + 1}th"


def _plot_places(
    report: Report, found: dict[Condition, FirstPlayer], players: int, lab: Lab, palette: Palette
) -> None:
    """Win share of each place in each stage, the policies side by side."""
    at = [(stage, place) for stage in range(len(lab.stages)) for place in range(players)]
    groups = [", ".join(filter(None, (lab.stages.label(stage), _ordinal(place)))) for stage, place in at]
    series = {}
    for c, f in found.items():
        held = [f.places.get(stage, place, WON) for stage, place in at]
        series[c.policy] = ([e.value for e in held], [e.low for e in held], [e.high for e in held])
    drawn = grouped_bars(
        groups,
        series,
        "share of first places",
        reference=1 / players,
        reference_label="even",
        palette=palette,
    )
    words = f"{players} players: who wins, by place in the turn order."
    report.plot(
        drawn, words, f"{words} Bars for each place and policy with 95 % intervals; the line is 1/{players}."
    )


def _seats(report: Report, found: dict[Condition, FirstPlayer], lab: Lab, fields: Fields) -> None:
    """Where the game looks the same from every seat, a difference would be a mistake of ours.

    Whether it does is asked of what is played: a board of somebody's own need not.
    """
    alike = {n: lab.seats_alike({**fields, "players": n}) for n in {c.players for c in found}}
    rows = seat_rows(found)
    words = "By seat: must show nothing." if all(alike.values()) else "By seat."
    put(report, "seats", rows, words, {"won": SHARE, "p, corrected": P})
    for is_alike in sorted(set(alike.values())):
        _say_seats(report, [row for row in rows if alike[row["players"]] is is_alike], is_alike)


def _say_seats(report: Report, rows: list[Row], alike: bool) -> None:
    """Which seats differ, of those that must not or of those that may."""
    apart = [f"{label_of(row)}, seat {row['seat']}" for row in rows if row["p, corrected"] < SEAT_ALARM]
    percent = f"{100 * SEAT_ALARM:.0f} %"
    if apart:
        although = "although they are alike " if alike else ""
        kind = "warning" if alike else "info"
        report.note(f"Seats that differ {although}({percent} false alarms): {'; '.join(apart)}.", kind)
    else:
        must = ", as it must be where they are alike" if alike else ""
        report.note(f"No seat differs from the others (Holm's correction, {percent}){must}.")


def seat_rows(found: dict[Condition, FirstPlayer]) -> list[Row]:
    """The win share of every seat under every condition, corrected for the number of all of them."""
    rows, p = [], []
    for c, f in found.items():
        for seat in range(c.players):
            estimate = f.seats.get(seat, WON)
            rows.append({**told(c), "seat": seat, **figure("won", estimate)})
            p.append(estimate.p(1 / c.players))
    return [row | {"p, corrected": float(value)} for row, value in zip(rows, holm(np.array(p)), strict=True)]


def _course(report: Report, found: All, lab: Lab) -> None:
    """What games are like, where nothing varies by which they could be told apart."""
    rows = []
    for c, f in found.items():
        if f.course is not None:
            row: Row = told(c)
            for k, trait in enumerate(f.course.traits):
                row |= figure(trait.name, f.course.overall.get(k))
            rows.append(row)
    if rows:
        put(report, "traits", rows, "What games are like.", trait_codes(traits_of(lab)))


def _choosing(report: Report, found: All, lab: Lab) -> None:
    """The value of the right to choose, from games in which the order of choosing was drawn by lot."""
    shown = {c: f for c, f in found.items() if f.choosing is not None}
    if not shown:
        return
    rows = [row for c, f in shown.items() for row in _choosing_rows(c, f, lab)]
    put(report, "choosing", rows, lab.about.get("choosing", "By who chooses its place first."), PLACE_CODES)
    takes = [row for c, f in shown.items() for row in _taken_rows(c, f, lab)]
    words = "Which place whoever chooses first takes, in how much of those games."
    put(report, "takes", takes, words, {"takes it": SHARE})
    for c, f in shown.items():
        assert f.choosing is not None
        report.text(power_text(f.choosing.turns.get(0, 0, WON), f"who chooses first ({label(c)})"))
        report.text(power_text(f.choosing.taken.get(0, 0), f"which place is taken ({label(c)})"))


def _choosing_rows(c: Condition, f: Found, lab: Lab) -> Iterable[Row]:
    assert f.choosing is not None
    for stage in range(len(lab.stages) - 1):
        for turn in range(c.players):
            row: Row = {**told(c), **lab.stages.cell(stage, "after "), "chooses": turn + 1}
            for k, outcome in enumerate(OUTCOMES):
                row |= figure(outcome, f.choosing.turns.get(stage, turn, k))
            yield row | {"p": f.choosing.turns.get(stage, turn, WON).p(1 / c.players)}


def _taken_rows(c: Condition, f: Found, lab: Lab) -> Iterable[Row]:
    assert f.choosing is not None
    for stage in range(len(lab.stages) - 1):
        for place, taken in enumerate(f.choosing.taken.row(stage)):
            after = lab.stages.cell(stage, "after ")
            yield {**told(c), **after, "place": place + 1, **figure("takes it", taken)}
