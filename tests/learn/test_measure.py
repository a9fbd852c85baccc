"""Evaluation, data sets, and the commands around training."""

from __future__ import annotations

import builtins
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from env_tools import JOINT, split

from genesia_rl.cli.app import run
from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import default_game, make_game
from genesia_rl.matches.evaluate import Evaluation, evaluate, evaluate_codes, varied_tables
from genesia_rl.players.codes import make_player
from genesia_rl.players.learned import load_model
from genesia_rl.players.networks import Layout
from genesia_rl.players.random import RandomPlayer
from genesia_rl.stats.shares import share_of
from genesia_rl.vector.batch import Batch, mix_seeds

GAME = default_game()


class Spy(Player):
    """Plays the first legal action and remembers where it sat in which deal."""

    def __init__(self) -> None:
        self.seats: set[tuple[int, int]] = set()  # deal, seat

    def act_batch(self, decisions: DecisionBatch) -> Any:
        self.seats |= set(zip(decisions.seeds.tolist(), decisions.seats.tolist(), strict=True))
        return decisions.mask.argmax(axis=1)


def test_every_deal_is_played_from_every_seat() -> None:
    game, spy = make_game(players=3), Spy()
    found = evaluate(spy, [make_player("random")], game, 12, seed=4)
    assert found.won.shape == (4, 3) and found.games == 12
    by_deal: dict[int, set[int]] = {}
    for deal, seat in spy.seats:
        by_deal.setdefault(deal, set()).add(seat)
    assert all(seats == {0, 1, 2} for seats in by_deal.values()), "at every deal it sat everywhere"


def test_an_agent_against_itself_comes_out_equal() -> None:
    found = evaluate_codes(GAME, "random", "random", 3, 300, seed=1)
    low, high = found.interval()
    assert np.isclose(found.rate, 1 / 3) and low < 1 / 3 < high
    again = evaluate_codes(GAME, "random", "random", 3, 300, seed=1)
    assert (again.won == found.won).all()


def test_games_of_a_deal_are_no_independent_games() -> None:
    deals = np.repeat(np.random.default_rng(0).integers(2, size=(200, 1)), 2, axis=1).astype(float)
    blocks = Evaluation(np.arange(200), deals, deals, deals).interval()
    apart = share_of(deals.sum(), deals.size)[1:]
    assert blocks[1] - blocks[0] > 1.3 * (apart[1] - apart[0])
    sure = Evaluation(np.arange(50), *[np.ones((50, 2))] * 3).interval()
    assert 0.9 < sure[0] < 1, "won all: still not certain"


def test_others_are_one_or_one_for_each_seat() -> None:
    with pytest.raises(ConfigError, match="games = 0, allowed is 1 or more"):
        evaluate_codes(GAME, "random", "random", 2, 0)
    with pytest.raises(ConfigError, match="against = 3 agents, allowed is 1 or 2"):
        evaluate_codes(GAME, "random", "random,random,random", 3, 3)


# ---------------------------------------------------------------- data sets


