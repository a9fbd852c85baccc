"""The colours of the page's style sheet, for pictures that Python draws and for the test of their contrasts."""

from __future__ import annotations

import json
import re
from functools import cache
from importlib.resources import files

THEMES = ("light", "dark")
_COLOUR = re.compile(r"--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)")
_FORMS = re.compile(r"export const FORMS = (\{.*?\});", re.DOTALL)
_SEAT_FORMS = re.compile(r"export const SEAT_FORMS = (\[.*?\]);")


@cache
def page_text(name: str) -> str:
    """A file of the page, as it ships."""
    return files("genesia_rl.studio").joinpath("page", name).read_text(encoding="utf-8")


@cache
def colours(theme: str) -> dict[str, str]:
    """The colours of a theme by name."""
    place = THEMES.index(theme)
    return {name: both[place] for name, *both in _COLOUR.findall(page_text("palette.css"))}


@cache
def tones() -> tuple[str, ...]:
    """The names that areas and cards may have for a colour."""
    style = page_text("board.css")
    return tuple(name for name in colours(THEMES[0]) if f".{name} {{ --tone: var(--{name})" in style)


@cache
def forms() -> dict[str, str]:
    """Outlines of pieces in a box of 24 x 24, as the page has them."""
    return dict(json.loads(_found(_FORMS)))


@cache
def seat_forms() -> tuple[str, ...]:
    """The forms of the seats."""
    return tuple(json.loads(_found(_SEAT_FORMS)))


def _found(pattern: re.Pattern[str]) -> str:
    match = pattern.search(page_text("board.js"))
    assert match is not None, f"board.js has nothing like {pattern.pattern}"
    return match[1]
