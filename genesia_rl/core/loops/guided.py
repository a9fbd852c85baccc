"""Tree search guided by a network: it says which actions are likely, and what the tree's leaves are worth.

A simulation draws the hidden anew, descends the tree (core/tree.py), adds one node and has the network judge it:
nothing is played out. Filled behind `search` and `selfplay`, from which come what a seat sees of an action (`take`),
the root's most visited action and the networks' columns of legal actions.

What a leaf is worth is asked of **every seat**, each by its own sight of the imagined world: a network foresees its own
seat's pay, too well for all of them together. The mean of a team is the value of its members, and what the values of a
contest do not sum up to zero by is taken from all alike. So it does not matter whose turn it is at a leaf.

The first layer is kept up to date: of every seat what it saw first in this search (`old`, `sums`), to which is added
what differs from it.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import entry, kernel
from genesia_rl.core.incremental import add_rows, log_total, put_changes, put_hidden, value_of
from genesia_rl.core.mind import GuidedKernels
from genesia_rl.core.rewards import potential, put_rewards, take_secrets
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

# ---------------------------------------------------------------- what the network says


@kernel
def forget_sights(room):
    """Before a decision: nobody has seen anything."""
    room.since[:] = 0


@kernel
def glance(s, t, seat, nets, inputs, size, room):
    """The hidden layer over what a seat sees now."""
    observe(s, t, seat, room.new[:size])
    old, old_words, sums = room.old[seat], room.old_words[seat], room.sums
    work = sums.shape[0] - 1
    if room.since[seat] == 0:
        room.since[seat] = 1
        first = put_changes(
            inputs, room.new, room.new_words, room.nothing, room.nothing_words, room.rows, room.by, 0
        )
        for q in range(sums.shape[1]):
            sums[seat, q] = nets.first_b[0, q]
        add_rows(nets.first[0], room.rows, room.by, 0, first, sums, seat)
        for word in range(old_words.shape[0]):
            old_words[word] = room.new_words[word]
    count = put_changes(inputs, room.new, room.new_words, old, old_words, room.rows, room.by, 0)
    for q in range(sums.shape[1]):
        sums[work, q] = sums[seat, q]
    add_rows(nets.first[0], room.rows, room.by, 0, count, sums, work)
    put_hidden(nets, 0, sums[work], room.active, room.hidden, room.deeper)


@kernel
def put_public(states, i, own, settings, room):
    """The public totals."""
    rules.put_scores(states, i, own, room.parts, room.totals, room.ranks)
    take_secrets(settings, room.parts, room.totals)


@kernel
def put_priors(states, own, seat, nets, adviser, style, room):
    """From the hidden layer of the seat to act, how likely each of its legal actions is; returns how many there are.

    `states` is the game, and a state to try actions on.
    """
    count = put_legal_columns(states[0], own[0], seat, nets, room)
    see_traits(states, own, adviser, room)
    put_weights(nets, 0, room, count)
    weights = room.weights
    inverse = np.float32(1.0 / style["temperature"])
    for place in range(count):
        weights[place] *= inverse
    total = log_total(weights, 0, count)
    for place in range(count):
        weights[place] = np.exp(weights[place] - total)
    return count


@kernel
def share_values(settings, values):
    """Members of a team have its mean; in a contest what is not zero in sum is taken from all alike."""
    seats = np.int64(settings["seats"])
    for seat in range(seats):
        together, size = 0.0, 0
        for other in range(seat, seats):
            if settings["team"][other] == settings["team"][seat] or not settings["is_contest"]:
                together += values[other]
                size += 1
        first = True
        for other in range(seat):
            if settings["team"][other] == settings["team"][seat] or not settings["is_contest"]:
                first = False
        if first:
            for other in range(seat, seats):
                if settings["team"][other] == settings["team"][seat] or not settings["is_contest"]:
                    values[other] = together / size
    if settings["is_contest"]:
        total = 0.0
        for seat in range(seats):
            total += values[seat]
        for seat in range(seats):
            values[seat] -= total / seats


@kernel
def put_results(states, i, own, settings, style, room, values):
    """What a finished game pays."""
    rules.put_scores(states, i, own, room.parts, room.totals, room.ranks)
    room.pay[:] = 0
    put_rewards(settings, room.totals, room.ranks, room.pay)
    for seat in range(np.int64(settings["seats"])):
        values[seat] = room.pay[seat]
        if style["margin"] != 0:
            values[seat] += style["margin"] * potential(settings, room.totals, seat)


@kernel
def put_judgement(states, i, own, settings, nets, inputs, size, room, known, values):
    """What the network expects for every seat; of one it may be `known` what it says."""
    put_public(states, i, own, settings, room)
    for seat in range(np.int64(settings["seats"])):
        if seat != known:
            glance(states[i], own[0], seat, nets, inputs, size, room)
            values[seat] = value_of(nets, 0, room.hidden[0], room.active, room.half)
        if settings["shaping"] != 0:
            values[seat] += settings["shaping"] * potential(settings, room.totals, seat)
    share_values(settings, values)


# ---------------------------------------------------------------- the tree


@kernel
def add_likely(head, nodes, edges, t, node, seat, count, room):
    """An edge for every legal action that has none yet, with how likely it is."""
    old = nodes[node]["first"] >= 0
    for k in range(count):
        action = room.actions[k]
        if old and find_edge(nodes, edges, node, action) >= 0:
            continue
        add_edge(head, nodes, edges, node, action, view_number(t, seat, action), np.float64(room.weights[k]))


@kernel
def likely_mass(nodes, edges, s, node):
    """(Legal edges, how likely they are together, and those of them that were tried)."""
    edge, number, mass, tried = np.int64(nodes[node]["first"]), 0, 0.0, 0.0
    while edge >= 0:
        e = edges[edge]
        if bits.has(s["legal"], np.int64(e["action"])):
            number += 1
            mass += e["score"]
            if e["visits"] > 0:
                tried += e["score"]
        edge = np.int64(e["next"])
    return number, mass, tried


@kernel
def most_promising(nodes, edges, style, s, node, mass, tried):
    """The legal edge with the best sum of value and of a bonus for being likely and little tried.

    One that was never tried counts as the node's own mean, less the more has been tried that was likelier. Ties go
    to the first in the seat's own numbering.
    """
    n = nodes[node]
    unknown = n["total"] / max(1, n["visits"]) - style["unseen"] * np.sqrt(tried / mass)
    best, chosen = -1.0e300, np.int64(-1)
    edge = np.int64(n["first"])
    while edge >= 0:
        e = edges[edge]
        if bits.has(s["legal"], np.int64(e["action"])):
            e["offered"] += 1
            value = e["total"] / e["visits"] if e["visits"] > 0 else unknown
            got = value + style["explore"] * (e["score"] / mass) * np.sqrt(e["offered"]) / (1.0 + e["visits"])
            ahead = got - best
            if ahead > SAME or (ahead >= -SAME and e["view"] < edges[chosen]["view"]):
                best, chosen = got, edge
        edge = np.int64(e["next"])
    return chosen


@kernel
def go_down(tables, style, nets, inputs, adviser, size, room, head, nodes, edges, table, path, games):
    """Down the tree to a position without a node that was judged; returns (length of the path, that node or -1)."""
    keys = head[0]["keys"]
    start_keys(keys)
    depth = 0
    while depth < MOST_DEPTH and not games[0]["over"]:
        s = games[0]
        seat = np.int64(s["seat"])
        node = find_node(head, nodes, table, node_key(keys, s))
        if node < 0 or nodes[node]["visits"] == 0:
            return depth, node
        number, mass, tried = likely_mass(nodes, edges, s, node)
        if number < s["num_legal"]:  # other cards than in the worlds before
            glance(s, tables[0], seat, nets, inputs, size, room)
            count = put_priors(games, tables, seat, nets, adviser, style, room)
            head[0]["asked"] += 1
            add_likely(head, nodes, edges, tables[0], node, seat, count, room)
            number, mass, tried = likely_mass(nodes, edges, s, node)
        if number == 0:  # the arrays are full
            return depth, np.int64(-1)
        edge = most_promising(nodes, edges, style, s, node, mass, tried)
        path[depth, 0], path[depth, 1], path[depth, 2] = node, edge, seat
        depth += 1
        take(games, 0, tables, keys, np.int64(edges[edge]["action"]))
    return depth, np.int64(-1)


@kernel
def likeliest(states, own, nets, inputs, adviser, size, style, room):
    """The network's own choice in `states[0]`."""
    seat = np.int64(states[0]["seat"])
    glance(states[0], own[0], seat, nets, inputs, size, room)
    count = put_priors(states, own, seat, nets, adviser, style, room)
    best = 0
    for place in range(1, count):
        if room.weights[place] > room.weights[best]:
            best = place
    return room.actions[best]


