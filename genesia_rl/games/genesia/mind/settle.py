"""Obvious answers: what follows from an action is played on until its outcome can be seen.

An assault is resolved, a card's effects are placed, a crossing is brought to its end, copies and defences
are declined. The answers need not be good: they only show what an action is for. When a player is
really asked one of these questions, it weighs every answer. Equally good ones are told apart as the seat sees
the map, so that an agent plays the same from every seat.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.genesia.actions import (
    AMOUNT_BASE,
    EDGE_WORD,
    END_ACTION,
    LEGAL_WORDS,
    NUM_ACTIONS,
    REGION_BASE,
    REGION_WORD,
)
from genesia_rl.games.genesia.names import (
    EDGE_WORDS,
    K_COPY,
    K_DEFENCE,
    K_FOUND,
    K_FREE_MOVES,
    K_GROUP,
    K_LEAP_AMOUNT,
    K_LEAP_FROM,
    K_LEAP_TO,
    K_LOSSES,
    K_OCCUPY,
    K_PLACE,
    K_REINFORCE,
    K_RELAY_AMOUNT,
    K_RELAY_FROM,
    K_RELAY_TO,
    K_SIEGE,
    K_TRANSIT,
)
from genesia_rl.games.genesia.rules import kernel as rules
from genesia_rl.games.genesia.rules.legal import first_legal
from genesia_rl.games.genesia.rules.pieces import may_stop

MOST_STEPS = 12


@kernel
def settle(states, i, tables, p, seat):
    """Play on until somebody is asked something that is not a consequence."""
    t = tables[0]
    for _ in range(MOST_STEPS):
        s = states[i]
        if s["over"] or s["depth"] == 0:
            return
        rules.step(states, i, tables, obvious(s, t, p))


@kernel
def highest_legal(s, segment, words):
    """The highest legal action of a segment: of amounts, all of them."""
    for back in range(words):
        word = s["legal"][segment + words - 1 - back]
        if word != bits.ZERO:
            top = 0
            while word != bits.ZERO:
                top = lowest(word)
                word = bits.rest(word)
            return (segment + words - 1 - back) * 64 + top
    return np.int64(first_legal(s))


@kernel
def first_seen(s, t, seat):
    """The first legal action in the seat's own numbering."""
    to_view = t["action_to_view"]
    best, action = np.int64(NUM_ACTIONS), np.int64(-1)
    for word in range(LEGAL_WORDS):
        left = s["legal"][word]
        while left != bits.ZERO:
            found = word * 64 + lowest(left)
            left = bits.rest(left)
            if to_view[seat, found] < best:
                best, action = np.int64(to_view[seat, found]), np.int64(found)
    return action


@kernel
def most_wanted_region(s, t, p, seat):
    """The legal region that brings most if the seat is not there yet; ties as the seat sees the map."""
    best, action = -1.0, np.int64(-1)
    for place in range(t["num_regions"]):
        region = np.int64(t["build_order"][seat, place])
        if not bits.has(s["legal"], REGION_BASE + region):
            continue
        got = p["want"][seat, region] + 0.5
        if bits.has(s["occupied"][seat], region):
            got = 0.01 * p["want"][seat, region]
        if got > best:
            best, action = got, REGION_BASE + region
    return action if action >= 0 else first_seen(s, t, seat)


@kernel
def fullest_region(s, t, seat):
    """The legal region with most own clans; ties as the seat sees the map."""
    most, action = 0, np.int64(-1)
    for place in range(t["num_regions"]):
        region = np.int64(t["build_order"][seat, place])
        if bits.has(s["legal"], REGION_BASE + region) and s["clans"][seat, region] > most:
            most, action = np.int64(s["clans"][seat, region]), REGION_BASE + region
    return action if action >= 0 else first_seen(s, t, seat)


@kernel
def best_stop(s, t, p, seat):
    """In transit: the step to the best place to stop, else any."""
    to_view = t["action_to_view"]
    best, action = -1.0, np.int64(-1)
    stop_0, stop_1 = may_stop(s, t, seat, 0), may_stop(s, t, seat, 1)
    for word in range(EDGE_WORDS):
        left = s["legal"][EDGE_WORD + word]
        while left != bits.ZERO:
            place = word * 64 + lowest(left)
            left = bits.rest(left)
            goal = np.int64(t["edge_to"][place])
            stop = stop_0 if goal < 64 else stop_1
            if stop & bits.bit(goal) == bits.ZERO:
                continue
            got, found = p["want"][seat, goal], np.int64(EDGE_WORD * 64 + place)
            if got > best or (got == best and to_view[seat, found] < to_view[seat, action]):
                best, action = got, found
    return action if action >= 0 else first_seen(s, t, seat)


@kernel
def amount(s, number):
    """This number, or the highest legal one."""
    action = AMOUNT_BASE + number
    if number >= 0 and bits.has(s["legal"], action):
        return np.int64(action)
    return highest_legal(s, np.int64(0), np.int64(REGION_WORD))


@kernel
def most_losses(s):
    """As many losses as help the attacker: under `rout` the defender loses two for one."""
    clans = np.int64(s["clans"][s["defender"], s["target"]])
    return amount(s, (clans + 1) // 2 if s["rout"] else clans)


@kernel
def leaving_one(s, seat, region, most):
    """As many as may go so that the seat's presence stays."""
    clans = np.int64(s["clans"][seat, region])
    if not bits.has(s["city_regions"][seat], region):
        clans -= 1
    return amount(s, max(1, min(clans, most)))


@kernel
def obvious(s, t, p):
    """An obvious answer to the question that is being asked."""
    kind, seat = s["kind"], np.int64(s["seat"])
    if kind in (K_COPY, K_DEFENCE, K_REINFORCE, K_FREE_MOVES):
        return np.int64(END_ACTION)
    if kind in (K_PLACE, K_FOUND, K_LEAP_TO, K_RELAY_TO):
        return most_wanted_region(s, t, p, seat)
    if kind in (K_LEAP_FROM, K_RELAY_FROM):
        return fullest_region(s, t, seat)
    if kind in (K_LEAP_AMOUNT, K_RELAY_AMOUNT):
        return amount(s, np.int64(1))
    if kind == K_GROUP:
        return leaving_one(s, seat, np.int64(t["edge_from"][s["move_edge"]]), np.int64(30))
    if kind == K_TRANSIT:
        return best_stop(s, t, p, seat)
    if kind == K_SIEGE:
        return amount(s, np.int64(1))
    if kind == K_OCCUPY:
        return leaving_one(s, seat, np.int64(s["source"]), np.int64(30))
    if kind == K_LOSSES:
        return most_losses(s)
    return first_seen(s, t, seat)
