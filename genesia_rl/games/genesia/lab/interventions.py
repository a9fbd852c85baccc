"""What a laboratory may change in a game that the rules do not offer, to find out what something is worth.

An intervention belongs to one game and says what is done to it: coins handed out by place in the turn order,
pieces that a seat goes without, and chance put where the rules have an order. Nothing here is a rule, and an
empty intervention changes nothing. `intervene_first` is called at a game's first decision, `intervene` whenever
somebody has been asked; a game that is replayed with the same intervention is the same game.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import chance
from genesia_rl.core.compile import kernel
from genesia_rl.games.genesia.names import DRAFT, MAX_SEATS, POSITION
from genesia_rl.games.genesia.rules.players import num_seats

#: `coins` goes by the place in the first turn order; the others by seat.
INTERVENTION = np.dtype(
    [
        ("coins", np.int16, (MAX_SEATS,)),  # more (or fewer) coins in Age I
        ("without_cities", np.int8, (MAX_SEATS,)),  # no city in supply, from the beginning
        ("without_objective", np.int8, (MAX_SEATS,)),  # whatever it keeps is worth nothing
        ("random_choosers", np.int8),  # after Ages I and II the places are chosen in random order
        ("seed", np.uint64),  # of that order
    ],
    align=True,
)


#: Parts the stream of the order of choosing from the deal's, which comes from the same seed.
CHOOSERS = np.uint64(0x3C6EF372FE94F82B)


@kernel
def intervene_first(states, i, tables, intervention):
    """At the first decision: of an objective, or without objectives of the draft."""
    s, t = states[i], tables[0]
    for seat in range(num_seats(t)):
        if intervention["without_cities"][seat]:
            s["city_supply"][seat] = 0
    if s["phase"] == DRAFT:
        hand_out(s, t, intervention)


@kernel
def hand_out(s, t, intervention):
    """Coins by place, when those of Age I are there; nobody has less than none."""
    for place in range(num_seats(t)):
        seat = np.int64(s["order"][place])
        s["coins"][seat] = max(
            np.int64(0), np.int64(s["coins"][seat]) + np.int64(intervention["coins"][place])
        )


@kernel
def begins_draft(s):
    """Is the first card of Age I about to be kept?"""
    return s["phase"] == DRAFT and s["age"] == 0 and s["pick"] == 0 and s["turn"] == 0


@kernel
def intervene(states, i, tables, intervention):
    """At every decision that follows."""
    s, t = states[i], tables[0]
    if begins_draft(s):
        hand_out(s, t, intervention)
    if s["phase"] == POSITION and s["chosen_places"] == 0 and intervention["random_choosers"]:
        shuffle_choosers(s, t, intervention["seed"])
    for seat in range(num_seats(t)):
        if intervention["without_objective"][seat]:
            s["kept"][seat] = 0


@kernel
def shuffle_choosers(s, t, seed):
    """Another order of choosing; nobody has chosen yet, so that all places are free for whoever is first."""
    stream = chance.mix((seed ^ CHOOSERS) + np.uint64(s["age"]))
    for last in range(num_seats(t) - 1, 0, -1):
        other = chance.below(chance.mix(stream), last + 1)
        stream = chance.advance(stream)
        seat = s["choosers"][last]
        s["choosers"][last] = s["choosers"][other]
        s["choosers"][other] = seat
    s["seat"] = s["choosers"][0]
