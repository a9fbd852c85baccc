"""Games side by side: each is what it would be alone, habits are kept, mistakes of agents are named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matches.playing import chi_square, games_of

from genesia_rl.core.errors import PlayerError
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import make_game
from genesia_rl.games.genesia.actions import PEACE_ACTION, WAR_ACTION
from genesia_rl.games.genesia.lab.habits import BLIND, PEACEFUL, PLACELESS
from genesia_rl.matches import play as playing
from genesia_rl.matches.play import Match, play
from genesia_rl.players.codes import make_player

PICKS = 5


def picked(match: Match, rows: Any) -> Match:
    return Match(*(array[rows] for array in match))


def alone_and_together(codes: str, players: int, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    game = make_game("genesia", players=players)
    agents = [make_player(code) for code in codes.split(",")]
    match = games_of(game, count, len(agents))
    match.habits[:, 0] = np.arange(count) % 8
    together = play(game, agents, match)
    for row in range(count):
        alone = play(game, [make_player(code) for code in codes.split(",")], picked(match, [row]))
        assert np.array_equal(alone.measures, together.measures[row : row + 1])
    shuffled = np.random.default_rng(1).permutation(count)
    assert np.array_equal(play(game, agents, picked(match, shuffled)).measures, together.measures[shuffled])
    monkeypatch.setattr(playing, "SIDE_BY_SIDE", 3)
    monkeypatch.setattr(playing, "LOG", 8)
    parted = play(game, agents, match)
    assert np.array_equal(parted.measures, together.measures)
    assert np.array_equal(parted.decisions, together.decisions) and together.decisions.all()


@pytest.mark.parametrize("players", [2, 3, 5])
def test_a_game_does_not_depend_on_the_games_beside_it(players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    alone_and_together("random,greedy,settler", players, 10, monkeypatch)


@pytest.mark.slow
def test_a_game_of_a_search_does_not_depend_on_the_games_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    alone_and_together("mcts:8,ppo", 2, 8, monkeypatch)


def test_decisions_and_time_are_counted_for_whom_they_belong_to() -> None:
    game = make_game("genesia", players=2)
    match = games_of(game, 40)
    match.lineup[:, 1] = 1
    found = play(game, [make_player("random"), make_player("greedy")], match)
    assert found.decisions.sum() == found.measures["steps"].sum()
    assert (found.decisions > 0).all() and (found.seconds > 0).all()


# ---------------------------------------------------------------- habits


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_peace_and_war_are_the_same_numbers_for_every_seat(players: int) -> None:
    game = make_game("genesia", players=players)
    for seat in range(players):
        assert game.to_view(seat, PEACE_ACTION) == PEACE_ACTION == game.from_view(seat, PEACE_ACTION)
        assert game.to_view(seat, WAR_ACTION) == WAR_ACTION
    assert (game.action_text(PEACE_ACTION), game.action_text(WAR_ACTION)) == ("peace", "war")


def test_the_peaceful_never_choose_war_and_others_do() -> None:
    game = make_game("genesia", players=3)
    match = games_of(game, 60)
    match.habits[:, 1] = PEACEFUL
    found = play(game, [make_player("warlord")], match).measures
    wars, assaults = found["wars"].sum(axis=(0, 1)), found["assaults"].sum(axis=(0, 1))
    assert wars[1] == assaults[1] == 0 and wars[0] > 0 < wars[2] and assaults[0] > 0 < assaults[2]


def pick_ranks(measures: Any, players: int, seat: int) -> list[list[int]]:
    """For each of the five picks: which card of the pack was kept, counted from the smallest number."""
    counts = [[0] * (PICKS + 1 - k) for k in range(PICKS)]
    for m in measures:
        for age in range(3):
            step = -1 if age == 1 else 1
            packs = [set(m["packs"][age, s].tolist()) for s in range(players)]
            for k in range(PICKS):
                for holder in range(players):
                    pack = packs[(holder - step * k) % players]
                    card = int(m["picks"][age, holder, k])
                    if holder == seat:
                        counts[k][sorted(pack).index(card)] += 1
                    pack.remove(card)
    return counts


def test_blind_drafts_are_uniform_and_the_others_are_not() -> None:
    game = make_game("genesia", players=2)
    match = games_of(game, 300)
    match.habits[:, 0] = BLIND
    found = play(game, [make_player("greedy")], match).measures
    blind = [chi_square(counts) for counts in pick_ranks(found, 2, 0)]
    assert min(blind) > 1e-3
    assert min(chi_square(counts) for counts in pick_ranks(found, 2, 1)) < 1e-6


def test_the_placeless_take_any_free_place_and_the_others_do_not() -> None:
    game = make_game("genesia", players=2)
    match = games_of(game, 500)
    match.habits[:] = PLACELESS
    found = play(game, [make_player("greedy")], match).measures
    habit = play(game, [make_player("greedy")], games_of(game, 500)).measures
    for age in range(2):
        took = [int((m["order"][age + 1, 0] == m["choosers"][age, 0]).sum()) for m in found]
        assert chi_square([sum(took), len(took) - sum(took)]) > 1e-3
    first = sum(int(m["order"][age + 1, 0] == m["choosers"][age, 0]) for m in habit for age in range(2))
    assert chi_square([first, 1000 - first]) < 1e-6


def test_habits_change_only_what_they_speak_of() -> None:
    game = make_game("genesia", players=2)
    match = games_of(game, 30)
    plain = play(game, [make_player("greedy")], match).measures
    match.habits[:, 0] = PLACELESS
    found = play(game, [make_player("greedy")], match).measures
    assert np.array_equal(found["picks"][:, 0], plain["picks"][:, 0]), "nothing before the first choice"
    assert np.array_equal(found["scores"][:, 0], plain["scores"][:, 0])
    assert not np.array_equal(found["order"], plain["order"])


# ---------------------------------------------------------------- agents that do what is not allowed


class Cheat(Player):
    """Random, but in its third decision as seat 1 it does what it may not."""

    name = "cheat"

    def __init__(self, action: int) -> None:
        self.action, self.inner = action, make_player("random")

    def act_batch(self, seen: DecisionBatch) -> Any:
        actions = self.inner.act_batch(seen)
        states = seen.states[seen.rows]
        actions[(states["seat"] == 1) & (states["steps"] > 6) & (seen.rows == 2)] = self.action
        return actions


@pytest.mark.parametrize("action", [WAR_ACTION, -1, -7, 10**6])
def test_an_action_that_is_not_allowed_names_agent_seat_and_seed(action: int) -> None:
    game = make_game("genesia", players=3)
    match = games_of(game, 5, 2, first=70)
    match.lineup[:] = [0, 1, 0]
    with pytest.raises(PlayerError, match=r"agent cheat, seat 1 of the game with seed 72: .*allowed are"):
        play(game, [make_player("random"), Cheat(action)], match)
