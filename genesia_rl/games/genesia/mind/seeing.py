"""What each seat sees of an action, for the keys of a search's nodes (core/tree.py).

An action that everybody sees goes into all keys. What is hidden (a pick, an objective, a stance that is not
yet revealed, which card was discarded) goes into the key of its own seat, and the others' only note that
something happened. So nobody in the tree answers a choice that it could not have seen.

Cards that are dealt or passed on after the root are not in the keys: they differ from simulation to
simulation, and nodes that only one of them reached would teach nothing. What is legal follows them, and edges
count how often they were.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel
from genesia_rl.core.tree import mixed
from genesia_rl.games.genesia.actions import DISCARD_BASE, EDGE_BASE
from genesia_rl.games.genesia.names import ATTACK, K_DRAFT, K_OBJECTIVE, K_STANCE, STEP_STANCE
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.games.genesia.rules.players import num_seats

HIDDEN = np.uint64(0x5D1)


@kernel
def is_hidden(kind, action):
    """Do the others not see which action it is?"""
    if DISCARD_BASE <= action < EDGE_BASE:
        return True
    return kind in (K_DRAFT, K_OBJECTIVE, K_STANCE)


@kernel
def see_action(keys, t, seat, kind, action):
    """An action was taken."""
    hidden = is_hidden(kind, action)
    for other in range(num_seats(t)):
        number = HIDDEN if hidden and other != seat else np.uint64(action) + np.uint64(1)
        keys[other] = mixed(keys[other], number)


@kernel
def see_stances(keys, s, t):
    """The stances were revealed."""
    code = 0
    for seat in range(num_seats(t)):
        code = code * 3 + s["stance"][seat]
    for seat in range(num_seats(t)):
        keys[seat] = mixed(keys[seat], np.uint64(code + 7))


@kernel
def reveals(before, s):
    """Was the last action the one that revealed the stances?"""
    return before == STEP_STANCE and s["attack_step"] != STEP_STANCE


@kernel
def take(states, i, tables, keys, action):
    """Step, and let every seat see what it may."""
    s, t = states[i], tables[0]
    before = np.int64(s["attack_step"])
    attacks = s["phase"] == ATTACK
    see_action(keys, t, np.int64(s["seat"]), s["kind"], action)
    rules.step(states, i, tables, action)
    if attacks and reveals(before, states[i]):
        see_stances(keys, states[i], t)
