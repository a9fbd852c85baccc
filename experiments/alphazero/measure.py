"""Does looking ahead help a trained network? It plays with a search against others, or itself without one.

    python -m experiments.alphazero.measure --simulations 0,8,32 --games 400
    python -m experiments.alphazero.measure --model runs/az/model.npz --against random,mcts:20

Without `--model` the one that comes with the package plays, without `--against` against itself alone; 0
simulations are the network alone. Seconds are of the processor, for whole games of both sides.
"""

from __future__ import annotations

import argparse
import time

import torch

from experiments.alphazero.search import GuidedPlayer, Style
from genesia_rl.core.errors import ConfigError, GenesiaError
from genesia_rl.core.player import Player
from genesia_rl.core.registry import default_game, make_game
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.codes import make_player
from genesia_rl.players.learned import LearnedPlayer


def player(model: str | None, simulations: int, sharpness: float) -> Player:
    """The network alone, or looking ahead."""
    if not simulations:
        return LearnedPlayer(model)
    return GuidedPlayer(model, Style(simulations=simulations, sharpness=sharpness))


def measure(name: str, model: str | None, simulations: list[int], sharpness: float, against: list[str],
            games: int, seed: int, varied: bool) -> None:  # fmt: skip
    """A printed line for each number of simulations and each opponent."""
    for number in simulations:
        if number < 0:
            raise ConfigError(f"--simulations = {number}, allowed are integers from 0 on")
    if games < 1 or seed < 0:
        raise ConfigError(f"--games = {games}, --seed = {seed}, allowed are integers from 1 and from 0 on")
    game = make_game(name, players=2)
    for code in against:
        other = make_player(code, name) if code else LearnedPlayer(model)
        for number in simulations:
            start = time.process_time()
            found = evaluate(player(model, number, sharpness), [other], game, games, seed, varied=varied)
            each = (time.process_time() - start) / found.games
            print(f"{found.text(f'{number} simulations', code or 'itself')}; {each:.3f} s a game", flush=True)


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="what looking ahead adds to a trained network")
    parser.add_argument("--game", default=default_game())
    parser.add_argument("--model")
    parser.add_argument("--simulations", default="8,32")
    parser.add_argument("--sharpness", type=float, default=Style().sharpness)
    parser.add_argument("--against", default="")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--varied", action="store_true", help="with all that varies from deal to deal")
    args = parser.parse_args(arguments)
    torch.set_num_threads(1)
    try:
        numbers = [int(text) for text in args.simulations.split(",")]
        measure(args.game, args.model, numbers, args.sharpness, args.against.split(","), args.games,
                args.seed, args.varied)  # fmt: skip
    except (GenesiaError, ValueError) as error:
        parser.error(str(error))


if __name__ == "__main__":
    main()
