"""`random`: any legal action, each as likely."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genesia_rl.core import chance
from genesia_rl.core.player import DecisionBatch, Player


class RandomPlayer(Player):
    """Chooses anything; in a game that it plays alone, what the compiled `play_random` does with its seed."""

    name, version = "random", 2

    def act_batch(self, decisions: DecisionBatch) -> npt.NDArray[np.int64]:
        """The k-th legal action, k by the game's seed and the number of decisions."""
        actions = np.zeros(len(decisions), np.int64)
        streams = chance.policy_streams(decisions.seeds, decisions.steps)
        decisions.game.kernels.random_rows(
            decisions.states, decisions.rows, streams, decisions.tables, decisions.which, actions
        )
        return actions
