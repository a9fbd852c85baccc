"""One decision ahead: a score in points for every legal action, and the choice among them.

Most actions are tried out on a copy of the game and the position that follows is evaluated (settle.py
answers what the action entails). What hides its outcome is weighed by itself: a card to keep, an
objective, a stance, a place in the turn order. Ending a turn is worth what doing nothing is worth, less what
the cards in hand are worth that could have been played in it and never can be again.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, lowest, owning
from genesia_rl.games.genesia.actions import (
    CARD_BASE,
    DISCARD_BASE,
    EDGE_BASE,
    EDGE_WORD,
    END_ACTION,
    LEGAL_WORDS,
    OBJECTIVE_BASE,
    POSITION_BASE,
    WAR_ACTION,
)
from genesia_rl.games.genesia.mind.evaluate import (
    best_assault,
    best_want,
    best_way,
    card_value,
    city_word,
    comes_first,
    free_word,
    lapse,
    public_value,
    seat_value,
    stage_of,
)
from genesia_rl.games.genesia.mind.settle import settle
from genesia_rl.games.genesia.names import (
    CITY_CLANS,
    DISCARD_COINS,
    EDGE_WORDS,
    K_DRAFT,
    K_END_OF_AGE,
    K_EXPANSION,
    K_FREE_MOVES,
    K_GROWTH,
    K_OBJECTIVE,
    K_POSITION,
    K_STANCE,
)
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.games.genesia.rules.players import num_seats

MOST_ACTIONS = 256
SAME = 1.0e-6  # points by which scores must differ to be different
TRIED_STEPS = 6  # of a turn's steps, how many are tried out


@kernel
def rivals_value(s, t, p, seat):
    """What the others have, on the average."""
    stage, total = stage_of(s), 0.0
    for other in range(num_seats(t)):
        if other != seat:
            total += public_value(s, t, p, other, stage)
    return total / (num_seats(t) - 1)


@kernel
def standing(s, t, p, seat):
    """How a seat stands: its own worth against the others'; solo, both tribes', the lower first."""
    own, others = seat_value(s, t, p, seat), rivals_value(s, t, p, seat)
    if p["solo"]:
        return min(own, others) + 0.5 * max(own, others)
    return own - p["rival"][s["age"]] * others


@kernel
def is_weighed(kind):
    """Is the decision weighed by itself, because its outcome cannot be seen at once?"""
    return kind in (K_DRAFT, K_OBJECTIVE, K_STANCE, K_POSITION)


@kernel
def weigh(s, t, p, seat, action):
    """The score of an action whose outcome is hidden."""
    kind = s["kind"]
    if kind == K_DRAFT:
        return p["worth"][0, action - CARD_BASE]
    if kind == K_OBJECTIVE:
        return p["objective_worth"][action - OBJECTIVE_BASE]
    if kind == K_POSITION:
        return p["place"][s["age"]] * (action - POSITION_BASE)
    if action == WAR_ACTION:
        return best_assault(s, t, p, seat)[0] - p["war"][s["age"]]
    return 0.0


@kernel
def promise(t, p, me, region, free_0, free_1, top, trust, step):
    """What the best way of a clan from a region promises."""
    if trust <= 0.0:
        return 0.0
    return best_way(t, p, me, np.uint64(region), free_0, free_1, top, trust, step)[0]


@kernel
def has_city(s, t, region):
    """Does anybody's city stand in the region?"""
    return city_word(s, t, region >> 6) & bits.bit(region) != bits.ZERO


@kernel
def presence_lost(s, t, p, seat, origin):
    """What one clan leaving a region costs: the region, or the city that would rise there."""
    clans = s["clans"][seat, origin]
    if clans > CITY_CLANS or bits.has(s["city_regions"][seat], origin):
        return 0.0
    if clans == 1:
        return p["want"][seat, origin]
    return 0.0 if has_city(s, t, origin) else p["city_to_be"] * p["city"][s["age"]]


@kernel
def presence_won(s, t, p, seat, goal):
    """What one clan more in a region brings, likewise."""
    clans = s["clans"][seat, goal]
    if clans >= CITY_CLANS or bits.has(s["city_regions"][seat], goal):
        return 0.0
    if clans == 0:
        return p["want"][seat, goal]
    return 0.0 if has_city(s, t, goal) else p["city_to_be"] * p["city"][s["age"]]


@owning
def estimate_steps(s, t, p, seat, guesses):
    """A first guess of what every legal step brings, by its place; returns the least of the best few.

    A turn offers some 20 steps: trying them all would take most of the time, and most lead nowhere.
    """
    age, stage, me = np.int64(s["age"]), stage_of(s), np.uint64(seat)
    free_0, free_1 = free_word(s, t, 0), free_word(s, t, 1)
    trust, step, reach = p["trust"][age, stage], p["step"][age], p["reach"][age, stage]
    top = best_want(p, me, free_0, free_1, 0.0)
    best = np.full(TRIED_STEPS, -1.0e300)
    last = np.int64(-1)
    before = 0.0
    for word in range(EDGE_WORDS):
        left = s["legal"][EDGE_WORD + word]
        while left != bits.ZERO:
            place = word * 64 + lowest(left)
            left = bits.rest(left)
            origin, goal = np.int64(t["edge_from"][place]), np.int64(t["edge_to"][place])
            if origin != last:  # the edges of a region are neighbours
                last = origin
                before = reach * promise(t, p, me, origin, free_0, free_1, top, trust, step)
                before += presence_lost(s, t, p, seat, origin)
            guess = reach * promise(t, p, me, goal, free_0, free_1, top, trust, step) - before
            if (free_0 if goal < 64 else free_1) & bits.bit(goal) != bits.ZERO or s["clans"][seat, goal] > 0:
                guess += presence_won(s, t, p, seat, goal)
            guesses[place] = guess
            if guess > best[0]:
                put_among(best, guess)
    return best[0]


