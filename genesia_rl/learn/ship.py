"""A model to ship: its weights in half precision, and how many of its choices that changes.

    python -m genesia_rl.learn.ship runs/two/model.npz agents/NAME/2p.npz

Networks still calculate in single precision; the file is half as large, and the card stays as it is.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from genesia_rl.core.errors import GenesiaError
from genesia_rl.core.game import Game
from genesia_rl.core.registry import make_game
from genesia_rl.players.learned import LearnedPlayer, Model, load_model, write_model
from genesia_rl.vector.batch import Batch

GAMES, STEPS = 64, 300


def halved(path: Path, goal: Path) -> Model:
    """Write the model of `path` to `goal`; returns it as it was."""
    model = load_model(path)
    goal.parent.mkdir(parents=True, exist_ok=True)
    write_model(goal, model.header, model.weights, np.float16)
    return model


def changed(path: Path, goal: Path, game: Game, games: int = GAMES, steps: int = STEPS) -> tuple[int, int]:
    """How many of so many choices differ between two files, in games of the first against itself."""
    first, second = LearnedPlayer(str(path)), LearnedPlayer(str(goal))
    batch, different = Batch(game, games), 0
    batch.reset(0)
    for _ in range(steps):
        decisions = batch.decisions()
        actions = first.act_batch(decisions)
        different += int((actions != second.act_batch(decisions)).sum())
        batch.step(actions)
    return different, games * steps


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="a model in half precision")
    parser.add_argument("model", type=Path)
    parser.add_argument("goal", type=Path)
    args = parser.parse_args(arguments)
    try:
        model = halved(args.model, args.goal)
        game = make_game(model.header["game"], players=model.players)
        different, choices = changed(args.model, args.goal, game)
    except (GenesiaError, OSError) as error:
        parser.error(str(error))
    print(f"{args.goal}: {args.goal.stat().st_size:,} bytes; {different} of {choices:,} choices differ")


if __name__ == "__main__":
    main()
