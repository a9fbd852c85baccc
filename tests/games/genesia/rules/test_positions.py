"""PROTOCOL 4: games that start from a position, and the positions that are refused."""

from __future__ import annotations

from typing import Any

import pytest
from games.genesia.positions import Play, game_of, position, start

from genesia_rl.core.errors import PositionError
from genesia_rl.games.genesia.text.position import KEYS

TWENTY_ONE = {r: 0 for r in range(1, 22)}  # noqa: C420
PACK_2 = [[31, 32, 33, 34, 35, 36], [37, 39, 40, 41, 42, 45]]
PACK_3 = [[61, 62, 63, 64, 65, 66], [67, 68, 69, 70, 71, 72]]


@pytest.mark.parametrize("phase", ["growth", "expansion"])
def test_the_phase_begins_now_with_the_first_seat_of_the_order(phase: str) -> None:
    """PROTOCOL 4: no coins are added, nothing is dealt."""
    game = start(players=3, phase=phase, turn_order=[2, 0, 1], coins=[2, 3, 4], hands=[[1], [3], [12]])
    assert game.asked == (2, phase) and game.coins == [2, 3, 4]
    assert [game.hand(seat) for seat in range(3)] == [[1], [3], [12]]


def test_the_attack_phase_begins_with_the_stances() -> None:
    """PROTOCOL 4."""
    assert start(phase="attack", turn_order=[1, 0]).asked == (1, "stance")


def test_the_phase_end_begins_with_the_building_of_cities() -> None:
    """PROTOCOL 4."""
    assert start(phase="end", clans={4: {0: 2}}, hands=[[2], []]).cities(0) == [4]


@pytest.mark.parametrize("phase", ["growth", "expansion", "attack"])
def test_other_phases_build_no_cities(phase: str) -> None:
    """PROTOCOL 4."""
    assert start(phase=phase, clans={4: {0: 2}}, hands=[[2], []]).cities(0) == []


def test_pieces_in_supply_follow_from_the_map() -> None:
    """PROTOCOL 4."""
    game = start(clans={4: {0: 7}, 0: {0: 1, 1: 2}}, cities={4: 0, 16: [0, 1]}, hands=[[2], []])
    assert game.clan_supply == [22, 28] and game.city_supply == [18, 19]


def test_no_lasting_effect_is_active() -> None:
    """PROTOCOL 4: an Invention with a lasting offence (79) on the table strikes nobody."""
    game = start(age=3, phase="attack", inventions=[[79], []], clans={1: {0: 5}, 4: {1: 3}}, hands=[[61], []])
    game.do("war", "peace", "edge:1-4")
    assert game.asked == (0, "losses") and game.amounts == [1, 2, 3]


def test_later_ages_are_dealt_the_packs_of_the_position() -> None:
    """PROTOCOL 4: packs for each later Age."""
    game = start(phase="end", packs=[PACK_2[::-1], PACK_3]).skip_to("draft")
    assert game.seat == 0 and game.cards == PACK_2[1]


def test_what_the_position_says_counts_in_the_result() -> None:
    """PROTOCOL 4: inventions, progress, conquests, objectives."""
    lots = [["red", "blue"]] * 3
    game = start(age=3, phase="end", lots=lots, inventions=[[61], [1]], progress=[[1, 2], [3, 4]],
                 conquests=[2, 1], objectives=[7, None])  # fmt: skip
    result = game.result
    assert result["progress"] == [[1, 2, 3], [3, 4, 1]] and result["objective"] == [6, 0]
    assert result["objective_kept"] == [7, None]


def test_a_hand_may_hold_any_cards_of_the_age_and_fewer_than_five() -> None:
    """PROTOCOL 4: hands need not obey the lots; promo cards too."""
    assert start(hands=[[30, 91, 19], [25]], lots=[["blue", "yellow"]] * 3).hand(0) == [19, 30, 91]


def test_one_invention_may_stand_with_several_seats() -> None:
    """PROTOCOL 4: as copies exist."""
    game = start(age=3, phase="end", inventions=[[1, 5], [1]])
    assert game.result["progress"] == [[0, 0, 4], [0, 0, 1]]


