"""RULES 9: what players know. Two games that a seat cannot tell apart must look the same to it."""

from __future__ import annotations

from typing import Any

from games.genesia.positions import Play, dealt, start

PACK_2 = [[31, 32, 33, 34, 35, 36], [37, 39, 40, 41, 42, 45]]
PACK_3 = [[61, 62, 63, 64, 65, 66], [67, 68, 69, 70, 71, 72]]


def seen(play: Play, seat: int) -> bytes:
    """Everything that a seat is shown."""
    mask, observation = play.game.view(play.states, 0, seat)
    return bytes(mask.tobytes() + observation.tobytes())


def alike(one: Play, other: Play, seat: int) -> bool:
    """Do both games look the same to the seat?"""
    return seen(one, seat) == seen(other, seat)


def two(first: dict[str, Any], second: dict[str, Any], **both: Any) -> tuple[Play, Play]:
    """Two games that differ in some fields."""
    return start(**first, **both), start(**second, **both)


def test_coins_clans_cities_and_turn_order_are_public() -> None:
    """RULES 9: public, to either seat."""
    different: list[tuple[dict[str, Any], dict[str, Any]]] = [
        ({"coins": [5, 2]}, {"coins": [5, 3]}),
        ({"coins": [5, 2], "clans": {20: {1: 1}}}, {"coins": [5, 2], "clans": {20: {1: 2}}}),
        ({"coins": [5, 2], "cities": {20: 1}}, {"coins": [5, 2], "cities": {21: 1}}),
    ]
    for first, second in different:
        one, other = two(first, second)
        assert not alike(one, other, 0) and not alike(one, other, 1)
    one, other = two({"turn_order": [0, 1, 2]}, {"turn_order": [0, 2, 1]}, players=3, coins=[5, 5, 5])
    assert not alike(one, other, 0)


def test_the_number_of_cards_in_a_hand_is_public() -> None:
    """RULES 9."""
    one, other = two({"hands": [[1], [3]]}, {"hands": [[1], [3, 7]]})
    assert not alike(one, other, 0)


def test_inventions_progress_and_conquests_are_public() -> None:
    """RULES 9: Inventions, copied ones too, and progress."""
    one, other = two({"inventions": [[], [5]]}, {"inventions": [[], [9]]}, coins=[5, 5])
    assert not alike(one, other, 0)
    one, other = two({"progress": [[0], [5]]}, {"progress": [[0], [6]]}, age=2, coins=[5, 5])
    assert not alike(one, other, 0)


def test_a_hand_is_private() -> None:
    """RULES 9: private to its owner."""
    one, other = two({"hands": [[1], [3, 8]]}, {"hands": [[1], [7, 20]]})
    assert alike(one, other, 0) and not alike(one, other, 1)


def test_a_kept_objective_is_private() -> None:
    """RULES 9."""
    one, other = two({"objectives": [1, 3]}, {"objectives": [1, 4]}, coins=[5, 5])
    assert alike(one, other, 0) and not alike(one, other, 1)


def test_the_objective_that_is_not_kept_leaves_the_game_unseen() -> None:
    """RULES 4.4 and 9. Seat 1 keeps 3 and was dealt 5 or 6 besides: seat 0 sees no difference."""
    game = dealt(2, lots=[["blue", "yellow"], ["blue", "yellow"], ["green", "red"]])
    deal = game.game.deal_dict(game.states, 0) | {"turn_order": [0, 1]}
    games = [game.clone(), game.clone()]
    for play, other in zip(games, (5, 6), strict=True):
        play.game.put_deal(play.states, 0, deal | {"objectives": [[1, 2], [3, other]]})
        play.do("objective:1", "objective:3")
        assert play.asked == (0, "draft")
    assert alike(games[0], games[1], 0)


def test_later_ages_decks_are_seen_by_nobody() -> None:
    """RULES 9: nobody sees later Ages' decks."""
    one, other = two({"packs": [PACK_2, PACK_3]}, {"packs": [PACK_2[::-1], PACK_3[::-1]]}, coins=[5, 5])
    assert alike(one, other, 0) and alike(one, other, 1)


def test_a_discarded_cards_identity_stays_hidden_from_the_others() -> None:
    """RULES 5.B and 9: nobody sees discards of others. Card 3 or card 7 goes, the other is kept."""
    one, other = two({"hands": [[3, 7], []]}, {"hands": [[3, 7], []]})
    one.do("discard:3")
    other.do("discard:7")
    assert one.coins == other.coins == [4, 0]
    assert alike(one, other, 1) and not alike(one, other, 0)


def test_played_cards_are_public() -> None:
    """RULES 9. 2 and 29 played at the end of the Age, for the same two points."""
    fields: dict[str, Any] = {"phase": "end", "hands": [[29, 30, 20], []]}
    one, other = start(**fields), start(**fields)
    one.do("card:29", "discard:30", "discard:20")
    other.do("discard:29", "card:30", "discard:20")
    assert not alike(one, other, 1)


def test_the_draft_picks_and_the_packs_are_private() -> None:
    """RULES 9: one's own picks and packs. Seat 1 picks one card or another; seat 0 has not seen that pack."""
    one, other = dealt(6).skip_to("draft"), dealt(6).skip_to("draft")
    first = one.seat
    one.do(one.legal()[0])
    other.do(other.legal()[1])
    assert alike(one, other, 1 - first) and not alike(one, other, first)


def test_a_pack_that_was_passed_on_shows_what_is_left() -> None:
    """RULES 9 and 5.A: who holds the pack now sees which cards are in it."""
    one, other = dealt(6).skip_to("draft"), dealt(6).skip_to("draft")
    second = one.order[1]
    for play, choice in ((one, 0), (other, 1)):
        play.do(play.legal()[choice])
        play.do(play.legal()[0])
        play.do(play.legal()[0])
        assert play.asked == (second, "draft")
    assert not alike(one, other, second)


def test_stances_are_known_once_revealed() -> None:
    """RULES 9: stances once revealed. Before, seat 1 cannot tell; after, it sees who is at War."""
    clans = {1: {0: 3}, 4: {1: 1}, 20: {1: 5}, 17: {0: 1}}
    one, other = two({}, {}, phase="attack", clans=clans, hands=[[1], [2]], turn_order=[1, 0])
    one.do("war", "war")
    other.do("war", "peace")
    assert one.asked == other.asked == (1, "assault")
    assert not alike(one, other, 1)


def test_in_the_solo_mode_all_hands_are_open() -> None:
    """RULES 10: all open: tribe 0 sees the cards of tribe 1."""
    one, other = two({"hands": [[1], [3]]}, {"hands": [[1], [7]]}, players=1)
    assert not alike(one, other, 0)


def test_in_the_solo_mode_the_hands_of_later_ages_are_hidden() -> None:
    """RULES 9: nobody sees later Ages' decks."""
    packs = [[[31, 32, 33, 34, 35], [37, 40, 41, 42, 45]], [[61, 62, 63, 66], [67, 68, 69, 71]]]
    one, other = two({"packs": packs}, {"packs": [age[::-1] for age in packs]}, players=1, coins=[5, 5])
    assert alike(one, other, 0) and alike(one, other, 1)
