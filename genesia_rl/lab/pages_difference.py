"""The report on a change: what it does to the game, to places, to things that seats hold."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.lab import Item, lab_of
from genesia_rl.core.registry import game_info
from genesia_rl.lab.difference import Difference, ItemDifference
from genesia_rl.lab.figures import power_text, reach_text
from genesia_rl.lab.gather import parts_of
from genesia_rl.lab.items import JUDGED, numbers_of
from genesia_rl.lab.settings import Setting
from genesia_rl.lab.tables import CHANGE, P, Row, figure, put
from genesia_rl.lab.traits import EDGE
from genesia_rl.report.page import Report
from genesia_rl.report.plots import forest
from genesia_rl.shards.store import Store
from genesia_rl.stats.estimate import Estimate, unknown
from genesia_rl.stats.multiple import benjamini_hochberg, holm

Array = npt.NDArray[Any]
Named = Mapping[int, Item]
ALARM = 0.05
SHOWN = 12


def compared(settings: Sequence[Setting], stores: Sequence[Store]) -> Difference:
    """All games of both, deal by deal."""
    one, other = settings
    lab = lab_of(one.game_name)
    found = Difference(one.players, lab, {name for name in one.changes if other.changes.get(name)})
    for a, b in zip(parts_of(stores[0], lab), parts_of(stores[1], lab), strict=True):
        found.add(a, b)
    return found


def make_difference_report(
    settings: Sequence[Setting], stores: Sequence[Store], folder: Path, facts: Mapping[str, Any]
) -> Report:
    """The page; every difference is B less A."""
    found = compared(settings, stores)
    title = game_info(settings[0].game_name).title
    report = Report(f"{title}: a change", "The same deals under two configurations: B less A.")
    told = {name: setting.told() for name, setting in zip(("A is", "B is"), settings, strict=True)}
    report.facts({**facts, **told})
    report.text(
        "Both configurations were played with the same seeds, so the luck of the deal is in both and "
        "leaves the difference. p values are corrected for the number of questions in their table: that any "
        f"of the game's traits, or any place, is called changed by chance has a probability of "
        f"{100 * ALARM:.0f} % (Holm)."
    )
    _traits(report, found)
    _places(report, found)
    for items in found.items.values():
        _items(report, items, items.set.load(settings[1].fields))
    report.save(folder)
    return report


def trait_rows(found: Difference) -> list[Row]:
    """What the games are like; p corrected for the number of traits."""
    held = [found.trait(name) for name in found.names]
    p = holm(np.array([e.p() for e in held]))
    return [
        {"trait": name, **figure("A", found.traits.get(0, k)), **figure("B - A", e), "p": float(value)}
        for k, (name, e, value) in enumerate(zip(found.names, held, p, strict=True))
    ]


def place_rows(found: Difference) -> list[Row]:
    """Wins and points by place; p, of wins, corrected for the number of places."""
    stages = found.lab.stages
    at = [(stage, place) for stage in range(len(stages)) for place in range(found.players)]
    p = holm(np.array([found.places.get(stage, place, 0).p() for stage, place in at]))
    return [
        {**stages.cell(stage), "place": place + 1, **figure("won", found.places.get(stage, place, 0)),
         **figure("score", found.places.get(stage, place, 1)), "p of won": float(value)}
        for (stage, place), value in zip(at, p, strict=True)
    ]  # fmt: skip


def item_rows(found: ItemDifference, named: Named) -> list[Row]:
    """How items are used under both; if it is chance who holds them, what their holders gain.

    p is corrected for all items; of one that few have held, or that was seldom dealt, it is nan.
    """
    seen = [
        n
        for n in numbers_of(found.set)
        if n in named and max(found.shares.get(k, n, 0).games for k in (0, 1))
    ]
    p = _corrected([found.holders.get(n, 1) for n in seen])
    uses = found.set.words[:2]
    used = {what: [found.use.get(n, k) for n in seen] for k, what in enumerate(uses)}
    p_used = {what: _corrected(estimates) for what, estimates in used.items()}
    rows = []
    for i, (number, value) in enumerate(zip(seen, p, strict=True)):
        row: Row = {"number": number, found.set.one: named[number].name, **named[number].cells}
        if found.blind:
            row |= figure("holder's points", found.holders.get(number, 1))
            row |= figure("holder's win share", found.holders.get(number, 0))
            row |= {"p of points": float(value)}
        for column, what in enumerate(uses):
            row |= figure(f"{what}, B - A", used[what][i])
            row |= {f"p of {what}": float(p_used[what][i])}
            for k, which in enumerate("AB"):
                row |= figure(f"{what}, {which}", found.shares.get(k, number, column))
        rows.append(row)
    return rows


def _corrected(held: list[Estimate]) -> Array:
    """p of all items, corrected for asking about all; nan where there are too few deals."""
    return benjamini_hochberg(np.array([e.p() if e.blocks >= JUDGED else math.nan for e in held]))


def _traits(report: Report, found: Difference) -> None:
    report.section(
        "The game",
        f"The score is the mean of all players; the winner's lead is in points, and a small one is a close game; "
        f"the {EDGE.name} is what the first of the first turn order wins more than its even share.",
    )
    rows = trait_rows(found)
    put(report, "traits", rows, codes={"B - A": ".3f", "A": ".3f", "p": P})
    report.text(power_text(found.trait(EDGE.name), f"the {EDGE.name}"))
    report.text(reach_text({name: found.trait(name) for name in found.names if name != EDGE.name}))
    _say(report, [row["trait"] for row in rows if row["p"] <= ALARM], "Changed")


def _places(report: Report, found: Difference) -> None:
    report.section("Places in the turn order", "What whoever has the place wins and scores, B less A.")
    rows, stages = place_rows(found), found.lab.stages
    put(report, "places", rows, codes={"won": "+.2%", "score": "+.3f", "p of won": P})
    report.text(power_text(found.places.get(0, 0, 0), "a place"))
    report.text(reach_text({"the score of a place": found.places.get(0, 0, 1)}))
    in_stage = {stages.names[stage]: stage for stage in range(len(stages))}
    changed = [
        stages.after(f"place {row['place']}", in_stage[row.get(stages.word, "")])
        for row in rows
        if row["p of won"] <= ALARM
    ]
    _say(report, changed, "Win shares changed")


def _items(report: Report, found: ItemDifference, named: Named) -> None:
    """How items are used under both, and what happened to those who hold them in both."""
    items, words = found.set, found.set.words
    report.section(items.name.capitalize(), _about(found))
    rows = item_rows(found, named)
    uses = words[:2]
    codes = {f"{what}, {which}": ".0%" for what in uses for which in "AB"}
    codes |= {f"{what}, B - A": CHANGE for what in uses} | {f"p of {what}": P for what in uses}
    if found.blind:
        codes |= {"holder's points": "+.2f", "holder's win share": CHANGE, "p of points": P}
    put(report, items.name, rows, codes=codes, show=20)
    middle = _median([found.use.get(row["number"], 1) for row in rows])
    report.text(power_text(middle, f"how often one {items.one} is {words.used}"))
    for what in uses:
        changed = sorted(
            (row for row in rows if row[f"p of {what}"] <= ALARM), key=lambda r: r[f"p of {what}"]
        )
        names = [f"{_named(row, items.one)} ({row[f'{what}, B - A']:+.1%})" for row in changed]
        _say(report, names[:SHOWN], f"How often {items.name} are {what} changed most surely")
    if found.blind:
        _holders(report, found, rows)


def _about(found: ItemDifference) -> str:
    items, words = found.set, found.set.words
    use = (
        f"{words.kept.capitalize()}: among the games in which the {items.one} was dealt; {words.used}: among those in "
        f"which it was {words.kept}; B - A of either: deal by deal, among those in which it was dealt under both, "
        f"with a p value corrected for all {items.name} (Benjamini and Hochberg)."
    )
    if found.blind:
        return (
            f"Who holds one of the {items.name} is chance under both. Holders: who holds it under both; their wins "
            "and their points ahead of the mean of the others, B less A. Who holds one holds it in place of another "
            "alike: one whose holders gain much makes those of the others lose a little, so read the greatest "
            "changes first. Where games take another course before it is dealt, another player may draw it: such "
            "deals count only if it is the same one, so that deals in which little changed before weigh more. "
            f"{use} {items.name.capitalize()} held by the same player in fewer than {JUDGED} deals are not judged; of "
            f"those called changed {100 * ALARM:.0f} % are expected to be false alarms (Benjamini and Hochberg)."
        )
    ask = f" To ask it, write {items.blind} = true into both files." if items.blind else ""
    return (
        f"{use} What the change does to the holder cannot be said of these games: what players take answers to it, "
        f"so that those who hold a {items.one} under both are not there by chance.{ask}"
    )


def _named(row: Row, one: str) -> str:
    return f"{row['number']} {row[one]}"


def _holders(report: Report, found: ItemDifference, rows: list[Row]) -> None:
    """The items whose holders gain or lose most."""
    one, name = found.set.one, found.set.name
    judged = [row for row in rows if not math.isnan(row["p of points"])]
    changed = sorted(judged, key=lambda row: -abs(row["holder's points"]))
    if changed:
        top = changed[:SHOWN]
        drawn = forest(
            [_named(r, one) for r in top], [r["holder's points"] for r in top],
            [r["holder's points low"] for r in top], [r["holder's points high"] for r in top],
            reference=0.0, unit="points", xlabel="points of the holder, B less A",
        )  # fmt: skip
        words = f"The {name} whose holders gain or lose most."
        report.plot(drawn, words, f"{words} A line for each {one} with its 95 % interval.")
    won, points = (_median([found.holders.get(row["number"], k) for row in judged]) for k in range(2))
    report.text(power_text(won, f"what the holders of one {one} win"))
    report.text(reach_text({f"points of the holders of one {one}": points}))
    flagged = [(r, r["holder's points"]) for r in changed if r["p of points"] <= ALARM]
    names = [f"{_named(r, one)} ({points:+.2f})" for r, points in flagged]
    _say(report, names, "Points of holders changed")


def _median(held: list[Estimate]) -> Estimate:
    """The one with as many games as most."""
    return sorted(held, key=lambda e: e.games)[len(held) // 2] if held else unknown()


def _say(report: Report, names: list[str], what: str) -> None:
    report.note(f"{what}: {', '.join(names)}." if names else f"{what}: nothing that could not be chance.")
