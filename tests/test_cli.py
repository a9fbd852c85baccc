"""The command line as a user meets it, for every game: output, files, exit codes, one line for every mistake."""

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
from cli_tools import Capture, genesia, lines, mistake

import genesia_rl
from genesia_rl.cli import output, traces
from genesia_rl.cli.options import split_game
from genesia_rl.core.registry import default_game, game_info, game_names
from genesia_rl.core.trace import trace_format

ROOT = Path(genesia_rl.__file__).resolve().parent.parent
DEFAULT = default_game()
TOPICS = [(game, topic) for game in game_names() for topic in game_info(game).topics]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test runs in a folder of its own."""
    monkeypatch.chdir(tmp_path)


# ---------------------------------------------------------------- which game


@pytest.mark.parametrize(
    ("arguments", "named", "left"),
    [
        ("", None, ""),
        ("record --out a", None, "record --out a"),
        ("--game x record", "x", "record"),
        ("record --game x --out a", "x", "record --out a"),
        ("record --game=x", "x", "record"),
        ("--game x record --game y", "y", "record"),
        ("show a --game 3", None, "show a --game 3"),
        ("show a --game -1 --game x", "x", "show a --game -1"),
        ("verify -- --game x", None, "verify -- --game x"),
        ("record --game", None, "record --game"),
        ("record --game=", None, "record --game="),
    ],
)
def test_the_game_may_be_named_anywhere(arguments: str, named: str | None, left: str) -> None:
    assert split_game(arguments.split()) == (named, left.split())


@pytest.mark.parametrize("game", game_names())
def test_every_game_is_recorded_verified_and_shown(capsys: Capture, game: str) -> None:
    for number in game_info(game).all_players:
        made = genesia(capsys, "record", "--game", game, "--players", str(number), "--legal", "--out", "a")
        assert made[:2] == (0, "")
        (trace,) = lines("a")
        assert trace["format"] == trace_format(game) and trace["config"]["players"] == number
        code, out, _ = genesia(capsys, "verify", "a")
        assert code == 0 and out.endswith(" 0 differences\n")
        assert "the game is over" in genesia(capsys, "show", "a")[1]


def test_a_file_may_hold_games_of_several_kinds(capsys: Capture) -> None:
    text = ""
    for game in game_names():
        genesia(capsys, "--game", game, "record", "--games", "2", "--out", "a")
        text += Path("a").read_text(encoding="utf-8")
    Path("a").write_text(text, encoding="utf-8")
    assert genesia(capsys, "verify", "a")[1].startswith(f"{2 * len(game_names())} games, ")


@pytest.mark.parametrize(("game", "topic"), TOPICS)
def test_what_a_game_has_pages_of_is_printed_in_words(capsys: Capture, game: str, topic: str) -> None:
    number = game_info(game).numbers(topic, None)[0]
    for arguments in (["--game", game, topic, str(number)], [topic, str(number), f"--game={game}"]):
        code, out, _ = genesia(capsys, *arguments)
        assert code == 0 and out.startswith(f"{topic} {number}: ")
    printed = genesia(capsys, "--game", game, topic, "--all")[1]
    assert len(re.findall(rf"^{topic} \d+: ", printed, re.MULTILINE)) == len(
        game_info(game).numbers(topic, None)
    )


@pytest.mark.parametrize(("game", "topic"), TOPICS)
def test_a_topic_that_a_game_has_not_is_not_offered(capsys: Capture, game: str, topic: str) -> None:
    for other in game_names():
        if topic not in game_info(other).topics:
            said = mistake(capsys, topic, "1", "--game", other)
            assert said.startswith(f"game {other!r} offers no {topic}, allowed is --game ")


@pytest.mark.parametrize("arguments", ["record --out a", "selfplay", "warmup", "bench", "", "record --help"])
def test_an_unknown_game_is_named_with_the_known_ones(capsys: Capture, arguments: str) -> None:
    said = mistake(capsys, *arguments.split(), "--game", "chess")
    assert said == f"game 'chess': unknown, allowed are {', '.join(game_names())}"


@pytest.mark.parametrize("game", game_names())
def test_the_help_of_a_command_has_the_options_of_the_games_configuration(capsys: Capture, game: str) -> None:
    out = genesia(capsys, "record", "--help", "--game", game)[1]
    assert all(option.flag.split("/")[0] in out for option in game_info(game).options)
    assert game_info(game).title in genesia(capsys, "--game", game)[1]


# ---------------------------------------------------------------- record and verify


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


# ---------------------------------------------------------------- differences


def test_differences_are_counted_the_first_is_explained_and_the_exit_code_is_one(capsys: Capture) -> None:
    genesia(capsys, "record", "--games", "3", "--legal", "--out", "a")
    made = lines("a")
    made[1]["steps"][20][3].append("jump:3")
    made[1]["result"]["score"][0] += 1
    made[2]["steps"][4][0] = 1 - made[2]["steps"][4][0]
    Path("a").write_text("".join(json.dumps(trace) + "\n" for trace in made))
    code, out, err = genesia(capsys, "verify", "a")
    assert (code, err) == (1, "")
    first, *_, last = out.splitlines()
    assert first.startswith("a, line 2 (game 1): step 20: legal set: the trace has [")
    assert "  step 19: seat" in out and "the position:" in out and "line 3" not in out
    assert re.fullmatch(r"3 games, \d+ decisions, 3 differences", last)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"format": "no-trace/2"}, "a, line 2: format = 'no-trace/2', allowed is"),
        ({"config": {"players": 99}}, "a, line 2: config: players = 99, allowed"),
        ({"config": {"plyers": 2}}, "a, line 2: config: unknown field 'plyers'"),
    ],
)
@pytest.mark.parametrize("game", game_names())
def test_a_broken_line_is_the_users_mistake_and_its_number_is_named(
    capsys: Capture, game: str, fields: dict[str, Any], reason: str
) -> None:
    line = {"format": trace_format(game), "config": {}, "deal": {}, "steps": [], **fields}
    Path("a").write_text("\n" + json.dumps(line) + "\n")
    assert reason in mistake(capsys, "verify", "a")


# ---------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("--players 99", "players = 99, allowed"),
        ("--players x", "'--players': 'x', allowed an integer"),
        ("--policy nobody", "agent 'nobody': unknown, allowed are random"),
        ("--policy random,random,random", "players: 3 of them, allowed is 1 for all or 2"),
        ("--games 0", "'--games': '0', allowed an integer 1..10000000"),
        ("--seed -1", "'--seed': '-1', allowed an integer 0..9223372036854775807"),
        ("--seed 9223372036854775807 --games 2", "seed = 9223372036854775807 with 2 games, allowed"),
        ("--config nowhere.toml", "nowhere.toml: cannot be read"),
        ("--position nowhere.json", "nowhere.json: cannot be read"),
        ("--config a --position b", "--config a: not allowed besides --position"),
        ("--plyers 3", "--plyers"),
    ],
)
@pytest.mark.parametrize("game", game_names())
def test_a_wrong_option_is_named_with_its_value_and_what_is_allowed(
    capsys: Capture, game: str, arguments: str, reason: str
) -> None:
    assert reason in mistake(capsys, "record", "--game", game, *arguments.split(), "--out", "a")
    assert os.listdir() == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("playrs = 3", "c.toml: unknown field 'playrs' = 3, allowed "),
        ("players = 99", "c.toml: players = 99, allowed"),
        ("players =", "c.toml: is not TOML"),
    ],
)
@pytest.mark.parametrize("game", game_names())
def test_a_wrong_configuration_file_is_named(capsys: Capture, game: str, text: str, reason: str) -> None:
    Path("c.toml").write_text(text)
    assert reason in mistake(capsys, "record", "--game", game, "--config", "c.toml", "--out", "a")


@pytest.mark.parametrize("game", game_names())
def test_options_override_the_fields_of_a_configuration_file(capsys: Capture, game: str) -> None:
    least, most = game_info(game).players
    Path("c.toml").write_text(f"players = {most}")
    for given, expected in (([], most), (["--players", str(least)], least)):
        assert genesia(capsys, "record", "--game", game, "--config", "c.toml", *given, "--out", "a")[0] == 0
        assert lines("a")[0]["config"]["players"] == expected


@pytest.mark.parametrize("game", game_names())
def test_the_configuration_of_a_trace_is_a_configuration_file(capsys: Capture, game: str) -> None:
    genesia(capsys, "record", "--game", game, "--players", str(game_info(game).players[1]), "--out", "a")
    Path("c.json").write_text(json.dumps(lines("a")[0]["config"]))
    genesia(capsys, "record", "--game", game, "--config", "c.json", "--out", "b")
    assert Path("a").read_bytes() == Path("b").read_bytes()


@pytest.mark.parametrize(
    "arguments",
    ["verify nowhere", "verify .", "verify", "show nowhere", "record", "record --out", "record --out no/a",
     "record --out .", "selfplay --players 99", "selfplay --players 2;3", "selfplay --threads 0",
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


def test_show_prints_a_step_of_a_game_of_the_file(capsys: Capture) -> None:
    genesia(capsys, "record", "--games", "4", "--out", "a")
    seat, _, action = lines("a")[3]["steps"][10]
    code, out, _ = genesia(capsys, "show", "a", "--game", "3", "--step", "10")
    assert code == 0 and f"step 10 of 0..{len(lines('a')[3]['steps']) - 1}: " in out
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


# ---------------------------------------------------------------- selfplay and warmup


@pytest.mark.parametrize("game", game_names())
def test_selfplay_prints_speed_scores_and_shares_of_wins(capsys: Capture, game: str) -> None:
    code, out, _ = genesia(capsys, "selfplay", "--game", game, "--games", "60")
    assert code == 0
    info = game_info(game)
    least, most = info.players
    told = ["games a second", "decisions a game", "score, mean", f"seat {most - 1}", f"first {info.order}"]
    for words in (*told, *(f"{number} players" for number in range(least, most + 1))):
        assert words in out
    assert ("solo" in out) == (info.solo is not None)


def test_the_games_of_selfplay_do_not_depend_on_the_number_of_threads(capsys: Capture) -> None:
    one, three = (
        genesia(capsys, "selfplay", "--games", "1300", "--players", "2", "--threads", threads)[1]
        for threads in ("1", "3")
    )
    assert one.partition("Scores")[2] == three.partition("Scores")[2] != ""


@pytest.mark.parametrize("game", game_names())
def test_warmup_says_how_long_it_took_and_where_it_is_kept(capsys: Capture, game: str) -> None:
    assert genesia(capsys, "warmup", "--game", game)[0] == 0
    code, out, err = genesia(capsys, "warmup", "--game", game)
    assert (code, err) == (0, "")
    assert re.search(rf"{game}: loaded, compiled before, in \d+\.\d s; kept in .*numba-", out)


# ---------------------------------------------------------------- the program itself


def test_the_version_is_that_of_the_package(capsys: Capture) -> None:
    assert genesia(capsys, "--version")[:2] == (0, f"genesia-rl {genesia_rl.__version__}\n")


def test_without_a_command_it_lists_the_commands(capsys: Capture) -> None:
    code, out, _ = genesia(capsys)
    assert code == 0
    for command in ("selfplay", "record", "verify", "show", *game_info().topics, "bench", "warmup"):
        assert f"\n  {command} " in out


@pytest.mark.parametrize("command", ["record", "verify", "show", "selfplay", "bench", "warmup"])
def test_every_command_explains_itself(capsys: Capture, command: str) -> None:
    code, out, _ = genesia(capsys, command, "--help")
    assert code == 0 and f"Usage: genesia {command}" in out


def test_long_work_has_a_progress_bar_on_standard_error_of_a_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    screen = io.StringIO()
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
    assert process.stdout.readline().startswith(f'{{"format":"{trace_format(DEFAULT)}"')
    process.stdout.close()
    assert "Traceback" not in process.stderr.read()
    assert process.wait(timeout=60) == 1
    process.stderr.close()
