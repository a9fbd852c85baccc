"""Gymnasium, one agent: the other seats are filled by agents.

The learner acts, all others answer, and the step returns at the learner's next decision; its reward is
what its own seat got meanwhile, also on the others' turns. Learn with a mask (`action_masks()`, as
sb3-contrib's MaskablePPO does); `action_space.sample()` draws legal actions only. An illegal action loses
the game at once, with a warning that names it (`illegal="raise"`: an error): Gymnasium's own checker replays
an action in another game, where it may be illegal, and expects an answer.

Infos have the same keys at every step: `action_mask`, `seat`, `decisions` (taken so far), and of the result `score`,
`rank`, `scores` of all seats (0, -1 and zeros until the game is over), `illegal` (why the game was lost by an action).
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from genesia_rl.core.errors import ActionError, ConfigError
from genesia_rl.core.game import Game
from genesia_rl.core.player import Player
from genesia_rl.core.scene import EVERYTHING
from genesia_rl.envs.arguments import configured
from genesia_rl.envs.render import ALLOWED, MODES, check_mode, rendered
from genesia_rl.envs.spaces import LegalDiscrete, ObservationForm
from genesia_rl.vector.batch import LearnerBatch

Array = npt.NDArray[Any]


def seating(seat: int | str, game: Game) -> tuple[str, int]:
    """`seat` as users give it: a number, `random`, or `rotate` from game to game."""
    if seat in ("random", "rotate"):
        return str(seat), 0
    is_number = isinstance(seat, int | np.integer) and not isinstance(seat, bool)
    if not is_number or not 0 <= int(seat) < game.num_seats:
        raise ConfigError(f"seat = {seat!r}, allowed are random, rotate and 0..{game.num_seats - 1}")
    return "fixed", int(seat)


class GameGym(gymnasium.Env[Any, Any]):
    """A game of the registry for one learner.

    In a solo mode it leads all seats: each decision is seen from the seat that acts, the reward is the joint
    score, scaled.
    """

    action_space: LegalDiscrete
    metadata = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        game: str | Game | None = None,
        seat: int | str = "random",
        opponents: Sequence[Player | str] | Player | str = "random",
        reward: str = "win",
        scale: float | None = None,
        shaping: float = 0.0,
        gamma: float = 1.0,
        observation: str = "flat",
        normalise: bool = False,
        illegal: str = "terminate",
        illegal_reward: float = -1.0,
        render_mode: str | None = None,
        **config: Any,
    ) -> None:
        if illegal not in ("terminate", "raise"):
            raise ConfigError(f"illegal = {illegal!r}, allowed are terminate and raise")
        check_mode(render_mode)
        self.game = configured(game, config)
        self.render_mode = render_mode
        self._illegal, self._illegal_reward = illegal, float(illegal_reward)
        self._batch = self._make_batch(seat, opponents, reward, scale, shaping, gamma)
        self._form = ObservationForm(self.game, observation, normalise)
        self.observation_space = self._form.space
        self.action_space = LegalDiscrete(self.game.num_actions, self.action_masks)
        self._waits = False  # a game that has begun by itself and was not yet handed out
        self._over = True

    def _make_batch(
        self, seat: int | str, opponents: Any, reward: str, scale: float | None, shaping: float, gamma: float
    ) -> LearnerBatch:
        game = self.game
        if not game.is_contest:  # one learner leads all seats
            return LearnerBatch(
                game, 1, (), seating="fixed", reward=reward, scale=scale, shaping=shaping, gamma=gamma
            )
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            opponents = [opponents]
        others = game.num_seats - 1
        if len(opponents) not in (1, others):
            raise ConfigError(f"opponents: {len(opponents)} of them, allowed is 1 for all or {others}")
        how, number = seating(seat, game)
        return LearnerBatch(
            game, 1, opponents, seating=how, learner_seat=number, reward=reward, scale=scale,
            shaping=shaping, gamma=gamma,
        )  # fmt: skip

    # ---- playing
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new game, played on to the learner's first decision."""
        super().reset(seed=seed)
        if seed is not None or not self._waits:
            fresh = int(self.np_random.integers(1 << 63)) if seed is None else seed
            self._batch.reset(fresh)
        self._waits = self._over = False
        return self._observed(self._batch.observation[0]), self._info()

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's action and everybody else's up to its next decision."""
        if self._over:
            raise gymnasium.error.ResetNeeded("Cannot call env.step() before calling env.reset()")
        batch = self._batch
        try:
            batch.step([action])
        except ActionError as error:
            if self._illegal == "raise":
                raise
            return self._lose(str(error))
        paid = float(batch.learner_reward[0])
        if not batch.done[0]:
            return self._observed(batch.observation[0]), paid, False, False, self._info()
        self._waits = self._over = True
        return self._observed(batch.final_learner_observation[0]), paid, True, False, self._final_info()

    def _lose(self, why: str) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """An illegal action ends the game."""
        gymnasium.logger.warn(f"The game is lost by an illegal action: {why}")
        self._over = True
        info = self._info() | {"action_mask": np.zeros(self.game.num_actions, np.int8), "illegal": why}
        return self._observed(self._batch.observation[0]), self._illegal_reward, True, False, info

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.action_space._legal = self.action_masks

    def _observed(self, flat: Array) -> Any:
        return self._form(flat.copy())

    def _info(self) -> dict[str, Any]:
        """The same keys at every step: until the game is over there is no score, and the rank is -1."""
        return {
            "action_mask": self._batch.mask[0].copy(),
            "seat": int(self._batch.learner[0]),
            "score": 0,
            "rank": -1,
            "scores": np.zeros(self.game.num_seats, np.int32),
            "decisions": int(self._batch.states["steps"][0]),
            "illegal": "",
        }

    def _final_info(self) -> dict[str, Any]:
        seat, n = int(self._batch.games["final_learner"][0]), self.game.num_seats
        result = self._batch.results[0]
        return {
            "action_mask": np.zeros(self.game.num_actions, np.int8),
            "seat": seat,
            "score": int(result["totals"][seat]),
            "rank": int(result["ranks"][seat]),
            "scores": result["totals"][:n].astype(np.int32),
            "decisions": int(result["steps"]),
            "illegal": "",
        }

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """The legal actions of the present decision, as sb3-contrib asks for them."""
        return np.asarray(self._batch.mask[0], np.bool_)

    def describe(self, action: int) -> str:
        """In words what an action is."""
        seat = int(self._batch.seat[0])
        return self.game.describe(self.game.from_view(seat, index(action)), self._batch.states, 0)

    def render(self) -> Any:
        """The position as the learner sees it: text (`ansi`), pixels (`rgb_array`), or printed (`human`)."""
        if self.render_mode is None:
            gymnasium.logger.warn(f"You are calling render() without a render_mode, allowed are {ALLOWED}.")
            return None
        eyes = int(self._batch.learner[0]) if self.game.is_contest else EVERYTHING
        return rendered(self.game, self._batch.states, 0, self.render_mode, eyes)