def test_the_optional_parts_may_be_null_or_empty() -> None:
    """PROTOCOL 4: objectives may hold null."""
    assert start(objectives=[None, 3], hands=[[2], []]).result["objective_kept"] == [None, 3]


def test_a_position_is_played_to_the_end() -> None:
    """PROTOCOL 4: from every phase of every Age."""
    for age in (1, 2, 3):
        for phase in ("growth", "expansion", "attack", "end"):
            result = start(age=age, phase=phase, clans={1: {0: 1}}).finish()
            assert result["conquest"] == [1, 0]


def test_a_trace_holds_the_whole_position_whatever_was_left_out() -> None:
    """PROTOCOL 4 lists the keys; nothing is to be guessed by whoever replays the trace."""
    play = Play(game_of(players=3))
    made = position(play.game, age=3, clans={1: {0: 1}})
    del made["copied"]
    written = play.game.put_position(play.states, 0, made)
    assert written.keys() == set(KEYS) and written["copied"] == [[], [], []]
    before = play.states.copy()
    play.game.put_position(play.states, 0, written)
    assert (play.states == before).all() and play.game.put_position(play.states, 0, written) == written


def refused(**fields: Any) -> str:
    """The reason for which a position is refused."""
    config = {name: fields.pop(name) for name in ("players", "lots", "extra_objectives") if name in fields}
    without = fields.pop("without", None)
    play = Play(game_of(**config))
    made = position(play.game, **fields)
    if without:
        del made[without]
    with pytest.raises(PositionError) as caught:
        play.game.put_position(play.states, 0, made)
    return str(caught.value)


@pytest.mark.parametrize(
    ("fields", "word"),
    [
        ({"clans": {0: {0: 31}}}, "clans"),
        ({"clans": {0: {0: 20}, 1: {0: 11}}}, "31"),
        ({"cities": TWENTY_ONE}, "21"),
        ({"clans": {1: {0: 1, 1: 1}}}, "region 1"),
        ({"clans": {1: {0: 1}}, "cities": {1: 1}}, "region 1"),
        ({"cities": {38: [0, 1]}}, "region 38"),
        ({"cities": {4: [0, 0]}}, "region 4"),
        ({"cities": {4: 2}}, "region 4"),
        ({"clans": {39: {0: 1}}}, "39"),
        ({"clans": {4: {0: -1}}}, "region 4"),
        ({"clans": {4: [1, 0, 0]}}, "region 4"),
        ({"hands": [[1], [1]]}, "card 1"),
        ({"hands": [[1, 1], []]}, "card 1"),
        ({"hands": [[1], []], "inventions": [[1], []]}, "card 1"),
        ({"hands": [[1], []], "inventions": [[], [1]]}, "card 1"),
        ({"inventions": [[5, 5], []]}, "card 5"),
        ({"hands": [[1, 2, 3, 4, 5, 6], []]}, "hand of seat 0"),
        ({"hands": [[], [31]]}, "seat 1"),
        ({"age": 2, "hands": [[31, 2], []]}, "Age II"),
        ({"hands": [[100], []]}, "100"),
        ({"hands": [[1]]}, "hands"),
        ({"inventions": [[3], []]}, "3"),
        ({"inventions": [[34], []]}, "34"),
        ({"coins": [-1, 0]}, "coins"),
        ({"coins": [0]}, "coins"),
        ({"conquests": [0, -1]}, "conquests"),
        ({"turn_order": [0, 0]}, "turn_order"),
        ({"turn_order": [1]}, "turn_order"),
        ({"age": 4, "packs": []}, "age"),
        ({"age": 0, "packs": []}, "age"),
        ({"phase": "draft"}, "phase"),
        ({"phase": "attack", "players": 1}, "phase"),
        ({"progress": [[1], [1]]}, "progress"),
        ({"age": 2, "progress": [[1], []]}, "progress"),
        ({"objectives": [1, 1]}, "objectives"),
        ({"objectives": [9, None]}, "objectives"),
        ({"objectives": [11, None]}, "objectives"),
        ({"packs": [PACK_2]}, "packs"),
        ({"packs": [PACK_3, PACK_2]}, "packs"),
        ({"packs": [[PACK_2[0], PACK_2[0]], PACK_3]}, "31"),
        ({"packs": [[PACK_2[0][:5], PACK_2[1]], PACK_3]}, "packs"),
        ({"packs": [[[38, *PACK_2[0][1:]], PACK_2[1]], PACK_3]}, "38"),
        ({"packs": [[[95, *PACK_2[0][1:]], PACK_2[1]], PACK_3]}, "95"),
        *(({"without": key}, f"the key {key} is missing") for key in KEYS if key != "copied"),
        ({"objectives": None}, "objectives"),
        ({"inventions": [[1], []], "copied": [[], [1]]}, "copied by seat 1"),
        ({"inventions": [[1], []], "copied": [[1, 1], []]}, "copied by seat 0"),
        ({"inventions": [[1], []], "copied": [[5], []]}, "copied by seat 0"),
        ({"inventions": [[1], []], "copied": [[]]}, "copied"),
        ({"inventions": [[1], []], "copied": [[1], []], "clans": {0: {0: 30}}}, "31"),
        ({"weather": "fine"}, "weather"),
    ],
)
def test_a_position_that_breaks_a_rule_is_refused_with_the_reason(fields: dict[str, Any], word: str) -> None:
    """PROTOCOL 4: and the reason names what is wrong."""
    assert word in refused(**fields)


