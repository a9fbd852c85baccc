"""PROTOCOL 1 and 2: actions as text, every row of the table of decisions, and the details beneath it."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Play, card, dealt, fight, fx, game_of, start

from genesia_rl.core.errors import ActionError

# ---------------------------------------------------------------- 1. actions


@pytest.mark.parametrize(
    "text",
    [
        "end", "card:12", "discard:12", "objective:3", "region:17", "edge:0-3", "edge:3-0", "amount:0",
        "amount:30", "position:0", "seat:1", "war", "peace", "region:0", "region:38", "card:99",
    ],
)  # fmt: skip
def test_an_action_is_a_verb_with_at_most_one_object(text: str) -> None:
    """PROTOCOL 1: every text stands for one action and back."""
    game = game_of(players=2)
    assert game.action_text(game.parse_action(text)) == text


@pytest.mark.parametrize("text", ["", "END", "card", "card:", "card:x", "edge:3", "edge:0-16", "move:3",
                                  "card:12 ", "region:-1", "amount:31"])  # fmt: skip
def test_anything_else_is_no_action(text: str) -> None:
    """PROTOCOL 1: 0 and 16 are not adjacent, an amount is at most 30."""
    with pytest.raises(ActionError):
        game_of(players=2).parse_action(text)


def test_regions_and_seats_in_text_are_absolute() -> None:
    """PROTOCOL 1. Seat 1 recruits in 16 and robs seat 0."""
    cards = {22: card("expansion", fx("take", n=1, who="one"))}
    game = start(players=3, phase="expansion", turn_order=[1, 2, 0], coins=[1, 2, 1], hands=[[], [22, 2], []],
                 cards=cards)  # fmt: skip
    assert game.asked == (1, "expansion") and game.regions == [16]
    assert game.do("card:22").legal() == ["seat:0", "seat:2"]


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    """PROTOCOL 2: only what is legal may be done; the message says what is."""
    game = start(coins=[2, 0])
    before = game.states.tobytes()
    with pytest.raises(ActionError, match=r"region:5.*region:0"):
        game.do("region:5")
    assert game.states.tobytes() == before


# ---------------------------------------------------------------- 2. one legal action is no decision


def test_a_decision_with_one_legal_action_is_taken_not_asked() -> None:
    """PROTOCOL 2. Seat 0 can only end its turns; the clans of card 19 can only go to the homeland."""
    game = start(coins=[0, 2])
    assert game.asked == (1, "growth")
    game = start(hands=[[19, 2], []]).do("card:19")
    assert game.asked == (0, "growth") and game.clans(0) == [4, 0]


@pytest.mark.parametrize("seed", range(6))
def test_whoever_is_asked_has_at_least_two_actions(seed: int) -> None:
    """PROTOCOL 2, in whole games."""
    game = dealt(seed, players=2 + seed % 4)
    number = 0
    while not game.over:
        legal = game.legal()
        assert len(legal) >= 2
        number = (number * 31 + seed) % 1_009
        game.do(legal[number % len(legal)])


# ---------------------------------------------------------------- 2. the rows of the table


def test_row_objective() -> None:
    """PROTOCOL 2: each seat in turn order, of the two dealt."""
    game = dealt(1)
    for seat in game.order:
        pair = sorted(int(number) for number in game.state["dealt"][seat])
        assert game.asked == (seat, "objective")
        assert game.legal() == sorted(f"objective:{number}" for number in pair)
        game.do(game.legal()[0])


def test_row_draft() -> None:
    """PROTOCOL 2: card for each card of the pack held."""
    game = dealt(1).skip_to("draft")
    pack = [int(c) for c in game.state["packs"][0][game.seat]]
    assert game.legal() == sorted(f"card:{number}" for number in pack)


def test_row_growth() -> None:
    """PROTOCOL 2: playable turn cards, discards, recruiting places, end."""
    game = start(age=2, coins=[2, 0], hands=[[31, 39, 53, 49, 32], []], cities={5: 0})
    assert game.asked == (0, "growth")
    assert game.legal() == [
        "card:31", "card:53", "discard:31", "discard:32", "discard:39", "discard:49", "discard:53", "end",
        "region:0", "region:5",
    ]  # fmt: skip


def test_row_expansion() -> None:
    """PROTOCOL 2: as growth with the Expansion icon, and each legal first step."""
    game = start(
        phase="expansion", age=2, coins=[2, 0], hands=[[31, 39, 58], []], clans={10: {0: 1}, 11: {1: 1}}
    )
    assert game.asked == (0, "expansion")
    assert game.legal() == [
        "card:39", "discard:31", "discard:39", "discard:58", "edge:10-13", "edge:10-7", "end", "region:0",
    ]  # fmt: skip


def test_row_group() -> None:
    """PROTOCOL 2: amount 1..clans."""
    game = start(phase="expansion", age=3, coins=[1, 0], clans={10: {0: 2}}).do("edge:10-13")
    assert game.asked == (0, "group") and game.legal() == ["amount:1", "amount:2"]


def test_row_transit() -> None:
    """PROTOCOL 2: each payable step from that region, one to where it may stop included; no end."""
    clans = {10: {0: 1}, 11: {1: 1}, 8: {1: 1}, 14: {0: 1}}
    game = start(phase="expansion", age=3, coins=[3, 0], clans=clans, hands=[[61], []]).do("edge:10-11")
    assert game.asked == (0, "transit") and game.legal() == ["edge:11-10", "edge:11-12", "edge:11-14"]


def test_row_stance() -> None:
    """PROTOCOL 2: war and peace, each seat in turn order."""
    game = start(phase="attack", turn_order=[1, 0])
    assert game.asked == (1, "stance") and game.legal() == ["peace", "war"]
    assert game.do("war").asked == (0, "stance") and game.legal() == ["peace", "war"]


def test_row_assault() -> None:
    """PROTOCOL 2: assaults, offence and four-icon cards, discards, recruiting if configured; no end."""
    game = fight(3, 2, hands=[[98, 83, 61, 81], []], attack_recruiting=True, coins=[2, 0])
    assert game.asked == (0, "assault")
    assert game.legal() == [
        "card:83", "card:98", "discard:61", "discard:81", "discard:83", "discard:98", "edge:1-4", "region:0",
    ]  # fmt: skip


def test_row_assault_without_a_legal_one() -> None:
    """PROTOCOL 2: end only if no assault is legal now."""
    game = fight(3, 3, hands=[[98, 83, 61], []])
    assert game.legal() == ["card:83", "discard:61", "discard:83", "discard:98", "end"]


def test_row_defence() -> None:
    """PROTOCOL 2: playable defence cards and end."""
    game = fight(3, 2, hands=[[61], [81, 88, 98, 83]]).do("edge:1-4")
    assert game.asked == (1, "defence") and game.legal() == ["card:81", "card:88", "end"]


def test_row_reinforce() -> None:
    """PROTOCOL 2: playable offence cards except feint ones, and end."""
    game = fight(3, 2, hands=[[98, 80, 83, 61], []]).do("edge:1-4")
    assert game.asked == (0, "reinforce") and game.legal() == ["card:98", "end"]


def test_row_losses() -> None:
    """PROTOCOL 2: amount 1..min(a,d)."""
    game = fight(3, 2, hands=[[61], []]).do("edge:1-4")
    assert game.asked == (0, "losses") and game.legal() == ["amount:1", "amount:2"]


def test_row_siege() -> None:
    """PROTOCOL 2: amount 1 besiege, amount 0 leave, when optional."""
    game = fight(3, 1, hands=[[61], []], cities={4: 1}).do("edge:1-4")
    assert game.asked == (0, "siege") and game.legal() == ["amount:0", "amount:1"]


def test_row_occupy() -> None:
    """PROTOCOL 2: amount 0..a."""
    game = fight(3, 1, hands=[[61], []]).do("edge:1-4")
    assert game.asked == (0, "occupy") and game.legal() == ["amount:0", "amount:1", "amount:2"]


def test_row_end_of_age() -> None:
    """PROTOCOL 2: playable End cards, discards, end."""
    game = start(phase="end", age=2, hands=[[35, 36, 31, 58], []])
    assert game.asked == (0, "end_of_age")
    assert game.legal() == [
        "card:35", "card:36", "discard:31", "discard:35", "discard:36", "discard:58", "end",
    ]  # fmt: skip


def test_row_position() -> None:
    """PROTOCOL 2: each place still free."""
    game = start(players=4, phase="end").do("position:2")
    assert game.asked == (1, "position") and game.legal() == ["position:0", "position:1", "position:3"]


def test_row_place_and_found() -> None:
    """PROTOCOL 2: region eligible. Floating city (97): a city on the frontier, then two clans."""
    game = start(age=3, phase="expansion", hands=[[97, 98], []], clans={38: {0: 1}}).do("card:97")
    assert game.asked == (0, "found") and game.legal() == ["region:36", "region:37"]
    game.do("region:37")
    assert game.asked == (0, "place") and game.legal() == ["region:37", "region:38"]
    assert game.do("region:38").asked == (0, "place")


def test_row_rob() -> None:
    """PROTOCOL 2: seat, opponents with at least 1 coin. Raid on the herds (22)."""
    game = start(players=4, phase="expansion", hands=[[22, 2], [], [], []], coins=[5, 1, 0, 9]).do("card:22")
    assert game.asked == (0, "rob") and game.legal() == ["seat:1", "seat:3"]


def test_rows_relay() -> None:
    """PROTOCOL 2: from a region or end; to another occupied one; amount 1..min(n, clans). Card 93, n = 3."""
    game = start(hands=[[93, 2], []], clans={4: {0: 2}, 9: {0: 5}}, cities={12: 0}).do("card:93")
    assert game.asked == (0, "relay_from") and game.legal() == ["end", "region:4", "region:9"]
    game.do("region:4")
    assert game.asked == (0, "relay_to") and game.legal() == ["region:12", "region:9"]
    game.do("region:9")
    assert game.asked == (0, "relay_amount") and game.legal() == ["amount:1", "amount:2"]


def test_rows_leap() -> None:
    """PROTOCOL 2: from a region or end; to a legal destination; amount 1..min(n, clans). Card 33: 2 clans."""
    game = start(age=2, phase="expansion", hands=[[33, 59], []], clans={38: {0: 5}},
                 cards={33: card("expansion", fx("leap", n=2, d=1))}).do("card:33")  # fmt: skip
    assert game.asked == (0, "leap_from") and game.legal() == ["end", "region:38"]
    game.do("region:38")
    assert game.asked == (0, "leap_to") and game.legal() == ["region:36", "region:37"]
    game.do("region:36")
    assert game.asked == (0, "leap_amount") and game.legal() == ["amount:1", "amount:2"]


def test_row_free_moves() -> None:
    """PROTOCOL 2: legal first steps paid by a free move, and end. Seat 1 has 9 coins and only two moves."""
    game = start(age=2, hands=[[42, 59], [32, 49]], clans={38: {1: 1}}, coins=[0, 9]).do("card:42", "card:32")
    assert game.asked == (1, "free_moves") and game.legal() == ["edge:38-36", "edge:38-37", "end"]


def test_row_copy() -> None:
    """PROTOCOL 2: such copy cards, and end."""
    game = start(hands=[[1, 2], [4, 27, 20]]).do("card:1")
    assert game.asked == (1, "copy") and game.legal() == ["card:27", "card:4", "end"]


# ---------------------------------------------------------------- 2. details that matter


def test_recruiting_places_with_recruit_anywhere_are_all_occupied_regions_and_the_homeland() -> None:
    """PROTOCOL 2: homeland, own cities in Ages II and III, with recruit_anywhere every occupied one."""
    game = start(age=2, hands=[[52, 59], []], coins=[2, 0], clans={38: {0: 1}}, cities={31: 0})
    assert game.regions == [0, 31]
    assert game.do("card:52").regions == [0, 31, 38]


def test_the_price_counts_down_with_every_recruit() -> None:
    """PROTOCOL 2: price 2, or the current recruit_price while it lasts, also across turns."""
    game = start(hands=[[6, 2], []], coins=[9, 0], clans={0: {0: 1}}).do("card:6", *["region:0"] * 4)
    assert game.coins == [5, 0]
    game.skip_to("expansion", 0).do("region:0", "region:0")
    assert game.coins == [3, 0]
    assert game.do("region:0").coins == [1, 0]


def test_in_transit_the_origin_counts_as_a_place_to_stop() -> None:
    """PROTOCOL 2: even if the mover's last clan has left it, and others live there."""
    clans = {16: {0: 1, 1: 3}, 17: {1: 1}}
    game = start(phase="expansion", coins=[9, 0], clans=clans, hands=[[2], []]).do("edge:16-17", "edge:17-16")
    assert game.asked == (0, "expansion") and game.clans(16) == [1, 3] and game.coins == [6, 1]


