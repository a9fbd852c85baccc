"""One network for several numbers of players: what each reads of it, how it learns, what its files are."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

import torch
from cli_tools import Capture, genesia, mistake
from trace_tools import ARCHITECTURE, end_of

from experiments import common as comparison
from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game
from genesia_rl.core.registry import game_info, game_names, make_game
from genesia_rl.learn.policy import AtTable, Network, TorchLayout, adam
from genesia_rl.learn.presets import make_settings, merged
from genesia_rl.learn.run import MODEL, Run, same
from genesia_rl.learn.ship import changed, halved
from genesia_rl.learn.sparse import Segments, SparseLearner, returns
from genesia_rl.learn.start import resumed, started
from genesia_rl.learn.whole import CloneLoss
from genesia_rl.matches.selfplay import players_of
from genesia_rl.players.common import NARROWED, CommonLayout, common_layout
from genesia_rl.players.incremental import Games
from genesia_rl.players.learned import LearnedPlayer, fitted, load_model, save_model, write_model
from genesia_rl.players.networks import INCREMENTAL, TABLES, Architecture, Layout
from genesia_rl.vector.batch import Batch

SMALL: dict[str, Any] = {
    "game": {"players": 2, "also": [3]},
    "network": {"kind": INCREMENTAL, "width": 16, "joint": 8},
    "league": {"scripted": ["random"], "snapshots": 1, "snapshot_every": 2},
    "learner": {"num_games": 8, "minibatch": 128, "epochs": 2},
    "run": {"updates": 3, "seed": 3, "measure": 0},
}


def numbers_of(name: str) -> tuple[int, ...]:
    """The numbers of players of a game's contests."""
    every = game_info(name).all_players
    return tuple(number for number in every if make_game(name, players=number).is_contest)


@lru_cache(maxsize=8)
def example(name: str) -> tuple[list[Game], Network, list[AtTable]]:
    """A network of a game for all numbers of players, all of whose weights are in use."""
    games = [make_game(name, players=number) for number in numbers_of(name)]
    layouts = [*map(TorchLayout, games)]
    network = Network(ARCHITECTURE, CommonLayout(layouts), 0)
    generator = torch.Generator().manual_seed(1)
    with torch.no_grad():
        for weight in network.weights.values():
            weight.add_(0.02 * torch.randn(weight.shape, generator=generator))
    views = network.layout.views
    return games, network, [AtTable(network, own, view) for own, view in zip(layouts, views, strict=True)]


@pytest.mark.parametrize("name", game_names())
def test_what_has_one_name_is_one_row_and_has_it_once(name: str) -> None:
    games, network, _ = example(name)
    common, layouts = network.layout, [*map(Layout, games)]
    for kind, size in common.sizes._asdict().items():
        names = [getattr(own.names, kind) for own in layouts]
        assert all(len(set(held)) == len(held) for held in names)
        assert size == len({held for each in names for held in each})
        of_row: dict[int, Any] = {}
        for each, view in zip(names, common.views, strict=True):
            for held, row in zip(each, getattr(view.rows, kind).tolist(), strict=True):
                assert of_row.setdefault(row, held) == held
    most = layouts[-1].sizes
    assert common.sizes.inputs < sum(own.sizes.inputs for own in layouts) / 1.5, "most is common"
    assert common.sizes.actions >= most.actions and common.sizes.inputs >= most.inputs


@pytest.mark.parametrize("name", game_names())
def test_a_file_plays_with_each_number_as_the_network_did(name: str, tmp_path: Path) -> None:
    games, network, tables = example(name)
    path = tmp_path / "common.npz"
    save_model(path, ARCHITECTURE, games[0], network.numpy_weights(), {}, games[1:])
    model = load_model(path)
    assert model.tables == numbers_of(name) and model.players == model.tables[0]
    assert players_of(name, f"ppo:{path}") == [*model.tables]
    for game, table in zip(games, tables, strict=True):
        own = fitted(path, model, game)
        assert own.tables == (game.num_seats,) and same(own.weights, table.numpy_weights())
        assert not np.array_equal(own.weights["first_b"], model.weights["first_b"])
        batch = Batch(game, 4)
        batch.reset(1)
        decisions = batch.decisions()
        logits = LearnedPlayer(str(path)).logits(decisions)
        net = LearnedPlayer(str(path)).net(game)
        expected, _ = table.frozen()(batch.observation, net.seen(decisions))
        legal = batch.mask[:, table.layout.actions] != 0
        found = logits[:, table.layout.actions]
        assert np.abs(found[legal] - expected.numpy()[legal]).max() < 1e-4


