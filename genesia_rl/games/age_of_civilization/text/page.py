"""The tables of the environment's page, made from the declarations they describe.

    python -m genesia_rl.games.age_of_civilization.text.page     writes them into README.md of the game

A test compares the page with what this would write.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from genesia_rl.core import pages
from genesia_rl.games.age_of_civilization import observe
from genesia_rl.games.age_of_civilization.actions import NUM_ACTIONS, SEGMENTS
from genesia_rl.games.age_of_civilization.names import ACTIONS, KINDS, MAX_SEATS, SOLO
from genesia_rl.games.age_of_civilization.observe import Row, observation_size

PAGE = Path(__file__).parents[1] / "README.md"

MEANINGS = {
    "end": "end the actions of a turn, the offers after an action, or the end of a turn",
    "rest": "perform no action: two coins and a worker",
    "pass": "take no civilization",
    "rise": "this civilization rises: it is the main one now",
    "annex": "this civilization is annexed: its inherited ability is gained",
    "card": "keep this civilization in the draft, or put coins on it",
    "act": f"perform an action: {', '.join(ACTIONS)}",
    "special": "buy this special card",
    "tech": "gain this technology, or do its effects for the end of the turn",
    "wonder": "gain this wonder, or do its effects for the end of the turn",
    "main": "do what the main ability says for the end of the turn",
    "heritage": "do what this civilization has left for the end of the turn",
}


def actions() -> str:
    """The segments of the action space."""
    lines = ["| numbers | verb | objects | meaning |", "|---|---|---|---|"]
    for verb, base, size in SEGMENTS.values():
        numbers = str(base) if not size else f"{base}..{base + size - 1}"
        objects = "" if not size else "the ten actions" if verb == "act" else f"1..{size}"
        lines.append(f"| {numbers} | `{verb}` | {objects} | {MEANINGS[verb]} |")
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
        groups.append((title, (*block.rows, observe.OWNER)))
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
