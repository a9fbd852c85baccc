"""Tunes the weights of the heuristic by evolution: many small games, no gradients.

    python experiments/heuristic/tune.py --minutes 10 --out weights.json

In every round a number of mirrored pairs of perturbed weights play the same deals, in all seats, against
the present weights and a panel of earlier ones; the weights move along the perturbations that did better
(evolution strategies with ranks). What counts is a game's result, softened by its margin, which
is much less noisy than the bare result. Step sizes are in proportion to each weight.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from agents.heuristic import entries
from agents.heuristic.plan import as_vector, characters, from_vector, make_plan
from genesia_rl.contract import RESULT
from genesia_rl.registry import make_game

MARGIN = 25.0  # points of a margin that count like half a win


def play(game: Any, candidate: np.ndarray, panel: list[Any], deals: np.ndarray, clans: float = 0.0) -> float:
    """The candidate's mean result against members of the panel, every deal in every seat."""
    n = game.num_seats
    plans = np.concatenate([make_plan(game, from_vector(candidate)), *panel])
    games = np.repeat(deals, n)
    seat = np.tile(np.arange(n), len(deals))
    rival = 1 + np.repeat(np.arange(len(deals)) % len(panel), n)
    lineups = np.repeat(rival[:, None], n, axis=1)
    lineups[np.arange(len(games)), seat] = 0
    results = np.zeros(len(games), RESULT)
    entries.play_plans(game.new_states(3), game.tables, games, plans, lineups, results)
    totals = results["totals"][:, :n].astype(float)
    own = totals[np.arange(len(games)), seat]
    totals[np.arange(len(games)), seat] = -np.inf
    margin = own - totals.max(axis=1)
    won = (results["places"][np.arange(len(games)), seat] == 0).mean()
    return float(won + np.tanh(margin / MARGIN).mean())


def tune(args: argparse.Namespace) -> None:
    """Rounds of evolution until the time is up."""
    rng = np.random.default_rng(args.seed)
    games = {n: make_game("genesia", players=n) for n in args.players}
    start = as_vector(json.loads(args.start.read_text()) if args.start else characters()[args.character])
    scale = 0.25 * np.abs(start) + 0.03
    scale[-1] = 0.0  # the noise stays
    if args.only:
        scale = scale * np.array([name in args.only.split(",") for name in names_of(start)])
    free = np.zeros_like(start)  # in units of scale
    panel = [start.copy()]
    if args.against_greedy:
        panel = [as_vector(characters()["greedy"])]
    begin, rounds, step = time.monotonic(), 0, args.step
    momentum = np.zeros_like(start)
    with ThreadPoolExecutor(args.threads) as pool:
        while time.monotonic() - begin < 60 * args.minutes:
            n = args.players[rounds % len(args.players)]
            game = games[n]
            plans = [make_plan(game, from_vector(v)) for v in panel[-4:]]
            deals = rng.integers(1 << 63, size=args.deals).astype(np.uint64)
            moves = rng.standard_normal((args.pairs, len(start)))
            candidates = [start + scale * (free + sign * args.sigma * m) for m in moves for sign in (1, -1)]
            got = np.array(list(pool.map(lambda c: play(game, c, plans, deals), candidates)))
            gain = (got[0::2] - got[1::2]) / (got.std() + 1e-9)
            momentum = 0.8 * momentum + 0.2 * (gain @ moves) / len(gain)
            free = free + step * momentum
            rounds += 1
            if rounds % args.panel_every == 0:
                now = start + scale * free
                test = rng.integers(1 << 63, size=400).astype(np.uint64)
                first = [make_plan(games[m], from_vector(panel[0])) for m in args.players]
                rates = [play(games[m], now, [first[k]], test) for k, m in enumerate(args.players)]
                panel.append(now)
                print(
                    f"{time.monotonic() - begin:6.0f} s  round {rounds}  against the first: {rates}",
                    flush=True,
                )
                args.out.write_text(json.dumps(from_vector(now)))
    args.out.write_text(json.dumps(from_vector(start + scale * free)))


def names_of(vector: np.ndarray) -> list[str]:
    """The weight that each number of a vector belongs to."""
    from agents.heuristic.plan import WEIGHTS

    return [name for name, shape, _ in WEIGHTS for _ in range(int(np.prod(shape)))]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="tune the weights of the heuristic")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--players", type=lambda s: [int(x) for x in s.split(",")], default=[2, 3])
    parser.add_argument("--character", default="greedy")
    parser.add_argument("--start", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--against-greedy", action="store_true")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=16)
    parser.add_argument("--deals", type=int, default=24)
    parser.add_argument("--sigma", type=float, default=0.6)
    parser.add_argument("--step", type=float, default=0.5)
    parser.add_argument("--panel-every", type=int, default=20)
    parser.add_argument("--out", type=Path, default=Path("weights.json"))
    tune(parser.parse_args())


if __name__ == "__main__":
    main()
