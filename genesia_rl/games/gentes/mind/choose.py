"""One decision ahead: a score in points for every legal action, and the choice among them.

An action is tried out on a copy of the game. The questions that follow from it are answered by what looks best at
once; those whose answer shows only later (which abilities, which amount, how many citizens) by trying each answer out
to the end of the turn. Then the position is evaluated.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, lowest, owning
from genesia_rl.games.gentes.actions import CARD_BASE, LEGAL_WORDS
from genesia_rl.games.gentes.mind.evaluate import standing
from genesia_rl.games.gentes.names import (
    CARDS,
    K_ABILITY,
    K_COUNT,
    K_DRAFT,
    K_FINAL,
    K_PAY,
    K_REWARD,
    K_SETTLE,
    K_TURN,
    K_WILD,
    NUM_TYPES,
    PLACES,
    TAXES,
    TILES,
)
from genesia_rl.games.gentes.rules import kernel as rules

MOST_ACTIONS = 2 * CARDS + TILES + TAXES + PLACES + NUM_TYPES
MOST_STEPS = 24  # of answers that follow from one action
SAME = 1.0e-6  # points by which scores must differ to be different
DRAFT_LEFT = 5  # rounds that are left when cards are drafted


# ---------------------------------------------------------------- what follows from an action


@kernel
def follows(s, seat):
    """Is it still the same seat's action that goes on?"""
    if s["over"] or s["seat"] != seat:
        return False
    return s["kind"] not in (K_TURN, K_DRAFT, K_SETTLE, K_REWARD, K_FINAL)


@kernel
def best_at_once(states, j, tables, p, spare, seat):
    """The legal action after which the position is worth most at once."""
    best, chosen = -1.0e300, np.int64(0)
    for word in range(LEGAL_WORDS):
        left = states[j]["legal"][word]
        while left != bits.ZERO:
            action = np.int64(word * 64 + lowest(left))
            left = bits.rest(left)
            spare[0] = states[j]
            rules.step(spare, 0, tables, action)
            score = standing(spare[0], tables[0], p, seat)
            if score > best + SAME:
                best, chosen = score, action
    return chosen


@kernel
def roll(states, j, tables, p, spare, seat):
    """Answer what follows from an action by what looks best at once."""
    for _ in range(MOST_STEPS):
        if not follows(states[j], seat):
            return
        rules.step(states, j, tables, best_at_once(states, j, tables, p, spare, seat))


@kernel
def best_in_the_end(states, j, tables, p, trial, spare, seat):
    """The legal action after which the turn ends best."""
    best, chosen = -1.0e300, np.int64(0)
    for word in range(LEGAL_WORDS):
        left = states[j]["legal"][word]
        while left != bits.ZERO:
            action = np.int64(word * 64 + lowest(left))
            left = bits.rest(left)
            trial[0] = states[j]
            rules.step(trial, 0, tables, action)
            roll(trial, 0, tables, p, spare, seat)
            score = standing(trial[0], tables[0], p, seat)
            if score > best + SAME:
                best, chosen = score, action
    return chosen


@kernel
def finish(states, j, tables, p, trial, spare, seat):
    """Play the seat's action to its end."""
    for _ in range(MOST_STEPS):
        if not follows(states[j], seat):
            return
        if states[j]["kind"] in (K_ABILITY, K_PAY, K_COUNT, K_WILD):
            action = best_in_the_end(states, j, tables, p, trial, spare, seat)
        else:
            action = best_at_once(states, j, tables, p, spare, seat)
        rules.step(states, j, tables, action)


# ---------------------------------------------------------------- scores


@kernel
def draft_score(t, p, place):
    """A card of the draft: what it will bring, and how far it is."""
    return p["card"][place, DRAFT_LEFT] - num_needed(t, place)


@kernel
def num_needed(t, place):
    """How many citizens a card needs."""
    found = np.int64(0)
    for kind in range(NUM_TYPES):
        found += np.int64((t["need"][place] >> np.uint64(8 * kind)) & np.uint64(255))
    return found


@owning
def score_actions(states, i, tables, p, scratch, j, actions, scores):
    """Every legal action of the decision in `states[i]` with its score; returns how many there are.

    `scratch[j]` is overwritten. Actions are absolute.
    """
    s, t = states[i], tables[0]
    seat, drafting = np.int64(s["seat"]), s["kind"] == K_DRAFT
    trial, spare = states[i : i + 1].copy(), states[i : i + 1].copy()
    number = 0
    for word in range(LEGAL_WORDS):
        left = s["legal"][word]
        while left != bits.ZERO:
            action = np.int64(word * 64 + lowest(left))
            left = bits.rest(left)
            actions[number] = action
            if drafting:
                scores[number] = draft_score(t, p, action - CARD_BASE)
            else:
                scratch[j] = states[i]
                rules.step(scratch, j, tables, action)
                finish(scratch, j, tables, p, trial, spare, seat)
                scores[number] = standing(scratch[j], t, p, seat)
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
