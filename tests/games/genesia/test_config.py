"""The configuration of RULES 3 and 10, its text forms, and the decks and pool that follow from it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from genesia_rl.core.errors import ConfigError, DataError
from genesia_rl.games.genesia.config import Config, load_config, parse_decks, parse_lots, parse_teams
from genesia_rl.games.genesia.data.board import board_to_toml, standard_board
from genesia_rl.games.genesia.data.cards import load_data
from genesia_rl.games.genesia.data.decks import age_deck, age_promos, objective_pool
from genesia_rl.games.genesia.data.reading import PACKAGE_DATA
from genesia_rl.games.genesia.names import COLOURS, SOLO_LEVELS

DATA = load_data()
FIELDS = [
    "players", "lots", "decks", "promos", "objectives", "extra_objectives", "objective_pool",
    "attack_recruiting", "teams", "solo_level",
]  # fmt: skip
# Two players: a whole blue lot and, with it, yellow cards, promo cards, green ones.
DECKS = [
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    [36, 35, 34, 33, 32, 31, 94, 95, 96, 37, 39, 40],
    [61, 62, 63, 64, 65, 66, 73, 74, 75, 76, 77, 78],
]


def refusal(**fields: object) -> str:
    """The error that a configuration is refused with; always one line."""
    with pytest.raises(ConfigError) as caught:
        Config.make(**fields)
    assert "\n" not in str(caught.value)
    assert "allowed" in str(caught.value)
    return str(caught.value)


# ---------------------------------------------------------------- defaults


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_defaults_are_those_of_section_3(players: int) -> None:
    assert Config.make(players=players).to_dict() == {
        "players": players,
        "lots": [list(COLOURS[:players])] * 3,
        "decks": None,
        "promos": False,
        "objectives": True,
        "extra_objectives": False,
        "objective_pool": "lots",
        "attack_recruiting": False,
        "teams": None,
        "solo_level": "beginner",
    }


def test_without_any_field_two_players_play() -> None:
    config = Config.make()
    assert (config.players, config.seats, config.continents, config.is_solo) == (2, 2, 2, False)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_player_has_a_seat_and_a_continent(players: int) -> None:
    config = Config.make(players=players)
    assert config.seats == config.continents == players


@pytest.mark.parametrize("field", [*FIELDS, "data"])
def test_none_stands_for_the_default(field: str) -> None:
    assert Config.from_dict({field: None}) == Config.make()


def test_a_configuration_can_be_a_key() -> None:
    assert len({Config.make(), Config.make(players=2), Config.make(players=3)}) == 2


# ---------------------------------------------------------------- resolved configurations

ROUND_TRIPS: list[dict[str, object]] = [
    {},
    {"players": 5, "promos": True, "extra_objectives": True, "attack_recruiting": True},
    {"players": 4, "teams": [[0, 2], [3, 1]], "objectives": False},
    {"players": 3, "teams": [[2], [0, 1]]},
    {"players": 3, "extra_objectives": [12, 11]},
    {"players": 5, "extra_objectives": [11], "objective_pool": "all"},
    {"players": 2, "lots": [["violet", "blue"], ["red", "green"], ["blue", "violet"]]},
    {"decks": DECKS},
    {"players": 1},
    {"players": 1, "solo_level": "heroic"},
    {"players": 1, "objectives": True},
    {"players": 3, "solo_level": "expert"},
]


@pytest.mark.parametrize("fields", ROUND_TRIPS)
def test_a_resolved_configuration_is_accepted_again(fields: dict[str, object]) -> None:
    """A trace holds it as JSON, every field in the order of section 3."""
    config = Config.from_dict(fields)
    written = config.to_dict()
    assert list(written) == FIELDS
    read = Config.from_dict(json.loads(json.dumps(written)))
    assert read == config
    assert read.to_dict() == written


def test_lists_and_tuples_say_the_same() -> None:
    lots = (("red", "blue"), ("red", "blue"), ("green", "violet"))
    assert Config.make(lots=lots) == Config.make(lots=[list(colours) for colours in lots])


def test_explicit_decks_stay_in_their_order_and_leave_no_lots() -> None:
    config = Config.make(decks=DECKS)
    assert config.lots is None
    assert config.to_dict()["decks"] == DECKS


# ---------------------------------------------------------------- solo


@pytest.mark.parametrize("level", SOLO_LEVELS)
def test_solo_resolves_to_two_tribes_with_blue_and_yellow_and_no_objectives(level: str) -> None:
    config = Config.make(players=1, solo_level=level)
    assert config.is_solo
    assert (config.seats, config.continents) == (2, 2)
    assert config.lots == (("blue", "yellow"),) * 3
    assert config.objectives is False
    assert config.solo_level == level


SOLO_REFUSALS: list[tuple[str, object]] = [
    ("lots", [["blue", "red"]] * 3),
    ("lots", [["yellow", "blue"]] * 3),
    ("lots", [["blue", "yellow"]] * 2),
    ("lots", "blue"),
    ("decks", DECKS),
    ("promos", True),
    ("objectives", 1),
    ("extra_objectives", True),
    ("extra_objectives", [11]),
    ("objective_pool", "all"),
    ("objective_pool", "each"),
    ("attack_recruiting", True),
    ("teams", [[0], [1]]),
    ("solo_level", "hard"),
]


@pytest.mark.parametrize(("field", "value"), SOLO_REFUSALS)
def test_solo_takes_nothing_but_its_level(field: str, value: object) -> None:
    assert refusal(players=1, **{field: value}).startswith(f"{field} = ")


# ---------------------------------------------------------------- refusals


def decks_with(age: int, place: int, value: object) -> list[list[object]]:
    """The explicit decks with one card replaced."""
    decks: list[list[object]] = [list(deck) for deck in DECKS]
    decks[age - 1][place] = value
    return decks


REFUSALS: list[tuple[dict[str, object], list[str]]] = [
    ({"players": 0}, ["players = 0", "2..5, or 1 for the solo mode"]),
    ({"players": 6}, ["players = 6", "2..5"]),
    ({"players": True}, ["players = True", "2..5"]),
    ({"players": 2.0}, ["players = 2.0", "2..5"]),
    ({"players": "2"}, ["players = '2'", "2..5"]),
    ({"player": 2}, ["unknown field 'player' = 2", "did you mean players?"]),
    ({"colour": "red"}, ["unknown field 'colour' = 'red'", "players, lots, decks"]),
    ({"promos": 1}, ["promos = 1", "true or false"]),
    ({"objectives": "yes"}, ["objectives = 'yes'", "true or false"]),
    ({"extra_objectives": 0}, ["extra_objectives = 0", "true, false, or a list", "[11, 12]"]),
    ({"extra_objectives": []}, ["extra_objectives = []", "one or more different"]),
    ({"extra_objectives": [11, 11]}, ["extra_objectives = [11, 11]", "different"]),
    ({"extra_objectives": [10]}, ["extra_objectives = [10]", "black"]),
    ({"extra_objectives": [True]}, ["extra_objectives = [True]", "black"]),
    ({"extra_objectives": [[11]]}, ["extra_objectives = [[11]]", "black"]),
    ({"extra_objectives": 11}, ["extra_objectives = 11", "a list"]),
    ({"objectives": False, "extra_objectives": True}, ["extra_objectives = True", "false without objectives"]),
    ({"objectives": False, "extra_objectives": [11]}, ["extra_objectives = [11]", "false without objectives"]),
    ({"objectives": False, "objective_pool": "all"}, ["objective_pool = 'all'", "lots without objectives"]),
    ({"objective_pool": "al"}, ["objective_pool = 'al'", "lots, all", "did you mean all?"]),
    ({"objective_pool": True}, ["objective_pool = True", "lots, all"]),
    ({"attack_recruiting": []}, ["attack_recruiting = []", "true or false"]),
    ({"solo_level": "hero"}, ["solo_level = 'hero'", "beginner, expert, heroic", "did you mean heroic?"]),
    ({"solo_level": 1}, ["solo_level = 1", "beginner, expert, heroic"]),
    ({"lots": "blue,red"}, ["lots = 'blue,red'", "3 lists"]),
    ({"lots": ["blue", "red", "green"]}, ["lots = ['blue', 'red', 'green']", "3 lists"]),
    ({"lots": [["blue", "red"]] * 2}, ["lots = ", "3 lists, one for each Age"]),
    ({"lots": [["blue", "red"], ["blue"], ["blue", "red"]]}, ["lots of Age II = ['blue']", "2 different"]),
    ({"players": 3, "lots": [["blue", "red"]] * 3}, ["lots of Age I = ['blue', 'red']", "3 different"]),
    ({"lots": [["blue", "red"], ["red", "red"], ["blue", "red"]]}, ["lots of Age II = ['red', 'red']"]),
    ({"lots": [["blue", "rde"]] * 3}, ["lots of Age I = ['blue', 'rde']", "did you mean red?"]),
    ({"lots": [["blue", "promo"]] * 3}, ["lots of Age I = ['blue', 'promo']", "yellow"]),
    ({"lots": [["blue", ["red"]]] * 3}, ["lots of Age I = ['blue', ['red']]"]),
    ({"lots": [["blue", "red"]] * 3, "decks": DECKS}, ["lots = ", "none together with decks"]),
    ({"promos": True, "decks": DECKS}, ["promos = True", "false together with decks"]),
    ({"decks": DECKS[:2]}, ["decks = ", "3 lists, one for each Age, of 12 card numbers"]),
    ({"decks": 5}, ["decks = 5", "3 lists"]),
    ({"decks": [*DECKS[:2], DECKS[2][:11]]}, ["decks of Age III = [61", "11 cards", "exactly 12"]),
    ({"decks": [[*DECKS[0], 13], *DECKS[1:]]}, ["decks of Age I = [1,", "13 cards", "exactly 12"]),
    ({"players": 3, "decks": DECKS}, ["decks of Age I = [1,", "12 cards", "exactly 18"]),
    ({"decks": decks_with(2, 4, 31)}, ["decks of Age II = 31", "each card once"]),
    ({"decks": decks_with(2, 4, 1)}, ["decks of Age II = 1,", "cards of Age II; this one is of Age I"]),
    ({"decks": decks_with(1, 4, 94)}, ["decks of Age I = 94", "this one is of Age II"]),
    ({"decks": decks_with(3, 4, 100)}, ["decks of Age III = 100", "1..99"]),
    ({"decks": decks_with(1, 0, True)}, ["decks of Age I = True", "1..99"]),
    ({"decks": decks_with(1, 0, "1")}, ["decks of Age I = '1'", "1..99"]),
    ({"teams": [[0, 1]]}, ["teams = [[0, 1]]", "at least two lists"]),
    ({"teams": [[0], [1], []]}, ["teams = [[0], [1], []]"]),
    ({"teams": [[0], [0]]}, ["teams = [[0], [0]]", "0..1 once"]),
    ({"teams": [[0], [2]]}, ["teams = [[0], [2]]", "0..1 once"]),
    ({"teams": [[0], [True]]}, ["teams = [[0], [True]]"]),
    ({"players": 4, "teams": [[0], [1, 2]]}, ["teams = [[0], [1, 2]]", "0..3 once"]),
    ({"players": 3, "teams": [[0, 1, 1], [2]]}, ["teams = [[0, 1, 1], [2]]"]),
    ({"teams": "0/1"}, ["teams = '0/1'"]),
    ({"teams": [0, 1]}, ["teams = [0, 1]"]),
    ({"data": 3}, ["data = 3", "a folder that exists"]),
    ({"data": ""}, ["data = ''", "a folder that exists"]),
    ({"data": "no/such/folder"}, ["data = 'no/such/folder'", "a folder that exists"]),
]  # fmt: skip


@pytest.mark.parametrize(("fields", "parts"), REFUSALS)
def test_a_constraint_that_is_broken_is_named_with_field_value_and_what_is_allowed(
    fields: dict[str, object], parts: list[str]
) -> None:
    message = refusal(**fields)
    assert all(part in message for part in parts), message


def test_a_long_value_is_not_shown_in_full() -> None:
    assert len(refusal(lots=["blue"] * 1000)) < 300


# ---------------------------------------------------------------- custom data


def test_a_custom_data_folder_is_part_of_the_configuration(tmp_path: Path) -> None:
    shutil.copy(PACKAGE_DATA / "cards.toml", tmp_path)
    config = Config.make(data=tmp_path)
    assert config.data == str(tmp_path)
    assert list(config.to_dict()) == [*FIELDS, "data"]
    assert Config.from_dict(config.to_dict()) == config
    assert Config.make(players=1, data=str(tmp_path)).is_solo


def test_a_relative_folder_is_meant_from_where_the_file_is(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    shutil.copy(PACKAGE_DATA / "cards.toml", tmp_path / "mine")
    (tmp_path / "game.toml").write_text('data = "mine"\n', encoding="utf-8")
    assert load_config(tmp_path / "game.toml").data == str(tmp_path / "mine")


def test_a_number_belongs_to_an_age_in_custom_data_too(tmp_path: Path) -> None:
    """RULES 12: numbers 61 and on are of Age III."""
    text = (PACKAGE_DATA / "cards.toml").read_text(encoding="utf-8")
    text = text.replace("number = 1\n", "number = 0\n").replace("number = 61\n", "number = 1\n")
    (tmp_path / "cards.toml").write_text(text.replace("number = 0\n", "number = 61\n"), encoding="utf-8")
    with pytest.raises(DataError, match=r"card 61: age = 1, allowed 3, that of the number 61"):
        Config.make(decks=DECKS, data=tmp_path)


def test_a_problem_in_the_data_is_found_with_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "objectives.toml").write_text("[[objective]]\n")
    with pytest.raises(DataError, match=r"objectives\.toml"):
        Config.make(data=tmp_path)


def test_only_the_board_that_the_game_needs_is_checked(tmp_path: Path) -> None:
    (tmp_path / "board-3.toml").write_text("continents = 9\n")
    (tmp_path / "board-2.toml").write_text(board_to_toml(standard_board(2)))
    assert Config.make(players=2, data=tmp_path).players == 2
    with pytest.raises(DataError, match=r"board-3\.toml"):
        Config.make(players=3, data=tmp_path)


# ---------------------------------------------------------------- files


def test_a_configuration_is_read_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "game.toml"
    path.write_text('players = 4\npromos = true\nteams = [[0, 2], [1, 3]]\nsolo_level = "beginner"\n')
    assert load_config(path) == Config.make(players=4, promos=True, teams=[[0, 2], [1, 3]])


@pytest.mark.parametrize("name", ["game.json", "game.JSON"])
def test_a_configuration_is_read_from_json(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text(json.dumps(Config.make(players=3, extra_objectives=True).to_dict()))
    assert load_config(str(path)) == Config.make(players=3, extra_objectives=True)


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("game.toml", "players = 7\n", "players = 7, allowed"),
        ("game.toml", "players 7\n", "is not TOML"),
        ("game.json", "{", "is not JSON"),
        ("game.json", "[1]", "config = [1], allowed a table of fields"),
        ("game.json", '{"plyers": 2}', "did you mean players?"),
    ],
)
def test_an_error_in_a_configuration_file_names_the_file(
    tmp_path: Path, name: str, text: str, part: str
) -> None:
    (tmp_path / name).write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_config(tmp_path / name)
    assert str(caught.value).startswith(str(tmp_path / name))
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_configuration_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"gone\.toml: cannot be read"):
        load_config(tmp_path / "gone.toml")


# ---------------------------------------------------------------- text forms


def test_teams_are_read_from_the_command_line() -> None:
    assert parse_teams("0,1/2,3") == ((0, 1), (2, 3))
    assert parse_teams(" 0, 2 / 1 ") == ((0, 2), (1,))


def test_lots_are_read_from_the_command_line() -> None:
    assert parse_lots("blue,red/green,red/blue,violet") == (
        ("blue", "red"),
        ("green", "red"),
        ("blue", "violet"),
    )


def test_one_group_of_lots_serves_all_three_ages() -> None:
    assert parse_lots("blue,red") == (("blue", "red"),) * 3


def test_decks_are_read_from_the_command_line() -> None:
    text = "/".join(",".join(map(str, deck)) for deck in DECKS)
    assert Config.make(decks=parse_decks(text)) == Config.make(decks=DECKS)


@pytest.mark.parametrize("text", ["", "0,1/", "0,,1/2", "a/b", "-1/0", "1_0/2", "0;1"])
def test_teams_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"teams = .*, allowed seats such as 0,1/2,3"):
        parse_teams(text)


@pytest.mark.parametrize("text", ["", "blue,", "blue/red", "blue/red/green/violet", "/"])
def test_lots_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"lots = .*, allowed colours such as blue,red"):
        parse_lots(text)


@pytest.mark.parametrize("text", ["", "1,2", "1/31", "1/31/61/91", "1/31/x", "1/31/"])
def test_decks_that_cannot_be_read_are_refused(text: str) -> None:
    with pytest.raises(ConfigError, match=r"decks = .*, allowed three lists of card numbers"):
        parse_decks(text)


# ---------------------------------------------------------------- decks and pool


def test_a_deck_holds_the_lots_of_its_age_in_order_of_number() -> None:
    """The yellow lot of Age II is not in one piece: 37, 39, 40, 41, 42 and 45."""
    config = Config.make(lots=[["red", "blue"], ["yellow", "blue"], ["violet", "green"]])
    assert age_deck(config, DATA, 1) == (*range(1, 7), *range(19, 25))
    assert age_deck(config, DATA, 2) == (*range(31, 38), 39, 40, 41, 42, 45)
    assert age_deck(config, DATA, 3) == (*range(73, 79), *range(85, 91))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("promos", [False, True])
def test_a_deck_has_six_cards_a_player_before_promo_cards_come_in(players: int, promos: bool) -> None:
    config = Config.make(players=players, promos=promos)
    for age in (1, 2, 3):
        deck = age_deck(config, DATA, age)
        assert len(set(deck)) == 6 * players
        assert not set(deck) & set(age_promos(DATA, age))


def test_an_explicit_deck_is_used_as_listed_promo_cards_included() -> None:
    config = Config.make(decks=DECKS)
    assert [age_deck(config, DATA, age) for age in (1, 2, 3)] == [tuple(sorted(deck)) for deck in DECKS]


def test_every_age_has_three_promo_cards() -> None:
    assert [age_promos(DATA, age) for age in (1, 2, 3)] == [(91, 92, 93), (94, 95, 96), (97, 98, 99)]


@pytest.mark.parametrize(
    ("level", "ages"),
    [
        ("beginner", [{6, 11}, {36, 39}, {64, 65, 70, 72}]),
        ("expert", [{5, 12}, {33, 42}, {64, 65, 69, 72}]),
        ("heroic", [{3, 9}, {34, 45}, {64, 65, 67, 72}]),
    ],
)
def test_a_solo_deck_lacks_the_cards_that_its_level_removes(level: str, ages: list[set[int]]) -> None:
    solo, pair = Config.make(players=1, solo_level=level), Config.make(players=2)
    for age, removed in enumerate(ages, 1):
        assert set(age_deck(pair, DATA, age)) - set(age_deck(solo, DATA, age)) == removed
        assert len(age_deck(solo, DATA, age)) == 12 - len(removed)


def test_the_pool_holds_both_objectives_of_every_colour_that_some_age_uses() -> None:
    """Objectives 1, 2 are blue, 3, 4 yellow, 5, 6 green, 7, 8 red, 9, 10 violet."""
    config = Config.make(lots=[["blue", "red"], ["red", "blue"], ["red", "violet"]])
    assert objective_pool(config, DATA) == (1, 2, 7, 8, 9, 10)


def test_the_black_objectives_join_the_pool_on_request() -> None:
    assert objective_pool(Config.make(), DATA) == (1, 2, 3, 4)
    assert objective_pool(Config.make(extra_objectives=True), DATA) == (1, 2, 3, 4, 11, 12)
    assert objective_pool(Config.make(extra_objectives=[12]), DATA) == (1, 2, 3, 4, 12)


def test_the_pool_may_be_that_of_all_colours() -> None:
    assert objective_pool(Config.make(objective_pool="all"), DATA) == tuple(range(1, 11))
    assert objective_pool(Config.make(objective_pool="all", extra_objectives=[12]), DATA) == (
        *range(1, 11),
        12,
    )


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_no_deck_has_so_few_colours_that_the_pool_is_too_small(players: int) -> None:
    """RULES 4.4: 6n cards of at most three promo cards and six of a colour are of n colours, two objectives each."""
    last = COLOURS[players - 1]

    def place(number: int) -> tuple[bool, int]:
        return DATA.cards[number].lot == last, number

    decks = []
    for age in (1, 2, 3):
        cards = [
            c.number for c in DATA.cards.values() if c.age == age and c.lot in ("promo", *COLOURS[:players])
        ]
        decks.append(sorted(cards, key=place)[: 6 * players])
    assert sum(DATA.cards[number].lot == last for number in decks[0]) == 3
    assert len(objective_pool(Config.make(players=players, decks=decks), DATA)) == 2 * players


def test_explicit_decks_bring_in_the_colours_of_their_cards_but_promo_cards_have_none() -> None:
    assert objective_pool(Config.make(decks=DECKS), DATA) == (1, 2, 3, 4, 5, 6)


def test_there_is_no_pool_without_objectives() -> None:
    assert objective_pool(Config.make(objectives=False), DATA) == ()
    assert objective_pool(Config.make(players=1), DATA) == ()


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_the_pool_is_enough_to_deal_two_to_everybody(players: int) -> None:
    assert len(objective_pool(Config.make(players=players), DATA)) >= 2 * players
