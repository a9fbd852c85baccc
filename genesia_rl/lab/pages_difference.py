"""The report on a change: what it does to the game, to places, to things that seats hold."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.data import Change, changes
from genesia_rl.core.lab import Item, ItemSet, lab_of
from genesia_rl.core.registry import game_info
from genesia_rl.lab.difference import Difference, ItemDifference
from genesia_rl.lab.figures import power_text, reach_text
from genesia_rl.lab.gather import parts_of
from genesia_rl.lab.items import JUDGED, is_mute, numbers_of
from genesia_rl.lab.pages_items import mute_words
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


class Compared(NamedTuple):
    """What a policy makes of both configurations."""

    settings: tuple[Setting, Setting]
    found: Difference

    @property
    def policy(self) -> str:
        """Who played; under A and under B if it was not the same."""
        return " / ".join(dict.fromkeys(setting.policy for setting in self.settings))


def compared(settings: tuple[Setting, Setting], stores: Sequence[Store]) -> Compared:
    """All games of both, deal by deal."""
    one, other = settings
    lab = lab_of(one.game_name)
    found = Difference(one.players, lab, {name for name in one.changes if other.changes.get(name)})
    for a, b in zip(parts_of(stores[0], lab), parts_of(stores[1], lab), strict=True):
        found.add(a, b)
    return Compared(settings, found)


def make_difference_report(shown: Sequence[Compared], folder: Path, facts: Mapping[str, Any]) -> Report:
    """The page, for one policy or several; every difference is B less A."""
    settings = shown[0].settings
    title = game_info(settings[0].game_name).title
    report = Report(f"{title}: a change", "The same deals under two configurations: B less A.")
    changed = changed_data(settings)
    _say_what_differs(report, settings, changed)
    told = {name: setting.told() for name, setting in zip(("A is", "B is"), settings, strict=True)}
    report.facts({**facts, **told, "policies": [one.policy for one in shown]})
    report.text(
        "Both configurations were played with the same seeds, so the luck of the deal is in both and "
        "leaves the difference. p values are corrected for the number of questions in their table and policy: that any "
        f"of the game's traits, or any place or seat, is called changed by chance has a probability of "
        f"{100 * ALARM:.0f} % (Holm)."
    )
    _traits(report, shown)
    _places(report, shown)
    _seats(report, shown)
    for name in shown[0].found.items:
        _items(report, shown, name, changed)
    report.save(folder)
    return report


# ---------------------------------------------------------------- what differs


def changed_data(settings: Sequence[Setting]) -> list[Change]:
    """The entries of the data files that differ."""
    one, other = (setting.fields.get("data") for setting in settings)
    return changes(settings[0].game_name, one, other)


def what_differs(settings: Sequence[Setting], changed: Sequence[Change]) -> list[str]:
    """In words, a line each: settings, fields of the configuration, data."""
    one, other = (_flat(setting) for setting in settings)
    lines = [
        f"{name}: {_shown(one.get(name))} becomes {_shown(other.get(name))}"
        for name in dict.fromkeys([*one, *other])
        if one.get(name) != other.get(name)
    ]
    return [*lines, *(change.told() for change in changed)]


def _flat(setting: Setting) -> dict[str, Any]:
    """All that a file of settings may say, without the folder of data, whose content is told."""
    game = {name: value for name, value in setting.fields.items() if name != "data"}
    return {"policy": setting.policy, **setting.changes, **game}


def _shown(value: Any) -> str:
    return "what is usual" if value is None else str(value)


def _say_what_differs(report: Report, settings: Sequence[Setting], changed: Sequence[Change]) -> None:
    lines = what_differs(settings, changed)
    if not lines:
        report.note("A and B are the same: whatever differs below would be a mistake.")
        return
    report.note("From A to B:\n\n" + "\n\n".join(lines))


def changed_items(items: ItemSet, settings: Sequence[Setting], changed: Sequence[Change]) -> dict[int, str]:
    """The items that are not the same under both, and what has changed in them."""
    one, other = (items.load(setting.fields) for setting in settings)
    words = {change.number: "; ".join(change.details) for change in changed if change.list == items.one}
    differ = {n: "another one" for n in other if n in one and one[n] != other[n]}
    return differ | {number: told for number, told in words.items() if number in other}


# ---------------------------------------------------------------- rows


def trait_rows(one: Compared) -> list[Row]:
    """What the games are like; p corrected for the number of traits."""
    found = one.found
    held = [found.trait(name) for name in found.names]
    p = holm(np.array([e.p() for e in held]))
    return [
        {
            "policy": one.policy, "trait": name, **figure("A", found.traits.get(0, k)), **figure("B - A", e),
            "p": float(value),
        }
        for k, (name, e, value) in enumerate(zip(found.names, held, p, strict=True))
    ]  # fmt: skip


def place_rows(one: Compared) -> list[Row]:
    """Wins and points by place; p, of wins, corrected for the number of places."""
    found, stages = one.found, one.found.lab.stages
    at = [(stage, place) for stage in range(len(stages)) for place in range(found.players)]
    p = holm(np.array([found.places.get(stage, place, 0).p() for stage, place in at]))
    return [
        {"policy": one.policy, **stages.cell(stage), "place": place + 1,
         **figure("won", found.places.get(stage, place, 0)),
         **figure("score", found.places.get(stage, place, 1)), "p of won": float(value)}
        for (stage, place), value in zip(at, p, strict=True)
    ]  # fmt: skip


def seat_rows(one: Compared) -> list[Row]:
    """Wins and points by seat; p, of wins, corrected for the number of seats."""
    seats, n = one.found.seats, one.found.players
    p = holm(np.array([seats.get(2, seat, 0).p() for seat in range(n)]))
    return [
        {"policy": one.policy, "seat": seat, **figure("won, A", seats.get(0, seat, 0)),
         **figure("won, B", seats.get(1, seat, 0)), **figure("won, B - A", seats.get(2, seat, 0)),
         **figure("score, B - A", seats.get(2, seat, 1)), "p of won": float(value)}
        for seat, value in enumerate(p)
    ]  # fmt: skip


def item_rows(one: Compared, name: str, changed: Mapping[int, str]) -> list[Row]:
    """How items are used under both; if it is chance who holds them, what their holders gain. Changed ones come first.

    p is corrected for all items; of one that few have held, or that was seldom dealt, it is nan.
    """
    found = one.found.items[name]
    named: Named = found.set.load(one.settings[1].fields)
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
        row: Row = {"policy": one.policy, "number": number, found.set.one: named[number].name}
        row |= {"changed": changed.get(number), "unused": unused_under(found, number), **named[number].cells}
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
    return sorted(rows, key=lambda row: row["changed"] is None)


def unused_under(found: ItemDifference, number: int) -> str | None:
    """Under which configurations the policy does not use an item, so that nothing can be said of it there."""
    mute = [which for k, which in enumerate("AB") if is_mute(found.set, found.shares.get(k, number, 1))]
    return ", ".join(mute) or None


def _corrected(held: list[Estimate]) -> Array:
    """p of all items, corrected for asking about all; nan where there are too few deals."""
    return benjamini_hochberg(np.array([e.p() if e.blocks >= JUDGED else math.nan for e in held]))


# ---------------------------------------------------------------- sections


def _of(one: Compared, shown: Sequence[Compared]) -> str:
    """Which policy a sentence speaks of, if there are several."""
    return f"{one.policy}: " if len(shown) > 1 else ""


def _traits(report: Report, shown: Sequence[Compared]) -> None:
    report.section(
        "The game",
        f"The score is the mean of all players; the winner's lead is in points, and a small one is a close game; "
        f"the {EDGE.name} is what the first of the first turn order wins more than its even share.",
    )
    put(report, "traits", [row for one in shown for row in trait_rows(one)],
        codes={"B - A": ".3f", "A": ".3f", "p": P})  # fmt: skip
    for one in shown:
        found = one.found
        report.text(_of(one, shown) + power_text(found.trait(EDGE.name), f"the {EDGE.name}"))
        held = {name: found.trait(name) for name in found.names if name != EDGE.name}
        report.text(_of(one, shown) + reach_text(held))
        _say(
            report,
            [row["trait"] for row in trait_rows(one) if row["p"] <= ALARM],
            _of(one, shown) + "Changed",
        )


def _places(report: Report, shown: Sequence[Compared]) -> None:
    report.section("Places in the turn order", "What whoever has the place wins and scores, B less A.")
    rows, stages = [row for one in shown for row in place_rows(one)], shown[0].found.lab.stages
    in_stage = {stages.names[stage]: stage for stage in range(len(stages))}

    def name(row: Row) -> str:
        return stages.after(f"place {row['place']}", in_stage[row.get(stages.word, "")])

    put(report, "places", rows, codes={"won": "+.2%", "score": "+.3f", "p of won": P})
    _plot_won(report, rows, "won", name, "By place in the turn order", shown)
    for one in shown:
        report.text(_of(one, shown) + power_text(one.found.places.get(0, 0, 0), "a place"))
        report.text(_of(one, shown) + reach_text({"the score of a place": one.found.places.get(0, 0, 1)}))
        changed = [name(row) for row in place_rows(one) if row["p of won"] <= ALARM]
        _say(report, changed, f"{_of(one, shown)}Win shares changed")


def _seats(report: Report, shown: Sequence[Compared]) -> None:
    """By seat; whether seats must be alike is asked of what is played under each."""
    settings, lab = shown[0].settings, shown[0].found.lab
    alike = [lab.seats_alike({**s.fields, "players": s.players}) for s in settings]
    report.section("Seats", f"What the seats win and score under both. {_alike_words(alike)}")
    rows = [row for one in shown for row in seat_rows(one)]
    codes = {"won, A": ".1%", "won, B": ".1%", "won, B - A": "+.2%", "score, B - A": "+.3f", "p of won": P}
    put(report, "seats", rows, codes=codes)
    _plot_won(report, rows, "won, B - A", lambda row: f"seat {row['seat']}", "By seat", shown)
    for one in shown:
        changed = [f"seat {row['seat']}" for row in seat_rows(one) if row["p of won"] <= ALARM]
        kind = "warning" if changed and all(alike) else "info"
        _say(report, changed, f"{_of(one, shown)}Win shares changed", kind)


def _alike_words(alike: Sequence[bool]) -> str:
    if all(alike):
        return (
            "The game looks the same from every seat under both, so no seat may win more under one of them."
        )
    which = "neither A nor B" if not any(alike) else "A, not under B" if alike[0] else "B, not under A"
    return f"The game looks the same from every seat under {which}: differences between seats are to be expected."


def _plot_won(
    report: Report,
    rows: Sequence[Row],
    column: str,
    name: Callable[[Row], str],
    title: str,
    shown: Sequence[Compared],
) -> None:
    """A line for each row with its interval."""
    by = [f" ({row['policy']})" if len(shown) > 1 else "" for row in rows]
    drawn = forest(
        [name(row) + policy for row, policy in zip(rows, by, strict=True)], [row[column] for row in rows],
        [row[f"{column} low"] for row in rows], [row[f"{column} high"] for row in rows],
        reference=0.0, xlabel="share of first places, B less A",
    )  # fmt: skip
    words = f"{title}: what is won under B less what is won under A."
    report.plot(drawn, words, f"{words} A line for each with its 95 % interval.")


def _items(report: Report, shown: Sequence[Compared], name: str, data: Sequence[Change]) -> None:
    """How items are used under both, and what happened to those who hold them in both."""
    first = shown[0].found.items[name]
    items, words = first.set, first.set.words
    changed = changed_items(items, shown[0].settings, data)
    about = _about(first)
    if changed:
        about += f" The {items.name} that differ stand first."
    report.section(items.name.capitalize(), about)
    by_policy = [(one, item_rows(one, name, changed)) for one in shown]
    rows = sorted((row for _, held in by_policy for row in held), key=lambda row: row["changed"] is None)
    uses = words[:2]
    codes = {f"{what}, {which}": ".0%" for what in uses for which in "AB"}
    codes |= {f"{what}, B - A": CHANGE for what in uses} | {f"p of {what}": P for what in uses}
    if first.blind:
        codes |= {"holder's points": "+.2f", "holder's win share": CHANGE, "p of points": P}
    put(report, items.name, rows, codes=codes, show=20)
    for one, held in by_policy:
        _items_of(report, one, shown, one.found.items[name], held)


def _items_of(
    report: Report, one: Compared, shown: Sequence[Compared], found: ItemDifference, rows: list[Row]
) -> None:
    """What is said of the items of one policy."""
    items, words, of = found.set, found.set.words, _of(one, shown)
    _say_changed(report, rows, items, one.policy)
    _plot_use(report, rows, items, of)
    middle = _median([found.use.get(row["number"], 1) for row in rows])
    report.text(of + power_text(middle, f"how often one {items.one} is {words.used}"))
    for what in words[:2]:
        changed = sorted(
            (row for row in rows if row[f"p of {what}"] <= ALARM), key=lambda r: r[f"p of {what}"]
        )
        names = [f"{_named(row, items.one)} ({row[f'{what}, B - A']:+.1%})" for row in changed]
        _say(report, names[:SHOWN], f"{of}How often {items.name} are {what} changed most surely")
    if found.blind:
        _holders(report, found, rows, of)


def _say_changed(report: Report, rows: Sequence[Row], items: ItemSet, policy: str) -> None:
    """What became of the items that are not the same, in one sentence each."""
    for row in rows:
        if row["changed"] is None:
            continue
        used = items.words.used
        a, b = (_share(row[f"{used}, {which}"]) for which in "AB")
        told = f"{policy} {used} it in {a} of its games under A, {b} under B"
        kind = "info"
        if row["unused"] is not None:
            where = "" if len(row["unused"]) > 1 else f"under {row['unused']} "
            told, kind = where + mute_words(items, policy), "warning"
        report.note(f"{items.one} {_named(row, items.one)}, {row['changed']}: {told}.", kind)


def _share(value: float) -> str:
    return "no game" if math.isnan(value) else f"{value:.0%}"


def _plot_use(report: Report, rows: list[Row], items: ItemSet, of: str) -> None:
    """How often items are used: those that differ first, then those whose use has changed most."""
    column = f"{items.words.used}, B - A"
    judged = [row for row in rows if not math.isnan(row[f"p of {items.words.used}"])]
    top = sorted(judged, key=lambda row: (row["changed"] is None, -abs(row[column])))[:SHOWN]
    if not top:
        return
    drawn = forest(
        [_named(r, items.one) + (" *" if r["changed"] is not None else "") for r in top], [r[column] for r in top],
        [r[f"{column} low"] for r in top], [r[f"{column} high"] for r in top],
        reference=0.0, xlabel=f"share of games in which it is {items.words.used}, B less A",
    )  # fmt: skip
    words = f"{of}how often {items.name} are {items.words.used}: those that differ (*), then the greatest changes."
    report.plot(drawn, words, f"{words} A line for each {items.one} with its 95 % interval.")


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


def _holders(report: Report, found: ItemDifference, rows: list[Row], of: str = "") -> None:
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
        words = f"{of}The {name} whose holders gain or lose most."
        report.plot(drawn, words, f"{words} A line for each {one} with its 95 % interval.")
    won, points = (_median([found.holders.get(row["number"], k) for row in judged]) for k in range(2))
    report.text(of + power_text(won, f"what the holders of one {one} win"))
    report.text(reach_text({f"points of the holders of one {one}": points}))
    flagged = [(r, r["holder's points"]) for r in changed if r["p of points"] <= ALARM]
    names = [f"{_named(r, one)} ({points:+.2f})" for r, points in flagged]
    _say(report, names, f"{of}Points of holders changed")


def _median(held: list[Estimate]) -> Estimate:
    """The one with as many games as most."""
    return sorted(held, key=lambda e: e.games)[len(held) // 2] if held else unknown()


def _say(report: Report, names: list[str], what: str, kind: str = "info") -> None:
    report.note(
        f"{what}: {', '.join(names)}." if names else f"{what}: nothing that could not be chance.", kind
    )
