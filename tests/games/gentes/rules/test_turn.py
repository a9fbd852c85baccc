"""A turn (RULES 5): sources, abilities, payment, time; what is feasible and possible (PROTOCOL 2)."""

from __future__ import annotations

import pytest
from games.gentes.playing import alone, start

from genesia_rl.games.gentes.data.box import load_box

BOX = load_box()
SHOWN = [1, 2, 3, 4, 5, 6, 7, 8]


# ---------------------------------------------------------------- the Apogee


def test_seats_take_turns_clockwise_until_their_tracks_are_full() -> None:
    play = start({"players": 3}, first=1, singles=[12, 11, 10])
    order = []
    while play.state["round"] == 1 and play.asked[1] == "turn":
        order.append(play.asked[0])
        play.do("tax:1")
    assert order[:3] == [1, 2, 2]


def test_a_seat_with_a_free_space_must_take_a_turn() -> None:
    play = start(coins=[0, 0])
    assert play.asked == (0, "turn") and {"tax:1", "tax:2"} <= play.legal and "end" not in play.legal


def test_an_action_that_fills_no_space_needs_a_free_one() -> None:
    play = alone(played=[[8]], homes={}, singles=[11], coins=[20])
    assert {"tile:1", "tax:1"} <= play.legal  # one space is enough for a tile without hourglasses
    assert "tile:22" not in play.legal  # a Navigator that saves one of two hourglasses still needs two


# ---------------------------------------------------------------- sources


def test_tiles_of_two_players() -> None:
    play = alone(coins=[99], display=SHOWN, hands=[[12]], citizens=[{"artisan": 1, "merchant": 1}])
    expected = {str(tile.number) for tile in BOX.tiles if 2 in tile.players}
    assert play.objects("tile") == expected


@pytest.mark.parametrize("players", [3, 4])
def test_tiles_of_more_players(players: int) -> None:
    play = alone({"players": players}, coins=[99], display=SHOWN, hands=[[12]],
                 citizens=[{"artisan": 1, "merchant": 1}])  # fmt: skip
    assert play.objects("tile") == {str(tile.number) for tile in BOX.tiles if players in tile.players}


def test_tiles_of_the_solo_game() -> None:
    play = start({"players": 1}, coins=[99], display=SHOWN, hands=[[12]],
                 citizens=[{"artisan": 1, "merchant": 1}])  # fmt: skip
    assert play.objects("tile") == {"1", "6", "11", "14", "18", "21", "22", "26"}


@pytest.mark.parametrize("number", range(1, 29))
def test_every_tile_costs_what_it_says(number: int) -> None:
    tile = BOX.tile(number)
    players = next(iter(tile.players))
    given = {"display": SHOWN, "hands": [[12]], "citizens": [{"artisan": 1, "merchant": 1}]}
    config = {"players": players}
    play = alone(config, coins=[20], **given).do(f"tile:{number}")
    if play.asked[1] == "hours":
        play.do("double:0")
    gained = {12: 7}.get(play.of("played")[0] if play.of("played") else 0, 0)
    assert play.of("coins") == 20 - tile.coins + gained + (2 if tile.action == "leader" else 0)
    assert play.of("time") == [1, tile.hours, 0, 0] and play.state["taken"] == [number]
    asked = {"philosopher": "count", "scribe": "take", "navigator": "city"}
    assert play.asked[1] in (asked.get(tile.action, "turn"), "recruit")
    if tile.coins:
        assert f"tile:{number}" not in alone(config, coins=[tile.coins - 1], **given).legal


def test_a_tile_is_gone_until_the_decline() -> None:
    play = start(singles=[10, 11])
    play.do("tile:1", "citizen:priest")
    assert play.asked == (1, "turn") and "tile:1" not in play.legal
    play.do("tax:1").fill()
    assert play.state["round"] == 2 and play.state["taken"] == [] and "tile:1" in play.legal


def test_tax_collectors_can_be_used_without_limit() -> None:
    play = alone()
    for _ in range(3):
        play.do("tax:1")
    assert play.of("coins") == 32 and play.of("time") == [0, 3, 0, 0]
    play.do("tax:2", "double:1")
    assert play.of("coins") == 40 and play.of("time") == [0, 3, 1, 0]


def test_with_advanced_the_first_tax_collector_is_locked() -> None:
    assert start({"advanced": True}).objects("tax") == {"2"}
    assert start({"players": 1, "advanced": True}).objects("tax") == {"2"}


def test_of_the_homes_of_a_row_the_lowest_unused_one_is_a_source() -> None:
    play = alone({"players": 4}, homes={"4": 0, "5": 0, "1": 1})
    assert play.objects("home") == {"4"}
    play.do("home:4", "end", "count:1", "citizen:priest")
    assert play.of("coins") == 16 and play.state["used"] == ["home:4"] and play.objects("home") == {"5"}
    play.do("home:5", "count:1", "citizen:priest")
    assert play.objects("home") == set()


