"""Games with other lots from game to game: what is dealt, who is told of it, and what a checkpoint keeps."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")
pytest.importorskip("pydantic")

from agents.registry import make_agent
from experiments.matches.lots import choices
from experiments.train import checkpoint
from experiments.train.deals import DEALT, Deals, DealtBatch, looks_ahead
from experiments.train.evaluate import evaluate, evaluate_codes
from experiments.train.league import Clock, NetworkPlayer, Timed
from experiments.train.run import Run, same
from experiments.train.settings import PRESETS, GameSettings, checked, make_settings, merged
from experiments.train.start import resumed, started
from experiments.train.teacher import Lessons
from genesia_rl.cli import app as cli
from genesia_rl.errors import ConfigError
from genesia_rl.registry import make_game
from genesia_rl.seen import Player, Seen
from genesia_rl.vector import Batch

SMALL: dict[str, Any] = {
    "network": {"kind": "flat", "width": 16},
    "league": {"scripted": ["random"], "snapshots": 1, "snapshot_every": 2},
    "learner": {"num_games": 8, "steps": 48, "minibatch": 64, "epochs": 1},
    "teacher": {"agent": "random", "updates": 2, "num_games": 4, "steps": 64, "minibatch": 32},
    "run": {"updates": 4, "seed": 3, "measure": 0},
}


class Ahead(Player):
    """Plays by chance, and complains if the game that it is shown does not have the cards that were dealt."""

    def __init__(self) -> None:
        self.lots: set[str] = set()

    def act_batch(self, seen: Seen) -> Any:
        deck = set(seen.game.tables[0]["deck"].ravel().tolist())
        for row in seen.rows.tolist():
            assert set(seen.states[row]["packs"].ravel().tolist()) <= deck | {0}
        self.lots.add(str(seen.game.config_dict()["lots"]))
        return (seen.mask * (1 + np.random.default_rng(seen.salt).random(seen.mask.shape))).argmax(axis=1)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_only_the_deal_differs(players: int) -> None:
    deals = Deals(make_game("genesia", players=players, promos=True), rotate=True)
    assert len(deals) == {2: 100, 3: 100, 4: 125, 5: 1}[players]
    for number in deals.order[:4].tolist():
        game, tables = deals.game_of(number), deals.game.tables.copy()
        deals.put(tables, number)
        for name in game.tables.dtype.names or ():
            assert (tables[name] == game.tables[name]).all(), name
            if name not in DEALT:
                assert (deals.game.tables[name] == game.tables[name]).all(), name
        assert game.pieces == deals.game.pieces and game.config_dict()["promos"]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_combination_stands_in_every_age_as_often(players: int) -> None:
    deals = Deals(make_game("genesia", players=players), rotate=True)
    lots = [config.lots for config in deals.configs if config is not None]
    for age in range(3):
        found = [triple[age] for triple in lots if triple is not None]
        assert {found.count(colours) for colours in choices(players)} == {len(deals) // len(choices(players))}
    other = Deals(deals.game, rotate=True, seed=1)
    assert sorted(other.order.tolist()) == list(range(len(deals))) and (other.order != deals.order).any()


def test_a_row_is_dealt_from_the_lots_that_it_is_said_to_have() -> None:
    deals = Deals(make_game("genesia", players=2), rotate=True)
    batch, player, state = DealtBatch(deals, 12), Ahead(), deals.game.new_states()
    batch.reset(5)
    fresh, games, lots = np.ones(12, np.bool_), 0, set[int]()
    for _ in range(500):
        for row in np.flatnonzero(fresh).tolist():
            number, games = int(batch.lots[row]), games + 1
            deals.game_of(number).reset(state, 0, int(batch.seeds[row]))
            for name in ("packs", "dealt", "order"):
                assert (state[0][name] == batch.states[row][name]).all()
            lots.add(number)
        batch.step(batch.ask(player))
        fresh = batch.done.copy()
    assert games > 24 and len(lots) == len(player.lots) > 18
    batch.reset(5)
    assert batch.lots.tolist() == deals.order[:12].tolist(), "the same games as at first"


def test_without_rotation_the_games_are_those_of_a_plain_batch() -> None:
    game = make_game("genesia", players=3, lots=[["blue", "red", "violet"]] * 3)
    dealt, plain = DealtBatch(Deals(game), 4), Batch(game, 4)
    for batch in (dealt, plain):
        batch.reset(2)
    agent = make_agent("random")
    for _ in range(300):
        actions = agent.act_batch(plain.seen())
        dealt.step(actions)
        plain.step(actions)
        assert (dealt.observation == plain.observation).all() and (dealt.mask == plain.mask).all()


def test_only_who_looks_ahead_is_asked_lots_by_lots() -> None:
    for code in ("random", "greedy", "settler", "ppo"):
        assert not looks_ahead(make_agent(code)), code
    assert looks_ahead(make_agent("mcts:2")) and looks_ahead(Ahead())
    assert not looks_ahead(Timed(NetworkPlayer(), Clock()))
    assert looks_ahead(Timed(Ahead(), Clock()))


def test_lots_that_are_given_are_fixed() -> None:
    lots = [["blue", "red"]] * 3
    assert GameSettings().lots == "rotate"
    assert {make_settings(preset).game.lots for preset in PRESETS} == {"rotate"}
    given = make_settings(overrides={"game": {"config": {"lots": lots}}})
    assert given.game.lots == "fixed" and checked(given.model_dump()) == given
    with pytest.raises(ConfigError, match=r"lots = 'rotate', allowed with lots in config is 'fixed'"):
        make_settings(overrides={"game": {"lots": "rotate", "config": {"lots": lots}}})
    with pytest.raises(ConfigError, match=r"game\.lots = 'all': input should be 'fixed' or 'rotate'"):
        make_settings(overrides={"game": {"lots": "all"}})


# ---------------------------------------------------------------- measuring


def test_all_lots_are_measured_and_every_deal_from_every_seat() -> None:
    game, agent = make_game("genesia", players=3), Ahead()
    found = evaluate(agent, [make_agent("random")], game, 36, seed=4, lots="all")
    assert found.won.shape == (12, 3) and len(agent.lots) == 12
    own = evaluate(Ahead(), [make_agent("random")], game, 36, seed=4)
    assert (own.won != found.won).any() and (own.seeds == found.seeds).all()
    equal = evaluate_codes("random", "random", 4, 120, lots="all")
    assert np.isclose(equal.rate, 1 / 4), "the deals are the same from every seat"
    with pytest.raises(
        ConfigError, match=r"lots of all combinations: with decks .* allowed are the game's own"
    ):
        Deals(make_game("genesia", players=1), rotate=True)
    with pytest.raises(ConfigError, match="lots = 'some', allowed are game, all"):
        evaluate_codes("random", "random", 2, 2, lots="some")


def test_the_command_takes_lots(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["evaluate", "--agent", "random", "--against", "random", "--games", "20", "--lots"]
    assert cli.run([*command, "all"]) == 0
    assert capsys.readouterr().out.startswith("random against random: first in 50.0 % of 20 games")
    assert cli.run([*command, "some"]) != 0
    assert "lots = 'some', allowed are game, all" in capsys.readouterr().err


@pytest.mark.parametrize(("lots", "measured"), [("rotate", "all"), ("fixed", "game")])
def test_a_run_is_measured_with_the_lots_of_its_lessons(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lots: str, measured: str
) -> None:
    asked: list[Any] = []

    def panel(*given: Any) -> dict[str, Any]:
        asked.append(given[-1])
        return {}

    monkeypatch.setattr(sys.modules[Run.__module__], "against_panel", panel)
    run = run_of(tmp_path, game={"lots": lots}, run={"measure": 2})
    run.save()
    run.measure()
    assert asked == [measured]


def test_lots_bring_no_objectives_into_a_game_without_them() -> None:
    game = make_game("genesia", players=2, objectives=False)
    deals, tables = Deals(game, rotate=True), game.tables.copy()
    deals.put(tables, int(deals.order[0]))
    assert tables[0]["pool_size"] == game.tables[0]["pool_size"] == 0


# ---------------------------------------------------------------- runs


def run_of(folder: Path, **tables: Any) -> Run:
    return started(overrides=merged(SMALL, tables), out=str(folder))


def with_look_ahead(run: Run) -> tuple[Ahead, Ahead]:
    """Let somebody who looks ahead teach, and sit opposite the learner."""
    assert isinstance(run.lessons, Lessons)
    teacher, opponent = Ahead(), Ahead()
    run.lessons.teacher = teacher
    run.env.batch.opponents[1].player = opponent
    return teacher, opponent


def test_learner_opponents_and_teacher_see_all_lots(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    teacher, opponent = with_look_ahead(run)
    seen, seats = set[int](), set[int]()
    while run.progress() < 1:
        run.step()
        seen |= set(run.env.batch.lots.tolist())
        seats |= set(run.env.batch.learner.tolist())
    assert run.env.games_played > 8 and len(seen) > 12 and seats == {0, 1}
    assert len(teacher.lots) > 3 and len(opponent.lots) > 8
    assert run.pool.games[1] > 0


@pytest.mark.parametrize("lots", ["rotate", "fixed"])
def test_a_run_with_lots_goes_on_as_if_it_had_not_stopped(tmp_path: Path, lots: str) -> None:
    game, ends = {"lots": lots}, []
    for name, stops in (("whole", ()), ("parts", (1, 3, 4))):
        run, done = run_of(tmp_path / name, game=game), 0
        with_look_ahead(run)
        for stop in stops:
            for _ in range(stop - done):
                run.step()
            done = stop
            run.save()
            run = resumed(str(tmp_path / name), {})
            if run.lessons is not None:
                with_look_ahead(run)
            else:
                run.env.batch.opponents[1].player = Ahead()
        run.work()
        header, arrays = checkpoint.read(tmp_path / name)
        ends.append((arrays, header["pool"], header["rng"], header["decisions"]))
    (one, *rest), (other, *others) = ends
    assert same(one, other) and rest == others
    assert len(set(one["env/lots"].tolist())) == (1 if lots == "fixed" else 8)