def test_the_origin_is_a_place_to_stop_for_that_crossing_only() -> None:
    """PROTOCOL 2: in transit. Having left homeland 16 for good, one may cross but not stop there."""
    clans = {16: {0: 1, 1: 3}}
    game = start(phase="expansion", coins=[9, 0], clans=clans, hands=[[2], []]).do("edge:16-17", "edge:17-16")
    assert game.asked == (0, "transit") and game.coins == [7, 0]


def test_a_relay_crosses_nothing_and_pays_nothing() -> None:
    """PROTOCOL 2. Enemies all around, no coin."""
    clans = {4: {0: 1}, 1: {1: 1}, 5: {1: 1}, 7: {1: 1}}
    game = start(hands=[[93, 2], []], clans=clans, cities={29: 0}).do("card:93", "region:4")
    assert game.where(0) == {29: 1} and game.coins == [0, 0]


def test_a_cards_own_decisions_come_before_the_copy_window() -> None:
    """PROTOCOL 2: while a card's effects run, its own decisions come before anything else."""
    game = start(hands=[[11, 2], [4, 20]], clans={4: {0: 1}, 5: {0: 1}}).do("card:11")
    assert game.asked == (0, "place") and game.coins == [0, 0]
    game.do("region:5")
    assert game.asked == (1, "copy") and game.coins == [1, 0]


