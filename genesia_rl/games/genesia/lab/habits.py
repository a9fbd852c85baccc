"""What an agent does not do by its own choice: bits for each seat, and what they leave of a decision."""

from __future__ import annotations

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.genesia.actions import PEACE_ACTION
from genesia_rl.games.genesia.names import K_DRAFT, K_POSITION, K_STANCE

PEACEFUL, BLIND, PLACELESS = 1, 2, 4


@kernel
def habit(states, i, tables, habits):
    """The peaceful have Peace left; cards, and places in the turn order, are chosen at random."""
    s = states[i]
    if s["kind"] == K_STANCE and habits & PEACEFUL != 0:
        keep_only(s["legal"], PEACE_ACTION)
        return False
    if s["kind"] == K_DRAFT:
        return habits & BLIND != 0
    return s["kind"] == K_POSITION and habits & PLACELESS != 0


@kernel
def keep_only(legal, action):
    """Of a legal set one action, if it is in it."""
    is_legal = bits.has(legal, action)
    legal[:] = 0
    if is_legal:
        bits.add(legal, action)
