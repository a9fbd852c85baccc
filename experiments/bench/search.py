"""What the tree search gains from its budget, and from threads.

    python -m experiments.bench.search --budgets 2,5,10,20,50 --games 200
    python -m experiments.bench.search --network --budgets 50,200,800 --games 200
    python -m experiments.bench.search --threads 1,2

The first plays whole games against the character that the search builds on (`greedy`, say) on all other seats, every
deal from every seat, in one compiled call on one core. The second does the same with a network inside the search and
the same network alone on all other seats, over all that varies in a game. The third asks for the decisions of many
games at once, and for one decision by several trees.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import default_game, make_game
from genesia_rl.matches.evaluate import varied_tables
from genesia_rl.players.guided import GuidedPlayer
from genesia_rl.players.search import SearchPlayer
from genesia_rl.stats.moments import Moments
from genesia_rl.stats.shares import first_shares
from genesia_rl.vector import Batch

MIDDLE = 60  # decisions that have been taken in each of the positions


def strength(game: Game, budget: str, games: int, seed: int) -> dict[str, Any]:
    """How often the search is first, its margin over the best other, and what a game costs."""
    seats = game.num_seats
    seeds = np.random.default_rng([seed, 9]).integers(1 << 63, size=-(-games // seats), dtype=np.uint64)
    own = np.tile(np.arange(seats), len(seeds))
    player = SearchPlayer(budget)
    player.play(game, seeds[:1], own[:1])  # compiled before the clock is looked at
    start = time.process_time()
    results = player.play(game, np.repeat(seeds, seats), own)
    return _told(game, budget, own, results, time.process_time() - start)


def guided_strength(
    game: Game, budget: str, games: int, seed: int, style: Mapping[str, float]
) -> dict[str, Any]:
    """The same of a search with a network, against the network alone."""
    seats = game.num_seats
    seeds = np.random.default_rng([seed, 9]).integers(1 << 63, size=-(-games // seats), dtype=np.uint64)
    own, (tables, which) = np.tile(np.arange(seats), len(seeds)), varied_tables(game, len(seeds), seed)
    player = GuidedPlayer(budget, None, 1, 1, None, **style)
    player.play(game, seeds[:1], own[:1], tables, which[:1])  # compiled before the clock is looked at
    start = time.process_time()
    results = player.play(game, np.repeat(seeds, seats), own, tables, np.repeat(which, seats))
    return _told(game, budget, own, results, time.process_time() - start)


def _told(game: Game, budget: str, own: Any, results: Any, seconds: float) -> dict[str, Any]:
    """What games come to in which the search sat on these seats; every deal is played from all of them."""
    seats = game.num_seats
    rows = np.arange(len(own))
    first = first_shares(results["ranks"][:, :seats])[rows, own]
    totals = results["totals"][:, :seats].astype(np.float64)
    points = totals[rows, own]
    totals[rows, own] = -np.inf
    figures = np.stack([first, points - totals.max(axis=1)], axis=1)
    moments = Moments(2)
    deals = len(own) // seats
    moments.add(figures.reshape(deals, seats, 2).sum(axis=1), np.full((deals, 2), float(seats)))
    return {
        "budget": budget, "games": len(own), "first in": moments.estimate(0, True).text(100, " %"),
        "margin": f"{moments.estimate(1, False).value:+.0f}", "seconds a game": f"{seconds / len(own):.2f}",
    }  # fmt: skip


def positions(game: Game, number: int, seed: int) -> DecisionBatch:
    """Positions of the middle of as many games of random play."""
    batch, rng = Batch(game, number), np.random.default_rng(seed)
    batch.reset(seed)
    for _ in range(MIDDLE):
        batch.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in batch.mask]))
    return batch.decisions()


def threads(game: Game, budget: str, counts: Sequence[int], seed: int) -> list[dict[str, Any]]:
    """Simulations a second with so many threads: for the decisions of 32 games, and for one by 8 trees."""
    many, alone = positions(game, 32, seed), positions(game, 1, seed)
    work = {"32 games": (many, 1), "8 trees": (alone, 8)}
    rows: list[dict[str, Any]] = [{"threads": count} for count in counts]
    for name, (decisions, trees) in work.items():
        rates = [_rate(SearchPlayer(budget, trees, count), decisions) for count in counts]
        for row, rate in zip(rows, rates, strict=True):
            row[f"{name}, simulations/s"] = f"{rate:,.0f} ({rate / rates[0]:.2f}x)"
    return rows


def _rate(player: SearchPlayer, decisions: DecisionBatch, times: int = 3) -> float:
    """Of the fastest of a few runs: what disturbs a run makes it slower, never faster."""
    tried = player.search(decisions.part(np.array([0])))
    simulations = sum(each.visits for each in tried) * len(decisions)
    player.act_batch(decisions)  # makes the memory of every worker
    found = []
    for _ in range(times):
        start = time.perf_counter()
        player.act_batch(decisions)
        found.append(time.perf_counter() - start)
    return simulations / min(found)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="strength and speed of the tree search")
    parser.add_argument("--game", default=default_game())
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--budgets", default="2,5,10,20,50", help="simulations, with commas")
    parser.add_argument("--games", type=int, default=200, help="at least so many for each budget")
    parser.add_argument(
        "--network", action="store_true", help="a search with the package's network, against it"
    )
    parser.add_argument("--style", default="", help="how that search explores: NAME=NUMBER, with commas")
    parser.add_argument("--threads", help="numbers of threads with commas: measure them instead")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    game = make_game(args.game, players=args.players)
    if args.threads:
        for row in threads(game, "400", [int(text) for text in args.threads.split(",")], args.seed):
            _tell(row)
        return
    style = {
        name: float(value)
        for name, _, value in (text.partition("=") for text in args.style.split(",") if text)
    }
    for budget in args.budgets.split(","):
        if args.network:
            _tell(guided_strength(game, budget, args.games, args.seed, style))
        else:
            _tell(strength(game, budget, args.games, args.seed))


def _tell(row: dict[str, Any]) -> None:
    """One line of the table."""
    print("   ".join(f"{name} {value}" for name, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
