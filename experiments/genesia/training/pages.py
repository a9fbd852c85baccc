"""The tables of this folder's page, made from what was kept of runs: what they beat in the end, curves, comparisons.

    python -m experiments.genesia.training.pages     writes them into the page

A test compares the page with what this would write, so that no figure of these tables is typed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.common import table
from experiments.models import percent
from genesia_rl.core.files import replace_text
from genesia_rl.core.pages import filled
from genesia_rl.learn.curve import CURVE, CURVE_OF_SEARCH
from genesia_rl.learn.run import STRENGTH
from genesia_rl.report.markdown import markdown

RESULTS = Path(__file__).resolve().parent
SEEDS = (0, 1, 2)
#: The runs of each length, by the words of the table.
LENGTHS = {
    "quick": "2 minutes of one core (`quick`)", "ten": "10 minutes of one core (`standard`)",
    "both": "10 minutes of both (`standard`)",
}  # fmt: skip


def read(name: str) -> Any:
    """A file of figures."""
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def seeds() -> str:
    """What runs of every seed beat in the end."""
    rows, panel = [], []
    for run, words in LENGTHS.items():
        for seed in SEEDS:
            found = read(f"{run}-{seed}/{STRENGTH}")
            panel = list(found)
            rows.append([words, str(seed), *(percent(found[code]) for code in panel)])
    return markdown(["", "seed", *(f"`{code}`" for code in panel)], rows)


def minutes() -> str:
    """How strong the models of a run were after so many minutes, against a panel."""
    held, rows = read(f"ten-0/{CURVE}"), []
    met = {row["against"]: "" if row["held_out"] else ", met" for row in held}
    for spent in dict.fromkeys(row["minutes"] for row in held):
        found = {row["against"]: row for row in held if row["minutes"] == spent}
        decisions = next(iter(found.values()))["decisions"]
        shares = (percent(found[code]) for code in met)
        rows.append([f"{spent:g}", f"{decisions / 1e6:.2g} million", *shares])
    return markdown(["minutes", "decisions", *(f"`{code}`{told}" for code, told in met.items())], rows)


def search() -> str:
    """How strong the search is with so many simulations, against the network that it has inside."""
    held = read(f"search/{CURVE_OF_SEARCH}")
    assert {row["against"] for row in held} == {"ppo"}, "the network alone"
    rows = [
        [
            row["budget"],
            str(row["games"]),
            percent(row),
            f"{row['margin']:+.0f}",
            f"{1000 * row['seconds']:.1f} ms",
        ]
        for row in held
    ]
    return markdown(
        ["simulations", "games", "first in", "points ahead", "a decision, of the processor"], rows
    )


def common() -> str:
    """One network for all numbers of players beside a network for each."""
    return table(read("common.json"))


#: The tables of each page.
PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    RESULTS / "README.md": {"seeds": seeds, "minutes": minutes, "search": search, "common": common},
}


def page(path: Path) -> str:
    """A page with its tables made anew."""
    return filled(path.read_text(encoding="utf-8"), PAGES[path], "pages.py")


def main() -> None:
    """Write the tables into the page."""
    for path in PAGES:
        replace_text(path, page(path))


if __name__ == "__main__":
    main()
