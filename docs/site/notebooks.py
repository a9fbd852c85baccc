"""The kept notebooks as pages: what was written, the code, and what it had shown when it was executed."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


@cache
def paths(root: Path) -> tuple[str, ...]:
    """The notebooks of a repository."""
    found = sorted((root / "notebooks").rglob("*.ipynb"))
    return tuple(path.relative_to(root).as_posix() for path in found if "runs" not in path.parts)


def goal(path: str) -> str:
    """Where the page of a notebook goes."""
    return f"{path.removesuffix('.ipynb')}.md"


def page(path: Path, folder: Path) -> str:
    """A notebook as a page; its pictures are written into the folder of the page."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join(
        block for number, cell in enumerate(cells) for block in _blocks(path.stem, number, cell, folder)
    )


def _blocks(name: str, number: int, cell: dict[str, Any], folder: Path) -> Iterator[str]:
    """What a cell says, and what it shows."""
    text = _text(cell["source"])
    if cell["cell_type"] == "markdown":
        yield f"{text}\n"
        return
    yield f"```python\n{text}\n```\n"
    for place, output in enumerate(cell["outputs"]):
        yield _output(f"{name}-{number}-{place}.png", output, folder)


def _output(picture: str, output: dict[str, Any], folder: Path) -> str:
    """One of the things that a cell has shown, in the richest form that it has."""
    data = output.get("data", {})
    if "image/png" in data:
        made = folder / "made" / picture
        made.parent.mkdir(exist_ok=True)
        made.write_bytes(base64.b64decode(_text(data["image/png"])))
        return f"![a plot of the cell above](made/{picture})\n"
    if "text/html" in data:
        return f'````{{raw}} html\n<div class="table-wrapper">{_text(data["text/html"])}</div>\n````\n'
    text = ESCAPES.sub("", _text(output.get("text", data.get("text/plain", "")))).rstrip()
    return f"````text\n{text}\n````\n"


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "".join(value)
