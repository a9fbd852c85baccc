"""What the README says works: its Python runs, its commands run, its links and its map lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genesia_rl.cli.app import run

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [
    ROOT / "README.md",
    ROOT / "agents/README.md",
    ROOT / "experiments/README.md",
    ROOT / "experiments/bench/README.md",
    ROOT / "experiments/shards/README.md",
    ROOT / "experiments/train/README.md",
    ROOT / "experiments/train/results/README.md",
    ROOT / "agents/models/README.md",
]


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    """The arguments of every command line that follows a prompt."""
    lines = [line for block in blocks("console") for line in block.splitlines()]
    return [shlex.split(line)[2:] for line in lines if line.startswith("$ genesia ")]


def test_the_python_of_the_readme_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert len(blocks("python")) == 2
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), {})
    assert "continent of A" in capsys.readouterr().out


def test_the_python_of_the_agents_page_plays_a_game() -> None:
    text = (ROOT / "agents/README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "agents/README.md", "exec"), names)
    assert names["env"].agents == [] and len(names["players"]) == 3


def test_the_loop_for_self_play_pairs_an_action_with_its_own_seat() -> None:
    """All transitions of a game that ended add up to what its seats were paid, and zero over the seats."""
    text = (ROOT / "experiments/README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "experiments/README.md", "exec"), names)
    ended = [reward for _, _, reward, after in names["transitions"] if after is None]
    going_on = [reward for _, _, reward, after in names["transitions"] if after is not None]
    assert len(ended) >= 3 and len(ended) % 3 == 0 and abs(sum(ended)) < 1e-4
    assert set(going_on) == {0.0} and {1.0, -0.5} & set(np.round(ended, 3).tolist())


def test_the_commands_of_the_readme_run_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(commands()) >= 8
    for command in commands():
        assert run(command) == 0, command
    assert " 0 differences" in capsys.readouterr().out


def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"make ([a-z]+)\b", README)) | {"selfplay", "test"}
    assert named and all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_map_of_chapters_names_files_that_exist() -> None:
    table = README.partition("| chapter | file |")[2].partition("\n\n")[0]
    files = re.findall(r"`([a-z_./]+)`", table)
    assert len(files) > 20
    for file in files:
        assert (ROOT / "genesia_rl/games/genesia" / file).is_file(), file
