"""The guard of the disk cache: stale code never runs, nothing is compiled twice, no place is no obstacle.

The processes here call the cheapest kernels only, as whatever they compile is compiled anew.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from copies import copied, edit, run
from env_tools import FEW, game_of

import genesia_rl
from genesia_rl.core import compile
from genesia_rl.core.game import Game
from genesia_rl.core.registry import game_names, make_game, package_of
from genesia_rl.core.warmup import folder_of

PACKAGE = Path(genesia_rl.__file__).parent
GAMES = [name for name in game_names() if package_of(name).startswith("genesia_rl.games.")]
NOWHERE = "/dev/null/nowhere"  # not even the owner of the machine can make a folder there

DEAL = """
import json
import numpy as np
from genesia_rl.core.registry import make_game
game = make_game(players=2)
states = game.new_states()
game.kernels.deal(states, 0, game.tables, np.uint64(7))
print(json.dumps(game.deal_dict(states, 0)))
"""

PLACE = "from genesia_rl.core.compile import CORE, cache_of; print(cache_of(CORE))"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A copy of the package's sources."""
    return copied(tmp_path)


# ---------------------------------------------------------------- the name of the folder


def hash_of(package: Path, game: str) -> str:
    """What the folder of a game's compiled code is named by."""
    return compile.source_hash(package / "core", package / "games" / game)


def files_of(package: Path, game: str) -> list[Path]:
    """Some sources and data that decide what the game's code is compiled to."""
    own = sorted((package / "games" / game).rglob("*"))
    data = [path for path in own if path.suffix == ".toml"]
    return [
        package / "core/bits.py",
        package / "core/loops/games.py",
        *data,
        *(p for p in own if p.suffix == ".py"),
    ]


@pytest.mark.parametrize("game", GAMES)
def test_a_comment_in_any_source_or_data_file_of_core_or_the_game_changes_the_hash(
    package: Path, game: str
) -> None:
    for file in files_of(package, game):
        before = hash_of(package, game)
        with open(file, "a") as source:
            source.write("# one more comment\n")
        assert hash_of(package, game) != before, file


@pytest.mark.parametrize("game", GAMES)
def test_an_edit_in_another_game_or_in_a_tool_compiles_nothing_anew(package: Path, game: str) -> None:
    before = hash_of(package, game)
    others = [package / "games" / name / "game.py" for name in GAMES if name != game]
    for file in (package / "cli/app.py", package / "players/random.py", *others):
        with open(file, "a") as source:
            source.write("# one more comment\n")
    assert hash_of(package, game) == before


@pytest.mark.parametrize("game", GAMES)
def test_all_compiled_code_of_a_game_is_kept_in_the_folder_of_its_unit(game: str) -> None:
    folder = PACKAGE / "games" / game
    for path in folder.rglob("*.py"):
        module = ".".join(("genesia_rl", *path.relative_to(PACKAGE).with_suffix("").parts))
        assert compile.unit_of(module.removesuffix(".__init__")) == folder
    assert compile.PLAIN or folder_of(make_game(game)) == compile.cache_of(folder)


def hash_here(package: Path = PACKAGE) -> str:
    """The hash of the core alone."""
    return compile.source_hash(package / "core")


def test_a_file_that_is_added_renamed_or_removed_changes_the_hash(package: Path) -> None:
    hashes = [hash_here(package)]
    (package / "core/new.py").write_text("")
    hashes.append(hash_here(package))
    (package / "core/new.py").rename(package / "core/newer.py")
    hashes.append(hash_here(package))
    (package / "core/newer.py").unlink()
    assert len(set(hashes)) == 3 and hash_here(package) == hashes[0]


def test_the_same_sources_elsewhere_have_the_same_hash_and_other_files_do_not_matter(package: Path) -> None:
    (package / "core/notes.md").write_text("nothing that is compiled")
    (package / "core/__pycache__").mkdir()
    (package / "core/__pycache__" / "bits.cpython-311.pyc").write_bytes(b"nor this")
    assert hash_here(package) == hash_here()


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
        folder = compile.find_cache()
        assert folder is not None and places[name] in folder.parents
        assert folder.name == f"numba-core-{hash_here()}" and list(folder.iterdir()) == []
        close()
    assert compile.find_cache() is None


