"""A native stable-baselines3 `VecEnv`: no subprocesses, no Python call for an opponent's decision.

`env_method("action_masks")`, which sb3-contrib asks for at every step, is answered from an array.
Observations are copies, as with SB3's own environments.

SB3's networks are small: more threads of torch wait for one another, and on a machine that does anything else besides
they take many times as long. So torch is set to one thread here, for the whole process; `torch_threads=None` leaves it
as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv

from genesia_rl.core.game import Game
from genesia_rl.envs.arguments import configured
from genesia_rl.envs.single import seating
from genesia_rl.envs.spaces import ObservationForm
from genesia_rl.vector.batch import LearnerBatch

Array = npt.NDArray[Any]


class SB3Batch(VecEnv):
    """Games of the registry for one learner in each."""

    def __init__(
        self,
        num_envs: int,
        game: str | Game | None = None,
        seat: int | str = "rotate",
        opponents: Any = ("random",),
        observation: str = "flat",
        normalise: bool = False,
        seed: int = 0,
        threads: int = 1,
        torch_threads: int | None = 1,
        reward: str = "win",
        scale: float | None = None,
        shaping: float = 0.0,
        gamma: float = 1.0,
        **config: Any,
    ) -> None:
        if torch_threads is not None:
            torch.set_num_threads(torch_threads)
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
        self._form = ObservationForm(made, observation, normalise)
        self._seed = seed
        self.render_mode = None
        super().__init__(num_envs, self._form.space, spaces.Discrete(made.num_actions))

    # ---- playing
    def reset(self) -> Any:
        """Begin all games anew, from the seed given last."""
        self.batch.reset(self._seed)
        self._seed += 1
        self.reset_infos = [self._info(seat) for seat in self.batch.learner.tolist()]
        return self._observed(self.batch.observation)

    def step_async(self, actions: Array) -> None:
        """Remember the actions."""
        self._actions = actions

    def step_wait(self) -> tuple[Any, Array, Array, list[dict[str, Any]]]:
        """The learners' actions; everybody else answers."""
        batch = self.batch
        batch.step(self._actions)
        done = batch.done.copy()
        infos = [self._info(seat) for seat in batch.learner.tolist()]
        for i in np.flatnonzero(done):
            infos[i] = self._final_info(int(i))
        return self._observed(batch.observation), batch.learner_reward, done, infos

    def _observed(self, flat: Array) -> Any:
        return self._form(flat.copy())

    @staticmethod
    def _info(seat: int) -> dict[str, Any]:
        """The same keys at every step, but for those by which SB3 recognises the end of an episode."""
        return {"TimeLimit.truncated": False, "seat": seat, "score": 0, "rank": -1}

    def _final_info(self, i: int) -> dict[str, Any]:
        """What SB3 and its Monitor put into the info of a finished episode."""
        games, result = self.batch.games, self.batch.results[i]
        seat = int(games["final_learner"][i])
        return {
            **self._info(seat),
            "terminal_observation": self._form(self.batch.final_observation[i, seat].copy()),
            "episode": {
                "r": float(games["final_sum"][i, seat]),
                "l": int(games["final_length"][i]),
                "t": 0.0,
            },
            "score": int(result["totals"][seat]),
            "rank": int(result["ranks"][seat]),
        }

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of every game."""
        return self.batch.mask.view(np.bool_)

    # ---- what SB3 asks of its environments
    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """`action_masks` of some or all games; there are no single environments to call."""
        if method_name != "action_masks":
            raise AttributeError(f"method {method_name!r}: unknown, allowed is action_masks")
        masks = self.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """sb3-contrib asks whether environments can mask their actions."""
        return attr_name in ("action_masks", "render_mode")

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the batch, the same for every game."""
        if attr_name == "action_masks":
            return [self.action_masks] * len(list(self._get_indices(indices)))
        return [getattr(self, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Set an attribute of the batch."""
        setattr(self, attr_name, value)

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Episode statistics come from the batch, so that a Monitor is not missed."""
        wrapped = getattr(wrapper_class, "__name__", "") == "Monitor"
        return [wrapped] * len(list(self._get_indices(indices)))

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of the next reset."""
        if seed is None:
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        self._seed = seed
        return [seed] * self.num_envs

    def close(self) -> None:
        """Let the threads go."""
        self.batch.close()
