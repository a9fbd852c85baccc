"""The referee's own tests: RULES row by row, every ability, positions, random games in every mode."""

from __future__ import annotations

import copy
import dataclasses
import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from games.gentes.referee.__main__ import parser
from games.gentes.referee.checks import broken
from games.gentes.referee.config import ConfigError, check_deal
from games.gentes.referee.data import TYPES, Data, DataError, load_data, make_data
from games.gentes.referee.modes import MODES, config_of_mode
from games.gentes.referee.needs import amount_of, count
from games.gentes.referee.play import (
    Game,
    IllegalAction,
    check_position,
    random_deal,
    random_position,
    resolve_config,
)
from games.gentes.referee.policies import POLICIES, by_seat
from games.gentes.referee.positions import full_position
from games.gentes.referee.scoring import final_result
from games.gentes.referee.traces import record_game, record_random, verify_trace

try:
    DATA = load_data()
except FileNotFoundError as missing:
    pytest.skip(f"the data files are not there yet: {missing}", allow_module_level=True)

NUMBERS = ("coins", "temple", "oracle", "singles", "doubles", "locks")
FULL = 12  # spaces of a track
CITY = {"column": [3, 5, 7, 11, 16, 17], "amphora": [1, 2, 10, 12, 13, 14], "anchor": [4, 6, 8, 9, 15, 18]}


def six(citizens: dict[str, int]) -> list[int]:
    return [citizens.get(citizen, 0) for citizen in TYPES]


def table(players: int = 3, data: Data | None = None, advanced: bool = False, **fields: Any) -> Game:
    """A game from a position; lists may be short, citizens are tables.

    In an Apogee the other seats have full tracks unless `singles` is given: seat 0 acts alone.
    """
    position: dict[str, Any] = {"round": 1, "phase": "apogee", **fields}
    if position["phase"] == "apogee" and "singles" not in fields:
        position["singles"] = [0] + [FULL] * (players - 1)
    for field in NUMBERS:
        if field in position:
            position[field] = position[field] + [0] * (players - len(position[field]))
    for field in ("hands", "played"):
        if field in position:
            position[field] = position[field] + [[] for _ in range(players - len(position[field]))]
    if "citizens" in position:
        numbers = [six(own) for own in position["citizens"]]
        position["citizens"] = numbers + [[0] * 6 for _ in range(players - len(numbers))]
    if "points" in position:
        position["points"] = position["points"] + [[0, 0, 0]] * (players - len(position["points"]))
    for field in ("cities", "homes"):
        if field in position:
            position[field] = {str(place): seat for place, seat in position[field].items()}
    return Game({"players": players, "advanced": advanced}, position=position, data=data)


def with_card(number: int, **fields: Any) -> Data:
    """The data with one card changed."""
    changed = dataclasses.replace(DATA.cards[number], **fields)
    return dataclasses.replace(DATA, cards={**DATA.cards, number: changed})


def with_row(number: int, left: dict[str, Any], right: dict[str, Any]) -> Data:
    return dataclasses.replace(DATA, rows={**DATA.rows, number: (left, right)})


def legal(game: Game) -> list[str]:
    assert game.decision is not None
    return list(game.decision.legal)


def asked(game: Game) -> tuple[int, str]:
    assert game.decision is not None
    return game.decision.seat, game.decision.kind


def act(game: Game, *texts: str) -> Game:
    for text in texts:
        game.act(text)
    return game


def of(game: Game, field: str, seat: int = 0) -> Any:
    """What the state shows for a seat."""
    return game.states()[field][seat]


def citizens(game: Game, seat: int = 0) -> dict[str, int]:
    """The citizens a seat has, without zeros."""
    numbers = zip(TYPES, of(game, "citizens", seat), strict=True)
    return {citizen: number for citizen, number in numbers if number}


def each(word: str, *objects: Any) -> list[str]:
    return sorted(f"{word}:{item}" for item in objects)


def decline(players: int = 3, round: int = 1, **fields: Any) -> Game:
    return table(players, phase="decline", round=round, **fields)


def scoring(players: int = 2, **fields: Any) -> Game:
    return table(players, phase="scoring", round=6, **fields)


def finish(game: Game, seed: int = 0) -> Game:
    rng = random.Random(seed)
    while game.decision is not None:
        game.act(rng.choice(game.decision.legal))
    return game


# -------------------------------------------------------------------- configuration and deal (RULES 2, 3)


def test_the_configuration_has_three_fields_with_defaults() -> None:
    assert resolve_config() == {"players": 2, "first_game": False, "advanced": False}
    assert resolve_config({"players": 1, "advanced": True})["players"] == 1


@pytest.mark.parametrize(
    ("config", "field"),
    [
        ({"players": 0}, "players"),
        ({"players": 5}, "players"),
        ({"players": True}, "players"),
        ({"players": 2.0}, "players"),
        ({"players": None}, "players"),
        ({"first_game": 1}, "first_game"),
        ({"advanced": "no"}, "advanced"),
        ({"players": 1, "first_game": True}, "first_game"),
        ({"first_game": True, "advanced": True}, "advanced"),
        ({"solo": True}, "solo"),
        ([], "config"),
    ],
)
def test_other_configurations_are_refused_by_name_value_and_what_is_allowed(config: Any, field: str) -> None:
    with pytest.raises(ConfigError, match=rf"^{field} = .*: allowed "):
        resolve_config(config)


@pytest.mark.parametrize(("players", "tiles"), [(1, 8), (2, 17), (3, 21), (4, 28)])
def test_the_tiles_of_the_game_are_those_of_its_number_of_players(players: int, tiles: int) -> None:
    state = table(players).state
    numbers = [tile.number for tile in state.tiles]
    assert len(numbers) == tiles
    expected = [t for t in DATA.tiles.values() if (t.solo if players == 1 else players in t.players)]
    assert numbers == [tile.number for tile in expected]
    assert (28 in numbers) == (players > 1)


def deal_for(config: dict[str, Any], seed: int = 3, **fields: Any) -> dict[str, Any]:
    return {**random_deal(config, random.Random(seed), DATA), **fields}


def test_the_draft_goes_anticlockwise_from_the_right_of_the_first_player_twice() -> None:
    config = {"players": 3}
    deal = deal_for(config, first=1)
    game = Game(config, deal)
    seats = []
    while asked(game)[1] == "draft":
        seats.append(asked(game)[0])
        assert of(game, "coins") == 20 and game.states()["display"] == []
        assert (game.states()["deck"], game.states()["discard"]) == (0, [])
        game.act(legal(game)[0])
    assert seats == [0, 2, 1, 0, 2, 1]
    assert asked(game) == (1, "settle")
    assert game.states()["display"] == []
    assert [len(hand) for hand in game.states()["hands"]] == [2, 2, 2]


def test_every_seat_chooses_its_four_citizens_in_seat_order() -> None:
    config = {"players": 3}
    game = Game(config, deal_for(config, first=2))
    while asked(game)[1] == "draft":
        game.act(legal(game)[0])
    seats = []
    while asked(game)[1] == "settle":
        seats.append(asked(game)[0])
        assert legal(game) == each("citizen", *TYPES)
        game.act("citizen:noble")
    assert seats == [2] * 4 + [0] * 4 + [1] * 4
    assert [citizens(game, seat) for seat in range(3)] == [{"noble": 4}] * 3
    state = game.states()
    assert asked(game) == (2, "turn") and state["round"] == 1
    assert state["time"] == [[0, 1, 0, 5]] * 3 and state["coins"] == [20] * 3
    assert len(state["display"]) == 8


def drafted(config: dict[str, Any], deal: dict[str, Any]) -> Game:
    game = Game(config, deal)
    while asked(game)[1] in ("draft", "settle"):
        game.act(legal(game)[0])
    return game


def test_with_three_or_four_players_the_rest_of_the_draft_goes_back() -> None:
    for players in (3, 4):
        config = {"players": players}
        deal = deal_for(config)
        game = drafted(config, deal)
        held = {card for hand in game.states()["hands"] for card in hand}
        order = [card for card in deal["decks"][0] if card not in held]
        assert game.states()["display"] + game.state.deck == order
        assert game.states()["marked"] == []
        assert game.state.later == deal["decks"][1:]
        assert game.state.box == []


def test_with_one_or_two_players_the_draft_and_two_cards_of_each_era_go_to_the_box() -> None:
    for players in (1, 2):
        config = {"players": players}
        deal = deal_for(config)
        assert len(deal["draft"]) == 6
        game = drafted(config, deal)
        order = [card for card in deal["decks"][0] if card not in deal["draft"]]
        assert game.states()["display"] + game.state.deck == order[2:]
        assert game.state.later == [deck[2:] for deck in deal["decks"][1:]]
        held = {card for hand in game.states()["hands"] for card in hand}
        boxed = {*order[:2], *(set(deal["draft"]) - held), *deal["decks"][1][:2], *deal["decks"][2][:2]}
        assert set(game.state.box) == boxed
        display = game.states()["display"]
        assert game.states()["marked"] == sorted(display[slot - 1] for slot in (1, 3, 5, 7))


def test_the_first_game_gives_hands_and_citizens_by_place() -> None:
    for players in (2, 3, 4):
        config = {"players": players, "first_game": True}
        deal = deal_for(config, first=1)
        assert deal["draft"] == []
        game = Game(config, deal)
        assert asked(game) == (1, "turn")
        names = [DATA.cards[card].name for card in of(game, "hands", 1)]
        assert sorted(names) == ["Monument", "Treasure Chamber"]
        assert citizens(game, 1) == {"priest": 2, "merchant": 1, "noble": 1}
        second = 2 % players
        assert citizens(game, second) == {"soldier": 3, "noble": 1}
        held = {card for hand in game.states()["hands"] for card in hand}
        order = [card for card in deal["decks"][0] if card not in held]
        assert len(order) == 20 - 2 * players
        start = 4 if players == 2 else 0
        assert game.states()["display"] + game.state.deck == order[start:]
        boxed = 2 if players == 2 else 0
        assert game.state.later == [deck[boxed:] for deck in deal["decks"][1:]]


def test_the_solo_draft_keeps_one_card_of_six_and_then_one_of_five() -> None:
    config = {"players": 1}
    game = Game(config, deal_for(config))
    assert asked(game) == (0, "draft") and len(legal(game)) == 6
    game.act(legal(game)[3])
    assert asked(game) == (0, "draft") and len(legal(game)) == 5
    game.act(legal(game)[0])
    assert asked(game) == (0, "settle")


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"first": 2}, "first"),
        ({"first": None}, "first"),
        ({"recruit": ["priest"] * 6}, "recruit"),
        ({"draft": [1, 2, 3, 4, 5]}, "draft"),
        ({"draft": [1, 2, 3, 4, 5, 5]}, "draft"),
        ({"draft": [1, 2, 3, 4, 5, 21]}, "draft"),
        ({"draft": 6}, "draft"),
        ({"decks": []}, "decks"),
        ({"decks": [list(range(1, 21)), list(range(21, 39)), list(range(39, 54))]}, r"decks\[2\]"),
        ({"decks": [[True, *range(2, 21)], list(range(21, 39)), list(range(39, 55))]}, r"decks\[0\]"),
        ({"dice": []}, "dice"),
    ],
)
def test_a_wrong_deal_is_refused(change: dict[str, Any], field: str) -> None:
    config = {"players": 2}
    with pytest.raises(ValueError, match=rf"^{field}"):
        Game(config, deal_for(config, **change))


