"""Every card: its needs, its points, what it does when it is played, and what it does from then on (RULES 9)."""

from __future__ import annotations

from typing import Any

import pytest
from games.gentes.playing import Playing, alone, start

from genesia_rl.games.gentes.data.box import load_box

BOX = load_box()
#: A city with each symbol, in a region where it is alone: red, green, yellow; and a second column.
CITIES = {"column": ["3", "16"], "amphora": ["10"], "anchor": ["15"]}
#: coins, points, temple and oracle cubes that a card brings when it is played with exactly what it needs.
BROUGHT: dict[int, tuple[int, int, int, int]] = {
    5: (5, 0, 0, 0), 11: (0, 0, 1, 0), 12: (7, 0, 0, 0), 15: (0, 0, 0, 1), 16: (0, 0, 2, 1), 19: (-4, 0, 0, 0),
    24: (0, 0, 2, 0), 25: (0, 0, 0, 3), 27: (-6, 0, 0, 0), 29: (8, 0, 0, 0), 30: (3, 0, 0, 0), 40: (0, 5, 0, 0),
    41: (0, 0, 0, 1), 44: (10, 0, 0, 0), 45: (0, 4, 0, 0), 47: (0, 2, 0, 0), 48: (0, 4, 0, 0), 51: (5, 0, 0, 0),
    54: (0, 3, 0, 0),
}  # fmt: skip
#: What is asked when a card is played.
ASKED = {23: "enlist", 31: "city", 37: "lose", 42: "enlist", 49: "lose"}
#: A Chronicler of 3 coins and one hourglass.
CHRONICLER = "tile:18"


def with_needs(number: int, lacking: str = "", **fields: Any) -> Playing:
    """A seat that has the card in hand and exactly what it needs, or one citizen less of a type."""
    card = BOX.card(number)
    citizens = {kind: count - (kind == lacking) for kind, count in card.needs.items()}
    cities: dict[str, int] = {}
    for symbol in card.cities:
        cities[next(place for place in CITIES[symbol] if place not in cities)] = 0
    given = {"cities": cities, "hands": [[number]], "citizens": [citizens], **fields}
    return alone(round=2 * card.era - 1, **given)


@pytest.mark.parametrize("number", range(1, 55))
def test_the_needs_are_exact(number: int) -> None:
    card = BOX.card(number)
    assert CHRONICLER in with_needs(number).legal
    for kind in card.needs:
        assert CHRONICLER not in with_needs(number, kind).legal
        assert CHRONICLER in with_needs(number, kind, oracle=[1]).legal
    if card.cities:
        assert CHRONICLER not in with_needs(number, cities={}).legal
        assert CHRONICLER not in with_needs(number, cities={}, oracle=[4]).legal


@pytest.mark.parametrize("number", range(1, 55))
def test_what_playing_it_brings(number: int) -> None:
    play = with_needs(number, locks=[2])
    before = play.state
    play.do(CHRONICLER)
    assert play.asked == (0, ASKED.get(number, "turn"))
    state, card = play.state, BOX.card(number)
    coins, points, temple, oracle = BROUGHT.get(number, (0, 0, 0, 0))
    assert state["played"][0] == [number] and state["hands"][0] == []
    assert state["coins"][0] == before["coins"][0] - 3 + coins
    scored = 1 if card.synergy and number not in ASKED else 0
    assert state["points"][0] == [card.points, scored, points, 0]
    assert (state["temple"][0], state["oracle"][0]) == (temple, oracle)
    if number != 13:  # it takes a citizen of the only type that is there
        assert state["citizens"] == before["citizens"]


def test_every_card_that_asks_or_brings_something_is_in_the_tables() -> None:
    silent = {"first", "free_hours", "unlock", "hours", "card", "activate"}
    loud = {card.number for card in BOX.cards if any(gain.do not in silent for gain in card.gains)}
    # one counts to nothing with what it needs, one takes the only type, one activates the region that it needs
    assert loud - {13, 53} | {51} == set(BROUGHT) | set(ASKED)


