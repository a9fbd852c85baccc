"""Agents of one's own by name: files, modules, entry points; whatever they do wrong is one line with their name."""

from __future__ import annotations

import pickle
import sys
import tempfile
import textwrap
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from cli_tools import Capture, genesia, lines, mistake

from genesia_rl.core import registry
from genesia_rl.core.errors import ConfigError, PlayerError
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import default_game, make_game, register_game
from genesia_rl.players import codes, own
from genesia_rl.players.codes import base_name, codes_of, make_player, runs_code

ROOT = Path(__file__).resolve().parents[2]
AGENTS = """
    import numpy as np
    from genesia_rl import Player


    class First(Player):
        name, version = "first", 3

        def act(self, decision):
            return int(decision.mask[0].argmax())


    class Clumsy(First):
        def act(self, decision):
            raise RuntimeError("a card\\nis not there")


    class Late(First):
        def __init__(self):
            raise RuntimeError("no weights")


    class Lazy(Player):
        pass


    class Cheat(First):
        def act_batch(self, decisions):
            return np.full(len(decisions), decisions.game.num_actions)


    class Vague(First):
        def act_batch(self, decisions):
            return decisions.mask.argmax(axis=1) * 1.0


    def helper():
        pass
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with an agent's file and a package, which afterwards nobody knows any more."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    text = textwrap.dedent(AGENTS)
    Path("mine.py").write_text(text)
    Path("ownpack").mkdir()
    Path("ownpack/__init__.py").touch()
    Path("ownpack/players.py").write_text(text)
    before = set(sys.modules)
    register_game("toy", "toy")
    yield tmp_path
    del registry._GAMES["toy"]
    own._made_once.cache_clear()
    for name in set(sys.modules) - before:
        if name.startswith(("ownpack", "genesia_agent_")):
            del sys.modules[name]


def some(game: str = "toy", games: int = 3) -> DecisionBatch:
    """Decisions of some games."""
    made = make_game(game)
    states = made.new_states(games)
    for row in range(games):
        made.reset(states, row, row)
    return DecisionBatch(made, states, np.arange(games), np.arange(games))


def traceback_of(said: str) -> str:
    """The file that the line names."""
    return Path(said.rpartition("the traceback is in ")[2]).read_text(encoding="utf-8")


# ---------------------------------------------------------------- finding them


@pytest.mark.parametrize("code", ["mine.py:First", "ownpack.players:First", "./mine.py:First"])
def test_a_class_is_named_by_its_file_or_module(code: str, folder: Path) -> None:
    player, asked = make_player(code, "toy"), some()
    assert (player.name, player.version) == (code, 3) and make_player(code, "toy") is player
    assert (player.act_batch(asked) == asked.mask.argmax(axis=1)).all()
    again = pickle.loads(pickle.dumps(player))
    assert again.name == code and (again.act_batch(asked) == player.act_batch(asked)).all()


def test_a_path_is_meant_from_where_it_was_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    packed = pickle.dumps(make_player("mine.py:First", "toy"))
    (folder / "elsewhere").mkdir()
    monkeypatch.chdir(folder / "elsewhere")
    assert pickle.loads(packed).act(some(games=1)) in (0, 1)
    assert make_player("../mine.py:First", "toy").version == 3


def test_a_changed_file_is_another_agent() -> None:
    game = make_game("toy")
    before = make_player("mine.py:First", "toy")
    Path("mine.py").write_text(
        Path("mine.py").read_text().replace('"first", 3', '"first", 4') + "\n# longer\n"
    )
    after = make_player("mine.py:First", "toy")
    assert (before.version, after.version) == (3, 4) and before.fingerprint(game) != after.fingerprint(game)


def test_a_file_imports_what_stands_beside_it(folder: Path) -> None:
    (folder / "deep").mkdir()
    (folder / "deep" / "beside_it.py").write_text("VERSION = 9\n")
    (folder / "deep" / "my.py").write_text(
        "from beside_it import VERSION\nfrom genesia_rl import Player\nclass One(Player):\n    version = VERSION\n"
    )
    assert make_player("deep/my.py:One", "toy").version == 9


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("mine.py:Frist", r"agent 'mine.py:Frist': Frist is not there, allowed is First, Clumsy, Late"),
        ("mine.py:helper", r"helper is a function, allowed is First"),
        ("other.py:First", r"agent 'other.py:First': no file .*other.py, allowed is a Python file"),
        ("nopack.players:First", r"agent 'nopack.players:First': no module 'nopack', allowed is one that is installed"),
        ("ownpack.plyers:First", r"no module 'ownpack.plyers'"),
        ("json:dumps", r"dumps is a function, allowed is a subclass of genesia_rl.Player"),
        ("mine.py", r"agent 'mine.py': unknown, allowed are random, .*sb3:PATH, package.module:Class, file.py:Class"),
        ("mine.py:", r"unknown"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_one_line(code: str, said: str, capsys: Capture) -> None:
    with pytest.raises(ConfigError, match=said):
        make_player(code, "toy")
    line = mistake(capsys, "evaluate", "--game", "toy", "--agent", code, "--against", "random")
    assert "traceback" not in line


def test_installed_packages_declare_agents(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    points = [
        EntryPoint("careful", "ownpack.players:First", own.GROUP),
        EntryPoint("random", "x:Y", own.GROUP),
    ]
    monkeypatch.setattr(own, "entry_points", lambda group: points if group == own.GROUP else [])
    own.declared.cache_clear()
    codes._made.cache_clear()
    try:
        assert make_player("careful", "toy").version == 3
        assert "ownpack.players:First" in codes_of("toy")["careful"].meaning
        assert make_player("random", "toy").name == "random"  # ours keep their names
        assert "careful" in genesia(capsys, "agents", "--game", "toy")[1]
    finally:
        monkeypatch.undo()
        own.declared.cache_clear()
        codes._made.cache_clear()


# ---------------------------------------------------------------- what they do wrong


@pytest.mark.parametrize(
    ("name", "said", "kept"),
    [
        ("Clumsy", "agent mine.py:Clumsy cannot decide: RuntimeError: a card is not there; ", "in act"),
        ("Lazy", "agent mine.py:Lazy cannot decide: NotImplementedError: Lazy has neither act nor act_batch; ", "Lazy"),
        ("Late", "agent mine.py:Late cannot be loaded: RuntimeError: no weights; ", "in __init__"),
    ],
)  # fmt: skip
def test_what_an_agent_raises_is_one_line_and_a_file(
    name: str, said: str, kept: str, capsys: Capture
) -> None:
    for command in (
        ["evaluate", "--agent", f"mine.py:{name}", "--against", "random", "--games", "4"],
        ["record", "--policy", f"mine.py:{name},random", "--out", "a.jsonl"],
    ):
        line = mistake(capsys, command[0], "--game", "toy", *command[1:])
        assert said in line
        text = traceback_of(line)
        assert "Traceback (most recent call last)" in text and kept in text and "mine.py" in text
        if name != "Late":
            assert "game toy {" in text and "seeds" in text


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Cheat", r"agent mine.py:Cheat, seat \d of the game with seed \d+: action 2"),
        ("Vague", r"agent mine.py:Vague: answers array\(.*\), allowed is an integer for each of 3 decisions"),
    ],
)  # fmt: skip
def test_what_an_agent_answers_is_checked(name: str, said: str) -> None:
    player = make_player(f"mine.py:{name}", "toy")
    with pytest.raises(PlayerError, match=said):
        player.act_batch(some())


def test_a_file_that_is_no_python_is_one_line(capsys: Capture) -> None:
    Path("broken.py").write_text("class Half(")
    line = mistake(capsys, "record", "--game", "toy", "--policy", "broken.py:Half", "--out", "a")
    assert "agent broken.py:Half cannot be loaded: SyntaxError" in line and "broken.py" in traceback_of(line)
    Path("leaves.py").write_text("raise SystemExit(0)")
    assert "SystemExit" in mistake(capsys, "record", "--game", "toy", "--policy", "leaves.py:X", "--out", "a")


def test_an_agent_that_fails_in_a_shard_is_one_line_too(capsys: Capture) -> None:
    line = mistake(
        capsys, "arena", "--game", "toy", "--agents", "mine.py:Clumsy,random", "--games", "4", "--out", "run",
        "--backend", "serial",
    )  # fmt: skip
    assert "agent mine.py:Clumsy cannot decide: RuntimeError" in line and "Traceback" in traceback_of(line)


# ---------------------------------------------------------------- everywhere


def test_every_command_takes_them(capsys: Capture) -> None:
    for command in (
        "record --policy mine.py:First,random --games 2 --out a.jsonl",
        "verify a.jsonl",
        "evaluate --agent mine.py:First --against ownpack.players:First --games 4",
        "arena --agents mine.py:First,random --games 4 --out run --backend serial",
        "balance --policy mine.py:First --games 20 --parts first --out fair --backend serial",
    ):
        code, _, err = genesia(capsys, *command.split(), *(() if "verify" in command else ("--game", "toy")))
        assert code == 0, f"{command}: {err}"
    assert len(lines("a.jsonl")) == 2


@pytest.mark.slow
def test_processes_find_them(capsys: Capture) -> None:
    """Workers load the class themselves: it is not among what is sent to them."""
    given = (
        "arena",
        "--game",
        default_game(),
        "--agents",
        "mine.py:First,random",
        "--games",
        "8",
        "--out",
        "run",
    )
    code, _, err = genesia(capsys, *given, "--workers", "2")
    assert code == 0, err


@pytest.mark.slow
def test_they_teach_and_play_in_a_training(capsys: Capture) -> None:
    """In the league, as the teacher, and in the panel at the end."""
    Path("small.toml").write_text(
        '[league]\nscripted = ["mine.py:First"]\n[learner]\nnum_games = 4\nsteps = 8\n[run]\nmeasure = 4\n'
        'panel = ["ownpack.players:First"]\n[teacher]\nagent = "mine.py:First"\nupdates = 1\nnum_games = 4\nsteps = 8\n'
    )
    given = (
        "--game",
        "toy",
        "--preset",
        "quick",
        "--updates",
        "1",
        "--config",
        "small.toml",
        "--out",
        "learned",
    )
    code, out, err = genesia(capsys, "train", *given)
    assert code == 0 and "ownpack.players:First" in out, err


def test_the_folder_before_a_file_is_no_part_of_the_name() -> None:
    assert base_name("a/b/mine.py:First") == "mine.py:First" and base_name("a.b:First") == "a.b:First"
    assert base_name("sb3:x/y.zip") == "sb3:y.zip" and base_name("mcts:4") == "mcts:4"


# ---------------------------------------------------------------- what others have written


def test_files_of_others_do_not_name_code_to_be_run(capsys: Capture, folder: Path) -> None:
    """A trace that says who sat there is data: its agents are loaded only if whoever plays names them."""
    Path("evil.py").write_text("open('done', 'w')\nfrom genesia_rl import Player\nclass Evil(Player): pass\n")
    assert genesia(capsys, "record", "--game", "toy", "--out", "a.jsonl")[0] == 0
    text = Path("a.jsonl").read_text()
    for code in ("evil.py:Evil", "evil:Evil", "sb3:evil.zip"):
        Path("a.jsonl").write_text(
            text.replace('"steps"', f'"play":{{"seats":["{code}","random"]}},"steps"', 1)
        )
        said = mistake(
            capsys, "play", "a.jsonl", "--step", "0", "--no-open", "--folder", str(folder / "live")
        )
        assert said == f"a.jsonl: agent '{code}' runs code of its own, allowed is to name it by --seats"
        assert runs_code(code)
    assert not Path("done").exists() and not runs_code("mcts:4") and not runs_code("ppo:a.npz")


def test_merging_and_reporting_load_no_agent(capsys: Capture, folder: Path) -> None:
    given = (
        "arena",
        "--game",
        "toy",
        "--agents",
        "mine.py:First,random",
        "--games",
        "4",
        "--backend",
        "serial",
    )
    assert genesia(capsys, *given, "--out", "part")[0] == 0
    Path("mine.py").write_text("raise RuntimeError('run')")
    code, _, err = genesia(capsys, "arena", "merge", "part", "--out", "whole")
    assert code == 0, err
