"""What each seat sees of an action, for the keys of a search's nodes (core/tree.py).

Everything is open but which card is kept in the draft: the others only note that one was. So nobody in the tree
answers a pick that it could not have seen. Cards that are drawn or passed on after the root are not in the keys.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel
from genesia_rl.core.tree import mixed
from genesia_rl.games.age_of_civilization.names import K_DRAFT
from genesia_rl.games.age_of_civilization.rules import kernel as rules
from genesia_rl.games.age_of_civilization.rules.abilities import num_seats

HIDDEN = np.uint64(0xA0C)


@kernel
def take(states, i, tables, keys, action):
    """Step, and let every seat see what it may."""
    s, t = states[i], tables[0]
    hidden, seat = s["kind"] == K_DRAFT, np.int64(s["seat"])
    for other in range(num_seats(t)):
        number = HIDDEN if hidden and other != seat else np.uint64(action) + np.uint64(1)
        keys[other] = mixed(keys[other], number)
    rules.step(states, i, tables, action)
