"""RULES 1: the words, each tested where the rules use it."""

from __future__ import annotations

import pytest
from games.genesia.positions import card, dealt, fight, fx, start


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_continent_s_belongs_to_seat_s(players: int) -> None:
    """RULES 1: seat. Everybody recruits in the first region of continent s."""
    for seat in range(players):
        order = [seat, *(s for s in range(players) if s != seat)]
        game = start(players=players, turn_order=order, coins=[2] * players)
        assert game.asked == (seat, "growth") and game.regions == [16 * seat]


def test_the_left_neighbour_of_the_last_seat_is_seat_0() -> None:
    """RULES 1: the left neighbour of seat s is s+1 (mod n); packs go there in Age I."""
    game = dealt(players=3).skip_to("draft")
    packs = {seat: {int(c) for c in game.state["packs"][0][seat]} for seat in range(3)}
    for _ in range(3):
        game.do(game.legal()[0])
    game.skip_to("draft", 0)
    assert set(game.cards) < packs[2]


def test_turn_order_is_the_order_in_which_turns_are_taken() -> None:
    """RULES 1: turn order, a permutation of the seats."""
    game = start(players=3, turn_order=[1, 2, 0], coins=[2, 2, 2])
    asked = []
    while game.kind == "growth":
        asked.append(game.seat)
        game.do("end")
    assert asked == [1, 2, 0]


def test_the_turn_order_changes_between_ages() -> None:
    """RULES 1: turn order. Both have no progress, so the first in order chooses, and goes last."""
    game = start(phase="end", turn_order=[0, 1]).do("position:1")
    assert game.age == 2 and game.order == [1, 0]


def test_a_clan_is_presence() -> None:
    """RULES 1: presence. An opponent's clan in region 4 may not be joined."""
    game = start(phase="expansion", coins=[1, 0], clans={1: {0: 1}, 4: {1: 1}})
    assert game.edges == ["1-0", "1-2"]


def test_a_city_without_clans_is_presence() -> None:
    """RULES 1: presence, at least one clan or a city."""
    game = start(phase="expansion", coins=[1, 0], clans={1: {0: 1}}, cities={4: 1})
    assert game.edges == ["1-0", "1-2"]


def test_presence_of_ones_own_keeps_a_region_from_being_free() -> None:
    """RULES 1: free region, nobody has presence there: `free_outer` leaves out my region 4."""
    cards = {85: card("growth", fx("clans", n=1, at="free_outer"))}
    game = start(age=3, hands=[[85], []], clans={4: {0: 1}}, cities={5: 0, 6: 1}, cards=cards)
    game.do("card:85")
    assert game.regions == [r for r in range(32) if r not in (0, 4, 5, 6, 16)]


def test_a_base_is_the_own_homeland_or_a_region_with_an_own_city() -> None:
    """RULES 1: base. Monastery schools (31) place clans at bases."""
    game = start(age=2, hands=[[31], []], clans={2: {0: 4}}, cities={5: 0, 16: 0, 7: 1})
    game.do("card:31")
    assert game.asked == (0, "place") and game.regions == [0, 5, 16]


def test_the_homeland_is_a_base_though_nobody_is_there() -> None:
    """RULES 1: base. It is the only one here, so the choice is not asked."""
    game = start(age=2, hands=[[31], [32]], clans={2: {0: 1}}).do("card:31")
    assert game.clans(0) == [3, 0]


def test_every_player_has_30_clans_and_20_cities() -> None:
    """RULES 1: supply."""
    game = dealt(players=3)
    assert game.clan_supply == [30] * 3 and game.city_supply == [20] * 3


def test_clans_that_are_lost_return_to_the_supply() -> None:
    """RULES 1: supply. 4 against 3, all three are given up on both sides."""
    game = fight(4, 3, hands=[[61], []])
    assert game.clan_supply == [26, 27]
    game.do("edge:1-4", "amount:3")
    assert game.clan_supply == [29, 30]


def test_a_razed_city_returns_to_the_supply() -> None:
    """RULES 1: supply. The siege takes one of mine and gives one of theirs back, and costs a clan."""
    game = fight(2, 0, hands=[[61], []], cities={4: 1})
    assert game.city_supply == [20, 19]
    game.do("edge:1-4")
    assert game.city_supply == [19, 20] and game.clan_supply == [29, 30]


def test_returned_clans_can_be_recruited_again() -> None:
    """RULES 1: supply. All 30 are out, two fall, then two can be recruited and no more."""
    clans = {1: {0: 30}, 4: {1: 2}}
    game = fight(30, 2, hands=[[61], []], clans=clans, attack_recruiting=True, coins=[20, 0])
    game.do("edge:1-4", "amount:2", "amount:0").do("war", "peace")
    assert game.asked == (0, "assault") and game.regions == [0]
    game.do("region:0", "region:0")
    assert game.regions == [] and game.clan_supply == [0, 30]


def test_the_reserve_is_unlimited() -> None:
    """RULES 1: reserve. A thousand coins are followed by 12 more."""
    game = start(age=2, coins=[1000, 0], hands=[[95], []]).do("card:95")
    assert game.coins == [1012, 2]


def test_several_players_may_be_in_a_homeland() -> None:
    """RULES 1: only homelands can be occupied by several players at once."""
    cards = {70: card("growth", fx("clans", n=1, at="foreign_homeland"))}
    game = start(players=3, age=3, hands=[[70], [], []], clans={16: {1: 2, 2: 1}}, cards=cards)
    game.do("card:70", "region:16")
    assert game.clans(16) == [1, 2, 1]


def test_elsewhere_nobody_joins_another_player() -> None:
    """RULES 1: in every other region at most one player has presence: not by moves, leaps or placing."""
    cards = {
        63: card("expansion", fx("leap", n=1, d=1)),
        75: card("growth expansion", fx("clans", n=1, at="own")),
    }
    fields = {"age": 3, "phase": "expansion", "clans": {0: {0: 2}, 1: {1: 1}}, "cards": cards}
    game = start(hands=[[63], [75]], **fields)
    assert game.do("card:63").do("region:0").regions == [2, 3]
    game = start(hands=[[75], []], **fields).do("card:75")
    assert game.regions == [r for r in range(16) if r != 1]
