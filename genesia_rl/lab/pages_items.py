"""The report's sections on things that seats hold: what holding each does, how it is used, what stands out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from genesia_rl.core.lab import Item, ItemSet, Lab
from genesia_rl.lab.arms import Condition
from genesia_rl.lab.figures import power_text
from genesia_rl.lab.items import (
    FALSE_ALARMS,
    HARDLY_EVER,
    JUDGED,
    POINTS,
    TOO_LITTLE,
    TOO_MUCH,
    WON,
    Held,
    Picked,
    Reach,
    Verdict,
    is_mute,
    mute,
    numbers_of,
    reach,
    verdicts,
)
from genesia_rl.lab.skill import agreement, visible_correlation
from genesia_rl.lab.tables import CHANGE, DIGITS, SHARE, All, P, Row, figure, label, put, told
from genesia_rl.report.page import Report
from genesia_rl.report.plots import forest, heatmap, scatter
from genesia_rl.stats.estimate import Estimate

SHOWN = 12  # items at either end of a plot
OVERPOWERED, DOMINATED = "overpowered", "dominated"
UNJUDGED = "not judged"


class Examined(NamedTuple):
    """What was found about the items of one condition."""

    condition: Condition
    named: Mapping[int, Item]
    held: Held  # who holds what is chance
    picked: Picked  # everybody takes what it likes
    chosen: Held
    judged: dict[int, Verdict]


def flags_of(items: ItemSet) -> tuple[str, str, str]:
    """What may be wrong with an item, in a word; the gravest first."""
    return OVERPOWERED, items.words.idle, DOMINATED


def mute_words(items: ItemSet, policy: str = "the policy") -> str:
    """What is said of an item that a policy does not use."""
    return f"{policy} {items.words.used} it in 0 % of its games: nothing can be said"


def flag_of(verdict: Verdict | None, items: ItemSet, used: Estimate) -> str:
    """What is wrong with an item."""
    if is_mute(items, used):
        return mute_words(items)
    if verdict is None:
        return UNJUDGED
    if verdict.overpowered <= FALSE_ALARMS:
        return OVERPOWERED
    if verdict.never:
        return items.words.idle
    return DOMINATED if verdict.dominated_by else ""


def items_sections(report: Report, found: All, lab: Lab, fields: Mapping[str, Any]) -> list[Examined]:
    """A section for each set; what was found about all of them."""
    every = []
    for items in lab.items:
        if shown := [one for c in found for one in _examined(c, found, items, fields)]:
            _section(report, shown, items)
            every += shown
    return every


def _examined(c: Condition, found: All, items: ItemSet, fields: Mapping[str, Any]) -> Iterable[Examined]:
    """What was found about a condition, if it was asked for."""
    f, name = found[c], items.name
    if name in f.held and name in f.picked:
        named, held, picked = items.load(fields), f.held[name], f.picked[name]
        yield Examined(c, named, held, picked, f.chosen[name], verdicts(named, held, picked))


def _section(report: Report, shown: list[Examined], items: ItemSet) -> None:
    report.section(items.name.capitalize(), f"{items.about}\n\n{_flag_words(items)}".strip())
    rows = [row for one in shown for row in _rows(one, items)]
    put(report, items.name, rows, f"All {items.name}.", _codes(items), show=20)
    for one in shown:
        where = label(one.condition)
        _plot_worth(report, one, items)
        if items.picks:
            _plot_picks(report, one, items)
        _say_flags(report, one, items)
        best = max(numbers_of(items), key=lambda n: one.held.effect(n, WON).games)
        words = f"the effect of one {items.one} ({where}, games with the {items.one})"
        report.text(power_text(one.held.effect(best, WON), words))
        if (least := reach(one.named, one.held, one.picked)) is not None:
            report.text(_reach_text(least, where, items))
    _together(report, shown, items)
    _agreements(report, shown, items)


def _together(report: Report, shown: list[Examined], items: ItemSet) -> None:
    """What all policies together say of each item, if there are several: flagged ones first."""
    for players in sorted({one.condition.players for one in shown}):
        judges = [one for one in shown if one.condition.players == players]
        if len(judges) < 2:
            continue
        rows = [
            together_row(number, judges, items) for number in numbers_of(items) if number in judges[0].named
        ]
        rows.sort(key=lambda row: (-row["flags"], row["judged by"] > 0, row["number"]))
        words = (
            f"{players} players: what the policies together say of the {items.name}. A flag counts for as many "
            f"policies as raise it, of those that have something to say; a policy that hardly ever has the {items.one} "
            f"{items.words.used} has nothing to say of it."
        )
        codes = {f"{items.words.used}, {one.condition.policy}": ".0%" for one in judges}
        codes |= {f"held: won, {one.condition.policy}": CHANGE for one in judges}
        put(report, f"{items.name}_policies_{players}p", rows, words, codes, show=20)


def together_row(number: int, judges: list[Examined], items: ItemSet) -> Row:
    """An item by all policies."""
    row: Row = {"number": number, items.one: judges[0].named[number].name}
    found: dict[str, list[str]] = {}
    speaking = 0
    for one in judges:
        used = one.picked.used.get(number)
        flag = flag_of(one.judged.get(number), items, used)
        if number in one.judged:
            speaking += 1
        if flag in flags_of(items):
            found.setdefault(flag, []).append(one.condition.policy)
        row |= figure(f"{items.words.used}, {one.condition.policy}", used)
        row |= figure(f"held: won, {one.condition.policy}", one.held.effect(number, WON))
    told_flags = [f"{flag} ({', '.join(policies)})" for flag, policies in found.items()]
    row["judged by"], row["flags"] = speaking, sum(map(len, found.values()))
    row["verdict"] = "; ".join(told_flags) or ("" if speaking else "nothing can be said")
    return row


def _flag_words(items: ItemSet) -> str:
    one, used, idle = items.one, items.words.used, items.words.idle
    dominated = (
        f"Dominated: the holder wins less often than the others, and another {one} that can be {used} whenever this "
        f"one can, for no more, wins by more than {100 * TOO_LITTLE:.0f} percentage points oftener. "
        if items.could_replace
        else ""
    )
    falsely = (
        f", and that any is falsely called dominated has a chance of {100 * FALSE_ALARMS:.0f} % (Holm)"
        if items.could_replace
        else ""
    )
    return (
        f"Overpowered: holding the {one} wins by more than {100 * TOO_MUCH:.0f} percentage points oftener. "
        f"{idle.capitalize()}: it is {used} in less than {100 * HARDLY_EVER:.0f} % of the games by those who hold "
        f"it. {dominated}A flag is raised when chance would hardly do it: of those flagged as overpowered, or as "
        f"{idle}, at most {100 * FALSE_ALARMS:.0f} % are expected to be false alarms (Benjamini and Hochberg)"
        f"{falsely}. p asks whether holding the {one} changes wins at all, p overpowered whether it adds more "
        f"than {100 * TOO_MUCH:.0f} percentage points; both are corrected for all {items.name} (Benjamini and "
        "Hochberg). "
        f"{items.name.capitalize()} that were held in fewer than {JUDGED} games are not judged."
    )


def _codes(items: ItemSet) -> dict[str, str]:
    words = items.words
    return {
        "held: won": CHANGE, "held: points": "+.2f", "p": P, "p overpowered": P, f"{words.chosen}: won": SHARE,
        **dict.fromkeys((words.kept, words.used, words.unused), ".0%"),
        **{f"pick {pick + 1}": ".0%" for pick in range(items.picks)},
    }  # fmt: skip


def _reach_text(least: Reach, where: str, items: ItemSet) -> str:
    """The smallest effects that would be flagged."""
    used = items.words.used
    seldom = f"no {items.one} for being hardly ever {used} (too few games)" if math.isnan(least.uses) else (
        f"one that is {used} in {100 * least.uses:.1f} % of the games or less")  # fmt: skip
    dominated = (
        f", and to one of no use if holding the other wins {100 * least.dominated:.1f} percentage points oftener or "
        "more (dominated)"
    )
    return (
        f"Power of the flags ({where}): of {items.name} held in {least.games:,} games, as the middle one, four "
        f"times in five a flag goes to one whose holder wins {100 * least.overpowered:.1f} percentage points oftener "
        f"or more (overpowered), to {seldom}{dominated if items.could_replace else ''}."
    )


def _rows(one: Examined, items: ItemSet) -> Iterable[Row]:
    words = items.words
    for number in numbers_of(items):
        if number not in one.named:
            continue
        item, verdict = one.named[number], one.judged.get(number)
        row: Row = {
            **told(one.condition), "number": number, items.one: item.name, **item.cells,
            **figure("held: won", one.held.effect(number, WON)),
            **figure("held: points", one.held.effect(number, POINTS)),
            "p": verdict.differs if verdict else math.nan,
            "p overpowered": verdict.overpowered if verdict else math.nan,
            "flag": flag_of(verdict, items, one.picked.used.get(number)),
        }  # fmt: skip
        if items.could_replace:
            row["dominated by"] = (verdict and verdict.dominated_by) or None
        if items.free != items.chance:
            row |= figure(f"{words.chosen}: won", one.chosen.won.get(number))
        row |= figure(words.kept, one.picked.kept.get(number)) | figure(
            words.used, one.picked.used.get(number)
        )
        row |= figure(words.unused, _rest(one.picked.used.get(number)))
        for pick in range(items.picks):
            row |= figure(f"pick {pick + 1}", one.picked.rates.get(number, pick))
        yield row


def _rest(share: Estimate) -> Estimate:
    """What a share leaves."""
    return share._replace(value=1 - share.value, low=1 - share.high, high=1 - share.low)


def _ends(order: list[int]) -> list[int]:
    """The first and the last of a long list."""
    return order if len(order) <= 2 * SHOWN else order[:SHOWN] + order[-SHOWN:]


def _plot_worth(report: Report, one: Examined, items: ItemSet) -> None:
    """The strongest and the weakest."""
    chosen = _ends(sorted(one.judged, key=lambda n: -one.held.effect(n, WON).value))
    effects = [one.held.effect(n, WON) for n in chosen]
    names = [one.named[n] for n in chosen]
    drawn = forest(
        [f"{item.number} {item.name}" + (f" ({item.mark})" if item.mark else "") for item in names],
        [e.value for e in effects], [e.low for e in effects], [e.high for e in effects], reference=0.0,
        xlabel="wins oftener than the others of the game by", unit="pp",
        flags=[flag_of(one.judged[n], items, one.picked.used.get(n)) for n in chosen], kinds=flags_of(items),
    )  # fmt: skip
    where, number = label(one.condition), min(SHOWN, len(chosen))
    words = f"{where}: the {number} strongest and weakest {items.name}, held at random."
    report.plot(drawn, words, f"{words} A line for each {items.one} with its 95 % interval.")


def _plot_picks(report: Report, one: Examined, items: ItemSet) -> None:
    """How often an item is taken, pick by pick, for those that are taken most and least."""
    picked, picks = one.picked, range(items.picks)
    known = [n for n in numbers_of(items) if n in one.named and picked.rates.get(n, 0).games > 0]
    chosen = _ends(sorted(known, key=lambda n: -picked.rates.get(n, 0).value))
    drawn = heatmap(
        [[picked.rates.get(n, pick).value for pick in picks] for n in chosen],
        [f"{n} {one.named[n].name}" for n in chosen],
        [f"pick {pick + 1}" for pick in picks],
        label=f"{items.words.kept} when offered",
    )
    words = (
        f"{label(one.condition)}: how often a {items.one} is {items.words.kept} when it is offered as the first to "
        "the last pick."
    )
    report.plot(drawn, words, f"{words} Those taken first most and least often.")


def _say_flags(report: Report, one: Examined, items: ItemSet) -> None:
    flagged: dict[str, list[str]] = {}
    where = label(one.condition)

    def named(number: int) -> str:
        return f"{number} {one.named[number].name}"

    for number, verdict in one.judged.items():
        if verdict.overpowered <= FALSE_ALARMS:
            flagged.setdefault(OVERPOWERED, []).append(named(number))
        if verdict.never:
            flagged.setdefault(items.words.idle, []).append(named(number))
        if verdict.dominated_by:
            flagged.setdefault(DOMINATED, []).append(f"{named(number)} (by {named(verdict.dominated_by)})")
    for flag, names in flagged.items():
        report.note(f"{where}, {flag}: {', '.join(names)}.", "warning")
    if not flagged:
        report.note(f"{where}: no {items.one} is flagged.")
    if unused := [named(number) for number in mute(one.held, one.picked) if number in one.named]:
        report.note(f"{where}, {mute_words(items)}: {', '.join(unused)}.", "warning")


def _agreements(report: Report, shown: list[Examined], items: ItemSet) -> None:
    """Do policies value the same items?"""
    values = {
        one.condition: {n: e.value for n in numbers_of(items) if (e := one.held.effect(n, WON)).blocks > 1}
        for one in shown
    }
    pairs = [(a, b) for a in values for b in values if a.players == b.players and a < b]
    if not pairs:
        return
    rows = [agreement_row(a, b, agreement(values[a], values[b]), items) for a, b in pairs]
    words = (
        f"How alike policies find the {items.name}: Spearman's correlation with its interval over {items.name}, of "
        f"which these are a sample. What is uncertain about the worth of each makes policies look less alike."
    )
    put(report, f"{items.one}_agreement", rows, words, {"correlation": DIGITS})
    number = rows[0][items.name]
    report.text(
        f"Power: over {number} {items.name}, 80 % of the time, at the 5 % level, a correlation of "
        f"{visible_correlation(number):.2f} is told from none."
    )
    a, b = pairs[0]
    both = sorted(values[a].keys() & values[b].keys())
    drawn = scatter(
        [values[a][n] for n in both], [values[b][n] for n in both], [str(n) for n in both],
        xlabel=f"worth for {a.policy}", ylabel=f"worth for {b.policy}", x_unit="pp", y_unit="pp",
    )  # fmt: skip
    words = f"{a.players} players: the worth of {items.name} for {a.policy} and for {b.policy}."
    report.plot(drawn, words, f"{words} A dot for each {items.one}.")


def agreement_row(a: Condition, b: Condition, found: Estimate, items: ItemSet) -> Row:
    """Two policies; what is counted are items."""
    cells = figure("correlation", found)
    return {**told(a), "and": b.policy, **cells, items.name: cells.pop("correlation games")}
