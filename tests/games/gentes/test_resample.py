"""Games drawn anew (RULES 10): nothing that the seats know changes, all that they do not know does, as it should."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from games.gentes.playing import Playing, dealt, game_of, random_states, start

from genesia_rl.games.gentes.state import FIELDS
from genesia_rl.games.gentes.tables import members
from genesia_rl.games.gentes.variants import VARIANTS

NAMES = ("players2", "players3", "players4", "solo", "first_game2", "first_game4")
HIDDEN = {name for name, _, who, _ in FIELDS if who == "hidden"}


def drawn(play: Playing, seat: int, seed: int) -> Any:
    """Another game for a seat, as the kernel draws it from a seed."""
    into = play.game.new_states()
    play.game.kernels.resample(play.states, 0, into, 0, play.game.tables, seat, np.uint64(seed))
    return into[0]


def alike(counts: Counter[Any], kinds: int, total: int) -> None:
    """Chi-square: all of so many kinds are equally often (6 standard deviations)."""
    assert len(counts) == kinds, counts
    expected = total / kinds
    chi = sum((number - expected) ** 2 / expected for number in counts.values())
    assert abs(chi - (kinds - 1)) < 6 * (2 * max(1, kinds - 1)) ** 0.5, (chi, counts)


# ---------------------------------------------------------------- what stays


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_is_seen_changes_and_every_game_could_be(name: str) -> None:
    game, rng = game_of(**VARIANTS[name]), np.random.default_rng(0)
    for number, (states, _) in enumerate(random_states(game, 4)):
        seat = number % game.num_seats
        other = game.resample_hidden(states, 0, seat, rng)
        assert game.check_state(other, 0) == []
        for mine, theirs in zip(game.view(states, 0, seat), game.view(other, 0, seat), strict=True):
            assert np.array_equal(mine, theirs)
        for field, _, _, _ in FIELDS:
            assert field in HIDDEN or np.array_equal(states[0][field], other[0][field]), field
        assert game.state_dict(states, 0) == game.state_dict(other, 0)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_drawn_depends_on_nothing_that_is_not_seen(name: str) -> None:
    """Drawn from a game that was drawn anew before, the same seed gives the same game, byte for byte."""
    play = Playing(game_of(**VARIANTS[name]))
    for number, (states, _) in enumerate(random_states(play.game, 9)):
        play.states = states
        seat = number % play.game.num_seats
        other = Playing(play.game, play.game.new_states())
        other.states[0] = drawn(play, seat, 1)
        assert drawn(play, seat, 2).tobytes() == drawn(other, seat, 2).tobytes()


@pytest.mark.parametrize("name", ["players2", "players4", "solo"])
def test_a_game_that_was_drawn_anew_can_be_played_to_its_end(name: str) -> None:
    game, rng = game_of(**VARIANTS[name]), np.random.default_rng(3)
    for number, (states, _) in enumerate(random_states(game, 2)):
        if number % 23 or game.is_over(states, 0):
            continue
        other = Playing(game, game.resample_hidden(states, 0, 0, rng))
        while not other.is_over:
            other.do(min(other.legal))
        other.check()
        assert other.state["deck"] >= 0


# ---------------------------------------------------------------- what changes


def test_the_deck_and_the_later_decks_are_any_orders_of_their_cards() -> None:
    later = [[21, 22, 23], [39, 40]]
    play = start({"players": 3}, display=[1, 2, 3, 4, 5, 6, 7, 8], deck=[9, 10, 11, 12], later=later)
    first, second, third = Counter[int](), Counter[int](), Counter[tuple[int, ...]]()
    for seed in range(2_000):
        deck = drawn(play, 0, seed)["deck"].tolist()
        assert sorted(deck[:4]) == [9, 10, 11, 12] and sorted(deck[20:23]) == [21, 22, 23]
        first[deck[0]] += 1
        second[deck[22]] += 1
        third[tuple(deck[38:40])] += 1
    alike(first, 4, 2_000)
    alike(second, 3, 2_000)
    alike(third, 2, 2_000)


def test_which_cards_are_boxed_is_unknown() -> None:
    play = dealt(5, players=2)
    while play.asked[1] in ("draft", "settle"):
        play.do(min(play.legal))
    unseen = set(members(play.states[0]["unseen"])) & set(range(1, 21))
    assert len(unseen) == play.state["deck"] + 2
    boxed, tops = Counter[int](), Counter[int]()
    for seed in range(2_000):
        found = drawn(play, 0, seed)
        boxed.update(found["deck"][:2].tolist())
        tops[int(found["deck"][found["next"]])] += 1
    assert set(boxed) == set(tops) == unseen
    alike(tops, len(unseen), 2_000)


def test_before_the_decks_are_formed_all_cards_may_lie_anywhere() -> None:
    play = dealt(5, players=3)
    tops = Counter(int(drawn(play, 1, seed)["deck"][0]) for seed in range(2_000))
    alike(tops, 20, 2_000)


def test_cards_that_were_drawn_do_not_come_again() -> None:
    play = dealt(3, players=4)
    for states, _ in random_states(play.game, 3):
        play.states = states
        s = states[0]
        seen = set(members(s["discard"])) | {int(card) for card in s["display"] if card}
        for seat in range(4):
            seen |= set(members(s["hand"][seat])) | set(members(s["played"][seat]))
        if s["stage"] > 1:
            assert not seen & {int(card) for card in drawn(play, 0, 1)["deck"]}


def test_the_same_for_all_seats() -> None:
    play = dealt(3, players=4)
    assert drawn(play, 0, 5).tobytes() == drawn(play, 3, 5).tobytes()
