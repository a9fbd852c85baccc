"""A network that is kept up to date: compiled games and torch agree, gradients, threads, going on, lessons."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

import torch
from env_tools import FEW, FEW_CONTESTS, JOINT, game_of, split
from trace_tools import ARCHITECTURE, Replayed, any_game, dense, end_of, network_of, replay

from genesia_rl.core.game import Game
from genesia_rl.core.incremental import LESSONS, SEGMENT
from genesia_rl.core.mind import mind_of
from genesia_rl.core.registry import default_game, game_names, make_game
from genesia_rl.learn.league import LeagueEnv
from genesia_rl.learn.log import in_words
from genesia_rl.learn.policy import Network, TorchLayout, log_probabilities
from genesia_rl.learn.presets import merged
from genesia_rl.learn.run import Run, same
from genesia_rl.learn.sparse import Segments, judged, part_of_trace, returns
from genesia_rl.learn.start import resumed, started
from genesia_rl.learn.whole import WholeGames
from genesia_rl.players.incremental import CHUNK, NO_TEMPERATURES, Games, Played, widest
from genesia_rl.players.learned import LearnedPlayer, save_model
from genesia_rl.players.networks import INCREMENTAL, Architecture
from genesia_rl.vector.batch import Batch

CHARACTER = next(iter(mind_of(default_game()).characters))
SMALL: dict[str, Any] = {
    "network": {"kind": INCREMENTAL, "width": 16, "joint": 8},
    "league": {"scripted": [CHARACTER, "random"], "snapshots": 2, "snapshot_every": 2},
    "learner": {"num_games": 6, "minibatch": 128, "epochs": 2},
    "teacher": {"updates": 2, "num_games": 4, "minibatch": 128, "value_updates": 1},
    "run": {"updates": 5, "seed": 3, "measure": 0},
}


def played_of(
    game: Game,
    network: Network,
    games: int,
    threads: int = 1,
    temperatures: Mapping[int, float] = NO_TEMPERATURES,
    **options: Any,
) -> Played:
    """Self-play in which everybody is learned from."""
    lineup = np.zeros((games, game.facts.most_seats), np.int16)
    made = Games(game, ARCHITECTURE, network.layout, threads=threads, **options)
    seeds = np.arange(5, 5 + games, dtype=np.uint64)
    nets = made.nets([network.numpy_weights()], temperatures)
    return made.play(nets, seeds, lineup, np.ones(lineup.shape, np.int8))


@lru_cache(maxsize=4)
def example(variant: str) -> tuple[Game, Network, Played, Replayed]:
    """Some games of a variant, and what was seen in them."""
    game = any_game(variant)
    network = network_of(game)
    played = played_of(game, network, 3, shaping=0.5, gamma=0.9)
    return game, network, played, replay(game, network, played.trace, np.arange(5, 8, dtype=np.uint64))


def held(played: Played) -> list[Any]:
    """The arrays of a trace."""
    return list(played.trace)


EVERYWHERE = [*FEW, "toy"]


@pytest.mark.parametrize("variant", EVERYWHERE)
def test_what_is_kept_up_to_date_is_what_is_calculated_from_nothing(variant: str) -> None:
    _, network, played, again = example(variant)
    rows = played.trace.rows
    log_p, _, value = (of.detach().numpy() for of in dense(network, played.trace, again))
    # what is added and taken away again for a whole game leaves some last bits behind
    # (of large logits more than of small ones)
    assert np.allclose(rows["log_p"], log_p, 1e-5, 1e-5 + 1e-6 * np.abs(log_p).max())
    assert np.allclose(rows["value"], value, 1e-5, 3e-5)
    assert len(rows) == played.decisions and value.std() > 1e-3, "weights tell positions apart"


@pytest.mark.parametrize("variant", EVERYWHERE)
def test_gradients_are_those_of_the_dense_network(variant: str) -> None:
    _, network, played, again = example(variant)
    segments = Segments(played.trace)
    order = np.concatenate(next(segments.minibatches(10**9, np.random.default_rng(0))))
    weigh = torch.from_numpy(np.random.default_rng(1).normal(size=(3, len(order))).astype(np.float32))
    found = []
    for outcome in (
        judged(network.scaled(), part_of_trace(played.trace, order))[:3],
        [of[torch.from_numpy(order)] for of in dense(network, played.trace, again)],
    ):
        loss = sum((by * of).mean() for by, of in zip(weigh, outcome, strict=True))
        found.append(torch.autograd.grad(torch.as_tensor(loss), list(network.weights.values())))
    for name, mine, theirs in zip(network.weights, *found, strict=True):
        assert torch.allclose(mine, theirs, rtol=1e-3, atol=1e-5 + 1e-4 * float(theirs.abs().max())), name
    learning = {
        name for name, g in zip(network.weights, found[0], strict=True) if float(g.abs().max()) > 1e-6
    }
    silent = set(network.weights) - learning
    assert len(silent) == (variant == "toy"), f"nothing is learned of {', '.join(sorted(silent))}"


@pytest.mark.parametrize("variant", FEW)
def test_decisions_are_paid_what_the_rules_of_rewards_say(variant: str) -> None:
    game, _, played, again = example(variant)
    rows, settings = played.trace.rows, Batch(game, 1, shaping=0.5, gamma=0.9).settings
    for number in range(3):
        result = played.results[number]
        pay = np.zeros(game.facts.most_seats, np.float32)
        game.kernels.rewards(settings, result["totals"], result["ranks"], pay)
        for learner in set(rows["learner"][rows["game"] == number].tolist()):
            own = np.flatnonzero((rows["game"] == number) & (rows["learner"] == learner))
            ahead = np.append(0.9 * again.potential[own[1:]], 0.0)
            expected = 0.5 * (ahead - again.potential[own])
            expected[-1] += pay[learner]
            assert np.allclose(rows["reward"][own], expected, atol=1e-5)
            assert rows["last"][own].tolist() == [0] * (len(own) - 1) + [1]
            back = 0.0
            for k in reversed(range(len(own))):
                back = expected[k] + 0.9 * back
            assert np.isclose(
                returns(played.trace, 0.9, 1.0)[own[0]] + rows["value"][own[0]], back, atol=1e-4
            )


def test_segments_are_whole_and_no_longer_than_said() -> None:
    _, _, played, _ = example(FEW[0])
    segments = Segments(played.trace)
    rows = [half for halves in segments.minibatches(64, np.random.default_rng(0)) for half in halves]
    assert sorted(np.concatenate(rows)) == list(range(len(played.trace.rows)))
    assert segments.lengths.max() == SEGMENT
    for half in rows:
        fresh = played.trace.rows["fresh"][half]
        seats = played.trace.rows[["game", "seat"]][half]
        assert fresh[0] and all(seats[k] == seats[k - 1] for k in range(1, len(half)) if not fresh[k])


def test_games_do_not_depend_on_threads() -> None:
    game = game_of(FEW[0])
    network = network_of(game)
    one, other = (played_of(game, network, 2 * CHUNK + 3, threads) for threads in (1, 3))
    assert one.decisions == other.decisions and (one.results == other.results).all()
    assert all(np.array_equal(a, b) for a, b in zip(held(one), held(other), strict=True))
    assert one.trace.rows["game"].max() == 2 * CHUNK + 2


def test_a_trace_that_is_too_small_changes_nothing_but_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(FEW[0])
    network = network_of(game)
    expected = played_of(game, network, 4)
    first = Games.__init__

    def small(self: Games, *given: Any, **options: Any) -> None:
        first(self, *given, **options)
        self.room_for = 1

    monkeypatch.setattr(Games, "__init__", small)
    found = played_of(game, network, 4)
    assert all(np.array_equal(a, b) for a, b in zip(held(expected), held(found), strict=True))


@pytest.mark.parametrize("name", game_names())
def test_a_teacher_says_what_it_would_do(name: str) -> None:
    game, mind = make_game(name), mind_of(name)
    network = network_of(game)
    made = Games(game, ARCHITECTURE, network.layout, [next(iter(mind.characters))])
    lineup, seeds = np.zeros((2, game.facts.most_seats), np.int16), np.array([8, 9], np.uint64)
    played = made.play(
        made.nets([network.numpy_weights()]), seeds, lineup, np.ones(lineup.shape, np.int8),
        lessons=np.array([(0, 0.0)], LESSONS),
    )  # fmt: skip
    trace, again = played.trace, replay(game, network, played.trace, seeds)
    count, chosen = len(trace.rows), np.zeros(len(trace.rows), np.int64)
    assert mind.kernels is not None
    mind.kernels.choose_rows(
        again.states, np.arange(count), game.tables, np.zeros(count, np.int32), made.plans, game.new_states(),
        again.keys, np.zeros(mind.most_actions, np.int64), np.zeros(mind.most_actions), chosen,
    )  # fmt: skip
    said = network.layout.actions[trace.legal[trace.rows["legal"] + trace.rows["chosen"]]]
    assert (said == chosen).all()


def test_scripted_players_and_chance_sit_where_the_lineup_says() -> None:
    game, mind = make_game(), mind_of(default_game())
    network = network_of(game)
    made = Games(game, ARCHITECTURE, network.layout, list(mind.characters)[:1])
    lineup = np.zeros((60, game.facts.most_seats), np.int16)
    lineup[:, 1] = np.where(np.arange(60) < 30, 1, 2)
    learns = (lineup == 0).astype(np.int8)
    played = made.play(made.nets([network.numpy_weights()]), np.arange(60).astype(np.uint64), lineup, learns)
    assert (played.trace.rows["seat"] == 0).all()
    totals = played.results["totals"][:, 1]
    assert totals[:30].mean() > totals[30:].mean() + 20, "whoever plans scores more than chance"


@pytest.mark.parametrize("variant", FEW)
def test_compiled_numpy_and_torch_players_agree(variant: str, tmp_path: Path) -> None:
    game = any_game(variant)
    network = network_of(game)
    save_model(tmp_path / "m.npz", ARCHITECTURE, game, network.numpy_weights(), {})
    batch = Batch(game, 40)
    batch.reset(3)
    players = [LearnedPlayer(str(tmp_path / "m.npz"), use_torch=use) for use in (None, False, True)]
    one, *others = [player.logits(batch.decisions()) for player in players]
    legal = batch.mask != 0
    assert all(np.abs(one[legal] - other[legal]).max() < 1e-5 for other in others)


@pytest.mark.parametrize("variant", EVERYWHERE)
def test_a_frozen_network_takes_its_likeliest_actions(variant: str) -> None:
    game, network, drawing, _ = example(variant)
    played = played_of(game, network, 3, temperatures={0: 0})
    rows, again = played.trace.rows, replay(game, network, played.trace, np.arange(5, 8, dtype=np.uint64))
    best = dense(network, played.trace, again)[0]
    logits, _ = network(torch.from_numpy(again.observation), torch.from_numpy(again.traits))
    top = log_probabilities(logits, torch.from_numpy(again.legal)).max(1).values
    assert (top - best).max() < 1e-4 and np.abs(rows["log_p"]).max() < 1, "what is likeliest is all there is"
    of_chance = drawing.trace.rows["chosen"][: len(rows)]
    assert not np.array_equal(of_chance, rows["chosen"][: len(of_chance)]), "else nothing was tested"


@pytest.mark.parametrize("temperature", [0.5, 3.0])
def test_at_a_temperature_logits_are_closer_or_farther_apart(temperature: float) -> None:
    game, network, as_learned, _ = example(FEW[0])
    played = played_of(game, network, 3, temperatures={0: temperature})
    rows, again = played.trace.rows, replay(game, network, played.trace, np.arange(5, 8, dtype=np.uint64))
    logits, _ = network(torch.from_numpy(again.observation), torch.from_numpy(again.traits))
    expected = log_probabilities(logits / temperature, torch.from_numpy(again.legal)).detach().numpy()
    chosen = played.trace.legal[rows["legal"] + rows["chosen"]]
    assert np.abs(expected[np.arange(len(rows)), chosen] - rows["log_p"]).max() < 1e-4
    one, other = (trace.rows["log_p"][:9] for trace in (as_learned.trace, played.trace))
    assert not np.allclose(one, other), "else nothing was tested"


def test_networks_of_several_sizes_play_as_each_does_alone() -> None:
    game = game_of(FEW[0])
    sizes = [ARCHITECTURE, Architecture(INCREMENTAL, 40, joint=28)]
    networks = [Network(size, TorchLayout(game), seed) for seed, size in enumerate(sizes)]
    seeds, everybody = np.arange(8, dtype=np.uint64), np.ones((8, game.facts.most_seats), np.int8)
    together = Games(game, widest(sizes), networks[0].layout)
    nets = together.nets([network.numpy_weights() for network in networks])
    for k, (size, network) in enumerate(zip(sizes, networks, strict=True)):
        alone = Games(game, size, network.layout)
        one = alone.play(
            alone.nets([network.numpy_weights()]), seeds, 0 * everybody.astype(np.int16), everybody
        )
        other = together.play(nets, seeds, k * everybody.astype(np.int16), everybody)
        assert (one.results == other.results).all() and one.decisions > 0
        for name in ("log_p", "value"):
            assert np.allclose(one.trace.rows[name], other.trace.rows[name], 1e-4, 1e-4)


def saved_network(folder: Path, kind: str = INCREMENTAL, width: int = 24) -> str:
    """The code of a network that has learned nothing."""
    game, architecture = make_game(), Architecture(kind, width, joint=12)
    network = Network(architecture, TorchLayout(game), 5)
    save_model(folder / f"{kind}.npz", architecture, game, network.numpy_weights(), {})
    return f"ppo:{folder / f'{kind}.npz'}"


def test_networks_of_files_are_members_of_compiled_games(tmp_path: Path) -> None:
    league = {"scripted": [CHARACTER, saved_network(tmp_path), "random"], "self_share": 0.0}
    whole = run_of(tmp_path / "whole", league=league)
    assert isinstance(whole.env, WholeGames) and whole.env.games.architecture.width == 24
    before = {name: held.copy() for name, held in whole.env.models[2].weights.items()}
    whole.work()
    assert (whole.pool.games[1:4] > 0).all() and whole.pool.games[0] == 0
    assert same(before, whole.env.models[2].weights), "it learns nothing"
    part = run_of(tmp_path / "part", league=league)
    for _ in range(4):
        part.step()
    part.save()
    resumed(str(tmp_path / "part"), {}).work()
    assert same(end_of(tmp_path / "whole")[1], end_of(tmp_path / "part")[1])


def test_a_network_of_another_kind_makes_games_side_by_side(tmp_path: Path) -> None:
    run = run_of(
        tmp_path / "run", league={"scripted": [saved_network(tmp_path, "flat")]}, learner={"steps": 4}
    )
    assert isinstance(run.env, LeagueEnv)


def test_a_run_of_so_many_decisions(tmp_path: Path) -> None:
    lasting = {"run": {"updates": None, "decisions": 3000}, "teacher": {"updates": None, "share": 0.5}}
    whole, part = run_of(tmp_path / "whole", **lasting), run_of(tmp_path / "part", **lasting)
    assert (
        whole.work() and whole.learner.decisions >= 3000 and whole.lesson_decisions >= 1500 and whole.chunks
    )
    for _ in range(whole.chunks + 1):
        part.step()
    assert part.learner.decisions < 3000
    part.save()
    again = resumed(str(tmp_path / "part"), {})
    again.work()
    assert same(end_of(tmp_path / "whole")[1], end_of(tmp_path / "part")[1])
    assert resumed(str(tmp_path / "part"), {"minutes": 1.0}).settings.run.decisions is None


def run_of(folder: Path, **tables: Any) -> Run:
    return started(overrides=merged(SMALL, tables), out=str(folder))


def test_a_run_that_stops_and_goes_on_equals_one_that_does_not(tmp_path: Path) -> None:
    whole = run_of(tmp_path / "whole", learner={"threads": 1})
    whole.work()
    part = run_of(tmp_path / "part", run={"updates": 5})
    for _ in range(4):  # the lessons, and two updates
        part.step()
    part.save()
    resumed(str(tmp_path / "part"), {}).work()
    (one, first), (other, second) = end_of(tmp_path / "whole"), end_of(tmp_path / "part")
    assert same(first, second) and one["pool"] == other["pool"] and one["decisions"] == other["decisions"]
    assert one["pool"]["games"][1] > 0 and one["update"] == 5 and one["chunks"] == 2
    assert any(name.startswith("snapshot") for name in first)


@pytest.mark.parametrize("variant", [*FEW_CONTESTS[1:], *JOINT[:1]])
def test_all_kinds_of_games_are_learned(variant: str, tmp_path: Path) -> None:
    name, config = split(variant)
    config = {key: value for key, value in config.items() if key != "players"}
    game = {"name": name, "players": game_of(variant).num_seats, "config": config}
    if not game_of(variant).is_contest:
        game = {"name": name, "players": 1, "config": config}
    tables = {"league": {"scripted": ["random"]}, "run": {"updates": 1}, "teacher": {"updates": 1}}
    run = run_of(tmp_path / "r", game=game, **tables)
    assert run.work() and run.learner.decisions > 0
    told = json.loads((tmp_path / "r" / "log.jsonl").read_text().splitlines()[-1])
    assert ("joint" in told) == ("joint score" in in_words(told)) == (not game_of(variant).is_contest)


def test_whoever_cannot_sit_in_compiled_games_is_played_against_side_by_side(tmp_path: Path) -> None:
    tables = {"run": {"updates": 1}, "learner": {"steps": 4, "num_games": 4}, "teacher": {"updates": 1}}
    run = run_of(tmp_path / "r", league={"scripted": ["mcts:1"]}, **tables)
    assert isinstance(run.env, LeagueEnv) and run.work() and run.learner.decisions == 16