@kernel
def look_ahead(
    states, i, tables, settings, style, nets, inputs, adviser, size, room, head, nodes, edges, table, path, games,
    seat,
):  # fmt: skip
    """One simulation from `states[i]` as its acting `seat` sees it; `games` is two states to work on."""
    world = head[0]["world"]
    head[0]["world"] = world + 1
    resample(states, i, games, 0, tables, seat, mixed(head[0]["stream"], np.uint64(world)))
    depth, node = go_down(
        tables, style, nets, inputs, adviser, size, room, head, nodes, edges, table, path, games
    )
    values, acting, known = head[0]["values"], np.int64(games[0]["seat"]), np.int64(-1)
    if node >= 0:
        glance(games[0], tables[0], acting, nets, inputs, size, room)
        head[0]["asked"] += 1
        count = put_priors(games, tables, acting, nets, adviser, style, room)
        add_likely(head, nodes, edges, tables[0], node, acting, count, room)
        known = acting
        values[acting] = value_of(nets, 0, room.hidden[0], room.active, room.half)
    if games[0]["over"]:
        put_results(games, 0, tables, settings, style, room, values)
    else:
        put_judgement(games, 0, tables, settings, nets, inputs, size, room, known, values)
        head[0]["asked"] += settings["seats"] - np.int64(known >= 0)
    if node >= 0:
        nodes[node]["visits"] += 1
        nodes[node]["total"] += values[acting]
    for k in range(depth):
        value = values[path[k, 2]]
        n, e = nodes[path[k, 0]], edges[path[k, 1]]
        n["visits"] += 1
        n["total"] += value
        e["visits"] += 1
        e["total"] += value


