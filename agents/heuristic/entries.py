"""The compiled functions of the heuristic that Python calls (genesia_rl/jit.py)."""

from __future__ import annotations

import numpy as np

from agents.heuristic.choose import MOST_ACTIONS, choose, score_actions
from genesia_rl import rng
from genesia_rl.games.genesia.entries import put_result
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.games.genesia.rules.players import num_seats
from genesia_rl.jit import entry


@entry
def choose_rows(states, rows, tables, plans, scratch, salts, actions):
    """A plan's choice for each of the rows, in the acting seat's numbering; `scratch` is a state to try on.

    Nothing hidden is drawn anew: one decision ahead, what the heuristic evaluates is public or the seat's
    own, whatever the others hold. The tests compare choices for thousands of redrawn games.
    """
    found = np.empty(MOST_ACTIONS, np.int64)
    scores = np.empty(MOST_ACTIONS, np.float64)
    for k in range(rows.shape[0]):
        i = rows[k]
        seat = np.int64(states[i]["seat"])
        action = choose(states, i, tables, plans[0], scratch, 0, found, scores, salts[k])
        actions[k] = tables[0]["action_to_view"][seat, action]


@entry
def score_row(states, i, tables, plans, scratch, actions, scores):
    """Every legal action of one decision with its score; returns how many there are. Absolute actions."""
    return score_actions(states, i, tables, plans[0], scratch, 0, actions, scores)


@entry
def play_plans(states, tables, seeds, plans, lineups, results):
    """Whole games between plans: `lineups[g, seat]` is the plan of each seat in game g.

    `states` is two states to work on. Returns the number of decisions.
    """
    found = np.empty(MOST_ACTIONS, np.int64)
    scores = np.empty(MOST_ACTIONS, np.float64)
    decisions = 0
    for g in range(seeds.shape[0]):
        rules.deal(states, 0, tables, seeds[g])
        for place in range(num_seats(tables[0])):
            results[g]["order"][place] = states[0]["order"][place]
        rules.start(states, 0, tables)
        stream = rules.policy_stream(seeds[g])
        while not states[0]["over"]:
            seat = np.int64(states[0]["seat"])
            salt = rng.mix(stream)
            stream = rng.advance(stream)
            action = choose(states, 0, tables, plans[lineups[g, seat]], states, 1, found, scores, salt)
            rules.step(states, 0, tables, action)
        put_result(states, 0, tables, results, g)
        decisions += states[0]["steps"]
    return decisions
