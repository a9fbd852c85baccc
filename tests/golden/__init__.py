"""Golden files: games with legal sets and states, counts of sequences, the signature; a folder a game.

    tests/games/GAME/golden/
        <variant>.jsonl.gz       whole games of a variant, from deals
        position-*.jsonl.gz      games that begin from positions, by kind of position
        positions/*.json         positions for the perft table, as PROTOCOL 4 writes them
        perft.txt                name, depth, number of sequences of decisions
        signature.txt            what `python -m genesia_rl.testing.signature` prints

They change with the rules only, never in a refactoring. `make.py` writes them anew; the commit says which
rule has changed and why. What else a game must offer stands in `second.py` and `replay.py`.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from genesia_rl.core.game import Game, States
from genesia_rl.core.registry import game_names, make_game, package_of, variants
from genesia_rl.core.trace import begin

GAMES = Path(__file__).parents[1] / "games"
POSITION = "position-"
PERFT_SEED = 1

Trace = dict[str, Any]


def our_games() -> list[str]:
    """The registered games that come with the package; not those that a test has added."""
    return [name for name in game_names() if package_of(name).startswith("genesia_rl.")]


def folder_of(game: str) -> Path:
    """Where the golden files of a game are."""
    return GAMES / game / "golden"


def signature_file(game: str) -> Path:
    """The file with a game's name and signature."""
    return folder_of(game) / "signature.txt"


def perft_file(game: str) -> Path:
    """The file with the counts."""
    return folder_of(game) / "perft.txt"


# ---------------------------------------------------------------- games


def trace_files(game: str) -> list[Path]:
    """The files of golden games."""
    return sorted(folder_of(game).glob("*.jsonl.gz"))


def stem_of(path: Path) -> str:
    """The variant, or `position-` and the kind of position, of a file of golden games."""
    return path.name.removesuffix(".jsonl.gz")


def read_golden(path: Path) -> Iterator[Trace]:
    """The games of a file."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def write_golden(path: Path, traces: Iterable[Trace]) -> None:
    """Write the games of a file: the same games are the same bytes."""
    text = "".join(json.dumps(trace, separators=(",", ":")) + "\n" for trace in traces)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


# ---------------------------------------------------------------- counts


@cache
def perft_setup(game: str, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Where a row of the perft table begins: the configuration, and a variant's deal or a position."""
    if name in variants(game):
        made = make_game(game, **variants(game)[name])
        states = made.new_states()
        made.reset(states, 0, PERFT_SEED)
        return made.config_dict(), {"deal": made.deal_dict(states, 0)}
    content = json.loads((folder_of(game) / "positions" / f"{name}.json").read_text())
    return content["config"], {"position": content["position"]}


def perft_start(game: str, name: str) -> tuple[Game, States]:
    """The same as a state of the engine."""
    config, start = perft_setup(game, name)
    made = make_game(game, **config)
    return made, begin(made, start)


def perft_rows(game: str) -> Iterator[tuple[str, int, int]]:
    """The rows of the perft table: name, depth, count."""
    lines = perft_file(game).read_text().splitlines() if perft_file(game).exists() else []
    for line in lines:
        if line and not line.startswith("#"):
            name, depth, count = line.split()
            yield name, int(depth), int(count)
