"""The tables of the environment's page, made from the declarations they describe.

    python -m genesia_rl.games.genesis.text.page     writes them into README.md of the game

A test compares the page with what this would write.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from genesia_rl.core import pages
from genesia_rl.games.genesis import observe
from genesia_rl.games.genesis.actions import num_actions, segments
from genesia_rl.games.genesis.data.pieces import load_data
from genesia_rl.games.genesis.names import KINDS, MAX_SEATS, MAX_SIDE, MIN_SEATS, MIN_SIDE, TERRAINS
from genesia_rl.games.genesis.observe import Row, observation_size

PAGE = Path(__file__).parents[1] / "README.md"

MEANINGS = {
    "end": "decline the second tile",
    "tile": f"the terrain of the next tile: {', '.join(TERRAINS)}",
    "cell": "place it there; y * width + x, from the top left",
}


def actions() -> str:
    """The segments of the action space of the standard board."""
    cells = load_data().board.cells
    lines = ["| numbers | verb | objects | meaning |", "|---|---|---|---|"]
    for verb, base, size in segments(cells):
        numbers = str(base) if size == 1 else f"{base}..{base + size - 1}"
        objects = "" if size == 1 else f"0..{size - 1}"
        lines.append(f"| {numbers} | `{verb}` | {objects} | {MEANINGS[verb]} |")
    return "\n".join([*lines, "", f"{num_actions(cells)} actions in all on the standard board."])


def kinds() -> str:
    """The kinds of decisions."""
    return ", ".join(f"`{kind}`" for kind in KINDS[1:])


def sizes() -> str:
    """How large an observation is."""
    lines = ["| board | players | bytes |", "|---|---|---|"]
    boards = {"standard": load_data().board.cells, "smallest": MIN_SIDE**2, "largest": MAX_SIDE**2}
    for name, cells in boards.items():
        for players in range(MIN_SEATS, MAX_SEATS + 1):
            lines.append(f"| {name}, {cells} cells | {players} | {observation_size(players, cells)} |")
    return "\n".join(lines)


def observation() -> str:
    """The pieces of the observation."""
    groups: tuple[tuple[str, Iterable[Row]], ...] = (
        ("`cells`: planes over the cells, one each", observe.PLANES),
        ("`cells`, continued: one plane for each seat, the own first", observe.SEAT_PLANES),
        ("`seats`: a row of features for each seat, the own first", observe.SEAT_FEATURES),
        ("`globals`", observe.GLOBALS),
    )
    lines: list[str] = []
    for title, rows in groups:
        lines += ["", title, "", "| name | size | values | meaning |", "|---|---|---|---|"]
        lines += [f"| `{r.name}` | {r.size} | {r.low}..{r.high} | {r.meaning} |" for r in rows]
    return "\n".join(lines).strip()


TABLES = {"actions": actions, "kinds": kinds, "sizes": sizes, "observation": observation}


def filled(text: str) -> str:
    """The page with its tables made anew."""
    return pages.filled(text, TABLES, "page.py")


def main() -> None:
    """Write the tables into the page."""
    PAGE.write_text(filled(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
