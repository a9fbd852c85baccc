"""The scripted players: how well they play, and that they play by what they may know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from games.age_of_civilization.playing import alone, game_of, random_states, start

from genesia_rl.core.mind import mind_of
from genesia_rl.games.age_of_civilization.mind.plan import NAMES, WEIGHTS, characters, make_plan
from genesia_rl.games.age_of_civilization.variants import VARIANTS

MIND = mind_of("age_of_civilization")
Weights = dict[str, Any]


def share_of_firsts(weights: Weights, others: Weights, games: int, **config: Any) -> float:
    """How often the first weights win against the others, in every seat equally often; ties are shared."""
    game = game_of(**config)
    n = game.num_seats
    plans = np.concatenate([make_plan(game, weights), make_plan(game, others)])
    results, lineups = np.zeros(games, game.facts.result_dtype), np.ones((games, 4), np.int64)
    mine = np.arange(games) % n
    lineups[np.arange(games), mine] = 0
    actions, scores = np.zeros(MIND.most_actions, np.int64), np.zeros(MIND.most_actions)
    seeds = np.arange(games, dtype=np.uint64)
    assert MIND.kernels is not None
    MIND.kernels.play_plans(game.new_states(2), game.tables, seeds, plans, lineups, actions, scores, results)
    ranks = results["ranks"][:, :n]
    won = ranks[np.arange(games), mine] == 0
    return float(np.where(won, 1 / (ranks == 0).sum(1), 0).mean())


def chosen(game: Any, states: Any, name: str = "greedy") -> str:
    """A character's choice."""
    plan, room = make_plan(game, characters()[name]), game.new_states()
    actions, scores, out = np.zeros(128, np.int64), np.zeros(128), np.zeros(1, np.int64)
    one = np.zeros(1, np.int64)
    assert MIND.kernels is not None
    MIND.kernels.choose_rows(states, one, game.tables, one.astype(np.int32), plan, room, np.zeros(1, np.uint64),
                             actions, scores, out)  # fmt: skip
    return str(game.action_text(int(out[0])))


@pytest.mark.parametrize(
    "config", [{}, VARIANTS["all2"], VARIANTS["innovation2"]], ids=["plain", "all", "innovation"]
)
def test_greedy_wins_95_games_of_100_against_random(config: dict[str, Any]) -> None:
    greedy = characters()["greedy"]
    assert share_of_firsts(greedy, {**greedy, "noise": 1e6}, 300, **{"players": 2, **config}) >= 0.95


@pytest.mark.parametrize("players", [3, 4])
def test_greedy_wins_most_games_of_more_players(players: int) -> None:
    greedy = characters()["greedy"]
    assert share_of_firsts(greedy, {**greedy, "noise": 1e6}, 150, players=players) >= 0.9


@pytest.mark.parametrize("name", MIND.characters)
def test_every_character_beats_random(name: str) -> None:
    weights = characters()[name]
    assert share_of_firsts(weights, {**weights, "noise": 1e6}, 150, players=2) >= 0.9


@pytest.mark.parametrize("name", ["players3", "draft3", "all4"])
def test_choices_depend_on_nothing_that_the_seat_does_not_see(name: str) -> None:
    game, rng = game_of(**VARIANTS[name]), np.random.default_rng(1)
    for number, (states, action) in enumerate(random_states(game, 6)):
        if action >= 0 and number % 4 == 0:
            other = game.resample_hidden(states, 0, game.seat(states, 0), rng)
            assert chosen(game, states) == chosen(game, other)


def test_sensible_choices() -> None:
    play = alone(46, wonder_market=[1], coins=7, rnd=6)
    assert chosen(play.game, play.states) == "act:wonder"
    play = alone(42, rnd=6, workers=[1, 4], coins=4, open=["culture", "conquest"])
    assert chosen(play.game, play.states) in ("act:culture", "act:conquest")
    tired = start(workers=[1, 4], coins=[0, 0], open=["culture", "construction"])
    assert chosen(tired.game, tired.states) == "rest"


def test_weights_have_names_and_shapes() -> None:
    assert set(characters()["greedy"]) == set(NAMES)
    for name, shape, meaning in WEIGHTS:
        assert meaning and np.asarray(characters()["greedy"][name]).shape == shape
    with pytest.raises(ValueError, match="weights: coin is missing"):
        make_plan(game_of(), {})
    with pytest.raises(ValueError, match="weights: coin of shape"):
        make_plan(game_of(), {**characters()["greedy"], "coin": [1.0]})
