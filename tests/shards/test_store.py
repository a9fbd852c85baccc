"""The folder of a job: what is refused, what is done again, what is merged."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pyarrow")

from shard_jobs import RESULTS, Dice, bytes_of

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.shards import tables
from genesia_rl.shards.job import Tables, description, first_difference
from genesia_rl.shards.merge import merge
from genesia_rl.shards.run import run_job
from genesia_rl.shards.store import create_store, open_store


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("whole") / "run"
    run_job(Dice(), folder, backend="serial")
    return folder


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "run"))


def test_what_is_read_is_what_the_job_gave(whole: Path) -> None:
    store, job = open_store(whole), Dice()
    assert store.names == ["_times", "games", "seats"] and store.is_complete and store.missing() == []
    given = [job.run(shard) for shard in range(6)]
    for name in ("games", "seats"):
        for shard, table in enumerate(store.iter(name)):
            for column, held in given[shard][name].items():
                np.testing.assert_array_equal(table[column], held)
        for column, held in store.read(name).items():
            np.testing.assert_array_equal(held, np.concatenate([each[name][column] for each in given]))
    assert len(store.read("_times")["seconds"]) == 6
    with pytest.raises(DataError, match="no table 'moves', allowed is one of"):
        store.read("moves")


def test_the_folder_of_another_job_is_refused_by_its_first_difference(run: Path) -> None:
    with pytest.raises(DataError, match=r"there settings\.seed = 1, allowed is 2"):
        run_job(Dice(seed=2), run, backend="serial")
    with pytest.raises(DataError, match=r"there num_shards = 6, allowed is 7"):
        run_job(Dice(num_shards=7), run, backend="serial")
    with pytest.raises(DataError, match=r"there settings\.seed = 1, allowed is 2"):
        run_job(Dice(num_shards=7, seed=2), run, backend="serial")
    assert run_job(Dice(seconds=9.0), run, backend="serial").is_complete, "it decides no result"


@pytest.mark.parametrize(
    ("ours", "theirs", "found"),
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": {"b": [1, 2]}}, {"a": {"b": [1, 3]}}, ("a.b.1", 2, 3)),
        ({"a": [1]}, {"a": [1, 2]}, ("a.1", "nothing", 2)),
        ({"a": 1}, {}, ("a", 1, "nothing")),
        ({"a": 1}, {"a": True}, ("a", 1, True)),
        ({"a": {}}, {"a": []}, ("a", {}, [])),
    ],
)
def test_the_first_difference_has_a_path(ours: Any, theirs: Any, found: Any) -> None:
    assert first_difference(ours, theirs) == found


def test_settings_that_json_cannot_write_are_refused(tmp_path: Path) -> None:
    class Odd(Dice):
        def settings(self) -> dict[str, Any]:
            return {"seed": np.int64(3)}

    with pytest.raises(ConfigError, match="settings of Odd"):
        create_store(tmp_path / "run", Odd())
    with pytest.raises(ConfigError, match="num_shards = 0"):
        description(Dice(num_shards=0))
    assert not (tmp_path / "run").exists()


def test_a_folder_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letters.txt").touch()
    with pytest.raises(DataError, match="a folder with other files"):
        run_job(Dice(), tmp_path, backend="serial")
    assert [path.name for path in tmp_path.iterdir()] == ["letters.txt"]


def test_a_run_that_was_killed_before_its_first_file_goes_on(tmp_path: Path) -> None:
    (tmp_path / "shards").mkdir()
    (tmp_path / ".job.json.77.part").write_text("{")
    assert run_job(Dice(), tmp_path, backend="serial").is_complete
    assert not list(tmp_path.glob(".*.part"))


def test_settings_changed_by_hand_are_noticed(run: Path) -> None:
    about = json.loads((run / "job.json").read_text())
    about["settings"]["seed"] = 5
    (run / "job.json").write_text(json.dumps(about))
    with pytest.raises(DataError, match="settings and digest do not belong together"):
        open_store(run)
    (run / "job.json").write_text("{")
    with pytest.raises(DataError, match=r"job\.json: is not JSON"):
        open_store(run)


# ---------------------------------------------------------------- shards that are not whole


def test_a_truncated_shard_is_refused_by_readers_and_done_again_by_a_run(run: Path, tmp_path: Path) -> None:
    before, path = bytes_of(run), run / "shards" / "00004" / "games.parquet"
    path.write_bytes(path.read_bytes()[:-40])
    store = open_store(run)
    assert store.missing() == [4]
    with pytest.raises(DataError, match="no shards 4, allowed are all 6"):
        store.read("games")
    with pytest.raises(DataError, match=r"00004/games\.parquet: not Parquet"):
        store.shard(4, "games")
    again = Dice(log=tmp_path / "log")
    run_job(again, run, backend="serial")
    assert [line.split()[0] for line in (tmp_path / "log").read_text().splitlines()] == ["4"]
    assert bytes_of(run) == before


def test_a_shard_of_another_content_is_refused_by_name(run: Path) -> None:
    path = run / "shards" / "00002" / "shard.json"
    about = json.loads(path.read_text())
    about["tables"]["seats"]["content"] = "0" * 32
    path.write_text(json.dumps(about))
    (run / "seats.parquet").unlink()
    with pytest.raises(DataError, match=r"00002/seats\.parquet: not what was written"):
        run_job(Dice(), run, backend="serial")


def test_shards_of_another_job_do_not_count(run: Path, tmp_path: Path) -> None:
    other = run_job(Dice(seed=2), tmp_path / "other", backend="serial")
    shutil.rmtree(run / "shards" / "00001")
    shutil.copytree(other.shard_folder(1), run / "shards" / "00001")
    assert open_store(run).missing() == [1]


def test_rubbish_of_a_killed_run_is_taken_away(run: Path) -> None:
    before = bytes_of(run)
    (run / "shards" / "00003").rename(run / "shards" / "00003.77.part")
    (run / "shards" / "00003.77.part" / "shard.json").unlink()
    (run / ".games.parquet.77.part").touch()
    (run / ".tables.new.77.part").mkdir()
    run_job(Dice(), run, backend="serial", part=(1, 2))
    assert (run / "shards" / "00003.77.part").exists(), "it may be that of another part, at work"
    run_job(Dice(), run, backend="serial")
    kept = sorted(path.name for path in run.iterdir() if not path.name.startswith(".lock"))
    assert kept == sorted([*RESULTS, "_times.parquet", "results.json", "shards"])
    assert sorted(path.name for path in (run / "shards").iterdir()) == [f"{k:05d}" for k in range(6)]
    assert bytes_of(run) == before


def test_result_files_that_are_gone_or_cut_are_written_again(run: Path) -> None:
    before = bytes_of(run)
    (run / "games.parquet").unlink()
    (run / "seats.parquet").write_bytes(before["seats.parquet"][:100])
    run_job(Dice(), run, backend="serial")
    assert bytes_of(run) == before


def test_a_result_file_that_was_changed_is_written_again_and_a_changed_shard_is_refused(run: Path) -> None:
    before = bytes_of(run)
    table = tables.read(run / "games.parquet")
    with (run / "games.parquet").open("wb") as file:  # as many rows, in another order
        tables.write(file, [table.slice(1), table.slice(0, 1)])
    assert bytes_of(run) != before
    run_job(Dice(), run, backend="serial")
    assert bytes_of(run) == before
    (run / "results.json").write_text('{"games": ')
    run_job(Dice(), run, backend="serial")
    assert bytes_of(run) == before


@pytest.mark.parametrize(
    "held", [None, [], {"../x": {}}, {"games": {"rows": -1, "bytes": 1, "content": ""}}, {"games": 3}]
)
def test_what_a_shard_says_of_its_tables_is_checked(run: Path, held: object) -> None:
    path = run / "shards" / "00001" / "shard.json"
    about = json.loads(path.read_text())
    path.write_text(json.dumps(about | {"tables": held}))
    with pytest.raises(DataError, match=r"shard\.json: tables = "):
        open_store(run).about(1)


def test_shards_with_other_tables_or_columns_are_refused_by_name(tmp_path: Path) -> None:
    class Odd(Dice):
        def run(self, shard: int) -> Tables:
            return {"games": {"x": np.arange(3, dtype=np.int8 if shard == 2 else np.int16)}}

    class Odder(Dice):
        def run(self, shard: int) -> Tables:
            return {"games" if shard < 5 else "seats": {"x": np.arange(3)}}

    with pytest.raises(DataError, match=r"00002/games\.parquet: columns x int8, allowed are x int16"):
        run_job(Odd(), tmp_path / "odd", backend="serial")
    with pytest.raises(DataError, match=r"00005: tables \['seats'\], allowed are \['games'\]"):
        run_job(Odder(), tmp_path / "odder", backend="serial")
    assert not list((tmp_path / "odd").glob(".*.part")), "no half a file is left"


# ---------------------------------------------------------------- merging


@pytest.mark.parametrize("parts", [2, 4, 6, 8])
def test_parts_that_are_merged_equal_one_run(whole: Path, tmp_path: Path, parts: int) -> None:
    folders = [tmp_path / str(k) for k in range(1, parts + 1)]
    for k, folder in enumerate(folders, 1):
        store = run_job(Dice(), folder, backend="serial", part=(k, parts))
        assert store.done() == [shard for shard in range(6) if shard % parts == k - 1]
        assert not (folder / "games.parquet").exists(), "a part is no result"
    merged = merge(folders[::-1], tmp_path / "merged")
    assert merged.is_complete and bytes_of(merged.folder) == bytes_of(whole)


def test_parts_may_run_into_one_folder(whole: Path, tmp_path: Path) -> None:
    for k in (2, 3, 1):
        run_job(Dice(), tmp_path / "run", backend="serial", part=(k, 3))
    assert bytes_of(tmp_path / "run") == bytes_of(whole)


def test_shards_may_overlap_if_they_are_equal(whole: Path, run: Path, tmp_path: Path) -> None:
    shutil.rmtree(run / "shards" / "00000")
    assert bytes_of(merge([run, whole, run], tmp_path / "merged").folder) == bytes_of(whole)
    assert bytes_of(merge([whole], run).folder) == bytes_of(whole), "into one that has some"


def test_an_overlap_that_differs_is_refused_by_name(whole: Path, tmp_path: Path) -> None:
    class Other(Dice):
        def run(self, shard: int) -> Tables:
            return replace(self, rows=self.rows + (shard == 3)).run_as_told(shard)

        def run_as_told(self, shard: int) -> Tables:
            return super().run(shard)

    run_job(Other(), tmp_path / "other", backend="serial")
    with pytest.raises(DataError, match="shard 3, table games: different in"):
        merge([whole, tmp_path / "other"], tmp_path / "merged")


def test_missing_shards_and_other_jobs_are_not_merged(whole: Path, tmp_path: Path) -> None:
    run_job(Dice(), tmp_path / "part", backend="serial", part=(1, 2))
    with pytest.raises(DataError, match="part: no shards 1, 3, 5, allowed are all 6"):
        merge([tmp_path / "part"], tmp_path / "merged")
    run_job(Dice(rows=3), tmp_path / "other", backend="serial")
    with pytest.raises(DataError, match=r"other: of another job, there settings\.rows = 3, allowed is 40"):
        merge([whole, tmp_path / "other"], tmp_path / "merged")
    with pytest.raises(DataError, match="no such file"):
        merge([tmp_path / "nowhere"], tmp_path / "merged")
    with pytest.raises(DataError, match="stores = none"):
        merge([], tmp_path / "merged")
    assert not (tmp_path / "merged").exists()
