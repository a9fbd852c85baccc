"""`random`: any legal action, each as likely."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from genesia_rl.seen import Player, Seen


class RandomAgent(Player):
    """Chooses anything."""

    name, version = "random", 1

    def act_batch(self, seen: Seen) -> npt.NDArray[np.int64]:
        """The k-th legal action, k by the salt."""
        legal = seen.mask != 0
        k = np.floor(seen.uniform() * legal.sum(axis=1)).astype(np.int64)
        return np.asarray(np.argmax(legal.cumsum(axis=1) == k[:, None] + 1, axis=1))
