"""One decision ahead: a score in points for every legal action, and the choice among them.

An action is tried out on a copy of the game, what follows from it is answered obviously, and the position is
evaluated. Which card to keep in the draft is weighed by itself, as its outcome cannot be seen at once.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.age_of_civilization.actions import (
    CARD_BASE,
    END_ACTION,
    LEGAL_WORDS,
    TECH_BASE,
    WONDER_BASE,
)
from genesia_rl.games.age_of_civilization.mind.evaluate import standing, turns_left
from genesia_rl.games.age_of_civilization.names import (
    CIVILIZATIONS,
    G_TECHNOLOGY,
    G_WONDER,
    K_ACTION,
    K_CIVILIZATION,
    K_DRAFT,
    K_TECHNOLOGY,
    K_WONDER,
)
from genesia_rl.games.age_of_civilization.rules import kernel as rules
from genesia_rl.games.age_of_civilization.rules.abilities import base_of

MOST_ACTIONS = 2 * CIVILIZATIONS + 3
MOST_STEPS = 16  # of obvious answers
SAME = 1.0e-6  # points by which scores must differ to be different


# ---------------------------------------------------------------- what follows from an action


@kernel
def best_thing(s, p, base, ability, turns):
    """Of some legal actions from `base` on, the one whose ability, from `ability` on, is worth most."""
    best, chosen = -1.0e300, np.int64(0)
    for word in range(LEGAL_WORDS):
        left = s["legal"][word]
        while left != bits.ZERO:
            action = word * 64 + lowest(left)
            left = bits.rest(left)
            worth = p["worth"][ability + action - base, turns]
            if worth > best:
                best, chosen = worth, action
    return np.int64(chosen)


@kernel
def obvious(s, t, p, seat):
    """An obvious answer to a question that follows from an action: the best thing, and all that is offered."""
    turns = turns_left(s, t, seat)
    if s["kind"] == K_TECHNOLOGY:
        return best_thing(s, p, np.int64(TECH_BASE), base_of(G_TECHNOLOGY), turns)
    if s["kind"] == K_WONDER:
        return best_thing(s, p, np.int64(WONDER_BASE), base_of(G_WONDER), turns)
    first = np.int64(bits.first_member(s["legal"]))
    return np.int64(bits.nth_member(s["legal"], 1)) if first == END_ACTION else first


@kernel
def settle(states, i, tables, p, seat):
    """Play on until somebody is asked something that is not a consequence."""
    for _ in range(MOST_STEPS):
        s = states[i]
        if s["over"] or s["seat"] != seat or s["kind"] in (K_ACTION, K_CIVILIZATION, K_DRAFT):
            return
        rules.step(states, i, tables, obvious(s, tables[0], p, seat))


# ---------------------------------------------------------------- scores


@kernel
def score_actions(states, i, tables, p, scratch, j, actions, scores):
    """Every legal action of the decision in `states[i]` with its score; returns how many there are.

    `scratch[j]` is overwritten. Actions are absolute.
    """
    s = states[i]
    seat, drafting = np.int64(s["seat"]), s["kind"] == K_DRAFT
    number = 0
    for word in range(LEGAL_WORDS):
        left = s["legal"][word]
        while left != bits.ZERO:
            action = word * 64 + lowest(left)
            left = bits.rest(left)
            actions[number] = action
            if drafting:
                scores[number] = p["card"][action - CARD_BASE]
            else:
                scratch[j] = states[i]
                rules.step(scratch, j, tables, np.int64(action))
                settle(scratch, j, tables, p, seat)
                scores[number] = standing(scratch[j], tables[0], p, seat)
            number += 1
    return number


@kernel
def best_of(p, scores, number, key):
    """The place of the best score, after the plan's noise; ties go to the first."""
    best, place = -1.0e300, 0
    for k in range(number):
        score = scores[k]
        if p["noise"] > 0.0:
            key = chance.advance(key)
            uniform = (np.float64(chance.below(chance.mix(key), 1 << 30)) + 0.5) / (1 << 30)
            score -= p["noise"] * np.log(-np.log(uniform))
        if score > best + SAME:
            best, place = score, k
    return place


@kernel
def choose(states, i, tables, p, scratch, j, actions, scores, key):
    """The plan's choice for the seat to act in `states[i]`: an absolute action."""
    number = score_actions(states, i, tables, p, scratch, j, actions, scores)
    return np.int64(actions[best_of(p, scores, number, key)])
