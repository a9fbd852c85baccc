"""`genesia train`: settings, the league, checkpoints, resuming, cloning."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("pydantic")

import torch
from env_tools import JOINT, split

from genesia_rl.core import warmup
from genesia_rl.core.errors import ConfigError, DataError, GenesiaError
from genesia_rl.core.mind import mind_of
from genesia_rl.core.player import DecisionBatch, Player
from genesia_rl.core.registry import default_game, make_game
from genesia_rl.learn import checkpoint
from genesia_rl.learn import run as runs
from genesia_rl.learn.league import Pool, pfsp
from genesia_rl.learn.log import Log
from genesia_rl.learn.policy import Network, TorchLayout
from genesia_rl.learn.ppo import PPO, Rollout
from genesia_rl.learn.presets import KEPT_UP_TO_DATE, PRESETS, make_settings, merged
from genesia_rl.learn.ready import compile_all
from genesia_rl.learn.run import Run, same
from genesia_rl.learn.settings import LeagueSettings, LearnerSettings, NetworkSettings, TeacherSettings
from genesia_rl.learn.start import resumed, started
from genesia_rl.learn.teacher import Cloner, Lessons, outcomes
from genesia_rl.players.learned import load_model
from genesia_rl.players.networks import INCREMENTAL, Architecture
from genesia_rl.players.random import RandomPlayer
from genesia_rl.players.scripted import ScriptedPlayer

CHARACTERS = list(mind_of(default_game()).characters)
SMALL: dict[str, Any] = {
    "network": {"kind": None, "width": 16, "tokens": 8, "pairs": 4, "rounds": 1},  # the richest
    "league": {"scripted": ["random"], "snapshots": 2, "snapshot_every": 2},
    "learner": {"num_games": 8, "steps": 24, "minibatch": 64, "epochs": 2},
    "teacher": {"agent": "random", "updates": 2, "num_games": 4, "steps": 16, "minibatch": 32},
    "run": {"updates": 6, "seed": 3, "measure": 0},
}


def run_of(folder: Path, **tables: Any) -> Run:
    return started(overrides=merged(SMALL, tables), out=str(folder))


def end_of(folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The last checkpoint, without what the clock says."""
    header, arrays = checkpoint.read(folder)
    for name in ("spent", "taught", "seconds", "settings"):
        del header[name]
    return header, arrays


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[learner]\nepoch = 3",
            r"learner\.epoch: unknown key, allowed are method, num_games, steps, epochs",
        ),
        ("[lerner]\nepochs = 3", r"lerner: unknown key, allowed are game, network"),
        ("[learner]\nepochs = 0", r"learner\.epochs = 0: input should be greater than or equal to 1"),
        (
            "[network]\nkind = 'tree'",
            r"network\.kind = 'tree': input should be 'flat', 'regions', 'graph' or 'incremental'",
        ),
        ("[learner\nepochs = 0", "not TOML"),
        ("run = 5", r"run = 5, allowed is a table"),
        ("learner = 5", r"learner = 5, allowed is a table"),
        ("[game]\nplayers = {a = 1}", r"game\.players = {'a': 1}: input should be a valid integer"),
        ("[game]\nseat = 'left'", r"game\.seat = 'left': .* 'rotate' or 'random' or a valid integer$"),
        ("[game]\nconfig = {players = 3}", r"game\.config\.players = 3: allowed is game\.players"),
        ("[game]\nplayers = 77", r"game\.players = 77, allowed in \w+ are [\d, ]+$"),
        ("[game]\nname = 'solitaire'", r"game 'solitaire': unknown, allowed are"),
        (
            "[run]\nseed = 5000000000",
            r"run\.seed = 5000000000: input should be less than or equal to 4294967",
        ),
        ("[run]\nseed = true", r"run: seed = true, allowed is no truth value"),
        ("[learner]\nnum_games = false", r"learner: num_games = false, allowed is no truth value"),
        ("a = " + "[" * 100_000, r"is not TOML"),
        ("[run]\nminutes = inf", r"run\.minutes = inf: input should be a finite number"),
        ("[run]\npanel = ['random', 3]", r"run\.panel\.1 = 3: input should be a valid string"),
        ("[learner]\nnum_games = 1000000000000", r"learner\.num_games = 1000000000000: input should be less"),
        (
            "[learner]\nnum_games = 16384\nsteps = 512",
            r"learner: num_games \* steps = 16384 \* 512 decisions",
        ),
        (
            "[teacher]\nsteps = 16384\nnum_games = 512",
            r"teacher: num_games \* steps = 512 \* 16384 decisions",
        ),
        ("[league]\nscripted = []\nsnapshots = 0", r"league: a pool without members needs self_share = 1"),
    ],
)
def test_wrong_settings_are_refused_by_name(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=message) as found:
        make_settings("quick", file)
    assert "own.toml" in str(found.value)


