"""The start of an Age and the draft (RULES 5.A)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, owning
from genesia_rl.games.genesia.actions import CARD_BASE, CARD_WORD
from genesia_rl.games.genesia.names import CARD_WORDS, DRAFT, GROWTH, HAND, K_DRAFT, MAX_SEATS
from genesia_rl.games.genesia.rules.legal import pose
from genesia_rl.games.genesia.rules.players import num_seats, turn_seat


@kernel
def start_age(s, t, age):
    """Coins from the reserve and a pack each; without a draft (solo) the pack is the hand."""
    s["age"] = age
    s["turn"] = 0
    for seat in range(num_seats(t)):
        s["coins"][seat] += t["age_coins"]
        for place in range(HAND):
            s["picks"][seat, place] = 0
        for place in range(t["hand_size"][age]):
            card = np.int64(s["packs"][age, seat, place])
            bits.add(s["held"][seat] if t["with_draft"] else s["hand"][seat], card)
        for word in range(CARD_WORDS):
            s["discarded"][seat, word] = bits.ZERO
            for pick in range(HAND):
                s["seen"][seat, pick, word] = bits.ZERO
            s["seen"][seat, 0, word] = s["held"][seat, word]
    s["phase"] = DRAFT if t["with_draft"] else GROWTH


@kernel
def ask_draft(s, t):
    """Every seat in turn order keeps one card of the pack it holds; all picks are simultaneous."""
    seat = turn_seat(s)
    pose(s, K_DRAFT, seat)
    for word in range(CARD_WORDS):
        s["legal"][CARD_WORD + word] = s["held"][seat, word]


@kernel
def apply_draft(s, t, action):
    """The card is kept; when all have picked the packs are passed."""
    seat, card = np.int64(s["seat"]), action - CARD_BASE
    bits.drop(s["held"][seat], card)
    bits.add(s["hand"][seat], card)
    s["picks"][seat, s["pick"]] = card
    s["turn"] += 1
    if s["turn"] == num_seats(t):
        s["turn"] = 0
        s["pick"] += 1
        if s["pick"] == HAND:
            close_draft(s, t)
        else:
            pass_packs(s, t)


@owning
def pass_packs(s, t):
    """R1: to the left neighbour (the next seat) in Ages I and III, to the right one in Age II."""
    seats = num_seats(t)
    step = seats - 1 if s["age"] == 1 else 1
    before = np.empty(MAX_SEATS, np.uint64)
    for word in range(CARD_WORDS):
        for seat in range(seats):
            before[seat] = s["held"][seat, word]
        for seat in range(seats):
            taker = (seat + step) % seats
            s["held"][taker, word] = before[seat]
            s["seen"][taker, s["pick"], word] = before[seat]


@kernel
def close_draft(s, t):
    """The one card left in each pack leaves the game unseen; Growth begins."""
    for seat in range(num_seats(t)):
        for word in range(CARD_WORDS):
            s["held"][seat, word] = bits.ZERO
    s["pick"] = 0
    s["phase"] = GROWTH
