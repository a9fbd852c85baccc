"""Perft: the number of sequences of decisions from a state to a depth, and which action leads to how many.

The number of games that can be played says more about a rule than any one of them: a legal action too
many or too few changes it. A sequence that reaches the end of the game early is not counted, as it does
not have that many decisions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, owning
from genesia_rl.core.game import Game, States


def perft(game: Game, states: States, i: int = 0, depth: int = 1) -> int:
    """How many sequences of so many decisions begin at this state."""
    if depth == 0:
        return 1
    ladder = game.new_states(depth)
    ladder[0] = states[i]
    return int(_count(game.kernels.step, ladder, game.tables, depth))


def divide(game: Game, states: States, i: int = 0, depth: int = 1) -> dict[str, int]:
    """The same, by the text of the first action: where two engines differ, go down this action."""
    if depth < 1:
        raise ValueError(f"depth = {depth}, allowed is at least 1: the first action is what is divided by")
    found = {}
    for action in game.legal_actions(states, i):
        after = game.clone(states, i)
        game.step(after, 0, action)
        found[game.action_text(action)] = perft(game, after, 0, depth - 1)
    return found


@owning
def _count(step: Any, states: Any, tables: Any, depth: int) -> Any:
    """Depth first: `states[level]` is the state after `level` actions, `tried[level]` the last one taken.

    At the last level the actions are not taken: their number is known.
    """
    tried = np.full(depth, -1)
    level, total = 0, np.int64(0)
    while level >= 0:
        if level == depth - 1:
            total += np.int64(states[level]["num_legal"])
            level -= 1
            continue
        action = _next_legal(states[level]["legal"], tried[level] + 1)
        tried[level] = action
        if action < 0:
            level -= 1
            continue
        states[level + 1] = states[level]
        step(states, level + 1, tables, action)
        level += 1
    return total


@kernel
def _next_legal(legal: Any, least: Any) -> Any:
    """The lowest legal action that is no less, or -1."""
    for word in range(least >> 6, legal.shape[0]):
        left = legal[word]
        if word == least >> 6:
            left &= ~bits.ZERO << np.uint64(least & 63)
        if left != bits.ZERO:
            return word * 64 + lowest(left)
    return -1