def test_a_table_stays_a_table() -> None:
    with pytest.raises(ConfigError, match=r"^game = 3, allowed is a table"):
        merged({"game": 3}, {"game": {"players": 3}})
    with pytest.raises(ConfigError, match=r"^game = 3, allowed is a table"):
        merged({"game": {"players": 3}}, {"game": 3})


def test_later_settings_win() -> None:
    made = make_settings("quick", None, {"run": {"seed": 5}})
    assert (made.run.minutes, made.run.seed, made.teacher.agent) == (2.0, 5, CHARACTERS[0])
    with pytest.raises(ConfigError, match="'slow', allowed are quick, standard, long"):
        make_settings("slow")


def test_presets_know_what_a_network_wants() -> None:
    """What learns fast is what one gets; with another network come its own settings, and given ones stay."""
    found = {name: make_settings(name) for name in PRESETS}
    kinds = {name: made.network.kind for name, made in found.items()}
    assert kinds == {"quick": INCREMENTAL, "standard": INCREMENTAL, "long": INCREMENTAL}
    standard, own = found["standard"], KEPT_UP_TO_DATE
    assert (standard.network.width, standard.teacher.share) == (
        own["network"]["width"],
        0.0,  # who reads traits begins as its teacher
    )
    assert standard.learner.learning_rate == own["learner"]["learning_rate"]
    asked = make_settings("quick", overrides={"network": {"traits": False}})
    assert asked.teacher.share == PRESETS["quick"]["teacher"]["share"] and not found["quick"].teacher.share
    flat = make_settings(overrides={"network": {"kind": "flat"}})
    assert (
        flat.network.width == NetworkSettings().width
        and flat.learner.minibatch == LearnerSettings().minibatch
    )
    assert make_settings(overrides={"network": {"width": 64}}).network.width == 64


# ---------------------------------------------------------------- the pool


def test_pfsp_prefers_who_beats_the_learner() -> None:
    weights = pfsp(np.array([0.9, 0.5, 0.1]), 2.0, 0.0)
    assert np.allclose(weights, np.array([0.01, 0.25, 0.81]) / 1.07)
    assert np.allclose(pfsp(np.array([1.0, 0.5]), 2.0, 0.05), [0.05 / 0.3, 0.25 / 0.3])
    assert np.allclose(pfsp(np.array([1.0, 1.0]), 2.0, 0.0), 0.5), "nobody is left: all alike"


def test_the_newest_self_gets_its_share_and_free_places_nothing() -> None:
    pool = Pool(LeagueSettings(self_share=0.4, scripted=["random"], snapshots=2), 0)
    assert np.allclose(pool.weights(), [0.4, 0.6, 0, 0])
    place = pool.add_snapshot(7, now=100)
    assert place == 2 and pool.names[2] == "update7"
    pool.note(2, 1.0, begun=50)
    assert pool.games[2] == 0, "that game began against somebody else"
    pool.note(2, 1.0, begun=100)
    assert pool.games[2] == 1 and pool.rate[2] > 0.5
    assert pool.add_snapshot(8, now=200) == 3
    assert pool.add_snapshot(9, now=300) == 2, "the former self that is beaten most gives way"
    lineup = pool.draw(2000, 3)
    assert 0.2 < (lineup == 0).mean() < 0.6 and ((lineup == lineup[:, :1]).all(axis=1)).mean() > 0.5


# ---------------------------------------------------------------- learning


