"""Every player of every game: legal, blind to what is hidden, the same in every batch, named and versioned."""

from __future__ import annotations

import pickle
import time
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from env_tools import FEW, FEW_CONTESTS, game_of, play, positions

from genesia_rl.core.errors import ActionError, ConfigError
from genesia_rl.core.game import States
from genesia_rl.core.mind import mind_of
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import default_game, game_names, make_game, offers
from genesia_rl.matches.evaluate import evaluate
from genesia_rl.players.codes import codes_of, make_player, make_players
from genesia_rl.players.ladder import ladders
from genesia_rl.players.learned import model_name, models_of
from genesia_rl.players.search import SearchPlayer
from genesia_rl.vector.batch import LearnerBatch

#: What is tested of players whose code has an argument.
CODES = {
    "mcts": "mcts:4",
    "search": "search:4",
    "mixed": "mixed:40",
    "level": "level:2",
    "drawn": "drawn:0.5",
}
SEARCHED = [variant for variant in FEW if offers(game_of(variant).name, "mind")]
SCRIPTED = [variant for variant in SEARCHED if mind_of(game_of(variant).name).characters]


def plays(code: str, variant: str) -> bool:
    """Can it? A trained network comes for some numbers of players only, a search needs a mind."""
    game = game_of(variant)
    if code in ("ppo", "drawn", "search"):
        return (models_of(game.name) / model_name(game)).exists()
    if code == "level":
        return game.is_contest and game.num_seats in ladders(game.name)
    return code != "mcts" or variant in SEARCHED


#: Every player in every game that it can play. To compile a search with a network takes most of a minute for each game.
PLAYERS = [
    pytest.param(variant, CODES.get(code, code), marks=[pytest.mark.slow] * (code == "search"))
    for variant in FEW
    for code in codes_of(game_of(variant).name)
    if code != "sb3"  # plays what its file says: test_sb3_models.py
    if plays(code, variant)
]


@lru_cache(maxsize=len(FEW))
def some_positions(variant: str) -> list[States]:
    """Positions of every kind of decision."""
    game = game_of(variant)
    found = positions(game, games=6, of_each=8)
    return [states for states in found if not game.is_over(states, 0)]


def together(variant: str) -> DecisionBatch:
    """All of them as one batch, each with a seed of its own."""
    states = np.concatenate(some_positions(variant))
    return DecisionBatch(game_of(variant), states, np.arange(len(states)), np.arange(len(states)))


@pytest.mark.parametrize(("variant", "code"), PLAYERS)
def test_what_is_hidden_does_not_change_a_choice(variant: str, code: str) -> None:
    """The hidden part drawn anew, the same random key: the same action, exactly."""
    game, rng = game_of(variant), np.random.default_rng(3)
    player = make_player(code, game.name)
    for number, states in enumerate(some_positions(variant)):
        seat = game.seat(states, 0)
        action = player.act(DecisionBatch.one(game, states, 0, seed=number))
        for _ in range(3):
            other = game.resample_hidden(states, 0, seat, rng)
            assert player.act(DecisionBatch.one(game, other, 0, seed=number)) == action, game.kind(states, 0)


@pytest.mark.parametrize(("variant", "code"), PLAYERS)
def test_a_choice_is_legal_and_the_same_alone_or_in_a_batch(variant: str, code: str) -> None:
    game, decisions = game_of(variant), together(variant)
    player, before = make_player(code, game.name), decisions.states.copy()
    actions = player.act_batch(decisions)
    assert actions.shape == (len(decisions),) and (decisions.states == before).all()
    for i in range(0, len(decisions), 7):
        alone = player.act(decisions.part(np.array([i])))
        assert alone == actions[i]
        assert game.from_view(game.seat(before, i), alone) in game.legal_actions(before, i)


@pytest.mark.parametrize(("variant", "code"), PLAYERS)
def test_players_have_a_name_and_a_version_and_survive_pickling(variant: str, code: str) -> None:
    game = game_of(variant)
    player = make_player(code, game.name)
    assert player.name == code and player.version >= 1
    decision = DecisionBatch.one(game, some_positions(variant)[0])
    player.reset(5)
    assert pickle.loads(pickle.dumps(player)).act(decision) == player.act(decision)


@pytest.mark.parametrize("variant", FEW_CONTESTS)
def test_players_are_opponents_of_a_batch(variant: str) -> None:
    game = game_of(variant)
    opponents: list[Any] = [make_player("random", game.name)]  # a player, which is asked in its own way
    batch = LearnerBatch(game, 8, opponents, seating="rotate")
    batch.reset(1)
    streams, ended = np.arange(8).astype(np.uint64), 0
    while ended < 8:
        batch.step(batch.random_actions(streams))
        ended += int(batch.done.sum())


def test_wrong_codes_are_refused_by_name() -> None:
    name = default_game()
    character = next(iter(mind_of(name).characters))
    for code, message in (
        ("nobody", f"agent 'nobody': unknown, allowed are random, {character}"),
        (f"{character}:3", f"allowed is {character}"), ("mcts", "allowed is mcts:N"), ("mcts:0", "budget '0'"),
        ("mcts:-5", "budget"), ("mcts:5s", "budget"), ("mcts:", "budget"),
    ):  # fmt: skip
        with pytest.raises(ConfigError, match=message):
            make_player(code, name)


def test_a_list_of_codes() -> None:
    assert [player.name for player in make_players("random, mcts:5")] == ["random", "mcts:5"]


