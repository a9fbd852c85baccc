"""The compiled functions of a game that Python calls, each cached with all it calls (compile.py).

They differ from the rules only in what they put together: a call costs about a third of a
microsecond whatever it does, so what is always done together is one call. `tables` holds one
configuration a record; single games use the first, a batch's row the one that it was dealt from.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.actions import same_action
from genesia_rl.core.compile import entry, inlined, kernel, lowest
from genesia_rl.core.facts import LEARNER, RANDOM_PLAYER, SEAT_RANDOM, SEAT_ROTATING
from genesia_rl.core.game import Kernels
from genesia_rl.core.rewards import is_due, potential, put_rewards, take_secrets

# ---------------------------------------------------------------- what a game may leave out


@kernel
def nothing_extra(s, t, result):
    """A result has no other fields."""


to_view = getattr(rules, "to_view", same_action)
from_view = getattr(rules, "from_view", same_action)
put_extra = getattr(rules, "put_extra", nothing_extra)

# ---------------------------------------------------------------- one game


@entry
def deal(states, i, tables, seed):
    """A new game, dealt but not begun."""
    rules.deal(states, i, tables, seed)


@entry
def start(states, i, tables):
    """Go on from a deal or a position to the first decision."""
    rules.start(states, i, tables)


@kernel
def begin_dealt(states, i, tables, seed):
    """A new game at its first decision."""
    rules.deal(states, i, tables, seed)
    rules.start(states, i, tables)


@entry
def reset(states, i, tables, seed):
    """`begin_dealt` for Python."""
    begin_dealt(states, i, tables, seed)


@kernel
def is_legal(states, i, action):
    """Is the action, in absolute numbering, in the legal set?"""
    legal = states[i]["legal"]
    if action < 0 or action >= legal.shape[0] * 64:
        return False
    return bits.has(legal, action)


@entry
def step(states, i, tables, action):
    """Take an action; False, and nothing done, if it is not legal."""
    if not is_legal(states, i, action):
        return False
    rules.step(states, i, tables, action)
    return True


@kernel
def put_view(states, i, tables, seat, mask, observation):
    """What the seat sees, and its legal actions in its own numbering (none if it is not asked)."""
    observe(states[i], tables[0], seat, observation)
    put_view_mask(states, i, tables, seat, mask)


@kernel
def put_rotated_mask(s, t, me, mask):
    """The legal set of the seat to act, action by action in its own numbering."""
    mask[:] = 0
    for word in range(s["legal"].shape[0]):
        left = s["legal"][word]
        base = np.uint64(word * 64)
        while left != bits.ZERO:
            mask[np.uint64(to_view(t, me, base + np.uint64(lowest(left))))] = 1
            left = bits.rest(left)


@kernel
def put_same_mask(s, t, me, mask):
    """The same where all seats number actions alike: bit by bit, which a processor does many at a time."""
    size = np.uint64(mask.shape[0])
    for word in range(s["legal"].shape[0]):
        bits_left = s["legal"][word]
        base = np.uint64(word * 64)
        for k in range(min(np.uint64(64), size - min(base, size))):
            mask[base + k] = np.int8((bits_left >> k) & bits.ONE)


put_own_mask = put_rotated_mask if hasattr(rules, "to_view") else put_same_mask


@kernel
def put_view_mask(states, i, tables, seat, mask):
    """The legal actions of a seat in its own numbering as bytes."""
    s = states[i]
    if s["seat"] == seat:
        put_own_mask(s, tables[0], np.uint64(seat), mask)
    else:
        mask[:] = 0


@entry
def view(states, i, tables, seat, mask, observation):
    """What a seat sees now."""
    put_view(states, i, tables, seat, mask, observation)


@kernel
def absolute(states, i, tables, action):
    """A legal action of the acting seat's numbering as an absolute one, -1 if it is not legal."""
    if action < 0 or action >= states[i]["legal"].shape[0] * 64:
        return np.int64(-1)
    found = np.int64(from_view(tables[0], np.int64(states[i]["seat"]), action))
    return found if bits.has(states[i]["legal"], found) else np.int64(-1)


