"""What a seat sees (RULES 10, PROTOCOL 3): all that is public, read back from the bytes alone, and nothing else.

`decoded` reads an observation and knows no state; `knowledge` reads a state. That both agree in every state of random
games means that an observation is enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from games.gentes.playing import alone, game_of, observed, random_states, start

from genesia_rl.core.pieces import MOST
from genesia_rl.games.gentes.actions import PAY_BASE, action_text
from genesia_rl.games.gentes.game import GentesGame
from genesia_rl.games.gentes.names import ACTS, CITIES, KINDS
from genesia_rl.games.gentes.observe import PLAIN
from genesia_rl.games.gentes.state import FIELDS
from genesia_rl.games.gentes.tables import members
from genesia_rl.games.gentes.variants import VARIANTS

State = Any
Known = dict[str, Any]

#: Fields of a state that an observation shows as they are: by the piece's name.
PLAIN_FIELDS = (
    "round", "era", "scoring", "turn", "amount", "hours", "row", "left", "slots", "due", "taken_shown", "last_slot",
    "taken_piled", "exchange", "region",
)  # fmt: skip
SEAT_FIELDS = ("coins", "temple", "oracle", "tiles", "singles", "doubles", "locks")
#: Fields that follow from the others, or that belong to no situation.
DERIVED = {"virtual", "discount", "saving", "bringing", "hand_more", "strength", "symbols", "num_legal", "over",
           "steps", "gone", "chosen_does"}  # fmt: skip


def turned(values: Any, seat: int, n: int) -> list[Any]:
    """What belongs to the seats, the observer's first."""
    return [values[(seat + k) % n] for k in range(n)]


# ---------------------------------------------------------------- by the state


def knowledge(game: GentesGame, s: State, seat: int) -> Known:
    """All that is public, by the fields of the state."""
    n = game.num_seats
    found: Known = {name: int(s[name]) for name in PLAIN_FIELDS}
    found |= {name: int(s[name]) for name in ("kind", "stage", "errand", "act", "symbol", "source", "card")}
    found |= {name: [min(MOST, int(v)) for v in turned(s[name], seat, n)] for name in SEAT_FIELDS}
    found["points"] = [v.tolist() for v in turned(s["points"], seat, n)]
    found["citizens"] = [v.tolist() for v in turned(s["citizens"], seat, n)]
    for name in ("hand", "played", "scored", "tokens"):
        found[name] = [members(v) for v in turned(s[name], seat, n)]
    found["used_cards"] = sorted(card for who in range(n) for card in members(s["used_cards"][who]))
    for name in (
        "used_homes",
        "taken",
        "marked",
        "discard",
        "open",
        "unseen",
        "chosen_cards",
        "chosen_homes",
    ):
        found[name] = members(s[name])
    found["display"], found["recruit"] = s["display"].tolist(), s["recruit"].tolist()
    found |= {name: int(s[name]) for name in ("marked_type", "lifted", "given", "recruited")}
    found["boxed"] = s["boxed"].tolist()
    found["deck"] = game.state_dict(game_state(game, s), 0)["deck"]
    found["bonus"] = [[(int(v) - 1 - seat) % n for v in row if v] for row in s["bonus"]]
    found["first"] = (int(s["first"]) - seat) % n
    found["next_first"] = (int(s["next_first"]) - 1 - seat) % n if s["next_first"] else None
    found["seat"] = (int(s["seat"]) - seat) % n if not s["over"] else None
    found["gains_done"] = (
        int(s["gain_row"] - game.tables[0]["first_gain"][s["card"] - 1]) if s["gain_row"] else 0
    )
    mine = s["seat"] == seat
    found["legal"] = sorted(map(action_text, legal_of(s))) if mine else []
    return found


def game_state(game: GentesGame, s: State) -> Any:
    states = game.new_states()
    states[0] = s
    return states


def legal_of(s: State) -> list[int]:
    return [
        64 * k + place for k, word in enumerate(s["legal"]) for place in range(64) if int(word) >> place & 1
    ]


