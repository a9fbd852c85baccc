"""A report: sections of text, facts, tables and plots as one HTML page that needs no network."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from matplotlib.figure import Figure
from rich.console import Console
from rich.text import Text

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.files import replace_text
from genesia_rl.core.plain import plain
from genesia_rl.report.estimates import MISSING, is_missing
from genesia_rl.report.parquet import Column, write_tables
from genesia_rl.report.svg import svg_of
from genesia_rl.report.table import SPACE, Table, formatted

PAGE, TABLES = "report.html", "tables"
KINDS = ("info", "warning")
#: A browser that obeys this loads nothing, whatever else the page says.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"


class Block(Protocol):
    """Something between two headings."""

    def html(self) -> str: ...

    def print(self, console: Console) -> None: ...


class Markup:
    """Something that only the page shows."""

    def __init__(self, text: str) -> None:
        self.text = text

    def html(self) -> str:
        """As it was made."""
        return self.text

    def print(self, console: Console) -> None:
        """Nothing: a terminal gets the tables."""


class Note:
    """A remark that must not be overlooked."""

    def __init__(self, text: str, kind: str) -> None:
        self.text, self.kind = text, kind

    def html(self) -> str:
        """Boxed."""
        return f'<div class="note {self.kind}" role="note">{_paragraphs(self.text)}</div>'

    def print(self, console: Console) -> None:
        """With its kind before it."""
        console.print(Text(f"{self.kind}: {self.text}"))


class Number(NamedTuple):
    """A figure under its name, with the ends of its interval if it has one."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    code: str = ".1%"
    more: str = ""  # words after it

    @property
    def text(self) -> str:
        """As it is read."""
        if is_missing(self.value):
            return MISSING
        value = formatted(self.value, self.code)
        if self.low is not None and self.high is not None and not is_missing(self.low):
            ends = (formatted(end, self.code).partition(SPACE)[0] for end in (self.low, self.high))
            value = f"{value} ({' .. '.join(ends)})"
        return f"{value} {self.more}".rstrip()


class Answer:
    """What came out, before everything else: some sentences, and numbers beside names."""

    def __init__(self, sentences: Sequence[str], figures: Sequence[Number]) -> None:
        self.sentences, self.figures = list(sentences), list(figures)

    def html(self) -> str:
        """Side by side where there is room."""
        said = "\n".join(f"<p>{escape(_whole(sentence))}</p>" for sentence in self.sentences)
        rows = "\n".join(
            f'<tr><th scope="row">{escape(one.name)}</th><td class="number">{escape(one.text)}</td></tr>'
            for one in self.figures
        )
        held = f'<table class="figures">\n<tbody>\n{rows}\n</tbody>\n</table>' if rows else ""
        return f'<div class="answer">\n<div>\n{said}\n</div>\n{held}\n</div>'

    def print(self, console: Console) -> None:
        """The sentences, then a line for each number."""
        for sentence in self.sentences:
            console.print(Text(textwrap.fill(_whole(sentence), console.width)), soft_wrap=True)
        if self.figures:
            console.print()
        wide = max((len(one.name) for one in self.figures), default=0)
        for one in self.figures:
            console.print(Text(f"  {one.name:<{wide}}  {one.text}"), soft_wrap=True)


class Section:
    """A heading with what follows it; the first section of a report has none."""

    def __init__(self, heading: str) -> None:
        self.heading = heading
        self.blocks: list[Block] = []

    def html(self, name: str) -> str:
        """The element that the contents link to."""
        inner = "\n".join(block.html() for block in self.blocks)
        if not self.heading:
            return inner
        return f'<section id="{name}">\n<h2>{escape(self.heading)}</h2>\n{inner}\n</section>'

    def print(self, console: Console) -> None:
        """The heading only if something comes below it."""
        if any(not isinstance(block, Markup) for block in self.blocks):
            if self.heading:
                console.print(Text(f"\n{self.heading}", style="bold underline"))
            for block in self.blocks:
                block.print(console)


