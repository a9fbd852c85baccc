"""The search with a network in its tree: forced wins, what priors and values are for, every game, wrong codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from env_tools import FEW, FEW_CONTESTS, game_of

from genesia_rl.core.compile import PLAIN
from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.core.game import Game, States
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import game_names, make_game, register_game
from genesia_rl.core.rewards import make_settings
from genesia_rl.core.trace import record
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.codes import base_name, make_player
from genesia_rl.players.guided import Guide, GuidedPlayer, guide_of
from genesia_rl.players.learned import model_name, models_of, save_model
from genesia_rl.players.networks import INCREMENTAL, Architecture, Layout, initial_weights, weight_shapes
from genesia_rl.players.random import RandomPlayer

TINY = Architecture(INCREMENTAL, 8, joint=8)
HOLD, ROLL = 0, 1


@lru_cache(maxsize=8)
def toy(**fields: int) -> Game:
    """A game of Pig."""
    register_game("toy", "toy", listed=False)
    return make_game("toy", **fields)


def weights_of(game: Game, seed: int | None = None, **given: Any) -> dict[str, Any]:
    """A network that knows nothing (values 0, all actions alike), or one at random; then what is given."""
    layout = Layout(game)
    made: dict[str, Any]
    if seed is None:
        made = {name: np.zeros(shape, np.float32) for name, shape in weight_shapes(TINY, layout).items()}
    else:
        rng = np.random.default_rng(seed)
        made = {
            name: w + 0.3 * rng.normal(size=w.shape) for name, w in initial_weights(TINY, layout, rng).items()
        }
    return made | {name: np.asarray(w, np.float32) for name, w in given.items()}


def guide(game: Game, seed: int | None = None, **given: Any) -> Guide:
    """Such a network, as a search takes it."""
    return guide_of(game, TINY, Layout(game), weights_of(game, seed, **given))


def position(game: Game, points: list[int], die: int, left: int) -> States:
    """Seat 0 has thrown a die; so many are left after it."""
    states = game.new_states()
    dice = [2] * 239 + [3]
    game.put_position(states, 0, {"player": 0, "points": points, "dice": dice})
    states[0]["turn"], states[0]["used"] = die, 240 - left
    return states


def searched(player: GuidedPlayer, game: Game, states: States, seed: int = 1) -> dict[int, Any]:
    """What a search found out, by action."""
    return {tried.action: tried for tried in player.search(DecisionBatch.one(game, states, 0, seed))}


# ---------------------------------------------------------------- what is found


def test_a_forced_win_is_found_against_what_the_network_prefers() -> None:
    """Holding wins at once; the network would throw again, 20 times as likely."""
    game = toy(target=40)
    states = position(game, [37, 39], 3, 30)
    wrong = guide(game, logits_b=[0.0, 3.0])
    found = searched(GuidedPlayer("400", guide=wrong, explore=0.5), game, states)
    assert found[HOLD].value == 1.0 and found[HOLD].visits > found[ROLL].visits
    assert found[ROLL].score == pytest.approx(0.9526, abs=1e-3), "what the network says"


def worth_of(game: Game, states: States, left: int) -> float:
    """What the seat to act may expect at best, by trying all dice and all actions; of a finished game for seat 0."""
    if game.is_over(states, 0):
        return float(game.returns(states, 0)[0])
    sign = 1.0 if game.seat(states, 0) == 0 else -1.0
    return sign * max(sign * worth_after(game, states, action, left) for action in (HOLD, ROLL))


def worth_after(game: Game, states: States, action: int, left: int) -> float:
    """The same after an action: the mean over all that the dice may show."""
    sides, total = int(game.config_dict()["sides"]), 0.0
    for number in range(sides**left):
        after = states.copy()
        for k in range(left):
            after[0]["dice"][240 - left + k] = 1 + number // sides**k % sides
        game.step(after, 0, action)
        total += worth_of(game, after, 0)
    return float(total / sides**left)


@pytest.mark.parametrize("points", [[10, 11], [10, 15], [12, 10], [5, 12], [9, 12]])
def test_with_few_dice_left_it_finds_what_trying_everything_finds(points: list[int]) -> None:
    """One die is left: what a throw may bring, and what the other may do with it, are all there is."""
    game = toy(target=100)
    states = position(game, points, 4, 1)
    best = {action: worth_after(game, states, action, 1) for action in (HOLD, ROLL)}
    found = searched(GuidedPlayer("600", guide=guide(game)), game, states)
    for action, worth in best.items():
        assert found[action].visits < 60 or found[action].value == pytest.approx(worth, abs=0.15), action
    if abs(best[HOLD] - best[ROLL]) > 0.1:
        assert max(found.values(), key=lambda t: t.visits).action == max(best, key=lambda a: best[a])


def test_priors_guide() -> None:
    """What is likely is tried first and most; a higher temperature makes all more alike."""
    game = toy()
    states = position(game, [0, 0], 3, 200)
    for likely in (HOLD, ROLL):
        bias = [2.0 * (action == likely) for action in (HOLD, ROLL)]
        one = searched(GuidedPlayer("1", guide=guide(game, logits_b=bias)), game, states)
        assert one[likely].visits == 1
        found = searched(GuidedPlayer("64", guide=guide(game, logits_b=bias)), game, states)
        assert found[likely].visits > 32
        warm = searched(GuidedPlayer("64", guide=guide(game, logits_b=bias), temperature=4.0), game, states)
        assert one[likely].score > warm[likely].score > 0.5


def test_values_of_the_network_decide_where_nothing_ends() -> None:
    """The value is the own points: holding, which brings them, is tried more than throwing."""
    game = toy()
    layout = Layout(game)
    points = np.zeros((len(layout.input_scale), TINY.width))
    points[0, 0], points[1, 1] = 1.0, 1.0  # of the own seat, of the other
    second = np.eye(TINY.joint, TINY.width)
    first = np.zeros((TINY.joint // 2, TINY.joint))
    first[0, 0], first[1, 1] = 1.0, 1.0
    value2 = np.zeros((1, TINY.joint // 2))
    value2[0, :2] = 4.0, -4.0
    seen = guide(game, first=points, second=second, value1=first, value2=value2)
    found = searched(GuidedPlayer("100", guide=seen), game, position(game, [0, 0], 30, 200))
    assert found[HOLD].visits > 70


def test_values_of_teams_are_shared_and_sum_up_to_nothing() -> None:
    share_values = import_module("toy.compiled").share_values

    game = toy(players=4)
    settings = make_settings(game)
    values = np.array([0.5, 0.1, 0.3, -0.1])
    share_values(settings[0], values)
    assert np.allclose(values, [0.3, -0.1, 0.1, -0.3])
    settings["team"][0, :4] = 0, 1, 0, 1
    share_values(settings[0], values)
    assert np.allclose(values, [0.2, -0.2, 0.2, -0.2])
    settings["is_contest"] = False
    values = np.array([0.5, 0.1, 0.3, -0.1])
    share_values(settings[0], values)
    assert np.allclose(values, 0.2)


# ---------------------------------------------------------------- the same choice


def test_the_same_key_finds_the_same_and_hidden_dice_change_nothing() -> None:
    game = toy(players=3)
    player, states = GuidedPlayer("50", guide=guide(game, 3)), position(game, [3, 5, 8], 4, 150)
    one = searched(player, game, states)
    assert searched(GuidedPlayer("50", guide=guide(game, 3)), game, states) == one
    other = game.resample_hidden(states, 0, 0, np.random.default_rng(4))
    assert other.tobytes() != states.tobytes() and searched(player, game, other) == one
    assert searched(player, game, states, seed=2) != one


def test_it_spends_its_budget_on_all_legal_actions_and_counts_what_it_asks() -> None:
    game = toy(players=3)
    player = GuidedPlayer("40", guide=guide(game, 1))
    decision = DecisionBatch.one(game, position(game, [3, 5, 8], 4, 150))
    assert sum(tried.visits for tried in player.search(decision)) == 40
    assert player.evaluations(decision) == 41 * game.num_seats, "every leaf is judged for every seat"


def test_threads_and_batches_change_nothing() -> None:
    game = toy(players=4)
    states = np.concatenate([position(game, [k, 5, 8, 1], 4, 150) for k in range(8)])
    decisions = DecisionBatch(game, states, np.arange(8), np.arange(8))
    alone = [GuidedPlayer("20", guide=guide(game, 2)).act(decisions.part(np.array([k]))) for k in range(8)]
    for threads in (1, 3):
        assert (
            GuidedPlayer("20", guide=guide(game, 2), threads=threads).act_batch(decisions).tolist() == alone
        )
    one, four = (
        GuidedPlayer("40", trees=4, threads=n, guide=guide(game, 2)).search(decisions.part(np.array([0])))
        for n in (1, 4)
    )
    assert one == four and sum(tried.visits for tried in one) == 40


def told() -> list[list[int]]:
    """Visits of some searches."""
    game = toy(players=3)
    player = GuidedPlayer("30", guide=guide(game, 5))
    found = [searched(player, game, position(game, [k, 9, 3 * k], 2 + k % 5, 100), k) for k in range(6)]
    return [[own[action].visits for action in (HOLD, ROLL)] for own in found]


@pytest.mark.skipif(PLAIN, reason="compares compiled code with plain")
def test_plain_python_finds_the_same() -> None:
    script = "import json; from players.test_guided import told; print(json.dumps(told()))"
    tests = Path(__file__).parents[1]
    paths = os.pathsep.join([str(tests), str(tests.parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == told()


# ---------------------------------------------------------------- wherever codes are taken


def model_of(path: Path, game: Game, kind: str = INCREMENTAL) -> str:
    """The path of a small network."""
    architecture = Architecture(kind, 8, 4, 4, 1, 8)
    save_model(
        path, architecture, game, initial_weights(architecture, Layout(game), np.random.default_rng(0)), {}
    )
    return str(path)


def test_a_code_with_a_path_plays_and_reviews(tmp_path: Path) -> None:
    pytest.importorskip("scipy")
    from genesia_rl.review.judge import Settings, review
    from genesia_rl.review.opinions import opinion, who_plays_out

    game = toy()
    code = f"search:8@{model_of(tmp_path / 'm.npz', game)}"
    player = make_player(code, "toy")
    assert isinstance(player, GuidedPlayer)
    assert player.name == code and base_name(code) == "search:8@m.npz" and player.fingerprint(game)
    found = evaluate(player, [RandomPlayer()], game, 4)
    assert found.games == 4
    shares = opinion(game, player, position(game, [0, 0], 3, 200), 1)
    assert set(shares) == {HOLD, ROLL} and sum(shares.values()) == pytest.approx(1.0)
    assert who_plays_out(game, player).name == f"ppo:{tmp_path / 'm.npz'}"
    trace = record(toy(target=10), [RandomPlayer()], 5)
    made = review(toy(target=10), trace, Settings(code, playouts=4, threads=1))
    assert made.playouts > 0


def test_what_a_model_was_paid_is_read_from_its_card(tmp_path: Path) -> None:
    game, layout = toy(), Layout(toy())
    weights = initial_weights(TINY, layout, np.random.default_rng(0))
    paid = {"reward": "rank", "shaping": 0.5, "scale": 10.0, "margin": 0.25}
    save_model(tmp_path / "m.npz", TINY, game, weights, {"settings": {"game": paid}})
    made = GuidedPlayer("4", str(tmp_path / "m.npz")).guide(game)
    assert [made.settings[name][0] for name in ("reward", "shaping", "scale")] == [1, 0.5, 10.0]
    assert made.margin == 0.25
    save_model(tmp_path / "w.npz", TINY, game, weights, {"settings": {"game": {"reward": "fame"}}})
    with pytest.raises(DataError, match=r"w\.npz: card: reward = 'fame', allowed are win"):
        GuidedPlayer("4", str(tmp_path / "w.npz")).guide(game)


@pytest.mark.parametrize(
    ("code", "said"),
    [("search", r"allowed is search:N\[@PATH\]"), ("search:0", "budget '0'"), ("search:5s", "budget '5s'"),
     ("search:4@", "'search:4@': allowed is search:N"), ("search:4@nowhere.npz", "nowhere.npz: no such file")],
)  # fmt: skip
def test_wrong_codes_are_one_line(code: str, said: str) -> None:
    toy()
    with pytest.raises((ConfigError, DataError), match=said) as caught:
        make_player(code, "toy")
    assert "\n" not in str(caught.value)


def test_without_a_network_it_says_what_is_allowed(tmp_path: Path) -> None:
    game, states = toy(), position(toy(), [0, 0], 3, 200)
    with pytest.raises(
        ConfigError, match=r"'search:4': no network of toy .* allowed are search:4@PATH and mcts:N"
    ):
        make_player("search:4", "toy").act(DecisionBatch.one(game, states))
    flat = GuidedPlayer("4", model_of(tmp_path / "m.npz", game, "flat"))
    with pytest.raises(ConfigError, match=r"is a network of kind 'flat', allowed in a search .*incremental"):
        flat.act(DecisionBatch.one(game, states))
    with pytest.raises(ConfigError, match="unknown setting 'spread', allowed are explore"):
        GuidedPlayer("4", spread=3.0)


# ---------------------------------------------------------------- every game


@pytest.mark.slow
@pytest.mark.parametrize("variant", FEW)
def test_every_game_is_played_with_any_network(variant: str) -> None:
    """Teams, several seats and joint games too: all choices are legal, and every budget is spent."""
    game = game_of(variant)
    player, states, steps = GuidedPlayer("4", guide=guide(game, 1)), game.new_states(), 0
    game.reset(states, 0, 5)
    while not game.is_over(states, 0):
        decision = DecisionBatch.one(game, states, 0, 5)
        tried = player.search(decision)
        legal = game.legal_actions(states, 0)
        assert sorted(each.action for each in tried) == legal and sum(each.visits for each in tried) == 4
        assert all(np.isfinite(each.value) and 0 <= each.score <= 1 for each in tried)
        game.step(states, 0, game.from_view(game.seat(states, 0), player.act(decision)))
        steps += 1
    assert steps > 10


@pytest.mark.slow
@pytest.mark.parametrize("name", game_names())
def test_networks_that_ship_search_well_enough_to_beat_random_play(name: str) -> None:
    contests = [game_of(v) for v in FEW_CONTESTS if game_of(v).name == name]
    ships = [game for game in contests if (models_of(name) / model_name(game)).is_file()]
    if not ships:
        pytest.skip(f"no network of {name} comes with the package")
    found = evaluate(make_player("search:8", name), [RandomPlayer()], ships[0], 10)
    assert found.rate > 0.8
