"""`gymnasium.vector.VectorEnv`: many games of one learner each, stepped in one call.

Finished games begin anew in the same step; `infos` then carries `final_obs`, `final_info` and their masks
`_final_obs`, `_final_info`, as Gymnasium's same-step autoreset has it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from genesia_rl.core.game import Game
from genesia_rl.core.registry import make_game
from genesia_rl.envs.single import seating
from genesia_rl.envs.spaces import ObservationForm
from genesia_rl.vector.batch import LearnerBatch

Array = npt.NDArray[Any]


class GameVector(VectorEnv[Any, Any, Any]):
    """Games of the registry for one learner in each."""

    def __init__(
        self,
        num_envs: int = 1,
        game: str | Game | None = None,
        seat: int | str = "rotate",
        opponents: Any = ("random",),
        reward: str = "win",
        observation: str = "flat",
        normalise: bool = False,
        scale: float | None = None,
        shaping: float = 0.0,
        gamma: float = 1.0,
        threads: int = 1,
        copy: bool = True,
        **config: Any,
    ) -> None:
        made = make_game(game, **config) if not isinstance(game, Game) else game
        how, number = seating(seat, made)
        if isinstance(opponents, str) or not hasattr(opponents, "__len__"):
            opponents = (opponents,)
        if not made.is_contest:
            how, number, opponents = "fixed", 0, ()
        self.batch = LearnerBatch(
            made, num_envs, opponents, seating=how, learner_seat=number, reward=reward, scale=scale,
            shaping=shaping, gamma=gamma, threads=threads,
        )  # fmt: skip
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self.copy = copy
        self._form = ObservationForm(made, observation, normalise)
        self.single_observation_space = self._form.space
        self.single_action_space = spaces.Discrete(made.num_actions)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin all games anew: from one seed for all, or from a list of a seed for each."""
        if isinstance(seed, list | tuple):
            self.batch.reset(np.array(seed, np.uint64))
        else:
            super().reset(seed=seed)
            self.batch.reset(int(self.np_random.integers(1 << 63)) if seed is None else int(seed))
        return self._observed(self.batch.observation), self._infos()

    def step(self, actions: Any) -> tuple[Any, Array, Array, Array, dict[str, Any]]:
        """The learners' actions; everybody else answers."""
        batch = self.batch
        batch.step(actions)
        done = batch.done.copy()
        infos = self._infos()
        if done.any():
            self._put_final(infos, done)
        paid = batch.learner_reward.astype(np.float64)
        return self._observed(batch.observation), paid, done, np.zeros(self.num_envs, np.bool_), infos

    def action_masks(self) -> Array:
        """The legal actions of every game."""
        return self.batch.mask.astype(np.bool_)

    def close_extras(self, **kwargs: Any) -> None:
        """Let the threads go."""
        self.batch.close()

    def _observed(self, flat: Array) -> Any:
        return self._form(flat.copy() if self.copy else flat)

    def _infos(self) -> dict[str, Any]:
        everybody = np.ones(self.num_envs, np.bool_)
        mask = self.batch.mask.copy() if self.copy else self.batch.mask
        return {
            "action_mask": mask, "_action_mask": everybody,
            "seat": self.batch.learner.astype(np.int64), "_seat": everybody,
        }  # fmt: skip

    def _put_final(self, infos: dict[str, Any], done: Array) -> None:
        """Last observations, scores and lengths of the games that have ended in this step."""
        games, results = self.batch.games, self.batch.results
        rows = np.arange(self.num_envs)
        seats = games["final_learner"]
        final = np.full(self.num_envs, None, dtype=object)
        for i in np.flatnonzero(done):
            final[i] = self._form(self.batch.final_observation[i, seats[i]].copy())
        infos["final_obs"], infos["_final_obs"] = final, done
        episode = {
            "r": np.where(done, games["final_sum"][rows, seats], 0.0),
            "l": np.where(done, games["final_length"], 0),
            "_r": done,
            "_l": done,
        }
        infos["final_info"] = {
            "score": np.where(done, results["totals"][rows, seats], 0), "_score": done,
            "rank": np.where(done, results["ranks"][rows, seats], 0), "_rank": done,
            "episode": episode, "_episode": done,
        }  # fmt: skip
        infos["_final_info"] = done
