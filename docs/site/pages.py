"""Which pages there are, where each goes, and what its links become.

A page is taken as it stands. Its links are those of the repository, and here lead to where their targets went: pages
to pages, code and data to a page that shows the file, a folder to its README or to a list of its files, a report to it.
"""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache
from pathlib import Path
from posixpath import dirname, normpath, relpath
from typing import Any

from docs.site import games, notebooks

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("agents", "docs", "experiments", "genesia_rl", "notebooks")
CONTENTS = Path(__file__).with_name("contents.toml")
#: Where files go that are no pages, below the site's root; `_extra` is copied into it as it is.
SOURCE, EXTRA, REPORTS = "source", "_extra", "reports"

#: What the hub asks of a model's card is no part of the page.
HEADER = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)
FENCE = re.compile(r"^(```.*?^```$)", re.MULTILINE | re.DOTALL)
#: A link; or code, in which there is none.
LINK = re.compile(r"`[^`]+`|(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json"}
PICTURES = (".png", ".svg", ".jpg")


@cache
def contents() -> dict[str, Any]:
    """The parts of the site, and the modules of the API."""
    return tomllib.loads(CONTENTS.read_text(encoding="utf-8"))


@cache
def pages() -> tuple[str, ...]:
    """All pages of the repository, by path."""
    below = (page for folder in FOLDERS for page in sorted((ROOT / folder).rglob("*.md")))
    found = [page.relative_to(ROOT).as_posix() for page in below if "runs" not in page.parts]
    return ("README.md", "CHANGELOG.md", *found)


def goal(path: str) -> str:
    """Where a page of the repository goes: `docs` and `genesia_rl` are no folders of the site."""
    if path == "README.md":
        return "overview.md"
    short = path.removeprefix("docs/").removeprefix("genesia_rl/")
    return f"{short.removesuffix('README.md')}index.md" if short.endswith("/README.md") else short


def parts() -> list[tuple[str, list[str]]]:
    """The title of every part and its pages."""
    return [
        (part["title"], [page for pattern in part["pages"] for page in _matching(pattern)])
        for part in contents()["part"]
    ]


def _matching(pattern: str) -> list[str]:
    """Pages of a pattern; of games in the order of the registry."""
    found = [page for page in pages() if page.count("/") == pattern.count("/") and fnmatch(page, pattern)]
    if not found:
        raise ValueError(f"{CONTENTS.name}: {pattern}: there is no such page")
    order = games.folders(ROOT)
    return sorted(found, key=lambda page: order.index(dirname(page)) if dirname(page) in order else -1)


def children(path: str) -> list[str]:
    """The pages that stand below a folder's README, other READMEs' pages not."""
    if not path.endswith("/README.md"):
        return []
    folder = f"{dirname(path)}/"
    listed = {page for _, held in parts() for page in held}
    found = [
        page
        for page in pages()
        if page.startswith(folder) and page != path and page not in listed and nearest(page) == path
    ]
    return sorted(found, key=lambda page: not page.endswith("/RULES.md"))  # what is true comes first


def nearest(path: str) -> str:
    """The README of the nearest folder above a page that has one and is in a part."""
    listed = {page for _, held in parts() for page in held}
    folder = dirname(path)
    while folder:
        if f"{folder}/README.md" in listed:
            return f"{folder}/README.md"
        folder = dirname(folder)
    return ""


# ---------------------------------------------------------------- laying out


def lay_out(out: Path) -> None:
    """Write the whole source of the site into a folder."""
    site = _Site(out)
    for path in pages():
        site.page(path)
    for path in notebooks.paths(ROOT):
        site.notebook(path)
    for group in contents()["api"]:
        site.write(f"api/{group['name']}.md", api_page(group))
    site.files()
    (out / EXTRA).mkdir(exist_ok=True)


def api_page(group: dict[str, Any]) -> str:
    """The modules of a group, each with what stands in its docstrings."""
    lines = [f"# {group['title']}", ""]
    for module in group["modules"]:
        lines += [f"## `{module}`", "", "```{eval-rst}", f".. automodule:: {module}", "```", ""]
    return "\n".join(lines)


def toctree(titles: str, held: list[str]) -> str:
    """A list of pages that only the sidebar shows."""
    return "\n".join(["", "```{toctree}", ":hidden:", *titles.splitlines(), "", *held, "```", ""])


