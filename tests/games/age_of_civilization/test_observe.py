"""What a seat sees (RULES 11): all that it may know, read back from the bytes alone, and nothing else.

`decoded` reads an observation and knows no state; `knowledge` reads a state by RULES 11. That both agree in every
state of random games means that an observation is enough.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from games.age_of_civilization.playing import alone, game_of, observed, random_states, start

from genesia_rl.core.pieces import MOST
from genesia_rl.games.age_of_civilization.game import AgeOfCivilizationGame
from genesia_rl.games.age_of_civilization.names import ACTIONS, STAGES, WAYS
from genesia_rl.games.age_of_civilization.state import FIELDS
from genesia_rl.games.age_of_civilization.tables import group_of, members
from genesia_rl.games.age_of_civilization.variants import VARIANTS

State = Any
Known = dict[str, Any]


def turned(values: Any, seat: int, n: int) -> list[Any]:
    """What belongs to the seats, the observer's first."""
    return [values[(seat + k) % n] for k in range(n)]


def plain(values: Any) -> list[int]:
    return [int(value) for value in values]


# ---------------------------------------------------------------- by the rules


def knowledge(game: AgeOfCivilizationGame, s: State, seat: int) -> Known:
    """RULES 11 and the last paragraph of PROTOCOL 3's states: all public fields, and what is the seat's own."""
    n = game.num_seats
    names = ("coins", "points", "workers", "special")
    found: Known = {name: plain(turned(s[name], seat, n)) for name in names}
    found["own"] = [[members(word) for word in own] for own in turned(s["own"], seat, n)]
    found |= {
        name: int(s[name]) for name in ("round", "kind", "stage", "by", "acted", "pick", "space_tech", "tech")
    }
    found |= {name: min(MOST, int(s[name])) for name in ("bonus", "left")}
    found["turn"] = [int((who - s["first"]) % n < s["turn"]) for who in turned(range(n), seat, n)]
    found["first"] = [int(who == s["first"]) for who in turned(range(n), seat, n)]
    found["seat"] = [int(who == s["seat"]) for who in turned(range(n), seat, n)]
    found["placed"] = int(s["placed"]) if not s["over"] else 0
    found["used"], found["red"] = plain(s["used"]), plain(s["red"])
    found["track"] = {int(card): place - int(s["round"]) + 2 for place, card in enumerate(s["track"])}
    found["events"] = {int(s["track"][5 + k]): int(event) for k, event in enumerate(s["events"]) if event}
    found["market"] = {card: int(s["card_coins"][card - 1]) for card in members(s["market"])}
    found["wonder_market"], found["special_market"] = (
        members(s["wonder_market"]),
        members(s["special_market"]),
    )
    found["deck"] = int(s["deck_size"] - s["drawn"])
    found["hands"] = [len(members(hand)) for hand in turned(s["hand"], seat, n)]
    found["hand"], found["left_over"] = members(s["hand"][seat]), members(s["left_over"])
    found["picks"] = [int(card) for card in s["picks"][seat]]
    found["sights"] = [members(pack) for pack in s["sights"][seat]]
    found["action"], found["space_action"] = int(s["action"]), int(s["space_action"])
    found["noted"] = [members(s["noted"][group]) for group in (2, 3)]
    found["granting"] = [members(s["granting"][group]) for group in (2, 3)]
    found["done"] = [members(word) for word in s["done"]]
    found |= under_way(game, s)
    found["legal"] = sorted(game.action_text(a) for a in legal_of(s)) if s["seat"] == seat else []
    return found


def legal_of(s: State) -> list[int]:
    return [
        64 * k + place for k, word in enumerate(s["legal"]) for place in range(64) if int(word) >> place & 1
    ]


def under_way(game: AgeOfCivilizationGame, s: State) -> Known:
    """The ability and the places of the effects that are being done."""
    first = game.tables[0]["first_row"]
    ability, action = int(s["ability"]) - 1, int(s["action"]) - 1
    return {
        "ability": list(group_of(ability)) if ability >= 0 else None,
        "ability_row": int(s["row"]) - int(first[ability]) if ability >= 0 else 0,
        "action_row": int(s["action_row"]) - int(first[192 + action]) if action >= 0 else 0,
    }


# ---------------------------------------------------------------- from the bytes


def ones(plane: Any) -> list[int]:
    return (np.flatnonzero(plane) + 1).tolist()


