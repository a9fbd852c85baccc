"""What people type first: the idioms of stable-baselines3 and Gymnasium, word for word, and what they rest on."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from env_tools import FEW, SMALLEST, random_action, split

import genesia_rl
from genesia_rl.core.errors import ArgumentError, ConfigError
from genesia_rl.core.registry import default_game, game_names, make_game
from genesia_rl.envs.registration import title_of
from genesia_rl.envs.single import GameGym
from genesia_rl.vector.gym import GameVector

NAME = f"{title_of(default_game())}-v0"


def title(variant: str) -> tuple[str, dict[str, Any]]:
    name, config = split(variant)
    return f"{title_of(name)}-v0", config


# ---------------------------------------------------------------- arguments that are not taken


def makers(game: str) -> list[Callable[..., Any]]:
    """All ways to make an environment of a game."""
    name = f"{title_of(game)}-v0"
    return [
        lambda **given: gymnasium.make(name, **given),
        lambda **given: gymnasium.make_vec(name, 2, vectorization_mode="vector_entry_point", **given),
        lambda **given: GameGym(game, **given),
        lambda **given: GameVector(2, game, **given),
        lambda **given: genesia_rl.make(game, **given),
    ]


@pytest.mark.parametrize("game", game_names())
def test_an_unknown_argument_is_a_type_error_as_pythons_own_are(game: str) -> None:
    for make in makers(game):
        with pytest.raises(TypeError, match="got an unexpected keyword argument 'frameskip'") as caught:
            make(frameskip=4)
        assert isinstance(caught.value, ConfigError) and "allowed" in str(caught.value)


@pytest.mark.parametrize("game", game_names())
def test_an_unknown_render_mode_is_a_type_error(game: str) -> None:
    for make in (lambda **given: GameGym(game, **given), lambda **given: genesia_rl.make(game, **given)):
        with pytest.raises(TypeError, match="render_mode = 'rgb', allowed are None, ansi, human, rgb_array"):
            make(render_mode="rgb")


def test_a_wrong_value_is_no_type_error() -> None:
    with pytest.raises(ConfigError) as caught:
        gymnasium.make(NAME, players=99)
    assert not isinstance(caught.value, TypeError)


def test_a_game_that_is_made_takes_no_configuration() -> None:
    game = make_game(players=2)
    for make in (GameGym, lambda *given, **more: GameVector(2, *given, **more)):
        with pytest.raises(
            ArgumentError, match="unexpected keyword argument 'players': the game is made already"
        ):
            make(game, players=3)


# ---------------------------------------------------------------- infos


def shape_of(value: Any) -> Any:
    """What must not change from step to step: the type, and of an array its shape too."""
    return (value.dtype, value.shape) if isinstance(value, np.ndarray) else type(value)


@pytest.mark.parametrize("variant", FEW)
def test_infos_of_one_learner_have_the_same_keys_and_shapes_at_every_step(variant: str) -> None:
    name, config = title(variant)
    env: Any = gymnasium.make(name, **config).unwrapped
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=1)
    shapes, over = {key: shape_of(value) for key, value in info.items()}, False
    assert info["rank"] == -1 and info["illegal"] == "" and not info["scores"].any()
    while not over:
        before = info["decisions"]
        _, _, over, _, info = env.step(random_action(info["action_mask"], rng))
        assert {key: shape_of(value) for key, value in info.items()} == shapes
        assert info["decisions"] > before
    assert info["rank"] >= 0 and info["scores"][info["seat"]] == info["score"]
    _, info = env.reset(seed=2)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        *_, info = env.step(int(np.argmin(info["action_mask"])))
    assert {key: shape_of(value) for key, value in info.items()} == shapes
    assert "allowed are" in info["illegal"] and not info["action_mask"].any()


@pytest.mark.parametrize("variant", FEW)
def test_infos_of_all_seats_have_the_same_keys_at_every_step(variant: str) -> None:
    game, config = split(variant)
    env, rng = genesia_rl.make(game, **config), np.random.default_rng(0)
    env.reset(seed=1)
    ranks = []
    for _ in env.agent_iter():
        assert all(set(info) == {"score", "rank"} for info in env.infos.values())
        seen, _, ended, cut, info = env.last()
        ranks.append(info["rank"])
        env.step(None if ended or cut else random_action(seen["action_mask"], rng))
    seats = len(env.possible_agents)
    assert set(ranks[:-seats]) == {-1} and min(ranks[-seats:]) == 0


@pytest.mark.parametrize("variant", SMALLEST)
def test_a_vector_tells_what_gymnasiums_own_vector_of_single_games_tells(variant: str) -> None:
    name, config = title(variant)
    single: Any = gymnasium.make_vec(
        name, 2, vectorization_mode="sync", vector_kwargs={"autoreset_mode": "SameStep"}, **config
    )
    vector: Any = gymnasium.make_vec(name, 2, vectorization_mode="vector_entry_point", **config)
    rng, told = np.random.default_rng(0), []
    for envs in (single, vector):
        _, infos = envs.reset(seed=1)
        while "final_info" not in infos:
            assert set(infos["rank"]) == {-1}
            actions = np.array([random_action(mask, rng) for mask in infos["action_mask"]])
            _, _, over, _, infos = envs.step(actions)
        final = {key: shape_of(value) for key, value in infos["final_info"].items() if "episode" not in key}
        told.append((final, {key: shape_of(value) for key, value in infos.items()}))
        assert over.any() and (infos["final_info"]["rank"][over] >= 0).all()
    ours = {key for key in told[0][0] if "illegal" not in key}  # there it is an error
    assert ours == set(told[1][0])
    assert {key for key in told[0][1] if "illegal" not in key} == set(told[1][1])


# ---------------------------------------------------------------- stable-baselines3


def test_make_vec_env_of_stable_baselines3() -> None:
    env_util = pytest.importorskip("stable_baselines3.common.env_util")
    envs = env_util.make_vec_env(NAME, n_envs=4)
    first = envs.reset()
    assert first.shape == (4, *envs.observation_space.shape)
    masks = np.stack(envs.env_method("action_masks"))
    seen, rewards, done, infos = envs.step(masks.argmax(axis=1))
    assert seen.shape == first.shape and not done.any() and not rewards.any() and len(infos) == 4
    with pytest.raises(TypeError, match="unexpected keyword argument 'difficulty'"):
        env_util.make_vec_env(NAME, n_envs=1, env_kwargs={"difficulty": 3})


def test_masked_ppo_learns_on_it() -> None:
    contrib, env_util = (
        pytest.importorskip("sb3_contrib"),
        pytest.importorskip("stable_baselines3.common.env_util"),
    )
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    model = contrib.MaskablePPO("MlpPolicy", env_util.make_vec_env(NAME, n_envs=2), n_steps=16, batch_size=16)
    model.learn(32)
    assert model.num_timesteps == 32


def test_the_native_vector_sets_torch_to_one_thread_unless_told() -> None:
    torch, sb3 = pytest.importorskip("torch"), pytest.importorskip("genesia_rl.vector.sb3")
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        sb3.SB3Batch(1, torch_threads=None)
        assert torch.get_num_threads() == 2
        sb3.SB3Batch(1)
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)
