"""The referee's own tests: tricky rules on hand-made positions, and random games in every mode.

Map of two players: continent 0 is 0..15, continent 1 is 16..31, sevens 32..35, twelves 36 and 37, centre 38.
Region 4 (value 2) touches 1, 5 and 7; the homeland 0 touches 1, 2 and 3.
"""

from __future__ import annotations

import copy
import itertools
import json
import random
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from games.genesia.referee.board import board_of
from games.genesia.referee.checks import broken, cards_at_start
from games.genesia.referee.config import (
    ConfigError,
    check_deal,
    deck,
    objective_pool,
    random_packs,
    seats_of,
)
from games.genesia.referee.counters import city_pairs, count
from games.genesia.referee.data import data_folder, load_data
from games.genesia.referee.modes import MODES, config_of_mode
from games.genesia.referee.play import (
    Game,
    IllegalAction,
    check_position,
    random_deal,
    random_position,
    resolve_config,
)
from games.genesia.referee.policies import POLICIES, by_seat
from games.genesia.referee.scoring import winners
from games.genesia.referee.state import state_of_position
from games.genesia.referee.traces import record_game, record_random, verify_trace

DATA = load_data()


def position(config: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A position with an empty map and empty hands, except for the fields given."""
    config = resolve_config(config)
    n = seats_of(config)
    age = fields.get("age", 1)
    made: dict[str, Any] = {
        "age": age,
        "phase": "growth",
        "turn_order": list(range(n)),
        "coins": [0] * n,
        "hands": [[] for _ in range(n)],
        "clans": {},
        "cities": {},
        "inventions": [[] for _ in range(n)],
        "progress": [[0] * (age - 1) for _ in range(n)],
        "conquests": [0] * n,
        "objectives": [None] * n,
        "packs": [random_packs(config, later, random.Random(1), DATA) for later in range(age + 1, 4)],
    }
    made.update(fields)
    made["clans"] = {str(r): by_seat for r, by_seat in made["clans"].items()}
    made["cities"] = {str(r): seats for r, seats in made["cities"].items()}
    return made


def start(
    players: int = 2, options: dict[str, Any] | None = None, folder: Path | None = None, **fields: Any
) -> Game:
    config = {"players": players, **(options or {})}
    return Game(config, position=position(config, **fields), folder=folder)


def toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {toml(v)}" for key, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def tables(folder: Path, kind: str) -> dict[int, dict[str, Any]]:
    """The cards or the objectives of a folder, by number, as they are written."""
    with open(folder / f"{kind}s.toml", "rb") as file:
        return {table["number"]: table for table in tomllib.load(file)[kind]}


def other_data(
    folder: Path, card: dict[int, Any] | None = None, objective: dict[int, Any] | None = None
) -> Path:
    """A folder with the package's data, but for what the given ones, by number, have other (None: lack)."""
    for kind, changes in (("card", card), ("objective", objective)):
        lines = []
        for number, table in tables(data_folder(), kind).items():
            changed = {**table, **(changes or {}).get(number, {})}
            lines += [f"[[{kind}]]", *(f"{k} = {toml(v)}" for k, v in changed.items() if v is not None)]
        (folder / f"{kind}s.toml").write_text("\n".join(lines), encoding="utf-8")
    return folder


def growth_card(*effects: dict[str, Any]) -> dict[str, Any]:
    """A free Growth card that does this, and is no Invention."""
    return {"icons": ["growth"], "timing": "turn", "cost": 0, "invention": 0, "effects": list(effects)}


def legal(game: Game, verb: str = "") -> list[str]:
    assert game.decision is not None
    return [text for text in game.decision.legal if text.startswith(verb)]


def asked(game: Game) -> tuple[int, str]:
    assert game.decision is not None
    return game.decision.seat, game.decision.kind


def act(game: Game, *texts: str) -> Game:
    for text in texts:
        game.act(text)
    return game


def at_war(game: Game, seats: int = 2) -> Game:
    """Seat 0 chooses War, everyone else Peace."""
    return act(game, "war", *["peace"] * (seats - 1))


# -------------------------------------------------------------------- the map


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_the_distance_from_a_homeland_is_the_value_and_rotations_keep_the_map(n: int) -> None:
    board = board_of(n)
    assert len(board.regions) == 19 * n + 1
    for s in range(n):
        near = board.distances(board.homeland(s))
        assert all(near[r] == board.value[r] for r in board.regions if board.continent(r) == s)
        turned = {r: board.seen_by(r, s) for r in board.regions}
        assert sorted(turned.values()) == board.regions
        assert turned[board.homeland(s)] == 0
        for r in board.regions:
            assert sorted(turned[b] for b in board.adjacent[r]) == board.adjacent[turned[r]]


def test_with_two_players_the_twelves_touch_once_and_the_centre_touches_both() -> None:
    board = board_of(2)
    assert board.adjacent[36] == [32, 33, 37, 38]
    assert board.adjacent[38] == [36, 37]
    assert board.adjacent[14] == [11, 13, 15, 32, 33]


# -------------------------------------------------------------------- crossings and tolls


HOSTILE_4: dict[str, Any] = {"clans": {1: [1, 0], 4: [0, 1]}, "phase": "expansion"}


def test_a_crossing_must_be_payable_to_its_end() -> None:
    two = start(coins=[2, 0], **HOSTILE_4)
    assert "edge:1-4" not in legal(two)
    three = start(coins=[3, 0], **HOSTILE_4)
    assert "edge:1-4" in legal(three)


def test_a_crossing_pays_the_occupant_and_may_not_end_the_turn_on_the_way() -> None:
    game = act(start(coins=[3, 0], **HOSTILE_4), "edge:1-4")
    assert asked(game) == (0, "transit")
    assert legal(game) == ["edge:4-1", "edge:4-5", "edge:4-7"]
    assert game.states() == {"coins": [1, 1], "supply": [29, 29], "clans": {"4": [1, 1]}, "cities": {}}
    act(game, "edge:4-7")
    assert game.states()["clans"] == {"4": [0, 1], "7": [1, 0]}


def test_the_origin_is_a_place_to_stop_though_its_last_clan_has_left_it() -> None:
    game = start(coins=[2, 0], phase="expansion", clans={16: [1, 0], 17: [0, 1], 18: [0, 1], 19: [0, 1]},
                 cities={16: [1]})  # fmt: skip
    assert legal(game, "edge") == []
    game = start(coins=[3, 0], phase="expansion", clans={16: [1, 0], 17: [0, 1], 18: [0, 1], 19: [0, 1]},
                 cities={16: [1]})  # fmt: skip
    act(game, "edge:16-17")
    # one coin is left: 17-16 leads back to the origin, 17-20 to a free region, 17-18 is hostile too
    assert legal(game) == ["edge:17-16", "edge:17-20"]


def test_crossing_a_region_gives_no_right_to_stop_there() -> None:
    game = start(coins=[7, 0], phase="expansion", clans={1: [1, 0], 4: [0, 1], 7: [0, 1]})
    act(game, "edge:1-4", "edge:4-7")
    assert asked(game) == (0, "transit")
    assert game.states()["coins"] == [3, 2]
    assert "edge:7-4" in legal(game)  # a third toll, and one coin left to get off 4 again
    act(game, "edge:7-4")
    assert asked(game) == (0, "transit") and game.states()["coins"] == [1, 3]


def test_homelands_are_crossed_without_toll() -> None:
    game = start(coins=[1, 0], phase="expansion", clans={17: [1, 0], 16: [0, 1]})
    assert "edge:17-16" not in legal(game)
    game = act(start(coins=[2, 0], phase="expansion", clans={17: [1, 0], 16: [0, 1]}), "edge:17-16")
    assert asked(game) == (0, "transit") and game.states()["coins"] == [1, 0]


def test_an_empty_foreign_homeland_and_the_own_homeland_with_guests_are_places_to_stop() -> None:
    game = start(coins=[1, 0], phase="expansion", clans={17: [1, 0], 1: [1, 0], 0: [0, 3]})
    act(game, "edge:17-16")
    assert game.states()["clans"]["16"] == [1, 0]
    game = start(coins=[1, 0], phase="expansion", clans={1: [1, 0], 0: [0, 3]})
    act(game, "edge:1-0")
    assert game.states()["clans"]["0"] == [1, 3]


def test_free_moves_are_spent_before_coins_and_tolls_are_paid_in_coins() -> None:
    fields: dict[str, Any] = {"age": 1, "hands": [[15], []], **HOSTILE_4}
    poor = act(start(coins=[0, 0], **fields), "card:15")  # four free moves
    assert "edge:1-4" not in legal(poor) and "edge:1-0" in legal(poor)
    game = act(start(coins=[1, 0], **fields), "card:15", "edge:1-4")
    assert game.states()["coins"] == [0, 1]
    act(game, "edge:4-7", "edge:7-10", "edge:10-13")
    assert game.states()["clans"]["13"] == [1, 0]


def test_in_age_three_a_group_pays_one_move_and_one_toll() -> None:
    game = start(age=3, coins=[3, 0], phase="expansion", clans={1: [5, 0], 4: [0, 2]})
    act(game, "edge:1-4")
    assert asked(game) == (0, "group") and len(legal(game)) == 5
    assert game.states()["clans"]["1"] == [5, 0]  # the step is not made before
    act(game, "amount:4")
    now = {"coins": [1, 1], "supply": [25, 28], "clans": {"1": [1, 0], "4": [4, 2]}, "cities": {}}
    assert game.states() == now
    act(game, "edge:4-1")
    assert game.states()["clans"]["1"] == [5, 0]


def test_no_toll_makes_crossings_cost_only_their_steps() -> None:
    game = start(age=2, coins=[0, 0], phase="expansion", hands=[[57], []], clans={1: [1, 0], 4: [0, 1]})
    act(game, "card:57", "edge:1-4")
    assert asked(game) == (0, "transit")


def test_free_moves_from_growth_last_to_the_end_of_the_expansion_turn_only() -> None:
    game = start(hands=[[15], []], clans={0: [1, 0]}, coins=[0, 9])
    act(game, "card:15")  # then Growth ends by itself: nothing else is possible
    while asked(game)[0] == 1:
        act(game, "end")
    assert asked(game) == (0, "expansion")
    assert legal(game, "edge") == ["edge:0-1", "edge:0-2", "edge:0-3"]
    act(game, "end")
    assert game.state.purses[0].free == 0


# -------------------------------------------------------------------- recruiting


def test_recruiting_in_cities_is_possible_from_age_two_on() -> None:
    fields: dict[str, Any] = {"coins": [2, 0], "clans": {5: [1, 0]}, "cities": {5: [0], 16: [0]}}
    assert legal(start(age=1, **fields), "region") == ["region:0"]
    assert legal(start(age=2, **fields), "region") == ["region:0", "region:16", "region:5"]


def test_a_recruit_price_holds_for_its_number_of_recruits() -> None:
    game = start(coins=[8, 0], hands=[[6], []])
    act(game, "card:6", *["region:0"] * 6)
    assert game.states()["coins"][0] == 2
    act(game, "region:0")
    assert game.states()["coins"][0] == 0


def test_nothing_is_recruited_without_a_clan_in_supply() -> None:
    game = start(coins=[8, 0], clans={0: [30, 0]}, phase="expansion")
    assert legal(game, "region") == []


def test_recruiting_in_an_assault_turn_is_an_option() -> None:
    fields: dict[str, Any] = {"phase": "attack", "coins": [2, 0], "clans": {1: [1, 0], 4: [0, 1]}}
    game = at_war(start(options={"attack_recruiting": True}, **fields))
    assert legal(game) == ["end", "region:0"]
    game = at_war(start(**fields))  # no assault is legal, only `end` is left: nothing is asked
    assert asked(game) == (1, "stance")  # a new round, and who chose War in vain is spent


# -------------------------------------------------------------------- assaults


def fight(a: int, d: int, hands: list[list[int]] | None = None, age: int = 3, **fields: Any) -> Game:
    """Seat 0 with a clans in region 1 against seat 1 with d clans in region 4; seat 0 is at war."""
    clans = {1: [a, 0], 4: [0, d]}
    made: dict[str, Any] = {"age": age, "phase": "attack", "hands": hands or [[], []], "clans": clans}
    made.update(fields)
    return at_war(start(**made))


def test_an_assault_needs_more_clans_than_the_defender_and_no_homeland() -> None:
    game = fight(2, 2, hands=[[61], []])
    assert legal(game) == ["discard:61", "end"]
    game = fight(2, 1, hands=[[61], []], clans={1: [2, 0], 4: [0, 1], 0: [0, 1]})
    assert legal(game) == ["discard:61", "edge:1-4"]  # an assault is legal: no end


def test_equal_losses_are_chosen_and_the_winner_may_move_in() -> None:
    game = fight(4, 3, hands=[[61], []])
    act(game, "edge:1-4")
    assert asked(game) == (0, "losses") and legal(game) == ["amount:1", "amount:2", "amount:3"]
    act(game, "amount:3")
    assert asked(game) == (0, "occupy") and legal(game) == ["amount:0", "amount:1"]
    act(game, "amount:1")
    assert game.state.conquests == [1, 0]


def test_an_empty_city_must_be_besieged_and_needs_a_city_in_supply() -> None:
    game = fight(2, 0, hands=[[61], []], clans={1: [2, 0]}, cities={4: [1]})
    act(game, "edge:1-4")
    assert asked(game) == (0, "occupy") and legal(game) == ["amount:0", "amount:1"]
    assert game.states()["cities"] == {"4": [0]}
    twenty = {r: [0] for r in (0, *range(5, 16), *range(25, 33))}
    assert len(twenty) == 20
    none_left = fight(2, 0, hands=[[61], []], clans={1: [2, 0]}, cities={4: [1], **twenty})
    assert legal(none_left) == ["discard:61", "end"]


def test_the_last_clan_of_the_attacker_may_be_spent_in_a_siege_which_still_conquers_and_raids() -> None:
    game = fight(1, 0, hands=[[20], []], age=1, clans={1: [1, 0]}, cities={4: [1]}, coins=[0, 5])
    act(game, "card:20")  # now nothing but the assault is legal: it is not asked
    assert game.states() == {"coins": [5, 0], "supply": [30, 30], "clans": {}, "cities": {"4": [0]}}
    assert game.state.conquests == [1, 0]


def test_a_siege_after_losses_is_optional_and_storm_makes_it_free() -> None:
    fields: dict[str, Any] = {"cities": {4: [1]}, "age": 2}
    game = act(fight(3, 1, hands=[[31], []], **fields), "edge:1-4")
    assert asked(game) == (0, "siege")
    act(game, "amount:0")
    assert game.states()["cities"] == {"4": [1]} and game.state.conquests == [0, 0]
    game = act(fight(3, 1, hands=[[49], []], **fields), "card:49", "amount:1")
    assert game.states()["clans"]["1"] == [3, 0] and game.states()["cities"] == {"4": [0]}


def test_fortify_forbids_even_a_compulsory_siege_and_the_assault_counts_as_launched() -> None:
    game = fight(2, 0, hands=[[], [77]], clans={1: [8, 0]}, cities={4: [1]})
    act(game, "card:77")
    assert game.states()["clans"]["1"] == [3, 0]  # ward 5
    assert game.states()["cities"] == {"4": [1]}
    assert asked(game) == (0, "stance")  # another round


def test_parry_ends_the_assault_without_losses_and_still_counts_as_launched() -> None:
    game = fight(3, 1, hands=[[80], [88]])
    act(game, "card:80")
    assert asked(game) == (1, "defence") and legal(game) == ["card:88", "end"]
    act(game, "card:88")
    assert game.states()["clans"] == {"1": [3, 0], "4": [0, 1]}
    assert game.state.inventions == [[], [88]] and game.state.hands == [[], []]
    assert asked(game) == (0, "stance")


def test_retreat_empties_the_region_and_the_resolution_goes_on() -> None:
    game = fight(8, 3, hands=[[49], [48]], age=2, clans={1: [8, 0], 4: [0, 3]}, cities={4: [1]})
    act(game, "edge:1-4", "card:48")
    assert game.states()["clans"] == {"1": [8, 0], "16": [0, 3]}
    assert asked(game) == (0, "reinforce")
    act(game, "end")
    assert game.states()["clans"]["1"] == [5, 0]  # the card's ward 3 still costs
    assert asked(game) == (0, "siege") and len(legal(game)) == 2  # T held clans: optional


def test_a_reinforcement_reopens_the_defence_and_feints_are_too_late() -> None:
    game = fight(5, 1, hands=[[80, 98], [81, 77]])
    act(game, "edge:1-4")
    assert asked(game) == (1, "defence")
    act(game, "end")
    assert asked(game) == (0, "reinforce") and legal(game) == ["card:98", "end"]
    act(game, "card:98")
    assert asked(game) == (1, "defence") and legal(game) == ["card:77", "card:81", "end"]
    act(game, "card:81")
    assert asked(game) == (1, "defence")
    act(game, "end")
    # 4 - 4: no extra losses; one each, then the way is free
    assert asked(game) == (0, "occupy") and legal(game)[-1] == "amount:4"


def test_an_offence_card_may_make_an_assault_legal_by_its_feint_only() -> None:
    game = fight(1, 3, hands=[[98, 80], []])
    assert legal(game) == ["card:80", "discard:80", "discard:98", "end"]
    act(game, "card:80")
    assert legal(game) == ["card:98", "discard:98", "edge:1-4"]
    act(game, "edge:1-4", "end")
    # strike 3 kills all three
    assert asked(game) == (0, "occupy")


def test_after_a_feint_the_losses_are_at_most_the_clans_of_either_side() -> None:
    game = fight(2, 6, hands=[[80, 98], []], clans={1: [4, 0], 4: [0, 6]})
    act(game, "card:80", "edge:1-4", "end")
    assert asked(game) == (0, "losses") and legal(game) == ["amount:1", "amount:2", "amount:3"]


def test_too_much_defence_costs_the_attacker_clans_and_may_end_the_assault() -> None:
    game = fight(3, 1, hands=[[], [81]])
    act(game, "card:81")
    assert game.states()["clans"] == {"4": [0, 1]}


def test_a_four_icon_card_in_an_assault_turn_opens_no_copy_window() -> None:
    game = fight(2, 2, hands=[[83], [62]])
    act(game, "card:83")  # three clans to the one region occupied, and then the one assault
    assert asked(game) == (0, "losses") and game.states()["clans"]["1"] == [5, 0]
    assert game.state.hands == [[], [62]]


def test_when_all_are_spent_all_choose_peace_and_the_attack_ends() -> None:
    game = start(age=3, phase="attack", hands=[[61], [62]])
    act(game, "war", "war")
    assert asked(game) == (0, "assault")
    act(game, "end", "end")
    assert game.state.phase == "end"


def three_at_attack(**fields: Any) -> Game:
    """Seat 1 may assault seat 2 from region 1; seats 0 and 2 have no legal assault."""
    clans = {1: [0, 5, 0], 2: [0, 0, 1], 4: [0, 0, 1]}
    return start(**{"players": 3, "age": 3, "phase": "attack", "clans": clans, **fields})


def test_who_chose_war_and_launched_none_must_choose_peace_until_somebody_has_launched_an_assault() -> None:
    game = act(three_at_attack(), "war", "peace", "peace")
    assert asked(game) == (1, "stance")  # seat 0 is spent and not asked
    act(game, "war", "peace", "edge:1-4", "amount:0")
    assert asked(game) == (0, "stance")


def test_who_launched_none_in_the_very_round_of_an_assault_is_spent() -> None:
    game = act(three_at_attack(), "war", "war", "peace", "edge:1-4", "amount:0")
    assert asked(game) == (1, "stance")
    act(game, "peace")
    assert asked(game) == (2, "stance")
    act(game, "peace")  # seat 0 had to choose Peace, too
    assert game.over


def test_rounds_without_assault_add_up_the_spent_until_all_choose_peace() -> None:
    game = act(start(players=3, age=3, phase="attack", hands=[[], [], [61]]), "war", "peace", "peace")
    assert asked(game) == (1, "stance")
    act(game, "war", "peace")
    assert asked(game) == (2, "stance")
    act(game, "war")
    assert asked(game) == (2, "assault")
    act(game, "end")
    assert game.state.phase == "end"


def test_peace_alone_ends_the_attack_though_nobody_has_launched_an_assault() -> None:
    game = act(start(players=3, age=3, phase="attack"), "war", "war", "peace")
    assert asked(game) == (2, "stance")  # it may still choose War
    act(game, "peace")
    assert game.over


def test_a_parried_assault_counts_as_launched_for_who_is_spent() -> None:
    game = three_at_attack(hands=[[], [], [88]])
    act(game, "war", "peace", "peace", "war", "peace", "edge:1-4", "card:88")
    assert asked(game) == (0, "stance")
    act(game, "peace")
    assert asked(game) == (1, "stance")  # nor is who launched it spent


def test_nobody_is_spent_when_an_attack_phase_begins() -> None:
    game = act(start(age=2, phase="attack"), "war", "peace")
    assert asked(game) == (1, "stance")  # seat 0 is spent
    act(game, "peace")
    while asked(game)[1] != "stance":
        act(game, "end" if "end" in legal(game) else legal(game)[0])
    assert game.state.age == 3
    choosing = [asked(game)[0], asked(act(game, "war"))[0]]
    assert sorted(choosing) == [0, 1] and asked(game)[1] == "stance"


def test_rout_doubles_the_losses_of_the_defender_alone(tmp_path: Path) -> None:
    rout = {"icons": ["attack"], "timing": "offence", "cost": 0, "invention": 0, "effects": [{"do": "rout"}]}
    folder = other_data(tmp_path, card={80: rout})
    game = fight(4, 3, hands=[[80], []], folder=folder)
    act(game, "card:80")  # now only the assault is legal
    assert asked(game) == (0, "losses") and legal(game) == ["amount:1", "amount:2", "amount:3"]
    act(game, "amount:1")  # both lose: the attacker one, the defender two of its three
    assert game.states()["supply"] == [27, 29] and asked(game)[1] == "stance"
    assert game.states()["clans"] == {"1": [3, 0], "4": [0, 1]}
    game = fight(4, 3, hands=[[80], []], folder=folder)
    act(game, "edge:1-4", "card:80", "amount:2")  # as a reinforcement; min(4, 3)
    assert asked(game) == (0, "occupy") and legal(game) == ["amount:0", "amount:1", "amount:2"]
    assert game.states()["supply"] == [28, 30]


def test_rout_ends_with_its_assault(tmp_path: Path) -> None:
    rout = {"icons": ["attack"], "timing": "offence", "cost": 0, "invention": 0, "effects": [{"do": "rout"}]}
    game = fight(6, 3, hands=[[80], []], folder=other_data(tmp_path, card={80: rout}))
    act(game, "card:80", "amount:1", "war", "peace")  # one is left in 4
    assert asked(game) == (0, "occupy") and game.states()["clans"] == {"1": [4, 0]}


def test_a_pacifist_is_not_asked_and_lasting_offence_counts_in_every_assault() -> None:
    game = start(age=3, coins=[9, 9], hands=[[87, 64], []], clans={1: [5, 0], 4: [0, 1]})
    act(game, "card:87", "card:64", "end")
    while game.state.phase != "attack":
        act(game, "end")
    assert asked(game) == (1, "stance")
    game = start(age=3, coins=[9, 0], hands=[[64], []], clans={1: [5, 0], 2: [0, 2], 4: [0, 2]})
    act(game, "card:64", "end", "end", "war", "peace", "edge:1-4")
    assert asked(game) == (0, "occupy") and len(legal(game)) == 6  # two lost to the offence, none in return


# -------------------------------------------------------------------- copying


def test_a_copier_uses_free_moves_in_a_small_turn_of_its_own() -> None:
    clans = {0: [1, 0], 17: [0, 1], 20: [1, 0]}
    game = act(start(hands=[[15], [4]], clans=clans, coins=[0, 1]), "card:15")
    assert asked(game) == (1, "copy") and legal(game) == ["card:4", "end"]
    act(game, "card:4")
    assert asked(game) == (1, "free_moves")
    assert "edge:17-20" in legal(game)  # steps by free moves, the one coin for the toll
    act(game, "edge:17-20")
    assert asked(game) == (1, "transit") and game.states()["coins"] == [1, 0]
    act(game, "edge:20-23")
    assert asked(game) == (1, "free_moves")
    act(game, "end")
    assert game.state.purses[1].free == 0 and game.state.purses[0].free == 4
    assert game.state.inventions == [[15], [15]]


def test_a_crossing_in_the_small_turn_needs_free_moves_for_every_step() -> None:
    game = start(age=2, hands=[[42], [32]], clans={17: [0, 1], 20: [1, 0], 19: [0, 1]}, coins=[0, 9])
    act(game, "card:42", "card:32", "edge:19-22")  # two free moves; one is used
    assert asked(game) == (1, "free_moves") and "edge:17-20" not in legal(game)


def test_copied_lasting_effects_hold_to_the_end_of_the_age() -> None:
    game = start(phase="expansion", hands=[[13], [4]], coins=[2, 9], clans={0: [3, 0], 16: [0, 3]})
    act(game, "card:13", "card:4")
    while asked(game)[0] == 0:
        act(game, "end")
    act(game, "edge:16-17")
    assert asked(game) == (1, "group")
    assert [x.until for x in game.state.lasting[1]] == ["age"]
    assert game.state.lasting[0] == []


def test_holders_answer_in_turn_order_after_the_player_and_once_a_card() -> None:
    game = start(players=3, turn_order=[2, 0, 1], hands=[[3], [4], [27]], coins=[0, 0, 0])
    while asked(game) != (0, "growth"):
        act(game, "end")
    act(game, "card:3")
    assert asked(game) == (1, "copy")
    act(game, "card:4")
    assert asked(game) == (2, "copy")
    game = start(hands=[[3, 1], [4, 27]])
    act(game, "card:3", "card:4")
    assert asked(game) == (0, "growth")
    act(game, "card:1")
    assert asked(game) == (1, "copy") and legal(game) == ["card:27", "end"]


def test_a_copier_chooses_its_own_host_and_the_host_gains() -> None:
    game = start(players=3, age=3, hands=[[70], [62], []])
    act(game, "card:70", "region:32", "card:62", "region:0")
    assert game.states()["clans"] == {"0": [0, 3, 0], "32": [3, 0, 0]}
    assert game.states()["coins"] == [3, 0, 3]


def test_a_growth_and_attack_card_may_be_copied_and_makes_the_copier_a_pacifist() -> None:
    game = start(age=3, hands=[[87], [62]], clans={1: [3, 0], 4: [0, 1]})
    act(game, "card:87", "card:62")
    assert game.state.inventions == [[87], [87]]
    assert game.over  # two pacifists: no Attack, nothing left to decide


def test_a_copied_invention_is_marked_with_a_clan_of_the_copier() -> None:
    game = act(start(hands=[[1], [4]]), "card:1", "card:4")  # two clans to the homeland
    assert game.state.marked == [[], [1]]
    assert game.states()["supply"] == [28, 27]
    assert [count(game.state, s, "clans") for s in (0, 1)] == [2, 2]  # a marker is not on the map


def test_a_copied_card_that_is_no_invention_is_not_marked() -> None:
    game = act(start(hands=[[3, 27], [4]]), "card:3", "card:4")
    assert game.state.marked == [[], []] and game.states()["supply"] == [28, 28]


def test_the_marker_is_taken_before_the_copied_effects_are_executed() -> None:
    game = act(start(hands=[[1, 3], [4]], clans={1: [0, 28]}), "card:1", "card:4")
    assert game.states()["supply"] == [28, 0] and game.states()["clans"]["16"] == [0, 1]


def test_without_a_clan_in_supply_no_clan_is_taken_now_or_later() -> None:
    fields: dict[str, Any] = {
        "age": 2,
        "clans": {1: [0, 30], 2: [9, 0]},
        "hands": [[34], [32]],
        "coins": [9, 9],
    }
    game = act(start(**fields), "card:34", "card:32")
    assert game.state.inventions == [[34], [34]] and game.state.marked == [[], []]
    while asked(game)[1] != "stance":
        act(game, "end")
    act(game, "peace", "war", "amount:1")  # of the only assault
    assert game.states()["supply"] == [22, 1] and game.state.marked == [[], []]


def test_markers_stay_to_the_end_and_leave_that_many_fewer_to_recruit() -> None:
    fields: dict[str, Any] = {"age": 2, "inventions": [[1, 5], []], "copied": [[1, 5], []]}
    game = start(clans={1: [27, 0]}, coins=[9, 0], **fields)
    assert game.states()["supply"] == [1, 30]
    act(game, "region:0")
    assert game.states()["supply"] == [0, 30]
    while not game.over:
        act(game, legal(game)[0])
    supply, clans = game.states()["supply"][0], count(game.state, 0, "clans")
    assert supply + clans == 28


# -------------------------------------------------------------------- hosts


PLACE_TWO = {"do": "clans", "n": 2, "at": "free_outer"}
HOST_COINS = {"do": "host_coins", "n": 3}


def test_every_player_on_whose_continent_a_piece_was_put_is_a_host_once(tmp_path: Path) -> None:
    folder = other_data(tmp_path, card={3: growth_card(PLACE_TWO, HOST_COINS)})
    both = act(start(players=3, hands=[[3], [], []], folder=folder), "card:3", "region:20", "region:40")
    assert both.states()["coins"] == [0, 3, 3]
    once = act(start(players=3, hands=[[3], [], []], folder=folder), "card:3", "region:20", "region:31")
    assert once.states()["coins"] == [0, 3, 0]
    own = act(start(players=3, hands=[[3], [], []], folder=folder), "card:3", "region:1", "region:15")
    assert own.states()["coins"] == [0, 0, 0]


def test_hosts_gain_clans_from_their_supply_in_their_own_homeland(tmp_path: Path) -> None:
    folder = other_data(tmp_path, card={3: growth_card(PLACE_TWO, {"do": "host_clans", "n": 3})})
    game = start(players=3, hands=[[3], [], []], clans={1: [0, 28, 0]}, folder=folder)
    act(game, "card:3", "region:20", "region:40")
    assert game.states()["clans"] == {
        "1": [0, 28, 0],
        "16": [0, 2, 0],
        "32": [0, 0, 3],
        "20": [1, 0, 0],
        "40": [1, 0, 0],
    }


@pytest.mark.parametrize(
    ("origin", "goal", "coins"), [(17, 18, [0, 3]), (1, 17, [0, 3]), (17, 1, [0, 0]), (17, 38, [0, 0])]
)
def test_a_relay_makes_hosts_by_where_it_ends_wherever_it_came_from(
    tmp_path: Path, origin: int, goal: int, coins: list[int]
) -> None:
    folder = other_data(tmp_path, card={3: growth_card({"do": "relay", "n": 2}, HOST_COINS)})
    game = start(hands=[[3], []], clans={r: [1, 0] for r in (1, 17, 18, 38)}, folder=folder)
    act(game, "card:3", f"region:{origin}", f"region:{goal}")
    assert game.states()["coins"] == coins


def test_a_leap_and_a_city_make_hosts_too_and_only_those_before_count(tmp_path: Path) -> None:
    leap, city = {"do": "leap", "n": 1, "d": 2}, {"do": "city", "n": 1, "at": "foreign_homeland"}
    folder = other_data(
        tmp_path, card={3: growth_card(leap, HOST_COINS), 9: growth_card(city, HOST_COINS, PLACE_TWO)}
    )
    game = start(players=3, hands=[[3, 9], [], []], clans={17: [1, 0, 0]}, folder=folder)
    act(game, "card:3", "region:17", "region:20")
    assert game.states()["coins"] == [0, 3, 0]
    act(
        game, "card:9", "region:32", "region:23", "region:24"
    )  # what comes after the coins makes nobody a host
    assert game.states()["coins"] == [0, 3, 3]


def test_the_pieces_of_a_copier_may_make_the_first_player_its_host(tmp_path: Path) -> None:
    folder = other_data(tmp_path, card={3: growth_card(PLACE_TWO, HOST_COINS)})
    game = start(players=3, hands=[[3], [4], []], folder=folder)
    act(game, "card:3", "region:20", "region:21", "card:4", "region:1", "region:40")
    assert game.states()["coins"] == [3, 3, 3]


# -------------------------------------------------------------------- placements


def test_frontier_placements_count_for_the_next_and_take_free_regions_only() -> None:
    game = start(age=2, coins=[1, 0], hands=[[46], []], clans={1: [1, 0], 2: [0, 1]})
    act(game, "card:46")
    assert legal(game) == ["region:0", "region:4"]
    act(game, "region:4")
    assert legal(game) == ["region:0", "region:5", "region:7"]


def test_own_places_are_the_own_homeland_and_own_regions_without_others() -> None:
    game = start(coins=[5, 0], hands=[[16], []], clans={0: [0, 1], 1: [0, 1], 2: [1, 0]})
    act(game, "card:16")
    assert legal(game) == sorted(f"region:{r}" for r in range(16) if r != 1)


def test_a_city_is_not_founded_where_one_has_one_or_another_player_is() -> None:
    game = start(coins=[1, 0], hands=[[18], []], clans={1: [0, 1]}, cities={5: [0]})
    act(game, "card:18")
    assert legal(game) == sorted(f"region:{r}" for r in range(16) if r not in (1, 5))


def test_nothing_is_placed_and_no_host_gains_without_a_piece() -> None:
    game = start(players=3, age=3, hands=[[70], [], []], clans={0: [30, 0, 0]})
    act(game, "card:70")
    assert game.states()["coins"] == [0, 0, 0]


def test_cities_are_built_best_value_first_and_ties_in_the_own_rotated_numbering() -> None:
    cities = {r: [1] for r in (*range(1, 16), 17, 18)}  # seat 1 has 17 of its 20 cities
    stacks = {r: [0, 2] for r in (0, 16, 19, 20, 33, 34)}
    game = start(phase="end", clans=stacks, cities=cities, hands=[[1], [2]])
    # values: 33 and 34 are sevens, 20 is a 2, 19 a 1, homelands 0
    built = {int(r) for r, seats in game.states()["cities"].items() if seats == [1]} - set(cities)
    assert built == {20, 33, 34}
    cities = {r: [1] for r in (*range(1, 16), 17, 18, 19, 20)}
    game = start(phase="end", clans={32: [0, 2], 34: [0, 2]}, cities=cities, hands=[[1], [2]])
    assert "34" in game.states()["cities"]  # for seat 1, seven 34 is the first
    assert "32" not in game.states()["cities"]


def test_no_city_is_built_where_anybody_has_one_already() -> None:
    game = start(phase="end", clans={0: [2, 3], 16: [2, 2]}, cities={0: [1], 16: [0]}, hands=[[1], [2]])
    assert game.states()["cities"] == {"0": [1], "16": [0]}


def test_all_build_at_the_same_moment_and_may_meet_in_a_homeland() -> None:
    game = start(players=3, phase="end", clans={0: [2, 3, 1], 4: [0, 0, 2]}, hands=[[1], [2], [3]])
    assert game.states()["cities"] == {"0": [0, 1], "4": [2]}


def test_who_has_no_city_left_keeps_nobody_from_building() -> None:
    cities = {r: [0] for r in (*range(1, 16), *range(17, 22))}
    game = start(phase="end", clans={0: [2, 2], 16: [2, 0]}, cities=cities, hands=[[1], [2]])
    assert game.states()["cities"]["0"] == [1] and "16" not in game.states()["cities"]


def test_a_leap_lands_only_where_the_clans_may_stop_and_pays_nothing() -> None:
    game = start(phase="expansion", hands=[[14], []], clans={0: [3, 0], 1: [0, 1], 2: [0, 1], 3: [0, 1]})
    act(game, "card:14", "region:0")
    assert asked(game) == (0, "leap_to")
    assert legal(game) == sorted(f"region:{r}" for r in range(4, 13))
    act(game, "region:12")
    assert legal(game) == ["amount:1", "amount:2"]


def test_a_relay_goes_between_two_occupied_regions_or_is_declined() -> None:
    game = start(hands=[[93], []], clans={0: [3, 0], 38: [1, 0]}, cities={20: [0]})
    act(game, "card:93")
    assert legal(game) == ["end", "region:0", "region:38"]
    act(game, "region:38")
    assert legal(game) == ["region:0", "region:20"]
    act(game, "region:20")
    assert game.states()["clans"] == {"0": [3, 0], "20": [1, 0]}
    alone = start(hands=[[93, 3], []], clans={0: [3, 0]})
    act(alone, "card:93")
    assert asked(alone) == (0, "growth")


# -------------------------------------------------------------------- counters


def brute_force_pairs(cities: list[int], n: int) -> int:
    board = board_of(n)
    edges = [(a, b) for a, b in itertools.combinations(cities, 2) if b in board.adjacent[a]]
    for size in range(len(cities) // 2, 0, -1):
        for chosen in itertools.combinations(edges, size):
            if len({r for pair in chosen for r in pair}) == 2 * size:
                return size
    return 0


def test_city_pairs_are_a_true_maximum_also_round_odd_rings() -> None:
    board = board_of(2)
    # the triangle 32, 33, 36 with the tails 13 (at 32), 15 (at 33) and 38 (at 36)
    assert city_pairs(board, [32, 33, 36]) == 1
    assert city_pairs(board, [13, 32, 33, 15, 36, 38]) == 3
    assert city_pairs(board, list(range(20))) == 10
    rng = random.Random(3)
    for n in (2, 3):
        for _ in range(60):
            cities = rng.sample(range(19 * n + 1), 9) if n == 2 else rng.sample(range(28, 58), 9)
            assert city_pairs(board_of(n), cities) == brute_force_pairs(sorted(cities), n)


def test_the_most_counters_need_strictly_more_than_every_opponent() -> None:
    config = resolve_config({"players": 3})
    made = position(config, clans={1: [2, 0, 0], 2: [0, 1, 0], 3: [0, 1, 0]}, cities={5: [2], 17: [2]})
    state = state_of_position(config, made, DATA)
    assert [count(state, s, "most_clans") for s in range(3)] == [0, 0, 0]
    assert [count(state, s, "most_cities") for s in range(3)] == [0, 0, 1]
    assert [count(state, s, "most_regions") for s in range(3)] == [0, 0, 0]


def test_regions_abroad_include_homelands_and_exclude_the_island() -> None:
    config = resolve_config({"players": 3})
    made = position(config, clans={16: [1, 0, 0], 17: [1, 0, 0], 33: [1, 0, 0], 50: [1, 0, 0], 0: [1, 0, 0]})
    state = state_of_position(config, made, DATA)
    found = {per: count(state, 0, per) for per in ("regions_foreign", "continents", "foreign_homelands",
             "regions_island", "regions_own", "regions_value_7", "singles", "stacks_1")}  # fmt: skip
    assert list(found.values()) == [3, 2, 1, 1, 1, 1, 5, 5]


def test_an_invention_counts_itself_and_scores_in_its_own_and_every_later_age() -> None:
    game = start(age=2, hands=[[34], [32]], progress=[[0], [0]])
    act(game, "card:34", "card:32")
    while game.state.age == 2:
        act(game, legal(game)[-1])
    assert [p[1] for p in game.state.progress] == [2, 2]


# -------------------------------------------------------------------- ages and turn order


def test_the_least_progress_chooses_first_and_ties_keep_the_turn_order() -> None:
    game = start(players=3, turn_order=[2, 0, 1], phase="end", inventions=[[1], [], []])
    assert asked(game) == (2, "position")
    act(game, "position:2")
    assert asked(game) == (1, "position") and legal(game) == ["position:0", "position:1"]
    act(game, "position:0")
    assert game.state.order == [1, 0, 2]
    assert asked(game) == (1, "draft") and game.states()["coins"] == [15, 15, 15]


@pytest.mark.parametrize("age", [1, 2, 3])
def test_packs_go_left_then_right_then_left(age: int) -> None:
    if age == 1:
        deal = random_deal(resolve_config({"players": 3}), random.Random(5))
        game = Game({"players": 3}, deal=deal)
        while asked(game)[1] == "objective":
            act(game, legal(game)[0])
        packs = deal["packs"][0]
    else:
        game = start(players=3, age=age - 1, phase="end")
        while asked(game)[1] == "position":
            act(game, legal(game)[0])
        packs = game.state.packs[age]
    first = [legal(game)[0]]
    for _ in range(2):
        act(game, legal(game)[0])
        first.append(legal(game)[0])
    act(game, first[-1])
    seat = asked(game)[0]
    source = (seat + 1) % 3 if age == 2 else (seat - 1) % 3
    assert set(legal(game)) < {f"card:{c}" for c in packs[source]} and len(legal(game)) == 5


def test_ending_the_last_turn_of_an_age_sells_what_is_left() -> None:
    game = start(age=3, phase="end", hands=[[61, 62, 63], [64]], coins=[1, 2])
    act(game, "end", "end")
    assert game.over and game.states()["coins"] == [13, 6]


def test_a_seat_with_nothing_to_do_is_not_asked() -> None:
    game = start(age=3, phase="expansion", clans={0: [2, 2]})
    assert asked(game) == (0, "stance")  # no coins, no cards: straight to the Attack


# -------------------------------------------------------------------- scores


def test_the_score_adds_progress_radiance_conquest_and_objective() -> None:
    game = start(age=3, phase="end", clans={16: [1, 0], 31: [1, 0], 38: [0, 1]}, objectives=[9, None],
                 options={"lots": [["blue", "violet"]] * 3}, progress=[[1, 2], [0, 0]])  # fmt: skip
    result = game.result()
    assert result["radiance"] == [4, 0] and result["conquest"] == [5, 15]
    assert result["objective"] == [4, 0]  # two regions abroad, one continent
    assert result["score"] == [1 + 2 + 4 + 5 + 4, 15] and result["winners"] == [0]


def test_ties_go_to_more_objective_points_then_more_progress_then_are_shared() -> None:
    config = resolve_config({"players": 3})
    state = state_of_position(config, position(config, age=3, progress=[[3, 0], [5, 0], [5, 0]]), DATA)
    assert winners(state, [9, 9, 9], [2, 1, 1]) == [0]
    assert winners(state, [9, 9, 9], [1, 1, 1]) == [1, 2]
    assert winners(state, [9, 9, 8], [1, 1, 7]) == [1]


def test_a_team_stands_where_its_last_member_stands() -> None:
    config = resolve_config({"players": 4, "teams": [[3, 0], [1], [2]]})
    state = state_of_position(config, position(config, age=2, progress=[[9], [0], [4], [5]]), DATA)
    assert winners(state, [30, 10, 12, 11], [9, 0, 0, 0]) == [2]
    assert winners(state, [30, 10, 12, 13], [0, 0, 0, 0]) == [0, 3]
    assert winners(state, [30, 10, 12, 12], [9, 0, 1, 0]) == [2]  # equal totals: more objective points
    assert winners(state, [30, 10, 12, 12], [9, 0, 1, 1]) == [0, 3]  # then more progress
    # of a team's equal totals the fewer objective points, then the less progress, are its last member's
    assert winners(state, [12, 10, 12, 12], [0, 0, 1, 5]) == [2]
    assert winners(state, [12, 10, 12, 12], [1, 0, 1, 1]) == [0, 3]


def test_teams_that_are_equal_in_everything_share() -> None:
    config = resolve_config({"players": 4, "teams": [[0, 3], [1], [2]]})
    state = state_of_position(config, position(config, age=2, progress=[[9], [0], [4], [4]]), DATA)
    assert winners(state, [30, 10, 12, 12], [9, 0, 2, 2]) == [0, 2, 3]


def test_an_objective_with_a_need_gives_nothing_when_it_is_not_met() -> None:
    for cities, points in ((8, 0), (9, 9)):
        game = start(age=3, phase="end", cities={r: [0] for r in range(cities)}, objectives=[3, None])
        assert game.result()["objective"] == [points, 0]


# -------------------------------------------------------------------- solo


@pytest.mark.parametrize("level", ["beginner", "expert", "heroic"])
def test_the_solo_mode_has_no_draft_no_coins_no_attack_and_the_tribes_alternate(level: str) -> None:
    config = resolve_config({"players": 1, "solo_level": level})
    assert config["objectives"] is False and config["lots"] == [["blue", "yellow"]] * 3
    assert [len(deck(config, age, DATA)) for age in (1, 2, 3)] == [10, 10, 8]
    deal = random_deal(config, random.Random(4))
    game = Game(config, deal=deal)
    rng = random.Random(1)
    orders: dict[int, list[int]] = {}
    kinds = set()
    while game.decision is not None:
        orders.setdefault(game.state.age, list(game.state.order))
        kinds.add(game.decision.kind)
        act(game, rng.choice(game.decision.legal))
    first = deal["turn_order"]
    assert orders == {1: first, 2: first[::-1], 3: first}
    assert not kinds & {"draft", "stance", "position", "objective"}
    result = game.result()
    assert result["winners"] == [] and result["solo_score"] == min(result["score"])
    assert result["objective"] == [0, 0] and result["objective_kept"] == [None, None]


# -------------------------------------------------------------------- configurations and positions


@pytest.mark.parametrize(
    "config",
    [
        {"players": 6},
        {"players": 3, "lots": [["blue", "red"]] * 3},
        {"players": 2, "lots": [["blue", "blue"]] * 3},
        {"players": 2, "teams": [[0, 1]]},
        {"players": 3, "teams": [[0, 1], [1, 2]]},
        {"players": 1, "promos": True},
        {"players": 2, "decks": [list(range(1, 13))] * 3},
        {"players": 1, "solo_level": "godlike"},
        {"players": 2, "lots": []},
        {"players": 2, "lots": ["blue", "red", "green"]},
        {"players": 2, "teams": [[0], [1], []]},
        {"players": 2, "extra_objectives": []},
        {"players": 2, "extra_objectives": [10]},
        {"players": 2, "extra_objectives": [11, 11]},
        {"players": 2, "extra_objectives": 11},
        {"players": 2, "objective_pool": "none"},
        {"players": 2, "objectives": False, "extra_objectives": True},
        {"players": 2, "objectives": False, "extra_objectives": [12]},
        {"players": 2, "objectives": False, "objective_pool": "all"},
        {"players": 1, "extra_objectives": [11]},
        {"players": 1, "objective_pool": "all"},
        {"players": 1, "attack_recruiting": True},
        {"players": 2, "extra_objective": True},
    ],
)
def test_a_configuration_that_breaks_a_constraint_is_refused(config: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=rf"({'|'.join(config)}) = .*: allowed "):
        resolve_config(config)


def test_null_is_the_default_and_what_is_given_stays_as_it_is() -> None:
    assert resolve_config(dict.fromkeys(resolve_config())) == resolve_config()
    config = resolve_config({"players": 3, "solo_level": "heroic", "extra_objectives": [12, 11]})
    assert config["extra_objectives"] == [12, 11] and resolve_config(config) == config
    solo = resolve_config({"players": 1})
    assert solo["objectives"] is False and resolve_config(solo) == solo


def test_the_objective_pool_follows_the_lots_or_the_decks() -> None:
    lots = [["blue", "red"], ["red", "blue"], ["green", "red"]]
    config = resolve_config({"players": 2, "lots": lots, "extra_objectives": True})
    assert objective_pool(config, DATA) == [1, 2, 5, 6, 7, 8, 11, 12]
    decks = [[*range(1, 12), 91], list(range(31, 43)), list(range(61, 73))]
    assert objective_pool(resolve_config({"players": 2, "decks": decks}), DATA) == [1, 2, 3, 4, 5, 6]


def test_no_objectives_are_dealt_where_none_are_in_play() -> None:
    config = resolve_config({"players": 2, "objectives": False})
    deal = random_deal(config, random.Random(1))
    assert check_deal(config, deal) == [] == check_deal(config, {**deal, "objectives": None})
    assert check_deal(config, {**deal, "objectives": []})
    assert check_deal(config, {**deal, "objectives": [[1, 2], [3, 4]]})


def test_the_pool_may_be_of_all_colours_and_hold_single_black_objectives() -> None:
    def pool(**fields: Any) -> list[int]:
        return objective_pool(resolve_config({"players": 2, **fields}), DATA)

    assert pool(objective_pool="all") == list(range(1, 11))
    assert pool(objective_pool="all", extra_objectives=True) == list(range(1, 13))
    assert pool(extra_objectives=[12]) == [1, 2, 3, 4, 12]
    assert pool(extra_objectives=[12, 11]) == [1, 2, 3, 4, 11, 12]
    decks = [list(range(30 * age + 1, 30 * age + 13)) for age in range(3)]
    assert pool(decks=decks, objective_pool="all") == list(range(1, 11))
    assert pool(objectives=False) == []


@pytest.mark.parametrize(
    "pairs", [[[1, 2], [3, 11]], [[1, 2], [3, 3]], [[1, 2, 3], [4]], [[1, 2]], [1, 2], None]
)
def test_a_deal_gives_two_different_objectives_of_the_pool_to_each(pairs: Any) -> None:
    config = resolve_config({"players": 2, "extra_objectives": [12]})
    deal = random_deal(config, random.Random(1))
    assert check_deal(config, deal) == [] == check_deal(config, {**deal, "objectives": [[4, 12], [2, 1]]})
    assert check_deal(config, {**deal, "objectives": pairs})


@pytest.mark.parametrize(
    "fields",
    [
        {"clans": {0: [31, 0]}},
        {"clans": {1: [1, 1]}},
        {"clans": {1: [1, 0]}, "cities": {1: [1]}},
        {"hands": [[1, 2, 3, 4, 5, 6], []]},
        {"hands": [[1], [1]]},
        {"hands": [[31], []]},
        {"inventions": [[3], []]},
        {"inventions": [[33], []]},
        {"cities": {r: [0] for r in range(21)}},
        {"objectives": [1, 1]},
        {"objectives": [9, None]},
        {"coins": [-1, 0]},
        {"turn_order": [0, 0]},
        {"progress": [[1], [1]]},
        {"packs": []},
        {"inventions": [[1, 5], []], "copied": [[9], []]},
        {"inventions": [[1, 5], []], "copied": [[], [1]]},
        {"inventions": [[1, 5], []], "copied": [[1, 1], []]},
        {"inventions": [[1, 5], []], "copied": [[1]]},
        {"inventions": [[1, 5], []], "copied": [[1, 5], []], "clans": {0: [29, 0]}},
        {"hands": [[1], []], "inventions": [[], [1]]},
        {"spent": [0]},
        {"copied": None},
        {"age": True},
        {"turn_order": [0, "1"]},
        {"hands": [[True], []]},
        {"hands": 3},
        {"inventions": [{}, []]},
        {"objectives": [[1], None]},
        {"clans": {"01": [1, 0]}},
        {"clans": {"home": [1, 0]}},
        {"cities": {3: 0}},
    ],
)
def test_a_position_that_breaks_a_rule_is_refused(fields: dict[str, Any]) -> None:
    config = resolve_config({"players": 2})
    made = position(config, **fields)
    assert check_position(config, made)
    with pytest.raises(ValueError):
        Game(config, position=made)


def test_a_position_needs_every_field_but_the_copied_inventions() -> None:
    config = resolve_config({"players": 2})
    made = position(config, inventions=[[1, 5], [1]], copied=[[5], [1]], clans={0: [29, 1]})
    assert check_position(config, made) == []
    for field in made:
        lacking = {key: value for key, value in made.items() if key != field}
        assert bool(check_position(config, lacking)) == (field != "copied")


def test_there_is_no_position_of_the_attack_phase_in_the_solo_mode() -> None:
    config = resolve_config({"players": 1})
    assert check_position(config, position(config, phase="end")) == []
    assert check_position(config, position(config, phase="attack"))


# -------------------------------------------------------------------- data of one's own


#: A card whose every part has a meaning; the tests change one of them.
SOUND = growth_card({"do": "clans", "n": 2, "at": "bases"}, {"do": "host_clans", "n": 1})


@pytest.mark.parametrize(
    "change",
    [
        {"icons": ["attack"]},
        {"icons": ["end", "growth"]},
        {"icons": ["growth", "attack"]},
        {"timing": "offence"},
        {"timing": "offence", "icons": ["attack"]},
        {"timing": "copy", "copies": ["growth"], "effects": [{"do": "copy"}], "invention": 1},
        {"timing": "copy", "copies": ["end"], "effects": [{"do": "copy"}], "invention": 0},
        {"copies": ["growth"]},
        {"effects": []},
        {"effects": [{"do": "fly"}]},
        {"effects": [{"do": "pacifist"}]},
        {"effects": [{"do": "moves", "n": 2}]},
        {"effects": [{"do": "score", "n": 2, "per": "flat"}]},
        {"effects": [{"do": "strike", "n": 2}]},
        {"effects": [{"do": "host_coins", "n": 2}]},
        {"effects": [{"do": "clans", "n": 2, "at": "own"}, {"do": "host_coins", "n": 2}]},
        {"effects": [{"do": "host_coins", "n": 2}, {"do": "clans", "n": 2, "at": "free_outer"}]},
        {"effects": [{"do": "coins", "n": 2, "per": "stacks_1"}]},
        {"effects": [{"do": "coins", "n": 2, "per": "regions_value_16"}]},
        {"effects": [{"do": "coins", "n": 2, "per": "flat", "div": 2}]},
        {"effects": [{"do": "coins", "n": 2}]},
        {"effects": [{"do": "take", "n": 2, "who": "all"}]},
        {"icons": ["end"], "effects": [{"do": "relay", "n": 2}, {"do": "coins", "n": 2, "per": "flat"}]},
        {"lot": "green"},
        {"lot": "promo"},
        {"age": 2},
        {"cost": 13},
        {"source": "guessed"},
        {"name": None},
    ],
)
def test_a_card_that_has_no_meaning_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"card 3: "):
        load_data(other_data(tmp_path, card={3: {**SOUND, **change}}))


def test_what_has_a_meaning_is_not_refused(tmp_path: Path) -> None:
    data = load_data(other_data(tmp_path, card={3: SOUND}))
    assert [effect["do"] for effect in data.cards[3].effects] == ["clans", "host_clans"]


@pytest.mark.parametrize(
    "change",
    [
        {"terms": []},
        {"terms": [{"n": 2, "per": "tribes"}]},
        {"terms": [{"n": 2, "per": "clans", "cap": 1}]},
        {"need": {"per": "cities"}},
        {"need": {"per": "cities", "min": 0}},
        {"lot": "promo"},
    ],
)
def test_an_objective_that_has_no_meaning_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"objective 7: "):
        load_data(other_data(tmp_path, objective={7: change}))


