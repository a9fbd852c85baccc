"""The referee's own tests: RULES section by section, every ability, positions, random games in every mode."""

from __future__ import annotations

import copy
import json
import random
import tomllib
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from games.age_of_civilization.referee.__main__ import parser
from games.age_of_civilization.referee.abilities import amount, count, force, is_strongest, is_weakest
from games.age_of_civilization.referee.asking import every_action
from games.age_of_civilization.referee.checks import MOST_DECISIONS, broken, broken_between
from games.age_of_civilization.referee.config import ConfigError, check_deal
from games.age_of_civilization.referee.data import (
    FILES,
    Data,
    DataError,
    Effect,
    EventEffect,
    data_folder,
    load_data,
    make_data,
)
from games.age_of_civilization.referee.modes import COMBINATIONS, MODES, config_of_mode
from games.age_of_civilization.referee.play import (
    Game,
    IllegalAction,
    check_position,
    random_deal,
    random_position,
    resolve_config,
)
from games.age_of_civilization.referee.policies import POLICIES, by_seat
from games.age_of_civilization.referee.positions import full_position, turns_had
from games.age_of_civilization.referee.scoring import final_result
from games.age_of_civilization.referee.technologies import available, on_card
from games.age_of_civilization.referee.traces import record_game, record_random, verify_trace

try:
    DATA = load_data()
except FileNotFoundError as missing:
    pytest.skip(f"the data files are not there: {missing}", allow_module_level=True)

Table = dict[str, Any]
CARDS = list(DATA.cards)
KOREA, CHINA = 17, 12  # neutral, but for research and farm and at the end of the game

# -------------------------------------------------------------------- helpers


def seat(**changes: Any) -> Table:
    """A rich seat with Korea, which matters only to research and to the end of the game."""
    made: Table = {"coins": 20, "points": 0, "workers": 4, "technologies": [], "wonders": [], "hand": []}
    made.update(special=None, **changes) if "special" not in changes else made.update(changes)
    made.setdefault("civilizations", [made["main"]] if "main" in made else [KOREA])
    made.setdefault("main", made["civilizations"][0] if made["civilizations"] else None)
    return made


def heir(*civilizations: int, **changes: Any) -> Table:
    """Korea rules, the others left their inherited abilities."""
    return seat(main=KOREA, civilizations=[KOREA, *civilizations], **changes)


def other(**changes: Any) -> Table:
    return seat(**changes) if "main" in changes else seat(**{"civilizations": [CHINA], **changes})


def track_with(opened: tuple[str, ...], round_: int) -> list[str]:
    """A track in which these cards begin at the one that is open first in the round."""
    rest = [name for name in CARDS if name not in opened]
    return [*rest[: round_ - 1], *opened, *rest[round_ - 1 :]]


def start(
    *seats: Table,
    opened: tuple[str, ...] = ("hunt", "fish", "farm"),
    round_: int = 3,
    at: int = 0,
    first: int = 0,
    skip: bool = True,
    data: Data = DATA,
    variants: Table | None = None,
    **more: Any,
) -> Game:
    """A game from a position: one table for each seat (one alone plays solo); step 1 is passed over."""
    solo = len(seats) == 1
    config = resolve_config({"players": len(seats), **(variants or {})})
    used = {c for s in seats for c in [*s["civilizations"], *s["hand"]]}
    used |= set(data.solo_removed) if solo else set()
    used |= {c for c, _ in more.get("market", [])} | set(more.get("deck", []))
    free = [c for c in data.civilizations if c not in used]
    built = {w for s in seats for w in s["wonders"]}
    track = track_with(opened, round_)
    if solo and "track" not in more:
        track = [name for name in track if name != "plague"]
        track.insert(4, "plague")
    made: Table = {"round": round_, "first": first, "seat": at, "track": track}
    for key in ("coins", "points", "workers", "main", "civilizations", "technologies", "wonders"):
        made[key] = [s[key] for s in seats]
    made["market"] = [[c, 0] for c in free[-5:]]
    made["deck"] = [] if config["draft"] else free[:12]
    made["wonder_market"] = [w for w in data.wonders if w not in built][:4]
    made["special_cards"] = [s["special"] for s in seats]
    made["hands"] = [s["hand"] for s in seats]
    made.update(more)
    game = Game(config, position=made, data=data)
    if skip and game.decision is not None and "pass" in game.decision.legal:
        game.act("pass")
    return game


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


def acts(game: Game) -> set[str]:
    return {text.split(":")[1] for text in legal(game) if text.startswith("act:")}


def holdings(game: Game, s: int = 0) -> tuple[int, int, int]:
    """Coins, points, workers owned."""
    shown = game.states()
    return shown["coins"][s], shown["points"][s], shown["workers"][s]


