"""RULES 5.B: the Attack phase: stances, rounds, legal assaults and their resolution; R3, R4."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Play, card, fight, fx, start

FEINT = {50: card("attack", fx("feint", n=3), fx("strike", n=2), timing="offence")}
CITIES_20 = dict.fromkeys((0, *range(5, 16), *range(25, 33)), 0)  # all of seat 0's cities, away from 1 and 4


def attack(**fields: Any) -> Play:
    """The beginning of an Attack phase of Age III."""
    return start(**({"age": 3, "phase": "attack"} | fields))


# ---------------------------------------------------------------- stances and rounds


def test_every_player_chooses_war_or_peace_in_turn_order() -> None:
    """RULES 5.B Attack 1; PROTOCOL 2: stance, at the start of each round."""
    game = attack(players=3, turn_order=[1, 2, 0])
    for seat in (1, 2, 0):
        assert game.asked == (seat, "stance") and game.legal() == ["peace", "war"]
        game.do("peace")


def test_a_player_who_could_not_launch_anything_may_still_choose_war() -> None:
    """RULES 5.B Attack 1: every player chooses; an empty map."""
    assert attack().do("war").legal() == ["peace", "war"]


def test_a_pacifist_has_no_choice() -> None:
    """RULES 5.B Attack 1. After the Nobel Peace Prize (87) only seat 1 is asked, in every round."""
    clans = {1: {0: 5}, 4: {1: 2}, 20: {0: 1}, 17: {1: 5}}
    game = start(age=3, phase="growth", hands=[[87], []], clans=clans).do("card:87").skip_to("stance")
    assert game.asked == (1, "stance")
    game.do("war")  # 17-20 is the only assault; Nobel's defence of 1 and the fight cost two clans
    assert game.asked == (1, "occupy") and game.where(1) == {4: 2, 17: 3}
    assert game.do("amount:0").asked == (1, "stance")


def test_all_peace_ends_the_phase() -> None:
    """RULES 5.B Attack 2."""
    game = attack(clans={1: {0: 5}, 4: {1: 1}}, hands=[[66], []]).do("peace", "peace")
    assert game.asked == (0, "end_of_age")


def test_players_who_chose_war_take_assault_turns_in_turn_order() -> None:
    """RULES 5.B Attack 3. Seats 2 and 0 of the order 2, 1, 0; seat 1 at Peace launches nothing."""
    clans = {1: {0: 3}, 4: {1: 1}, 36: {2: 3}, 20: {1: 3}, 17: {0: 1}}
    game = attack(players=3, turn_order=[2, 1, 0], clans=clans | {39: {1: 1}}, hands=[[61], [], [62]])
    game.do("war", "peace", "war")
    assert game.asked == (2, "assault") and game.edges == ["36-39"]
    game.do("edge:36-39", "amount:0")
    assert game.asked == (0, "assault") and game.edges == ["1-4"]


def test_an_assault_turn_launches_exactly_one_assault() -> None:
    """RULES 5.B Attack 3: the assault ends the turn, though a second target is there."""
    game = fight(5, 1, hands=[[61], []], clans={1: {0: 5}, 4: {1: 1}, 2: {1: 1}})
    assert game.edges == ["1-2", "1-4"]
    game.do("edge:1-4", "amount:0")
    assert game.asked == (0, "stance")


def test_a_player_at_peace_may_defend_with_cards() -> None:
    """RULES 5.B Attack 3."""
    game = fight(5, 1, hands=[[], [81]])
    assert game.asked == (1, "defence") and game.cards == [81]


def test_a_player_at_war_may_defend_with_cards() -> None:
    """RULES 5.B Attack 3: nothing is said against it."""
    game = attack(clans={1: {0: 5}, 4: {1: 1}}, hands=[[], [81]]).do("war", "war")
    assert game.asked == (1, "defence") and game.cards == [81]


def test_after_a_round_with_an_assault_a_new_round_begins() -> None:
    """RULES 5.B Attack 4."""
    game = fight(5, 1, hands=[[61], []]).do("edge:1-4", "amount:0")
    assert game.asked == (0, "stance")


# ---------------------------------------------------------------- who is spent


def spent(game: Play) -> list[int]:
    """The seats that are spent."""
    return [seat for seat in range(game.game.num_seats) if game.state["spent"][seat]]


def test_a_round_without_an_assault_leaves_its_war_choosers_spent() -> None:
    """RULES 5.B Attack 4, R3: both are at War and none can do anything: both must choose Peace, which ends it."""
    game = attack(hands=[[66], [71]], clans={1: {0: 2}, 4: {1: 2}}).do("war", "war")
    assert game.asked == (0, "assault") and game.do("end").asked == (1, "assault")
    assert game.do("end").asked == (0, "end_of_age") and spent(game) == []


def test_a_round_without_an_assault_does_not_end_the_phase() -> None:
    """RULES 5.B Attack 4: seat 0 chose War and launched nothing; seat 1, which chose Peace, is asked again."""
    game = attack(hands=[[66], [71]], clans={1: {0: 2}, 4: {1: 5}}).do("war", "peace", "end")
    assert game.asked == (1, "stance") and spent(game) == [0]
    assert game.clone().do("peace").asked == (0, "end_of_age")
    assert game.do("war").asked == (1, "assault")  # one region is assaulted from another, nobody asks seat 0


def test_an_assault_of_anybody_frees_who_was_spent_before() -> None:
    """RULES 5.B Attack 4: nobody is spent any more; seat 0 may choose War again."""
    game = attack(hands=[[66], [71]], clans={1: {0: 2}, 4: {1: 5}, 23: {0: 1}, 26: {1: 2}})
    game.do("war", "peace", "end", "war", "edge:26-23", "amount:0")
    assert spent(game) == [] and game.asked == (0, "stance")


def test_who_launched_none_in_a_round_with_an_assault_is_spent() -> None:
    """RULES 5.B Attack 4: but for those who chose War and launched none in that very round."""
    clans = {1: {0: 3}, 4: {1: 1}, 42: {2: 1}}
    game = attack(players=3, clans=clans, hands=[[61], [], [66]]).do("war", "peace", "war")
    game.do("edge:1-4", "amount:0", "end")
    assert spent(game) == [2] and game.asked == (0, "stance")
    assert game.do("peace").asked == (1, "stance") and game.do("peace").kind == "end_of_age"


def test_who_was_spent_stays_so_through_rounds_without_an_assault() -> None:
    """RULES 5.B Attack 4: seat 0 is spent after the first round, seat 2 after the second; then all is Peace."""
    game = attack(players=3, hands=[[61], [62], [66]]).do("war", "peace", "peace", "end")
    assert spent(game) == [0] and game.asked == (1, "stance")
    game.do("peace", "war")
    assert game.asked == (2, "assault")
    game.do("end")
    assert spent(game) == [0, 2] and game.asked == (1, "stance")
    assert game.do("peace").asked == (0, "end_of_age")


def test_who_chose_peace_is_never_spent() -> None:
    """RULES 5.B Attack 4: a player who chose War; seat 1 is at Peace in every round and asked in every one."""
    game = attack(players=3, hands=[[61], [62], [66]]).do("war", "peace", "war", "end", "end")
    assert spent(game) == [0, 2] and game.asked == (1, "stance")


def test_nobody_is_spent_when_the_next_attack_phase_begins() -> None:
    """RULES 5.B Attack 4: when an Attack phase begins nobody is spent."""
    game = attack(age=2, hands=[[31], [32]]).do("war", "peace", "end", "peace")
    game.skip_to("stance")
    assert game.age == 3 and spent(game) == [] and game.legal() == ["peace", "war"]


def test_an_assault_counts_when_it_is_declared_however_it_ends() -> None:
    """RULES 5.B Attack 3; PROTOCOL 2: a parried one is launched: seat 0 is not spent, seat 2 is freed."""
    clans = {1: {0: 3}, 4: {1: 1}}
    game = attack(players=3, clans=clans, hands=[[61], [88], [66]]).do("peace", "peace", "war", "end")
    assert spent(game) == [2] and game.asked == (0, "stance")
    game.do("war", "peace", "edge:1-4", "card:88")
    assert spent(game) == [] and game.asked == (0, "stance")


def test_an_assault_that_is_lost_at_once_counts_as_launched() -> None:
    """RULES 5.B Attack 3: all attackers fall to a ward, seat 0 is not spent."""
    game = fight(5, 1, hands=[[61], [77]]).do("edge:1-4", "card:77")
    assert game.where(0) == {} and spent(game) == [] and game.asked == (0, "stance")


def test_one_assault_by_anybody_brings_a_new_round() -> None:
    """RULES 5.B Attack 4: seat 1 launched one, and seat 0, which launched none, is spent."""
    game = attack(clans={1: {0: 1}, 4: {1: 3}}).do("war", "war")  # both lose one clan
    assert game.asked == (1, "occupy") and game.where(0) == {} and game.where(1) == {4: 2}
    assert game.do("amount:0").asked == (1, "stance")


# ---------------------------------------------------------------- what is a legal assault


@pytest.mark.parametrize(("a", "d", "legal"), [(1, 1, False), (2, 1, True), (2, 2, False), (5, 4, True)])
def test_the_defender_must_have_fewer_clans(a: int, d: int, legal: bool) -> None:
    """RULES 5.B: a legal assault, d < a."""
    game = fight(a, d, hands=[[61], []])
    assert game.edges == (["1-4"] if legal else [])
    assert ("end" in game.legal()) is not legal


def test_one_clan_may_assault_an_empty_city() -> None:
    """RULES 5.B: d = 0 is always fine."""
    assert fight(1, 0, hands=[[61], []], clans={1: {0: 1}}, cities={4: 1}).edges == ["1-4"]


def test_a_city_without_clans_launches_nothing() -> None:
    """RULES 5.B: a >= 1."""
    game = fight(0, 0, hands=[[61], []], clans={}, cities={1: 0, 4: 1})
    assert game.legal() == ["discard:61", "end"]


def test_no_homeland_is_assaulted() -> None:
    """RULES 5.B: T is not a homeland, be it the own or another; region 1 touches 0, 2 and 4."""
    clans = {1: {0: 9}, 0: {1: 1}, 17: {0: 9}, 16: {1: 1}}
    assert fight(9, 1, hands=[[61], []], clans=clans).legal() == ["discard:61", "end"]


def test_an_assault_may_come_from_a_homeland() -> None:
    """RULES 5.B: A may be a homeland: the own, or another's."""
    clans = {0: {0: 2, 1: 5}, 1: {1: 1}, 16: {0: 3, 1: 1}, 18: {1: 2}}
    assert fight(0, 0, hands=[[61], []], clans=clans).edges == ["0-1", "16-18"]


