"""The guard of the disk cache: stale code never runs, nothing is compiled twice, no place is no obstacle.

The processes here call the cheapest entries only, as whatever they compile is compiled anew.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import genesia_rl
from genesia_rl import jit
from genesia_rl.contract import RESULT, Game
from genesia_rl.registry import make_game
from genesia_rl.testing import variants

PACKAGE = Path(genesia_rl.__file__).parent
NOWHERE = "/dev/null/nowhere"  # not even the owner of the machine can make a folder there

DEAL = """
import numpy as np
from genesia_rl.registry import make_game
game = make_game(players=2)
states = game.new_states()
game.entries.deal(states, 0, game.tables, np.uint64(7))
print(game.deal_dict(states, 0)["packs"][0])
"""

SCORES = """
from genesia_rl.registry import make_game
game = make_game(players=2)
states = game.new_states()
states[0]["occupied"][0, 0] = 1 << 16  # seat 0 in the homeland of seat 1
print(game.scores(states, 0).totals.tolist())
"""

PLACE = "from genesia_rl import jit; print(jit.CACHE)"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package's sources."""
    copy = tmp_path / "copy" / "genesia_rl"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__"))
    return copy


def run(package: Path, code: str, **environment: str | None) -> str:
    """What a program prints in a process of its own; None takes a variable away."""
    settings = {"PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1", "NUMBA_CACHE_DIR": None}
    settings.update(environment)
    env = {key: value for key, value in {**os.environ, **settings}.items() if value is not None}
    command = [sys.executable, "-c", code]
    process = subprocess.run(command, env=env, capture_output=True, text=True, cwd=package.parent)
    assert process.returncode == 0, process.stderr[-2_000:]
    return process.stdout.strip()


def edit(path: Path, old: str, new: str) -> None:
    """Change a source; the text must be there once."""
    text = path.read_text()
    assert text.count(old) == 1, f"{old!r} is {text.count(old)} times in {path.name}"
    path.write_text(text.replace(old, new))


# ---------------------------------------------------------------- the name of the folder


@pytest.mark.parametrize(
    "file",
    ["bits.py", "cli/app.py", "games/genesia/names.py", "games/genesia/rules/growth.py",
     "games/genesia/data/cards.toml", "games/genesia/data/objectives.toml"],
)  # fmt: skip
def test_a_comment_in_any_source_or_data_file_changes_the_hash(package: Path, file: str) -> None:
    before = jit.package_hash(package)
    with open(package / file, "a") as source:
        source.write("# one more comment\n")
    assert jit.package_hash(package) != before


def test_a_file_that_is_added_renamed_or_removed_changes_the_hash(package: Path) -> None:
    hashes = [jit.package_hash(package)]
    (package / "new.py").write_text("")
    hashes.append(jit.package_hash(package))
    (package / "new.py").rename(package / "newer.py")
    hashes.append(jit.package_hash(package))
    (package / "newer.py").unlink()
    assert len(set(hashes)) == 3 and jit.package_hash(package) == hashes[0]


def test_the_same_sources_elsewhere_have_the_same_hash_and_other_files_do_not_matter(package: Path) -> None:
    (package / "notes.md").write_text("nothing that is compiled")
    (package / "__pycache__").mkdir()
    (package / "__pycache__" / "bits.cpython-311.pyc").write_bytes(b"nor this")
    assert jit.package_hash(package) == jit.package_hash(PACKAGE) == jit.package_hash()


