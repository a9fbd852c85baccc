"""Every block of code on every page runs, or says why it does not; and the site is made of all pages.

A block may have a comment above it that readers do not see: `not run: REASON`, `slow`, `needs: PACKAGE`, `file: NAME`
(it is written under this name, for the blocks that follow). The blocks of a page run one after another in an empty
folder.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

import genesia_rl
from docs.site import notebooks, pages
from genesia_rl.cli.app import run
from genesia_rl.cli.commands import build
from genesia_rl.cli.options import split_game
from genesia_rl.core.registry import default_game, game_names

ROOT = pages.ROOT
CODE = ("python", "bash", "console")
PROGRAM = genesia_rl.__name__.removesuffix("_rl")
#: Languages that are shown and not run: data, what a program prints, signatures.
SHOWN = ("", "text", "toml")
BLOCK = re.compile(r"(?:^<!-- ((?:not run|slow|needs|file)[^>]*?) -->\n)?^```(\w*)\n(.*?)^```$", re.M | re.S)
MARK = re.compile(r"not run: .{5,}|slow|needs: [a-z0-9_]+|file: [\w./]+")
#: What begins a line of a shell.
COMMANDS = re.compile(r"\$ |(?:genesia|pip|python|make|ray) ")

#: Pages whose Python has tests of its own, which look at what came out.
OWN = {
    "README.md": "tests/test_readme.py",
    "agents/README.md": "tests/test_readme.py",
    "experiments/README.md": "tests/test_readme.py",
    **{f"genesia_rl/games/{game}/README.md": f"tests/games/{game}/test_page.py" for game in game_names()},
}


class Block(NamedTuple):
    """A block of a page: its language, what it says, and what the comment above it says."""

    language: str
    text: str
    mark: str

    @property
    def commands(self) -> list[list[str]]:
        """The words of each command line."""
        lines = self.text.replace("\\\n", " ").splitlines()
        given = [
            line.removeprefix("$ ") for line in lines if self.language == "bash" or line.startswith("$ ")
        ]
        return [words for line in given for words in _each(shlex.split(line, comments=True)) if words]


def _each(words: list[str]) -> Iterator[list[str]]:
    """The commands of a line: `a && b` are two."""
    while "&&" in words:
        place = words.index("&&")
        yield words[:place]
        words = words[place + 1 :]
    yield words


def blocks(page: str) -> list[Block]:
    """The blocks of a page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [Block(language, body, mark) for mark, language, body in BLOCK.findall(text)]


ALL = {page: blocks(page) for page in pages.pages()}


def to_run(page: str, slow: bool) -> list[Block]:
    """The blocks that a test of this page runs."""
    found = []
    for block in ALL[page]:
        skipped = block.mark.startswith("not run") or (block.mark == "slow" and not slow)
        elsewhere = page in OWN and (block.language == "python" or page == "README.md")
        if not skipped and not elsewhere and (block.language in CODE or block.mark.startswith("file")):
            found.append(block)
    return found


# ---------------------------------------------------------------- marks


@pytest.mark.parametrize("page", ALL)
def test_every_block_has_a_language_that_says_what_becomes_of_it(page: str) -> None:
    for block in ALL[page]:
        assert block.language in (*CODE, *SHOWN), block
        assert not block.mark or MARK.fullmatch(block.mark), block.mark
        if block.language == "":
            assert not COMMANDS.match(block.text), f"commands without a language: {block.text}"
        if block.language == "console":
            assert block.text.startswith("$ "), block.text


def test_no_block_and_no_mark_is_overlooked() -> None:
    """All fences come in pairs, and every such comment stands right above one."""
    for page, found in ALL.items():
        text = (ROOT / page).read_text(encoding="utf-8")
        assert len(re.findall(r"^```", text, re.M)) == 2 * len(found), page
        marks = re.findall(r"^<!-- (?:not run|slow|needs|file)", text, re.M)
        assert len(marks) == sum(bool(block.mark) for block in found), page


def test_pages_that_have_tests_of_their_own_are_run_by_them() -> None:
    for page, test in OWN.items():
        if any(block.language == "python" for block in ALL.get(page, [])):
            assert "exec(compile(" in (ROOT / test).read_text(encoding="utf-8"), page


# ---------------------------------------------------------------- running


