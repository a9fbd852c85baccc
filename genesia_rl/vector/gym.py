"""`gymnasium.vector.VectorEnv`: many games of one learner each, stepped in one call.

Infos hold the columns of a single game's at every step. Finished games begin anew in the same step; `infos` then
carries `final_obs`, `final_info` and their masks `_final_obs`, `_final_info` besides, as Gymnasium's same-step
autoreset has it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from genesia_rl.core.game import Game
from genesia_rl.envs.arguments import configured
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
        made = configured(game, config)
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
        """As those of single games, row by row: games that are going on have no result yet."""
        n = self.num_envs
        mask = self.batch.mask.copy() if self.copy else self.batch.mask
        return _with_masks(
            np.ones(n, np.bool_),
            action_mask=mask,
            seat=self.batch.learner.astype(np.int64),
            score=np.zeros(n, np.int64),
            rank=np.full(n, -1),
            scores=np.zeros((n, self.batch.game.num_seats), np.int32),
            decisions=self.batch.states["steps"].astype(np.int64),
        )

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
        totals = results["totals"][:, : self.batch.game.num_seats].astype(np.int32)
        infos["final_info"] = _with_masks(
            done,
            action_mask=np.zeros_like(self.batch.mask),
            seat=np.where(done, seats, 0).astype(np.int64),
            score=np.where(done, results["totals"][rows, seats], 0).astype(np.int64),
            rank=np.where(done, results["ranks"][rows, seats], 0).astype(np.int64),
            scores=np.where(done[:, None], totals, 0),
            decisions=np.where(done, results["steps"], 0).astype(np.int64),
            episode=episode,
        )
        infos["_final_info"] = done


def _with_masks(rows: Array, **columns: Any) -> dict[str, Any]:
    """Each column, and as Gymnasium has it the rows that have it, under its name with an underscore before it."""
    return {
        key: held for name, column in columns.items() for key, held in ((name, column), (f"_{name}", rows))
    }
