"""The speed gate: what it makes of seconds, and that a tree is as fast as itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from experiments.gate import FAILS, WARNS, Tree, compare, main, ratio_of

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("slower", "verdict"), [(0.9, "holds"), (1.0, "holds"), (1.09, "holds"), (1.15, "warns"), (1.3, "FAILS")]
)
def test_ten_per_cent_slower_warns_and_twenty_fails(slower: float, verdict: str) -> None:
    ratio = ratio_of("kernel", [(slower, 1.0), (slower * 1.01, 1.01), (slower, 1.0)])
    assert ratio.verdict == verdict and (WARNS, FAILS) == (0.9, 0.8)


def test_one_disturbed_pair_changes_nothing() -> None:
    assert ratio_of("kernel", [(1.0, 1.0)] * 4 + [(9.0, 1.0)]).value == 1.0


class Fake(Tree):
    """A tree whose games take so long."""

    def __init__(self, each: float, has: tuple[str, ...] = ("kernel", "search")) -> None:
        self.each, self.has, self.asked = each, has, list[int]()

    def seconds(self, figure: str, number: int) -> float | None:
        self.asked.append(number)
        return number * self.each if figure in self.has else None


def test_both_trees_play_the_same_number_of_games_in_turns() -> None:
    own, other = Fake(0.0013), Fake(0.001)
    ratio = compare(own, other, "kernel", 5, 0.2)
    assert ratio is not None and ratio.value == pytest.approx(1 / 1.3) and ratio.verdict == "FAILS"
    assert own.asked[-5:] == other.asked[-5:] and len(set(own.asked[-5:])) == 1
    assert own.asked[-1] == pytest.approx(0.2 / 0.0013, rel=0.01)


def test_what_a_tree_cannot_measure_is_left_out() -> None:
    assert compare(Fake(0.001), Fake(0.001, ("kernel",)), "search", 5, 0.1) is None


@pytest.mark.parametrize(
    ("arguments", "said"), [(["--figures", "kernel,speed"], "'speed', allowed are kernel"), (["--repeats", "1"], "3")]
)  # fmt: skip
def test_a_wrong_option_is_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert said in capsys.readouterr().err


@pytest.mark.slow
def test_a_tree_measures_itself_beside_its_last_commit() -> None:
    """Nothing is said here about how fast it is: only that both measure."""
    git = ["git", "rev-parse", "--verify", "HEAD"]
    if subprocess.run(git, cwd=ROOT, capture_output=True, check=False).returncode:
        pytest.skip("no git checkout")
    command = [sys.executable, "-m", "experiments.gate", "--against", "HEAD", "--figures", "kernel"]
    done = subprocess.run(
        [*command, "--repeats", "3", "--seconds", "0.05"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1), done.stderr
    assert "whole games in the kernel" in done.stdout and "%" in done.stdout
