"""Technologies and special cards (RULES 9): where they stand, what they need, what each does."""

from __future__ import annotations

from typing import Any

import pytest
from games.age_of_civilization.playing import Playing, alone, start
from games.age_of_civilization.rules.test_civilizations import Net, cards_open, perform

from genesia_rl.games.age_of_civilization.data.box import load_box
from genesia_rl.games.age_of_civilization.names import ACTIONS

BOX = load_box()
INNOVATION = {"innovation": True}

#: (technology, action) -> what it adds; what is not listed adds nothing. Discounts are coins.
ADDS: dict[tuple[int, str], Net] = {
    (1, "culture"): Net(points=1),
    (4, "fish"): Net(coins=1),
    (4, "trade"): Net(coins=1),
    (6, "construction"): Net(points=1),
    (6, "wonder"): Net(coins=2),
    (7, "construction"): Net(coins=2),
    (9, "conquest"): Net(points=1),
    (10, "hunt"): Net(points=1),
    (11, "culture"): Net(points=1),
    (14, "farm"): Net(points=1),
    (15, "research"): Net(coins=1),
    (17, "trade"): Net(coins=1),
    (18, "farm"): Net(coins=1),
    (19, "farm"): Net(idle=1),
    (20, "construction"): Net(coins=1, points=1),
    (21, "wonder"): Net(coins=2, points=1),
    (22, "hunt"): Net(coins=1),
    (26, "enslavement"): Net(coins=1),
}
FORCE = {7: 1, 8: 2, 9: 3, 22: 1, 23: 2, 24: 2, 25: 1, 26: 1, 27: 1}


def knows(number: int, **changes: Any) -> Playing:
    """Seat 0 knows the technology and what leads to it, on a card where it stands."""
    tech = BOX.technology(number)
    return alone(
        techs=way_to(number), config=INNOVATION, special_cards=[tech.special or None, None], **changes
    )


def way_to(number: int) -> list[int]:
    """A technology with those below it in its column, on its own card."""
    tech = BOX.technology(number)
    card = [BOX.technology(k) for k in BOX.card_of(tech.special)]
    return [other.number for other in card if other.column == tech.column and other.row <= tech.row]


def expected(number: int, action: str) -> Net:
    nets = [ADDS.get((k, action), Net()) for k in way_to(number)]
    return Net(*map(sum, zip(*nets, strict=True)))


def net(play: Playing, action: str) -> Net:
    """What performing brings; some technology that is available, whichever."""
    if action != "research":
        return perform(play, action)
    before = play.state
    play.act("research")
    if play.asked == (0, "technology"):
        play.do(sorted(play.legal - {"tech:3", "tech:15"})[0])  # Science and Astronomy give points
    after = play.state
    return Net(*(after[name][0] - before[name][0] for name in ("coins", "points", "idle")))


@pytest.mark.parametrize("number", range(1, 28), ids=lambda k: BOX.technology(k).name)
def test_a_technology_adds_to_actions_what_it_says(number: int) -> None:
    for action in ACTIONS:
        changes: dict[str, Any] = {"open": cards_open(action), "wonder_market": [1], "workers": [3, 4]}
        found = net(knows(number, **changes), action)
        plain = net(alone(config=INNOVATION, **changes), action)
        difference = Net(*(a - b for a, b in zip(found, plain, strict=True)))
        if action == "hunt":  # its point is for those who know nothing
            difference = difference._replace(points=difference.points + 1)
        assert difference == expected(number, action), action


@pytest.mark.parametrize("number", range(1, 28), ids=lambda k: BOX.technology(k).name)
def test_the_force_of_a_technology(number: int) -> None:
    assert knows(number).has("force") == sum(FORCE.get(k, 0) for k in way_to(number))


def test_education_may_perform_culture_at_the_end_of_the_turn() -> None:
    play = knows(2, coins=2).do("rest")  # Tibet rests for five coins
    assert play.asked == (0, "turn_end") and play.legal == {"tech:2", "end"}
    play.do("tech:2")
    assert play.has("coins") == 3 and play.has("points") == 1 + 2 + 1  # rest, culture, Writing
    assert play.asked == (1, "action")


def test_educations_culture_needs_no_open_card_no_worker_and_no_space() -> None:
    play = knows(2, workers=[0, 4], coins=4, open=["hunt", "fish", "farm"])
    assert play.asked == (0, "turn_end") and play.legal == {"tech:2", "end"}  # nobody was idle: it has rested
    assert play.do("tech:2").has("workers") == 1


def test_science_gives_a_point_for_every_upcoming_card_when_it_is_gained() -> None:
    for rnd, points in ((3, 3), (6, 0)):
        play = alone(techs=[1, 2], rnd=rnd).act("research").do("tech:3")
        assert play.has("points") == 1 + points


def test_currency_and_pottery_give_a_coin_at_the_end_of_the_turn() -> None:
    for number in (5, 16):
        assert knows(number, coins=0).do("rest").has("coins") == 5 + 1
    both = alone(techs=[16, 17], config=INNOVATION, special_cards=[4, None], coins=0).do("rest")
    assert both.has("coins") == 5 + 1


def test_mysticism_gives_a_point_for_resting() -> None:
    assert knows(12).do("rest").has("points") == 1 + 1


