"""The scripted players: how well they play, and that they play by what they may know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from games.gentes.playing import alone, game_of, random_states

from genesia_rl.core.mind import mind_of
from genesia_rl.games.gentes.mind.plan import NAMES, WEIGHTS, characters, make_plan
from genesia_rl.games.gentes.variants import VARIANTS

MIND = mind_of("gentes")
Weights = dict[str, Any]


def played(weights: Weights, others: Weights, games: int, **config: Any) -> tuple[float, float]:
    """How often the first weights win, in every seat equally often (ties are shared), and their mean score."""
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
    share = float(np.where(won, 1 / (ranks == 0).sum(1), 0).mean())
    return share, float(results["totals"][np.arange(games), mine].mean())


def chosen(game: Any, states: Any, name: str = "greedy") -> str:
    """A character's choice."""
    plan, room = make_plan(game, characters()[name]), game.new_states()
    actions, scores = np.zeros(MIND.most_actions, np.int64), np.zeros(MIND.most_actions)
    one, out = np.zeros(1, np.int64), np.zeros(1, np.int64)
    assert MIND.kernels is not None
    MIND.kernels.choose_rows(states, one, game.tables, one.astype(np.int32), plan, room, np.zeros(1, np.uint64),
                             actions, scores, out)  # fmt: skip
    return str(game.action_text(int(out[0])))


def at_random() -> Weights:
    return {**characters()["greedy"], "noise": 1e6}


@pytest.mark.parametrize("config", [{}, {"advanced": True}, {"first_game": True}], ids=str)
def test_greedy_wins_95_games_of_100_against_random(config: dict[str, Any]) -> None:
    assert played(characters()["greedy"], at_random(), 300, **{"players": 2, **config})[0] >= 0.95


@pytest.mark.parametrize("players", [3, 4])
def test_greedy_wins_most_games_of_more_players(players: int) -> None:
    assert played(characters()["greedy"], at_random(), 120, players=players)[0] >= 0.95


def test_greedy_in_the_solo_game() -> None:
    assert played(characters()["greedy"], at_random(), 100, players=1)[1] >= 71


@pytest.mark.parametrize("name", MIND.characters)
def test_every_character_beats_random(name: str) -> None:
    assert played(characters()[name], at_random(), 100, players=2)[0] >= 0.95


@pytest.mark.parametrize("name", ["players2", "players3", "solo"])
def test_choices_depend_on_nothing_that_is_not_seen(name: str) -> None:
    """What is tried out draws cards, but what lies in the display is not evaluated."""
    game, rng = game_of(**VARIANTS[name]), np.random.default_rng(1)
    for number, (states, action) in enumerate(random_states(game, 6)):
        if action >= 0 and number % 2 == 0:
            other = game.resample_hidden(states, 0, game.seat(states, 0), rng)
            assert chosen(game, states) == chosen(game, other)


def test_sensible_choices() -> None:
    play = alone(round=6, hands=[[39]], citizens=[{"artisan": 5, "priest": 3}], singles=[10])
    assert chosen(play.game, play.states) in ("tile:15", "tile:16", "tile:18")
    rich = alone(round=6, singles=[11], played=[[9]]).do("tax:1")
    assert chosen(rich.game, rich.states) == "use:9"
    region = alone(round=6, cities={"2": 0, "7": 0, "8": 0}, temple=[4], singles=[10]).do("tile:26", "home:1")
    assert chosen(region.game, region.states) == "region:green"


def test_weights_have_names_and_shapes() -> None:
    assert set(characters()["greedy"]) == set(NAMES)
    for name, shape, meaning in WEIGHTS:
        assert meaning and np.asarray(characters()["greedy"][name]).shape == shape
    with pytest.raises(ValueError, match="weights: coin is missing"):
        make_plan(game_of(), {})
    with pytest.raises(ValueError, match="weights: coin of shape"):
        make_plan(game_of(), {**characters()["greedy"], "coin": [1.0]})
