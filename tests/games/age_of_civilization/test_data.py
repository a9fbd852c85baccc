"""The data files (RULES 14): what they hold, what is refused, and folders of one's own."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from games.age_of_civilization.data_maker import random_folder, toml
from games.age_of_civilization.playing import game_of

from genesia_rl.core.errors import DataError
from genesia_rl.core.reading import read_table
from genesia_rl.games.age_of_civilization.data.box import load_box
from genesia_rl.games.age_of_civilization.data.reading import FILES, PACKAGE_DATA
from genesia_rl.testing.stream import Stream

Edit = Callable[[dict[str, Any]], Any]


def edited(tmp_path: Path, file: str, edit: Edit) -> str:
    """A folder with one file that is changed."""
    table: dict[str, Any] = read_table(PACKAGE_DATA / f"{file}.toml")
    edit(table)
    (tmp_path / f"{file}.toml").write_text(toml(table), encoding="utf-8")
    return str(tmp_path)


def test_the_box() -> None:
    box = load_box()
    assert [len(group) for group in (box.civilizations, box.technologies, box.wonders)] == [48, 27, 15]
    assert [tech.name for tech in box.technologies[:9:3]] == ["Writing", "Navigation", "Mining"]
    assert box.card_of(0) == frozenset(range(1, 10))
    assert box.card_of(1) == {3, 4, 5, 6, 7, 8, 9, 10, 11}
    assert box.prerequisites(1) == frozenset()


def test_files_that_are_written_anew_say_the_same(tmp_path: Path) -> None:
    for name in FILES.names:
        table = read_table(PACKAGE_DATA / name)
        (tmp_path / name).write_text(toml(table), encoding="utf-8")
    assert load_box(str(tmp_path)) == load_box()


def test_a_folder_may_have_some_of_the_files(tmp_path: Path) -> None:
    def cheap(table: dict[str, Any]) -> None:
        table["wonder"][0]["effects"] = [{"when": "game_end", "do": "points", "n": 9}]

    folder = edited(tmp_path, "wonders", cheap)
    box = load_box(folder)
    assert box.wonder(1).effects[0].n == 9 and box.civilizations == load_box().civilizations


CIVILIZATIONS, TECHNOLOGIES, WONDERS, GAME = "civilizations", "technologies", "wonders", "game"


def change(key: str, place: int, **values: object) -> Edit:
    """An entry has other values."""
    return lambda table: table[key][place].update(values)


def main(**effect: object) -> Edit:
    """Egypt's main ability has one effect more."""
    return lambda table: table["civilization"][0]["main"].append(effect)


def effect(key: str, place: int, **effect: object) -> Edit:
    """An entry has one effect more."""
    return lambda table: table[key][place]["effects"].append(effect)