def test_cards_played_or_discarded_leave_the_hand_at_once() -> None:
    """PROTOCOL 2: before any effect."""
    game = start(hands=[[11, 2, 8], []], clans={4: {0: 1}, 5: {0: 1}}).do("card:11")
    assert game.kind == "place" and game.hand(0) == [2, 8]
    assert game.do("region:4", "discard:8").hand(0) == [2]


def test_a_round_with_a_parried_assault_counts_as_one_with_an_assault() -> None:
    """PROTOCOL 2: an assault ended by `parry` counts as launched."""
    assert fight(3, 1, hands=[[61], [88]]).do("edge:1-4", "card:88").asked == (0, "stance")


def test_who_is_spent_is_not_asked_for_a_stance() -> None:
    """PROTOCOL 2: one legal action."""
    game = start(phase="attack", hands=[[2], [8]]).do("war", "peace", "end")
    assert game.asked == (1, "stance")


def test_under_rout_the_amounts_stay() -> None:
    """PROTOCOL 2: 1..min(a,d)."""
    cards = {
        80: card("attack", fx("feint", n=3), timing="offence"),
        98: card("attack", fx("rout"), timing="offence"),
    }
    game = fight(3, 5, hands=[[80, 98, 61], []], cards=cards).do("card:80", "card:98", "edge:1-4")
    assert game.asked == (0, "losses") and game.amounts == [1, 2, 3]


