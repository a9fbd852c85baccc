"""A model to ship: its weights in half precision, and how many of its choices that changes.

    python -m genesia_rl.learn.ship runs/two/model.npz agents/NAME/2p.npz
    python -m genesia_rl.learn.ship runs/common/model.npz agents/NAME/4p.npz --players 4 --games 1000
    python -m genesia_rl.learn.ship agents/NAME/2p.npz agents/NAME/2p.npz --exploit runs/exploit

Networks still calculate in single precision; the file is half as large. Of a network for several numbers of players it
may be what one of them reads. The card stays as it is, but for what is measured here: the strength of the file that
ships, and how often it is beaten by a best response, if `genesia exploit` has asked that of it.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.game import Game
from genesia_rl.core.registry import make_game
from genesia_rl.learn.measure import measured
from genesia_rl.players.common import mark_of
from genesia_rl.players.learned import LearnedPlayer, Model, digest, fitted, load_model, write_model
from genesia_rl.vector.batch import Batch

GAMES, STEPS = 64, 300


def halved(
    path: Path, goal: Path, exploit: Path | None = None, players: int | None = None, games: int = 0
) -> Model:
    """Write the model of `path` to `goal`, for all its numbers of players or for one, with what is measured of it in so
    many games against each agent of its run's panel, and what a best response has found; returns it as it was.
    """
    model = load_model(path)
    header, weights = model.header, model.weights
    if players is not None:
        header, weights = at_table(path, model, players)
    if exploit is not None:
        header = with_card(header, exploitability=exploitability(exploit, [path, goal]))
    goal.parent.mkdir(parents=True, exist_ok=True)
    write_model(goal, header, weights, np.float16)
    if games:
        write_model(
            goal, with_card(header, strength=strength(goal, header["card"], games)), weights, np.float16
        )
    return model


def with_card(header: Mapping[str, Any], **told: Any) -> dict[str, Any]:
    """A header whose card tells this as well."""
    return {**header, "card": {**header["card"], **told}}


def at_table(path: Path, model: Model, players: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """Header and weights of what a number of players reads; of what was measured, what is about that number."""
    if players not in model.tables:
        allowed = ", ".join(map(str, model.tables))
        raise ConfigError(f"{path}: --players {players}, allowed are those it plays with: {allowed}")
    found = fitted(path, model, make_game(model.header["game"], players=players))
    rows, mark = found.header["card"].get("strength"), mark_of(players)
    if len(model.tables) == 1 or rows is None:
        return found.header, found.weights
    own = {name.removeprefix(mark): row for name, row in rows.items() if name.startswith(mark)}
    return with_card(found.header, strength=own), found.weights


def strength(file: Path, card: Mapping[str, Any], games: int) -> dict[str, Any]:
    """What a model of a file wins, for each number of players."""
    run, varied = card["settings"]["run"], bool(card["settings"]["game"]["varied"])
    agent = LearnedPlayer(str(file))
    return measured(agent, games_of(load_model(file)), run["panel"], games, run["seed"], varied)


def games_of(model: Model) -> list[Game]:
    """The games that a model plays: one for each of its numbers of players."""
    return [make_game(model.header["game"], players=players) for players in model.tables]


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
    parser.add_argument(
        "--players", type=int, help="of a network for several numbers of players what one of them reads"
    )
    parser.add_argument(
        "--games", type=int, default=0, help="measure its strength for its card, in so many games each"
    )
    parser.add_argument("--exploit", type=Path, help="the folder of a best response against it, for its card")
    args = parser.parse_args(arguments)
    try:
        halved(args.model, args.goal, args.exploit, args.players, args.games)
        games = games_of(load_model(args.goal))
        different, choices = np.sum([changed(args.model, args.goal, game) for game in games], axis=0)
    except (GenesiaError, OSError) as error:
        parser.error(str(error))
    print(f"{args.goal}: {args.goal.stat().st_size:,} bytes; {different} of {choices:,} choices differ")


if __name__ == "__main__":
    main()
