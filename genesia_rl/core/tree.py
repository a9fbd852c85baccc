"""The memory of a tree search: nodes and edges in arrays, and a table that finds a node by its key.

A node is what one seat has seen happen since the root when it decides; an edge is one action there. A game
drawn anew has other cards in hidden hands and in packs to come, so that not every edge of a node is legal in
every visit: an edge counts the visits in which it was.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from genesia_rl.core import chance
from genesia_rl.core.compile import kernel
from genesia_rl.core.facts import Facts

NODE = np.dtype(
    [("key", np.uint64), ("first", np.int32), ("visits", np.int32), ("total", np.float64)], align=True
)
EDGE = np.dtype(
    [
        ("action", np.int32),
        ("view", np.int32),
        ("next", np.int32),
        ("visits", np.int32),
        ("offered", np.int32),
        ("total", np.float64),
        ("score", np.float64),
    ],
    align=True,
)


def head_dtype(facts: Facts) -> np.dtype[Any]:
    """One record a search: how full its arrays are, its random stream, how often it asked a network, and room."""
    seats = (facts.most_seats,)
    return np.dtype(
        [
            ("nodes", np.int64),
            ("edges", np.int64),
            ("stream", np.uint64),
            ("asked", np.int64),
            ("world", np.int64),
            ("keys", np.uint64, seats),
            ("values", np.float64, seats),
            ("parts", np.int32, (facts.most_seats, facts.part_columns)),
            ("totals", np.int32, seats),
            ("ranks", np.int8, seats),
        ],
        align=True,
    )


#: How a search weighs and explores (search.py has the meanings and the defaults).
STYLE = np.dtype(
    [
        ("explore", np.float64),
        ("temperature", np.float64),
        ("spread", np.float64),
        ("win", np.float64),
        ("par", np.float64),
    ],
    align=True,
)
#: The same of a search that a network guides (players/guided.py).
GUIDED_STYLE = np.dtype(
    [
        ("explore", np.float64),
        ("temperature", np.float64),
        ("unseen", np.float64),
        ("margin", np.float64),
    ],
    align=True,
)
EDGES_A_NODE = 40
SAME = 1.0e-9  # by which values must differ to be different: sums over regions differ in their last digits
MOST_DEPTH = 400

Array = npt.NDArray[np.void]


class Tree(NamedTuple):
    """The arrays of one search."""

    head: Array
    nodes: Array
    edges: Array
    table: npt.NDArray[np.int32]
    path: npt.NDArray[np.int64]  # of one simulation: node, edge, seat
    actions: npt.NDArray[np.int64]
    scores: npt.NDArray[np.float64]


def new_tree(facts: Facts, simulations: int, most_actions: int) -> Tree:
    """Room for so many simulations; each adds one node at most."""
    nodes = simulations + 1
    return Tree(
        head=np.zeros(1, head_dtype(facts)),
        nodes=np.zeros(nodes, NODE),
        edges=np.zeros(nodes * EDGES_A_NODE, EDGE),
        table=np.full(1 << (4 * nodes).bit_length(), -1, np.int32),
        path=np.zeros((MOST_DEPTH, 3), np.int64),
        actions=np.zeros(most_actions, np.int64),
        scores=np.zeros(most_actions, np.float64),
    )


@kernel
def clear(head, table, stream):
    """An empty tree."""
    head[0]["nodes"] = 0
    head[0]["edges"] = 0
    head[0]["asked"] = 0
    head[0]["world"] = 0
    head[0]["stream"] = stream
    table[:] = -1


@kernel
def find_node(head, nodes, table, key):
    """The node of a key, made if there is room; -1 if there is none."""
    size = np.uint64(table.shape[0] - 1)
    place = key & size
    while True:
        number = table[np.int64(place)]
        if number < 0:
            break
        if nodes[number]["key"] == key:
            return np.int64(number)
        place = (place + np.uint64(1)) & size
    number = head[0]["nodes"]
    if number == nodes.shape[0]:
        return np.int64(-1)
    head[0]["nodes"] = number + 1
    node = nodes[number]
    node["key"] = key
    node["first"] = -1
    node["visits"] = 0
    node["total"] = 0.0
    table[np.int64(place)] = number
    return np.int64(number)


@kernel
def find_edge(nodes, edges, node, action):
    """The edge of an action at a node, -1 if it has none yet."""
    edge = nodes[node]["first"]
    while edge >= 0:
        if edges[edge]["action"] == action:
            return np.int64(edge)
        edge = edges[edge]["next"]
    return np.int64(-1)


@kernel
def add_edge(head, nodes, edges, node, action, view, score):
    """A new edge, `view` is its action as the seat numbers it; nothing is done when the arrays are full."""
    number = head[0]["edges"]
    if number == edges.shape[0]:
        return
    head[0]["edges"] = number + 1
    e = edges[number]
    e["action"] = action
    e["view"] = view
    e["next"] = nodes[node]["first"]
    e["visits"] = 0
    e["offered"] = 0
    e["total"] = 0.0
    e["score"] = score
    nodes[node]["first"] = number


# ---------------------------------------------------------------- keys of nodes


@kernel
def mixed(key, number):
    """A key after one more thing was seen."""
    return chance.mix(key ^ chance.mix(np.uint64(number) + chance.GOLDEN))


@kernel
def start_keys(keys):
    """Nothing has been seen since the root."""
    for seat in range(keys.shape[0]):
        keys[seat] = np.uint64(seat + 1)


@kernel
def node_key(keys, s):
    """The key of the decision that is being asked."""
    seat = np.int64(s["seat"])
    return mixed(keys[seat], np.uint64(seat * 64) + np.uint64(s["kind"]))
