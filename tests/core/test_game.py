"""What every registered game must be, asked through the contract alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from env_tools import play

import genesia_rl
from genesia_rl.core import compile as jit
from genesia_rl.core import registry
from genesia_rl.core.errors import ActionError, ConfigError, NotOffered
from genesia_rl.core.facts import HEADER
from genesia_rl.core.game import Game, Kernels
from genesia_rl.core.registry import (
    default_game,
    game_info,
    game_names,
    make_game,
    offers,
    package_of,
    part_of,
    register_game,
)
from genesia_rl.core.warmup import OF_ENVIRONMENTS, folder_of, is_compiled, warm_up
from genesia_rl.envs.single import GameGym

PACKAGE = Path(genesia_rl.__file__).parent


@pytest.fixture(params=game_names())
def game(request: pytest.FixtureRequest) -> Game:
    """A game of each name at its defaults."""
    return make_game(request.param)


def test_a_game_states_its_facts(game: Game) -> None:
    assert game.name in game_names() and game.version >= 0
    assert 1 <= game.num_seats <= game.facts.most_seats and game.kinds[0] == "none"
    assert isinstance(game.kernels, Kernels) and all(map(callable, game.kernels))
    fields = [name for name in game.state_dtype.names or () if not name.startswith("unused")]
    assert tuple(fields[:6]) == HEADER


def test_the_pieces_of_an_observation_fill_it_without_a_gap(game: Game) -> None:
    places = [0, *(piece.stop for piece in game.pieces)]
    assert [piece.start for piece in game.pieces] == places[:-1]
    assert places[-1] == game.observation_size


def test_legal_actions_are_the_bits_of_the_legal_set(game: Game) -> None:
    mask = np.zeros(game.num_actions, np.int8)
    for states in play(game, 5):
        legal = game.legal_actions(states, 0)
        game.kernels.put_mask(states, 0, mask)
        assert legal == np.flatnonzero(mask).tolist()
        assert len(legal) == states[0]["num_legal"] and len(legal) != 1
    assert game.legal_actions(states, 0) == [] and game.seat(states, 0) == -1


def test_texts_of_legal_actions_are_parsed_back_and_different(game: Game) -> None:
    for states in play(game, 6):
        legal = game.legal_actions(states, 0)
        texts = [game.action_text(action) for action in legal]
        assert [game.parse_action(text) for text in texts] == legal
        assert len(set(texts)) == len(texts) and all(game.describe(a, states, 0) for a in legal)


def test_an_illegal_action_is_refused_and_changes_nothing(game: Game) -> None:
    states = game.new_states()
    game.reset(states, 0, 1)
    before = states.tobytes()
    illegal = set(range(game.num_actions)) - set(game.legal_actions(states, 0))
    for action in (*list(illegal)[:1], -1, game.num_actions, 10**9):
        with pytest.raises(ActionError):
            game.step(states, 0, action)
    assert states.tobytes() == before


def test_a_game_can_be_made_again_from_its_configuration(game: Game) -> None:
    other = game.with_fields()
    assert other.config_dict() == game.config_dict() and np.array_equal(other.tables, game.tables)
    with pytest.raises(ConfigError, match="no_such_field"):
        game.with_fields(no_such_field=1)


# ---------------------------------------------------------------- the registry


def test_an_unknown_game_is_named_with_the_known_ones() -> None:
    for ask in (make_game, game_info):
        with pytest.raises(
            ConfigError, match=f"game 'chess': unknown, allowed are {', '.join(game_names())}"
        ):
            ask("chess")


def test_the_default_game_is_meant_if_none_is_named() -> None:
    assert default_game() == game_names()[0] == make_game().name
    assert game_info() is game_info(default_game())


def test_a_name_is_registered_once() -> None:
    register_game(default_game(), package_of(default_game()))  # the same again is nothing new
    with pytest.raises(ConfigError, match="allowed is another name"):
        register_game(default_game(), "somewhere.else")


def test_a_part_that_a_game_has_not_is_not_offered_but_a_broken_one_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotOffered, match=f"game '{default_game()}' offers no flying carpet"):
        part_of(default_game(), "carpet", "flying carpet")
    assert not offers(default_game(), "carpet") and offers(default_game(), "game")
    (tmp_path / "broken_game").mkdir()
    (tmp_path / "broken_game" / "mind.py").write_text("import no_such_module")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(registry._GAMES, "broken", "broken_game")
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        part_of("broken", "mind", "mind")


def test_every_topic_of_a_games_info_can_be_read() -> None:
    for name in game_names():
        info = game_info(name)
        for topic in info.topics:
            numbers = info.numbers(topic, None)
            for number in numbers:
                assert f"{topic} {number}: " in info.explain(topic, number, None)
            for number in (min(numbers) - 1, max(numbers) + 1):
                with pytest.raises(ConfigError, match=f"{topic} {number}: unknown"):
                    info.explain(topic, number, None)


def test_everything_on_is_a_configuration_for_each_number_of_players() -> None:
    for name in game_names():
        for players in game_info(name).all_players:
            assert make_game(name, **game_info(name).full(players)).config_dict()["players"] == players


# ---------------------------------------------------------------- who loads what


def test_the_core_imports_without_the_command_line(tmp_path: Path) -> None:
    """And the command line, without what it needs, says so in one line."""
    script = """