REFUSALS: list[tuple[str, Edit, str]] = [
    (CIVILIZATIONS, change("civilization", 47, number=49), "civilization.number = .*, allowed 1..48, in order"),
    (CIVILIZATIONS, change("civilization", 0, population=5), "1 Egypt: population = 5, allowed an integer 1..4"),
    (CIVILIZATIONS, change("civilization", 2, population=2), "3 Khmer: population = 2, allowed 3, as the rulebook"),
    (CIVILIZATIONS, change("civilization", 0, name="Kemet"), "allowed Egypt among the names"),
    (CIVILIZATIONS, change("civilization", 47, name="Egypt"), "name = 'Egypt', allowed every name once"),
    (CIVILIZATIONS, change("civilization", 0, main=[]), "main = .*, allowed at least one effect"),
    (CIVILIZATIONS, change("civilization", 0, colour=1), "unknown key 'colour'"),
    (CIVILIZATIONS, lambda t: t["civilization"][0].pop("source"), "the key source is missing"),
    (CIVILIZATIONS, change("civilization", 0, source="me"), "source = 'me', allowed rulebook, public"),
    (CIVILIZATIONS, lambda t: t["civilization"][0]["source"].update(name="me"), "source: name = 'me'"),
    (CIVILIZATIONS, lambda t: t["civilization"][0]["inherited"].append({"when": "birth", "do": "points", "n": 1}),
     "inherited.1.: when = 'birth', allowed always"),
    (CIVILIZATIONS, main(when="gain", do="points", n=1), "when = 'gain'"),
    (CIVILIZATIONS, main(when="rest", do="workers", n=1),
     "do = 'workers', allowed coins, points, others_coins"),
    (CIVILIZATIONS, main(do="force"), "the key n is missing"),
    (CIVILIZATIONS, main(do="force", n=0), "n = 0, allowed an integer 1..9"),
    (CIVILIZATIONS, main(do="labour", action="farm", n=0), "n = 0, allowed not 0"),
    (CIVILIZATIONS, main(do="force", n=1, per="strongest"), "no count that depends on force"),
    (CIVILIZATIONS, main(do="force", n=1, per="bonus"), "bonus only at birth"),
    (CIVILIZATIONS, main(do="force", n=1, per="forces"), "did you mean force"),
    (CIVILIZATIONS, main(do="force", n=1, min=1), "unknown key 'min'"),
    (CIVILIZATIONS, main(do="safe", action="war"), "action = 'war'"),
    (CIVILIZATIONS, main(do="discount", action="wonder", n=1, techs=["Writing"]),
     "techs only with action = 'research'"),
    (CIVILIZATIONS, main(do="discount", action="research", n=1, techs=["Fire"]),
     "a list of names of technologies"),
    (CIVILIZATIONS, lambda t: t["civilization"][20]["main"].append({"when": "turn_end", "do": "coins", "n": 1}),
     "an optional turn_end effect only without another one"),
    (TECHNOLOGIES, change("technology", 0, row=2), r"column, row = \[1, 2\], allowed \[1, 1\]"),
    (TECHNOLOGIES, change("technology", 0, special=1), "no such key on the base card"),
    (TECHNOLOGIES, change("technology", 9, special=2), "special = 2, allowed an integer 1..1"),
    (TECHNOLOGIES, lambda t: t["technology"][9].pop("special"), "special = None, allowed 1"),
    (TECHNOLOGIES, change("technology", 9, row=2), "row = 2, allowed 1"),
    (TECHNOLOGIES, change("technology", 10, column=3), "column = 3, allowed 1, that of its special card"),
    (TECHNOLOGIES, change("technology", 5, name="Building"), "allowed Engineering among the names"),
    (TECHNOLOGIES, lambda t: t["arrows"].append([[1, 1], [1, 3]]), r"arrows = \[\[1, 1\], \[1, 3\]\]"),
    (TECHNOLOGIES, lambda t: t["arrows"].pop(0), r"an arrow to every cell of rows 2 and 3, also to \[1, 2\]"),
    (TECHNOLOGIES, lambda t: t.update(arrows_source="me"), "arrows_source = 'me'"),
    (TECHNOLOGIES, effect("technology", 0, when="birth", do="points", n=1), "when = 'birth'"),
    (WONDERS, change("wonder", 0, effects=[]), "at least one effect"),
    (WONDERS, change("wonder", 0, name=""), "name = '', allowed a text"),
    (GAME, change("action", 0, price=6), r"as the rulebook says"),
    (GAME, change("action", 0, spaces=5), "spaces = 5, allowed an integer 1..4"),
    (GAME, change("action", 0, red=1), "red = 1, allowed true or false"),
    (GAME, effect("action", 0, do="technology", n=1), "one technology for research, none elsewhere"),
    (GAME, change("action", 1, effects=[{"do": "points", "n": 1}]), "one technology for research"),
    (GAME, lambda t: t["action"][3]["effects"][0].update(when="act"), "no such key in an action"),
    (GAME, lambda t: t["action"].reverse(), "wonder, research, .*, in order"),
    (GAME, change("card", 0, plague=True), "one card with the plague"),
    (GAME, change("card", 0, action="fish"), "every action once"),
    (GAME, change("card", 0, name="fish"), "eight different names"),
    (GAME, lambda t: t["first_game"].reverse(), "every card once, beginning with hunt, fish, farm"),
    (GAME, lambda t: t["solo_removed"].pop(), "solo_removed = .*, allowed .*Mongolia"),
    (GAME, lambda t: t.update(permanent=["wonder"]), "permanent = .*, allowed wonder, research, enslavement"),
    (GAME, lambda t: t["event"][3]["effects"][0].update(n=0), "not 0, and points are never lost"),
    (GAME, lambda t: t["event"][2]["effects"][0].update(n=-2), "not 0, and points are never lost"),
    (GAME, lambda t: t["event"][2]["effects"][0].pop("of"), "the key of is missing"),
    (GAME, lambda t: t["event"][0]["effects"][0].update(of="coins"), "unknown key 'of'"),
    (GAME, change("event", 0, number=99), "event.number"),
    (GAME, change("achievement", 0, points=100), "points = 100, allowed an integer 0..99"),
    (GAME, lambda t: t["achievement"][4]["needs"][0].update(need="gold"), "need = 'gold'"),
    (GAME, lambda t: t.update(cards=[]), "unknown key 'cards'"),
]  # fmt: skip