def test_an_assault_goes_to_an_adjacent_region_of_an_opponent() -> None:
    """RULES 5.B: adjacent, and an opponent occupies it: not 2 (mine), 0 (free), 7 (too far)."""
    clans = {1: {0: 5}, 2: {0: 1}, 4: {1: 1}, 7: {1: 1}}
    assert fight(5, 1, hands=[[61], []], clans=clans).edges == ["1-4"]


def test_an_empty_city_needs_a_city_in_supply() -> None:
    """RULES 5.B, R4. With all twenty cities on the map there is no assault on region 4."""
    fields: dict[str, Any] = {"hands": [[61], []], "clans": {1: {0: 3}}}
    nineteen = dict(list(CITIES_20.items())[1:])
    assert fight(3, 0, cities=CITIES_20 | {4: 1}, **fields).edges == []
    assert fight(3, 0, cities=nineteen | {4: 1}, **fields).edges == ["1-4"]


def test_a_garrisoned_city_may_be_assaulted_without_a_city_in_supply() -> None:
    """RULES 5.B: only if T holds no clan. The city stands, so nobody moves in either."""
    game = fight(3, 1, hands=[[61], []], cities=CITIES_20 | {4: 1})
    assert game.edges == ["1-4"]
    game.do("edge:1-4")
    assert game.asked == (0, "stance") and game.cities(1) == [4] and game.where(0) == {1: 2}
    assert game.conquests == [0, 0]


