"""PettingZoo's wrapper that ends the game at an illegal action, for whatever is no action at all as well."""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np
from pettingzoo.utils.wrappers import TerminateIllegalWrapper


class Terminating(TerminateIllegalWrapper):  # type: ignore[misc]  # PettingZoo is not typed
    """An action that is no number, or out of range, is as illegal as one that the mask forbids."""

    def step(self, action: Any) -> None:
        """The selected agent's action; the wrapper below looks it up in the mask as it is."""
        agent = self.agent_selection
        over = self.terminations[agent] or self.truncations[agent]
        if over or self._is_action(action):
            super().step(action)
            return
        none = np.zeros(1, np.int8)
        self._prev_obs = self._prev_info = {"action_mask": none}
        super().step(0)

    def _is_action(self, action: object) -> bool:
        if isinstance(action, bool | np.bool_):
            return False
        try:
            number = index(action)  # type: ignore[arg-type]
        except TypeError:
            return False
        return bool(0 <= number < self.action_space(self.agent_selection).n)
