"""Strength against minutes: the models that a run has kept, measured against a fixed panel.

    python -m experiments.train.curve runs/two --games 1000 --panel random,greedy,mcts:20

Prints a table and writes `curve.json` beside the models. A run keeps the models of `run.milestones`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from agents.learned import LearnedAgent, load_model
from agents.registry import make_agent
from experiments.train.deals import LOTS
from experiments.train.evaluate import GAME, against_panel
from experiments.train.log import replace_text
from experiments.train.run import MODEL
from genesia_rl.errors import ConfigError, DataError, GenesiaError
from genesia_rl.registry import make_game

CURVE = "curve.json"


def models(folder: Path) -> list[tuple[float, Path]]:
    """The minutes and the file of every model of a run, in order."""
    found = [(_minutes(path), path) for path in folder.glob("model*.npz")]
    if not found:
        raise ConfigError(f"{folder}: no models, allowed is the folder of a run with {MODEL}")
    return sorted(found)


def _minutes(path: Path) -> float:
    """When a model was kept, by its card."""
    try:
        return float(load_model(path).header["card"]["minutes"])
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, GenesiaError):
            raise
        raise DataError(f"{path}: no minutes in its card, allowed is a model by genesia train") from None


def measure(
    folder: Path, panel: list[str], games: int, seed: int, lots: str = "game"
) -> list[dict[str, Any]]:
    """A row for every model and member of the panel."""
    rows: list[dict[str, Any]] = []
    for code in panel:
        make_agent(code)  # a wrong one is refused before anything is played
    for minutes, path in models(folder):
        game = make_game(GAME, players=load_model(path).players)
        print(f"{path.name}, {minutes:.1f} minutes")
        found = against_panel(LearnedAgent(str(path)), game, panel, games, seed, lots)
        rows += [{"minutes": minutes, "against": code, **row} for code, row in found.items()]
    return rows


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="strength of a run's models against a panel")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--panel", default="random,greedy,settler,scholar,warlord,trader")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--lots", choices=LOTS, default="game", help="the default ones, or all combinations")
    args = parser.parse_args(arguments)
    try:
        for name, least in (("games", 1), ("seed", 0)):
            if getattr(args, name) < least:
                raise ConfigError(f"--{name} = {getattr(args, name)}, allowed is an integer from {least} on")
        rows = measure(args.folder, args.panel.split(","), args.games, args.seed, args.lots)
        replace_text(args.folder / CURVE, json.dumps(rows, indent=2) + "\n")
    except (GenesiaError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