def test_who_chose_war_and_can_must_launch_an_assault() -> None:
    """RULES 5.B: no end while one is legal."""
    assert fight(3, 1, hands=[[61], []]).legal() == ["discard:61", "edge:1-4"]


def test_who_has_no_legal_assault_may_end_the_turn() -> None:
    """RULES 5.B."""
    assert fight(1, 1, hands=[[61], []]).legal() == ["discard:61", "end"]


# ---------------------------------------------------------------- resolution


def test_the_defender_is_asked_first_and_may_play_as_many_cards_as_wanted() -> None:
    """RULES 5.B resolution 1 and 2. Shelters (77) and a shield (81) stop 9 of 10 attackers."""
    game = fight(10, 1, hands=[[], [77, 81]])
    assert game.asked == (1, "defence") and game.cards == [77, 81]
    game.do("card:77")
    assert game.asked == (1, "defence") and game.legal() == ["card:81", "end"]
    game.do("card:81")
    # 10 - 9 = 1 is left, and falls together with the one defender
    assert game.where(0) == {} and game.where(1) == {} and game.asked == (0, "stance")


def test_each_reinforcement_reopens_the_defence() -> None:
    """RULES 5.B resolution 3: step 2 after every further offensive card."""
    game = fight(9, 3, hands=[[98], [77, 81]]).do("edge:1-4", "end")
    assert game.asked == (0, "reinforce") and game.legal() == ["card:98", "end"]
    game.do("card:98")
    assert game.asked == (1, "defence") and game.cards == [77, 81]


