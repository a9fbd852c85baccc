"""A new game of some 300 lines gets whatever this package has, without a line changed outside its folder."""

from __future__ import annotations

import copy
import json
import warnings
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from cli_tools import Capture, genesia, lines, mistake
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import genesia_rl
from genesia_rl.core import registry
from genesia_rl.core.errors import ActionError, ConfigError, PositionError
from genesia_rl.core.registry import make_game, register_game
from genesia_rl.core.trace import record, to_line, verify
from genesia_rl.core.warmup import folder_of
from genesia_rl.envs import registration
from genesia_rl.players.codes import make_player
from genesia_rl.players.search import SearchPlayer
from genesia_rl.testing.check_game import check_game
from genesia_rl.testing.signature import signature
from genesia_rl.vector import Batch, LearnerBatch
from toy.variants import VARIANTS

FOLDER = Path(__file__).parent
SIGNATURE = "8554d5345a3ede42"


@pytest.fixture(scope="module", autouse=True)
def registered() -> Iterator[None]:
    """The one line that makes the game known; afterwards nobody knows it any more."""
    register_game("toy", "toy")
    registration.register()
    yield
    del registry._GAMES["toy"]


def test_it_is_as_short_as_it_says() -> None:
    files = [path for path in FOLDER.glob("*.py") if not path.name.startswith("test_")]
    lines = [line for path in files for line in path.read_text(encoding="utf-8").splitlines()]
    assert sum(bool(line.strip()) for line in lines) <= 300


# ---------------------------------------------------------------- the game itself


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_keeps_the_contract(variant: str) -> None:
    check_game(make_game("toy", **VARIANTS[variant]), seeds=(1, 2), thorough=3)


def test_its_signature_is_what_it_was() -> None:
    assert signature("toy") == SIGNATURE


@pytest.mark.parametrize(
    ("fields", "said"),
    [({"players": 5}, "players = 5, allowed 2..4"), ({"target": True}, "target = True, allowed 10..100"),
     ({"side": 6}, "unknown field 'side' = 6, allowed players, target, sides")],
)  # fmt: skip
def test_a_wrong_configuration_is_refused(fields: dict[str, int], said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make_game("toy", **fields)


def test_what_is_compiled_is_kept_in_a_folder_of_its_own() -> None:
    folder = folder_of(make_game("toy"))
    assert folder is None or folder.name.startswith("numba-toy-")


# ---------------------------------------------------------------- what it gets


def test_it_is_played_by_hand() -> None:
    play = genesia_rl.start("toy", seed=7, target=20)
    assert play.legal == ["hold", "roll"] and play.kind == "turn"
    while not play.over:
        play.do("hold")
    assert max(play.scores) >= 20 and play.result["winners"] and "of 20" in str(play)
    with pytest.raises(ActionError, match="action 'jump': unknown, allowed are hold, roll"):
        genesia_rl.start("toy").do("jump")


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.filterwarnings("ignore:Observation")
@pytest.mark.filterwarnings("ignore:Action mask")
def test_pettingzoos_checkers_pass(variant: str) -> None:
    config = VARIANTS[variant]
    api_test(genesia_rl.make("toy", **config), num_cycles=300)
    seed_test(lambda: genesia_rl.make("toy", **config), num_cycles=100)


def test_gymnasiums_checker_passes() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(gymnasium.make("Toy-v0", players=3).unwrapped)


def test_batches_pay_zero_sums_and_their_rows_may_be_of_several_configurations() -> None:
    game = make_game("toy", players=3)
    fields = [{"target": target, "sides": sides} for target in (10, 40, 100) for sides in (4, 6, 12)]
    batch = Batch(game, 18, tables=game.variations(fields))
    batch.next_table[:] = np.arange(18) % 9
    batch.reset(1)
    streams = np.arange(18, dtype=np.uint64)
    totals = np.zeros((18, 3))
    while batch.games["episode"].min() < 3:
        batch.step(batch.random_actions(streams))
        totals[batch.done] = batch.results["totals"][batch.done, :3]
        assert np.abs(batch.reward.sum(axis=1)).max() < 1e-6
    most = totals.max(axis=1)
    assert all(most[k] >= fields[k % 9]["target"] or fields[k % 9]["target"] == 100 for k in range(18))


def test_a_learner_meets_opponents() -> None:
    batch = LearnerBatch(make_game("toy", players=4), 8, ["random", make_player("mcts:4", "toy")])
    batch.reset(0)
    paid = 0.0
    while batch.games["episode"].min() < 2:
        batch.step([int(mask.argmax()) for mask in batch.mask])
        paid += float(np.abs(batch.learner_reward).sum())
    assert paid > 0


def test_a_search_beats_random_play() -> None:
    """Without a mind it plays out at random. 300 games: 0.65 is 5 standard deviations above one half."""
    game, games = make_game("toy"), 300
    seeds, seats = np.arange(games, dtype=np.uint64), np.arange(games) % 2
    results = SearchPlayer("200").play(game, seeds, seats)
    assert (results["ranks"][np.arange(games), seats] == 0).mean() > 0.65


def test_its_games_are_recorded_and_verified() -> None:
    game = make_game("toy", players=3)
    made = json.loads(to_line(record(game, make_player("random", "toy"), 5, legal=True, with_states=True)))
    assert made["format"] == "toy-trace/1" and verify(made).differences == []
    other = copy.deepcopy(made)
    other["deal"]["dice"][:40] = [2] * 40
    assert verify(other).differences
    start = {"player": 1, "points": [39, 0, 38], "dice": made["deal"]["dice"]}
    assert verify(record(game, make_player("random", "toy"), 5, position=start)).differences == []
    with pytest.raises(PositionError, match="points = None, allowed"):
        record(game, make_player("random", "toy"), 5, position={"player": 0})


# ---------------------------------------------------------------- on the command line


def test_every_command_takes_it(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (
        "record --game toy --players 3 --sides 8 --games 4 --legal --policy mcts:5,random,random --out a",
        "verify a", "show a --game 2 --step 3", "selfplay --game toy --games 50", "warmup --game toy",
        "--game toy bench --no-starts --no-envs --seconds 0.001",
    ):  # fmt: skip
        assert genesia(capsys, *arguments.split())[0] == 0, arguments
    assert [trace["config"] for trace in lines("a")] == [{"players": 3, "target": 40, "sides": 8}] * 4
    assert "--sides" in genesia(capsys, "record", "--help", "--game", "toy")[1]
    assert "agent 'greedy': unknown, allowed are random, mcts:N, search:N[@PATH], ppo" in mistake(
        capsys, "record", "--game", "toy", "--policy", "greedy", "--out", "b"
    )


def test_it_is_rated_studied_and_learned(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments, made in (
        (
            "arena --game toy --agents mcts:20,random --games 20 --out rated --backend serial",
            "rated/report.html",
        ),
        ("balance --game toy --policy random --games 100 --out fair --backend serial", "fair/report.html"),
        ("train --game toy --preset quick --updates 2 --out learned", "learned/model.npz"),
        (
            "evaluate --game toy --agent ppo:learned/model.npz --against random --games 20",
            "learned/model.npz",
        ),
    ):
        assert genesia(capsys, *arguments.split())[0] == 0, arguments
        assert (tmp_path / made).is_file()
