"""Every civilization: what its main and its inherited ability do, number by number (RULES 8, civilizations.toml).

All ten actions are performed with each ability in force and compared with the same without it, so that an ability
that did something else besides would show, too. A main ability brings its own inherited one along.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from games.age_of_civilization.playing import TIBET, Playing, alone, start

from genesia_rl.games.age_of_civilization.data.box import load_box
from genesia_rl.games.age_of_civilization.names import ACTIONS

BOX = load_box()
ALL = range(1, 49)


class Net(NamedTuple):
    """What performing an action brings more than without the ability."""

    coins: int = 0
    points: int = 0
    idle: int = 0
    others: int = 0  # coins of the other seat


#: (civilization, action) -> what the ability adds; what is not listed adds nothing. Discounts are coins.
MAIN: dict[tuple[int, str], Net] = {
    (1, "wonder"): Net(coins=2),
    (3, "construction"): Net(points=1),
    (3, "farm"): Net(coins=1),
    (4, "culture"): Net(coins=2),
    (6, "construction"): Net(points=1),
    (7, "wonder"): Net(coins=6, idle=-1),
    (9, "culture"): Net(coins=1),  # strongest, as all have the same force or less
    (12, "farm"): Net(idle=1),
    (14, "research"): Net(coins=1),  # Writing
    (17, "research"): Net(points=2),  # Writing
    (18, "farm"): Net(coins=1),
    (22, "fish"): Net(coins=1),
    (25, "conquest"): Net(others=-2),
    (27, "research"): Net(coins=4),  # Writing is free
    (30, "conquest"): Net(others=-1),
    (33, "culture"): Net(points=1),
    (34, "hunt"): Net(coins=1),
    (35, "research"): Net(points=1),
    (35, "culture"): Net(points=1),
    (37, "conquest"): Net(points=1),
    (39, "trade"): Net(coins=2),
    (39, "enslavement"): Net(coins=1),
    (40, "hunt"): Net(points=1),
    (41, "fish"): Net(coins=1),
    (41, "trade"): Net(coins=1),
    (41, "culture"): Net(coins=1),
    (43, "enslavement"): Net(coins=1),
    (45, "trade"): Net(coins=2),
    (47, "construction"): Net(coins=2),
    (47, "research"): Net(coins=1),
}
INHERITED: dict[tuple[int, str], Net] = {
    (2, "trade"): Net(coins=1),
    (3, "farm"): Net(coins=1),
    (4, "culture"): Net(coins=1),
    (6, "construction"): Net(coins=1),
    (7, "enslavement"): Net(coins=1),
    (8, "research"): Net(coins=1),
    (10, "trade"): Net(coins=1),
    (11, "fish"): Net(coins=1),
    (14, "culture"): Net(coins=1),
    (15, "conquest"): Net(coins=2),
    (16, "hunt"): Net(coins=1),
    (18, "farm"): Net(points=1),
    (21, "trade"): Net(coins=1),
    (22, "fish"): Net(coins=1),
    (23, "construction"): Net(points=1),
    (24, "farm"): Net(coins=1),
    (27, "farm"): Net(coins=1),
    (33, "wonder"): Net(coins=1),
    (34, "enslavement"): Net(coins=1),
    (36, "conquest"): Net(points=1),
    (40, "hunt"): Net(coins=1),
    (41, "fish"): Net(coins=1),
    (43, "enslavement"): Net(coins=1),
    (44, "construction"): Net(coins=1),
    (45, "trade"): Net(coins=1),
    (47, "construction"): Net(coins=1),
}
#: What an own space of an action adds is counted apart.
SPACES = {(4, "main"): ["culture"], (5, "main"): ["conquest"], (45, "main"): ["trade"]}
#: Force without technologies.
MAIN_FORCE = {5: 2, 13: 1, 28: 1, 30: 3, 31: 1, 34: 1, 36: 2, 37: 2, 38: 1, 43: 2}
INHERITED_FORCE = {5: 1, 9: 1, 13: 1, 19: 1, 20: 2, 25: 1, 28: 1, 31: 1, 37: 1, 38: 1, 42: 1, 48: 1}
#: (coins, points) more when the seat rests.
MAIN_REST = {16: (1, 2), 44: (0, 1), 46: (1, 1)}
INHERITED_REST = {29: (0, 1), 32: (1, 0), 46: (2, 0)}


def with_ability(number: int, role: str, **changes: Any) -> Playing:
    """Seat 0 has the civilization as its main one, or inherits from it with Tibet as the main one."""
    if role == "main":
        return alone(number, **changes)
    return alone(TIBET if number != TIBET else 32, [number], **changes)


def perform(play: Playing, action: str) -> Net:
    """What an action brings: Writing for research, what is granted besides is declined."""
    before = play.state
    play.act(action)
    if action == "research":
        play.do("tech:1")
    if play.asked == (0, "grant"):
        play.do("end")
    after = play.state
    coins, points, idle = (after[name][0] - before[name][0] for name in ("coins", "points", "idle"))
    return Net(coins, points, idle, after["coins"][1] - before["coins"][1])


def cards_open(action: str) -> list[str]:
    return (
        [action] if action in ("hunt", "fish", "farm", "trade", "culture", "construction", "conquest") else []
    )


def net_of(number: int, role: str, action: str) -> Net:
    """What the ability adds to an action."""
    found = perform(
        with_ability(number, role, open=cards_open(action), wonder_market=[1], workers=[3, 4]), action
    )
    plain = perform(alone(open=cards_open(action), wonder_market=[1], workers=[3, 4]), action)
    return Net(*(a - b for a, b in zip(found, plain, strict=True)))


def total(*nets: Net) -> Net:
    return Net(*map(sum, zip(*nets, strict=True)))


@pytest.mark.parametrize("number", ALL, ids=lambda k: BOX.civilization(k).name)
def test_the_main_ability_adds_to_actions_what_it_says(number: int) -> None:
    for action in ACTIONS:
        key = number, action
        expected = total(MAIN.get(key, Net()), INHERITED.get(key, Net()))
        assert net_of(number, "main", action) == expected, action


@pytest.mark.parametrize("number", ALL, ids=lambda k: BOX.civilization(k).name)
def test_the_inherited_ability_adds_to_actions_what_it_says(number: int) -> None:
    for action in ACTIONS:
        assert net_of(number, "inherited", action) == INHERITED.get((number, action), Net()), action


@pytest.mark.parametrize("number", ALL, ids=lambda k: BOX.civilization(k).name)
def test_force_spaces_and_rest_are_what_the_card_says(number: int) -> None:
    for role, force, rest in (
        ("main", MAIN_FORCE.get(number, 0) + INHERITED_FORCE.get(number, 0), MAIN_REST.get(number, (0, 0))),
        ("inherited", INHERITED_FORCE.get(number, 0), (0, 0)),
    ):
        play = with_ability(number, role)
        assert play.has("force") == force
        inherited = INHERITED_REST.get(number, (0, 0))
        expected = [a + b for a, b in zip(rest, inherited, strict=True)]
        if role == "inherited":  # the main one is Tibet, or Lydia with Tibet
            base = (3, 1) if number != TIBET else (1, 0)
            expected = [a + b for a, b in zip(expected, base, strict=True)]
        if number == 2 or number in ENDS:  # they have something to do at the end of the turn
            continue
        play.do("rest")
        assert [play.has("coins") - 32, play.has("points")] == expected


#: Civilizations with turn_end effects that show after a rest.
ENDS = (8, 11, 21, 26, 31, 38, 42)


@pytest.mark.parametrize("number", ALL, ids=lambda k: BOX.civilization(k).name)
def test_own_spaces_are_what_the_card_says(number: int) -> None:
    for role in ("main", "inherited"):
        own = SPACES.get((number, role), [])
        later = {"culture", "trade", "conquest"}  # their cards are not open
        play = with_ability(number, role, open=["hunt", "fish", "farm"])
        future = {"conquest"} if (number, role) == (18, "main") else set()  # the others' cards are past
        assert play.acts & later == set(own) | future


@pytest.mark.parametrize("number", ALL, ids=lambda k: BOX.civilization(k).name)
def test_a_civilization_rises_with_its_population(number: int) -> None:
    for workers in (0, 4):
        play = start(rnd=1, market=[[number, 0], [9, 0], [48, 0]] if number not in (9, 48) else [[number, 0], [1, 0]],
                     workers=[workers, 0], wonder_market=[1])  # fmt: skip
        play.do(f"rise:{number}")
        assert play.has("workers") == BOX.civilization(number).population


# ---------------------------------------------------------------- one by one


def test_aztecs_need_a_worker_more_for_a_wonder_and_both_are_sacrificed() -> None:
    play = alone(7, wonder_market=[1, 2])
    play.act("wonder").do("wonder:1")
    assert (play.has("coins"), play.has("idle")) == (29, 2)
    assert alone(7, workers=[1, 4], wonder_market=[1]).acts.isdisjoint({"wonder"})
    assert play.do("end").has("workers") == 2


def test_axum_may_perform_culture_after_construction() -> None:
    play = alone(6, open=["construction"], coins=6)
    play.act("construction")
    assert play.asked == (0, "grant") and play.legal == {"act:culture", "end"}
    assert (play.has("coins"), play.has("points")) == (5, 3)  # inherited: construction costs 1 less
    play.act("culture")
    assert (play.has("coins"), play.has("points"), play.has("idle")) == (1, 5, 2)
    poor = alone(6, open=["construction"], coins=4).act("construction")
    assert poor.asked == (0, "action")  # 3 coins are not enough for culture


def test_arabia_gains_a_coin_for_two_technologies_at_the_end_of_its_turns() -> None:
    for techs, coins in (([], 0), ([1], 0), ([1, 4], 1), ([1, 4, 7, 8], 2)):
        assert alone(2, techs=techs, coins=0).do("rest").has("coins") == 2 + coins


def test_babylon_gains_a_technology_at_the_end_of_its_turns_without_a_point() -> None:
    play = alone(8, coins=0).do("rest")
    assert play.asked == (0, "technology") and play.legal == {"tech:1", "tech:4", "tech:7"}
    play.do("tech:7")
    assert play.has("technologies") == [7] and play.has("points") == 0
    assert play.asked is not None and play.asked[0] == 1


def test_byzantium_pays_less_for_culture_only_while_it_is_strongest() -> None:
    strongest = alone(9, open=["culture"], coins=3)
    assert "culture" in strongest.acts
    weaker = start(main=[9, 5], open=["culture"], coins=[3, 0])
    assert "culture" not in weaker.acts
    assert "culture" in start(main=[9, 5], open=["culture"], coins=[4, 0]).acts


def test_carthage_gains_its_bonus_three_times() -> None:
    play = start(rnd=1, market=[[10, 4], [1, 0]], coins=[1, 0]).do("rise:10")
    assert play.has("coins") == 13
    annexed = start(market=[[10, 4], [1, 0]], coins=[1, 0]).do("annex:10")
    assert annexed.has("coins") == 5


def test_great_britain_gains_a_point_for_every_seven() -> None:
    for points, more in ((6, 0), (7, 1), (20, 2), (21, 3)):
        assert alone(11, points=[points, 0]).do("rest").has("points") == points + more


def test_china_can_place_the_worker_that_it_gains_at_once() -> None:
    play = alone(12, open=["farm", "fish"], workers=[2, 4])
    play.act("farm")
    assert (play.has("workers"), play.has("idle")) == (3, 1)
    assert play.act("fish").asked == (1, "action")  # nobody is idle
    full = alone(12, open=["farm"]).act("farm")
    assert (full.has("workers"), full.has("idle")) == (4, 2)


def test_hittites_gain_iron_working_for_nothing() -> None:
    play = alone(13, techs=[7], coins=0)
    assert "research" in play.acts
    play.act("research")  # the only technology whose price it has: it is not asked
    assert play.has("technologies") == [7, 8] and play.has("coins") == 0 and play.has("points") == 1
    assert "research" not in alone(13, coins=0).acts


def test_harappa_pays_less_for_the_roots_alone() -> None:
    play = alone(14, techs=[1], coins=3).act("research")
    assert play.legal == {"tech:4", "tech:7"}  # not Education
    assert play.do("tech:4").has("coins") == 0


def test_harappa_does_not_make_culture_cheaper_at_the_end_of_a_turn() -> None:
    """R11: three coins for a culture on a space, but four for Education's."""
    for coins, asked in ((1, 1), (2, 0)):  # two more after the rest
        play = alone(29, [14], [1, 2], coins=coins).do("rest")
        assert play.asked is not None and play.asked[0] == asked
    assert play.legal == {"tech:2", "end"}
    assert play.do("tech:2").has("coins") == 0 and play.has("points") == 1 + 3
    assert "culture" in alone(29, [14], [1, 2], coins=3, open=["culture"]).acts


