"""How the program explains itself: options in groups, summaries that are not cut, an example for every command.

A command's examples are its `epilog`, a command line each; the group in which the list of commands shows it is its
`rich_help_panel`, as is the group of an option. The text is plain, so that it reads alike in a terminal and in a file.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

#: Groups of commands, in the order in which they are listed.
PLAYING, FILES, MEASURING, LEARNING, MACHINE = (
    "Play and look", "Games as files", "Who is stronger, is the game fair", "Agents that learn",
    "This machine",
)  # fmt: skip
OTHERS = "Other commands"
#: Groups of options; what has none comes first.
OPTIONS, THE_GAME, OUTPUT, PROCESSES = "Options", "The game", "What is written", "Processes and machines"
ARGUMENTS = "Arguments"
_GROUPS = (PLAYING, FILES, MEASURING, LEARNING, MACHINE)
_ORDER = (ARGUMENTS, OPTIONS, THE_GAME, OUTPUT, PROCESSES)

WHOLE = 10_000  # letters of a summary: it is never cut

Rows = list[tuple[str, str]]


def _groups(order: Iterable[str], found: Iterable[tuple[str, tuple[str, str]]]) -> dict[str, Rows]:
    """Rows by group: the known groups in their order, then others as they come."""
    groups: dict[str, Rows] = {name: [] for name in order}
    for name, row in found:
        groups.setdefault(name, []).append(row)
    return {name: rows for name, rows in groups.items() if rows}


def _write(formatter: Any, groups: dict[str, Rows], widest: int = 30) -> None:
    """All groups with their texts in one column."""
    lengths = [len(term) for rows in groups.values() for term, _ in rows]
    width = max((length for length in lengths if length <= widest), default=0)
    for name, rows in groups.items():
        with formatter.section(name):
            formatter.write_dl([(term.ljust(width), text) for term, text in rows], col_max=widest)


def _write_options(command: Any, context: Any, formatter: Any) -> None:
    found = []
    for param in command.get_params(context):
        row = param.get_help_record(context)
        if row is not None:
            usual = ARGUMENTS if param.param_type_name == "argument" else OPTIONS
            found.append((getattr(param, "rich_help_panel", None) or usual, row))
    _write(formatter, _groups(_ORDER, found))


def _write_examples(command: Any, formatter: Any) -> None:
    """Line by line as they were written: an example is there to be copied."""
    if command.epilog:
        examples = [line.strip() for line in command.epilog.splitlines() if line.strip()]
        with formatter.section("Example" if len(examples) == 1 else "Examples"):
            for line in examples:
                formatter.write(f"{'':>{formatter.current_indent}}{line}\n")


class Command(TyperCommand):
    """A command with its options in groups."""

    def get_short_help_str(self, limit: int = WHOLE) -> str:
        """The first sentence, whole."""
        return str(super().get_short_help_str(WHOLE))

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """What it does, then an example."""
        super().format_help_text(ctx, formatter)
        _write_examples(self, formatter)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Group by group."""
        _write_options(self, ctx, formatter)

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Nothing: examples stand above the options."""


class Group(TyperGroup):
    """A command with commands below it."""

    def get_short_help_str(self, limit: int = WHOLE) -> str:
        """The first sentence, whole."""
        return str(super().get_short_help_str(WHOLE))

    def format_help_text(self, ctx: Any, formatter: Any) -> None:
        """What it does, then an example."""
        super().format_help_text(ctx, formatter)
        _write_examples(self, formatter)

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The commands below it first: whoever does not know them looks for one."""
        self.format_commands(ctx, formatter)
        _write_options(self, ctx, formatter)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Group by group, each with its first sentence."""
        found = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                panel = getattr(command, "rich_help_panel", None)
                found.append((panel or self._usual_group(), (name, command.get_short_help_str())))
        groups = _groups(_GROUPS, found)
        _write(formatter, groups)

    def _usual_group(self) -> str:
        """Of a command that names none: below another command there is one group only."""
        panels = {getattr(command, "rich_help_panel", None) for command in self.commands.values()}
        return OTHERS if any(isinstance(panel, str) for panel in panels) else "Commands"

    def format_epilog(self, ctx: Any, formatter: Any) -> None:
        """Nothing: examples stand above."""


class Program(typer.Typer):
    """A program, or a command with commands below it, whose commands explain themselves so."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(cls=Group, rich_markup_mode=None, pretty_exceptions_enable=False, **settings)

    def command(self, name: str | None = None, **settings: Any) -> Any:
        """Add a command; `epilog` are its examples, `rich_help_panel` is its group."""
        return super().command(name, **{"cls": Command, **settings})
