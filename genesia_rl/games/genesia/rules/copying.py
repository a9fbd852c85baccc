"""The copy window (RULES 7, Copying).

When a turn card's effects are completed, the holders of a matching copy card that they can pay may
answer, in turn order after the seat that played it, once each. The copier executes the effects at
once, then uses the card's free moves in a small turn of its own.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.genesia.actions import CARD_BASE, CARD_WORD, END_ACTION
from genesia_rl.games.genesia.names import CARD_WORDS, K_COPY, T_SMALL_TURN
from genesia_rl.games.genesia.rules.effects import start_effects
from genesia_rl.games.genesia.rules.growth import pay_card
from genesia_rl.games.genesia.rules.legal import allow, payable, pose
from genesia_rl.games.genesia.rules.players import num_seats, place_in_order
from genesia_rl.games.genesia.rules.tasks import pop, push


@kernel
def can_copy(s, t, seat):
    """Does the seat hold a copy card for the window's card that it can pay?"""
    for word in range(CARD_WORDS):
        if payable(s, t, seat, word) & t["copiers"][s["window_card"], word] != bits.ZERO:
            return True
    return False


@kernel
def ask_copy(s, t):
    """The next holder is asked; False when all have been passed."""
    seats = num_seats(t)
    first = place_in_order(s, t, s["window_seat"])
    while s["window_passed"] < seats - 1:
        s["window_passed"] += 1
        seat = np.int64(s["order"][(first + s["window_passed"]) % seats])
        if can_copy(s, t, seat):
            pose(s, K_COPY, seat)
            allow(s, END_ACTION)
            for word in range(CARD_WORDS):
                s["legal"][CARD_WORD + word] |= (
                    payable(s, t, seat, word) & t["copiers"][s["window_card"], word]
                )
            return True
    s["window_card"] = 0
    s["window_seat"] = 0
    s["window_passed"] = 0
    pop(s)
    return False


@kernel
def mark(s, seat, card):
    """R10: a copied Invention is marked with a clan from supply for the rest of the game, if one is there."""
    bits.add(s["inventions"][seat], card)
    if s["clan_supply"][seat] > 0:
        s["clan_supply"][seat] -= 1
        bits.add(s["marked"][seat], card)


@kernel
def apply_copy(s, t, action):
    """The copier pays the copy card only; a copied Invention is its own from now on."""
    if action == END_ACTION:
        return
    seat = np.int64(s["seat"])
    card = np.int64(s["window_card"])
    pay_card(s, t, seat, action - CARD_BASE)
    if t["invention"][card] > 0:
        mark(s, seat, card)
    if t["moves_on"][card] > 0:
        s["small_seat"] = seat
        push(s, T_SMALL_TURN)
    start_effects(s, seat, card, True)
