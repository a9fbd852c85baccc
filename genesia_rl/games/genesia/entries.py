"""The compiled functions that Python calls, each cached with all it calls (jit.py).

They differ from the kernels only in what they put together: a call costs about a third of a
microsecond whatever it does, so what is always done together is one call. Their signatures are those
of the contract (genesia_rl/contract.py), the same for every game.
"""

from __future__ import annotations

import numpy as np

from genesia_rl import bits, rng
from genesia_rl.games.genesia.actions import LEGAL_WORDS, NUM_ACTIONS
from genesia_rl.games.genesia.observe import observe
from genesia_rl.games.genesia.resample import resample_hidden
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.games.genesia.rules.legal import nth_legal
from genesia_rl.games.genesia.rules.players import num_seats
from genesia_rl.jit import entry, kernel, lowest

# ---------------------------------------------------------------- one game


@entry
def deal(states, i, tables, seed):
    """A new game, dealt but not begun."""
    rules.deal(states, i, tables, seed)


@entry
def start(states, i, tables):
    """Go on from a deal or a position to the first decision."""
    rules.start(states, i, tables)


@entry
def reset(states, i, tables, seed):
    """A new game at its first decision."""
    rules.reset(states, i, tables, seed)


@kernel
def is_legal(states, i, action):
    """Is the action in the legal set?"""
    if action < 0 or action >= NUM_ACTIONS:
        return False
    return bits.has(states[i]["legal"], action)


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
def put_view_mask(states, i, tables, seat, mask):
    """The legal actions of a seat in its own numbering as bytes."""
    mask[:] = 0
    s = states[i]
    if s["seat"] != seat:
        return
    to_view, me = tables[0]["action_to_view"], np.uint64(seat)
    for word in range(LEGAL_WORDS):
        left = s["legal"][word]
        base = np.uint64(word * 64)
        while left != bits.ZERO:
            mask[np.uint64(to_view[me, base + np.uint64(lowest(left))])] = 1
            left = bits.rest(left)


@entry
def view(states, i, tables, seat, mask, observation):
    """What a seat sees now."""
    put_view(states, i, tables, seat, mask, observation)


@entry
def step_view(states, i, tables, action, mask, observation):
    """Take an action given in the acting seat's numbering, then write the next acting seat's view.

    False, and nothing done, if the action is not legal. When the game is over the view is seat 0's.
    """
    if action < 0 or action >= NUM_ACTIONS:
        return False
    absolute = np.int64(tables[0]["action_from_view"][states[i]["seat"], action])
    if not is_legal(states, i, absolute):
        return False
    rules.step(states, i, tables, absolute)
    put_view(states, i, tables, max(0, np.int64(states[i]["seat"])), mask, observation)
    return True


@entry
def put_mask(states, i, mask):
    """The legal set in absolute numbering as bytes."""
    rules.put_mask(states, i, mask)


@entry
def scores(states, i, tables, parts, totals, places):
    """Parts and totals of the score as it is now, and for each seat how many rank before it."""
    rules.final_scores(states, i, tables, parts, totals, places)


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
def resample(states, i, into, j, tables, seat, seed):
    """Another game that the seat cannot tell from this one."""
    resample_hidden(states, i, into, j, tables, seat, seed)


# ---------------------------------------------------------------- whole games of random play


@kernel
def random_step(states, i, tables, stream):
    """One random legal action."""
    s = states[i]
    rules.step(states, i, tables, nth_legal(s, rng.below(rng.mix(stream), s["options"])))


@kernel
def put_result(states, i, tables, results, g):
    """A finished game's row of results."""
    r = results[g]
    s = states[i]
    rules.final_scores(states, i, tables, r["parts"], r["totals"], r["places"])
    r["steps"] = s["steps"]


@entry
def play_random(states, i, tables, seeds, results):
    """Play a game for every seed wholly in the kernel; returns how many decisions were taken."""
    decisions = 0
    for g in range(seeds.shape[0]):
        rules.deal(states, i, tables, seeds[g])
        for place in range(num_seats(tables[0])):
            results[g]["order"][place] = states[i]["order"][place]
        rules.start(states, i, tables)
        stream = rules.policy_stream(seeds[g])
        while not states[i]["over"]:
            random_step(states, i, tables, stream)
            stream = rng.advance(stream)
        put_result(states, i, tables, results, g)
        decisions += states[i]["steps"]
    return decisions


@entry
def play_random_observed(states, i, tables, seeds, results, mask, observation):
    """The same, writing the acting seat's mask and observation for every decision."""
    decisions = 0
    for g in range(seeds.shape[0]):
        rules.reset(states, i, tables, seeds[g])
        stream = rules.policy_stream(seeds[g])
        while not states[i]["over"]:
            put_view(states, i, tables, np.int64(states[i]["seat"]), mask, observation)
            random_step(states, i, tables, stream)
            stream = rng.advance(stream)
        put_result(states, i, tables, results, g)
        decisions += states[i]["steps"]
    return decisions
