"""The tables of the environment's page, made from the declarations they describe.

    python -m genesia_rl.games.gentes.text.page     writes them into README.md of the game

A test compares the page with what this would write.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from genesia_rl.core import pages
from genesia_rl.games.gentes import observe
from genesia_rl.games.gentes.actions import NUM_ACTIONS, SEGMENTS
from genesia_rl.games.gentes.names import KINDS, MAX_SEATS, SOLO
from genesia_rl.games.gentes.observe import Row, observation_size

PAGE = Path(__file__).parents[1] / "README.md"

MEANINGS = {
    "tile": "take this action tile",
    "tax": "this Tax Collector",
    "city": "build there, move from there",
    "home": "use it, build there, move from there",
    "card": "keep, take, play or score this card",
    "use": "the once-a-round action or ability of this card in play",
    "citizen": "a type",
    "pay": "the amount",
    "double": "this many spaces hold two hourglasses",
    "count": "Philosopher: by the row for one or for two",
    "region": "a region",
    "gain": "a reward, a kind of cube",
    "do": "what the wild tile does",
    "amount": "temple cubes among those of a hire",
    "swap": "exchange citizens for a temple cube",
    "hire": "recruit for three cubes",
    "end": "no more abilities, cards, exchanges, or the end of the final scoring",
}


def actions() -> str:
    """The segments of the action space."""
    lines = ["| numbers | verb | objects | meaning |", "|---|---|---|---|"]
    for verb, base, objects in SEGMENTS.values():
        numbers = f"{base}..{base + len(objects) - 1}" if objects else str(base)
        if not objects:
            words = ""
        elif objects[0].isdigit():
            words = f"{objects[0]}..{objects[-1]}"
        else:
            words = ", ".join(objects)
        lines.append(f"| {numbers} | `{verb}` | {words} | {MEANINGS[verb]} |")
    return "\n".join([*lines, "", f"{NUM_ACTIONS} actions in all."])


def kinds() -> str:
    """The kinds of decisions."""
    return ", ".join(f"`{kind}`" for kind in KINDS[1:])


def sizes() -> str:
    """How large an observation is."""
    lines = ["| players | bytes |", "|---|---|"]
    for players in range(SOLO, MAX_SEATS + 1):
        lines.append(f"| {'solo' if players == SOLO else players} | {observation_size(players)} |")
    return "\n".join(lines)


def observation() -> str:
    """The pieces of the observation."""
    groups: list[tuple[str, Iterable[Row]]] = [
        (f"`{block.name}`: planes over the {block.count} of them, one each", block.rows)
        for block in observe.FIXED_BLOCKS
    ]
    groups.append(("`globals`", observe.GLOBALS))
    for block in observe.SEAT_BLOCKS:
        title = f"`{block.name}`: planes over the {block.count} of them; the last is one for each seat, the own first"
        groups.append((title, (*block.rows, *([] if block.of_seats is None else [block.of_seats]))))
    groups.append(("`seats`: a row of features for each seat, the own first", observe.SEAT_FEATURES))
    lines: list[str] = []
    for title, rows in groups:
        lines += ["", title, "", "| name | size | values | meaning |", "|---|---|---|---|"]
        lines += [f"| `{row.name}` | {row.size} | {row.low}..{row.high} | {row.meaning} |" for row in rows]
    return "\n".join(lines).strip()


TABLES = {"actions": actions, "observation": observation, "sizes": sizes, "kinds": kinds}


def filled(text: str) -> str:
    """The page with its tables made anew."""
    return pages.filled(text, TABLES, "page.py")


def main() -> None:
    """Write the tables into the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