def run_page(page: str, slow: bool, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All blocks of a page that are to run, in a folder."""
    monkeypatch.chdir(folder)
    (folder / "agents").symlink_to(ROOT / "agents")
    names: dict[str, Any] = {"__name__": "page"}
    for block in to_run(page, slow):
        kind, _, what = block.mark.partition(": ")
        if kind == "needs" and importlib.util.find_spec(what) is None:
            continue
        if kind == "file":
            Path(what).parent.mkdir(parents=True, exist_ok=True)
            Path(what).write_text(block.text, encoding="utf-8")
        if block.language == "python":
            exec(compile(block.text, page, "exec"), names)
        elif block.language in CODE:
            for words in block.commands:
                assert words[0] == PROGRAM, f"{page}: {words}: mark the block as not run, and say why"
                assert run(words[1:]) == 0, f"{page}: {words}"


FAST = [page for page in ALL if to_run(page, slow=False)]
SLOW = [page for page in ALL if any(block.mark == "slow" for block in ALL[page])]


@pytest.mark.parametrize("page", FAST)
def test_the_code_of_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_page(page, False, tmp_path, monkeypatch)


@pytest.mark.slow
@pytest.mark.parametrize("page", SLOW)
def test_the_long_code_of_a_page_runs(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_page(page, True, tmp_path, monkeypatch)


def given(page: str) -> list[list[str]]:
    """The commands of the program that are on a page and not run."""
    found = [
        words for block in ALL[page] if block.mark and block.language in CODE[1:] for words in block.commands
    ]
    return [words[1:] for words in found if words[0] == PROGRAM and "--help" not in words]


@pytest.mark.parametrize("page", [page for page in ALL if given(page)])
def test_commands_that_are_not_run_are_understood(page: str) -> None:
    """Options and values: a mistake in the line would be raised. Nothing is begun."""
    for words in given(page):
        name, left = split_game(words)
        game = default_game() if name in (None, "NAME") else name
        command: Any = typer.main.get_command(build(game))
        said: list[str] = []
        while left and left[0] in getattr(command, "commands", {}):
            said.append(left[0])
            command, left = command.commands[left[0]], left[1:]
        context = command.make_context(" ".join(said), left)
        assert said and context.params is not None, words


# ---------------------------------------------------------------- the site


@pytest.fixture(scope="module")
def laid() -> dict[str, str]:
    """Every page of the repository and where it goes."""
    return {page: pages.goal(page) for page in pages.pages()}


def test_every_page_has_a_place_of_its_own(laid: dict[str, str]) -> None:
    assert len(set(laid.values())) == len(laid) and laid["docs/index.md"] == "index.md"
    taken = set(laid.values()) | {f"api/{group['name']}.md" for group in pages.contents()["api"]}
    assert len(taken) == len(laid) + len(pages.contents()["api"])
    assert not taken & {notebooks.goal(path) for path in notebooks.paths(ROOT)}


def test_every_page_is_in_the_contents_once() -> None:
    listed = [page for _, held in pages.parts() for page in held]
    listed += [page for parent in listed for page in pages.children(parent)]
    assert sorted(listed) == sorted(page for page in pages.pages() if page != "docs/index.md")


def test_every_game_has_a_page_in_the_order_of_the_registry() -> None:
    (held,) = (held for title, held in pages.parts() if title == "The games")
    assert held == [page for page in OWN if "/games/" in page]


def test_links_lead_to_where_their_targets_went(tmp_path: Path) -> None:
    site = pages._Site(tmp_path)
    text = "[a](../README.md#play) `[b](c)` [d](../tests/toy) [e](adding_a_game.md)\n```\n[f](../README.md)\n```\n"
    assert site.relinked("docs/x.md", text, "x.md").splitlines() == [
        "[a](overview.md#play) `[b](c)` [d](source/tests/toy.md) [e](adding_a_game.md)",
        "```",
        "[f](../README.md)",
        "```",
    ]
    report = (
        next(path for path in sorted((ROOT / "experiments").rglob("report.html")))
        .relative_to(ROOT)
        .as_posix()
    )
    made = site.relinked("experiments/README.md", f"[`the` report](../{report})", "experiments/index.md")
    assert made == f'<a class="reference external" href="../reports/{report}">the report</a>'
    assert (tmp_path / "_extra" / "reports" / report).is_file()
    with pytest.raises(FileNotFoundError, match=r"links to nowhere\.md"):
        site.relinked("docs/x.md", "[a](../nowhere.md)", "x.md")


def test_what_is_public_can_be_imported() -> None:
    """The list of the API: every module is there and says what it is."""
    for group in pages.contents()["api"]:
        for name in group["modules"]:
            assert importlib.import_module(name).__doc__, name


def test_the_forms_of_files_are_those_that_the_code_writes() -> None:
    from genesia_rl.envs.saving import FORMAT as SAVE
    from genesia_rl.learn.checkpoint import FORMAT as CHECKPOINT
    from genesia_rl.players.learned import FORMAT as MODEL

    text = (ROOT / "docs/versions.md").read_text(encoding="utf-8")
    for row in (
        f"| saved environment (`env.save()`) | `{SAVE}` |",
        f"| model (`.npz`) | `format` {MODEL} in the header |",
        f"| checkpoint of a training run | `format` {CHECKPOINT} |",
    ):
        assert row in text


def test_who_cites_has_the_version_of_the_package() -> None:
    import genesia_rl

    text = (ROOT / "docs/CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {genesia_rl.__version__}\n" in text and "\nlicense: MIT\n" in text


@pytest.mark.slow
def test_the_site_is_built_without_a_warning_and_fetches_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`make docs`, and then every page: no script, style, font or picture comes from elsewhere."""
    import subprocess
    import sys

    pytest.importorskip("sphinx")
    pytest.importorskip("furo")
    done = subprocess.run(
        [sys.executable, "-m", "docs.site", "--out", str(tmp_path)], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    html = tmp_path / "html"
    assert (html / "index.html").is_file()
    for page in html.rglob("*.html"):
        if "reports" not in page.relative_to(html).parts:
            text = page.read_text(encoding="utf-8")
            assert not re.findall(
                r"<(?:script|img|link rel=\"stylesheet\")[^>]*(?:src|href)=\"https?:", text
            ), page
