"""The attack over every format and every game, in small; `python -m tests.attack` does more of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from attack.cases import Found, Hangs, damaged, odd_table
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import game_names

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_no_hole_is_found() -> None:
    command = [sys.executable, "-m", "tests.attack", "--cases", "25", "--seed", "11"]
    settings = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, env=settings, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-3_000:]
    told = done.stdout.splitlines()
    assert told[-1] == "no hole"
    for game in game_names():
        for part in ("states", "saves", "calls", "traces", "configurations", "data files", "models"):
            assert any(line.startswith(f"{part} of {game}: ") for line in told), (part, game)


def test_the_attack_sees_what_it_looks_for() -> None:
    found = Found("itself")

    def hang() -> None:
        raise Hangs

    assert found.case("good", lambda: None) and found.taken == 1
    assert not found.case("refused", lambda: (_ for _ in ()).throw(ConfigError("x = 1, allowed is 2")))
    found.case("lines", lambda: (_ for _ in ()).throw(ConfigError("x\ny")))
    found.case("hole", lambda: [][1])
    found.case("hang", hang)
    assert [hole.partition(":")[0] for hole in found.holes] == ["lines", "hole", "hang"]
    assert "IndexError" in found.holes[1] and found.refused == 2


def test_damage_is_damage() -> None:
    rng = np.random.default_rng(0)
    content, table = bytes(range(200)), {"a": [1, 2, 3], "b": {"c": "x"}}
    assert sum(damaged(rng, content) != content for _ in range(50)) > 45
    assert sum(odd_table(rng, table) != table for _ in range(50)) > 40
    assert table == {"a": [1, 2, 3], "b": {"c": "x"}}
