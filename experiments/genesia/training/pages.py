"""The tables of two pages, made from what runs have kept: models' cards and the curves of `curve.py`.

    python experiments/genesia/training/pages.py     writes them into the pages here and in agents/genesia

A test compares the pages with what this would write, so that no figure there is typed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from genesia_rl.core.files import replace_text
from genesia_rl.core.pages import filled
from genesia_rl.learn.curve import CURVE
from genesia_rl.players.learned import load_model
from genesia_rl.report.markdown import markdown

RESULTS = Path(__file__).resolve().parent
MODELS = RESULTS.parents[2] / "agents" / "genesia"
#: The runs with a curve, by the words of the table.
RUNS = {"two": "2 players", "three": "3 players", "four": "4 players"}


def percent(row: Mapping[str, Any]) -> str:
    """A share of first places with its interval."""
    first, low, high = (100 * row[name] for name in ("first", "low", "high"))
    return f"{first:.1f} % ({low:.1f} .. {high:.1f})"


def models() -> str:
    """A column for each model that comes with the package, from its card."""
    held = [load_model(path) for path in sorted(MODELS.glob("*p.npz"))]
    cards = [model.header["card"] for model in held]
    strengths = [card["strength"] for card in cards]
    rows = [
        ["command", *(f"`{card['command']}`" for card in cards)],
        ["network", *(_network(card["settings"]["network"]) for card in cards)],
        ["seed, minutes, learner's decisions", *map(_made, cards)],
        ["games against each", *(f"{_one(strength)['games']:,}" for strength in strengths)],
        ["an even share", *(f"{100 / model.players:.1f} %" for model in held)],
    ]
    for code in strengths[0]:
        rows.append([f"against `{code}`", *(percent(strength[code]) for strength in strengths)])
    return markdown(["", *(f"`{model.players}p.npz`" for model in held)], rows)


def _one(strength: Mapping[str, Any]) -> Mapping[str, Any]:
    return next(iter(strength.values()))


def _network(tables: Mapping[str, Any]) -> str:
    return f"`{tables['kind']}`, width {tables['width']}"


def _made(card: Mapping[str, Any]) -> str:
    return f"{card['settings']['run']['seed']}, {card['minutes']:.0f}, {card['decisions'] / 1e6:.1f} million"


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
    MODELS / "README.md": {"models": models},
    RESULTS / "README.md": {"minutes": minutes},
}


def page(path: Path) -> str:
    """A page with its tables made anew."""
    return filled(path.read_text(encoding="utf-8"), PAGES[path], "pages.py")


def main() -> None:
    """Write the tables into the pages."""
    for path in PAGES:
        replace_text(path, page(path))


if __name__ == "__main__":
    main()