def small_groups(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module of data sets, with files of several row groups even for few games."""
    pytest.importorskip("pyarrow")
    from genesia_rl.learn import dataset

    monkeypatch.setattr(dataset, "ROW_GROUP", 200)
    return dataset


def cloning(folder: Path, file: Path) -> Any:
    """A small run that begins with two passes over a data set."""
    from genesia_rl.learn.start import started

    tables = {
        "network": {"kind": None, "width": 16, "tokens": 8, "rounds": 1}, "learner": {"num_games": 4, "steps": 4},
        "teacher": {"passes": 2, "minibatch": 64}, "run": {"updates": 1, "measure": 0},
        "league": {"scripted": ["random"]},
    }  # fmt: skip
    return started(overrides=tables, out=str(folder), warm_start=str(file))


@pytest.mark.parametrize("varied", [False, True])
def test_what_is_exported_is_what_was_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, varied: bool
) -> None:
    pytest.importorskip("pyarrow")
    from genesia_rl.learn import dataset

    monkeypatch.setattr(dataset, "ROW_GROUP", 500)
    file = tmp_path / "d.parquet"
    rows = dataset.export_games(GAME, "random", 2, 9, file, seed=5, varied=varied)
    game = make_game(players=2)
    tables, which = varied_tables(game, 9, 5) if varied else (game.tables, np.zeros(9, np.int32))
    data = dataset.DataSet(file, game)
    assert data.num_chunks > 2
    held = [data.read(group) for group in range(data.num_chunks)]
    whole = {name: np.concatenate([part[name] for part in held]) for name in held[0]}
    assert len(whole["action"]) == rows
    states = game.new_states()
    for number, seed in enumerate(mix_seeds(5, 9).tolist()):
        own = tables[which[number] : which[number] + 1]
        game.kernels.reset(states, 0, own, np.uint64(seed))
        counts = [0, 0]
        for k in np.flatnonzero(whole["game"] == number):
            seat = game.seat(states, 0)
            mask, observation = game.view(states, 0, seat)
            assert seat == whole["seat"][k] and counts[seat] == whole["decision"][k]
            assert (mask == whole["mask"][k]).all() and (observation == whole["observation"][k]).all()
            counts[seat] += 1
            game.kernels.step(states, 0, own, game.from_view(seat, int(whole["action"][k])))
        assert game.is_over(states, 0)
        returns = game.returns(states, 0)
        mine = whole["game"] == number
        assert np.allclose(whole["return"][mine], returns[whole["seat"][mine]])


def test_games_without_opponents_are_not_exported(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from genesia_rl.learn import dataset

    for variant in JOINT[:1]:
        name, config = split(variant)
        with pytest.raises(ConfigError, match="one joint score, allowed are games with opponents"):
            dataset.export_games(name, "random", config["players"], 1, tmp_path / "d.parquet")
    assert not any(tmp_path.iterdir())


def test_a_data_set_of_another_game_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from genesia_rl.learn import dataset

    file = tmp_path / "d.parquet"
    dataset.export_games(GAME, "random", 2, 1, file)
    size = make_game(players=2).observation_size
    with pytest.raises(DataError, match=rf"observation of type fixed_size_binary\[{size}\], allowed is"):
        dataset.DataSet(file, make_game(players=3))
    file.write_text("nonsense")
    with pytest.raises(DataError, match="not Parquet"):
        dataset.DataSet(file, make_game(players=2))


def changed(file: Path, **columns: Any) -> None:
    """Write the file again with other columns (functions of lists) or metadata."""
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    table = pq.read_table(file)
    about = columns.pop("about", None)
    for name, change in columns.items():
        place = table.schema.get_field_index(name)
        kind = table.schema.field(name)
        table = table.set_column(place, kind, pa.array(change(table.column(name).to_pylist()), kind.type))
    if about is not None:
        table = table.replace_schema_metadata(about)
    pq.write_table(table, file)


def second(value: Any) -> Any:
    """Another value in the second row."""
    return lambda held: [held[0], value(held) if callable(value) else value, *held[2:]]


def unlike_mask(held: list[bytes]) -> bytes:
    return bytes(len(held[0]))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"action": second(5000)}, r"row group 0: column action: 5000, allowed is 0\.\.\d+"),
        ({"action": second(-1)}, r"row group 0: column action: -1, allowed is 0\.\.\d+"),
        ({"action": second(None)}, r"row group 0: column action: 1 nulls, allowed is a value in every row"),
        ({"observation": second(None)}, r"row group 0: column observation: 1 nulls, allowed is a value"),
        ({"mask": second(unlike_mask)}, r"column action: \d+ in row 1, allowed is what its mask allows"),
        ({"return": second(float("nan"))}, r"row group 0: column return: nan, allowed is -1\.\.1"),
        ({"return": second(7.0)}, r"row group 0: column return: 7\.0, allowed is -1\.\.1"),
        ({"margin": second(float("inf"))}, r"row group 0: column margin: inf, allowed is finite"),
        ({"about": {}}, r"d\.parquet: no metadata 'genesia_rl' that says which game it is of"),
        (
            {"about": {"genesia_rl": f'{{"game": "{GAME}", "game_version": -1}}'}},
            r"game_version = -1, allowed",
        ),
    ],
)
def test_data_sets_are_read_with_care(tmp_path: Path, columns: dict[str, Any], message: str) -> None:
    pytest.importorskip("pyarrow")
    from genesia_rl.learn import dataset

    file, game = tmp_path / "d.parquet", make_game(players=2)
    dataset.export_games(GAME, "random", 2, 1, file)
    changed(file)
    dataset.DataSet(file, game).read(0)
    changed(file, **columns)
    with pytest.raises(DataError, match=message) as found:
        dataset.DataSet(file, game).read(0)
    assert str(file) in str(found.value)


def test_an_empty_or_damaged_data_set_is_named(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    import pyarrow.parquet as pq

    from genesia_rl.learn import dataset

    file, game = tmp_path / "d.parquet", make_game(players=2)
    dataset.export_games(GAME, "random", 2, 1, file)
    held = bytearray(file.read_bytes())
    held[pq.ParquetFile(file).metadata.row_group(0).column(0).dictionary_page_offset + 1000] ^= 255
    (tmp_path / "damaged.parquet").write_bytes(held)
    with pytest.raises(DataError, match=r"damaged\.parquet: row group 0: damaged \("):
        dataset.DataSet(tmp_path / "damaged.parquet", game).read(0)
    pq.write_table(pq.read_table(file).slice(0, 0), file)
    with pytest.raises(DataError, match=r"d\.parquet: 0 rows, allowed is at least 1"):
        dataset.DataSet(file, game)


@pytest.mark.parametrize(
    ("tables", "known"),
    [
        ({}, True),
        ({"game": {"reward": "score"}}, False),
        ({"game": {"margin": 0.5}}, False),
        ({"learner": {"gamma": 0.9}}, False),
    ],
)
def test_values_are_cloned_only_from_what_the_run_pays(
    tmp_path: Path, tables: dict[str, Any], known: bool
) -> None:
    pytest.importorskip("pyarrow")
    pytest.importorskip("torch")
    from genesia_rl.learn import dataset
    from genesia_rl.learn.start import started

    dataset.export_games(GAME, "random", 2, 1, tmp_path / "d.parquet")
    run = started(overrides=tables, out=str(tmp_path / "run"), warm_start=str(tmp_path / "d.parquet"))
    assert run.lessons is not None
    rows = run.lessons.chunk(run.cloner.frozen())
    assert rows["known"].all() == known and rows["known"].any() == known


def test_an_export_replaces_no_file(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from genesia_rl.learn import dataset

    file = tmp_path / "keep.parquet"
    file.write_text("precious")
    with pytest.raises(ConfigError, match=r"keep\.parquet: exists, allowed is another --out"):
        dataset.export_games(GAME, "random", 2, 1, file)
    assert file.read_text() == "precious"


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Tests may run where interrupts are ignored."""
    old = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, old)


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize("asks", [0, 1, 300])
def test_an_interrupted_export_keeps_complete_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], asks: int
) -> None:
    dataset = small_groups(monkeypatch)
    monkeypatch.setattr(dataset, "SIDE_BY_SIDE", 2)
    asked, file, act = [0], tmp_path / "d.parquet", RandomPlayer.act_batch

    def interrupted(self: Any, decisions: DecisionBatch) -> Any:
        asked[0] += 1
        if asked[0] > asks:
            os.kill(os.getpid(), signal.SIGINT)
        return act(self, decisions)

    monkeypatch.setattr(RandomPlayer, "act_batch", interrupted)
    with pytest.raises(KeyboardInterrupt):
        dataset.export_games(GAME, "random", 2, 50, file, seed=5)
    told = capsys.readouterr().err
    assert not list(tmp_path.glob(".*"))
    if asks < 2:
        assert "stopped: no game was complete" in told and not file.exists()
        return
    data = dataset.DataSet(file, make_game(players=2))
    games = np.concatenate([data.read(k)["game"] for k in range(data.num_chunks)])
    number = len(np.unique(games))
    assert number and f"stopped: {number} of 50 games are in {file}" in told


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_waits_for_what_is_written() -> None:
    pytest.importorskip("pyarrow")
    from genesia_rl.learn.dataset import undivided

    done = []
    with pytest.raises(KeyboardInterrupt), undivided():
        os.kill(os.getpid(), signal.SIGINT)
        done.append("all of it")
    assert done