def traced(game: Game, table: AtTable) -> Any:
    """Games of a table, everybody learned from."""
    made = Games(game, ARCHITECTURE, table.layout)
    lineup = np.zeros((2, game.facts.most_seats), np.int16)
    nets = made.nets([table.numpy_weights()])
    return made.play(nets, np.arange(2, dtype=np.uint64), lineup, np.ones(lineup.shape, np.int8)).trace


@pytest.mark.parametrize("name", game_names())
def test_a_table_teaches_the_rows_that_it_reads_and_no_others(name: str) -> None:
    games, network, _ = example(name)
    least = [TorchLayout(game) for game in games]
    own = Network(ARCHITECTURE, network.layout, 7)
    table = AtTable(own, least[0], own.layout.views[0])
    trace, before = traced(games[0], table), own.numpy_weights()
    segments = Segments(trace)
    halves = next(segments.minibatches(len(trace.rows), np.random.default_rng(0)))
    with ThreadPoolExecutor(1) as pool:
        learner = SparseLearner(table, pool, 1.0)
        loss = CloneLoss(returns(trace, 1.0, 1.0), len(trace.rows))
        learner.step(adam(own, 1e-2), trace, halves, loss, "a test")
    after = own.numpy_weights()
    for key, kind in NARROWED.items():
        read = np.zeros(len(after[key]), np.bool_)
        read[getattr(table.view.rows, kind)] = True
        assert np.array_equal(after[key][~read], before[key][~read]), "nobody at this table reads them"
        assert (after[key][read] != before[key][read]).any()
    assert (after[TABLES][0] != before[TABLES][0]).any() and np.array_equal(
        after[TABLES][1:], before[TABLES][1:]
    )


def test_gradients_are_those_of_the_rows() -> None:
    _, network, tables = example(game_names()[0])
    table = tables[-1]
    read = table.scaled()
    (read["first"][3].sum() + 2 * read["first_b"].sum() + read["logits"][5].sum()).backward()
    rows, scale = table.view.rows, table.layout.input_scale[3]
    gradient = network.weights["first"].grad
    assert gradient is not None
    assert torch.allclose(gradient[rows.inputs[3]], torch.tensor(float(scale)))
    assert gradient.abs().sum() == pytest.approx(abs(float(scale)) * gradient.shape[1], rel=1e-5)
    for name in ("first_b", TABLES):
        bias = network.weights[name].grad
        assert bias is not None and bias.sum() == 2 * gradient.shape[1]
    network.zero_grad()


# ---------------------------------------------------------------- runs


def run_of(folder: Path, **tables: Any) -> Run:
    return started(overrides=merged(SMALL, tables), out=str(folder))


@pytest.mark.parametrize("name", game_names())
def test_a_run_learns_all_numbers(name: str, tmp_path: Path) -> None:
    first, *others = numbers_of(name)
    tables = {
        "game": {"name": name, "players": first, "also": others},
        "run": {"measure": 12, "panel": ["random"]},
    }
    run = run_of(tmp_path / "r", **tables, learner={"num_games": 2 * len(numbers_of(name)) + 1})
    assert run.work()
    each = [first, *others]
    assert [table.game.num_seats for table in run.tables] == each
    for table in run.tables:
        assert table.env.games_played == 3 * 2 and table.pool.games[1] > 0
    told = json.loads((tmp_path / "r" / "log.jsonl").read_text().splitlines()[-1])
    assert {f"{number}p/random" for number in each} <= set(told["pool"]) and told["games"] == 6 * len(each)
    strength = json.loads((tmp_path / "r" / "strength.json").read_text())
    assert [*strength] == [f"{number}p/random" for number in each]
    assert load_model(tmp_path / "r" / MODEL).tables == (first, *others)


def test_a_run_that_stops_and_goes_on_equals_one_that_does_not(tmp_path: Path) -> None:
    run_of(tmp_path / "whole").work()
    part = run_of(tmp_path / "part")
    for _ in range(2):
        part.step()
    part.save()
    resumed(str(tmp_path / "part"), {}).work()
    (one, first), (other, second) = end_of(tmp_path / "whole"), end_of(tmp_path / "part")
    assert same(first, second) and all(
        one[name] == other[name] for name in ("2p/pool", "3p/pool", "decisions")
    )
    assert any(name.startswith("3p/snapshot") for name in first)


