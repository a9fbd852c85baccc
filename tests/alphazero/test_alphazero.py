"""The search guided by a network, and the self-play around it."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("torch")

from experiments.alphazero.search import MINE, THEIRS, GuidedPlayer, Search, Style, calibrate, plan
from experiments.alphazero.selfplay import Memory, SelfPlay, Settings
from experiments.alphazero.train import MODEL, Learner, train
from experiments.alphazero.tree import Trees, mixed, softmax
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import make_game
from genesia_rl.learn.policy import Network, TorchLayout
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.codes import make_player
from genesia_rl.players.learned import load_model, save_model
from genesia_rl.players.networks import Architecture, Layout, initial_weights
from genesia_rl.vector.batch import Batch, mix_seeds

Array = Any
SMALL = Architecture("regions", 16, 8, 4)


def positions(game: Game, games: int, steps: int) -> Batch:
    """Positions of random games."""
    batch = Batch(game, games)
    batch.reset(3)
    streams = mix_seeds(9, games)
    for _ in range(steps):
        batch.step(batch.random_actions(streams))
    return batch


def model_of(path: Path, game: Game) -> str:
    """A file with an untrained network: its values are near 0, so that the margin alone counts."""
    weights = initial_weights(SMALL, Layout(game), np.random.default_rng(0))
    weights["value2"] *= 0
    save_model(path, SMALL, game, weights, {"by": "a test", "settings": {"game": {"shaping": 1.0}}})
    return str(path)


def constant(game: Game, value: float) -> tuple[Any, Array]:
    """A network that likes all actions alike and thinks all positions worth the same to who is to act."""
    actions = Layout(game).actions

    def net(observation: Array) -> tuple[Array, Array]:
        return np.zeros((len(observation), len(actions))), np.full(len(observation), value)

    return net, actions


# ---------------------------------------------------------------- the tree


@given(st.integers(1, 200), st.integers(1, 40))
def test_halving_tries_all_actions_first_and_ends_with_two(simulations: int, actions: int) -> None:
    rounds = plan(simulations, actions)
    left = [number for number, _ in rounds]
    assert left[0] == actions and all(times >= 1 for _, times in rounds)
    assert all(later == max(2, -(-number // 2)) for number, later in pairwise(left))
    assert actions < 3 or left[-1] == 2
    spent = sum(number * times for number, times in rounds)
    assert spent <= simulations + sum(left), "one try each, even where that is more than was asked for"


def test_visits_follow_the_improved_policy() -> None:
    trees = Trees(1, 4, 3, sharpness=2.0)
    logits = np.log([[0.5, 0.3, 0.2]])
    trees.add(np.array([0]), [77], logits, np.zeros(1))
    game, node = np.array([0]), trees.find(np.array([0]), [77])
    worth = np.array([0.0, 1.0, 0.0])
    for _ in range(400):
        place = trees.select(game, node)
        trees.note(game, node, place, worth[trees.column[game, node, place]])
    share = np.zeros(3)
    share[trees.column[0, 0]] = trees.visits[0, 0] / 400
    assert np.allclose(share, softmax(logits[0] + 2 * worth), atol=0.02)


def test_an_untried_action_is_worth_what_the_others_and_the_network_say() -> None:
    logits = np.log([[0.5, 0.25, 0.25]])
    visits, total = np.array([[2, 1, 0]]), np.array([[2.0, 0.4, 0.0]])
    tried = (0.5 * 1.0 + 0.25 * 0.4) / 0.75
    assert np.allclose(mixed(logits, np.array([0.2]), visits, total), (0.2 + 3 * tried) / 4)
    assert np.allclose(mixed(logits, np.array([0.2]), 0 * visits, 0 * total), 0.2)


def test_nodes_are_found_again_and_only_in_their_own_game() -> None:
    trees = Trees(2, 2, 2, 1.0)
    trees.add(np.array([0, 0, 0, 0]), [5, 5, 6, 7], np.zeros((4, 3)), np.zeros(4))
    assert trees.find(np.array([0, 0, 0, 1]), [5, 6, 7, 5]).tolist() == [0, 1, -1, -1]


# ---------------------------------------------------------------- the search


def test_a_search_knows_nothing_that_its_seat_does_not_know() -> None:
    game = make_game(players=2)
    net, actions = random_net(game)
    search = Search(game, net, actions, Style(8, 4), shaping=1.0, scale=50.0)
    for steps in (2, 30, 75, 120):
        batch = positions(game, 24, steps)
        seen, other = batch.decisions(), game.new_states(24)
        for i in range(24):
            seat = game.seat(batch.states, i)
            game.kernels.resample(batch.states, i, other, i, game.tables, seat, np.uint64(i))
        found = search(seen)
        again = search(DecisionBatch(game, other, seen.rows, seen.seeds))
        assert (found.column == again.column).all() and (found.policy == again.policy).all()
        alone = search(seen.part(np.array([7])))
        assert alone.column[0] == found.column[7], "nor does it depend on the batch"


def random_net(game: Game) -> tuple[Any, Array]:
    """Numbers from the observation's bytes: whatever differs in them changes everything."""
    layout = Layout(game)
    rng = np.random.default_rng(1)
    for_logits = rng.normal(size=(game.observation_size, len(layout.actions))) / 20
    for_values = rng.normal(size=game.observation_size) / 50

    def net(observation: Array) -> tuple[Array, Array]:
        rows = observation.astype(np.float64)
        one = [np.tanh(row @ for_logits) for row in rows]  # one by one: sums do not depend on the batch
        return np.stack(one), np.array([np.tanh(row @ for_values) for row in rows])

    return net, layout.actions


