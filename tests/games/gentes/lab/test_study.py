"""The pages of the study and of the agents: their tables are made from what is kept; and solo games are kept whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from experiments.gentes import solo, study


@pytest.mark.parametrize("path", study.PAGES, ids=lambda path: path.parent.parent.name)
def test_the_tables_of_the_pages_are_made_from_what_is_kept(path: Path) -> None:
    assert study.page(path) == path.read_text(encoding="utf-8"), "run python -m experiments.gentes.study"


@pytest.mark.parametrize(
    "make", [make for held in study.PAGES.values() for make in held], ids=lambda make: make.__name__
)
def test_every_table_has_rows_of_one_width(make: study.Maker) -> None:
    head, rule, *rows = make().splitlines()
    assert rule.startswith("|---") and rows
    assert {row.count("|") for row in rows} == {head.count("|")}


def test_every_number_of_players_is_in_the_study() -> None:
    assert {folder.name for folder in study.reports("balance")} == {"two", "three", "four"}


def test_solo_games_are_those_of_the_rules_and_are_kept(tmp_path: Path) -> None:
    scores = solo.scores_alone("random", 8)
    assert np.array_equal(scores, solo.scores_alone("random", 8)) and len(set(scores.tolist())) > 2
    held = solo.Alone("mixed:50", 0, scores.tolist())
    solo.keep(held, tmp_path)
    assert solo.file_of("mixed:50", tmp_path).name == "mixed-50.json"
    assert solo.kept(tmp_path) == [held]
    assert held.reached(int(scores.max())) > 0 and held.reached(int(scores.max()) + 1) == 0
    assert held.reached(int(scores.min())) == 1
    assert next(iter(solo.ranks().items())) == ("Settler", 71)
