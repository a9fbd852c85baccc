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
    for made, size, end in ((pages.minutes(), 6, 10), (pages.minutes("hour"), 5, 60)):
        lines = made.splitlines()[2:]
        assert len(lines) == size and lines[-1].startswith(f"| {end} |")


def test_best_responses_stand_under_what_they_learned_from() -> None:
    lines = pages.exploits().splitlines()[2:]
    assert len(lines) == len(pages.EXPLOITED)
    assert all(line.count("%") for line in lines), "each has a figure"


def test_there_are_three_seeds_of_each_length() -> None:
    cells = [line.split("|")[1:3] for line in pages.seeds().splitlines()[2:]]
    assert [(words.strip(), seed.strip()) for words, seed in cells] == [
        (words, str(seed)) for words in pages.LENGTHS.values() for seed in (0, 1, 2)
    ]
