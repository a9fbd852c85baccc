"""The compiled functions of the search that Python calls."""

from __future__ import annotations

import numpy as np

from agents.heuristic.choose import choose
from agents.tree.arena import SAME, clear
from agents.tree.grow import simulate
from genesia_rl import rng
from genesia_rl.games.genesia.entries import put_result
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.jit import entry, kernel


@entry
def grow(
    states, i, tables, plans, styles,
    head, nodes, edges, table, path, actions, scores, games, salt, number, fresh,
):  # fmt: skip
    """So many simulations for the decision in `states[i]`; from an empty tree if it is `fresh`."""
    if fresh:
        clear(head, table, salt)
    seat = np.int64(states[i]["seat"])
    for _ in range(number):
        simulate(
            states, i, tables, plans[0], styles[0],
            head, nodes, edges, table, path, actions, scores, games, seat,
        )  # fmt: skip


@entry
def play_searching(
    states, tables, seeds, seats, plans, styles, number,
    head, nodes, edges, table, path, actions, scores, games, results,
):  # fmt: skip
    """Whole games of a search with so many simulations a decision against plan 0 on all other seats.

    `seats[g]` is the search's seat in game g; `states` is two states to work on.
    """
    for g in range(seeds.shape[0]):
        rules.reset(states, 0, tables, seeds[g])
        stream = rules.policy_stream(seeds[g])
        while not states[0]["over"]:
            salt = rng.mix(stream)
            stream = rng.advance(stream)
            if states[0]["seat"] == seats[g]:
                clear(head, table, salt)
                for _ in range(number):
                    simulate(
                        states, 0, tables, plans[0], styles[0],
                        head, nodes, edges, table, path, actions, scores, games, seats[g],
                    )  # fmt: skip
                action = most_visited(nodes, edges)
            else:
                action = choose(states, 0, tables, plans[0], states, 1, actions, scores, salt)
            rules.step(states, 0, tables, action)
        put_result(states, 0, tables, results, g)


@kernel
def most_visited(nodes, edges):
    """The root's action with most visits, of equal ones the better, then the first as the seat numbers."""
    best = np.int64(nodes[0]["first"])
    edge = np.int64(edges[best]["next"])
    while edge >= 0:
        e, b = edges[edge], edges[best]
        more = np.int64(e["visits"]) - np.int64(b["visits"])
        ahead = e["total"] / max(1, e["visits"]) - b["total"] / max(1, b["visits"])
        equal = more == 0 and abs(ahead) <= SAME
        if more > 0 or (more == 0 and ahead > SAME) or (equal and e["view"] < b["view"]):
            best = edge
        edge = np.int64(e["next"])
    return np.int64(edges[best]["action"])
