"""The ten actions (RULES 7) and performing them, with a space or without."""

from __future__ import annotations

import pytest
from games.age_of_civilization.playing import alone, start

from genesia_rl.games.age_of_civilization.data.box import load_box

#: spaces, red, workers, price, and what it brings: coins, points.
TABLE = {
    "wonder": (1, True, 1, 7, 0, 3),
    "research": (2, False, 1, 4, 0, 1),
    "enslavement": (1, True, 1, 0, 2, 0),
    "hunt": (2, False, 1, 0, 1, 1),
    "fish": (1, False, 1, 0, 1, 0),
    "farm": (1, False, 2, 0, 3, 0),
    "trade": (1, False, 1, 0, 2, 0),
    "culture": (1, False, 1, 4, 0, 2),
    "construction": (1, False, 2, 2, 0, 2),
    "conquest": (1, True, 1, 0, 0, 2),
}


def opened(name: str) -> list[str]:
    return [] if name in ("wonder", "research", "enslavement") else [name]


@pytest.mark.parametrize("name", TABLE)
def test_the_table_of_actions(name: str) -> None:
    spaces, red, workers, price, coins, points = TABLE[name]
    action = next(found for found in load_box().board.actions if found.name == name)
    assert (action.spaces, action.red, action.workers, action.price) == (spaces, red, workers, price)
    play = alone(open=opened(name), coins=price + 1).act(name)
    if name == "research":
        play.do("tech:1")
    assert (play.has("coins"), play.has("points")) == (1 + coins, points)
    assert play.has("idle") == 4 - workers
    assert play.do("end").has("workers") == 4 - (workers if red else 0)


@pytest.mark.parametrize("name", [name for name, row in TABLE.items() if row[3]])
def test_an_action_must_be_payable(name: str) -> None:
    price = TABLE[name][3]
    assert name in alone(open=opened(name), coins=price).acts
    assert name not in alone(open=opened(name), coins=price - 1).acts


def test_hunting_gives_a_point_to_those_without_technologies() -> None:
    assert alone(open=["hunt"]).act("hunt").has("points") == 1
    assert alone(open=["hunt"], techs=[1]).act("hunt").has("points") == 0


def test_trade_gives_a_coin_to_every_other_seat() -> None:
    play = alone(open=["trade"], players=4, coins=0, others=0).act("trade")
    assert play.state["coins"] == [2, 1, 1, 1]


def test_conquest_may_be_performed_without_being_strongest() -> None:
    """R14."""
    play = start(main=[46, 30], open=["conquest"]).act("conquest")
    assert play.has("points") == 0


def test_ties_count_as_strongest() -> None:
    play = alone(5, open=["conquest"], technologies=[[], [7, 8]])
    assert play.state["force"] == [3, 3] and play.act("conquest").has("points") == 2


def test_the_technology_of_research_is_asked_before_it_is_paid_with_the_worker_placed() -> None:
    play = alone(coins=5).act("research")
    assert play.asked == (0, "technology")
    assert (play.has("coins"), play.has("idle"), play.has("points")) == (5, 3, 0)
    play.do("tech:4")
    assert (play.has("coins"), play.has("points")) == (1, 1)


def test_a_technology_does_not_help_the_research_that_gains_it() -> None:
    """The `act` effects are noted when the action begins: Astronomy's discount is not for itself."""
    play = alone(techs=[14], config={"innovation": True}, special_cards=[3, None], coins=7)
    play.act("research").do("tech:15")
    assert play.has("coins") == 3
    assert play.act("research").asked == (0, "technology") and play.do("tech:4").has("coins") == 0


def test_what_an_action_has_gained_counts_in_the_next() -> None:
    play = alone(open=["culture"], coins=8).act("research").do("tech:1")
    assert play.has("points") == 1
    assert play.act("culture").has("points") == 1 + 2 + 1  # Writing is in force by now


def test_research_is_payable_if_some_available_technology_is() -> None:
    play = alone(27, coins=0)
    assert "research" in play.acts
    assert "research" not in alone(27, techs=[1, 4], coins=3).acts


def test_a_discount_does_not_make_a_price_negative() -> None:
    play = alone(7, techs=[4, 5, 6], coins=2, wonder_market=[1]).act("wonder")  # 7 - 6 - 2
    assert play.has("coins") == 2


def test_gaining_workers_stops_at_four() -> None:
    assert alone(29, workers=[4, 4]).do("rest").has("workers") == 4


def test_coins_are_lost_only_as_far_as_one_has_them() -> None:
    assert alone(31, players=3, others=0).do("rest").state["coins"][1:] == [0, 0]


def test_a_granted_action_is_free_of_space_and_worker_and_sets_off_no_other() -> None:
    """Axum: culture after construction, with all that culture brings (Writing), even if its card is closed."""
    play = alone(6, techs=[1], open=["construction", "hunt", "fish"], rnd=4, track=TRACK, workers=[2, 4])
    assert "culture" not in play.acts
    play.act("construction")
    assert play.asked == (0, "grant")
    assert play.act("culture").has("points") == 2 + 1 + 2 + 1
    assert play.asked == (1, "action")  # no worker is left


TRACK = ["culture", "trade", "farm", "construction", "hunt", "fish", "conquest", "plague"]


def test_a_granted_action_can_be_declined() -> None:
    play = alone(6, open=["construction"]).act("construction").do("end")
    assert play.asked == (0, "action") and play.has("points") == 3


def test_a_granted_action_must_be_payable() -> None:
    assert alone(6, open=["construction"], coins=4).act("construction").asked == (0, "action")


def test_resting_effects_come_after_the_two_coins_and_the_worker() -> None:
    play = alone(16, coins=0, workers=[1, 4]).do("rest")
    assert (play.has("coins"), play.has("points"), play.has("workers")) == (3, 2, 2)