def test_a_deal_lacks_no_key_and_excludes_a_position() -> None:
    deal = deal_for({"players": 2})
    assert check_deal({"players": 2}, deal, DATA) == []
    assert check_deal({"players": 2}, {k: v for k, v in deal.items() if k != "draft"}, DATA)
    assert check_deal({"players": 2, "first_game": True}, deal, DATA)
    with pytest.raises(ValueError, match="exclude"):
        Game({"players": 2})
    with pytest.raises(ValueError, match="exclude"):
        Game({"players": 2}, deal, {"round": 1, "phase": "apogee"})


# -------------------------------------------------------------------- data (RULES 12)


def test_the_data_are_read_and_wrong_ones_refused() -> None:
    assert (len(DATA.cards), len(DATA.tiles), len(DATA.cities), len(DATA.homes)) == (54, 28, 18, 9)
    card = {"number": 1, "gains": [], "decline": [], "lasting": []}
    with pytest.raises(DataError, match="numbers"):
        make_data({}, [], [card])
    cards = [{**card, "number": n, "name": str(n)} for n in range(1, 55)]
    tiles: list[dict[str, Any]] = [{"number": n} for n in range(1, 29)]
    board: dict[str, Any] = {
        "tax": [{"number": 1}, {"number": 2}],
        "home": [{"number": n} for n in range(1, 10)],
        "city": [{"number": n} for n in range(1, 19)],
    }
    navigator, double = {"do": "action", "action": "navigator"}, {"do": "double", "action": "tax"}
    rows = [{"number": n, "left": navigator, "right": double} for n in (1, 2, 3)]
    with pytest.raises(DataError, match="Navigator"):
        make_data({**board, "row": rows}, tiles, cards)
    once = [{"when": "once", "do": "discount"}] * 2
    with pytest.raises(DataError, match="once"):
        make_data({**board, "row": rows}, tiles, [*cards[:-1], {**cards[-1], "lasting": once}])
    with pytest.raises(DataError, match="unlock"):
        make_data({**board, "row": rows}, tiles, [*cards[:-1], {**cards[-1], "gains": [{"do": "dance"}]}])


# -------------------------------------------------------------------- citizens (RULES 4)


def test_a_full_row_loses_one_of_the_opposite_type_and_six_of_a_type_is_the_end() -> None:
    state = table(citizens=[{"priest": 4, "soldier": 2, "merchant": 6}]).state
    state.recruit_one(0, "priest")
    assert state.seats[0].citizens["soldier"] == 1
    state.recruit_one(0, "priest")
    assert (state.seats[0].citizens["priest"], state.seats[0].citizens["soldier"]) == (6, 0)
    assert not state.can_recruit(0, "priest") and not state.can_recruit(0, "merchant")
    assert state.recruitable(0) == ["soldier", "scholar", "artisan", "noble"]
    state.recruit_one(0, "scholar")
    assert (state.seats[0].citizens["merchant"], state.seats[0].citizens["scholar"]) == (5, 1)
    state.lose_one(0, "noble")
    assert state.seats[0].citizens["noble"] == 0


# -------------------------------------------------------------------- Apogee (RULES 5)


def test_seats_act_in_turn_until_their_tracks_are_full() -> None:
    game = table(3, singles=[10, 12, 11], first=2)
    assert asked(game) == (2, "turn")
    game.act("tax:1")
    assert asked(game) == (0, "turn")
    game.act("tax:1")
    assert asked(game) == (0, "turn")  # the others have passed
    game.act("tax:1")
    assert game.states()["round"] == 2 and asked(game)[0] == 2
    assert game.states()["time"] == [[0, 0, 0, 0]] * 3


def test_a_tile_lies_on_one_track_until_the_decline_and_tax_collectors_are_without_limit() -> None:
    game = table(3, singles=[9, 9, 12])
    act(game, "tile:28")
    assert of(game, "time") == [1, 9, 0, 0] and game.states()["taken"] == [28]
    assert asked(game) == (1, "turn") and "tile:28" not in legal(game)
    act(game, "tax:1", "tax:1", "tax:1", "tax:1", "tax:1")
    assert game.states()["round"] == 2 and "tile:28" in legal(game)
    assert game.states()["coins"] == [2 + 8, 12, 0]


def test_a_tax_collector_gives_four_coins_for_one_hourglass_and_eight_for_two() -> None:
    game = act(table(), "tax:1")
    assert (of(game, "coins"), of(game, "time")) == (4, [0, 1, 0, 0])
    game.act("tax:2")
    assert asked(game) == (0, "hours") and legal(game) == ["double:0", "double:1"]
    game.act("double:1")
    assert (of(game, "coins"), of(game, "time")) == (12, [0, 1, 1, 0])


def test_the_advanced_option_locks_the_first_tax_collector_for_ever() -> None:
    game = table(advanced=True)
    assert "tax:1" not in legal(game) and "tax:2" in legal(game)
    game = table(3, advanced=True, singles=[10, 11, 12], coins=[0, 0, 0], first=1)
    assert "tax:1" not in legal(game)
    rng = random.Random(1)
    while game.decision is not None:
        assert "tax:1" not in legal(game)
        game.act(rng.choice(legal(game)))


def test_a_decision_with_one_legal_action_is_taken() -> None:
    # No tile is possible without coins, targets and room, tax:2 alone is left in the advanced game.
    tiles = {number: tile for number, tile in DATA.tiles.items() if tile.action != "leader" and tile.coins}
    data = dataclasses.replace(DATA, tiles=tiles)
    game = table(2, data=data, advanced=True, singles=[11, 12], round=6)
    assert game.states()["coins"] == [8, 0] and game.over  # two hourglasses on one space


def test_an_action_needs_coins_room_and_a_target() -> None:
    game = table(coins=[3], hands=[[12]], citizens=[{"artisan": 1, "merchant": 1}])
    # Chronicler 15 (0, 3 hours), 16 (1, 2), 17 (2, 2), 18 (3, 1); Philosophers of 3 coins at most; no card.
    expected = ["tile:2", "tile:15", "tile:16", "tile:17", "tile:18", "tile:21", "tile:28", "tax:1", "tax:2"]
    assert legal(game) == sorted(expected)
    game = table(coins=[3], hands=[[12]], citizens=[{"artisan": 1}], singles=[10, 12, 12])
    # 15 and 21 need one space for the tile and two for three hourglasses.
    assert legal(game) == sorted(["tile:2", "tile:28", "tax:1", "tax:2"])
    game = table(coins=[3], hands=[[12]], citizens=[{"artisan": 1, "merchant": 1}], singles=[10, 12, 12])
    assert legal(game) == sorted(["tile:2", "tile:16", "tile:17", "tile:18", "tile:28", "tax:1", "tax:2"])
    assert legal(table(coins=[0], singles=[11, 12, 12])) == sorted(["tile:28", "tax:1", "tax:2"])


def test_the_seat_chooses_how_many_spaces_hold_two() -> None:
    game = act(table(hands=[[12]], citizens=[{"artisan": 1, "merchant": 1}]), "tile:15")
    assert asked(game) == (0, "hours") and legal(game) == ["double:0", "double:1"]
    assert of(game, "time") == [1, 0, 0, 0]
    assert of(act(game, "double:0"), "time") == [1, 3, 0, 0]
    game = table(hands=[[12]], citizens=[{"artisan": 1, "merchant": 1}], singles=[9, 12, 12])
    act(game, "tile:15")  # three on two spaces: nothing is asked
    assert of(game, "time") == [0, 1, 0, 0] and game.states()["round"] == 2  # the pair, after the Decline


def test_a_home_row_offers_its_action_once_for_each_own_token() -> None:
    game = table(coins=[20], homes={4: 0, 6: 0, 5: 1})
    assert "home:4" in legal(game) and "home:6" not in legal(game) and "home:5" not in legal(game)
    act(game, "home:4", "end", "count:1", "citizen:priest")
    assert of(game, "time") == [0, 1, 0, 0] and of(game, "coins") == 16
    assert game.states()["used"] == ["home:4"]
    assert "home:6" in legal(game) and "home:4" not in legal(game)
    act(game, "home:6", "count:1", "citizen:priest")
    assert game.states()["used"] == ["home:4", "home:6"]
    assert not [action for action in legal(game) if action.startswith("home")]


def test_with_one_or_two_players_marks_are_given_at_the_start_of_each_apogee() -> None:
    display = [1, 2, 3, 4, 5, 6, 7, 8]
    game = table(2, coins=[20], display=display, deck=[9, 10, 11, 12])
    assert game.states()["marked"] == [1, 3, 5, 7]
    act(game, "tile:14", "card:3", "card:2", "end")  # the mark of 3 is lost, the others slide along
    assert game.states()["display"] == [1, 4, 5, 6, 7, 8, 9, 10] and game.states()["marked"] == [1, 5, 7]
    assert table(3, coins=[20], display=display).states()["marked"] == []
    assert table(2, display=[4, 5]).states()["marked"] == [4]


def test_solo_the_third_recruiting_tile_is_marked_until_the_philosopher_recruits_its_type() -> None:
    game = table(1, coins=[20], temple=[3])
    assert game.states()["marked_type"] == "merchant"
    act(game, "hire", "citizen:merchant")
    assert game.states()["marked_type"] == "merchant"
    act(game, "tile:6", "count:2", "citizen:merchant")
    assert asked(game) == (0, "recruit") and game.states()["marked_type"] is None
    act(game, "citizen:priest")
    assert game.states()["recruit"] == ["soldier", "scholar", "artisan", "noble", "merchant", "priest"]


# -------------------------------------------------------------------- the actions (RULES 6)


def test_the_philosopher_recruits_by_the_row_for_one_or_for_two() -> None:
    game = act(table(coins=[4]), "tile:3")
    assert asked(game) == (0, "count") and legal(game) == ["count:1", "count:2"]
    act(game, "count:1")
    assert asked(game) == (0, "recruit") and legal(game) == each("citizen", *TYPES)
    game = act(table(coins=[4]), "tile:3", "count:2")
    assert legal(game) == ["citizen:priest", "citizen:soldier"]
    act(game, "citizen:priest", "citizen:soldier")
    assert citizens(game) == {"priest": 1, "soldier": 1} and of(game, "coins") == 0
    # Taken ones go to the right in the reverse of the order they lay in.
    assert game.states()["recruit"] == ["merchant", "scholar", "artisan", "noble", "soldier", "priest"]


def test_the_taken_recruiting_tiles_go_right_in_reverse_whatever_the_order_of_recruiting() -> None:
    game = act(table(coins=[8]), "tile:8", "count:2", "citizen:noble", "citizen:soldier")
    assert game.states()["recruit"] == ["priest", "merchant", "scholar", "artisan", "noble", "soldier"]
    game = act(table(coins=[8]), "tile:8", "count:2", "citizen:artisan", "citizen:artisan")
    assert game.states()["recruit"] == ["priest", "soldier", "merchant", "scholar", "noble", "artisan"]
    assert citizens(game) == {"artisan": 2}


def test_a_citizen_that_cannot_be_recruited_when_its_turn_comes_is_left_out() -> None:
    # By the row for two 3 coins reach the first slot only; the fifth priest's successor has no room.
    game = act(table(coins=[3], citizens=[{"priest": 5}]), "tile:2", "count:2")
    assert asked(game) == (0, "turn") and citizens(game) == {"priest": 6} and of(game, "coins") == 0
    game = act(table(coins=[3], citizens=[{"priest": 6}]), "tile:2")
    assert asked(game) == (0, "recruit")  # no type by the row for two: the count is not asked
    assert legal(game) == ["citizen:artisan", "citizen:merchant", "citizen:scholar", "citizen:soldier"]


