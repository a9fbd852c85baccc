"""What holds in every state (RULES 1, 3 to 10), compiled: what the rules keep in step is counted anew.

Said once more, from the data files and for any state, in `check.py`; here it is counted by the million
(core/invariants.py).
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, owning, popcount
from genesia_rl.games.gentes.names import (
    CARDS,
    E_NONE,
    MAX_SEATS,
    NUM_ACTS,
    NUM_REWARDS,
    NUM_TYPES,
    PLACES,
    ROUNDS,
    S_APOGEE,
    S_BEGIN,
    S_SETTLE,
    S_TURN,
    SLOTS,
    TYPES_SLOTS,
)
from genesia_rl.games.gentes.rules.seats import number_bit

INVARIANTS = (
    "every card is in one place",
    "the decks hold the cards that are unseen, and none of an era that is over",
    "cards scored are in play, cards marked are in the display",
    "the recruiting tiles show every type once",
    "spaces of a track that are in use are no fewer than none and no more than there are",
    "coins are not negative, cubes have a slot each",
    "citizens of opposite types fit into their row, none is less than none",
    "a place holds the token of one seat at most; a seat has no more tokens than it was given",
    "what is done each time follows from the cards in play",
    "strength follows from citizens, real and virtual, and symbols from tokens",
    "action tiles that are taken are tiles of the game",
    "what belongs to a turn, an effect or a swap is forgotten when it is over",
    "it is a round of the game, with a first player",
    "a seat that is not in the game has nothing",
)
_BYTE = np.uint64(255)
_MOST_STRENGTH = np.int64(100)


@kernel
def broken(s, t):
    """The first of them that does not hold, counted from 1; 0 if all do."""
    found = broken_cards(s, t)
    if found != 0:
        return found
    for seat in range(t["seats"]):
        found = broken_seat(s, t, seat)
        if found != 0:
            return found
    return broken_course(s, t)


# ---------------------------------------------------------------- cards


@kernel
def broken_cards(s, t):
    """RULES 6 and 10: display, discard pile, decks, hands, cards in play."""
    shown, types = bits.ZERO, bits.ZERO
    number = np.int64(0)
    for slot in range(SLOTS):
        if s["display"][slot] > 0:
            shown |= number_bit(np.int64(s["display"][slot]))
            number += 1
    cards = shown | s["discard"] | s["open"]
    number += popcount(s["discard"]) + popcount(s["open"])
    for seat in range(t["seats"]):
        cards |= s["hand"][seat] | s["played"][seat]
        number += popcount(s["hand"][seat]) + popcount(s["played"][seat])
        if s["scored"][seat] & ~s["played"][seat] != bits.ZERO:
            return 3
    if s["stage"] > S_SETTLE:
        cards |= s["unseen"]
        number += popcount(s["unseen"])
        if not are_decks(s, t):
            return 2
    if number != popcount(cards) or cards >> np.uint64(CARDS) != bits.ZERO:
        return 1
    if s["marked"] & ~shown != bits.ZERO:
        return 3
    for slot in range(TYPES_SLOTS):
        types |= bits.bit(s["recruit"][slot])
    return 0 if popcount(types) == TYPES_SLOTS and types >> np.uint64(NUM_TYPES) == bits.ZERO else 4


@kernel
def are_decks(s, t):
    """RULES 3.7 and 10: what lies in the decks, less what is passed over."""
    found = bits.ZERO
    for place in range(CARDS):
        card = np.int64(s["deck"][place])
        if card > 0:
            found |= number_bit(card)
    for era in range(s["era"]):
        if s["unseen"] & t["era_cards"][era] != bits.ZERO:
            return False
    return found & ~s["gone"] == s["unseen"]


# ---------------------------------------------------------------- a seat


@kernel
def broken_seat(s, t, seat):
    """What one seat has, and what follows from it."""
    tiles, singles = np.int64(s["tiles"][seat]), np.int64(s["singles"][seat])
    doubles, locks = np.int64(s["doubles"][seat]), np.int64(s["locks"][seat])
    if min(tiles, singles, doubles, locks) < 0 or tiles + singles + doubles + locks > t["spaces"]:
        return 5
    temple, oracle = np.int64(s["temple"][seat]), np.int64(s["oracle"][seat])
    if s["coins"][seat] < 0 or min(temple, oracle) < 0 or max(temple, oracle) > t["cube_slots"]:
        return 6
    for kind in range(NUM_TYPES):
        mine = np.int64(s["citizens"][seat, kind])
        other = np.int64(s["citizens"][seat, np.int64(t["opposite"][kind])])
        if mine < 0 or mine + other > t["room"]:
            return 7
    if popcount(s["tokens"][seat]) > t["num_tokens"]:
        return 8
    for other_seat in range(seat):
        if s["tokens"][seat] & s["tokens"][other_seat] != bits.ZERO:
            return 8
    if not is_lasting(s, t, seat):
        return 9
    return 0 if is_strength(s, seat) and are_symbols(s, t, seat) else 10


@owning
def is_lasting(s, t, seat):
    """RULES 9: the effects of each time of the cards in play; a card just played counts after its action."""
    left = s["played"][seat] & ~s["scored"][seat] & t["lasting"]
    if s["seat"] == seat and s["card"] > 0:
        left &= ~number_bit(np.int64(s["card"]))
    virtual, hand = np.zeros(NUM_TYPES, np.int64), np.int64(0)
    each = np.zeros((2 + NUM_REWARDS, NUM_ACTS), np.int64)  # coins saved, hourglasses saved, what is brought
    while left != bits.ZERO:
        place = lowest(left)
        left = bits.rest(left)
        hand += t["each_hand"][place]
        for kind in range(NUM_TYPES):
            virtual[kind] += t["each_virtual"][place, kind]
        for act in range(NUM_ACTS):
            each[0, act] += t["each_discount"][place, act]
            each[1, act] += t["each_saving"][place, act]
            for what in range(NUM_REWARDS):
                each[2 + what, act] += t["each_bringing"][place, act, what]
    wrong = hand != s["hand_more"][seat]
    for kind in range(NUM_TYPES):
        wrong |= virtual[kind] != s["virtual"][seat, kind]
    for act in range(NUM_ACTS):
        wrong |= each[0, act] != s["discount"][seat, act] or each[1, act] != s["saving"][seat, act]
        for what in range(NUM_REWARDS):
            wrong |= each[2 + what, act] != s["bringing"][seat, act, what]
    return not wrong


@kernel
def is_strength(s, seat):
    """RULES 4: what needs are compared with, a byte for each type."""
    found = bits.ZERO
    for kind in range(NUM_TYPES):
        number = np.int64(s["citizens"][seat, kind]) + np.int64(s["virtual"][seat, kind])
        found |= np.uint64(min(number, _MOST_STRENGTH)) << np.uint64(8 * kind)
    return found == s["strength"][seat]


@kernel
def are_symbols(s, t, seat):
    """The symbols of the places that hold the seat's tokens, a byte each; every such place has one."""
    found, left = bits.ZERO, s["tokens"][seat]
    if left >> np.uint64(PLACES) != bits.ZERO:
        return False
    while left != bits.ZERO:
        here = t["place_symbols"][lowest(left)]
        left = bits.rest(left)
        if here == bits.ZERO:
            return False
        found += here
    return found == s["symbols"][seat]