@entry
def step_view(states, i, tables, action, mask, observation):
    """Take an action given in the acting seat's numbering, then write the next acting seat's view.

    False, and nothing done, if the action is not legal. When the game is over the view is seat 0's.
    """
    found = absolute(states, i, tables, action)
    if found < 0:
        return False
    rules.step(states, i, tables, found)
    put_view(states, i, tables, max(0, np.int64(states[i]["seat"])), mask, observation)
    return True


@entry
def put_mask(states, i, mask):
    """The legal set in absolute numbering as bytes."""
    s = states[i]
    mask[:] = 0
    for word in range(s["legal"].shape[0]):
        left = s["legal"][word]
        while left != bits.ZERO:
            mask[word * 64 + lowest(left)] = 1
            left = bits.rest(left)


@entry
def scores(states, i, tables, parts, totals, ranks):
    """Parts and totals of the score as it is now, and for each seat how many rank before it."""
    rules.put_scores(states, i, tables, parts, totals, ranks)


@entry
def rewards(settings, totals, ranks, out):
    """What a finished game pays, by seat."""
    put_rewards(settings[0], totals, ranks, out)


@entry
def potentials(settings, public, out):
    """The potentials of all seats, from the public totals."""
    for seat in range(np.int64(settings[0]["seats"])):
        out[seat] = potential(settings[0], public, seat)


@entry
def clone(states, i, into, j):
    """Copy a game."""
    into[j] = states[i]


@entry
def clone_often(states, i, into, j, times):
    """Copy a game many times, to measure what it costs; each copy differs, so that none is left out."""
    for turn in range(times):
        states[i]["steps"] = turn
        into[j] = states[i]


@entry
def resample_hidden(states, i, into, j, tables, seat, seed):
    """Another game that the seat cannot tell from this one."""
    resample(states, i, into, j, tables, seat, seed)


# ---------------------------------------------------------------- whole games of random play


@kernel
def random_step(states, i, tables, stream):
    """One random legal action, each as likely."""
    s = states[i]
    chosen = chance.below(chance.mix(stream), s["num_legal"])
    rules.step(states, i, tables, bits.nth_member(s["legal"], chosen))


@kernel
def put_result(states, i, tables, results, g):
    """A finished game's row of results."""
    r = results[g]
    s = states[i]
    rules.put_scores(states, i, tables, r["parts"], r["totals"], r["ranks"])
    r["steps"] = s["steps"]
    put_extra(s, tables[0], r)


@entry
def play_random(states, i, tables, seeds, results):
    """Play a game for every seed wholly in the kernel; returns how many decisions were taken."""
    decisions = 0
    for g in range(seeds.shape[0]):
        rules.deal(states, i, tables, seeds[g])
        rules.put_order(states[i], tables[0], results[g]["order"])
        rules.start(states, i, tables)
        stream = chance.policy_stream(seeds[g])
        while not states[i]["over"]:
            random_step(states, i, tables, stream)
            stream = chance.advance(stream)
        put_result(states, i, tables, results, g)
        decisions += states[i]["steps"]
    return decisions


@entry
def play_random_observed(states, i, tables, seeds, results, mask, observation):
    """The same, writing the acting seat's mask and observation for every decision."""
    decisions = 0
    for g in range(seeds.shape[0]):
        begin_dealt(states, i, tables, seeds[g])
        stream = chance.policy_stream(seeds[g])
        while not states[i]["over"]:
            put_view(states, i, tables, np.int64(states[i]["seat"]), mask, observation)
            random_step(states, i, tables, stream)
            stream = chance.advance(stream)
        put_result(states, i, tables, results, g)
        decisions += states[i]["steps"]
    return decisions


# ---------------------------------------------------------------- batches: beginning and ending a game