def test_improved_policies_are_of_legal_actions() -> None:
    game = make_game(players=2)
    search = Search(game, *constant(game, 0.1), Style(8, 4), 0.0, 50.0)
    seen = positions(game, 32, 60).decisions()
    found = search(seen, np.random.default_rng(0).gumbel(size=(32, len(search.actions))))
    legal = seen.mask[:, search.actions] != 0
    assert np.allclose(found.policy.sum(1), 1) and (found.policy[~legal] == 0).all()
    assert legal[np.arange(32), found.column].all() and (np.abs(found.value) <= 1).all()


def test_a_position_in_which_the_other_is_to_act_counts_for_the_other() -> None:
    game = make_game(players=2)
    search = Search(game, *constant(game, 0.5), Style(2, 2, depth=0, sharpness=50.0), 0.0, 50.0)
    batch = positions(game, 64, 80)
    seen, seats = batch.decisions(), batch.seat.copy()
    column = (seen.mask[:, search.actions] != 0).argmax(1)
    result = search._simulate(seen, Trees(64, 2, 2, 1.0), np.arange(64), column, 0)
    batch.step(search.actions[column])
    same = batch.seat == seats
    assert same.any() and not same.all() and not batch.done.any()
    assert (result == np.where(same, 0.5, -0.5)).all()


def test_a_finished_game_counts_as_it_ended() -> None:
    game = make_game(players=2)
    search = Search(game, *constant(game, 0.5), Style(4, 2, depth=300), 0.0, 50.0)
    batch, streams = positions(game, 64, 0), mix_seeds(9, 64)
    ended: list[float] = []
    while len(ended) < 20:
        column = (batch.mask[:, search.actions] != 0).argmax(1)
        last = [i for i in range(64) if _ends(game, batch, i, search.actions[column[i]])]
        if last:
            rows = np.array(last)
            trees = Trees(len(rows), 4, 2, 1.0)
            ended += search._simulate(
                batch.decisions(rows), trees, np.arange(len(rows)), column[rows], 0
            ).tolist()
        batch.step(batch.random_actions(streams))
    assert set(ended) <= {-1.0, 0.0, 1.0} and {-1.0, 1.0} <= set(ended)


def _ends(game: Game, batch: Batch, i: int, action: int) -> bool:
    after = game.clone(batch.states, i)
    game.step(after, 0, game.from_view(game.seat(after, 0), int(action)))
    return game.is_over(after, 0)


def test_looking_ahead_makes_an_untrained_network_play(tmp_path: Path) -> None:
    game = make_game(players=2)
    path = model_of(tmp_path / "m.npz", game)
    agent = GuidedPlayer(path, Style(16, 16, sharpness=200.0))
    found = evaluate(agent, [make_player("random")], game, 40, seed=2)
    assert found.rate > 0.7 and found.margin.mean() > 10


