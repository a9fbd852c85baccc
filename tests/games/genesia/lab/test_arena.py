"""`genesia arena` as a user meets it: reports, resumed and parted runs, duels, and one line for a mistake."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("scipy")

import pyarrow.parquet as pa

import genesia_rl
from genesia_rl.arena.duel import duel, even_share
from genesia_rl.arena.league import make_league
from genesia_rl.cli.app import run
from genesia_rl.core.errors import ConfigError
from genesia_rl.matches.entrant import parse_entrants
from genesia_rl.shards.run import run_job
from genesia_rl.shards.store import open_store

Capture = pytest.CaptureFixture[str]
ROOT = Path(genesia_rl.__file__).resolve().parent.parent
LEAGUE = ("--agents", "random,greedy,settler", "--players", "2", "--seed", "4")
TABLES = ("ratings", "pairs", "points", "parts")


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)


def genesia(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    capsys.readouterr()
    code = run(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def arena(capsys: Capture, *arguments: str) -> str:
    code, out, err = genesia(capsys, "arena", *LEAGUE, "--backend", "serial", *arguments)
    assert code == 0, err
    return out


def games(folder: str | Path) -> bytes:
    return (Path(folder) / "games.parquet").read_bytes()


def tables(folder: str | Path) -> dict[str, Any]:
    return {name: pa.read_table(Path(folder) / "tables" / f"{name}.parquet").to_pydict() for name in TABLES}


# ---------------------------------------------------------------- to the end, in parts, resumed


def test_a_league_is_played_told_and_kept(capsys: Capture) -> None:
    out = arena(capsys, "--games", "42", "--out", "run", "--covariates", "place")
    for said in ("Ratings", "Pairs", "Points", "Thinking time", "settler", "place 1 in Age I"):
        assert said in out
    page = Path("run/report.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>") and page.rstrip().endswith("</html>")
    assert (
        "42 in 21 blocks" in page
        and page.count("<svg") == 3
        and "http://" not in re.sub(r"w3\.org|http://www\.", "", page)
    )
    found = tables("run")
    assert sorted(found["ratings"]["agent"]) == ["greedy", "random", "settler"]
    assert found["ratings"]["Elo"] == sorted(found["ratings"]["Elo"], reverse=True)
    assert found["ratings"]["agent"][-1] == "random"
    assert found["points"]["games"] == found["parts"]["games"] == [28, 28, 28]
    table = pa.read_table("run/games.parquet")
    assert table.num_rows == 42 and len(set(table["seed"].to_pylist())) == 21
    assert pa.read_table("run/_times.parquet").num_rows == 3 * open_store(Path("run")).num_shards


def test_a_folder_has_a_name_of_its_own_and_is_found_again(capsys: Capture) -> None:
    code, _, err = genesia(capsys, "arena", *LEAGUE, "--games", "6", "--backend", "serial")
    (folder,) = Path("runs").iterdir()
    assert code == 0 and f"report: {folder}/report.html" in err and folder.name.startswith("arena-")
    before = games(folder), folder.joinpath("games.parquet").stat().st_mtime_ns
    assert genesia(capsys, "arena", *LEAGUE, "--games", "6", "--backend", "serial")[0] == 0
    assert (games(folder), folder.joinpath("games.parquet").stat().st_mtime_ns) == before
    assert list(Path("runs").iterdir()) == [folder]


def test_parts_that_are_merged_give_the_bytes_and_tables_of_one_run(capsys: Capture) -> None:
    arena(capsys, "--games", "42", "--out", "whole")
    for part in ("1/2", "2/2"):
        code, out, err = genesia(
            capsys, "arena", *LEAGUE, "--backend", "serial", "--games", "42", "--out", f"part{part[0]}",
            "--shard", part,
        )  # fmt: skip
        assert (code, out) == (0, "") and "genesia arena merge joins all parts" in err
        assert not Path(f"part{part[0]}/games.parquet").exists()
    code, out, err = genesia(capsys, "arena", "merge", "part2", "part1", "--out", "merged")
    assert code == 0 and "Ratings" in out and "report: merged/report.html" in err
    assert games("merged") == games("whole") and tables("merged") == tables("whole")
    assert Path("merged/job.json").read_bytes() == Path("whole/job.json").read_bytes()


def test_a_run_goes_on_where_it_was(capsys: Capture) -> None:
    arena(capsys, "--games", "42", "--out", "whole")
    genesia(
        capsys, "arena", *LEAGUE, "--games", "42", "--backend", "serial", "--out", "run", "--shard", "2/3"
    )
    first = {path: path.stat().st_mtime_ns for path in Path("run/shards").glob("*/games.parquet")}
    arena(capsys, "--games", "42", "--out", "run")
    assert first and all(path.stat().st_mtime_ns == when for path, when in first.items())
    assert games("run") == games("whole") and tables("run") == tables("whole")


@pytest.mark.parametrize(
    "given",
    [
        ("--agents", "greedy", "--format", "mirror", "--players", "3"),
        ("--agents", "greedy,greedy!war", "--players", "4", "--teams", "0,2/1,3"),
        ("--agents", "greedy,random", "--format", "one-against", "--players", "5"),
        ("--agents", "greedy,random", "--varied", "--covariates", "place,lots"),
    ],
)
def test_every_kind_of_league_ends_in_a_report(capsys: Capture, given: tuple[str, ...]) -> None:
    code, out, err = genesia(capsys, "arena", *given, "--games", "40", "--backend", "serial", "--out", "run")
    assert code == 0, err
    assert ("Ratings" in out) == ("mirror" not in given) and "Points" in out
    assert Path("run/report.html").stat().st_size > 10_000


def test_an_agent_that_never_gets_ahead_is_told_of(capsys: Capture) -> None:
    given = ("--agents", "greedy,random", "--games", "20", "--backend", "serial", "--out", "run")
    code, out, _ = genesia(capsys, "arena", *given)
    assert code == 0 and "random: always behind, or always ahead" in " ".join(out.split())
    assert tables("run")["ratings"]["low"][1] == -np.inf


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "--agents is missing"),
        (("--agents", "gredy,random"), "agent 'gredy': unknown, allowed are random, greedy"),
        (("--agents", "greedy"), "agents = 'greedy', allowed are 2 or more"),
        (("--agents", "greedy,greedy"), "greedy stands twice"),
        (("--agents", "greedy!nonsense,random"), "without 'nonsense', allowed are war"),
        (("--agents", "greedy,random", "--shard", "3/2"), "shard = 3/2, allowed is i/n"),
        (("--agents", "greedy,random", "--shard", "half"), "shard = 'half', allowed is i/n like 1/4"),
        (("--agents", "greedy,random", "--format", "swiss"), "format = 'swiss', allowed are all, mirror"),
        (("--agents", "greedy,random", "--games", "0"), "'0', allowed an integer 1..10000000"),
        (("--agents", "greedy,random", "--players", "7"), "players = 7"),
        (("--agents", "greedy,random", "--players", "1"), "players = 1, allowed is 2"),
        (("--agents", "greedy,random", "--solo", "expert"), "players = 1, allowed is 2"),
        (("--agents", "greedy,random", "--backend", "threads"), "backend = 'threads', allowed is one of"),
        (("--agents", "greedy,random", "--covariates", "seat"), "covariate 'seat': unknown"),
        (("--agents", "greedy,random", "--covariates", "lots"), "covariate 'lots' with one choice of lots"),
        (
            ("--agents", "greedy,random", "--players", "5", "--varied", "--covariates", "lots"),
            "covariate 'lots' with 5 players, allowed is it with another number",
        ),
        (("--agents", "ppo:nowhere.npz,random"), "nowhere.npz"),
        (("merge", "nothing", "--out", "merged"), "nothing/job.json: no such file"),
    ],
)
def test_a_mistake_is_one_line_and_nothing_is_begun(
    capsys: Capture, given: tuple[str, ...], said: str
) -> None:
    code, out, err = genesia(capsys, "arena", *given, *(() if "merge" in given else ("--out", "run")))
    assert (code, out) == (2, "")
    assert re.fullmatch(r"genesia: error: [^\n]+\n", err), err
    assert said in err and not Path("run").exists() and not Path("merged").exists()


def test_the_folder_of_another_job_is_refused(capsys: Capture) -> None:
    arena(capsys, "--games", "6", "--out", "run")
    code, out, err = genesia(capsys, "arena", *LEAGUE[:-1], "5", "--games", "6", "--out", "run")
    assert (code, out) == (2, "") and re.fullmatch(
        r"genesia: error: run: of another job, there settings\.seed = 4, [^\n]+\n", err
    )
    arena(capsys, "--games", "12", "--out", "other")
    code, _, err = genesia(capsys, "arena", "merge", "run", "other", "--out", "merged")
    assert code == 2 and "other: of another job, there settings.blocks = 6, allowed is 3" in err


def test_missing_parts_are_named(capsys: Capture) -> None:
    arena_part = ("--games", "42", "--out", "part", "--shard", "1/3", "--backend", "serial")
    assert genesia(capsys, "arena", *LEAGUE, *arena_part)[0] == 0
    code, _, err = genesia(capsys, "arena", "merge", "part", "--out", "merged")
    assert code == 2 and "no shards 1, 2, 4, 5" in err


# ---------------------------------------------------------------- duels


def test_a_duel_stops_early_and_says_how_sure_it_is(capsys: Capture) -> None:
    code, out, _ = genesia(
        capsys, "arena", "duel", "--agents", "greedy,random", "--games", "2000", "--backend", "serial",
        "--out", "run",
    )  # fmt: skip
    assert code == 0 and out.startswith(
        "greedy is better than random (of an equal one this is said with 5.0 %)"
    )
    played = int(re.search(r"of ([\d,]+) games", out).group(1).replace(",", ""))  # type: ignore[union-attr]
    assert played < 300 and len(open_store(Path("run")).done()) < open_store(Path("run")).num_shards
    again = genesia(
        capsys, "arena", "duel", "--agents", "greedy,random", "--games", "2000", "--backend", "serial",
        "--out", "run",
    )  # fmt: skip
    assert again[:2] == (0, out)


def test_a_duel_whose_answer_is_known_plays_no_more() -> None:
    series = make_league("genesia", parse_entrants("greedy,random", "genesia"), 2000, form="one-against")
    first = duel(series, Path("run"), 0.05, 0.05, 0.05, backend="serial")
    done = open_store(Path("run")).done()
    assert duel(series, Path("run"), 0.05, 0.05, 0.05, backend="serial") == first
    assert open_store(Path("run")).done() == done


def test_a_duel_of_equals_is_not_better_and_weaker_ones_neither(capsys: Capture) -> None:
    for agents in ("random,greedy", "random,random!objective"):
        code, out, _ = genesia(
            capsys, "arena", "duel", "--agents", agents, "--games", "400", "--by", "0.2",
            "--backend", "serial",
        )  # fmt: skip
        assert code == 0 and " is not better than " in out and "when the test stopped" in out


def test_a_duel_whose_games_run_out_promises_nothing(capsys: Capture) -> None:
    code, out, _ = genesia(
        capsys, "arena", "duel", "--agents", "random,random!objective", "--games", "60", "--by", "0.01",
        "--backend", "serial",
    )  # fmt: skip
    assert code == 0 and out.startswith("undecided: the games ran out before it was known whether random is")
    out = " ".join(out.split())  # as if no line were broken
    assert "of 60 games, 30 deals" in out and "an answer needs -3.00 or less, or +3.00 or more" in out
    assert "errors" not in out and "is not better" not in out


def test_a_duel_of_too_few_games_is_refused_before_it_begins() -> None:
    for players, most, least in ((2, 58, 60), (3, 85, 90)):
        series = make_league(
            "genesia",
            parse_entrants("greedy,random", "genesia"),
            most,
            form="one-against",
            fields={"players": players},
        )
        said = f"games = {series.games} of a duel, 29 blocks .* allowed are 30 blocks or more: {least} games"
        with pytest.raises(ConfigError, match=said):
            duel(series, Path("run"), 0.1, 0.05, 0.05, backend="serial")
        assert not Path("run").exists()


def test_the_answer_of_a_duel_does_not_depend_on_who_looks_first() -> None:
    """Shards of a whole run are all there at once; those of a serial one come one by one."""
    pair = parse_entrants("settler,random", "genesia")
    series = make_league("genesia", pair, 240, form="one-against", fields={"players": 3})
    one_by_one = duel(series, Path("one"), 0.3, 0.05, 0.05, backend="serial")
    run_job(series, Path("all"), backend="serial")
    assert duel(series, Path("all"), 0.3, 0.05, 0.05) == one_by_one
    assert one_by_one.blocks < series.blocks and one_by_one.games == 3 * one_by_one.blocks


def test_the_even_share_is_that_of_sides() -> None:
    for fields, share in (({"players": 5}, 1 / 5), ({"players": 4, "teams": [[0, 1], [2, 3]]}, 1 / 2)):
        pair = parse_entrants("greedy,random", "genesia")
        series = make_league("genesia", pair, 10, form="one-against", fields=fields)
        assert even_share(series) == pytest.approx(share)
        with pytest.raises(ConfigError, match="allowed is above 0 and below"):
            duel(series, Path("run"), 1 - share, 0.05, 0.05)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("--agents", "greedy"), "agents = 'greedy' with format one-against, allowed are 2"),
        ((), "--agents is missing, allowed are two codes"),
        (("--agents", "greedy,random", "--by", "0.6"), "by = 0.6, allowed is above 0 and below 0.5"),
        (("--agents", "greedy,random", "--alpha", "0.7"), "'0.7', allowed a number 0.0001..0.49"),
        (("--agents", "greedy,random", "--games", "20"), "games = 20 of a duel, 10 blocks"),
    ],
)
def test_mistakes_of_duels(capsys: Capture, given: tuple[str, ...], said: str) -> None:
    code, out, err = genesia(capsys, "arena", "duel", *given)
    assert (code, out) == (2, "") and said in err and err.count("\n") == 1


# ---------------------------------------------------------------- processes


def started(*arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "genesia_rl", *arguments]
    return subprocess.Popen(
        command, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@pytest.mark.slow
def test_a_killed_arena_goes_on_to_the_same_bytes(capsys: Capture) -> None:
    given = ("--agents", "random,greedy,settler", "--games", "6000", "--seed", "4")
    process = started("arena", *given, "--workers", "2", "--out", "run")
    end = time.monotonic() + 300
    while len(list(Path("run/shards").glob("*/shard.json"))) < 2 and process.poll() is None:
        assert time.monotonic() < end, "no shard was finished"
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL
    done = {path: path.stat().st_mtime_ns for path in Path("run/shards").glob("*/shard.json")}
    assert 2 <= len(done) < open_store(Path("run")).num_shards and not Path("run/games.parquet").exists()
    assert genesia(capsys, "arena", *given, "--workers", "2", "--out", "run")[0] == 0
    assert all(path.stat().st_mtime_ns == when for path, when in done.items()), "no finished shard is lost"
    assert genesia(capsys, "arena", *given, "--backend", "serial", "--out", "whole")[0] == 0
    assert games("run") == games("whole") and tables("run") == tables("whole")


@pytest.mark.slow
def test_a_duel_answers_the_same_with_one_worker_and_with_two(capsys: Capture) -> None:
    told = []
    for workers in ("1", "2"):
        code, out, err = genesia(
            capsys, "arena", "duel", "--agents", "greedy,settler", "--games", "4000", "--by", "0.1",
            "--workers", workers, "--out", f"run{workers}",
        )  # fmt: skip
        assert code == 0, err
        told.append(out)
    assert told[0] == told[1] and "greedy is better than settler" in told[0]
    both = (pa.read_table(f"run{k}/shards/00000/games.parquet") for k in "12")
    assert next(both).equals(next(both))


@pytest.mark.slow
def test_figures_of_a_larger_league_agree_with_the_engine(capsys: Capture) -> None:
    arena(capsys, "--games", "3000", "--out", "run")
    table = pa.read_table("run/games.parquet")
    totals, places = (np.array(table[name].to_pylist()) for name in ("totals", "ranks"))
    entrants = np.array(table["entrants"].to_pylist())
    first = (places == 0) / (places == 0).sum(axis=1, keepdims=True)
    points = tables("run")["points"]
    for k in range(3):
        assert points["first"][k] == pytest.approx(first[entrants == k].mean(), abs=1e-12)
        assert points["score"][k] == pytest.approx(totals[entrants == k].mean(), abs=1e-9)
