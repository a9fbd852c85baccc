"""Write the golden files anew: run from the root of the repository, and read the differences as code.

    PYTHONPATH=.:tests python -m golden.make games       the games of every variant and from positions
    PYTHONPATH=.:tests python -m golden.make positions   new positions for the perft table (rarely needed)
    PYTHONPATH=.:tests python -m golden.make perft       the counts of the perft table
    PYTHONPATH=.:tests python -m golden.make signature

A game is dealt by the engine from its seed and played by the referee with skewed policies, which reach what
uniform play rarely does; it is written by the referee and must be accepted by the engine without a
difference before it is kept. Counts are the engine's; the tests compare the shallow ones with the referee.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator

from referee.config import seats_of
from referee.data import load_data
from referee.play import random_position, resolve_config
from referee.policies import POLICIES, by_seat
from referee.traces import record_game

from genesia_rl import trace
from genesia_rl.registry import make_game
from genesia_rl.testing import variants
from genesia_rl.testing.perft import perft
from genesia_rl.testing.signature import signature
from golden import FOLDER, PERFT, SIGNATURE, Trace, perft_start, trace_files, write_golden

GAMES_PER_VARIANT = 2
POSITION_GAMES = 4
PERFT_LEAVES = (3_000, 200_000, 20_000_000)  # shown for the referee, for each test run, for the deep one
MAX_DEPTH = 12

PHASES = ("growth", "expansion", "attack", "end")


def any_policies(seats: int, rng: random.Random) -> list[str]:
    """A policy for each seat."""
    return [rng.choice(sorted(POLICIES)) for _ in range(seats)]


def agreed(written: Trace) -> Trace:
    """A game of the referee's that the engine accepts."""
    differences = trace.verify(written).differences
    if differences:
        raise SystemExit(f"engine and referee differ, nothing is golden: {differences[0]}")
    return written


def game_of_variant(name: str, seed: int) -> Trace:
    """A deal of the engine, played by the referee."""
    game = make_game(**variants()[name])
    states = game.new_states()
    game.reset(states, 0, seed)
    rng = random.Random(f"{name} {seed}")
    policies = by_seat(any_policies(game.num_seats, rng))
    deal = game.deal_dict(states, 0)
    return agreed(record_game(game.config_dict(), deal, policy=policies, rng=rng, seed=seed))


def position_configs() -> Iterator[dict[str, object]]:
    """The variants that positions take turns with."""
    for name in ("players2", "all3", "players4", "solo_expert", "players3", "attack_recruiting2", "all5"):
        yield variants()[name]


def game_from_position(phase: str, number: int) -> Trace:
    """A random position that is rich in conflict, played on."""
    rng = random.Random(f"{phase} {number}")
    config = resolve_config(list(position_configs())[number % 7])
    if seats_of(config) == 2 and config["players"] == 1 and phase == "attack":
        config = resolve_config({"players": 5})
    position = random_position(config, rng, load_data(), phase=phase)
    policies = by_seat(any_policies(seats_of(config), rng))
    return agreed(record_game(config, position=position, policy=policies, rng=rng))


def make_games() -> None:
    """All files of games."""
    for old in trace_files():
        old.unlink()
    for name in variants():
        seeds = range(1, GAMES_PER_VARIANT + 1)
        write_golden(FOLDER / f"{name}.jsonl.gz", [game_of_variant(name, seed) for seed in seeds])
    for phase in PHASES:
        games = [game_from_position(phase, number) for number in range(POSITION_GAMES)]
        write_golden(FOLDER / f"position-{phase}.jsonl.gz", games)


def make_positions() -> None:
    """One position for each phase and Age, for different numbers of seats."""
    for number, phase in enumerate(PHASES):
        for age in (1, 2, 3):
            config = resolve_config({"players": 2 + (number + age) % 4})
            position = random_position(config, random.Random(f"{phase} {age}"), load_data(), age, phase)
            path = FOLDER / "positions" / f"{phase}-age{age}.json"
            path.write_text(json.dumps({"config": config, "position": position}, indent=1) + "\n")


def make_perft() -> None:
    """The table: for each start the greatest depths with no more sequences than the three bounds."""
    names = ["players2", "players5", "solo_heroic", "no_objectives4"]
    names += sorted(path.stem for path in (FOLDER / "positions").glob("*.json"))
    lines = ["# name depth sequences of so many decisions (variants: the deal of seed 1)"]
    for name in names:
        lines += [f"{name} {depth} {count}" for depth, count in depths_of(name).items()]
    PERFT.write_text("\n".join(lines) + "\n")


def depths_of(name: str) -> dict[int, int]:
    """Depth and count for each of the bounds."""
    game, states = perft_start(name)
    counts = {0: 1}
    for depth in range(1, MAX_DEPTH + 1):
        counts[depth] = perft(game, states, 0, depth)
        if counts[depth] > PERFT_LEAVES[-1] // 20:
            break
    kept = (max(d for d, count in counts.items() if count <= bound) for bound in PERFT_LEAVES)
    return {depth: counts[depth] for depth in sorted(set(kept)) if depth > 0}


def main(what: str) -> None:
    """Write one kind of golden files."""
    if what == "games":
        make_games()
    elif what == "positions":
        make_positions()
    elif what == "perft":
        make_perft()
    elif what == "signature":
        SIGNATURE.write_text(f"genesia {signature('genesia')}\n")
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
