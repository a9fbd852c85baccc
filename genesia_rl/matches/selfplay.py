"""Games by the thousand, wholly in compiled calls: of random play or of a network, and what they say."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.players.learned import (
    Fitted,
    Model,
    file_of,
    fitted,
    load_model,
    model_name,
    models_of,
    network_of,
    player_of,
)
from genesia_rl.players.networks import INCREMENTAL, Layout
from genesia_rl.stats.shares import Share, first_shares, share_of

CHUNK = 500  # games of one call: long enough to cost nothing, short enough to be interrupted

Array = npt.NDArray[Any]
Results = Array


class Played(NamedTuple):
    """Finished games: a row of results each, in the order of their seeds."""

    results: Results
    decisions: int
    seconds: float


def play(
    game: Game,
    games: int,
    seed: int = 0,
    threads: int = 2,
    on_chunk: Callable[[int], None] | None = None,
    policy: str = "random",
) -> Played:
    """Play games with seeds seed, seed + 1, ...; the result does not depend on the number of threads.

    On all seats sits the random player, or the network `ppo` or `ppo:PATH`, which draws as it learned, or `drawn:T`.
    """
    seeds = np.uint64(seed) + np.arange(games, dtype=np.uint64)
    if policy != "random":
        return _play_learned(game, seeds, threads, on_chunk, policy)
    results = np.zeros(games, game.facts.result_dtype)

    def chunk(first: int) -> tuple[int, int]:
        part = slice(first, first + CHUNK)
        decisions = game.kernels.play_random(game.new_states(), 0, game.tables, seeds[part], results[part])
        return len(seeds[part]), int(decisions)

    start, total = time.perf_counter(), 0
    with ThreadPoolExecutor(threads) as pool:
        try:
            for done, decisions in pool.map(chunk, range(0, games, CHUNK)):
                total += decisions
                if on_chunk is not None:
                    on_chunk(done)
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
    return Played(results, total, time.perf_counter() - start)


def players_of(name: str, policy: str) -> list[int]:
    """The numbers of players that a policy can play, 1 for solo; all if it is not known or if there are none.

    A network plays one: that of its file, and `ppo` those of which models come with the package.
    """
    every = list(game_info(name).all_players)
    player = player_of(policy)
    if player is None:
        return every
    games = {number: make_game(name, players=number) for number in every}
    if player.path:
        model = load_model(file_of(player.path))
        fits = [number for number, game in games.items() if _fits(player.path, model, game)]
    else:
        fits = [n for n, game in games.items() if (models_of(name) / model_name(game)).exists()]
    return fits or every


def _fits(path: str, model: Model, game: Game) -> bool:
    """Can the network of a file play this game?"""
    try:
        fitted(path, model, game)
    except DataError:
        return False
    return True


def _play_learned(
    game: Game, seeds: Array, threads: int, on_chunk: Callable[[int], None] | None, policy: str
) -> Played:
    """The same of a network that is kept up to date."""
    from genesia_rl.players.incremental import Games

    (_, model, temperature), layout = _network(game, policy), Layout(game)
    own = {0: temperature} if temperature else {}  # as it learned, so that games differ in more than the deal
    made = Games(game, model.architecture, layout, threads=threads)
    nobody = np.zeros((len(seeds), game.facts.most_seats), np.int8)
    start = time.perf_counter()
    played = made.play(
        made.nets([model.weights], own), seeds, nobody.astype(np.int16), nobody, on_chunk=on_chunk
    )
    return Played(played.results, played.decisions, time.perf_counter() - start)


def _network(game: Game, policy: str) -> Fitted:
    """The network of a code."""
    found = network_of(policy, game)
    if found is None:
        raise ConfigError(f"policy {policy!r}: allowed are random, ppo, ppo:PATH and drawn:T[@PATH]")
    if (kind := found.model.architecture.kind) != INCREMENTAL:
        raise ConfigError(
            f"policy {policy!r}: {found.file} is a network of kind {kind!r}, allowed in compiled games are those of "
            f"kind {INCREMENTAL!r}"
        )
    return found


# ---------------------------------------------------------------- what the results say


def shares_by_seat(results: Results, seats: int) -> list[Share]:
    """The share of wins of every seat."""
    return [
        share_of(float(column.sum()), len(results)) for column in first_shares(results["ranks"][:, :seats]).T
    ]


def shares_by_order(results: Results, seats: int) -> list[Share]:
    """The share of wins of whoever came first, second, ... in the first turn order."""
    order = results["order"][:, :seats].astype(np.int64)
    by_order = np.take_along_axis(first_shares(results["ranks"][:, :seats]), order, axis=1)
    return [share_of(float(column.sum()), len(results)) for column in by_order.T]


class Summary(NamedTuple):
    """Means over games and seats."""

    decisions: float
    score: float
    deviation: float
    parts: tuple[float, ...]
    best: float  # the winner's score; of a joint result, its score
    shared: float  # the share of games with several winners


def summary(game: Game, results: Results) -> Summary:
    """What games were like on the average."""
    totals = results["totals"][:, : game.num_seats].astype(np.float64)
    parts = results["parts"][:, : game.num_seats, : len(game.score_parts)].mean(axis=(0, 1))
    winners = (results["ranks"][:, : game.num_seats] == 0).sum(axis=1)
    return Summary(
        decisions=float(results["steps"].mean()),
        score=float(totals.mean()),
        deviation=float(totals.std()),
        parts=tuple(float(part) for part in parts),
        best=float((totals.max(axis=1) if game.is_contest else totals.min(axis=1)).mean()),
        shared=float((winners > 1).mean()) if game.is_contest else 0.0,
    )
