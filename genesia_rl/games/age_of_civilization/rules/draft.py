"""The draft of civilizations (RULES 9)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.age_of_civilization.actions import CARD_BASE
from genesia_rl.games.age_of_civilization.names import K_DRAFT, PICKS
from genesia_rl.games.age_of_civilization.rules.abilities import num_seats, number_bit
from genesia_rl.games.age_of_civilization.rules.ask import allow_set, pose
from genesia_rl.games.age_of_civilization.rules.rounds import begin_turn, seat_in_order


@kernel
def ask_draft(s, t):
    """PROTOCOL 2, draft: each card of the pack that the seat holds."""
    s["seat"] = seat_in_order(s, t, np.int64(s["turn"]))
    pose(s, K_DRAFT)
    allow_set(s, CARD_BASE, s["sights"][s["seat"], s["pick"]])


@kernel
def apply_draft(s, t, action):
    """A card is kept; when all have kept one the packs pass."""
    seat, number = np.int64(s["seat"]), action - CARD_BASE + 1
    s["picks"][seat, s["pick"]] = number
    s["hand"][seat] |= number_bit(number)
    s["turn"] += 1
    if s["turn"] == num_seats(t):
        s["turn"] = 0
        s["pick"] += 1
        if s["pick"] == PICKS:
            end_draft(s, t)
        else:
            pass_packs(s, t)


@kernel
def rest_of_pack(s, seat, pick):
    """What is left of the pack that the seat held at a pick, now that it has kept a card."""
    return s["sights"][seat, pick] & ~number_bit(np.int64(s["picks"][seat, pick]))


@kernel
def pass_packs(s, t):
    """Every pack goes to the left neighbour."""
    pick = np.int64(s["pick"])
    for seat in range(num_seats(t)):
        to = seat + 1 if seat + 1 < num_seats(t) else 0
        s["sights"][to, pick] = rest_of_pack(s, seat, pick - 1)


@kernel
def end_draft(s, t):
    """The cards left over form the market."""
    found = bits.ZERO
    for seat in range(num_seats(t)):
        found |= rest_of_pack(s, seat, np.int64(PICKS - 1))
    s["market"] = found
    s["left_over"] = found
    begin_turn(s, t)
