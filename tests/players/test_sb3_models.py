"""`sb3:PATH`: what stable-baselines3 and sb3-contrib saved plays legal actions, as the model itself would."""

from __future__ import annotations

import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

import torch
from cli_tools import Capture, genesia, mistake
from sb3_contrib import QRDQN, MaskablePPO, RecurrentPPO
from stable_baselines3 import A2C, DQN, PPO

from genesia_rl.core import registry
from genesia_rl.core.errors import DataError
from genesia_rl.core.player import DecisionBatch
from genesia_rl.core.registry import make_game, register_game
from genesia_rl.envs.single import GameGym
from genesia_rl.players.codes import make_player
from genesia_rl.players.sb3 import SB3Player

torch.set_num_threads(1)
SMALL: dict[str, Any] = {"policy_kwargs": {"net_arch": [8]}, "device": "cpu", "seed": 1}
#: Every algorithm that scores actions, as it is made.
ALGORITHMS: dict[str, tuple[Any, dict[str, Any]]] = {
    "MaskablePPO": (MaskablePPO, {}), "PPO": (PPO, {}), "A2C": (A2C, {}),
    "DQN": (DQN, {"buffer_size": 4}), "QRDQN": (QRDQN, {"buffer_size": 4}),
}  # fmt: skip
FORMS: list[dict[str, Any]] = [
    {},
    {"normalise": True},
    {"observation": "dict"},
    {"observation": "dict", "normalise": True},
]


@pytest.fixture(autouse=True)
def in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    register_game("toy", "toy")
    yield
    del registry._GAMES["toy"]


def saved(name: str = "MaskablePPO", file: str = "model", **form: Any) -> Any:
    """An untrained model for the toy, in a file."""
    kind, more = ALGORITHMS[name]
    policy = "MultiInputPolicy" if form.get("observation") == "dict" else "MlpPolicy"
    model = kind(policy, GameGym("toy", **form), **SMALL, **more)
    model.save(file)
    return model


def some(number: int = 12, **config: Any) -> DecisionBatch:
    """Decisions in the middle of games."""
    game, rng = make_game("toy", **config), np.random.default_rng(0)
    states = game.new_states(number)
    for row in range(number):
        game.reset(states, row, row)
        for _ in range(row):
            if not game.is_over(states, row):
                before = states[row : row + 1].copy()
                game.step(states, row, int(rng.choice(game.legal_actions(states, row))))
                if game.is_over(states, row):
                    states[row] = before[0]
    return DecisionBatch(game, states, np.arange(number), np.arange(number))


@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_algorithm_that_scores_actions_plays(name: str) -> None:
    model, asked = saved(name), some()
    player = make_player("sb3:model.zip", "toy")
    chosen = player.act_batch(asked)
    assert asked.mask[np.arange(len(asked)), chosen].all()
    masks = {"action_masks": asked.mask} if name == "MaskablePPO" else {}
    own = model.predict(asked.observation, deterministic=True, **masks)[0]
    legal = asked.mask[np.arange(len(asked)), own] != 0
    assert legal.any() and (chosen[legal] == own[legal]).all()


@pytest.mark.parametrize("form", FORMS)
def test_it_sees_the_game_as_it_did_when_it_learned(form: dict[str, Any]) -> None:
    model, asked = saved(**form), some()
    player, env = SB3Player("model"), GameGym("toy", **form)
    own = model.predict(env._form(asked.observation), action_masks=asked.mask, deterministic=True)[0]
    assert (player.act_batch(asked) == own).all()
    again = pickle.loads(pickle.dumps(player))
    assert (again.act_batch(asked) == own).all() and again.name == "sb3:model"


def test_a_file_is_told_from_another_by_what_it_holds() -> None:
    game = make_game("toy")
    saved(file="one")
    saved("PPO", file="other")
    assert SB3Player("one").fingerprint(game) != SB3Player("other").fingerprint(game)


def test_it_takes_part_in_commands(capsys: Capture) -> None:
    saved()
    given = ("--game", "toy", "--agent", "sb3:model.zip", "--against", "random", "--games", "4")
    code, out, err = genesia(capsys, "evaluate", *given)
    assert code == 0 and out.startswith("sb3:model.zip against random: "), err


def test_one_thread_is_enough_and_others_get_theirs_back() -> None:
    saved()
    player, asked, before = SB3Player("model"), some(), torch.get_num_threads()
    seen: list[int] = []
    forward = player._policy.get_distribution

    def told(observation: Any) -> Any:
        seen.append(torch.get_num_threads())
        return forward(observation)

    player._policy.get_distribution = told
    try:
        torch.set_num_threads(2)
        player.act_batch(asked)
        assert seen == [1] and torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)


# ---------------------------------------------------------------- what does not fit


def test_what_is_no_model_is_one_line(capsys: Capture) -> None:
    Path("text.zip").write_text("no archive")
    with zipfile.ZipFile("empty.zip", "w") as file:
        file.writestr("data", "{}")
    for code, said in (
        ("sb3:none.zip", "none.zip: no such file, allowed is a model saved by stable-baselines3 (.zip)"),
        ("sb3:text.zip", "text.zip: not a model saved by stable-baselines3 ("),
        ("sb3:empty.zip", "empty.zip: not a model saved by stable-baselines3 ("),
        ("sb3", "agent 'sb3': allowed is sb3:PATH"),
    ):
        assert said in mistake(capsys, "evaluate", "--game", "toy", "--agent", code, "--against", "random")


def test_a_model_of_another_game_or_number_of_players_is_refused() -> None:
    saved()
    with pytest.raises(DataError, match=r"observes int8 of shape .* allowed in this game with 4 seats is"):
        SB3Player("model").act_batch(some(players=4))
    states = make_game().new_states()
    make_game().reset(states, 0, 0)
    with pytest.raises(DataError, match=r"Discrete\(2\), allowed in this game is Discrete"):
        SB3Player("model").act_batch(DecisionBatch.one(make_game(), states))


def test_a_policy_that_remembers_is_refused() -> None:
    RecurrentPPO("MlpLstmPolicy", GameGym("toy"), device="cpu").save("model")
    with pytest.raises(DataError, match="RecurrentActorCriticPolicy, allowed are those that score actions"):
        SB3Player("model")
