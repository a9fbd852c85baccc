"""What compiled code is kept in: nobody else's folder, no damaged file, and no room is no obstacle."""

from __future__ import annotations

import errno
import importlib.util
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from genesia_rl.core import compile
from genesia_rl.core.cache import CheckedFiles, is_private, make_private

FUNCTION = """
from genesia_rl.core.compile import entry

@entry
def doubled(number):
    return 2 * number
"""
CALL = "import doubling; print(doubling.doubled(21), sum(doubling.doubled.stats.cache_hits.values()))"


# ---------------------------------------------------------------- folders


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder of the user's own."""
    made = tmp_path / "own" / "cache"
    make_private(made)
    return made


def test_a_folder_is_made_for_the_user_alone(place: Path) -> None:
    assert [stat.S_IMODE(level.stat().st_mode) for level in (place, place.parent)] == [0o700, 0o700]
    assert is_private(place)


@pytest.mark.parametrize("level", [0, 1])
def test_no_level_may_be_writable_by_everybody(place: Path, level: int) -> None:
    (place, place.parent)[level].chmod(0o777)
    assert not is_private(place)


def test_in_a_shared_folder_the_sticky_bit_keeps_others_from_exchanging_what_is_in_it(place: Path) -> None:
    place.parent.chmod(0o1777)
    assert is_private(place)


def test_a_group_of_several_may_not_write(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.chmod(0o770)
    monkeypatch.setattr(os, "getgid", lambda: os.getuid() + 1)
    assert not is_private(place)


def test_a_group_of_the_user_alone_may(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place.chmod(0o770)
    found = os.stat(place)
    monkeypatch.setattr(os, "getgid", lambda: found.st_gid)
    assert is_private(place) is (found.st_gid == os.getuid())


def test_a_link_counts_as_what_it_leads_to(place: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(place)
    assert is_private(link)
    place.chmod(0o777)
    assert not is_private(link)


def test_a_place_that_others_may_write_to_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_place, home = tmp_path / "open", tmp_path / "home"
    open_place.mkdir()
    open_place.chmod(0o777)
    home.mkdir()
    monkeypatch.setenv("GENESIA_RL_CACHE", str(open_place))
    monkeypatch.setenv("XDG_CACHE_HOME", str(home))
    found = compile.find_cache()
    assert found is not None and home in found.parents


# ---------------------------------------------------------------- files


@pytest.fixture
def doubling(tmp_path: Path) -> Callable[[], str]:
    """Runs a compiled function in a process of its own: what it returns, and how often the cache had it.

    Whatever is compiled says so, and what is loaded says nothing.
    """
    (tmp_path / "doubling.py").write_text(FUNCTION)
    env = os.environ | {
        "GENESIA_RL_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path), *filter(None, sys.path)]),
    }

    def called() -> str:
        done = subprocess.run([sys.executable, "-c", CALL], env=env, capture_output=True, text=True)
        said = f"compiling part of {tmp_path.name} for this machine; this may take some minutes, once\n"
        assert done.returncode == 0 and done.stderr == ("" if done.stdout.endswith("1\n") else said), (
            done.stderr
        )
        return done.stdout.strip()

    return called


@pytest.mark.skipif(compile.PLAIN, reason="plain Python is not compiled")
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_damaged_file_is_compiled_anew(doubling: Callable[[], str], tmp_path: Path, kind: str) -> None:
    assert [doubling(), doubling()] == ["42 0", "42 1"]
    (path,) = (tmp_path / "cache").rglob(f"*.{kind}")
    whole = path.read_bytes()
    flipped = bytearray(whole)
    flipped[-7] ^= 1
    for damaged in (b"", whole[: len(whole) // 2], bytes(flipped)):
        path.write_bytes(damaged)
        assert doubling() == "42 0"
    assert doubling() == "42 1", "and it is whole again"


@pytest.mark.skipif(compile.PLAIN, reason="plain Python is not compiled")
def test_a_full_disk_costs_the_cache_and_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: CheckedFiles, path: str, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(CheckedFiles, "_write", full)
    source = tmp_path / "doubling.py"
    source.write_text(FUNCTION)
    spec = importlib.util.spec_from_file_location("doubling", source)
    assert spec is not None and spec.loader is not None
    module: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.warns(UserWarning, match="cannot be kept there: No space left on device"):
        assert module.doubled(21) == 42
    assert module.doubled(2.5) == 5.0, "and once only"