def test_iberia_gains_a_technology_for_two_coins_of_its_bonus() -> None:
    for bonus, techs in ((1, 0), (2, 1), (3, 1), (4, 2)):
        play = start(rnd=1, market=[[15, bonus], [1, 0]], coins=[0, 0]).do("rise:15")
        for number in (1, 4)[:techs]:
            assert play.asked == (0, "technology")
            play.do(f"tech:{number}")
        assert play.asked == (0, "action") and len(play.has("technologies")) == techs
        assert play.has("coins") == bonus


def test_korea_gains_points_for_three_technologies_alone() -> None:
    for tech, points in ((1, 3), (4, 3), (7, 1)):
        assert alone(17).act("research").do(f"tech:{tech}").has("points") == points
    assert alone(17, techs=[1]).act("research").do("tech:2").has("points") == 3


def test_maya_may_use_the_upcoming_cards_but_none_that_is_past() -> None:
    play = alone(18, rnd=4, open=["hunt"])
    track = play.game.deal_dict(play.states, 0)["track"]
    past, rest = set(track[:3]), set(track[3:])
    assert play.acts & past == set() and rest - {"plague"} <= play.acts
    assert alone(rnd=4, open=["hunt"]).acts & set(track[6:]) == set()


def test_ottomans_pay_less_for_science_and_gunpowder() -> None:
    play = alone(19, techs=[1, 2, 4, 7, 8], coins=1).act("research")
    assert play.legal == {"tech:3", "tech:9"}
    assert play.do("tech:9").has("coins") == 0


