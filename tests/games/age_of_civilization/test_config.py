"""The configuration (RULES 3): defaults, every combination, and what is refused."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.games.age_of_civilization.config import Config, load_config
from genesia_rl.games.age_of_civilization.data.reading import PACKAGE_DATA

DEFAULTS = {"players": 2, "innovation": False, "changing_world": False, "draft": False, "track": "random"}


def test_defaults() -> None:
    assert Config.make().to_dict() == DEFAULTS
    assert Config.make(players=None, draft=None).to_dict() == DEFAULTS
    assert Config.from_dict(DEFAULTS) == Config.make()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_all_combinations_are_allowed(players: int) -> None:
    for innovation, world, draft, track in product(
        (False, True), (False, True), (False, True), ("random", "first_game")
    ):
        fields = {
            "players": players,
            "innovation": innovation,
            "changing_world": world,
            "draft": draft,
            "track": track,
        }
        assert Config.make(**fields).to_dict() == fields


def test_solo_takes_innovation_alone() -> None:
    assert Config.make(players=1, innovation=True).is_solo


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"players": 0}, "players = 0, allowed 2..4, or 1 for the solo mode"),
        ({"players": 5}, "players = 5"),
        ({"players": "2"}, "players = '2'"),
        ({"players": True}, "players = True"),
        ({"innovation": 1}, "innovation = 1, allowed true or false"),
        ({"changing_world": "yes"}, "changing_world = 'yes', allowed true or false"),
        ({"draft": 0}, "draft = 0, allowed true or false"),
        ({"track": "first"}, r"track = 'first', allowed random or first_game \(did you mean first_game\?\)"),
        ({"track": 1}, "track = 1"),
        ({"players": 1, "changing_world": True}, "changing_world = True, allowed false with players = 1"),
        ({"players": 1, "draft": True}, "draft = True, allowed false with players = 1"),
        ({"players": 1, "track": "first_game"}, 'track = .first_game., allowed "random" with players = 1'),
        ({"player": 2}, r"unknown field 'player' = 2, allowed players.*did you mean players"),
        ({"data": "nowhere"}, "data = 'nowhere', allowed the path of a folder that exists"),
        ({"data": 3}, "data = 3"),
    ],
)
def test_refusals_name_the_field_the_value_and_what_is_allowed(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        Config.make(**fields)


def test_configuration_files(tmp_path: Path) -> None:
    toml, as_json = tmp_path / "a.toml", tmp_path / "a.json"
    toml.write_text("players = 3\ndraft = true\n")
    as_json.write_text(json.dumps({"players": 3, "draft": True}))
    assert load_config(toml) == load_config(as_json) == Config.make(players=3, draft=True)
    toml.write_text("players = 9")
    with pytest.raises(ConfigError, match=r"a.toml: players = 9"):
        load_config(toml)


def test_a_data_folder_is_part_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "wonders.toml").write_text((PACKAGE_DATA / "wonders.toml").read_text())
    config = Config.make(data=str(tmp_path))
    assert config.to_dict() == {**DEFAULTS, "data": str(tmp_path)}


def test_the_description_for_the_command_line() -> None:
    info = game_info("age_of_civilization")
    assert info.all_players == (1, 2, 3, 4)
    for players in info.all_players:
        make_game("age_of_civilization", **info.full(players))
    for topic in info.topics:
        for number in info.numbers(topic, None):
            assert info.explain(topic, number, None)
    with pytest.raises(ConfigError, match=r"allowed are 1\.\.48"):
        info.explain("civilization", 49, None)