# ---------------------------------------------------------------- for Python


@entry
def grow_guided(
    states, i, tables, settings, styles, nets, inputs, adviser, size, room,
    head, nodes, edges, table, path, actions, scores, games, key, number, fresh,
):  # fmt: skip
    """So many simulations for the decision in `states[i]`; a `fresh` tree begins with a judgement of its root."""
    if fresh:
        clear(head, table, key)
        forget_sights(room)
    seat = np.int64(states[i]["seat"])
    for _ in range(number + np.int64(fresh)):
        look_ahead(
            states, i, tables, settings[0], styles[0], nets, inputs, adviser, size, room,
            head, nodes, edges, table, path, games, seat,
        )  # fmt: skip


@entry
def play_guided(
    states, tables, which, seeds, seats, settings, styles, nets, inputs, adviser, size, room, number,
    head, nodes, edges, table, path, actions, scores, games, results,
):  # fmt: skip
    """Whole games of a search with so many simulations a decision against the network alone on all other seats.

    `seats[g]` is the search's seat in game g. Returns the number of the search's decisions.
    """
    decisions = 0
    for g in range(seeds.shape[0]):
        own = tables[np.int64(which[g]) : np.int64(which[g]) + 1]
        rules.deal(states, 0, own, seeds[g])
        rules.start(states, 0, own)
        stream = chance.policy_stream(seeds[g])
        while not states[0]["over"]:
            key, seat = chance.mix(stream), np.int64(states[0]["seat"])
            stream = chance.advance(stream)
            forget_sights(room)
            if seat == seats[g]:
                clear(head, table, key)
                for _ in range(number + 1):
                    look_ahead(
                        states, 0, own, settings[0], styles[0], nets, inputs, adviser, size, room,
                        head, nodes, edges, table, path, games, seat,
                    )  # fmt: skip
                action = most_visited(nodes, edges)
                decisions += 1
            else:
                action = likeliest(states, own, nets, inputs, adviser, size, styles[0], room)
            rules.step(states, 0, own, action)
        r = results[g]
        rules.put_scores(states, 0, own, r["parts"], r["totals"], r["ranks"])
        r["steps"] = states[0]["steps"]
    return decisions


FILLED = GuidedKernels(grow_guided, play_guided)
