"""Replay golden games in another mode of compilation and print what came of it, in a process of its own.

    NUMBA_DISABLE_JIT=1 python -m golden.replay wide FILE...
    NUMBA_BOUNDSCHECK=1 python -m golden.replay narrow FILE...

The digest covers every named field of every state as 64-bit numbers, so that it is the same for the narrow
and the wide type, the scores, and of some states what every seat sees and what is drawn anew for it.

What a game must offer: in `state.py` its fields as `RECORDS` (core/records.py), in `tables.py`
`build_tables(config, wide=True)`, which keeps every number in 64 bits, and a `config` in its `Game`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

import numpy as np

from genesia_rl.core import compile as jit
from genesia_rl.core import trace
from genesia_rl.core.game import Game, States
from genesia_rl.core.records import Records
from genesia_rl.core.registry import part_of
from golden import Trace, read_golden

SEEN_EVERY = 9  # states


def records_of(game: Game) -> Records:
    """The fields of a game's states."""
    return cast(Records, part_of(game.name, "state", "states").RECORDS)


def widen(game: Any) -> None:
    """Let a game keep every number in 64 bits; only its plain functions can take such states."""
    game.tables = part_of(game.name, "tables", "tables").build_tables(game.config, wide=True)
    game.state_dtype = records_of(game).wide


def add_state(digest: Any, game: Game, states: States) -> None:
    """All fields in their order, by value."""
    for name, kind, _, _ in records_of(game).fields:
        values = np.asarray(states[0][name])
        digest.update(values.astype(np.uint64 if kind is np.uint64 else np.int64).tobytes())


def add_scores(digest: Any, game: Game, states: States) -> None:
    """The score as it is."""
    for values in game.scores(states, 0):
        digest.update(values.astype(np.int64).tobytes())


def add_seats(digest: Any, game: Game, states: States, seed: int) -> None:
    """What every seat sees, and another game that it could not tell from this one."""
    rng = np.random.default_rng(seed)
    for seat in range(game.num_seats):
        for part in game.view(states, 0, seat):
            digest.update(part.tobytes())
        add_state(digest, game, game.resample_hidden(states, 0, seat, rng))


def replay(written: Trace, wide: bool) -> tuple[str, list[str]]:
    """The digest of a game, and where engine and trace differ."""
    game = trace.game_of(written)
    if wide:
        widen(game)
    digest = blake2b(digest_size=8)
    if "seed" in written and "deal" in written:
        states = game.new_states()
        game.reset(states, 0, written["seed"])
        add_state(digest, game, states)
    states = trace.begin(game, written)
    for number, step in enumerate(written["steps"]):
        add_state(digest, game, states)
        if number % SEEN_EVERY == 0:
            add_seats(digest, game, states, number)
            add_scores(digest, game, states)
        game.step(states, 0, game.parse_action(step[2]))
    add_state(digest, game, states)
    add_scores(digest, game, states)
    return digest.hexdigest(), [str(found) for found in trace.verify(written, game).differences]


def replay_files(paths: Iterable[Path], wide: bool) -> dict[str, Any]:
    """What there is to compare between the modes."""
    found: dict[str, Any] = {"digests": {}, "differences": []}
    for path in paths:
        games = [replay(written, wide) for written in read_golden(path)]
        found["digests"][path.name] = [digest for digest, _ in games]
        found["differences"] += [f"{path.name}: {line}" for _, lines in games for line in lines]
    return found


def main(width: str, *files: str) -> None:
    """Print the result as JSON, with the mode that it was found in."""
    mode = {"plain": jit.PLAIN, "bounds": bool(jit.config.BOUNDSCHECK)}
    print(json.dumps({**mode, **replay_files(map(Path, files), width == "wide")}))


if __name__ == "__main__":
    main(*sys.argv[1:])
