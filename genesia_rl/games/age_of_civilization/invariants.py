"""What holds in every state (RULES 1, 4 to 9), compiled: what the rules keep in step is counted anew.

Said once more, from the data files and for any state, in `check.py`; here it is counted by the million
(core/invariants.py).
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, owning, popcount
from genesia_rl.games.age_of_civilization.names import (
    CARDS,
    CIVILIZATIONS,
    G_INHERITED,
    G_MAIN,
    G_TECHNOLOGY,
    G_WONDER,
    MAX_CIVILIZATIONS,
    MAX_SEATS,
    MAX_WORKERS,
    NUM_ACTS,
    NUM_GROUPS,
    NUM_SUMS,
    OPEN_CARDS,
    PICKS,
    ROUNDS,
    S_DRAFT,
)
from genesia_rl.games.age_of_civilization.rules.abilities import base_of, num_seats, number_bit

INVARIANTS = (
    "every civilization is in one place, and was dealt",
    "every wonder is in the market or owned by one seat, and none is lost",
    "every special card is in the market or owned by one seat, and none is lost",
    "coins lie on civilizations of the market alone, and never fewer than none",
    "coins and points are not negative, workers are 0 to 4",
    "workers placed are no more than the seat has, and no fewer than stand on red spaces",
    "a seat has three civilizations at most, one of them the main one",
    "technologies are those of the seat's card; those unlocked follow from them",
    "sums and flags of what holds always follow from the abilities in force",
    "the track is an order of the cards; the open actions are those of its cards",
    "it is the turn of the seat that is asked, in a round of the game",
    "actions without a free space are those that were used as often",
    "what belongs to a turn is forgotten when it is over",
    "a seat that is not in the game has nothing",
)


@kernel
def broken(s, t):
    """The first of them that does not hold, counted from 1; 0 if all do."""
    found = broken_cards(s, t)
    if found != 0:
        return found
    for seat in range(num_seats(t)):
        found = broken_seat(s, t, seat)
        if found != 0:
            return found
    found = broken_round(s, t)
    if found == 0:
        found = broken_turn(s, t)
    for seat in range(num_seats(t), MAX_SEATS):
        if found == 0 and has_something(s, seat):
            return 14
    return found


# ---------------------------------------------------------------- cards


@kernel
def dealt_cards(s, t):
    """RULES 4.3 and 9: the civilizations that can be in play: drawn from the deck, or dealt for the draft."""
    found = bits.ZERO
    if t["draft"]:
        for seat in range(num_seats(t)):
            found |= s["sights"][seat, 0]
    for place in range(s["drawn"]):
        found |= number_bit(np.int64(s["deck"][place]))
    return found


@kernel
def broken_cards(s, t):
    """Civilizations, wonders and special cards: each in one place, from the deal; coins on the market."""
    cards, wonders, specials = s["market"], s["wonder_market"], s["special_market"]
    number, built, taken = popcount(cards), popcount(wonders), popcount(specials)
    for seat in range(num_seats(t)):
        mine = s["own"][seat, G_INHERITED] | s["hand"][seat]
        number += popcount(s["own"][seat, G_INHERITED]) + popcount(s["hand"][seat])
        cards |= mine
        built += popcount(s["own"][seat, G_WONDER])
        wonders |= s["own"][seat, G_WONDER]
        if s["special"][seat] > 0:
            taken += 1
            specials |= number_bit(np.int64(s["special"][seat]))
    dealt = dealt_cards(s, t)
    if number != popcount(cards) or cards & ~(dealt & t["in_box"]) != bits.ZERO:
        return 1
    if built != popcount(wonders) or built != t["num_wonders"]:
        return 2
    if taken != popcount(specials) or taken != t["num_specials"]:
        return 3
    for place in range(CIVILIZATIONS):
        coins = s["card_coins"][place]
        if coins < 0 or (coins > 0 and s["market"] & bits.bit(place) == bits.ZERO):
            return 4
    return 0


# ---------------------------------------------------------------- a seat


@kernel
def broken_seat(s, t, seat):
    """What one seat has, and what follows from it."""
    workers = np.int64(s["workers"][seat])
    if s["coins"][seat] < 0 or s["points"][seat] < 0 or workers < 0 or workers > MAX_WORKERS:
        return 5
    if seat == s["seat"] and s["placed"] > workers:
        return 6
    mine, main = s["own"][seat, G_INHERITED], s["own"][seat, G_MAIN]
    has = popcount(mine)
    if has > MAX_CIVILIZATIONS or popcount(main) != min(1, has) or main & ~mine != bits.ZERO:
        return 7
    techs, unlocked = s["own"][seat, G_TECHNOLOGY], t["roots"]
    left = techs
    while left != bits.ZERO:
        unlocked |= t["unlocks"][lowest(left)]
        left = bits.rest(left)
    if techs & ~t["on_card"][s["special"][seat]] != bits.ZERO or s["unlocked"][seat] != unlocked:
        return 8
    return 0 if holds_always(s, t, seat) else 9


@owning
def holds_always(s, t, seat):
    """RULES 8: the sums, flags and live lanes, ability by ability."""
    flags, live = bits.ZERO, bits.ZERO
    sums = np.zeros(NUM_SUMS, np.int64)
    for group in range(NUM_GROUPS):
        left = s["own"][seat, group]
        while left != bits.ZERO:
            ability = base_of(group) + lowest(left)
            left = bits.rest(left)
            flags |= t["ability_flags"][ability]
            live |= t["ability_live"][ability]
            for k in range(NUM_SUMS):
                sums[k] += t["ability_sums"][ability, k]
    for k in range(NUM_SUMS):
        if sums[k] != s["sums"][seat, k]:
            return False
    return flags == s["flags"][seat] and live == s["live"][seat]


# ---------------------------------------------------------------- rounds and turns


@kernel
def actions_on(s, t, begin, end):
    """RULES 5: the actions of some cards of the track, and the permanent ones."""
    found = t["permanent"]
    for place in range(begin, end):
        action = np.int64(t["card_action"][s["track"][place]])
        if action >= 0:
            found |= bits.bit(action)
    return found


@kernel
def broken_round(s, t):
    """The track and whose turn it is."""
    cards = bits.ZERO
    for place in range(CARDS):
        if s["track"][place] < 0 or s["track"][place] >= CARDS:
            return 10
        cards |= bits.bit(s["track"][place])
    begin = np.int64(s["round"]) - 1
    if begin < 0 or begin >= ROUNDS or s["first"] < 0 or s["first"] >= num_seats(t):
        return 11
    if popcount(cards) != CARDS or s["open"] != actions_on(s, t, begin, begin + OPEN_CARDS):
        return 10
    if s["open_later"] != actions_on(s, t, begin, np.int64(CARDS)):
        return 10
    if not s["over"] and (np.int64(s["first"]) + np.int64(s["turn"])) % num_seats(t) != s["seat"]:
        return 11
    return 0


@kernel
def broken_turn(s, t):
    """What the seat to act has done in its turn."""
    full, red, used = bits.ZERO, np.int64(0), np.int64(0)
    for action in range(NUM_ACTS):
        red += np.int64(s["red"][action])
        used += np.int64(s["used"][action])
        if s["used"][action] >= t["spaces"][action]:
            full |= bits.bit(action)
    if s["placed"] < red:
        return 6
    if full != s["full"]:
        return 12
    if s["placed"] > 0 and not s["acted"]:
        return 13
    for seat in range(MAX_SEATS):
        if s["gains"][seat, 0] != 0 or s["gains"][seat, 1] != 0:
            return 13
    if (s["stage"] == S_DRAFT) != (s["pick"] < PICKS):
        return 13
    under_way = s["acted"] or s["action"] != 0 or s["by"] != 0 or s["tech"] != 0 or s["ability"] != 0
    under_way = under_way or s["row"] != 0 or s["left"] != 0 or used + red > 0
    return 13 if under_way and (s["stage"] == S_DRAFT or s["over"]) else 0


@kernel
def has_something(s, seat):
    """Does a seat have coins, points, workers, cards or abilities?"""
    found = s["hand"][seat] | s["flags"][seat] | s["live"][seat]
    for group in range(NUM_GROUPS):
        found |= s["own"][seat, group]
    return found != bits.ZERO or s["coins"][seat] != 0 or s["points"][seat] != 0 or s["workers"][seat] != 0
