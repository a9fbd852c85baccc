"""The settings of Sphinx. Nothing is fetched: no other project's index, no font, no script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import genesia_rl

HERE = Path(__file__).resolve().parent

project = "genesia_rl"
author = "the genesia_rl developers"
version = release = genesia_rl.__version__
html_title = f"genesia_rl {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown"}
highlight_language = "text"
exclude_patterns = ["_extra"]  # files that are copied as they are

# Headings are linked as on GitHub; tables of other pages stay tables.
myst_heading_anchors = 4
myst_enable_extensions = ["colon_fence"]

html_theme = "furo"
html_static_path = [str(HERE / "static")]
html_css_files = ["style.css"]
html_copy_source = False
html_show_sphinx = False

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
maximum_signature_line_length = 100
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "undoc-members": False, "show-inheritance": True}
# What is in single backticks is code, in docstrings as everywhere.
default_role = "code"


def as_blocks(app: Any, what: str, name: str, held: Any, options: Any, lines: list[str]) -> None:
    """What a docstring sets in by four spaces or more after an empty line is shown as it stands."""
    laid: list[str] = []
    for line in lines:
        begins = line.startswith("    ") and (not laid or not laid[-1].strip())
        if begins and not _set_in(laid):
            laid += ["::", ""]
        laid.append(line if line.startswith("    ") else _bars(line))
    lines[:] = laid


def _bars(line: str) -> str:
    """Bars that are no code stand for themselves: `|T|` is how many are in T."""
    parts = line.split("`")
    return "`".join(part if place % 2 else part.replace("|", "\\|") for place, part in enumerate(parts))


def _set_in(lines: list[str]) -> bool:
    """Is the last line with words in it set in already?"""
    last = next((line for line in reversed(lines) if line.strip()), "")
    return last.startswith("    ") or last == "::"


def setup(app: Any) -> None:
    """What is done to docstrings."""
    app.connect("autodoc-process-docstring", as_blocks)