def test_a_home_that_is_the_source_is_no_ability_for_it() -> None:
    alone_there = alone({"players": 4}, homes={"4": 0}).do("home:4")
    assert alone_there.asked == (0, "count")
    two = alone({"players": 4}, homes={"4": 0, "5": 0}).do("home:4")
    assert two.asked == (0, "ability") and two.legal == {"home:5", "end"}


# ---------------------------------------------------------------- coins


def test_a_discount_makes_what_is_too_dear_possible() -> None:
    assert "tile:8" in alone(played=[[4]], coins=[6]).legal
    assert "tile:8" not in alone(played=[[4]], coins=[5]).legal


def test_a_price_is_at_least_nothing() -> None:
    play = alone(played=[[4]], coins=[0]).do("tile:1")
    assert play.of("coins") == 0


def test_with_a_free_amount_a_tile_needs_no_coins_of_its_own() -> None:
    """Row 2, right: the amount of a Philosopher is any of 1..8."""
    play = alone({"players": 4}, coins=[2], homes={"4": 0})
    assert {"tile:1", "tile:3", "tile:8"} <= play.legal
    play.do("tile:8")  # 8 coins, which the seat has not: the ability has to be used
    assert play.asked == (0, "pay") and play.objects("pay") == {"1", "2"}


def test_which_amounts_can_be_paid() -> None:
    play = alone({"players": 4}, coins=[5], homes={"4": 0}).do("tile:3", "home:4")
    assert play.asked == (0, "pay") and play.objects("pay") == {"1", "2", "3", "4", "5"}
    assert play.state["used"] == ["home:4"] and play.state["taken"] == [3]
    rich = alone({"players": 4}, coins=[50], homes={"4": 0}, played=[[4]]).do("tile:3", "home:4")
    assert rich.objects("pay") == {str(k) for k in range(1, 9)}
    assert rich.do("pay:8").of("coins") == 50 - 6


def test_only_one_free_amount_and_one_extra_are_used() -> None:
    play = alone({"players": 4}, homes={"4": 0, "5": 0, "7": 0, "8": 0}).do("tile:3")
    assert play.legal == {"home:4", "home:7", "end"}
    assert play.legal_after("home:4") == {"home:7", "end"}
    assert play.legal_after("home:7") == {"home:4", "end"}


def test_an_amount_whose_price_the_seat_cannot_pay_is_not_offered() -> None:
    play = alone({"players": 4}, coins=[0], homes={"4": 0}, played=[[4]])  # Training Ground: two coins less
    assert play.do("tile:1").legal == {"home:4", "end"}
    poor = alone({"players": 4}, coins=[0], homes={"4": 0})
    assert "tile:1" not in poor.legal


# ---------------------------------------------------------------- time


def test_hourglasses_go_alone_or_two_together() -> None:
    play = alone().do("tile:21")
    assert play.asked == (0, "hours") and play.legal == {"double:0", "double:1"}
    assert play.do("double:1").of("time") == [1, 1, 1, 0]


def test_on_little_room_they_go_together() -> None:
    play = alone(singles=[9])
    assert play.do("tile:21").of("time") == [1, 10, 1, 0]  # two spaces after the tile: a pair and a lone one
    assert "tile:21" not in alone(singles=[10]).legal


def test_an_odd_number_of_hourglasses() -> None:
    assert "tile:22" in alone(singles=[10]).legal
    play = alone(singles=[10]).do("tile:22")
    assert play.of("time") == [1, 10, 1, 0]


# ---------------------------------------------------------------- homes of row 3, and row 1


def test_row_3_offers_one_more_citizen_or_a_doubled_tax() -> None:
    play = alone({"players": 4}, homes={"7": 0}).do("tax:1")
    assert play.legal == {"home:7", "end"}
    assert play.copy().do("home:7").of("coins") == 28
    more = alone({"players": 4}, homes={"7": 0}, played=[[3]]).do("tax:2", "home:7", "double:0")
    assert more.of("coins") == 20 + 2 * (8 + 2)
    extra = alone({"players": 4}, homes={"7": 0}).do("tile:1", "home:7", "citizen:priest", "citizen:priest")
    assert extra.citizens() == {"priest": 2} and extra.asked == (0, "turn")


def test_all_coins_of_a_tax_collector_are_doubled() -> None:
    play = alone({"players": 4}, homes={"7": 0}, played=[[3, 9]]).do("tax:1", "home:7", "use:9")
    assert play.of("coins") == 20 + 2 * (4 + 2 + 3)


def test_row_1_is_a_scribe_or_its_amount() -> None:
    play = alone({"players": 4}, homes={"1": 0}, display=SHOWN)
    assert play.copy().do("home:1").of("coins") == 14
    free = play.do("tile:11", "home:1")
    assert free.objects("pay") == {str(k) for k in range(1, 11)}
    assert free.do("pay:1").of("hands") == [1]


def test_both_sides_can_be_used_by_two_tokens() -> None:
    play = alone({"players": 4}, homes={"1": 0, "2": 0}, display=SHOWN).do("home:1", "home:2", "pay:10")
    assert play.asked == (0, "take") and play.state["used"] == ["home:1", "home:2"]
