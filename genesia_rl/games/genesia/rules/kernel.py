"""What a game does, for those who only play it: begin, legal set, step, scores, and whole games.

All functions take arrays and a place in them, never a record of their own, and write what they
produce into arrays of the caller. None checks its arguments: game.py does.
"""

from __future__ import annotations

from genesia_rl.core.compile import kernel
from genesia_rl.games.genesia.names import ATTACK, END, SETUP
from genesia_rl.games.genesia.rules.age_end import begin_end_of_age
from genesia_rl.games.genesia.rules.attack import begin_round
from genesia_rl.games.genesia.rules.players import num_seats
from genesia_rl.games.genesia.rules.scoring import put_points, put_ranks
from genesia_rl.games.genesia.rules.setup import begin, draw_deal
from genesia_rl.games.genesia.rules.turn import advance, apply_action, pose_again


@kernel
def deal(states, i, tables, seed):
    """RULES 4: a new game, dealt from the seed; nobody has been asked yet."""
    states[i] = tables[0]["start"]
    draw_deal(states[i], tables[0], seed)


@kernel
def start(states, i, tables):
    """Go on from a deal or an explicit position to the first decision; one that is being asked is posed anew."""
    s, t = states[i], tables[0]
    if s["num_legal"] > 0:
        pose_again(s, t)
        return
    if s["phase"] == SETUP:
        begin(s, t)
    elif s["phase"] == ATTACK:
        begin_round(s, t)
    elif s["phase"] == END:  # PROTOCOL 4: the phase begins with the building of cities
        begin_end_of_age(s, t)
    advance(s, t)


@kernel
def step(states, i, tables, action):
    """Take a legal action and go on to the next decision or the end."""
    s, t = states[i], tables[0]
    s["steps"] += 1
    apply_action(s, t, action)
    advance(s, t)


@kernel
def put_scores(states, i, tables, parts, totals, ranks):
    """RULES 6: parts and totals of the score, and for each seat how many rank before it."""
    put_points(states[i], tables[0], parts, totals)
    put_ranks(tables[0], parts, totals, ranks)


@kernel
def put_order(s, t, order):
    """RULES 4: the seats in the first turn order; valid as long as Age I lasts."""
    for place in range(num_seats(t)):
        order[place] = s["order"][place]


@kernel
def to_view(t, seat, action):
    """An absolute action in the seat's numbering."""
    return t["action_to_view"][seat, action]


@kernel
def from_view(t, seat, action):
    """An action in the seat's numbering as an absolute one."""
    return t["action_from_view"][seat, action]
