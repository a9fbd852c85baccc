"""The set-up (RULES 3), the Decline and the end of the game (RULES 10)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from games.gentes.playing import Playing, alone, dealt, game_of, start

from genesia_rl.games.gentes.data.box import load_box

BOX = load_box()
SHOWN = [1, 2, 3, 4, 5, 6, 7, 8]


def deal(seed: int, **config: Any) -> dict[str, Any]:
    play = Playing(game_of(**config))
    play.game.kernels.deal(play.states, 0, play.game.tables, np.uint64(seed))
    return play.game.deal_dict(play.states, 0)


def begun(play: Playing) -> Playing:
    """Past the draft and the first citizens."""
    while play.asked[1] in ("draft", "settle"):
        play.do(min(play.legal))
    return play


# ---------------------------------------------------------------- dealing


@pytest.mark.parametrize(
    "config", [{"players": n} for n in (1, 2, 3, 4)] + [{"players": 2, "first_game": True}]
)
def test_what_is_dealt(config: dict[str, Any]) -> None:
    for seed in range(20):
        found = deal(seed, **config)
        assert sorted(found["recruit"]) == ["artisan", "merchant", "noble", "priest", "scholar", "soldier"]
        assert [sorted(deck) for deck in found["decks"]] == [BOX.era(era) for era in (1, 2, 3)]
        number = 0 if "first_game" in config else max(6, 3 * config["players"])
        assert len(set(found["draft"])) == number and set(found["draft"]) <= set(BOX.era(1))


def test_everything_is_drawn_alike_often() -> None:
    """2,000 deals: nothing is far from its expectation (5 standard deviations)."""
    counts: dict[str, Counter[Any]] = {
        name: Counter() for name in ("first", "recruit", "draft", "top", "last")
    }
    for seed in range(2_000):
        found = deal(seed, players=3)
        counts["first"][found["first"]] += 1
        counts["recruit"][found["recruit"][2]] += 1
        counts["draft"].update(found["draft"])
        counts["top"][found["decks"][0][0]] += 1
        counts["last"][found["decks"][2][-1]] += 1
    for name, kinds, number in (
        ("first", 3, 1),
        ("recruit", 6, 1),
        ("draft", 20, 9),
        ("top", 20, 1),
        ("last", 16, 1),
    ):
        expected = 2_000 * number / kinds
        assert len(counts[name]) == kinds
        assert all(abs(found - expected) < 5 * expected**0.5 for found in counts[name].values()), name


# ---------------------------------------------------------------- first hands and citizens


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_draft_goes_anticlockwise_twice(players: int) -> None:
    play = dealt(1, players=players)
    first, order = play.state["first"], []
    while play.asked[1] == "draft":
        order.append(play.asked[0])
        play.do(min(play.legal))
    once = [(first - 1 - k) % players for k in range(players)]
    assert order == once * 2
    assert [len(hand) for hand in play.state["hands"]] == [2] * players


def test_citizens_are_chosen_in_seat_order_four_in_a_row() -> None:
    play = dealt(1, players=3)
    while play.asked[1] == "draft":
        play.do(min(play.legal))
    first, order = play.state["first"], []
    while play.asked[1] == "settle":
        order.append(play.asked[0])
        assert play.objects("citizen") == {"priest", "soldier", "merchant", "scholar", "artisan", "noble"}
        play.do("citizen:noble")
    assert order == [(first + k // 4) % 3 for k in range(12)]
    assert all(play.citizens(seat) == {"noble": 4} for seat in range(3))


@pytest.mark.parametrize("players", [3, 4])
def test_the_rest_of_the_draft_goes_into_the_deck(players: int) -> None:
    play = dealt(2, players=players)
    decks = play.game.deal_dict(play.states, 0)["decks"][0]
    state = begun(play).state
    held = {card for hand in state["hands"] for card in hand}
    left = [card for card in decks if card not in held]
    assert state["display"] == left[:8] and state["deck"] == len(left) - 8


@pytest.mark.parametrize("players", [1, 2])
def test_with_one_or_two_players_it_goes_to_the_box_and_two_cards_unseen(players: int) -> None:
    play = dealt(2, players=players)
    found = play.game.deal_dict(play.states, 0)
    state = begun(play).state
    left = [card for card in found["decks"][0] if card not in found["draft"]]
    assert state["display"] == left[2:10] and state["deck"] == len(left) - 10
    assert set(state["marked"]) == {state["display"][slot - 1] for slot in (1, 3, 5, 7)}


def test_three_players_have_no_marks() -> None:
    state = begun(dealt(2, players=3)).state
    assert state["marked"] == [] and state["marked_type"] is None


def test_solo_marks_the_third_recruiting_tile() -> None:
    state = begun(dealt(2, players=1)).state
    assert state["marked_type"] == state["recruit"][2]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_first_game(players: int) -> None:
    play = dealt(4, players=players, first_game=True)
    state, decks = play.state, play.game.deal_dict(play.states, 0)["decks"]
    assert play.asked == (state["first"], "turn")
    given = [("Treasure Chamber", "Monument"), ("Tenement", "Training Ground"), ("Marketplace", "Shipyard"),
             ("Scriptorium", "Road")]  # fmt: skip
    citizens = [{"noble": 1, "priest": 2, "merchant": 1}, {"noble": 1, "soldier": 3}, {"artisan": 1, "merchant": 3},
                {"artisan": 1, "scholar": 3}]  # fmt: skip
    for place in range(players):
        seat = (state["first"] + place) % players
        assert {BOX.card(card).name for card in state["hands"][seat]} == set(given[place])
        assert play.citizens(seat) == citizens[place]
    held = {card for hand in state["hands"] for card in hand}
    left = [card for card in decks[0] if card not in held]
    boxed = 4 if players == 2 else 0
    assert state["display"] == left[boxed : boxed + 8] and state["deck"] == len(left) - boxed - 8
    assert sorted(decks[0]) == BOX.era(1)


# ---------------------------------------------------------------- the Decline, step by step


def test_marked_cards_go_to_the_box() -> None:
    play = start(phase="decline", display=SHOWN, deck=[9, 10, 11, 12], marked=[1, 5, 8])
    assert play.state["display"] == [2, 3, 4, 6, 7, 9, 10, 11] and play.state["deck"] == 1
    assert play.state["discard"] == []


def test_a_mark_goes_with_the_card_and_is_lost_when_it_is_taken() -> None:
    play = alone(display=SHOWN, deck=[9, 10])
    assert play.state["marked"] == [1, 3, 5, 7]
    play.do("tile:13", "card:3", "end")
    assert play.state["display"] == [1, 2, 4, 5, 6, 7, 8, 9] and play.state["marked"] == [1, 5, 7]


def test_solo_a_marked_type_goes_to_the_right_end() -> None:
    order = ["priest", "soldier", "merchant", "scholar", "artisan", "noble"]
    play = start({"players": 1}, phase="decline", recruit=order, marked_type="merchant")
    assert play.state["recruit"] == ["priest", "soldier", "scholar", "artisan", "noble", "merchant"]
    kept = start({"players": 1}, recruit=order)
    assert kept.state["marked_type"] == "merchant"
    kept.do("tile:1", "citizen:merchant")
    assert kept.state["marked_type"] is None


def test_one_hourglass_leaves_every_space() -> None:
    play = start({"players": 3}, phase="decline", singles=[3, 0, 1], doubles=[2, 4, 0], locks=[5, 1, 0])
    assert play.state["time"] == [[0, 2, 0, 5], [0, 4, 0, 1], [0, 0, 0, 0]]


def test_the_leader_is_first_player_now() -> None:
    assert start({"players": 3}, phase="decline", first=1, next_first=2).state["first"] == 2
    assert start({"players": 3}, phase="decline", first=1).state["first"] == 1


@pytest.mark.parametrize(("rnd", "cards"), [(2, BOX.era(2)), (4, BOX.era(3))])
def test_after_rounds_2_and_4_an_era_ends(rnd: int, cards: list[int]) -> None:
    era = BOX.era(rnd // 2)
    later = [cards] if rnd == 4 else [cards, BOX.era(3)]
    play = start({"players": 3}, round=rnd, phase="decline", display=era[:8], deck=era[8:10], locks=[2, 1, 1],
                 later=later)  # fmt: skip
    state = play.state
    assert state["discard"] == era[:10] and state["display"] == cards[:8] and state["deck"] == len(cards) - 8
    assert [track[3] for track in state["time"]] == [1, 0, 0]


@pytest.mark.parametrize("rnd", [1, 3, 5, 6])
def test_after_other_rounds_no_era_ends(rnd: int) -> None:
    play = start({"players": 3}, round=rnd, phase="decline", locks=[2, 2, 2])
    assert [track[3] for track in play.state["time"]] == [2, 2, 2]


def test_a_seat_without_locks_gains_a_cube() -> None:
    play = start({"players": 3}, round=2, phase="decline", first=1, locks=[0, 3, 0], temple=[4, 0, 0])
    assert play.asked == (2, "cube") and play.state["round"] == 2
    play.do("gain:temple")
    assert play.state["temple"] == [4, 0, 1] and play.state["oracle"] == [1, 0, 0]  # seat 0 had no choice


def test_a_seat_without_locks_and_room_for_cubes_gains_nothing() -> None:
    play = start(round=2, phase="decline", temple=[4, 4], oracle=[4, 4])
    assert play.state["round"] == 3 and play.state["temple"] == [4, 4] and play.state["oracle"] == [4, 4]


def test_the_reward_of_one_own_city_of_each_region() -> None:
    cities = {"2": 0, "4": 0, "6": 0, "8": 0, "13": 1, "14": 1}
    play = start(phase="decline", cities=cities)
    assert play.asked == (0, "reward") and play.legal == {"gain:coins", "gain:temple", "gain:points"}
    play.do("gain:points")
    assert play.state["coins"] == [20, 25] and play.other() == 2 + 2


def test_rewards_come_before_the_cards_and_seat_by_seat() -> None:
    cities = {"2": 0, "6": 0, "10": 1, "7": 1}
    play = start(round=3, phase="decline", first=1, cities=cities, played=[[1], [21]])
    assert play.asked == (1, "reward")
    play.do("gain:coins")
    assert play.asked == (0, "reward") and play.state["points"][1][2] == 3
    assert play.of("coins") == 20
    assert play.do("gain:points").of("coins") == 25


def test_cards_beyond_the_limit_bring_hourglasses() -> None:
    play = start({"players": 3}, phase="decline", hands=[[1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11, 12]])
    assert play.asked == (2, "hours") and play.legal == {"double:0", "double:1"}
    assert play.state["time"] == [[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
    play.do("double:1")
    assert play.state["time"][2] == [0, 0, 1, 0] and play.state["round"] == 2


def test_what_finds_no_room_is_left_out() -> None:
    play = start(phase="decline", hands=[[1, 2, 3, 4, 5, 6, 7, 8]], doubles=[11], locks=[1])
    assert play.of("time") == [0, 11, 0, 1] and play.state["round"] == 2


def test_uses_are_forgotten() -> None:
    play = alone({"players": 4}, homes={"4": 0}, singles=[11]).do("home:4", "count:1", "citizen:priest")
    assert play.state["round"] == 2 and play.state["used"] == []


# ---------------------------------------------------------------- the final scoring


def final(**fields: Any) -> Playing:
    return start(round=6, phase="scoring", **{"coins": [0, 0], **fields})


def test_cards_whose_needs_are_met_count_half() -> None:
    play = final(hands=[[4, 2]], citizens=[{"soldier": 3}])
    assert play.is_over
    # Training Ground: 5 points, half of it 3; Monument stays in hand: 3 points, half of it 2
    assert play.result["end"] == [3 - 2, 0] and play.result["played"] == [1, 0]


def test_no_synergy_no_gains_no_lasting_effects() -> None:
    play = final(hands=[[11, 13]], citizens=[{"artisan": 2, "soldier": 1}])
    # Forge is scored, its virtual soldier does not help the Catapult
    assert play.result["played"] == [1, 0] and play.result["synergy"] == [0, 0]
    assert play.result["end"][0] == 2 - 4


def test_virtual_citizens_of_cards_played_before_help() -> None:
    play = final(played=[[11]], hands=[[13]], citizens=[{"soldier": 1}])
    assert play.result["end"][0] == 4


def test_needs_may_be_met_with_cubes() -> None:
    play = final(hands=[[4]], citizens=[{"soldier": 2}], oracle=[1])
    assert play.asked == (0, "final") and play.legal == {"card:4", "end"}
    assert play.copy().do("card:4").result["end"][0] == 3
    assert play.do("end").result["end"][0] == -3


def test_swaps_and_hires_go_on_in_the_final_scoring() -> None:
    play = final(hands=[[4]], citizens=[{"soldier": 2, "noble": 1}], temple=[1])
    assert play.legal == {"swap", "end"}
    play.do("swap", "citizen:noble", "citizen:soldier")
    assert play.asked == (0, "swap_from") and play.of("played") == []
    assert play.do("end").result["end"][0] == 3
    hired = final(hands=[[4]], citizens=[{"soldier": 2}], temple=[3]).do("hire", "citizen:soldier")
    assert hired.result["end"][0] == 3


def test_there_are_no_bonus_tiles_in_the_final_scoring() -> None:
    eighteen = {"priest": 6, "merchant": 6, "artisan": 5}
    hired = final(hands=[[4]], citizens=[eighteen], temple=[3]).do("hire", "citizen:artisan")
    assert hired.is_over and sum(hired.citizens().values()) == 18
    assert hired.result["other"] == [0, 0] and hired.state["bonus"]["citizens"] == []


def test_a_total_may_be_negative() -> None:
    play = start({"players": 1}, round=6, phase="scoring", coins=[0], hands=[[39]], doubles=[2])
    assert play.is_over and play.result["solo_score"] < -16 and play.result["rank"] is None


def test_without_cards_in_hand_nothing_is_asked() -> None:
    assert final(temple=[4], oracle=[4], citizens=[{"noble": 1}]).is_over


def test_cubes_and_coins() -> None:
    assert final(temple=[3, 1], oracle=[2, 0], coins=[29, 9]).result["end"] == [2 + 2, 0]


@pytest.mark.parametrize(
    ("singles", "doubles", "points"),
    [(0, 0, 0), (1, 0, -2), (2, 0, -4), (0, 1, -4), (1, 1, -8), (0, 2, -16), (9, 0, -16)],
)
def test_hourglasses_cost_points(singles: int, doubles: int, points: int) -> None:
    assert final(singles=[singles], doubles=[doubles]).result["end"][0] == points


def test_ties_are_broken_by_cards_then_coins() -> None:
    points = [[10, 0, 0]] * 2
    assert final(points=points).result["winners"] == [0, 1]
    assert final(points=points, coins=[1, 2]).result["winners"] == [1]
    assert final(points=points, coins=[1, 2], played=[[1, 2], [3]]).result["winners"] == [0]
    assert final(points=[[9, 0, 0], [10, 0, 0]], played=[[1, 2], [3]]).result["winners"] == [1]


def test_parts_of_a_score() -> None:
    play = final(points=[[30, 10, 5], [0, 0, 0]], coins=[20, 0])
    found = play.result
    assert [found[name][0] for name in ("cards", "synergy", "other", "end", "score")] == [30, 10, 5, 2, 47]


@pytest.mark.parametrize(
    ("points", "rank"),
    [(70, None), (71, "Settler"), (81, "Chieftain"), (91, "Warlord"), (101, "Noble"), (111, "Monarch"),
     (121, "Emperor"), (131, "Immortal"), (140, "Immortal"), (141, "God"), (300, "God")],
)  # fmt: skip
def test_ranks_of_the_solo_game(points: int, rank: str | None) -> None:
    play = start({"players": 1}, round=6, phase="scoring", coins=[0], points=[[points, 0, 0]])
    assert (
        play.result["solo_score"] == points and play.result["rank"] == rank and play.result["winners"] == []
    )


def test_the_solo_game_has_no_leader() -> None:
    assert "28" not in start({"players": 1}).objects("tile")


def test_after_round_6_the_game_ends() -> None:
    play = alone(round=6, singles=[12], coins=[0, 0])
    assert play.is_over and play.result["end"] == [0, 0]