# ---------------------------------------------------------------- gains that do something else


@pytest.mark.parametrize(("number", "times"), [(37, 1), (49, 2)])
def test_citizens_that_are_lost_are_chosen(number: int, times: int) -> None:
    play = with_needs(number)
    kinds = set(BOX.card(number).needs)
    play.do(CHRONICLER)
    before = sum(play.citizens().values())
    assert play.objects("citizen") == kinds
    for _ in range(times):
        play.do(min(play.legal))
    assert sum(play.citizens().values()) == before - times
    assert play.asked == (0, "turn")


def test_a_single_type_that_is_lost_is_not_asked() -> None:
    play = alone(hands=[[13]], citizens=[{"soldier": 2}]).do(CHRONICLER)
    assert play.asked == (0, "turn") and play.citizens() == {"soldier": 1}


@pytest.mark.parametrize("number", [23, 42])
def test_two_citizens_of_any_types(number: int) -> None:
    play = with_needs(number).do(CHRONICLER)
    assert play.objects("citizen") == {"priest", "soldier", "merchant", "scholar", "artisan", "noble"}
    before = play.citizens()
    play.do("citizen:soldier", "citizen:soldier")
    assert play.citizens().get("soldier", 0) == before.get("soldier", 0) + 2


def test_watchtower_makes_first_and_frees_hours() -> None:
    play = with_needs(18, singles=[1], doubles=[1]).do(CHRONICLER)
    # a lone hourglass was there, the action added one: both leave, the pair stays
    assert play.of("time") == [1, 0, 1, 0] and play.state["next_first"] == 0


def test_a_pair_loses_one_when_there_is_no_lone_hourglass() -> None:
    play = with_needs(18, doubles=[2]).do(CHRONICLER)
    assert play.of("time") == [1, 1, 1, 0]


def test_courthouse_unlocks_and_costs() -> None:
    play = with_needs(19, locks=[2]).do(CHRONICLER)
    assert play.of("time")[3] == 1 and play.of("coins") == 20 - 3 - 4
    poor = with_needs(19, locks=[2], coins=[5]).do(CHRONICLER)
    assert poor.of("coins") == 0


def test_observatory_unlocks_twice_or_gives_cubes() -> None:
    assert with_needs(36, locks=[2]).do(CHRONICLER).of("time")[3] == 0
    play = with_needs(36, locks=[1]).do(CHRONICLER)
    assert play.asked == (0, "cube") and play.legal == {"gain:temple", "gain:oracle"}
    assert play.do("gain:oracle").of("oracle") == 1
    full = with_needs(36, temple=[4], oracle=[3]).do(CHRONICLER)
    assert (full.of("temple"), full.of("oracle"), full.asked) == (4, 4, (0, "turn"))


def test_archive_takes_two_cards_of_the_slots_1_to_4() -> None:
    play = with_needs(26, display=[21, 22, 23, 24, 25, 27, 28, 29], deck=[30, 31, 32]).do(CHRONICLER)
    assert play.asked == (0, "take") and play.objects("card") == {"21", "22", "23", "24"}
    play.do("card:22")
    assert play.state["display"] == [21, None, 23, 24, 25, 27, 28, 29]
    assert play.objects("card") == {"21", "23", "24"}
    play.do("card:24")
    assert play.state["display"] == [21, 23, 25, 27, 28, 29, 30, 31]
    assert play.of("hands") == [22, 24]
    few = with_needs(26, display=[21]).do(CHRONICLER)
    assert few.of("hands") == [21] and few.state["display"] == []


def test_war_fleet_places_a_token() -> None:
    play = with_needs(31).do(CHRONICLER)
    assert play.objects("city") == {str(k) for k in range(1, 19)}
    assert play.objects("home") == {"1", "2", "4", "6", "8", "9"}
    play.do("city:2")
    assert play.state["cities"] == {"2": 0} and play.of("coins") == 20 - 3 + 5
    assert play.of("points") == [5, 1, 0, 0]


