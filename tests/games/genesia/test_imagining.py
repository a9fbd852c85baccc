"""RULES 9, Imagining: each world that agrees with what a seat knows is drawn equally often.

In small positions all worlds are found by trying (worlds.py), and the frequencies of many draws are compared with
them: every world comes, no other does, and a chi-square test finds nothing. Seeds are fixed, so nothing here is left
to chance.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import partial
from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
from games.genesia.eager import play_eagerly
from games.genesia.positions import Play, card, game_of, start
from games.genesia.worlds import Table, world_of
from scipy.stats import chisquare

from genesia_rl.core.bits import members
from genesia_rl.core.game import States
from genesia_rl.games.genesia.game import GenesiaGame

EACH, LEAST, MOST_DRAWS = 15, 1_500, 25_000
SURE = 1e-5  # a chi-square test below this has found something: there are some fifty of them
MOST_WORLDS = MOST_DRAWS // EACH

Look = Callable[[np.void], Hashable]
Moment = tuple[GenesiaGame, States]


def drawn(game: GenesiaGame, states: States, seat: int, look: Look, number: int) -> Counter[Hashable]:
    """What is seen in so many imagined games."""
    rng = np.random.default_rng(7)
    return Counter(look(game.resample_hidden(states, 0, seat, rng)[0]) for _ in range(number))


def is_even(found: Counter[Hashable], worlds: list[Any]) -> bool:
    """Do all of these worlds come, no others, and equally often?"""
    if not set(found) <= set(worlds):
        return False
    return len(worlds) == 1 or float(chisquare([found[w] for w in worlds]).pvalue) > SURE


def check(game: GenesiaGame, states: States, seat: int, look: Look, worlds: Iterable[Hashable]) -> int:
    """Draw often enough, and compare; returns how many worlds there are."""
    every = list(worlds)
    assert len(set(every)) == len(every) and look(states[0]) in every
    found = drawn(game, states, seat, look, max(LEAST, EACH * len(every)))
    assert set(found) == set(every) and is_even(found, every), (game.kind(states, 0), seat, len(every))
    return len(every)


# ---------------------------------------------------------------- the cards of a draft


def moments(kinds: tuple[str, ...], games: int, **config: Any) -> list[Moment]:
    """Positions at these kinds of decisions, one of a kind and Age from a game at most."""
    game, found = game_of(**config), list[Moment]()
    for seed in range(games):
        done = set[tuple[str, int]]()
        for number, states in enumerate(play_eagerly(game, seed)):
            key = game.kind(states, 0), int(states[0]["age"])
            if key[0] in kinds and key not in done and (number + seed) % 3 == 0:
                done.add(key)
                found.append((game, game.clone(states)))
    return found


def small(
    found: list[tuple[GenesiaGame, States]], most: int, other: bool
) -> list[tuple[GenesiaGame, States, int, list[Any]]]:
    """The first of them that have some worlds and not too many for a seat (`other`: one that is not asked)."""
    kept = []
    for game, states in found:
        seat = (game.seat(states, 0) + 1) % game.num_seats if other else game.seat(states, 0)
        worlds = []
        for world in Table(game, states[0], seat).worlds():
            worlds.append(world)
            if len(worlds) > MOST_WORLDS:
                break
        if 1 < len(worlds) <= MOST_WORLDS:
            kept.append((game, states, seat, worlds))
        if len(kept) == most:
            break
    return kept


CASES: dict[str, tuple[tuple[str, ...], dict[str, Any], bool]] = {
    "two, promos, turns": (("growth", "expansion", "end_of_age"), {"promos": True}, False),
    "two, promos, draft": (("draft",), {"promos": True}, False),
    "two, asked to copy": (("copy",), {"promos": True}, True),
    "two, asked to defend": (("defence",), {"promos": True, "lots": [["red", "violet"]] * 3}, True),
    "two, asked to reinforce": (("reinforce",), {"promos": True, "lots": [["red", "violet"]] * 3}, True),
    "three, end of the Age": (("end_of_age", "stance", "position"), {"players": 3}, False),
    "three, asked to copy": (("copy",), {"players": 3}, True),
    "three, asked to defend": (("defence",), {"players": 3, "lots": [["red", "violet", "green"]] * 3}, True),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_every_world_of_a_draft_is_equally_likely(case: str) -> None:
    kinds, config, other = CASES[case]
    found = small(moments(kinds, 100, **config), 4, other)
    assert len(found) >= 2, "not enough small positions"
    for game, states, seat, worlds in found:
        assert check(game, states, seat, partial(world_of, game), worlds) > 1


def round_of(seat: int, picked: int, s: np.void) -> int:
    """The round in which a seat has picked a card."""
    return int(s["picks"][seat].tolist().index(picked))


def test_played_cards_that_were_picked_unseen_may_be_from_any_unseen_pick() -> None:
    """Three players: a played card changes its round among those that the seat could not see."""
    for game, states in moments(("end_of_age", "position"), 10, players=3):
        for seat in range(3):
            table = Table(game, states[0], seat)
            for who in {0, 1, 2} - {seat}:
                unseen = table.played[who] - set().union(*table.sights.values())
                rounds = [r for r in range(5) for p in range(3) if table.holder(p, r) == who
                          and all(table.holder(p, q) != seat for q in range(r + 1))]  # fmt: skip
                if len(rounds) == 2 and unseen:
                    picked = min(unseen)
                    found = drawn(game, states, seat, partial(round_of, who, picked), 400)
                    assert set(found) == set(rounds)
                    return
    pytest.fail("no such position")


# ---------------------------------------------------------------- hands of a position


def hands_of(seats: list[int]) -> Look:
    """The hands of some seats."""
    return lambda s: tuple(frozenset(members(s["hand"][seat])) for seat in seats)


def test_hands_of_a_position_are_any_of_the_deck_and_their_own() -> None:
    """PROTOCOL 4. Deck 1..12; seat 0 sees its 1, 2 and the Inventions 5, 9; 20 is no card of the deck."""
    game = start(hands=[[1, 2], [20, 8]], inventions=[[5], [9]], copied=[[5], []], coins=[4, 4])
    pool = [3, 4, 6, 7, 8, 10, 11, 12, 20]
    worlds = [(frozenset(hand),) for hand in combinations(pool, 2)]
    assert check(game.game, game.states, 0, hands_of([1]), worlds) == 36


def test_hands_of_two_others_are_drawn_without_a_card_twice() -> None:
    """PROTOCOL 4, three players: 13 cards that seat 0 sees nowhere, one for each of the others."""
    game = start(players=3, hands=[[1, 2, 3, 4, 5], [6], [7]], coins=[4, 4, 4])
    pool = [*range(6, 19)]
    worlds = [(frozenset([a]), frozenset([b])) for a, b in permutations(pool, 2)]
    assert check(game.game, game.states, 0, hands_of([1, 2]), worlds) == 156


def test_who_is_asked_to_copy_holds_a_copy_card() -> None:
    """Deck 1..12, copy card 4 alone: seat 1 holds it and any of the others."""
    game = start(hands=[[1, 2], [4, 8]]).do("card:1")
    assert game.asked == (1, "copy")
    worlds = [(frozenset([4, other]),) for other in (3, *range(5, 13))]
    assert check(game.game, game.states, 0, hands_of([1]), worlds) == 9


def test_a_copy_card_that_cannot_be_paid_is_no_answer() -> None:
    """Cards 4 and 6 copy, 6 for 3 coins: with 2 coins it is 4 that is held."""
    cards = {6: card("growth", timing="copy", cost=3)}
    for coins in (2, 3):
        game = start(hands=[[1, 2], [4, 8]], coins=[0, coins], cards=cards).do("card:1")
        pairs = [frozenset(hand) for hand in combinations((3, *range(4, 13)), 2)]
        good = [(hand,) for hand in pairs if 4 in hand or (coins == 3 and 6 in hand)]
        assert check(game.game, game.states, 0, hands_of([1]), good) == (9 if coins == 2 else 17)


def test_hand_and_discards_of_a_position_are_divided_in_every_way() -> None:
    """Seat 1 has discarded one of its two cards; seat 0 knows neither."""
    game = start(hands=[[1, 2, 3, 5, 7, 9, 11][:5], [4, 8]], turn_order=[1, 0], coins=[4, 0]).do("discard:8")
    known = {1, 2, 3, 5, 7}
    pool = [c for c in range(1, 13) if c not in known]
    worlds = [(hand, thrown) for hand, thrown in permutations(pool, 2)]

    def look(s: np.void) -> Hashable:
        return (*members(s["hand"][1]), *members(s["discarded"][1]))

    assert check(game.game, game.states, 0, look, worlds) == 42


# ---------------------------------------------------------------- objectives, stances, later Ages


def test_objectives_are_any_that_the_seat_was_not_dealt() -> None:
    """Two of the three or four that are left were dealt to the other, which kept either."""
    game = game_of(extra_objectives=[11])
    states = game.new_states()
    game.reset(states, 0, 5)
    while game.kind(states, 0) == "objective":
        game.step(states, 0, game.legal_actions(states, 0)[0])
    own = set(states[0]["dealt"][0].tolist())
    left = sorted({1, 2, 3, 4, 11} - own)
    worlds = [(frozenset(pair), kept) for pair in combinations(left, 2) for kept in pair]

    def look(s: np.void) -> Hashable:
        return frozenset(s["dealt"][1].tolist()), int(s["kept"][1])

    assert check(game, states, 0, look, worlds) == 6


def test_a_kept_objective_of_a_position_is_any_but_ones_own() -> None:
    """PROTOCOL 4; a seat without an objective has none in any world."""
    game = start(players=3, objectives=[2, 5, None], coins=[4, 4, 4], objective_pool="all")
    worlds = [(number, 0) for number in range(1, 11) if number != 2]
    assert check(game.game, game.states, 0, lambda s: (int(s["kept"][1]), int(s["kept"][2])), worlds) == 9


def test_stances_that_are_not_revealed_are_drawn_and_those_of_spent_players_known() -> None:
    """Five players: seat 1 is spent, seats 0 and 2 have chosen, seat 3 is asked."""
    game = start(players=5, phase="attack", age=3, hands=[[61], [62], [63], [64], [65]])
    game.do("peace", "war", "peace", "peace", "peace", "end").do("peace", "war")
    assert game.asked == (3, "stance") and game.state["spent"].tolist()[:3] == [0, 1, 0]
    worlds = [(a, 1, b) for a in (1, 2) for b in (1, 2)]
    assert check(game.game, game.states, 4, lambda s: tuple(s["stance"][:3].tolist()), worlds) == 4
    assert (
        check(game.game, game.states, 0, lambda s: tuple(s["stance"][:3].tolist()), [(1, 1, 1), (1, 1, 2)])
        == 2
    )


def test_later_packs_are_dealt_from_the_whole_deck() -> None:
    """With promo cards: every card of Age II is in either pack or cut away as often as the deal would have it."""
    game = game_of(promos=True)
    states = game.new_states()
    game.reset(states, 0, 3)
    deck = game.tables[0]["deck"][1, :15].tolist()
    rng = np.random.default_rng(1)
    counts = Counter[tuple[int, int]]()
    for _ in range(1_500):
        packs = game.resample_hidden(states, 0, 1, rng)[0]["packs"][1]
        held = {int(c): seat for seat in (0, 1) for c in packs[seat]}
        counts.update((number, held.get(number, 2)) for number in deck)
    for number in deck:
        observed = [counts[number, where] for where in (0, 1, 2)]
        assert chisquare(observed, [600, 600, 300]).pvalue > SURE


def test_in_the_solo_mode_only_the_packs_of_later_ages_are_drawn() -> None:
    """RULES 9."""
    game = game_of(players=1)
    for seed, states in enumerate(play_eagerly(game, 2)):
        other = game.resample_hidden(states, 0, seed % 2, np.random.default_rng(seed))
        for field in ("hand", "discarded", "played", "marked"):
            assert np.array_equal(other[0][field], states[0][field])
    drawn_packs = {game.resample_hidden(first, 0, 0, np.random.default_rng(k))[0]["packs"][1:].tobytes()
                   for first in [next(play_eagerly(game, 2))] for k in range(20)}  # fmt: skip
    assert len(drawn_packs) == 20


# ---------------------------------------------------------------- the test finds what is wrong


def a_small_case() -> tuple[Play, list[Any]]:
    """Nine worlds."""
    game = start(hands=[[1, 2], [4, 8]]).do("card:1")
    return game, [(frozenset([4, other]),) for other in (3, *range(5, 13))]


def test_a_draw_that_keeps_the_true_world_too_often_is_found() -> None:
    game, worlds = a_small_case()
    found = drawn(game.game, game.states, 0, hands_of([1]), 1_350)
    assert is_even(found, worlds)
    assert not is_even(found + Counter({hands_of([1])(game.state): 150}), worlds)


def test_a_world_that_never_comes_or_cannot_be_is_found() -> None:
    game, worlds = a_small_case()
    found = drawn(game.game, game.states, 0, hands_of([1]), 1_350)
    assert not is_even(found, [*worlds, (frozenset([4, 1]),)]) and not is_even(found, worlds[1:])