@pytest.mark.parametrize(("techs", "coins"), [([], 1), ([7], 1), ([7, 8], 2)])
def test_persia_gains_a_coin_for_two_force_in_a_war(techs: list[int], coins: int) -> None:
    play = alone(20, techs=techs, coins=0, rnd=2, track=TRADE_FIFTH).do("rest", "rest")
    force = 2 + {0: 0, 1: 1, 2: 3}[len(techs)]
    assert play.state["round"] == 3 and play.has("coins") == 2 + force // 2 == 2 + coins


#: At the end of round 2 the fifth card is opened: trade, with a war.
TRADE_FIFTH = ["hunt", "fish", "farm", "culture", "trade", "construction", "conquest", "plague"]


def test_phoenicia_may_put_two_coins_on_a_card_for_two_points() -> None:
    play = alone(21, market=[[1, 0], [2, 3]], coins=0).do("pass", "rest")
    assert play.asked == (0, "turn_end") and play.legal == {"main", "end"}
    play.do("main")
    assert play.asked == (0, "deposit") and play.legal == {"card:1", "card:2"}
    play.do("card:2")
    assert play.has("coins") == 0 and play.has("points") == 2 and play.state["market"] == {"1": 0, "2": 5}
    assert play.asked == (1, "civilization")
    assert alone(21, market=[[1, 0], [2, 3]], coins=0).do("pass", "rest", "end").has("points") == 0