def test_a_folder_of_somebody_else_is_not_used(
    places: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in a cache is executed."""
    assert compile.find_cache() is not None
    somebody_else = os.getuid() + 4321
    monkeypatch.setattr(os, "getuid", lambda: somebody_else)
    assert compile.find_cache() is None


def test_caches_that_nobody_uses_are_taken_away(places: dict[str, Path]) -> None:
    """When a new one is made: a month old ones go, those in use and other files stay."""
    place, now = places["own"], time.time()
    old, used, other = (place / name for name in ("numba-old", "numba-used", "notes"))
    for folder, age in ((old, 31), (used, 29), (other, 400)):
        (folder / "inside").mkdir(parents=True)
        os.utime(folder, (now - age * 86400,) * 2)
    made = compile.find_cache()
    assert made is not None and made.parent == place
    assert not old.exists() and used.exists() and other.exists()
    (old / "inside").mkdir(parents=True)
    os.utime(old, (now - 31 * 86400,) * 2)
    assert compile.find_cache() == made and old.exists(), (
        "nothing is looked for as long as the cache is known"
    )


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


@pytest.mark.skipif(compile.PLAIN, reason="plain Python is not compiled")
def test_the_same_sources_elsewhere_run_what_is_compiled(package: Path, tmp_path: Path) -> None:
    cache = {"GENESIA_RL_CACHE": str(tmp_path / "cache")}
    counted = f"{DEAL}print(sum(game.kernels.deal.stats.cache_hits.values()))\n"
    dealt, hits = run(package, counted, **cache).splitlines()
    elsewhere = package.rename(tmp_path / package.name)
    assert hits == "0" and run(elsewhere, counted, **cache).splitlines() == [dealt, "1"]


def test_an_empty_setting_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GENESIA_RL_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = compile.find_cache()
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
    game.kernels.deal(states, 0, game.tables, np.uint64(7))
    return json.dumps(game.deal_dict(states, 0))


# ---------------------------------------------------------------- stale code


def test_an_edit_in_another_file_than_the_kernels_is_never_stale(package: Path, tmp_path: Path) -> None:
    """numba alone looks at the date of the kernel's own file, which stays as it is."""
    cache = str(tmp_path / "cache")
    first = run(package, DEAL, GENESIA_RL_CACHE=cache)
    assert run(package, DEAL, GENESIA_RL_CACHE=cache) == first == dealt_here()
    edit(package / "core/chance.py", "return np.int64(((output >> _32) * np.uint64(bound)) >> _32)",
         "return np.int64(bound) - 1 - np.int64(((output >> _32) * np.uint64(bound)) >> _32)")  # fmt: skip
    assert run(package, DEAL, GENESIA_RL_CACHE=cache) != first


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
        game.put_deal(part, place, game.deal_dict(fresh(game), 0))


def fresh(game: Game) -> Any:
    """A game that was just dealt."""
    states = game.new_states()
    game.reset(states, 0, 1)
    return states


@pytest.mark.skipif(compile.PLAIN, reason="plain Python is not compiled")
@pytest.mark.parametrize("variant", FEW)
def test_every_kernel_is_compiled_for_one_type_of_arguments(variant: str) -> None:
    game = game_of(variant)
    kinds = (int, np.int64, np.int32, np.int16, np.uint16, np.intp)
    for integer, seed in zip(kinds, (0, -1, np.uint64(2**64 - 1), np.int32(-5), 7, 2**70), strict=True):
        play_with(game, integer, seed)
    results, seeds = np.zeros(3, game.facts.result_dtype), np.arange(3, dtype=np.uint64)
    game.kernels.play_random(game.new_states(), 0, game.tables, seeds, results)
    many = {name: compile.specialisations(kernel) for name, kernel in game.kernels._asdict().items()}
    assert {name for name, number in many.items() if number > 1} == set()
    assert min(many[name] for name in ("reset", "step", "view", "scores", "resample", "start")) == 1