class _Site:
    """The folder that is being written, and the files that its pages have asked for."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.asked: list[str] = []  # files to be shown on a page of their own

    def write(self, goal: str, text: str) -> None:
        """A page of the site."""
        file = self.out / goal
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def page(self, path: str) -> None:
        """A page of the repository."""
        text = HEADER.sub("", (ROOT / path).read_text(encoding="utf-8"))
        text = self.relinked(path, text, goal(path))
        game = games.game_of(path, ROOT)
        if game is not None:
            text = games.with_declared(game, text, self.out / dirname(goal(path)))
        self.write(goal(path), text + self.below(path))

    def below(self, path: str) -> str:
        """The pages below a page, for the sidebar."""
        here = dirname(goal(path))
        if path == "docs/index.md":
            return "".join(
                toctree(f":caption: {title}", [_from(here, goal(page)) for page in held])
                for title, held in parts()
            )
        if path == "docs/api.md":
            return toctree("", [f"api/{group['name']}.md" for group in contents()["api"]])
        held = [_from(here, goal(page)) for page in children(path)]
        if path == "notebooks/README.md":
            held += [_from(here, notebooks.goal(page)) for page in notebooks.paths(ROOT)]
        return toctree("", held) if held else ""

    def notebook(self, path: str) -> None:
        """A notebook as it was executed."""
        folder = self.out / dirname(path)
        folder.mkdir(parents=True, exist_ok=True)
        text = notebooks.page(ROOT / path, folder)
        self.write(notebooks.goal(path), self.relinked(path, text, notebooks.goal(path)))

    def relinked(self, path: str, text: str, to: str) -> str:
        """A page whose links lead to where their targets went; what is in fences stays."""

        def link(match: re.Match[str]) -> str:
            mark, words, target = match.groups()
            if target is None:
                return match.group()
            file, hash_, anchor = target.partition("#")
            if not file or "://" in target or target.startswith("mailto:") or file.startswith("made/"):
                return match.group()
            there = normpath(f"{dirname(path)}/{file}") if dirname(path) else normpath(file)
            return self.linked(f"{mark}[{words}]", words, there, f"{hash_}{anchor}", to)

        pieces = FENCE.split(text)
        return "".join(piece if piece.startswith("```") else LINK.sub(link, piece) for piece in pieces)

    def linked(self, bracket: str, words: str, there: str, anchor: str, to: str) -> str:
        """A link to what stands at a path of the repository."""
        here = dirname(to)
        if there.endswith(".html"):
            self.copy(there, f"{EXTRA}/{REPORTS}/{there}")
            return f'<a class="reference external" href="{_from(here, f"{REPORTS}/{there}")}">{_plain(words)}</a>'
        if there.endswith(PICTURES):
            self.copy(there, there.removeprefix("docs/"))
            return f"{bracket}({_from(here, there.removeprefix('docs/'))})"
        return f"{bracket}({_from(here, self.shown(there))}{anchor})"

    def shown(self, there: str) -> str:
        """The page that shows what stands at a path."""
        if (ROOT / there).is_dir() and f"{there}/README.md" in pages():
            there = f"{there}/README.md"
        if there in pages():
            return goal(there)
        if there in notebooks.paths(ROOT):
            return notebooks.goal(there)
        if not (ROOT / there).exists():
            raise FileNotFoundError(f"a page links to {there}, which is not there")
        if there not in self.asked:
            self.asked.append(there)
        return f"{SOURCE}/{there}.md"

    def files(self) -> None:
        """The pages of the files that were asked for; a folder asks for what is in it."""
        for there in self.asked:
            file, page = ROOT / there, f"{SOURCE}/{there}.md"
            head = f"---\norphan: true\n---\n\n# `{there}`\n\n"
            if file.is_dir():
                self.write(page, head + "".join(self.listed(there, page)))
                continue
            self.copy(there, f"{SOURCE}/{there}")
            language = LANGUAGES.get(file.suffix, "text")
            shown = f"```{{literalinclude}} {file.name}\n:language: {language}\n```\n"
            self.write(page, head + shown)

    def listed(self, there: str, page: str) -> Iterator[str]:
        """The files of a folder, a line each."""
        for file in sorted((ROOT / there).iterdir()):
            if file.suffix in LANGUAGES:
                inside = self.shown(f"{there}/{file.name}")
                yield f"- [`{file.name}`]({_from(dirname(page), inside)})\n"

    def copy(self, there: str, to: str) -> None:
        """A file as it is."""
        (self.out / to).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / there, self.out / to)


def _from(here: str, there: str) -> str:
    """A path as seen from a folder."""
    return relpath(there, here or os.curdir)


def _entry(here: str, page: str) -> str:
    """A page in the sidebar; the title of the first one is that of the site already."""
    there = _from(here, goal(page))
    return f"Overview <{there}>" if page == "README.md" else there


def _plain(words: str) -> str:
    """The words of a link without marks."""
    return words.replace("`", "").replace("*", "")