# ---------------------------------------------------------------- from the bytes


def ones(plane: Any) -> list[int]:
    return (np.flatnonzero(plane) + 1).tolist()


def by_number(plane: Any, size: int) -> list[int]:
    """What has each number of a plane, counted from 1; 0 where nothing has it."""
    return [next(iter(ones(plane == k + 1)), 0) for k in range(size)]


def decoded(game: GentesGame, seen: dict[str, Any]) -> Known:
    """The same, from the pieces of an observation."""
    n = game.num_seats
    seats = [{k.partition("_")[2]: v for k, v in seen.items() if k.startswith(f"seat{i}_")} for i in range(n)]
    found: Known = {name: int(seen[f"global_{name}"][0]) for name in PLAIN_FIELDS}
    found |= {
        name: ones(seen[f"global_{name}"])[0] - 1 for name in ("kind", "stage", "errand", "act", "symbol")
    }
    found |= {name: [int(seat[name][0]) for seat in seats] for name in SEAT_FIELDS}
    found["points"] = [seat["points"].tolist() for seat in seats]
    found["citizens"] = np.reshape(seen["types_citizens"], (n, -1)).tolist()
    for name in ("hand", "played"):
        found[name] = [ones(seen[f"cards_{name}"] == k + 1) for k in range(n)]
    scored = ones(seen["cards_scored"])
    found["scored"] = [[card for card in cards if card in scored] for cards in found["played"]]
    found["tokens"] = [ones(plane) for plane in np.reshape(seen["places_token"], (n, -1))]
    found["used_cards"], found["used_homes"] = ones(seen["cards_used"]), ones(seen["places_used"])
    found["taken"] = ones(seen["tiles_taken"])
    for name in ("marked", "discard", "open", "unseen"):
        found[name] = ones(seen[f"cards_{name}"])
    found["chosen_cards"], found["chosen_homes"] = (
        ones(seen["cards_chosen"]),
        ones(seen["places_chosen"] == 1),
    )
    found["display"] = by_number(seen["cards_slot"], 8)
    found["recruit"] = [kind - 1 for kind in by_number(seen["types_slot"], 6)]
    found["source"] = decoded_source(seen)
    found["card"] = next(iter(ones(seen["cards_current"] == 2)), 0)
    found["marked_type"] = next(iter(ones(seen["types_marked"])), 0)
    found["lifted"] = next(iter(ones(seen["places_lifted"])), 0)
    found["given"] = next(iter(ones(seen["types_given"])), 0)
    found["recruited"] = sum(1 << kind - 1 for kind in ones(seen["types_recruited"]))
    found["boxed"], found["deck"] = seen["global_boxed"].tolist(), int(seen["global_deck"][0])
    found["bonus"] = [by_number(np.array([seat["bonus"][c] for seat in seats]), 4) for c in range(3)]
    found["bonus"] = [[seat - 1 for seat in row if seat] for row in found["bonus"]]
    found["first"] = [int(seat["first"][0]) for seat in seats].index(1)
    found["next_first"] = next((k for k, seat in enumerate(seats) if seat["next_first"][0]), None)
    found["seat"] = next((k for k, seat in enumerate(seats) if seat["is_turn"][0]), None)
    found["gains_done"] = int(seen["global_gain_row"][0])
    found["legal"] = decoded_legal(seen)
    return found


def decoded_source(seen: dict[str, Any]) -> int:
    """1 + the action that stands for the source."""
    for name, value, base in (("tiles_current", 1, 0), ("places_chosen", 2, 30), ("cards_current", 1, 111)):
        found = ones(seen[name] == value)
        if found:
            return int(found[0] + base)
    tax = int(seen["global_tax"][0])
    return 28 + tax if tax else 0


