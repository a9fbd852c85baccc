"""The table of this folder's page, made from what runs have kept: the curves of `curve.py`.

    python -m experiments.genesia.training.pages     writes it into the page

A test compares the page with what this would write, so that no figure of it is typed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from experiments.models import percent
from genesia_rl.core.files import replace_text
from genesia_rl.core.pages import filled
from genesia_rl.learn.curve import CURVE
from genesia_rl.report.markdown import markdown

RESULTS = Path(__file__).resolve().parent
#: The runs with a curve, by the words of the table.
RUNS = {"two": "2 players", "three": "3 players", "four": "4 players"}


def minutes() -> str:
    """How strong the models of a run were after so many minutes, against a panel."""
    rows, panel = [], []
    for run, words in RUNS.items():
        held = json.loads((RESULTS / run / CURVE).read_text())
        panel = list(dict.fromkeys(row["against"] for row in held))
        for spent in dict.fromkeys(row["minutes"] for row in held):
            found = {row["against"]: percent(row) for row in held if row["minutes"] == spent}
            rows.append([words, f"{spent:.0f}", *(found[code] for code in panel)])
    return markdown(["", "minutes", *(f"`{code}`" for code in panel)], rows)


#: The tables of each page.
PAGES: dict[Path, dict[str, Callable[[], str]]] = {
    RESULTS / "README.md": {"minutes": minutes},
}


def page(path: Path) -> str:
    """A page with its tables made anew."""
    return filled(path.read_text(encoding="utf-8"), PAGES[path], "pages.py")


def main() -> None:
    """Write the table into the page."""
    for path in PAGES:
        replace_text(path, page(path))


if __name__ == "__main__":
    main()
