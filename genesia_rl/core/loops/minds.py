"""The compiled functions of a game's scripted players: one call for all the decisions of many games."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import chance
from genesia_rl.core.actions import same_action
from genesia_rl.core.compile import entry
from genesia_rl.core.mind import MindKernels

number_for = getattr(rules, "to_view", same_action)


@entry
def choose_rows(states, rows, tables, which, plans, scratch, keys, actions, scores, chosen):
    """A plan's choice for each of the rows, in the acting seat's numbering.

    `scratch` is a state to try on, `actions` and `scores` have room for the most legal actions. Nothing hidden
    is drawn anew: what a mind evaluates is public or the seat's own, whatever the others hold. The tests
    compare choices for thousands of redrawn games.
    """
    for k in range(rows.shape[0]):
        i, j = rows[k], np.int64(which[k])
        own = tables[j : j + 1]
        seat = np.int64(states[i]["seat"])
        action = choose(states, i, own, plans[0], scratch, 0, actions, scores, keys[k])
        chosen[k] = number_for(own[0], seat, action)


@entry
def score_row(states, i, tables, plans, scratch, actions, scores):
    """Every legal action of one decision with its score; returns how many there are. Absolute actions."""
    return score_actions(states, i, tables, plans[0], scratch, 0, actions, scores)


@entry
def play_plans(states, tables, seeds, plans, lineups, actions, scores, results):
    """Whole games between plans: `lineups[g, seat]` is the plan of each seat in game g.

    `states` is two states to work on. Returns the number of decisions.
    """
    decisions = 0
    for g in range(seeds.shape[0]):
        rules.deal(states, 0, tables, seeds[g])
        rules.put_order(states[0], tables[0], results[g]["order"])
        rules.start(states, 0, tables)
        stream = chance.policy_stream(seeds[g])
        while not states[0]["over"]:
            seat = np.int64(states[0]["seat"])
            key = chance.mix(stream)
            stream = chance.advance(stream)
            action = choose(states, 0, tables, plans[lineups[g, seat]], states, 1, actions, scores, key)
            rules.step(states, 0, tables, action)
        r = results[g]
        rules.put_scores(states, 0, tables, r["parts"], r["totals"], r["ranks"])
        r["steps"] = states[0]["steps"]
        decisions += states[0]["steps"]
    return decisions


FILLED = MindKernels(choose_rows, score_row, play_plans)
