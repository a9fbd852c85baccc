"""The page of results: its table is that of the curves that are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

from experiments.genesia.training import pages


@pytest.mark.parametrize("path", pages.PAGES, ids=lambda path: str(path.parent.name))
def test_the_tables_of_a_page_are_made_from_what_was_kept(path: Path) -> None:
    assert pages.page(path) == path.read_text(encoding="utf-8"), f"run python {pages.__file__}"


def test_a_curve_has_a_line_for_every_milestone_and_the_end() -> None:
    lines = pages.minutes().splitlines()[2:]
    assert [line.split("|")[2].strip() for line in lines if line.startswith("| 2 players")] == [
        "1", "5", "10", "30", "60",
    ]  # fmt: skip
