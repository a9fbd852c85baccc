"""One simulation: draw the hidden anew, descend, expand one node, evaluate it, back its value up.

Every seat maximises its own value, so the search serves any number of players. The heuristic says how
good actions look at first (the prior) and what a position is worth; the search finds out what they lead to.
"""

from __future__ import annotations

import numpy as np

from agents.heuristic.choose import choose, score_actions
from agents.heuristic.evaluate import seat_value
from agents.tree.arena import MOST_DEPTH, add_edge, find_edge, find_node
from agents.tree.keys import node_key, reveals, see_action, see_stances, start_keys
from genesia_rl import bits, rng
from genesia_rl.contract import MAX_SEATS
from genesia_rl.games.genesia.names import ATTACK
from genesia_rl.games.genesia.resample import resample_hidden
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.games.genesia.rules.players import num_seats
from genesia_rl.jit import kernel


@kernel
def put_margins(s, t, p, margins):
    """Each seat's lead over the best other one, by a plan; solo, the lower tribe's worth."""
    seats = num_seats(t)
    worth = np.empty(MAX_SEATS, np.float64)
    for seat in range(seats):
        worth[seat] = seat_value(s, t, p, seat)
    for seat in range(seats):
        best = -1.0e9
        for other in range(seats):
            if other != seat:
                best = max(best, worth[other])
        margins[seat] = worth[seat] - best
        if p["solo"]:
            margins[seat] = min(worth[seat], best) + 0.2 * max(worth[seat], best)


@kernel
def value_of(style, p, margin, root_margin):
    """A margin as a value: what was gained since the root, and how near it is to winning."""
    gained = np.tanh((margin - root_margin) / style["spread"])
    if p["solo"]:
        return gained
    return gained + style["win_weight"] * np.tanh(margin / style["win_spread"])


@kernel
def expand(head, nodes, edges, actions, scores, states, i, tables, p, scratch, j, node):
    """Give the node an edge for every action that is legal in this game and has none yet."""
    number = score_actions(states, i, tables, p, scratch, j, actions, scores)
    for k in range(number):
        if find_edge(nodes, edges, node, actions[k]) < 0:
            add_edge(head, nodes, edges, node, actions[k], scores[k])


@kernel
def count_legal(nodes, edges, s, node):
    """(Edges of the node that are legal now, the best score among them, visits they were legal in)."""
    edge, number, best, visits = np.int64(nodes[node]["first"]), 0, -1.0e300, 0
    while edge >= 0:
        e = edges[edge]
        if bits.has(s["legal"], np.int64(e["action"])):
            number += 1
            best = max(best, e["score"])
            visits += e["visits"]
        edge = np.int64(e["next"])
    return number, best, visits


@kernel
def select(nodes, edges, style, s, node, best_score, visits):
    """The legal edge that promises most: its mean value, and a bonus by prior for being little explored."""
    inverse = 1.0 / style["temperature"]
    norm = 0.0
    edge = np.int64(nodes[node]["first"])
    while edge >= 0:
        e = edges[edge]
        if bits.has(s["legal"], np.int64(e["action"])):
            norm += np.exp((e["score"] - best_score) * inverse)
        edge = np.int64(e["next"])
    mean = nodes[node]["total"] / max(1, nodes[node]["visits"])
    bonus = style["explore"] * np.sqrt(visits + 1.0)
    best, chosen = -1.0e300, np.int64(-1)
    edge = np.int64(nodes[node]["first"])
    while edge >= 0:
        e = edges[edge]
        if bits.has(s["legal"], np.int64(e["action"])):
            e["seen"] += 1
            prior = np.exp((e["score"] - best_score) * inverse) / norm
            value = e["total"] / e["visits"] if e["visits"] > 0 else mean - style["urgency"]
            got = value + bonus * prior / (1.0 + e["visits"])
            if got > best:
                best, chosen = got, edge
        edge = np.int64(e["next"])
    return chosen


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


@kernel
def play_on(states, i, tables, p, scratch, j, actions, scores, most, salt):
    """Some decisions more by the heuristic, until the turn passes: quieter positions are evaluated better."""
    seat = states[i]["seat"]
    for _ in range(most):
        s = states[i]
        if s["over"] or s["seat"] != seat:
            return
        salt = rng.advance(salt)
        rules.step(
            states, i, tables, choose(states, i, tables, p, scratch, j, actions, scores, rng.mix(salt))
        )


@kernel
def simulate(
    states, i, tables, p, judge, style, head, nodes, edges, table, path, actions, scores, games, seat
):
    """One simulation from `states[i]`, as its acting `seat` sees it; `games` is two states to work on."""
    t = tables[0]
    head[0]["stream"] = rng.advance(head[0]["stream"])
    resample_hidden(states, i, games, 0, tables, seat, rng.mix(head[0]["stream"]))
    keys = np.empty(MAX_SEATS, np.uint64)
    margins = np.zeros(MAX_SEATS, np.float64)
    start_keys(keys)
    depth = 0
    while depth < MOST_DEPTH:
        s = games[0]
        if s["over"]:
            break
        node = find_node(head, nodes, table, node_key(keys, s))
        if node < 0:
            break
        fresh = nodes[node]["visits"] == 0
        number, best, visits = count_legal(nodes, edges, s, node)
        if number < s["options"]:
            expand(head, nodes, edges, actions, scores, games, 0, tables, p, games, 1, node)
            number, best, visits = count_legal(nodes, edges, s, node)
        if fresh and depth > 0:
            path[depth, 0], path[depth, 1], path[depth, 2] = node, -1, s["seat"]
            depth += 1
            break
        edge = select(nodes, edges, style, s, node, best, visits)
        if edge < 0:
            break
        path[depth, 0], path[depth, 1], path[depth, 2] = node, edge, s["seat"]
        depth += 1
        take(games, 0, tables, keys, np.int64(edges[edge]["action"]))
    if style["rollout"] > 0:
        play_on(games, 0, tables, p, games, 1, actions, scores, style["rollout"], head[0]["stream"])
    put_margins(games[0], t, judge, margins)
    for k in range(depth):
        who = path[k, 2]
        value = value_of(style, p, margins[who], head[0]["margin"][who])
        n = nodes[path[k, 0]]
        n["visits"] += 1
        n["total"] += value
        if path[k, 1] >= 0:
            e = edges[path[k, 1]]
            e["visits"] += 1
            e["total"] += value
