"""A run may be made longer: what was played stays, and the rest is as if it had been meant at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")

from cli_tools import Capture, genesia, mistake
from matches.games_at_hand import GAMES, toy_registered, two_players

from genesia_rl.arena.league import make_league
from genesia_rl.core.lab import lab_of
from genesia_rl.matches.entrant import parse_entrants
from genesia_rl.matches.progress import continued, extend
from genesia_rl.matches.series import Series
from genesia_rl.shards.run import run_job
from genesia_rl.shards.store import Store, open_store

FIRST = """
from genesia_rl import Player


class First(Player):
    def act_batch(self, decisions):
        return decisions.mask.argmax(axis=1)
"""
AGENTS = "first.py:First,random"
VARIED = [name for name in GAMES if name != "toy" and lab_of(name).variation is not None]


@pytest.fixture(scope="module", autouse=True)
def toy_too() -> Iterator[None]:
    yield from toy_registered()


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an agent of one's own: it answers at once, compiled or not."""
    monkeypatch.chdir(tmp_path)
    Path("first.py").write_text(FIRST)


@pytest.fixture
def shards(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The shards that are played."""
    played: list[int] = []
    run = Series.run

    def told(self: Series, shard: int) -> Any:
        played.append(shard)
        return run(self, shard)

    monkeypatch.setattr(Series, "run", told)
    return played


def arena(capsys: Capture, *arguments: str, command: tuple[str, ...] = ("arena",)) -> str:
    given = ("--game", "toy", "--agents", AGENTS, "--backend", "serial")
    code, out, err = genesia(capsys, *command, *given, *arguments)
    assert code == 0, err
    return out


def games_of(folder: str) -> dict[str, Any]:
    return open_store(Path(folder)).read("games")


def test_a_finished_run_is_made_longer_and_nothing_is_played_again(
    capsys: Capture, shards: list[int]
) -> None:
    arena(capsys, "--games", "20", "--out", "run")
    before, first = games_of("run"), sorted(shards)
    shards.clear()
    out = arena(capsys, "--games", "30", "--out", "run")
    after = games_of("run")
    assert len(before["seed"]) == 20 and len(after["seed"]) == 30 and "Pig: arena" in out
    assert "30 in 15 blocks" in Path("run/report.html").read_text(encoding="utf-8")
    assert set(shards).isdisjoint(first) and len(shards) == 5
    assert all(np.array_equal(before[name], after[name][:20]) for name in before)
    shards.clear()
    arena(capsys, "--games", "30", "--out", "run")
    assert shards == []


def test_it_holds_the_games_of_a_run_that_was_meant_so_at_once(capsys: Capture, shards: list[int]) -> None:
    """41 blocks in shards of two: the last is not full, and the only one that is played again."""
    arena(capsys, "--games", "82", "--out", "run")
    shards.clear()
    arena(capsys, "--games", "100", "--out", "run")
    assert sorted(shards) == [20, 21, 22, 23, 24]
    arena(capsys, "--games", "100", "--out", "whole")
    whole, longer = games_of("whole"), games_of("run")
    assert all(np.array_equal(whole[name], longer[name]) for name in whole)


def test_a_run_that_is_not_finished_is_made_longer_too(capsys: Capture, shards: list[int]) -> None:
    for part in ("1", "2"):
        arena(capsys, "--games", "20", "--out", f"part{part}", "--shard", f"{part}/2")
    shards.clear()
    for part in ("1", "2"):
        arena(capsys, "--games", "30", "--out", f"part{part}", "--shard", f"{part}/2")
    assert sorted(shards) == [10, 11, 12, 13, 14]
    assert genesia(capsys, "arena", "merge", "part1", "part2", "--out", "merged")[0] == 0
    arena(capsys, "--games", "20", "--out", "run")
    arena(capsys, "--games", "30", "--out", "run")
    assert Path("merged/games.parquet").read_bytes() == Path("run/games.parquet").read_bytes()


def test_a_kill_in_between_loses_nothing(
    capsys: Capture, shards: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    arena(capsys, "--games", "20", "--out", "run")
    shards.clear()
    sign, signed = Store.sign_again, list[tuple[str, int]]()

    def killed(self: Store) -> None:
        if self.before is not None and not signed:
            signed.append(self.before)
            raise KeyboardInterrupt
        sign(self)

    monkeypatch.setattr(Store, "sign_again", killed)
    given = ("arena", "--game", "toy", "--agents", AGENTS, "--backend", "serial", "--out", "run")
    assert genesia(capsys, *given, "--games", "30")[0] == 130 and signed and shards == []
    assert len(open_store(Path("run")).done()) == 10
    arena(capsys, "--games", "30", "--out", "run")
    assert len(shards) == 5 and open_store(Path("run")).before is None


def test_a_shorter_run_is_refused_and_so_is_another(capsys: Capture) -> None:
    arena(capsys, "--games", "20", "--out", "run")
    given = ("arena", "--game", "toy", "--agents", AGENTS, "--backend", "serial", "--out", "run")
    said = mistake(capsys, *given, "--games", "10")
    assert said == "run: is a run of 20 games, allowed with 10 is another folder"
    assert "there settings.seed = 0" in mistake(capsys, *given, "--games", "30", "--seed", "1")


def test_a_duel_that_was_undecided_goes_on(capsys: Capture, shards: list[int]) -> None:
    close = ("--by", "0.02", "--out", "run")
    assert arena(capsys, "--games", "60", *close, command=("arena", "duel")).startswith("undecided")
    shards.clear()
    arena(capsys, "--games", "90", *close, command=("arena", "duel"))
    assert shards and min(shards) >= 30


@pytest.mark.parametrize("name", VARIED)
@pytest.mark.parametrize("mixed", [False, True])
def test_what_varies_stays_even_and_as_it_was(name: str, mixed: bool) -> None:
    """What a game lets vary comes equally often, but for one, each time that a run is made longer."""
    entrants = parse_entrants(",".join(two_players(name)), name)

    def series(games: int) -> Series:
        return make_league(name, entrants, games, varied=5, mixed=mixed)

    longer, before = series(14), np.zeros(0, np.int64)
    for games in (14, 32, 36, 90):
        if games > 14:
            longer = replace(longer, blocks=series(games).blocks, extended=(*longer.extended, longer.blocks))
        cells = longer.cell_of(np.arange(longer.blocks))
        counts = np.bincount(cells[:: len(longer.lineups)], minlength=len(longer.cells))
        assert counts.max() - counts.min() <= 1 and np.array_equal(cells[: len(before)], before)
        before = cells


def test_a_folder_is_made_longer_by_whoever_plays_and_not_before() -> None:
    entrants = parse_entrants(AGENTS, "toy")
    one, more = (make_league("toy", entrants, games) for games in (4, 8))
    assert continued(one, Path("run")) is one
    run_job(one, Path("run"), backend="serial")
    longer = continued(more, Path("run"))
    assert (longer.blocks, longer.extended) == (4, (2,)) and open_store(Path("run")).settings["blocks"] == 2
    extend(longer, Path("run"))
    assert open_store(Path("run")).settings["blocks"] == 4 and open_store(Path("run")).done() == [0, 1]
    assert continued(more, Path("run")) == longer
