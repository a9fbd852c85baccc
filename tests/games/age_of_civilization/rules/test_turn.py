"""A turn (RULES 6): a civilization, actions or rest, the return of the workers, the end of the turn."""

from __future__ import annotations

import pytest
from games.age_of_civilization.playing import alone, dealt, start

# ---------------------------------------------------------------- step 1


def test_in_its_first_turn_a_seat_must_let_a_civilization_rise() -> None:
    play = start(rnd=1, market=[[1, 0], [2, 0], [3, 0]])
    assert play.asked == (0, "civilization") and play.legal == {"rise:1", "rise:2", "rise:3"}


def test_later_it_may_let_one_rise_annex_one_or_pass() -> None:
    play = start(market=[[1, 0], [2, 0]])
    assert play.legal == {"rise:1", "rise:2", "annex:1", "annex:2", "pass"}
    assert play.do("pass").asked == (0, "action")


def test_nobody_has_more_than_three_civilizations() -> None:
    """R3."""
    play = start(rnd=4, market=[[1, 0]], civilizations=[[46, 9, 13], [29]], main=[46, 29])
    assert play.asked == (0, "action")


def test_an_empty_market_leaves_nothing_but_to_pass() -> None:
    assert start().asked == (0, "action")


def test_rising_replaces_the_main_ability_and_the_workers() -> None:
    play = start(market=[[8, 2], [1, 0]], workers=[4, 4], coins=[1, 0]).do("rise:8")
    assert play.has("main") == 8 and play.has("civilizations") == [8, 46]
    assert play.has("workers") == 2 and play.has("idle") == 2 and play.has("coins") == 3
    # Tibet's main ability is gone, its inherited one is not
    assert play.do("rest", "tech:1").has("coins") == 3 + 2 + 2 and play.has("points") == 0


def test_annexing_gains_the_inherited_ability_and_a_worker() -> None:
    play = start(market=[[20, 3], [1, 0]], workers=[2, 4], coins=[1, 0]).do("annex:20")
    assert play.has("main") == 46 and play.has("civilizations") == [20, 46]
    assert play.has("workers") == 3 and play.has("coins") == 4 and play.has("force") == 2
    assert start(market=[[20, 3], [1, 0]]).do("annex:20").has("workers") == 4


def test_annexing_does_no_birth_effects() -> None:
    assert start(market=[[32, 0], [1, 0]], main=[46, 29]).do("annex:32").state["coins"] == [0, 0]


def test_a_coin_is_put_on_every_card_left_and_a_card_is_drawn_without_coins() -> None:
    play = start(market=[[1, 0], [2, 2], [3, 0]], deck=[7, 9]).do("annex:1")
    assert play.state["market"] == {"2": 3, "3": 1, "7": 0}
    assert start(market=[[1, 0], [2, 2]]).do("annex:1").state["market"] == {"2": 3}  # the deck has run out


def test_passing_changes_nothing_in_the_market() -> None:
    assert start(market=[[1, 0], [2, 2]], deck=[7]).do("pass").state["market"] == {"1": 0, "2": 2}


def test_the_market_is_filled_up_before_the_birth_effects() -> None:
    """R16."""
    play = start(market=[[24, 0], [1, 0]], deck=[7], wonder_market=[1, 2]).do("rise:24")
    assert play.asked == (0, "wonder") and play.state["market"] == {"1": 1, "7": 0}


def test_the_bonus_is_counted_at_birth_and_no_longer_afterwards() -> None:
    play = start(market=[[15, 5], [1, 0]]).do("rise:15", "tech:1", "tech:4")
    assert play.asked == (0, "action") and play.states[0]["bonus"] == 0


# ---------------------------------------------------------------- step 2


def test_who_performs_no_action_rests_for_two_coins_and_a_worker() -> None:
    play = alone(29, coins=0, workers=[2, 4])
    assert "rest" in play.legal and "end" not in play.legal
    play.do("rest")
    assert play.has("coins") == 2 and play.has("workers") == 3


def test_after_an_action_one_may_end_but_not_rest() -> None:
    play = alone().act("enslavement")
    assert "end" in play.legal and "rest" not in play.legal


def test_without_idle_workers_nothing_is_asked() -> None:
    """PROTOCOL 2: rest or end is then the only action."""
    assert alone(workers=[0, 4]).asked == (1, "action")
    assert alone(workers=[1, 4]).act("enslavement").asked == (1, "action")