def change(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(b - a for a, b in zip(before, after, strict=True))


def finish_turn(game: Game, *preferred: str) -> Game:
    """Decline what can be declined until the seat's turn is over."""
    mine = asked(game)[0], game.state.round
    while game.decision is not None and (game.decision.seat, game.state.round) == mine:
        options = [a for a in [*preferred, "end", "rest", "pass", *legal(game)] if a in legal(game)]
        game.act(options[0])
    return game


def play_out(game: Game, rng: random.Random | None = None) -> Game:
    """To the end: passes and rests, or at random."""
    while game.decision is not None:
        options = legal(game)
        game.act(
            rng.choice(options) if rng else next((a for a in ("pass", "rest") if a in options), options[0])
        )
    return game


def result_of(*seats: Table, **more: Any) -> Table:
    """The result if the game ended in this position."""
    more.setdefault("round_", 6)
    return final_result(start(*seats, skip=False, **more).state)


# The first open card with which an action can be performed.
OPEN = {name: (name,) if name in CARDS else ("hunt",) for name in DATA.actions}


def outcome(me: Table, action: str, data: Data = DATA) -> tuple[int, ...]:
    """What the seat gains by performing the action once, on a space: coins, points, workers."""
    variants = {"innovation": me["special"] is not None}
    game = start(me, other(), opened=OPEN[action], data=data, variants=variants)
    before = holdings(game)
    act(game, f"act:{action}")
    while asked(game)[1] in ("technology", "wonder", "grant"):
        options = legal(game)
        act(game, next((a for a in ("tech:8", "tech:7", "wonder:1", "end") if a in options), options[0]))
    return change(before, holdings(game))


def with_civilization(number: int, data: Data = DATA, **changes: Any) -> Data:
    changed = replace(data.civilizations[number], **changes)
    return replace(data, civilizations={**data.civilizations, number: changed})


def with_technology(number: int, *effects: Effect, data: Data = DATA) -> Data:
    changed = replace(data.technologies[number], effects=effects)
    return replace(data, technologies={**data.technologies, number: changed})


def with_wonder(number: int, *effects: Effect, data: Data = DATA) -> Data:
    return replace(data, wonders={**data.wonders, number: replace(data.wonders[number], effects=effects)})


def with_event(number: int, *effects: EventEffect) -> Data:
    return replace(DATA, events={**DATA.events, number: effects})


# -------------------------------------------------------------------- configuration and deal (RULES 3 and 4)


def test_an_empty_configuration_resolves_to_the_defaults() -> None:
    every = {"players": 2, "innovation": False, "changing_world": False, "draft": False, "track": "random"}
    assert resolve_config() == resolve_config({}) == every
    assert list(resolve_config({"track": "first_game", "players": 3})) == list(every)


@pytest.mark.parametrize(
    ("config", "names"),
    [
        ({"players": 0}, r"players = 0: allowed 1\.\.4"),
        ({"players": 5}, "players = 5"),
        ({"players": True}, "players = True"),
        ({"players": 2.0}, r"players = 2\.0"),
        ({"players": "2"}, "players = '2'"),
        ({"innovation": 1}, "innovation = 1: allowed true or false"),
        ({"changing_world": "yes"}, "changing_world = 'yes'"),
        ({"draft": None}, "draft = None"),
        ({"track": "first"}, "track = 'first': allowed random or first_game"),
        ({"solo": True}, "solo = True: allowed only the fields players, innovation"),
        (
            {"players": 1, "changing_world": True},
            "changing_world = True: allowed only False with players = 1",
        ),
        ({"players": 1, "draft": True}, "draft = True: allowed only False with players = 1"),
        ({"players": 1, "track": "first_game"}, "track = 'first_game': allowed only 'random'"),
    ],
)
def test_a_configuration_that_breaks_a_constraint_is_refused_by_name(config: Table, names: str) -> None:
    with pytest.raises(ConfigError, match=names):
        resolve_config(config)


def test_every_allowed_combination_has_a_mode() -> None:
    assert len(COMBINATIONS) == 3 * 2**4 + 2
    resolved = [json.dumps(resolve_config(config)) for config in COMBINATIONS.values()]
    assert len(set(resolved)) == len(resolved)
    assert resolve_config({"players": 1, "innovation": True})["innovation"]


@pytest.mark.parametrize("mode", list(COMBINATIONS))
def test_a_deal_holds_what_the_configuration_says(mode: str) -> None:
    config = config_of_mode(mode, random.Random(1))
    deal = random_deal(config, random.Random(2))
    assert check_deal(config, deal) == []
    n, solo = config["players"], config["players"] == 1
    assert sorted(deal["track"]) == sorted(CARDS)
    assert len(deal["wonders"]) == 3 + n
    assert len(deal["deck"]) == (0 if config["draft"] else 10 if solo else 5 + 3 * n)
    assert deal["specials"] is None or len(deal["specials"]) == 1 + n
    assert (deal["specials"] is None) == (not config["innovation"])
    assert (deal["events"] is None) == (not config["changing_world"])
    assert (deal["packs"] is None) == (not config["draft"])
    if solo:
        assert deal["track"][4] == "plague" and deal["first"] == 0
        assert not set(deal["deck"]) & {30, 28, 31, 10, 21, 25, 15}
    if config["track"] == "first_game":
        assert deal["track"] == list(DATA.first_game)
        assert deal["track"][:3] == ["hunt", "fish", "farm"]
    game = Game(config, deal=deal)
    assert game.states()["coins"] == [3] * n
    assert game.states()["workers"] == [0] * n
    market = {} if config["draft"] else {str(c): 0 for c in deal["deck"][:5]}
    assert game.states()["market"] == market
    assert game.states()["wonder_market"] == sorted(deal["wonders"])
    assert game.states()["special_market"] == sorted(deal["specials"] or [])
    assert asked(game) == (deal["first"], "draft" if config["draft"] else "civilization")


FULL = {"players": 2, "innovation": True, "changing_world": True, "draft": True}


@pytest.mark.parametrize(
    ("config", "change_to"),
    [
        ({}, {"first": 2}),
        ({}, {"first": None}),
        ({}, {"track": ["hunt"] * 8}),
        ({}, {"track": CARDS[:7]}),
        ({}, {"track": None}),
        ({"track": "first_game"}, {"track": list(DATA.first_game)[::-1]}),
        ({"players": 1}, {"track": sorted(CARDS, key=lambda name: name != "plague")}),
        ({}, {"wonders": [1, 2, 3, 4]}),
        ({}, {"wonders": [1, 2, 3, 4, 4]}),
        ({}, {"wonders": [1, 2, 3, 4, 16]}),
        ({}, {"deck": list(range(1, 11))}),
        ({}, {"deck": [1, *range(1, 11)]}),
        ({}, {"deck": list(range(0, 11))}),
        ({"players": 1}, {"deck": list(range(1, 11))}),
        ({}, {"specials": [1, 2, 3]}),
        ({}, {"events": [1, 2, 3]}),
        ({}, {"packs": [list(range(1, 8)), list(range(8, 15))]}),
        ({}, {"seed": 3}),
        (FULL, {"specials": None}),
        (FULL, {"specials": [1, 2]}),
        (FULL, {"specials": [1, 2, 10]}),
        (FULL, {"events": None}),
        (FULL, {"events": [1, 2, 2]}),
        (FULL, {"events": [1, 2, 10]}),
        (FULL, {"deck": [1]}),
        (FULL, {"packs": None}),
        (FULL, {"packs": [list(range(1, 8))]}),
        (FULL, {"packs": [list(range(1, 8)), list(range(7, 14))]}),
        (FULL, {"packs": [list(range(1, 7)), list(range(8, 15))]}),
    ],
)
def test_a_deal_that_does_not_fit_the_configuration_is_refused(config: Table, change_to: Table) -> None:
    deal = random_deal(config, random.Random(1))
    assert check_deal(config, deal) == []
    with pytest.raises(ValueError):
        Game(config, deal={**deal, **change_to})
    missing = {key: value for key, value in deal.items() if key not in change_to}
    assert set(change_to) == {"seed"} or check_deal(config, missing)


def test_there_are_257_actions_in_the_order_of_the_table() -> None:
    actions = every_action(DATA)
    assert len(actions) == len(set(actions)) == 257
    assert actions[:4] == ["end", "rest", "pass", "rise:1"]
    for text in (
        "rise:12",
        "annex:12",
        "card:12",
        "act:farm",
        "special:4",
        "tech:5",
        "wonder:7",
        "heritage:12",
    ):
        assert text in actions


# -------------------------------------------------------------------- step 1 (RULES 6)


def test_a_first_turn_must_let_a_civilization_rise() -> None:
    game = start(
        seat(civilizations=[], main=None), other(civilizations=[]), round_=1, market=[[5, 2], [9, 0]]
    )
    assert asked(game) == (0, "civilization")
    assert legal(game) == ["rise:5", "rise:9"]


def test_later_a_card_of_the_market_rises_or_is_annexed_or_the_seat_passes() -> None:
    game = start(seat(), other(), market=[[5, 2], [30, 0]], skip=False)
    assert legal(game) == ["annex:30", "annex:5", "pass", "rise:30", "rise:5"]


def test_with_three_civilizations_step_one_is_skipped() -> None:
    game = start(heir(2, 33), other(), round_=4, skip=False)
    assert asked(game) == (0, "action")


def test_an_empty_market_leaves_only_passing_which_is_not_asked() -> None:
    assert asked(start(seat(), other(), market=[], skip=False)) == (0, "action")


@pytest.mark.parametrize("workers", [0, 1, 3, 4])
def test_rising_sets_the_workers_to_the_population_whatever_was_owned_before(workers: int) -> None:
    assert (DATA.civilizations[33].population, DATA.civilizations[4].population) == (3, 3)
    game = start(seat(workers=workers), other(), market=[[33, 4]], skip=False, deck=[1, 2])
    act(game, "rise:33")
    shown = game.states()
    assert (shown["workers"][0], shown["idle"][0], shown["coins"][0]) == (3, 3, 24)
    assert shown["main"][0] == 33
    assert shown["civilizations"][0] == [KOREA, 33]


@pytest.mark.parametrize(("workers", "after"), [(0, 1), (3, 4), (4, 4)])
def test_annexing_keeps_the_main_civilization_and_gains_one_worker(workers: int, after: int) -> None:
    game = start(seat(workers=workers), other(), market=[[44, 4]], skip=False)
    act(game, "annex:44")  # its birth effects are not done
    assert holdings(game) == (24, 0, after)
    assert game.states()["main"][0] == KOREA
    assert game.states()["civilizations"][0] == [KOREA, 44]


def test_the_market_gets_a_coin_on_each_card_left_and_then_a_new_card_without_coins() -> None:
    game = start(seat(), other(), market=[[33, 4], [5, 0], [9, 7]], deck=[41, 40], skip=False)
    act(game, "annex:33")
    assert game.states()["market"] == {"5": 1, "9": 8, "41": 0}
    assert game.state.deck == [40]
    game = start(seat(), other(), market=[[33, 4], [5, 0]], deck=[], skip=False)
    assert act(game, "annex:33").states()["market"] == {"5": 1}
    game = start(seat(), other(), market=[[33, 4], [5, 0]], skip=False)
    assert act(game, "pass").states()["market"] == {"5": 0, "33": 4}


def test_a_former_main_civilization_keeps_only_its_inherited_ability() -> None:
    game = start(seat(main=5), other(), market=[[33, 0]], skip=False)
    assert force(game.state, 0) == 3
    act(game, "rise:33")
    assert force(game.state, 0) == 1


def test_carthage_takes_its_bonus_threefold_when_it_rises_and_once_when_annexed() -> None:
    for answer, coins in (("rise:10", 32), ("annex:10", 24)):
        game = start(seat(), other(), market=[[10, 4]], skip=False)
        assert act(game, answer).states()["coins"][0] == coins


def test_several_bonus_times_multiply_and_their_needs_are_counted_before_the_coins() -> None:
    births = (
        Effect("bonus_times", "birth", n=2),
        Effect("bonus_times", "birth", n=3, need="bonus", low=2),
        Effect("bonus_times", "birth", n=5, need="coins", low=21),
    )
    data = with_civilization(10, main=births)
    for bonus, coins in ((1, 22), (2, 32)):
        game = start(seat(), other(), market=[[10, bonus]], skip=False, data=data)
        assert act(game, "rise:10").states()["coins"][0] == coins


def test_iberia_gains_a_technology_for_each_two_bonus_coins_one_after_the_other() -> None:
    game = start(seat(), other(), market=[[15, 5], [1, 0]], deck=[2], skip=False)
    act(game, "rise:15")
    assert asked(game) == (0, "technology")
    assert game.states()["market"] == {"1": 1, "2": 0}  # the new card is there already
    assert legal(game) == ["tech:1", "tech:4", "tech:7"]
    act(game, "tech:4")
    assert legal(game) == ["tech:1", "tech:5", "tech:7"]
    act(game, "tech:5")
    assert asked(game) == (0, "action")
    assert game.states()["points"][0] == 0  # no research
    game = start(seat(technologies=[1, 2, 3, 4, 5, 6, 7, 8]), other(), market=[[15, 9]], skip=False)
    assert act(game, "rise:15").states()["technologies"][0] == list(range(1, 10))  # forced, then none is left
    game = start(seat(), other(), market=[[15, 1]], skip=False)
    assert asked(act(game, "rise:15")) == (0, "action")


def test_inca_gains_a_wonder_at_birth_unless_the_market_is_empty() -> None:
    game = start(seat(), other(), market=[[24, 0]], wonder_market=[3, 8], skip=False)
    act(game, "rise:24")
    assert (asked(game), legal(game)) == ((0, "wonder"), ["wonder:3", "wonder:8"])
    act(game, "wonder:8")
    assert game.states()["wonders"][0] == [8]
    assert game.states()["wonder_market"] == [3]
    game = start(seat(), other(), market=[[24, 0]], wonder_market=[], skip=False)
    assert asked(act(game, "rise:24")) == (0, "action")


def test_tiwanaku_gains_a_point_for_each_upcoming_card() -> None:
    for round_, points in ((2, 4), (5, 1), (6, 0)):
        game = start(seat(), other(), market=[[29, 0]], round_=round_, skip=False)
        assert act(game, "rise:29").states()["points"][0] == points
        game = start(seat(), other(), market=[[29, 0]], round_=round_, skip=False)
        assert act(game, "annex:29").states()["points"][0] == 0


def test_lydia_gains_coins_at_birth_and_every_other_seat_one() -> None:
    game = start(seat(), other(), other(civilizations=[1]), market=[[32, 1]], skip=False)
    assert act(game, "rise:32").states()["coins"] == [25, 21, 21]


def test_macedonia_counts_its_own_new_force_at_birth_and_olmecs_gain_two_points() -> None:
    game = start(seat(technologies=[7]), other(), market=[[36, 0], [44, 0]], skip=False)
    assert act(game, "rise:36").states()["points"][0] == 1  # 2 + 1 force
    game = start(seat(technologies=[7, 8]), other(), market=[[36, 0]], skip=False)
    assert act(game, "rise:36").states()["points"][0] == 2
    game = start(seat(), other(), market=[[44, 0]], skip=False)
    assert act(game, "rise:44").states()["points"][0] == 2


def test_workers_at_birth_come_after_the_population() -> None:
    for population, workers in ((2, 4), (3, 4), (1, 3)):
        data = with_civilization(44, population=population, main=(Effect("workers", "birth", n=2),))
        game = start(seat(), other(), market=[[44, 0]], skip=False, data=data)
        assert act(game, "rise:44").states()["workers"][0] == workers


# -------------------------------------------------------------------- actions (RULES 7)


@pytest.mark.parametrize(
    ("action", "gained"),
    [
        ("wonder", (-7, 3, 0)),
        ("research", (-4, 1, 0)),
        ("enslavement", (2, 0, 0)),
        ("hunt", (1, 1, 0)),
        ("fish", (1, 0, 0)),
        ("farm", (3, 0, 0)),
        ("trade", (2, 0, 0)),
        ("culture", (-4, 2, 0)),
        ("construction", (-2, 2, 0)),
        ("conquest", (0, 2, 0)),
    ],
)
def test_every_action_costs_and_gives_what_the_table_says(action: str, gained: tuple[int, ...]) -> None:
    assert outcome(seat(), action) == gained


def test_the_workers_of_the_table_are_needed_and_taken() -> None:
    for action in DATA.actions:
        needed = 2 if action in ("farm", "construction") else 1
        game = start(seat(workers=needed), other(), opened=OPEN[action])
        assert action in acts(game)
        if needed == 2:
            assert action not in acts(start(seat(workers=1), other(), opened=OPEN[action]))
        game = act(start(seat(), other(), opened=OPEN[action]), f"act:{action}")
        assert game.states()["idle"][0] == 4 - needed
        assert game.states()["workers"][0] == 4


def test_hunt_gives_no_point_to_a_seat_with_a_technology() -> None:
    assert outcome(seat(technologies=[7]), "hunt") == (1, 0, 0)


def test_trade_gives_a_coin_to_every_other_seat() -> None:
    game = start(seat(), other(), other(civilizations=[1]), opened=("trade",))
    assert act(game, "act:trade").states()["coins"] == [22, 21, 21]


def test_conquest_may_be_performed_without_being_strongest() -> None:
    game = start(seat(), other(technologies=[7]), opened=("conquest",))
    before = holdings(game)
    act(game, "act:conquest")
    assert change(before, holdings(game)) == (0, 0, 0)


def test_open_are_the_permanent_card_and_three_cards_of_the_track() -> None:
    names = ["hunt", "fish", "farm", "trade", "plague", "culture", "construction", "conquest"]
    permanent = {"wonder", "research", "enslavement"}
    for round_, shown in (
        (2, {"fish", "farm", "trade"}),
        (4, {"trade", "culture"}),
        (5, {"culture", "construction"}),
    ):
        game = start(seat(), other(), round_=round_, track=names)
        assert acts(game) == permanent | shown


def test_maya_may_use_the_upcoming_cards_but_not_the_closed_ones() -> None:
    names = ["hunt", "fish", "farm", "trade", "plague", "culture", "construction", "conquest"]
    game = start(seat(main=18), other(), track=names)
    assert acts(game) == set(DATA.actions) - {"hunt", "fish"}
    act(game, "act:conquest")
    assert "conquest" not in acts(game)


def test_a_space_is_used_once_a_turn_and_research_and_hunt_have_two() -> None:
    game = start(seat(), other(), opened=("hunt", "fish", "trade"))
    act(game, "act:hunt")
    assert "hunt" in acts(game)
    act(game, "act:hunt", "act:fish")
    assert acts(game) == {"trade", "wonder", "research", "enslavement"}
    game = start(seat(coins=99), other())
    act(game, "act:research", "tech:7", "act:research", "tech:8")
    assert "research" not in acts(game)


def test_all_spaces_are_free_again_for_the_next_seat() -> None:
    game = start(seat(workers=1), other(), opened=("hunt", "fish", "trade"))
    act(game, "act:trade", "pass")
    assert asked(game) == (1, "action")
    assert "trade" in acts(game)


def test_own_spaces_are_for_this_seat_only_and_stay_when_the_card_is_closed() -> None:
    closed = ["culture", "conquest", "trade", "farm", "hunt", "fish", "construction", "plague"]
    for me, action in (
        (seat(main=4), "culture"),
        (seat(main=5), "conquest"),
        (seat(main=45), "trade"),
        (seat(technologies=[16, 17], special=4), "trade"),
        (seat(technologies=[18, 19], special=5), "farm"),
        (seat(technologies=[24, 25], special=8), "conquest"),
    ):
        innovation = {"innovation": me["special"] is not None}
        game = start(me, other(), round_=5, track=closed, variants=innovation)
        assert action in acts(game)
        act(game, f"act:{action}")
        assert action not in acts(game)
        finish_turn(game)
        act(game, "pass")
        assert asked(game) == (1, "action") and action not in acts(game)
        game = start(me, other(), opened=(action, "fish"), variants=innovation)
        act(game, f"act:{action}", f"act:{action}")
        assert action not in acts(game)


def test_workers_on_an_own_space_of_a_red_action_are_sacrificed_too() -> None:
    game = start(seat(main=5), other(), opened=("conquest",))
    act(game, "act:conquest", "act:conquest", "end")
    assert game.states()["workers"][0] == 2  # [R10]


def test_aztecs_need_a_second_worker_for_a_wonder_and_lose_both() -> None:
    assert "wonder" not in acts(start(seat(main=7, workers=1), other()))
    game = start(seat(main=7, coins=1), other())
    act(game, "act:wonder", "wonder:1")
    assert game.states()["idle"][0] == 2
    finish_turn(game)
    assert holdings(game) == (0, 3, 2)


def test_terraces_need_one_worker_less_for_farm_and_never_less_than_one() -> None:
    me = seat(technologies=[18, 19], special=5, workers=1)
    game = start(me, other(), variants={"innovation": True})
    assert "farm" in acts(game)
    assert outcome({**me, "workers": 4}, "farm") == (4, 0, 0)
    data = with_technology(7, Effect("labour", action="hunt", n=-3))
    game = act(start(seat(technologies=[7]), other(), data=data), "act:hunt")
    assert game.states()["idle"][0] == 3


def test_the_price_must_be_there_and_never_falls_below_zero() -> None:
    assert "culture" not in acts(start(seat(coins=3), other(), opened=("culture",)))
    assert "culture" in acts(start(seat(coins=4), other(), opened=("culture",)))
    data = with_technology(7, Effect("discount", action="culture", n=99))
    game = act(start(seat(technologies=[7], coins=0), other(), opened=("culture",), data=data), "act:culture")
    assert holdings(game) == (0, 2, 4)


def test_research_is_payable_if_one_available_technology_is() -> None:
    game = start(seat(main=13, technologies=[7], coins=0), other())  # Hittites: Iron Working is free
    assert "research" in acts(game)
    act(game, "act:research")  # forced: only Iron Working is affordable
    assert game.states()["technologies"][0] == [7, 8]
    assert "research" not in acts(game)
    game = start(seat(main=13, technologies=[7], coins=4), other())
    act(game, "act:research")
    assert legal(game) == ["tech:1", "tech:4", "tech:8"]
    assert game.states()["coins"][0] == 4 and game.states()["idle"][0] == 3  # placed, not paid yet
    act(game, "tech:8")
    assert holdings(game) == (4, 1, 4)


@pytest.mark.parametrize(
    ("main", "technology", "price"),
    [
        (13, 8, 0),  # Hittites: Iron Working
        (13, 4, 4),
        (14, 1, 3),  # Harappa: row 1
        (14, 8, 4),
        (19, 3, 1),  # Ottomans: Science and Gunpowder
        (19, 9, 1),
        (19, 6, 4),
        (27, 1, 0),  # Sumer: Writing and Navigation
        (27, 4, 0),
        (27, 7, 4),
        (47, 4, 3),  # Zimbabwe: all
        (KOREA, 4, 4),
    ],
)
def test_discounts_of_research_depend_on_the_technology(main: int, technology: int, price: int) -> None:
    column, row = DATA.technologies[technology].cell
    own = [3 * (column - 1) + r for r in range(1, row)]
    game = start(seat(main=main, technologies=own), other())
    before = game.states()["coins"][0]
    act(game, "act:research", f"tech:{technology}")
    assert before - game.states()["coins"][0] == price


def test_korea_gains_points_only_for_the_technologies_that_it_names() -> None:
    for technology, points in ((1, 3), (4, 3), (7, 1)):
        game = act(start(seat(), other()), "act:research", f"tech:{technology}")
        assert game.states()["points"][0] == points
    game = act(start(seat(technologies=[1]), other()), "act:research", "tech:2")
    assert game.states()["points"][0] == 3


def test_without_an_available_technology_there_is_no_research() -> None:
    assert "research" not in acts(start(seat(technologies=list(range(1, 10))), other()))
    game = start(seat(technologies=list(range(1, 9))), other())
    act(game, "act:research")  # the last one is not asked for
    assert asked(game) == (0, "action")
    assert game.states()["technologies"][0] == list(range(1, 10))


def test_vikings_forbid_trade_to_all_others_on_the_track_and_on_own_spaces() -> None:
    game = start(seat(main=28), other(main=45), opened=("trade",))
    assert "trade" in acts(game)
    act(finish_turn(game), "pass")
    assert asked(game) == (1, "action") and "trade" not in acts(game)
    game = start(seat(main=45), seat(main=20, civilizations=[20, 28]), opened=("trade",))
    assert "trade" in acts(game)  # only the main ability forbids


def test_what_is_forbidden_can_be_neither_granted_nor_performed_at_the_end_of_the_turn() -> None:
    data = with_civilization(28, main=(Effect("forbid", action="culture", need="coins", low=20),))
    for coins, kinds in ((20, []), (19, ["grant", "turn_end"])):
        game = start(
            seat(main=6, technologies=[1, 2]),
            other(main=28, coins=coins),
            opened=("construction",),
            data=data,
        )
        found = []
        act(game, "act:construction")
        while asked(game)[0] == 0:
            if asked(game)[1] != "action":
                found.append(asked(game)[1])
            act(game, "end")
        assert found == kinds


def test_a_seat_may_perform_an_action_that_gains_it_nothing() -> None:
    game = start(seat(), other(), wonder_market=[])
    act(game, "act:wonder")  # [R14]
    assert holdings(game) == (13, 3, 4)


def test_a_wonder_is_chosen_from_the_market_which_is_not_refilled() -> None:
    game = start(seat(), other(), wonder_market=[2, 11])
    act(game, "act:wonder")
    assert (asked(game), legal(game)) == ((0, "wonder"), ["wonder:11", "wonder:2"])
    assert game.states()["points"][0] == 3 and game.states()["coins"][0] == 13
    act(game, "wonder:11")
    assert game.states()["wonder_market"] == [2]
    assert game.states()["wonders"][0] == [11]


def test_axum_may_perform_culture_after_construction_without_space_and_worker() -> None:
    game = start(seat(main=6, coins=5), other(), opened=("construction",))  # the price is 1
    act(game, "act:construction")
    assert (asked(game), legal(game)) == ((0, "grant"), ["act:culture", "end"])
    assert holdings(game) == (4, 3, 4)
    act(game, "act:culture")
    assert (*holdings(game), game.states()["idle"][0]) == (0, 5, 4, 2)
    assert asked(game) == (0, "action")
    game = start(seat(main=6, coins=4), other(), opened=("construction",))
    assert asked(act(game, "act:construction")) == (0, "action")  # not payable: not asked


def test_a_granted_action_uses_no_space_and_has_its_price_discounts_and_act_effects() -> None:
    me = seat(main=6, civilizations=[6, 14, 4], technologies=[1], coins=5)
    game = start(me, other(), opened=("construction", "culture"), round_=4)
    act(game, "act:construction", "act:culture")
    assert holdings(game) == (2, 6, 4)  # price 3 (Harappa), a coin (India), a point (Writing)
    act(game, "act:enslavement")
    assert game.states()["coins"][0] == 4
    assert "culture" in acts(game)  # its space is still free


def test_granted_actions_grant_nothing_more_and_are_asked_one_after_the_other() -> None:
    main = (
        Effect("perform", "act", action="hunt", what="fish"),
        Effect("perform", "act", action="fish", what="hunt"),
        Effect("perform", "act", action="hunt", what="culture", need="points", low=2),
        Effect("coins", "act", action="fish", n=5),
        Effect("points", "act", action="hunt", n=1),
    )
    data = with_civilization(44, main=main)
    game = act(start(seat(main=44, coins=0), other(), data=data), "act:hunt")
    assert legal(game) == ["act:fish", "end"]
    assert holdings(game) == (1, 2, 4)  # the other act effects come first
    act(game, "act:fish")
    assert holdings(game) == (7, 2, 4)
    assert legal(game) == ["act:culture", "end"]  # payable only now
    assert asked(act(game, "end")) == (0, "action")
    game = act(start(seat(main=44, coins=0), other(), data=data), "act:hunt", "end")
    assert asked(game) == (0, "action")  # nothing to pay with


def test_a_granted_research_asks_for_the_technology_and_obeys_its_list() -> None:
    granted = Effect("perform", "act", action="research", what="research", techs=frozenset({4}))
    data = with_civilization(44, main=(granted,))
    game = act(start(seat(main=44), other(), data=data), "act:research", "tech:4")
    assert asked(game) == (0, "grant")
    act(game, "act:research")
    assert legal(game) == ["tech:1", "tech:5", "tech:7"]
    act(game, "tech:5")
    assert holdings(game) == (12, 2, 4)
    assert asked(game) == (0, "action") and "research" in acts(game)
    assert asked(act(start(seat(main=44), other(), data=data), "act:research", "tech:7")) == (0, "action")


def test_only_act_effects_in_force_at_the_beginning_of_the_action_are_done() -> None:
    data = with_technology(7, Effect("points", "act", action="research", n=5))
    game = act(start(seat(), other(), data=data), "act:research", "tech:7")
    assert game.states()["points"][0] == 1
    act(game, "act:research", "tech:8")
    assert game.states()["points"][0] == 7


def test_needs_of_act_effects_are_those_of_the_moment_they_are_done() -> None:
    data = with_technology(7, Effect("points", "act", action="fish", n=5, need="coins", low=1, high=1))
    game = act(start(seat(coins=0, technologies=[7]), other(), data=data), "act:fish")
    assert game.states()["points"][0] == 5
    game = act(start(seat(coins=1, technologies=[7]), other(), data=data), "act:fish")
    assert game.states()["points"][0] == 0


def test_gain_effects_are_done_at_once() -> None:
    for round_, points in ((2, 5), (6, 1)):  # Science: the upcoming cards, and 1 for research
        game = start(seat(technologies=[1, 2]), other(), round_=round_)
        assert act(game, "act:research", "tech:3").states()["points"][0] == points
    game = start(seat(technologies=[14], special=3), other(), variants={"innovation": True})
    assert act(game, "act:research", "tech:15").states()["points"][0] == 3  # Astronomy
    gains = (
        Effect("workers", "gain", n=1),
        Effect("coins", "gain", n=2),
        Effect("others_coins", "gain", n=-3),
    )
    data = with_wonder(1, *gains)
    game = act(start(seat(workers=3), other(coins=1), data=data), "act:wonder", "wonder:1")
    assert game.states()["coins"] == [15, 0]
    assert (game.states()["workers"][0], game.states()["idle"][0]) == (4, 3)


def test_chinas_new_worker_can_be_placed_at_once() -> None:
    game = start(seat(main=12, workers=2), other(civilizations=[1]))
    act(game, "act:farm")
    assert (game.states()["workers"][0], game.states()["idle"][0]) == (3, 1)
    act(game, "act:hunt")
    game = start(seat(main=12, workers=4), other(civilizations=[1]))
    assert act(game, "act:farm").states()["workers"][0] == 4


def test_scythia_and_mongolia_take_coins_from_all_others_by_conquest_at_most_what_they_have() -> None:
    for main, left in ((25, [20, 0, 3]), (30, [20, 0, 4])):
        game = start(seat(main=main), other(coins=1), other(civilizations=[1], coins=5), opened=("conquest",))
        assert act(game, "act:conquest").states()["coins"] == left  # [R15]


# -------------------------------------------------------------------- abilities, one by one


# What an ability adds to an action: coins, points, workers.
MAIN_ACTS: list[tuple[int, str, tuple[int, int, int]]] = [
    (1, "wonder", (2, 0, 0)),
    (3, "construction", (0, 1, 0)),
    (3, "farm", (1, 0, 0)),
    (4, "culture", (2, 0, 0)),
    (6, "construction", (0, 1, 0)),
    (7, "wonder", (6, 0, 0)),
    (9, "culture", (1, 0, 0)),
    (18, "farm", (1, 0, 0)),
    (22, "fish", (1, 0, 0)),
    (33, "culture", (0, 1, 0)),
    (34, "hunt", (1, 0, 0)),
    (35, "research", (0, 1, 0)),
    (35, "culture", (0, 1, 0)),
    (37, "conquest", (0, 1, 0)),
    (39, "trade", (2, 0, 0)),
    (39, "enslavement", (1, 0, 0)),
    (40, "hunt", (0, 1, 0)),
    (41, "fish", (1, 0, 0)),
    (41, "trade", (1, 0, 0)),
    (41, "culture", (1, 0, 0)),
    (43, "enslavement", (1, 0, 0)),
    (45, "trade", (2, 0, 0)),
    (47, "construction", (2, 0, 0)),
    (47, "research", (1, 0, 0)),
]
INHERITED_ACTS: list[tuple[int, str, tuple[int, int, int]]] = [
    (2, "trade", (1, 0, 0)),
    (3, "farm", (1, 0, 0)),
    (4, "culture", (1, 0, 0)),
    (6, "construction", (1, 0, 0)),
    (7, "enslavement", (1, 0, 0)),
    (8, "research", (1, 0, 0)),
    (10, "trade", (1, 0, 0)),
    (11, "fish", (1, 0, 0)),
    (14, "culture", (1, 0, 0)),
    (15, "conquest", (2, 0, 0)),
    (16, "hunt", (1, 0, 0)),
    (18, "farm", (0, 1, 0)),
    (21, "trade", (1, 0, 0)),
    (22, "fish", (1, 0, 0)),
    (23, "construction", (0, 1, 0)),
    (24, "farm", (1, 0, 0)),
    (27, "farm", (1, 0, 0)),
    (33, "wonder", (1, 0, 0)),
    (34, "enslavement", (1, 0, 0)),
    (36, "conquest", (0, 1, 0)),
    (40, "hunt", (1, 0, 0)),
    (41, "fish", (1, 0, 0)),
    (43, "enslavement", (1, 0, 0)),
    (44, "construction", (1, 0, 0)),
    (45, "trade", (1, 0, 0)),
    (47, "construction", (1, 0, 0)),
]
TECHNOLOGY_ACTS: list[tuple[int, str, tuple[int, int, int]]] = [
    (1, "culture", (0, 1, 0)),
    (4, "fish", (1, 0, 0)),
    (4, "trade", (1, 0, 0)),
    (6, "construction", (0, 1, 0)),
    (6, "wonder", (2, 0, 0)),
    (7, "construction", (2, 0, 0)),
    (9, "conquest", (0, 1, 0)),
    (10, "hunt", (0, 1, 0)),
    (11, "culture", (0, 1, 0)),
    (14, "farm", (0, 1, 0)),
    (15, "research", (1, 0, 0)),
    (17, "trade", (1, 0, 0)),
    (18, "farm", (1, 0, 0)),
    (20, "construction", (1, 1, 0)),
    (21, "wonder", (2, 1, 0)),
    (22, "hunt", (1, 0, 0)),
    (26, "enslavement", (1, 0, 0)),
]
RESTS: list[tuple[Table, Table, tuple[int, int, int]]] = [
    (seat(main=16), seat(), (1, 2, 0)),
    (seat(main=44), seat(), (0, 1, 0)),
    (seat(main=46), heir(46), (1, 1, 0)),
    (heir(29), seat(), (0, 1, 0)),
    (heir(32), seat(), (1, 0, 0)),
    (heir(46), seat(), (2, 0, 0)),
    (seat(technologies=[12], special=2), seat(), (0, 1, 0)),
]
MAIN_FORCE = {5: 2, 13: 1, 28: 1, 30: 3, 31: 1, 34: 1, 36: 2, 37: 2, 38: 1, 43: 2}
INHERITED_FORCE = {5: 1, 9: 1, 13: 1, 19: 1, 20: 2, 25: 1, 28: 1, 31: 1, 37: 1, 38: 1, 42: 1, 48: 1}
TECHNOLOGY_FORCE = {7: 1, 8: 2, 9: 3, 22: 1, 23: 2, 24: 2, 25: 1, 26: 1, 27: 1}
# The game_end points of inherited abilities and wonders, with what the seat has.
LEGACIES: list[tuple[int, Table, int]] = [
    (1, {"wonders": [1, 2]}, 2),
    (1, {"wonders": [1, 2, 3, 4]}, 3),
    (12, {"technologies": [1, 2, 7]}, 2),
    (17, {"technologies": [1, 4, 7]}, 1),
    (26, {"workers": 3}, 1),
    (26, {"workers": 4}, 2),
    (30, {"technologies": [7, 8]}, 1),
    (30, {"technologies": [7, 8, 9], "civilizations": [11, 30, 20]}, 2),
    (35, {"technologies": [1, 2, 3, 7, 8, 9]}, 2),
    (39, {"coins": 7}, 1),
    (39, {"coins": 99}, 3),
]
WONDERS: list[tuple[int, Table, int]] = [
    (1, {}, 4),
    (2, {"workers": 2}, 4),
    (2, {"workers": 4}, 6),
    (3, {"technologies": [7, 8]}, 3),
    (3, {"technologies": [7, 8, 9], "civilizations": [11, 20]}, 6),
    (4, {"technologies": [1, 2, 4]}, 3),
    (4, {"technologies": list(range(1, 10))}, 6),
    (5, {"coins": 7}, 3),
    (5, {"coins": 20}, 6),
    (6, {"technologies": [1]}, 6),
    (6, {"technologies": [1, 4]}, 0),
    (7, {}, 3),
    (8, {}, 2),
    (8, {"civilizations": [11, 20, 3]}, 4),
    (9, {"wonders": [9, 7]}, 4),
    (10, {"points": 9}, 1),
    (10, {"points": 80}, 5),
    (11, {"technologies": [1, 2, 3, 4, 5]}, 3),
    (11, {"technologies": list(range(1, 10))}, 6),
    (12, {}, 2),
    (13, {"technologies": [7]}, 6),
    (13, {"technologies": [7, 8]}, 0),
    (14, {}, 5),
    (15, {"technologies": [1, 7]}, 4),
]
# Abilities with a test of their own in this file.
MAIN_ALONE = {2, 8, 10, 11, 12, 14, 15, 17, 19, 20, 21, 23, 24, 25, 26, 27, 29, 32, 42, 48}
TECHNOLOGIES_ALONE = {2, 3, 5, 13, 16, 19}


def test_every_ability_of_every_card_has_a_test() -> None:
    rests = [me for me, _, _ in RESTS]
    main = {c for c, _, _ in MAIN_ACTS} | set(MAIN_FORCE) | MAIN_ALONE | {me["main"] for me in rests}
    inherited = {c for c, _, _ in INHERITED_ACTS} | set(INHERITED_FORCE) | {c for c, _, _ in LEGACIES}
    inherited |= {c for me in rests for c in me["civilizations"]}
    technologies = {t for t, _, _ in TECHNOLOGY_ACTS} | set(TECHNOLOGY_FORCE) | TECHNOLOGIES_ALONE
    technologies |= {t for me in rests for t in me["technologies"]}
    assert main == inherited == set(DATA.civilizations)
    assert technologies == set(DATA.technologies)
    assert {w for w, _, _ in WONDERS} == set(DATA.wonders)


@pytest.mark.parametrize(("main", "action", "more"), MAIN_ACTS)
def test_main_abilities_add_to_actions(main: int, action: str, more: tuple[int, ...]) -> None:
    assert (
        change(outcome(heir(main), action), outcome(seat(main=main, civilizations=[KOREA, main]), action))
        == more
    )


@pytest.mark.parametrize(("civilization", "action", "more"), INHERITED_ACTS)
def test_inherited_abilities_add_to_actions(civilization: int, action: str, more: tuple[int, ...]) -> None:
    assert change(outcome(seat(), action), outcome(heir(civilization), action)) == more


def row_below(technology: int) -> list[int]:
    """What must be gained before, one of each lower row of the column, and one of another column."""
    t = DATA.technologies[technology]
    own = [o.number for o in DATA.technologies.values() if o.column == t.column and o.row < t.row]
    return [o for o in own if DATA.technologies[o].special == t.special] + ([4] if t.column == 3 else [7])


@pytest.mark.parametrize(("technology", "action", "more"), TECHNOLOGY_ACTS)
def test_technologies_add_to_actions(technology: int, action: str, more: tuple[int, ...]) -> None:
    special = DATA.technologies[technology].special
    own = row_below(technology)
    before = outcome(seat(technologies=own, special=special), action)
    assert change(before, outcome(seat(technologies=[*own, technology], special=special), action)) == more


@pytest.mark.parametrize(("me", "without", "more"), RESTS)
def test_rest_effects_come_on_top_of_two_coins_and_a_worker(
    me: Table, without: Table, more: tuple[int, ...]
) -> None:
    for workers, gained in ((0, 1), (3, 1), (4, 0)):
        found = []
        for table in (without, me):
            variants = {"innovation": table["special"] is not None}
            game = start({**table, "workers": workers}, other(), variants=variants)
            if asked(game)[0] == 0:  # without workers the rest is forced
                act(game, "rest")
            found.append(change((table["coins"], 0, workers), holdings(game)))
        assert change(found[0], found[1]) == more
        if without["main"] == KOREA and len(without["civilizations"]) == 1:
            assert found[0] == (2, 0, gained)


def test_force_is_the_sum_of_all_effects_in_force() -> None:
    for main in DATA.civilizations:
        game = start(seat(main=main), other(civilizations=[c for c in (12, 1) if c != main][:1]))
        expected = MAIN_FORCE.get(main, 0) + INHERITED_FORCE.get(main, 0)
        assert game.states()["force"][0] == force(game.state, 0) == expected
    for technology, value in TECHNOLOGY_FORCE.items():
        special = DATA.technologies[technology].special
        own = row_below(technology)
        variants = {"innovation": special is not None}
        made = [
            start(seat(technologies=techs, special=special), other(), variants=variants).states()["force"][0]
            for techs in (own, [*own, technology])
        ]
        assert made[1] - made[0] == value
    for number in range(10):
        me = seat(main=23, technologies=[1, 2, 4, 5, 3, 6, 7, 8, 9][:number])  # Rome
        assert force(start(me, other()).state, 0) == number // 2 + {7: 1, 8: 3, 9: 6}.get(number, 0)


def test_strongest_and_weakest_include_ties_also_when_all_are_equal() -> None:
    game = start(seat(), other(), other(civilizations=[1]))
    assert [is_strongest(game.state, s) for s in range(3)] == [True] * 3
    assert [is_weakest(game.state, s) for s in range(3)] == [True] * 3
    game = start(seat(technologies=[7]), other(technologies=[7]), other(civilizations=[1]))
    assert [is_strongest(game.state, s) for s in range(3)] == [True, True, False]
    assert [is_weakest(game.state, s) for s in range(3)] == [False, False, True]


def test_byzantium_pays_less_for_culture_only_while_strongest() -> None:
    for techs, price in (([7], 3), ([7, 8], 4)):  # 1 force of its own
        game = start(seat(main=9), other(technologies=techs), opened=("culture",))
        assert 20 - act(game, "act:culture").states()["coins"][0] == price


@pytest.mark.parametrize(("civilization", "has", "points"), LEGACIES)
def test_inherited_abilities_score_at_the_end_of_the_game(civilization: int, has: Table, points: int) -> None:
    own = [c for c in (11, civilization) if c not in has.get("civilizations", [])]
    me = seat(
        **{
            "civilizations": [*own, *has.get("civilizations", [])],
            **{k: v for k, v in has.items() if k != "civilizations"},
        }
    )
    result = result_of(me, other(civilizations=[40]))
    assert result["legacy"][0] == points


@pytest.mark.parametrize(("wonder", "has", "points"), WONDERS)
def test_wonders_score_at_the_end_of_the_game(wonder: int, has: Table, points: int) -> None:
    me = seat(**{"civilizations": [11], "wonders": [wonder], **has})
    result = result_of(me, other())
    others = sum(points for w, _, points in WONDERS if w in me["wonders"][1:])
    assert result["wonders"][0] == points + others
    assert result["score"][0] == points + others + me["points"]


def test_terracotta_army_needs_the_greatest_force() -> None:
    assert result_of(seat(civilizations=[11], wonders=[14]), other(technologies=[7]))["wonders"][0] == 0


# -------------------------------------------------------------------- rest, red workers (RULES 6)


def test_rest_is_only_possible_before_an_action_and_end_only_after_one() -> None:
    game = start(seat(), other())
    assert "rest" in legal(game) and "end" not in legal(game)
    act(game, "act:hunt")
    assert "end" in legal(game) and "rest" not in legal(game)


def test_a_seat_without_workers_rests_without_being_asked() -> None:
    game = start(seat(workers=0), other())
    assert asked(game) == (1, "civilization")
    assert holdings(game) == (22, 0, 1)  # [R4]


def test_the_turn_ends_without_being_asked_when_the_last_worker_is_placed() -> None:
    game = act(start(seat(workers=1), other()), "act:hunt")
    assert asked(game) == (1, "civilization")
    assert game.states()["idle"] == game.states()["workers"]


def test_workers_on_red_spaces_are_sacrificed_and_all_others_return() -> None:
    game = start(seat(), other(), opened=("conquest", "fish"))
    act(game, "act:conquest", "act:enslavement", "act:fish")
    assert (game.states()["workers"][0], game.states()["idle"][0]) == (4, 1)  # still owned
    act(game, "end")
    assert (game.states()["workers"][0], game.states()["idle"][0]) == (2, 2)
    game = start(seat(workers=1), other())
    assert act(game, "act:enslavement").states()["workers"][0] == 0


def test_scythia_and_chariots_keep_the_workers_of_conquest_but_not_of_other_red_actions() -> None:
    for me, innovation in (
        (seat(main=25), False),
        (seat(technologies=[22, 23], special=7), True),
    ):
        game = start(me, other(), opened=("conquest",), variants={"innovation": innovation})
        act(game, "act:conquest", "act:enslavement", "end")
        assert game.states()["workers"][0] == 3
    game = start(heir(25), other(), opened=("conquest",))
    assert act(game, "act:conquest", "end").states()["workers"][0] == 3


def test_safety_is_asked_before_any_worker_is_sacrificed() -> None:
    safe = tuple(Effect("safe", action=a, need="workers", low=4) for a in ("conquest", "enslavement"))
    data = with_civilization(25, main=safe)
    game = start(seat(main=25), other(), opened=("conquest",), data=data)
    assert act(game, "act:conquest", "act:enslavement", "end").states()["workers"][0] == 4
    game = start(seat(main=25, workers=3), other(), opened=("conquest",), data=data)
    assert act(game, "act:conquest", "act:enslavement", "end").states()["workers"][0] == 1


def test_others_may_lose_or_gain_coins_when_a_seat_rests() -> None:
    data = with_civilization(46, main=(Effect("others_coins", "rest", n=-2, per="workers", div=2),))
    game = act(start(seat(main=46), other(coins=3), data=data), "rest")
    assert game.states()["coins"] == [24, 0]  # 2 coins, and 2 of its inherited ability


# -------------------------------------------------------------------- the end of the turn


def at_end(*seats: Table, **more: Any) -> Game:
    """At the end of the turn of seat 0, which rests."""
    game = start(*seats, **more)
    return act(game, "rest") if game.decision is not None and asked(game) == (0, "action") else game


@pytest.mark.parametrize(
    ("me", "gained"),
    [
        (seat(main=2, technologies=[1, 4, 7]), (1, 0)),  # Arabia
        (seat(main=2, technologies=[1, 4, 7, 8]), (2, 0)),
        (seat(main=11, points=6), (0, 0)),  # Great Britain
        (seat(main=11, points=15), (0, 2)),
        (seat(main=26), (1, 0)),  # Slavs
        (seat(main=38), (0, 1)),  # Japan
        (seat(main=42), (0, 1)),  # Celts
        (seat(main=42, technologies=[7]), (0, 0)),
        (seat(technologies=[4, 5]), (1, 0)),  # Currency
        (seat(technologies=[16], special=4), (1, 0)),  # Pottery
        (seat(technologies=[12, 13], special=2), (0, 1)),  # Mysticism only
        (seat(technologies=[12, 13], special=2, wonders=[1]), (0, 2)),  # Theology
        (seat(technologies=[26, 27], special=9), (0, 1)),  # Chivalry
        (seat(wonders=[12]), (1, 0)),  # Petra
    ],
)
def test_compulsory_effects_at_the_end_of_the_turn_are_done_once(me: Table, gained: tuple[int, int]) -> None:
    game = at_end(me, other(), variants={"innovation": me["special"] is not None})
    assert asked(game) == (1, "civilization")
    assert change((me["coins"] + 2, me["points"]), holdings(game)[:2]) == gained


@pytest.mark.parametrize("me", [seat(main=26), seat(main=38), seat(technologies=[26, 27], special=9)])
def test_what_needs_the_greatest_force_is_done_without_effect_by_the_others(me: Table) -> None:
    strong = other(technologies=[7, 8, 9])
    game = at_end(me, strong, variants={"innovation": me["special"] is not None})
    assert asked(game) == (1, "civilization")
    assert holdings(game) == (22, 0, 4)


def test_germania_takes_a_coin_from_every_other_seat_at_the_end_of_its_turn() -> None:
    game = at_end(seat(main=31), other(coins=0), other(civilizations=[1]))
    assert game.states()["coins"] == [22, 0, 19]


def test_effects_at_the_end_of_the_turn_are_done_in_the_last_round_too_and_not_in_those_of_others() -> None:
    game = start(seat(main=2, technologies=[1, 4]), other(), round_=6, first=1)
    assert asked(game) == (0, "action")
    assert act(game, "rest").over
    assert holdings(game)[0] == 23
    game = start(other(), seat(main=2, technologies=[1, 4]))
    assert act(game, "rest").states()["coins"][1] == 20


def test_babylon_gains_a_technology_at_the_end_of_its_turn() -> None:
    game = at_end(seat(main=8), other())
    assert (asked(game), legal(game)) == ((0, "technology"), ["tech:1", "tech:4", "tech:7"])
    act(game, "tech:7")
    assert game.states()["technologies"][0] == [7]
    assert (holdings(game)[1], asked(game)) == (0, (1, "civilization"))


def test_an_ability_gained_at_the_end_of_the_turn_is_still_done_in_it() -> None:
    game = at_end(seat(main=8, technologies=[4]), other())
    act(game, "tech:5")  # Currency [R5]
    assert holdings(game) == (23, 0, 4)
    game = at_end(seat(main=8, technologies=[1]), other())
    act(game, "tech:2")  # Education
    assert (asked(game), legal(game)) == ((0, "turn_end"), ["end", "tech:2"])


def test_the_order_of_the_abilities_is_the_seats_choice() -> None:
    """Great Britain counts the point of Theology, if that is done first."""
    me = seat(main=11, technologies=[10, 11], special=1, wonders=[12], points=6)
    data = with_technology(10, Effect("points", "turn_end", n=1))
    variants = {"innovation": True}
    game = at_end(me, other(), data=data, variants=variants)
    assert (asked(game), legal(game)) == ((0, "turn_end"), ["main", "tech:10", "wonder:12"])
    act(game, "tech:10")
    assert legal(game) == ["main", "wonder:12"]
    assert act(game, "main").states()["points"][0] == 8
    game = at_end(me, other(), data=data, variants=variants)
    assert act(game, "main", "wonder:12").states()["points"][0] == 7


def test_an_inherited_ability_may_be_done_at_the_end_of_the_turn() -> None:
    data = with_civilization(
        33, inherited=(Effect("workers", "turn_end", n=2), Effect("coins", "turn_end", n=1))
    )
    game = at_end(heir(33, workers=0, wonders=[12]), other(), data=data)
    assert legal(game) == ["heritage:33", "wonder:12"]
    act(game, "heritage:33")
    assert (holdings(game), game.states()["idle"][0]) == ((24, 0, 3), 3)


def test_end_is_legal_only_when_nothing_compulsory_is_left() -> None:
    me = seat(technologies=[1, 2], wonders=[12])
    game = at_end(me, other())
    assert legal(game) == ["tech:2", "wonder:12"]
    act(game, "wonder:12")
    assert legal(game) == ["end", "tech:2"]
    assert asked(act(game, "end")) == (1, "civilization")
    game = at_end(me, other())
    assert asked(act(game, "tech:2")) == (1, "civilization")  # what is compulsory is then forced
    assert holdings(game) == (19, 3, 4)


def test_an_optional_ability_may_become_usable_after_another_one() -> None:
    me = seat(technologies=[1, 2], wonders=[12], coins=1)
    game = at_end(me, other())  # 3 coins; Petra gives the fourth
    assert (asked(game), legal(game)) == ((0, "turn_end"), ["end", "tech:2"])
    assert holdings(game)[0] == 4
    assert asked(at_end({**me, "coins": 0}, other())) == (1, "civilization")


def test_education_performs_culture_at_its_price_without_space_and_worker() -> None:
    game = at_end(seat(technologies=[1, 2]), other(), opened=("culture",))
    act(game, "tech:2")
    assert holdings(game) == (18, 3, 4)  # Writing adds a point
    assert asked(game) == (1, "civilization")
    game = start(seat(technologies=[1, 2]), other(), opened=("culture",))
    act(game, "act:culture", "end", "tech:2")
    assert holdings(game) == (12, 6, 4)


def test_educations_culture_gets_every_discount_but_that_of_harappa() -> None:
    for me, price in (
        (heir(14, technologies=[1, 2]), 4),  # [R11]
        (seat(main=4, technologies=[1, 2]), 1),  # India: 2 less, and a coin back
        (seat(main=41, technologies=[1, 2]), 3),
    ):
        game = at_end(me, other())
        assert 22 - act(game, "tech:2").states()["coins"][0] == price
    game = start(heir(14, technologies=[1, 2], coins=1), other())
    assert asked(act(game, "rest")) == (1, "civilization")  # 3 coins would do on a space


def test_research_performed_at_the_end_of_the_turn_asks_for_the_technology() -> None:
    data = with_technology(1, Effect("perform", "turn_end", what="research"))
    me = seat(main=14, technologies=[1], coins=1)  # Harappa: 1 less for row 1
    game = at_end(me, other(), data=data)
    assert legal(game) == ["end", "tech:1"]
    act(game, "tech:1")
    assert (asked(game), legal(game)) == ((0, "technology"), ["tech:4", "tech:7"])
    assert game.states()["coins"][0] == 3
    act(game, "tech:7")
    assert holdings(game) == (0, 1, 4)


def test_phoenicia_may_pay_two_coins_onto_a_card_of_the_market_for_two_points() -> None:
    game = at_end(seat(main=21), other(), market=[[3, 0], [9, 4]], deck=[])
    assert (asked(game), legal(game)) == ((0, "turn_end"), ["end", "main"])
    act(game, "main")
    assert (asked(game), legal(game)) == ((0, "deposit"), ["card:3", "card:9"])
    assert holdings(game) == (22, 0, 4)
    act(game, "card:9")
    assert holdings(game) == (20, 2, 4)
    assert game.states()["market"] == {"3": 0, "9": 6}
    assert act(game, "annex:9").states()["coins"][1] == 26  # they are bonus coins


def test_a_deposit_needs_coins_and_a_card_in_the_market() -> None:
    assert asked(at_end(seat(main=21), other(), market=[])) == (1, "action")
    game = start(seat(main=21, coins=1), other(), opened=("culture",))
    assert asked(act(game, "act:enslavement", "end"))[1] == "turn_end"
    game = start(seat(main=21, coins=4), other(), opened=("culture",))
    assert asked(act(game, "act:culture", "end")) == (1, "civilization")
    assert asked(at_end(heir(21), other())) == (1, "civilization")  # not its inherited ability
    game = at_end(seat(main=21, coins=0), other(), market=[[3, 0]])
    act(game, "main")  # two coins are enough, and one card is not asked for
    assert (holdings(game), game.states()["market"]) == ((0, 2, 4), {"3": 2})


def test_an_optional_ability_is_usable_only_while_its_need_holds() -> None:
    data = with_technology(1, Effect("perform", "turn_end", what="culture", need="wonders"))
    assert asked(at_end(seat(technologies=[1]), other(), data=data)) == (1, "civilization")
    assert legal(at_end(seat(technologies=[1], wonders=[1]), other(), data=data)) == ["end", "tech:1"]


def test_the_end_of_every_turn_does_its_abilities_anew() -> None:
    game = start(seat(wonders=[12]), other(), round_=3)
    for coins in (23, 26):
        act(game, "rest")
        assert holdings(game)[0] == coins
        while asked(game) != (0, "action"):
            act(game, "pass" if "pass" in legal(game) else "rest")


def test_a_wonder_gained_at_the_end_of_the_turn_is_done_if_it_has_an_end_of_turn() -> None:
    data = with_civilization(33, main=(Effect("wonder", "turn_end", n=2),))
    game = at_end(seat(main=33), other(), data=data, wonder_market=[1, 2, 12])
    act(game, "wonder:12", "wonder:1")
    assert game.states()["wonders"][0] == [1, 12]
    assert holdings(game) == (23, 0, 4)
    game = at_end(seat(main=33), other(), data=data, wonder_market=[12])
    assert holdings(game) == (23, 0, 4)  # only one is left; nothing is asked


# -------------------------------------------------------------------- amounts and needs (RULES 8)


def test_an_amount_is_n_times_the_rounded_count_and_at_most_its_cap() -> None:
    state = start(seat(coins=7), other()).state
    assert amount(state, 0, Effect("coins", n=2)) == 2
    assert amount(state, 0, Effect("coins", n=3, per="coins", div=2)) == 9
    assert amount(state, 0, Effect("coins", n=3, per="coins", div=2, cap=8)) == 8
    assert amount(state, 0, Effect("coins", n=3, per="coins", div=8)) == 0
    assert amount(state, 0, Effect("others_coins", n=-2, per="coins", div=3)) == -4


@pytest.mark.parametrize(
    ("low", "high", "coins"),
    [
        (None, None, {1, 2, 3, 4}),
        (None, 2, {0, 1, 2}),
        (2, None, {2, 3, 4}),
        (2, 3, {2, 3}),
        (0, None, {0, 1, 2, 3, 4}),
        (None, 0, {0}),
        (3, 2, set()),
    ],
)
def test_a_need_holds_between_its_bounds(low: int | None, high: int | None, coins: set[int]) -> None:
    data = with_civilization(33, main=(Effect("force", n=1, need="coins", low=low, high=high),))
    found = {c for c in range(5) if force(start(seat(main=33, coins=c), other(), data=data).state, 0)}
    assert found == coins


def test_every_count_counts_what_the_table_says() -> None:
    me = heir(20, technologies=[1, 2, 3, 7], wonders=[1, 2], coins=6, points=9, workers=3)
    state = start(me, other()).state
    expected = {
        "flat": 1,
        "technologies": 4,
        "row_1": 2,
        "row_2": 1,
        "row_3": 1,
        "columns": 2,
        "full_columns": 1,
        "wonders": 2,
        "civilizations": 2,
        "workers": 3,
        "coins": 6,
        "points": 9,
        "force": 3,
        "strongest": 1,
        "future": 3,
        "bonus": 0,
    }
    assert {what: count(state, 0, what) for what in expected} == expected


# -------------------------------------------------------------------- technologies (RULES 9)


def options(technologies: list[int], special: int | None = None) -> list[int]:
    me = seat(technologies=technologies, special=special)
    return available(start(me, other(), variants={"innovation": True}).state, 0)


def test_arrows_make_a_technology_available_if_one_of_its_roots_is_there() -> None:
    assert options([]) == [1, 4, 7]
    assert options([1]) == [2, 4, 7]
    assert options([1, 2]) == [3, 4, 6, 7]  # Engineering by Education, without Navigation
    assert options([4, 5]) == [1, 3, 6, 7, 9]
    assert options([7, 8]) == [1, 4, 6, 9]
    assert options(list(range(1, 10))) == []


def test_a_special_card_covers_rows_one_and_two_and_keeps_row_three() -> None:
    assert on_card(DATA, None) == list(range(1, 10))
    assert on_card(DATA, 1) == [3, 4, 5, 6, 7, 8, 9, 10, 11]
    assert on_card(DATA, 8) == [1, 2, 3, 4, 5, 6, 9, 24, 25]
    assert options([], 4) == [1, 7, 16]
    assert options([16], 4) == [1, 7, 17]
    assert options([16, 17], 4) == [1, 3, 6, 7, 9]


def test_a_special_card_is_bought_for_a_coin_in_step_two_once() -> None:
    game = start(seat(coins=2), other(), variants={"innovation": True}, special_market=[4, 9])
    assert {"special:4", "special:9", "rest"} <= set(legal(game))
    act(game, "special:9")
    assert asked(game) == (0, "action")
    assert "rest" in legal(game) and not any(a.startswith("special") for a in legal(game))
    assert game.states()["coins"][0] == 1
    assert game.states()["special_cards"] == [9, None]
    assert game.states()["special_market"] == [4]
    act(game, "rest", "pass")
    assert "special:4" in legal(game) and "special:9" not in legal(game)


def test_a_special_card_can_be_bought_without_workers_and_after_actions() -> None:
    game = start(seat(workers=0), other(), variants={"innovation": True}, special_market=[4])
    assert legal(game) == ["rest", "special:4"]
    game = start(seat(workers=1), other(), variants={"innovation": True}, special_market=[4])
    act(game, "act:hunt")
    assert legal(game) == ["end", "special:4"]
    assert asked(act(game, "special:4")) == (1, "civilization")


def test_a_special_card_needs_a_coin_an_empty_column_and_no_other_special_card() -> None:
    for me in (
        seat(coins=0, workers=0),
        seat(technologies=[4]),
        seat(special=5),
    ):
        game = start(me, other(), variants={"innovation": True}, special_market=[4], skip=False)
        act(game, "pass")
        assert "special:4" not in legal(game) or asked(game)[0] == 1
    game = start(seat(coins=1, workers=0), other(), variants={"innovation": True}, special_market=[4])
    assert act(game, "special:4").states()["coins"][0] == 2  # its last coin, then the rest is forced
    game = start(seat(technologies=[1, 7]), other(), variants={"innovation": True}, special_market=[4, 1, 9])
    assert [a for a in legal(game) if a.startswith("special")] == ["special:4"]


# -------------------------------------------------------------------- rounds and events (RULES 5, 9)


def next_round(*seats: Table, card: str = "fish", round_: int = 2, **more: Any) -> Game:
    """The last seat of a round has its turn and rests; then the card is opened."""
    names = [
        name
        for name in ("hunt", "fish", "farm", "culture", "trade", "construction", "conquest", "plague")
        if name != card
    ]
    names.insert(round_ + 2, card)
    n = len(seats)
    game = start(*seats, round_=round_, at=n - 1, first=0, track=names, skip=False, **more)
    while game.decision is not None and game.state.round == round_:
        act(game, next(a for a in ("pass", "rest", "end", *legal(game)) if a in legal(game)))
    return game


def test_the_token_goes_counter_clockwise_and_turns_go_clockwise() -> None:
    game = start(
        other(),
        other(civilizations=[1]),
        other(civilizations=[3]),
        at=2,
        first=0,
        round_=2,
        track=list(DATA.first_game),
    )
    assert asked(act(game, "rest")) == (2, "civilization")  # [R9]
    order = []
    while game.decision is not None and game.state.round == 3:
        order.append(asked(game)[0])
        act(game, "pass", "rest")
    assert order == [2, 0, 1]
    assert (game.states()["first"], game.states()["round"]) == (1, 4)


def test_in_a_war_the_weakest_sacrifice_a_worker_each_unless_immune() -> None:
    game = next_round(
        seat(workers=3), other(workers=3, technologies=[7]), other(civilizations=[1], workers=2), card="trade"
    )
    assert game.states()["workers"] == [2, 3, 2]  # the last one has rested, then lost one
    game = next_round(seat(workers=3), other(workers=3), card="conquest")
    assert game.states()["workers"] == [2, 3]  # all are equal
    game = next_round(seat(workers=0), other(workers=3), card="construction")
    assert game.states()["workers"] == [0, 3]
    for immune in (seat(main=22, workers=3), seat(wonders=[7], workers=3)):
        assert next_round(immune, other(workers=3), card="trade").states()["workers"] == [3, 3]
    assert next_round(heir(22, workers=3), other(), card="trade", round_=3).states()["workers"][0] == 2


def test_there_is_no_war_without_its_symbol() -> None:
    for card in ("fish", "hunt", "culture", "farm"):
        assert next_round(seat(workers=3), other(), card=card).states()["workers"][0] == 3


def test_persia_and_parthia_gain_in_a_war() -> None:
    game = next_round(seat(main=20, technologies=[7, 8], workers=3), other(), card="trade")
    assert holdings(game) == (22, 0, 3)  # 5 force
    assert holdings(next_round(heir(20), other(), card="trade", round_=3))[0] == 20
    assert holdings(next_round(seat(main=48), other(), card="trade"))[:2] == (20, 2)
    assert holdings(next_round(seat(main=48), other(technologies=[7, 8]), card="trade"))[:2] == (20, 0)
    assert holdings(next_round(seat(main=48), other(), card="fish"))[:2] == (20, 0)


def test_everything_of_a_war_is_counted_before_anything_is_done() -> None:
    data = with_civilization(
        20, main=(Effect("coins", "war", n=1), Effect("points", "war", n=1, per="coins"))
    )
    immune = with_civilization(33, main=(Effect("immune", need="points", high=0),), data=data)
    immune = with_civilization(33, data=immune, inherited=(Effect("points", "war", n=1),))
    game = next_round(seat(main=20, coins=5, workers=4), other(main=33), card="trade", data=immune)
    assert holdings(game) == (6, 5, 4)
    assert holdings(game, 1)[1:] == (1, 4)  # the weakest, immune when it was counted


def test_the_plague_takes_a_worker_from_every_seat() -> None:
    game = next_round(
        seat(workers=3, main=22), other(workers=0), other(civilizations=[1], workers=4), card="plague"
    )
    assert game.states()["workers"] == [2, 0, 3]
    assert next_round(seat(workers=0), other(workers=1), card="plague").states()["workers"] == [0, 1]


def test_the_plague_card_has_no_action_and_the_first_three_cards_make_no_war() -> None:
    track = ["plague", "trade", "conquest", "hunt", "fish", "farm", "culture", "construction"]
    seats = [
        seat(civilizations=[], main=None, workers=0, coins=3),
        other(civilizations=[], workers=0, coins=3),
    ]
    game = start(*seats, round_=1, track=track, market=[[4, 0], [33, 0]], deck=[])
    act(game, "rise:33")
    assert acts(game) == {"enslavement", "trade", "conquest"}
    assert game.states()["workers"] == [3, 0]


def event_of(number: int, *seats: Table, data: Data = DATA) -> Game:
    """The event lies on the sixth card, opened after round 3, in which the last seat rests."""
    events = [number, *[e for e in (9, 1, 2) if e != number][:2]]
    return next_round(
        *seats, round_=3, card="fish", variants={"changing_world": True}, events=events, data=data
    )


def test_the_events_do_what_their_tokens_say() -> None:
    a, b = seat(coins=5, workers=2, points=1), other(coins=0, workers=4, points=1)  # b rests: 2 coins
    assert event_of(1, a, b).states()["workers"] == [3, 4]
    assert event_of(2, a, b).states()["coins"] == [7, 6]
    assert event_of(3, a, b).states()["points"] == [3, 3]  # [R8] ties, also at zero
    assert event_of(3, a, {**b, "technologies": [7]}).states()["points"] == [1, 3]
    assert event_of(4, a, b).states()["coins"] == [2, 0]
    assert event_of(5, a, b).states()["coins"] == [2, 2]
    assert event_of(5, {**a, "coins": 2}, b).states()["coins"] == [0, 0]
    assert event_of(6, {**a, "wonders": [1]}, b).states()["points"] == [3, 1]
    assert event_of(7, a, {**b, "workers": 0}).states()["workers"] == [1, 0]
    assert event_of(8, a, {**b, "technologies": [7]}).states()["coins"] == [2, 2]
    assert event_of(8, a, b).states()["coins"] == [2, 0]
    assert event_of(9, a, b).states()["coins"] == [5, 2]


def test_events_lie_on_the_last_three_cards_and_come_before_war_and_plague() -> None:
    for round_ in (2, 3, 4, 5):
        game = next_round(
            seat(coins=9),
            other(),
            round_=round_,
            card="fish",
            events=[4, 9, 2],
            variants={"changing_world": True},
        )
        assert game.states()["coins"][0] == {2: 9, 3: 6, 4: 9, 5: 13}[round_]
    for card, coins in (("plague", 8), ("trade", 8)):
        game = next_round(
            seat(coins=4), other(), round_=3, card=card, events=[2, 9, 4], variants={"changing_world": True}
        )
        assert (game.states()["coins"][0], game.states()["workers"][0]) == (coins, 3)


def test_the_effects_of_an_event_are_counted_for_all_seats_before_any_of_them() -> None:
    events = (
        EventEffect("least", "points", 1, of="points", per="civilizations"),
        EventEffect("most", "coins", -1, of="points", per="workers"),
        EventEffect("least", "workers", -2, of="strongest"),
    )
    game = event_of(
        9, seat(points=1, coins=9, workers=3), other(points=2, technologies=[7]), data=with_event(9, *events)
    )
    shown = game.states()
    assert (shown["points"], shown["coins"], shown["workers"]) == ([2, 2], [6, 18], [1, 4])


# -------------------------------------------------------------------- the draft (RULES 9)


def drafted(players: int = 3, seed: int = 1) -> tuple[Game, Table]:
    config = {"players": players, "draft": True}
    deal = random_deal(config, random.Random(seed))
    return Game(config, deal=deal), deal


def test_in_a_draft_every_seat_keeps_five_cards_and_passes_the_rest_to_the_left() -> None:
    game, deal = drafted()
    packs = [list(pack) for pack in deal["packs"]]
    hands: list[list[int]] = [[], [], []]
    for _ in range(5):
        for i in range(3):
            s = (deal["first"] + i) % 3
            assert asked(game) == (s, "draft")
            assert legal(game) == sorted(f"card:{card}" for card in packs[s])
            assert game.states()["market"] == {}
            hands[s].append(packs[s].pop(1))
            act(game, f"card:{hands[s][-1]}")
        packs = [packs[2], packs[0], packs[1]]
    left = [card for pack in packs for card in pack]
    assert game.states()["market"] == {str(card): 0 for card in sorted(left)}
    assert len(left) == 6
    first = deal["first"]
    assert asked(game) == (first, "civilization")
    assert legal(game) == sorted(f"rise:{card}" for card in left + hands[first])
    act(game, f"rise:{hands[first][0]}")
    assert game.states()["coins"][first] == 3 + (4 if hands[first][0] == 32 else 0)  # no bonus
    assert len(game.states()["market"]) == 6 and game.state.seats[first].hand == hands[first][1:]


def test_with_draft_the_bonus_is_two_more_but_for_the_first_civilization() -> None:
    draft = {"draft": True}
    for answer, coins in (("rise:33", 23), ("annex:33", 23), ("rise:40", 22), ("annex:40", 22)):
        game = start(seat(hand=[40, 41]), other(), market=[[33, 1], [5, 0]], variants=draft, skip=False)
        assert {"rise:41", "annex:41", "rise:5", "pass"} <= set(legal(game))
        act(game, answer)
        assert game.states()["coins"][0] == coins
        assert game.states()["market"] in ({"5": 0}, {"5": 0, "33": 1})
    nobody = seat(civilizations=[], main=None, hand=[40])
    game = start(nobody, {**nobody, "hand": [41]}, round_=1, market=[[33, 1]], variants=draft)
    assert act(game, "rise:33").states()["coins"][0] == 21
    game = start(nobody, {**nobody, "hand": [41]}, round_=1, market=[[33, 1]], variants=draft)
    assert act(game, "rise:40").states()["coins"][0] == 20


def test_with_draft_carthage_and_iberia_use_the_sum() -> None:
    draft = {"draft": True}
    game = start(seat(hand=[10]), other(), variants=draft, skip=False)
    assert act(game, "rise:10").states()["coins"][0] == 26
    game = start(seat(hand=[15]), other(), variants=draft, skip=False)
    act(game, "rise:15")
    assert asked(game) == (0, "technology")
    assert asked(act(game, "tech:1")) == (0, "action")


def test_hands_stay_for_a_seat_with_an_empty_market() -> None:
    game = start(seat(hand=[40]), other(), market=[], variants={"draft": True}, skip=False)
    assert legal(game) == ["annex:40", "pass", "rise:40"]


# -------------------------------------------------------------------- the end of the game (RULES 10)


def test_the_score_has_three_parts() -> None:
    me = heir(12, points=10, technologies=[1, 7], wonders=[1, 10], workers=2)
    result = result_of(me, other(civilizations=[1], points=3))
    assert result["course"] == [10, 3]
    assert result["wonders"] == [6, 0]  # the points of the end are not counted by Taj Mahal
    assert result["legacy"] == [3, 0]  # Korea 1, China 2
    assert result["score"] == [19, 3]
    assert result["winners"] == [0]


def test_ties_go_to_more_workers_then_to_more_coins_then_are_shared() -> None:
    def winners(*tables: Table) -> list[int]:
        plain = [{**t, "civilizations": [c], "main": c} for t, c in zip(tables, (11, 33, 40), strict=False)]
        found = result_of(*plain)["winners"]
        assert isinstance(found, list)
        return found

    assert winners(seat(points=5, workers=1), seat(points=4), seat(points=3)) == [0]
    assert winners(seat(points=5, workers=1), seat(points=5, workers=2, coins=0), seat()) == [1]
    assert winners(seat(points=5, coins=9), seat(points=5, coins=8), seat(points=5, coins=9)) == [0, 2]


def test_the_game_ends_after_the_last_turn_of_round_six_without_another_end_of_round() -> None:
    game = start(seat(), other(workers=4), round_=6, at=1, first=0)
    act(game, "rest")
    assert game.over
    assert game.states()["round"] == 6
    assert game.states()["first"] == 0
    with pytest.raises(IllegalAction):
        game.act("rest")


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    game = start(seat(), other())
    before = game.states()
    for text in ("end", "act:culture", "rise:1", "", "tech:1"):
        with pytest.raises(IllegalAction):
            game.act(text)
    assert game.states() == before
    with pytest.raises(ValueError):
        game.result()
    with pytest.raises(ValueError):
        Game({}, deal=None, position=None)


# -------------------------------------------------------------------- solo (RULES 12)


def test_in_solo_the_market_gets_coins_and_a_card_only_at_the_end_of_a_round() -> None:
    game = start(seat(), market=[[33, 2], [5, 0]], deck=[40, 41], skip=False)
    act(game, "annex:33")
    assert game.states()["market"] == {"5": 0}
    finish_turn(game)
    assert (game.states()["round"], game.states()["market"]) == (4, {"5": 1, "40": 0})


def test_a_whole_solo_deck_comes_into_play() -> None:
    deal = random_deal({"players": 1}, random.Random(4))
    game = play_out(Game({"players": 1}, deal=deal))
    assert game.state.deck == []
    assert len(game.states()["market"]) == 9  # ten, one has risen
    assert game.result()["winners"] == []


def test_the_virtual_opponent_has_a_force_of_one_less_than_the_round() -> None:
    for round_, strongest, weakest in ((1, True, False), (2, True, True), (3, False, True)):
        game = start(
            heir(technologies=[7]) if round_ > 1 else seat(technologies=[7], civilizations=[]), round_=round_
        )
        assert (is_strongest(game.state, 0), is_weakest(game.state, 0)) == (strongest, weakest)
    game = start(seat(technologies=[7]), opened=("conquest",), round_=2)
    assert act(game, "act:conquest").states()["points"][0] == 2
    game = start(seat(technologies=[7, 8], wonders=[14]), round_=6)
    assert final_result(game.state)["wonders"] == [0]
    game = start(seat(technologies=[7, 8, 9], wonders=[14]), round_=6)
    assert final_result(game.state)["wonders"] == [5]


def test_a_solo_war_compares_with_the_force_of_the_new_round() -> None:
    track = ["hunt", "fish", "farm", "culture", "plague", "trade", "construction", "conquest"]
    for techs, workers in (([7, 8], 3), ([7, 8, 9], 4)):  # 3 is a tie in round 4
        game = start(seat(technologies=techs), track=track, round_=3)
        finish_turn(game)
        assert (game.states()["round"], game.states()["workers"][0]) == (4, workers)
    game = start(seat(workers=4), track=track, round_=2)
    assert finish_turn(game).states()["workers"][0] == 3  # the Plague


def test_in_solo_nobody_else_gains_or_is_forbidden_anything() -> None:
    game = start(seat(), opened=("trade",))
    assert act(game, "act:trade").states()["coins"] == [22]


def test_solo_lists_the_achievements() -> None:
    def reached(**has: Any) -> list[int]:
        found = result_of(seat(**{"civilizations": [11], **has}))["achievements"]
        assert isinstance(found, list)
        return found

    assert reached(points=19, technologies=[1]) == []
    assert reached(points=20, technologies=[1]) == [1]
    assert reached(points=29, technologies=[1]) == [1, 2]
    assert reached(points=30, technologies=[1]) == [1, 2, 3]
    assert reached(points=35, technologies=[1]) == [1, 2, 3, 4]
    assert reached(points=24, technologies=list(range(1, 10))) == [1]
    assert reached(points=25, technologies=list(range(1, 10))) == [1, 2, 5]
    assert reached(points=25) == [1, 2, 6]
    assert reached(points=16, technologies=[1], wonders=[1, 7, 12, 13]) == [1, 2, 3, 7]
    strong = {"civilizations": [5, 20, 36], "main": 36, "technologies": [7, 8, 1]}
    assert force(start(seat(**strong), round_=6).state, 0) == 8
    assert reached(points=25, **strong) == [1, 2]
    assert reached(points=25, **{**strong, "technologies": [7, 8, 9]}) == [1, 2, 8]


# -------------------------------------------------------------------- positions (PROTOCOL 4)


POSITION: Table = {
    "round": 4,
    "first": 1,
    "seat": 2,
    "track": CARDS,
    "coins": [1, 2, 99],
    "points": [0, 5, 99],
    "workers": [0, 4, 2],
    "main": [3, 1, 9],
    "civilizations": [[3, 2], [1], [7, 8, 9]],
    "technologies": [[], [7, 8], [4]],
    "wonders": [[1], [], [2, 3]],
    "market": [[20, 0], [21, 99]],
    "deck": [40, 41],
    "wonder_market": [9],
    "special_market": [1],
    "special_cards": [2, None, 3],
    "events": [9, 2, 3],
    "hands": [[], [], []],
}
VARIANTS = {"players": 3, "innovation": True, "changing_world": True}
FIRST_ROUND = {
    **POSITION,
    "round": 1,
    "first": 0,
    "seat": 1,
    "main": [3, None, None],
    "civilizations": [[3], [], []],
    "technologies": [[], [], []],
}


def test_the_example_of_a_position_is_accepted_and_begins_with_step_one() -> None:
    assert check_position(VARIANTS, POSITION) == []
    game = Game(VARIANTS, position=POSITION)
    assert asked(game) == (2, "action")  # it has three civilizations
    shown = game.states()
    assert shown["coins"] == [1, 2, 99] and shown["civilizations"][0] == [2, 3]
    assert shown["market"] == {"20": 0, "21": 99} and shown["first"] == 1
    assert check_position(VARIANTS, FIRST_ROUND) == []


def test_the_turns_had_follow_from_round_first_and_seat() -> None:
    assert turns_had(3, {"round": 4, "first": 1, "seat": 2}) == [3, 4, 3]
    assert turns_had(3, {"round": 1, "first": 2, "seat": 1}) == [1, 0, 1]
    assert turns_had(4, {"round": 2, "first": 3, "seat": 3}) == [1, 1, 1, 1]


def test_the_keys_from_deck_on_may_be_left_out() -> None:
    config = {"players": 3}
    short = dict(list(POSITION.items())[:12])
    assert check_position(config, short) == []
    full = full_position(config, short)
    assert full["special_cards"] == [None] * 3 and full["hands"] == [[], [], []] and full["events"] is None
    assert full["deck"] == full["wonder_market"] == full["special_market"] == []
    trace = record_game(config, position=short, rng=random.Random(1))
    assert "seed" not in trace and trace["position"] == full
    assert verify_trace(trace) == []
    assert verify_trace({**trace, "position": short}) == []


@pytest.mark.parametrize(
    ("change_to", "says"),
    [
        ({"hand": []}, "unknown key hand"),
        ({"round": 0}, r"round = 0: allowed 1\.\.6"),
        ({"round": 7}, "round = 7"),
        ({"round": True}, "round = True"),
        ({"round": 4.0}, r"round = 4\.0"),
        ({"first": 3}, r"first = 3: allowed 0\.\.2"),
        ({"seat": -1}, "seat = -1"),
        ({"coins": [1, 2, 100]}, r"coins\[2\] = 100: allowed 0\.\.99"),
        ({"coins": [1, 2]}, "coins = "),
        ({"coins": None}, "coins = "),
        ({"points": [0, -1, 0]}, r"points\[1\] = -1"),
        ({"workers": [0, 5, 0]}, r"workers\[1\] = 5: allowed 0\.\.4"),
        ({"market": [[20, 0], [21, 100]]}, "market: "),
        ({"market": [[20, 0], [49, 1]]}, "market: "),
        ({"market": [20, 21]}, "market: "),
        ({"market": {"20": 1}}, "market = "),
        ({"main": [3, 1, 0]}, r"main\[2\] = 0"),
        ({"civilizations": [[3, 2], [1], [7, 8, 49]]}, r"civilizations\[2\]"),
        ({"civilizations": [[3, 2], [1], 7]}, r"civilizations\[2\] = 7"),
        ({"technologies": [[], [7, 8], [28]]}, r"technologies\[2\]"),
        ({"wonders": [[1], [], [16]]}, r"wonders\[2\]"),
        ({"wonder_market": [0]}, "wonder_market"),
        ({"special_market": [10]}, "special_market"),
        ({"special_cards": [2, 0, None]}, r"special_cards\[1\] = 0"),
        ({"deck": None}, "deck = None"),
        ({"deck": [40, 40]}, "civilization 40 is in two places"),
        ({"deck": [20]}, "civilization 20 is in two places"),
        ({"deck": [3]}, "civilization 3 is in two places"),
        ({"market": [[20, 0], [20, 1]]}, "civilization 20 is in two places"),
        ({"civilizations": [[3, 3], [1], [7, 8, 9]]}, "civilization 3 is in two places"),
        ({"civilizations": [[3, 1], [1], [7, 8, 9]]}, "civilization 1 is in two places"),
        ({"wonder_market": [1]}, "wonder 1 is in two places"),
        ({"wonders": [[1], [1], []]}, "wonder 1 is in two places"),
        ({"special_market": [2]}, "special card 2 is in two places"),
        ({"special_cards": [2, 2, None]}, "special card 2 is in two places"),
        ({"track": CARDS[:7]}, "track = "),
        ({"track": [*CARDS[:7], "hunt"]}, "track = "),
        ({"track": 7}, "track = "),
        ({"civilizations": [[3, 2], [1, 4, 5, 6], [7, 8, 9]]}, r"civilizations\[1\].*at most 3"),
        ({"round": 2, "civilizations": [[3], [1], [7, 9]]}, r"civilizations\[2\].*at most 1"),
        (
            {"civilizations": [[3, 2], [], [7, 8, 9]], "main": [3, None, 9]},
            r"civilizations\[1\].*at least one",
        ),
        (
            {"round": 1, "civilizations": [[], [], []], "main": [None] * 3},
            r"civilizations\[1\].*after 1 turns",
        ),
        ({"main": [3, 2, 9]}, r"main\[1\] = 2"),
        ({"main": [3, None, 9]}, r"main\[1\] = None"),
        ({"technologies": [[], [7, 7], []]}, "7 is listed twice"),
        ({"technologies": [[1], [], []]}, "1 is not on the seat's card"),
        ({"technologies": [[], [10], []]}, "10 is not on the seat's card"),
        ({"technologies": [[], [8], []]}, "8 lacks a prerequisite"),
        ({"technologies": [[], [7, 9], []]}, "9 lacks a prerequisite"),
        ({"events": None}, "events = None"),
        ({"events": [1, 2]}, "events = "),
        ({"events": [1, 2, 2]}, "events = "),
        ({"events": [1, 2, 10]}, "events = "),
        ({"hands": [[30], [], []]}, "hands = .*without draft"),
        ({"hands": [[], []]}, "hands = "),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_the_reason(change_to: Table, says: str) -> None:
    made = {**POSITION, **change_to}
    with pytest.raises(ValueError, match=says):
        Game(VARIANTS, position=made)
    assert check_position(VARIANTS, made)


@pytest.mark.parametrize("key", list(POSITION)[:12])
def test_a_position_without_a_needed_key_is_refused(key: str) -> None:
    made = {k: v for k, v in POSITION.items() if k != key}
    assert check_position(VARIANTS, made) == [f"position: the key {key} is missing"]


def test_positions_must_fit_the_variants() -> None:
    def problems(config: Table, **changes: Any) -> str:
        made: Table = {
            **POSITION,
            "special_market": [],
            "special_cards": [None] * 3,
            "events": None,
            **changes,
        }
        made["technologies"] = [[], [7], []]
        return "; ".join(check_position({"players": 3, **config}, made))

    assert problems({}) == ""
    assert "special_market" in problems({}, special_market=[1])
    assert "special_cards" in problems({}, special_cards=[None, 1, None])
    assert "events" in problems({}, events=[1, 2, 3])
    assert "deck = [40, 41]: only [] with draft" in problems({"draft": True})
    assert problems({"draft": True}, deck=[], hands=[[30], [], [10, 11, 12, 13, 14]]) == ""
    assert "more than 5" in problems({"draft": True}, deck=[], hands=[[30], [], [10, 11, 12, 13, 14, 15]])
    assert "civilization 20 is in two" in problems({"draft": True}, deck=[], hands=[[20], [], []])
    assert "first_game" in problems({"track": "first_game"})
    assert problems({"track": "first_game"}, track=list(DATA.first_game)) == ""


def test_the_market_has_a_card_for_every_seat_without_a_civilization_or_these_have_hands() -> None:
    assert check_position(VARIANTS, {**FIRST_ROUND, "market": [[20, 0]]})
    draft = {"players": 3, "draft": True, "innovation": True, "changing_world": True}
    made = {**FIRST_ROUND, "deck": [], "market": []}
    assert check_position(draft, {**made, "hands": [[], [30], []]})
    assert check_position(draft, {**made, "hands": [[], [30], [31]]}) == []
    assert "at most 0" in "; ".join(check_position(VARIANTS, {**FIRST_ROUND, "seat": 0}))


def test_a_solo_position_has_the_plague_fifth_and_none_of_the_removed_civilizations() -> None:
    track = [name for name in CARDS if name != "plague"]
    track.insert(4, "plague")
    made: Table = {
        "round": 2,
        "first": 0,
        "seat": 0,
        "track": track,
        "coins": [3],
        "points": [0],
        "workers": [3],
        "main": [1],
        "civilizations": [[1]],
        "technologies": [[]],
        "wonders": [[]],
        "market": [[2, 0]],
    }
    config = {"players": 1}
    assert check_position(config, made) == []
    assert "Plague is the fifth" in "; ".join(check_position(config, {**made, "track": CARDS}))
    for key, value in (("market", [[10, 0]]), ("deck", [30]), ("civilizations", [[1, 15]])):
        assert "removed in solo" in "; ".join(check_position(config, {**made, "round": 3, key: value}))


def test_random_positions_are_valid_and_varied() -> None:
    seen: Counter[str] = Counter()
    for seed in range(2 * len(MODES)):
        rng = random.Random(seed)
        config = config_of_mode(list(MODES)[seed % len(MODES)], rng)
        made = random_position(config, rng)
        assert check_position(config, made) == []
        full = full_position(config, made)
        seen[f"round {full['round']}"] += 1
        seen["short"] += len(made) < len(full)
        seen["within a round"] += full["first"] != full["seat"]
        seen["no civilization"] += None in full["main"]
        seen["three civilizations"] += any(len(own) == 3 for own in full["civilizations"])
        seen["empty market"] += not full["market"]
        seen["empty deck"] += not full["deck"] and not config["draft"]
        seen["no worker"] += 0 in full["workers"]
        seen["all technologies"] += any(len(own) == 9 for own in full["technologies"])
        seen["special technologies"] += any(max(own, default=0) > 9 for own in full["technologies"])
        seen["a hand"] += any(full["hands"])
        seen["no wonder left"] += not full["wonder_market"]
        seen["rich"] += max(full["coins"]) > 40
    assert min(seen.values()) >= 2, seen


# -------------------------------------------------------------------- data files (RULES 14)


def files() -> dict[str, dict[str, Any]]:
    read = {}
    for name in FILES:
        with open(data_folder() / f"{name}.toml", "rb") as file:
            read[name] = tomllib.load(file)
    return read


def test_the_data_have_the_numbers_of_the_rules() -> None:
    assert (len(DATA.civilizations), len(DATA.technologies), len(DATA.wonders)) == (48, 27, 15)
    assert DATA.specials == list(range(1, 10))
    assert make_data(files()) == DATA
    table = {a.name: (a.spaces, a.workers, a.red, a.price) for a in DATA.actions.values()}
    assert table["wonder"] == (1, 1, True, 7) and table["research"] == (2, 1, False, 4)
    assert {name for name, action in DATA.actions.items() if action.red} == {
        "wonder",
        "enslavement",
        "conquest",
    }
    assert [card.name for card in DATA.cards.values() if card.action is None] == ["plague"]


Spoil = Callable[[dict[str, dict[str, Any]]], Any]


def first_effect(read: dict[str, dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = read["civilizations"]["civilization"][0]["main"][0]
    return found


@pytest.mark.parametrize(
    "spoil",
    [
        lambda read: first_effect(read).update(do="discounts"),
        lambda read: first_effect(read).update(when="gain"),
        lambda read: first_effect(read).update(when="birth"),
        lambda read: first_effect(read).update(n=0),
        lambda read: first_effect(read).update(n=True),
        lambda read: first_effect(read).update(m=1),
        lambda read: first_effect(read).update(min=1),
        lambda read: first_effect(read).update(action="sleep"),
        lambda read: first_effect(read).update(per="rows"),
        lambda read: first_effect(read).update(need="bonus"),
        lambda read: first_effect(read).update(techs=["Writing"]),
        lambda read: first_effect(read).pop("action"),
        lambda read: read["civilizations"]["civilization"][0].update(population=5),
        lambda read: read["civilizations"]["civilization"][0].update(inherited=[]),
        lambda read: read["civilizations"]["civilization"].pop(),
        lambda read: read["civilizations"]["civilization"][4]["inherited"][0].update(per="force"),
        lambda read: read["civilizations"]["civilization"][20]["main"].append(
            {"when": "turn_end", "do": "coins", "n": 1}
        ),
        lambda read: read["technologies"]["technology"][3].update(row=2),
        lambda read: read["technologies"]["technology"][10].update(column=3),
        lambda read: read["technologies"]["arrows"].append([[1, 1], [1, 3]]),
        lambda read: read["wonders"]["wonder"][0].update(effects=[]),
        lambda read: read["game"]["action"].pop(),
        lambda read: read["game"]["action"][0]["effects"][0].update(when="act"),
        lambda read: read["game"]["card"][0].update(plague=True),
        lambda read: read["game"]["card"][0].pop("action"),
        lambda read: read["game"]["first_game"].pop(),
        lambda read: read["game"]["event"][2]["effects"][0].pop("of"),
        lambda read: read["game"]["event"][2]["effects"][0].update(n=-2),
    ],
)
def test_malformed_data_are_refused(spoil: Spoil) -> None:
    read = files()
    spoil(read)
    with pytest.raises((DataError, KeyError)):
        make_data(read)


# -------------------------------------------------------------------- random games


def random_start(mode: str, seed: int, from_position: bool) -> tuple[Game, random.Random]:
    rng = random.Random(seed)
    config = config_of_mode(mode, rng)
    if from_position:
        return Game(config, position=random_position(config, rng)), rng
    return Game(config, deal=random_deal(config, rng)), rng


@pytest.mark.parametrize("from_position", [False, True])
@pytest.mark.parametrize("mode", list(MODES))
def test_random_games_in_every_mode_break_nothing(mode: str, from_position: bool) -> None:
    for number in range(2 if from_position else 1):
        game, rng = random_start(mode, number, from_position)
        policy = by_seat([rng.choice(list(POLICIES)) for _ in range(game.state.players)])
        decisions = 0
        before = game.states()
        while game.decision is not None:
            assert broken(game) == []
            assert (
                len(game.states()["market"]) == 5 or from_position or game.state.solo or game.config["draft"]
            )
            game.act(policy(game, rng))
            assert broken_between(before, game.states()) == []
            before = game.states()
            decisions += 1
        assert broken(game) == []
        assert decisions <= MOST_DECISIONS
        assert len(game.result()["score"]) == game.state.players


@pytest.mark.parametrize("name", list(POLICIES))
def test_every_policy_plays_to_the_end(name: str) -> None:
    for mode in ("players2", "players4-innovation-changing_world-draft", "solo-innovation"):
        game, rng = random_start(mode, 5, False)
        while game.decision is not None:
            game.act(POLICIES[name](game, rng))
        assert broken(game) == []


def finals(name: str) -> Table:
    """Sums over all seats of a few games in which everybody plays that way."""
    found: Counter[str] = Counter()
    for number in range(4):
        game, rng = random_start("players3-innovation", number, False)
        while game.decision is not None:
            game.act(POLICIES[name](game, rng))
        shown = game.states()
        found["force"] += sum(shown["force"])
        found["wonders"] += sum(map(len, shown["wonders"]))
        found["technologies"] += sum(map(len, shown["technologies"]))
        found["civilizations"] += sum(map(len, shown["civilizations"]))
        found["coins"] += sum(shown["coins"])
        found["workers"] += sum(shown["workers"])
    return found


def test_the_policies_reach_what_they_are_made_for() -> None:
    uniform = finals("uniform")
    assert finals("war")["force"] > finals("peace")["force"]
    assert finals("wonders")["wonders"] > uniform["wonders"]
    assert finals("science")["technologies"] > uniform["technologies"]
    assert finals("ignorance")["technologies"] < uniform["technologies"]
    assert finals("hoard")["coins"] > uniform["coins"]
    assert finals("red")["workers"] < uniform["workers"]
    assert finals("alone")["civilizations"] < uniform["civilizations"]
    assert finals("empire")["civilizations"] == 36


def test_random_games_reach_the_rare_moments() -> None:
    seen: Counter[str] = Counter()
    everything = [m for m in MODES if "innovation" in m][:8]
    cases = [
        (mode, name)
        for mode in everything
        for name in ("turn_ends", "decline", "grants", "rare_holds", "science")
    ]
    for number, (mode, name) in enumerate(cases):
        game, rng = random_start(mode, 100 + number, number % 2 == 0)
        while game.decision is not None:
            kind, options_ = game.decision.kind, legal(game)
            seen[kind] += 1
            action = POLICIES[name](game, rng)
            seen[action.split(":")[0]] += 1
            seen["declined"] += kind in ("grant", "turn_end") and action == "end"
            seen["a choice of order"] += kind == "turn_end" and "end" not in options_
            seen["no worker"] += 0 in game.states()["workers"]
            game.act(action)
    rare = ("draft", "civilization", "action", "technology", "wonder", "grant", "turn_end", "deposit")
    for what in (
        *rare,
        "declined",
        "a choice of order",
        "no worker",
        "special",
        "annex",
        "main",
        "rest",
        "pass",
    ):
        assert seen[what] > 0, (what, seen)


# -------------------------------------------------------------------- traces (PROTOCOL 3)


@pytest.mark.parametrize("from_position", [False, True])
@pytest.mark.parametrize("mode", list(MODES))
def test_what_is_recorded_is_verified_without_a_difference(mode: str, from_position: bool) -> None:
    trace = json.loads(json.dumps(record_random(mode, 11, from_position)))
    assert verify_trace(trace) == []


def test_a_recorded_game_follows_from_its_seed() -> None:
    for mode in ("any", "all_variants", "solo"):
        assert record_random(mode, 3) == record_random(mode, 3) != record_random(mode, 4)


def test_a_trace_has_the_form_of_the_protocol() -> None:
    trace = record_random("players3-innovation", 7)
    assert list(trace) == ["format", "config", "seed", "deal", "steps", "result"]
    assert trace["format"] == "age-of-civilization-trace/1"
    assert trace["config"] == {
        "players": 3,
        "innovation": True,
        "changing_world": False,
        "draft": False,
        "track": "random",
    }
    deal = trace["deal"]
    assert sorted(deal) == sorted(["first", "track", "wonders", "deck", "specials", "events", "packs"])
    assert (deal["events"], deal["packs"]) == (None, None)
    assert trace["steps"][0][:2] == [deal["first"], "civilization"]
    assert trace["steps"][0][3] == sorted(f"rise:{c}" for c in deal["deck"][:5])
    assert trace["steps"][0][4] == {
        "round": 1,
        "first": deal["first"],
        "coins": [3, 3, 3],
        "points": [0, 0, 0],
        "workers": [0, 0, 0],
        "idle": [0, 0, 0],
        "force": [0, 0, 0],
        "main": [None, None, None],
        "civilizations": [[], [], []],
        "technologies": [[], [], []],
        "special_cards": [None, None, None],
        "wonders": [[], [], []],
        "market": {str(c): 0 for c in deal["deck"][:5]},
        "wonder_market": sorted(deal["wonders"]),
        "special_market": sorted(deal["specials"]),
    }
    assert sorted(trace["result"]) == sorted(
        ["course", "wonders", "legacy", "score", "workers", "coins", "winners"]
    )
    solo = record_random("solo", 7)
    assert (solo["deal"]["first"], solo["result"]["winners"]) == (0, [])
    assert solo["result"]["achievements"] == sorted(solo["result"]["achievements"])
    assert len(record_random("players3", 7, legal=False, states=False)["steps"][0]) == 3
    assert record_random("players3", 7, legal=False)["steps"][0][3] is None
    assert len(record_random("players3", 7, states=False)["steps"][0]) == 4


def test_a_trace_that_was_tampered_with_is_found_out() -> None:
    trace = record_random("players3-innovation-changing_world", 2, policy="busy")
    assert verify_trace(trace) == []

    def changed(spoil: Callable[[Table], Any]) -> list[str]:
        spoiled = copy.deepcopy(trace)
        spoil(spoiled)
        return verify_trace(spoiled)

    assert changed(lambda t: t["result"]["score"].__setitem__(0, -1))
    assert changed(lambda t: t["result"]["winners"].append(9))
    assert changed(lambda t: t["result"].__setitem__("achievements", []))
    assert changed(lambda t: t.pop("result"))
    assert changed(lambda t: t["steps"][5][3].append("end"))
    assert changed(lambda t: t["steps"][5][3].reverse())
    assert changed(lambda t: t["steps"][5].__setitem__(3, 7))
    assert changed(lambda t: t["steps"].__setitem__(5, "end"))
    assert changed(lambda t: t["steps"][30][4]["coins"].__setitem__(0, 99))
    assert changed(lambda t: t["steps"][30][4]["market"].update({"x": 1}))
    assert changed(lambda t: t["steps"][30][4].__setitem__("deck", []))
    assert changed(lambda t: t["steps"][30].__setitem__(4, None))
    assert changed(lambda t: t["steps"][7].__setitem__(1, "turn"))
    assert changed(lambda t: t["steps"][0].__setitem__(0, 3))
    assert changed(lambda t: t["steps"].pop())
    assert changed(lambda t: t["steps"].append(t["steps"][-1]))
    assert changed(lambda t: t["deal"]["deck"].pop())
    assert changed(lambda t: t["deal"]["events"].reverse())
    assert changed(lambda t: t["config"].pop("draft"))
    assert changed(lambda t: t["config"].__setitem__("players", 5))
    assert changed(lambda t: t.pop("seed"))
    assert changed(lambda t: t.pop("config"))
    assert changed(lambda t: t.__setitem__("note", "x"))
    assert changed(lambda t: t.__setitem__("format", "age-of-civilization-trace/2"))


def test_the_command_line_records_and_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(tmp_path / "games.jsonl")
    for extra in ([], ["--positions"], ["--mode", "solo", "--policy", "war", "--no-legal", "--no-states"]):
        arguments = parser().parse_args(["record", "--games", "4", "--seed", "9", "--out", out, *extra])
        assert arguments.run(arguments) == 0
        arguments = parser().parse_args(["verify", out])
        assert arguments.run(arguments) == 0
        assert "4 games, 0 with differences" in capsys.readouterr().out
    lines = Path(out).read_text(encoding="utf-8").replace('"result":{', '"result":{"more":1,')
    Path(out).write_text(lines, encoding="utf-8")
    arguments = parser().parse_args(["verify", "--show", "1", out])
    assert arguments.run(arguments) == 1
    arguments = parser().parse_args(["verify", "--data", str(tmp_path), out])
    with pytest.raises(FileNotFoundError):
        arguments.run(arguments)
