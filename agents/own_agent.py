"""An agent of one's own in twenty lines: the action after which it has most points; of several any.

python agents/own_agent.py        plays it against random play
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


if __name__ == "__main__":
    from genesia_rl.core.registry import make_game
    from genesia_rl.matches.evaluate import evaluate
    from genesia_rl.players.random import RandomPlayer

    print(evaluate(Grasping(), [RandomPlayer()], make_game(), 100).text("grasping", "random"))