def test_advantages_are_those_of_stable_baselines3() -> None:
    pytest.importorskip("stable_baselines3")
    from gymnasium import spaces
    from stable_baselines3.common.buffers import RolloutBuffer

    rng, steps, games = np.random.default_rng(0), 12, 3
    mine = Rollout(steps, games, size=2, columns=1)
    box = spaces.Box(-1, 1, (2,))
    theirs = RolloutBuffer(steps, box, spaces.Discrete(2), "cpu", 0.9, 0.98, games)
    starts = np.ones(games, bool)
    for step in range(steps):
        reward, value = rng.normal(size=(2, games)).astype(np.float32)
        done = rng.random(games) < 0.3
        mine.decide(step, np.zeros((games, 2)), np.ones((games, 1), bool), np.zeros(games), value, value)
        mine.pay(step, reward, done)
        tensors = torch.from_numpy(value), torch.from_numpy(value)
        theirs.add(np.zeros((games, 2)), np.zeros((games, 1)), reward, starts, *tensors)
        starts = done
    last = rng.normal(size=games).astype(np.float32)
    mine.judge(last, 0.98, 0.9)
    theirs.compute_returns_and_advantage(torch.from_numpy(last), starts)
    assert np.allclose(mine.advantage, theirs.advantages, atol=1e-5)


def test_outcomes_belong_to_the_seat_that_decided() -> None:
    paid = np.zeros((4, 1, 2), np.float32)
    paid[1, 0], paid[2, 0], paid[3, 0] = [1, -1], [0.5, -0.5], [9, 9]
    done = np.array([[False], [True], [False], [False]])
    value, known = outcomes(paid, done, np.array([[0], [1], [0], [1]]))
    assert value[:2, 0].tolist() == [1, -1] and known[:, 0].tolist() == [True, True, False, False]


@pytest.mark.parametrize(
    "game", [{"margin": 0.7, "shaping": 0.5}, {"reward": "score", "shaping": 0.0}, {"reward": "rank"}]
)
def test_lessons_teach_what_the_league_pays(tmp_path: Path, game: dict[str, Any]) -> None:
    """A pupil that draws the teacher's choices itself gets the return that its value was taught."""
    gamma, made = 0.9, make_game(players=2)
    g = make_settings(overrides={"game": game}).game
    paid: dict[str, Any] = {
        "reward": g.reward,
        "scale": g.scale,
        "shaping": g.shaping,
        "gamma": gamma,
        "margin": g.margin,
    }
    settings = TeacherSettings(num_games=2, steps=400, mix=0.0)
    lessons = Lessons(made, Last(), settings, 5, **paid)
    seats, steps, totals = [], [], []  # of game 0
    step = lessons.batch.step

    def stepped(actions: Any) -> None:
        seats.append(int(lessons.batch.seat[0]))
        step(actions)
        steps.append((lessons.batch.reward[0].copy(), bool(lessons.batch.done[0])))
        totals.append(lessons.batch.results["totals"][0, :2].astype(float))

    lessons.batch.step = stepped  # type: ignore[method-assign]
    network = Network(Architecture(kind="flat", width=8), TorchLayout(made), 0)
    rows = lessons.chunk(network.frozen())
    value, known = rows["value"].reshape(400, 2)[:, 0], rows["known"].reshape(400, 2)[:, 0]
    end = next(k for k, (_, over) in enumerate(steps) if over)
    assert known[: end + 1].all()
    for seat in (0, 1):
        # the rewards between two of its decisions belong to the earlier one, as in the league
        own = [k for k in range(end + 1) if seats[k] == seat]
        spans = zip(own, [*own[1:], end + 1], strict=True)
        got = [sum(float(steps[k][0][seat]) for k in range(*span)) for span in spans]
        got[-1] += g.margin * (totals[end][seat] - totals[end][1 - seat]) / g.scale
        expected = 0.0
        for place, reward in zip(reversed(own), reversed(got), strict=True):
            expected = reward + gamma * expected
            assert np.isclose(value[place], expected, atol=1e-4)


class Last(Player):
    """Takes the last legal action."""

    def act_batch(self, decisions: DecisionBatch) -> Any:
        return decisions.mask.shape[1] - 1 - decisions.mask[:, ::-1].argmax(1)