def test_without_a_clan_in_a_nothing_more_is_asked() -> None:
    """PROTOCOL 2: no siege once the attackers are gone. 2 against 2 after a feint, with a city."""
    game = fight(2, 2, hands=[[80, 61], []], cards={80: card("attack", fx("feint", n=3), timing="offence")},
                 cities={4: 1}).do("card:80", "edge:1-4", "amount:2")  # fmt: skip
    assert game.asked == (0, "stance") and game.cities(1) == [4] and game.where(1) == {}


def test_coins_are_0_when_objectives_are_chosen_and_15_at_the_first_pick() -> None:
    """PROTOCOL 2."""
    game = dealt(3, players=4)
    assert game.coins == [0] * 4
    assert game.skip_to("draft").coins == [15] * 4


def test_only_the_feint_of_an_offence_card_makes_an_assault_legal() -> None:
    """PROTOCOL 2. Card 80 (feint 3, strike 3) makes 1 against 3 legal, not 1 against 4 to 6."""
    assert [fight(1, d, hands=[[80, 61], []]).cards for d in (3, 4, 6)] == [[80], [], []]


def test_after_a_feint_k_is_at_most_a() -> None:
    """PROTOCOL 2. 2 against 4, two of them struck down beforehand would be 50; here a plain feint."""
    cards = {80: card("attack", fx("feint", n=3), timing="offence")}
    game = fight(2, 4, hands=[[80, 61], []], cards=cards).do("card:80", "edge:1-4")
    assert game.asked == (0, "losses") and game.amounts == [1, 2]


def test_stances_stay_hidden_until_all_are_made() -> None:
    """PROTOCOL 2. Whatever seat 0 has chosen, seat 1 sees the same."""
    views = []
    for stance in ("war", "peace"):
        game = start(phase="attack", clans={1: {0: 3}, 4: {1: 1}}).do(stance)
        mask, seen = game.game.view(game.states, 0, 1)
        views.append((mask.tobytes(), seen.tobytes()))
    assert views[0] == views[1]


def finished(seed: int) -> dict[str, Any]:
    """The result of a game in which everybody always does the same thing."""
    game: Play = dealt(seed, players=3)
    return game.finish()


def test_the_same_config_and_seed_give_the_same_game() -> None:
    """PROTOCOL 3."""
    assert finished(9) == finished(9)
