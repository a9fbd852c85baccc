"""Write the golden files of a game anew: run from the root of the repository, and read the differences as code.

    PYTHONPATH=.:tests python -m golden.make GAME games|positions|perft|signature

        games       the games of every variant and from positions
        positions   new positions for the perft table (rarely needed)
        perft       the counts of the perft table
        signature

A game is dealt by the engine from its seed and played by the referee with skewed policies, which reach what
uniform play rarely does; it is written by the referee and must be accepted by the engine without a
difference before it is kept. Counts are the engine's; the tests compare the shallow ones with the referee.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable

from genesia_rl.core import trace
from genesia_rl.core.registry import make_game, variants
from genesia_rl.testing.perft import perft
from genesia_rl.testing.signature import signature
from golden import (
    POSITION,
    Trace,
    folder_of,
    perft_file,
    perft_start,
    signature_file,
    trace_files,
    write_golden,
)
from golden.second import second_of

GAMES_PER_VARIANT = 2
POSITION_GAMES = 4
PERFT_LEAVES = (3_000, 200_000, 20_000_000)  # shown for the referee, for each test run, for the deep one
MAX_DEPTH = 12


def agreed(written: Trace) -> Trace:
    """A game of the referee's that the engine accepts."""
    differences = trace.verify(written).differences
    if differences:
        raise SystemExit(f"engine and referee differ, nothing is golden: {differences[0]}")
    return written


def game_of_variant(game: str, name: str, seed: int) -> Trace:
    """A deal of the engine, played by the referee."""
    second, made = second_of(game), make_game(game, **variants(game)[name])
    states = made.new_states()
    made.reset(states, 0, seed)
    deal, rng = made.deal_dict(states, 0), random.Random(f"{name} {seed}")
    policy = second.any_policy(made.num_seats, rng)
    return agreed(second.record(made.config_dict(), deal=deal, policy=policy, rng=rng, seed=seed))


def game_from_position(game: str, kind: str, number: int) -> Trace:
    """A position of a kind, played on by the referee."""
    second, rng = second_of(game), random.Random(f"{kind} {number}")
    config, position = second.position(kind, number, rng)
    policy = second.any_policy(make_game(game, **config).num_seats, rng)
    return agreed(second.record(config, position=position, policy=policy, rng=rng))


def make_games(game: str) -> None:
    """All files of games."""
    for old in trace_files(game):
        old.unlink()
    for name in variants(game):
        games = [game_of_variant(game, name, seed) for seed in range(1, GAMES_PER_VARIANT + 1)]
        write_golden(folder_of(game) / f"{name}.jsonl.gz", games)
    for kind in second_of(game).kinds:
        games = [game_from_position(game, kind, number) for number in range(POSITION_GAMES)]
        write_golden(folder_of(game) / f"{POSITION}{kind}.jsonl.gz", games)


def make_positions(game: str) -> None:
    """The positions where counts begin."""
    for name, config, position in second_of(game).perft_positions():
        path = folder_of(game) / "positions" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"config": config, "position": position}, indent=1) + "\n")


def make_perft(game: str) -> None:
    """The table: for each start the greatest depths with no more sequences than the three bounds."""
    names = [*second_of(game).perft_variants]
    names += sorted(path.stem for path in (folder_of(game) / "positions").glob("*.json"))
    lines = ["# name depth sequences of so many decisions (variants: the deal of seed 1)"]
    for name in names:
        lines += [f"{name} {depth} {count}" for depth, count in depths_of(game, name).items()]
    perft_file(game).write_text("\n".join(lines) + "\n")


def depths_of(game: str, name: str) -> dict[int, int]:
    """Depth and count for each of the bounds; no depth that no game reaches."""
    made, states = perft_start(game, name)
    counts = {0: 1}
    for depth in range(1, MAX_DEPTH + 1):
        found = perft(made, states, 0, depth)
        if not found:
            break
        counts[depth] = found
        if found > PERFT_LEAVES[-1] // 20:
            break
    kept = (max(d for d, count in counts.items() if count <= bound) for bound in PERFT_LEAVES)
    return {depth: counts[depth] for depth in sorted(set(kept)) if depth > 0}


def make_signature(game: str) -> None:
    """The name and the signature."""
    signature_file(game).write_text(f"{game} {signature(game)}\n")


MAKERS: dict[str, Callable[[str], None]] = {
    "games": make_games,
    "positions": make_positions,
    "perft": make_perft,
    "signature": make_signature,
}


def main(arguments: list[str]) -> None:
    """Write one kind of golden files."""
    if len(arguments) != 2 or arguments[1] not in MAKERS:
        raise SystemExit(__doc__)
    game, what = arguments
    MAKERS[what](game)


if __name__ == "__main__":
    main(sys.argv[1:])