def test_other_options_of_the_compiler_have_another_folder(package: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    folders = {
        run(package, PLACE, GENESIA_RL_CACHE=cache, NUMBA_BOUNDSCHECK=bounds, NUMBA_OPT=opt)
        for bounds, opt in (("0", "3"), ("1", "3"), ("0", "1"))
    }
    assert len(folders) == 3 and all(Path(folder).parent == Path(cache) for folder in folders)


# ---------------------------------------------------------------- where the folder is


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """Four places for a cache, best first."""
    found = {name: tmp_path / name for name in ("own", "xdg", "home", "temporary")}
    monkeypatch.setenv("GENESIA_RL_CACHE", str(found["own"]))
    monkeypatch.setenv("XDG_CACHE_HOME", str(found["xdg"]))
    monkeypatch.setenv("HOME", str(found["home"]))
    monkeypatch.setattr(tempfile, "tempdir", str(found["temporary"]))
    return found


def test_the_cache_is_in_the_first_place_that_can_be_written(
    places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    closing = {
        "own": lambda: monkeypatch.setenv("GENESIA_RL_CACHE", NOWHERE),
        "xdg": lambda: monkeypatch.setenv("XDG_CACHE_HOME", NOWHERE),
        "home": lambda: monkeypatch.setenv("HOME", NOWHERE),
        "temporary": lambda: monkeypatch.setattr(tempfile, "tempdir", NOWHERE),
    }
    for name, close in closing.items():
        folder = jit.find_cache()
        assert folder is not None and places[name] in folder.parents
        assert folder.name == f"numba-{jit.package_hash()}" and list(folder.iterdir()) == []
        close()
    assert jit.find_cache() is None


def test_a_folder_of_somebody_else_is_not_used(
    places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in a cache is executed."""
    assert jit.find_cache() is not None
    somebody_else = os.getuid() + 1
    monkeypatch.setattr(os, "getuid", lambda: somebody_else)
    assert jit.find_cache() is None


def test_caches_that_nobody_uses_are_taken_away(places: dict[str, Path]) -> None:
    """When a new one is made: a month old ones go, those in use and other files stay."""
    place, now = places["own"], time.time()
    old, used, other = (place / name for name in ("numba-old", "numba-used", "notes"))
    for folder, age in ((old, 31), (used, 29), (other, 400)):
        (folder / "inside").mkdir(parents=True)
        os.utime(folder, (now - age * 86400,) * 2)
    made = jit.find_cache()
    assert made is not None and made.parent == place
    assert not old.exists() and used.exists() and other.exists()
    (old / "inside").mkdir(parents=True)
    os.utime(old, (now - 31 * 86400,) * 2)
    assert jit.find_cache() == made and old.exists(), "nothing is looked for as long as the cache is known"


def test_without_home_and_with_a_read_only_package_the_game_is_played(package: Path, tmp_path: Path) -> None:
    for path in (*package.rglob("*"), package):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = contents(package)
    cache = tmp_path / "cache"
    dealt = run(package, DEAL, HOME=None, GENESIA_RL_CACHE=str(cache), XDG_CACHE_HOME=None)
    for path in (package, *package.rglob("*")):
        path.chmod(0o755)
    assert dealt == dealt_here()
    assert contents(package) == before, "the package is left as it was"
    assert list(cache.rglob("*.nbi")), "the cache is where it was told to be"


def test_an_empty_setting_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GENESIA_RL_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = jit.find_cache()
    assert folder is not None and folder.parent == tmp_path / "cache" / "genesia_rl"
    assert [path.name for path in tmp_path.iterdir()] == ["cache"]


def test_without_any_place_to_write_the_game_is_played_without_a_cache(package: Path) -> None:
    closed = f"import tempfile; tempfile.tempdir = {NOWHERE!r}\n"
    nowhere = {"GENESIA_RL_CACHE": None, "XDG_CACHE_HOME": None, "HOME": NOWHERE}
    assert run(package, closed + PLACE, **nowhere) == "None"
    before = contents(package)
    assert run(package, closed + DEAL, **nowhere) == dealt_here()
    assert contents(package) == before


def contents(folder: Path) -> dict[str, bytes]:
    """Every file of a folder."""
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def dealt_here() -> str:
    """What `DEAL` prints, from this process."""
    game = make_game(players=2)
    states = game.new_states()
    game.entries.deal(states, 0, game.tables, np.uint64(7))
    return str(game.deal_dict(states, 0)["packs"][0])


# ---------------------------------------------------------------- stale code


def test_an_edit_in_another_file_than_the_entrys_is_never_stale(package: Path, tmp_path: Path) -> None:
    """numba alone looks at the date of the entry's own file, which stays as it is."""
    cache = str(tmp_path / "cache")
    first = run(package, DEAL, GENESIA_RL_CACHE=cache)
    assert run(package, DEAL, GENESIA_RL_CACHE=cache) == first == dealt_here()
    setup = package / "games/genesia/rules/setup.py"
    edit(setup, "= deck[seat * size + place]", "= deck[seat * size + size - 1 - place]")
    packs = [pack[::-1] for pack in eval(first)]
    assert run(package, DEAL, GENESIA_RL_CACHE=cache) == str(packs)


@pytest.mark.slow
def test_an_edited_constant_that_is_imported_is_never_stale(package: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "cache")
    assert run(package, SCORES, GENESIA_RL_CACHE=cache) == "[2, 0]"
    edit(package / "games/genesia/names.py", "RADIANCE_POINTS = 2\n", "RADIANCE_POINTS = 3\n")
    assert run(package, SCORES, GENESIA_RL_CACHE=cache) == "[3, 0]"


# ---------------------------------------------------------------- nothing is compiled twice


def play_with(game: Game, integer: type[Any], seed: Any) -> None:
    """Everything that a game offers, with one type of integers for places, seats and actions."""
    states = game.new_states(6)
    for part in (states, states[2:5]):
        place = integer(1)
        game.reset(part, place, seed)
        for number in range(40):
            if game.is_over(part, 1):
                game.reset(part, place, seed)
            seat = integer(game.seat(part, 1))
            game.step(part, place, integer(game.legal_actions(part, 1)[number % 2]))
            game.view(part, place, seat)
            game.scores(part, place)
            game.returns(part, place)
            game.resample_hidden(part, place, seat, np.random.default_rng(number))
            game.why_illegal(part, place, integer(0))
        game.put_deal(part, place, game.deal_dict(game.clone(fresh(game)), 0))


def fresh(game: Game) -> Any:
    """A game that was just dealt."""
    states = game.new_states()
    game.reset(states, 0, 1)
    return states


@pytest.mark.skipif(jit.PLAIN, reason="plain Python is not compiled")
@pytest.mark.parametrize("variant", ["players2", "players5", "solo_heroic", "all3", "no_objectives4"])
def test_every_entry_is_compiled_for_one_type_of_arguments(variant: str) -> None:
    game = make_game(**variants()[variant])
    kinds = (int, np.int64, np.int32, np.int16, np.uint16, np.intp)
    for integer, seed in zip(kinds, (0, -1, np.uint64(2**64 - 1), np.int32(-5), True, 2**70), strict=True):
        play_with(game, integer, seed)
    results, seeds = np.zeros(3, RESULT), np.arange(3, dtype=np.uint64)
    game.entries.play_random(game.new_states(), 0, game.tables, seeds, results)
    many = {name: jit.specialisations(entry) for name, entry in game.entries._asdict().items()}
    assert {name for name, number in many.items() if number > 1} == set()
    assert min(many[name] for name in ("reset", "step", "view", "scores", "resample", "start")) == 1
