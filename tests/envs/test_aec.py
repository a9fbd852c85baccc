"""The PettingZoo environment of every registered game: Farama's checkers, order, illegal actions, copies, rewards."""

from __future__ import annotations

import copy
import json
import pickle
import random
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from operator import attrgetter
from typing import Any

import numpy as np
import pytest
from env_tools import CONTESTS, EVERY, FEW, JOINT, SMALLEST, Array, Config, game_of, random_action, split
from pettingzoo.test import api_test, performance_benchmark, render_test, seed_test
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

import genesia_rl
from genesia_rl.core.errors import ActionError, ConfigError, GenesiaError, StateError
from genesia_rl.core.registry import default_game
from genesia_rl.core.rewards import REWARDS
from genesia_rl.envs import aec
from genesia_rl.envs.aec import CheckedAEC
from genesia_rl.envs.registration import VERSION
from genesia_rl.envs.saving import packed

#: Warnings of `api_test` that are no reproach, and why.
EXPLAINED = {
    "Observation is not a NumPy array": "it is the customary dict of observation and action_mask; PettingZoo "
    "spares only the games of its own list",
    "Observation space for each agent probably should be gymnasium.spaces.box": "likewise",
    "Action mask numpy array is all zeros": "nothing is legal for an agent whose game is over",
}
NUM = game_of("players3").num_actions
#: Ways to make an environment beside the variants.
FORMS: dict[str, Config] = {
    "dict": {"observation": "dict"},
    "normalised": {"normalise": True},
    "normalised_dict": {"observation": "dict", "normalise": True},
    "rank": {"reward": "rank"},
    "score": {"reward": "score", "scale": 20.0},
    "shaped": {"shaping": 0.1, "gamma": 0.99},
    "max_cycles": {"max_cycles": 40},
    "terminate": {"illegal": "terminate"},
}


@pytest.fixture(autouse=True)
def no_unexplained_warnings() -> Iterator[None]:
    """Whatever a test provokes on purpose it takes out of the list itself."""
    EnvLogger.flush()
    EnvLogger.suppress_output()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    unexplained = [str(w.message) for w in caught if not str(w.message).startswith(tuple(EXPLAINED))]
    assert unexplained == []
    assert EnvLogger.mqueue == []


def made(variant: str = "players3", **options: Any) -> Any:
    """An environment of a variant."""
    name, config = split(variant)
    return aec.env(name, **config, **options)


def env_of(**options: Any) -> Any:
    """An environment of the default game."""
    return genesia_rl.make(**options)


def raw_env_of(**options: Any) -> Any:
    """The same without checks."""
    return aec.raw_env(default_game(), **options)


def play(env: Any, rng: np.random.Generator, steps: int = 10_000) -> Iterator[tuple[str, Any]]:
    """Agents and what `last()` tells them, at random to the end; the agents step after each yield."""
    for _ in range(steps):
        if not env.agents:
            return
        agent = env.agent_selection
        seen, reward, ended, cut, info = env.last()
        yield agent, (seen, reward, ended, cut, info)
        env.step(None if ended or cut else random_action(seen["action_mask"], rng))


def flat(thing: Any) -> Any:
    """Arrays as bytes, to compare whole answers."""
    if isinstance(thing, np.ndarray):
        return thing.dtype.str, thing.shape, thing.tobytes()
    if isinstance(thing, dict):
        return {key: flat(value) for key, value in thing.items()}
    return tuple(map(flat, thing)) if isinstance(thing, tuple) else thing


def trajectory(env: Any, seed: int, steps: int = 10_000) -> list[Any]:
    """All that happens from here on."""
    rng = np.random.default_rng(seed)
    return [(a, flat(last), dict(env.rewards)) for a, last in play(env, rng, steps)]


def walked(env: Any, steps: int = 60, seed: int = 3) -> Any:
    """The environment in the middle of a game."""
    env.reset(seed=seed)
    for _ in play(env, np.random.default_rng(seed), steps):
        pass
    return env


# ---------------------------------------------------------------- Farama's checkers


@pytest.mark.parametrize("variant", EVERY)
def test_every_variant_passes_the_api_test(variant: str) -> None:
    api_test(made(variant), num_cycles=160)
    name, config = split(variant)
    api_test(aec.raw_env(name, **config), num_cycles=60)