def test_without_reinforcement_the_defence_is_over() -> None:
    """RULES 5.B resolution 3: only a card reopens step 2."""
    game = fight(9, 3, hands=[[98], [77, 81]]).do("edge:1-4", "end", "end")
    assert game.asked == (0, "losses") and game.amounts == [1, 2, 3]


def test_the_defender_who_passed_may_play_when_it_is_asked_again() -> None:
    """RULES 5.B resolution 3: 98 strikes for 4, then 77 wards 5: one of the attackers falls."""
    game = fight(9, 3, hands=[[98], [77, 81]]).do("edge:1-4", "end", "card:98", "card:77", "end")
    assert game.asked == (0, "losses") and game.clans(1) == [8, 0] and game.clans(4) == [0, 3]


def test_steps_2_and_3_take_place_even_when_a_card_has_left_t_without_clans() -> None:
    """RULES 5.B resolution. Scorched earth (48) empties T; 51 and 49 may still be played."""
    game = fight(9, 3, hands=[[49, 59], [48, 51]], age=2).do("edge:1-4", "card:48")
    assert game.clans(4) == [0, 0] and game.clans(16) == [0, 3]
    assert game.asked == (1, "defence") and game.legal() == ["card:51", "end"]
    assert game.do("end").asked == (0, "reinforce") and game.cards == [49, 59]
    assert game.do("card:49").asked == (1, "defence")


@pytest.mark.parametrize(("d", "left"), [(8, 4), (6, 2)])
def test_the_defender_loses_what_offence_exceeds_defence(d: int, left: int) -> None:
    """RULES 5.B resolution 4: x = 4 (card 98), x clans of T."""
    game = fight(9, d, hands=[[98, 61], [81]]).do("card:98", "edge:1-4", "end")
    assert game.asked == (0, "losses") and game.amounts == list(range(1, left + 1))
    assert game.clans(4) == [0, left] and game.clans(1) == [9, 0]


@pytest.mark.parametrize("d", [3, 4])
def test_the_defender_loses_no_more_than_it_has(d: int) -> None:
    """RULES 5.B resolution 4: min(x, d). Step 5 is left out, all nine may move in."""
    game = fight(9, d, hands=[[98, 61], [81]]).do("card:98", "edge:1-4", "end")
    assert game.asked == (0, "occupy") and game.amounts == list(range(10)) and game.where(1) == {}


