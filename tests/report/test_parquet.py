"""Parquet files of tables, and estimates as columns."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.report.estimates import columns_of, interval_text
from genesia_rl.report.parquet import read_table, write_table


class Estimate(NamedTuple):
    value: float
    low: float
    high: float
    se: float
    blocks: int
    games: int


CELLS = (
    st.none() | st.integers(-(1 << 63), (1 << 63) - 1),
    st.integers(0, (1 << 64) - 1),
    st.none() | st.floats(allow_nan=False),
    st.none() | st.text(max_size=5),
    st.none() | st.booleans(),
)
TABLES = st.integers(0, 6).flatmap(
    lambda rows: st.dictionaries(
        st.text("abc_ é", min_size=1, max_size=6),
        st.one_of(*(st.lists(cell, min_size=rows, max_size=rows) for cell in CELLS)),
        max_size=4,
    )
)


@settings(max_examples=30, deadline=None)
@given(TABLES)
def test_what_is_written_is_read_and_the_bytes_are_the_same_again(
    tmp_path_factory: pytest.TempPathFactory, columns: dict[str, list[object]]
) -> None:
    folder = tmp_path_factory.mktemp("tables")
    write_table(folder / "a.parquet", columns)
    write_table(folder / "b.parquet", columns)
    assert read_table(folder / "a.parquet") == columns
    assert (folder / "a.parquet").read_bytes() == (folder / "b.parquet").read_bytes()
    assert {path.name for path in folder.iterdir()} == {"a.parquet", "b.parquet"}, "nothing unfinished stays"


def test_arrays_keep_their_types_and_nan_stays_apart_from_none(tmp_path: Path) -> None:
    path = tmp_path / "below" / "t.parquet"
    seeds = np.array([0, (1 << 64) - 1, 5], np.uint64)
    write_table(path, {"seed": seeds, "x": [1.5, None, math.nan], "mixed": [np.int64(1), 2.5, np.float32(3)]})
    held = read_table(path)
    assert held["seed"] == [0, (1 << 64) - 1, 5]
    assert held["x"][:2] == [1.5, None] and math.isnan(held["x"][2])
    assert held["mixed"] == [1.0, 2.5, 3.0]


@pytest.mark.parametrize(
    ("columns", "named"),
    [
        ({"a": [1, 2], "short": [1]}, "'short' has 1 rows"),
        ({"good": [1, 2], "bad": [1, "x"]}, "column 'bad'"),
        ({"huge": [1, 1 << 70]}, "column 'huge'"),
        ({"both": [-1, 1 << 63]}, "column 'both'"),
    ],
)
def test_columns_that_are_no_table_are_refused_by_name(
    tmp_path: Path, columns: dict[str, list[object]], named: str
) -> None:
    path = tmp_path / "t.parquet"
    write_table(path, {"old": [1]})
    with pytest.raises(ConfigError, match=named):
        write_table(path, columns)
    assert read_table(path) == {"old": [1]} and len(list(tmp_path.iterdir())) == 1


def test_a_file_that_is_missing_or_is_something_else_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.parquet: no such file"):
        read_table(tmp_path / "none.parquet")
    (tmp_path / "text.parquet").write_text("seat,share\n")
    with pytest.raises(DataError, match=r"text\.parquet: not Parquet"):
        read_table(tmp_path / "text.parquet")


def test_estimates_become_columns_and_missing_ones_empty_places() -> None:
    found = columns_of([Estimate(0.5, 0.4, 0.6, 0.05, 10, 20), None], prefix="first_")
    assert found == {
        "first_value": [0.5, None], "first_low": [0.4, None], "first_high": [0.6, None],
        "first_games": [20, None],
    }  # fmt: skip
    assert list(columns_of([])) == ["value", "low", "high", "games"]


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ((0.5214, 0.498, 0.543), "52.1 (49.8 .. 54.3)"),
        ((-0.0001, -0.01, 0.01), "0.0 (-1.0 .. 1.0)"),
        ((np.float64(0.25), math.nan, 0.3), "25.0"),
        ((0.25, None, None), "25.0"),
        ((math.nan, 0.1, 0.3), "–"),  # noqa: RUF001
        ((None, None, None), "–"),  # noqa: RUF001
    ],
)
def test_intervals_are_written_as_far_as_they_are_known(
    numbers: tuple[float | None, float | None, float | None], text: str
) -> None:
    assert interval_text(*numbers) == text


def test_intervals_in_other_units_are_not_scaled() -> None:
    assert interval_text(1234.5, 1200, 1300, scale=1, digits=0) == "1,234 (1,200 .. 1,300)"
