"""Every registered agent: legal, blind to what is hidden, the same in every batch, named and versioned."""

from __future__ import annotations

import pickle
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from env_tools import VARIANTS, game_of, play_eagerly, positions

from agents.registry import AGENTS, make_agent, make_agents
from agents.search import SearchAgent
from agents.tree.grow import put_values
from experiments.train.evaluate import evaluate
from genesia_rl.contract import MAX_PARTS, MAX_SEATS, States
from genesia_rl.errors import ActionError, ConfigError
from genesia_rl.registry import make_game
from genesia_rl.seen import Player, Seen
from genesia_rl.vector import LearnerBatch

CODES = ("random", "greedy", "settler", "scholar", "warlord", "trader", "mcts:4", "ppo")
TABLES = ("players2", "players3", "players5", "promos3", "teams4", "all3", "solo_expert")


@lru_cache(maxsize=len(TABLES))
def some_positions(variant: str) -> list[States]:
    """Positions of every kind of decision."""
    found = positions(game_of(variant), games=12, of_each=3)
    return [states for states in found if not game_of(variant).is_over(states, 0)]


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("variant", TABLES)
def test_what_is_hidden_does_not_change_a_choice(code: str, variant: str) -> None:
    """The hidden part drawn anew, the same salt: the same action, exactly."""
    game, agent, rng = game_of(variant), make_agent(code), np.random.default_rng(3)
    for number, states in enumerate(some_positions(variant)):
        seat = game.seat(states, 0)
        action = agent.act(Seen.one(game, states, 0, seed=number))
        for _ in range(3):
            other = game.resample_hidden(states, 0, seat, rng)
            assert agent.act(Seen.one(game, other, 0, seed=number)) == action, game.kind(states, 0)


@pytest.mark.parametrize("variant", TABLES)
def test_a_search_of_one_simulation_chooses_what_greedy_chooses(variant: str) -> None:
    """Before anything is found out the heuristic decides, and ties go by the seat's own numbering."""
    game, search, greedy = game_of(variant), make_agent("mcts:1"), make_agent("greedy")
    for number, states in enumerate(some_positions(variant)):
        seen = Seen.one(game, states, 0, seed=number)
        assert search.act(seen) == greedy.act(seen), game.kind(states, 0)


class Peeker(Player):
    """Plays well only because it looks: the sum of everybody's cards decides."""

    def act_batch(self, seen: Seen) -> Any:
        hands = seen.states["hand"][seen.rows].astype(np.float64).sum(axis=(1, 2))
        legal = seen.mask.astype(bool)
        k = (np.abs(np.sin(hands)) * legal.sum(axis=1)).astype(np.int64)
        return np.argmax(legal.cumsum(axis=1) == k[:, None] + 1, axis=1)


def test_an_agent_that_looks_at_hidden_cards_is_found_out() -> None:
    game, rng, found = game_of("players3"), np.random.default_rng(3), 0
    for states in some_positions("players3"):
        other = game.resample_hidden(states, 0, game.seat(states, 0), rng)
        first, second = (Peeker().act(Seen.one(game, s)) for s in (states, other))
        found += first != second
    assert found > 10


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("variant", TABLES)
def test_a_choice_is_legal_and_the_same_alone_or_in_a_batch(code: str, variant: str) -> None:
    game, agent = game_of(variant), make_agent(code)
    states = np.concatenate(some_positions(variant))
    before = states.copy()
    salt = np.arange(len(states)).astype(np.uint64)
    together = agent.act_batch(Seen(game, states, np.arange(len(states)), salt))
    assert together.shape == (len(states),) and (states == before).all()
    for i in range(0, len(states), 7):
        alone = agent.act(Seen(game, states, np.array([i]), salt[i : i + 1]))
        assert alone == together[i]
        assert game.from_view(game.seat(states, i), alone) in game.legal_actions(states, i)


@pytest.mark.parametrize("code", CODES)
def test_agents_have_a_name_and_a_version_and_survive_pickling(code: str) -> None:
    agent = make_agent(code)
    assert agent.name == code and agent.version >= 1
    game = game_of("players2")
    seen = Seen.one(game, some_positions("players2")[0])
    agent.reset(5)
    again = pickle.loads(pickle.dumps(agent))
    assert again.act(seen) == agent.act(seen)


@pytest.mark.parametrize("code", ("random", "greedy"))
def test_agents_are_opponents_of_a_batch(code: str) -> None:
    game = make_game("genesia", players=3)
    opponents: list[Any] = [make_agent(code)]  # a player, which is asked in its own way
    batch = LearnerBatch(game, 8, opponents, seating="rotate")
    batch.reset(1)
    streams, ended = np.arange(8).astype(np.uint64), 0
    for _ in range(300):
        batch.step(batch.random_actions(streams))
        ended += int(batch.done.sum())
    assert ended >= 8


@pytest.mark.parametrize(
    ("code", "says"),
    [("nobody", "agent 'nobody': unknown, allowed are random, greedy"), ("greedy:3", "allowed is greedy"),
     ("mcts", "allowed is mcts:N"), ("mcts:0", "budget '0'"), ("mcts:-5", "budget"), ("mcts:5s", "budget"),
     ("mcts:", "budget")],
)  # fmt: skip
def test_wrong_codes_are_refused_by_name(code: str, says: str) -> None:
    with pytest.raises(ConfigError, match=says):
        make_agent(code)


