"""Explicit positions (PROTOCOL 4): what is taken and what is refused, with the reason."""

from __future__ import annotations

import json
from typing import Any

import pytest
from games.age_of_civilization.playing import begin, game_of, position_of, random_states

from genesia_rl.core.errors import PositionError
from genesia_rl.games.age_of_civilization.tables import members
from genesia_rl.games.age_of_civilization.variants import VARIANTS

SOLO: dict[str, Any] = {
    "main": [46], "civilizations": [[46]],
    "track": ["hunt", "fish", "farm", "trade", "plague", "culture", "construction", "conquest"],
}  # fmt: skip


def refused(words: str, config: dict[str, Any] | None = None, **changes: Any) -> None:
    """The position is refused, in these words."""
    config = {"players": 2, **(config or {})}
    rnd = changes.pop("rnd", 3)
    with pytest.raises(PositionError, match=words):
        begin(config, position_of(config["players"], rnd, **changes))


def test_what_may_be_left_out_is_filled_in() -> None:
    game = game_of(players=2)
    whole = game.put_position(game.new_states(), 0, position_of(2))
    assert whole["deck"] == whole["wonder_market"] == whole["special_market"] == []
    assert whole["special_cards"] == [None, None] and whole["events"] is None and whole["hands"] == [[], []]


def test_a_position_is_what_the_state_says() -> None:
    position = position_of(
        2, 4, ["farm"], first=1, seat=0, coins=[3, 4], points=[5, 6], workers=[2, 3], main=[3, 9],
        civilizations=[[3, 8], [9]], technologies=[[1], [4, 5]], wonders=[[2], []], market=[[12, 4], [13, 0]],
        deck=[20, 21], wonder_market=[5, 6], special_market=[2], special_cards=[None, 7],
    )  # fmt: skip
    play = begin({"players": 2, "innovation": True}, position)
    state = play.state
    for key in ("round", "first", "coins", "points", "workers", "main", "civilizations", "technologies", "wonders",
                "wonder_market", "special_market", "special_cards"):  # fmt: skip
        assert state[key] == position[key], key
    assert state["market"] == {"12": 4, "13": 0} and play.asked == (0, "civilization")
    assert state["idle"] == [2, 3]


def test_the_order_counts_in_the_deck_alone() -> None:
    play = begin({"players": 2}, position_of(2, market=[[5, 0], [3, 0]], deck=[9, 7]))
    assert play.do("annex:5").state["market"] == {"3": 1, "9": 0}


def test_seats_before_have_had_their_turn() -> None:
    play = begin({"players": 3}, position_of(3, first=2, seat=1))
    play.do("rest")
    assert play.state["round"] == 4


def test_positions_taken_from_games_can_be_played_on() -> None:
    """The start of a turn of a random game, written as a position, goes on as the game does."""
    for name in ("players3", "all4", "solo", "innovation2"):
        game = game_of(**VARIANTS[name])
        for states, _ in random_states(game, 2):
            if game.kind(states, 0) != "civilization":
                continue
            position = position_from(game, states)
            other = game.new_states()
            game.put_position(other, 0, json.loads(json.dumps(position)))
            assert game.check_state(other, 0) == []
            assert game.state_dict(other, 0) == game.state_dict(states, 0)
            assert game.legal_actions(other, 0) == game.legal_actions(states, 0)


def position_from(game: Any, states: Any) -> dict[str, Any]:
    s, state = states[0], game.state_dict(states, 0)
    keys = ("round", "first", "coins", "points", "workers", "main", "civilizations", "technologies", "wonders",
            "wonder_market", "special_market", "special_cards")  # fmt: skip
    cards = game.box.board.cards
    return {
        **{key: state[key] for key in keys},
        "seat": game.seat(states, 0),
        "track": [cards[k].name for k in s["track"]],
        "market": [[int(card), coins] for card, coins in state["market"].items()],
        "deck": s["deck"][s["drawn"] : s["deck_size"]].tolist(),
        "events": s["events"].tolist() if game.config.changing_world else None,
        "hands": [members(int(hand)) for hand in s["hand"][: game.num_seats]],
    }


# ---------------------------------------------------------------- refusals