def test_numbers_that_are_none_stop_a_run_before_they_spoil_it(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    assert run.lessons is not None
    before = run.network.numpy_weights()
    rows = run.lessons.chunk(run.cloner.frozen())
    rows["known"][:] = True
    rows["value"][:] = np.nan
    with pytest.raises(DataError, match=r"lessons: loss = nan, .*, allowed are finite numbers"):
        run.cloner.learn(rows)
    run.learner.newest()
    run.env.begin()
    run.learner.play()
    run.learner.rollout.advantage[:] = np.inf
    with pytest.raises(DataError, match=r"learner: loss = nan, .*, allowed are finite numbers"):
        run.learner.learn(1.0)
    assert same(run.network.numpy_weights(), before)


def test_a_run_that_stops_and_goes_on_equals_one_that_does_not(tmp_path: Path) -> None:
    run_of(tmp_path / "whole").work()
    # stopped in the lessons, in the league before and after a snapshot
    for k, stops in enumerate(((1,), (2, 3, 5), (4, 7))):
        folder, done = tmp_path / f"parts{k}", 0
        run = run_of(folder)
        for stop in stops:
            for _ in range(stop - done):
                run.step()
            done = stop
            run.save()
            run = resumed(str(folder), {})
        run.work()
        header, arrays = end_of(folder)
        expected, whole = end_of(tmp_path / "whole")
        assert same(arrays, whole)
        assert header | {"lines": 0} == expected | {"lines": 0}


def test_logs_forget_what_a_checkpoint_does_not_know(tmp_path: Path) -> None:
    run_of(tmp_path).work()
    full = (tmp_path / "log.jsonl").read_text().splitlines()
    assert len(full) == 8 and len((tmp_path / "log.csv").read_text().splitlines()) == 9
    row = json.loads(full[-1])
    assert row["phase"] == "league" and row["update"] == 6 and "update4" in row["pool"]
    assert {"learner", "inference", "opponents", "environment"} <= row["seconds"].keys()
    with (tmp_path / "log.jsonl").open("a") as file:
        file.write('{"update": 7}\n')
    resumed(str(tmp_path), {}).work()
    assert (tmp_path / "log.jsonl").read_text().splitlines() == full
    kept = json.loads((tmp_path / "settings.json").read_text())
    assert kept["settings"]["run"]["updates"] == 6 and "torch" in kept["versions"]


@pytest.mark.parametrize("asked", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_kill_finish_the_update_and_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: signal.Signals
) -> None:
    before = signal.getsignal(asked)
    run, step = run_of(tmp_path), Run.step

    def interrupted(self: Run) -> dict[str, Any]:
        if self.update == 2:
            os.kill(os.getpid(), asked)
        return step(self)

    monkeypatch.setattr(Run, "step", interrupted)
    run.work()
    assert checkpoint.read(tmp_path)[0]["update"] == 3
    assert signal.getsignal(asked) is before


def test_tensorboard_is_told_of_every_update(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = run_of(tmp_path, run={"save_minutes": 1000})
    run.log = Log(tmp_path)
    for _ in range(5):
        run.log.add(run.step())
        if run.update == 1:
            run.save()
    resumed(str(tmp_path), {}).work()  # the last two updates are lost and made again
    events = EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    tags = set(events.Tags()["scalars"])
    assert {"teacher/hits", "league/policy_loss", "ahead_of/random", "league_seconds/learner"} <= tags
    told = [(event.step, event.value) for event in events.Scalars("league/update")]
    assert told == [(8 * 24 * k, k) for k in range(1, 7)]
    assert [event.step for event in events.Scalars("teacher/hits")] == [1, 2]


def test_the_last_row_is_told_at_the_end_but_no_row_twice(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log, rows = Log(tmp_path), [{
        "phase": "teacher", "update": k, "minutes": 0.1, "decisions_per_second": 1.0, "clone_loss": 1.0, "hits": 0.5,
        "value_loss": 0.0, "seconds": {"learner": 1.0},
    } for k in (1, 2)]  # fmt: skip
    for row in rows:
        log.say(row)  # the second comes too soon
    log.say(rows[1], now=True)
    log.say(rows[1], now=True)
    told = [line.split()[3] for line in capsys.readouterr().out.splitlines() if "teacher" in line]
    assert told == ["1", "2"]


@pytest.mark.parametrize(
    ("main", "words", "message"),
    [
        ("curve", ["nofolder"], "nofolder: no models, allowed is the folder of a run"),
        ("curve", ["FOLDER", "--panel", "nonsense"], "agent 'nonsense': unknown, allowed are random"),
        ("curve", ["FOLDER", "--games", "0"], "--games = 0, allowed is an integer from 1 on"),
        ("compare", ["--seeds", "a"], "--seeds = 'a', allowed are integers from 0 on"),
        ("compare", ["--seeds", "0,"], "--seeds = '0,', allowed are integers from 0 on"),
        ("compare", ["--against", "nobody"], "agent 'nobody': unknown"),
    ],
)
def test_mistakes_of_the_other_commands_are_one_line(
    whole: Path, capsys: pytest.CaptureFixture[str], main: str, words: list[str], message: str
) -> None:
    from genesia_rl.learn import compare, curve

    with pytest.raises(SystemExit):
        {"curve": curve, "compare": compare}[main].main(
            [word.replace("FOLDER", str(whole)) for word in words]
        )
    assert message in capsys.readouterr().err


# ---------------------------------------------------------------- before it begins, and when it fails


def test_compiling_is_not_on_the_clock_and_touches_no_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, late = run_of(tmp_path, run={"updates": 1}), [0.0]
    clock = time.perf_counter
    monkeypatch.setattr(time, "perf_counter", lambda: clock() + late[0])
    before, told = {name: held.copy() for name, held in made.kept()[1].items()}, made.kept()[0]

    def slow(*given: Any) -> None:
        compile_all(*given)
        late[0] = 10_000.0
        assert same(made.kept()[1], before) and made.kept()[0] == told

    monkeypatch.setattr(runs, "compile_all", slow)
    made.work()
    assert late[0] and 0 < made.spent < 5_000 and sum(made.clock.seconds.values()) < 5_000


def test_everything_is_compiled_before_the_first_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    for kind in (RandomPlayer, ScriptedPlayer):
        monkeypatch.setattr(kind, "act_batch", spied(kind.act_batch, asked))
    monkeypatch.setattr(warmup, "folder_of", lambda game: tmp_path)  # nothing is compiled there
    made = run_of(tmp_path / "run", run={"panel": CHARACTERS[:1]})
    compile_all(made.settings, made.game, made.agents, made.cloner.frozen())
    assert set(asked) == {"random", CHARACTERS[0]}, "the pool, the teacher and the panel"
    assert "this may take some minutes, once" in capsys.readouterr().err


def spied(act: Any, asked: list[str]) -> Any:
    def act_batch(self: Any, seen: Any) -> Any:
        asked.append(self.name)
        return act(self, seen)

    return act_batch


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ({"league": {"scripted": ["random", "nobody"]}}, r"league\.scripted: agent 'nobody': unknown"),
        ({"league": {"scripted": ["MODEL"]}}, r"league\.scripted: .*players = 3, allowed in this game is 2"),
        ({"run": {"panel": ["nonsense"]}}, r"run\.panel: agent 'nonsense': unknown, allowed are random"),
        ({"run": {"panel": ["MODEL"]}}, r"run\.panel: .*players = 3, allowed in this game is 2"),
        ({"teacher": {"agent": "MODEL"}}, r"teacher\.agent: .*players = 3, allowed in this game is 2"),
    ],
)
def test_agents_that_cannot_play_are_refused_at_the_start(
    tmp_path: Path, tables: dict[str, Any], message: str
) -> None:
    run_of(tmp_path / "three", game={"players": 3}).save_model("model.npz")
    code = f"ppo:{tmp_path / 'three' / 'model.npz'}"
    tables = json.loads(json.dumps(tables).replace("MODEL", code))
    with pytest.raises(ConfigError, match=message):
        run_of(tmp_path / "two", **tables)


def test_a_step_that_fails_costs_only_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_of(tmp_path / "whole").work()
    for number, place in enumerate(((1, 0), (2, 0), (2, 3))):
        folder = tmp_path / f"failed{number}"
        made, train, learn = run_of(folder), PPO.learn, Cloner.learn

        def fails(whole: Any, made: Run = made, place: tuple[int, int] = place) -> Any:
            def method(self: Any, *given: Any) -> Any:
                found = whole(self, *given)
                if (made.chunks, made.update) == place:
                    raise ConfigError("too late")
                return found

            return method

        monkeypatch.setattr(PPO, "learn", fails(train))
        monkeypatch.setattr(Cloner, "learn", fails(learn))
        with pytest.raises(ConfigError, match="too late"):
            made.work()
        assert "saved in" in capsys.readouterr().out
        monkeypatch.setattr(PPO, "learn", train)
        monkeypatch.setattr(Cloner, "learn", learn)
        assert (checkpoint.read(folder)[0]["chunks"], checkpoint.read(folder)[0]["update"]) == place
        resumed(str(folder), {}).work()
        assert same(end_of(folder)[1], end_of(tmp_path / "whole")[1])
        assert len((folder / "log.jsonl").read_text().splitlines()) == 8


# ---------------------------------------------------------------- checkpoints


def test_a_kill_while_saving_leaves_the_last_checkpoint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkpoint.write(tmp_path, {"update": 1}, {"a": np.arange(3)})

    class Killed(BaseException):
        pass

    def half(file: Any, **held: Any) -> None:
        file.write(b"PK half an archive")
        raise Killed

    monkeypatch.setattr(np, "savez", half)
    with pytest.raises(Killed):
        checkpoint.write(tmp_path, {"update": 2}, {"a": np.arange(3)})
    monkeypatch.undo()
    header, arrays = checkpoint.read(tmp_path)
    assert header["update"] == 1 and arrays["a"].tolist() == [0, 1, 2]
    checkpoint.write(tmp_path, {"update": 3}, {"a": np.arange(3)})
    assert checkpoint.read(tmp_path)[0]["update"] == 3, "what the kill has left is in nobody's way"


def test_what_is_no_checkpoint_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file, allowed is a checkpoint by genesia train"):
        resumed(str(tmp_path), {})
    (tmp_path / checkpoint.NAME).write_bytes(b"nonsense")
    with pytest.raises(DataError, match="not a checkpoint"):
        resumed(str(tmp_path), {})


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"format": 1}, r"format 1, allowed is 3: the run was made by another version"),
        (
            {"made_for": {"game_version": -1}},
            r"game_version = -1, allowed is \d+: the run was made by another",
        ),
        ({"made_for": {"observation_size": 9}}, r"observation_size = 9, allowed is \d+: the run was made by"),
        (
            {"made_for": {"states": "a"}},
            r"states = 'a', allowed is '\w+': the run was made by another version",
        ),
        ({"settings": None}, r"settings = None, allowed is a table"),
        ({"settings": {"lerner": {}}}, r"lerner: unknown key"),
        ({"rng": None}, r"checkpoint\.npz: .*, allowed is a checkpoint of this version"),
        (
            {"rng": {"bit_generator": "MT19937"}},
            r"checkpoint\.npz: .*, allowed is a checkpoint of this version",
        ),
        ({"pool": {"rate": []}}, r"pool\.rate = 0 members, allowed are 4"),
        ({"-": "pool"}, r"pool is missing, allowed is a checkpoint of this version"),
        ({"-": "torch_rng"}, r"torch_rng = nothing, allowed is uint8 of shape"),
        ({"-": "adam/0/step"}, r"adam/0/step = nothing, allowed is float32 of shape \(\)"),
        ({"+": "weights/joint"}, r"weights/joint = float64 of shape \(2, 3\), allowed is float32 of shape"),
        ({"+": "env/mask"}, r"env/mask = float64 of shape \(2, 3\), allowed is int8 of shape"),
        ({"+": "env/states"}, r"env/states = float64 of shape \(2, 3\), allowed is uint8 of shape"),
        ({"+": "adam/99/step"}, r"adam/99/step = float64 of shape \(2, 3\), allowed is nothing"),
        ({"+": "snapshot0/joint"}, r"snapshot0/\w+ = .*, allowed is"),
    ],
)
def test_a_checkpoint_that_does_not_fit_is_refused(
    whole: Path, tmp_path: Path, changed: dict[str, Any], message: str
) -> None:
    header, arrays = checkpoint.read(whole)
    name = changed.pop("-", None)
    header.pop(name, None)
    arrays.pop(str(name), None)
    if "+" in changed:
        arrays[changed.pop("+")] = np.zeros((2, 3))
    for key, value in changed.items():  # tables grow, all else is replaced
        both = isinstance(value, dict) and isinstance(header.get(key), dict)
        header[key] = {**header[key], **value} if both else value
    checkpoint.write(tmp_path, header, arrays)
    with pytest.raises(GenesiaError, match=message):
        resumed(str(tmp_path), {})


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that is over."""
    folder = tmp_path_factory.mktemp("whole")
    run_of(folder / "run").work()
    return folder / "run"


def test_a_damaged_checkpoint_is_named_whatever_is_broken(whole: Path, tmp_path: Path) -> None:
    kept, rng = (whole / checkpoint.NAME).read_bytes(), np.random.default_rng(0)
    places = rng.integers(len(kept), size=60).tolist()
    end = kept.rfind(b"PK\x01\x02")
    places += [*range(0, 200, 4), *range(end, len(kept))]  # headers, and the list of what there is
    for place in places:
        held = bytearray(kept)
        held[place] ^= int(rng.integers(1, 256))
        (tmp_path / checkpoint.NAME).write_bytes(held)
        try:
            checkpoint.read(tmp_path)
        except DataError as error:
            assert checkpoint.NAME in str(error)


def test_a_folder_with_a_run_is_not_overwritten(tmp_path: Path) -> None:
    run_of(tmp_path).save()
    with pytest.raises(ConfigError, match="holds a run, allowed is --resume"):
        run_of(tmp_path)


@pytest.mark.parametrize(
    "name", ["log.jsonl", "log.csv", "model.npz", "model-10min.npz", "strength.json", "settings.json"]
)
def test_what_is_left_of_another_run_is_not_overwritten(tmp_path: Path, name: str) -> None:
    (tmp_path / "notes.txt").write_text("anything else may be there")
    (tmp_path / name).write_text("precious")
    with pytest.raises(ConfigError, match=f"holds {name} of another run, allowed is another --out"):
        run_of(tmp_path)
    assert (tmp_path / name).read_text() == "precious" and len(list(tmp_path.iterdir())) == 2


def test_logs_are_shortened_in_one_step(whole: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    full = (whole / "log.jsonl").read_text()

    def killed(*given: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KeyboardInterrupt):
        Log(whole, 2)
    assert (whole / "log.jsonl").read_text() == full and not list(whole.glob(".*.part"))


def test_every_resume_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["/usr/bin/genesia", "train", "--out", "a b"])
    run = run_of(tmp_path, run={"updates": 2})
    run.step()
    run.save()
    assert load_model(tmp_path / "model.npz").header["card"]["command"] == "genesia train --out 'a b'"
    for updates in (3, 4):
        monkeypatch.setattr("sys.argv", ["genesia", "train", "--updates", str(updates)])
        resumed(str(tmp_path), {"updates": updates})
    kept = json.loads((tmp_path / "settings.json").read_text())
    assert kept["settings"]["run"]["updates"] == 2 and kept["command"] == "genesia train --out 'a b'"
    assert [entry["settings"]["run"]["updates"] for entry in kept["resumed"]] == [3, 4]
    assert kept["resumed"][1]["command"] == "genesia train --updates 4"
    assert all({"time", "versions"} <= entry.keys() for entry in kept["resumed"])
    (tmp_path / "settings.json").write_text("nonsense")
    with pytest.raises(DataError, match=r"settings\.json: is not JSON"):
        resumed(str(tmp_path), {})


# ---------------------------------------------------------------- warm starts


def test_a_model_is_a_start(tmp_path: Path) -> None:
    run = run_of(tmp_path / "first")
    run.step()
    run.save()
    model = load_model(tmp_path / "first" / "model.npz")
    made = started(
        overrides=SMALL, out=str(tmp_path / "second"), warm_start=str(tmp_path / "first/model.npz")
    )
    assert made.lessons is None and same(made.network.numpy_weights(), model.weights)
    bare = started(
        overrides={"run": {"updates": 1}},
        out=str(tmp_path / "bare"),
        warm_start=str(tmp_path / "first/model.npz"),
    ).settings
    assert bare.network.kind == model.architecture.kind != INCREMENTAL
    assert bare.learner.learning_rate == LearnerSettings().learning_rate, "of the network that is learned"
    with pytest.raises(ConfigError, match=r"warm start = 'x.pt', allowed is a model"):
        started(out=str(tmp_path / "third"), warm_start="x.pt")


def test_a_card_tells_all_the_commands_that_made_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def typed(*words: str) -> None:
        monkeypatch.setattr("sys.argv", ["/somewhere/bin/genesia", "train", *words])

    folder = tmp_path / "run"
    typed("--out", "run")
    run_of(folder).save()
    typed("--resume", "run")
    for _ in range(2):
        resumed(str(folder), {}).save()
    card = load_model(folder / "model.npz").header["card"]
    assert card["command"] == "genesia train --out run && genesia train --resume run"


def test_other_numbers_of_players_learn_too(tmp_path: Path) -> None:
    for players in (3, 5):
        run = run_of(tmp_path / str(players), game={"players": players}, run={"updates": 1})
        run.work()
        assert load_model(tmp_path / str(players) / "model.npz").players == players


def test_nobody_teaches_if_no_time_is_given_to_it(tmp_path: Path) -> None:
    run = run_of(tmp_path, teacher={"agent": None, "updates": None, "share": 0.0})
    assert run.lessons is None and run.step()["phase"] == "league"


@pytest.mark.parametrize("variant", JOINT[:1])
def test_where_all_play_together_the_learner_leads_all_seats(variant: str, tmp_path: Path) -> None:
    name, config = split(variant)
    config = dict(config)
    game = {"name": name, "players": config.pop("players"), "config": config}
    run = run_of(tmp_path, game=game, run={"updates": 2, "measure": 3, "panel": ["random"]})
    assert not run.settings.league.scripted and run.settings.league.self_share == 1
    assert run.work() and run.learner.decisions == 2 * 8 * 24 and not run.pool.games.any()
    found = json.loads((tmp_path / "strength.json").read_text())
    assert found.keys() == {"itself", "random"} and found["itself"]["games"] == 3
    with pytest.raises(ConfigError, match=r"game\.margin = 1\.0, allowed where all play together is 0"):
        make_settings(overrides={"game": {**game, "margin": 1.0}})


@pytest.mark.parametrize("variant", JOINT[:1])
def test_the_joint_scores_of_games_side_by_side_are_noted(variant: str, tmp_path: Path) -> None:
    name, config = split(variant)
    config = dict(config)
    env = run_of(tmp_path, game={"name": name, "players": config.pop("players"), "config": config}).env
    env.begin()
    for _ in range(5000):
        _, done = env.advance(env.batch.mask.argmax(axis=1))
        if done.any():
            break
    totals = env.batch.results["totals"][done, : env.batch.game.num_seats]
    assert env.joint == totals.min(axis=1).tolist() and env.games_played == len(env.joint) > 0


def test_models_of_milestones_are_kept_and_measured(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from genesia_rl.learn import curve

    run = run_of(tmp_path / "run", run={"milestones": [1e-6, 1e9], "measure": 4, "panel": ["random"]})
    run.work()
    assert "measuring: 4 games" in capsys.readouterr().out
    assert set(json.loads((run.folder / "strength.json").read_text())) == {"random"}
    assert [path.name for _, path in curve.models(run.folder)] == ["model-1e-06min.npz", "model.npz"]
    rows = curve.measure(run.folder, ["random"], 4, 0)
    assert len(rows) == 2 and all(0 <= row["low"] <= row["first"] <= row["high"] <= 1 for row in rows)
    assert [row["decisions"] for row in rows] == sorted(row["decisions"] for row in rows)
    assert not any(row["held_out"] for row in rows), "random play is in the league"
