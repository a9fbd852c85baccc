"""The set-up (RULES 4): all chance of a game is here."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.age_of_civilization.names import (
    CARDS,
    CIVILIZATIONS,
    EVENTS,
    G_TECHNOLOGY,
    MARKET,
    PACK,
    PICKS,
    S_CIVILIZATION,
    S_DRAFT,
    SOLO_PLAGUE,
    SPECIALS,
    WONDERS,
)
from genesia_rl.games.age_of_civilization.rules.abilities import num_seats, number_bit, refresh
from genesia_rl.games.age_of_civilization.rules.civilizations import draw_card
from genesia_rl.games.age_of_civilization.rules.rounds import open_cards, seat_in_order

# ---------------------------------------------------------------- drawing


@kernel
def draw(cards, size, number, stream):
    """Bring `number` random ones of the first `size` cards to the front, in random order; the stream goes on."""
    for place in range(number):
        other = place + chance.below(chance.mix(stream), size - place)
        stream = chance.advance(stream)
        cards[place], cards[other] = cards[other], cards[place]
    return stream


@kernel
def draw_set(cards, size, number, stream):
    """So many random ones of the numbers 1..size, as a set; `cards` is room for them."""
    for place in range(size):
        cards[place] = place + 1
    stream = draw(cards, size, number, stream)
    found = bits.ZERO
    for place in range(number):
        found |= number_bit(np.int64(cards[place]))
    return found, stream


@kernel
def deal_game(s, t, seed):
    """RULES 4: everything that is random."""
    cards = s["deck"]  # all is drawn in the room of the deck, which is dealt last
    stream = chance.mix(seed)
    s["first"] = chance.below(chance.mix(stream), num_seats(t))
    stream = deal_track(s, t, cards, chance.advance(stream))
    s["wonder_market"], stream = draw_set(cards, np.int64(WONDERS), np.int64(t["num_wonders"]), stream)
    if t["num_specials"] > 0:
        s["special_market"], stream = draw_set(cards, np.int64(SPECIALS), np.int64(t["num_specials"]), stream)
    if t["num_events"] > 0:
        _, stream = draw_set(cards, np.int64(EVENTS), np.int64(t["num_events"]), stream)
        for place in range(t["num_events"]):
            s["events"][place] = cards[place]
    deal_civilizations(s, t, cards, stream)


@kernel
def deal_track(s, t, cards, stream):
    """RULES 4.1: random, or that of the first game; in solo the Plague is the fifth card."""
    for place in range(CARDS):
        cards[place] = t["first_game"][place]
    if t["solo"]:
        put_plague_last(t, cards)
        stream = draw(cards, np.int64(CARDS - 1), np.int64(CARDS - 1), stream)
        cards[SOLO_PLAGUE], cards[CARDS - 1] = cards[CARDS - 1], cards[SOLO_PLAGUE]
    elif not t["fixed_track"]:
        stream = draw(cards, np.int64(CARDS), np.int64(CARDS), stream)
    for place in range(CARDS):
        s["track"][place] = cards[place]
    return stream


@kernel
def put_plague_last(t, cards):
    """The Plague out of the way of the other cards."""
    for place in range(CARDS - 1):
        if cards[place] == t["plague"]:
            cards[place], cards[CARDS - 1] = cards[CARDS - 1], cards[place]


@kernel
def deal_civilizations(s, t, cards, stream):
    """RULES 4.3 and 9: the deck, of which only what can come into play is dealt, or a pack for every seat."""
    size, seats = np.int64(t["num_box"]), num_seats(t)
    for place in range(size):
        cards[place] = t["box"][place]
    if t["draft"]:
        draw(cards, size, PACK * seats, stream)
        for place in range(PACK * seats):
            s["sights"][place // PACK, 0] |= number_bit(np.int64(cards[place]))
    else:
        draw(cards, size, np.int64(t["num_deck"]), stream)
        s["deck_size"] = t["num_deck"]
    for place in range(s["deck_size"], CIVILIZATIONS):
        cards[place] = 0


# ---------------------------------------------------------------- beginning


@kernel
def begin_dealt(s, t):
    """RULES 4.3 and 9: the first market is revealed, or the draft begins."""
    s["stage"] = S_DRAFT if t["draft"] else S_CIVILIZATION
    s["seat"] = s["first"]
    if not t["draft"]:
        s["pick"] = PICKS
        for _ in range(MARKET):
            draw_card(s)


@kernel
def lay_out(s, t):
    """What follows from a deal or from the cards of a position."""
    open_cards(s, t)
    for seat in range(num_seats(t)):
        refresh(s, t, seat)
        s["unlocked"][seat] = t["roots"]
        left = s["own"][seat, G_TECHNOLOGY]
        while left != bits.ZERO:
            s["unlocked"][seat] |= t["unlocks"][lowest(left)]
            left = bits.rest(left)
    s["seat"] = seat_in_order(s, t, np.int64(s["turn"]))
