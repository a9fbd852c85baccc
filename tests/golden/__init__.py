"""Golden files: games with legal sets and states, counts of sequences, the signature.

    <variant>.jsonl.gz       whole games of a variant (genesia_rl/games/genesia/variants.py), from deals
    position-*.jsonl.gz      games that begin from positions, by phase
    positions/*.json         positions for the perft table, as PROTOCOL 4 writes them
    perft.txt                name, depth, number of sequences of decisions
    signature.txt            what `python -m genesia_rl.testing.signature` prints

They change with the rules only, never in a refactoring. `make.py` writes them anew; the commit says which
rule has changed and why.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from genesia_rl.contract import Game, States
from genesia_rl.registry import make_game
from genesia_rl.testing import variants

FOLDER = Path(__file__).parent
PERFT = FOLDER / "perft.txt"
SIGNATURE = FOLDER / "signature.txt"
PERFT_SEED = 1

Trace = dict[str, Any]


def trace_files() -> list[Path]:
    """The files of golden games."""
    return sorted(FOLDER.glob("*.jsonl.gz"))


def read_golden(path: Path) -> Iterator[Trace]:
    """The games of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def write_golden(path: Path, traces: Iterable[Trace]) -> None:
    """Write the games of a file: the same games are the same bytes."""
    text = "".join(json.dumps(trace, separators=(",", ":")) + "\n" for trace in traces)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


@cache
def perft_setup(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Where a row of the perft table begins: the configuration, and a variant's deal or a position."""
    if name in variants():
        game = make_game(**variants()[name])
        states = game.new_states()
        game.reset(states, 0, PERFT_SEED)
        return game.config_dict(), {"deal": game.deal_dict(states, 0)}
    content = json.loads((FOLDER / "positions" / f"{name}.json").read_text())
    return content["config"], {"position": content["position"]}


def perft_start(name: str) -> tuple[Game, States]:
    """The same as a state of the engine."""
    config, start = perft_setup(name)
    game = make_game(**config)
    states = game.new_states()
    if "deal" in start:
        game.put_deal(states, 0, start["deal"])
    else:
        game.put_position(states, 0, start["position"])
    return game, states


def perft_rows() -> Iterator[tuple[str, int, int]]:
    """The rows of the perft table: name, depth, count."""
    for line in PERFT.read_text().splitlines():
        if line and not line.startswith("#"):
            name, depth, count = line.split()
            yield name, int(depth), int(count)