def decoded_legal(seen: dict[str, Any]) -> list[str]:
    kinds = ["priest", "soldier", "merchant", "scholar", "artisan", "noble"]
    found = [f"card:{card}" for card in ones(seen["cards_can_take"])]
    found += [f"use:{card}" for card in ones(seen["cards_can_use"])]
    found += [f"tile:{tile}" for tile in ones(seen["tiles_can_take"])]
    found += [
        f"city:{place}" if place <= CITIES else f"home:{place - CITIES}"
        for place in ones(seen["places_can_choose"])
    ]
    found += [f"citizen:{kinds[kind - 1]}" for kind in ones(seen["types_can_choose"])]
    found += [f"tax:{tax}" for tax in ones(seen["global_legal_tax"])]
    assert len(seen["global_legal"]) == PLAIN
    return sorted(found + [action_text(PAY_BASE + place - 1) for place in ones(seen["global_legal"])])


# ---------------------------------------------------------------- the tests


@pytest.mark.parametrize("name", VARIANTS)
def test_an_observation_tells_all_that_is_public(name: str) -> None:
    game = game_of(**VARIANTS[name])
    for number, (states, _) in enumerate(random_states(game, 5)):
        seat = number % game.num_seats
        mine, theirs = knowledge(game, states[0], seat), decoded(game, observed(game, states, seat))
        for what, value in mine.items():
            assert theirs[what] == value, f"decision {number}: {what}"


def test_every_public_field_is_known_or_follows_from_others() -> None:
    public = {name for name, _, who, _ in FIELDS if who == "public"}
    game = game_of(players=2)
    shown = set(knowledge(game, next(random_states(game, 1))[0][0], 0)) | {"gain_row"}
    assert public <= shown | DERIVED
    assert {name for name, _, who, _ in FIELDS if who == "hidden"} == {"deck", "next"}


def test_seats_are_counted_from_the_observers_own() -> None:
    play = start({"players": 3}, coins=[5, 6, 7], hands=[[1], [2], [3]], cities={"1": 2})
    seen = observed(play.game, play.states, 1)
    assert [int(seen[f"seat{k}_coins"][0]) for k in range(3)] == [6, 7, 5]
    assert [int(seen["cards_hand"][card - 1]) for card in (1, 2, 3)] == [3, 1, 2]
    assert ones(np.reshape(seen["places_token"], (3, -1))[1]) == [1]


def test_what_the_observer_lacks_for_cards() -> None:
    play = alone(hands=[[4, 10]], citizens=[{"soldier": 1, "priest": 2}], display=[3, 12])
    seen = observed(play.game, play.states, 0)["cards_missing"]
    assert [int(seen[card - 1]) for card in (4, 10, 3, 12, 5)] == [3, 10, 3, 3, 0]


def test_what_is_seen_in_the_middle_of_an_action() -> None:
    play = alone({"players": 4}, homes={"4": 0, "7": 0}, cities={"3": 0}).do("tile:3", "home:4")
    seen = observed(play.game, play.states, 0)
    assert ones(seen["tiles_current"]) == [3] and ones(seen["places_chosen"]) == [CITIES + 4]
    assert ones(seen["global_act"]) == [2 + ACTS.index("philosopher")] and int(seen["global_amount"][0]) == 4
    play.do("end", "pay:8", "count:2", "citizen:priest")
    seen = observed(play.game, play.states, 0)
    assert ones(seen["types_recruited"]) == [1] and int(seen["global_left"][0]) == 1
    assert int(seen["global_row"][0]) == 2 and int(seen["global_amount"][0]) == 8
    assert ones(seen["global_kind"]) == [1 + KINDS.index("recruit")]


def test_another_seat_sees_the_same_but_what_is_legal() -> None:
    play = alone(temple=[1], citizens=[{"noble": 2}])
    seen = observed(play.game, play.states, 1)
    assert not any(np.any(seen[name]) for name in ("global_legal", "tiles_can_take", "global_my_decision"))
    assert np.any(observed(play.game, play.states, 0)["global_legal"])


def test_great_numbers_are_clipped() -> None:
    play = alone(coins=[999], points=[[500, 0, 0], [0, 0, 0]])
    seen = observed(play.game, play.states, 0)
    assert int(seen["seat0_coins"][0]) == MOST and int(seen["seat0_total"][0]) == MOST
