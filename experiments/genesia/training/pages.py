"""The tables of this folder's page, made from what was kept of runs: what they beat in the end, curves, comparisons.

    python -m experiments.genesia.training.pages     writes them into the page

A test compares the page with what this would write, so that no figure of these tables is typed by hand.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from functools import partial
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

#: Whom best responses learned against, by the file of what was found.
EXPLOITED = {
    "former": "the network before, which had met exploiters",
    "former-third": "the same, rate of learning falling sooner",
    "former-drawn": "the same, which draws its actions",
    "many": "the network that ships",
    "hour-drawn": "that of an hour from nothing, which draws",
}
#: Decisions that best responses had learned from.
MILLIONS = (1, 2.2, 4.8, 10.2, 15.3, 22, 47.8)


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


def minutes(run: str = "ten-0") -> str:
    """How strong the models of a run were after so many minutes, against a panel."""
    held, rows = read(f"{run}/{CURVE}"), []
    met = {row["against"]: "" if row["held_out"] else ", met" for row in held}
    for spent in dict.fromkeys(row["minutes"] for row in held):
        found = {row["against"]: row for row in held if row["minutes"] == spent}
        decisions = next(iter(found.values()))["decisions"]
        shares = (percent(found[code]) for code in met)
        millions = f"{decisions / 1e6:.0f}" if decisions >= 1e8 else f"{decisions / 1e6:.2g}"
        rows.append([f"{spent:.3g}", f"{millions} million", *shares])
    return markdown(["minutes", "decisions", *(f"`{code}`{told}" for code, told in met.items())], rows)


def exploits() -> str:
    """How often best responses are first, by how many decisions they have learned from."""
    rows = []
    for file, words in EXPLOITED.items():
        held = {_place(row["decisions"]): row for row in read(f"exploit/{file}.json")["points"]}
        shares = (percent(held[at]) if at in held else "" for at in MILLIONS)
        rows.append([words, *shares])
    return markdown(["", *(f"{at:g} million" for at in MILLIONS)], rows)


def _place(decisions: int) -> float | None:
    """The column of so many decisions, if there is one: they are as many to within an eighth."""
    near = [at for at in MILLIONS if abs(decisions / 1e6 / at - 1) < 1 / 8]
    return near[0] if near else None


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


def networks() -> str:
    """What networks of each kind beat after the same minutes; of one seed, so that there are no extremes."""
    with (RESULTS / "networks" / "table.csv").open(newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    cells = [
        [name, weights, decisions, *(share.partition(" (")[0] for share in shares)]
        for name, _, weights, decisions, *shares in rows
    ]
    return markdown([head[0], *head[2:]], cells)


def common() -> str:
    """One network for all numbers of players beside a network for each."""
    return table(read("common.json"))


#: The tables of each page.
PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    RESULTS / "README.md": {
        "seeds": seeds,
        "minutes": minutes,
        "hour": partial(minutes, "hour"),
        "exploits": exploits,
        "search": search,
        "common": common,
        "networks": networks,
    },
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
