"""Games that a seat cannot tell from the true one (RULES 8): later rolls are all that is drawn anew."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from games.genesis.playing import Playing, dealt, game_of, random_states, start
from games.genesis.rules.test_setup import LIMITS, WEIGHTS, chi_square

from genesia_rl.core.game import States
from genesia_rl.games.genesis.game import GenesisGame
from genesia_rl.games.genesis.text.words import ROLLS
from genesia_rl.games.genesis.variants import VARIANTS


def drawn(game: GenesisGame, states: States, seat: int, seed: int) -> States:
    into = game.new_states()
    game.kernels.resample(states, 0, into, 0, game.tables, seat, np.uint64(seed))
    return into


@pytest.mark.parametrize("name", ["players2", "players4", "tiles1", "river2"])
def test_no_seat_sees_a_difference(name: str) -> None:
    game = game_of(**VARIANTS[name])
    for states, _ in random_states(game, 4):
        for seat in range(game.num_seats):
            other = drawn(game, states, seat, 17)
            for looking in range(game.num_seats):
                before, after = game.view(states, 0, looking), game.view(other, 0, looking)
                assert all(map(np.array_equal, before, after))
            assert game.check_state(other, 0) == []


def test_everything_but_later_rolls_stays() -> None:
    game = game_of(players=3)
    for states, _ in random_states(game, 4):
        other, turn = drawn(game, states, 0, 3), int(states[0]["turn"])
        for field in states.dtype.names or ():
            if field != "dice":
                assert states[0][field].tobytes() == other[0][field].tobytes()
        assert states[0]["dice"][: turn + 1].tolist() == other[0]["dice"][: turn + 1].tolist()
        assert not other[0]["dice"][118:].any()


def test_later_rolls_are_drawn_as_the_dice_fall() -> None:
    play, found = dealt(3), Counter[str]()
    for seed in range(300):
        rolls = drawn(play.game, play.states, 0, seed)[0]["dice"][1:93].tolist()
        found.update(ROLLS[roll] for roll in rolls)
    assert chi_square(found, WEIGHTS) < LIMITS[24]


@pytest.mark.parametrize("place", [1, 2, 50, 92])
def test_each_later_roll_is_drawn_anew(place: int) -> None:
    play = dealt(3)
    found = Counter(
        ROLLS[int(drawn(play.game, play.states, 0, seed)[0]["dice"][place])] for seed in range(3000)
    )
    assert chi_square(found, WEIGHTS) < LIMITS[24]


def test_what_is_drawn_depends_on_the_seed_alone() -> None:
    one, other = dealt(1, first_player=0), dealt(2, first_player=0)
    rolls = [
        drawn(p.game, p.states, seat, 9)[0]["dice"][1:].tolist() for p in (one, other) for seat in (0, 1)
    ]
    assert all(row == rolls[0] for row in rolls)
    assert drawn(one.game, one.states, 0, 10)[0]["dice"][1:].tolist() != rolls[0]


def test_the_rolls_of_a_position_are_drawn_anew_too() -> None:
    play = start([".. .. .. ..", ".. .. .. .."], dice="FF")
    found = {tuple(drawn(play.game, play.states, 0, seed)[0]["dice"][:8].tolist()) for seed in range(20)}
    assert len(found) == 20 and {rolls[0] for rolls in found} == {0}


def test_a_drawn_game_shares_nothing_with_the_true_one() -> None:
    play = dealt(3)
    other = Playing(play.game, drawn(play.game, play.states, 0, 1))
    before = play.states.tobytes()
    other.tile("forest", 0)
    assert play.states.tobytes() == before


def test_a_game_may_be_drawn_onto_itself_and_beside_itself() -> None:
    game = game_of()
    states = game.new_states(3)
    game.reset(states, 1, 5)
    elsewhere = drawn(game, states[1:2], 0, 8)
    game.kernels.resample(states, 1, states, 2, game.tables, 0, np.uint64(8))
    game.kernels.resample(states, 1, states, 1, game.tables, 0, np.uint64(8))
    assert states[1].tobytes() == states[2].tobytes() == elsewhere[0].tobytes()
    assert not states[0]["num_legal"]