def decoded(game: AgeOfCivilizationGame, seen: dict[str, Any]) -> Known:
    """The same, from the pieces of an observation."""
    n = game.num_seats
    seats = [{k.partition("_")[2]: v for k, v in seen.items() if k.startswith(f"seat{i}_")} for i in range(n)]
    holder, main = seen["civilizations_holder"], seen["civilizations_main"]
    found: Known = {name: [int(seat[name]) for seat in seats] for name in ("coins", "points", "workers")}
    found["special"] = [next(iter(ones(seen["specials_holder"] == k + 1)), 0) for k in range(n)]
    techs, wonders = (np.reshape(seen[f"{name}_owner"], (n, -1)) for name in ("technologies", "wonders"))
    found["own"] = [
        [ones((holder == k + 1) & (main == 1)), ones(holder == k + 1), ones(techs[k]), ones(wonders[k])]
        for k in range(n)
    ]
    found |= {
        name: seen[f"global_{name}"]
        for name in ("round", "acted", "pick", "space_tech", "tech", "bonus", "left")
    }
    found |= {"kind": ones(seen["global_kind"])[0] - 1, "stage": ones(seen["global_stage"])[0] - 1}
    found["by"] = ones(seen["global_way"])[0] - 1
    found["turn"] = [seat["had_turn"] for seat in seats]
    found["first"], found["seat"] = [seat["token"] for seat in seats], [seat["is_turn"] for seat in seats]
    found["placed"] = sum(seat["workers"] - seat["idle"] for seat in seats)
    found["used"], found["red"] = plain(seen["actions_used"]), plain(seen["actions_red"])
    found["track"] = {card: int(place) for card, place in enumerate(seen["cards_place"])}
    found["events"] = {card: int(event) for card, event in enumerate(seen["cards_event"]) if event}
    found["market"] = {
        card: int(seen["civilizations_coins"][card - 1]) for card in ones(seen["civilizations_market"])
    }
    found["wonder_market"], found["special_market"] = (
        ones(seen["wonders_market"]),
        ones(seen["specials_market"]),
    )
    found["deck"] = seen["global_deck"]
    found["hands"] = [seat["hand"] for seat in seats]
    found["hand"], found["left_over"] = (
        ones(seen["civilizations_hand"]),
        ones(seen["civilizations_left_over"]),
    )
    found["picks"] = [next(iter(ones(seen["civilizations_kept"] == k)), 0) for k in range(1, 6)]
    found["sights"] = sights(n, seen["civilizations_seen"], found["pick"], found["stage"] == 0)
    found["action"] = next(iter(ones(seen["actions_current"])), 0)
    found["space_action"] = next(iter(ones(seen["actions_granting"])), 0)
    planes = [seen["technologies_noted"], seen["wonders_noted"]]
    found["noted"], found["granting"] = (
        [ones(plane & 1) for plane in planes],
        [ones(plane & 2) for plane in planes],
    )
    mains = ones(main)
    my_main = [card for card in mains if seen["global_main_done"] and seats[holder[card - 1] - 1]["is_turn"]]
    found["done"] = [
        my_main,
        *(ones(seen[f"{name}_done"]) for name in ("civilizations", "technologies", "wonders")),
    ]
    found["ability"] = ability(seen)
    found["ability_row"], found["action_row"] = seen["global_ability_row"], seen["global_action_row"]
    found["legal"] = legal_texts(seen)
    return found


def sights(n: int, last: Any, pick: int, drafting: bool) -> list[list[int]]:
    """The packs that were held: a card that was seen last at a pick was in the same pack at all sights before."""
    had = pick + 1 if drafting else 5
    found = []
    for k in range(1, 6):
        found.append(
            [c + 1 for c, seen in enumerate(last) if seen >= k and (seen - k) % n == 0] if k <= had else []
        )
    return found


def ability(seen: Known) -> list[int] | None:
    current = seen["civilizations_current"]
    for group, numbers in enumerate((ones(current == 1), ones(current == 2), ones(seen["technologies_current"]),
                                     ones(seen["wonders_current"]))):  # fmt: skip
        if numbers:
            return [group, numbers[0]]
    return None