def test_models_begin_others(tmp_path: Path) -> None:
    run_of(tmp_path / "both").work()
    path, none = str(tmp_path / "both" / MODEL), {"run": {"updates": 1, "measure": 0}}
    one = started(
        overrides=merged(none, {"game": {"players": 3}, "league": {"scripted": ["random"]}}),
        out=str(tmp_path / "one"), warm_start=path,
    )  # fmt: skip
    assert same(one.network.numpy_weights(), fitted(path, load_model(path), make_game(players=3)).weights)
    two = started(
        overrides=merged(none, {"game": SMALL["game"], "league": {"scripted": ["random"]}}),
        out=str(tmp_path / "two"), warm_start=path,
    )  # fmt: skip
    assert same(two.network.numpy_weights(), dict(load_model(path).weights))
    with pytest.raises(
        DataError, match=r"model\.npz: players = \[2, 3\], allowed in this run is \[2, 3, 4\]"
    ):
        started(overrides={"game": {"players": 2, "also": [3, 4]}}, out=str(tmp_path / "x"), warm_start=path)
    four = make_game(players=4)
    with pytest.raises(DataError, match=r"model\.npz: players = \[2, 3\], allowed in this game is 4"):
        LearnedPlayer(path).net(four)


def test_one_number_of_players_ships_alone(tmp_path: Path) -> None:
    run_of(tmp_path / "both", run=SMALL["run"] | {"measure": 12, "panel": ["random"]}).work()
    whole, goal = tmp_path / "both" / MODEL, tmp_path / "3p.npz"
    told = load_model(whole).header["card"]["strength"]
    assert list(told) == ["2p/random", "3p/random"]
    halved(whole, goal, players=3)
    model = load_model(goal)
    assert model.tables == (3,) and model.header["card"]["strength"] == {"random": told["3p/random"]}
    assert sum(w.size for w in model.weights.values()) < sum(
        w.size for w in load_model(whole).weights.values()
    )
    different, choices = changed(whole, goal, make_game(players=3), games=8, steps=40)
    assert choices == 320 and different < 16
    halved(goal, goal, games=6)
    assert load_model(goal).header["card"]["strength"]["random"]["games"] == 6
    halved(whole, tmp_path / "both.npz", games=6)
    both = load_model(tmp_path / "both.npz")
    assert both.tables == (2, 3) and list(both.header["card"]["strength"]) == ["2p/random", "3p/random"]
    with pytest.raises(ConfigError, match=r"model\.npz: --players 4, allowed are those it plays with: 2, 3"):
        halved(whole, tmp_path / "4p.npz", players=4)