def test_solo_packs_obey_the_removals() -> None:
    """PROTOCOL 4: packs obey solo removals as a deal does; hands need not. Card 36 is not a beginner's."""
    packs = [[[31, 32, 33, 34, 35], [37, 40, 41, 42, 45]], [[61, 62, 63, 66], [67, 68, 69, 71]]]
    assert start(players=1, hands=[[6], []], packs=packs).hand(0) == [6]
    wrong = [[[36, 32, 33, 34, 35], packs[0][1]], packs[1]]
    assert "36" in refused(players=1, packs=wrong)


def test_an_objective_must_be_in_the_configurations_pool() -> None:
    """PROTOCOL 4: a number must be in the pool and be kept by one seat only."""
    assert start(extra_objectives=True, objectives=[11, 12], hands=[[2], []]).kind == "growth"
    assert "objectives" in refused(extra_objectives=True, objectives=[11, 11])


def test_markers_are_neither_on_the_map_nor_in_supply() -> None:
    """PROTOCOL 4: pieces in supply follow from the map and from these markers; 29 clans leave one for a marker."""
    game = start(clans={4: {0: 7}}, inventions=[[1, 5], [1]], copied=[[5], [1]], hands=[[2], []])
    assert game.clan_supply == [22, 29]
    assert (
        start(clans={0: {0: 29}}, inventions=[[1], []], copied=[[1], []], hands=[[2], []]).clan_supply[0] == 0
    )


def test_without_copied_no_clan_is_a_marker() -> None:
    """PROTOCOL 4: it may be left out."""
    play = Play(game_of())
    made = position(play.game, inventions=[[1, 5], [1]])
    del made["copied"]
    play.game.put_position(play.states, 0, made)
    assert play.clan_supply == [30, 30]


def test_an_invention_may_be_copied_without_its_player_being_known() -> None:
    """PROTOCOL 4: nothing else is asked of it, not who played the original."""
    game = start(age=3, phase="end", inventions=[[1], [1]], copied=[[1], [1]])
    assert game.result["progress"] == [[0, 0, 1], [0, 0, 1]] and game.clan_supply == [29, 29]


def test_nobody_is_spent_in_a_position() -> None:
    """PROTOCOL 4: every seat is asked for its stance."""
    game = start(phase="attack", hands=[[2], [8]])
    assert game.asked == (0, "stance") and game.do("peace").asked == (1, "stance")
