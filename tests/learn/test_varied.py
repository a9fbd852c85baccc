"""Games that differ from one to the next in what a game lets vary: which one a row has, and what a checkpoint keeps."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

from env_tools import JOINT, split

from genesia_rl.cli import app as cli
from genesia_rl.core.errors import ConfigError, NotOffered
from genesia_rl.core.game import Game
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import game_names, make_game
from genesia_rl.learn import checkpoint
from genesia_rl.learn import run as runs
from genesia_rl.learn.fitting import varied_fields
from genesia_rl.learn.presets import PRESETS, checked, make_settings, merged
from genesia_rl.learn.run import Run, same
from genesia_rl.learn.start import resumed, started
from genesia_rl.learn.teacher import Lessons
from genesia_rl.learn.varied import Rotation
from genesia_rl.matches.evaluate import MOST
from genesia_rl.matches.variations import fields_of, variation_of
from genesia_rl.vector.batch import Batch

SMALL: dict[str, Any] = {
    "network": {"kind": "flat", "width": 16},
    "league": {"scripted": ["random"], "snapshots": 1, "snapshot_every": 2},
    "learner": {"num_games": 8, "steps": 48, "minibatch": 64, "epochs": 1},
    "teacher": {"agent": "random", "updates": 2, "num_games": 4, "steps": 64, "minibatch": 32},
    "run": {"updates": 4, "seed": 3, "measure": 0},
}


def varies(name: str) -> bool:
    """Does the game let something vary?"""
    try:
        variation_of(name)
    except NotOffered:
        return False
    return True


VARIED = [name for name in game_names() if varies(name)]
STEADY = [name for name in game_names() if not varies(name)]


class Watcher(Player):
    """Plays by chance and remembers with which tables its games were dealt."""

    def __init__(self) -> None:
        self.tables: set[bytes] = set()

    def act_batch(self, decisions: DecisionBatch) -> Any:
        self.tables |= {decisions.tables_of(k).tobytes() for k in range(len(decisions))}
        return (decisions.mask * decisions.uniform()[:, None] + decisions.mask).argmax(axis=1)


def rotation_of(game: Game, seed: int = 0) -> Rotation:
    """Whose turn it is, of all variations."""
    return Rotation(game, fields_of(game.name, game.num_seats, MOST), seed)


@pytest.mark.parametrize("name", VARIED)
def test_a_row_is_dealt_from_the_tables_that_it_is_said_to_have(name: str) -> None:
    game = make_game(name)
    rotation, state = rotation_of(game), game.new_states()
    batch, player = Batch(game, 12, tables=rotation.tables), Watcher()
    rotation.begin(batch, 5)
    first, fresh, found = batch.table.copy(), np.ones(12, np.bool_), set[int]()
    assert first.tolist() == rotation.spread(12).tolist()
    for turn in range(500):
        for row in np.flatnonzero(fresh).tolist():
            number = int(batch.table[row])
            game.kernels.reset(state, 0, rotation.tables[number : number + 1], batch.seeds[row])
            assert state[0] == batch.states[row]
            found.add(number)
        before = batch.seeds.copy()
        rotation.step(batch, player.act_batch(batch.decisions()))
        fresh = batch.done.copy()
        assert (batch.table[fresh] == rotation.order[turn % len(rotation.order)]).all()
        assert (before != batch.seeds)[fresh].all()
    assert len(found) == len(player.tables) > min(13, len(rotation.tables) - 1)
    rotation.begin(batch, 5)
    assert (batch.table == first).all(), "the same games as at first"


@pytest.mark.parametrize("name", VARIED)
def test_every_variation_has_its_turn_in_an_order_drawn_from_the_seed(name: str) -> None:
    game = make_game(name)
    one, other = rotation_of(game), rotation_of(game, seed=1)
    assert sorted(one.order.tolist()) == sorted(other.order.tolist()) == list(range(len(one.tables)))
    assert (one.order != other.order).any() and len(one.tables) <= MOST


def test_without_variations_the_games_are_those_of_a_plain_batch() -> None:
    game = make_game(players=3)
    rotation, plain = Rotation(game), Batch(game, 4)
    batch, player = Batch(game, 4, tables=rotation.tables), Watcher()
    rotation.begin(batch, 2)
    plain.reset(2)
    for _ in range(300):
        actions = player.act_batch(plain.decisions())
        rotation.step(batch, actions)
        plain.step(actions)
        assert (batch.observation == plain.observation).all() and (batch.mask == plain.mask).all()


@pytest.mark.parametrize("name", VARIED)
def test_games_vary_unless_the_configuration_says_it(name: str) -> None:
    players = make_game(name).num_seats
    given: Mapping[str, Any] = fields_of(name, players, MOST)[0]
    assert {make_settings(preset, None, {"game": {"name": name}}).game.varied for preset in PRESETS} == {True}
    said = make_settings(overrides={"game": {"name": name, "config": given}})
    assert said.game.varied is False and checked(said.model_dump()) == said and not varied_fields(said)
    with pytest.raises(ConfigError, match="of the configuration, allowed is one of them"):
        make_settings(overrides={"game": {"name": name, "varied": True, "config": given}})


@pytest.mark.parametrize("name", STEADY)
def test_what_does_not_vary_is_said(name: str) -> None:
    assert make_settings(overrides={"game": {"name": name}}).game.varied is False
    with pytest.raises(NotOffered, match="offers no variation"):
        make_settings(overrides={"game": {"name": name, "varied": True}})


@pytest.mark.parametrize("variant", JOINT[:1])
def test_a_game_that_all_play_together_does_not_vary(variant: str) -> None:
    name, config = split(variant)
    config = dict(config)
    game = {"name": name, "players": config.pop("players"), "config": config, "varied": True}
    with pytest.raises(ConfigError, match="varied"):
        make_settings(overrides={"game": game})


# ---------------------------------------------------------------- runs


def run_of(folder: Path, **tables: Any) -> Run:
    return started(overrides=merged(SMALL, tables), out=str(folder))


@pytest.mark.parametrize("name", VARIED)
def test_learner_opponents_and_teacher_see_all_variations(name: str, tmp_path: Path) -> None:
    run = run_of(tmp_path, game={"name": name})
    teacher, opponent = watched(run)
    seen, seats = set[int](), set[int]()
    while run.progress() < 1:
        run.step()
        seen |= set(run.env.batch.table.tolist())
        seats |= set(run.env.batch.learner.tolist())
    assert run.env.games_played > 8 and len(seen) > 12 and len(seats) == run.game.num_seats
    assert len(teacher.tables) > 3 and len(opponent.tables) > 8
    assert run.pool.games[1] > 0


def watched(run: Run) -> tuple[Watcher, Watcher]:
    """Watchers who teach, if there still are lessons, and sit opposite the learner instead of chance."""
    teacher, opponent = Watcher(), Watcher()
    if isinstance(run.lessons, Lessons):
        run.lessons.teacher = teacher
    batch = run.env.batch
    batch.opponents = (batch.opponents[0], opponent, *batch.opponents[2:])
    batch._codes[1] = 2  # asked, and no longer played in the compiled code
    return teacher, opponent


@pytest.mark.parametrize("varied", [True, False])
def test_a_run_of_varied_games_goes_on_as_if_it_had_not_stopped(tmp_path: Path, varied: bool) -> None:
    game, ends = {"name": VARIED[0], "varied": varied}, []
    for name, stops in (("whole", ()), ("parts", (1, 3, 4))):
        run, done = run_of(tmp_path / name, game=game), 0
        for stop in stops:
            for _ in range(stop - done):
                run.step()
            done = stop
            run.save()
            run = resumed(str(tmp_path / name), {})
        run.work()
        header, arrays = checkpoint.read(tmp_path / name)
        ends.append((arrays, header["pool"], header["rng"], header["decisions"]))
        tables = set(run.env.batch.table.tolist())
        assert len(tables) == 1 if not varied else len(tables) > 4
    (one, *rest), (other, *others) = ends
    assert same(one, other) and rest == others


@pytest.mark.parametrize("varied", [True, False])
def test_a_run_is_measured_with_what_varied_in_its_lessons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, varied: bool
) -> None:
    asked: list[Any] = []

    def panel(*given: Any) -> dict[str, Any]:
        asked.append(given[-1])
        return {}

    monkeypatch.setattr(runs, "measured", panel)
    run = run_of(tmp_path, game={"name": VARIED[0], "varied": varied}, run={"measure": 2})
    run.save()
    run.measure()
    assert asked == [varied]


def test_the_command_takes_what_varies(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", "--game", VARIED[0], "--agent", "random", "--against", "random", "--games", "20"]
    assert cli.run([*command, "--varied"]) == 0
    assert capsys.readouterr().out.startswith("random against random: ")
