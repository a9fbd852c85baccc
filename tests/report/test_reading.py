"""Tables of reports, read again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow")

from genesia_rl.core.errors import DataError
from genesia_rl.report.page import Report
from genesia_rl.report.reading import Rows, read

TABLE: dict[str, list[Any]] = {
    "players": [2, 2, 3],
    "policy": ["greedy", "random", "greedy"],
    "won": [0.5, None, 0.75],
    "won low": [0.25, None, 0.5],
    "won high": [0.75, None, 1.0],
}


@pytest.fixture
def rows() -> Rows:
    return Rows("places", TABLE)


def test_rows_are_chosen_by_their_values(rows: Rows) -> None:
    assert rows.where(players=2)["policy"] == ["greedy", "random"]
    assert rows.where(players=2, policy="random")["won"] == [None]
    assert len(rows.where(players=4)) == 0 and len(rows) == 3
    assert rows.different("policy") == ["greedy", "random"]
    with pytest.raises(DataError, match="places: no column 'seat', allowed are players, policy, won"):
        rows.where(seat=1)


def test_rows_are_ordered_and_those_without_a_value_left_out(rows: Rows) -> None:
    assert rows.sorted("won")["players"] == [3, 2]
    assert rows.sorted("won", descending=False).first(1)["won"] == [0.5]
    assert (rows.first(1) + rows.sorted("won").first(1))["players"] == [2, 3]
    assert rows.known("won")["policy"] == ["greedy", "greedy"]


def test_figures_come_with_their_ends(rows: Rows) -> None:
    known = rows.known("won")
    assert known.figure("won") == ([0.5, 0.75], [0.25, 0.5], [0.75, 1.0])
    assert known.less("won", [0.5, 0.25]) == ([0.0, 0.5], [-0.25, 0.25], [0.25, 0.75])
    assert known.label("{players} players, {policy}") == ["2 players, greedy", "3 players, greedy"]


def test_a_notebook_shows_rows_as_a_table(rows: Rows) -> None:
    shown = rows.shown({"policy": "", "won": ".1%"}, "By place.", show=2)
    assert "50.0\u00a0% (25.0 .. 75.0)" in shown._repr_html_() and "By place." in shown._repr_html_()
    assert "greedy" in repr(shown) and "50.0" in repr(shown) and "1 more in the table" in repr(shown)
    assert "players" not in repr(shown)
    with pytest.raises(DataError, match="no column 'place'"):
        rows.shown({"place": ""})


def test_tables_of_several_reports_are_read_as_one(tmp_path: Path) -> None:
    tables: dict[str, dict[str, list[Any]]] = {"a": {"x": [1, 2]}, "b": {"x": [3], "y": ["z"]}}
    for name, columns in tables.items():
        report = Report("A report")
        report.table("places", columns)
        report.save(tmp_path / name)
    folders = [tmp_path / "a", tmp_path / "b", tmp_path / "none"]
    found = read(folders, "places")
    assert found["x"] == [1, 2, 3] and found["y"] == [None, None, "z"]
    with pytest.raises(DataError, match="cards: in none of"):
        read(folders, "cards")
