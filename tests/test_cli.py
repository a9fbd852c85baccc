"""The command line as a user meets it: output, files, exit codes, and one line for every mistake."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from test_trace import MODES, POSITION

import genesia_rl
from genesia_rl.cli import output, traces
from genesia_rl.cli.app import run

Capture = pytest.CaptureFixture[str]
ROOT = Path(genesia_rl.__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)


def genesia(capsys: Capture, *arguments: str) -> tuple[int, str, str]:
    """Exit code, standard output, standard error."""
    capsys.readouterr()
    code = run(arguments)
    out, err = capsys.readouterr()
    return code, out, err


def mistake(capsys: Capture, *arguments: str) -> str:
    """The one line that a mistake gives."""
    code, out, err = genesia(capsys, *arguments)
    assert (code, out) == (2, "")
    assert re.fullmatch(r"genesia: error: [^\n]+\n", err), err
    return err.removeprefix("genesia: error: ").strip()


def options(fields: dict[str, Any]) -> list[str]:
    """A configuration as options of the command line."""
    given: list[str] = []
    fields = dict(fields)
    if "solo_level" in fields:
        del fields["players"]
        given += ["--solo", fields.pop("solo_level")]
    for name, value in fields.items():
        flag = name.replace("_", "-")
        if isinstance(value, bool):
            given.append(f"--{flag}" if value else f"--no-{flag}")
        elif isinstance(value, list):
            given += [f"--{flag}", "/".join(",".join(map(str, group)) for group in value)]
        else:
            given += [f"--{flag}", str(value)]
    return given


def lines(path: str) -> list[dict[str, Any]]:
    """The traces of a file."""
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


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


def test_the_same_command_gives_the_same_bytes_and_another_seed_others(capsys: Capture) -> None:
    for name in ("a", "b"):
        assert genesia(capsys, "record", "--games", "3", "--seed", "5", "--out", name)[0] == 0
    assert genesia(capsys, "record", "--games", "3", "--seed", "6", "--out", "c")[0] == 0
    a, b, c = (Path(name).read_bytes() for name in "abc")
    assert a == b and a != c
    assert a.splitlines()[1:] == c.splitlines()[:2]


def test_standard_output_gets_the_bytes_of_a_file_and_nothing_else(capsys: Capture) -> None:
    genesia(capsys, "record", "--games", "2", "--out", "a")
    code, out, err = genesia(capsys, "record", "--games", "2", "--out", "-")
    assert code == 0 and out == Path("a").read_text(encoding="utf-8")
    assert "written to standard output" in err


def test_several_files_are_verified_together(capsys: Capture) -> None:
    genesia(capsys, "record", "--games", "2", "--out", "a")
    genesia(capsys, "record", "--players", "3", "--out", "b")
    assert genesia(capsys, "verify", "a", "b")[1].startswith("3 games, ")


def test_an_empty_file_holds_no_game(capsys: Capture) -> None:
    Path("a").touch()
    assert genesia(capsys, "verify", "a")[:2] == (0, "0 games, 0 decisions, 0 differences\n")


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
    source = ROOT / "genesia_rl/games/genesia/data/cards.toml"
    Path("mine").mkdir()
    Path("mine/cards.toml").write_text(source.read_text(encoding="utf-8").replace("Granary", "Silo"))
    assert genesia(capsys, "record", "--data", "mine", "--out", "a")[0] == 0
    assert lines("a")[0]["config"]["data"] == "mine" and genesia(capsys, "verify", "a")[0] == 0
    assert genesia(capsys, "card", "8", "--data", "mine")[1].startswith("card 8: Silo")


# ---------------------------------------------------------------- differences


def test_differences_are_counted_the_first_is_explained_and_the_exit_code_is_one(capsys: Capture) -> None:
    genesia(capsys, "record", "--games", "3", "--legal", "--out", "a")
    made = lines("a")
    made[1]["steps"][20][3].append("region:99")
    made[1]["result"]["score"][0] += 1
    made[2]["steps"][4][0] = 1 - made[2]["steps"][4][0]
    Path("a").write_text("".join(json.dumps(trace) + "\n" for trace in made))
    code, out, err = genesia(capsys, "verify", "a")
    assert (code, err) == (1, "")
    first, *_, last = out.splitlines()
    assert first.startswith("a, line 2 (game 1): step 20: legal set: the trace has [")
    assert "  step 19: seat" in out and "  continent of A" in out and "line 3" not in out
    assert re.fullmatch(r"3 games, \d+ decisions, 3 differences", last)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "a, line 2: is no JSON"),
        ('{"format": "genesia-trace/2"}', "a, line 2: format = 'genesia-trace/2', allowed is"),
        ('{"format": "genesia-trace/1", "config": {"players": 9}, "deal": {}, "steps": []}',
         "a, line 2: config: players = 9, allowed 2..5"),
        ('{"format": "genesia-trace/1", "config": {"plyers": 9}, "deal": {}, "steps": []}',
         "a, line 2: config: unknown field 'plyers'"),
    ],
)  # fmt: skip
def test_a_broken_line_is_the_users_mistake_and_its_number_is_named(
    capsys: Capture, line: str, reason: str
) -> None:
    Path("a").write_text("\n" + line + "\n")
    assert reason in mistake(capsys, "verify", "a")


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
        ("--games 0", "'--games': '0', allowed an integer of at least 1"),
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
        ({"clans": {"0": [20, 0], "1": [11, 0]}}, "clans of seat 0 on the map = 31, allowed at most 30"),
        ({"clans": {"1": [1, 1]}}, "region 1 is occupied by seats [0, 1], allowed is one outside homelands"),
        ({"clans": {"99": [1, 1]}}, "region in clans = '99', allowed"),
        ({"hands": [[61, 64], [64]]}, "card 64 is in 2 places, allowed is one"),
        ({"hands": [[61, 62, 63, 64, 65, 66], []]}, "[61, 62, 63, 64, 65, 66], allowed at most 5 cards"),
        ({"hands": [[1], []]}, "card in the hand of seat 0 = 1, allowed cards of Age 3"),
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
    "arguments",
    ["verify nowhere", "verify .", "verify", "show nowhere", "record", "record --out", "record --out no/a",
     "record --out .", "card", "card 0", "card 100", "card x", "card 1 --all", "card 1 2", "objective 13",
     "card 1 --data nowhere", "selfplay --players 7", "selfplay --players 2;3", "selfplay --threads 0",
     "bench --seconds 0", "bench --players six", "fly", "--fly"],
)  # fmt: skip
def test_every_other_mistake_gives_one_line_as_well(capsys: Capture, arguments: str) -> None:
    mistake(capsys, *arguments.split())


# ---------------------------------------------------------------- files are whole or absent


def broken_recording(*_: Any, **__: Any) -> None:
    """A recording that fails in the middle, as a full disk would make it."""
    raise OSError(28, "No space left on device", "old")


def test_an_older_file_stays_when_a_recording_fails(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("old").write_text("precious")
    monkeypatch.setattr(traces, "record_game", broken_recording)
    assert mistake(capsys, "record", "--out", "old") == "old: No space left on device"
    assert Path("old").read_text() == "precious" and os.listdir() == ["old"]


def test_an_older_file_is_replaced_with_its_permissions_and_through_its_links(capsys: Capture) -> None:
    Path("old").write_text("old")
    Path("old").chmod(0o640)
    Path("link").symlink_to("old")
    assert genesia(capsys, "record", "--out", "link")[0] == 0
    assert Path("link").is_symlink() and len(lines("old")) == 1
    assert stat.S_IMODE(Path("old").stat().st_mode) == 0o640


def test_a_device_is_written_to_and_not_replaced(capsys: Capture) -> None:
    assert genesia(capsys, "record", "--out", os.devnull)[0] == 0
    assert not Path(os.devnull).is_file()


# ---------------------------------------------------------------- show


def test_show_prints_the_position_and_what_was_decided(capsys: Capture) -> None:
    genesia(capsys, "record", "--players", "3", "--games", "4", "--out", "a")
    seat, kind, action = lines("a")[3]["steps"][40]
    code, out, _ = genesia(capsys, "show", "a", "--game", "3", "--step", "40")
    assert code == 0 and out.startswith("Age ") and f"(seat {seat}) decides: {kind}" in out
    assert f"seat {seat} takes {action}: " in out and "the game is over" not in out


def test_show_prints_the_last_decision_and_the_result_by_default(capsys: Capture) -> None:
    genesia(capsys, "record", "--out", "a")
    (trace,) = lines("a")
    out = genesia(capsys, "show", "a")[1]
    assert f"step {len(trace['steps']) - 1} of " in out
    assert f"score           {json.dumps(trace['result']['score'])}" in out


def test_show_names_the_range_of_games_and_of_steps(capsys: Capture) -> None:
    genesia(capsys, "record", "--games", "2", "--out", "a")
    last = len(lines("a")[0]["steps"]) - 1
    assert "game = 2, allowed 0..1" in mistake(capsys, "show", "a", "--game", "2")
    assert "game = -1, allowed 0..1" in mistake(capsys, "show", "a", "--game", "-1")
    assert f"step = {last + 1}, allowed 0..{last}" in mistake(capsys, "show", "a", "--step", str(last + 1))
    Path("b").touch()
    assert "game = 0, allowed none" in mistake(capsys, "show", "b")


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
        "  source    number, name, Age and lot are from the rulebooks; cost and effects are reconstructed",
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


# ---------------------------------------------------------------- selfplay and warmup


def test_selfplay_prints_speed_scores_and_shares_of_wins(capsys: Capture) -> None:
    code, out, _ = genesia(capsys, "selfplay", "--games", "600", "--players", "1,2,5")
    assert code == 0
    for words in (
        "games a second",
        "decisions a game",
        "conquest, mean",
        "seat 4",
        "fifth in the turn order",
    ):
        assert words in out
    assert "solo" in out.split("Share of wins")[0] and "solo" not in out.split("Share of wins")[1]


def test_selfplay_of_solo_games_has_no_winners(capsys: Capture) -> None:
    code, out, _ = genesia(capsys, "selfplay", "--games", "10", "--players", "1")
    assert code == 0 and "Share of wins" not in out


def test_the_games_of_selfplay_do_not_depend_on_the_number_of_threads(capsys: Capture) -> None:
    one, three = (
        genesia(capsys, "selfplay", "--games", "1300", "--players", "2", "--threads", threads)[1]
        for threads in ("1", "3")
    )
    assert one.partition("Scores")[2] == three.partition("Scores")[2] != ""


def test_warmup_says_how_long_it_took_and_where_it_is_kept(capsys: Capture) -> None:
    assert genesia(capsys, "warmup")[0] == 0
    code, out, err = genesia(capsys, "warmup")
    assert (code, err) == (0, "")
    assert re.search(r"genesia: loaded, compiled before, in \d+\.\d s; kept in .*numba-", out)


# ---------------------------------------------------------------- the program itself


def test_the_version_is_that_of_the_package(capsys: Capture) -> None:
    assert genesia(capsys, "--version")[:2] == (0, f"genesia-rl {genesia_rl.__version__}\n")


def test_without_a_command_it_lists_the_commands(capsys: Capture) -> None:
    code, out, _ = genesia(capsys)
    assert code == 0
    for command in ("selfplay", "record", "verify", "show", "card", "objective", "bench", "warmup"):
        assert f"\n  {command} " in out


@pytest.mark.parametrize("command", ["record", "verify", "show", "card", "selfplay", "bench", "warmup"])
def test_every_command_explains_itself(capsys: Capture, command: str) -> None:
    code, out, _ = genesia(capsys, command, "--help")
    assert code == 0 and f"Usage: genesia {command}" in out


def test_long_work_has_a_progress_bar_on_standard_error_of_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(output, "LONG", -1.0)
    monkeypatch.setattr(output, "Console", lambda stderr: output_console(screen, stderr))
    with output.progress("recording", 3) as advance:
        for _ in range(3):
            advance(1)
    assert "recording" in screen.getvalue() and "3/3" in screen.getvalue()


def output_console(screen: io.StringIO, stderr: bool) -> Any:
    """A terminal whose screen can be read."""
    from rich.console import Console

    assert stderr
    return Console(file=screen, force_terminal=True, width=100)


def test_short_work_has_none(capsys: Capture) -> None:
    with output.progress("recording", 1) as advance:
        advance(1)
    assert capsys.readouterr() == ("", "")


def test_an_interruption_is_one_line_and_leaves_no_file(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(traces, "record_game", interrupted)
    code, out, err = genesia(capsys, "record", "--out", "a")
    assert (code, out) == (130, "") and err.strip() == "genesia: interrupted"
    assert os.listdir() == []


def start(*arguments: str) -> subprocess.Popen[str]:
    """The program in a process of its own, which an interrupt reaches also in the background.

    A shell lets its background jobs ignore interrupts, and children inherit that.
    """
    path = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen(
        [sys.executable, "-m", "genesia_rl", *arguments], text=True, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": path},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip


def test_control_c_stops_a_running_program_with_130() -> None:
    process = start("record", "--games", "100000", "--out", "a")
    deadline = time.monotonic() + 120
    while not any(map(os.path.getsize, os.listdir())) and time.monotonic() < deadline:
        time.sleep(0.05)  # until it plays: while it compiles, an interruption may be lost
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130 and out == ""
    assert err.splitlines()[-1] == "genesia: interrupted" and "Traceback" not in err
    assert os.listdir() == []


def test_a_reader_who_leaves_early_is_no_error() -> None:
    process = start("record", "--games", "100", "--out", "-")
    assert process.stdout is not None and process.stderr is not None
    assert process.stdout.readline().startswith('{"format":"genesia-trace/1"')
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    assert process.wait(timeout=60) == 1
    process.stderr.close()