@kernel
def put_among(best, guess):
    """Put a number among the best few, which are in ascending order; the least of them goes."""
    k = 0
    while k + 1 < best.shape[0] and best[k + 1] < guess:
        best[k] = best[k + 1]
        k += 1
    best[k] = guess


@kernel
def forget_dealt(after, before):
    """What a new Age deals cannot be known before: without a draft (solo) it would be in hand by now."""
    if after["age"] != before["age"]:
        for seat in range(after["hand"].shape[0]):
            for word in range(after["hand"].shape[1]):
                after["hand"][seat, word] = bits.ZERO


@kernel
def of_pieces(score, now, lost, waits):
    """The score of a recruit or a move: it saves nothing of what is lost with the turn, and may have to wait."""
    if score <= now + SAME:
        return score - lost
    return now - 2 * SAME if waits else score


@owning
def score_actions(states, i, tables, p, scratch, j, actions, scores):
    """Every legal action of the decision in `states[i]` with its score; returns how many there are.

    `scratch[j]` is overwritten. Actions are absolute.
    """
    s, t = states[i], tables[0]
    seat, kind = np.int64(s["seat"]), s["kind"]
    weighed = is_weighed(kind)
    now, stage = 0.0, stage_of(s)
    if not weighed:
        now = standing(s, t, p, seat)
    alone = kind in (K_GROWTH, K_EXPANSION)  # recruits and moves touch no one else
    others = now - seat_value(s, t, p, seat) if alone and not p["solo"] else 0.0
    moves = kind in (K_EXPANSION, K_FREE_MOVES)
    plays_on = kind in (K_GROWTH, K_EXPANSION, K_END_OF_AGE)
    lost = lapse(s, p, seat, stage) if plays_on else 0.0
    waits = plays_on and comes_first(s, p, seat, stage)
    guesses = np.empty(EDGE_WORDS * 64, np.float64)
    least = estimate_steps(s, t, p, seat, guesses) if moves else 0.0
    number = 0
    for word in range(LEGAL_WORDS):
        left = s["legal"][word]
        while left != bits.ZERO:
            action = word * 64 + lowest(left)
            left = bits.rest(left)
            if number == MOST_ACTIONS:
                return number
            actions[number] = action
            if weighed:
                scores[number] = weigh(s, t, p, seat, action)
            elif action == END_ACTION and s["depth"] == 0:
                scores[number] = now - lost - 2 * SAME * waits
            elif DISCARD_BASE <= action < EDGE_BASE:
                coins = DISCARD_COINS * p["coin"][s["age"], stage]
                scores[number] = now + coins - card_value(s, p, seat, stage, action - DISCARD_BASE)
            elif moves and action >= EDGE_BASE and guesses[action - EDGE_BASE] < least - SAME:
                scores[number] = now + min(0.0, guesses[action - EDGE_BASE]) - p["step"][s["age"]] - lost
            else:
                scratch[j] = states[i]
                rules.step(scratch, j, tables, np.int64(action))
                settle(scratch, j, tables, p, seat)
                forget_dealt(scratch[j], s)
                if alone and not p["solo"] and action >= EDGE_BASE:
                    scores[number] = seat_value(scratch[j], t, p, seat) + others
                else:
                    scores[number] = standing(scratch[j], t, p, seat)
                if plays_on and not CARD_BASE <= action < EDGE_BASE:
                    scores[number] = of_pieces(scores[number], now, lost, waits)
            number += 1
    return number


@kernel
def best_of(t, p, seat, actions, scores, number, salt):
    """The place of the best score, after the plan's noise; ties go to the first in the seat's own numbering.

    Sums over regions differ in their last digits from seat to seat: scores this close are equal.
    """
    to_view = t["action_to_view"]
    best, place = -1.0e300, 0
    noise = p["noise"]
    for k in range(number):
        score = scores[k]
        if noise > 0.0:
            salt = chance.advance(salt)
            uniform = (np.float64(chance.below(chance.mix(salt), 1 << 30)) + 0.5) / (1 << 30)
            score -= noise * np.log(-np.log(uniform))
        ahead = score - best
        if ahead > SAME or (ahead >= -SAME and to_view[seat, actions[k]] < to_view[seat, actions[place]]):
            best, place = score, k
    return place


@kernel
def choose(states, i, tables, p, scratch, j, actions, scores, salt):
    """The plan's choice for the seat to act in `states[i]`: an absolute action."""
    if p["is_random"]:
        s = states[i]
        return np.int64(bits.nth_member(s["legal"], chance.below(chance.mix(salt), s["num_legal"])))
    number = score_actions(states, i, tables, p, scratch, j, actions, scores)
    place = best_of(tables[0], p, np.int64(states[i]["seat"]), actions, scores, number, salt)
    return np.int64(actions[place])
