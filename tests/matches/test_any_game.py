"""Matches of any game: each game is what it would be alone, and its measure is its result."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from matches.games_at_hand import GAMES, toy_registered, two_players
from matches.playing import games_of

from genesia_rl.core.errors import ConfigError, NotOffered, PlayerError
from genesia_rl.core.lab import lab_of
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import make_game, variants
from genesia_rl.matches import play as playing
from genesia_rl.matches.evaluate import evaluate, evaluate_codes
from genesia_rl.matches.games import columns, unfolded
from genesia_rl.matches.play import Match, plain_match, play
from genesia_rl.matches.variations import fields_of, variation_of
from genesia_rl.players.codes import make_player
from genesia_rl.players.random import RandomPlayer
from genesia_rl.stats.shares import first_shares

ANY = pytest.mark.parametrize("name", GAMES)


@pytest.fixture(scope="module", autouse=True)
def toy_too() -> Iterator[None]:
    yield from toy_registered()


def picked(match: Match, rows: Any) -> Match:
    return Match(*(array[rows] for array in match))


@ANY
def test_random_matches_are_the_random_games_of_the_engine(name: str) -> None:
    for fields in variants(name).values():
        game = make_game(name, **fields)
        match = games_of(game, 6)
        results = np.zeros(6, game.facts.result_dtype)
        game.kernels.play_random(game.new_states(), 0, game.tables, match.seeds, results)
        found = play(game, [RandomPlayer()], match).measures
        for field in ("parts", "totals", "ranks", "steps"):
            assert np.array_equal(found[field], results[field])
        assert np.array_equal(found["order"][:, 0], results["order"])


@ANY
def test_a_game_does_not_depend_on_the_games_beside_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, codes = make_game(name), two_players(name)
    agents = [make_player(code, name) for code in codes]
    match = games_of(game, 8, 2)
    habits = [without.habit for without in lab_of(name).without.values()]
    match.habits[:, 0] = [sum(habits[: row % (len(habits) + 1)]) for row in range(8)]
    together = play(game, agents, match)
    for row in range(8):
        assert np.array_equal(
            play(game, agents, picked(match, [row])).measures, together.measures[row : row + 1]
        )
    monkeypatch.setattr(playing, "SIDE_BY_SIDE", 3)
    monkeypatch.setattr(playing, "LOG", 4)
    parted = play(game, agents, match)
    assert np.array_equal(parted.measures, together.measures)
    assert np.array_equal(parted.decisions, together.decisions) and together.decisions.all()


@ANY
def test_games_may_be_of_several_configurations(name: str) -> None:
    game, player = make_game(name), make_player("random", name)
    match = games_of(game, 6)
    tables = game.variations([game.config_dict()] * 2)
    mixed = match._replace(which=np.arange(6, dtype=np.int32) % 2)
    assert np.array_equal(play(game, [player], mixed, tables).measures, play(game, [player], match).measures)


@ANY
def test_decisions_and_time_are_counted_for_whom_they_belong_to(name: str) -> None:
    game = make_game(name)
    match = games_of(game, 12)
    match.lineup[:, 1] = 1
    found = play(game, [make_player(code, name) for code in two_players(name)], match)
    assert found.decisions.sum() == found.measures["steps"].sum()
    assert (found.decisions > 0).all() and (found.seconds > 0).all()


@ANY
def test_every_habit_can_be_kept_by_everybody(name: str) -> None:
    game = make_game(name)
    match = games_of(game, 10)
    for what, without in lab_of(name).without.items():
        if without.habit:
            match.habits[:] = without.habit
            found = play(game, [make_player("random", name)], match)
            assert (found.measures["steps"] > 0).all(), what
            assert found.decisions[0] <= found.measures["steps"].sum()


@ANY
def test_what_belongs_to_no_seat_is_empty_and_columns_fold_back(name: str) -> None:
    game, lab = make_game(name), lab_of(name)
    seats, most = game.num_seats, game.facts.most_seats
    measures = play(game, [make_player("random", name)], games_of(game, 5)).measures
    table = columns(measures, seats, lab)
    assert all(held.ndim <= 2 and len(held) == 5 for held in table.values())
    for field, held in unfolded(table, seats, lab).items():
        whole, axis = measures[field], lab.seat_axis(field)
        if axis is not None:
            assert not whole.take(range(seats, most), axis=axis + 1).any()
            whole = whole.take(range(seats), axis=axis + 1)
        assert np.array_equal(held, whole) and held.dtype == whole.dtype


class Cheat(Player):
    """Random, but in game 2 it does what it may not as soon as it is asked."""

    name = "cheat"

    def act_batch(self, decisions: DecisionBatch) -> Any:
        actions = RandomPlayer().act_batch(decisions)
        actions[decisions.rows == 2] = decisions.game.num_actions
        return actions


@ANY
def test_an_action_that_is_not_allowed_names_agent_seat_and_seed(name: str) -> None:
    game = make_game(name)
    match = games_of(game, 4, first=70)
    with pytest.raises(PlayerError, match=r"agent cheat, seat \d of the game with seed 72: .*"):
        play(game, [Cheat()], match)


# ---------------------------------------------------------------- one agent against others


@ANY
def test_an_evaluation_plays_every_deal_from_every_seat(name: str) -> None:
    game = make_game(name)
    seats, told = game.num_seats, list[int]()
    agent, other = (make_player(code, name) for code in two_players(name))
    found = evaluate(agent, [other], game, 12, seed=3, on_games=told.append)
    assert found.won.shape == found.margin.shape == (-(-12 // seats), seats)
    assert sum(told) == found.games >= 12
    for deal in range(len(found.seeds)):
        for own in range(seats):
            lineup = np.ones((1, seats), np.int64)
            lineup[0, own] = 0
            measure = play(
                game, [agent, other], plain_match(game, found.seeds[deal : deal + 1], lineup)
            ).measures[0]
            assert found.won[deal, own] == first_shares(measure["ranks"][None, :seats])[0, own]
            rest = np.delete(measure["totals"][:seats], own).max()
            assert found.margin[deal, own] == measure["totals"][own] - rest
    assert f"{found.games} games" in found.text("one", "other")


@ANY
def test_an_agent_against_itself_wins_its_even_share(name: str) -> None:
    found = evaluate_codes(name, "random", "random", make_game(name).num_seats, 20, 1)
    assert found.rate == pytest.approx(1 / make_game(name).num_seats) and found.won.sum(
        axis=1
    ) == pytest.approx(1)
    low, high = found.interval()
    assert low < found.rate < high


def test_what_cannot_be_evaluated_is_refused() -> None:
    with pytest.raises(ConfigError, match="games = 0, allowed is 1 or more"):
        evaluate_codes("toy", "random", "random", 2, 0)
    with pytest.raises(ConfigError, match="against = 2 agents, allowed is 1 or 3"):
        evaluate_codes("toy", "random", "random,random", 4, 8)


# ---------------------------------------------------------------- what varies


@ANY
def test_what_varies_looks_alike_and_a_game_without_variation_says_so(name: str) -> None:
    players = make_game(name).num_seats
    if lab_of(name).variation is None:
        with pytest.raises(NotOffered, match=f"game '{name}' offers no variation"):
            fields_of(name, players, 10)
        return
    variation = variation_of(name)
    found = fields_of(name, players, 10)
    cells = variation.cells(players, 10)
    assert len(found) == len(cells) <= max(10, len(variation.choices(players)))
    assert all(len(cell) == len(variation.stages) for cell in cells)
    game = make_game(name)
    tables = game.variations(found)
    for k, fields in enumerate(found):
        assert (
            tables[k : k + 1].tobytes()
            == make_game(name, **{**game.config_dict(), **fields}).tables.tobytes()
        )
    assert evaluate_codes(name, "random", "random", players, 8, varied=True).games >= 8
