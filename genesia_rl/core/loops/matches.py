"""The compiled functions of matches: many games side by side with interventions and habits, and their measures.

What a laboratory may add stands in the namespace before this is filled; each has a default that does nothing:

    intervene_first(states, i, tables, intervention)   at a game's first decision
    intervene(states, i, tables, intervention)         at every decision that follows
    habit(states, i, tables, habits) -> bool           narrow the legal set; is the choice among it random?
    measure_deal(s, t, m)                              what chance has dealt
    measure_action(states, i, tables, action, m)       before an action is taken (absolute numbering)
    measure_end(s, t, m)                               the finished game
    replay(states, tables, intervention, log, parts, totals, ranks, m)
                                                       the whole game, for who must see more than that
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.actions import same_action
from genesia_rl.core.compile import entry, inlined, kernel
from genesia_rl.core.lab import MatchKernels

# ---------------------------------------------------------------- what a game may leave out


@kernel
def no_intervention(states, i, tables, intervention):
    """Nothing is done to a game."""


@kernel
def no_habit(states, i, tables, habits):
    """Everything legal is left, and players choose."""
    return False


@kernel
def no_measure(s, t, m):
    """A measure has no other fields."""


@kernel
def no_measure_of_actions(states, i, tables, action, m):
    """Nothing is counted action by action."""


to_own = getattr(rules, "to_view", same_action)
from_own = getattr(rules, "from_view", same_action)
intervene_first = globals().get("intervene_first", no_intervention)
intervene = globals().get("intervene", no_intervention)
habit = globals().get("habit", no_habit)
measure_deal = globals().get("measure_deal", no_measure)
measure_action = globals().get("measure_action", no_measure_of_actions)
measure_end = globals().get("measure_end", getattr(rules, "put_extra", no_measure))

# ---------------------------------------------------------------- playing


@inlined
def configuration(tables, place):
    """The tables of one configuration."""
    k = np.int64(place)
    return tables[k : k + 1]


@kernel
def as_absolute(states, i, tables, action):
    """A legal action of the acting seat's numbering as an absolute one, -1 if it is not legal."""
    legal = states[i]["legal"]
    if action < 0 or action >= legal.shape[0] * 64:
        return np.int64(-1)
    found = np.int64(from_own(tables[0], np.int64(states[i]["seat"]), action))
    return found if bits.has(legal, found) else np.int64(-1)


@entry
def begin_rows(states, tables, which, seeds, interventions):
    """A game in every row, at its first decision."""
    for i in range(seeds.shape[0]):
        own = configuration(tables, which[i])
        rules.deal(states, i, own, seeds[i])
        rules.start(states, i, own)
        intervene_first(states, i, own, interventions[i])


@entry
def play_rows(states, tables, which, rows, actions, interventions, log):
    """One action for each of the rows, in the acting seat's numbering, written into the game's log.

    Returns -1, or the place of the first action that is not legal, and then nothing has been done.
    """
    for k in range(rows.shape[0]):
        if as_absolute(states, rows[k], configuration(tables, which[rows[k]]), actions[k]) < 0:
            return k
    for k in range(rows.shape[0]):
        i = rows[k]
        own = configuration(tables, which[i])
        action = as_absolute(states, i, own, actions[k])
        log[i, states[i]["steps"]] = action
        rules.step(states, i, own, action)
        if not states[i]["over"]:
            intervene(states, i, own, interventions[i])
    return -1


@entry
def habit_rows(states, tables, which, rows, habits, keys, copies, actions):
    """What the habits of the seats to act leave to each of the rows; returns how many copies were narrowed.

    `actions[k]` is the action (in the seat's numbering) where one is left or where it is drawn, by the row's key.
    It is -1 where somebody is to be asked, and -2 where that is to be done with the game's narrowed copy. A habit
    that leaves nothing cannot be kept.
    """
    narrowed = 0
    for k in range(rows.shape[0]):
        actions[k] = -1
        if habits[k] == 0:
            continue
        i = rows[k]
        own = configuration(tables, which[i])
        copies[i] = states[i]
        s = copies[i]
        drawn = habit(copies, i, own, habits[k])
        left = bits.num_members(s["legal"])
        if left == 0:
            copies[i] = states[i]
            left = np.int64(s["num_legal"])
        s["num_legal"] = left
        if drawn or left == 1:
            chosen = chance.below(chance.mix(chance.mix(keys[k])), left)
            actions[k] = to_own(own[0], np.int64(s["seat"]), bits.nth_member(s["legal"], chosen))
        elif left < states[i]["num_legal"]:
            actions[k] = -2
            narrowed += 1
    return narrowed


# ---------------------------------------------------------------- replaying


@kernel
def replay_actions(states, tables, intervention, log, parts, totals, ranks, m):
    """The whole game, decision by decision."""
    s = states[0]
    while not s["over"]:
        action = np.int64(log[s["steps"]])
        measure_action(states, 0, tables, action, m)
        rules.step(states, 0, tables, action)
        if not s["over"]:
            intervene(states, 0, tables, intervention)


replay = globals().get("replay", replay_actions)


@entry
def measure_rows(states, tables, which, seeds, interventions, log, parts, totals, ranks, measures):
    """The record of every game from its seed, intervention and actions; `states` is one state to work on."""
    for g in range(seeds.shape[0]):
        own = configuration(tables, which[g])
        m = measures[g]
        rules.deal(states, 0, own, seeds[g])
        rules.put_order(states[0], own[0], m["order"][0])
        measure_deal(states[0], own[0], m)
        rules.start(states, 0, own)
        intervene_first(states, 0, own, interventions[g])
        replay(states, own, interventions[g], log[g], parts, totals, ranks, m)
        rules.put_scores(states, 0, own, m["parts"], m["totals"], m["ranks"])
        m["steps"] = states[0]["steps"]
        measure_end(states[0], own[0], m)


FILLED = MatchKernels(begin_rows, play_rows, habit_rows, measure_rows)
