"""Tables as Parquet files: the same columns give the same bytes, and a file is whole or absent."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.files import replacing

Column = Sequence[Any] | npt.NDArray[Any]


def check_lengths(columns: Mapping[str, Column], what: str) -> int:
    """The number of rows, which all columns must have."""
    lengths = {name: len(column) for name, column in columns.items()}
    first = next(iter(lengths.values()), 0)
    for name, length in lengths.items():
        if length != first:
            raise ConfigError(f"{what}: column {name!r} has {length} rows, allowed is {first} like the first")
    return first


def write_table(path: Path, columns: Mapping[str, Column]) -> None:
    """Write columns of equal length; until all is written an older file of that name stays."""
    check_lengths(columns, str(path))
    table = pa.table({name: _array(column, f"{path}: column {name!r}") for name, column in columns.items()})
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path, "wb", durable=False) as file:
        pq.write_table(table, file, compression="zstd")


def write_tables(folder: Path, tables: Mapping[str, Mapping[str, Column]]) -> None:
    """Fill a folder with these tables and no others; until all are written an older folder stays whole."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    for left in folder.parent.glob(f".{folder.name}.*.part"):  # by a run that was killed
        shutil.rmtree(left)
    fresh, old = (folder.with_name(f".{folder.name}.{what}.{os.getpid()}.part") for what in ("new", "old"))
    try:
        fresh.mkdir()
        for name, columns in tables.items():
            write_table(fresh / f"{name}.parquet", columns)
        if folder.exists():
            os.rename(folder, old)
        os.rename(fresh, folder)
        shutil.rmtree(old, ignore_errors=True)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def read_table(path: Path) -> dict[str, list[Any]]:
    """The columns in their order; None where a value is missing."""
    try:
        return dict(pq.read_table(path).to_pydict())
    except FileNotFoundError:
        raise DataError(f"{path}: no such file, allowed is a Parquet file") from None
    except (pa.ArrowInvalid, OSError) as error:
        raise DataError(f"{path}: not Parquet ({error}), allowed is a Parquet file") from None


def _array(column: Column, what: str) -> pa.Array:
    """One column with a type that holds all of it; seeds may need all 64 bits."""
    plain = column if _typed(column) else [v.item() if isinstance(v, np.generic) else v for v in column]
    try:
        return pa.array(plain)
    except OverflowError:
        kinds = "integers of 64 bits"
        try:
            return pa.array(plain, pa.uint64())
        except (pa.ArrowException, OverflowError) as error:
            raise ConfigError(f"{what}: {error}, allowed are {kinds}") from None
    except pa.ArrowException as error:
        raise ConfigError(f"{what}: {error}, allowed are values of one type, or None") from None


def _typed(column: Column) -> bool:
    return isinstance(column, np.ndarray) and column.dtype != np.object_
