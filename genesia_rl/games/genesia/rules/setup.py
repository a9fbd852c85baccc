"""Setup (RULES 4): the deal, which is all the chance there is, and the choice of objectives."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import chance
from genesia_rl.core.compile import kernel, owning
from genesia_rl.games.genesia.actions import OBJECTIVE_BASE
from genesia_rl.games.genesia.names import AGES, K_OBJECTIVE, MAX_DECK, SETUP
from genesia_rl.games.genesia.rules.draft import start_age
from genesia_rl.games.genesia.rules.legal import allow, pose
from genesia_rl.games.genesia.rules.players import num_seats, turn_seat


@kernel
def draw_below(s, bound):
    """The next bounded number of the game's stream."""
    output = chance.mix(s["rng"])
    s["rng"] = chance.advance(s["rng"])
    return chance.below(output, bound)


@kernel
def shuffle(s, cards, size):
    """Put the first `size` of the cards into random order."""
    for last in range(size - 1, 0, -1):
        other = draw_below(s, last + 1)
        card = cards[last]
        cards[last] = cards[other]
        cards[other] = card


@owning
def draw_deal(s, t, seed):
    """RULES 4: turn order, objectives and packs, drawn from the seed."""
    s["rng"] = chance.mix(seed)
    seats = num_seats(t)
    scratch = np.empty(MAX_DECK, np.int64)
    for seat in range(seats):
        scratch[seat] = seat
    shuffle(s, scratch, seats)
    for place in range(seats):
        s["order"][place] = scratch[place]

    pool = np.int64(t["pool_size"])
    for place in range(pool):
        scratch[place] = t["pool"][place]
    shuffle(s, scratch, pool)
    if t["with_objectives"]:
        for seat in range(seats):
            s["dealt"][seat, 0] = scratch[2 * seat]
            s["dealt"][seat, 1] = scratch[2 * seat + 1]

    for age in range(AGES):
        size = np.int64(t["deck_size"][age])
        for place in range(size):
            scratch[place] = t["deck"][age, place]
        shuffle(s, scratch, size)
        deal_packs(s, t, age, scratch)


@kernel
def deal_packs(s, t, age, deck):
    """Each seat's pack; what is left of a deck with promo cards is cut off."""
    size = np.int64(t["hand_size"][age])
    for seat in range(num_seats(t)):
        for place in range(size):
            s["packs"][age, seat, place] = deck[seat * size + place]


@kernel
def begin(s, t):
    """The deal is there: choose objectives, or go on to Age I without."""
    s["phase"] = SETUP
    s["turn"] = 0
    if not t["with_objectives"]:
        start_age(s, t, np.int64(0))


@kernel
def ask_objective(s, t):
    """RULES 4.4: each keeps one of the two dealt, secretly."""
    seat = turn_seat(s)
    pose(s, K_OBJECTIVE, seat)
    for place in range(2):
        allow(s, OBJECTIVE_BASE + np.int64(s["dealt"][seat, place]))


@kernel
def apply_objective(s, t, action):
    """The other one leaves the game unseen."""
    s["kept"][s["seat"]] = action - OBJECTIVE_BASE
    s["turn"] += 1
    if s["turn"] == num_seats(t):
        start_age(s, t, np.int64(0))