def test_keys() -> None:
    refused("unknown key 'zzz'", zzz=1)
    position = position_of(2)
    del position["coins"]
    with pytest.raises(PositionError, match="coins is missing"):
        begin({"players": 2}, position)
    with pytest.raises(PositionError, match="an object with the keys"):
        game_of().put_position(game_of().new_states(), 0, [])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("round", 0, "round = 0, allowed 1..6"),
        ("round", 7, "allowed 1..6"),
        ("round", True, "allowed 1..6"),
        ("first", 2, "first = 2, allowed 0..1"),
        ("seat", -1, "seat = -1, allowed 0..1"),
        ("coins", [100, 0], r"coins\[0\] = 100, allowed 0..99"),
        ("coins", [0], "one for each seat"),
        ("points", [0, -1], "allowed 0..99"),
        ("workers", [5, 0], "allowed 0..4"),
        ("market", [[1, 100]], "allowed 0..99"),
        ("market", [[49, 0]], "1..48"),
        ("market", [[1]], r"\[civilization, coins\]"),
        ("market", {"1": 0}, r"a list of \[civilization, coins\]"),
        ("market", [[1, 0], [1, 0]], "every number once"),
        ("deck", [0], "1..48"),
        ("wonder_market", [16], "1..15"),
        ("wonders", [[16], []], "1..15"),
        ("technologies", [[28], []], "1..27"),
        ("special_cards", [1, None], "without innovation"),
        ("special_market", [1], "without innovation"),
        ("events", [1, 2, 3], "null without changing_world"),
        ("hands", [[1], []], "without draft"),
        ("track", ["hunt"] * 8, "an order of hunt"),
        ("track", None, "an order of hunt"),
    ],
)
def test_values(key: str, value: Any, words: str) -> None:
    refused(words, **{key: value})


def test_nothing_is_in_two_places() -> None:
    refused("civilization 46 is in 2 places", market=[[46, 0]])
    refused("civilization 5 is in 2 places", market=[[5, 0]], deck=[5])
    refused("civilization 5 is in 2 places", config={"draft": True}, hands=[[5], [5]])
    refused("wonder 3 is in 2 places", wonders=[[3], []], wonder_market=[3])
    refused("wonder 3 is in 2 places", wonders=[[3], [3]])
    refused("special card 4", config={"innovation": True}, special_market=[4], special_cards=[4, None])


def test_civilizations_of_seats() -> None:
    refused("1..2 civilizations after 2 turns", civilizations=[[46, 1, 2], [29]])
    refused("1..3 civilizations after 4 turns", rnd=5, civilizations=[[46, 1, 2, 3], [29]])
    refused("1..2 civilizations after 2 turns", civilizations=[[], [29]], main=[None, 29])
    refused(
        "0..0 civilizations after 0 turns", rnd=1, civilizations=[[1], []], main=[1, None], market=[[2, 0]]
    )
    refused(r"main\[0\] = 1, allowed one of \[46\]", main=[1, 29])
    refused(r"main\[0\] = None, allowed one of \[46\]", main=[None, 29])
    refused("null without civilizations", rnd=1, main=[1, None], market=[[2, 0], [3, 0]])


def test_a_seat_before_has_had_one_turn_more() -> None:
    position = position_of(2, 1, first=1, seat=0, civilizations=[[], [5]], main=[None, 5], market=[[1, 0]])
    play = begin({"players": 2}, position)  # its only card rises unasked
    assert play.has("civilizations") == [1]
    refused("1..1 civilizations after 1 turns", rnd=1, first=1, seat=0, market=[[1, 0], [2, 0]])


def test_technologies_of_seats() -> None:
    refused("every number once", technologies=[[1, 1], []])
    refused("only with one of", technologies=[[2], []])
    refused("what is on the seat's card", technologies=[[10], []])
    refused(
        "what is on the seat's card",
        config={"innovation": True},
        special_cards=[1, None],
        technologies=[[1], []],
    )
    refused("only with one of", config={"innovation": True}, special_cards=[1, None], technologies=[[11], []])


def test_variants() -> None:
    refused("a list of 3 numbers 1..9", config={"changing_world": True})
    refused("every number once", config={"changing_world": True}, events=[1, 1, 2])
    refused(r"deck = \[5\], allowed \[\] with draft", config={"draft": True}, deck=[5])
    refused("at most 5 cards", config={"draft": True}, hands=[[1, 2, 3, 4, 5, 6], []])
    refused("first_game", config={"track": "first_game"})
    order = ["hunt", "fish", "farm", "trade", "culture", "plague", "construction", "conquest"]
    begin({"players": 2, "track": "first_game"}, position_of(2, track=order))


def test_solo() -> None:
    begin({"players": 1}, position_of(1, 3, (), **SOLO))
    for place in ("market", "deck", "civilizations"):
        changes: dict[str, Any] = {"market": [[30, 0]], "deck": [30], "civilizations": [[46, 30]]}
        refused("removed in the solo mode", {"players": 1}, **{**SOLO, place: changes[place]})
    track = ["plague", "hunt", "fish", "farm", "trade", "culture", "construction", "conquest"]
    refused("the fifth card", {"players": 1}, **{**SOLO, "track": track})


def test_a_card_for_every_seat_without_any() -> None:
    empty: dict[str, Any] = {"civilizations": [[], []], "main": [None, None]}
    refused("at least 2 cards", rnd=1, **empty, market=[[1, 0]])
    refused("at least 2 cards", config={"draft": True}, rnd=1, **empty, market=[[1, 0]], hands=[[2], []])
    position = position_of(2, 1, **empty, hands=[[2, 3], [4]])
    assert begin({"players": 2, "draft": True}, position).legal == {"rise:2", "rise:3"}
