"""Games drawn anew (RULES 11): nothing that the seat knows changes, all that it does not know does, as it should."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pytest
from games.age_of_civilization.playing import Playing, alone, dealt, game_of, random_states, start

from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame
from genesia_rl.games.age_of_civilization.tables import members
from genesia_rl.games.age_of_civilization.variants import VARIANTS

NAMES = ("players2", "solo", "draft2", "draft3", "draft4", "all3")


def drawn(play: Playing, seat: int, seed: int) -> Any:
    """Another game for a seat, as the kernel draws it from a seed."""
    into = play.game.new_states()
    play.game.kernels.resample(play.states, 0, into, 0, play.game.tables, seat, np.uint64(seed))
    return into[0]


def hand(state: Any, seat: int) -> frozenset[int]:
    return frozenset(members(int(state["hand"][seat])))


def alike(counts: Counter[Any], kinds: int, total: int) -> None:
    """Chi-square: all of so many kinds are equally often (6 standard deviations)."""
    assert len(counts) == kinds, counts
    expected = total / kinds
    chi = sum((number - expected) ** 2 / expected for number in counts.values())
    assert abs(chi - (kinds - 1)) < 6 * (2 * max(1, kinds - 1)) ** 0.5, (chi, counts)


# ---------------------------------------------------------------- what stays


@pytest.mark.parametrize("name", NAMES)
def test_nothing_that_the_seat_sees_changes_and_every_game_could_be(name: str) -> None:
    game, rng = game_of(**VARIANTS[name]), np.random.default_rng(0)
    for number, (states, _) in enumerate(random_states(game, 4)):
        for seat in range(game.num_seats):
            if (number + seat) % 3:
                continue
            other = game.resample_hidden(states, 0, seat, rng)
            assert game.check_state(other, 0) == []
            for mine, theirs in zip(game.view(states, 0, seat), game.view(other, 0, seat), strict=True):
                assert np.array_equal(mine, theirs)
            check_draft(game, other[0])


def check_draft(game: AgeOfCivilizationGame, s: Any) -> None:
    """Packs, picks and hands are those of one draft."""
    n = game.num_seats
    if not game.config.draft or not s["sights"][0, 0]:
        return
    held = [set(members(int(s["sights"][seat, 0]))) for seat in range(n)]
    assert [len(pack) for pack in held] == [7] * n and len(set().union(*held)) == 7 * n
    for pick in range(5):
        done = [int(s["picks"][seat, pick]) for seat in range(n)]
        if not all(done):
            break
        assert all(card in pack for card, pack in zip(done, held, strict=True))
        left = [pack - {card} for card, pack in zip(done, held, strict=True)]
        held = [left[(seat - 1) % n] for seat in range(n)]
        if pick < 4:
            assert held == [set(members(int(s["sights"][seat, pick + 1]))) for seat in range(n)]
    for seat in range(n):
        kept = {int(card) for card in s["picks"][seat] if card}
        played = set(members(int(s["own"][seat, 1])))
        assert set(members(int(s["hand"][seat]))) == kept - played


@pytest.mark.parametrize("name", NAMES)
def test_what_is_drawn_depends_on_nothing_that_the_seat_does_not_see(name: str) -> None:
    """Drawn from a game that was drawn anew before, the same seed gives the same game, byte for byte."""
    play = Playing(game_of(**VARIANTS[name]))
    for number, (states, _) in enumerate(random_states(play.game, 9)):
        play.states = states
        seat = number % play.game.num_seats
        other = Playing(play.game, play.game.new_states())
        other.states[0] = drawn(play, seat, 1)
        assert drawn(play, seat, 2).tobytes() == drawn(other, seat, 2).tobytes()


def test_a_game_that_was_drawn_anew_can_be_played_to_its_end() -> None:
    game, rng = game_of(**VARIANTS["all4"]), np.random.default_rng(3)
    for number, (states, _) in enumerate(random_states(game, 2)):
        if number % 9 or game.is_over(states, 0):
            continue
        other = Playing(game, game.resample_hidden(states, 0, int(rng.integers(4)), rng))
        other.finish()
        other.check()


# ---------------------------------------------------------------- what changes, without draft


def test_the_deck_is_any_order_of_the_cards_that_nobody_has_seen() -> None:
    play = start(market=[[1, 0], [2, 0]], deck=[5, 6, 7])
    unseen = set(range(1, 49)) - {1, 2, 46, 29}
    first, pairs = Counter[int](), Counter[int]()
    for seed in range(4_000):
        deck = drawn(play, 0, seed)["deck"][:3].tolist()
        assert len(set(deck)) == 3
        first[deck[0]] += 1
        pairs[deck[2]] += 1
    assert set(first) == unseen
    alike(first, 44, 4_000)
    alike(pairs, 44, 4_000)


def test_cards_removed_in_solo_are_never_drawn() -> None:
    play = dealt(3, players=1)
    found = {card for seed in range(300) for card in drawn(play, 0, seed)["deck"][5:10].tolist()}
    assert found == set(play.game.tables[0]["box"][:41].tolist()) - set(map(int, play.state["market"]))


def test_cards_that_were_drawn_stay() -> None:
    play = dealt(3, players=2)
    play.do(sorted(play.legal)[0])
    assert all(
        drawn(play, 1, seed)["deck"][:6].tolist() == play.states[0]["deck"][:6].tolist() for seed in range(20)
    )


# ---------------------------------------------------------------- the draft


def test_hands_after_a_position_are_any_cards_that_the_seat_does_not_see() -> None:
    play = start(config={"draft": True}, market=[[1, 0]], hands=[[5, 6], [7]])
    counts = Counter(hand(drawn(play, 0, seed), 1) for seed in range(4_000))
    assert {card for cards in counts for card in cards} == set(range(1, 49)) - {1, 5, 6, 46, 29}
    alike(counts, 43, 4_000)
    assert {hand(drawn(play, 1, seed), 1) for seed in range(9)} == {frozenset({7})}


def draft_until(players: int, picks: int, seed: int = 1) -> Playing:
    """A draft in which so many cards were kept, always the lowest."""
    play = dealt(seed, players=players, draft=True)
    for _ in range(picks):
        play.do(f"card:{min(play.objects('card'), key=int)}")
    return play


def test_at_the_first_pick_the_other_packs_are_any_cards() -> None:
    play = draft_until(3, 0)
    me = play.asked[0] if play.asked else 0
    counts, games = Counter[int](), 2_000
    for seed in range(games):
        state = drawn(play, me, seed)
        counts.update(members(int(state["sights"][(me + 1) % 3, 0])))
    alike(counts, 41, 7 * games)  # seven cards a game, without replacement: a little more even than by chance


def test_cards_between_two_sights_of_a_pack_go_to_either_seat() -> None:
    """Three seats: of a pack that comes back after three picks two cards are gone, one to each of the others."""
    play = draft_until(3, 9)
    me = play.asked[0] if play.asked else 0
    before, now = (set(members(int(play.states[0]["sights"][me, k]))) for k in (0, 3))
    gone = before - now - {int(play.states[0]["picks"][me, 0])}
    assert len(gone) == 2
    counts = Counter(int(drawn(play, me, seed)["picks"][(me + 1) % 3, 1]) for seed in range(600))
    assert set(counts) == gone
    alike(counts, 2, 600)


def test_with_two_seats_a_pack_that_comes_back_tells_what_the_other_has_kept() -> None:
    play = draft_until(2, 4)
    me = play.asked[0] if play.asked else 0
    other = 1 - me
    true = play.states[0]["picks"][other, 1]
    assert {int(drawn(play, me, seed)["picks"][other, 1]) for seed in range(30)} == {int(true)}


def test_a_card_played_from_a_hand_settles_who_has_the_other() -> None:
    play = draft_until(3, 15)
    me = play.asked[0] if play.asked else 0
    s = play.states[0]
    gone = (
        set(members(int(s["sights"][me, 0])))
        - set(members(int(s["sights"][me, 3])))
        - {int(s["picks"][me, 0])}
    )
    left = (me + 1) % 3
    card = int(s["picks"][left, 1])
    assert card in gone
    play.do(sorted(play.legal)[0])
    while play.asked != (left, "civilization"):
        play.do("rest")
    play.do(f"rise:{card}")
    (rest,) = gone - {card}
    assert {rest in hand(drawn(play, me, seed), (me + 2) % 3) for seed in range(30)} == {True}


def test_what_was_left_over_is_in_no_hand() -> None:
    play = draft_until(4, 20)
    market = frozenset(map(int, play.state["market"]))
    for seed in range(50):
        state = drawn(play, 0, seed)
        assert all(not hand(state, seat) & market for seat in range(4))
        assert hand(state, 0) == hand(play.states[0], 0)


# ---------------------------------------------------------------- as often as the truth


def features(game: AgeOfCivilizationGame, s: Any, true: Any, seat: int) -> Iterable[tuple[Any, ...]]:
    """What a drawn game says of the hidden: who has kept what, by how the seat has seen it."""
    n = game.num_seats
    seen = {}
    for pick in range(5):
        for card in members(int(true["sights"][seat, pick])):
            seen[card] = pick
    for k in range(1, n):
        other = (seat + k) % n
        for pick, card in enumerate(s["picks"][other].tolist()):
            if card:
                yield "seen", k, pick, seen.get(card, -1)
                yield "card", k, pick, (card - 1) // 8
        cards = sorted(hand(s, other))
        yield "size", k, len(cards)
        if cards:
            yield "lowest", k, cards[0] // 12


@pytest.mark.parametrize(("players", "depth"), [(2, 5), (3, 8), (3, 19), (4, 12), (4, 30)])
def test_drawn_games_are_distributed_as_true_ones(players: int, depth: int) -> None:
    """Over many random games, what was drawn shows each feature as often as the truth does (5 deviations)."""
    game, games = game_of(players=players, draft=True), 700
    truth, guess = Counter[Any](), Counter[Any]()
    for seed in range(games):
        states = next(
            found for k, (found, action) in enumerate(random_states(game, seed)) if k == depth or action < 0
        )
        seat = seed % players
        truth.update(features(game, states[0], states[0], seat))
        guess.update(features(game, drawn(Playing(game, states), seat, seed + 10**6), states[0], seat))
    for key in truth | guess:
        a, b = truth[key], guess[key]
        assert abs(a - b) <= 5 * (a + b + 1) ** 0.5, (key, a, b)


def test_alone_has_nothing_hidden_but_the_deck() -> None:
    play = alone(deck=[])
    assert drawn(play, 0, 1).tobytes() == play.states[0].tobytes()
