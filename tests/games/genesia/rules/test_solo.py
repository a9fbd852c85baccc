"""RULES 10: the solo mode."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Play, dealt, fx, start
from games.genesia.positions import card as a_card

BLUE_AND_YELLOW = {
    1: set(range(1, 13)),
    2: {31, 32, 33, 34, 35, 36, 37, 39, 40, 41, 42, 45},
    3: set(range(61, 73)),
}
REMOVED: dict[str, dict[int, set[int]]] = {
    "beginner": {1: {6, 11}, 2: {36, 39}, 3: {64, 65, 70, 72}},
    "expert": {1: {5, 12}, 2: {33, 42}, 3: {64, 65, 69, 72}},
    "heroic": {1: {3, 9}, 2: {34, 45}, 3: {64, 65, 67, 72}},
}


def solo(**fields: Any) -> Play:
    """A position of the solo mode."""
    return start(players=1, **fields)


def ages(play: Play) -> dict[int, Play]:
    """The first decision of each Age, when one passes always."""
    found: dict[int, Play] = {}
    while not play.over:
        found.setdefault(play.age, play.clone())
        legal = play.legal()
        play.do("end" if "end" in legal else legal[0])
    return found


def test_one_player_leads_two_tribes_on_the_map_of_two() -> None:
    """RULES 10."""
    game = dealt(players=1).game
    assert game.num_seats == 2 and len(game.board.values) == 39


@pytest.mark.parametrize("level", REMOVED)
def test_the_level_takes_cards_out_of_the_blue_and_yellow_lots(level: str) -> None:
    """RULES 10: decks. All cards that are left are dealt: 10, 10 and 8."""
    packs = dealt(4, players=1, solo_level=level).state["packs"]
    for age in (1, 2, 3):
        cards = [int(c) for c in packs[age - 1].ravel() if c]
        assert sorted(cards) == sorted(BLUE_AND_YELLOW[age] - REMOVED[level][age])


def test_each_tribe_is_dealt_5_5_and_4_cards_without_a_draft() -> None:
    """RULES 10: no draft, in Ages I and II 5 cards, in Age III 4; the game begins with Growth."""
    found = ages(dealt(2, players=1))
    for age, number in ((1, 5), (2, 5), (3, 4)):
        assert found[age].kind == "growth"
        assert [len(found[age].hand(tribe)) for tribe in (0, 1)] == [number, number]


def test_there_are_no_coins_at_the_start_of_an_age() -> None:
    """RULES 10. In Age I nobody has any; Age II begins with what the discarded hands of Age I brought."""
    found = ages(dealt(2, players=1))
    assert found[1].coins == [0, 0] and found[2].coins == [20, 20] and found[3].coins == [40, 40]


def test_there_are_no_objectives_no_attack_and_no_choice_of_turn_order() -> None:
    """RULES 10: nothing of the kind is ever asked."""
    for seed in range(20):
        game, kinds = dealt(seed, players=1), set()
        while not game.over:
            kinds.add(game.kind)
            legal = game.legal()
            game.do(legal[seed % len(legal)] if seed % 3 else legal[-1])
        assert not kinds & {"objective", "draft", "stance", "assault", "position"}


def test_a_random_tribe_is_first_in_ages_one_and_three_and_the_other_in_age_two() -> None:
    """RULES 10."""
    firsts = set()
    for seed in range(20):
        found = ages(dealt(seed, players=1))
        firsts.add(found[1].seat)
        assert found[1].order == found[3].order == found[2].order[::-1]
        assert [found[age].seat for age in (1, 2, 3)] == [found[age].order[0] for age in (1, 2, 3)]
    assert firsts == {0, 1}


def test_the_order_of_a_position_is_that_of_its_age() -> None:
    """RULES 10; PROTOCOL 4. Tribe 1 begins in Age II, so tribe 0 does in Age III."""
    game = solo(age=2, phase="end", turn_order=[1, 0], hands=[[], [31]])
    assert game.asked == (1, "end_of_age")
    game.do("end")
    assert game.age == 3 and game.order == [0, 1] and game.asked == (0, "growth")


def test_the_other_tribe_takes_the_tolls() -> None:
    """RULES 10: opponent means the other tribe, tolls included."""
    game = solo(phase="expansion", coins=[3, 0], clans={1: {0: 1}, 4: {1: 1}}).do("edge:1-4")
    assert game.asked == (0, "transit") and game.coins == [1, 1]


def test_the_other_tribe_is_the_opponent_of_effects() -> None:
    """RULES 10. Shell money gives a coin to the other tribe; the crusade goes to its homeland."""
    assert solo(hands=[[7, 2], []]).do("card:7").coins == [8, 1]
    game = solo(age=2, hands=[[45, 41], []]).do("card:45")
    assert game.clans(16) == [4, 0] and game.coins == [0, 3]


def test_the_other_tribe_may_copy() -> None:
    """RULES 10: all else is as with two players."""
    game = solo(hands=[[1, 2], [4, 8]]).do("card:1")
    assert game.asked == (1, "copy")
    assert game.do("card:4").clans(16) == [0, 2]


def test_expansion_is_followed_by_the_end_of_the_age() -> None:
    """RULES 10: no Attack phase. The city is built, then tribe 0 has its end-of-Age turn."""
    game = solo(phase="expansion", hands=[[2], []], coins=[1, 0], clans={1: {0: 2}}).do("end")
    assert game.asked == (0, "end_of_age") and game.cities(0) == [1]


def test_four_icon_cards_have_no_assault_turn() -> None:
    """RULES 10: effects to the end of the Age end with it all the same."""
    cards = {61: a_card("all", fx("recruit_price", p=0, n=2))}
    game = solo(age=3, hands=[[61], []], cards=cards).do("card:61", "region:0", "region:0")
    assert game.clans(0) == [2, 0]


def test_the_result_is_the_lower_of_the_two_totals_and_nobody_wins() -> None:
    """RULES 10; PROTOCOL 3: objective [0, 0], objective_kept [null, null], winners [], solo_score."""
    result = solo(age=3, phase="end", clans={17: {0: 1}, 38: {1: 1}}, progress=[[4, 4], [0, 0]]).finish()
    assert result == {
        "progress": [[4, 4, 0], [0, 0, 0]],
        "radiance": [2, 0],
        "conquest": [1, 15],
        "objective": [0, 0],
        "objective_kept": [None, None],
        "score": [11, 15],
        "winners": [],
        "solo_score": 11,
    }
