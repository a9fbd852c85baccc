"""`genesia balance` and `genesia balance diff`: parts and whole, mistakes, and memory."""

from __future__ import annotations

import re
import shutil
import tracemalloc
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from games.genesia.lab.lab_games import changed_data, pool

from genesia_rl.cli.app import run
from genesia_rl.games.genesia.lab import LAB
from genesia_rl.lab.arms import Condition, arms_of
from genesia_rl.lab.arms import series_of as series_of_arm
from genesia_rl.lab.gather import gather
from genesia_rl.lab.settings import made_setting
from genesia_rl.matches.games import Table
from genesia_rl.matches.series import Series
from genesia_rl.players.learned import models_of
from genesia_rl.report.parquet import read_table
from genesia_rl.shards.store import open_store

Capture = pytest.CaptureFixture[str]
SMALL = ("--policy", "random", "--players", "2", "--games", "120", "--backend", "serial")
ARMS = {
    "natural",
    "choosing",
    "promos",
    "blind",
    "no-war",
    "no-cities",
    "no-objective",
    "no-drafting",
    "no-places",
}
TABLES = {
    "games", "places", "places_adjusted", "seats", "choosing", "takes", "lots", "lots_for", "lots_games",
    "cards", "objectives", "without",
}  # fmt: skip


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One run of everything."""
    folder = tmp_path_factory.mktemp("whole") / "run"
    assert run(("balance", *SMALL, "--out", str(folder))) == 0
    return folder


def genesia(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = run(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def mistake(capsys: Capture, *arguments: str) -> str:
    """The one line that a mistake gives."""
    code, out, err = genesia(capsys, *arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"genesia: error: [^\n]+\n", err), err
    return err.removeprefix("genesia: error: ").strip()


def tables_of(folder: Path) -> dict[str, bytes]:
    return {path.stem: path.read_bytes() for path in sorted((folder / "tables").iterdir())}


def config(name: str, text: str) -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


# ---------------------------------------------------------------- whole and parts


def test_a_run_plays_every_arm_and_writes_every_table_with_intervals_and_games(whole: Path) -> None:
    assert {path.name for path in (whole / "2p-random").iterdir()} == ARMS
    held = tables_of(whole)
    assert set(held) == TABLES
    page = (whole / "report.html").read_text(encoding="utf-8")
    for said in ("Power: to see one percentage point", "as it must be where they are alike", "Overpowered:"):
        assert said in page
    for name, figure in (("places", "won"), ("seats", "won"), ("lots", "score"), ("without", "won")):
        table = read_table(whole / "tables" / f"{name}.parquet")
        columns = [table[f"{figure}{end}"] for end in (" low", "", " high", " games")]
        for low, value, high, games in zip(*columns, strict=True):
            assert low <= value <= high and games > 0
    played = read_table(whole / "tables" / "games.parquet")
    assert dict(zip(played["arm"], played["games"], strict=True)) == {
        **{arm: 12 for arm in ARMS if arm.startswith("no-")},
        **{"natural": 120, "choosing": 30, "promos": 30, "blind": 60},
    }


def check_parts(capsys: Capture, whole: Path, arms: set[str], *options: str) -> None:
    """Two parts, merged and reported, against the run that was never parted."""
    for part in ("1/2", "2/2"):
        told = ("--shard", part, "--out", f"p{part[0]}")
        code, out, err = genesia(capsys, "balance", *SMALL, *options, *told)
        assert code == 0 and out == "" and "genesia balance merge" in err
        assert not Path(f"p{part[0]}", "report.html").exists()
    assert genesia(capsys, "balance", "merge", "p1", "p2", "--out", "joined")[0] == 0
    code, _, err = genesia(capsys, "balance", *SMALL, *options, "--out", "joined")
    assert code == 0 and "report: joined" in err
    ours, theirs = tables_of(Path("joined")), tables_of(whole)
    assert len(ours) >= 4 and all(ours[name] == theirs[name] for name in ours.keys() - {"games"})
    assert {path.name for path in Path("joined/2p-random").iterdir()} == arms
    for arm in arms:
        one, other = (folder / "2p-random" / arm / "games.parquet" for folder in (Path("joined"), whole))
        assert one.read_bytes() == other.read_bytes()


def test_parts_that_are_merged_give_the_tables_of_one_run(capsys: Capture, whole: Path) -> None:
    check_parts(capsys, whole, {"natural"}, "--parts", "lots,objectives")


@pytest.mark.slow
def test_parts_of_all_arms_that_are_merged_give_the_tables_of_one_run(capsys: Capture, whole: Path) -> None:
    check_parts(capsys, whole, ARMS)
    assert set(tables_of(Path("joined"))) == TABLES


def test_a_run_that_lost_a_shard_plays_that_one_again(capsys: Capture, whole: Path, tmp_path: Path) -> None:
    shutil.copytree(whole, tmp_path / "again")
    arm = tmp_path / "again" / "2p-random" / "natural"
    times = {path.name: path.stat().st_mtime_ns for path in (arm / "shards").iterdir()}
    shutil.rmtree(arm / "shards" / "00003")
    few = (*SMALL, "--parts", "lots")
    assert genesia(capsys, "balance", *few, "--out", "again")[0] == 0
    after = {path.name: path.stat().st_mtime_ns for path in (arm / "shards").iterdir()}
    assert {name for name in times if after[name] != times[name]} == {"00003"}
    ours, theirs = tables_of(tmp_path / "again"), tables_of(whole)
    assert ours["lots"] == theirs["lots"] and ours["lots_games"] == theirs["lots_games"]


def test_a_merge_of_some_parts_names_what_is_missing(capsys: Capture) -> None:
    few = ("--policy", "random", "--games", "10", "--parts", "lots", "--backend", "serial")
    assert genesia(capsys, "balance", *few, "--shard", "1/3", "--out", "one")[0] == 0
    said = mistake(capsys, "balance", "merge", "one", "--out", "all")
    assert "no shards 1, 2, 4" in said


def test_only_the_parts_that_are_asked_for_are_played(capsys: Capture) -> None:
    few = ("--policy", "random", "--games", "20", "--parts", "objectives,lots", "--backend", "serial")
    assert genesia(capsys, "balance", *few, "--out", "lots")[0] == 0
    assert [path.name for path in Path("lots/2p-random").iterdir()] == ["natural"]
    assert set(tables_of(Path("lots"))) == {"games", "lots", "lots_for", "lots_games", "objectives"}


def test_a_few_games_make_a_report_too(capsys: Capture) -> None:
    few = ("--policy", "random", "--games", "10", "--backend", "serial")
    assert genesia(capsys, "balance", *few, "--out", "few")[0] == 0
    assert "Too few games" in Path("few/report.html").read_text(encoding="utf-8")


# ---------------------------------------------------------------- differences


def test_a_difference_of_a_file_from_itself_is_nothing_and_of_a_changed_card_its_points(
    capsys: Capture,
) -> None:
    a = config("a.toml", 'policy = "random"\nblind_drafts = true\n')
    changed_data(Path("mine"), 78, 9)
    b = config("b.toml", 'policy = "random"\nblind_drafts = true\n[game]\ndata = "mine"\n')
    games = ("--games", "300", "--backend", "serial")
    code, _, err = genesia(capsys, "balance", "diff", "--a", a, "--b", a, *games, "--out", "same")
    assert code == 0 and "report: same" in err
    page = Path("same/report.html").read_text(encoding="utf-8")
    assert page.count("nothing that could not be chance") == 6
    assert set(read_table(Path("same/tables/traits.parquet"))["B - A"]) == {0.0}
    assert genesia(capsys, "balance", "diff", "--a", a, "--b", b, *games, "--out", "nine")[0] == 0
    cards = read_table(Path("nine/tables/cards.parquet"))
    gains = dict(zip(cards["number"], cards["holder's points"], strict=True))
    assert max(gains, key=lambda n: gains[n]) == 78 and 0 < gains[78] <= 9  # random play seldom plays it
    # Another card file in the same folder is another run.
    for file in Path("mine").iterdir():
        file.unlink()
    Path("mine").rmdir()
    changed_data(Path("mine"), 78, 2)
    said = mistake(capsys, "balance", "diff", "--a", a, "--b", b, *games, "--out", "nine")
    assert "data" in said


@pytest.mark.parametrize(
    ("blind", "says"), [((True, True), True), ((True, False), False), ((False, False), False)]
)
def test_what_holders_gain_is_said_only_of_drafts_at_random_under_both(
    capsys: Capture, blind: tuple[bool, bool], says: bool
) -> None:
    files = [
        config(f"{k}.toml", f'policy = "random"\nblind_drafts = {str(b).lower()}\n')
        for k, b in enumerate(blind)
    ]
    words = ("--a", files[0], "--b", files[1], "--games", "60", "--backend", "serial", "--out", "x")
    assert genesia(capsys, "balance", "diff", *words)[0] == 0
    table = read_table(Path("x/tables/cards.parquet"))
    assert ("holder's points" in table) is says and min(table["kept, A low"]) < max(table["kept, A high"])
    assert {"played, B", "played, B low", "played, B high", "played, B games"} <= table.keys()
    page = Path("x/report.html").read_text(encoding="utf-8")
    assert ("Points of holders changed" in page) is says
    assert ("blind_drafts = true into both files" in page) is not says
    assert page.count("Power: ") + page.count("Too few games") >= 5


def test_coins_and_what_else_a_file_changes_reach_the_games() -> None:
    held = {
        "policy": "random",
        "coins": [2],
        "blind_drafts": True,
        "random_choosers": True,
        "game": {"players": 3},
    }
    series = made_setting(held, "x.toml", "genesia").series(10, 4)
    assert series.changes == {"coins": [2], "blind_drafts": True, "random_choosers": True}
    assert (series.seed, series.blocks, series.players) == (4, 10, 3)


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--parts", "luck"), "part 'luck': unknown, allowed are first, lots, cards, objectives, restricted"),
        (("--players", "1"), "players = '1', allowed are numbers 2..5"),
        (("--players", "6"), "players = '6'"),
        (("--players", "two"), "players = 'two'"),
        (("--games", "9"), "games = '9', allowed are numbers 10.."),
        (("--games", "20,30,40"), "3 numbers, allowed is 1 or 1"),
        (("--policy", "nobody"), "nobody"),
        (("--policy", "greedy!war"), "allowed are agents that go without nothing"),
        (("--policy", "random,random"), "random stands twice"),
        (("--shard", "3/2"), "shard = 3/2"),
        (("--shard", "a"), "shard = 'a'"),
        (("--backend", "magic"), "backend = 'magic'"),
        (("--config", "none.toml"), "none.toml"),
        (("--data", "nowhere"), "nowhere"),
    ],
)
def test_a_mistake_is_one_line(capsys: Capture, arguments: tuple[str, ...], said: str) -> None:
    few = ("--games", "10") if "--games" not in arguments else ()
    policy = ("--policy", "random") if "--policy" not in arguments else ()
    assert said in mistake(capsys, "balance", *few, *policy, "--out", "x", *arguments)
    assert not Path("x").exists() or not list(Path("x").rglob("*.parquet"))


def test_a_configuration_for_other_players_is_refused(capsys: Capture) -> None:
    file = config("three.toml", "players = 3\n")
    said = mistake(capsys, "balance", "--policy", "random", "--games", "10", "--config", file)
    assert said == "config: players = 3, --players 2, allowed is the same"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("polcy = 'random'\n", "polcy"),
        ("policy = 'nobody'\n", "nobody"),
        ("coins = [1, 1, 1]\n", "coins = [1, 1, 1], allowed are 2 at most"),
        ("coins = ['x']\n", "coins.0"),
        ("coins = [1, 100000]\n", "coins = [1, 100000], allowed are 0..100 each"),
        ("coins = [101]\n", "coins = [101], allowed are 0..100 each"),
        ("coins = [-5]\n", "coins = [-5], allowed are 0..100 each"),
        (
            "[game]\nplayers = 4\nteams = [[0, 2], [1, 3]]\n",
            "game: seats of the teams [0, 1, 0, 1], allowed are games of everybody for itself",
        ),
        ("[game]\nplayer = 3\n", "player"),
        ("[game]\nplayers = 3\n", "players = 2 in a.toml, 3 in b.toml, allowed is the same number"),
        ("[game]\nplayers = 1\n", "game: players = 1 with one joint score, allowed are"),
        ("[game]\ndata = 'nowhere'\n", "nowhere"),
        ("game = 3\n", "game"),
        ("policy = \n", "allowed is TOML"),
    ],
)
def test_a_mistake_in_a_file_to_compare_is_one_line(capsys: Capture, text: str, said: str) -> None:
    a, b = config("a.toml", "policy = 'random'\n"), config("b.toml", text)
    line = mistake(capsys, "balance", "diff", "--a", a, "--b", b, "--games", "10", "--out", "x")
    assert said in line and "b.toml" in line
    assert not Path("x").exists()


def test_a_policy_that_cannot_play_b_is_refused_before_a_is_played(capsys: Capture) -> None:
    a = config("a.toml", "policy = 'random'\n[game]\nplayers = 5\n")
    b = config("b.toml", f"policy = 'ppo:{models_of('genesia') / '2p.npz'}'\n[game]\nplayers = 5\n")
    assert "2p.npz: players = 2, allowed in this game is 5" in mistake(
        capsys, "balance", "diff", "--a", a, "--b", b, "--games", "10", "--out", "x"
    )
    assert not Path("x").exists()


def test_files_and_folders_that_are_not_there_are_named(capsys: Capture) -> None:
    a = config("a.toml", "policy = 'random'\n")
    assert "none.toml: no such file" in mistake(capsys, "balance", "diff", "--a", a, "--b", "none.toml")
    assert "none" in mistake(capsys, "balance", "merge", "none", "--out", "x")


def test_a_folder_of_another_run_is_refused(capsys: Capture) -> None:
    few = ("--policy", "random", "--parts", "lots", "--backend", "serial", "--out", "x")
    assert genesia(capsys, "balance", *few, "--games", "10")[0] == 0
    assert "seed" in mistake(capsys, "balance", *few, "--games", "10", "--seed", "3")


# ---------------------------------------------------------------- memory


class Repeated:
    """A store that has its shards again and again, under other blocks."""

    def __init__(self, table: Table, times: int) -> None:
        self.table, self.times = table, times

    def iter(self, name: str) -> Iterator[Table]:
        blocks = len(self.table["block"])
        for time in range(self.times):
            copies = {column: values.copy() for column, values in self.table.items()}
            yield {**copies, "block": copies["block"] + time * blocks}


@cache
def arms() -> dict[str, Series]:
    condition = Condition("random", 2, 20_000)
    wanted = arms_of(LAB, ("first", "lots", "cards"), {})
    return {arm: series_of_arm("genesia", arm, condition, 0, {}) for arm in wanted}


def peak(times: int) -> tuple[int, Any]:
    """The greatest memory of gathering, and what was found."""
    table = pool("random", 2, 400)
    held: Any = {arm: (series, Repeated(table, times)) for arm, series in arms().items()}
    tracemalloc.start()
    try:
        found = gather(Condition("random", 2, 20_000), held, ("first", "lots", "cards"), LAB)
        return tracemalloc.get_traced_memory()[1], found
    finally:
        tracemalloc.stop()


def test_memory_does_not_grow_with_the_number_of_games() -> None:
    (warm, _), (few, one), (many, ten) = peak(1), peak(2), peak(20)
    assert one.games["natural"] == 800 and ten.games["natural"] == 8000
    assert many < 1.1 * few, f"{warm:,} {few:,} {many:,} bytes"
    seats = [found.first.seats.get(0, 0) for found in (one, ten)]
    assert seats[0].value == pytest.approx(seats[1].value) and np.sqrt(10) * seats[1].se == pytest.approx(
        seats[0].se, rel=0.01
    )


def test_the_games_that_are_kept_can_be_read_again(whole: Path) -> None:
    store = open_store(whole / "2p-random" / "natural")
    assert store.is_complete and sum(len(table["block"]) for table in store.iter("games")) == 120