@pytest.mark.parametrize(("a", "left"), [(8, 3), (7, 2)])
def test_the_attacker_loses_what_defence_exceeds_offence(a: int, left: int) -> None:
    """RULES 5.B resolution 4: x = -5 (card 77), 5 clans of A."""
    game = fight(a, 2, hands=[[], [77]]).do("card:77")
    assert game.asked == (0, "losses") and game.amounts == [1, 2]
    assert game.clans(1) == [left, 0] and game.clans(4) == [0, 2]


@pytest.mark.parametrize("a", [5, 4, 3])
def test_the_attacker_loses_no_more_than_it_has(a: int) -> None:
    """RULES 5.B resolution 4: min(-x, a); with a = 0 the assault is over."""
    game = fight(a, 2, hands=[[], [77]]).do("card:77")
    assert game.where(0) == {} and game.where(1) == {4: 2} and game.clan_supply == [30, 28]
    assert game.asked == (0, "stance")


def test_offence_and_defence_cards_are_set_off() -> None:
    """RULES 5.B resolution 4: 4 against 4 leaves nothing, so all happens by clans."""
    game = fight(5, 3, hands=[[98, 61], [81]]).do("card:98", "edge:1-4", "card:81")
    assert game.asked == (0, "losses") and game.amounts == [1, 2, 3]
    assert game.clans(1) == [5, 0] and game.clans(4) == [0, 3]


def test_if_the_attacker_has_no_clan_left_the_assault_is_over() -> None:
    """RULES 5.B resolution 4. Five attackers fall to 77; the lone defender is untouched."""
    game = fight(5, 1, hands=[[], [77]]).do("card:77")
    assert game.where(0) == {} and game.clans(4) == [0, 1] and game.asked == (0, "stance")


def test_both_lose_the_number_that_the_attacker_chooses() -> None:
    """RULES 5.B resolution 5: 1 <= k <= min(a, d)."""
    game = fight(6, 4, hands=[[61], []]).do("edge:1-4")
    assert game.asked == (0, "losses") and game.amounts == [1, 2, 3, 4]
    game.do("amount:3")
    assert game.clans(1) == [3, 0] and game.clans(4) == [0, 1] and game.asked == (0, "stance")


def test_k_is_at_most_the_attackers_clans() -> None:
    """RULES 5.B resolution 5; PROTOCOL 2: after a feint d may be at least a; then k is at most a."""
    fields: dict[str, Any] = {"hands": [[50, 31], []], "age": 2, "cards": FEINT}
    assert fight(2, 6, **fields).legal() == ["discard:31", "discard:50", "end"]  # 2 + 3 is not more than 6
    game = fight(2, 4, **fields).do("card:50", "edge:1-4")
    assert game.asked == (0, "losses") and game.amounts == [1, 2]


def test_if_all_attackers_fall_in_step_5_it_is_over() -> None:
    """RULES 5.B resolution 5. Feint: 2 against 4 less 2 struck down; both are gone, nobody moves in."""
    game = fight(2, 4, hands=[[50, 31], []], age=2, cards=FEINT).do("card:50", "edge:1-4", "amount:2")
    assert game.where(0) == {} and game.where(1) == {} and game.asked == (0, "stance")
    assert game.conquests == [0, 0]


def test_a_siege_after_a_fight_may_be_laid_or_left() -> None:
    """RULES 5.B resolution 6; PROTOCOL 2: siege, amount 1 or 0."""
    game = fight(4, 1, hands=[[61], []], cities={4: 1}).do("edge:1-4")
    assert game.asked == (0, "siege") and game.legal() == ["amount:0", "amount:1"]
    left = game.clone().do("amount:0")
    assert left.cities(1) == [4] and left.where(0) == {1: 3} and left.asked == (0, "stance")
    game.do("amount:1")
    assert game.cities(0) == [4] and game.cities(1) == [] and game.where(0) == {1: 2}
    assert game.asked == (0, "occupy") and game.amounts == [0, 1, 2]


