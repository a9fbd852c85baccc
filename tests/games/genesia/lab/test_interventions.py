"""What a laboratory does to a game is done, and nothing else."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from matches.playing import Looker, chi_square, games_of, turns

from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import make_game
from genesia_rl.games.genesia.lab.interventions import INTERVENTION
from genesia_rl.matches.play import Match, play
from genesia_rl.players.codes import make_player

AGE_COINS = 15
DRAWN = pytest.mark.parametrize("age", [0, 1])


def changed(match: Match, **fields: Any) -> Match:
    """The same games with something done to them."""
    interventions = match.interventions.copy()
    for name, value in fields.items():
        interventions[name] = value
    return match._replace(interventions=interventions)


def by_seat(*seats: int) -> list[int]:
    return [int(seat in seats) for seat in range(5)]


@pytest.mark.parametrize(
    "fields", [{"players": 2}, {"players": 5, "promos": True, "attack_recruiting": True}]
)
def test_an_empty_intervention_changes_no_byte(fields: dict[str, Any]) -> None:
    game, player = make_game("genesia", **fields), make_player("random")
    match = games_of(game, 12)
    plain = game.new_states(12)
    for row in range(12):
        game.reset(plain, row, int(match.seeds[row]))
    rows, compared = np.arange(12), 0
    for states in turns(game, player, match):
        assert states.tobytes() == plain.tobytes()
        compared += 1
        rows = rows[plain["over"][rows] == 0]
        if len(rows):
            chosen = player.act_batch(DecisionBatch(game, plain, rows, match.seeds[rows]))
            for row, action in zip(rows.tolist(), chosen.tolist(), strict=True):
                game.step(plain, row, game.from_view(game.seat(plain, row), action))
    assert compared > 100 and plain["over"].all()
    again = play(game, [player], changed(match, seed=7)).measures
    assert np.array_equal(again, play(game, [player], match).measures)


@pytest.mark.parametrize("objectives", [True, False])
def test_coins_are_handed_out_by_place_in_the_first_turn_order(objectives: bool) -> None:
    game = make_game("genesia", players=3, objectives=objectives)
    match = changed(games_of(game, 20), coins=[5, 0, 1, 0, 0])
    begun = next(iter(turns(game, make_player("random"), match)))
    for s in begun:
        expected = [0, 0, 0] if objectives else [AGE_COINS + 5, AGE_COINS, AGE_COINS + 1]
        assert [int(s["coins"][seat]) for seat in s["order"][:3]] == expected
    seen: set[int] = set()

    def look(game: Game, states: Any, row: int) -> None:
        s = states[row]
        if game.kind(states, row) == "draft" and s["age"] == 0:
            seen.add(row)
            assert [int(s["coins"][seat]) - AGE_COINS for seat in s["order"][:3]] == [5, 0, 1]
        assert game.check_state(states, row) == []

    play(game, [Looker(make_player("random"), look)], match)
    assert seen == set(range(20))


def test_fewer_coins_are_fewer_with_objectives_too() -> None:
    game = make_game("genesia", players=2)
    match = changed(games_of(game, 4), coins=[-3, 0, 0, 0, 0])
    for states in turns(game, make_player("random"), match):
        drafting = states["age"] == 0
        if (states["phase"][drafting] == 1).all():  # names.DRAFT
            assert all(s["coins"][s["order"][0]] == AGE_COINS - 3 for s in states)
            return


def test_who_goes_without_cities_never_has_one() -> None:
    game = make_game("genesia", players=3)
    match = games_of(game, 30)
    without = changed(match, without_cities=by_seat(1))
    cities = np.zeros(3, np.int64)
    for states in turns(game, make_player("greedy"), without):
        held = np.array(
            [
                [int(word).bit_count() for word in seats]
                for seats in states["city_regions"][:, :3].reshape(-1, 2)
            ]
        )
        cities += held.sum(axis=1).reshape(-1, 3).sum(axis=0)
        assert not states["city_supply"][:, 1].any()
    assert cities[1] == 0 < min(cities[0], cities[2])
    assert not np.array_equal(play(game, [make_player("greedy")], without).measures["totals"],
                              play(game, [make_player("greedy")], match).measures["totals"])  # fmt: skip


def test_who_goes_without_an_objective_scores_none() -> None:
    game, player = make_game("genesia", players=3), make_player("greedy")
    match = games_of(game, 60)

    def look(game: Game, states: Any, row: int) -> None:
        assert game.check_state(states, row) == []

    found = play(game, [Looker(player, look)], changed(match, without_objective=by_seat(0))).measures
    objective = found["parts"][:, :3, 3]
    assert not objective[:, 0].any() and objective[:, 1:].any(axis=0).all()
    assert not found["kept"][:, 0].any() and found["kept"][:, 1:3].all()
    assert play(game, [player], match).measures["parts"][:, 0, 3].any()


# ---------------------------------------------------------------- choosing places in random order


def choosing(players: int, count: int) -> Any:
    game = make_game("genesia", players=players)
    match = games_of(game, count)
    match = changed(match, random_choosers=1, seed=match.seeds)
    found = play(game, [make_player("random")], match).measures
    assert np.array_equal(play(game, [make_player("random")], match).measures, found), "again the same games"
    return found


def by_progress(measure: Any, age: int, players: int) -> list[int]:
    """The order in which the rules would have them choose."""
    order = measure["order"][age, :players].tolist()
    return sorted(order, key=lambda seat: measure["progress"][age, seat])


@DRAWN
def test_places_are_chosen_in_any_order_equally_often(age: int) -> None:
    found = choosing(3, 700)
    orders = Counter(tuple(m["choosers"][age, :3].tolist()) for m in found)
    assert set(orders) == set(permutations(range(3)))
    assert chi_square(list(orders.values())) > 1e-3
    ranks = Counter(by_progress(m, age, 3).index(m["choosers"][age, 0]) for m in found)
    assert chi_square([ranks[place] for place in range(3)]) > 1e-3, "whatever the progress"
    assert all(sorted(m["order"][age + 1, :3].tolist()) == [0, 1, 2] for m in found)


@DRAWN
def test_who_chooses_first_has_nothing_to_do_with_the_first_turn_order(age: int) -> None:
    found = choosing(2, 400)
    cells: Counter[tuple[bool, bool]] = Counter()
    for m in found:
        rules = by_progress(m, age, 2)[0]
        cells[bool(m["order"][0, 0] == 0), bool(m["choosers"][age, 0] == rules)] += 1
    assert chi_square([cells[a, b] for a in (False, True) for b in (False, True)]) > 1e-3


def test_without_the_intervention_the_least_progress_chooses_first() -> None:
    game = make_game("genesia", players=4)
    found = play(game, [make_player("random")], games_of(game, 30)).measures
    for m in found:
        for age in range(2):
            assert m["choosers"][age, :4].tolist() == by_progress(m, age, 4)


def test_states_of_random_choosers_are_consistent() -> None:
    game = make_game("genesia", players=4)
    match = changed(games_of(game, 10), random_choosers=1, seed=3)
    asked: Counter[str] = Counter()

    def look(game: Game, states: Any, row: int) -> None:
        asked[game.kind(states, row)] += 1
        assert game.check_state(states, row) == []

    play(game, [Looker(make_player("greedy"), look)], match)
    assert asked["position"] == 10 * 2 * 3


def test_interventions_have_no_field_that_is_not_tried_here() -> None:
    assert set(INTERVENTION.names or ()) == {
        "coins", "without_cities", "without_objective", "random_choosers", "seed"
    }  # fmt: skip
