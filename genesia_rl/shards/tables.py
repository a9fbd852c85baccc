"""Tables as Parquet files: arrays to columns and back, a digest of what they hold, bytes that repeat."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from genesia_rl.core.errors import DataError
from genesia_rl.shards.job import Array, Table

ROW_GROUP = 16_384
OPTIONS = {"compression": "zstd", "compression_level": 3, "version": "2.6", "data_page_version": "1.0"}


def to_arrow(table: Table) -> pa.Table:
    """Arrays as Arrow columns; rows of numbers are lists of a fixed size."""
    return pa.table({name: _to_column(np.asarray(held)) for name, held in table.items()})


def _to_column(held: Array) -> pa.Array:
    native = np.ascontiguousarray(held, held.dtype.newbyteorder("="))
    if held.ndim == 1:
        return pa.array(native)
    return pa.FixedSizeListArray.from_arrays(pa.array(native.reshape(-1)), held.shape[1])


def to_arrays(table: pa.Table) -> Table:
    """The arrays again."""
    return {name: _to_array(table.column(name).combine_chunks()) for name in table.column_names}


def _to_array(column: Any) -> Array:
    if pa.types.is_fixed_size_list(column.type):
        inner = column.flatten().to_numpy(zero_copy_only=False)
        return np.array(inner).reshape(len(column), column.type.list_size)
    if pa.types.is_string(column.type):
        return np.array(column.to_pylist(), np.str_)
    return np.array(column.to_numpy(zero_copy_only=False))


def content(table: Table) -> str:
    """A digest of what a table holds, whatever wrote it: names, kinds and values."""
    told = hashlib.blake2b(digest_size=16)
    for name, held in table.items():
        text = held.dtype.kind == "U"
        kind = "str" if text else held.dtype.newbyteorder("<").str
        told.update(f"{name}\0{kind}\0{held.shape}\0".encode())
        if text:
            told.update("\0".join(held.tolist()).encode())
        else:
            told.update(np.ascontiguousarray(held, held.dtype.newbyteorder("<")).tobytes())
    return told.hexdigest()


def write(file: IO[bytes], tables: Iterable[pa.Table]) -> int:
    """Write tables after one another, in row groups of a fixed size; how many rows they have.

    The bytes depend on the rows alone (and on the version of pyarrow), not on how they came.
    """
    groups = _grouped(tables)
    first = next(groups)
    with pq.ParquetWriter(file, first.schema, **OPTIONS) as writer:
        writer.write_table(first, row_group_size=ROW_GROUP)
        rows = first.num_rows
        for group in groups:
            writer.write_table(group, row_group_size=ROW_GROUP)
            rows += group.num_rows
    return int(rows)


def _grouped(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The same rows in groups of the fixed size; one empty group if there are none."""
    held: list[pa.Table] = []
    rows, given = 0, False
    for table in tables:
        held.append(table)
        rows += table.num_rows
        if rows < ROW_GROUP:
            continue
        whole = pa.concat_tables(held)
        full = rows - rows % ROW_GROUP
        for first in range(0, full, ROW_GROUP):
            yield whole.slice(first, ROW_GROUP).combine_chunks()
        held, rows, given = [whole.slice(full)], rows - full, True
    if rows or not given:
        yield pa.concat_tables(held).combine_chunks()


def read(path: Path) -> pa.Table:
    """A whole file; an error names it."""
    try:
        with pq.ParquetFile(path) as file:
            return file.read()
    except FileNotFoundError:
        raise DataError(f"{path}: no such file, allowed is a table of this store") from None
    except (pa.ArrowException, OSError, ValueError, RuntimeError, MemoryError, OverflowError) as error:
        reason = " ".join(str(error).split())[:200]
        raise DataError(f"{path}: not Parquet ({reason}), allowed is a table of this store") from None


def digest_of(*parts: str) -> str:
    """A short name of some texts."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def digest_of_file(path: Path) -> str | None:
    """A digest of a file's bytes; None if it is not there."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
    except OSError:
        return None


def sync_folder(folder: Path) -> None:
    """Make sure that what was renamed in a folder stays renamed."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