import sys
for name in ("typer", "rich", "click"):
    sys.modules[name] = None
import genesia_rl.bench, genesia_rl.matches.selfplay, genesia_rl.core.warmup
from genesia_rl.core.registry import make_game
make_game()
from genesia_rl.cli.app import run
sys.exit(run(["warmup"]))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, cwd=PACKAGE.parent)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == 'genesia: error: the command line needs typer: pip install "genesia-rl[cli]"\n'


def test_what_people_ask_about_a_game_loads_no_kernel() -> None:
    script = "import sys, genesia_rl.cli.commands; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=PACKAGE.parent).returncode == 0


# ---------------------------------------------------------------- warming up


def test_warming_up_calls_every_kernel_once_and_adds_no_second_specialisation(game: Game) -> None:
    for _ in range(2):
        assert sorted(name for name, _ in warm_up(game)) == sorted(Kernels._fields)
    assert is_compiled(game) and (jit.PLAIN or folder_of(game))
    if not jit.PLAIN:
        assert {jit.specialisations(kernel) for kernel in game.kernels} == {1}


def test_environments_need_no_kernel_but_those_that_are_compiled_for_them(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [name for name, _ in warm_up(game, all_kernels=False)] == list(OF_ENVIRONMENTS)
    used: set[str] = set()

    def noted(name: str, kernel: Any) -> Any:
        def called(*arguments: Any) -> Any:
            used.add(name)
            return kernel(*arguments)

        return called

    held = game.kernels._asdict()
    monkeypatch.setattr(type(game), "kernels", Kernels(**{name: noted(name, k) for name, k in held.items()}))
    env = genesia_rl.make(game.name, shaping=1.0)
    env.reset(seed=1)
    learner = GameGym(game.name)
    _, info = learner.reset(seed=1)
    for _ in range(4):
        observation = env.last()[0]
        env.step(int(np.flatnonzero(observation["action_mask"])[0]))
        info = learner.step(int(np.flatnonzero(info["action_mask"])[0]))[4]
    assert {"reset", "step_view", "start_rows", "step_rows"} <= used <= set(OF_ENVIRONMENTS)


def test_a_game_that_is_not_listed_is_found_by_its_name_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("genesia_rl.core.registry._UNLISTED", {})
    register_game("unlisted", package_of(default_game()), listed=False)
    assert package_of("unlisted") == package_of(default_game())
    assert "unlisted" not in game_names()
    register_game(default_game(), package_of(default_game()), listed=False)
    assert default_game() in game_names(), "who is listed stays so"
