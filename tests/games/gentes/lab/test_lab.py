"""The laboratory: what is measured is what a replay by texts finds; interventions and habits do what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from games.gentes.data_maker import our_tables, write_folder

from genesia_rl.core.game import States
from genesia_rl.core.lab import lab_of
from genesia_rl.core.registry import make_game
from genesia_rl.games.gentes.data.box import load_box
from genesia_rl.games.gentes.lab.things import load_homes, load_tiles
from genesia_rl.games.gentes.names import CARDS, CITIES, CONDITIONS, HOMES, TILES
from genesia_rl.lab.items import Held
from genesia_rl.lab.numbers import Numbers, check_sets
from genesia_rl.matches.games import Games, columns
from genesia_rl.matches.play import Match, plain_match, play
from genesia_rl.players.codes import make_player

NAME = "gentes"
LAB = lab_of(NAME)
ITEMS = {items.name: items for items in LAB.items}
BOX = load_box()
PLANTED = 46  # the card of Era III that a test makes strong
CONFIGS: list[dict[str, Any]] = [
    {"players": 2},
    {"players": 4, "advanced": True},
    {"players": 3, "first_game": True},
]
ALL = {"cards": 1, "tiles": 1, "places": 1, "bonus": 1}

Array = npt.NDArray[Any]


def games_of(game: Any, number: int, **changes: int) -> Match:
    """So many games of one player on all seats, with changes."""
    seeds = np.arange(number, dtype=np.uint64)
    match = plain_match(game, seeds, np.zeros((number, game.num_seats), np.int16))
    for name, value in changes.items():
        match.interventions[name] = value
    return match


def measured(number: int, config: dict[str, Any], code: str = "random", **changes: int) -> Array:
    """The measures of some games."""
    game = make_game(NAME, **config)
    return play(game, [make_player(code, NAME)], games_of(game, number, **changes)).measures


def seen(measures: Array, seats: int) -> Games:
    """The same as analyses see them."""
    return Games({**columns(measures, seats, LAB), "block": np.arange(len(measures))}, LAB)


def played(
    config: dict[str, Any], seed: int, **changes: int
) -> tuple[list[dict[str, Any]], Any, Any, States]:
    """Every state of a game with changes and its legal actions, its measure, the game and its end; random play."""
    game = make_game(NAME, **config)
    match = games_of(game, 1, **changes)
    match.seeds[:] = seed
    match.interventions["seed"] = seed
    states, log = game.new_states(), np.zeros((1, game.facts.max_decisions), np.int32)
    which, row = np.zeros(1, np.int32), np.zeros(1, np.int64)
    kernels, rng, found = LAB.matches, np.random.default_rng(seed), []
    kernels.begin_rows(states, game.tables, which, match.seeds, match.interventions)
    while not game.is_over(states, 0):
        assert game.check_state(states, 0) == []
        legal = game.legal_actions(states, 0)
        chosen = int(rng.choice(legal))
        asked = {
            "seat": game.seat(states, 0),
            "kind": game.kind(states, 0),
            "scoring": bool(states["scoring"][0]),
            "legal": game.texts(legal),
            "action": game.action_text(chosen),
        }
        found.append(game.state_dict(states, 0) | asked)
        assert (
            kernels.play_rows(states, game.tables, which, row, np.array([chosen]), match.interventions, log)
            == -1
        )
    measures = np.zeros(1, LAB.measure)
    kernels.measure_rows(game.new_states(), game.tables, which, match.seeds, match.interventions, log,
                         *game.new_scores(), measures)  # fmt: skip
    return found, measures[0], game, states


def holders(places: dict[str, int], number: int) -> int:
    """Who has a token on a place: 1 + the seat."""
    return places.get(str(number), -1) + 1


@pytest.mark.parametrize("config", CONFIGS, ids=str)
@pytest.mark.parametrize("changes", [{}, ALL], ids=str)
def test_a_measure_is_what_a_replay_by_texts_finds(config: dict[str, Any], changes: dict[str, int]) -> None:
    for seed in range(3):
        steps, m, game, states = played(config, seed, **changes)
        end, n = game.state_dict(states, 0), game.num_seats
        assert m["totals"][:n].tolist() == game.result_dict(states, 0)["score"]
        for seat in range(n):
            acts = [step["action"] for step in steps if step["seat"] == seat and step["kind"] == "turn"]
            extras = [step["action"] for step in steps if step["seat"] == seat]
            assert m["extras"][seat] == sum(action in ("swap", "hire") for action in extras)
            assert m["turns"][seat] == sum(action not in ("swap", "hire") for action in acts)
            assert m["taxes"][seat] == sum(action.startswith("tax:") for action in acts)
            assert m["played"][seat] == len(end["played"][seat])
            assert (m["coins"][seat], m["citizens"][seat]) == (end["coins"][seat], sum(end["citizens"][seat]))
            places = (*end["cities"].values(), *end["homes"].values())
            assert m["tokens"][seat] == sum(owner == seat for owner in places)
        for number in range(1, CARDS + 1):
            held = [seat + 1 for s in steps for seat in range(n) if number in s["hands"][seat]]
            assert m["card_seat"][number] == (held[0] if held else 0)
            shown = bool(held) or any(number in s["display"] for s in steps)
            assert m["card_seen"][number] or not shown
            in_play = any(number in s["played"][seat] for s in steps if not s["scoring"] for seat in range(n))
            assert bool(m["card_round"][number]) == in_play or m["card_round"][number] == 6
        for number in range(1, TILES + 1):
            taken = [s for s in steps if s["action"] == f"tile:{number}"]
            assert m["tile_rounds"][number] == len(taken) == len({s["round"] for s in taken})
            first = [s["seat"] + 1 for s in taken if s["round"] == 1]
            assert m["tile_seat"][number] == (first[0] if first else 0)
            assert bool(m["tile_here"][number]) == BOX.tile(number).is_in(n)
        for number in range(1, CITIES + 1):
            found = [holders(s["cities"], number) for s in (*steps, end)]
            assert m["city_seat"][number] == next(filter(None, found), 0)
            assert m["city_last"][number] == found[-1]
        for number in range(1, HOMES + 1):
            found = [holders(s["homes"], number) for s in (*steps, end)]
            assert m["home_seat"][number] == next(filter(None, found), 0)
            uses = [s for s in steps if s["action"] == f"home:{number}" and s["kind"] in ("turn", "ability")]
            assert m["home_uses"][number] == len(uses)
            assert bool(m["home_here"][number]) == bool(BOX.board.symbols(BOX.home(number), n))
        scored = [int(word).bit_count() for word in states["scored"][0]]
        at_end = [
            {"cards": m["played"][k] - scored[k], "citizens": m["citizens"][k], "cities": m["tokens"][k]}
            for k in range(n)
        ]
        for number, condition in enumerate(CONDITIONS, 1):
            assert m["bonus_seat"][number] == next(iter(end["bonus"][condition]), -1) + 1
            least = next(tile.least for tile in BOX.board.bonus if tile.condition == condition)
            assert m["bonus_met"][number] == sum(having[condition] >= least for having in at_end)


def test_rounds_of_cards_are_those_in_which_they_came_into_play() -> None:
    for seed in range(4):
        steps, m, game, states = played({"players": 2}, seed)
        end = game.state_dict(states, 0)
        for before, after in zip(steps, [*steps[1:], end], strict=True):
            if after.get("scoring", True):
                continue
            for seat in range(2):
                for card in set(after["played"][seat]) - set(before["played"][seat]):
                    assert m["card_round"][card] == before["round"]


# ---------------------------------------------------------------- interventions


@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_are_drawn_by_lot_and_a_card_is_given_in_each_later_era(players: int) -> None:
    steps, m, _, _ = played({"players": players}, 5, cards=1)
    assert steps[0]["kind"] == "settle"
    for seat in range(players):
        gifts = m["card_gifts"][seat].tolist()
        assert sorted(gifts[:2]) == steps[0]["hands"][seat]
        assert [BOX.card(number).era for number in gifts] == [1, 1, 2, 3]
        for era, gift in ((2, gifts[2]), (3, gifts[3])):
            turn = next(s for s in steps if s["round"] == 2 * era - 1 and s["kind"] == "turn")
            assert gift in turn["hands"][seat]
            assert not any(gift in s["hands"][seat] for s in steps if s["round"] < turn["round"])


def test_first_hands_do_not_depend_on_who_plays() -> None:
    found = [
        measured(60, {"players": 2}, code, cards=1)["card_gifts"][:, :2, :2] for code in ("random", "greedy")
    ]
    assert np.array_equal(found[0], found[1])


def test_each_card_is_drawn_by_lot_equally_often() -> None:
    m = measured(1_500, {"players": 2}, cards=1)
    gifts = m["card_gifts"][:, :2].ravel()
    counts = np.bincount(gifts, minlength=CARDS + 1)
    assert counts[0] < 10  # when all tracks are full at the beginning of an era nobody takes a turn
    for era, quantile in ((1, 42.3), (2, 42.3), (3, 42.3)):  # 0.999 of chi-square with 18 degrees of freedom
        mine = counts[BOX.era(era)]
        expected = mine.sum() / len(mine)
        assert ((mine - expected) ** 2 / expected).sum() < quantile


def test_a_first_game_has_no_draft_to_draw() -> None:
    steps, m, _, _ = played({"players": 3, "first_game": True}, 1, cards=1)
    assert steps[0]["kind"] == "turn"
    assert [BOX.card(number).era for number in m["card_gifts"][0] if number] == [2, 3]


@pytest.mark.parametrize("config", [{"players": 2}, {"players": 4, "advanced": True}], ids=str)
def test_a_tile_that_is_kept_is_offered_to_nobody_else(config: dict[str, Any]) -> None:
    offered = 0
    for seed in range(4):
        steps, m, game, _ = played(config, seed, tiles=1)
        gifts = m["tile_gift"][: game.num_seats].tolist()
        assert len(set(gifts)) == game.num_seats
        assert all(BOX.tile(number).is_in(game.num_seats) for number in gifts)
        for s in steps:
            for seat, tile in enumerate(gifts):
                assert seat == s["seat"] or f"tile:{tile}" not in s["legal"]
            offered += f"tile:{gifts[s['seat']]}" in s["legal"]
    assert offered > 0


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_begins_with_places_of_its_own(players: int) -> None:
    for seed in range(4):
        steps, m, _, _ = played({"players": players}, seed, places=1)
        cities, homes = m["city_gift"][:players].tolist(), m["home_gift"][:players].tolist()
        assert steps[0]["cities"] == {str(city): seat for seat, city in enumerate(cities)}
        assert steps[0]["homes"] == {str(home): seat for seat, home in enumerate(homes)}
        assert steps[0]["coins"] == [20] * players and steps[0]["temple"] == [0] * players


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_begins_with_a_bonus_tile_or_its_points(players: int) -> None:
    none = 0
    for seed in range(8):
        steps, m, _, _ = played({"players": players}, seed, bonus=1)
        gifts = m["bonus_gift"][:players].tolist()
        assert [points[2] for points in steps[0]["points"]] == [8] * players
        for number, condition in enumerate(CONDITIONS, 1):
            assert steps[0]["bonus"][condition] == ([gifts.index(number)] if number in gifts else [])
        none += gifts.count(0)
    assert none == (8 if players == 4 else 0)


def test_holders_are_those_who_were_given_a_thing_and_by_the_rules_who_had_it_first() -> None:
    m = measured(40, {"players": 3}, "random", **ALL)
    games = seen(m, 3)
    for name, gift in (
        ("tiles", "tile_gift"),
        ("cities", "city_gift"),
        ("homes", "home_gift"),
        ("bonus", "bonus_gift"),
    ):
        holder = ITEMS[name].holder(games)
        assert ((holder >= 0).sum(axis=1) == 3).all()
        assert (np.take_along_axis(holder, games[gift].astype(np.int64), 1) == np.arange(3)).all()
    holder = ITEMS["cards"].holder(games)
    for place in range(4):
        cards = games["card_gifts"][:, :, place].astype(np.int64)
        assert (np.take_along_axis(holder, cards, 1) == np.arange(3)).all()
    plain = measured(40, {"players": 3})
    games = seen(plain, 3)
    for name, seat in (
        ("cards", "card_seat"),
        ("tiles", "tile_seat"),
        ("cities", "city_seat"),
        ("bonus", "bonus_seat"),
    ):
        holder, dealt = ITEMS[name].holder(games), ITEMS[name].dealt(games)
        assert np.array_equal(holder[:, 1:], plain[seat][:, 1:].astype(int) - 1)
        assert not dealt[:, 0].any() and (dealt >= (holder >= 0)).all()


def test_coins_are_handed_out_by_place_and_help() -> None:
    game = make_game(NAME, players=2)
    match = games_of(game, 60)
    match.interventions["coins"][:, 0] = 30
    m = play(game, [make_player("greedy", NAME)], match).measures
    first = np.take_along_axis(m["totals"], m["order"][:, 0].astype(int), 1)
    assert (first[:, 0] > first[:, 1]).mean() > 0.7


def test_things_are_those_of_the_number_of_players() -> None:
    assert len(load_tiles({})) == TILES and len(load_homes({})) == HOMES
    assert set(load_homes({"players": 2})) == {1, 2, 4, 6, 8, 9}
    assert set(load_tiles({"players": 2})) == {tile.number for tile in BOX.tiles if 2 in tile.players}


def test_things_have_words_that_can_name_files() -> None:
    """Where several policies play, what they agree about is kept under these words."""
    assert [items.name for items in LAB.items if not (items.name + items.one).isalnum()] == []


def test_numbers_to_tune_are_reconstructed_ones_of_things_that_are_known() -> None:
    numbers = Numbers(NAME)
    check_sets(numbers)
    tables = our_tables()
    assert len(numbers) > 200
    for number in numbers.all:
        name, entry, key = str(number.place[0]), number.place[1], number.place[2]
        assert key not in tables[number.file][name][int(entry)]["facts"], number.name
        assert number.low <= number.value <= number.high


def test_all_numbers_at_an_end_are_files_that_are_read(tmp_path: Path) -> None:
    numbers = Numbers(NAME)
    for name, values in (
        ("low", [number.low for number in numbers.all]),
        ("high", [number.high for number in numbers.all]),
    ):
        assert load_box(numbers.write(tmp_path / name, tuple(values))).card(1).name == "Treasure Chamber"


# ---------------------------------------------------------------- going without


def forbidden(what: str, state: dict[str, Any], text: str) -> bool:
    """Is an action one of those that somebody goes without?"""
    verb, _, obj = text.partition(":")
    if state["kind"] == "city":
        return verb == {"cities": "city", "homes": "home"}.get(what)
    if what == "extras":
        return verb in ("swap", "hire")
    if state["kind"] != "turn" or what in ("cities", "homes"):
        return False
    if verb == "use":
        effect = BOX.card(int(obj)).once
    elif verb == "home":
        effect = next(
            (side for side in BOX.board.rows[BOX.home(int(obj)).row - 1] if side.do == "action"), None
        )
    else:
        effect = None
    return (verb == "tile" and BOX.tile(int(obj)).action == what) or (
        effect is not None and effect.action == what
    )


@pytest.mark.parametrize("what", LAB.without)
def test_a_habit_leaves_only_what_does_without(what: str) -> None:
    game = make_game(NAME, players=3)
    habit = LAB.without[what].habit
    states, rng, narrowed = game.new_states(), np.random.default_rng(3), 0
    which, row, key = np.zeros(1, np.int32), np.zeros(1, np.int64), np.zeros(1, np.uint64)
    for seed in range(6):
        game.reset(states, 0, seed)
        while not game.is_over(states, 0):
            copy, chosen = game.new_states(), np.zeros(1, np.int64)
            LAB.matches.habit_rows(
                states, game.tables, which, row, np.array([habit], np.int16), key, copy, chosen
            )
            state = {"kind": game.kind(states, 0)}
            legal = set(game.texts(game.legal_actions(states, 0)))
            kept = {text for text in legal if not forbidden(what, state, text)} or legal
            if what in ("cities", "homes") and state["kind"] == "turn":
                kept -= {text for text in kept if leads_nowhere(game, states, what, text)}
            if len(kept) == 1:
                assert game.action_text(int(chosen[0])) in kept
            elif kept != legal:
                assert chosen[0] == -2 and set(game.texts(game.legal_actions(copy, 0))) == kept
            else:
                assert chosen[0] == -1
            narrowed += kept != legal
            game.step(states, 0, int(rng.choice(game.legal_actions(states, 0))))
    assert narrowed > 0


def leads_nowhere(game: Any, states: States, what: str, text: str) -> bool:
    """Is it a Navigator for a symbol of which all empty places are of the kind that is shunned?"""
    verb, _, obj = text.partition(":")
    symbol = ""
    if verb == "tile" and BOX.tile(int(obj)).action == "navigator":
        symbol = BOX.tile(int(obj)).symbol
    elif verb == "use" and (effect := BOX.card(int(obj)).once) is not None and effect.action == "navigator":
        symbol = effect.symbol
    if not symbol:
        return False
    state = game.state_dict(states, 0)
    wanted = [
        str(home.number) not in state["homes"] and (symbol == "any" or symbol in home.large)
        for home in BOX.board.homes
    ]
    if what == "homes":
        wanted = [
            str(city.number) not in state["cities"] and symbol in (city.symbol, "any")
            for city in BOX.board.cities
        ]
    return not any(wanted)


def test_who_goes_without_something_has_none_of_it() -> None:
    game = make_game(NAME, players=3)
    for what, lacking in (("extras", "extras"), ("chronicler", "card_round"), ("navigator", "tokens")):
        match = games_of(game, 40)
        match.habits[:, 0] = LAB.without[what].habit
        m = play(game, [make_player("random", NAME)], match).measures
        if what == "chronicler":
            assert m["played"][:, 0].mean() < m["played"][:, 1].mean()
        else:
            assert m[lacking][:, 0].mean() < 0.2 < m[lacking][:, 1].mean()


# ---------------------------------------------------------------- what is planted is found


@pytest.mark.slow
def test_a_planted_strong_card_is_found(tmp_path: Path) -> None:
    """Whoever is given a card of 60 points that needs nothing wins oftener."""
    tables = our_tables()
    planted = next(card for card in tables["cards.toml"]["card"] if card["number"] == PLANTED)
    planted |= {
        "needs": {},
        "cities": [],
        "gains": [{"do": "points", "n": 20}] * 3,
        "source": "reconstructed",
        "facts": [],
    }
    folder = write_folder(tmp_path / "planted", tables)
    m = measured(300, {"players": 2, "data": str(folder)}, "greedy", cards=1)
    held = Held(ITEMS["cards"])
    held.add(seen(m, 2))
    effects = {number: held.effect(number, 0).value for number in BOX.era(3)}
    strongest = effects.pop(PLANTED)
    assert strongest > 0.5 > max(effects.values())
