"""The tables of the environment's page, made from the declarations they describe.

    python -m genesia_rl.games.genesia.text.page     writes them into README.md beside this file

A test compares the page with what this would write.
"""

from __future__ import annotations

from pathlib import Path

from genesia_rl.core import pages as filling
from genesia_rl.games.genesia import observe
from genesia_rl.games.genesia.actions import BASES, NUM_ACTIONS, SEGMENTS
from genesia_rl.games.genesia.names import KINDS
from genesia_rl.games.genesia.observe import observation_size

PAGE = Path(__file__).parents[1] / "README.md"

OBJECTS = {
    "end": "ends a turn, declines, passes",
    "war": "the stance",
    "peace": "the stance",
    "position": "a place in the next turn order, 0 = first",
    "seat": "an opponent; 0 is the agent's own seat, 1 its left neighbour",
    "objective": "keep this objective",
    "amount": "a number",
    "region": "recruit there, or the chosen place of an effect",
    "card": "keep this card (draft), or play it",
    "discard": "discard this card",
    "edge": "move or assault along this directed edge of the map",
}


def actions() -> str:
    """The segments of the action space."""
    lines = ["| numbers | verb | objects | meaning |", "|---|---|---|---|"]
    for verb, segment in SEGMENTS.items():
        first, last = BASES[verb], BASES[verb] + segment.size - 1
        numbers = str(first) if first == last else f"{first}..{last}"
        objects = "" if segment.size == 1 else f"{segment.first}..{segment.first + segment.size - 1}"
        if verb == "edge":
            objects = "places in the edge table"
        lines.append(f"| {numbers} | `{verb}` | {objects} | {OBJECTS[verb]} |")
    return "\n".join([*lines, "", f"{NUM_ACTIONS} actions in all; numbers between segments are never legal."])


def observation() -> str:
    """The pieces of the observation."""
    lines: list[str] = []
    groups = (
        ("`regions`: planes over the regions, one each", observe.PLANES),
        ("`regions`, continued: one plane for each seat, the own first", observe.SEAT_PLANES),
        ("`seats`: a row of features for each seat, the own first", observe.SEAT_FEATURES),
        ("`cards`: planes over the card numbers 0..99, one each", observe.CARD_PLANES),
        ("`cards`, continued: one plane for each seat, the own first", observe.SEAT_CARD_PLANES),
        ("`globals`", observe.GLOBALS),
    )
    for title, pieces in groups:
        lines += ["", title, "", "| name | size | values | meaning |", "|---|---|---|---|"]
        lines += [f"| `{p.name}` | {p.size} | {p.low}..{p.high} | {p.meaning} |" for p in pieces]
    return "\n".join(lines).strip()


def sizes() -> str:
    """How large an observation is."""
    lines = ["| players | regions | bytes |", "|---|---|---|"]
    for players in range(1, 6):
        seats = max(players, 2)
        regions = 19 * seats + 1
        who = "solo" if players == 1 else str(players)
        lines.append(f"| {who} | {regions} | {observation_size(seats, regions)} |")
    return "\n".join(lines)


def kinds() -> str:
    """The kinds of decisions."""
    return ", ".join(f"`{kind}`" for kind in KINDS[1:])


TABLES = {"actions": actions, "observation": observation, "sizes": sizes, "kinds": kinds}


def filled(text: str) -> str:
    """The page with its tables made anew."""
    return filling.filled(text, TABLES, "page.py")


def main() -> None:
    """Write the tables into the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