@pytest.mark.parametrize("variant", FEW)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_and_reward_passes_the_api_test(variant: str, form: str) -> None:
    api_test(made(variant, **FORMS[form]), num_cycles=160)


@pytest.mark.parametrize("variant", EVERY)
def test_every_variant_passes_the_seed_test(variant: str) -> None:
    seed_test(partial(made, variant), num_cycles=120)


@pytest.mark.parametrize("variant", FEW)
@pytest.mark.parametrize("form", ["normalised_dict", "shaped", "terminate"])
def test_every_form_passes_the_seed_test(variant: str, form: str) -> None:
    seed_test(partial(made, variant, **FORMS[form]), num_cycles=120)


@pytest.mark.parametrize("variant", FEW)
def test_the_render_test_passes(variant: str, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(partial(made, variant))
    env = made(variant)
    env.reset(seed=0)
    assert env.game.draw(env.states, 0).splitlines()[-1] and capsys.readouterr().out


@pytest.mark.parametrize("variant", FEW)
def test_the_performance_benchmark_runs(variant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For five seconds of a clock that is as slow as its first thousand readings."""
    readings = iter(np.linspace(0.0, 5.5, 300).tolist())
    monkeypatch.setattr(time, "time", lambda: next(readings))
    random.seed(0)
    performance_benchmark(made(variant))


def test_render_without_a_mode_warns() -> None:
    env = made()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


@pytest.mark.parametrize("make", [env_of, raw_env_of])
def test_after_max_cycles_all_agents_are_truncated_and_see_their_own_view(make: Any) -> None:
    env = make(players=4, max_cycles=30)
    env.reset(seed=1)
    for agent, (seen, _, ended, cut, info) in play(env, np.random.default_rng(0)):
        own = env.game.view(env.states, 0, env.possible_agents.index(agent))[1]
        assert np.array_equal(seen["observation"], own)
        assert not ended
        assert cut == (env.states[0]["steps"] == 30)
        assert seen["action_mask"].any() == (not cut) and info == {"score": 0, "rank": -1}
    assert env.states[0]["steps"] == 30 and env.agents == []


# ---------------------------------------------------------------- the order of calls


def reference() -> Any:
    """What PettingZoo's own wrappers make of the raw environment."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env_of(players=3)))


def outcome(call: Callable[[], Any]) -> tuple[str, str]:
    """The type and the message of what goes wrong."""
    try:
        call()
    except Exception as error:
        return type(error).__name__, str(error)
    return "", ""


def iterate_without_a_step(env: Any) -> None:
    env.reset(seed=0)
    for _ in env.agent_iter():
        pass


BEFORE_RESET: dict[str, Callable[[Any], Any]] = {
    **{name: attrgetter(name) for name in (
        "rewards", "terminations", "truncations", "infos", "agent_selection", "num_agents", "agents")},
    "step": lambda env: env.step(0),
    "observe": lambda env: env.observe("player_0"),
    "last": lambda env: env.last(),
    "state": lambda env: env.state(),
    "render": lambda env: env.render(),
    "agent_iter": lambda env: env.agent_iter(),
    "iteration without a step": iterate_without_a_step,
}  # fmt: skip


@pytest.mark.parametrize("illegal", ["raise", "terminate"])
@pytest.mark.parametrize("misuse", BEFORE_RESET)
def test_order_is_enforced_as_by_pettingzoos_wrappers(misuse: str, illegal: str) -> None:
    call = BEFORE_RESET[misuse]
    expected = outcome(lambda: call(reference()))
    assert expected[0] and outcome(lambda: call(env_of(players=3, illegal=illegal))) == expected


@pytest.mark.parametrize("illegal", ["raise", "terminate"])
def test_a_step_after_the_end_warns_as_by_pettingzoos_wrappers(illegal: str) -> None:
    said = []
    for env in (reference(), env_of(players=3, illegal=illegal)):
        env.reset(seed=0)
        for _ in play(env, np.random.default_rng(0)):
            pass
        env.step(0)
        said.append(EnvLogger.mqueue[:])
        EnvLogger.flush()
    assert said[0] == said[1] and len(said[0]) == 1


def test_dead_agents_take_none_and_leave_one_by_one() -> None:
    env = made("players4")
    env.reset(seed=0)
    left = 4
    for agent, (_, _, ended, _, info) in play(env, np.random.default_rng(0)):
        if not ended:
            continue
        assert set(info) == {"score", "rank"} and info["rank"] >= 0
        with pytest.raises(ValueError, match="the only valid action is None"):
            env.step(0)
        assert len(env.agents) == left and agent in env.agents
        left -= 1
    assert left == 0 and env.agents == []


# ---------------------------------------------------------------- illegal actions


@pytest.mark.parametrize("variant", FEW)
def test_an_illegal_action_is_named_and_changes_nothing(variant: str) -> None:
    env = made(variant)
    env.reset(seed=5)
    rng = np.random.default_rng(0)
    for number, (agent, (seen, _, ended, _, _)) in enumerate(play(env, rng)):
        if ended or number % 25 or seen["action_mask"].all():
            continue
        before = env.save(), flat(env.last()), dict(env.infos)
        seat = env.possible_agents.index(agent)
        for action in rng.choice(np.flatnonzero(seen["action_mask"] == 0), 4).tolist():
            with pytest.raises(ActionError) as caught:
                env.step(action)
            check_refusal(env, str(caught.value), seat, action)
        assert (env.save(), flat(env.last()), dict(env.infos)) == before


def check_refusal(env: Any, said: str, seat: int, action: int) -> None:
    """The message names the agent, the action, the decision and what is allowed."""
    assert said.startswith(f"player_{seat}: action ")
    absolute = env.game.from_view(seat, action)
    try:
        text = env.game.action_text(absolute)
    except ActionError as error:  # numbers between the segments have no text
        assert str(error) in said and "allowed are" in said
        return
    legal = env.game.texts(env.game.legal_actions(env.states, 0))
    assert f"action {text} of seat {seat}" in said
    assert repr(env.game.kind(env.states, 0)) in said and f"allowed are {', '.join(legal)}" in said


@pytest.mark.parametrize("make", [env_of, raw_env_of])
@pytest.mark.parametrize(
    "action", [-1, -NUM, NUM, 1 << 40, (1 << 63) + 1, 1 << 70, -(1 << 70), 2.0, np.float32(2), "2", None,
               np.array([2]), [2], np.uint64((1 << 64) - 1)], ids=repr,
)  # fmt: skip
def test_what_is_no_action_is_refused_with_the_range(make: Any, action: Any) -> None:
    env = walked(make(players=3))
    before, allowed = env.save(), rf"allowed is 0\.\.{NUM - 1}"
    with pytest.raises(ActionError, match=rf"^player_\d: action .*not in the action space, {allowed}"):
        env.step(action)
    assert env.save() == before


@pytest.mark.parametrize("kind", [int, np.int16, np.int32, np.int64, np.uint16, np.uint64, np.array])
def test_any_integer_type_is_an_action(kind: Any) -> None:
    one, other = walked(made()), walked(made())
    action = int(np.flatnonzero(one.last()[0]["action_mask"])[0])
    one.step(action)
    other.step(kind(action))
    assert one.save() == other.save()


def test_terminate_pays_the_illegal_reward_to_the_agent_alone_and_ends_the_game() -> None:
    env = walked(env_of(players=4, illegal="terminate", illegal_reward=-7.0))
    culprit = env.agent_selection
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    assert "Illegal move" in EnvLogger.mqueue.pop()
    paid = {}
    for agent in env.agent_iter():
        seen, reward, ended, _, _ = env.last()
        paid[agent] = reward
        own = env.game.view(env.states, 0, env.possible_agents.index(agent))[1]
        assert ended and np.array_equal(seen["observation"], own)
        env.step(None)
    assert paid == {agent: -7.0 if agent == culprit else 0.0 for agent in env.possible_agents}


def test_options_of_the_environment_are_checked() -> None:
    wrong: list[Config] = [
        {"illegal": "ignore"}, {"observation": "pixels"}, {"normalise": 1}, {"reward": "money"},
        {"scale": 0}, {"scale": float("inf")}, {"gamma": 1.5}, {"shaping": float("nan")}, {"max_cycles": 0},
        {"render_mode": "pixels"}, {"players": 7}, {"colour": "blue"},
    ]  # fmt: skip
    for options in wrong:
        name, value = next(iter(options.items()))
        with pytest.raises(ConfigError) as caught:
            env_of(**options)
        assert name in str(caught.value) and repr(value) in str(caught.value)


# ---------------------------------------------------------------- seeds, positions and deals


@pytest.mark.parametrize("variant", FEW)
def test_the_same_seed_is_the_same_game_and_games_after_it_are_determined(variant: str) -> None:
    one, other = made(variant), made(variant)
    one.reset(seed=11)
    other.reset(seed=np.int64(11))
    starts = []
    for _ in range(3):
        starts.append(one.states.tobytes())
        assert trajectory(one, 1) == trajectory(other, 1)
        one.reset()
        other.reset()
    assert len(set(starts)) == 3


def test_without_any_seed_games_differ() -> None:
    starts = set()
    for _ in range(5):
        env = made()
        env.reset()
        starts.add(env.states.tobytes())
    assert len(starts) == 5


def test_a_reset_in_the_middle_of_a_game_forgets_it() -> None:
    fresh, used = made(shaping=0.5), walked(made(shaping=0.5), 100)
    fresh.reset(seed=8)
    used.reset(seed=8)
    assert fresh.save() == used.save() and trajectory(fresh, 2) == trajectory(used, 2)


@pytest.mark.parametrize("variant", FEW)
def test_a_game_can_begin_from_a_deal(variant: str) -> None:
    env, other = made(variant), made(variant)
    env.reset(seed=4)
    deal = json.loads(json.dumps(env.game.deal_dict(env.states, 0)))
    other.reset(seed=99, options={"deal": deal})
    assert trajectory(env, 0) == trajectory(other, 0)


# ---------------------------------------------------------------- copies

COPIES: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
    "clone": lambda env: env.clone(),
}
STAGES = {"begun": 0, "middle": 130, "ending": 10_000}


def restored(env: Any, **options: Any) -> Any:
    """A new environment that goes on from the saved bytes."""
    other = env_of(**options)
    other.restore(env.save())
    return other


def at_stage(stage: str, **options: Any) -> Any:
    """At the start, in the middle, or when one agent has left the finished game."""
    env = env_of(**options)
    env.reset(seed=6)
    for number, (_, last) in enumerate(play(env, np.random.default_rng(6))):
        if number == STAGES[stage] or last[2]:
            break
    if stage == "ending":
        env.step(None)
    return env


@pytest.mark.parametrize("options", [{"players": 3}, {"players": 1}, {"players": 4, **FORMS["shaped"]}, {
    "players": 2, **FORMS["normalised_dict"]}], ids=["plain", "solo", "shaped", "dict"])  # fmt: skip
@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("way", [*COPIES, "restore"])
def test_a_copy_goes_on_identically_and_shares_nothing(way: str, stage: str, options: Config) -> None:
    env = at_stage(stage, **options)
    other = restored(env, **options) if way == "restore" else COPIES[way](env)
    assert type(other) is CheckedAEC and other.save() == env.save()
    ahead = trajectory(other, 1)
    other.reset()
    later = trajectory(other, 2, 50)
    assert trajectory(env, 1) == ahead
    env.reset()
    assert trajectory(env, 2, 50) == later


def test_a_copy_of_the_terminating_environment_goes_on_identically() -> None:
    env = walked(made(illegal="terminate"))
    other = copy.deepcopy(env)
    ahead = trajectory(other, 1)
    assert trajectory(env, 1) == ahead


def test_a_truncated_game_can_be_restored() -> None:
    env = env_of(players=3, max_cycles=20)
    env.reset(seed=0)
    for _, last in play(env, np.random.default_rng(0)):
        if last[3]:
            break
    assert trajectory(restored(env, players=3, max_cycles=20), 0) == trajectory(env, 0)


def test_a_copied_action_space_samples_legal_actions_of_its_own_environment() -> None:
    env = made()
    env.reset(seed=0)
    other = env.clone()
    for _ in play(env, np.random.default_rng(0), 80):
        pass
    for which in (env, other, copy.deepcopy(env)):
        mask = which.last()[0]["action_mask"]
        agent = which.agent_selection
        assert all(mask[which.action_space(agent).sample()] for _ in range(50))


def test_saved_bytes_of_something_else_are_refused_with_a_reason() -> None:
    env = walked(made("players3"))
    saved = env.save()
    head, body = saved.split(b"\n", 1)
    header = json.loads(head)
    wrong = {
        b"": "no header", b"\xff\xfe\n": "no header", b"[]\n" + body: "no header", head[:-9]: "no header",
        b"[" * 100_000 + b"\n": "no header", b'{"cycles": ' + b"9" * 5_000 + b"}\n": "no header",
        saved[:-1]: "damaged", saved + b"x": "damaged", saved[:-1] + bytes([saved[-1] ^ 1]): "damaged",
        b"{}\n": "format", packed(header, body[:-1]): "state of", packed(header, bytes(len(body))): "not begun",
        packed(header | {"version": 99}, body): "version = 99", packed(header | {"game": "go"}, body): "game = 'go'",
        packed(header | {"rewards": {}}, body): "rewards", packed(header | {"cycles": -1}, body): "cycles = -1",
        packed(header | {"asked": "player_9"}, body): "asked = 'player_9'",
        packed(header | {"terminations": dict.fromkeys(env.agents, True)}, body): "terminations",
        walked(made("players4")).save(): "config",
    }  # fmt: skip
    for given, reason in wrong.items():
        other = walked(made("players3"), 30)
        before = other.save()
        with pytest.raises(GenesiaError, match=reason):
            other.restore(given)
        assert other.save() == before


@pytest.mark.parametrize(
    "field", [("pick", 7), ("coins", 2**31 - 1), ("depth", 127), ("kind", -1), ("num_legal", 3)]
)
def test_a_state_that_no_game_can_be_in_is_refused_by_the_name_of_its_field(field: tuple[str, int]) -> None:
    env, (name, value) = walked(made("players3")), field
    head, body = env.save().split(b"\n", 1)
    states = np.frombuffer(body, env.game.state_dtype).copy()
    states[name] = value
    before = env.save()
    with pytest.raises(StateError, match=f"saved bytes: {name}"):
        env.restore(packed(json.loads(head), states.tobytes()))
    assert env.save() == before


# ---------------------------------------------------------------- what is handed out


@pytest.mark.parametrize("options", [{}, *(FORMS[f] for f in ("dict", "normalised", "normalised_dict"))])
def test_arrays_that_were_handed_out_never_change(options: Config) -> None:
    env = made("players3", **options)
    env.reset(seed=2)
    handed: list[tuple[Any, Any]] = []
    for number, (_, last) in enumerate(play(env, np.random.default_rng(2))):
        given = (last[0], last[4], env.observe(env.possible_agents[number % 3]), env.state(), dict(env.infos))
        handed.append((given, flat(given)))
    env.reset()
    list(play(env, np.random.default_rng(3), 50))
    assert all(flat(given) == as_it_was for given, as_it_was in handed)


@pytest.mark.parametrize("variant", CONTESTS)
def test_every_agent_sees_its_own_view_at_any_time(variant: str) -> None:
    env = made(variant)
    env.reset(seed=2)
    for number, (agent, (seen, *_)) in enumerate(play(env, np.random.default_rng(2))):
        if number % 9:
            continue
        for seat, name in enumerate(env.possible_agents):
            mask, observation = env.game.view(env.states, 0, seat)
            answer = env.observe(name)
            assert np.array_equal(answer["observation"], observation)
            assert np.array_equal(answer["action_mask"], mask)
        assert np.array_equal(seen["observation"], env.observe(agent)["observation"])


@pytest.mark.parametrize("variant", FEW)
def test_forms_say_the_same_in_their_spaces(variant: str) -> None:
    envs = [made(variant), *(made(variant, **FORMS[f]) for f in ("dict", "normalised", "normalised_dict"))]
    for env in envs:
        env.reset(seed=7)
    rng = np.random.default_rng(7)
    for number in range(10_000):
        plain, grouped, scaled, both = (env.last()[0] for env in envs)
        if number % 5 == 0:
            check_forms(envs, plain["observation"], grouped["observation"], scaled["observation"],
                        both["observation"])  # fmt: skip
        if envs[0].terminations[envs[0].agent_selection]:
            break
        action = random_action(plain["action_mask"], rng)
        for env in envs:
            env.step(action)
    assert envs[0].states[0]["over"]


def check_forms(envs: list[Any], plain: Array, grouped: Any, scaled: Array, both: Any) -> None:
    game = envs[0].game
    for env, seen in zip(envs, (plain, grouped, scaled, both), strict=True):
        assert env.observation_space("player_0")["observation"].contains(seen)
    assert scaled.dtype == np.float32 and np.allclose(scaled * game.observation_scale(), plain, atol=1e-5)
    for name, group in game.grouped(plain).items():
        assert np.array_equal(grouped[name], group)
        assert np.array_equal(both[name], game.grouped(scaled)[name])
    assert set(grouped) == set(both) == {group.name for group in game.groups}


@pytest.mark.parametrize("variant", FEW)
def test_the_state_is_all_views_and_lies_in_its_space(variant: str) -> None:
    env = made(variant)
    env.reset(seed=7)
    for number, _ in enumerate(play(env, np.random.default_rng(7))):
        if number % 10 == 0:
            state = env.state()
            assert env.state_space.contains(state)
            views = [env.observe(agent)["observation"] for agent in env.possible_agents]
            assert np.array_equal(state, np.concatenate(views))


@pytest.mark.parametrize("variant", FEW)
def test_describe_tells_legal_actions_apart_in_words(variant: str) -> None:
    env = made(variant)
    env.reset(seed=1)
    for agent, (seen, _, ended, _, _) in play(env, np.random.default_rng(1)):
        if ended:
            break
        legal = np.flatnonzero(seen["action_mask"]).tolist()
        words = [env.describe(action) for action in legal]
        assert len(set(words)) == len(words) and all(" " in text for text in words)
        seat = env.possible_agents.index(agent)
        absolute = [env.game.from_view(seat, action) for action in legal]
        assert words == [env.game.describe(action, env.states, 0) for action in absolute]
    for nonsense in (-1, env.game.num_actions):
        with pytest.raises(ActionError, match="no such action"):
            env.describe(nonsense)


@pytest.mark.parametrize("variant", SMALLEST)
def test_the_name_and_the_agents_are_the_customary_ones(variant: str) -> None:
    env, (name, _) = made(variant), split(variant)
    seats = env.game.num_seats
    assert str(env) == env.metadata["name"] == f"{name}_{VERSION}"
    assert env.possible_agents == [f"player_{seat}" for seat in range(seats)]
    assert env.max_num_agents == seats
    assert env.unwrapped is env and not env.metadata["is_parallelizable"]


# ---------------------------------------------------------------- rewards


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("variant", CONTESTS)
def test_rewards_come_at_the_end_and_sum_to_zero(variant: str, reward: str) -> None:
    env = made(variant, reward=reward)
    env.reset(seed=3)
    paid = {}
    for agent, (_, got, ended, _, info) in play(env, np.random.default_rng(3)):
        assert ended or (got == 0 and not any(env.rewards.values()))
        if ended:
            paid[agent] = got
            assert info["rank"] >= 0
    assert list(paid.values()) == env.game.returns(env.states, 0, reward).tolist()
    ranks = env.game.scores(env.states, 0).ranks
    assert abs(sum(paid.values())) < 1e-6 and (any(paid.values()) or not ranks.any())


@pytest.mark.parametrize("variant", FEW)
def test_last_pays_what_has_come_since_the_agents_last_action(variant: str) -> None:
    env = made(variant, reward="score", shaping=0.3, gamma=0.9)
    env.reset(seed=3)
    owed: dict[str, float] = defaultdict(float)
    times, rng = 0, np.random.default_rng(3)
    for agent in env.agent_iter():
        seen, got, ended, _, _ = env.last()
        assert got == owed.pop(agent, 0.0)
        times += got != 0
        env.step(None if ended else random_action(seen["action_mask"], rng))
        for name, amount in env.rewards.items():
            owed[name] += amount
    assert times > 2


@pytest.mark.parametrize("variant", JOINT)
def test_a_joint_game_pays_its_lowest_total_scaled_to_all_seats(variant: str) -> None:
    env = made(variant)
    env.reset(seed=3)
    paid = [last[1] for _, last in play(env, np.random.default_rng(3)) if last[2]]
    game = game_of(variant)
    lowest = game.scores(env.states, 0).totals.min()
    assert paid == [np.float32(lowest / game.facts.joint_scale)] * game.num_seats