@pytest.mark.parametrize("number", [32, 51])
def test_activation_of_a_region(number: int) -> None:
    play = with_needs(number, cities={"2": 0, "6": 0, "10": 0}).do(CHRONICLER)
    assert play.asked == (0, "region") and play.legal == {"region:red", "region:green"}
    play.do("region:red")
    assert play.of("coins") == 20 - 3 + 5 and play.other() == 2


def test_an_activation_without_a_city_does_nothing() -> None:
    play = with_needs(32).do(CHRONICLER)
    assert play.asked == (0, "turn") and play.of("coins") == 17


@pytest.mark.parametrize("number", [33, 46])
def test_an_hourglass_comes_with_the_card(number: int) -> None:
    assert with_needs(number).do(CHRONICLER).of("time") == [1, 2, 0, 0]


def test_an_hourglass_that_finds_no_room_is_left_out() -> None:
    needs = BOX.card(33).needs
    play = start(round=3, hands=[[33]], citizens=[needs], cities={"3": 0, "10": 0, "15": 0}, singles=[10, 0])
    play.do(CHRONICLER)
    assert play.asked == (1, "turn") and play.of("time") == [1, 11, 0, 0] and play.of("played") == [33]


def test_mausoleum_counts_homes_and_great_library_cards() -> None:
    homes = with_needs(41, homes={"1": 0, "2": 0, "4": 0, "6": 0}).do(CHRONICLER)
    assert homes.other() == 3
    library = with_needs(53, played=[[39, 40, 41]]).do(CHRONICLER)
    assert library.other() == 2
    taken = {
        "cards": [0],
        "citizens": [],
        "cities": [],
    }  # the bonus tile for eight cards is not for this seat
    many = with_needs(53, played=[[*range(1, 13)]], bonus=taken).do(CHRONICLER)
    assert many.other() == 5


def test_senate_and_grand_market_have_their_bounds() -> None:
    assert with_needs(47, citizens=[[2, 1, 1, 3, 1, 4]]).do(CHRONICLER).other() == 6
    assert with_needs(48, coins=[100]).do(CHRONICLER).other() == 5


# ---------------------------------------------------------------- actions of cards


@pytest.mark.parametrize(
    ("number", "coins", "kind"), [(2, 4, "count"), (6, 5, "city"), (10, 4, "take"), (22, 2, "play")]
)
def test_a_card_with_an_action_is_a_source_once_a_round(number: int, coins: int, kind: str) -> None:
    play = alone(
        round=5, played=[[number]], hands=[[1, 12]], citizens=[[0, 0, 3, 0, 3, 3]],
        display=[39, 40, 41, 42, 43, 44, 45, 46],
    )  # fmt: skip
    play.do(f"use:{number}")
    assert play.asked == (0, kind) and play.of("coins") == 20 - coins
    assert play.of("time") == [0, 1, 0, 0]
    assert f"use:{number}" in play.state["used"]
    while play.asked[1] != "turn":
        play.do(max(play.legal))
    assert f"use:{number}" not in play.legal


def test_an_action_without_a_target_or_coins_is_no_source() -> None:
    assert "use:22" not in alone(round=3, played=[[22]]).legal
    assert "use:6" not in alone(played=[[6]], coins=[4]).legal
    assert "use:6" in alone(played=[[6]], coins=[5]).legal
    assert "use:10" not in alone(played=[[10]]).legal  # nothing to take


# ---------------------------------------------------------------- lasting effects of each time


@pytest.mark.parametrize(("number", "more"), [(3, 2), (35, 3)])
def test_tax_brings_more_each_time(number: int, more: int) -> None:
    play = alone(round=3, played=[[number]]).do("tax:1", "tax:2", "double:0")
    assert play.of("coins") == 20 + 4 + more + 8 + more


