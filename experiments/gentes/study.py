"""The tables of the study's page and of that of the agents, made from what was kept.

    python -m experiments.gentes.study     writes them into README.md here and in agents/gentes

A test compares the pages with what this would write, so that no figure there is typed by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from experiments.gentes import solo
from genesia_rl.core.files import replace_text
from genesia_rl.core.pages import filled
from genesia_rl.report.markdown import markdown
from genesia_rl.report.page import TABLES
from genesia_rl.report.reading import Rows, read

HERE = Path(__file__).resolve().parent
AGENTS = HERE.parents[1] / "agents" / "gentes"
ENDS = 6  # of the strongest and the weakest things
SHOWN = 2  # players: with more of them things were held in too few games for a table
NUMBERS = {"two": 2, "three": 3, "four": 4}
PLACES = ("first", "second", "third", "fourth")
Maker = Callable[[], str]


def reports(kind: str) -> list[Path]:
    """The kept reports of the laboratory (`balance`) or of the arena (`arena`), by number of players."""
    found = [path.parent for path in (HERE / kind).glob(f"*/{TABLES}") if path.parent.name in NUMBERS]
    return sorted(found, key=lambda folder: NUMBERS[folder.name])


def share(rows: Rows, column: str, i: int, unit: str = " %", sign: str = "") -> str:
    """A share with its interval, in hundredths."""
    value, low, high = (100 * held[i] for held in rows.figure(column))
    return f"{value:{sign}.1f} ({low:{sign}.1f} .. {high:{sign}.1f}){unit}"


def conditions(rows: Rows) -> Iterator[tuple[list[str], Rows]]:
    """Every number of players with every policy: the first cells of a row, and its rows."""
    for players in sorted(set(rows["players"])):
        part = rows.where(players=players)
        for policy in sorted(part.different("policy")):
            yield [str(players), f"`{policy}`"], part.where(policy=policy)


# ---------------------------------------------------------------- the laboratory


def first() -> str:
    """Is it good to go first?"""
    lines = []
    for cells, rows in conditions(read(reports("balance"), "places")):
        each = [share(rows, "won", i) for i in range(len(rows))]
        games = f"{rows['won games'][0]:,}"
        lines.append([*cells, games, f"{100 / len(rows):.1f} %", *each, *[""] * (len(PLACES) - len(each))])
    return markdown(["players", "policy", "games", "even", *PLACES], lines)


def ends(name: str, one: str, cells: tuple[str, ...] = (), numbered: bool = True) -> str:
    """The things of a set that are worth most and least, of each condition; each with the games that it was held in."""
    lines = []
    for where, rows in conditions(read(reports("balance"), name).where(players=SHOWN)):
        known = rows.known("held: won").sorted("held: won")
        judged = [i for i in range(len(known)) if known["held: won games"][i] >= 30]
        chosen = judged if len(judged) <= 2 * ENDS else [*judged[:ENDS], *judged[-ENDS:]]
        for i in chosen:
            what = f"{known['number'][i]} {known[one][i]}" if numbered else known[one][i]
            more = [str(known[cell][i]) for cell in cells]
            worth = share(known, "held: won", i, "", "+")
            lines.append(
                [*where, what, *more, worth, f"{known['held: won games'][i]:,}", known["flag"][i] or ""]
            )
    return markdown(["players", "policy", one, *cells, "wins oftener by", "games", "flag"], lines)


def cards() -> str:
    """What having a card from the beginning of its era does."""
    return ends("cards", "card", ("era", "points"))


def tiles() -> str:
    """What having a tile for oneself does."""
    return ends("tiles", "tile", ("coins", "hourglasses"))


def cities() -> str:
    """What beginning with a token on a city does."""
    return ends("cities", "city", ("region", "symbol", "reward"))


def homes() -> str:
    """What beginning with a token on a Home does."""
    return ends("homes", "Home", ("row",), numbered=False)


def bonus() -> str:
    """What beginning with a bonus tile does."""
    return ends("bonus", "bonus", numbered=False)


def without() -> str:
    """What is lost by going without something."""
    lines = []
    for cells, rows in conditions(read(reports("balance"), "without")):
        for i in range(len(rows)):
            what, games = f"no {rows['without'][i]}", f"{rows['won games'][i]:,}"
            lines.append([*cells, what, share(rows, "won", i), f"{100 * rows['even'][i]:.1f} %", games])
    return markdown(["players", "policy", "going without", "first in", "even", "games"], lines)


def alone() -> str:
    """The solo game by level of skill."""
    ranks = solo.ranks()
    lines = []
    for held in solo.kept():
        mean, reach = held.mean
        ordered = sorted(held.scores)
        spread = [f"{ordered[int(part * (len(ordered) - 1))]}" for part in solo.SHARES]
        reached = [f"{100 * held.reached(least):.0f} %" for least in ranks.values()]
        lines.append([f"`{held.agent}`", f"{len(ordered):,}", f"{mean:.1f} ± {reach:.1f}", *spread, *reached])
    heads = ["player", "games", "mean", *(f"{100 * part:.0f} %" for part in solo.SHARES)]
    return markdown([*heads, *ranks], lines)


# ---------------------------------------------------------------- the agents


def ladder() -> str:
    """Ratings and first places in all games of an arena, by number of players."""
    lines = []
    for folder in reports("arena"):
        ratings, points = read([folder], "ratings"), read([folder], "points")
        for i, agent in enumerate(ratings["agent"]):
            row = points.where(agent=agent)
            elo = f"{ratings['Elo'][i]:+.0f} ({ratings['low'][i]:+.0f} .. {ratings['high'][i]:+.0f})"
            mean, low, high = (held[0] for held in row.figure("score"))
            scored = f"{mean:.1f} ({low:.1f} .. {high:.1f})"
            lines.append(
                [
                    str(NUMBERS[folder.name]),
                    f"`{agent}`",
                    elo,
                    share(row, "first", 0),
                    scored,
                    f"{row['games'][0]:,}",
                ]
            )
    return markdown(["players", "agent", "rating", "first in", "points", "games"], lines)


#: The tables of each page.
PAGES: dict[Path, tuple[Maker, ...]] = {
    HERE / "README.md": (first, cards, tiles, cities, homes, bonus, without, alone),
    AGENTS / "README.md": (ladder,),
}


def page(path: Path) -> str:
    """A page with its tables made anew."""
    tables = {make.__name__: make for make in PAGES[path]}
    return filled(path.read_text(encoding="utf-8"), tables, "study.py")


def main() -> None:
    """Write the tables into the pages."""
    for path in PAGES:
        replace_text(path, page(path))


if __name__ == "__main__":
    main()
