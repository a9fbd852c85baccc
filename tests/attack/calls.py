"""Calls of all that is public in a game and a batch, with arguments of every kind; and command lines."""

from __future__ import annotations

import contextlib
import inspect
import io
from pathlib import Path
from typing import Any

import numpy as np

from genesia_rl.cli.app import run
from genesia_rl.core.game import Game
from genesia_rl.core.registry import make_game
from genesia_rl.vector import Batch

from .cases import ALLOWED, ODD, Found, Rng, pick

#: What is not called: it takes fields of a configuration, or nothing at all.
LEFT_OUT = ("with_fields", "variations", "texts")


def _methods(of: object) -> list[str]:
    known = dir(Game if isinstance(of, Game) else type(of))  # a game's own are for its texts
    names = [name for name in known if not name.startswith("_") and name not in LEFT_OUT]
    return [name for name in names if inspect.ismethod(getattr(of, name))]


def _arguments(rng: Rng, states: Any) -> list[Any]:
    """Things to call with: sound ones, and others."""
    return [
        states, states, states, 0, 0, 1, -1, 7, 10**30, np.int8(0), np.uint64(3), states[:0], states[0], states.T,
        np.zeros(3), np.zeros((2, 2), np.int8), states.view(np.uint8), np.repeat(states, 4)[::2], {"seed": 1},
        np.random.default_rng(0), *ODD,
    ]  # fmt: skip


def attack_calls(game_name: str, rng: Rng, cases: int) -> Found:
    """Methods of a game and of a batch. That too few or too many arguments are a `TypeError` is Python's own."""
    found = Found(f"calls of {game_name}")
    game = make_game(game_name)
    states, batch = game.new_states(2), Batch(game, 2)
    for i in range(2):
        game.reset(states, i, i)
    batch.reset(0)
    begun = states.copy()
    for _ in range(cases):
        of: Game | Batch = game if rng.random() < 0.75 else batch
        name = pick(rng, _methods(of))
        if name in ("close", "new_states"):
            continue
        method = getattr(of, name)
        given = [pick(rng, _arguments(rng, states)) for _ in inspect.signature(method).parameters]
        if given and of is game and rng.random() < 0.6:
            given[0] = states
        told = f"{type(of).__name__}.{name}({', '.join(repr(x)[:60] for x in given)})"
        found.case(told, lambda m=method, g=given: m(*g))  # type: ignore[misc]
        states[:] = begun
        if not batch.states["num_legal"].any():
            batch.reset(0)
    return found


#: Command lines that must end in one line and exit code 2, whatever the machine.
WRONG = (
    ("selfplay", "--games", "10000000000"), ("selfplay", "--games", "0"), ("selfplay", "--games", "9" * 5_000),
    ("selfplay", "--seed", str(2**64)), ("selfplay", "--threads", "99999999999999999999"),
    ("record", "--games", str(2**64), "--out", "-"), ("record", "--seed", str(2**64), "--out", "-"),
    ("record", "--seed", "-1", "--out", "-"), ("record", "--config", "/dev/zero", "--out", "-"),
    ("record", "--position", "/dev/zero", "--out", "-"), ("verify", "/dev/zero"), ("show", "/dev/zero"),
    ("replay", "/dev/zero"), ("evaluate", "--games", "10000000000"), ("evaluate", "--seed", str(2**64)),
    ("evaluate", "--agent", "ppo:/dev/zero"), ("arena", "--games", "10000000000", "--out", "x"),
    ("arena", "--seed", str(2**64), "--out", "x"), ("balance", "--games", "10000000000", "--out", "x"),
    ("train", "--config", "/dev/zero", "--out", "x"), ("train", "--seed", str(2**64), "--out", "x"),
    ("train", "--resume", "/dev/null"), ("bench", "--seconds", "1e999"), ("--game", "x" * 5_000, "selfplay"),
)  # fmt: skip


def attack_command_lines(rng: Rng, folder: Path) -> Found:
    """Whole command lines in this process."""
    found = Found("command lines")
    nested = folder / "nested.jsonl"
    for number, text in enumerate(("[" * 100_000, "9" * 5_000, '{"format": ' + "[" * 50_000)):
        nested.with_suffix(f".{number}").write_text(text)
    named = folder / "named.json"
    named.write_text('{"name": "x"}')
    files = [("verify", str(nested.with_suffix(f".{number}"))) for number in range(3)]
    for line in (*WRONG, *files, ("record", "--config", str(named), "--out", "-")):
        found.case(" ".join(line)[:120], lambda given=line: _expect_mistake(given), (*ALLOWED, Refused))  # type: ignore[misc]
    return found


class Refused(Exception):
    """Exit code 2 and one line."""


def _expect_mistake(line: tuple[str, ...]) -> None:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(line)
    told = err.getvalue()
    if code != 2 or not told.startswith("genesia: error: ") or told.count("\n") != 1:
        raise AssertionError(f"exit code {code}, {told[:300]!r}, allowed is 2 and one line")
    raise Refused(told.strip()[:500])