def test_the_target_of_the_philosopher_is_a_type_by_the_row_for_one() -> None:
    full = {"priest": 6, "merchant": 6}
    recruit = ["priest", "merchant", "soldier", "scholar", "artisan", "noble"]
    game = table(2, coins=[2], citizens=[full], recruit=recruit)
    assert "tile:1" in legal(game)  # the soldier for 2
    recruit = ["merchant", "priest", "artisan", "soldier", "scholar", "noble"]
    game = table(2, coins=[2], citizens=[{**full, "artisan": 6}], recruit=recruit)
    assert "tile:1" not in legal(game)


DISPLAY = [1, 2, 3, 4, 5, 6, 7, 8]


def test_eight_coins_take_three_cards_of_slots_1_to_3_or_two_of_1_to_6_or_one_of_1_to_8() -> None:
    def start() -> Game:
        return act(table(coins=[8], display=DISPLAY), "tile:13")

    assert asked(start()) == (0, "take") and legal(start()) == each("card", *DISPLAY)
    assert legal(act(start(), "card:1")) == sorted([*each("card", 2, 3, 4, 5, 6), "end"])
    assert legal(act(start(), "card:6")) == sorted([*each("card", 1, 2, 3, 4, 5), "end"])
    assert asked(act(start(), "card:7")) == (0, "turn")  # nothing may follow: the end is taken
    assert legal(act(start(), "card:3", "card:1")) == ["card:2", "end"]
    assert asked(act(start(), "card:4", "card:1")) == (0, "turn")
    game = act(start(), "card:2", "card:3", "card:1")
    assert of(game, "hands") == [1, 2, 3] and asked(game) == (0, "turn") and of(game, "coins") == 0


def test_three_cards_are_never_taken_with_the_rightmost_in_the_last_slots() -> None:
    game = act(table(coins=[10], display=DISPLAY, deck=[9, 10]), "tile:14", "card:8", "card:3")
    assert asked(game) == (0, "turn")
    assert game.states()["display"] == [1, 2, 4, 5, 6, 7, 9, 10] and of(game, "hands") == [3, 8]
    game = act(table(coins=[10], display=DISPLAY), "tile:14", "card:5", "card:3")
    assert legal(game) == sorted([*each("card", 1, 2, 4), "end"])


def test_gaps_are_shown_in_take_only() -> None:
    game = act(table(coins=[10], display=DISPLAY, deck=[9, 10]), "tile:14", "card:5", "card:3")
    assert asked(game) == (0, "take") and legal(game) == sorted([*each("card", 1, 2, 4), "end"])
    assert game.states()["display"] == [1, 2, None, 4, None, 6, 7, 8]
    act(game, "end")
    assert game.states()["display"] == [1, 2, 4, 6, 7, 8, 9, 10] and game.states()["deck"] == 0


def test_the_pile_gives_one_card_for_6_and_two_for_10_and_never_with_the_display() -> None:
    display, pile = [21, 22, 23, 24, 25, 26, 27, 28], [1, 2, 3]
    game = act(table(coins=[10], round=3, display=display, discard=pile), "tile:14")
    assert legal(game) == each("card", *display, *pile)
    act(game, "card:2")
    assert legal(game) == ["card:1", "card:3", "end"] and game.states()["discard"] == [1, 3]
    act(game, "card:3")
    assert asked(game) == (0, "turn") and of(game, "hands") == [2, 3]
    game = act(table(coins=[8], round=3, display=display, discard=pile), "tile:13", "card:2")
    assert asked(game) == (0, "turn")
    game = act(table(coins=[8], round=3, display=display, discard=pile), "tile:13", "card:21")
    assert legal(game) == sorted([*each("card", 22, 23, 24, 25, 26), "end"])
    game = act(table(2, coins=[3], round=3, display=display, discard=pile), "tile:9")
    assert legal(game) == each("card", 21, 22, 23)
    assert "tile:9" not in legal(table(2, coins=[3], round=3, discard=pile))
    assert "tile:11" in legal(table(2, coins=[6], round=3, discard=pile))


def test_on_a_city_the_navigator_activates_its_region_with_all_own_cities() -> None:
    game = act(table(cities={5: 0, 2: 0, 6: 1, 7: 0}), "tile:21", "double:0")
    assert asked(game) == (0, "city") and legal(game) == sorted(
        [*each("city", 3, 11, 16, 17), *each("home", 1, 4, 7)]
    )
    act(game, "city:3")
    assert (of(game, "coins"), of(game, "temple"), of(game, "oracle")) == (5, 1, 1)
    assert game.states()["cities"] == {"2": 0, "3": 0, "5": 0, "6": 1, "7": 0}


def test_on_a_home_the_navigator_activates_a_region_of_its_choice() -> None:
    game = act(table(cities={6: 0, 8: 0, 18: 1}), "tile:21", "double:0", "home:1")
    assert asked(game) == (0, "region") and legal(game) == ["region:green", "region:red"]
    act(game, "region:green")
    assert of(game, "points") == [0, 0, 2, 0] and game.states()["homes"] == {"1": 0}
    game = act(table(), "tile:21", "double:0", "home:1")
    assert asked(game) == (0, "turn")


def test_a_home_of_two_symbols_is_a_place_for_both() -> None:
    game = act(table(2, coins=[9]), "tile:22", "double:0")
    assert legal(game) == sorted([*each("city", *CITY["anchor"]), *each("home", 2, 6, 9)])
    game = act(table(2, coins=[9]), "tile:23")
    assert legal(game) == sorted([*each("city", *CITY["amphora"]), *each("home", 2, 4, 8)])
    game = act(table(2, coins=[9]), "tile:26")
    assert legal(game) == sorted([*each("city", *range(1, 19)), *each("home", 1, 2, 4, 6, 8, 9)])
    game = act(table(3, coins=[9]), "tile:25")
    assert legal(game) == sorted([*each("city", *range(1, 19)), *each("home", *range(1, 10))])


def test_with_all_tokens_placed_one_moves_to_a_space_that_was_empty() -> None:
    cities = {1: 0, 2: 0, 3: 0, 7: 0}
    game = table(
        coins=[20], cities=cities, homes={4: 0, 5: 0}, bonus={"cards": [], "citizens": [], "cities": [0]}
    )
    act(game, "home:4", "end", "count:1", "citizen:priest", "tile:25")
    assert asked(game) == (0, "move")
    assert legal(game) == sorted([*each("city", 1, 2, 3, 7), *each("home", 4, 5)])
    act(game, "home:4")
    assert game.states()["used"] == [] and game.states()["homes"] == {"5": 0}
    assert "home:4" not in legal(game) and "home:5" not in legal(game) and "city:1" not in legal(game)
    act(game, "home:6", "region:red")
    assert (of(game, "coins"), of(game, "oracle")) == (20 - 4 - 8 + 5, 2)
    assert "home:5" in legal(game)  # the lowest unused Home stands for the row
    act(game, "home:5", "end", "count:1", "citizen:priest")
    assert "home:6" in legal(game)  # unused: what the other Home did is forgotten


def test_without_an_empty_space_of_the_symbol_the_navigator_has_no_target() -> None:
    cities = dict(zip(CITY["column"], [0, 0, 0, 1, 1, 1], strict=True))
    game = table(cities=cities, homes={1: 1, 4: 1, 7: 1})
    assert "tile:21" not in legal(game)
    assert "tile:21" in legal(table(cities=cities, homes={1: 1, 4: 1}))


def test_the_chronicler_pays_exactly_the_missing_oracle_cubes() -> None:
    game = table(coins=[6], oracle=[3], hands=[[5, 10, 4]], citizens=[{"merchant": 1, "soldier": 2}])
    act(game, "tile:20")
    assert asked(game) == (0, "play") and legal(game) == ["card:4", "card:5"]  # no column for the Altar
    act(game, "card:5")
    assert of(game, "oracle") == 1 and of(game, "hands") == [4, 10] and of(game, "played") == [5]
    assert of(game, "points") == [3, 1, 0, 0] and citizens(game) == {"soldier": 2, "merchant": 1}


def test_the_better_synergy_symbol_counts_all_cards_in_play() -> None:
    # Stoa shows sun and lyre: sun on 2, 3, 4 and itself, lyre on 4 and itself.
    played = [2, 3, 4, 26]
    game = table(coins=[6], hands=[[31]], played=[played], citizens=[{"soldier": 3, "merchant": 2}], round=3)
    act(game, "tile:20", "city:5")
    assert of(game, "points") == [5, 4, 0, 0]
    game = table(coins=[6], hands=[[43]], played=[played], citizens=[six_of(43)], cities={4: 0}, round=5)
    assert of(act(game, "tile:20"), "points") == [13, 0, 0, 0]


def six_of(card: int) -> dict[str, int]:
    return DATA.cards[card].needs


def test_a_card_may_be_played_though_its_gains_do_nothing() -> None:
    game = table(coins=[6], round=3, hands=[[32]], citizens=[six_of(32)])
    assert of(act(game, "tile:20"), "points") == [7, 1, 0, 0]


def test_the_leader_is_first_player_from_the_decline_on() -> None:
    game = act(table(), "tile:28")
    assert (of(game, "coins"), game.states()["first"], game.states()["next_first"]) == (2, 0, 0)
    game = act(table(3, singles=[11, 11, 12]), "tax:1", "tile:28")
    assert game.states()["round"] == 2 and game.states()["first"] == 1 and game.states()["next_first"] is None
    assert asked(game) == (1, "turn")


def test_the_last_to_become_first_player_in_a_round_counts() -> None:
    game = table(3, coins=[6, 6], singles=[10, 10, 12], hands=[[18]], citizens=[six_of(18)], first=1)
    act(game, "tile:28", "tile:20")
    assert game.states()["next_first"] == 0  # the Watchtower after the Leader


def test_the_doubled_tax_counts_tenement_and_well() -> None:
    game = table(played=[[3, 9]], homes={8: 0}, cities={5: 0})
    act(game, "tax:1")
    assert asked(game) == (0, "ability") and legal(game) == ["end", "home:8", "use:9"]
    act(game, "home:8", "use:9")
    assert of(game, "coins") == 2 * (4 + 2 + 3) and game.states()["used"] == ["home:8", "use:9"]
    act(game, "tax:1")  # nothing is left to offer
    assert of(game, "coins") == 18 + 6


def test_the_wild_tile_of_the_solo_game_is_one_of_four_actions() -> None:
    game = table(1, coins=[6], display=DISPLAY, hands=[[12]], citizens=[six_of(12)])
    act(game, "tile:26")
    assert asked(game) == (0, "wild")
    assert legal(game) == each("do", "philosopher", "scribe", "navigator", "chronicler")
    assert of(game, "time") == [0, 0, 0, 0] and game.states()["taken"] == []
    act(game, "do:scribe")
    assert of(game, "time") == [1, 1, 0, 0] and of(game, "coins") == 0
    assert legal(game) == each("card", 1, 2, 3, 4, 5, 6)
    game = act(table(1, coins=[6]), "tile:26")
    assert legal(game) == ["do:navigator", "do:philosopher"]
    game = act(table(1, coins=[6], display=DISPLAY), "tile:26", "do:philosopher", "count:1")
    assert asked(game) == (0, "recruit")
    game = act(table(1, coins=[6]), "tile:26", "do:navigator")
    assert len(legal(game)) == 18 + 6
    game = act(table(1, coins=[6], hands=[[12]], citizens=[six_of(12)]), "tile:26", "do:chronicler")
    assert of(game, "played") == [12]
    game = act(table(2, coins=[6]), "tile:26")
    assert asked(game) == (0, "city")


def test_the_wild_tile_takes_the_abilities_of_what_it_does() -> None:
    game = table(1, coins=[4], played=[[4]])  # Training Ground: 2 coins less for a Philosopher
    act(game, "tile:26")  # nothing else is possible: not asked
    assert asked(game) == (0, "count") and of(game, "coins") == 0


