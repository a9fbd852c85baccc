"""What a game does, for those who only play it: begin, step, score; the table of contents of the rules.

All functions take arrays and a place in them, never a record of their own, and write what they
produce into arrays of the caller. None checks its arguments: whoever calls them does.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core.compile import kernel
from genesia_rl.games.genesis.rules.scoring import put_parts, put_ranks
from genesia_rl.games.genesis.rules.setup import draw_deal, lay_out
from genesia_rl.games.genesis.rules.turn import apply_action, begin_game


@kernel
def deal(states, i, tables, seed):
    """RULES 4: a new game, dealt from the seed; nobody has been asked yet."""
    states[i] = tables[0]["start"]
    draw_deal(states[i], tables[0], seed)


@kernel
def start(states, i, tables):
    """Go on from a deal or an explicit position to the first decision, or to the end; one that is being asked stays."""
    s, t = states[i], tables[0]
    if s["num_legal"] > 0:
        return
    lay_out(s, t)
    begin_game(s, t)


@kernel
def step(states, i, tables, action):
    """Take a legal action and go on to the next decision or the end."""
    s = states[i]
    s["steps"] += 1
    apply_action(s, tables[0], action)


@kernel
def put_scores(states, i, tables, parts, totals, ranks):
    """RULES 6: the parts by terrain and the totals as they are, and how many seats have a higher total."""
    put_parts(states[i], tables[0], parts, totals)
    put_ranks(tables[0], totals, ranks)


@kernel
def put_order(s, t, order):
    """RULES 4: the seats in the order of their first turns: clockwise."""
    seats = np.int64(t["seats"])
    for place in range(seats):
        order[place] = (s["first"] + place) % seats


@kernel
def num_seats(t):
    """The number of seats."""
    return np.int64(t["seats"])
