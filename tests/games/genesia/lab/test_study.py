"""The page of the study: its tables are those of the kept reports."""

from __future__ import annotations

import pytest

from experiments.genesia.balance import study
from genesia_rl.report.reading import read

FOLDERS = study.kept()


def test_the_tables_of_the_page_are_made_from_the_kept_reports() -> None:
    text = study.PAGE.read_text(encoding="utf-8")
    assert study.page(text, FOLDERS) == text, "run python -m experiments.genesia.balance.study"


def test_the_study_has_every_number_of_players() -> None:
    assert [folder.name for folder in FOLDERS] == ["two", "three", "four", "five"]


@pytest.mark.parametrize("make", study.MAKERS, ids=lambda make: make.__name__)
def test_every_table_has_a_row_for_whoever_played(make: study.Maker) -> None:
    """With five players there is one combination of lots, so nothing is best or worst."""
    played = read(FOLDERS, "games").where(arm="natural")
    wanted = [
        f"| {players} | `{policy}` |"
        for players, policy in zip(played["players"], played["policy"], strict=True)
        if make is not study.lots or players < 5
    ]
    lines = make(FOLDERS).partition("|---")[2].splitlines()[1:]
    assert [line[: len(head)] for line, head in zip(lines, wanted, strict=True)] == wanted
