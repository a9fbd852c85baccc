"""RULES 5.A: the start of an Age."""

from __future__ import annotations

import pytest
from games.genesia.positions import Play, dealt, start


def packs(play: Play, age: int) -> list[set[int]]:
    """The packs of an Age, by the seat that holds each first."""
    n = play.game.num_seats
    return [{int(card) for card in row} for row in play.state["packs"][age - 1][:n]]


def next_age(players: int, age: int) -> Play:
    """The first pick of Age II or III."""
    game = start(players=players, age=age - 1, phase="end")
    while game.kind == "position":
        game.do(game.legal()[0])
    assert game.age == age
    return game


def first_pick(players: int, age: int) -> Play:
    """The first pick of any Age."""
    return dealt(3, players=players).skip_to("draft") if age == 1 else next_age(players, age)


def test_each_player_takes_15_coins_added_to_what_is_left() -> None:
    """RULES 5.A. 4 and 7 coins at the end of Age I."""
    game = start(phase="end", coins=[4, 7]).do("position:0")
    assert game.age == 2 and game.kind == "draft" and game.coins == [19, 22]


def test_each_player_takes_6_cards() -> None:
    """RULES 5.A: the first pick is one of six."""
    game = first_pick(3, 1)
    for _ in range(3):
        assert len(game.cards) == 6
        assert set(game.cards) == packs(game, 1)[game.seat]
        game.do(game.legal()[0])


@pytest.mark.parametrize(("age", "to"), [(1, 1), (2, -1), (3, 1)])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_packs_go_left_in_ages_one_and_three_and_right_in_age_two(players: int, age: int, to: int) -> None:
    """RULES 5.A and R1. The pack of seat s is at seat s+to after one pick, at s+2to after two, and so on."""
    game = first_pick(players, age)
    dealt_packs = packs(game, age)
    for pick in range(5):
        kept: dict[int, int] = {}
        for _ in range(players):
            source = (game.seat - pick * to) % players
            assert set(game.cards) == dealt_packs[source] and len(game.cards) == 6 - pick
            kept[source] = game.cards[pick % len(game.cards)]
            game.do(f"card:{kept[source]}")
        for source, card in kept.items():
            dealt_packs[source].remove(card)
    assert game.kind != "draft"


def test_the_picks_of_a_round_are_simultaneous() -> None:
    """RULES 5.A. With two players the second one still holds all six of its own pack."""
    game = first_pick(2, 1)
    game.do(game.legal()[0])
    assert len(game.cards) == 6


def test_every_player_has_a_hand_of_the_five_cards_it_kept() -> None:
    """RULES 5.A."""
    game = first_pick(3, 2)
    kept: dict[int, set[int]] = {0: set(), 1: set(), 2: set()}
    while game.kind == "draft":
        seat, card = game.seat, game.cards[-1]
        kept[seat].add(card)
        game.do(f"card:{card}")
    assert all(len(cards) == 5 and set(game.hand(seat)) == cards for seat, cards in kept.items())


def test_the_last_card_of_each_pack_leaves_the_game() -> None:
    """RULES 5.A. It is in no hand when Growth begins, one a pack."""
    game = first_pick(3, 1)
    everything = set().union(*packs(game, 1))
    while game.kind == "draft":
        game.do(game.legal()[0])
    left = everything.difference(*(game.hand(seat) for seat in range(3)))
    assert len(left) == 3 and all(len(left & pack) == 1 for pack in packs(game, 1))


def test_seats_pick_in_turn_order() -> None:
    """PROTOCOL 2: draft, in each pick every seat in turn order."""
    game = start(players=3, phase="end", turn_order=[2, 0, 1])
    game.do("position:1", "position:2")  # seat 2 is second, seat 0 third, so seat 1 is first
    assert game.order == [1, 2, 0]
    asked = []
    for _ in range(6):
        asked.append(game.seat)
        game.do(game.legal()[0])
    assert asked == [1, 2, 0, 1, 2, 0]


def test_growth_follows_the_fifth_pick() -> None:
    """RULES 5: three Ages, each a draft and then Growth with the first in turn order."""
    for age in (1, 2, 3):
        game = first_pick(2, age)
        for _ in range(10):
            assert game.kind == "draft"
            game.do(game.legal()[0])
        assert game.asked == (game.order[0], "growth") and game.age == age


def test_the_coins_are_there_at_the_first_pick_but_not_before() -> None:
    """PROTOCOL 2: coins are 0 when objectives are chosen, the first 15 are there at the first draft pick."""
    game = dealt(players=2)
    assert game.kind == "objective" and game.coins == [0, 0]
    game.skip_to("draft")
    assert game.coins == [15, 15]
