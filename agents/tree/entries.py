"""The compiled functions of the search that Python calls."""

from __future__ import annotations

import numpy as np

from agents.tree.arena import clear
from agents.tree.grow import put_margins, simulate
from genesia_rl.games.genesia.resample import resample_hidden
from genesia_rl.jit import entry, kernel


@kernel
def plant(states, i, tables, p, head, table, games, salt):
    """An empty tree whose values are measured from this position."""
    clear(head, table, salt)
    resample_hidden(states, i, games, 0, tables, np.int64(states[i]["seat"]), salt)
    put_margins(games[0], tables[0], p, head[0]["margin"])


@entry
def grow(
    states, i, tables, plans, styles,
    head, nodes, edges, table, path, actions, scores, games, salt, number, fresh,
):  # fmt: skip
    """So many simulations for the decision in `states[i]`; from an empty tree if it is `fresh`."""
    if fresh:
        plant(states, i, tables, plans[1], head, table, games, salt)
    seat = np.int64(states[i]["seat"])
    for _ in range(number):
        simulate(
            states, i, tables, plans[0], plans[1], styles[0],
            head, nodes, edges, table, path, actions, scores, games, seat,
        )  # fmt: skip
