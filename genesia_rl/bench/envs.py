"""How fast the environments are, each beside what it is to be compared with, in one run.

The floor is an AEC environment that does nothing: as many agents, as many bytes of observation, copied
for every decision. All AEC loops are the customary one, with `agent_iter` and `last`, and choose
their action from the mask in the same cheap way. Rounds alternate, so that a change of the machine's mood
meets all of them.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from genesia_rl.bench.engine import RUNS, STEP_GAMES, Figure, recorded
from genesia_rl.core.game import Game
from genesia_rl.envs.aec import CheckedAEC, GameAEC
from genesia_rl.vector.batch import LearnerBatch

ENV_NAMES = ("aec_floor", "aec_raw", "aec_env", "learner_batch", "sb3_vec", "sb3_subproc")
BATCH = 256
SUBPROCESSES = 16


class FloorAEC(AECEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """The least that an AEC environment of this size does."""

    def __init__(self, agents: list[str], num_actions: int, size: int, episode: int) -> None:
        super().__init__()
        self.possible_agents = agents
        self._episode = episode
        self._mask, self._seen = np.zeros(num_actions, np.int8), np.zeros(size, np.int8)
        self._mask[::64] = 1

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new episode."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._steps = 0

    def observe(self, agent: str) -> dict[str, Any]:
        """Copies."""
        return {"observation": self._seen.copy(), "action_mask": self._mask.copy()}

    def step(self, action: Any) -> None:
        """The next agent; after some steps the episode is over."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._steps += 1
        self.agent_selection = self.possible_agents[self._steps % len(self.possible_agents)]
        if self._steps == self._episode:
            self.terminations = dict.fromkeys(self.agents, True)


def play_aec(env: Any, decisions: int, draw: Callable[[], float]) -> float:
    """Seconds for so many decisions in the customary loop."""
    played = 0
    start = time.perf_counter()
    while True:
        env.reset()
        for _ in env.agent_iter():
            seen, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
                continue
            legal = seen["action_mask"].tobytes()
            action = legal.find(1, int(len(legal) * draw()))
            env.step(action if action >= 0 else legal.find(1))
            played += 1
            if played == decisions:
                return time.perf_counter() - start


def aec_figures(game: Game, players: int, seconds: float) -> Iterator[Figure]:
    """The floor, the raw environment, and the one with all checks."""
    raw = GameAEC(game)
    episode = round(statistics.mean(len(recorded(game, seed)) for seed in range(STEP_GAMES)))
    envs = {
        "aec_floor": FloorAEC(raw.possible_agents, game.num_actions, game.observation_size, episode),
        "aec_raw": raw,
        "aec_env": CheckedAEC(game),
    }
    draw = random.Random(0).random
    decisions = max(50, round(seconds / RUNS * 200_000))
    spent: dict[str, list[float]] = {name: [] for name in envs}
    for env in envs.values():
        play_aec(env, 200, draw)
    for _ in range(RUNS):
        for name, env in envs.items():
            spent[name].append(play_aec(env, decisions, draw))
    for name, times in spent.items():
        yield Figure(name, players, 1, decisions / statistics.median(times), "decisions/s")


def _play_batch(step: Callable[[Any], Any], actions: Callable[[], Any], steps: int) -> float:
    start = time.perf_counter()
    for _ in range(steps):
        step(actions())
    return time.perf_counter() - start


def _batch_figure(name: str, players: int, batch: LearnerBatch, step: Any, seconds: float) -> Figure:
    """Learner decisions a second; the learner plays at random too."""
    streams = np.arange(batch.num_games, dtype=np.uint64)

    def actions() -> Any:
        return batch.random_actions(streams)

    _play_batch(step, actions, 5)
    steps = max(5, round(seconds / RUNS * 1_000_000 / batch.num_games))
    times = [_play_batch(step, actions, steps) for _ in range(RUNS)]
    return Figure(name, players, 1, batch.num_games * steps / statistics.median(times), "decisions/s")


def batch_figures(game: Game, players: int, seconds: float, subprocesses: bool) -> Iterator[Figure]:
    """The learner's batch; on it SB3's VecEnv if that is installed; and what SB3 would do without it."""
    batch = LearnerBatch(game, BATCH)
    batch.reset(0)
    yield _batch_figure("learner_batch", players, batch, batch.step, seconds)
    try:
        from genesia_rl.vector.sb3 import SB3Batch
    except ImportError:
        return
    env = SB3Batch(BATCH, game)
    env.reset()

    def step(actions: Any) -> None:
        env.step(actions)
        env.env_method("action_masks")

    yield _batch_figure("sb3_vec", players, env.batch, step, seconds)
    if subprocesses:
        yield _subproc_figure(game, players, seconds)


def _subproc_figure(game: Game, players: int, seconds: float) -> Figure:
    """A SubprocVecEnv of Gymnasium environments, masks asked for as sb3-contrib does."""
    from stable_baselines3.common.vec_env import SubprocVecEnv

    from genesia_rl.envs.single import GameGym

    env = SubprocVecEnv([lambda: GameGym(game) for _ in range(SUBPROCESSES)])
    try:
        env.reset()

        def actions() -> Any:
            return np.array([mask.argmax() for mask in env.env_method("action_masks")])

        _play_batch(env.step, actions, 5)
        steps = max(5, round(seconds * 200))
        times = [_play_batch(env.step, actions, steps) for _ in range(RUNS)]
    finally:
        env.close()
    rate = SUBPROCESSES * steps / statistics.median(times)
    return Figure("sb3_subproc", players, SUBPROCESSES, rate, "decisions/s")
