"""Arrays go through Parquet unchanged, and the bytes depend on the rows alone."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.shards import tables
from genesia_rl.shards.job import Table, checked

KINDS = ("?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8")
NAMES = ("a", "b", "c")
CHEAP = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@st.composite
def some_tables(draw: Any) -> Table:
    rows = draw(st.integers(0, 30))
    table: Table = {}
    for name in NAMES:
        shape = draw(st.sampled_from([(rows,), (rows, 1), (rows, 3)]))
        table[name] = draw(arrays.arrays(np.dtype(draw(st.sampled_from(KINDS))), shape))
    words = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=4)
    table["text"] = np.array(draw(st.lists(words, min_size=rows, max_size=rows)), np.str_)
    return table


@CHEAP
@given(table=some_tables())
def test_arrays_are_read_as_they_were_written(tmp_path: Path, table: Table) -> None:
    path = tmp_path / "t.parquet"
    with path.open("wb") as file:
        assert tables.write(file, [tables.to_arrow(table)]) == len(table["a"])
    assert tables.read(path).num_rows == len(table["a"])
    found = tables.to_arrays(tables.read(path))
    assert list(found) == list(table)
    for name, held in table.items():
        assert found[name].shape == held.shape, name
        assert name == "text" or found[name].dtype == held.dtype, name
        np.testing.assert_array_equal(found[name], held)
    assert tables.content(found) == tables.content(table)


@CHEAP
@given(cuts=st.lists(st.integers(0, 95), max_size=5))
def test_bytes_do_not_depend_on_how_rows_came(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cuts: list[int]
) -> None:
    monkeypatch.setattr(tables, "ROW_GROUP", 16)
    rng = np.random.default_rng(3)
    whole = tables.to_arrow(
        {"x": np.arange(95), "y": rng.integers(9, size=(95, 4)), "z": rng.random(95) < 0.5}
    )
    ends = [0, *sorted(cuts), 95]
    pieces = [whole.slice(first, last - first) for first, last in pairwise(ends)]
    one, many = tmp_path / "one", tmp_path / "many"
    for path, written in ((one, [whole]), (many, pieces)):
        with path.open("wb") as file:
            assert tables.write(file, written) == 95
    assert one.read_bytes() == many.read_bytes()
    assert tables.read(many).equals(whole)


def test_digests_tell_tables_apart() -> None:
    table = {"x": np.arange(4), "y": np.zeros((4, 2))}
    others: list[dict[str, np.ndarray]] = [
        {"x": np.arange(4), "z": np.zeros((4, 2))},
        {"x": np.arange(4, dtype=np.int32), "y": np.zeros((4, 2))},
        {"x": np.arange(4), "y": np.zeros((4, 3))},
        {"x": np.array([0, 1, 2, 4]), "y": np.zeros((4, 2))},
        {"x": np.array(["0", "1", "2", "3"]), "y": np.zeros((4, 2))},
    ]
    assert len({tables.content(each) for each in [table, *others]}) == 6


def test_big_endian_numbers_and_slices_are_the_same_numbers() -> None:
    plain = {"x": np.arange(5, dtype="<i4")}
    assert tables.content({"x": np.arange(5, dtype=">i4")}) == tables.content(plain)
    assert tables.to_arrow({"x": np.arange(5, dtype=">i4")}).equals(tables.to_arrow(plain))
    assert tables.to_arrow({"x": np.arange(10, dtype="<i4")[::2] // 2}).equals(tables.to_arrow(plain))


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, "tables = none"),
        ({"a/b": {"x": np.arange(2)}}, "table 'a/b'"),
        ({"t": {}}, "table t: no columns"),
        ({"t": {"x": np.arange(2), "y": np.arange(3)}}, "table t: columns of"),
        ({"t": {"x": np.array([None])}}, "column x: object"),
        ({"t": {"x": np.zeros((2, 2, 2))}}, r"column x: shape \(2, 2, 2\)"),
        ({"t": {"x": np.zeros((2, 0))}}, r"column x: shape \(2, 0\)"),
        ({"t": {"x": np.array([["a"]])}}, "column x: rows of strings"),
    ],
)
def test_tables_that_cannot_be_kept_are_refused_by_name(given: Any, named: str) -> None:
    with pytest.raises(ConfigError, match=named):
        checked(given)


def test_a_file_that_is_no_parquet_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "t.parquet").write_bytes(b"PAR1 nothing")
    with pytest.raises(DataError, match=r"t\.parquet: not Parquet"):
        tables.read(tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"u\.parquet: no such file"):
        tables.read(tmp_path / "u.parquet")
    assert tables.digest_of_file(tmp_path / "u.parquet") is None
