"""The tables of the models that come with the package, made from their cards, and of the levels that are measured.

    python -m experiments.models                  writes them into the pages of agents/NAME that have marks for them
    python -m experiments.models --hub FOLDER     a folder for each game as the Hugging Face hub has it: models and card

A test compares the pages with what this would write, so that no figure there is typed by hand. A page is the card of
its folder, and begins with what the hub asks of one; the card that is uploaded has all figures there too, and no links
that lead out of the folder.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from genesia_rl.core.files import replace_text
from genesia_rl.core.pages import BEGIN, filled
from genesia_rl.envs.registration import title_of
from genesia_rl.players.ladder import Level, ladders
from genesia_rl.players.learned import Model, load_model
from genesia_rl.report.markdown import markdown

AGENTS = Path(__file__).resolve().parents[1] / "agents"
MAKER = "models.py"
SOLO = "1p.npz"  # players.learned.model_name: where all play together


def percent(row: Mapping[str, Any]) -> str:
    """A share of first places with its interval."""
    first, low, high = (100 * row[name] for name in ("first", "low", "high"))
    return f"{first:.1f} % ({low:.1f} .. {high:.1f})"


def points(row: Mapping[str, Any]) -> str:
    """A joint score with its interval."""
    return f"{row['score']:.1f} ({row['low']:.1f} .. {row['high']:.1f}), median {row['median']:g}"


def models(folder: Path) -> str:
    """A column for each model of a folder that plays against others, from its card."""
    held = [load_model(path) for path in sorted(folder.glob("*p.npz")) if path.name != SOLO]
    strengths = [model.header["card"]["strength"] for model in held]
    rows = _made(held)
    rows.append(["an even share", *(f"{100 / model.players:.1f} %" for model in held)])
    for code in strengths[0]:
        rows.append([f"against `{code}`", *(percent(strength[code]) for strength in strengths)])
    rows += _beaten(held)
    return markdown(["", *(f"`{model.players}p.npz`" for model in held)], rows)


def solo(folder: Path) -> str:
    """The model of a folder that plays alone, and what others come to with the same deals."""
    model = load_model(folder / SOLO)
    rows = _made([model])
    for code, found in model.header["card"]["strength"].items():
        rows.append(["points" if code == "itself" else f"points of `{code}`", points(found)])
    return markdown(["", f"`{SOLO}`"], rows)


def levels(folder: Path) -> str:
    """A column for each number of players: who is a level, and how often it ends before one of the level below."""
    held = dict(sorted(ladders(folder.name).items()))
    rows = []
    for place in range(max(map(len, held.values()))):
        each = [found[place] if place < len(found) else None for found in held.values()]
        name = next(level.name for level in each if level is not None)
        rows.append([str(place + 1), name, *("" if level is None else _level(level) for level in each)])
    return markdown(["level", "name", *(f"{players} players" for players in held)], rows)


def _level(level: Level) -> str:
    """`mixed:9` 62.9 % (58.2 .. 67.2)."""
    if level.won is None or level.low is None or level.high is None:
        return f"`{level.agent}`"
    return f"`{level.agent}` {100 * level.won:.1f} % ({100 * level.low:.1f} .. {100 * level.high:.1f})"


def _made(held: Sequence[Model]) -> list[list[str]]:
    """How models were made."""
    cards = [model.header["card"] for model in held]
    return [
        ["command", *(f"`{card['command']}`" for card in cards)],
        ["network", *(_network(card["settings"]["network"]) for card in cards)],
        ["seed, minutes, learner's decisions", *map(_learned, cards)],
        ["games against each", *(f"{_one(card['strength'])['games']:,}" for card in cards)],
    ]


def _beaten(held: Sequence[Model]) -> list[list[str]]:
    """How often a best response is first against each, after so many times its compute; where it was asked."""
    found = [model.header["card"].get("exploitability", {}) for model in held]
    shares = sorted({share for told in found for share in told}, key=float)
    return [
        [
            f"a best response, at {share} of its compute",
            *(percent(told[share]) if share in told else "" for told in found),
        ]
        for share in shares
    ]


def _one(strength: Mapping[str, Any]) -> Mapping[str, Any]:
    return next(iter(strength.values()))


def _network(tables: Mapping[str, Any]) -> str:
    return f"`{tables['kind']}`, width {tables['width']}"


def _learned(card: Mapping[str, Any]) -> str:
    return f"{card['settings']['run']['seed']}, {card['minutes']:.0f}, {card['decisions'] / 1e6:.1f} million"


TABLES = {"models": models, "solo": solo, "levels": levels}


# ---------------------------------------------------------------- what the hub asks of a card

HEADER = re.compile(r"\A---\n.*?\n---\n\n", re.DOTALL)
TAGS = ("reinforcement-learning", "multi-agent", "self-play", "board-game", "ppo")
#: Links to what is no file of the folder.
OUTSIDE = re.compile(r"\[([^\[\]]+)\]\((?:\.\./)[^()\s]*\)")


def header(folder: Path, figures: bool = False) -> str:
    """Licence, library, tags and metrics, as YAML; with `figures` those of every model."""
    held = [load_model(path) for path in sorted(folder.glob("*p.npz"))]
    metrics = sorted({kind for model in held for kind, *_ in _figures(model)})
    lines = ["license: mit", "library_name: genesia-rl", "pipeline_tag: reinforcement-learning"]
    lines += [
        "tags:",
        *(f"- {tag}" for tag in (*TAGS, folder.name)),
        "metrics:",
        *(f"- {name}" for name in metrics),
    ]
    if figures:
        lines += ["model-index:", *(line for model in held for line in _results(folder.name, model))]
    return "\n".join(["---", *lines, "---", "", ""])


def _figures(model: Model) -> Iterator[tuple[str, str, float]]:
    """The kind of each figure of a model, what it says, and the figure."""
    for code, found in model.header["card"]["strength"].items():
        if "first" in found:
            yield "first_places", f"share of first places against {code}, %", round(100 * found["first"], 1)
        else:
            yield "points", "points" if code == "itself" else f"points of {code}", round(found["score"], 1)


def _results(game: str, model: Model) -> Iterator[str]:
    """One model among the results, as the hub has them: the environment stands for a data set."""
    name = f"{model.players}p"
    yield f"- name: {name}"
    yield "  results:"
    yield "  - task:"
    yield "      type: reinforcement-learning"
    yield "    dataset:"
    yield f"      name: {json.dumps(f'{title_of(game)}, {model.players} players')}"
    yield f"      type: {title_of(game)}-v0"
    yield "    metrics:"
    for kind, words, value in _figures(model):
        yield f"    - type: {kind}"
        yield f"      name: {json.dumps(words)}"
        yield f"      value: {value}"


def card(folder: Path) -> str:
    """The page of a folder as it is uploaded."""
    text = HEADER.sub("", (folder / "README.md").read_text(encoding="utf-8"))
    return header(folder, figures=True) + OUTSIDE.sub(r"\1", text)


def to_hub(out: Path) -> list[Path]:
    """A folder for each game that has models: these, and their card."""
    made = []
    for path in pages():
        goal = out / path.parent.name
        goal.mkdir(parents=True, exist_ok=True)
        for file in (*path.parent.glob("*.npz"), *path.parent.glob("*.toml")):
            shutil.copyfile(file, goal / file.name)
        replace_text(goal / "README.md", card(path.parent))
        made.append(goal)
    return made


# ---------------------------------------------------------------- pages


def page(path: Path) -> str:
    """A page with its header and its tables made anew."""
    text = path.read_text(encoding="utf-8")
    held = [name for name in TABLES if BEGIN.format(MAKER, name) in text]
    made = filled(text, {name: partial(TABLES[name], path.parent) for name in held}, MAKER)
    return header(path.parent) + HEADER.sub("", made)


def pages() -> list[Path]:
    """The pages of all games with agents."""
    return sorted(AGENTS.glob("*/README.md"))


def main() -> None:
    """Write the tables into the pages, or folders for the hub."""
    parser = argparse.ArgumentParser(prog="python -m experiments.models", description="Cards of the models.")
    parser.add_argument("--hub", type=Path, metavar="FOLDER", help="write folders to be uploaded instead")
    out = parser.parse_args().hub
    if out is not None:
        for folder in to_hub(out):
            print(folder)
        return
    for path in pages():
        replace_text(path, page(path))


if __name__ == "__main__":
    main()
