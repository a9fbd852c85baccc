"""Expert iteration: searched games as traces, gradients of shares, going on, improving."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

import torch
from env_tools import FEW, JOINT, game_of, split
from trace_tools import any_game, dense, end_of, network_of, replay

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import game_names, make_game, register_game
from genesia_rl.learn import checkpoint
from genesia_rl.learn.expert import ShareLoss
from genesia_rl.learn.league import Clock, Pool
from genesia_rl.learn.policy import Network, log_probabilities
from genesia_rl.learn.presets import checked, make_settings, merged
from genesia_rl.learn.run import Run, same
from genesia_rl.learn.searched import Searched, SearchedGames, Searcher, together
from genesia_rl.learn.settings import Settings
from genesia_rl.learn.sparse import Segments, compared, judged, part_of_trace
from genesia_rl.learn.start import resumed, started
from genesia_rl.learn.whole import seeds_of
from genesia_rl.players.incremental import Games
from genesia_rl.players.networks import INCREMENTAL
from genesia_rl.vector.batch import Batch

SMALL: dict[str, Any] = {
    "network": {"kind": INCREMENTAL, "width": 24, "joint": 20},
    "league": {"self_share": 1.0, "scripted": [], "snapshots": 2, "snapshot_every": 2},
    "learner": {
        "method": "expert",
        "num_games": 3,
        "minibatch": 128,
        "epochs": 2,
        "threads": 1,
        "gae_lambda": 1.0,
    },
    "expert": {"full": 6, "cheap": 2, "share": 0.5, "window": 2},
    "teacher": {"updates": 1, "num_games": 3, "minibatch": 128, "value_updates": 1},
    "run": {"updates": 5, "seed": 3, "measure": 0},
}
EVERYWHERE = [*FEW, "toy"]


def settings_of(variant: str, **tables: Any) -> Settings:
    """Small settings of a variant, whose games are dealt as it says."""
    name, config = ("toy", {}) if variant == "toy" else split(variant)
    config = dict(config)
    players = config.pop("players", any_game(variant).num_seats)
    game = {"name": name, "players": players, "config": config, "varied": False}
    return checked(merged(SMALL, {"game": game}, tables))


def searched_of(settings: Settings, game: Game, network: Network) -> Searched:
    """The games of one update."""
    games = SearchedGames(settings, game, network.layout, Pool(settings.league, 0), Clock())
    return games.search(network.numpy_weights())


@lru_cache(maxsize=4)
def example(variant: str) -> tuple[Game, Network, Searched, Any]:
    """Some searched games of a variant, and what was seen in them."""
    settings, game = settings_of(variant, game={"shaping": 0.5}), any_game(variant)
    network = network_of(game)
    searched = searched_of(settings, game, network)
    return game, network, searched, replay(game, network, searched.trace, seeds_of(3, 17, np.arange(3)))


@pytest.mark.parametrize("variant", EVERYWHERE)
def test_searched_games_are_written_down_as_compiled_ones_are(variant: str) -> None:
    game, network, searched, again = example(variant)
    found = judged(network.scaled(), part_of_trace(searched.trace, every_row(searched)))
    for one, other in zip(found[:3], dense(network, searched.trace, again), strict=True):
        expected = other[torch.from_numpy(every_row(searched))]
        assert torch.allclose(one, expected, 1e-4, 1e-4 + 1e-6 * float(expected.detach().abs().max()))
    rows, settings = searched.trace.rows, Batch(game, 1, shaping=0.5).settings
    for number in range(3):
        mine = np.flatnonzero(rows["game"] == number)
        for learner in set(rows["learner"][mine].tolist()):
            own = mine[rows["learner"][mine] == learner]
            assert rows["last"][own].tolist() == [0] * (len(own) - 1) + [1]
            # without a discount a decision comes to the pay, less what shaping has paid before it
            paid = searched.goal[own] + settings[0]["shaping"] * again.potential[own]
            assert np.allclose(paid, paid[0], atol=1e-4)


def every_row(searched: Searched) -> Any:
    """All rows, as whole segments."""
    return np.concatenate(next(Segments(searched.trace).minibatches(10**9, np.random.default_rng(0))))


@pytest.mark.parametrize("variant", EVERYWHERE)
def test_shares_are_those_of_visits_where_the_search_was_full(variant: str) -> None:
    _, _, searched, _ = example(variant)
    rows, shares = searched.trace.rows, searched.shares
    owner = np.repeat(np.arange(len(rows)), shares.number)
    assert np.allclose(np.bincount(owner, shares.weight, len(rows)), shares.number > 0)
    assert (shares.place < rows["num_legal"][owner]).all() and (shares.weight > 0).all()
    visits = shares.weight * 6
    assert np.allclose(visits, visits.round(), atol=1e-4), "each simulation is a visit"
    full, free = shares.number > 0, rows["num_legal"] > 1
    assert not full[~free].any() and 0.3 < full[free].mean() < 0.7
    chosen = [row["chosen"] in shares.place[owner == k] for k, row in enumerate(rows) if full[k]]
    assert all(chosen), "what is played has been visited"


@pytest.mark.parametrize("variant", EVERYWHERE)
def test_gradients_of_shares_are_those_of_the_dense_network(variant: str) -> None:
    _, network, searched, again = example(variant)
    order, shares = every_row(searched), searched.shares
    loss = ShareLoss(settings_of("toy").learner, searched, order, False)
    part = part_of_trace(searched.trace, order)
    mine, parts = loss(compared(network.scaled(), part, shares), order)
    logits, value = network(torch.from_numpy(again.observation), torch.from_numpy(again.traits))
    every = log_probabilities(logits, torch.from_numpy(again.legal))
    owner = np.repeat(np.arange(len(order)), shares.number)
    column = searched.trace.legal[searched.trace.rows["legal"][owner] + shares.place].astype(np.int64)
    weight, full = torch.from_numpy(shares.weight), int((shares.number > 0).sum())
    cross = -(weight * every[torch.from_numpy(owner), torch.from_numpy(column)]).sum() / full
    theirs = cross + 0.5 * (value - torch.from_numpy(searched.goal)).square().mean()
    assert np.isclose(parts[0], float(cross.detach()), 1e-4) and parts[3] > -1e-5
    found = [
        torch.autograd.grad(torch.as_tensor(of), list(network.weights.values())) for of in (mine, theirs)
    ]
    for name, one, other in zip(network.weights, *found, strict=True):
        assert torch.allclose(one, other, rtol=1e-3, atol=1e-5 + 1e-4 * float(other.abs().max())), name


def test_a_minibatch_without_a_full_search_teaches_the_value_only() -> None:
    _, network, searched, _ = example("toy")
    none = searched.shares._replace(number=np.zeros_like(searched.shares.number))
    order, held = every_row(searched), searched._replace(shares=none)
    loss = ShareLoss(settings_of("toy").learner, held, order, False)
    found, parts = loss(compared(network.scaled(), part_of_trace(held.trace, order), none), order)
    found.backward()
    assert parts[0] == parts[2] == 0 and network.weights["logits"].grad is None
    assert float(network.weights["value2"].grad.abs().max()) > 0
    network.zero_grad()


@pytest.mark.parametrize("name", game_names())
def test_what_a_seat_cannot_know_changes_nothing_that_is_learned(name: str) -> None:
    game = make_game(name)
    network, settings = network_of(game), settings_of(FEW[0], expert={"share": 1.0})
    batch = Batch(game, 8)
    batch.reset(5)
    for _ in range(12):
        batch.step(batch.random_actions(np.arange(8, dtype=np.uint64) * 7 + 1))
    searcher = Searcher(settings, game, network.layout, batch.settings)
    searcher.architecture = network.architecture
    searcher.put_weights(network.numpy_weights())
    told, rng, changed = [], np.random.default_rng(1), 0
    for again in (False, True):
        states = batch.states.copy()
        for row in range(8 if again else 0):
            other = game.resample_hidden(batch.states, row, int(batch.seat[row]), rng)
            changed += other.tobytes() != states[row : row + 1].tobytes()
            states[row] = other[0]
        decisions = DecisionBatch(game, states, np.arange(8), batch.seeds, None, None, batch.tables)
        told.append(searcher.choose(decisions, np.zeros(8)))
    for one, other in zip(*told, strict=True):
        assert np.array_equal(one, other)
    assert changed, "something is hidden"


def test_games_do_not_depend_on_threads() -> None:
    game = game_of(FEW[0])
    network = network_of(game)
    one, other = (
        searched_of(settings_of(FEW[0], learner={"threads": n}), game, network).arrays() for n in (1, 3)
    )
    assert same(one, other)


def test_several_updates_are_one_trace() -> None:
    _, network, searched, _ = example("toy")
    both, count = together([searched, searched], 3), len(searched.goal)
    weights = network.scaled()
    for rows in (np.arange(count), np.arange(count, 2 * count)):
        order = np.lexsort((rows, both.trace.rows["seat"][rows], both.trace.rows["game"][rows]))
        part = part_of_trace(both.trace, rows[order])
        alone = part_of_trace(searched.trace, rows[order] % count)
        for mine, theirs in zip(
            compared(weights, part, both.shares), compared(weights, alone, searched.shares), strict=True
        ):
            assert torch.equal(mine, theirs)
    assert len(Segments(both.trace).begins) == 2 * len(Segments(searched.trace).begins)


# ---------------------------------------------------------------- runs


def run_of(folder: Path, **tables: Any) -> Run:
    return started(overrides=merged(SMALL, tables), out=str(folder))


LEAGUE: dict[str, Any] = {"league": {"self_share": 0.3, "scripted": ["random"]}}


def test_a_run_that_stops_and_goes_on_equals_one_that_does_not(tmp_path: Path) -> None:
    whole = run_of(tmp_path / "whole", **LEAGUE)
    whole.work()
    part = run_of(tmp_path / "part", **LEAGUE)
    for _ in range(4):  # the lessons, and three updates: more than the window
        part.step()
    part.save()
    resumed(str(tmp_path / "part"), {}).work()
    (one, first), (other, second) = end_of(tmp_path / "whole"), end_of(tmp_path / "part")
    assert same(first, second) and one["pool"] == other["pool"] and one["decisions"] == other["decisions"]
    assert one["update"] == 5 and one["chunks"] == 1 and one["pool"]["games"][1] > 0
    assert {name.split("/")[1] for name in first if name.startswith("replay/")} == {"0", "1"}
    assert any(name.startswith("snapshot") for name in first)


def test_kept_games_that_name_what_is_not_there_are_refused(tmp_path: Path) -> None:
    run = run_of(tmp_path / "r", run={"updates": 1})
    run.work()
    header, arrays = checkpoint.read(tmp_path / "r")
    del header["format"]
    for name, value in (("replay/0/entry_rows", 10**6), ("replay/0/place", 99), ("replay/0/first", -1)):
        spoilt = {key: held.copy() for key, held in arrays.items()}
        spoilt[name][0] = value
        checkpoint.write(tmp_path / "r", header, spoilt)
        with pytest.raises(DataError, match="replay: names what is not there"):
            resumed(str(tmp_path / "r"), {})
    more = {name.replace("replay/0", f"replay/{k}"): held for name, held in arrays.items() for k in range(3)}
    checkpoint.write(tmp_path / "r", header, more)
    with pytest.raises(DataError, match=r"replay of 3 updates, allowed are 2 \(expert.window\)"):
        resumed(str(tmp_path / "r"), {})


@pytest.mark.parametrize("variant", [FEW[-1], *JOINT[:1]])
def test_all_kinds_of_games_are_learned(variant: str, tmp_path: Path) -> None:
    tables = settings_of(variant, **LEAGUE, run={"updates": 1}, expert={"cheap": 0}).model_dump()
    run = started(overrides=tables, out=str(tmp_path / "r"))
    assert run.work() and run.learner.decisions > 0
    assert bool(run.pool.games.any()) == game_of(variant).is_contest


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"learner": {"method": "alpha"}}, r"learner.method = 'alpha': input should be 'ppo' or 'expert'"),
        ({"expert": {"full": 1}}, r"expert.full = 1: input should be greater than or equal to 2"),
        ({"expert": {"share": 0}}, r"expert.share = 0: input should be greater than 0"),
        ({"expert": {"depth": 3}}, r"expert.depth: unknown key, allowed are full, cheap"),
        (
            {"network": {"kind": "flat"}},
            r"network.kind = 'flat', allowed with learner.method = \"expert\" is",
        ),
        ({"learner": {"gamma": 0.9}}, r"learner.gamma = 0.9, allowed with learner.method = \"expert\" is 1"),
        ({"league": {"scripted": ["mcts:4"]}}, r"league.scripted: agent 'mcts:4', allowed with"),
    ],
)
def test_settings_are_refused_by_name(tables: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        checked(merged({"learner": {"method": "expert"}, "network": {"kind": INCREMENTAL}}, tables))


def test_the_method_brings_its_own_settings_unless_they_are_given() -> None:
    made = make_settings("quick", overrides={"learner": {"method": "expert", "epochs": 3}})
    assert made.learner.num_games == 64 and made.learner.epochs == 3
    assert make_settings("quick").learner.method == "ppo"


@pytest.mark.slow
def test_a_toy_is_learned_from_nothing(tmp_path: Path) -> None:
    register_game("toy", "toy", listed=False)
    tables = {
        "game": {"name": "toy", "players": 2}, "teacher": {"share": 0.0, "updates": None},
        "learner": {"num_games": 48, "minibatch": 512, "learning_rate": 3e-3},
        "expert": {"full": 24, "cheap": 4, "window": 4}, "run": {"updates": 12},
    }  # fmt: skip
    run = run_of(tmp_path / "r", **tables)
    before = run.network.numpy_weights()
    run.work()
    games = Games(run.game, run.network.architecture, run.network.layout)
    nets = games.nets([run.network.numpy_weights(), before])
    lineup = np.zeros((2000, run.game.facts.most_seats), np.int16)
    lineup[np.arange(2000), np.arange(2000) % 2] = 1
    played = games.play(nets, np.arange(2000, dtype=np.uint64), lineup, np.zeros(lineup.shape, np.int8))
    ahead = played.results["ranks"][np.arange(2000), (np.arange(2000) + 1) % 2] == 0
    assert ahead.mean() > 0.6, "beats its own beginning"
