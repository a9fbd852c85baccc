"""Explicit positions (PROTOCOL 4): what is taken and what is refused, with the reason."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from games.gentes.playing import begin, game_of, position_of, random_states, start
from games.gentes.second import SECOND

from genesia_rl.core.errors import PositionError
from genesia_rl.games.gentes.tables import members
from genesia_rl.games.gentes.variants import VARIANTS

SHOWN = [1, 2, 3, 4, 5, 6, 7, 8]


def test_what_may_be_left_out_is_filled_in() -> None:
    game = game_of(players=3)
    whole = game.put_position(game.new_states(), 0, {"round": 3, "phase": "apogee"})
    assert whole["coins"] == whole["locks"] == [0, 0, 0] and whole["citizens"] == [[0] * 6] * 3
    assert whole["later"] == [[]] and whole["hands"] == [[], [], []] and whole["cities"] == {}
    assert whole["recruit"] == ["priest", "soldier", "merchant", "scholar", "artisan", "noble"]
    assert (
        whole["bonus"] == {"cards": [], "citizens": [], "cities": []} and whole["points"] == [[0, 0, 0]] * 3
    )
    assert game.put_position(game.new_states(), 0, whole) == whole


def test_a_position_is_what_the_state_says() -> None:
    position = position_of(
        3, round=3, first=1, coins=[3, 4, 5], temple=[1, 2, 3], oracle=[4, 0, 1], singles=[1, 2, 3], doubles=[3, 2, 1],
        locks=[1, 0, 2], hands=[[1], [22], []], played=[[3], [4, 5], [6]], cities={"3": 0, "18": 2}, homes={"4": 1},
        display=[21, 23, 24, 25, 26, 27, 28, 29], deck=[30, 31], discard=[7, 8], later=[[40, 41]],
        citizens=[{"noble": 2}, {"priest": 3, "soldier": 3}, {}], points=[[1, 2, 3], [4, 5, 6], [7, 8, 9]],
        bonus={"cards": [2], "citizens": [], "cities": [1, 0]},
        recruit=["noble", "artisan", "scholar", "merchant", "soldier", "priest"],
    )  # fmt: skip
    state = begin({"players": 3}, position).state
    for name in ("round", "first", "coins", "temple", "oracle", "citizens", "hands", "played", "cities", "homes",
                 "display", "discard", "bonus", "recruit"):  # fmt: skip
        assert state[name] == position[name], name
    assert state["time"] == [[0, 1, 3, 1], [0, 2, 2, 0], [0, 3, 1, 2]]
    assert state["points"] == [[*points, 0] for points in position["points"]] and state["deck"] == 2


def refused(words: str, config: dict[str, Any] | None = None, **fields: Any) -> None:
    config = {"players": 2, **(config or {})}
    with pytest.raises(PositionError, match=words):
        begin(config, {"round": 1, "phase": "apogee", **fields})


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("round = 7, allowed 1..6", {"round": 7}),
        ("round = True", {"round": True}),
        ("phase = 'apoge', allowed apogee.*did you mean apogee", {"phase": "apoge"}),
        ("scoring in round 6 only", {"phase": "scoring"}),
        ("first = 2, allowed 0..1", {"first": 2}),
        ("next_first = 1, allowed null but in the decline", {"next_first": 1}),
        ("next_first = 2", {"phase": "decline", "next_first": 2}),
        (r"coins = \[1\], allowed a list of 2", {"coins": [1]}),
        (r"coins\[1\] = 1000, allowed 0..999", {"coins": [1, 1000]}),
        (r"temple\[0\] = 5, allowed 0..4", {"temple": [5, 0]}),
        (r"locks\[0\] = 6, allowed 0..5", {"locks": [6, 0]}),
        (r"allowed 12 spaces together", {"singles": [5, 0], "doubles": [5, 0], "locks": [3, 0]}),
        (r"citizens\[0\] = .*priest and soldier together at most 6", {"citizens": [[4, 3, 0, 0, 0, 0], [0] * 6]}),
        (r"citizens\[0\]\[0\] = 7", {"citizens": [[7, 0, 0, 0, 0, 0], [0] * 6]}),
        (r"hands\[0\]\[0\] = 55", {"hands": [[55], []]}),
        (r"hands\[0\]\[0\] = 21, allowed one of 1, 2", {"hands": [[21], []]}),
        (r"hands\[0\]\[1\] = 3, allowed every card once", {"hands": [[3, 3], []]}),
        (r"played\[1\] = 3, allowed no card that is in hands\[0\]", {"hands": [[3], []], "played": [[], [3]]}),
        (r"cities = '19'", {"cities": {"19": 0}}),
        (r"cities\[3\] = 2, allowed 0..1", {"cities": {"3": 2}}),
        (r"homes = '3', allowed the places 1, 2, 4, 6, 8, 9", {"homes": {"3": 0}}),
        ("7 tokens of seat 0., allowed at most 6", {"cities": {str(k): 0 for k in range(1, 8)}}),
        ("recruit = .*allowed an order of", {"recruit": ["priest"] * 6}),
        (r"display\[0\] = 21", {"display": [21]}),
        ("8 cards, or fewer when the deck is empty", {"display": [1, 2], "deck": [3]}),
        (r"allowed 8 cards", {"display": [*SHOWN, 9]}),
        (r"later = \[\[\]\], allowed a list of 2 decks", {"later": [[]]}),
        (r"later\[1\]\[0\] = 21", {"later": [[], [21]]}),
        ("marked = .*allowed .. but in the decline", {"display": [1], "marked": [1]}),
        ("marked = 2, allowed cards of the display", {"phase": "decline", "display": [1], "marked": [2]}),
        ("marked_type = 'noble', allowed null but in the decline of the solo",
         {"phase": "decline", "marked_type": "noble"}),
        ("marked_type = 'nobel', .*did you mean noble", {"phase": "decline", "marked_type": "nobel"}),
        (r"bonus = \{\}", {"bonus": {}}),
        (r"bonus.cards = \[0, 0\], allowed different seats",
         {"bonus": {"cards": [0, 0], "citizens": [], "cities": []}}),
        (r"points\[0\] = \[0, 0\]", {"points": [[0, 0], [0, 0, 0]]}),
        ("unknown key 'coin', .*did you mean coins", {"coin": [1, 1]}),
    ],
)  # fmt: skip
def test_refusals_name_the_field_the_value_and_what_is_allowed(words: str, fields: dict[str, Any]) -> None:
    refused(words, **fields)


def test_marks_need_one_or_two_players() -> None:
    refused("marked", {"players": 3}, phase="decline", display=SHOWN, marked=[1])
    start({"players": 1}, phase="decline", display=SHOWN, marked=[1], marked_type="noble")


def test_round_and_phase_must_be_there() -> None:
    with pytest.raises(PositionError, match="the key phase is missing"):
        begin({"players": 2}, {"round": 1})


def test_the_referee_and_the_engine_refuse_the_same_changes() -> None:
    """A number of a valid position is changed: both take it, or neither does."""
    rng, refusals = random.Random(5), 0
    for number in range(300):
        config = {"players": number % 4 + 1, "first_game": False, "advanced": False}
        position = json.loads(json.dumps(SECOND.random_position(config, rng)))
        spoil(position, rng)
        assert accepted(config, position) == taken_by_referee(config, position), position
        refusals += not accepted(config, position)
    assert 60 < refusals < 280


def spoil(position: dict[str, Any], rng: random.Random) -> None:
    """Another number somewhere in a list, or a list shorter by one."""
    names = [name for name, value in position.items() if isinstance(value, list) and value]
    found = position[rng.choice(names)]
    while isinstance(found[0], list) and found[0] and rng.random() < 0.8:
        found = found[0]
    if rng.random() < 0.2:
        found.pop()
    elif isinstance(found[-1], int):
        found[-1] = rng.choice([-1, 0, 1, 4, 5, 7, 13, 21, 55, 1000, True, "a", None])


def accepted(config: dict[str, Any], position: dict[str, Any]) -> bool:
    try:
        begin(config, position)
    except PositionError:
        return False
    return True


def taken_by_referee(config: dict[str, Any], position: dict[str, Any]) -> bool:
    try:
        SECOND.play(config, position=position)
    except ValueError:
        return False
    return True


def position_from(game: Any, states: Any) -> dict[str, Any]:
    """The beginning of a round of a game, as a position."""
    s, state, n = states[0], game.state_dict(states, 0), game.num_seats
    era, order = int(s["era"]), s["deck"].tolist()
    start_of = game.tables[0]["era_start"].tolist()
    gone, boxed = members(s["gone"]), s["boxed"].tolist()
    decks = []
    for k in range(era, 3):
        cards = [card for card in order[start_of[k] : start_of[k + 1]] if card and card not in gone]
        decks.append(cards[boxed[k] :])
    tracks = list(zip(*state["time"], strict=True))
    return {
        **{name: state[name] for name in ("round", "first", "coins", "temple", "oracle", "citizens", "hands", "played",
                                          "cities", "homes", "recruit", "display", "discard", "bonus")},
        "phase": "apogee", "singles": list(tracks[1]), "doubles": list(tracks[2]), "locks": list(tracks[3]),
        "deck": decks[0], "later": decks[1:], "points": [points[:3] for points in state["points"][:n]],
    }  # fmt: skip


@pytest.mark.parametrize("name", ["players2", "players4", "solo", "first_game3"])
def test_the_beginning_of_a_round_written_as_a_position_goes_on_as_the_game_does(name: str) -> None:
    game = game_of(**VARIANTS[name])
    rounds, found = set(), None
    for states, action in random_states(game, 3):
        state = game.state_dict(states, 0)
        if found is not None and action >= 0:
            assert game.legal_actions(found, 0) == game.legal_actions(states, 0)
            assert game.state_dict(found, 0) == state
        asked = (game.seat(states, 0), game.kind(states, 0))
        beginning = asked == (state["first"], "turn") and not state["taken"] and not state["used"]
        if beginning and state["round"] not in rounds:
            rounds.add(state["round"])
            found = game.new_states()
            position = json.loads(json.dumps(position_from(game, states)))
            game.put_position(found, 0, position)
            assert game.check_state(found, 0) == []
            assert game.state_dict(found, 0) == state
        if found is not None and action >= 0:
            game.step(found, 0, action)
    assert len(rounds) >= 3
