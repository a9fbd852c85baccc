"""A tuning of a game's numbers that is kept with its study: the report, what it proposes, and the tables of the page.

    python -m experiments.tuned --game NAME --run RUN    keeps what `genesia balance tune --out RUN` has found
    python -m experiments.tuned                          writes the tables into the pages

It is kept in experiments/NAME/balance/tuned: `report.html` and `tables`. The entries in which a number is another
become a set of the game's data, `balanced`, which every command takes as `--data`. The data that are played unless
one asks stay those of the rules. A test compares the pages with what this would write.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Callable
from functools import partial
from pathlib import Path

from genesia_rl.core.data import data_of
from genesia_rl.core.files import replace_text
from genesia_rl.core.pages import BEGIN, filled
from genesia_rl.core.reading import parse_toml, read_text
from genesia_rl.report.markdown import markdown
from genesia_rl.report.page import TABLES
from genesia_rl.report.reading import Rows, read

HERE = Path(__file__).resolve().parent
KEPT, DATA, REPORT, SET = Path("balance/tuned"), "data", "report.html", "balanced"
MAKER = "tuned.py"
HEAD = re.compile(r"^\[\[(\w+)\]\]$", re.MULTILINE)
MOST = 0.05  # an advantage beyond which a goal is missed, in the tables


# ---------------------------------------------------------------- what is kept


def changed_entries(file: str, ours: str, theirs: str) -> str:
    """Of a data file the entries alone that hold other values than ours, as they are written there."""
    found = []
    for mine, other in zip(_entries(ours), _entries(theirs), strict=True):
        if parse_toml(file, mine) != parse_toml(file, other):
            found.append(other)
    return "\n".join(found)


def _entries(text: str) -> list[str]:
    """The texts of the entries of all lists of a file, without what is commented after them."""
    starts = [match.start() for match in HEAD.finditer(text)]
    parts = [text[a:b] for a, b in zip(starts, [*starts[1:], len(text)], strict=True)]
    return [re.sub(r"(\n(#[^\n]*)?)+\Z", "\n", part) for part in parts]


def keep(game: str, run: Path) -> Path:
    """Keep a finished run beside the study of its game, and what it proposes with the game's data."""
    kept, data = HERE / game / KEPT, data_of(game).ours / SET
    for old in (kept, data):
        shutil.rmtree(old, ignore_errors=True)
    kept.mkdir(parents=True)
    shutil.copyfile(run / REPORT, kept / REPORT)
    shutil.copytree(run / TABLES, kept / TABLES)
    for path in sorted((run / DATA).glob("*.toml")):
        changed = changed_entries(path.name, data_of(game).text(path.name), read_text(path))
        data.mkdir(exist_ok=True)
        replace_text(data / path.name, changed)
    return kept


# ---------------------------------------------------------------- tables of the page


def both(rows: Rows, column: str, i: int, code: str = "") -> str:
    """A figure before and after."""
    return f"{rows[f'{column} before'][i]:{code}} → {rows[f'{column} after'][i]:{code}}"


def goals(kept: Path) -> str:
    """How many goals are missed at each level of skill and number of players, before and after; each goal by itself."""
    rows = read([kept], "verdict_levels")
    several = len(rows.different("goal")) > 1
    lines = [
        [
            *[rows["goal"][i]] * several, f"{rows['players'][i]}", f"`{rows['policy'][i]}`", both(rows, "judged", i),
            both(rows, "missed", i), both(rows, "beyond doubt", i), both(rows, "excess", i, ".0f"),
        ]
        for i in range(len(rows))
    ]  # fmt: skip
    return markdown(
        [*["goal"] * several, "players", "policy", "judged", "missed", "beyond doubt", "excess"], lines
    )


def changes(kept: Path) -> str:
    """The numbers that are others, for whose sake, and what became of that."""
    rows = read([kept], "changes")
    lines = [
        [rows["number"][i], f"{rows['is'][i]}", f"{rows['becomes'][i]}", rows["for"][i],
         f"{rows['excess before'][i]:.0f} → {rows['after'][i]:.0f}"]
        for i in range(len(rows))
    ]  # fmt: skip
    return markdown(["number", "is", "becomes", "for", "excess"], lines)


def missed(kept: Path) -> str:
    """What is too strong by its whole interval with the changed numbers."""
    rows = read([kept], "verdict").where(what="advantage").sorted("after low")
    left = [i for i in range(len(rows)) if rows["after low"][i] > MOST]
    lines = [
        [rows["of"][i], f"{rows['players'][i]}", f"`{rows['policy'][i]}`",
         _points(rows, "before", i), _points(rows, "after", i)]
        for i in left
    ]  # fmt: skip
    return markdown(["", "players", "policy", "before", "after"], lines)


def _points(rows: Rows, column: str, i: int) -> str:
    """An advantage with its interval, in points of a hundred."""
    value, low, high = (100 * held[i] for held in rows.figure(column))
    return f"{value:+.1f} ({low:+.1f} .. {high:+.1f})"


TABLES_OF_PAGE: dict[str, Callable[[Path], str]] = {"goals": goals, "changes": changes, "missed": missed}


def page(path: Path) -> str:
    """A study's page with these tables made anew."""
    text = path.read_text(encoding="utf-8")
    held = [name for name in TABLES_OF_PAGE if BEGIN.format(MAKER, name) in text]
    return filled(text, {name: partial(TABLES_OF_PAGE[name], path.parent / KEPT) for name in held}, MAKER)


def kept_runs() -> list[Path]:
    """The folders of all tunings that are kept."""
    return sorted(path.parent for path in HERE.glob(f"*/{KEPT}/{REPORT}"))


def page_of(kept: Path) -> Path:
    """The page of the study that a tuning belongs to."""
    return kept.parents[len(KEPT.parts) - 1] / "README.md"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--game")
    parser.add_argument("--run", type=Path)
    args = parser.parse_args()
    if args.run is not None:
        print(keep(args.game, args.run))
    for kept in kept_runs():
        replace_text(page_of(kept), page(page_of(kept)))


if __name__ == "__main__":
    main()