def test_lots_and_pools_that_cannot_be_dealt_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="lot green of Age 1: 7 cards"):
        load_data(other_data(tmp_path, card={1: {"lot": "green"}}))
    with pytest.raises(ValueError, match="objectives of blue: 1"):
        load_data(other_data(tmp_path, objective={1: {"lot": "red"}}))


# -------------------------------------------------------------------- actions and traces


def test_an_illegal_action_is_refused() -> None:
    with pytest.raises(IllegalAction):
        start(coins=[9, 9]).act("region:5")


# -------------------------------------------------------------------- random games


@pytest.mark.parametrize("from_position", [False, True])
@pytest.mark.parametrize("mode", list(MODES))
def test_random_games_in_every_mode_break_nothing(mode: str, from_position: bool) -> None:
    for seed in range(4):
        rng = random.Random(seed)
        config = config_of_mode(mode, rng, DATA)
        beginning = (random_position if from_position else random_deal)(config, rng, DATA)
        game = Game(config, position=beginning) if from_position else Game(config, deal=beginning)
        policy = by_seat([rng.choice(list(POLICIES)) for _ in range(seats_of(config))])
        cards = cards_at_start(beginning)
        while game.decision is not None:
            assert broken(game, cards) == []
            game.act(policy(game, rng))
        assert broken(game, cards) == []
        assert len(game.result()["score"]) == seats_of(config)