def test_spaces_are_used_once_in_a_turn_and_are_free_again_for_the_next_seat() -> None:
    play = alone(open=["hunt", "fish"])
    play.act("hunt", "hunt")
    assert play.acts.isdisjoint({"hunt"})
    play.act("fish")
    assert play.acts.isdisjoint({"hunt", "fish"})
    assert {"hunt", "fish"} <= play.do("end").acts


def test_an_action_needs_enough_idle_workers() -> None:
    play = alone(open=["farm", "fish"], workers=[2, 4])
    assert "farm" in play.acts
    assert "farm" not in play.act("fish").acts


def test_cards_left_of_the_open_ones_are_closed() -> None:
    play = alone(rnd=4, open=["hunt", "fish", "farm"])
    assert play.acts == {"wonder", "research", "enslavement", "hunt", "fish", "farm"}


# ---------------------------------------------------------------- step 3


def test_workers_on_red_spaces_are_sacrificed_all_others_return() -> None:
    play = alone(open=["fish", "conquest"]).act("enslavement", "conquest", "fish")
    assert (play.has("workers"), play.has("idle")) == (4, 1)
    play.do("end")
    assert (play.has("workers"), play.has("idle")) == (2, 2)


@pytest.mark.parametrize("action", ["wonder", "enslavement", "conquest"])
def test_red_actions_cost_a_worker(action: str) -> None:
    assert alone(open=["conquest"], wonder_market=[1]).act(action).do("end").has("workers") == 3


@pytest.mark.parametrize("action", ["hunt", "fish", "farm", "trade", "culture", "construction", "research"])
def test_other_actions_cost_none(action: str) -> None:
    play = alone(techs=[1, 2, 3, 4, 5, 6, 7, 8], open=[action] if action != "research" else [])
    play.act(action).do("end")
    if play.asked == (0, "turn_end"):  # Education
        play.do("tech:5", "end")
    assert play.has("workers") == 4


def test_an_own_space_of_a_red_action_is_red() -> None:
    """R10: it costs what the action costs, too."""
    play = alone(5, open=["conquest"]).act("conquest", "conquest").do("end")
    assert play.has("workers") == 2


# ---------------------------------------------------------------- the end of the turn


def test_the_order_of_the_end_of_the_turn_is_the_seats_choice() -> None:
    """Petra's coin first makes Education's culture payable."""
    play = alone(29, techs=[1, 2], wonders=[12], coins=1).do("rest")
    assert play.asked == (0, "turn_end") and play.legal == {"tech:2", "end"}  # Petra alone was done unasked
    assert play.has("coins") == 4


def test_a_compulsory_ability_must_be_done_before_the_end() -> None:
    play = alone(29, techs=[1, 2, 4, 5], wonders=[12], coins=9).do("rest")
    assert play.legal == {"tech:2", "tech:5", "wonder:12"}
    play.do("tech:2")
    assert play.legal == {"tech:5", "wonder:12"} and play.has("coins") == 7
    play.do("wonder:12")
    assert play.asked == (1, "action") and play.has("coins") == 9


def test_an_optional_ability_may_become_usable_after_another() -> None:
    play = alone(29, techs=[1, 2, 4, 5], wonders=[12], coins=0).do("rest")
    assert play.legal == {"tech:5", "wonder:12"}  # two coins: no culture yet
    play.do("tech:5")
    assert play.legal == {"tech:2", "end"}  # Petra was the only one left, then culture is usable


def test_a_compulsory_ability_that_can_do_nothing_is_done_without_effect() -> None:
    play = start(main=[26, 30], technologies=[[4, 5], []]).do("rest")
    assert play.legal == {"main", "tech:5"}
    assert play.do("main").has("coins") == 2 + 1  # the Slavs are not strongest, then Currency


def test_an_ability_gained_at_the_end_of_the_turn_is_still_done_in_it() -> None:
    """R5."""
    play = alone(8, techs=[1], coins=0).do("rest")
    assert play.asked == (0, "technology")
    play.do("tech:2")
    assert play.asked == (1, "action")  # two coins are not enough for Education's culture
    rich = alone(8, techs=[1], coins=9).do("rest", "tech:2")
    assert rich.asked == (0, "turn_end") and rich.legal == {"tech:2", "end"}


def test_the_next_seat_is_clockwise_and_a_round_has_a_turn_for_everybody() -> None:
    play = dealt(3, players=4)
    first = play.state["first"]
    seats = []
    while play.state["round"] == 1:
        seat = play.asked[0] if play.asked else -1
        seats += [seat] if seat not in seats else []
        play.do(sorted(play.legal)[-1])
    assert seats == [(first + k) % 4 for k in range(4)]
