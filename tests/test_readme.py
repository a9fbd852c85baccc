"""What the pages say works: their Python runs, the README's commands run, links and maps lead somewhere."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from genesia_rl.cli.app import run
from genesia_rl.core.registry import game_names, package_of

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FOLDERS = ("agents", "docs", "experiments", "genesia_rl", "notebooks")
PAGES = [ROOT / "README.md", *(page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")))]


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[list[str]]:
    """The arguments of every command line that follows a prompt."""
    lines = [line for block in blocks("console") for line in block.splitlines()]
    return [shlex.split(line)[2:] for line in lines if line.startswith("$ genesia ")]


@pytest.mark.parametrize("number", range(len(blocks("python"))))
def test_the_python_of_the_readme_runs(number: int, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(blocks("python")[number], "README.md", "exec"), {})


def test_the_agent_of_ones_own_is_the_one_that_stands_in_agents() -> None:
    (shown,) = (block for block in blocks("python") if "class " in block)
    assert (ROOT / "agents/own_agent.py").read_text(encoding="utf-8").endswith(f"\n{shown}")


def test_the_first_page_is_a_game_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(compile(blocks("python")[0], "README.md", "exec"), names)
    play = names["play"]
    assert play.seed == 7 and play.game.num_seats == 3 and play.states[0]["steps"] == 1
    assert capsys.readouterr().out.count("\n") > 3


def test_the_python_of_the_agents_page_plays_a_game() -> None:
    text = (ROOT / "agents/README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    names: dict[str, Any] = {}
    exec(compile(block, "agents/README.md", "exec"), names)
    assert names["env"].agents == [] and len(names["players"]) == 3


def test_the_loop_for_self_play_pairs_an_action_with_its_own_seat() -> None:
    """All transitions of a game that ended add up to what its seats were paid, and zero over the seats."""
    text = (ROOT / "experiments/README.md").read_text(encoding="utf-8")
    (block,) = (found for found in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "Batch(" in found)
    names: dict[str, Any] = {}
    exec(compile(block, "experiments/README.md", "exec"), names)
    ended = [reward for _, _, reward, after in names["transitions"] if after is None]
    going_on = [reward for _, _, reward, after in names["transitions"] if after is not None]
    assert len(ended) >= 3 and len(ended) % 3 == 0 and abs(sum(ended)) < 1e-4
    assert set(going_on) == {0.0} and {1.0, -0.5} & set(np.round(ended, 3).tolist())


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_the_commands_of_the_readme_have_options_that_there_are(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*command, "--help"]) == 0 and run([*command, "--no-such", "--help"]) == 2


@pytest.mark.slow
def test_the_commands_of_the_readme_run_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agents").symlink_to(ROOT / "agents")  # one of them is named by its file
    assert len(commands()) >= 8
    for command in commands():
        assert run(command) == 0, command
    assert " 0 differences" in capsys.readouterr().out


def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:^|`)make ([a-z]+)\b", README, re.MULTILINE)) | {"selfplay", "test"}
    assert named and all(re.search(rf"^{target}:", makefile, re.MULTILINE) for target in named)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_to_files(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_the_map_of_the_readme_names_folders_that_exist() -> None:
    table = README.partition("| folder | what stands there |")[2].partition("\n\n")[0]
    folders = re.findall(r"`((?:genesia_rl|agents|experiments|tests)/[a-z_/]*)`", table)
    assert len(folders) > 8 and [folder for folder in folders if not (ROOT / folder).is_dir()] == []


@pytest.mark.parametrize("game", game_names())
def test_the_map_of_chapters_on_the_page_of_a_game_names_files_that_exist(game: str) -> None:
    folder = Path(importlib.import_module(package_of(game)).__path__[0])
    page = (folder / "README.md").read_text(encoding="utf-8")
    files = re.findall(
        r"`([a-z_/]+\.(?:py|toml|md))`", page.partition("| chapter | file |")[2].partition("\n\n")[0]
    )
    assert len(files) > 5 and [file for file in files if not (folder / file).is_file()] == []


def test_the_readme_lists_every_game_with_its_page() -> None:
    for game in game_names():
        assert f"[`{game}`]({package_of(game).replace('.', '/')}/README.md)" in README