def test_phoenicia_needs_two_coins_and_a_card() -> None:
    assert alone(21, coins=0).do("rest").asked == (1, "action")  # no card
    poor = alone(21, market=[[1, 0], [2, 0]], coins=4, open=["culture"]).do("pass", "act:culture", "end")
    assert poor.asked == (1, "civilization")


def test_polynesia_sacrifices_nobody_in_a_war() -> None:
    play = start(rnd=2, main=[22, 29], track=TRADE_FIFTH, workers=[2, 2]).do("rest", "rest")
    assert play.state["workers"] == [3, 2]  # both are weakest; each has rested for a worker


def test_rome_has_a_force_for_two_technologies() -> None:
    for techs, force in (([], 0), ([1], 0), ([1, 4], 1), ([1, 4, 2], 1), ([1, 4, 2, 5], 2)):
        assert alone(23, techs=techs).has("force") == force
    assert alone(TIBET, [23], [1, 4]).has("force") == 0


def test_inca_gains_a_wonder_when_it_rises() -> None:
    play = start(rnd=1, market=[[24, 0], [1, 0]], wonder_market=[3, 5]).do("rise:24")
    assert play.asked == (0, "wonder") and play.legal == {"wonder:3", "wonder:5"}
    assert play.do("wonder:5").has("wonders") == [5] and play.has("points") == 0
    empty = start(rnd=1, market=[[24, 0], [1, 0]]).do("rise:24")
    assert empty.asked == (0, "action") and empty.has("wonders") == []


def test_scythia_loses_no_worker_in_a_conquest_and_the_others_lose_coins() -> None:
    play = alone(25, open=["conquest"], players=3, others=1).act("conquest", "enslavement").do("end")
    assert play.state["coins"] == [32, 0, 0] and play.has("workers") == 3
    assert alone(open=["conquest"]).act("conquest").do("end").has("workers") == 3


def test_slavs_gain_a_coin_at_the_end_of_their_turns_while_they_are_strongest() -> None:
    assert alone(26, coins=0).do("rest").has("coins") == 3
    assert start(main=[26, 5], coins=[0, 0]).do("rest").has("coins") == 2


def test_sumer_gains_writing_and_navigation_for_nothing() -> None:
    play = alone(27, coins=0).act("research")
    assert play.legal == {"tech:1", "tech:4"}
    assert play.do("tech:4").has("coins") == 0
    assert alone(27, coins=4).act("research").legal == {"tech:1", "tech:4", "tech:7"}