def test_a_cube_without_room_is_not_gained() -> None:
    game = act(table(temple=[4], cities={4: 0}), "tile:21", "double:0", "city:5")
    assert of(game, "temple") == 4
    game = act(table(coins=[6], oracle=[2], hands=[[25]], citizens=[six_of(25)], round=3), "tile:20")
    assert of(game, "oracle") == 4


# -------------------------------------------------------------------- bonus tiles (RULES 7)


def test_the_first_seat_to_meet_a_condition_scores_8_and_each_later_one_4() -> None:
    cities = {1: 0, 2: 0, 3: 0, 7: 0, 8: 0, 4: 1, 5: 1, 9: 1, 10: 1, 11: 1}
    game = table(3, singles=[0, 0, 12], coins=[8, 8], cities=cities)
    act(game, "tile:21", "double:0", "home:1", "region:green")
    assert of(game, "points") == [0, 0, 2 + 8, 0] and game.states()["bonus"]["cities"] == [0]
    act(game, "tile:22", "double:0", "home:3", "region:red")
    assert of(game, "points", 1) == [0, 0, 4, 0] and game.states()["bonus"]["cities"] == [0, 1]
    act(game, "tile:25", "city:1", "city:12")
    assert of(game, "points") == [0, 0, 10 + 2, 0]  # each seat once


def test_bonus_tiles_come_in_the_order_of_seats_already_there() -> None:
    there = {"cards": [2, 1, 3], "citizens": [3], "cities": []}
    game = table(4, coins=[6], hands=[[12]], played=[[1, 2, 3, 4, 5, 6, 7]], bonus=there,
                 citizens=[{"artisan": 6, "merchant": 6, "priest": 6}])  # fmt: skip
    act(game, "tile:20")
    assert of(game, "points") == [3, 4, 4 + 4, 0]  # cards and citizens, the second and the fourth
    assert game.states()["bonus"] == {"cards": [2, 1, 3, 0], "citizens": [3, 0], "cities": []}


def test_a_finished_extra_option_may_bring_a_bonus_tile() -> None:
    game = table(coins=[0], temple=[2], oracle=[2], citizens=[{"artisan": 6, "merchant": 6, "priest": 5}])
    act(game, "hire", "amount:2")
    assert of(game, "points") == [0, 0, 0, 0] and asked(game) == (0, "enlist")
    act(game, "citizen:priest")
    assert of(game, "points") == [0, 0, 8, 0] and asked(game) == (0, "turn")
    assert game.states()["bonus"]["citizens"] == [0]


def test_solo_a_bonus_tile_is_worth_8_until_round_4_and_4_from_round_5() -> None:
    for round_, points in ((1, 8), (4, 8), (5, 4), (6, 4)):
        game = table(1, round=round_, citizens=[{"artisan": 6, "merchant": 6, "priest": 6}])
        assert of(act(game, "tax:1"), "points") == [0, 0, points, 0]


def test_there_is_no_bonus_in_the_decline_and_the_final_scoring() -> None:
    game = decline(citizens=[{"artisan": 6, "merchant": 6, "priest": 6}])
    assert of(game, "points") == [0, 0, 0, 0] and game.states()["bonus"]["citizens"] == []
    game = scoring(citizens=[{"artisan": 6, "merchant": 6, "priest": 6}], played=[[1, 2, 3, 4, 5, 6, 7]],
                   hands=[[12]])  # fmt: skip
    assert game.over and game.result()["other"] == [0, 0] and game.result()["played"] == [8, 0]


# -------------------------------------------------------------------- extra options (RULES 8)


def test_swap_pays_a_temple_cube_for_one_exchange_or_two() -> None:
    game = act(table(temple=[1], citizens=[{"priest": 2, "noble": 1}]), "swap")
    assert asked(game) == (0, "swap_from") and legal(game) == ["citizen:noble", "citizen:priest"]
    assert of(game, "temple") == 0
    act(game, "citizen:priest")
    assert asked(game) == (0, "swap_to") and citizens(game) == {"priest": 1, "noble": 1}
    assert legal(game) == each("citizen", *(c for c in TYPES if c != "priest"))
    act(game, "citizen:scholar")
    assert asked(game) == (0, "swap_from") and "end" in legal(game)
    act(game, "citizen:scholar", "citizen:merchant")
    assert citizens(game) == {"priest": 1, "noble": 1, "merchant": 1}
    assert asked(game) == (0, "turn") and "swap" not in legal(game)
    game = act(table(temple=[2], citizens=[{"priest": 2}]), "swap", "citizen:soldier", "end")
    assert citizens(game) == {"priest": 1, "soldier": 1} and "swap" in legal(game)


def test_swap_needs_a_first_exchange_and_recruits_within_the_room() -> None:
    assert "swap" not in legal(table(temple=[1]))
    assert "swap" not in legal(table(oracle=[1], citizens=[{"priest": 1}]))
    game = act(table(temple=[1], citizens=[{"priest": 6, "merchant": 1}]), "swap", "citizen:merchant")
    assert "citizen:priest" not in legal(game)
    act(game, "citizen:soldier")
    assert citizens(game) == {"priest": 5, "soldier": 1}


def test_hire_pays_three_cubes_of_any_kinds() -> None:
    assert "hire" not in legal(table(temple=[1], oracle=[1]))
    game = act(table(temple=[2], oracle=[4]), "hire")
    assert asked(game) == (0, "hire") and legal(game) == ["amount:0", "amount:1", "amount:2"]
    act(game, "amount:1")
    assert (of(game, "temple"), of(game, "oracle")) == (1, 2) and asked(game) == (0, "enlist")
    act(game, "citizen:noble")
    assert game.states()["recruit"] == list(TYPES)  # no recruiting tile moves
    game = act(table(temple=[1], oracle=[2]), "hire")
    assert asked(game) == (0, "enlist")


# -------------------------------------------------------------------- needs and counters (RULES 9)


def test_a_home_with_two_symbols_counts_for_both_and_a_token_once_for_each() -> None:
    needs: dict[str, Any] = {"citizens": [six_of(54)], "hands": [[54]], "coins": [3], "round": 5}
    assert "tile:18" in legal(table(2, homes={4: 0}, cities={4: 0}, **needs))
    assert "tile:18" not in legal(table(2, homes={4: 0}, **needs))
    needs = {"citizens": [six_of(45)], "hands": [[45]], "coins": [3], "round": 5}
    assert "tile:18" in legal(table(2, homes={4: 0, 9: 0}, **needs))
    assert "tile:18" not in legal(table(2, homes={4: 0, 9: 1}, oracle=[4], **needs))


def test_virtual_citizens_count_for_needs_and_for_nothing_else() -> None:
    game = table(coins=[6], hands=[[13]], played=[[11]], citizens=[{"soldier": 1, "noble": 1}])
    act(game, "tile:20")
    assert asked(game) == (0, "lose") and legal(game) == ["citizen:noble", "citizen:soldier"]
    state = game.state
    assert (count(state, 0, "soldier"), count(state, 0, "citizens"), count(state, 0, "types")) == (1, 2, 2)
    game = table(hands=[[13, 11]], citizens=[{"soldier": 1, "artisan": 2}])
    assert legal(act(game, "tile:15", "double:0"))  # Forge is played, Catapult is not met by it before
    assert of(game, "hands") == [13]


def test_every_counter_counts_what_the_rules_say() -> None:
    game = table(2, coins=[7], cities={3: 0, 1: 0, 9: 0, 4: 1}, homes={4: 0, 2: 0}, played=[[1, 2, 3]],
                 citizens=[{"priest": 2, "noble": 3}])  # fmt: skip
    expected = {"flat": 1, "priest": 2, "soldier": 0, "noble": 3, "column": 2, "amphora": 3, "anchor": 2,
                "cities": 5, "homes": 2, "regions": 2, "cards": 3, "types": 2, "citizens": 5,
                "coins": 7}  # fmt: skip
    assert {per: count(game.state, 0, per) for per in expected} == expected
    assert amount_of(game.state, 0, {"n": 2, "per": "coins", "div": 3}) == 4
    assert amount_of(game.state, 0, {"n": 2, "per": "coins", "div": 3, "cap": 3}) == 3
    assert amount_of(game.state, 0, {"n": 5}) == 5


# -------------------------------------------------------------------- every card


def places_for(card: int) -> dict[int, int]:
    """Cities of seat 0 that meet the card's symbols."""
    free = {symbol: list(cities) for symbol, cities in CITY.items()}
    return {free[symbol].pop(): 0 for symbol in DATA.cards[card].symbols}


def played(card: int, *answers: str, data: Data | None = None, **fields: Any) -> Game:
    """Seat 0 of three has just played the card by the tile for 6 coins without hourglasses."""
    era = DATA.cards[card].era
    given = {"coins": [26], "citizens": [six_of(card)], "cities": places_for(card), "round": 2 * era - 1}
    game = table(3, data=data, **{**given, "hands": [[card]], **fields})
    return act(game, "tile:20", *answers)


def loses_citizens(card: int) -> bool:
    """With citizens of one type only nothing is asked, and one is lost at once."""
    return any(gain["do"] == "lose_citizen" for gain in DATA.cards[card].gains)


@pytest.mark.parametrize("card", sorted(DATA.cards))
def test_every_card_scores_its_points_and_keeps_the_citizens(card: int) -> None:
    game = played(card)
    own = game.state.seats[0]
    assert own.played == [card] and own.hand == [] and own.points["cards"] == DATA.cards[card].points
    needs = six_of(card)
    assert citizens(game) == needs or loses_citizens(card)
    for citizen in needs:
        lacking = {**needs, citizen: needs[citizen] - 1}
        game = table(3, coins=[26], round=5, hands=[[card]], citizens=[lacking], cities=places_for(card))
        assert "tile:20" not in legal(game)
    for city in places_for(card):
        cities = {other: 0 for other in places_for(card) if other != city}
        game = table(3, coins=[26], round=5, hands=[[card]], citizens=[needs], cities=cities, oracle=[4])
        assert "tile:20" not in legal(game)


# coins (of 20), temple, oracle, points of `other`, synergy
GAINED: dict[int, tuple[int, int, int, int, int]] = {
    1: (20, 0, 0, 0, 1), 2: (20, 0, 0, 0, 1), 3: (20, 0, 0, 0, 1), 4: (20, 0, 0, 0, 1), 5: (25, 0, 0, 0, 1),
    11: (20, 1, 0, 0, 1), 12: (27, 0, 0, 0, 1), 15: (20, 0, 1, 0, 1), 16: (20, 2, 1, 0, 1),
    19: (16, 1, 0, 0, 1), 24: (20, 2, 0, 0, 1), 25: (20, 0, 3, 0, 1), 27: (14, 0, 0, 0, 1),
    29: (28, 0, 0, 0, 1), 30: (23, 0, 0, 0, 1), 39: (20, 0, 0, 0, 0), 40: (20, 0, 0, 5, 0),
    41: (20, 0, 1, 0, 0), 44: (30, 0, 0, 0, 0), 45: (20, 0, 0, 4, 0), 47: (20, 0, 0, 2, 0),
    48: (20, 0, 0, 5, 0), 50: (20, 0, 0, 0, 0), 51: (25, 0, 0, 0, 0), 53: (20, 0, 0, 0, 0),
    54: (20, 0, 0, 3, 0),
}  # fmt: skip


@pytest.mark.parametrize("card", sorted(GAINED))
def test_the_gains_of_a_card_are_executed(card: int) -> None:
    fields: dict[str, Any] = {"cities": {14: 0, 3: 1}} if card == 51 else {}
    answers = ["gain:temple"] if card == 19 else []
    state = played(card, *answers, **fields).states()
    points = state["points"][0]
    found = (state["coins"][0], state["temple"][0], state["oracle"][0], points[2], points[1])
    assert found == GAINED[card]