def test_a_data_set_is_cloned_in_passes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    from genesia_rl.learn.start import resumed

    dataset = small_groups(monkeypatch)
    file = tmp_path / "d.parquet"
    dataset.export_games(GAME, "random", 2, 4, file)
    groups = dataset.DataSet(file, make_game(players=2)).num_chunks
    made = cloning(tmp_path / "run", file)
    made.work()
    assert made.chunks == 2 * groups and made.update == 1
    assert load_model(tmp_path / "run" / "model.npz").players == 2
    file.unlink()
    assert resumed(str(tmp_path / "run"), {}).lessons is None, "who has learned it needs it no more"


def test_cloning_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("torch")
    from genesia_rl.learn.run import same
    from genesia_rl.learn.start import resumed

    dataset = small_groups(monkeypatch)
    file = tmp_path / "d.parquet"
    dataset.export_games(GAME, "random", 2, 4, file)
    whole = cloning(tmp_path / "whole", file)
    whole.work()
    part = cloning(tmp_path / "part", file)
    for _ in range(3):
        part.step()
    part.save()
    part = resumed(str(tmp_path / "part"), {})
    assert part.teaching() and part.chunks == 3
    part.work()
    assert same(part.network.numpy_weights(), whole.network.numpy_weights())


def test_cloned_values_are_shaped_like_the_rewards(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    from genesia_rl.learn import dataset

    file, game = tmp_path / "d.parquet", make_game(players=2)
    dataset.export_games(GAME, "random", 2, 3, file, seed=5)
    data = dataset.DataSet(file, game).read(0)
    recorded = dataset.Recorded(file, game, Layout(game).actions, 1, 0, shaping=2.0, scale=40.0)
    value = recorded.chunk()["value"]
    assert np.allclose(value, data["return"] - data["margin"] / 20)
    batch = Batch(game, 1, shaping=2.0, scale=40.0)
    batch.reset(mix_seeds(5, 1))
    paid, seats = [], []
    mine = data["game"] == 0
    for action in data["action"][mine]:
        seats.append(int(batch.seat[0]))
        batch.step(np.array([action]))
        paid.append(batch.reward[0].copy())
    ahead = np.cumsum(paid[::-1], axis=0)[::-1]
    assert np.allclose(value[mine], ahead[np.arange(len(seats)), seats], atol=1e-5)


# ---------------------------------------------------------------- commands


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert run(list(words)) == 2
    lines = capsys.readouterr().err.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("genesia: error: ")
    return lines[0]


def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "allowed are quick, standard, long" in complaint(capsys, "train", "--preset", "slow")
    assert "game.players = 77, allowed in" in complaint(capsys, "train", "--players", "77")
    assert "--out with --resume" in complaint(capsys, "train", "--resume", "x", "--out", "y")
    assert "no such file" in complaint(capsys, "train", "--resume", str(tmp_path))
    bad = complaint(capsys, "evaluate", "--agent", "nobody", "--against", "random")
    assert "agent 'nobody': unknown, allowed are random" in bad


@pytest.mark.parametrize(
    ("missing", "extra", "words"),
    [
        ("torch", "train", ["train"]),
        ("pyarrow", "data", ["export", "--agents", "random", "--out", "x"]),
    ],
)
def test_a_missing_extra_is_named(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    missing: str,
    extra: str,
    words: list[str],
) -> None:
    import sys

    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == missing:
            raise ModuleNotFoundError(f"No module named {missing!r}", name=missing)
        return real(name, *args, **kwargs)

    for name in [name for name in sys.modules if name.startswith("genesia_rl.learn")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(builtins, "__import__", without)
    assert f'needs {missing}: pip install "genesia-rl[{extra}]"' in complaint(capsys, *words)


def test_evaluate_prints_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["evaluate", "--agent", "random", "--against", "random", "--games", "20"]) == 0
    assert capsys.readouterr().out.startswith("random against random: not told apart")
