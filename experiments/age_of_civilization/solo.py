"""How well the solo mode is played: the spread of scores and the achievements, by player.

    python -m experiments.age_of_civilization.solo --agents random,greedy,mcts:8 --games 1000

Everybody plays the same deals. The result is printed as a table of Markdown.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import make_game
from genesia_rl.games.age_of_civilization.data.box import load_box
from genesia_rl.players.codes import make_player

GAME = "age_of_civilization"
SHARES = (0.05, 0.5, 0.95)  # of games with at most so many points


def results_alone(code: str, games: int, seed: int = 0, **config: Any) -> list[dict[str, Any]]:
    """The results of so many solo games of a player."""
    game, player = make_game(GAME, players=1, **config), make_player(code, GAME)
    states, seeds = game.new_states(games), np.arange(seed, seed + games, dtype=np.uint64)
    for row in range(games):
        game.reset(states, row, int(seeds[row]))
    while len(rows := np.flatnonzero(states["over"] == 0)):
        actions = player.act_batch(DecisionBatch(game, states, rows, seeds[rows]))
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            game.step(states, row, action)
    return [game.result_dict(states, row) for row in range(games)]


def scores_of(results: Sequence[dict[str, Any]]) -> npt.NDArray[np.int64]:
    """The points of each game."""
    return np.array([result["score"][0] for result in results])


def share_of(results: Sequence[dict[str, Any]], achievement: int) -> float:
    """In which share of the games an achievement is reached."""
    return float(np.mean([achievement in result["achievements"] for result in results]))


def achievements() -> dict[int, str]:
    """Their numbers and names."""
    return {one.number: one.name for one in load_box(None).board.achievements}


def row_of(code: str, results: Sequence[dict[str, Any]]) -> str:
    """A row of the table."""
    scores = scores_of(results)
    error = 1.96 * scores.std(ddof=1) / len(scores) ** 0.5
    cells = [f"`{code}`", f"{len(scores):,}", f"{scores.mean():.1f} ± {error:.1f}"]
    cells += [f"{value:.0f}" for value in np.quantile(scores, SHARES)]
    cells += [f"{100 * share_of(results, number):.1f} %" for number in achievements()]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--agents", default="random,greedy")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    heads = [
        "player",
        "games",
        "mean",
        *(f"{100 * share:.0f} %" for share in SHARES),
        *achievements().values(),
    ]
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for code in args.agents.split(","):
        print(row_of(code, results_alone(code, args.games, args.seed)), flush=True)


if __name__ == "__main__":
    main()