@pytest.mark.parametrize("name", game_names())
def test_every_registered_player_is_tested_here(name: str) -> None:
    own = [str(held.values[1]) for held in PLAYERS if game_of(str(held.values[0])).name == name]
    tested = {code.partition(":")[0] for code in own}
    ships = any(models_of(name).glob("*.npz"))
    assert tested >= set(codes_of(name)) - {"sb3"} - ({"mcts"} if not offers(name, "mind") else set()) - (
        set() if ships else {"ppo", "drawn", "search"}
    )


@pytest.mark.parametrize("variant", FEW)
def test_a_finished_game_asks_nobody(variant: str) -> None:
    game = game_of(variant)
    *_, over = play(game, 0)
    with pytest.raises(ActionError, match="a game that is over asks nobody"):
        make_player("random", game.name).act(DecisionBatch.one(game, over))


# ---------------------------------------------------------------- the search


@pytest.mark.parametrize("variant", SEARCHED)
def test_a_search_spends_its_budget_and_says_what_it_tried(variant: str) -> None:
    game = game_of(variant)
    for states in some_positions(variant)[:10]:
        tried = SearchPlayer("24").search(DecisionBatch.one(game, states))
        assert sum(t.visits for t in tried) == 24
        assert sorted(t.action for t in tried) == game.legal_actions(states, 0)
        assert [t.visits for t in tried] == sorted((t.visits for t in tried), reverse=True)


@pytest.mark.parametrize("variant", SEARCHED)
def test_an_action_is_offered_as_often_as_it_was_legal(variant: str) -> None:
    """All are legal at the root in every simulation; deeper down hands may differ, and so does what is legal."""
    game, player = game_of(variant), SearchPlayer("120")
    for states in some_positions(variant)[:20:3]:
        player.search(DecisionBatch.one(game, states, seed=1))
        tree = next(iter(player._memory.values()))[0].tree
        nodes, edges = tree.nodes[: tree.head[0]["nodes"]], tree.edges
        for number, node in enumerate(nodes):
            edge = int(node["first"])
            while edge >= 0:
                offered = edges[edge]["offered"]
                assert edges[edge]["visits"] <= offered <= node["visits"]
                assert number > 0 or offered == node["visits"] == 120
                edge = int(edges[edge]["next"])


@pytest.mark.parametrize("variant", SEARCHED)
def test_more_threads_grow_the_same_trees(variant: str) -> None:
    game = game_of(variant)
    for states in some_positions(variant)[:10]:
        decision = DecisionBatch.one(game, states, seed=4)
        one, four = (SearchPlayer("16", trees=4, threads=n).search(decision) for n in (1, 4))
        assert one == four and sum(t.visits for t in one) == 16


@pytest.mark.parametrize("variant", SEARCHED)
def test_more_threads_choose_the_same_in_many_games(variant: str) -> None:
    decisions = together(variant)
    decisions = decisions.part(np.arange(len(decisions))[:24])
    one, three = (SearchPlayer("6", threads=n).act_batch(decisions) for n in (1, 3))
    assert (one == three).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "variant", [v for v in SCRIPTED if game_of(v).is_contest and game_of(v).num_seats == 2]
)
def test_a_search_is_stronger_than_what_it_plays_out_with(variant: str) -> None:
    """12 simulations a decision: more than half of 40 games."""
    seeds, seats = np.repeat(np.arange(20, dtype=np.uint64), 2), np.tile(np.arange(2), 20)
    results = SearchPlayer("12").play(game_of(variant), seeds, seats)
    assert (results["ranks"][np.arange(40), seats] == 0).mean() > 0.5


@pytest.mark.slow
@pytest.mark.parametrize("variant", [v for v in SCRIPTED if game_of(v).is_contest])
def test_scripted_players_beat_random_play(variant: str) -> None:
    game = game_of(variant)
    for code in mind_of(game.name).characters:
        found = evaluate(make_player(code, game.name), [make_player("random", game.name)], game, 200)
        # Points, not places: in a team the best player stands where its worst mate stands.
        assert (found.margin > 0).mean() > 0.8, code


@pytest.mark.parametrize("variant", SEARCHED[:1])
def test_a_budget_of_time_is_kept(variant: str) -> None:
    game, states = game_of(variant), some_positions(variant)[0]
    player = SearchPlayer("30ms")
    player.search(DecisionBatch.one(game, states))  # loads the compiled code
    visits = sum(t.visits for t in player.search(DecisionBatch.one(game, states)))
    assert 8 <= visits < 200_000


@pytest.mark.parametrize(("trees", "threads", "takes"), [(1, 1, 0.2), (4, 1, 0.2), (4, 2, 0.4), (3, 2, 0.3)])
def test_trees_share_a_budget_of_time(
    monkeypatch: pytest.MonkeyPatch, trees: int, threads: int, takes: float
) -> None:
    """Trees one after the other share the time; the fake clock adds up what all threads spend."""
    clock = [0.0]

    def grow(*given: Any) -> None:
        clock[0] += 0.01

    game, states = make_game(), some_positions(SEARCHED[0])[0]
    player = SearchPlayer("200ms", trees=trees, threads=1)
    decision, room = DecisionBatch.one(game, states), player.room(game)
    search = room.mind.search._replace(grow=grow)
    player._rooms[id(game)] = room._replace(mind=room.mind._replace(search=search))
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    for memory in player._room(game, 0):
        player._grow(decision, threads, memory, np.uint64(1))
    assert clock[0] == pytest.approx(takes, abs=0.045)


def test_wrong_settings_of_a_search_are_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="unknown setting 'depth', allowed are explore"):
        SearchPlayer("10", depth=3)
    with pytest.raises(ConfigError, match="trees = 0"):
        SearchPlayer("10", trees=0)
