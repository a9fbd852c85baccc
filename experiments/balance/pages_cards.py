"""The report's sections on cards and objectives."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from experiments.balance.arms import Condition
from experiments.balance.cards import (
    FALSE_ALARMS,
    HARDLY_EVER,
    JUDGED,
    NUMBERS,
    POINTS,
    TOO_LITTLE,
    TOO_MUCH,
    WON,
    Reach,
    Verdict,
    reach,
    verdicts,
)
from experiments.balance.figures import power_text
from experiments.balance.gather import Found
from experiments.balance.objectives import NUMBERS as OBJECTIVE_NUMBERS
from experiments.balance.pages_course import All
from experiments.balance.skill import agreement, visible_correlation
from experiments.balance.tables import CHANGE, DIGITS, SHARE, P, Row, figure, label, put, told
from experiments.report.page import Report
from experiments.report.plots import forest, heatmap, scatter
from experiments.stats.estimate import Estimate
from genesia_rl.games.genesia.data import Data
from genesia_rl.games.genesia.names import HAND

SHOWN = 12  # cards at either end of a plot
CARD_CODES = {
    "held: won": CHANGE, "held: points": "+.2f", "p": P, "p overpowered": P, "drafted: won": SHARE,
    "kept": ".0%", "played": ".0%", "discarded": ".0%", **{f"pick {pick + 1}": ".0%" for pick in range(HAND)},
}  # fmt: skip
OBJECTIVE_CODES = {
    "dealt: won": CHANGE, "dealt: points": DIGITS, "keeps": ".0%", "kept: won": CHANGE,
    "kept: points": DIGITS,
}  # fmt: skip
FLAGS = ("overpowered", "never worth playing", "dominated")
UNJUDGED = "not judged"


def flag_of(verdict: Verdict | None) -> str:
    """What is wrong with a card, in a word; the gravest first."""
    if verdict is None:
        return UNJUDGED
    if verdict.overpowered <= FALSE_ALARMS:
        return FLAGS[0]
    if verdict.never:
        return FLAGS[1]
    return FLAGS[2] if verdict.dominated_by else ""


def cards_section(report: Report, found: All, data: Data) -> None:
    """What holding each card does, how it is used, and what stands out."""
    shown = {c: f for c, f in found.items() if f.held is not None and f.picked is not None}
    if not shown:
        return
    report.section(
        "Cards",
        "Held: in games in which every card was kept at random, the holder of a card against the others of "
        "the same game, in wins and in points ahead of their mean. Who holds what is chance there, so this "
        "is what the card does for this policy, in place of another card of the Age; one that is worth much "
        "more makes the others of its Age look a little worse. Drafted, kept, played, picks: in games with "
        "the policy's own drafts, where good players hold good cards.\n\n"
        f"Overpowered: holding the card wins by more than {100 * TOO_MUCH:.0f} points oftener. Never worth "
        f"playing: those who hold it play it in less than {100 * HARDLY_EVER:.0f} % of the games. Dominated: "
        "the holder wins less often than the others, and another card of the Age that can be played "
        f"whenever this one can, for no more coins, wins by more than {100 * TOO_LITTLE:.0f} points oftener. "
        "A flag is raised when chance would hardly do it: of the cards flagged as overpowered, or as "
        f"never worth playing, at most {100 * FALSE_ALARMS:.0f} % are expected to be false alarms (Benjamini "
        f"and Hochberg), and that any is falsely called dominated has a chance of {100 * FALSE_ALARMS:.0f} % "
        "(Holm). p asks whether holding the card changes wins at all, p overpowered whether it adds more "
        f"than {100 * TOO_MUCH:.0f} points; both are corrected for all cards (Benjamini and Hochberg). Cards "
        f"that were held in fewer than {JUDGED} games are not judged.",
    )
    judged = {c: verdicts(data, f.held, f.picked) for c, f in shown.items() if f.held and f.picked}
    rows = [row for c, f in shown.items() for row in _card_rows(c, f, data, judged[c])]
    put(report, "cards", rows, "All cards.", CARD_CODES, show=20)
    for c, f in shown.items():
        _plot_cards(report, c, f, data, judged[c])
        _plot_picks(report, c, f, data)
        _say_flags(report, c, data, judged[c])
        assert f.held is not None
        best = max(NUMBERS, key=lambda n: f.held.effect(n, WON).games)  # type: ignore[union-attr]
        report.text(
            power_text(f.held.effect(best, WON), f"the effect of one card ({label(c)}, games with the card)")
        )
        if f.picked is not None and (least := reach(data, f.held, f.picked)) is not None:
            report.text(_reach_text(least, label(c)))
    _agreements(report, shown)


def _reach_text(least: Reach, where: str) -> str:
    """The smallest effects that would be flagged."""
    seldom = "no card for being hardly ever played (too few games)" if math.isnan(least.plays) else (
        f"one that is played in {100 * least.plays:.1f} % of the games or less")  # fmt: skip
    return (
        f"Power of the flags ({where}): of cards held in {least.games:,} games, as the middle one, four "
        f"times in five a flag goes to one whose holder wins {100 * least.overpowered:.1f} points oftener "
        f"or more (overpowered), to {seldom}, and to one of no use if holding the other wins "
        f"{100 * least.dominated:.1f} points oftener or more (dominated)."
    )


def _card_rows(c: Condition, f: Found, data: Data, judged: dict[int, Verdict]) -> Iterable[dict[str, Any]]:
    assert f.held is not None and f.picked is not None and f.chosen is not None
    for number in NUMBERS:
        if number not in data.cards:
            continue
        card, verdict = data.cards[number], judged.get(number)
        row: dict[str, Any] = {
            **told(c), "number": number, "card": card.name, "Age": card.age,
            "lot": card.lot, **figure("held: won", f.held.effect(number, WON)),
            **figure("held: points", f.held.effect(number, POINTS)),
            "p": verdict.differs if verdict else math.nan,
            "p overpowered": verdict.overpowered if verdict else math.nan, "flag": flag_of(verdict),
            "dominated by": (verdict and verdict.dominated_by) or None,
            **figure("drafted: won", f.chosen.won.get(number)), **figure("kept", f.picked.kept.get(number)),
            **figure("played", f.picked.played.get(number)),
        }  # fmt: skip
        row |= figure("discarded", _rest(f.picked.played.get(number)))
        for pick in range(HAND):
            row |= figure(f"pick {pick + 1}", f.picked.rates.get(number, pick))
        yield row


def _rest(share: Estimate) -> Estimate:
    """What a share leaves."""
    return share._replace(value=1 - share.value, low=1 - share.high, high=1 - share.low)


def _plot_cards(report: Report, c: Condition, f: Found, data: Data, judged: dict[int, Verdict]) -> None:
    """The strongest and the weakest."""
    held = f.held
    assert held is not None
    order = sorted(judged, key=lambda n: -held.effect(n, WON).value)
    chosen = order if len(order) <= 2 * SHOWN else order[:SHOWN] + order[-SHOWN:]
    effects = [held.effect(n, WON) for n in chosen]
    drawn = forest(
        [f"{n} {data.cards[n].name} ({'I' * data.cards[n].age})" for n in chosen],
        [e.value for e in effects], [e.low for e in effects], [e.high for e in effects], reference=0.0,
        xlabel="wins oftener than the others of the game by", flags=[flag_of(judged[n]) for n in chosen],
        kinds=FLAGS,
    )  # fmt: skip
    words = f"{label(c)}: the {min(SHOWN, len(chosen))} strongest and weakest cards, held at random."
    report.plot(drawn, words, f"{words} A line for each card with its 95 % interval.")


def _plot_picks(report: Report, c: Condition, f: Found, data: Data) -> None:
    """How often a card is kept, pick by pick, for those that are kept most and least."""
    picked = f.picked
    assert picked is not None
    known = [n for n in NUMBERS if n in data.cards and picked.rates.get(n, 0).games > 0]
    order = sorted(known, key=lambda n: -picked.rates.get(n, 0).value)
    chosen = order if len(order) <= 2 * SHOWN else order[:SHOWN] + order[-SHOWN:]
    matrix = [[picked.rates.get(n, pick).value for pick in range(HAND)] for n in chosen]
    drawn = heatmap(
        matrix,
        [f"{n} {data.cards[n].name}" for n in chosen],
        [f"pick {p + 1}" for p in range(HAND)],
        label="kept when offered",
    )
    words = f"{label(c)}: how often a card is kept when it is offered as the first to the fifth pick."
    report.plot(drawn, words, f"{words} The cards kept first most and least often.")


def _say_flags(report: Report, c: Condition, data: Data, judged: dict[int, Verdict]) -> None:
    flagged: dict[str, list[str]] = {}
    for number, verdict in judged.items():
        name = f"{number} {data.cards[number].name}"
        if verdict.overpowered <= FALSE_ALARMS:
            flagged.setdefault(FLAGS[0], []).append(name)
        if verdict.never:
            flagged.setdefault(FLAGS[1], []).append(name)
        if verdict.dominated_by:
            other = verdict.dominated_by
            flagged.setdefault(FLAGS[2], []).append(f"{name} (by {other} {data.cards[other].name})")
    for flag, names in flagged.items():
        report.note(f"{label(c)}, {flag}: {', '.join(names)}.", "warning")
    if not flagged:
        report.note(f"{label(c)}: no card is flagged.")


def _agreements(report: Report, found: All) -> None:
    """Do policies value the same cards?"""
    values = {c: {n: f.held.effect(n, WON).value for n in NUMBERS if f.held.effect(n, WON).blocks > 1}
              for c, f in found.items() if f.held is not None}  # fmt: skip
    pairs = [(a, b) for a in values for b in values if a.players == b.players and a < b]
    if not pairs:
        return
    rows = [agreement_row(a, b, agreement(values[a], values[b])) for a, b in pairs]
    words = (
        "How alike policies find the cards: Spearman's correlation with its interval over cards, of which "
        "the cards are a sample. What is uncertain about each card's worth makes policies look less alike."
    )
    put(report, "card_agreement", rows, words, {"correlation": DIGITS})
    report.text(
        f"Power: over {rows[0]['cards']} cards, 80 % of the time, at the 5 % level, a correlation of "
        f"{visible_correlation(rows[0]['cards']):.2f} is told from none."
    )
    a, b = pairs[0]
    both = sorted(values[a].keys() & values[b].keys())
    drawn = scatter(
        [values[a][n] for n in both], [values[b][n] for n in both], [str(n) for n in both],
        xlabel=f"worth for {a.policy}", ylabel=f"worth for {b.policy}", x_unit="%", y_unit="%",
    )  # fmt: skip
    words = f"{a.players} players: the cards' worth for {a.policy} and for {b.policy}."
    report.plot(drawn, words, f"{words} A dot for each card.")


def agreement_row(a: Condition, b: Condition, found: Estimate) -> Row:
    """Two policies; what is counted are cards."""
    cells = figure("correlation", found)
    return {**told(a), "and": b.policy, **cells, "cards": cells.pop("correlation games")}


def objectives_section(report: Report, found: All, data: Data) -> None:
    """What objectives are worth when dealt and when kept."""
    shown = {c: f for c, f in found.items() if f.objectives is not None}
    if not shown:
        return
    report.section(
        "Objectives",
        "Dealt: the win share of who is dealt an objective, less the even share, and the points that it "
        "brings in, none if it is not kept; who is dealt what is chance. Kept: of those who kept it, by "
        "choice.",
    )
    rows = []
    for c, f in shown.items():
        o = f.objectives
        assert o is not None
        for number in OBJECTIVE_NUMBERS:
            if number not in data.objectives or not o.won_dealt.get(number).games:
                continue
            objective = data.objectives[number]
            rows.append({
                **told(c), "number": number, "objective": objective.name,
                "lot": objective.lot, **figure("dealt: won", o.won_dealt.get(number)),
                **figure("dealt: points", o.points_dealt.get(number)),
                **figure("keeps", o.keeps.get(number)), **figure("kept: won", o.won_kept.get(number)),
                **figure("kept: points", o.points.get(number)),
            })  # fmt: skip
    put(report, "objectives", rows, "All objectives.", OBJECTIVE_CODES, show=24)
    for c in shown:
        mine = [r for r in rows if (r["players"], r["policy"]) == (c.players, c.policy)]
        drawn = forest(
            [f"{r['number']} {r['objective']}" for r in mine], [r["dealt: won"] for r in mine],
            [r["dealt: won low"] for r in mine], [r["dealt: won high"] for r in mine], reference=0.0,
            xlabel="win share less the even share",
        )  # fmt: skip
        words = f"{label(c)}: what it does to be dealt an objective."
        report.plot(drawn, words, f"{words} A line for each objective with its 95 % interval.")
        o = found[c].objectives
        assert o is not None
        if mine:
            report.text(power_text(o.won_dealt.get(mine[0]["number"]), f"one objective ({label(c)})"))