class Report:
    """Filled from top to bottom, then saved. The same content gives the same bytes."""

    def __init__(self, title: str, subtitle: str = "") -> None:
        self.title, self.subtitle = title, subtitle
        self.sections = [Section("")]
        self.tables: dict[str, Table] = {}
        self.told: dict[str, Any] = {}
        self._said: Answer | None = None
        self.plots = 0

    def answer(self, sentences: Sequence[str], figures: Sequence[Number] = ()) -> None:
        """What came out: it stands before everything else, whenever it is said."""
        self._said = Answer(sentences, figures)

    def section(self, heading: str, text: str = "") -> None:
        """Begin a section; what is added from now on belongs to it."""
        if not heading.strip():
            raise ConfigError(f"heading = {heading!r}, allowed are words")
        self.sections.append(Section(heading))
        if text:
            self.text(text)

    def text(self, paragraph: str) -> None:
        """Plain text; a blank line begins a new paragraph."""
        self._add(Markup(_paragraphs(paragraph)))

    def facts(self, facts: Mapping[str, Any]) -> None:
        """Names and what they are: the command, seeds, the number of games."""
        self.told |= facts
        rows = "\n".join(
            f"<dt>{escape(name)}</dt><dd>{escape(_fact(held))}</dd>" for name, held in facts.items()
        )
        self._add(Markup(f"<dl>\n{rows}\n</dl>"))

    def table(
        self,
        name: str,
        columns: Mapping[str, Column],
        caption: str = "",
        formats: Mapping[str, str] | None = None,
        show: int | None = None,
    ) -> None:
        """A table, which is also written as `tables/NAME.parquet`; the page unfolds what is beyond `show`.

        `formats` are format codes of Python by column (`.1f`, `.1%`); they change what is read, not what is
        written to the file.
        """
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
            raise ConfigError(f"table {name!r}: allowed are letters, digits, - and _, as in names of files")
        if name.lower() in {known.lower() for known in self.tables}:
            raise ConfigError(f"table {name!r}: there is one already, allowed is another name")
        self.tables[name] = Table(name, columns, caption, formats, show)
        self._add(self.tables[name])

    def plot(self, figure: Figure, caption: str, alt: str) -> None:
        """A figure with words below it; `alt` tells what it shows to those who do not see it."""
        if not alt.strip():
            raise ConfigError(
                f"alt = {alt!r} of the plot {caption!r}, allowed is what the plot shows, in words"
            )
        self.plots += 1
        drawn = svg_of(figure, f"plot{self.plots}", alt)
        words = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
        self._add(Markup(f'<figure class="plot">\n<div class="card">{drawn}</div>\n{words}\n</figure>'))

    def links(self, links: Mapping[str, str]) -> None:
        """Words that lead to other pages, which stand beside this one or below it."""
        items = "\n".join(
            f'<li><a href="{escape(to)}">{escape(words)}</a></li>' for words, to in links.items()
        )
        self._add(Markup(f"<ul>\n{items}\n</ul>"))

    def note(self, text: str, kind: str = "info") -> None:
        """A remark in a box, `info` or `warning`."""
        if kind not in KINDS:
            raise ConfigError(f"kind = {kind!r} of a note, allowed are {', '.join(KINDS)}")
        self._add(Note(text, kind))

    def save(self, folder: str | Path) -> Path:
        """Write the tables and, when they are complete, the page; returns where the page is.

        Tables of an older report in that folder go.
        """
        goal = Path(folder)
        goal.mkdir(parents=True, exist_ok=True)
        write_tables(goal / TABLES, {name: table.columns for name, table in self.tables.items()})
        replace_text(goal / PAGE, self.html())
        return goal / PAGE

    def html(self) -> str:
        """The whole page."""
        named = [(f"section{k}", section) for k, section in enumerate(self.sections)]
        body = "\n".join(section.html(name) for name, section in named)
        lead = f'<p class="subtitle">{escape(self.subtitle)}</p>\n' if self.subtitle else ""
        lead += "".join(f"{answer.html()}\n" for answer in self._answers())
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{escape(self.title)}</title>\n<style>\n{_asset('page.css')}</style>\n</head>\n<body>\n"
            f"<header>\n<h1>{escape(self.title)}</h1>\n{lead}</header>\n{_contents(named[1:])}<main>\n{body}\n"
            f"</main>\n<script>\n{_asset('page.js')}</script>\n</body>\n</html>\n"
        )

    def print(self, console: Console) -> None:
        """What came out, then tables and notes in the terminal."""
        console.print(Text(self.title, style="bold"))
        for answer in self._answers():
            answer.print(console)
        for section in self.sections:
            section.print(console)

    def to_dict(self) -> dict[str, Any]:
        """The same for programs, as JSON knows it: what came out, facts, remarks and all tables by column."""
        blocks = [block for section in self.sections for block in section.blocks]
        answers = self._answers()
        told: dict[str, Any] = plain({
            "title": self.title,
            "answer": [sentence for answer in answers for sentence in answer.sentences],
            "figures": [
                {"name": one.name, "value": one.value, "low": one.low, "high": one.high}
                for answer in answers for one in answer.figures
            ],
            "facts": self.told,
            "notes": [{"kind": note.kind, "text": note.text} for note in blocks if isinstance(note, Note)],
            "tables": {name: table.columns for name, table in self.tables.items()},
        })  # fmt: skip
        return told

    def _answers(self) -> list[Answer]:
        return [] if self._said is None else [self._said]

    def _add(self, block: Block) -> None:
        self.sections[-1].blocks.append(block)


def _whole(sentence: str) -> str:
    """Numbers are not parted from their signs, nor the ends of an interval from each other."""
    return re.sub(r"(?<=\d) (?=%)|(?<=%) (?=\(-?\d)| (?=\.\. )|(?<=\.\.) ", SPACE, sentence)


def _contents(named: list[tuple[str, Section]]) -> str:
    """Links to the sections, if there are several."""
    if len(named) < 2:
        return ""
    items = "\n".join(f'<li><a href="#{name}">{escape(part.heading)}</a></li>' for name, part in named)
    return (
        f'<nav aria-labelledby="contents">\n<h2 id="contents">Contents</h2>\n<ol>\n{items}\n</ol>\n</nav>\n'
    )


def _paragraphs(text: str) -> str:
    parts = (part.strip() for part in re.split(r"\n\s*\n", text))
    return "\n".join(f"<p>{escape(part)}</p>" for part in parts if part)


def _fact(value: Any) -> str:
    """Sequences without their brackets."""
    if isinstance(value, list | tuple):
        return ", ".join(_fact(part) for part in value)
    return MISSING if is_missing(value) else str(value)


@cache
def _asset(name: str) -> str:
    return files("genesia_rl.report").joinpath(name).read_text(encoding="utf-8")
