"""A game in the terminal: whole games by numbers typed, what may be typed besides, and a real terminal."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from genesia_rl.core.registry import default_game, game_names
from genesia_rl.core.trace import verify
from genesia_rl.studio.live import PERSON, LiveGame
from genesia_rl.studio.saved import first_trace
from genesia_rl.studio.terminal import HELP, play_in_terminal


def played(live: LiveGame, lines: Iterator[str]) -> str:
    """What the terminal shows when these lines are typed."""
    out = io.StringIO()
    play_in_terminal(live, lines, out)
    return out.getvalue()


@pytest.mark.parametrize("game", [*game_names(), "toy"])
def test_a_whole_game_is_played_by_numbers(game: str, begin: Any, lobby: Any) -> None:
    name, live = begin(game, [PERSON, "random"])
    shown = played(live, iter(lambda: "1\n", ""))
    assert live.over and shown.endswith("the game is over\n")
    assert not verify(lobby.folder.read(name)).differences


def test_what_may_be_typed_besides(begin: Any) -> None:
    _, live = begin(default_game(), [PERSON, PERSON])
    first = live.game.action_text(live.game.legal_actions(live.states, 0)[0])
    lines = ["", "?", "", "999", "0", "nonsense", "l", "u", first, "q"]
    shown = played(live, iter(f"{line}\n" for line in lines))
    assert live.steps == 1
    assert shown.count(HELP) >= 2
    assert "999: no such option, allowed are 1.." in shown and "0: no such option" in shown
    assert "action 'nonsense'" in shown
    assert "undo by seat" in shown


def test_nobody_sees_the_side_of_another_until_enter_is_pressed(begin: Any) -> None:
    """Two people at one terminal: each is called by name before anything of theirs is shown."""
    _, live = begin(default_game(), [PERSON, PERSON])
    shown = played(live, iter(["\n"]))
    assert "it is your turn: press Enter" in shown
    before = shown.partition("press Enter")[0]
    assert "   1  " not in before


@pytest.mark.slow
def test_the_program_plays_in_a_real_terminal_and_goes_on(tmp_path: Path) -> None:
    """One move, the end, and again with --resume: the disk has both."""
    folder = tmp_path / "live"
    start = ["--seats", f"{PERSON},random", "--seed", "5"]
    for number, arguments in enumerate((start, ["--resume"]), 1):
        shown = in_terminal(["play", "--terminal", "--folder", str(folder), *arguments], b"1\nq\n")
        assert b"Traceback" not in shown and b"the game is kept in" in shown, shown
        (file,) = folder.glob("*.jsonl")
        steps = first_trace(file)["steps"]
        assert len([step for step in steps if step[0] == 0]) == number


def in_terminal(arguments: list[str], typed: bytes) -> bytes:
    """What the program writes to a terminal in which this is typed."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "genesia_rl", *arguments], stdin=theirs, stdout=theirs, stderr=theirs
    ) as program:
        os.close(theirs)
        os.write(ours, typed)
        shown = b""
        try:
            while part := os.read(ours, 4096):
                shown += part
        except OSError:  # the other side is closed
            pass
        assert program.wait(timeout=60) == 0, shown
    os.close(ours)
    return shown