def test_gains_per_something_are_capped() -> None:
    assert of(played(30, cities={4: 0, 1: 0, 7: 0}), "coins") == 20 + 9
    assert of(played(40, citizens=[{"scholar": 6, "noble": 1}]), "points")[2] == 6
    assert of(played(41, homes={1: 0, 2: 0, 3: 0, 4: 0}), "points")[2] == 3
    assert of(played(47, citizens=[{**six_of(47), "merchant": 1, "priest": 1}]), "points")[2] == 4
    assert of(played(48, coins=[6 + 11]), "points")[2] == 2
    assert of(played(53, played=[[1, 2, 3, 4, 5, 6]]), "points")[2] == 3
    game = played(54, homes={1: 0, 2: 0, 3: 0})
    assert of(game, "points")[2] == 6 + 8  # six tokens: the bonus tile, too


def test_citizens_of_gains_are_chosen_one_at_a_time() -> None:
    for card in (23, 42):
        game = played(card, "citizen:noble")
        assert asked(game) == (0, "enlist") and legal(game) == each("citizen", *TYPES)
        act(game, "citizen:soldier")
        assert asked(game) == (0, "turn") and game.states()["recruit"] == list(TYPES)
        assert citizens(game).get("soldier") == 1 and citizens(game).get("noble") == 1


def test_citizens_of_a_fixed_type_are_not_asked_for() -> None:
    gains = ({"do": "citizen", "type": "noble", "n": 2}, {"do": "lose_citizen", "type": "priest", "n": 9})
    game = played(12, data=with_card(12, gains=gains), citizens=[{**six_of(12), "priest": 2, "noble": 4}])
    assert citizens(game) == {"merchant": 1, "noble": 6}  # the artisan made room for the second one
    game = played(12, data=with_card(12, gains=gains), citizens=[{"merchant": 1, "noble": 6}], oracle=[1])
    assert citizens(game) == {"merchant": 1, "noble": 6}


def test_citizens_are_lost_by_choice_as_far_as_there_are_any() -> None:
    for card in (13, 37):
        game = played(card, citizens=[{**six_of(card), "merchant": 1}])
        assert asked(game) == (0, "lose")
        act(game, "citizen:merchant")
        assert "merchant" not in citizens(game)
    game = played(49, "citizen:noble")
    assert asked(game) == (0, "lose") and "end" not in legal(game)
    game = played(13, citizens=[{}], oracle=[2])
    assert asked(game) == (0, "turn") and of(game, "points")[0] == 8


def test_hourglasses_of_gains_are_left_out_when_there_is_no_room() -> None:
    for card in (33, 46):
        assert of(played(card), "time") == [1, 1, 0, 0]
    gains = ({"do": "hours", "n": 3},)
    game = played(33, data=with_card(33, gains=gains))
    assert asked(game) == (0, "hours") and legal(game) == ["double:0", "double:1"]
    game = played(33, data=with_card(33, gains=gains), singles=[10, 12, 12])
    assert game.states()["round"] == 4  # a pair on the only space: the round is over
    assert of(game, "time") == [0, 1, 0, 0]
    game = played(33, data=with_card(33, gains=gains), singles=[11, 12, 12], round=6)
    assert game.result()["end"][0] == 2  # of 20 coins; no hourglass is left after the Decline


def test_free_hours_take_lone_hourglasses_first_and_then_break_pairs() -> None:
    game = played(18, singles=[1, 12, 12], doubles=[2])
    assert of(game, "time") == [1, 1, 1, 0] and game.states()["next_first"] == 0
    game = played(18, singles=[0, 12, 12], doubles=[1])
    assert of(game, "time") == [1, 0, 0, 0]
    assert of(played(18), "time") == [1, 0, 0, 0]


def test_unlock_takes_a_lock_or_gives_a_cube_by_choice() -> None:
    assert of(played(36, locks=[3]), "time") == [1, 0, 0, 1]
    game = played(36, locks=[1])
    assert asked(game) == (0, "cube") and legal(game) == ["gain:oracle", "gain:temple"]
    act(game, "gain:oracle")
    assert of(game, "oracle") == 1 and of(game, "time") == [1, 0, 0, 0]
    assert asked(played(36, oracle=[4])) == (0, "turn")  # temples only
    assert asked(played(36, oracle=[4], temple=[4])) == (0, "turn")
    assert of(played(19, locks=[2], coins=[8]), "coins") == 0  # all one has


def test_archive_takes_cards_of_the_first_slots_one_at_a_time() -> None:
    display = [21, 22, 23, 24, 25, 27, 28, 29]
    game = played(26, display=display, deck=[30, 31, 32])
    assert asked(game) == (0, "take") and legal(game) == each("card", 21, 22, 23, 24)
    act(game, "card:22")
    assert legal(game) == each("card", 21, 23, 24)  # slots keep their numbers
    assert game.states()["display"] == [21, None, 23, 24, 25, 27, 28, 29]
    act(game, "card:21")
    assert game.states()["display"] == [23, 24, 25, 27, 28, 29, 30, 31] and of(game, "hands") == [21, 22]
    game = played(26, display=[21])
    assert asked(game) == (0, "turn") and of(game, "hands") == [21] and game.states()["display"] == []


def test_war_fleet_places_or_moves_a_token_as_the_navigator_does() -> None:
    game = played(31)
    assert asked(game) == (0, "city") and len(legal(game)) == 18 + 9
    act(game, "city:8")
    assert of(game, "points")[2] == 2
    game = played(31, cities={1: 0, 2: 0, 3: 0, 4: 0, 5: 0, 6: 0})
    assert asked(game) == (0, "move")
    act(game, "city:6", "home:9")
    assert asked(game) == (0, "turn") and of(game, "points") == [5, 1, 8, 0]  # red alone: not asked
    data = with_card(31, gains=({"do": "city", "symbol": "column"},))
    taken = {**dict.fromkeys(CITY["column"], 1)}
    game = played(31, data=data, cities=taken, homes={1: 0, 4: 0, 7: 0})
    assert asked(game) == (0, "turn")  # no object: skipped


def test_embassy_activates_a_region_of_its_choice() -> None:
    game = played(32, cities={2: 0, 6: 0, 8: 0})
    assert asked(game) == (0, "region") and legal(game) == ["region:green", "region:red"]
    act(game, "region:red")
    assert of(game, "coins") == 25 and of(game, "points")[2] == 2


# -------------------------------------------------------------------- every ability


def test_cards_with_an_action_are_a_source_once_a_round() -> None:
    game = table(coins=[30], round=3, played=[[2, 6, 10, 22]], hands=[[12]], citizens=[six_of(12)],
                 display=[21, 23, 24, 25, 26, 27, 28, 29])  # fmt: skip
    assert {"use:2", "use:6", "use:10", "use:22"} <= set(legal(game))
    act(game, "use:2", "count:2")
    assert legal(game) == ["citizen:priest", "citizen:soldier"]
    act(game, "citizen:priest", "citizen:priest")
    assert of(game, "coins") == 26 and of(game, "time") == [0, 1, 0, 0] and "use:2" not in legal(game)
    act(game, "use:6")
    assert asked(game) == (0, "city") and len(legal(game)) == 27
    act(game, "city:1", "use:10")
    assert asked(game) == (0, "take") and legal(game) == each("card", 21, 23, 24, 25)
    act(game, "card:25", "use:22")
    assert of(game, "played") == [2, 6, 10, 12, 22]
    assert game.states()["used"] == ["use:10", "use:2", "use:22", "use:6"]
    assert of(game, "coins") == 30 - 4 - 5 - 4 - 2 + 7


def test_the_action_of_a_row_has_its_cost_and_hourglasses() -> None:
    game = table(coins=[10], homes={2: 0}, display=DISPLAY)
    act(game, "home:2")
    assert asked(game) == (0, "take") and legal(game) == each("card", 1, 2, 3, 4, 5, 6)
    act(game, "card:1", "end")
    assert of(game, "coins") == 4 and of(game, "time") == [0, 1, 0, 0]


def test_pottery_and_stoa_and_mint_gain_after_the_action() -> None:
    game = table(coins=[3], played=[[17]])
    act(game, "tile:2")
    assert asked(game) == (0, "ability") and legal(game) == ["end", "use:17"]
    act(game, "use:17", "count:1")
    assert of(game, "coins") == 0
    act(game, "citizen:priest")
    assert of(game, "coins") == 4
    game = act(table(coins=[3], played=[[17]]), "tile:2", "end", "count:1", "citizen:priest")
    assert of(game, "coins") == 0 and game.states()["used"] == []
    assert of(act(table(played=[[35, 3]], round=3), "tax:1"), "coins") == 4 + 3 + 2
    game = table(coins=[6], played=[[38]], hands=[[12]], citizens=[six_of(12)], round=3)
    assert of(act(game, "tile:20"), "points") == [3, 2, 1, 0]


def test_a_card_just_played_does_nothing_for_its_own_action() -> None:
    game = played(38)
    assert of(game, "points") == [6, 1, 0, 0]


def test_discounts_lower_the_price_and_not_the_amount() -> None:
    game = table(coins=[1], played=[[4]])
    act(game, "tile:2")
    assert of(game, "coins") == 0 and asked(game) == (0, "count")
    act(game, "count:1")
    assert len(legal(game)) == 5  # for 3 coins: the amount is not changed
    game = table(2, coins=[0], played=[[4]])
    assert of(act(game, "tile:1"), "coins") == 0
    display = [1, 2, 3, 4, 6, 7, 8, 9]
    game = table(coins=[6], played=[[5]], display=display)
    assert legal(act(game, "tile:13")) == each("card", *display) and of(game, "coins") == 0
    # The same once a round: by choice, if the coins are there without it.
    data = with_card(5, lasting=({"when": "once", "do": "discount", "action": "scribe", "n": 2},))
    game = act(table(data=data, coins=[6], played=[[5]], display=display), "tile:13")
    assert of(game, "coins") == 0 and game.states()["used"] == ["use:5"]  # it has to: not asked
    game = act(table(data=data, coins=[8], played=[[5]], display=display), "tile:13")
    assert asked(game) == (0, "ability") and legal(game) == ["end", "use:5"]
    assert "tile:13" not in legal(table(data=data, coins=[5], played=[[5]], display=display))


def test_savings_take_hourglasses_away() -> None:
    assert of(act(table(played=[[7]], coins=[8], display=[1]), "tile:13"), "time") == [1, 0, 0, 0]
    game = act(table(played=[[8]]), "tile:21")
    assert asked(game) == (0, "hours") and legal(game) == ["double:0", "double:1"]
    assert of(act(game, "double:0"), "time") == [1, 2, 0, 0]
    game = table(played=[[34]], coins=[3], hands=[[12]], citizens=[six_of(12)], round=3)
    assert of(act(game, "tile:18"), "time") == [1, 0, 0, 0]
    # Three hourglasses less one fit into one space beside the tile.
    assert "tile:21" in legal(table(played=[[8]], singles=[10, 12, 12]))
    assert "tile:21" not in legal(table(singles=[10, 12, 12]))
    data = with_card(8, lasting=({"when": "once", "do": "hours", "action": "tax", "n": 1},))
    game = act(table(data=data, played=[[8]], singles=[11, 12, 12]), "tax:1", "use:8")
    assert (of(game, "coins"), of(game, "time")) == (4, [0, 11, 0, 0]) and asked(game) == (0, "turn")
    game = act(game, "tax:1")
    assert game.states()["round"] == 2


