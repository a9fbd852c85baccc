"""Gymnasium: one agent against others, and vectors of such games, through `gymnasium.make`; every registered game."""

from __future__ import annotations

import functools
import importlib
import pydoc
import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from env_tools import FEW, FEW_CONTESTS, JOINT, Chooser, game_of, split
from gymnasium.utils.env_checker import check_env

import genesia_rl
from genesia_rl.core.errors import ActionError, ConfigError
from genesia_rl.core.registry import default_game, game_info, game_names
from genesia_rl.envs.registration import ids, title_of
from genesia_rl.players.codes import make_player

#: The environment of the default game, and how it may be made besides.
NAME = f"{title_of(default_game())}-v0"
FORMS: list[dict[str, Any]] = [
    {"seat": 1}, {"seat": "rotate", "normalise": True},
    {"observation": "dict", "reward": "score", "shaping": 0.5},
]  # fmt: skip


def of(variant: str) -> tuple[str, dict[str, Any]]:
    """The id and the options of a variant."""
    name, config = split(variant)
    return f"{title_of(name)}-v0", config


ENVIRONMENTS: list[tuple[str, dict[str, Any]]] = [
    *map(of, FEW),
    *((name, {**config, **form}) for name, config in map(of, FEW_CONTESTS) for form in FORMS),
]
IDS = [f"{name}-{number}" for number, (name, _) in enumerate(ENVIRONMENTS)]
NUM_ACTIONS = game_of("players2").num_actions
#: Warnings of the checkers, and why they are right to stand.
EXPLAINED = (
    "The game is lost by an illegal action",  # the checker plays one game's action in another
    "unconventional shape",  # planes over regions are neither a picture nor a vector
    "different from the unwrapped",
)


def unexplained(caught: list[warnings.WarningMessage]) -> list[str]:
    texts = [str(warning.message) for warning in caught]
    return [text for text in texts if not any(known in text for known in EXPLAINED)]


def play(env: Any, seed: int) -> list[float]:
    """The rewards of a game in which the learner takes the lowest legal action."""
    _, info = env.reset(seed=seed)
    rewards, over = [], False
    while not over:
        _, reward, over, cut, info = env.step(int(np.argmax(info["action_mask"])))
        rewards.append(reward)
        assert not cut
    return rewards


@pytest.mark.parametrize(("name", "options"), ENVIRONMENTS, ids=IDS)
def test_gymnasiums_checker_passes(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options).unwrapped
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        check_env(env)
    assert unexplained(caught) == []


@pytest.mark.parametrize(("name", "options"), ENVIRONMENTS, ids=IDS)
def test_the_checker_of_stable_baselines3_passes(name: str, options: dict[str, Any]) -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        checker.check_env(gymnasium.make(name, **options).unwrapped)
    assert unexplained(caught) == []


@pytest.mark.parametrize(("name", "options"), ENVIRONMENTS, ids=IDS)
def test_the_same_seed_plays_the_same_game(name: str, options: dict[str, Any]) -> None:
    env = gymnasium.make(name, **options)
    assert play(env, 5) == play(env, 5)


@pytest.mark.parametrize("variant", FEW_CONTESTS)
def test_the_learner_is_paid_when_the_game_ends(variant: str) -> None:
    name, config = of(variant)
    env = gymnasium.make(name, **config)
    for seed in range(6):
        *before, last = play(env, seed)
        assert set(before) <= {0.0} and -2.0 < last <= game_of(variant).num_seats


@pytest.mark.parametrize("variant", JOINT)
def test_in_a_joint_game_one_learner_leads_all_seats(variant: str) -> None:
    name, config = of(variant)
    env: Any = gymnasium.make(name, opponents="nobody is asked", **config).unwrapped
    _, info = env.reset(seed=3)
    acting, over = set(), False
    while not over:
        acting.add(int(env._batch.seat[0]))
        _, reward, over, _, info = env.step(int(np.argmax(info["action_mask"])))
    assert acting == set(range(game_of(variant).num_seats))
    facts = game_of(variant).facts
    assert reward == pytest.approx(min(info["scores"]) / facts.joint_scale)


def test_opponents_are_asked_with_their_own_mask() -> None:
    opponent = Chooser()
    env = gymnasium.make(NAME, players=3, opponents=opponent, seat=0)
    play(env, 1)
    assert len(opponent.seen) > 50 and all(sum(mask) >= 2 for _, mask in opponent.seen)


def test_an_illegal_action_loses_the_game_and_says_why() -> None:
    env = gymnasium.make(NAME, players=2).unwrapped
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="lost by an illegal action"):
        _, reward, over, cut, info = env.step(NUM_ACTIONS - 1)
    assert (reward, over, cut) == (-1.0, True, False) and "allowed are" in info["illegal"]
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_an_illegal_action_may_be_an_error_that_changes_nothing() -> None:
    env: Any = gymnasium.make(NAME, players=2, illegal="raise").unwrapped
    env.reset(seed=1)
    before = env.action_masks().copy()
    with pytest.raises(ActionError, match="allowed are"):
        env.step(NUM_ACTIONS - 1)
    assert (env.action_masks() == before).all()


@pytest.mark.parametrize(
    "wrong", [{"seat": 2}, {"seat": "left"}, {"opponents": []}, {"illegal": "ignore"}, {"render_mode": "rgb"}]
)
def test_wrong_arguments_are_refused_by_name(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="allowed"):
        gymnasium.make(NAME, players=2, **wrong)