def test_only_contests_of_two_are_searched() -> None:
    game = make_game(players=3)
    with pytest.raises(ConfigError, match="players = 3, allowed is a contest of 2"):
        Search(game, *constant(game, 0.0), Style(), 0.0, 50.0)


def test_optimism_is_taken_off(tmp_path: Path) -> None:
    game = make_game(players=2)
    rosy = Search(game, *constant(game, 0.4), Style(2, 2, depth=0), 0.0, 50.0)
    calibrate(rosy)
    steps = np.arange(0, 60, 20)
    for whose in (MINE, THEIRS):
        assert np.allclose(rosy.optimism.of(whose, steps), 0.4, atol=0.01), "64 games passed these stages"
        assert rosy.optimism.of(whose, np.array([game.max_decisions]))[0] == 0, "of unknown ones nothing is"
    seen = positions(game, 32, 60).decisions()
    assert np.abs(rosy(seen).value).max() < 0.05, "an own position is worth no more than the other's"


# ---------------------------------------------------------------- learning


def test_positions_that_were_forgotten_are_told_nothing() -> None:
    memory = Memory(4, 3, 2)
    first = memory.add(np.zeros((3, 3)), np.ones((3, 2), bool), np.ones((3, 2)) / 2)
    second = memory.add(np.ones((2, 3)), np.ones((2, 2), bool), np.ones((2, 2)) / 2)
    assert second.tolist() == [3, 4]
    memory.tell(int(first[0]), 9.0)  # its place is that of number 4 now
    memory.tell(int(first[1]), 0.5)
    assert memory.known.tolist() == [False, True, False, False] and memory.value[1] == 0.5
    (rows,) = memory.draw(1, 6, np.random.default_rng(0))
    assert rows["value"].tolist() == [0.5] * 6 and rows["observation"].shape == (6, 3)


def test_guests_play_their_seats_and_are_not_learned_from() -> None:
    game = make_game(players=2)
    settings = Settings(
        games=16, steps=40, guests="random", guest_share=1.0, searched=1.0, style=Style(2, 2, depth=0)
    )
    network = Network(SMALL, TorchLayout(game))
    memory = Memory(1000, game.observation_size, len(network.layout.actions))
    games = SelfPlay(settings, game, memory)
    games.play(Learner(settings, network).frozen())
    open_positions = [[seat for _, seat, _, _ in kept] for kept in games._open]
    assert all(set(seats) == {1 - games.guest_seat[i]} for i, seats in enumerate(open_positions))
    assert 0 < memory.written < 16 * 40 and set(games.guest_seat) == {0, 1}


def test_a_start_with_other_shaping_is_refused(tmp_path: Path) -> None:
    path = model_of(tmp_path / "m.npz", make_game(players=2))
    with pytest.raises(ConfigError, match=r"shaping and scale = \(1.0, 50.0\), allowed are \(0.0, 50.0\)"):
        train(Settings(start=path, shaping=0.0), tmp_path / "run")


def test_nothing_of_another_run_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "log.jsonl").write_text("{}\n")
    with pytest.raises(ConfigError, match=r"holds log.jsonl of another run, allowed is another --out"):
        train(Settings(minutes=0.1), tmp_path)
    with pytest.raises(ConfigError, match=r"minutes = 0, allowed is above 0"):
        train(Settings(minutes=0), tmp_path / "other")


@pytest.mark.slow
def test_a_short_run_learns_and_saves_what_ppo_can_play(tmp_path: Path) -> None:
    game = make_game(players=2)
    start = model_of(tmp_path / "m.npz", game)
    style = Style(8, 4, sharpness=20.0)
    row = train(
        Settings(minutes=0.5, start=start, games=32, steps=16, minibatch=128, style=style), tmp_path / "run"
    )
    assert row["games"] > 10 and row["searched"] > 1000
    agent = make_player(f"ppo:{tmp_path / 'run' / MODEL}")
    found = evaluate(agent, [make_player("random")], game, 100, seed=2)
    assert found.rate > 0.55  # half a minute, on a machine that may be busy
    before, after = load_model(start), load_model(tmp_path / "run" / MODEL)
    assert any(not np.array_equal(before.weights[name], w) for name, w in after.weights.items())