@inlined
def table_of(tables, g):
    """The configuration of a row's game, as tables of one record."""
    k = np.int64(g["table"])
    return tables[k : k + 1]


@kernel
def seat_learner(g, settings, seats):
    """Which seat the learner has in the next game, and who plays the others."""
    if settings["seating"] == SEAT_ROTATING:
        g["learner"] = (g["learner"] + 1) % seats
    elif settings["seating"] == SEAT_RANDOM:
        g["learner"] = chance.below(chance.mix(g["seed"] + chance.GOLDEN), seats)
    for k in range(seats):
        seat = np.int64(g["learner"]) + k
        g["controller"][seat - seats if seat >= seats else seat] = g["lineup"][k]


@kernel
def begin_game(states, i, tables, games, settings):
    """A new game in the row, from the row's seed and with the configuration whose turn it is."""
    g = games[i]
    g["table"] = g["next_table"]
    own = table_of(tables, g)
    begin_dealt(states, i, own, g["seed"])
    g["stream"] = chance.policy_stream(g["seed"])
    seats = rules.num_seats(own[0])
    seat_learner(g, settings, seats)
    g["length"] = 0
    rules.put_order(states[i], own[0], g["order"])
    for seat in range(seats):
        g["sum"][seat] = 0
        g["potential"][seat] = 0  # everybody begins with nothing, so that all margins are 0


@kernel
def shape(states, i, tables, games, settings):
    """The reward of shaping for the step that led here, from the public score."""
    s, g = states[i], games[i]
    totals = g["scratch_totals"]
    parts = g["scratch_parts"]
    rules.put_scores(states, i, tables, parts, totals, g["scratch_ranks"])
    take_secrets(settings, parts, totals)
    for seat in range(np.int64(settings["seats"])):
        if not is_due(settings, s["seat"], s["over"], seat):
            continue
        now = 0.0 if s["over"] else potential(settings, totals, seat)
        g["reward"][seat] += settings["shaping"] * (settings["gamma"] * now - g["potential"][seat])
        g["potential"][seat] = now


@kernel
def end_game(states, i, tables, games, settings, final_observation, results):
    """Pay and hand over, and choose the next seed.

    A game that has begun in this very step and ended before anybody was asked belongs to no decision: what is
    handed over stays that of the game before it.
    """
    g = games[i]
    if not g["done"]:
        hand_over(states, i, tables, games, settings, final_observation, results)
    g["episode"] += 1
    g["seed"] = chance.mix(g["seed"] + chance.GOLDEN)


@kernel
def hand_over(states, i, tables, games, settings, final_observation, results):
    """What the seats are paid, the last observation of every seat, and the result."""
    g = games[i]
    put_result(states, i, tables, results, i)
    for place in range(rules.num_seats(tables[0])):
        results[i]["order"][place] = g["order"][place]
    put_rewards(settings, results[i]["totals"], results[i]["ranks"], g["reward"])
    for seat in range(rules.num_seats(tables[0])):
        observe(states[i], tables[0], seat, final_observation[i, seat])
        g["final_reward"][seat] = g["reward"][seat]
        g["final_sum"][seat] = g["sum"][seat] + g["reward"][seat]
    g["done"] = 1
    g["final_length"] = g["length"]
    g["final_learner"] = g["learner"]
    g["final_seed"] = g["seed"]


# ---------------------------------------------------------------- batches: stepping


@kernel
def run_on(states, i, tables, games, settings, mask, observation, final_observation, results):
    """Go on to the next decision of a seat that the kernel does not play, and write its view."""
    s, g = states[i], games[i]
    own = table_of(tables, g)
    while True:
        if s["over"]:
            end_game(states, i, own, games, settings, final_observation, results)
            begin_game(states, i, tables, games, settings)
            own = table_of(tables, g)
        elif g["controller"][s["seat"]] == RANDOM_PLAYER:
            random_step(states, i, own, g["stream"])
            g["stream"] = chance.advance(g["stream"])
            if settings["shaping"] != 0:
                shape(states, i, own, games, settings)
        else:
            break
    if g["done"]:  # what the new game has paid before its first stop belongs to no decision
        for seat in range(rules.num_seats(own[0])):
            g["reward"][seat] = g["final_reward"][seat]
    g["seat"] = s["seat"]
    g["kind"] = s["kind"]
    put_view(states, i, own, np.int64(s["seat"]), mask[i], observation[i])