def legal_texts(seen: Known) -> list[str]:
    """The legal actions of the observer, thing by thing."""
    end, rest, passing, main = seen["global_legal"]
    found = [
        text for text, legal in (("end", end), ("rest", rest), ("pass", passing), ("main", main)) if legal
    ]
    for card in ones(seen["civilizations_can_take"]):
        found += [f"rise:{card}", *([f"annex:{card}"] if passing else [])]
    verbs = {"card": "civilizations_can_choose", "heritage": "civilizations_can_do", "special": "specials_can_buy",
             "tech": "technologies_can_take", "wonder": "wonders_can_take"}  # fmt: skip
    for verb, name in verbs.items():
        found += [f"{verb}:{number}" for number in ones(seen[name])]
    found += [f"act:{ACTIONS[k - 1]}" for k in ones(seen["actions_can_act"])]
    return sorted(found)


# ---------------------------------------------------------------- both


@pytest.mark.parametrize("name", VARIANTS)
def test_an_observation_says_all_that_a_seat_knows(name: str) -> None:
    game = game_of(**VARIANTS[name])
    for seed in range(3):
        for number, (states, _) in enumerate(random_states(game, seed)):
            for seat in range(game.num_seats):
                if (number + seat) % 3 == 0:
                    found = decoded(game, dict(observed(game, states, seat)))
                    assert found == knowledge(game, states[0], seat), (seed, number, seat)


def test_every_public_field_is_among_what_a_seat_knows() -> None:
    """A field of the state that is new has to be observed, or to follow from others."""
    known = {"coins", "points", "workers", "special", "own", "round", "kind", "stage", "by", "acted", "pick", "tech",
             "space_tech", "bonus", "left", "turn", "first", "seat", "placed", "used", "red", "track", "events",
             "market", "card_coins", "wonder_market", "special_market", "deck_size", "drawn", "left_over", "action",
             "space_action", "noted", "granting", "done", "ability", "row", "action_row"}  # fmt: skip
    follow = {
        "over",
        "num_legal",
        "steps",
        "open",
        "open_later",
        "unlocked",
        "sums",
        "flags",
        "live",
        "gains",
        "full",
    }
    assert {name for name, _, who, _ in FIELDS if who == "public"} == known | follow


def test_what_is_worked_out_for_an_observation() -> None:
    """Prices, workers and spaces for the observer, score and force of all."""
    play = alone(7, [9], [7, 8], [1], open=["farm", "trade", "construction"])
    seen = observed(play.game, play.states, 0)
    assert seen["actions_price"].tolist() == [1, 4, 0, 0, 0, 0, 0, 4, 2, 0]
    assert seen["actions_workers"].tolist() == [2, 1, 1, 1, 1, 2, 1, 1, 2, 1]
    assert seen["actions_open"].tolist() == [1, 1, 1, 0, 0, 1, 1, 0, 1, 0]
    assert seen["actions_spaces"].tolist() == [1, 2, 1, 0, 0, 1, 1, 0, 1, 0]
    assert (seen["seat0_force"], seen["seat0_strongest"], seen["seat1_strongest"]) == (4, 1, 0)
    assert (seen["seat0_wonder_points"], seen["seat0_legacy"], seen["seat0_total"]) == (4, 0, 4)
    other = observed(play.game, play.states, 1)
    assert (other["seat1_force"], other["seat0_force"]) == (4, 0)


def test_prices_that_depend_on_the_position_are_those_of_now() -> None:
    seen = observed((play := start(main=[9, 28], open=["trade"])).game, play.states, 0)
    assert seen["actions_price"][7] == 4 and seen["actions_barred"][6] == 1  # not strongest; Vikings
    seen = observed((play := start(main=[9, 29])).game, play.states, 0)
    assert seen["actions_price"][7] == 3 and seen["actions_barred"][6] == 0


def test_numbers_beyond_a_byte_are_clipped() -> None:
    play = alone()
    play.states[0]["coins"][0], play.states[0]["points"][1] = 5_000, 200
    seen = observed(play.game, play.states, 0)
    assert seen["seat0_coins"] == seen["seat1_points"] == seen["seat1_total"] == MOST


def test_the_names_of_words() -> None:
    assert len(STAGES) == 9 and len(WAYS) == 4
    pieces = {piece.name: piece for piece in game_of(players=3).pieces}
    assert pieces["civilizations_holder"].words == 3 and pieces["cards_event"].words == 9
    assert game_of(players=3).token_sets[0].name == "civilizations"