@pytest.mark.parametrize(("file", "edit", "words"), REFUSALS, ids=[str(k) for k in range(len(REFUSALS))])
def test_refusals_name_the_entry_the_key_the_value_and_what_is_allowed(
    tmp_path: Path, file: str, edit: Edit, words: str
) -> None:
    folder = edited(tmp_path, file, edit)
    with pytest.raises(DataError, match=words) as error:
        load_box(folder)
    assert f"{file}.toml" in str(error.value) and "\n" not in str(error.value)


def test_folders_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="has no data file"):
        load_box(str(tmp_path))
    (tmp_path / "wonder.toml").write_text("")
    with pytest.raises(DataError, match=r"did you mean wonders\.toml"):
        load_box(str(tmp_path))
    (tmp_path / "wonder.toml").unlink()
    (tmp_path / "wonders.toml").write_text("wonder = [")
    with pytest.raises(DataError, match="is not TOML"):
        load_box(str(tmp_path))


def test_too_many_effects_are_refused(tmp_path: Path) -> None:
    def many(table: dict[str, Any]) -> None:
        for wonder in table["wonder"]:
            wonder["effects"] = [{"when": "game_end", "do": "points", "n": 1}] * 80

    with pytest.raises(DataError, match="allowed are at most 1024"):
        load_box(edited(tmp_path, "wonders", many))


@pytest.mark.parametrize("seed", range(12))
def test_any_data_that_are_accepted_can_be_played(tmp_path: Path, seed: int) -> None:
    """Random effects of every kind on every card: nothing is inconsistent in any state."""
    folder = random_folder(tmp_path, seed)
    for config in (
        {"players": 3, "innovation": True, "changing_world": True, "draft": seed % 2 == 0},
        {"players": 1},
    ):
        game, stream = game_of(data=str(folder), **config), Stream(seed)
        states, rng = game.new_states(), np.random.default_rng(seed)
        for deal in range(2):
            game.reset(states, 0, deal)
            while not game.is_over(states, 0):
                assert game.check_state(states, 0) == []
                seat = int(rng.integers(game.num_seats))
                other = game.resample_hidden(states, 0, seat, rng)
                assert np.array_equal(game.view(other, 0, seat)[1], game.view(states, 0, seat)[1])
                legal = game.legal_actions(states, 0)
                game.step(states, 0, legal[stream.below(len(legal))])
                assert states[0]["steps"] < game.max_decisions
            assert game.check_state(states, 0) == []
