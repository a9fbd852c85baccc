"""The configuration (RULES 2): defaults, every combination, and what is refused."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from genesia_rl.core.errors import ConfigError
from genesia_rl.core.registry import game_info, make_game
from genesia_rl.games.gentes.config import Config, load_config
from genesia_rl.games.gentes.data.reading import PACKAGE_DATA

DEFAULTS = {"players": 2, "first_game": False, "advanced": False}


def test_defaults() -> None:
    assert Config.make().to_dict() == DEFAULTS
    assert Config.make(players=None, advanced=None).to_dict() == DEFAULTS
    assert Config.from_dict(DEFAULTS) == Config.make()


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_which_combinations_are_allowed(players: int) -> None:
    for first_game, advanced in product((False, True), repeat=2):
        fields = {"players": players, "first_game": first_game, "advanced": advanced}
        if first_game and (advanced or players == 1):
            with pytest.raises(ConfigError, match="advanced = True" if players > 1 else "first_game = True"):
                Config.make(**fields)
        else:
            assert Config.make(**fields).to_dict() == fields


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"players": 0}, "players = 0, allowed 2..4, or 1 for the solo game"),
        ({"players": 5}, "players = 5"),
        ({"players": "2"}, "players = '2'"),
        ({"players": True}, "players = True"),
        ({"first_game": 1}, "first_game = 1, allowed true or false"),
        ({"advanced": "yes"}, "advanced = 'yes', allowed true or false"),
        ({"advance": True}, r"unknown field 'advance' = True, allowed players.*did you mean advanced"),
        ({"data": "nowhere"}, "data = 'nowhere', allowed the path of a folder that exists"),
        ({"data": 3}, "data = 3"),
    ],
)
def test_refusals_name_the_field_the_value_and_what_is_allowed(fields: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        Config.make(**fields)


def test_configuration_files(tmp_path: Path) -> None:
    toml, as_json = tmp_path / "a.toml", tmp_path / "a.json"
    toml.write_text("players = 3\nadvanced = true\n")
    as_json.write_text(json.dumps({"players": 3, "advanced": True}))
    assert load_config(toml) == load_config(as_json) == Config.make(players=3, advanced=True)
    toml.write_text("players = 9")
    with pytest.raises(ConfigError, match=r"a.toml: players = 9"):
        load_config(toml)


def test_a_data_folder_is_part_of_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "tiles.toml").write_text((PACKAGE_DATA / "tiles.toml").read_text())
    config = Config.make(data=str(tmp_path))
    assert config.to_dict() == {**DEFAULTS, "data": str(tmp_path)}


def test_the_description_for_the_command_line() -> None:
    info = game_info("gentes")
    assert info.all_players == (1, 2, 3, 4)
    for players in info.all_players:
        make_game("gentes", **info.full(players))
    for topic in info.topics:
        for number in info.numbers(topic, None):
            assert info.explain(topic, number, None)
    with pytest.raises(ConfigError, match=r"allowed are 1\.\.54"):
        info.explain("card", 55, None)