def test_theology_gives_a_point_at_the_end_of_the_turn_with_a_wonder() -> None:
    assert knows(13, wonders=[1]).do("rest").has("points") == 1 + 1 + 1  # Tibet, Mysticism, Theology
    assert knows(13).do("rest").has("points") == 1 + 1


def test_astronomy_gives_two_points_when_it_is_gained() -> None:
    play = alone(techs=[14], config=INNOVATION, special_cards=[3, None]).act("research").do("tech:15")
    assert play.has("points") == 1 + 2


@pytest.mark.parametrize(
    ("number", "action", "card"), [(17, "trade", 4), (19, "farm", 5), (25, "conquest", 8)]
)
def test_own_spaces_of_technologies(number: int, action: str, card: int) -> None:
    closed = [name for name in ("hunt", "fish", "culture", "farm", "trade") if name != action][:3]
    assert action in knows(number, open=closed).acts
    play = knows(number, open=[action])
    play.act(action)
    assert action in play.acts  # the card's own space and the seat's
    assert action not in play.act(action).acts
    assert card == BOX.technology(number).special


def test_terraces_need_a_worker_less_for_the_farm() -> None:
    assert "farm" in knows(19, workers=[1, 4], open=["farm"]).acts
    assert "farm" not in knows(18, workers=[1, 4], open=["farm"]).acts


def test_chariots_make_conquest_safe() -> None:
    assert knows(23, open=["conquest"]).act("conquest").do("end").has("workers") == 4
    assert knows(22, open=["conquest"]).act("conquest").do("end").has("workers") == 3


def test_chivalry_gives_a_point_at_the_end_of_the_turn_to_the_strongest() -> None:
    assert knows(27).do("rest").has("points") == 1 + 1
    assert knows(27, technologies=[[26, 27], [7, 8, 9]]).do("rest").has("points") == 1


# ---------------------------------------------------------------- what is available


@pytest.mark.parametrize(
    ("techs", "available"),
    [
        ([], {1, 4, 7}),
        ([1], {2, 4, 7}),
        ([4], {1, 5, 7}),
        ([1, 2], {3, 4, 6, 7}),
        ([4, 5], {1, 3, 6, 7, 9}),
        ([7, 8], {1, 4, 6, 9}),
        ([1, 2, 4, 5, 7, 8], {3, 6, 9}),
        ([1, 2, 3, 4, 5, 6, 7, 8], {9}),
    ],
)
def test_one_arrow_from_an_own_technology_is_enough(techs: list[int], available: set[int]) -> None:
    play = alone(techs=techs).act("research")
    if len(available) > 1:
        assert play.objects("tech") == set(map(str, available))
    else:
        assert play.has("technologies") == sorted({*techs, *available})


def test_without_an_available_technology_there_is_no_research() -> None:
    """R6."""
    assert "research" not in alone(techs=range(1, 10)).acts


def test_the_same_technology_may_be_gained_by_all() -> None:
    play = alone().act("research").do("tech:1", "end").act("research").do("tech:1")
    assert play.state["technologies"] == [[1], [1]]


def test_roots_lead_on_whatever_card_they_are_on() -> None:
    """A special card's technologies take the cells of those that they cover, with their arrows."""
    play = alone(techs=[16, 17], config=INNOVATION, special_cards=[4, None]).act("research")
    assert play.objects("tech") == {"1", "3", "6", "7", "9"}


# ---------------------------------------------------------------- special cards


def innovation(**changes: Any) -> Playing:
    return alone(config=INNOVATION, special_market=[1, 4, 7], **changes)


def test_a_special_card_costs_a_coin_and_covers_two_rows() -> None:
    play = innovation()
    assert play.objects("special") == {"1", "4", "7"}
    play.do("special:4")
    assert play.has("coins") == 29 and play.has("special_cards") == 4
    assert play.state["special_market"] == [1, 7]
    assert play.act("research").objects("tech") == {"1", "7", "16"}


def test_buying_is_no_action_and_nobody_has_two_special_cards() -> None:
    play = innovation().do("special:1")
    assert play.asked == (0, "action") and "rest" in play.legal and play.objects("special") == set()
    assert play.do("rest").has("coins") == 29 + 5


def test_a_special_card_can_be_bought_after_an_action_and_without_workers() -> None:
    play = innovation(workers=[1, 4]).act("enslavement")
    assert play.legal == {"end", "special:1", "special:4", "special:7"}
    assert play.do("special:7").asked == (1, "action")  # then only `end` is left


def test_a_column_with_a_technology_takes_no_special_card() -> None:
    assert innovation(techs=[1]).objects("special") == {"4", "7"}
    assert innovation(techs=[4, 5, 9]).objects("special") == {"1"}  # row 3 counts as well


def test_without_a_coin_there_is_no_special_card() -> None:
    assert innovation(coins=0).objects("special") == set()


def test_the_special_market_is_never_refilled() -> None:
    play = innovation().do("special:1", "rest", "special:4", "rest").until(5)
    assert play.state["special_market"] == [7]


def test_columns_are_those_of_the_seats_own_card() -> None:
    play = alone(
        46, [12], techs=[16, 17, 6], config=INNOVATION, special_cards=[4, None], wonders=[11], coins=0, rnd=6
    )
    scores = play.game.scores(play.states, 0)
    assert scores.parts[0].tolist() == [0, 3, 1]  # Hagia Sophia: a full column; China: a column


def test_without_innovation_nobody_is_offered_a_special_card() -> None:
    assert start().objects("special") == set()
