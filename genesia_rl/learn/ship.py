"""A model to ship: its weights in half precision, and how many of its choices that changes.

    python -m genesia_rl.learn.ship runs/two/model.npz agents/NAME/2p.npz
    python -m genesia_rl.learn.ship agents/NAME/2p.npz agents/NAME/2p.npz --exploit runs/exploit

Networks still calculate in single precision; the file is half as large, and the card stays as it is, but for how often
the agent is beaten by a best response, if `genesia exploit` has asked that of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.game import Game
from genesia_rl.core.registry import make_game
from genesia_rl.players.learned import LearnedPlayer, Model, digest, load_model, write_model
from genesia_rl.vector.batch import Batch

GAMES, STEPS = 64, 300


def halved(path: Path, goal: Path, exploit: Path | None = None) -> Model:
    """Write the model of `path` to `goal`, with what a best response has found; returns it as it was."""
    model = load_model(path)
    header = model.header
    if exploit is not None:
        header = {
            **header,
            "card": {**header["card"], "exploitability": exploitability(exploit, [path, goal])},
        }
    goal.parent.mkdir(parents=True, exist_ok=True)
    write_model(goal, header, model.weights, np.float16)
    return model


def exploitability(folder: Path, files: Sequence[Path]) -> dict[str, Any]:
    """How often a best response is first at each share of compute that was asked for; of one of these files."""
    from genesia_rl.learn.exploit import kept_in

    question, rows = kept_in(folder)
    if question.fingerprint not in [digest(file.read_bytes()) for file in files if file.is_file()]:
        raise ConfigError(
            f"{folder}: is about {question.agent} with the fingerprint {question.fingerprint}, allowed is what asks of "
            f"{' or '.join(map(str, files))}"
        )
    names = ("decisions", "games", "first", "low", "high")
    return {f"{row['compute']:g}": {name: row[name] for name in names} for row in rows if row["asked"]}


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
    parser.add_argument("--exploit", type=Path, help="the folder of a best response against it, for its card")
    args = parser.parse_args(arguments)
    try:
        model = halved(args.model, args.goal, args.exploit)
        games = [make_game(model.header["game"], players=number) for number in model.tables]
        different, choices = np.sum([changed(args.model, args.goal, game) for game in games], axis=0)
    except (GenesiaError, OSError) as error:
        parser.error(str(error))
    print(f"{args.goal}: {args.goal.stat().st_size:,} bytes; {different} of {choices:,} choices differ")


if __name__ == "__main__":
    main()