# ---------------------------------------------------------------- the course of a game


@kernel
def is_under_way(s):
    """Is something noted of a turn or an effect?"""
    noted = s["source"] != 0 or s["act"] != 0 or s["amount"] != 0 or s["hours"] != 0 or s["row"] != 0
    noted = noted or s["chosen_cards"] != bits.ZERO or s["chosen_homes"] != bits.ZERO or s["chosen_does"] != 0
    noted = noted or s["recruited"] != 0 or s["taken_shown"] != 0 or s["last_slot"] != 0
    noted = noted or s["taken_piled"] != 0 or s["card"] != 0 or s["gain_row"] != 0
    return noted or s["symbol"] != 0 or s["lifted"] != 0


@kernel
def broken_course(s, t):
    """Rounds, turns, and what they leave behind."""
    if s["taken"] & ~(t["in_game"] | t["wild"]) != bits.ZERO:
        return 11
    between = s["stage"] == S_BEGIN or s["stage"] == S_APOGEE or s["stage"] == S_TURN or s["over"]
    if between and is_under_way(s):
        return 12
    if s["errand"] == E_NONE and (s["slots"] != 0 or s["due"] != 0 or s["lifted"] != 0):
        return 12
    if s["given"] != 0 and s["exchange"] == 0:
        return 12
    if s["round"] < 1 or s["round"] > ROUNDS or s["first"] < 0 or s["first"] >= t["seats"]:
        return 13
    for seat in range(t["seats"], MAX_SEATS):
        has = s["hand"][seat] | s["played"][seat] | s["tokens"][seat] | s["strength"][seat]
        used = np.int64(s["tiles"][seat]) + np.int64(s["singles"][seat]) + np.int64(s["locks"][seat])
        if has != bits.ZERO or s["coins"][seat] != 0 or used != 0:
            return 14
    return 0