def test_vikings_forbid_trade_to_all_others_everywhere() -> None:
    play = start(main=[45, 28], open=["trade"])
    assert "trade" not in play.acts  # neither on the card nor on an own space
    own = start(main=[28, 45], open=["trade"])
    assert "trade" in own.acts
    assert (
        "trade" in start(civilizations=[[45], [29, 28]], main=[45, 29], open=["trade"]).acts
    )  # inherited: not


def test_tiwanaku_gains_a_point_for_every_upcoming_card() -> None:
    assert start(rnd=1, market=[[29, 0], [1, 0]]).do("rise:29").has("points") == 5
    assert start(rnd=3, market=[[29, 0], [1, 0]], main=[46, 32]).do("rise:29").has("points") == 3


def test_mongolia_takes_a_coin_from_everybody_in_a_conquest() -> None:
    play = alone(30, open=["conquest"], players=4, others=0, coins=0).act("conquest")
    assert play.state["coins"] == [0, 0, 0, 0] and play.has("points") == 2


def test_germania_costs_all_others_a_coin_at_the_end_of_its_turns() -> None:
    assert alone(31, players=3, others=2).do("rest").state["coins"] == [32, 1, 1]


def test_lydia_gains_four_coins_at_its_birth_and_the_others_one() -> None:
    play = start(3, rnd=1, market=[[32, 2], [1, 0], [2, 0]], coins=[0, 5, 0]).do("rise:32")
    assert play.state["coins"] == [6, 6, 1]


def test_macedonia_gains_a_point_for_two_force_at_its_birth() -> None:
    play = start(market=[[36, 0], [1, 0]], technologies=[[7, 8], []]).do("rise:36")
    assert play.has("force") == 5 and play.has("points") == 2


def test_japan_gains_a_point_at_the_end_of_its_turns_while_it_is_strongest() -> None:
    assert alone(38).do("rest").has("points") == 1
    assert start(main=[38, 30], coins=[0, 0]).do("rest").has("points") == 0


def test_celts_gain_a_point_at_the_end_of_their_turns_while_they_know_nothing() -> None:
    assert alone(42).do("rest").has("points") == 1
    assert alone(42, techs=[1]).do("rest").has("points") == 0


def test_olmecs_gain_two_points_at_their_birth() -> None:
    assert start(rnd=1, market=[[44, 0], [1, 0]]).do("rise:44").has("points") == 2
    assert start(market=[[44, 0], [1, 0]]).do("annex:44").has("points") == 0


def test_parthia_gains_two_points_in_a_war_if_it_is_strongest() -> None:
    play = start(rnd=2, main=[48, 29], track=TRADE_FIFTH).do("rest", "rest")
    assert play.has("points") == 2
    weaker = start(rnd=2, main=[48, 30], track=TRADE_FIFTH).do("rest", "rest")
    assert weaker.has("points") == 0


#: (civilization, what its holder has, its points at the end of the game)
LEGACY: list[tuple[int, dict[str, Any], int]] = [
    (1, {"wonders": [1, 2]}, 2),
    (1, {"wonders": [1, 2, 3, 4, 5]}, 3),
    (12, {"techs": [1, 2, 4]}, 2),
    (12, {"techs": []}, 0),
    (17, {"techs": [1, 4, 7]}, 1),
    (17, {"techs": [1, 4, 7, 8]}, 2),
    (26, {"workers": [3, 4]}, 1),
    (26, {"workers": [4, 4]}, 2),
    (30, {"techs": [7, 8]}, 1),
    (30, {"techs": [7, 8, 9]}, 2),
    (35, {"techs": [1, 2, 3, 4, 5, 6]}, 2),
    (39, {"coins": 11}, 2),
    (39, {"coins": 40}, 3),
]


@pytest.mark.parametrize(("number", "has", "points"), LEGACY)
def test_legacies_of_inherited_abilities(number: int, has: dict[str, Any], points: int) -> None:
    play = alone(TIBET, [number], rnd=6, **{"coins": 0, **has})
    assert play.game.scores(play.states, 0).parts[0, 2] == points


def test_every_civilization_has_a_test_of_its_own() -> None:
    """All effects of the file are in the tables above or named in a test."""
    act = {key[0] for key in (*MAIN, *INHERITED)}
    always = {number for number, _ in SPACES} | set(MAIN_FORCE) | set(INHERITED_FORCE)
    rest = set(MAIN_REST) | set(INHERITED_REST)
    single = {2, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
              32, 36, 38, 42, 44, 48, *(number for number, *_ in LEGACY)}  # fmt: skip
    assert act | always | rest | single == set(ALL)
