"""The legal set of a decision: posing it, and collecting what several phases allow (PROTOCOL 2)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.genesia.actions import (
    AMOUNT_BASE,
    CARD_WORD,
    DISCARD_WORD,
    EDGE_WORD,
    LEGAL_WORDS,
    REGION_WORD,
)
from genesia_rl.games.genesia.names import CARD_WORDS, REGION_WORDS, UNTIL_NONE
from genesia_rl.games.genesia.rules.pieces import may_stop
from genesia_rl.games.genesia.tables import MAX_COST


@kernel
def pose(s, kind, seat):
    """A decision of this kind is asked of this seat; nothing is legal yet."""
    s["kind"] = kind
    s["seat"] = seat
    for word in range(LEGAL_WORDS):
        s["legal"][word] = bits.ZERO


@kernel
def allow(s, action):
    """This action is legal."""
    s["legal"][action >> 6] |= bits.bit(action)


@kernel
def allow_amounts(s, least, most):
    """The numbers least..most are legal."""
    for number in range(least, most + 1):
        allow(s, AMOUNT_BASE + number)


@kernel
def allow_region_word(s, word, regions):
    """One word of regions is legal."""
    s["legal"][REGION_WORD + word] |= regions


@kernel
def payable(s, t, seat, word):
    """One word of the cards in the seat's hand that it can pay (PROTOCOL 2, playable)."""
    coins = min(np.int64(s["coins"][seat]), MAX_COST)
    return s["hand"][seat, word] & t["affordable"][coins, word]


@kernel
def allow_turn_cards(s, t, seat, icon):
    """Playable turn cards that bear the icon of the phase."""
    for word in range(CARD_WORDS):
        s["legal"][CARD_WORD + word] |= payable(s, t, seat, word) & t["turn_cards"][icon, word]


@kernel
def allow_discards(s, seat):
    """RULES 5.B: every card in hand may be discarded."""
    for word in range(CARD_WORDS):
        s["legal"][DISCARD_WORD + word] |= s["hand"][seat, word]


@kernel
def num_legal(s):
    """How many actions are legal."""
    return bits.num_members(s["legal"])


@kernel
def first_legal(s):
    """The lowest legal action; there must be one."""
    return bits.first_member(s["legal"])


# ---------------------------------------------------------------- moves


@kernel
def tolls_waived(s, seat):
    """Does the effect `no_toll` hold for the seat?"""
    return s["no_toll_until"][seat] != UNTIL_NONE


@kernel
def allow_first_steps(s, t, seat, free, coins):
    """Every legal first step of a move, with so many free moves and coins to pay for all of it.

    A step costs a free move, or a coin when there is none. A step into a region where the mover may
    not stop costs its toll as well and must leave enough for a route to a place to stop (R2). The
    nearest such place is always the origin, one step back, so that one more payable step is enough.
    """
    if free + coins < 1:
        return
    can_cross_free = free + coins >= 2
    can_cross_toll = can_cross_free if tolls_waived(s, seat) else coins >= 1 + max(0, 2 - free)
    enter_0, enter_1 = bits.ZERO, bits.ZERO
    for word in range(REGION_WORDS):
        enter = may_stop(s, t, seat, word)
        if can_cross_toll:
            enter = t["all_regions"][word]
        elif can_cross_free:
            enter |= t["homelands"][word]
        if word == 0:
            enter_0 = enter
        else:
            enter_1 = enter
    for word in range(REGION_WORDS):
        origins = s["clan_regions"][seat, word]
        while origins != bits.ZERO:
            a = word * 64 + lowest(origins)
            origins = bits.rest(origins)
            _allow_edges_from(s, t, a, enter_0, enter_1)


@kernel
def _allow_edges_from(s, t, a, enter_0, enter_1):
    """The edges from region a into a set of regions."""
    place = EDGE_WORD + t["edge_word"][a]
    closed = (t["adjacent"][a, 0] & ~enter_0) | (t["adjacent"][a, 1] & ~enter_1)
    if closed == bits.ZERO:
        s["legal"][place] |= t["edge_all"][a]
        return
    edge = bits.bit(t["edge_shift"][a])
    for k in range(t["degree"][a]):
        b = t["neighbour"][a, k]
        enter = enter_0 if b < 64 else enter_1
        if enter & bits.bit(b) != bits.ZERO:
            s["legal"][place] |= edge
        edge = edge << bits.ONE
