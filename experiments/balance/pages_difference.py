"""The report on a change: what it does to the game, to places, to cards."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from experiments.balance.cards import JUDGED, NUMBERS
from experiments.balance.difference import Difference
from experiments.balance.figures import power_text, reach_text
from experiments.balance.gather import parts_of
from experiments.balance.lots import EDGE, TRAITS
from experiments.balance.pages_course import AGE_NAMES
from experiments.balance.settings import Setting
from experiments.balance.tables import CHANGE, P, Row, figure, put
from experiments.report.page import Report
from experiments.report.plots import forest
from experiments.shards.store import Store
from experiments.stats.estimate import Estimate, unknown
from experiments.stats.multiple import benjamini_hochberg, holm
from genesia_rl.games.genesia.data import Data, load_data
from genesia_rl.games.genesia.names import AGES

Array = npt.NDArray[Any]
ALARM = 0.05
USES = ("kept", "played")
SHOWN = 12


def compared(settings: Sequence[Setting], stores: Sequence[Store]) -> Difference:
    """All games of both, deal by deal."""
    found = Difference(settings[0].players, all(setting.blind_drafts for setting in settings))
    for a, b in zip(parts_of(stores[0]), parts_of(stores[1]), strict=True):
        found.add(a, b)
    return found


def make_difference_report(
    settings: Sequence[Setting], stores: Sequence[Store], folder: Path, facts: Mapping[str, Any]
) -> Report:
    """The page; every difference is B less A."""
    found = compared(settings, stores)
    report = Report("Genesia: a change", "The same deals under two configurations: B less A.")
    report.facts(
        {**facts, **{name: _told(setting) for name, setting in zip(("A is", "B is"), settings, strict=True)}}
    )
    report.text(
        "Both configurations were played with the same seeds, so the luck of the deal is in both and "
        "leaves the difference. p values are corrected for the number of questions in their table: that any "
        f"of the game's traits, or any place, is called changed by chance has a probability of "
        f"{100 * ALARM:.0f} % (Holm)."
    )
    _traits(report, found)
    _places(report, found)
    _cards(report, found, load_data(settings[1].game.get("data")))
    report.save(folder)
    return report


def _told(setting: Setting) -> str:
    return ", ".join(
        f"{name} = {value}" for name, value in setting.model_dump().items() if value not in ((), {}, False)
    )


def trait_rows(found: Difference) -> list[Row]:
    """What the games are like; p corrected for the number of traits."""
    held = [found.trait(k) for k in range(len(TRAITS))]
    p = holm(np.array([e.p() for e in held]))
    return [
        {"trait": name, **figure("A", found.traits.get(0, k)), **figure("B - A", e), "p": float(value)}
        for k, (name, e, value) in enumerate(zip(TRAITS, held, p, strict=True))
    ]


def place_rows(found: Difference) -> list[Row]:
    """Wins and points by place; p, of wins, corrected for the number of places."""
    at = [(age, place) for age in range(AGES) for place in range(found.players)]
    p = holm(np.array([found.places.get(age, place, 0).p() for age, place in at]))
    return [
        {"Age": AGE_NAMES[age], "place": place + 1, **figure("won", found.places.get(age, place, 0)),
         **figure("score", found.places.get(age, place, 1)), "p of won": float(value)}
        for (age, place), value in zip(at, p, strict=True)
    ]  # fmt: skip


def card_rows(found: Difference, data: Data) -> list[Row]:
    """How cards are used under both; if drafts were blind, what their holders gain.

    p is corrected for all cards; of a card that few have held, or that was seldom dealt, it is nan.
    """
    seen = [n for n in NUMBERS if n in data.cards and max(found.cards.get(k, n, 0).games for k in (0, 1))]
    held = [found.holders.get(n, 1) for n in seen]
    p = _corrected(held)
    used = {what: [found.use.get(n, k) for n in seen] for k, what in enumerate(USES)}
    p_used = {what: _corrected(estimates) for what, estimates in used.items()}
    rows = []
    for i, (number, value) in enumerate(zip(seen, p, strict=True)):
        card = data.cards[number]
        row: Row = {"number": number, "card": card.name, "Age": card.age, "lot": card.lot}
        if found.blind:
            row |= figure("holder's points", found.holders.get(number, 1))
            row |= figure("holder's win share", found.holders.get(number, 0))
            row |= {"p of points": float(value)}
        for column, what in enumerate(USES):
            row |= figure(f"{what}, B - A", used[what][i])
            row |= {f"p of {what}": float(p_used[what][i])}
            for k, which in enumerate("AB"):
                row |= figure(f"{what}, {which}", found.cards.get(k, number, column))
        rows.append(row)
    return rows


def _corrected(held: list[Estimate]) -> Array:
    """p of all cards, corrected for asking about all; nan where there are too few deals."""
    return benjamini_hochberg(np.array([e.p() if e.blocks >= JUDGED else math.nan for e in held]))


def _traits(report: Report, found: Difference) -> None:
    report.section(
        "The game",
        "The score is the mean of all players; closeness is the lead of the winner in points; the first "
        "player's edge is what the first of Age I wins more than its even share.",
    )
    rows = trait_rows(found)
    put(report, "traits", rows, codes={"B - A": ".3f", "A": ".3f", "p": P})
    report.text(power_text(found.trait(EDGE), "the first player's edge"))
    report.text(reach_text({name: found.trait(k) for k, name in enumerate(TRAITS) if k != EDGE}))
    _say(report, [row["trait"] for row in rows if row["p"] <= ALARM], "Changed")


def _places(report: Report, found: Difference) -> None:
    report.section("Places in the turn order", "What whoever has the place wins and scores, B less A.")
    rows = place_rows(found)
    put(report, "places", rows, codes={"won": "+.2%", "score": "+.3f", "p of won": P})
    report.text(power_text(found.places.get(0, 0, 0), "a place"))
    report.text(reach_text({"the score of a place": found.places.get(0, 0, 1)}))
    changed = [f"place {row['place']} in Age {row['Age']}" for row in rows if row["p of won"] <= ALARM]
    _say(report, changed, "Win shares changed")


def _cards(report: Report, found: Difference, data: Data) -> None:
    """How cards are used under both, and what happened to those who hold them in both."""
    use = (
        "Kept: among the games in which the card was dealt; played: among those in which it was kept; B - A "
        "of either: deal by deal, among those in which the card was dealt under both, with a p value "
        "corrected for all cards (Benjamini and Hochberg)."
    )
    if found.blind:
        report.section(
            "Cards",
            "Cards were kept at random under both, so that who holds one is chance. Holders: who holds the "
            "card under both; their wins and their points ahead of the mean of the others, B less A. Who "
            "holds a card holds it in place of another of the Age: a card whose holders gain much makes "
            "those of the Age's other cards lose a little, so read the greatest changes first. Where games "
            "take another course before an Age is drafted, another player may draw the card: such deals "
            "count only if it is the same one, so that deals in which little changed before weigh more. "
            f"{use} Cards held by the same player in fewer than {JUDGED} deals are not judged; of those "
            f"called changed {100 * ALARM:.0f} % are expected to be false alarms (Benjamini and Hochberg).",
        )
    else:
        report.section(
            "Cards",
            f"{use} What the change does to the holder of a card cannot be said of these games: drafts "
            "answer to it, so that those who hold a card under both are not there by chance. To ask it, "
            "write blind_drafts = true into both files.",
        )
    rows = card_rows(found, data)
    codes = {f"{what}, {which}": ".0%" for what in USES for which in "AB"}
    codes |= {f"{what}, B - A": CHANGE for what in USES} | {f"p of {what}": P for what in USES}
    if found.blind:
        codes |= {"holder's points": "+.2f", "holder's win share": CHANGE, "p of points": P}
    put(report, "cards", rows, codes=codes, show=20)
    at = [row["number"] for row in rows]
    report.text(power_text(_median([found.use.get(n, 1) for n in at]), "how often one card is played"))
    for what in USES:
        changed = sorted(
            (row for row in rows if row[f"p of {what}"] <= ALARM), key=lambda r: r[f"p of {what}"]
        )
        names = [f"{row['number']} {row['card']} ({row[f'{what}, B - A']:+.1%})" for row in changed]
        _say(report, names[:SHOWN], f"How often cards are {what} changed most surely")
    if found.blind:
        _holders(report, found, rows)


def _holders(report: Report, found: Difference, rows: list[Row]) -> None:
    """The cards whose holders gain or lose most."""
    judged = [row for row in rows if not math.isnan(row["p of points"])]
    changed = sorted(judged, key=lambda row: -abs(row["holder's points"]))
    if changed:
        top = changed[:SHOWN]
        drawn = forest(
            [f"{r['number']} {r['card']}" for r in top], [r["holder's points"] for r in top],
            [r["holder's points low"] for r in top], [r["holder's points high"] for r in top],
            reference=0.0, unit="points", xlabel="points of the holder, B less A",
        )  # fmt: skip
        words = "The cards whose holders gain or lose most."
        report.plot(drawn, words, f"{words} A line for each card with its 95 % interval.")
    won, points = (_median([found.holders.get(row["number"], k) for row in judged]) for k in range(2))
    report.text(power_text(won, "what the holders of one card win"))
    report.text(reach_text({"points of the holders of one card": points}))
    flagged = [(r, r["holder's points"]) for r in changed if r["p of points"] <= ALARM]
    names = [f"{r['number']} {r['card']} ({points:+.2f})" for r, points in flagged]
    _say(report, names, "Points of holders changed")


def _median(held: list[Estimate]) -> Estimate:
    """The one with as many games as most."""
    return sorted(held, key=lambda e: e.games)[len(held) // 2] if held else unknown()


def _say(report: Report, names: list[str], what: str) -> None:
    report.note(f"{what}: {', '.join(names)}." if names else f"{what}: nothing that could not be chance.")
