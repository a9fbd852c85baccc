"""Pages that hold tables made by code: what stands between two marks is made anew.

<!-- made by page.py: sizes -->
| players | regions |
<!-- end of sizes -->
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

BEGIN, END = "<!-- made by {}: {} -->", "<!-- end of {} -->"


def filled(page: str, tables: Mapping[str, Callable[[], str]], maker: str) -> str:
    """A page with its tables made anew; marks that are missing are named."""
    for name, make in tables.items():
        begin, end = BEGIN.format(maker, name), END.format(name)
        head, _, rest = page.partition(begin)
        _, found, tail = rest.partition(end)
        if not found:
            raise ValueError(f"the marks of the table {name!r} are missing: {begin} and {end}")
        page = f"{head}{begin}\n{make()}\n{end}{tail}"
    return page
