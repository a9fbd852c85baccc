"""Agents where all play together: joint scores at the same deals, with intervals."""

from __future__ import annotations

import re

import numpy as np
import pytest
from env_tools import JOINT, game_of, split

from genesia_rl.cli.app import run
from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import make_game
from genesia_rl.matches.together import Comparison, Scores, compared, scores_of
from genesia_rl.players.random import RandomPlayer

VARIANT = JOINT[0]


@pytest.mark.parametrize("variant", JOINT[:1])
def test_a_joint_score_is_the_lowest_total_of_each_deal(variant: str) -> None:
    game = game_of(variant)
    found = scores_of(RandomPlayer(), game, 6, seed=3)
    again = scores_of(RandomPlayer(), game, 9, seed=3)
    assert len(found.joint) == 6 and (again.joint[:6] == found.joint).all(), "the same deals, whoever plays"
    seeds = np.random.default_rng([3, 5]).integers(1 << 63, size=6, dtype=np.uint64)
    results = np.zeros(6, game.facts.result_dtype)
    game.kernels.play_random(game.new_states(), 0, game.tables, seeds, results)
    assert (results["totals"][:, : game.num_seats].min(axis=1) == found.joint).all()


def test_an_interval_holds_the_mean_as_often_as_it_says() -> None:
    rng, held = np.random.default_rng(0), 0
    for _ in range(400):
        low, high = Scores(rng.normal(50.0, 10.0, 60)).interval()
        held += low <= 50 <= high
    assert 0.92 < held / 400 < 0.98


def test_what_deals_have_in_common_is_no_noise_of_a_difference() -> None:
    deals = np.random.default_rng(0).normal(50.0, 20.0, 100)
    better = deals + 3 + np.random.default_rng(1).normal(0.0, 1.0, 100)
    low, high = Comparison(Scores(better), Scores(deals)).ahead.interval()
    assert 2 < low < 3.3 and 2.7 < high < 4
    apart = Scores(better).interval()
    assert apart[1] - apart[0] > 5 * (high - low)


def test_an_agent_beside_itself_is_not_ahead() -> None:
    name, config = split(VARIANT)
    found = compared(name, "random", "random", config["players"], 5, seed=1)
    assert found.ahead.mean == 0 and found.ahead.interval() == (0, 0)


def test_what_a_card_holds_is_what_is_printed() -> None:
    found = Scores(np.array([1.0, 2.0, 4.0, 9.0]))
    assert found.to_dict() | {"low": 0, "high": 0} == {
        "games": 4,
        "score": 4,
        "low": 0,
        "high": 0,
        "median": 3,
    }
    assert re.fullmatch(r"4\.0 \(0\.\d \.\. 7\.\d\), median 3", found.text())


def test_a_contest_and_no_games_are_refused() -> None:
    with pytest.raises(ConfigError, match="a contest, allowed are games with one joint score"):
        scores_of(RandomPlayer(), make_game(), 1)
    with pytest.raises(ConfigError, match="games = 0, allowed is 1 or more"):
        scores_of(RandomPlayer(), game_of(VARIANT), 0)


def test_evaluate_tells_joint_scores_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    name, config = split(VARIANT)
    who = f"--game {name} --players {config['players']} --agent random --against random"
    words = ["evaluate", *who.split(), "--games", "4"]
    assert run(words) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1 and out.startswith("random: joint score ") and "in 4 deals each" in out
    assert run([*words, "--varied"]) == 2
    assert "--varied: allowed where all play together is --no-varied" in capsys.readouterr().err
