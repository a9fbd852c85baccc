"""The data files of RULES 12: what they hold, what a custom folder replaces, and every refusal."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from genesia_rl.core.errors import DataError
from genesia_rl.games.genesia.data.cards import (
    PARAMETERS,
    SOLO_LOTS,
    SOLO_REMOVED,
    Card,
    Effect,
    Term,
    load_data,
)
from genesia_rl.games.genesia.data.reading import PACKAGE_DATA
from genesia_rl.games.genesia.names import COLOURS, COUNTER_FAMILIES, COUNTERS, EFFECTS, PLACES, SOLO_LEVELS

CARDS = (PACKAGE_DATA / "cards.toml").read_text(encoding="utf-8")
OBJECTIVES = (PACKAGE_DATA / "objectives.toml").read_text(encoding="utf-8")


def with_table(text: str, kind: str, number: int, edit: Callable[[str], str]) -> str:
    """The file with one of its [[kind]] tables edited."""
    parts = re.split(rf"(?m)^(?=\[\[{kind}\]\]$)", text)
    places = [i for i, part in enumerate(parts) if re.search(rf"(?m)^number = {number}$", part)]
    parts[places[0]] = edit(parts[places[0]])
    return "".join(parts)


def with_key(text: str, kind: str, number: int, key: str, value: str | None) -> str:
    """The file with one key of one table set to a TOML value, added, or taken out (None)."""

    def edit(table: str) -> str:
        lines = re.sub(rf"(?ms)^{key} = (\[\n.*?^\]|[^\n]*)\n", "", table)
        added = "" if value is None else f"{key} = {value}\n"
        return lines.replace(f"[[{kind}]]\n", f"[[{kind}]]\n{added}")

    return with_table(text, kind, number, edit)


def with_card(which: int, /, **keys: str | None) -> str:
    """Our cards, with some keys of one card replaced."""
    text = CARDS
    for key, value in keys.items():
        text = with_key(text, "card", which, key, value)
    return text


def with_objective(which: int, /, **keys: str | None) -> str:
    """Our objectives, with some keys of one objective replaced."""
    text = OBJECTIVES
    for key, value in keys.items():
        text = with_key(text, "objective", which, key, value)
    return text


def refusal(folder: Path, name: str, text: str) -> str:
    """The error that a custom folder with this file is refused with; always one line, with the file."""
    (folder / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_data(folder)
    message = str(caught.value)
    assert "\n" not in message
    assert str(folder / name) in message
    assert "allowed" in message
    return message


def one_card(folder: Path, number: int, /, **keys: str | None) -> Card:
    """The card as it is read when some of its keys are replaced and nothing is refused."""
    (folder / "cards.toml").write_text(with_card(number, **keys), encoding="utf-8")
    return load_data(folder).cards[number]


# ---------------------------------------------------------------- our own files


def test_there_are_99_cards_and_12_objectives() -> None:
    data = load_data()
    assert list(data.cards) == list(range(1, 100))
    assert list(data.objectives) == list(range(1, 13))
    assert all(number == card.number for number, card in data.cards.items())
    assert data.folder is None


def test_a_card_is_read_with_all_its_keys() -> None:
    assert load_data().cards[45] == Card(
        number=45,
        name="Call of the crusade",
        age=2,
        lot="yellow",
        icons=("growth", "expansion"),
        cost=0,
        invention=0,
        timing="turn",
        copies=(),
        effects=(
            Effect("clans", n=4, at="foreign_homeland"),
            Effect("host_coins", n=3),
            Effect("moves", n=3),
        ),
        source="rulebook",
    )


def test_parameters_that_are_not_written_have_their_defaults() -> None:
    cards = load_data().cards
    assert cards[3].effects[0] == Effect("coins", n=6, per="flat", div=1, cap=None)
    assert cards[82].effects == (
        Effect("coins", n=1, per="clans", div=2, cap=9),
        Effect("take", n=2, who="each"),
    )
    assert cards[76].effects[1] == Effect("recruit_price", n=5, p=0)
    assert cards[63].effects[0] == Effect("leap", n=6, d=8)


def test_a_copy_card_lists_what_it_copies() -> None:
    cards = load_data().cards
    assert cards[27].copies == ("growth", "end")
    assert {card.number for card in cards.values() if card.copies} == {4, 27, 32, 62}


def test_an_objective_is_read_with_terms_and_need() -> None:
    objectives = load_data().objectives
    assert objectives[12].terms == (Term(3, "regions_value_5", div=2, cap=15),)
    assert objectives[12].need == ("cities", 8)
    assert objectives[5].terms == (Term(1, "singles", cap=14),)
    assert objectives[5].need is None


def test_every_effect_has_its_list_of_parameters() -> None:
    assert tuple(PARAMETERS) == EFFECTS


@pytest.mark.parametrize("level", SOLO_LEVELS)
def test_what_the_solo_mode_removes_is_blue_or_yellow_and_leaves_full_hands(level: str) -> None:
    """Two tribes are dealt 5, 5 and 4 cards, and nothing is left over (RULES 10)."""
    cards = load_data().cards
    for age, (removed, hand) in enumerate(zip(SOLO_REMOVED[level], (5, 5, 4), strict=True), 1):
        assert all(cards[number].age == age and cards[number].lot in SOLO_LOTS for number in removed)
        assert 12 - len(removed) == 2 * hand


# ---------------------------------------------------------------- custom folders


def test_a_file_that_a_custom_folder_lacks_is_our_own(tmp_path: Path) -> None:
    (tmp_path / "objectives.toml").write_text(with_objective(5, name='"Small Folk"'), encoding="utf-8")
    data = load_data(tmp_path)
    assert data.cards == load_data().cards
    assert data.objectives[5].name == "Small Folk"
    assert data.folder == str(tmp_path)


def test_a_file_that_changed_is_read_anew(tmp_path: Path) -> None:
    assert one_card(tmp_path, 10, cost="1").cost == 1
    assert one_card(tmp_path, 10, cost="2").cost == 2


def test_what_one_reader_changes_does_not_reach_the_next() -> None:
    load_data().cards.clear()
    assert len(load_data().cards) == 99


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nowhere.*allowed a folder"):
        load_data(tmp_path / "nowhere")


def test_windows_line_ends_and_a_byte_order_mark_are_accepted(tmp_path: Path) -> None:
    (tmp_path / "cards.toml").write_bytes(b"\xef\xbb\xbf" + CARDS.replace("\n", "\r\n").encode())
    assert load_data(tmp_path).cards == load_data().cards


def test_cards_may_stand_in_any_order(tmp_path: Path) -> None:
    tables = re.split(r"(?m)^(?=\[\[card\]\]$)", CARDS)[1:]
    (tmp_path / "cards.toml").write_text("".join(reversed(tables)), encoding="utf-8")
    assert list(load_data(tmp_path).cards.items()) == list(load_data().cards.items())


def test_a_folder_with_only_the_changed_entries_is_laid_over_ours(tmp_path: Path) -> None:
    one = re.split(r"(?m)^(?=\[\[card\]\]$)", with_card(20, cost="7"))[20]
    (tmp_path / "cards.toml").write_text(one, encoding="utf-8")
    cards, ours = load_data(tmp_path).cards, load_data().cards
    assert {number for number in ours if cards[number] != ours[number]} == {20}
    assert cards[20].cost == 7
    assert load_data(tmp_path).objectives == load_data().objectives


def test_an_entry_of_such_a_folder_is_whole_and_stands_once(tmp_path: Path) -> None:
    assert "card 20: the key lot is missing" in refusal(
        tmp_path, "cards.toml", "[[card]]\n" + with_key(one_of(20), "card", 20, "lot", None).split("\n", 1)[1]
    )
    assert "number = 20, allowed every entry once" in refusal(tmp_path, "cards.toml", one_of(20) * 2)


def one_of(number: int) -> str:
    """One of our cards as its file has it."""
    return re.split(r"(?m)^(?=\[\[card\]\]$)", CARDS)[number]


# ---------------------------------------------------------------- what is not ours to forbid


@pytest.mark.parametrize(
    ("number", "keys"),
    [
        pytest.param(66, {"invention": "2"}, id="an Invention that counts Inventions"),
        pytest.param(10, {"effects": '[{ do = "coins", n = 30, per = "flat" }]'}, id="a dominant card"),
        pytest.param(
            10,
            {"effects": '[{ do = "coins", n = 1, per = "flat" }, { do = "coins", n = 2, per = "cities" }]'},
            id="coins twice",
        ),
        pytest.param(
            83, {"effects": '[{ do = "score", n = 1, per = "stacks_30" }]'}, id="score with all four icons"
        ),
        pytest.param(11, {"effects": '[{ do = "relay", n = 1 }]'}, id="relay with all four icons"),
        pytest.param(
            12,
            {
                "effects": '[{ do = "clans", n = 1, at = "foreign_homeland" },'
                ' { do = "city", n = 1, at = "foreign_homeland" }, { do = "host_coins", n = 1 }]'
            },
            id="hosts of two effects",
        ),
        *(
            pytest.param(
                12, {"effects": f'[{{ {made} }}, {{ do = "host_clans", n = 1 }}]'}, id=f"hosts after {made}"
            )
            for made in (
                'do = "relay", n = 1',
                'do = "leap", n = 1, d = 2',
                'do = "clans", n = 1, at = "bases"',
                'do = "clans", n = 1, at = "occupied"',
                'do = "clans", n = 1, at = "frontier"',
                'do = "city", n = 1, at = "occupied"',
                'do = "city", n = 1, at = "free_outer"',
            )
        ),
        pytest.param(18, {"source": '"rulebook"'}, id="a card an owner looked up"),
        pytest.param(
            1,
            {"icons": '["growth", "attack"]', "effects": '[{ do = "defence", n = 1 }]'},
            id="Growth + Attack in Age I",
        ),
    ],
)
def test_what_the_rules_define_is_accepted(tmp_path: Path, number: int, keys: dict[str, str]) -> None:
    assert one_card(tmp_path, number, **keys).number == number


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("do", ["clans", "city"])
def test_every_place_is_accepted(tmp_path: Path, do: str, place: str) -> None:
    effects = f'[{{ do = "{do}", n = 1, at = "{place}" }}]'
    assert one_card(tmp_path, 10, effects=effects).effects == (Effect(do, n=1, at=place),)


@pytest.mark.parametrize("counter", COUNTERS)
def test_every_counter_is_accepted(tmp_path: Path, counter: str) -> None:
    """A family stands for the words with its least and its greatest number."""
    words = [f"{counter}_{k}" for k in COUNTER_FAMILIES.get(counter, ())] or [counter]
    for per in words:
        card = one_card(tmp_path, 10, effects=f'[{{ do = "coins", n = 1, per = "{per}" }}]')
        assert card.effects[0].per == per


# ---------------------------------------------------------------- refusals: cards

# card, keys replaced, parts of the message
CARD_REFUSALS = [
    # keys and values
    (12, {"number": "120"}, ["card table 12", "number = 120", "1..99"]),
    (12, {"number": "true"}, ["card table 12", "number = True", "1..99"]),
    (12, {"number": "13"}, ["card 13", "number = 13", "once"]),
    (12, {"number": None}, ["card table 12", "key number is missing"]),
    (12, {"name": '""'}, ["card 12", "name = ''", "text"]),
    (12, {"name": '" Spaced"'}, ["card 12", "name = ' Spaced'", "blanks"]),
    (12, {"name": '"two\\nlines"'}, ["card 12", "name = 'two\\nlines'", "one line"]),
    (12, {"name": "7"}, ["card 12", "name = 7"]),
    (12, {"name": '"mastery of FIRE"'}, ["card 12", "name = 'mastery of FIRE'", "once", "card 1 "]),
    (12, {"age": "4"}, ["card 12", "age = 4", "1..3"]),
    (12, {"age": "1.0"}, ["card 12", "age = 1.0", "1..3"]),
    (12, {"lot": '"bleu"'}, ["card 12", "lot = 'bleu'", "blue, yellow", "did you mean blue?"]),
    (12, {"lot": '["blue"]'}, ["card 12", "lot = ['blue']"]),
    (12, {"cost": "13"}, ["card 12", "cost = 13", "0..12"]),
    (12, {"cost": "-1"}, ["card 12", "cost = -1", "0..12"]),
    (12, {"cost": "false"}, ["card 12", "cost = False", "0..12"]),
    (12, {"invention": "21"}, ["card 12", "invention = 21", "0..20"]),
    (12, {"invention": '"1"'}, ["card 12", "invention = '1'", "0..20"]),
    (12, {"timing": '"trun"'}, ["card 12", "timing = 'trun'", "did you mean turn?"]),
    (12, {"source": '"box"'}, ["card 12", "source = 'box'", "rulebook, reconstructed"]),
    (12, {"source": None}, ["card 12", "key source is missing"]),
    (12, {"price": "3"}, ["card 12", "unknown key 'price' = 3", "number, name"]),
    (12, {"invetion": "3"}, ["card 12", "unknown key 'invetion' = 3", "did you mean invention?"]),
    # icons
    (12, {"icons": '"expansion"'}, ["card 12", "icons = 'expansion'", "a list of growth"]),
    (12, {"icons": "[]"}, ["card 12", "icons = []"]),
    (12, {"icons": '["grwth"]'}, ["card 12", "icons = ['grwth']", "did you mean growth?"]),
    (
        12,
        {"icons": '["expansion", "growth"]'},
        ["card 12", "icons = ['expansion', 'growth']", "in the order"],
    ),
    (12, {"icons": '["growth", "growth"]'}, ["card 12", "icons = ['growth', 'growth']", "once"]),
    (12, {"icons": '["expansion", "end"]'}, ["card 12", "icons = ['expansion', 'end']", "growth + attack"]),
    (12, {"icons": '["attack"]'}, ["card 12", "icons = ['attack']", "timing turn"]),
    (20, {"icons": '["growth", "attack"]'}, ["card 20", "icons = ['growth', 'attack']", "timing offence"]),
    (48, {"icons": '["end"]'}, ["card 48", "icons = ['end']", "timing defence"]),
    # effects
    (12, {"effects": "7"}, ["card 12", "effects = 7", "a list of tables"]),
    (12, {"effects": "3"}, ["card 12", "effects = 3", "a list of tables"]),
    (12, {"effects": '["moves"]'}, ["card 12", "effects 1", "'moves'", "a table"]),
    (12, {"effects": "[{ n = 3 }]"}, ["card 12: effect 1", "key do is missing"]),
    (
        12,
        {"effects": '[{ do = "mvoes", n = 1 }]'},
        ["card 12: effect 1", "do = 'mvoes'", "did you mean moves?"],
    ),
    (12, {"effects": '[{ do = "moves" }]'}, ["effect 1 (moves)", "key n is missing"]),
    (12, {"effects": '[{ do = "moves", n = 0 }]'}, ["card 12", "(moves)", "n = 0", "1..30"]),
    (12, {"effects": '[{ do = "moves", n = 31 }]'}, ["card 12", "(moves)", "n = 31", "1..30"]),
    (12, {"effects": '[{ do = "moves", n = true }]'}, ["card 12", "(moves)", "n = True", "1..30"]),
    (12, {"effects": '[{ do = "moves", n = 1, at = "own" }]'}, ["unknown key 'at' = 'own'", "do, n"]),
    (12, {"effects": '[{ do = "no_toll", n = 1 }]'}, ["(no_toll)", "unknown key 'n' = 1"]),
    (12, {"effects": '[{ do = "clans", n = 1, at = "home" }]'}, ["at = 'home'", "homeland, bases"]),
    (
        12,
        {"effects": '[{ do = "clans", n = 1, at = "fronteir" }]'},
        ["at = 'fronteir'", "did you mean frontier?"],
    ),
    (12, {"effects": '[{ do = "city", n = 21, at = "own" }]'}, ["(city)", "n = 21", "1..20"]),
    (12, {"effects": '[{ do = "take", n = 1, who = "all" }]'}, ["(take)", "who = 'all'", "each, one"]),
    (12, {"effects": '[{ do = "recruit_price", n = 1, p = 2 }]'}, ["(recruit_price)", "p = 2", "0..1"]),
    (12, {"effects": '[{ do = "leap", n = 1, d = 21 }]'}, ["(leap)", "d = 21", "1..20"]),
    (12, {"effects": '[{ do = "coins", n = 1, per = "towns" }]'}, ["per = 'towns'", "flat, regions"]),
    (12, {"effects": '[{ do = "coins", n = 1, per = "citys" }]'}, ["per = 'citys'", "did you mean cities?"]),
    (12, {"effects": '[{ do = "coins", n = 1, per = "stacks" }]'}, ["per = 'stacks'", "stacks_2..stacks_30"]),
    (12, {"effects": '[{ do = "coins", n = 1, per = "stacks_1" }]'}, ["per = 'stacks_1'", "stacks_2.."]),
    (12, {"effects": '[{ do = "coins", n = 1, per = "stacks_31" }]'}, ["per = 'stacks_31'", "..stacks_30"]),
    (12, {"effects": '[{ do = "coins", n = 1, per = "stacks_03" }]'}, ["per = 'stacks_03'"]),
    (
        12,
        {"effects": '[{ do = "coins", n = 1, per = "regions_value_16" }]'},
        ["regions_value_16", "..regions_value_15"],
    ),
    (
        12,
        {"effects": '[{ do = "coins", n = 1, per = "regions_value_1" }]'},
        ["'regions_value_1'", "regions_value_2.."],
    ),
    (12, {"effects": '[{ do = "coins", n = 1, per = "flat", div = 0 }]'}, ["div = 0", "1..30"]),
    (12, {"effects": '[{ do = "coins", n = 1, per = "flat", cap = 61 }]'}, ["cap = 61", "1..60"]),
    # effects together with timing and icons
    (12, {"effects": '[{ do = "strike", n = 1 }]'}, ["card 12", "effects = 'strike'", "timing turn"]),
    (12, {"effects": '[{ do = "ward", n = 1 }]'}, ["card 12", "effects = 'ward'", "timing turn"]),
    (12, {"effects": '[{ do = "copy" }]'}, ["card 12", "effects = 'copy'", "timing turn"]),
    (
        20,
        {"effects": '[{ do = "ward", n = 1 }]'},
        ["card 20", "effects = 'ward'", "strike, feint, storm, rout, raid"],
    ),
    (20, {"effects": '[{ do = "moves", n = 1 }]'}, ["card 20", "effects = 'moves'", "timing offence"]),
    (
        48,
        {"effects": '[{ do = "strike", n = 1 }]'},
        ["card 48", "effects = 'strike'", "ward, parry, retreat"],
    ),
    (48, {"effects": '[{ do = "parry" }, { do = "ward", n = 1 }]'}, ["card 48", "parry", "alone"]),
    (12, {"effects": '[{ do = "offence", n = 1 }]'}, ["card 12", "effects = 'offence'", "growth + attack"]),
    (1, {"effects": '[{ do = "defence", n = 1 }]'}, ["card 1", "effects = 'defence'", "growth + attack"]),
    (8, {"effects": '[{ do = "pacifist" }]'}, ["card 8", "effects = 'pacifist'", "growth + attack"]),
    (1, {"effects": '[{ do = "moves", n = 1 }]'}, ["card 1", "effects = 'moves'", "expansion"]),
    (1, {"effects": '[{ do = "group_moves" }]'}, ["card 1", "effects = 'group_moves'", "expansion"]),
    (1, {"effects": '[{ do = "no_toll" }]'}, ["card 1", "effects = 'no_toll'", "expansion"]),
    (
        8,
        {"effects": '[{ do = "recruit_anywhere" }]'},
        ["card 8", "'recruit_anywhere'", "growth or expansion"],
    ),
    (8, {"effects": '[{ do = "recruit_price", p = 1, n = 2 }]'}, ["card 8", "'recruit_price'", "growth or"]),
    (1, {"effects": '[{ do = "score", n = 1, per = "flat" }]'}, ["card 1", "effects = 'score'", "icon end"]),
    (12, {"effects": '[{ do = "moves", n = 1 }, { do = "moves", n = 2 }]'}, ["card 12", "'moves'", "once"]),
    (2, {"effects": '[{ do = "relay", n = 1 }]'}, ["card 2", "effects = 'relay'", "growth or expansion"]),
    (2, {"effects": '[{ do = "leap", n = 1, d = 1 }]'}, ["card 2", "effects = 'leap'", "growth or"]),
    (83, {"effects": '[{ do = "offence", n = 1 }]'}, ["card 83", "effects = 'offence'", "growth + attack"]),
    (83, {"effects": '[{ do = "pacifist" }]'}, ["card 83", "effects = 'pacifist'", "growth + attack"]),
    (
        12,
        {"effects": '[{ do = "host_clans", n = 1 }]'},
        ["card 12", "effects = 'host_clans'", "after an effect that may put a piece"],
    ),
    (
        12,
        {"effects": '[{ do = "clans", n = 1, at = "own" }, { do = "host_clans", n = 1 }]'},
        ["card 12", "effects = 'host_clans'", "after an effect that may put a piece"],
    ),
    (
        12,
        {"effects": '[{ do = "city", n = 1, at = "bases" }, { do = "host_clans", n = 1 }]'},
        ["card 12", "effects = 'host_clans'", "after an effect that may put a piece"],
    ),
    (
        12,
        {"effects": '[{ do = "host_coins", n = 1 }, { do = "clans", n = 1, at = "foreign_homeland" }]'},
        ["card 12", "effects = 'host_coins'", "after an effect that may put a piece"],
    ),
    # copy cards
    (12, {"copies": '["expansion"]'}, ["card 12", "copies = ['expansion']", "timing copy"]),
    (4, {"copies": None}, ["card 4", "key copies is missing"]),
    (4, {"copies": '["growth"]'}, ["card 4", "copies = ['growth']", "the same as icons"]),
    (
        4,
        {"copies": '["growth", "attack"]'},
        ["card 4", "copies = ['growth', 'attack']", "growth, expansion, end"],
    ),
    (4, {"copies": '["expansion", "growth"]'}, ["card 4", "copies =", "in the order"]),
    (
        4,
        {"effects": '[{ do = "copy" }, { do = "moves", n = 1 }]'},
        ["card 4", "effects = 'moves'", "timing copy"],
    ),
    (4, {"invention": "1"}, ["card 4", "invention = 1", "0 on a card of timing copy"]),
    # lots and the solo mode
    (13, {"lot": '"red"'}, ["Age 1: lot green", "5 cards [14, 15", "allowed 6"]),
    (13, {"lot": '"promo"'}, ["card 13", "lot = 'promo'", "a colour: 91 to 99 are the promo cards"]),
    (91, {"lot": '"blue"'}, ["card 91", "lot = 'blue'", "allowed promo"]),
    (13, {"age": "2"}, ["card 13", "age = 2, allowed 1, that of the number 13"]),
    (97, {"age": "2"}, ["card 97", "age = 2, allowed 3, that of the number 97"]),
    # what would have no meaning
    (12, {"effects": "[]"}, ["card 12", "effects = []", "0 of them, allowed 1..8"]),
    (4, {"effects": "[]"}, ["card 4", "effects = []", "0 of them, allowed 1..8"]),
    (
        2,
        {"effects": '[{ do = "score", n = 3, per = "regions", cap = 2 }]'},
        ["card 2: effect 1 (score)", "cap = 2, allowed n = 3 or more"],
    ),
    (
        2,
        {"effects": '[{ do = "score", n = 3, per = "flat", div = 1 }]'},
        ["card 2: effect 1 (score)", "div = 1, allowed no such key with per = flat"],
    ),
    (
        2,
        {"effects": '[{ do = "score", n = 3, per = "flat", cap = 9 }]'},
        ["card 2: effect 1 (score)", "cap = 9, allowed no such key with per = flat"],
    ),
    (
        65,
        {"effects": '[{ do = "clans", n = 3, at = "homeland" }]'},
        ["card 65", "effects = ['clans']", "one of offence, defence, pacifist with the icons growth + attack"],
    ),
    (
        65,
        {"effects": '[{ do = "offence", n = 3 }, { do = "pacifist" }]'},
        ["card 65", "effects = ['offence', 'pacifist']", "who must choose Peace launches no assault"],
    ),
    (
        2,
        {"effects": '[{ do = "take", n = 3, who = "each" }]'},
        ["card 2", "effects = ['take']", "one of score, coins, clans, city with the icon end alone"],
    ),
]  # fmt: skip


@pytest.mark.parametrize(("number", "keys", "parts"), CARD_REFUSALS)
def test_a_card_that_breaks_a_rule_is_refused_by_name(
    tmp_path: Path, number: int, keys: dict[str, str | None], parts: list[str]
) -> None:
    message = refusal(tmp_path, "cards.toml", with_card(number, **keys))
    assert all(part in message for part in parts), message


def test_a_card_has_at_most_eight_effects(tmp_path: Path) -> None:
    nine = ", ".join(['{ do = "coins", n = 1, per = "flat" }'] * 9)
    message = refusal(tmp_path, "cards.toml", with_card(12, effects=f"[{nine}]"))
    assert "card 12: effects = " in message
    assert "9 of them, allowed 1..8" in message


@pytest.mark.parametrize("name", ["card.toml", "board-6.toml"])
def test_a_file_that_would_not_be_read_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("", encoding="utf-8")
    with pytest.raises(DataError, match=f"the file {name} is not read, allowed cards.toml"):
        load_data(tmp_path)


def test_a_folder_without_a_data_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no data file, allowed cards\.toml"):
        load_data(tmp_path)


def test_a_card_that_a_file_leaves_out_is_as_in_ours(tmp_path: Path) -> None:
    (tmp_path / "cards.toml").write_text(with_table(CARDS, "card", 99, lambda table: ""), encoding="utf-8")
    assert load_data(tmp_path).cards == load_data().cards


def test_a_card_that_the_solo_mode_removes_stays_in_its_lots(tmp_path: Path) -> None:
    """Two cards change lots, so that all lots stay full and only the solo mode suffers (RULES 10)."""
    text = with_key(with_card(12, lot='"green"'), "card", 13, "lot", '"yellow"')
    message = refusal(tmp_path, "cards.toml", text)
    assert "card 12: lot = 'green', allowed blue or yellow" in message
    assert "the solo mode removes" in message


def test_the_first_problem_is_the_one_reported(tmp_path: Path) -> None:
    text = with_key(with_card(7, cost="40"), "card", 8, "cost", "50")
    assert "card 7: cost = 40" in refusal(tmp_path, "cards.toml", text)


# ---------------------------------------------------------------- refusals: objectives

OBJECTIVE_REFUSALS = [
    (3, {"number": "13"}, ["objective 13", "number = 13", "1..12"]),
    (3, {"number": "4"}, ["objective 4", "number = 4", "once"]),
    (3, {"name": '"little people"'}, ["objective 5", "name = 'Little People'", "objective 3"]),
    (
        3,
        {"terms": '[{ n = 5, per = "clans", cap = 4 }]'},
        ["objective 3: term 1", "cap = 4, allowed n = 5 or more"],
    ),
    (3, {"terms": '[{ n = 5, per = "flat", div = 2 }]'}, ["objective 3: term 1", "div = 2", "per = flat"]),
    (3, {"lot": '"promo"'}, ["objective 3", "lot = 'promo'", "black"]),
    (3, {"lot": '"green"'}, ["lot yellow has 1 objectives [4]", "allowed 2"]),
    (3, {"source": None}, ["objective 3", "key source is missing"]),
    (3, {"trems": "1"}, ["objective 3", "unknown key 'trems' = 1", "did you mean terms?"]),
    (3, {"terms": "[]"}, ["objective 3", "terms = []", "1..4"]),
    (
        3,
        {"terms": '[{ n = 1, per = "cites" }]'},
        ["objective 3: term 1", "per = 'cites'", "did you mean cities?"],
    ),
    (3, {"terms": "[{ n = 1 }]"}, ["objective 3: term 1", "key per is missing"]),
    (3, {"terms": '[{ n = 31, per = "cities" }]'}, ["objective 3: term 1", "n = 31", "1..30"]),
    (3, {"terms": '[{ n = 1, per = "cities", div = 31 }]'}, ["objective 3", "div = 31", "1..30"]),
    (3, {"terms": '[{ n = 1, per = "cities", cap = 0 }]'}, ["objective 3", "cap = 0", "1..60"]),
    (3, {"terms": '[{ n = 1, per = "cities", min = 1 }]'}, ["objective 3", "unknown key 'min' = 1"]),
    (3, {"need": "9"}, ["objective 3", "need = 9", "a table"]),
    (3, {"need": '{ per = "cities" }'}, ["objective 3: need", "key min is missing"]),
    (3, {"need": '{ per = "cities", min = 61 }'}, ["objective 3: need", "min = 61", "1..60"]),
    (3, {"need": '{ per = "stacks_99", min = 1 }'}, ["objective 3: need", "per = 'stacks_99'"]),
]  # fmt: skip


@pytest.mark.parametrize(("number", "keys", "parts"), OBJECTIVE_REFUSALS)
def test_an_objective_that_breaks_a_rule_is_refused_by_name(
    tmp_path: Path, number: int, keys: dict[str, str | None], parts: list[str]
) -> None:
    message = refusal(tmp_path, "objectives.toml", with_objective(number, **keys))
    assert all(part in message for part in parts), message


def test_an_objective_has_at_most_four_terms(tmp_path: Path) -> None:
    five = ", ".join(['{ n = 1, per = "flat" }'] * 5)
    message = refusal(tmp_path, "objectives.toml", with_objective(3, terms=f"[{five}]"))
    assert "objective 3: terms = " in message
    assert "5 of them, allowed 1..4" in message


# ---------------------------------------------------------------- refusals: files


@pytest.mark.parametrize("name", ["cards.toml", "objectives.toml"])
@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("[[card]\n", "is not TOML"),
        ("a = 1\na = 2\n", "is not TOML"),
        ("[[cards]]\nnumber = 1\n", "unknown key 'cards'"),
    ],
)
def test_a_file_that_is_not_what_it_should_be_is_refused(
    tmp_path: Path, name: str, text: str, part: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=part) as caught:
        load_data(tmp_path)
    assert str(tmp_path / name) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_cards_that_are_not_tables_are_refused(tmp_path: Path) -> None:
    assert "card = 3, allowed a list of [[card]] tables" in refusal(tmp_path, "cards.toml", "card = 3\n")
    assert "card table 2: card = 'x', allowed a table" in refusal(
        tmp_path, "cards.toml", "card = [" + str_table(CARDS) + ", 'x']\n"
    )


def str_table(text: str) -> str:
    """The first card as an inline table."""
    first = re.split(r"(?m)^(?=\[\[card\]\]$)", text)[1]
    return "{" + ", ".join(line for line in first.splitlines()[1:] if line) + "}"


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cards.toml").write_bytes(b"name = '\xe9'\n")
    with pytest.raises(DataError, match=r"cards\.toml: is not UTF-8"):
        load_data(tmp_path)


def test_a_folder_in_the_place_of_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cards.toml").mkdir()
    with pytest.raises(DataError, match=r"cards\.toml: cannot be read"):
        load_data(tmp_path)


def test_a_link_that_leads_nowhere_is_not_passed_over(tmp_path: Path) -> None:
    (tmp_path / "cards.toml").symlink_to(tmp_path / "gone.toml")
    with pytest.raises(DataError, match=r"cards\.toml: cannot be read"):
        load_data(tmp_path)


def test_every_colour_has_two_objectives_and_there_are_two_black_ones() -> None:
    lots = [objective.lot for objective in load_data().objectives.values()]
    assert {lot: lots.count(lot) for lot in lots} == dict.fromkeys((*COLOURS, "black"), 2)
