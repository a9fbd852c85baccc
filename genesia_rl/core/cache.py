"""What compiled code is kept in: a folder that nobody else can write to, and files that are checked before they run.

A cache is executed. So a folder is taken only if no level of its path could be exchanged by another user, and
every file begins with a digest of the rest: one that was cut, emptied or damaged is as good as none, and its
code is compiled anew. A disk that is full costs the cache and not the run.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba.core.caching import (
    CompileResultCacheImpl,
    FunctionCache,
    IndexDataCacheFile,
    NullCache,
    UserProvidedCacheLocator,
    _CacheLocator,
)
from numba.core.serialize import dumps

DIGEST = hashlib.sha256().digest_size
PACKAGE = __name__.partition(".")[0]

# ---------------------------------------------------------------- folders


def is_private(folder: Path) -> bool:
    """Could nobody but the user, and who administers the machine, put files there, or another folder in its place?"""
    if not hasattr(os, "getuid"):
        return True
    real = folder.resolve()
    trusted = {
        os.getuid(),
        0,
        Path(real.anchor).stat().st_uid,
    }  # in a container the root may have another number
    return _is_own(real.stat()) and all(_is_guarded(level.stat(), trusted) for level in real.parents)


def _is_own(found: os.stat_result) -> bool:
    """The user's, and writable by nobody else."""
    return found.st_uid == os.getuid() and not _others_write(found)


def _is_guarded(found: os.stat_result, trusted: set[int]) -> bool:
    """Others cannot exchange what lies in it: in a shared folder with the sticky bit only its owner can."""
    return found.st_uid in trusted and (not _others_write(found) or bool(found.st_mode & stat.S_ISVTX))


def _others_write(found: os.stat_result) -> bool:
    """Many systems give each user a group of its own, with the same number, that may write what the user may."""
    own_group = found.st_gid == os.getgid() == os.getuid()
    return bool(found.st_mode & (stat.S_IWOTH if own_group else stat.S_IWOTH | stat.S_IWGRP))


def make_private(folder: Path) -> None:
    """Make the folder and what is missing above it, for the user alone."""
    for level in (*reversed(folder.parents), folder):
        if not level.exists():
            level.mkdir(mode=0o700, exist_ok=True)


# ---------------------------------------------------------------- files


class CheckedFiles(IndexDataCacheFile):
    """numba's index and data files of one function, each behind the digest of its bytes."""

    def _load_index(self) -> dict[Any, str]:
        try:
            stamp, overloads = pickle.loads(unsealed(Path(self._index_path)))
        except OSError:
            return {}
        return overloads if stamp == self._stamp() else {}

    def _save_index(self, overloads: dict[Any, str]) -> None:
        self._write(self._index_path, dumps((self._stamp(), overloads)))

    def _load_data(self, name: str) -> Any:
        return pickle.loads(unsealed(Path(self._data_path(name))))

    def _save_data(self, name: str, data: Any) -> None:
        self._write(self._data_path(name), dumps(data))

    def _stamp(self) -> tuple[Any, Any]:
        return self._version, self._source_stamp

    def _write(self, path: str, content: bytes) -> None:
        with self._open_for_write(path) as file:
            file.write(sealed(content))


class NoCache(NullCache):
    """Where nothing can be kept: whoever waits is told why, by `on_missing`."""

    def __init__(self, on_missing: Callable[[], None]) -> None:
        self._on_missing = on_missing

    def load_overload(self, sig: Any, target_context: Any) -> None:
        self._on_missing()


class Locator(UserProvidedCacheLocator):
    """Where the files of one function lie, and when they are fresh: by what its source says.

    numba goes by the place and the date of the source. The name of the cache folder is a hash of the package's own
    sources, so that every installation of them may run what one of them has compiled.
    """

    def __init__(self, py_func: Any, py_file: str) -> None:
        super().__init__(py_func, py_file)
        folder = Path(self._cache_path).parent
        self._cache_path = str(folder / subfolder(py_func.__module__, Path(py_file)))

    def get_source_stamp(self) -> str:
        """A digest of the source."""
        return hashlib.sha256(Path(self._py_file).read_bytes()).hexdigest()


LOCATORS = [Locator, *CompileResultCacheImpl._locator_classes]


class LocatedCompiled(CompileResultCacheImpl):
    """How compiled code is kept, with files where `Locator` says; it passes a source by that is no file."""

    _locator_classes = LOCATORS


class CheckedCache(FunctionCache):
    """The cache of one function, of checked files; without room on the disk there is none.

    `on_missing` is called when a function is not there, or not for these arguments: it will be compiled.
    """

    _impl_class = LocatedCompiled

    def __init__(self, function: Any, on_missing: Callable[[], None] = lambda: None) -> None:
        super().__init__(function)
        self._on_missing = on_missing
        self._cache_file = CheckedFiles(
            self.cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            self._on_missing()
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)
        except OSError as error:
            self.disable()
            why = error.strerror or error
            warnings.warn(f"{self.cache_path}: compiled code cannot be kept there: {why}", stacklevel=2)


def subfolder(module: str, source: Path) -> str:
    """Below a cache folder: where what is compiled of a module, from this file, is kept.

    Of the package by the module's name alone; of others by the place of the source, as they may use what
    lies beside it and is no part of the hash.
    """
    return module if module.startswith(f"{PACKAGE}.") else place_of(source)


def place_of(source: Path) -> str:
    """A name made of the place of a file, as numba makes it."""
    return str(_CacheLocator.get_suitable_cache_subpath(str(source)))


def is_shared(folder: Path) -> bool:
    """Does this folder hold what every installation of the same sources shares?"""
    return folder.name.startswith(f"{PACKAGE}.")


def sealed(content: bytes) -> bytes:
    """The content behind its digest."""
    return hashlib.sha256(content).digest() + content


def unsealed(path: Path) -> bytes:
    """A file's content; an `OSError`, as if there were no file, if it is not what was written."""
    found = path.read_bytes()
    if hashlib.sha256(found[DIGEST:]).digest() != found[:DIGEST]:
        raise OSError(f"{path}: is damaged")
    return found[DIGEST:]
