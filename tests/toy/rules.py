"""The rules of Pig: deal, begin, step, score; what a seat sees, and what it cannot know."""

import numpy as np

from genesia_rl.core import chance
from genesia_rl.core.compile import kernel
from toy.config import DICE, HOLD


@kernel
def deal(states, i, tables, seed):
    """Chance says who begins, and what all dice will show."""
    t, stream = tables[0], chance.mix(seed)
    states[i] = t["start"]
    states[i]["first"] = states[i]["player"] = chance.below(chance.mix(stream), t["players"])
    states[i]["points"][: t["players"]] = t["later"]
    states[i]["points"][states[i]["first"]] = 0
    draw_dice(states[i], t, 0, chance.advance(stream))


@kernel
def draw_dice(s, t, begin, stream):
    """All dice from `begin` on."""
    for place in range(begin, DICE):
        s["dice"][place] = 1 + chance.below(chance.mix(stream), t["sides"])
        stream = chance.advance(stream)


@kernel
def start(states, i, tables):
    """The first throw of a turn; where a seat has to decide already, that stays."""
    if states[i]["num_legal"] == 0:
        throw(states[i], tables[0])


@kernel
def throw(s, t):
    """Throw until somebody has something to decide, or the dice are used up and the game is over."""
    while s["used"] < DICE:
        die = s["dice"][s["used"]]
        s["used"] += 1
        if die != 1:
            s["turn"] += die
            s["seat"], s["kind"], s["num_legal"] = s["player"], 1, 2
            s["legal"][0] = np.uint64(3)
            return
        pass_on(s, t)
    s["seat"], s["kind"], s["num_legal"], s["over"] = -1, 0, 0, 1
    s["legal"][0] = np.uint64(0)


@kernel
def pass_on(s, t):
    """The next seat's turn begins."""
    s["turn"] = 0
    s["player"] = (s["player"] + 1) % t["players"]


@kernel
def step(states, i, tables, action):
    """Hold or throw again."""
    s, t = states[i], tables[0]
    s["steps"] += 1
    if action == HOLD:
        s["points"][s["player"]] += s["turn"]
        if s["points"][s["player"]] >= t["target"]:
            s["used"] = DICE  # nobody throws again
        pass_on(s, t)
    throw(s, t)


@kernel
def put_scores(states, i, tables, parts, totals, ranks):
    """The points, and how many have more."""
    points = states[i]["points"]
    for seat in range(tables[0]["players"]):
        totals[seat], ranks[seat] = points[seat], 0
        for other in range(tables[0]["players"]):
            ranks[seat] += points[other] > points[seat]


@kernel
def put_order(s, t, order):
    """Clockwise from the first."""
    for place in range(t["players"]):
        order[place] = (s["first"] + place) % t["players"]


@kernel
def num_seats(t):
    """The number of seats."""
    return t["players"]


@kernel
def observe(s, t, seat, out):
    """Points and whose turn it is, by seat, the observer first; the turn, the target, the dice."""
    seats = t["players"]
    for k in range(seats):
        other = (seat + k) % seats
        out[k] = min(127, s["points"][other])
        out[seats + k] = s["player"] == other
    out[2 * seats], out[2 * seats + 1], out[2 * seats + 2] = min(127, s["turn"]), t["target"], t["sides"]


@kernel
def resample(states, i, into, j, tables, seat, seed):
    """The dice to come are drawn anew."""
    into[j] = states[i]
    draw_dice(into[j], tables[0], np.int64(states[i]["used"]), chance.mix(seed))
