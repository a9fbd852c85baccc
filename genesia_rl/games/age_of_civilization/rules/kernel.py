"""What a game does, for those who only play it: begin, step, score; the table of contents of the rules.

All functions take arrays and a place in them, never a record of their own, and write what they
produce into arrays of the caller. None checks its arguments: whoever calls them does.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel
from genesia_rl.games.age_of_civilization.rules import abilities, rounds
from genesia_rl.games.age_of_civilization.rules.flow import apply_action, ask, run_on
from genesia_rl.games.age_of_civilization.rules.scoring import put_parts, put_ranks
from genesia_rl.games.age_of_civilization.rules.setup import begin_dealt, deal_game, lay_out


@kernel
def deal(states, i, tables, seed):
    """RULES 4: a new game, dealt from the seed; nobody has been asked yet."""
    states[i] = tables[0]["start"]
    deal_game(states[i], tables[0], seed)
    begin_dealt(states[i], tables[0])


@kernel
def start(states, i, tables):
    """Go on from a deal or an explicit position to the first decision; one that is being asked is posed anew."""
    s, t = states[i], tables[0]
    if s["num_legal"] > 0:
        ask(s, t)
        return
    lay_out(s, t)
    run_on(s, t)


@kernel
def step(states, i, tables, action):
    """Take a legal action and go on to the next decision or the end."""
    s, t = states[i], tables[0]
    s["steps"] += 1
    apply_action(s, t, np.int64(action))
    run_on(s, t)


@kernel
def put_scores(states, i, tables, parts, totals, ranks):
    """RULES 10: the parts and totals as things stand, and how many seats rank before each."""
    put_parts(states[i], tables[0], parts, totals)
    put_ranks(states[i], tables[0], totals, ranks)


@kernel
def put_order(s, t, order):
    """RULES 5: the seats in the order of their first turns."""
    for place in range(abilities.num_seats(t)):
        order[place] = rounds.seat_in_order(s, t, place)


@kernel
def num_seats(t):
    """The number of seats."""
    return abilities.num_seats(t)


@kernel
def to_view(t, seat, action):
    """PROTOCOL 1: an action is the same in every seat's numbering."""
    return action


@kernel
def from_view(t, seat, action):
    """PROTOCOL 1: an action is the same in every seat's numbering."""
    return action