def test_a_list_of_codes() -> None:
    assert [agent.name for agent in make_agents("random, greedy,mcts:5")] == ["random", "greedy", "mcts:5"]


def test_every_registered_agent_is_tested_here() -> None:
    assert {code.partition(":")[0] for code in CODES} >= set(AGENTS)


def test_every_variant_of_the_tables_exists() -> None:
    assert set(TABLES) <= set(VARIANTS)


def test_a_finished_game_asks_nobody() -> None:
    game = game_of("players2")
    *_, over = play_eagerly(game, seed=0)
    with pytest.raises(ActionError, match="a game that is over asks nobody"):
        make_agent("greedy").act(Seen.one(game, over))


# ---------------------------------------------------------------- the search


def test_a_search_spends_its_budget_and_says_what_it_tried() -> None:
    game = game_of("players2")
    for states in some_positions("players2")[:10]:
        tried = SearchAgent("24").search(Seen.one(game, states))
        assert sum(t.visits for t in tried) == 24
        assert sorted(t.action for t in tried) == game.legal_actions(states, 0)
        assert [t.visits for t in tried] == sorted((t.visits for t in tried), reverse=True)


def test_a_search_in_teams_values_the_lowest_score_of_its_team() -> None:
    game = game_of("teams4")
    *_, over = play_eagerly(game, seed=3)
    styled, result = SearchAgent("1")._style[0], game.scores(over, 0)
    values, parts = np.zeros(MAX_SEATS), np.zeros((MAX_SEATS, MAX_PARTS), np.int32)
    totals, places = np.zeros(MAX_SEATS, np.int32), np.zeros(MAX_SEATS, np.int8)
    plan = SearchAgent("1").plan(game)[0]
    put_values(over, 0, game.tables, plan[0], styled, parts, totals, places, values)
    teams = {
        team: min(int(result.totals[s]) for s in range(4) if game.teams[s] == team) for team in game.teams
    }
    assert len(teams) == 2 and len(set(teams.values())) == 2
    for seat, team in enumerate(game.teams):
        lead = teams[team] - max(score for other, score in teams.items() if other != team)
        wins = styled["win"] * (1 if result.places[seat] == 0 else -1)
        assert values[seat] == pytest.approx(np.tanh(lead / styled["spread"]) + wins)


def test_an_action_is_offered_as_often_as_it_was_legal() -> None:
    """All are legal at the root in every simulation; deeper down hands differ, and so does what is legal."""
    game, agent = game_of("players2"), SearchAgent("200")
    some = 0
    for states in some_positions("players2")[:20]:
        agent.search(Seen.one(game, states, seed=1))
        tree = next(iter(agent._memory.values()))[0][0]
        nodes, edges = tree.nodes[: tree.head[0]["nodes"]], tree.edges
        for number, node in enumerate(nodes):
            edge = int(node["first"])
            while edge >= 0:
                offered = edges[edge]["offered"]
                assert edges[edge]["visits"] <= offered <= node["visits"]
                assert number > 0 or offered == node["visits"] == 200
                some += bool(offered < node["visits"])
                edge = int(edges[edge]["next"])
    assert some > 100


def test_more_threads_grow_the_same_trees() -> None:
    game = game_of("players3")
    for states in some_positions("players3")[:10]:
        seen = Seen.one(game, states, seed=4)
        one, four = (SearchAgent("16", trees=4, threads=n).search(seen) for n in (1, 4))
        assert one == four and sum(t.visits for t in one) == 16


def test_more_threads_choose_the_same_in_many_games() -> None:
    game = game_of("players2")
    states = np.concatenate(some_positions("players2")[:24])
    seen = Seen(game, states, np.arange(len(states)), np.arange(len(states)).astype(np.uint64))
    one, three = (SearchAgent("6", threads=n).act_batch(seen) for n in (1, 3))
    assert (one == three).all()


@pytest.mark.slow
def test_a_search_is_stronger_than_what_it_plays_out_with() -> None:
    """12 simulations a decision: more than half of 40 games (measured: nine tenths)."""
    game = game_of("players2")
    seeds, seats = np.repeat(np.arange(20, dtype=np.uint64), 2), np.tile(np.arange(2), 20)
    results = SearchAgent("12").play(game, seeds, seats)
    assert (results["places"][np.arange(40), seats] == 0).mean() > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("character", ["greedy", "settler", "scholar", "warlord", "trader"])
def test_scripted_agents_beat_random_play(character: str) -> None:
    for players in (2, 4):
        found = evaluate(make_agent(character), [make_agent("random")], game_of(f"players{players}"), 200)
        assert found.rate > 0.8


def test_a_budget_of_time_is_kept() -> None:
    game, states = game_of("players2"), some_positions("players2")[0]
    agent = SearchAgent("30ms")
    agent.search(Seen.one(game, states))  # loads the compiled code
    visits = sum(t.visits for t in agent.search(Seen.one(game, states)))
    assert 8 <= visits < 200_000


def test_wrong_settings_of_a_search_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="unknown setting 'depth', allowed are explore"):
        SearchAgent("10", depth=3)
    with pytest.raises(ConfigError, match="trees = 0"):
        SearchAgent("10", trees=0)
