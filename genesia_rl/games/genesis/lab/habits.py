"""What an agent does not do by its own choice: bits for each seat, and what they leave of a decision."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.genesis.actions import END_ACTION
from genesia_rl.games.genesis.names import JOKER, K_SECOND
from genesia_rl.games.genesis.rules.turn import face

NEVER_ONE, NEVER_TWO, NO_JOKER = 1, 2, 4


@kernel
def habit(states, i, tables, habits):
    """Only the second tile is a matter of habit: it is always placed, never, or never by a joker."""
    s = states[i]
    if s["kind"] != K_SECOND:
        return False
    if habits & NEVER_ONE != 0:
        bits.drop(s["legal"], END_ACTION)
    elif habits & NEVER_TWO != 0 or (habits & NO_JOKER != 0 and joker_helps(s)):
        s["legal"][:] = 0
        bits.add(s["legal"], END_ACTION)
    return False


@kernel
def joker_helps(s):
    """Was the first tile placed by a joker, or would the second be? (RULES 5: one tile needs no die.)"""
    left = np.int64(s["left"]) - 1
    return left == JOKER or face(s, 0) + face(s, 1) - left == JOKER
