"""What a game does, for those who only play it: begin, legal set, step, scores, and whole games.

All functions take arrays and a place in them, never a record of their own, and write what they
produce into arrays of the caller. None checks its arguments: game.py does.
"""

from __future__ import annotations

import numpy as np

from genesia_rl import bits, rng
from genesia_rl.games.genesia.actions import LEGAL_WORDS
from genesia_rl.games.genesia.names import ATTACK, END, SETUP
from genesia_rl.games.genesia.rules.age_end import begin_end_of_age
from genesia_rl.games.genesia.rules.attack import begin_round
from genesia_rl.games.genesia.rules.legal import nth_legal
from genesia_rl.games.genesia.rules.scoring import put_places, put_scores
from genesia_rl.games.genesia.rules.setup import begin, draw_deal
from genesia_rl.games.genesia.rules.turn import advance, apply_action
from genesia_rl.jit import kernel, lowest

POLICY_STREAM = np.uint64(0xA5A5A5A55A5A5A5A)


@kernel
def deal(states, i, tables, seed):
    """RULES 4: a new game, dealt from the seed; nobody has been asked yet."""
    states[i] = tables[0]["start"]
    draw_deal(states[i], tables[0], seed)


@kernel
def start(states, i, tables):
    """Go on from a deal or an explicit position to the first decision."""
    s, t = states[i], tables[0]
    if s["phase"] == SETUP:
        begin(s, t)
    elif s["phase"] == ATTACK:
        begin_round(s, t)
    elif s["phase"] == END:  # PROTOCOL 4: the phase begins with the building of cities
        begin_end_of_age(s, t)
    advance(s, t)


@kernel
def reset(states, i, tables, seed):
    """A new game at its first decision."""
    deal(states, i, tables, seed)
    start(states, i, tables)


@kernel
def step(states, i, tables, action):
    """Take a legal action and go on to the next decision or the end."""
    s, t = states[i], tables[0]
    s["steps"] += 1
    apply_action(s, t, action)
    advance(s, t)


@kernel
def put_mask(states, i, mask):
    """The legal set as bytes."""
    s = states[i]
    mask[:] = 0
    for word in range(LEGAL_WORDS):
        left = s["legal"][word]
        while left != bits.ZERO:
            mask[word * 64 + lowest(left)] = 1
            left = bits.rest(left)


@kernel
def random_action(states, i, output):
    """A legal action, each as likely, chosen by one output of a random stream."""
    s = states[i]
    return nth_legal(s, rng.below(output, s["options"]))


@kernel
def final_scores(states, i, tables, parts, totals, places):
    """RULES 6: parts and totals of the score, and for each seat how many rank before it."""
    put_scores(states[i], tables[0], parts, totals)
    put_places(tables[0], parts, totals, places)


@kernel
def policy_stream(seed):
    """The stream of a random player's choices: another one than the deal's, of the same seed."""
    return rng.mix(seed ^ POLICY_STREAM)