def test_even_an_action_that_puts_nothing_on_the_track_needs_a_free_space() -> None:
    data = with_card(
        6, lasting=({"when": "once", "do": "action", "action": "philosopher", "coins": 1, "hours": 0},)
    )
    game = table(data=data, played=[[6]], coins=[1], singles=[11, 12, 12])
    assert "use:6" in legal(game)
    act(game, "use:6", "citizen:priest")
    assert of(game, "time") == [0, 11, 0, 0] and asked(game) == (0, "turn")
    act(game, "tax:1")  # full: it passes though the Monument could act
    assert game.states()["round"] == 2


def test_barracks_and_the_third_row_recruit_one_more_but_not_both() -> None:
    game = table(coins=[3], played=[[28]], homes={7: 0}, round=3)
    act(game, "tile:2")
    assert legal(game) == ["end", "home:7", "use:28"]
    act(game, "home:7", "count:2")
    assert asked(game) == (0, "turn") and citizens(game) == {"priest": 3}  # 3 citizens for the price of 2
    assert game.states()["used"] == ["home:7"]
    game = act(table(coins=[4], played=[[28]], round=3), "tile:3", "use:28", "count:1", "citizen:noble")
    assert asked(game) == (0, "recruit")
    act(game, "citizen:artisan")
    assert citizens(game) == {"noble": 1, "artisan": 1} and asked(game) == (0, "turn")


def test_a_free_amount_is_chosen_after_the_abilities() -> None:
    game = table(coins=[5], homes={6: 0}, played=[[4]])
    act(game, "tile:8")  # 8 coins less 2: only a free amount makes it possible, so it is used
    assert asked(game) == (0, "pay") and legal(game) == each("pay", *range(1, 8))
    assert game.states()["used"] == ["home:6"] and game.states()["taken"] == [8] and of(game, "coins") == 5
    act(game, "pay:7")
    assert of(game, "coins") == 0 and asked(game) == (0, "count")
    act(game, "count:2")
    assert legal(game) == each("citizen", "priest", "soldier", "merchant", "scholar", "artisan")
    game = act(table(coins=[10], homes={6: 0}), "tile:8")
    assert legal(game) == ["end", "home:6"]
    game = act(table(coins=[1], homes={1: 0}, display=DISPLAY), "tile:14")
    assert of(game, "hands") == [1] and of(game, "coins") == 0  # pay:1 alone can be paid
    game = act(table(coins=[20], homes={1: 0}, display=[1]), "tile:13", "home:1")
    assert legal(game) == sorted(f"pay:{amount}" for amount in range(1, 11))


def test_an_amount_is_offered_only_with_a_target_that_can_be_paid() -> None:
    display = [21]
    game = table(coins=[5], homes={1: 0}, round=3, discard=[1, 2])
    assert not [action for action in legal(game) if action in ("tile:11", "tile:13", "tile:14")]
    game = act(table(coins=[7], homes={1: 0}, round=3, discard=[1, 2]), "tile:14")
    assert legal(game) == ["pay:6", "pay:7"]
    assert "tile:14" not in legal(table(coins=[0], homes={1: 0}, round=3, display=display))


def test_a_home_is_source_and_another_of_its_row_ability() -> None:
    game = table(coins=[20], homes={4: 0, 5: 0, 6: 1})
    act(game, "home:4")
    assert asked(game) == (0, "ability") and legal(game) == ["end", "home:5"]
    act(game, "home:5")
    assert asked(game) == (0, "pay") and legal(game) == each("pay", *range(1, 9))
    assert game.states()["used"] == ["home:4", "home:5"]


def test_one_of_each_kind_and_each_choice_keeps_the_action_possible() -> None:
    game = table(coins=[3], homes={4: 0, 7: 0, 8: 0}, played=[[17, 28]], round=3)
    act(game, "tile:3")  # 4 coins: the amount is needed
    assert asked(game) == (0, "ability") and legal(game) == ["home:4", "home:7", "use:17", "use:28"]
    assert of(game, "time") == [0, 0, 0, 0] and game.states()["used"] == []
    act(game, "home:7")
    assert legal(game) == ["home:4", "use:17"]  # one extra an action
    act(game, "home:4")
    assert legal(game) == ["end", "use:17"]
    act(game, "use:17")
    assert asked(game) == (0, "pay") and game.states()["used"] == ["home:4", "home:7", "use:17"]


def test_a_discount_of_a_row_is_an_ability_for_each_home() -> None:
    left = {"do": "discount", "action": "navigator", "n": 2}
    data = with_row(3, left, {"do": "double", "action": "tax"})
    game = table(data=data, coins=[4], homes={7: 0, 8: 0})
    assert "tile:25" not in legal(game)  # 8 coins less 2: the second Home is not offered yet
    game = act(table(data=data, coins=[6], homes={7: 0, 8: 0}), "tile:25", "home:8")
    assert game.states()["used"] == ["home:7", "home:8"] and of(game, "coins") == 2


# -------------------------------------------------------------------- Decline (RULES 10)


def test_the_decline_of_two_boxes_marked_cards_and_fills_the_display() -> None:
    game = decline(2, display=DISPLAY, deck=[9, 10, 11], marked=[2, 8])
    assert game.state.box[-2:] == [2, 8]
    state = game.states()
    assert state["display"] == [1, 3, 4, 5, 6, 7, 9, 10] and state["deck"] == 1
    assert state["round"] == 2 and state["marked"] == [1, 4, 6, 9]  # the next Apogee has begun


def test_solo_a_recruiting_tile_that_still_has_its_mark_goes_to_the_right_end() -> None:
    game = decline(1, marked_type="scholar")
    assert game.states()["recruit"] == ["priest", "soldier", "merchant", "artisan", "noble", "scholar"]
    assert game.states()["marked_type"] == "merchant"  # the new mark, in slot 3
    assert decline(1).states()["recruit"] == list(TYPES)


def test_one_hourglass_leaves_every_space_and_homes_and_cards_are_unused_again() -> None:
    game = decline(3, singles=[4, 0, 1], doubles=[2, 3, 0], locks=[5, 1, 0])
    assert game.states()["time"] == [[0, 2, 0, 5], [0, 3, 0, 1], [0, 0, 0, 0]]
    game = table(3, singles=[11, 12, 12], homes={7: 0}, played=[[9]])
    act(game, "tax:1", "home:7", "use:9")
    assert game.states()["round"] == 2 and game.states()["used"] == [] and game.states()["taken"] == []


def test_the_new_first_player_comes_before_the_questions_of_the_decline() -> None:
    game = decline(3, next_first=2, first=1, cities={2: 0, 3: 0, 5: 2, 6: 2})
    state = game.states()
    assert asked(game) == (2, "reward") and (state["first"], state["next_first"], state["round"]) == (
        2,
        None,
        1,
    )
    act(game, "gain:points")
    assert asked(game) == (0, "reward") and legal(game) == ["gain:coins", "gain:oracle"]
    act(game, "gain:coins")
    assert asked(game) == (2, "turn") and game.states()["round"] == 2
    assert (of(game, "coins"), of(game, "points", 2)) == (5, [0, 0, 2, 0])


def test_after_rounds_2_and_4_the_next_era_is_laid_out() -> None:
    two = list(range(21, 39))
    three = list(range(39, 55))
    game = decline(
        3, round=2, display=DISPLAY, deck=[9, 10], later=[two, three], locks=[3, 0, 1], temple=[0, 4]
    )
    state = game.states()
    assert asked(game) == (0, "turn") and state["discard"] == list(range(1, 11)) and state["round"] == 3
    assert state["display"] == two[:8] and state["deck"] == 10 and state["time"][0] == [0, 0, 0, 2]
    assert state["oracle"] == [0, 1, 0] and state["time"][2] == [0, 0, 0, 0]  # temples are full: not asked
    game = decline(3, round=4, display=two[:8], deck=two[8:], later=[three], discard=[1])
    assert asked(game) == (0, "cube") and game.states()["discard"] == [1, *two]
    state = act(game, "gain:oracle", "gain:temple", "gain:temple").states()
    assert state["oracle"] == [1, 0, 0] and state["temple"] == [0, 1, 1] and state["display"] == three[:8]
    assert game.states()["round"] == 5
    for round_ in (1, 3, 5, 6):
        game = decline(3, round=round_, locks=[3])
        assert game.state.seats[0].locks == 3


def test_marked_cards_of_the_last_round_of_an_era_do_not_reach_the_discard_pile() -> None:
    game = decline(2, round=2, display=DISPLAY, deck=[9, 10, 11], marked=[1, 5], locks=[5, 5], later=[[], []])
    assert game.states()["discard"] == [2, 3, 4, 6, 7, 8, 9, 10, 11] and game.states()["display"] == []


def test_each_region_rewards_one_city_by_choice_where_rewards_differ() -> None:
    game = decline(3, cities={3: 0, 1: 0, 10: 0, 12: 0, 13: 0, 18: 0})
    assert asked(game) == (0, "reward") and legal(game) == ["gain:coins", "gain:points"]  # yellow
    assert (of(game, "coins"), of(game, "oracle")) == (5, 1)  # red and green: one kind of reward
    act(game, "gain:points")
    assert of(game, "points") == [0, 0, 2, 0] and of(game, "coins") == 5


def test_treasure_chamber_and_city_wall_give_5_coins_and_3_points() -> None:
    game = decline(3, round=3, played=[[1, 21]])
    assert of(game, "coins") == 5 and of(game, "points") == [0, 0, 3, 0]


def test_decline_rewards_are_executed_by_rising_number_after_those_of_cities() -> None:
    game = decline(3, played=[[20]], singles=[3], doubles=[2])
    assert of(game, "time") == [0, 1, 0, 0]  # three gone, two pairs alone, the Sundial frees one
    game = decline(3, played=[[14]], cities={1: 0, 2: 0, 3: 0, 7: 0}, homes={1: 0})
    assert asked(game) == (0, "reward")
    assert of(act(game, "gain:oracle"), "coins") == 4  # Port: five tokens, at most 4
    game = decline(3, round=5, played=[[1, 52]], coins=[6], cities={2: 0})
    assert of(game, "coins") == 16 and of(game, "points") == [0, 0, 3, 0]
    game = decline(3, round=5, played=[[52]], coins=[99])
    assert of(game, "points") == [0, 0, 4, 0]


def test_cards_beyond_three_in_hand_cost_hourglasses() -> None:
    game = decline(3, hands=[[1, 2, 3, 4, 5, 6], [7, 8, 9]])
    assert asked(game) == (0, "hours") and legal(game) == ["double:0", "double:1"]
    assert game.states()["round"] == 1
    act(game, "double:1")
    assert of(game, "time") == [0, 1, 1, 0] and of(game, "time", 1) == [0, 0, 0, 0]
    game = decline(3, round=3, hands=[[1, 2, 3, 4, 5, 6]], played=[[26]])
    assert of(game, "time") == [0, 1, 0, 0]  # Archive: five cards
    # Eleven spaces are taken by what were pairs: one has room for two of five hourglasses.
    game = decline(3, hands=[[1, 2, 3, 4, 5, 6, 7, 8]], doubles=[11])
    assert of(game, "time") == [0, 11, 1, 0]
    assert of(decline(3, hands=[[1, 2, 3, 4, 5, 6]], doubles=[12]), "time") == [0, 12, 0, 0]


# -------------------------------------------------------------------- final scoring (RULES 10)


def test_after_round_6_there_is_a_decline_and_then_the_final_scoring() -> None:
    game = decline(2, round=6, hands=[[12, 1, 2, 3]], doubles=[1], played=[[21]], cities={2: 0})
    # 5 coins, 3 points; the pair becomes one hourglass, the fourth card another.
    result = game.result()
    assert game.over and result["other"] == [3, 0]
    assert result["end"] == [-2 - 1 - 2 - 2 - 4, 0]


