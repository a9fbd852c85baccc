"""The report on a change: what it does to the game, to places, to cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from experiments.balance.cards import JUDGED, NUMBERS
from experiments.balance.difference import Difference
from experiments.balance.figures import power_text
from experiments.balance.gather import parts_of
from experiments.balance.lots import EDGE, TRAITS
from experiments.balance.pages_course import AGE_NAMES
from experiments.balance.settings import Setting
from experiments.balance.tables import CHANGE, P, Row, figure, put
from experiments.report.page import Report
from experiments.report.plots import forest
from experiments.shards.store import Store
from experiments.stats.multiple import benjamini_hochberg, holm
from genesia_rl.games.genesia.data import Data, load_data
from genesia_rl.games.genesia.names import AGES

ALARM = 0.05
SHOWN = 12


def compared(players: int, stores: Sequence[Store]) -> Difference:
    """All games of both, deal by deal."""
    found = Difference(players)
    for a, b in zip(parts_of(stores[0]), parts_of(stores[1]), strict=True):
        found.add(a, b)
    return found


def make_difference_report(
    settings: Sequence[Setting], stores: Sequence[Store], folder: Path, facts: Mapping[str, Any]
) -> Report:
    """The page; every difference is B less A."""
    found = compared(settings[0].players, stores)
    report = Report("Genesia: a change", "The same deals under two configurations: B less A.")
    report.facts(
        {**facts, **{name: _told(setting) for name, setting in zip(("A is", "B is"), settings, strict=True)}}
    )
    report.text(
        "Both configurations were played with the same seeds, so the luck of the deal is in both and "
        "leaves the difference. p values are corrected for the number of questions in their table: that any "
        f"of the game's traits, or any place, is called changed by chance has a probability of "
        f"{100 * ALARM:.0f} % (Holm); of the cards called changed {100 * ALARM:.0f} % are expected to be "
        "false alarms (Benjamini and Hochberg)."
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
        {"trait": name, "A": found.traits.get(0, k).value, **figure("B - A", e), "p": float(value)}
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
    """How cards are used under both, what their holders gain; p, of points, corrected for all cards."""
    known = [n for n in NUMBERS if n in data.cards and found.holders.get(n, 1).blocks >= JUDGED]
    p = benjamini_hochberg(np.array([found.holders.get(n, 1).p() for n in known]))
    rows = []
    for number, value in zip(known, p, strict=True):
        use = {
            f"{what}, {which}": found.cards.get(k, number, column).value
            for column, what in enumerate(("kept", "played")) for k, which in enumerate("AB")
        }  # fmt: skip
        card = data.cards[number]
        rows.append({
            "number": number, "card": card.name, "Age": card.age, "lot": card.lot,
            **figure("holder's points", found.holders.get(number, 1)),
            **figure("holder's win share", found.holders.get(number, 0)), "p of points": float(value), **use,
        })  # fmt: skip
    return rows


def _traits(report: Report, found: Difference) -> None:
    report.section(
        "The game",
        "The score is the mean of all players; closeness is the lead of the winner in points; the first "
        "player's edge is what the first of Age I wins more than its even share.",
    )
    rows = trait_rows(found)
    put(report, "traits", rows, codes={"B - A": ".3f", "A": ".3f", "p": P})
    report.text(power_text(found.trait(EDGE), "the first player's edge"))
    _say(report, [row["trait"] for row in rows if row["p"] <= ALARM], "Changed")


def _places(report: Report, found: Difference) -> None:
    report.section("Places in the turn order", "What whoever has the place wins and scores, B less A.")
    rows = place_rows(found)
    put(report, "places", rows, codes={"won": "+.2%", "score": "+.3f", "p of won": P})
    changed = [f"place {row['place']} in Age {row['Age']}" for row in rows if row["p of won"] <= ALARM]
    _say(report, changed, "Win shares changed")


def _cards(report: Report, found: Difference, data: Data) -> None:
    """How cards are used under both, and what happened to those who hold them in both."""
    report.section(
        "Cards",
        "Holders: who holds the card under both configurations; their wins and their points ahead of the "
        "mean of the others, B less A. Who holds a card holds it in place of another of the Age: a card "
        "whose holders gain much makes those of the Age's other cards lose a little, so read the greatest "
        f"changes first. Cards held by the same player in fewer than {JUDGED} deals are left out.",
    )
    rows = card_rows(found, data)
    codes = {"holder's points": "+.2f", "holder's win share": CHANGE, "p of points": P}
    codes |= {f"{what}, {which}": ".0%" for what in ("kept", "played") for which in "AB"}
    put(report, "cards", rows, codes=codes, show=20)
    changed = sorted(rows, key=lambda row: -abs(row["holder's points"]))
    if changed:
        top = changed[:SHOWN]
        drawn = forest(
            [f"{r['number']} {r['card']}" for r in top], [r["holder's points"] for r in top],
            [r["holder's points low"] for r in top], [r["holder's points high"] for r in top],
            reference=0.0, unit="points", xlabel="points of the holder, B less A",
        )  # fmt: skip
        words = "The cards whose holders gain or lose most."
        report.plot(drawn, words, f"{words} A line for each card with its 95 % interval.")
    flagged = [(r, r["holder's points"]) for r in changed if r["p of points"] <= ALARM]
    names = [f"{r['number']} {r['card']} ({points:+.2f})" for r, points in flagged]
    _say(report, names, "Points of holders changed")


def _say(report: Report, names: list[str], what: str) -> None:
    report.note(f"{what}: {', '.join(names)}." if names else f"{what}: nothing that could not be chance.")