def test_there_is_no_siege_while_defenders_are_left() -> None:
    """RULES 5.B resolution 6: if d = 0."""
    game = fight(4, 2, hands=[[61], []], cities={4: 1}).do("edge:1-4", "amount:1")
    assert game.asked == (0, "stance") and game.cities(1) == [4] and game.clans(4) == [0, 1]


def test_the_siege_of_a_city_that_was_empty_at_the_declaration_is_compulsory() -> None:
    """RULES 5.B resolution 6, R4: nothing is asked before the occupation."""
    game = fight(4, 0, hands=[[61], []], clans={1: {0: 4}}, cities={4: 1}).do("edge:1-4")
    assert game.asked == (0, "occupy") and game.amounts == [0, 1, 2, 3]
    assert game.cities(0) == [4] and game.cities(1) == []


def test_the_last_clan_may_be_spent_on_the_siege() -> None:
    """RULES 5.B resolution 6 and 7: it gains presence by the city, with no clan left to move."""
    game = fight(1, 0, clans={1: {0: 1}}, cities={4: 1})
    assert game.cities(0) == [4] and game.where(0) == {} and game.conquests == [1, 0]


def test_a_city_whose_garrison_has_retreated_may_be_left_alone() -> None:
    """RULES 5.B resolution 6: T held clans when the assault was declared, so the siege is optional."""
    game = fight(9, 2, hands=[[], [48]], age=2, cities={4: 1}).do("card:48")
    assert game.asked == (0, "siege") and game.amounts == [0, 1]


def test_a_region_left_without_presence_may_be_entered_with_any_number() -> None:
    """RULES 5.B resolution 7: 0..a, free, although the attacker has no coin."""
    game = fight(5, 2, hands=[[61], []]).do("edge:1-4", "amount:2")
    assert game.asked == (0, "occupy") and game.amounts == [0, 1, 2, 3]
    assert game.clone().do("amount:0").where(0) == {1: 3}
    moved = game.clone().do("amount:3")
    assert moved.where(0) == {4: 3} and moved.coins == [0, 0]


def test_a_region_with_a_city_left_standing_is_not_entered() -> None:
    """RULES 5.B resolution 7: nobody but the attacker has presence in T."""
    game = fight(4, 1, hands=[[61], []], cities={4: 1}).do("edge:1-4", "amount:0")
    assert game.asked == (0, "stance") and game.where(0) == {1: 3}


def test_leaving_a_conquered_region_empty_is_no_conquest() -> None:
    """RULES 7: conquests, by which one gained presence in T."""
    game = fight(5, 2, hands=[[61], []]).do("edge:1-4", "amount:2")
    assert game.clone().do("amount:0").conquests == [0, 0]
    assert game.clone().do("amount:1").conquests == [1, 0]


def test_the_defender_is_whoever_occupies_t() -> None:
    """RULES 5.B resolution 2. Seat 2 of three defends, seat 1 with the same card is not asked."""
    game = attack(players=3, clans={1: {0: 5}, 4: {2: 1}}, hands=[[], [81], [77]])
    game.do("war", "peace", "peace")
    assert game.asked == (2, "defence") and game.cards == [77]


def test_a_lone_assault_is_forced_and_not_asked() -> None:
    """RULES 5.B: must launch; with nothing else to do it happens at once: 3 - 1 clans."""
    game = fight(3, 1)
    assert game.asked == (0, "occupy") and game.clans(1) == [2, 0]


def test_a_defence_card_must_be_paid_for() -> None:
    """RULES 7: cost, no debt."""
    cards = {81: card("attack", fx("ward", n=4), timing="defence", cost=2)}
    hands = [[61], [81, 66]]
    assert fight(3, 1, hands=hands, cards=cards, coins=[0, 1]).do("edge:1-4").asked == (0, "occupy")
    game = fight(6, 1, hands=hands, cards=cards, coins=[0, 2]).do("edge:1-4", "card:81")
    assert game.coins == [0, 0] and game.clans(1) == [1, 0]