def test_cards_met_without_cubes_are_scored_by_themselves_for_half_their_points() -> None:
    game = scoring(hands=[[12, 15, 39]], citizens=[{"artisan": 1, "merchant": 1}])
    assert game.over and game.result()["played"] == [1, 0]
    assert game.result()["end"] == [2 - 3 - 9, 0] and game.result()["coins"] == [0, 0]


def test_cards_scored_late_have_no_gains_synergy_or_lasting_effects() -> None:
    # Forge would be a virtual soldier for the Watchtower (soldier, noble); Granary 7 coins.
    game = scoring(hands=[[11, 18, 12]], citizens=[{"artisan": 2, "merchant": 1, "soldier": 1}])
    result = game.result()
    assert result["played"] == [2, 0] and result["coins"] == [0, 0] and result["synergy"] == [0, 0]
    assert result["end"] == [2 + 2 - 2, 0]
    game = scoring(hands=[[18]], played=[[11]], citizens=[{"noble": 1}])
    assert game.result()["played"] == [2, 0]  # in play before: virtual citizens count


def test_the_seat_decides_about_cards_that_take_cubes() -> None:
    game = scoring(hands=[[12, 16, 39]], citizens=[{"artisan": 1, "priest": 1}], oracle=[2])
    assert asked(game) == (0, "final") and legal(game) == ["card:12", "card:16", "end"]
    act(game, "card:12")
    assert game.over  # no cube is left for the Shrine
    assert game.result()["end"] == [2 - 2 - 9, 0]
    game = scoring(hands=[[12, 16, 39]], citizens=[{"artisan": 1, "priest": 1}], oracle=[3])
    assert of(act(game, "card:16"), "points") == [0, 0, 0, 2] and of(game, "oracle") == 1
    act(game, "end")
    assert game.result()["end"] == [2 - 2 - 9, 0] and game.result()["played"] == [1, 0]


def test_swaps_and_hires_may_meet_needs_in_the_final_scoring() -> None:
    game = scoring(hands=[[12]], citizens=[{"artisan": 1, "priest": 1}], temple=[1])
    assert asked(game) == (0, "final") and legal(game) == ["end", "swap"]
    act(game, "swap", "citizen:priest", "citizen:merchant")
    assert asked(game) == (0, "swap_from") and of(game, "played") == []  # not between its questions
    act(game, "end")
    assert game.over and game.result()["played"] == [1, 0] and game.result()["end"] == [2, 0]
    game = scoring(hands=[[12]], citizens=[{"artisan": 1}], temple=[3])
    act(game, "hire", "citizen:merchant")
    assert game.over and game.result()["end"] == [2, 0]
    # Without a card in hand nothing is asked, whatever the cubes.
    assert scoring(citizens=[{"priest": 3}], temple=[4], oracle=[4]).over
    game = scoring(hands=[[], [39]], temple=[0, 1], citizens=[{}, {"priest": 1}])
    assert asked(game) == (1, "final")


def test_the_seats_are_scored_in_seat_order() -> None:
    game = scoring(3, first=1, hands=[[39], [40], [41]], temple=[3, 3, 3])
    seats = []
    while not game.over:
        seats.append(asked(game)[0])
        act(game, "end")
    assert seats == [1, 2, 0]


def test_cubes_coins_and_hourglasses_count_at_the_end() -> None:
    for singles, doubles, points in ((0, 0, 0), (1, 0, -2), (0, 1, -4), (1, 1, -8), (0, 2, -16), (9, 1, -16)):
        game = scoring(singles=[singles], doubles=[doubles])
        assert game.result()["end"] == [points, 0]
    assert scoring(temple=[2, 1], oracle=[3, 0], coins=[19, 20]).result()["end"] == [2 + 1, 0 + 2]
    assert scoring(hands=[[39, 47]]).result()["end"] == [-9 - 6, 0]


def test_ties_are_broken_by_cards_in_play_and_then_by_coins() -> None:
    points = [[5, 0, 0], [0, 5, 0], [0, 0, 5]]
    assert scoring(3, points=points).result()["winners"] == [0, 1, 2]
    assert scoring(3, points=points, played=[[1], [], [2]]).result()["winners"] == [0, 2]
    assert scoring(3, points=points, played=[[1], [], [2]], coins=[3, 9, 4]).result()["winners"] == [2]
    assert scoring(3, points=points, coins=[0, 10, 0]).result()["winners"] == [1]
    result = scoring(3, points=points, singles=[1, 1, 1]).result()
    assert result["score"] == [3, 3, 3] and result["end"] == [-2, -2, -2]


@pytest.mark.parametrize(
    ("points", "rank"),
    [(70, None), (71, "Settler"), (81, "Chieftain"), (100, "Warlord"), (101, "Noble"), (111, "Monarch"),
     (121, "Emperor"), (131, "Immortal"), (141, "God"), (300, "God")],
)  # fmt: skip
def test_the_solo_game_ends_with_a_total_and_a_rank(points: int, rank: str | None) -> None:
    result = scoring(1, points=[[points, 0, 0]]).result()
    assert (result["winners"], result["solo_score"], result["rank"]) == ([], points, rank)
    assert list(scoring(2).result()) == [
        "cards",
        "synergy",
        "other",
        "end",
        "score",
        "played",
        "coins",
        "winners",
    ]


# -------------------------------------------------------------------- PROTOCOL


def test_a_state_has_the_form_of_the_protocol() -> None:
    display = [1, 3, 4, 5, 6, 7, 8, 9]
    game = table(2, coins=[20, 3], cities={6: 1}, homes={4: 0}, display=display, deck=[13], played=[[10, 2]],
                 hands=[[12, 11]], citizens=[{"noble": 2}], locks=[5], temple=[1], oracle=[0, 2],
                 points=[[3, 1, 2]], bonus={"cards": [1], "citizens": [], "cities": []}, later=[[21], [39]],
                 singles=[1, 12])  # fmt: skip
    act(game, "home:4", "count:1", "citizen:priest", "tile:2")
    assert asked(game) == (0, "count")
    assert game.states() == {
        "round": 1, "first": 0, "next_first": None, "coins": [13, 3], "points": [[3, 1, 2, 0], [0, 0, 0, 0]],
        "citizens": [[1, 0, 0, 0, 0, 2], [0] * 6], "temple": [1, 0], "oracle": [0, 2],
        "time": [[1, 2, 0, 5], [0, 12, 0, 0]], "hands": [[11, 12], []], "played": [[2, 10], []],
        "cities": {"6": 1}, "homes": {"4": 0}, "used": ["home:4"], "taken": [2], "display": display,
        "marked": [1, 4, 6, 8], "recruit": ["soldier", "merchant", "scholar", "artisan", "noble", "priest"],
        "marked_type": None, "deck": 1, "discard": [],
        "bonus": {"cards": [1], "citizens": [], "cities": []},
    }  # fmt: skip


def test_legal_actions_are_sorted_as_text() -> None:
    game = act(table(coins=[10], display=[1, 2, 10, 11, 12, 13, 14, 15]), "tile:14")
    assert legal(game)[:3] == ["card:1", "card:10", "card:11"] and legal(game)[-1] == "card:2"


def test_illegal_actions_are_refused() -> None:
    game = table()
    for action in ("end", "tile:99", "tax", "pay:1"):
        with pytest.raises(IllegalAction):
            game.act(action)
    with pytest.raises(ValueError, match="not over"):
        game.result()
    finish(game)
    assert game.over
    with pytest.raises(IllegalAction):
        game.act("tax:1")


def test_there_are_214_actions() -> None:
    every = [*each("tile", *range(1, 29)), *each("tax", 1, 2), *each("home", *range(1, 10))]
    every += [*each("city", *range(1, 19)), *each("card", *range(1, 55)), *each("use", *range(1, 55))]
    every += [*each("citizen", *TYPES), *each("pay", *range(1, 11)), *each("double", *range(13))]
    every += [*each("count", 1, 2), *each("region", "red", "green", "yellow"), *each("amount", *range(4))]
    every += [*each("gain", "coins", "points", "temple", "oracle")]
    every += [*each("do", "philosopher", "scribe", "navigator", "chronicler"), "swap", "hire", "end"]
    assert len(set(every)) == 214
    for i in range(12):
        trace = record_random(list(MODES)[i % len(MODES)], 50 + i, from_position=i % 2 == 1, states=False)
        assert {action for step in trace["steps"] for action in step[3]} <= set(every)


# -------------------------------------------------------------------- positions (PROTOCOL 4)


def test_a_position_needs_only_its_round_and_phase() -> None:
    for players in (1, 2, 3, 4):
        for phase, round_ in (("apogee", 1), ("decline", 4), ("scoring", 6)):
            config = {"players": players}
            assert check_position(config, {"round": round_, "phase": phase}, DATA) == []
            game = Game(config, position={"round": round_, "phase": phase})
            assert len(game.start["position"]) == 24
            assert check_position(config, game.start["position"], DATA) == []
    assert full_position({"players": 2}, {"round": 3, "phase": "apogee"})["later"] == [[]]


REFUSED: list[tuple[int, dict[str, Any], str]] = [
    (2, {"round": 0}, "round"),
    (2, {"round": 7}, "round"),
    (2, {"round": True}, "round"),
    (2, {"phase": "setup"}, "phase"),
    (2, {"phase": "scoring"}, "phase"),
    (2, {"first": 2}, "first"),
    (2, {"first": None}, "first"),
    (2, {"next_first": 0}, "next_first"),
    (2, {"phase": "decline", "next_first": 2}, "next_first"),
    (2, {"coins": [0]}, "coins"),
    (2, {"coins": [0, 1000]}, r"coins\[1\]"),
    (2, {"coins": [0, -1]}, r"coins\[1\]"),
    (2, {"coins": [0, 1.0]}, r"coins\[1\]"),
    (2, {"coins": None}, "coins"),
    (2, {"temple": [5, 0]}, r"temple\[0\]"),
    (2, {"oracle": [0, -1]}, r"oracle\[1\]"),
    (2, {"locks": [6, 0]}, r"locks\[0\]"),
    (2, {"singles": [13, 0]}, r"singles\[0\]"),
    (2, {"singles": [5, 5], "doubles": [3, 3], "locks": [5, 4]}, "singles, doubles and locks of seat 0"),
    (2, {"citizens": [[0] * 6]}, "citizens"),
    (2, {"citizens": [[0] * 5, [0] * 6]}, r"citizens\[0\]"),
    (2, {"citizens": [[0] * 6, [7, 0, 0, 0, 0, 0]]}, r"citizens\[1\]"),
    (2, {"citizens": [[0] * 6, [0, 0, 4, 3, 0, 0]]}, r"citizens\[1\], merchant and scholar"),
    (2, {"hands": [[1]]}, "hands"),
    (2, {"hands": [[55], []]}, r"hands\[0\]"),
    (2, {"hands": [["1"], []]}, r"hands\[0\]"),
    (2, {"hands": [[1, 1], []]}, r"hands\[0\]"),
    (2, {"hands": [[1], []], "played": [[], [1]]}, r"played\[1\]"),
    (2, {"hands": [[21], []]}, r"hands\[0\]"),
    (2, {"played": [[], [39]], "round": 3}, r"played\[1\]"),
    (2, {"discard": [21]}, "discard"),
    (2, {"display": [21, 22], "round": 1}, "display"),
    (2, {"display": [1], "round": 3}, "display"),
    (2, {"display": DISPLAY, "deck": [21], "round": 1}, "deck"),
    (2, {"display": [*DISPLAY, 9]}, "display"),
    (2, {"display": DISPLAY[:7], "deck": [9]}, "display"),
    (2, {"display": [1, None]}, "display"),
    (2, {"later": []}, "later"),
    (2, {"later": [[39], []]}, r"later\[0\]"),
    (2, {"later": [[21], [21]]}, r"later\[1\]"),
    (2, {"later": [[], []], "round": 3}, "later"),
    (2, {"deck": 3}, "deck"),
    (2, {"cities": {"19": 0}}, "cities, place"),
    (2, {"cities": {"01": 0}}, "cities, place"),
    (2, {"cities": {"1": 2}}, r"cities\[1\]"),
    (2, {"cities": [1]}, "cities"),
    (2, {"homes": {"3": 0}}, "homes, place"),
    (3, {"homes": {"10": 0}}, "homes, place"),
    (3, {"homes": {"3": "0"}}, r"homes\[3\]"),
    (
        2,
        {"cities": {str(c): 0 for c in range(1, 6)}, "homes": {"1": 0, "2": 0}},
        "cities and homes, tokens of seat 0",
    ),
    (2, {"recruit": list(TYPES[:5])}, "recruit"),
    (2, {"recruit": [*TYPES[:5], "priest"]}, "recruit"),
    (2, {"display": DISPLAY, "marked": [1]}, "marked"),
    (3, {"phase": "decline", "display": DISPLAY, "marked": [1]}, "marked"),
    (2, {"phase": "decline", "display": DISPLAY, "marked": [9]}, "marked"),
    (2, {"phase": "decline", "display": DISPLAY, "marked": [1, 1]}, "marked"),
    (2, {"phase": "decline", "marked_type": "priest"}, "marked_type"),
    (1, {"phase": "decline", "marked_type": "king"}, "marked_type"),
    (2, {"bonus": {"cards": []}}, "bonus"),
    (2, {"bonus": {"cards": [2], "citizens": [], "cities": []}}, "bonus, cards"),
    (2, {"bonus": {"cards": [], "citizens": [1, 1], "cities": []}}, "bonus, citizens"),
    (2, {"points": [[0, 0, 0]]}, "points"),
    (2, {"points": [[0, 0, 0], [0, 0, 0, 0]]}, r"points\[1\]"),
    (2, {"points": [[0, 0, 0], [0, 0, -1]]}, r"points\[1\]"),
    (2, {"points": [[0, 0, 1000], [0, 0, 0]]}, r"points\[0\]"),
    (2, {"used": []}, "used"),
]


