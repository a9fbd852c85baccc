"""The one place that decorates compiled code, and the guard of its disk cache.

`kernel` marks an internal function: compiled, never cached by itself. `entry` marks a function that
Python calls: compiled and cached together with all it calls. `NUMBA_DISABLE_JIT=1` leaves both plain.

Why the guard: numba decides whether a cached entry is fresh by the date of the entry's own file. An
edit in another file, in an imported constant or in a data file would run stale code. So the cache
lives in a folder whose name is a hash of every source and data file of the package, of numba's
version and of the options below; one that was not used for a month is taken away. A package that
cannot be written to and a missing home are no obstacle: the folder is looked for in several places,
and without any there is simply no cache.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import llvmlite
import numba
from numba import njit, types
from numba.extending import intrinsic

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba.config  # its settings are made when numba is imported; type checkers see none

PACKAGE = "genesia_rl"

#: Plain Python, for debugging and for the tests that compare the modes.
PLAIN = bool(config.DISABLE_JIT)

#: Seconds after which a cache that nobody uses is taken away.
FORGOTTEN = 30 * 24 * 3600

#: `nogil`: other threads run on. `error_model="numpy"`: no branch for a division by zero.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}


def package_hash(root: Path | None = None, *more: Path) -> str:
    """A hash of all that decides what the compiled code is: this package's files and those of `more`."""
    root = root or Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for part in (
        numba.__version__,
        llvmlite.__version__,
        sys.version,
        repr(sorted(OPTIONS.items())),
        f"bounds={config.BOUNDSCHECK}",
        f"opt={config.OPT}",
    ):
        digest.update(part.encode() + b"\0")
    for folder in (root, *more):
        for path in sorted(p for p in folder.rglob("*") if p.suffix in {".py", ".toml"} and p.is_file()):
            digest.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:20]


def _places() -> list[Path]:
    """Where a cache may live, best first."""
    places = []
    if os.environ.get("GENESIA_RL_CACHE"):  # an empty one is none, not the folder we happen to be in
        places.append(Path(os.environ["GENESIA_RL_CACHE"]))
    if os.environ.get("XDG_CACHE_HOME"):
        places.append(Path(os.environ["XDG_CACHE_HOME"], "genesia_rl"))
    home = os.path.expanduser("~")
    if home not in ("~", "/", ""):
        places.append(Path(home, ".cache", "genesia_rl"))
    user = os.getuid() if hasattr(os, "getuid") else "user"
    places.append(Path(tempfile.gettempdir(), f"genesia_rl-{user}"))
    return places


def _private(folder: Path) -> bool:
    """Nobody else may have put code there: a cache is executed."""
    if not hasattr(os, "getuid"):
        return True
    return folder.stat().st_uid == os.getuid()


def _forget_old(place: Path) -> None:
    """Take away the caches of code that nobody has used for a month: every edit leaves one behind."""
    for folder in place.glob("numba-*"):
        try:
            if _private(folder) and time.time() - folder.stat().st_mtime > FORGOTTEN:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


def find_cache(*more: Path) -> Path | None:
    """The cache folder of exactly this code, made if need be; None when nothing can be written."""
    name = f"numba-{package_hash(None, *more)}"
    for place in _places():
        try:
            folder = place / name
            known = folder.exists()
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            if not _private(folder):
                continue
            probe = folder / f".probe-{os.getpid()}"
            probe.touch()
            probe.unlink()  # both leave the date of use on the folder
        except OSError:
            continue
        if not known:
            _forget_old(place)
        return folder
    return None


CACHE: Path | None = None if PLAIN else find_cache()


@cache
def cache_of(package: str) -> Path | None:
    """The cache folder for the entries of a package.

    Other packages (agents are one) have a folder of their own, which depends on this package and on
    them: an edit there leaves what is compiled here as it is.
    """
    source = sys.modules[package].__file__ if package in sys.modules else None
    return CACHE if package == PACKAGE or source is None else find_cache(Path(source).resolve().parent)


def kernel(function: F) -> F:
    """Compile an internal function. It is cached as a part of the entries that call it."""
    return function if PLAIN else njit(**OPTIONS)(function)


def inlined(function: F) -> F:
    """Compile a tiny helper into its callers: worth it for a handful of bit operations only."""
    return function if PLAIN else njit(inline="always", **OPTIONS)(function)


def entry(function: F) -> F:
    """Compile a function that Python calls, cached in the guarded folder."""
    if PLAIN:
        return function
    folder = cache_of(function.__module__.partition(".")[0])
    if folder is None:
        return njit(**OPTIONS)(function)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        return njit(cache=True, **OPTIONS)(function)
    finally:
        config.CACHE_DIR = before


def specialisations(function: Any) -> int:
    """How many argument types an entry has been compiled for in this process."""
    return len(getattr(function, "signatures", ()))


# ---------------------------------------------------------------- what numba lacks
# One machine instruction each. The plain versions use Python's integers, which cannot overflow.

if PLAIN:

    def popcount(word: Any) -> int:
        """How many bits are set."""
        return int(word).bit_count()

    def lowest(word: Any) -> int:
        """The place of the lowest set bit; the word must not be zero."""
        return (int(word) & -int(word)).bit_length() - 1

else:

    @intrinsic
    def popcount(typingctx, word):
        """How many bits are set."""

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @intrinsic
    def lowest(typingctx, word):
        """The place of the lowest set bit; the word must not be zero."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.uint64), codegen
