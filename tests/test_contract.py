"""What every registered game must be, asked through the contract alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import genesia_rl
from genesia_rl import jit
from genesia_rl.contract import Entries, Game
from genesia_rl.errors import ActionError, ConfigError
from genesia_rl.policy import RandomPolicy
from genesia_rl.registry import game_names, handbook, make_game
from genesia_rl.warmup import ONLY_WHOLE_GAMES, is_compiled, warm_up

PACKAGE = Path(genesia_rl.__file__).parent


@pytest.fixture(params=game_names())
def game(request: pytest.FixtureRequest) -> Game:
    """A game of each name at its defaults."""
    return make_game(request.param)


def test_a_game_states_its_facts(game: Game) -> None:
    assert game.name in game_names() and game.version >= 0
    assert 1 <= game.num_seats <= 5 and game.num_actions % 64 == 0
    assert game.kinds[0] == "none" and len(game.score_parts) <= 4
    assert isinstance(game.entries, Entries) and all(map(callable, game.entries))
    fields = [name for name in game.state_dtype.names or () if not name.startswith("unused")]
    assert fields[:6] == ["seat", "kind", "over", "options", "steps", "legal"]


def test_the_pieces_of_an_observation_fill_it_without_a_gap(game: Game) -> None:
    places = [0, *(piece.stop for piece in game.pieces)]
    assert [piece.start for piece in game.pieces] == places[:-1]
    assert places[-1] == game.observation_size


def test_legal_actions_are_the_bits_of_the_legal_set(game: Game) -> None:
    states, choose = game.new_states(), RandomPolicy(5)
    game.reset(states, 0, 5)
    mask = np.zeros(game.num_actions, np.int8)
    while not game.is_over(states, 0):
        legal = game.legal_actions(states, 0)
        game.entries.put_mask(states, 0, mask)
        assert legal == np.flatnonzero(mask).tolist()
        assert len(legal) == states[0]["options"] >= 2
        game.step(states, 0, choose(game, states))
    assert game.legal_actions(states, 0) == [] and game.seat(states, 0) == -1


def test_texts_of_legal_actions_are_parsed_back_and_different(game: Game) -> None:
    states, choose = game.new_states(), RandomPolicy(6)
    game.reset(states, 0, 6)
    while not game.is_over(states, 0):
        legal = game.legal_actions(states, 0)
        texts = [game.action_text(action) for action in legal]
        assert [game.parse_action(text) for text in texts] == legal
        assert len(set(texts)) == len(texts) and all(game.describe(a, states, 0) for a in legal)
        game.step(states, 0, choose(game, states))


def test_an_illegal_action_is_refused_and_changes_nothing(game: Game) -> None:
    states = game.new_states()
    game.reset(states, 0, 1)
    before = states.tobytes()
    illegal = next(a for a in range(game.num_actions) if a not in game.legal_actions(states, 0))
    for action in (illegal, -1, game.num_actions, 10**9):
        with pytest.raises(ActionError):
            game.step(states, 0, action)
    assert states.tobytes() == before


def test_an_unknown_game_is_named_with_the_known_ones() -> None:
    for ask in (make_game, handbook):
        with pytest.raises(ConfigError, match="game 'chess': unknown, allowed are genesia"):
            ask("chess")


def test_every_page_of_a_handbook_can_be_read() -> None:
    for name in game_names():
        book = handbook(name)
        for topic in book.topics:
            for number in book.numbers(topic, None):
                assert f"{topic} {number}: " in book.explain(topic, number, None)
            with pytest.raises(ConfigError, match=f"{topic} 0: unknown"):
                book.explain(topic, 0, None)


def test_everything_on_is_a_configuration_for_each_number_of_players() -> None:
    for name in game_names():
        for players in range(1, 6):
            assert make_game(name, **handbook(name).full(players)).config_dict()["players"] == players


# ---------------------------------------------------------------- who may know whom


def test_only_the_registry_names_a_game_outside_of_its_folder() -> None:
    naming = [
        path.relative_to(PACKAGE).as_posix()
        for path in PACKAGE.rglob("*.py")
        if "games" not in path.relative_to(PACKAGE).parts and "games.genesia" in path.read_text("utf-8")
    ]
    assert naming == ["registry.py"]


def test_the_core_imports_without_the_command_line(tmp_path: Path) -> None:
    """And the command line, without what it needs, says so in one line."""
    script = """
import sys
for name in ("typer", "rich", "click"):
    sys.modules[name] = None
import genesia_rl.bench, genesia_rl.selfplay, genesia_rl.warmup
from genesia_rl.registry import make_game
make_game()
from genesia_rl.cli.app import run
sys.exit(run(["card", "42"]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == 'genesia: error: the command line needs typer: pip install "genesia-rl[cli]"\n'


def test_a_handbook_loads_no_kernel() -> None:
    script = "import sys, genesia_rl.cli.commands; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=PACKAGE.parent).returncode == 0


# ---------------------------------------------------------------- warming up


def test_warming_up_calls_every_entry_once_and_adds_no_second_specialisation(game: Game) -> None:
    for _ in range(2):
        assert sorted(name for name, _ in warm_up(game)) == sorted(Entries._fields)
    assert is_compiled(game)
    if not jit.PLAIN:
        assert {jit.specialisations(entry) for entry in game.entries} == {1}


def test_warming_up_for_environments_leaves_whole_games_out(game: Game) -> None:
    names = [name for name, _ in warm_up(game, whole_games=False)]
    assert set(names) == set(Entries._fields) - set(ONLY_WHOLE_GAMES)
