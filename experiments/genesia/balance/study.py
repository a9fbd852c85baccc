"""The tables of the study's page, made from the tables that its reports have kept.

    python -m experiments.genesia.balance.study     writes them into README.md

A test compares the page with what this would write, so that no figure there is typed by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from genesia_rl.core.pages import filled
from genesia_rl.games.genesia.lab.cards import CARDS
from genesia_rl.lab.items import HARDLY_EVER, TOO_LITTLE, TOO_MUCH
from genesia_rl.lab.pages_items import flags_of
from genesia_rl.report.markdown import markdown
from genesia_rl.report.page import TABLES
from genesia_rl.report.reading import Rows, read

RESULTS = Path(__file__).parent
PAGE = RESULTS / "README.md"
FLAGS = flags_of(CARDS)
ENDS = 5  # of the strongest and the weakest cards
NUMBERS = ("two", "three", "four", "five")
PURPOSES = (("fairest", "best"), ("fairest", "worst"), ("most warlike", "best"), ("most warlike", "worst"))
Maker = Callable[[Sequence[Path]], str]


def kept(results: Path = RESULTS) -> list[Path]:
    """The reports of the study, by number of players."""
    return [results / name for name in NUMBERS if (results / name / TABLES).is_dir()]


def conditions(rows: Rows) -> Iterator[tuple[list[str], Rows]]:
    """Every number of players with every policy: the first cells of a row, and its rows."""
    for players in sorted(set(rows["players"])):
        part = rows.where(players=players)
        for policy in part.different("policy"):
            yield [str(players), f"`{policy}`"], part.where(policy=policy)


def share(rows: Rows, column: str, i: int = 0) -> str:
    """A share with its interval, in percent."""
    value, low, high = (100 * held[i] for held in rows.figure(column))
    return f"{value:.1f} ({low:.1f} .. {high:.1f}) %"


def first(folders: Sequence[Path]) -> str:
    """Is it good to be first in Age I?"""
    lines = []
    for cells, rows in conditions(read(folders, "places").where(Age="I")):
        games = f"{rows['won games'][0]:,}"
        ends = share(rows.where(place=1), "won"), share(rows.where(place=len(rows)), "won")
        lines.append([*cells, games, f"{100 / len(rows):.1f} %", *ends])
    heads = ["players", "policy", "games", "even", "first of Age I wins", "last of Age I wins"]
    return markdown(heads, lines)


def choosing(folders: Sequence[Path]) -> str:
    """What the right to choose first is worth, and what is chosen."""
    lines, taken = [], read(folders, "takes")
    for cells, rows in conditions(read(folders, "choosing").where(chooses=1)):
        players, policy = rows["players"][0], rows["policy"][0]
        last = taken.where(players=players, policy=policy, place=players)
        takes = ", ".join(f"{100 * value:.0f} %" for value in last["takes it"])
        lines.append([*cells, f"{rows['won games'][0]:,}", share(rows, "won"), share(rows, "won", 1), takes])
    heads = [
        "players",
        "policy",
        "games",
        "chooses first after Age I",
        "after Age II",
        "takes the last place",
    ]
    return markdown(heads, lines)


def lots(folders: Sequence[Path]) -> str:
    """The best and the worst lots for two purposes."""
    lines = []
    for cells, rows in conditions(read(folders, "lots_for")):
        found = [rows.where(purpose=purpose, end=end) for purpose, end in PURPOSES]
        if all(map(len, found)):
            lines.append([*cells, *map(_combination, found)])
    return markdown(["players", "policy", "fairest", "most unfair", "most warlike", "most peaceful"], lines)


def _combination(rows: Rows) -> str:
    """`b+y / g+r / r+v: +1.0 (0.5 .. 1.5)`."""
    ages = [rows[f"Age {age}"][0] for age in ("I", "II", "III")]
    colours = " / ".join("+".join(colour[0] for colour in age.split("+")) for age in ages)
    is_share = rows["trait"][0] == "first player's edge"
    sign, scale = ("+", 100) if is_share else ("", 1)
    value, low, high = (f"{scale * rows[name][0]:{sign}.1f}" for name in ("value", "low", "high"))
    return f"{colours}: {value} ({low} .. {high})"


def cards(folders: Sequence[Path]) -> str:
    """The strongest and the weakest cards, held at random."""
    lines = []
    for cells, rows in conditions(read(folders, "cards")):
        ends = rows.sorted("held: won").first(ENDS), rows.sorted("held: won", descending=False).first(ENDS)
        lines.append([*cells, *(", ".join(_card(part, i) for i in range(len(part))) for part in ends)])
    return markdown(["players", "policy", "the five strongest", "the five weakest"], lines)


def _card(rows: Rows, i: int) -> str:
    value, low, high = (100 * held[i] for held in rows.figure("held: won"))
    return f"{rows['number'][i]} {rows['card'][i]} {value:+.0f} ({low:+.0f} .. {high:+.0f})"


def flags(folders: Sequence[Path]) -> str:
    """How many cards are flagged, and how."""
    words = (
        f"How many of the {CARDS.most} cards are flagged. Overpowered: the holder wins by more than "
        f"{100 * TOO_MUCH:.0f} points oftener. Never worth playing: played in less than "
        f"{100 * HARDLY_EVER:.0f} % of the games in which it is held. Dominated: of no use, while another "
        f"card that can do its work for no more wins by more than {100 * TOO_LITTLE:.0f} points oftener. All "
        "beyond what chance would do.\n\n"
    )
    found = conditions(read(folders, "cards"))
    lines = [[*cells, *(str(len(rows.where(flag=flag))) for flag in FLAGS)] for cells, rows in found]
    return words + markdown(["players", "policy", *FLAGS], lines)


def without(folders: Sequence[Path]) -> str:
    """What is lost by going without something."""
    held = read(folders, "without")
    things, lines = held.different("without"), []
    for cells, rows in conditions(held):
        each = [share(rows.where(without=thing), "won") for thing in things]
        lines.append([*cells, f"{rows['won games'][0]:,}", *each])
    return markdown(["players", "policy", "games each", *(f"no {thing}" for thing in things)], lines)


MAKERS: tuple[Maker, ...] = (first, choosing, lots, cards, flags, without)


def page(text: str, folders: Sequence[Path]) -> str:
    """The page with its tables made anew."""
    tables: dict[str, Any] = {make.__name__: partial(make, folders) for make in MAKERS}
    return filled(text, tables, "study.py")


def main() -> None:
    """Write the tables into the page."""
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), kept()), encoding="utf-8")


if __name__ == "__main__":
    main()