# ---------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"game": {"also": [3, 3]}}, r"game\.also = \[3, 3\] with game\.players = 2, allowed are 3, 4"),
        ({"game": {"also": [4, 3]}}, r"game\.also = \[4, 3\] with game\.players = 2, allowed are"),
        ({"game": {"also": [2]}}, r"game\.also = \[2\] with game\.players = 2, allowed are"),
        ({"game": {"also": [99]}}, r"game\.also = \[99\] with game\.players = 2, allowed are"),
        ({"network": {"kind": "flat"}}, r"game\.also = \[3\] with network\.kind = 'flat': allowed is \[\]"),
        ({"learner": {"method": "expert"}}, r"game\.also = \[3\] with learner\.method = 'expert': allowed is \[\]"),
        ({"actors": {"backend": "ray"}}, r"game\.also = \[3\] with actors\.backend = 'ray': allowed is \[\]"),
        ({"league": {"scripted": ["mcts:1"]}}, r"with league\.scripted = 'mcts:1': allowed is \[\]"),
        ({"league": {"exploiters": 1}}, r"with league\.exploiters = 1: allowed is \[\]"),
        ({"teacher": {"share": 0.1}}, r"with teacher\.agent = '\w+', whose lessons are for one number of players"),
    ],
)  # fmt: skip
def test_what_cannot_be_learned_at_once_is_refused(tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        make_settings(overrides=merged(SMALL, tables))


def test_solo_is_no_table(tmp_path: Path) -> None:
    name = next(name for name in game_names() if 1 in game_info(name).all_players)
    with pytest.raises(ConfigError, match=r"game\.also = \[2\] with game\.players = 1, allowed is \[\]"):
        make_settings(overrides={"game": {"name": name, "players": 1, "also": [2]}})


@pytest.mark.parametrize("players", [[], [2], [3, 2], [2, 2], [2, "3"], [2, 10**9], {"2": 3}, [True, 2]])
def test_a_damaged_header_is_refused(tmp_path: Path, players: Any) -> None:
    games = [make_game(players=number) for number in (2, 3)]
    network = Network(Architecture(INCREMENTAL, 8, joint=4), CommonLayout([*map(TorchLayout, games)]), 0)
    path = tmp_path / "m.npz"
    save_model(path, network.architecture, games[0], network.numpy_weights(), {}, games[1:])
    header, weights = load_model(path).header, load_model(path).weights
    write_model(path, {**header, "players": players}, weights)
    with pytest.raises(DataError, match=r"m\.npz: header players = "):
        load_model(path)


@pytest.mark.parametrize(
    ("players", "message"),
    [
        ([2, 3, 4], r"weight ends has the shape .*, allowed is|weight first has the shape"),
        ([2, 60], r"m\.npz: .*60"),
    ],
)
def test_a_file_with_other_tables_than_its_weights_is_refused(
    tmp_path: Path, players: Any, message: str
) -> None:
    games = [make_game(players=number) for number in (2, 3)]
    network = Network(Architecture(INCREMENTAL, 8, joint=4), CommonLayout([*map(TorchLayout, games)]), 0)
    path = tmp_path / "m.npz"
    save_model(path, network.architecture, games[0], network.numpy_weights(), {}, games[1:])
    write_model(path, {**load_model(path).header, "players": players}, load_model(path).weights)
    with pytest.raises(DataError, match=message):
        LearnedPlayer(str(path)).net(games[0])


def test_other_layouts_have_no_rows_there() -> None:
    common = common_layout(game_names()[0], (2, 3))
    with pytest.raises(ConfigError, match="the network has no weights for"):
        common.view(Layout(make_game(players=4)), 0)
    with pytest.raises(
        ConfigError, match="network kind = 'flat': one network for several numbers of players"
    ):
        common.check(Architecture("flat"))


def test_the_command_line_names_several_numbers(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "small.toml"
    file.write_text(
        '[network]\nkind = "incremental"\nwidth = 8\n[learner]\nnum_games = 2\n[run]\nmeasure = 0\n'
    )
    out = ("--updates", "1", "--config", str(file), "--out", str(tmp_path / "r"))
    code, told, _ = genesia(capsys, "train", "--players", "3,2", *out)
    assert code == 0 and "saved in" in told and load_model(tmp_path / "r" / MODEL).tables == (2, 3)
    for wrong in ("2,", "two", "2;3", "0"):
        assert f"--players: {wrong!r}, allowed are numbers" in mistake(capsys, "train", "--players", wrong)


def test_one_network_is_compared_with_several(tmp_path: Path, capsys: Capture) -> None:
    games = [make_game(players=number) for number in (2, 3)]
    size = Architecture(INCREMENTAL, 8, joint=4)
    whole = Network(size, CommonLayout([*map(TorchLayout, games)]), 0)
    save_model(tmp_path / "common.npz", size, games[0], whole.numpy_weights(), {}, games[1:])
    for game in games:
        own = Network(size, TorchLayout(game), 1).numpy_weights()
        save_model(tmp_path / f"{game.num_seats}.npz", size, game, own, {})
    one, two, three = (str(tmp_path / name) for name in ("common.npz", "2.npz", "3.npz"))
    comparison.main([one, two, three, "--games", "6", "--out", str(tmp_path / "rows.json")])
    rows = json.loads((tmp_path / "rows.json").read_text())
    assert [row["players"] for row in rows] == [2, 3]
    assert all(0 <= row[words]["low"] <= row[words]["first"] <= row[words]["high"] <= 1
               for row in rows for words in comparison.PAIRS)  # fmt: skip
    assert comparison.table(rows) in capsys.readouterr().out
    four = make_game(players=4)
    save_model(tmp_path / "4.npz", size, four, Network(size, TorchLayout(four), 1).numpy_weights(), {})
    with pytest.raises(SystemExit):
        comparison.main([one, str(tmp_path / "4.npz"), "--games", "4"])
    assert "4.npz: 4 players, allowed are 2, 3" in capsys.readouterr().err
