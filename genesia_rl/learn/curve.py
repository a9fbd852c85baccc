"""Strength against minutes: the models that a run has kept, measured against a fixed panel.

    python -m genesia_rl.learn.curve runs/two --games 1000 --panel random,mcts:20

Prints a table and writes `curve.json` beside the models. A run keeps the models of `run.milestones`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from genesia_rl.core.errors import ConfigError, DataError, GenesiaError
from genesia_rl.core.files import replace_text
from genesia_rl.core.registry import make_game
from genesia_rl.learn.run import MODEL
from genesia_rl.learn.settings import make_settings
from genesia_rl.matches.evaluate import against_panel
from genesia_rl.players.codes import make_player
from genesia_rl.players.learned import LearnedPlayer, Model, load_model

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
    folder: Path, panel: list[str] | None, games: int, seed: int, varied: bool = False
) -> list[dict[str, Any]]:
    """A row for every model and member of the panel; by default that of the game's runs."""
    rows: list[dict[str, Any]] = []
    for minutes, path in models(folder):
        model = load_model(path)
        name = _game_of(path, model)
        codes = panel or make_settings(overrides={"game": {"name": name}}).run.panel or []
        for code in codes:
            make_player(code, name)  # a wrong one is refused before anything is played
        print(f"{path.name}, {minutes:.1f} minutes")
        game = make_game(name, players=model.players)
        found = against_panel(LearnedPlayer(str(path)), game, codes, games, seed, varied)
        rows += [{"minutes": minutes, "against": code, **row} for code, row in found.items()]
    return rows


def _game_of(path: Path, model: Model) -> str:
    if not isinstance(name := model.header.get("game"), str):
        raise DataError(f"{path}: game = {name!r} in its header, allowed is the name of a game")
    return name


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="strength of a run's models against a panel")
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--panel", help="codes between commas; by default random and all characters of the game"
    )
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--varied", action="store_true", help="with all that varies from deal to deal")
    args = parser.parse_args(arguments)
    try:
        for name, least in (("games", 1), ("seed", 0)):
            if getattr(args, name) < least:
                raise ConfigError(f"--{name} = {getattr(args, name)}, allowed is an integer from {least} on")
        panel = args.panel.split(",") if args.panel else None
        rows = measure(args.folder, panel, args.games, args.seed, args.varied)
        replace_text(args.folder / CURVE, json.dumps(rows, indent=2) + "\n")
    except (GenesiaError, OSError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
