"""One simulation: draw the hidden anew, descend, add a node, play the game out, back its result up.

Every seat maximises its own value, so the search serves any number of players. The heuristic says how
good actions look at first (the prior) and plays the game out on all seats. Its evaluation of positions is not
used: weights that choose well one decision ahead predict badly, and a search that judged by them was no
stronger than `greedy`.
"""

from __future__ import annotations

import numpy as np

from agents.heuristic.choose import choose, score_actions
from agents.tree.arena import MOST_DEPTH, SAME, add_edge, find_edge, find_node
from agents.tree.keys import node_key, reveals, see_action, see_stances, start_keys
from genesia_rl import bits, rng
from genesia_rl.contract import MAX_SEATS
from genesia_rl.games.genesia.names import ATTACK
from genesia_rl.games.genesia.resample import resample_hidden
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.games.genesia.rules.players import num_seats
from genesia_rl.jit import kernel


@kernel
def lowest_of_team(t, totals, seat):
    """The score of a seat's team."""
    lowest = totals[seat]
    for other in range(num_seats(t)):
        if t["team"][other] == t["team"][seat]:
            lowest = min(lowest, totals[other])
    return lowest


@kernel
def put_values(states, i, tables, p, style, parts, totals, places, values):
    """A finished game as values: the lead of each seat's team in points, and whether it is first.

    A team's score is the lowest of its members; solo, the joint score is.
    """
    t = tables[0]
    rules.final_scores(states, i, tables, parts, totals, places)
    for seat in range(num_seats(t)):
        own, best = lowest_of_team(t, totals, seat), np.int32(-1000)
        for other in range(num_seats(t)):
            if t["team"][other] != t["team"][seat]:
                best = max(best, lowest_of_team(t, totals, other))
        if p["solo"]:
            values[seat] = np.tanh((min(own, best) - style["par"]) / style["spread"])
        else:
            lead = np.float64(own - best)
            values[seat] = np.tanh(lead / style["spread"]) + style["win"] * (
                1.0 if places[seat] == 0 else -1.0
            )


@kernel
def expand(head, nodes, edges, actions, scores, states, i, tables, p, scratch, j, node):
    """Give the node an edge for every action that is legal in this game and has none yet."""
    number = score_actions(states, i, tables, p, scratch, j, actions, scores)
    to_view, seat = tables[0]["action_to_view"], np.int64(states[i]["seat"])
    for k in range(number):
        if find_edge(nodes, edges, node, actions[k]) < 0:
            add_edge(head, nodes, edges, node, actions[k], to_view[seat, actions[k]], scores[k])


@kernel
def count_legal(nodes, edges, s, node):
    """(Edges of the node that are legal now, the best score among them)."""
    edge, number, best = np.int64(nodes[node]["first"]), 0, -1.0e300
    while edge >= 0:
        e = edges[edge]
        if bits.has(s["legal"], np.int64(e["action"])):
            number += 1
            best = max(best, e["score"])
        edge = np.int64(e["next"])
    return number, best


@kernel
def select(nodes, edges, style, s, node, best_score):
    """The legal edge that promises most: its mean value, and a bonus by prior for being little explored.

    How often it might have been explored is how often it was legal. Ties go to the first in the seat's own
    numbering, so that no seat is favoured.
    """
    inverse = 1.0 / style["temperature"]
    norm = 0.0
    edge = np.int64(nodes[node]["first"])
    while edge >= 0:
        e = edges[edge]
        if bits.has(s["legal"], np.int64(e["action"])):
            norm += np.exp((e["score"] - best_score) * inverse)
            e["offered"] += 1
        edge = np.int64(e["next"])
    mean = nodes[node]["total"] / max(1, nodes[node]["visits"])
    best, chosen = -1.0e300, np.int64(-1)
    edge = np.int64(nodes[node]["first"])
    while edge >= 0:
        e = edges[edge]
        if bits.has(s["legal"], np.int64(e["action"])):
            prior = np.exp((e["score"] - best_score) * inverse) / norm
            value = e["total"] / e["visits"] if e["visits"] > 0 else mean
            got = value + style["explore"] * prior * np.sqrt(e["offered"]) / (1.0 + e["visits"])
            ahead = got - best
            if ahead > SAME or (ahead >= -SAME and e["view"] < edges[chosen]["view"]):
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
def play_out(states, i, tables, p, scratch, j, actions, scores, salt):
    """To the end of the game by the heuristic on all seats."""
    while not states[i]["over"]:
        salt = rng.advance(salt)
        rules.step(
            states, i, tables, choose(states, i, tables, p, scratch, j, actions, scores, rng.mix(salt))
        )


@kernel
def simulate(states, i, tables, p, style, head, nodes, edges, table, path, actions, scores, games, seat):
    """One simulation from `states[i]` as its acting `seat` sees it; `games` is two states to work on."""
    head[0]["stream"] = rng.advance(head[0]["stream"])
    salt = rng.mix(head[0]["stream"])
    resample_hidden(states, i, games, 0, tables, seat, salt)
    depth = descend(tables, p, style, head, nodes, edges, table, path, actions, scores, games)
    play_out(games, 0, tables, p, games, 1, actions, scores, salt)
    values = head[0]["values"]
    put_values(games, 0, tables, p, style, head[0]["parts"], head[0]["totals"], head[0]["places"], values)
    for k in range(depth):
        value = values[path[k, 2]]
        n, e = nodes[path[k, 0]], edges[path[k, 1]]
        n["visits"] += 1
        n["total"] += value
        e["visits"] += 1
        e["total"] += value


@kernel
def descend(tables, p, style, head, nodes, edges, table, path, actions, scores, games):
    """Down the tree to the first edge of a node that is new; returns the length of the path."""
    keys = np.empty(MAX_SEATS, np.uint64)
    start_keys(keys)
    depth = 0
    while depth < MOST_DEPTH and not games[0]["over"]:
        s = games[0]
        node = find_node(head, nodes, table, node_key(keys, s))
        if node < 0:
            return depth
        fresh = nodes[node]["visits"] == 0
        number, best = count_legal(nodes, edges, s, node)
        if number < s["options"]:
            expand(head, nodes, edges, actions, scores, games, 0, tables, p, games, 1, node)
            number, best = count_legal(nodes, edges, s, node)
        edge = select(nodes, edges, style, s, node, best)
        if edge < 0:
            return depth
        path[depth, 0], path[depth, 1], path[depth, 2] = node, edge, s["seat"]
        depth += 1
        take(games, 0, tables, keys, np.int64(edges[edge]["action"]))
        if fresh:
            return depth
    return depth
