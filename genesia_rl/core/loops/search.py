"""Information-set Monte Carlo tree search: draw the hidden anew, descend, add a node, play out, back up.

Every seat maximises its own value, in teams that of its team, so the search serves any number of players. The
game's mind says how good actions look at first (`score_actions`, the prior) and plays the game out on all seats
(`choose`); without a mind all actions look alike and games are played out at random. What each seat sees of an
action decides which positions are one node: `take` of the game's mind, or by default everybody sees everything.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.actions import same_action
from genesia_rl.core.compile import entry, kernel, lowest
from genesia_rl.core.mind import SearchKernels
from genesia_rl.core.rewards import joint_score, team_value
from genesia_rl.core.tree import (
    MOST_DEPTH,
    SAME,
    add_edge,
    clear,
    find_edge,
    find_node,
    mixed,
    node_key,
    start_keys,
)

# ---------------------------------------------------------------- what a game may leave out


@kernel
def put_legal(s, actions):
    """The legal actions in ascending order; returns how many."""
    number = 0
    for word in range(s["legal"].shape[0]):
        left = s["legal"][word]
        while left != bits.ZERO:
            actions[number] = word * 64 + lowest(left)
            number += 1
            left = bits.rest(left)
    return number


@kernel
def score_alike(states, i, tables, p, scratch, j, actions, scores):
    """All legal actions look alike."""
    number = put_legal(states[i], actions)
    for k in range(number):
        scores[k] = 0.0
    return number


@kernel
def choose_anything(states, i, tables, p, scratch, j, actions, scores, key):
    """Any legal action."""
    s = states[i]
    return bits.nth_member(s["legal"], chance.below(key, s["num_legal"]))


@kernel
def take_openly(states, i, tables, keys, action):
    """Step; everybody sees the action."""
    for seat in range(keys.shape[0]):
        keys[seat] = mixed(keys[seat], np.uint64(action) + np.uint64(1))
    rules.step(states, i, tables, action)


choose = globals().get("choose", choose_anything)
score_actions = globals().get("score_actions", score_alike)
take = globals().get("take", take_openly)
view_number = getattr(rules, "to_view", same_action)

# ---------------------------------------------------------------- a finished game


@kernel
def put_values(states, i, tables, settings, style, head, values):
    """A finished game as values: the lead of each seat's team in points, and whether it is first.

    In a joint game what all have reached together, in place of a lead.
    """
    totals, ranks = head["totals"], head["ranks"]
    rules.put_scores(states, i, tables, head["parts"], totals, ranks)
    for seat in range(np.int64(settings["seats"])):
        if not settings["is_contest"]:
            points = joint_score(settings, totals) * settings["joint_scale"]
            values[seat] = np.tanh((points - style["par"]) / style["spread"])
            continue
        own, best = team_value(settings, totals, seat), -1.0e9
        for other in range(np.int64(settings["seats"])):
            if settings["team"][other] != settings["team"][seat]:
                best = max(best, team_value(settings, totals, other))
        won = 1.0 if ranks[seat] == 0 else -1.0
        values[seat] = np.tanh((own - best) / style["spread"]) + style["win"] * won


# ---------------------------------------------------------------- the tree


@kernel
def expand(head, nodes, edges, actions, scores, states, i, tables, p, scratch, j, node):
    """Give the node an edge for every action that is legal in this game and has none yet."""
    number = score_actions(states, i, tables, p, scratch, j, actions, scores)
    seat = np.int64(states[i]["seat"])
    for k in range(number):
        if find_edge(nodes, edges, node, actions[k]) < 0:
            add_edge(
                head, nodes, edges, node, actions[k], view_number(tables[0], seat, actions[k]), scores[k]
            )


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
def play_out(states, i, tables, p, scratch, j, actions, scores, key):
    """To the end of the game by the heuristic on all seats."""
    while not states[i]["over"]:
        key = chance.advance(key)
        rules.step(
            states, i, tables, choose(states, i, tables, p, scratch, j, actions, scores, chance.mix(key))
        )


@kernel
def simulate(
    states, i, tables, p, settings, style, head, nodes, edges, table, path, actions, scores, games, seat
):
    """One simulation from `states[i]` as its acting `seat` sees it; `games` is two states to work on."""
    head[0]["stream"] = chance.advance(head[0]["stream"])
    key = chance.mix(head[0]["stream"])
    resample(states, i, games, 0, tables, seat, key)
    depth = descend(tables, p, style, head, nodes, edges, table, path, actions, scores, games)
    play_out(games, 0, tables, p, games, 1, actions, scores, key)
    values = head[0]["values"]
    put_values(games, 0, tables, settings, style, head[0], values)
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
    keys = head[0]["keys"]
    start_keys(keys)
    depth = 0
    while depth < MOST_DEPTH and not games[0]["over"]:
        s = games[0]
        node = find_node(head, nodes, table, node_key(keys, s))
        if node < 0:
            return depth
        fresh = nodes[node]["visits"] == 0
        number, best = count_legal(nodes, edges, s, node)
        if number < s["num_legal"]:
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


# ---------------------------------------------------------------- for Python


@entry
def grow(
    states, i, tables, plans, settings, styles,
    head, nodes, edges, table, path, actions, scores, games, key, number, fresh,
):  # fmt: skip
    """So many simulations for the decision in `states[i]`; from an empty tree if it is `fresh`."""
    if fresh:
        clear(head, table, key)
    seat = np.int64(states[i]["seat"])
    for _ in range(number):
        simulate(
            states, i, tables, plans[0], settings[0], styles[0],
            head, nodes, edges, table, path, actions, scores, games, seat,
        )  # fmt: skip


@entry
def play_searching(
    states, tables, seeds, seats, plans, settings, styles, number,
    head, nodes, edges, table, path, actions, scores, games, results,
):  # fmt: skip
    """Whole games of a search with so many simulations a decision against plan 0 on all other seats.

    `seats[g]` is the search's seat in game g; `states` is two states to work on.
    """
    for g in range(seeds.shape[0]):
        rules.deal(states, 0, tables, seeds[g])
        rules.start(states, 0, tables)
        stream = chance.policy_stream(seeds[g])
        while not states[0]["over"]:
            key = chance.mix(stream)
            stream = chance.advance(stream)
            if states[0]["seat"] == seats[g]:
                clear(head, table, key)
                for _ in range(number):
                    simulate(
                        states, 0, tables, plans[0], settings[0], styles[0],
                        head, nodes, edges, table, path, actions, scores, games, seats[g],
                    )  # fmt: skip
                action = most_visited(nodes, edges)
            else:
                action = choose(states, 0, tables, plans[0], states, 1, actions, scores, key)
            rules.step(states, 0, tables, action)
        r = results[g]
        rules.put_scores(states, 0, tables, r["parts"], r["totals"], r["ranks"])
        r["steps"] = states[0]["steps"]


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


FILLED = SearchKernels(grow, play_searching)
