"""How the program explains itself: every option has a text and a group, every command an example that is understood."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from cli_tools import Capture, genesia

import genesia_rl
from genesia_rl.cli.commands import FIRST_STEPS, being_completed, build
from genesia_rl.cli.options import split_game
from genesia_rl.cli.output import side_by_side
from genesia_rl.core.registry import default_game, game_info, game_names

ROOT = Path(genesia_rl.__file__).resolve().parent.parent
WIDE = 80


def commands(game: str) -> Iterator[tuple[str, Any]]:
    """Every command with its name, those below others too."""

    def below(name: str, command: Any) -> Iterator[tuple[str, Any]]:
        yield name, command
        for part, held in getattr(command, "commands", {}).items():
            yield from below(f"{name} {part}".strip(), held)

    yield from below("", typer.main.get_command(build(game)))


ALL = [(game, name, command) for game in game_names() for name, command in commands(game)]
NAMED = [(name, command) for game, name, command in ALL if name and game == default_game()]


@pytest.mark.parametrize(("game", "name", "command"), ALL, ids=[f"{g}-{n}" for g, n, _ in ALL])
def test_every_option_says_what_it_is(game: str, name: str, command: Any) -> None:
    assert [param.name for param in command.params if not (param.help or "").strip()] == []


@pytest.mark.parametrize(("name", "command"), NAMED, ids=[name for name, _ in NAMED])
def test_every_command_has_an_example_that_it_understands(name: str, command: Any) -> None:
    lines = (command.epilog or "").splitlines()
    assert lines
    for line in lines:
        assert line.startswith(f"genesia {name}") and len(line) <= WIDE - 2
        _, given = split_game(shlex.split(line)[1 + len(name.split()) :])
        context = command.make_context(name, given)  # a mistake in the example would be raised
        assert context.params or command.commands


@pytest.mark.parametrize(("name", "command"), NAMED, ids=[name for name, _ in NAMED])
def test_help_fits_a_terminal_and_shows_the_example_before_the_options(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, name: str, command: Any
) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDE))
    code, out, _ = genesia(capsys, *name.split(), "--help")
    assert code == 0 and max(map(len, out.splitlines())) <= WIDE
    assert "..." not in out.partition("\nCommands:")[2].partition("\n\n")[0]
    assert re.search(r"^Examples?:\n  genesia ", out, re.MULTILINE)
    assert out.index("\nExample") < out.index("\nOptions:")


def test_options_stand_in_groups_and_those_of_the_configuration_in_one(capsys: Capture) -> None:
    out = genesia(capsys, "arena", "--help")[1]
    heads = re.findall(r"^([A-Z][^:\n]*):$", out, re.MULTILINE)
    assert heads == [
        "Example",
        "Commands",
        "Options",
        "The game",
        "What is written",
        "Processes and machines",
    ]
    assert "--players N" in out.partition("The game:")[2].partition("\n\n")[0]
    assert "--workers N" in out.partition("Processes and machines:")[2]


def test_no_summary_is_cut(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDE))
    out = genesia(capsys)[1]
    assert "..." not in out and max(map(len, out.splitlines())) <= WIDE
    for name, command in NAMED:
        if " " not in name and not command.hidden:
            assert re.search(rf"^  {name} +{re.escape(command.get_short_help_str())}$", out, re.MULTILINE)


def test_the_readme_begins_as_the_program_without_arguments(capsys: Capture) -> None:
    out = genesia(capsys)[1]
    block = out[out.index("First steps:") :].partition("\n\n")[0]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert block in readme.partition("\n## ")[0]
    known = {name for name, _ in NAMED}
    assert {step.split()[1] for step, _ in FIRST_STEPS} <= known | {"COMMAND"}


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("genesia eval", {"evaluate"}),
        (f"genesia record --game {game_names()[-1][:4]}", {game_names()[-1]}),
        ("genesia arena d", {"duel"}),
        ("genesia record --see", {"--seed"}),
    ],
)
def test_a_shell_completes_commands_options_and_games(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, line: str, expected: set[str]
) -> None:
    assert set(completed(capsys, monkeypatch, line)) == expected


@pytest.mark.parametrize("game", game_names())
def test_a_shell_completes_the_options_of_the_game_that_is_named(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    for option in game_info(game).options:
        flag = option.flag.split("/")[0]
        assert flag in completed(capsys, monkeypatch, f"genesia record --game {game} {flag}")


def completed(capsys: Capture, monkeypatch: pytest.MonkeyPatch, line: str) -> list[str]:
    """What bash is told."""
    monkeypatch.setenv("_GENESIA_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(line.split()) - 1))
    capsys.readouterr()
    with pytest.raises(SystemExit):
        genesia(capsys)
    return capsys.readouterr().out.split()


def test_a_game_that_is_not_typed_to_its_end_is_none() -> None:
    assert being_completed({"COMP_WORDS": "genesia record --game nosuch"}) is None
    assert (
        being_completed({"_TYPER_COMPLETE_ARGS": f"genesia --game {game_names()[-1]} re"}) == game_names()[-1]
    )
    assert being_completed({}) is None


@pytest.mark.parametrize("width", [80, 120])
def test_columns_that_do_not_fit_go_below(width: int) -> None:
    parts = side_by_side(range(7), 34, 19, width)
    assert [each for part in parts for each in part] == list(range(7))
    assert all(34 + 19 * len(part) <= width for part in parts) and len(parts) == {80: 4, 120: 2}[width]
