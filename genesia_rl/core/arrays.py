"""Arrays in `.npz` files that anybody may have written: all sizes are known, and bounded, before a byte is unpacked.

NumPy trusts the header of an array: a small file may ask for all memory, hold objects or unpack to gigabytes. Here a
file is an archive of plain numbers, each array exactly as long as its header says, all together no longer than allowed.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
from math import prod
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import DataError

Array = npt.NDArray[Any]
MOST_ARRAYS = 10_000
MOST_BYTES = 1 << 31
LONGEST_HEADER = 10_000
LARGEST = 1 << 40  # of one axis
KINDS = "biuf"


class Broken(Exception):
    """What is wrong with an archive."""


def read_arrays(path: str | Path, what: str, by: str, most: int = MOST_BYTES) -> dict[str, Array]:
    """The arrays of an archive; an error names the file, what it is not, and by what one is made."""
    try:
        with open(path, "rb", opener=_opened) as file, zipfile.ZipFile(file) as archive:
            return _arrays(archive, most)
    except FileNotFoundError:
        raise DataError(f"{path}: no such file, allowed is a {what} by {by}") from None
    except Exception as error:  # a damaged archive raises nearly anything
        reason = " ".join(str(error).split())[:200] or type(error).__name__
        raise DataError(f"{path}: not a {what} ({reason}), allowed is one by {by}") from None


def _opened(path: str, flags: int) -> int:
    """A file of the disk: a pipe or a device could be waited for or read for ever."""
    handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise Broken("is no file of the disk")
    return handle


def _arrays(archive: zipfile.ZipFile, most: int) -> dict[str, Array]:
    members = archive.infolist()
    if len(members) > MOST_ARRAYS:
        raise Broken(f"holds {len(members)} arrays, more than {MOST_ARRAYS}")
    whole = sum(member.file_size for member in members)
    if whole > most:
        raise Broken(f"unpacks to {whole} bytes, more than {most}")
    found: dict[str, Array] = {}
    for member in members:
        name = member.filename.removesuffix(".npy")
        if name in found:
            raise Broken(f"holds {name} twice")
        with archive.open(member) as file:
            found[name] = _array(name, file, member.file_size)
    return found


def _array(name: str, file: IO[bytes], size: int) -> Array:
    """One array: its header first; nothing else is read before that is plain and fits."""
    head = _Counting(file)
    kind, shape, by_columns = _header(name, head)
    if kind.kind not in KINDS or kind.itemsize > 8:
        raise Broken(f"{name} holds {kind}, and not plain numbers")
    if not all(type(axis) is int and 0 <= axis <= LARGEST for axis in shape):
        raise Broken(f"{name} has the shape {shape}")
    wanted = prod(shape) * kind.itemsize
    if wanted != size - head.taken:
        raise Broken(f"{name} has {size - head.taken} bytes, its shape {shape} of {kind} {wanted}")
    content = file.read(wanted + 1)
    if len(content) != wanted:
        raise Broken(f"{name} is not as long as it says")
    flat = np.frombuffer(content, kind)
    held = flat.reshape(shape[::-1]).T if by_columns else flat.reshape(shape)
    return np.array(held, order="C")


def _header(name: str, file: Any) -> tuple[np.dtype[Any], tuple[int, ...], bool]:
    formats = np.lib.format
    version = formats.read_magic(file)
    if version not in ((1, 0), (2, 0)):
        raise Broken(f"{name} is of the format {version}")
    read = formats.read_array_header_1_0 if version == (1, 0) else formats.read_array_header_2_0
    shape, by_columns, kind = read(file, max_header_size=LONGEST_HEADER)
    return kind, shape, bool(by_columns)


class _Counting(io.RawIOBase):
    """A file that knows how much of it was read, and gives no more than a header may have."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file, self.taken = file, 0

    def read(self, size: int = -1) -> bytes:
        """Some bytes."""
        if not 0 <= size <= 2 * LONGEST_HEADER:
            raise Broken(f"a header of {size} bytes")
        content = self._file.read(size)
        self.taken += len(content)
        return content
