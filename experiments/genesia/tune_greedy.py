"""Tunes the weights of the heuristic by evolution: many small games, no gradients.

    python -m experiments.genesia.tune_greedy --minutes 10 --out weights.json

In every round a number of mirrored pairs of perturbed weights play the same deals, in all seats, against
the weights begun with and some later ones; the weights move along the perturbations that did better
(evolution strategies). Rounds are played with different lots if so many combinations are asked for. What
counts is a game's result, softened by its margin, which is much less noisy than the bare result. Step sizes
are in proportion to each weight.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from genesia_rl.core.registry import make_game
from genesia_rl.games.genesia.game import GenesiaGame
from genesia_rl.games.genesia.mind import MIND
from genesia_rl.games.genesia.mind.compiled import MIND_KERNELS
from genesia_rl.games.genesia.mind.plan import NAMES, WEIGHTS, as_vector, characters, from_vector, make_plan
from genesia_rl.games.genesia.names import AGES, COLOURS

MARGIN = 25.0  # points of a margin that count like half a win
PANEL = 4  # the latest opponents that a round is played against

Vector = np.ndarray


def payoff(results: Any, seats: np.ndarray, n: int) -> float:
    """The mean of win and softened margin of the given seats."""
    rows = np.arange(len(seats))
    totals = results["totals"][:, :n].astype(float)
    own = totals[rows, seats]
    totals[rows, seats] = -np.inf
    won = (results["ranks"][rows, seats] == 0).mean()
    return float(won + np.tanh((own - totals.max(axis=1)) / MARGIN).mean())


def games_of(players: int, combinations: int) -> list[GenesiaGame]:
    """The game for a number of players: with its own lots, and with some that are drawn."""
    rng = np.random.default_rng(players)
    games: list[GenesiaGame] = []
    for k in range(combinations):
        fields: dict[str, Any] = {"players": players}
        if k > 0:
            drawn = [[COLOURS[c] for c in sorted(rng.permutation(5)[:players])] for _ in range(AGES)]
            fields |= {"lots": drawn, "objective_pool": "all"}
        game = make_game("genesia", **fields)
        assert isinstance(game, GenesiaGame)
        games.append(game)
    return games


def play_greedily(game: GenesiaGame, candidate: Vector, panel: list[Any], deals: np.ndarray) -> float:
    """The candidate's payoff against members of the panel, every deal in every seat."""
    n = game.num_seats
    plans = np.concatenate([make_plan(game, from_vector(candidate)), *panel])
    seeds, seats = np.repeat(deals, n), np.tile(np.arange(n), len(deals))
    rivals = 1 + np.repeat(np.arange(len(deals)) % len(panel), n)
    lineups = np.repeat(rivals[:, None], n, axis=1)
    lineups[np.arange(len(seeds)), seats] = 0
    results = np.zeros(len(seeds), game.facts.result_dtype)
    room = np.zeros(MIND.most_actions, np.int64), np.zeros(MIND.most_actions)
    MIND_KERNELS.play_plans(game.new_states(2), game.tables, seeds, plans, lineups, *room, results)
    return payoff(results, seats, n)


def evolve(
    start: Vector,
    scale: Vector,
    args: argparse.Namespace,
    score: Callable[[int, list[Vector], np.ndarray, list[Vector]], list[float]],
) -> Vector:
    """Rounds until the time is up; `score(players, candidates, deals, panel)` plays them."""
    rng = np.random.default_rng(args.seed)
    free, momentum, panel = np.zeros_like(start), np.zeros_like(start), [start.copy()]
    begin, rounds = time.monotonic(), 0
    while time.monotonic() - begin < 60 * args.minutes:
        n = args.players[rounds % len(args.players)]
        deals = rng.integers(1 << 63, size=args.deals).astype(np.uint64)
        moves = rng.standard_normal((args.pairs, len(start)))
        candidates = [start + scale * (free + sign * args.sigma * m) for m in moves for sign in (1, -1)]
        got = np.array(score(n, candidates, deals, panel))
        gain = (got[0::2] - got[1::2]) / (got.std() + 1e-9)
        momentum = 0.8 * momentum + 0.2 * (gain @ moves) / len(gain)
        free = free + args.step * momentum
        rounds += 1
        if rounds % args.report_every == 0:
            now = start + scale * free
            test = rng.integers(1 << 63, size=args.test_deals).astype(np.uint64)
            rates = [score(m, [now], test, panel[:1])[0] for m in sorted(set(args.players))]
            panel.append(now)
            passed = time.monotonic() - begin
            print(f"{passed:5.0f} s, round {rounds}: payoff {np.round(rates, 2).tolist()}, "
                  f"of this round {got.mean():.2f}", flush=True)  # fmt: skip
            args.out.write_text(json.dumps(from_vector(now)))
    best: Vector = start + scale * free
    return best


def tune(args: argparse.Namespace) -> None:
    """Evolve the weights of a character and write them."""
    games = {n: games_of(n, args.lots) for n in set(args.players)}
    start = as_vector(json.loads(args.start.read_text()) if args.start else characters()[args.character])
    belongs = [name for name, shape, _ in WEIGHTS for _ in range(int(np.prod(shape)))]
    kept = {"noise", *filter(None, args.keep.split(","))}
    kept |= {name for name in NAMES if args.only and name not in args.only.split(",")}
    scale = (0.25 * np.abs(start) + 0.03) * np.array([name not in kept for name in belongs])

    def score(n: int, candidates: list[Vector], deals: np.ndarray, panel: list[Vector]) -> list[float]:
        game = games[n][int(deals[0] % np.uint64(len(games[n])))]
        rivals = [as_vector(characters()["greedy"])] if args.against_greedy else panel[-PANEL:]
        plans = [make_plan(game, from_vector(v)) for v in rivals]
        return list(pool.map(lambda c: play_greedily(game, c, plans, deals), candidates))

    with ThreadPoolExecutor(args.threads) as pool:
        args.out.write_text(json.dumps(from_vector(evolve(start, scale, args, score))))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="tune the weights of the heuristic")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--players", type=lambda s: [int(x) for x in s.split(",")], default=[2, 3])
    parser.add_argument("--character", default="greedy", help="whose weights to begin with")
    parser.add_argument("--start", type=Path, help="a file of weights to begin with instead")
    parser.add_argument("--keep", default="", help=f"weights not to touch, of {', '.join(NAMES)}")
    parser.add_argument("--only", default="", help="the only weights to touch, if any are named")
    parser.add_argument(
        "--lots", type=int, default=1, help="combinations of lots; the first is the usual one"
    )
    parser.add_argument("--against-greedy", action="store_true", help="rather than against earlier weights")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=16)
    parser.add_argument("--deals", type=int, default=24)
    parser.add_argument("--test-deals", type=int, default=400)
    parser.add_argument("--sigma", type=float, default=0.5)
    parser.add_argument("--step", type=float, default=0.5)
    parser.add_argument("--report-every", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path("weights.json"))
    tune(parser.parse_args())


if __name__ == "__main__":
    main()