def test_training_ground_and_marketplace_make_cheaper() -> None:
    play = alone(played=[[4]], coins=[2]).do("tile:3")  # 4 coins
    assert play.of("coins") == 0 and play.asked == (0, "count")
    shown = [1, 2, 3, 6, 7, 8, 9, 10]
    scribe = alone(played=[[5]], coins=[4], display=shown).do("tile:11")  # 6 coins, which stays the amount
    assert scribe.of("coins") == 0 and scribe.objects("card") == {"1", "2", "3", "6", "7", "8"}
    assert "tile:11" not in alone(played=[[5]], coins=[3], display=shown).legal


@pytest.mark.parametrize(
    ("number", "tile", "hours"), [(7, "tile:13", 0), (8, "tile:22", 1), (34, "tile:16", 1)]
)
def test_cards_that_save_hourglasses(number: int, tile: str, hours: int) -> None:
    play = alone(
        round=3, played=[[number]], hands=[[12]], citizens=[{"artisan": 1, "merchant": 1}], display=[21]
    ).do(tile)
    assert play.of("time") == [1, hours, 0, 0]


def test_stoa_brings_a_point_for_each_card_played() -> None:
    play = alone(round=3, played=[[38]], hands=[[12]], citizens=[{"artisan": 1, "merchant": 1}]).do("tile:18")
    assert play.other() == 1


def test_a_card_just_played_does_nothing_for_its_own_action() -> None:
    play = with_needs(38).do(CHRONICLER)
    assert play.other() == 0


def test_forge_is_a_virtual_soldier() -> None:
    needs = [{"soldier": 1}]
    assert "tile:18" in alone(played=[[11]], hands=[[13]], citizens=needs).legal
    assert "tile:18" not in alone(hands=[[13]], citizens=needs).legal
    play = alone(played=[[11]], hands=[[13]], citizens=needs).do("tile:18")
    assert play.of("played") == [11, 13] and play.citizens() == {}  # the real one is lost


def test_archive_raises_the_hand_limit() -> None:
    hand = [21, 22, 23, 24, 25]
    play = alone(round=3, phase="decline", played=[[26]], hands=[hand])
    assert play.of("time")[1:3] == [0, 0]
    assert alone(round=3, phase="decline", hands=[hand]).asked == (0, "hours")


# ---------------------------------------------------------------- lasting effects that are used once a round


def test_well_brings_three_coins_once_a_round() -> None:
    play = alone(played=[[9]]).do("tax:1")
    assert play.asked == (0, "ability") and play.legal == {"use:9", "end"}
    used = play.copy().do("use:9")
    assert used.of("coins") == 27 and used.do("tax:1").asked == (0, "turn")
    assert play.do("end").of("coins") == 24
    assert play.do("tax:1").asked == (0, "ability")


def test_pottery_brings_four_coins_after_a_philosopher() -> None:
    play = alone(played=[[17]]).do("tile:1", "use:17", "citizen:priest")
    assert play.of("coins") == 20 - 2 + 4


def test_barracks_recruits_one_more() -> None:
    play = alone(round=3, played=[[28]]).do("tile:1", "use:28", "citizen:priest", "citizen:soldier")
    assert play.citizens() == {"priest": 1, "soldier": 1}


# ---------------------------------------------------------------- decline rewards


@pytest.mark.parametrize(
    ("number", "fields", "coins", "points"),
    [
        (1, {}, 5, 0),
        (14, {"cities": {"3": 0, "7": 0}}, 2, 0),
        (14, {"homes": {"1": 0, "2": 0, "4": 0, "6": 0, "8": 0}}, 4, 0),
        (21, {}, 0, 3),
        (52, {"coins": [14]}, 0, 2),
        (52, {"coins": [90]}, 0, 4),
    ],
)
def test_rewards_in_the_decline(number: int, fields: dict[str, Any], coins: int, points: int) -> None:
    given = {"coins": [20], **fields}
    play = alone(round=5, phase="decline", played=[[number]], **given)
    assert play.state["round"] == 6
    assert play.of("coins") == given["coins"][0] + coins and play.other() == points


def test_sundial_frees_an_hourglass_in_the_decline() -> None:
    play = alone(phase="decline", played=[[20]], doubles=[2])
    assert play.of("time") == [0, 1, 0, 0]
