"""The speed gate: what it makes of seconds, and that a tree is as fast as itself."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from experiments import gate
from experiments.gate import FAILS, WARNS, Tree, before_series, compare, main, ratio_of, told

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


DATED = ["last 100000", "another 99000", "first 90000", "before 85599", "older 5"]


def test_a_series_begins_after_the_first_commit_that_is_so_much_older() -> None:
    assert (before_series(4, DATED), before_series(0, DATED)) == ("before", "another")
    assert before_series(4, DATED[:3]) is None, "a shallow clone"


def test_where_there_is_nothing_to_compare_with_that_is_said_and_all_is_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("GATE_AGAINST", raising=False)
    for log, said in (
        ("\n".join(DATED[:3]), "no commit here is 4 hours older"),
        ("\n".join(DATED), "nothing in"),
    ):
        monkeypatch.setattr(gate, "git", lambda *given, log=log: log.encode() if given[0] == "log" else b"")
        assert main(["--series", "4"]) == 0
        assert said in capsys.readouterr().out


def test_the_environment_names_what_a_series_is_compared_with(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def git(*given: str) -> bytes:
        asked.append(given)
        raise SystemExit("enough")

    monkeypatch.setattr(gate, "git", git)
    monkeypatch.setenv("GATE_AGAINST", "base")
    for arguments in (["--series", "4"], ["--against", "v1", "--series", "4"]):
        with pytest.raises(SystemExit):
            main(arguments)
    assert [given[-1] for given in asked] == ["base^{commit}", "v1^{commit}"]


class Slow(Fake):
    """A tree that is slow for a while."""

    def seconds(self, figure: str, number: int) -> float | None:
        taken = super().seconds(figure, number)
        return taken if taken is None or len(self.asked) > 6 else 1.5 * taken


@pytest.mark.parametrize(("own", "lines"), [(Slow(0.001), 2), (Fake(0.002), 2), (Fake(0.001), 1)])
def test_what_fails_is_measured_once_more(own: Fake, lines: int, capsys: pytest.CaptureFixture[str]) -> None:
    given = argparse.Namespace(repeats=3, seconds=0.001)
    ratio = told(own, Fake(0.001), "kernel", given)
    assert ratio is not None and ratio.verdict == ("FAILS" if own.each == 0.002 else "holds")
    assert len(capsys.readouterr().out.splitlines()) == lines


def test_a_tree_before_the_change_that_ends_is_left_out_and_this_one_may_not(tmp_path: Path) -> None:
    (tmp_path / "genesia_rl").mkdir()
    (tmp_path / "genesia_rl" / "__init__.py").write_text("raise SystemExit(1)")
    other, own = Tree(tmp_path, "none", may_fail=True), Tree(tmp_path, "none")
    assert other.seconds("kernel", 1) is None and other.seconds("search", 1) is None
    with pytest.raises(SystemExit, match="this tree could not measure kernel"):
        own.seconds("kernel", 1)
    for tree in (other, own):
        tree.close()


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