@pytest.mark.parametrize(("players", "fields", "field"), REFUSED)
def test_a_wrong_position_is_refused(players: int, fields: dict[str, Any], field: str) -> None:
    position = {"round": 1, "phase": "apogee", **fields}
    with pytest.raises(ValueError, match=rf"(^|; ){field} = .*: (allowed|unknown)"):
        Game({"players": players}, position=position)


def test_a_position_without_round_or_phase_or_no_object_is_refused() -> None:
    assert check_position({"players": 2}, {"phase": "apogee"}, DATA) == ["round: is missing"]
    assert check_position({"players": 2}, {"round": 1}, DATA) == ["phase: is missing"]
    assert check_position({"players": 2}, [], DATA)  # type: ignore[arg-type]


def test_random_positions_are_valid_and_reach_every_phase() -> None:
    rng = random.Random(5)
    seen: Counter[str] = Counter()
    for i in range(150):
        config = config_of_mode(list(MODES)[i % len(MODES)], rng)
        position = random_position(config, rng, DATA)
        assert check_position(config, position, DATA) == []
        seen[position["phase"]] += 1
        tokens = Counter([*position["cities"].values(), *position["homes"].values()])
        seen["six tokens"] += max(tokens.values(), default=0) == 6
        seen["marked"] += bool(position["marked"])
        seen["marked type"] += position["marked_type"] is not None
        seen["pile"] += bool(position["discard"])
        seen["short display"] += len(position["display"]) < 8
    assert all(seen[what] > 2 for what in ("apogee", "decline", "scoring", "six tokens", "marked", "pile")), (
        seen
    )
    assert seen["marked type"] and seen["short display"]


# -------------------------------------------------------------------- random games


@pytest.mark.parametrize("from_position", [False, True])
@pytest.mark.parametrize("mode", list(MODES))
def test_nothing_breaks_in_random_games(mode: str, from_position: bool) -> None:
    names = sorted(POLICIES)
    for seed in range(2):
        rng = random.Random(1000 * seed + len(mode))
        config = config_of_mode(mode, rng)
        policy = by_seat([names[(seed + k + len(mode)) % len(names)] for k in range(config["players"])])
        position = random_position(config, rng, DATA) if from_position else None
        game = Game(config, None if position else random_deal(config, rng, DATA), position)
        decisions = 0
        while game.decision is not None:
            assert broken(game) == []
            game.act(policy(game, rng))
            decisions += 1
            assert decisions < 1000
        assert broken(game) == []
        assert game.result() == final_result(game.state)


def test_random_games_reach_the_rare_moments() -> None:
    seen: Counter[str] = Counter()
    for i in range(44):
        policy = sorted(POLICIES)[i % len(POLICIES)]
        mode = list(MODES)[i % len(MODES)]
        trace = record_random(mode, i, from_position=i % 3 != 0, policy=policy)
        for _, kind, action, options, state in trace["steps"]:
            seen[kind] += 1
            seen[action.split(":")[0]] += 1
            seen["gap"] += None in state["display"]
            seen["declined"] += kind == "ability" and action == "end"
            seen["forced"] += kind == "ability" and "end" not in options
            seen["from the pile"] += (
                kind == "take" and action != "end" and int(action[5:]) in state["discard"]
            )
            seen["leader"] += state["next_first"] is not None
            seen["bonus"] += any(state["bonus"].values())
            seen["pairs"] += any(own[2] for own in state["time"])
            seen["late card"] += kind == "final" and action.startswith("card")
        seen["solo"] += "rank" in trace["result"]
        seen["negative"] += min(trace["result"]["score"]) < 0
    kinds = (
        "draft settle turn wild ability pay hours count recruit take play move city region enlist lose cube"
    )
    kinds += " hire swap_from swap_to reward final"
    verbs = "tile tax home city card use citizen pay double count region gain do amount swap hire end"
    rare = [
        "gap",
        "declined",
        "forced",
        "from the pile",
        "leader",
        "bonus",
        "pairs",
        "late card",
        "solo",
        "negative",
    ]
    for what in [*kinds.split(), *verbs.split(), *rare]:
        assert seen[what] > 0, (what, seen)


# -------------------------------------------------------------------- traces


@pytest.mark.parametrize("from_position", [False, True])
@pytest.mark.parametrize("mode", list(MODES))
def test_what_is_recorded_is_verified_without_a_difference(mode: str, from_position: bool) -> None:
    trace = json.loads(json.dumps(record_random(mode, 1, from_position)))
    assert verify_trace(trace) == []
    assert trace == record_random(mode, 1, from_position)


def test_a_trace_has_the_form_of_the_protocol() -> None:
    trace = record_random("players3", 7)
    assert list(trace) == ["format", "config", "seed", "deal", "steps", "result"]
    assert trace["format"] == "gentes-trace/1"
    assert trace["config"] == {"players": 3, "first_game": False, "advanced": False}
    assert list(trace["deal"]) == ["first", "recruit", "draft", "decks"] and len(trace["deal"]["draft"]) == 9
    first = trace["steps"][0]
    assert first[:2] == [(trace["deal"]["first"] - 1) % 3, "draft"]
    assert first[3] == sorted(f"card:{card}" for card in trace["deal"]["draft"])
    assert len(record_random("players3", 7, legal=False, states=False)["steps"][0]) == 3
    assert record_random("players3", 7, legal=False)["steps"][0][3] is None
    assert len(record_random("players3", 7, states=False)["steps"][0]) == 4
    assert "position" in record_random("players3", 7, from_position=True)
    assert record_random("solo", 7)["result"]["winners"] == []


def tampered(trace: dict[str, Any], change: Any) -> list[str]:
    other = copy.deepcopy(trace)
    change(other)
    return verify_trace(other)


def test_a_trace_that_was_tampered_with_is_found_out() -> None:
    config = resolve_config({"players": 2})
    trace = record_game(config, random_deal(config, random.Random(2)), rng=random.Random(2), seed=2)
    assert verify_trace(trace) == []
    changes = [
        lambda t: t["result"].pop("winners"),
        lambda t: t.pop("result"),
        lambda t: t["steps"][0].__setitem__(0, 9),
        lambda t: t["steps"][0].__setitem__(2, "end"),
        lambda t: t["steps"][5].__setitem__(2, "end"),
        lambda t: t["deal"]["decks"][0].reverse(),
        lambda t: t["deal"]["decks"].pop(),
        lambda t: t["config"].pop("advanced"),
        lambda t: t["config"].__setitem__("players", 5),
        lambda t: t.pop("seed"),
        lambda t: t.pop("steps"),
        lambda t: t.__setitem__("note", "x"),
        lambda t: t.__setitem__("position", {"round": 1, "phase": "apogee"}),
        lambda t: t.__setitem__("format", "gentes-trace/2"),
    ]
    for i, change in enumerate(changes):
        assert tampered(trace, change), i


def test_every_part_of_a_step_and_of_the_result_is_compared() -> None:
    rng = random.Random(4)
    position = {"round": 6, "phase": "apogee", "singles": [6, 6, 12], "coins": [20, 20, 20]}
    trace = record_game({"players": 3}, position=position, rng=rng)
    assert verify_trace(trace) == [] and len(trace["steps"]) > 5
    for key in ("score", "cards", "synergy", "other", "end", "played", "coins", "winners"):
        assert tampered(trace, lambda t, key=key: t["result"][key].append(1))
    assert tampered(trace, lambda t: t["steps"][3][3].append("end"))
    assert tampered(trace, lambda t: t["steps"][3][3].reverse())
    assert tampered(trace, lambda t: t["steps"][3].__setitem__(3, 7))
    assert tampered(trace, lambda t: t["steps"].__setitem__(3, "end"))
    for key in trace["steps"][4][4]:
        assert tampered(trace, lambda t, key=key: t["steps"][4][4].__setitem__(key, "x"))
        assert tampered(trace, lambda t, key=key: t["steps"][4][4].pop(key))
    assert tampered(trace, lambda t: t["steps"][4][4].__setitem__("more", 1))
    assert tampered(trace, lambda t: t["steps"][4].__setitem__(4, None))
    assert tampered(trace, lambda t: t["steps"][4].__setitem__(1, "final"))
    assert tampered(trace, lambda t: t["steps"].pop())
    assert tampered(trace, lambda t: t["steps"].append(t["steps"][-1]))
    assert not tampered(trace, lambda t: t["steps"][4].pop())


def test_a_position_of_a_trace_has_all_fields() -> None:
    trace = record_random("players2", 3, from_position=True)
    assert verify_trace(trace) == []
    trace["position"].pop("first")
    assert verify_trace(trace)


def test_the_command_line_records_and_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "games.jsonl")
    for extra in ([], ["--positions"], ["--mode", "solo", "--policy", "tinker", "--no-legal", "--no-states"]):
        options = parser().parse_args(["record", "--games", "3", "--seed", "9", "--out", out, *extra])
        assert options.run(options) == 0
        options = parser().parse_args(["verify", out])
        assert options.run(options) == 0
        assert "3 games, 0 with differences" in capsys.readouterr().out
    lines = Path(out).read_text(encoding="utf-8").replace('"result":{', '"result":{"more":1,')
    Path(out).write_text(lines, encoding="utf-8")
    options = parser().parse_args(["verify", "--show", "1", out])
    assert options.run(options) == 1
    assert "result, more" in capsys.readouterr().out
