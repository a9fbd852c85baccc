"""The one place that decorates compiled code, and the guard of its disk cache.

`kernel` marks an internal function: compiled as a part of what calls it (internal.py), never cached by itself.
`owning` marks one that makes arrays. All others borrow: numba would count, at every call and for every array it is
handed, that it is held and let go, which had cost a decision of a network more than all its layers.
`entry` marks a function that Python calls: compiled and cached together with all it calls.
`NUMBA_DISABLE_JIT=1` leaves both plain.

Why the guard: numba decides whether a cached entry is fresh by the date of the entry's own file. An
edit in another file, in an imported constant or in a data file would run stale code. So every entry has a
cache folder whose name is a hash of all that it can be made of: the sources and data of `core`, those of
the entry's own *unit*, numba's version and the options below. A unit is one game's folder, or whatever
package an entry of somebody else's stands in: an edit in one game compiles that game anew and no other.
A folder that was not used for a month is taken away. A package that
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

from genesia_rl.core.cache import CheckedCache, NoCache, is_private, make_private
from genesia_rl.core.internal import internal

F = TypeVar("F", bound=Callable[..., Any])

config: Any = numba.config  # its settings are made when numba is imported; type checkers see none

CORE = Path(__file__).resolve().parent

#: Plain Python, for debugging and for the tests that compare the modes.
PLAIN = bool(config.DISABLE_JIT)

#: Seconds after which a cache that nobody uses is taken away.
FORGOTTEN = 30 * 24 * 3600

#: `nogil`: other threads run on. `error_model="numpy"`: no branch for a division by zero. `_nrt=False`: nobody
#: counts who holds an array, as those that are handed over live longer than the call.
OPTIONS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}

#: The same for a function that makes arrays, which somebody has to let go.
OWNING = OPTIONS | {"_nrt": True}

#: What sums of floats may do besides: be added up in any order, so that a processor adds many at a time.
SUMMING = {"contract", "reassoc", "nsz"}


def source_hash(*folders: Path) -> str:
    """A hash of all that decides what the compiled code is: the sources and data of the folders."""
    digest = hashlib.sha256()
    for part in (
        numba.__version__,
        llvmlite.__version__,
        sys.version,
        repr(sorted(OPTIONS.items())),
        f"bounds={config.BOUNDSCHECK}",
        f"opt={config.OPT}",
        repr(sorted(SUMMING)),
    ):
        digest.update(part.encode() + b"\0")
    for folder in folders:
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


def _forget_old(place: Path) -> None:
    """Take away the caches of code that nobody has used for a month: every edit leaves one behind."""
    for folder in place.glob("numba-*"):
        try:
            if is_private(folder) and time.time() - folder.stat().st_mtime > FORGOTTEN:
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:
            continue


def find_cache(unit: Path = CORE) -> Path | None:
    """The cache folder of exactly this code, made if need be; None when nothing can be written."""
    folders = (CORE,) if unit == CORE else (CORE, unit)
    name = f"numba-{unit.name}-{source_hash(*folders)}"
    for place in _places():
        try:
            folder = place / name
            known = folder.exists()
            make_private(folder)
            if not is_private(folder):
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


def unit_of(module: str) -> Path:
    """The folder whose files, with those of `core`, decide what an entry of this module is compiled to.

    Of a module below a package `games` it is the folder of its game; of any other its own folder.
    """
    names = module.split(".")
    if "games" in names[:-2]:
        module = ".".join(names[: names.index("games") + 2])
        package = sys.modules.get(module)
        if package is not None and package.__file__ is not None:
            return Path(package.__file__).resolve().parent
    source = sys.modules[module].__file__ if module in sys.modules else None
    return CORE if source is None else Path(source).resolve().parent


@cache
def cache_of(unit: Path) -> Path | None:
    """The cache folder of a unit; nowhere where nothing is compiled."""
    return None if PLAIN else find_cache(unit)


_SAID: set[Path] = set()


def say_compiling(unit: Path) -> None:
    """Say on standard error, once in a process for each unit, why nothing seems to happen, and how to avoid it."""
    if PLAIN or unit in _SAID:
        return
    _SAID.add(unit)
    is_game = unit != CORE and (unit / "game.py").exists()
    what = unit.name if is_game else "what all games share" if unit == CORE else f"part of {unit.name}"
    ahead = f": genesia warmup --game {unit.name} compiles all ahead" if is_game else ""
    print(
        f"compiling {what} for this machine; this may take some minutes, once{ahead}",
        file=sys.stderr,
        flush=True,
    )


def kernel(function: F) -> F:
    """Compile an internal function. It is cached as a part of the entries that call it."""
    return function if PLAIN else internal(function, **OPTIONS)


def inlined(function: F) -> F:
    """Compile a tiny helper into its callers: worth it for a handful of bit operations, and for a part of an array,
    which a function that borrows cannot return.
    """
    return function if PLAIN else njit(inline="always", **OPTIONS)(function)


def owning(function: F) -> F:
    """The same for one that makes arrays of its own. It may not return them: whoever calls it would never let go."""
    return function if PLAIN else internal(function, **OWNING)


def merged(function: F) -> F:
    """Compile an internal function into the machine code of its callers.

    For one that is handed many arrays: each is seven words, and to hand them over would cost more than it does.
    """
    return function if PLAIN else internal(function, forceinline=True, **OPTIONS)


def summing(function: F) -> F:
    """The same for layers of a network: sums of floats may be added up in any order."""
    return function if PLAIN else internal(function, forceinline=True, fastmath=SUMMING, **OPTIONS)


def entry(function: F) -> F:
    """Compile a function that Python calls, cached in the guarded folder."""
    return _cached(function, OPTIONS)


def summing_entry(function: F) -> F:
    """The same for layers of a network (`summing`), which may make arrays."""
    return _cached(function, OWNING | {"fastmath": SUMMING})


def _cached(function: F, options: dict[str, Any]) -> F:
    if PLAIN:
        return function
    unit = unit_of(function.__module__)
    folder = cache_of(unit)
    if folder is None:
        compiled = njit(**options)(function)
        compiled._cache = NoCache(lambda: say_compiling(unit))
        return compiled
    before = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        compiled = njit(**options)(function)
        # what `cache=True` does, with files that are checked
        compiled._cache = CheckedCache(function, lambda: say_compiling(unit))
        return compiled
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
