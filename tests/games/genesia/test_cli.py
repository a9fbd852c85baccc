"""The command line with Genesia: its configuration as options and files, its positions, its cards."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from cli_tools import Capture, genesia, lines, mistake
from games.genesia.modes import MODES, POSITION

from genesia_rl.games.genesia.data import reading

DATA = Path(reading.__file__).parent


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)


def options(fields: dict[str, Any]) -> list[str]:
    """A configuration as options of the command line."""
    given: list[str] = []
    fields = dict(fields)
    if "solo_level" in fields:
        del fields["players"]
        given += ["--solo", fields.pop("solo_level")]
    for name, value in fields.items():
        flag = name.replace("_", "-")
        if name == "extra_objectives":
            given += [f"--{flag}", "both" if value is True else ",".join(map(str, value))]
        elif isinstance(value, bool):
            given.append(f"--{flag}" if value else f"--no-{flag}")
        elif isinstance(value, list):
            given += [f"--{flag}", "/".join(",".join(map(str, group)) for group in value)]
        else:
            given += [f"--{flag}", str(value)]
    return given


def position_file(config: dict[str, Any] | None = None, **changes: Any) -> str:
    """A position file; `None` leaves a key out."""
    position = {key: value for key, value in (POSITION | changes).items() if value is not None}
    Path("position.json").write_text(json.dumps({"config": config or {}, "position": position}))
    return "position.json"


# ---------------------------------------------------------------- record and verify


@pytest.mark.parametrize("name", MODES)
def test_whatever_is_recorded_is_verified_in_every_mode(capsys: Capture, name: str) -> None:
    code, out, err = genesia(
        capsys, "record", *options(MODES[name]), "--games", "4", "--seed", "7", "--legal", "--states",
        "--out", "games.jsonl",
    )  # fmt: skip
    assert (code, out) == (0, "") and err.splitlines()[-1].startswith("4 games, ")
    made = lines("games.jsonl")
    assert [trace["seed"] for trace in made] == [7, 8, 9, 10]
    for field, value in MODES[name].items():
        assert made[0]["config"][field] == value
    code, out, _ = genesia(capsys, "verify", "games.jsonl")
    decisions = sum(len(trace["steps"]) for trace in made)
    assert (code, out) == (0, f"4 games, {decisions:,} decisions, 0 differences\n")


def test_a_position_is_recorded_and_verified_with_every_seed_another_game(capsys: Capture) -> None:
    file = position_file()
    code, *_ = genesia(capsys, "record", "--position", file, "--games", "3", "--legal", "--out", "a")
    assert code == 0 and genesia(capsys, "verify", "a")[0] == 0
    made = lines("a")
    assert all(trace["position"] == POSITION and "deal" not in trace for trace in made)
    assert made[0]["steps"] != made[1]["steps"]
    genesia(capsys, "record", "--position", file, "--games", "3", "--legal", "--out", "b")
    assert Path("a").read_bytes() == Path("b").read_bytes()


def test_options_override_the_configuration_of_a_position_file(capsys: Capture) -> None:
    file = position_file({"promos": False})
    assert genesia(capsys, "record", "--position", file, "--promos", "--out", "a")[0] == 0
    assert lines("a")[0]["config"]["promos"] is True
    assert "coins = [9, 14], allowed 3 integers" in mistake(
        capsys, "record", "--position", position_file(turn_order=[0, 1, 2]), "--players", "3", "--out", "a"
    )


def test_black_objectives_are_none_both_or_numbers(capsys: Capture) -> None:
    for text, value in (("both", True), ("none", False), ("12", [12]), ("12,11", [12, 11])):
        assert genesia(capsys, "record", "--extra-objectives", text, "--out", "a")[0] == 0
        assert lines("a")[0]["config"]["extra_objectives"] == value
    for text in ("11/12", "eleven", "10"):
        assert "extra_objectives = " in mistake(capsys, "record", "--extra-objectives", text, "--out", "a")


def test_a_trace_of_the_first_revision_is_refused_by_its_name(capsys: Capture) -> None:
    genesia(capsys, "record", "--out", "a")
    Path("old").write_text(Path("a").read_text().replace("genesia-trace/2", "genesia-trace/1"))
    assert "old, line 1: format = 'genesia-trace/1', allowed is genesia-trace/2" in mistake(
        capsys, "verify", "old"
    )


@pytest.mark.parametrize("suffix", ["toml", "json"])
def test_options_override_the_fields_of_a_configuration_file(capsys: Capture, suffix: str) -> None:
    fields = {"players": 4, "promos": True, "teams": [[0, 1], [2, 3]]}
    toml = "".join(f"{key} = {json.dumps(value)}\n" for key, value in fields.items())
    Path(f"c.{suffix}").write_text(toml if suffix == "toml" else json.dumps(fields))
    assert genesia(capsys, "record", "--config", f"c.{suffix}", "--out", "a")[0] == 0
    assert lines("a")[0]["config"].items() >= fields.items()
    assert genesia(capsys, "record", "--config", f"c.{suffix}", "--players", "3", "--no-promos",
                   "--teams", "none", "--out", "a")[0] == 0  # fmt: skip
    assert lines("a")[0]["config"].items() >= {"players": 3, "promos": False, "teams": None}.items()


def test_the_configuration_of_a_trace_is_a_configuration_file(capsys: Capture) -> None:
    genesia(capsys, "record", "--players", "3", "--promos", "--seed", "3", "--out", "a")
    Path("c.json").write_text(json.dumps(lines("a")[0]["config"]))
    genesia(capsys, "record", "--config", "c.json", "--seed", "3", "--out", "b")
    assert Path("a").read_bytes() == Path("b").read_bytes()


def test_data_of_ones_own_is_recorded_with_its_folder(capsys: Capture) -> None:
    source = DATA / "cards.toml"
    Path("mine").mkdir()
    Path("mine/cards.toml").write_text(source.read_text(encoding="utf-8").replace("Granary", "Silo"))
    assert genesia(capsys, "record", "--data", "mine", "--out", "a")[0] == 0
    assert lines("a")[0]["config"]["data"] == "mine" and genesia(capsys, "verify", "a")[0] == 0
    assert genesia(capsys, "card", "8", "--data", "mine")[1].startswith("card 8: Silo")


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("--players 9", "players = 9, allowed 2..5, or 1 for the solo mode"),
        ("--players 0", "players = 0, allowed"),
        ("--players x", "'--players': 'x', allowed an integer"),
        ("--players 4 --teams 0,1/2", "teams = ((0, 1), (2,)), allowed"),
        ("--teams 0;1", "teams = '0;1', allowed seats such as 0,1/2,3"),
        ("--lots blue", "lots of Age I = ['blue'], allowed 2 different colours"),
        ("--lots blue,pink", "lots of Age I = ['blue', 'pink'], allowed"),
        ("--lots blue,red/red,blue", "lots = 'blue,red/red,blue', allowed"),
        ("--decks 1,2", "decks = '1,2', allowed three lists of card numbers"),
        ("--decks 1/2/3", "decks of Age I = [1]: 1 cards, allowed exactly 12"),
        ("--solo hard", "solo_level = 'hard', allowed beginner, expert, heroic"),
        ("--solo expert --players 3", "players = 3 by --players and 1 by --solo, allowed is one"),
        ("--solo expert --promos", "promos = True, allowed false in the solo mode"),
        ("--policy nobody", "agent 'nobody': unknown, allowed are random, greedy"),
        ("--data nowhere", "data = 'nowhere', allowed the path of a folder that exists"),
        ("--games 0", "'--games': '0', allowed an integer 1..10000000"),
        ("--seed -1", "'--seed': '-1', allowed an integer 0..9223372036854775807"),
        ("--seed 9223372036854775807 --games 2", "seed = 9223372036854775807 with 2 games, allowed"),
        ("--config nowhere.toml", "nowhere.toml: cannot be read"),
        ("--position nowhere.json", "nowhere.json: cannot be read"),
        ("--config a --position b", "--config a: not allowed besides --position"),
        ("--plyers 3", "--plyers"),
    ],
)
def test_a_wrong_option_is_named_with_its_value_and_what_is_allowed(
    capsys: Capture, arguments: str, reason: str
) -> None:
    assert reason in mistake(capsys, "record", *arguments.split(), "--out", "a")
    assert os.listdir() == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("playrs = 3", "c.toml: unknown field 'playrs' = 3, allowed players, lots"),
        ("players = 7", "c.toml: players = 7, allowed"),
        ("players =", "c.toml: is not TOML"),
        ("teams = [[0, 1], [2, 3]]", "c.toml: teams = [[0, 1], [2, 3]], allowed"),
    ],
)
def test_a_wrong_configuration_file_is_named(capsys: Capture, text: str, reason: str) -> None:
    Path("c.toml").write_text(text)
    assert reason in mistake(capsys, "record", "--config", "c.toml", "--out", "a")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"clans": {"0": [20, 0], "1": [11, 0]}}, "clans of seat 0 on the map and as markers = 31, allowed at most 30"),
        ({"clans": {"1": [1, 1]}}, "region 1 is occupied by seats [0, 1], allowed is one outside homelands"),
        ({"clans": {"99": [1, 1]}}, "region in clans = '99', allowed"),
        ({"hands": [[61, 64], [64]]}, "card 64 is in 2 places, allowed is one"),
        ({"hands": [[61, 62, 63, 64, 65, 66], []]}, "[61, 62, 63, 64, 65, 66], allowed at most 5 cards"),
        ({"hands": [[1], []]}, "card in the hand of seat 0 = 1, allowed cards of Age III"),
        ({"age": 4}, "age = 4, allowed an integer 1..3"),
        ({"phase": "lunch"}, "phase = 'lunch', allowed growth or expansion or attack or end"),
        ({"coins": [1]}, "coins = [1], allowed 2 integers"),
        ({"coins": None}, "the key coins is missing"),
        ({"gold": 1}, "unknown key 'gold'"),
    ],
)  # fmt: skip
def test_a_position_that_breaks_a_rule_is_refused_with_the_reason(
    capsys: Capture, changes: dict[str, Any], reason: str
) -> None:
    file = position_file(**changes)
    assert reason in mistake(capsys, "record", "--position", file, "--out", "a")
    assert not Path("a").exists()


@pytest.mark.parametrize(
    "arguments", ["card", "card 0", "card 100", "card x", "card 1 --all", "card 1 2", "objective 13",
                  "card 1 --data nowhere", "selfplay --players 7"],
)  # fmt: skip
def test_every_other_mistake_gives_one_line_as_well(capsys: Capture, arguments: str) -> None:
    mistake(capsys, *arguments.split())


# ---------------------------------------------------------------- show


def test_show_prints_the_position_and_what_was_decided(capsys: Capture) -> None:
    genesia(capsys, "record", "--players", "3", "--games", "4", "--out", "a")
    seat, kind, action = lines("a")[3]["steps"][40]
    code, out, _ = genesia(capsys, "show", "a", "--game", "3", "--step", "40")
    assert code == 0 and out.startswith("Age ") and f"(seat {seat}) decides: {kind}" in out
    assert f"seat {seat} takes {action}: " in out and "the game is over" not in out


def test_show_stops_at_an_action_that_is_not_legal(capsys: Capture) -> None:
    genesia(capsys, "record", "--out", "a")
    (trace,) = lines("a")
    trace["steps"][3][2] = "region:20"
    Path("a").write_text(json.dumps(trace))
    assert "a, line 1, step 3: action region:20" in mistake(capsys, "show", "a")


def test_show_begins_at_a_position_too(capsys: Capture) -> None:
    genesia(capsys, "record", "--position", position_file(), "--out", "a")
    assert genesia(capsys, "show", "a", "--step", "0")[1].startswith("Age III, growth; turn order B A")


# ---------------------------------------------------------------- cards and objectives


def test_a_card_is_printed_in_words(capsys: Capture) -> None:
    code, out, _ = genesia(capsys, "card", "42")
    assert code == 0 and out.splitlines() == [
        "card 42: Spice route (Age II, yellow)",
        "  icons     Growth + Expansion",
        "  cost      nothing",
        "  played    in your own turn of a phase whose icon it bears",
        "  effect    Gain 1 coin for each region that you occupy, at most 8.",
        "            You get 2 free moves.",
        "  source    number, name, Age and a blue or yellow lot are from the rulebooks; which of the two, cost and "
        "effects are reconstructed",
    ]


def test_an_objective_is_printed_in_words(capsys: Capture) -> None:
    out = genesia(capsys, "objective", "3")[1]
    assert out.splitlines()[:3] == [
        "objective 3: Capitals of the World (yellow)",
        "  score     1 point for each city of yours on the map, at most 15.",
        "  need      nothing with fewer than 9 cities of yours on the map.",
    ]


def test_all_cards_and_all_objectives_are_printed(capsys: Capture) -> None:
    assert len(re.findall(r"^card \d+: ", genesia(capsys, "card", "--all")[1], re.MULTILINE)) == 99
    assert len(re.findall(r"^objective \d+: ", genesia(capsys, "objective", "--all")[1], re.MULTILINE)) == 12


# ---------------------------------------------------------------- selfplay


def test_selfplay_prints_speed_scores_and_shares_of_wins(capsys: Capture) -> None:
    code, out, _ = genesia(capsys, "selfplay", "--games", "600", "--players", "1,2,5")
    assert code == 0
    for words in ("games a second", "decisions a game", "conquest, mean", "seat 4",
                  "fifth in the turn order of Age I"):  # fmt: skip
        assert words in out
    assert "solo" in out.split("Share of wins")[0] and "solo" not in out.split("Share of wins")[1]


def test_selfplay_of_solo_games_has_no_winners(capsys: Capture) -> None:
    code, out, _ = genesia(capsys, "selfplay", "--games", "10", "--players", "1")
    assert code == 0 and "Share of wins" not in out
