"""The guard: outside of a game's own folders nobody names that game or speaks its words.

Its own folders are `genesia_rl/games/X`, `agents/X`, `experiments/X`, `experiments/*/X`, `notebooks/X` and
`tests/games/X`; its line in the registry is the one exception. Its words stand in `tests/games/X/words.txt`, a
regular expression a line. The first page, first steps and the history may name all games. The program and the
package have the name of the first game: `genesia`, `genesia_rl` and `GenesiaError` mean these, unless it is said
where a game's name belongs.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

import genesia_rl
from genesia_rl.envs.registration import title_of

PACKAGE = Path(genesia_rl.__file__).resolve().parent
ROOT = PACKAGE.parent
PROGRAM = PACKAGE.name.removesuffix("_rl")
GAMES = sorted(path.name for path in (PACKAGE / "games").iterdir() if (path / "__init__.py").is_file())

SUFFIXES = (".py", ".md", ".toml", ".txt", ".ipynb", ".yml", ".cfg", ".json")
FREE = ("README.md", "CHANGELOG.md", "docs/first/")  # of the root; folders with all that is in them
SKIPPED = ("runs", "build", "dist")
REGISTRY = "genesia_rl/core/registry.py"


class Found(NamedTuple):
    """A place where a game is named."""

    path: str
    line: int
    what: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}"


# ---------------------------------------------------------------- what is looked at


@cache
def texts() -> dict[str, str]:
    """All files of the repository that people write, by path."""
    found = {}
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith((".", "__pycache__")) or part.endswith(".egg-info") for part in parts)
        if hidden or parts[0] in SKIPPED or not path.is_file():
            continue
        if path.suffix in SUFFIXES or path.name == "Makefile":
            found["/".join(parts)] = path.read_text(encoding="utf-8")
    return found


@cache
def own(game: str) -> re.Pattern[str]:
    """The paths of a game's own folders; of all games, given a pattern for any name."""
    folders = (
        f"genesia_rl/games/{game}/", f"agents/{game}/", f"experiments/(?:[^/]+/)?{game}[/.]",
        f"notebooks/{game}[/.]", f"tests/games/{game}/",
    )  # fmt: skip
    return re.compile("|".join(folders))


def outside(folders: re.Pattern[str], game: str) -> Iterator[tuple[str, str]]:
    """The files outside of some folders, and what they say without what they may say of a game."""
    for path, text in texts().items():
        if not path.startswith(FREE) and not folders.match(path):
            yield path, said(game, path, text)


def said(game: str, path: str, text: str) -> str:
    """A file without its references to the game's folders, and without the line of the registry."""
    if path == REGISTRY:
        return text.replace(f'"{game}": "genesia_rl.games.{game}",', "")
    if path.endswith(".md"):
        return re.sub(rf"[\w./]*\b{game}/[\w./]*", "", text)
    return text


# ---------------------------------------------------------------- what is found


@cache
def names(game: str) -> re.Pattern[str]:
    """The ways to name a game: a module of it, its title, its name where a game's name belongs, or anywhere."""
    ways = [
        rf"games[./]{game}\b",
        rf"(?<![A-Za-z]){title_of(game)}(?!Error)",
        rf"(?<![A-Za-z]){game.replace('_', ' ').title()}(?!Error)",
    ]
    if game == PROGRAM:
        ways += [rf"\(\\?\"{game}\\?\"[,)]", rf"--game[ =]{game}\b", rf"\b{game}(?:-trace|-save|_v\d)"]
    else:
        ways += [rf"(?<![A-Za-z]){game}(?![A-Za-z])"]
    return re.compile("|".join(ways))


@cache
def words(game: str) -> re.Pattern[str] | None:
    """What only this game speaks of; parts of names that are written_so count as words."""
    file = ROOT / "tests/games" / game / "words.txt"
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    listed = [line for line in lines if line and not line.startswith("#")]
    return re.compile(rf"(?<![A-Za-z])(?:{'|'.join(listed)})(?![A-Za-z])") if listed else None


def literals(game: str, path: str, text: str) -> Iterator[Found]:
    """Python's strings that are a game's name and not the program's, which a command line begins with."""
    if game != PROGRAM or not path.endswith(".py"):
        return
    tree = ast.parse(text)
    program = {id(k.value) for k in ast.walk(tree) if isinstance(k, ast.keyword) and k.arg == "prog_name"}
    program |= {
        id(k.elts[0]) for k in ast.walk(tree) if isinstance(k, ast.List | ast.Tuple) and len(k.elts) > 1
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value == game and id(node) not in program:
            yield Found(path, node.lineno, f'"{game}"')


def naming(game: str) -> list[Found]:
    """Where others name a game."""
    found = set()
    for path, text in outside(own(game), game):
        found |= set(literals(game, path, text))
        for number, line in enumerate(text.splitlines(), 1):
            found |= {Found(path, number, match.group().strip()) for match in names(game).finditer(line)}
    return sorted(found)


def speaking(game: str) -> list[Found]:
    """Where a game's words are spoken outside of all games: what another game calls its things is its own affair."""
    pattern = words(game)
    if pattern is None:
        return []
    return [
        Found(path, number, match.group())
        for path, text in outside(own("[^/]+"), game)
        for number, line in enumerate(text.splitlines(), 1)
        for match in pattern.finditer(line)
    ]


def report(found: list[Found]) -> str:
    """How many in which file, and each."""
    files = [place.path for place in found]
    counts = "\n".join(f"{files.count(path):5} {path}" for path in sorted(set(files)))
    return f"{len(found)} in {len(set(files))} files\n{counts}\n\n" + "\n".join(map(str, found))


# ---------------------------------------------------------------- the guard


@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_names_a_game(game: str) -> None:
    found = naming(game)
    assert not found, report(found)


@pytest.mark.parametrize("game", GAMES)
def test_nobody_else_speaks_a_games_words(game: str) -> None:
    found = speaking(game)
    assert not found, report(found)


def test_the_guard_sees_the_repository() -> None:
    for path in ("README.md", "Makefile", "pyproject.toml", REGISTRY, "tests/core/test_guard.py"):
        assert path in texts()
    assert PROGRAM in GAMES and all(f"genesia_rl/games/{game}/game.py" in texts() for game in GAMES)


@pytest.mark.parametrize("game", GAMES)
def test_the_guard_finds_what_it_looks_for(game: str) -> None:
    """Everywhere but in the package's own name and in the program's."""
    for text in (f"from genesia_rl.games.{game}.game import make", f"class {title_of(game)}Game:",
                 f"--game {game}", f"{game}-trace/1", f"from genesia_rl import {game}_v0", f'start("{game}", 3)',
                 f"make a {title_of(game)}-v0"):  # fmt: skip
        assert names(game).search(text), text
    for text in (
        "from genesia_rl.core import game",
        "class GenesiaError(ValueError):",
        "genesia record --out a",
    ):
        assert not names(game).search(text)
    assert [*literals(PROGRAM, "a.py", f'make(name="{PROGRAM}")')] == [Found("a.py", 1, f'"{PROGRAM}"')]
    assert [*literals(PROGRAM, "a.py", f'main(prog_name="{PROGRAM}", args=["{PROGRAM}", "--help"])')] == []