@entry
def start_rows(states, tables, games, rows, settings, mask, observation, final_observation, results):
    """Begin a game in each of the rows, from its seed, and go on to its first stop."""
    for k in range(rows.shape[0]):
        i = rows[k]
        begin_game(states, i, tables, games, settings[0])
        run_on(states, i, tables, games, settings[0], mask, observation, final_observation, results)


@kernel
def first_illegal(states, tables, games, rows, actions):
    """The place of the first action that is not legal, -1 if all are."""
    for k in range(rows.shape[0]):
        if absolute(states, rows[k], table_of(tables, games[rows[k]]), actions[k]) < 0:
            return k
    return -1


@entry
def check_rows(states, tables, games, rows, actions):
    """`first_illegal` for Python."""
    return first_illegal(states, tables, games, rows, actions)


@entry
def step_rows(states, tables, games, rows, actions, settings, mask, observation, final_observation, results):
    """One action for each of the rows, in the acting seat's numbering, and on to the next stop.

    Rewards are added to the row's; all actions are checked first. Returns -1, or the place of the
    first action that is not legal, and then nothing has been done.
    """
    bad = first_illegal(states, tables, games, rows, actions)
    if bad >= 0:
        return bad
    for k in range(rows.shape[0]):
        i = rows[k]
        g = games[i]
        own = table_of(tables, g)
        g["length"] += g["controller"][states[i]["seat"]] == LEARNER
        rules.step(states, i, own, absolute(states, i, own, actions[k]))
        if settings[0]["shaping"] != 0:
            shape(states, i, own, games, settings[0])
        run_on(states, i, tables, games, settings[0], mask, observation, final_observation, results)
    return -1


@entry
def open_step(games):
    """Before a step: what was paid and finished in the last one has been seen."""
    for i in range(games.shape[0]):
        g = games[i]
        for seat in range(g["reward"].shape[0]):
            if not g["done"]:
                g["sum"][seat] += g["reward"][seat]
            g["reward"][seat] = 0
        g["done"] = 0


@entry
def random_rows(states, rows, streams, tables, which, actions):
    """A random legal action for each of the rows, in the acting seat's numbering; streams go on.

    `which[k]` is the configuration of row k, as a place in `tables`.
    """
    for k in range(rows.shape[0]):
        s = states[rows[k]]
        chosen = chance.below(chance.mix(streams[k]), s["num_legal"])
        streams[k] = chance.advance(streams[k])
        action = bits.nth_member(s["legal"], chosen)
        actions[k] = to_view(tables[which[k]], np.int64(s["seat"]), action)


@entry
def view_rows(states, rows, tables, which, mask, observation):
    """What the seats to act in the rows see and may do; `which[k]` is the configuration of row k."""
    for k in range(rows.shape[0]):
        i = rows[k]
        j = np.int64(which[k])
        seat = np.int64(states[i]["seat"])
        put_view(states, i, tables[j : j + 1], seat, mask[k], observation[k])


FILLED = Kernels(
    deal=deal, start=start, reset=reset, step=step, view=view, step_view=step_view, put_mask=put_mask,
    scores=scores, rewards=rewards, potentials=potentials, resample=resample_hidden, clone=clone,
    clone_often=clone_often, play_random=play_random, play_random_observed=play_random_observed,
    start_rows=start_rows, step_rows=step_rows, check_rows=check_rows, open_step=open_step,
    random_rows=random_rows, view_rows=view_rows,
)  # fmt: skip