@pytest.mark.parametrize("from_position", [False, True])
@pytest.mark.parametrize("mode", list(MODES))
def test_what_is_recorded_is_verified_without_a_difference(mode: str, from_position: bool) -> None:
    for seed in range(3):
        trace = json.loads(json.dumps(record_random(mode, seed, from_position, "mixed", DATA)))
        assert verify_trace(trace) == []


def test_a_trace_that_was_tampered_with_is_found_out() -> None:
    config = resolve_config({"players": 3})
    deal = random_deal(config, random.Random(2))
    trace = record_game(config, deal, rng=random.Random(2), seed=2)
    assert verify_trace(trace) == []

    def changed(change: Any) -> list[str]:
        other = copy.deepcopy(trace)
        change(other)
        return verify_trace(other)

    assert changed(lambda t: t["result"]["score"].__setitem__(0, -1))
    assert changed(lambda t: t["steps"][5][3].append("end"))
    assert changed(lambda t: t["steps"][30][4]["coins"].__setitem__(0, 99))
    assert changed(lambda t: t["steps"][7].__setitem__(1, "growth"))
    assert changed(lambda t: t["steps"].pop())
    assert changed(lambda t: t["steps"].append(t["steps"][-1]))
    assert changed(lambda t: t["steps"][30][4]["supply"].__setitem__(1, 3))
    assert changed(lambda t: t["config"].pop("objective_pool")) == [
        f"config: {config}, in the trace { ({k: v for k, v in config.items() if k != 'objective_pool'}) }"
    ]
    assert changed(lambda t: t["config"].__setitem__("map", "round"))


def test_a_trace_of_another_format_is_refused_by_its_name() -> None:
    trace = record_random("players2", 1, False, "uniform", DATA)
    assert trace["format"] == "genesia-trace/2"
    assert verify_trace({**trace, "format": "genesia-trace/1"}) == [
        "format = 'genesia-trace/1': allowed 'genesia-trace/2'"
    ]
    del trace["format"]
    assert len(verify_trace(trace)) == 1
