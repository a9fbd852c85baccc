"""What a position is worth for a seat, in points of the final score.

The score as it stands, and what coins, workers, force and the abilities in force are likely to bring in the turns that
are left. All of it is public.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.age_of_civilization.names import G_WONDER, NUM_GROUPS, ROUNDS, S_ACTIONS, S_DRAFT
from genesia_rl.games.age_of_civilization.rules.abilities import base_of, num_seats, technologies_of
from genesia_rl.games.age_of_civilization.rules.counts import force_of
from genesia_rl.games.age_of_civilization.rules.scoring import legacy, wonder_points


@kernel
def turns_left(s, t, seat):
    """How many turns a seat still has; the one that is under way counts until its actions are over."""
    if s["over"]:
        return np.int64(0)
    left = np.int64(ROUNDS) - np.int64(s["round"])
    place = seat - np.int64(s["first"])
    place += num_seats(t) if place < 0 else 0
    if s["stage"] == S_DRAFT or place > s["turn"] or (place == s["turn"] and s["stage"] <= S_ACTIONS):
        left += 1
    return left


@kernel
def abilities_worth(s, p, seat, turns):
    """What the abilities in force are likely to bring."""
    found = 0.0
    for group in range(NUM_GROUPS):
        left = s["own"][seat, group]
        while left != bits.ZERO:
            found += p["worth"][base_of(group) + lowest(left), turns]
            left = bits.rest(left)
    return found


@kernel
def seat_value(s, t, p, seat):
    """What a seat has."""
    turns = turns_left(s, t, seat)
    found = np.float64(s["points"][seat]) + wonder_points(s, t, seat) + legacy(s, t, seat)
    found += p["coin"][turns] * s["coins"][seat] + p["worker"][turns] * s["workers"][seat]
    found += p["force"][turns] * force_of(s, t, seat)
    found += p["technology"][turns] * popcount(technologies_of(s, seat))
    found += p["wonder"][turns] * popcount(s["own"][seat, G_WONDER])
    found += abilities_worth(s, p, seat, turns)
    if s["seat"] == seat and s["stage"] <= S_ACTIONS:
        found += p["idle"] * (np.int64(s["workers"][seat]) - np.int64(s["placed"]))
    return found


@kernel
def standing(s, t, p, seat):
    """How a seat stands: its own worth against the mean of the others'."""
    found = seat_value(s, t, p, seat)
    seats = num_seats(t)
    if seats == 1:
        return found
    others = 0.0
    for other in range(seats):
        if other != seat:
            others += seat_value(s, t, p, other)
    return found - p["rival"] * others / (seats - 1)
