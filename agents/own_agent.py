"""An agent of one's own in twenty lines: the action after which it has most points; of several any.

genesia evaluate --agent agents/own_agent.py:Grasping --against random
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.player import DecisionBatch, Player


class Grasping(Player):
    """Looks one action ahead, in any game."""

    name, version = "grasping", 1

    def act(self, decision: DecisionBatch) -> int:
        """An action in the seat's own numbering; all chance comes from the key of the decision."""
        game, seat, rng = decision.game, int(decision.seats[0]), np.random.default_rng(decision.rng_key)
        # what the seat cannot know is drawn anew before anything is tried
        states = game.resample_hidden(decision.states, int(decision.rows[0]), seat, rng)

        def points(action: int) -> float:
            after = game.clone(states)
            game.step(after, 0, game.from_view(seat, action))
            return float(game.public_totals(after, 0)[seat] + rng.random())

        return max(np.flatnonzero(decision.mask[0]).tolist(), key=points)
