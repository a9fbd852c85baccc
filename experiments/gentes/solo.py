"""How well the solo game is played: the spread of scores and the ranks, by player.

    python -m experiments.gentes.solo --agents random,greedy --games 1000

Everybody plays the same deals. What comes out is kept below `solo`, a file a player, and `study.py` writes the page
from it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.files import replace_text
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import make_game
from genesia_rl.games.gentes.data.box import load_box
from genesia_rl.players.codes import make_player

GAME = "gentes"
KEPT = Path(__file__).parent / "solo"
SHARES = (0.05, 0.5, 0.95)  # of games with at most so many points


class Alone(NamedTuple):
    """The solo games of a player."""

    agent: str
    seed: int  # of the first deal
    scores: list[int]

    @property
    def mean(self) -> tuple[float, float]:
        """The mean, and how far its 95 % interval reaches to either side."""
        held = np.array(self.scores, float)
        return float(held.mean()), float(1.96 * held.std(ddof=1) / len(held) ** 0.5)

    def reached(self, least: int) -> float:
        """The share of games with so many points or more."""
        return float((np.array(self.scores) >= least).mean())


def scores_alone(code: str, games: int, seed: int = 0, **config: Any) -> npt.NDArray[np.int64]:
    """The scores of so many solo games of a player."""
    game, player = make_game(GAME, players=1, **config), make_player(code, GAME)
    states, seeds = game.new_states(games), np.arange(seed, seed + games, dtype=np.uint64)
    for row in range(games):
        game.reset(states, row, int(seeds[row]))
    while len(rows := np.flatnonzero(states["over"] == 0)):
        actions = player.act_batch(DecisionBatch(game, states, rows, seeds[rows]))
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            game.step(states, row, action)
    return np.array([game.scores(states, row).totals[0] for row in range(games)], np.int64)


def ranks() -> dict[str, int]:
    """The ranks by name, with the least score of each."""
    return {rank.name: rank.least for rank in load_box(None).board.ranks}


def file_of(code: str, folder: Path = KEPT) -> Path:
    """Where the games of a player are kept."""
    return folder / f"{code.replace(':', '-')}.json"


def keep(alone: Alone, folder: Path = KEPT) -> None:
    """Write the games of a player."""
    folder.mkdir(parents=True, exist_ok=True)
    replace_text(file_of(alone.agent, folder), json.dumps(alone._asdict()) + "\n")


def kept(folder: Path = KEPT) -> list[Alone]:
    """All that is kept, the weakest first."""
    found = [Alone(**json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda alone: alone.mean)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--agents", default="random,greedy")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    for code in args.agents.split(","):
        alone = Alone(code, args.seed, scores_alone(code, args.games, args.seed).tolist())
        keep(alone)
        print(f"{code}: {alone.mean[0]:.1f} ± {alone.mean[1]:.1f} points in {args.games:,} games", flush=True)


if __name__ == "__main__":
    main()
