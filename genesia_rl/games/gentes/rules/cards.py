"""The display, the decks and the discard pile (RULES 6 and 10), and what a card in play adds (RULES 9)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, popcount
from genesia_rl.games.gentes.names import NUM_ACTS, NUM_REWARDS, NUM_TYPES, SLOTS
from genesia_rl.games.gentes.rules.seats import number_bit, put_strength

# ---------------------------------------------------------------- decks


@kernel
def deck_size(s, t):
    """How many cards the present deck has."""
    era = np.int64(s["era"])
    return np.int64(popcount(s["unseen"] & t["era_cards"][era])) - np.int64(s["boxed"][era])


@kernel
def next_card(s):
    """The next card of the present deck that is not passed over; its place stays zero."""
    while True:
        place = np.int64(s["next"])
        s["next"] += 1
        card = np.int64(s["deck"][place])
        if card > 0 and s["gone"] & number_bit(card) == bits.ZERO:
            return card


@kernel
def draw_card(s):
    """Take the next card of the present deck."""
    card = next_card(s)
    s["deck"][s["next"] - 1] = 0
    s["unseen"] &= ~number_bit(card)
    return card


@kernel
def open_deck(s, t):
    """The deck of the present era begins, after the cards that go to the box unseen."""
    s["next"] = t["era_start"][s["era"]]
    for _ in range(s["boxed"][s["era"]]):
        next_card(s)


# ---------------------------------------------------------------- the display


@kernel
def shown(s):
    """The cards of the display, as a set."""
    found = bits.ZERO
    for slot in range(SLOTS):
        if s["display"][slot] > 0:
            found |= number_bit(np.int64(s["display"][slot]))
    return found


@kernel
def slide(s):
    """Cards slide to the left; returns how many there are."""
    size = np.int64(0)
    for slot in range(SLOTS):
        card = s["display"][slot]
        if card > 0:
            s["display"][slot] = 0
            s["display"][size] = card
            size += 1
    return size


@kernel
def fill_display(s, t):
    """RULES 6: the display slides to the left and is filled from the deck as far as it goes."""
    size = slide(s)
    if size == SLOTS:
        return
    for slot in range(size, min(np.int64(SLOTS), size + deck_size(s, t))):
        s["display"][slot] = draw_card(s)


@kernel
def take_shown(s, seat, card):
    """A card of the display comes into the hand and leaves a gap; it loses its mark. Returns its slot."""
    slot = 0
    while s["display"][slot] != card:
        slot += 1
    s["display"][slot] = 0
    s["marked"] &= ~number_bit(card)
    s["hand"][seat] |= number_bit(card)
    return slot


@kernel
def drop_marked(s, t):
    """RULES 10: the marked cards of the display go to the box."""
    if s["marked"] == bits.ZERO:
        return
    for slot in range(SLOTS):
        card = np.int64(s["display"][slot])
        if card > 0 and s["marked"] & number_bit(card) != bits.ZERO:
            s["display"][slot] = 0
    s["marked"] = bits.ZERO
    fill_display(s, t)


@kernel
def change_era(s, t):
    """RULES 10: display and deck go to the discard pile; cards of the next era are laid out."""
    s["discard"] |= shown(s)
    while deck_size(s, t) > 0:
        s["discard"] |= number_bit(draw_card(s))
    for place in range(t["era_start"][s["era"]], t["era_start"][s["era"] + 1]):
        s["deck"][place] = 0
    s["unseen"] &= ~t["era_cards"][s["era"]]
    s["boxed"][s["era"]] = 0
    s["gone"] = bits.ZERO
    for slot in range(SLOTS):
        s["display"][slot] = 0
    s["era"] += 1
    open_deck(s, t)
    fill_display(s, t)


# ---------------------------------------------------------------- cards in play


@kernel
def add_lasting(s, t, seat, card):
    """RULES 9: what a card in play does each time."""
    if t["lasting"] & number_bit(card) == bits.ZERO:
        return
    place = card - 1
    for kind in range(NUM_TYPES):
        if t["each_virtual"][place, kind] > 0:
            s["virtual"][seat, kind] += t["each_virtual"][place, kind]
            put_strength(s, seat, kind)
    for act in range(NUM_ACTS):
        s["discount"][seat, act] += t["each_discount"][place, act]
        s["saving"][seat, act] += t["each_saving"][place, act]
        for what in range(NUM_REWARDS):
            s["bringing"][seat, act, what] += t["each_bringing"][place, act, what]
    s["hand_more"][seat] += t["each_hand"][place]
