"""The counter of violations: finds a planted fault and names it, keeps what it found, and goes on where it stopped."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from cli_tools import Capture, genesia, mistake
from copies import PACKAGE, edit

from genesia_rl.core import registry
from genesia_rl.core.errors import DataError
from genesia_rl.core.invariants import PROGRESS, VIOLATIONS
from genesia_rl.core.registry import register_game
from genesia_rl.testing.soak import Soak

TOY = Path(__file__).parent
#: One that compiles nothing: the same rules in plain Python, for a few games.
PROGRAM = """
import sys
from genesia_rl.core.registry import register_game
from genesia_rl.cli.app import run
register_game("faulty", "faulty")
for line in sys.argv[1:]:
    print("code", run(line.split()), flush=True)
"""
#: What is planted in the rules: the old text, the new one, and what has to be found.
FAULTS = {
    "a turn keeps what it lost": ('    s["turn"] = 0\n', "    pass\n", "of which none is a 1"),
    "an action reaches into another state": (
        '    s["steps"] += 1\n',
        '    s["steps"] += 1\n    states[0]["turn"] += i > 0\n',
        "an action changes no other state",
    ),
    "a seat sees what will be thrown": (
        'out[seats + k] = s["player"] == other',
        'out[seats + k] = s["dice"][min(s["used"], 239)] > 3',
        "a seat cannot tell a resampled game from the true one",
    ),
    "a view leaves its bounds": (
        'out[seats + k] = s["player"] == other',
        'out[seats + k] = 2 * (s["player"] == other)',
        "the observation keeps its bounds",
    ),
    "a legal action is not counted": (
        's["player"], 1, 2\n',
        's["player"], 1, 3\n',
        "num_legal is the number of legal actions",
    ),
    "an action that is none is offered": (
        's["player"], 1, 2\n            s["legal"][0] = np.uint64(3)',
        's["player"], 1, 3\n            s["legal"][0] = np.uint64(7)',
        "every legal action is an action of the game",
    ),
    "a decision is not counted": ('    s["steps"] += 1\n', "", "steps counts the decisions"),
    "nobody wins": (
        "totals[seat], ranks[seat] = points[seat], 0",
        "totals[seat], ranks[seat] = points[seat], 1",
        "somebody ranks first",
    ),
}


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    """The one line that makes the game known."""
    register_game("toy", "toy")
    yield
    del registry._GAMES["toy"]


def plain(folder: Path, *lines: str) -> subprocess.CompletedProcess[str]:
    """Commands in a process of their own that compiles nothing and knows the game `faulty` of a folder."""
    paths = os.pathsep.join([str(folder), str(PACKAGE.parent)])
    env = os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    command = [sys.executable, "-c", PROGRAM, *lines]
    return subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)


def planted(folder: Path, old: str, new: str) -> None:
    """The toy under another name, with something changed in its rules."""
    copy = folder / "faulty"
    shutil.copytree(TOY, copy, ignore=shutil.ignore_patterns("__pycache__", "test_*"))
    for path in copy.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        text = text.replace("from toy", "from faulty").replace('Facts("toy"', 'Facts("faulty"')
        path.write_text(text, encoding="utf-8")
    edit(copy / "rules.py", old, new)


FAST, NAMELESS = "an action reaches into another state", "an action that is none is offered"


@pytest.mark.parametrize(
    "fault", [pytest.param(name, marks=[] if name == FAST else [pytest.mark.slow]) for name in FAULTS]
)
def test_a_planted_fault_is_found_and_its_game_opens(fault: str, tmp_path: Path) -> None:
    old, new, named = FAULTS[fault]
    planted(tmp_path, old, new)
    done = plain(
        tmp_path, "soak --game faulty --games 8 --thorough 2 --workers 1 --out found",
        f"show found/{VIOLATIONS} --game 0", f"replay found/{VIOLATIONS} --game 0 --out game.html",
    )  # fmt: skip
    codes = [line for line in done.stdout.splitlines() if line.startswith("code")]
    if fault == NAMELESS:  # a page that shows what is offered says which action has no name
        assert codes == ["code 1", "code 0", "code 2"] and "action 2: no such action" in done.stderr
    else:
        assert codes == ["code 1", "code 0", "code 0"], done.stdout + done.stderr
        assert (tmp_path / "game.html").stat().st_size > 1000
    assert named in done.stdout
    held = json.loads((tmp_path / "found" / PROGRESS).read_text(encoding="utf-8"))
    assert held["violations"] == len(held["found"]) > 0
    lines = (tmp_path / "found" / VIOLATIONS).read_text(encoding="utf-8").splitlines()
    assert [item["line"] for item in held["found"]] == [*range(1, len(lines) + 1)]
    assert {json.loads(line)["seed"] for line in lines} == {item["seed"] for item in held["found"]}


def test_the_toy_holds_in_every_mode(capsys: Capture, tmp_path: Path) -> None:
    code, out, _ = genesia(capsys, *f"soak --game toy --games 2000 --out {tmp_path} --workers 2".split())
    assert code == 0 and "2,000 games of 4 modes" in out and "violations: none" in out
    held = json.loads((tmp_path / PROGRESS).read_text(encoding="utf-8"))
    assert [mode["games"] for mode in held["by_mode"].values()] == [500] * 4
    assert held["thorough"] > 100 and held["tried"] == 2 * held["thorough"]
    assert not (tmp_path / VIOLATIONS).exists()


def test_a_stopped_run_goes_on_and_is_the_one_that_was_never_stopped(tmp_path: Path) -> None:
    whole = Soak("toy", 400, seed=5, workers=1)
    list(whole.run())
    stopped = Soak("toy", 400, seed=5, workers=2, folder=tmp_path)
    assert len([*islice(stopped.run(), 3)]) == 3 and 0 < stopped.done < 400
    resumed = Soak("toy", 400, seed=5, workers=1, folder=tmp_path)
    assert resumed.done == stopped.done
    list(resumed.run())
    names = ("games", "decisions", "thorough", "tried", "violations")
    assert [[getattr(m, n) for n in names] for m in resumed.modes.values()] == [
        [getattr(m, n) for n in names] for m in whole.modes.values()
    ]
    more = Soak("toy", 404, seed=5, folder=tmp_path)  # and it may be given more games
    list(more.run())
    assert more.done == 404


def test_another_run_in_the_same_folder_is_refused(tmp_path: Path) -> None:
    list(Soak("toy", 8, folder=tmp_path).run())
    with pytest.raises(DataError, match="seed = 0, allowed in this run is 1: name another --out"):
        Soak("toy", 8, seed=1, folder=tmp_path)
    (tmp_path / PROGRESS).write_text("{")
    with pytest.raises(DataError, match="damaged"):
        Soak("toy", 8, folder=tmp_path)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--games 0", "'0', allowed an integer 1..1000000000000"),
        ("--modes players2,solo", "mode 'solo': toy has none of that name, allowed are players2"),
        ("--thorough 0", "'0', allowed an integer 1.."),
        (f"--seed {(1 << 63) - 1} --games 2", "allowed are seeds up to"),
    ],
)
def test_a_wrong_command_is_one_line(options: str, said: str, capsys: Capture) -> None:
    assert said in mistake(capsys, "soak", "--game", "toy", *options.split())