def test_a_sample_is_legal() -> None:
    env: Any = gymnasium.make(NAME, players=2).unwrapped
    _, info = env.reset(seed=3)
    for _ in range(60):
        action = env.action_space.sample()
        assert info["action_mask"][action]
        _, _, over, _, info = env.step(action)
        if over:
            _, info = env.reset()


def vector(**options: Any) -> Any:
    return gymnasium.make_vec(NAME, 6, vectorization_mode="vector_entry_point", **options)


def test_a_vector_hands_over_the_last_observation_of_a_game() -> None:
    envs = vector(players=2)
    seen, infos = envs.reset(seed=2)
    assert seen.shape == (6, *envs.single_observation_space.shape)
    finished = 0
    for _ in range(200):
        seen, rewards, over, cut, infos = envs.step(infos["action_mask"].argmax(axis=1))
        assert not cut.any() and set(rewards[~over]) <= {0.0}
        for i in np.flatnonzero(over):
            assert envs.single_observation_space.contains(infos["final_obs"][i])
            assert infos["final_info"]["episode"]["r"][i] == rewards[i] and rewards[i] in (1.0, 0.0, -1.0)
            assert (infos["final_obs"][i] != seen[i]).any()
            finished += 1
    assert finished > 6


def test_a_vector_of_the_same_seed_plays_the_same_games() -> None:
    games = []
    for _ in range(2):
        envs = vector(players=3)
        _, infos = envs.reset(seed=4)
        rows = []
        for _ in range(150):
            seen, rewards, over, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
            rows.append((seen.tobytes(), rewards.tolist(), over.tolist()))
        games.append(rows)
    assert games[0] == games[1]


@pytest.mark.parametrize("variant", JOINT)
def test_a_joint_vector_needs_no_opponents(variant: str) -> None:
    name, config = of(variant)
    envs = gymnasium.make_vec(name, 3, vectorization_mode="vector_entry_point", **config)
    _, infos = envs.reset(seed=1)
    rewards = np.zeros(3)
    for _ in range(150):
        _, paid, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        rewards += paid
    assert (rewards >= 0).all()


# ---------------------------------------------------------------- environments by name


@pytest.mark.parametrize("game", game_names())
def test_every_game_has_an_id_and_its_solo_mode_another(game: str) -> None:
    title = title_of(game)
    env: Any = gymnasium.make(f"{title}-v0").unwrapped
    assert env.game.name == game
    solo = game_info(game).solo
    assert (f"{title}Solo-v0" in ids()) == (solo is not None)
    if solo is not None:
        env = gymnasium.make(f"{title}Solo-v0").unwrapped
        made = env.game.config_dict()
        assert {**made, "players": 1, **solo} == made


def test_titles_are_the_words_of_a_name() -> None:
    assert title_of("a_game_of_dice") == "AGameOfDice"


@pytest.mark.parametrize("game", game_names())
def test_every_game_is_a_module_as_pettingzoos_own_are(game: str) -> None:
    module = importlib.import_module(f"genesia_rl.{game}_v0")
    assert getattr(genesia_rl, f"{game}_v0") is module and module.__all__ == ["env", "raw_env"]
    for name in module.__all__:
        told = pydoc.render_doc(getattr(module, name), renderer=pydoc.plaintext)  # type: ignore[attr-defined]
        assert f"{name}(" in told and "functools" not in told and "render_mode" in told
        assert all(option.name in told for option in game_info(game).options)
    for make in (module.env, module.raw_env, functools.partial(genesia_rl.make, game)):
        assert make().game.name == game


@pytest.mark.parametrize("game", game_names())
def test_every_game_is_in_pettingzoos_registry_where_there_is_one(game: str) -> None:
    if not hasattr(pettingzoo, "make"):
        pytest.skip("PettingZoo has a registry from 1.27 on")
    env = pettingzoo.make("aec", f"{title_of(game)}-v0", players=game_info(game).players[1])
    assert env.unwrapped.game.name == game and env.unwrapped.game.num_seats == game_info(game).players[1]


def test_what_the_package_does_not_have_is_an_attribute_error() -> None:
    for name in ("chess_v0", "v0", "doors"):
        with pytest.raises(AttributeError, match=name):
            getattr(genesia_rl, name)


@pytest.mark.parametrize("game", game_names())
def test_the_first_page_plays_a_game_by_hand(game: str) -> None:
    play = genesia_rl.start(game, seed=7)
    assert play.seed == 7 and not play.over and play.seat in range(play.game.num_seats)
    with pytest.raises(ActionError, match="allowed is to ask when it is over"):
        _ = play.result
    with pytest.raises(ActionError, match="allowed"):
        play.do("jump:3")
    player = make_player("random", game)
    while not play.over:
        assert play.legal == sorted(play.words) and len(play.legal) >= 2 and play.kind in play.game.kinds
        assert play.do(play.ask(player)) is play
    assert str(play) == play.game.draw(play.states, 0) and play.seat == -1 and play.legal == []
    assert play.result == play.game.result_dict(play.states, 0)
    assert play.scores == play.game.scores(play.states, 0).totals.tolist()
    with pytest.raises(ActionError, match="the game is over"):
        play.do("jump:3")


def test_a_game_by_hand_is_that_of_its_seed_and_without_one_another() -> None:
    first, again = genesia_rl.start(players=3, seed=5), genesia_rl.start(players=3, seed=5)
    assert isinstance(first, genesia_rl.Play) and str(first) == str(again)
    assert len({genesia_rl.start(players=3).seed for _ in range(4)}) == 4
