"""`genesia arena` and `arena duel` for any game: figures against a recount, parts and whole, one line for a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")

from cli_tools import Capture, genesia, mistake
from matches.games_at_hand import GAMES, toy_registered, two_players

from genesia_rl.arena.league import make_league
from genesia_rl.arena.ratings import covariates_of
from genesia_rl.arena.report import parts_of
from genesia_rl.arena.tally import RESULTS, Tally
from genesia_rl.core.lab import lab_of
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.matches.entrant import parse_entrants
from genesia_rl.matches.series import series_of
from genesia_rl.report.parquet import read_table
from genesia_rl.shards.run import run_job
from genesia_rl.shards.store import open_store

ANY = pytest.mark.parametrize("name", GAMES)
TABLES = ("ratings", "pairs", "points")


@pytest.fixture(scope="module", autouse=True)
def toy_too() -> Iterator[None]:
    yield from toy_registered()


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def agents(name: str) -> str:
    return ",".join(two_players(name))


def arena(capsys: Capture, name: str, *arguments: str) -> str:
    given = ("--game", name, "--agents", agents(name), "--games", "12", "--backend", "serial")
    code, out, err = genesia(capsys, "arena", *given, *arguments)
    assert code == 0, err
    return out


def tables(folder: str) -> dict[str, Any]:
    return {name: read_table(Path(folder) / "tables" / f"{name}.parquet") for name in TABLES}


@ANY
def test_a_league_of_any_game_ends_in_a_report(capsys: Capture, name: str) -> None:
    out = arena(capsys, name, "--out", "run", "--covariates", "place")
    assert f"{game_info(name).title}: arena" in out and "place 1" in out
    assert Path("run/report.html").stat().st_size > 10_000
    assert Path("run/tables/parts.parquet").exists() == bool(make_game(name).score_parts)
    assert sorted(tables("run")["ratings"]["agent"]) == sorted(two_players(name))
    series = series_of(open_store(Path("run")).settings)
    assert series.game_name == name and series.games == 12


@ANY
def test_parts_that_are_merged_give_the_bytes_and_tables_of_one_run(capsys: Capture, name: str) -> None:
    arena(capsys, name, "--out", "whole")
    for part in ("1", "2"):
        arena(capsys, name, "--out", f"part{part}", "--shard", f"{part}/2")
    code, out, err = genesia(capsys, "arena", "merge", "part2", "part1", "--out", "merged")
    assert code == 0 and game_info(name).title in out, err
    assert Path("merged/games.parquet").read_bytes() == Path("whole/games.parquet").read_bytes()
    assert tables("merged") == tables("whole")


@ANY
def test_a_tally_is_what_a_recount_gives(name: str) -> None:
    players = game_info(name).players[1]
    series = make_league(name, parse_entrants(agents(name), name), 20, 2, fields={"players": players})
    tally, held = Tally(series), dict[tuple[int, str], list[float]]()
    store = run_job(series, Path("run"), backend="serial")
    for sides in parts_of(series, store):
        tally.add(sides)
        games = sides.games
        for g in range(len(games)):
            ranks, totals = games["ranks"][g].tolist(), games["totals"][g].tolist()
            for seat, entrant in enumerate(games["entrants"][g].tolist()):
                alike = ranks.count(ranks[seat])
                counted = {
                    "first": 1 / alike if ranks[seat] == 0 else 0.0,
                    "rank": 1 + ranks[seat] + (alike - 1) / 2,
                    "score": totals[seat],
                    "lead": totals[seat] - max(totals[:seat] + totals[seat + 1 :]),
                    **dict(zip(series.game.score_parts, games["parts"][g, seat].tolist(), strict=False)),
                }
                for figure, value in counted.items():
                    held.setdefault((entrant, figure), []).append(float(value))
    assert tally.names == (*RESULTS, *series.game.score_parts)
    for (entrant, figure), values in held.items():
        assert tally.figure(entrant, figure).value == pytest.approx(np.mean(values), abs=1e-9)


@ANY
def test_a_duel_of_any_game_is_decided(capsys: Capture, name: str) -> None:
    given = ("--agents", agents(name), "--games", "2000", "--by", "0.1", "--backend", "serial")
    code, out, err = genesia(capsys, "arena", "duel", "--game", name, *given, "--out", "run")
    assert code == 0, err
    strong, weak = two_players(name)
    assert out.startswith((f"{strong} is better than {weak}", f"{strong} is not better than {weak}"))


@ANY
def test_what_a_game_does_not_offer_is_said_in_one_line(capsys: Capture, name: str) -> None:
    given = ("arena", "--game", name, "--agents", agents(name), "--out", "run", "--backend", "serial")
    unknown = mistake(capsys, *given, "--covariates", "luck")
    assert unknown == f"covariate 'luck': unknown, allowed are {', '.join(covariates_of(name))}"
    nothing = mistake(capsys, "arena", "--game", name, "--agents", "random!nothing,random")
    allowed = ", ".join(lab_of(name).without) or "none: the game knows nothing to go without"
    assert nothing == f"agent 'random!nothing': without 'nothing', allowed are {allowed}"
    if lab_of(name).variation is None:
        assert mistake(capsys, *given, "--varied") == f"game '{name}' offers no variation"
    assert not Path("run").exists()
