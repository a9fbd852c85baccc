"""The set-up (RULES 3): all chance of a game is here."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.gentes.actions import CARD_BASE, CITIZEN_BASE
from genesia_rl.games.gentes.names import (
    CARDS,
    DRAFT_KEPT,
    ERAS,
    K_DRAFT,
    K_SETTLE,
    NUM_TYPES,
    PLACES,
    S_BEGIN,
    S_DRAFT,
    S_SETTLE,
    TYPES_SLOTS,
)
from genesia_rl.games.gentes.rules.ask import allow_set, pose
from genesia_rl.games.gentes.rules.cards import add_lasting, fill_display, open_deck
from genesia_rl.games.gentes.rules.seats import (
    num_seats,
    number_bit,
    put_strength,
    recruit,
    recruitable,
    seat_in_order,
)

# ---------------------------------------------------------------- dealing


@kernel
def draw(cards, begin, end, number, stream):
    """Bring `number` random ones of the cards from begin to before end to the front, in random order."""
    for place in range(begin, begin + number):
        other = place + chance.below(chance.mix(stream), end - place)
        stream = chance.advance(stream)
        cards[place], cards[other] = cards[other], cards[place]
    return stream


@kernel
def deal_game(s, t, seed):
    """RULES 3: everything that is random."""
    stream = chance.mix(seed)
    s["first"] = chance.below(chance.mix(stream), num_seats(t))
    stream = chance.advance(stream)
    for slot in range(TYPES_SLOTS):
        s["recruit"][slot] = slot
    stream = draw(s["recruit"], 0, TYPES_SLOTS, TYPES_SLOTS, stream)
    deck = s["deck"]
    for place in range(CARDS):
        deck[place] = t["era_list"][place]
    number = np.int64(t["num_draft"])
    stream = draw(deck, 0, np.int64(t["era_start"][1]), number, stream)
    for place in range(number):
        s["open"] |= number_bit(np.int64(deck[place]))
    for era in range(ERAS):
        begin, end = np.int64(t["era_start"][era]), np.int64(t["era_start"][era + 1])
        stream = draw(deck, begin, end, end - begin, stream)


# ---------------------------------------------------------------- first hands and citizens


@kernel
def ask_draft(s, t):
    """PROTOCOL 2, draft: anticlockwise from the right of the first player, twice; False when it is over."""
    seats = num_seats(t)
    if t["first_game"] or s["turn"] >= DRAFT_KEPT * seats:
        s["turn"] = 0
        s["stage"] = S_SETTLE
        return False
    s["seat"] = (np.int64(s["first"]) - 1 - np.int64(s["turn"])) % seats
    pose(s, K_DRAFT)
    allow_set(s, CARD_BASE, s["open"])
    return True


@kernel
def apply_draft(s, action):
    """A card is kept."""
    card = number_bit(np.int64(action - CARD_BASE + 1))
    s["open"] &= ~card
    s["hand"][s["seat"]] |= card
    s["turn"] += 1


@kernel
def ask_settle(s, t):
    """PROTOCOL 2, settle: in seat order, all citizens of one after the other; False when it is over."""
    if t["first_game"]:
        settle_beginners(s, t)
    each = np.int64(t["start_citizens"])
    if t["first_game"] or s["turn"] >= num_seats(t) * each:
        s["turn"] = 0
        form_decks(s, t)
        s["stage"] = S_BEGIN
        return False
    seat = seat_in_order(s, t, np.int64(s["turn"]) // each)
    s["seat"] = seat
    pose(s, K_SETTLE)
    allow_set(s, CITIZEN_BASE, recruitable(s, t, seat))
    return True


@kernel
def apply_settle(s, t, action):
    """A first citizen."""
    recruit(s, t, np.int64(s["seat"]), np.int64(action - CITIZEN_BASE))
    s["turn"] += 1


@kernel
def settle_beginners(s, t):
    """RULES 3.5: cards and citizens of the k-th seat in seat order are those of place k."""
    for place in range(num_seats(t)):
        seat = seat_in_order(s, t, np.int64(place))
        s["hand"][seat] = t["beginner_cards"][place]
        for kind in range(NUM_TYPES):
            s["citizens"][seat, kind] = t["beginner_citizens"][place, kind]
            put_strength(s, seat, kind)


@kernel
def form_decks(s, t):
    """RULES 3.3 and 3.5 to 3.7: what is no longer available is passed over; the display is filled."""
    for seat in range(num_seats(t)):
        s["gone"] |= s["hand"][seat]
    if t["small"]:
        s["gone"] |= s["open"]
    s["open"] = bits.ZERO
    s["unseen"] = ~s["gone"] & (t["era_cards"][0] | t["era_cards"][1] | t["era_cards"][2])
    open_deck(s, t)
    fill_display(s, t)


# ---------------------------------------------------------------- what follows from a position


@kernel
def lay_out(s, t):
    """What follows from cards in play, citizens and tokens of a position; right after a deal there are none."""
    if s["stage"] == S_DRAFT:
        return
    for seat in range(num_seats(t)):
        lay_out_seat(s, t, seat)


@kernel
def lay_out_seat(s, t, seat):
    """The same of one seat."""
    left = s["played"][seat]
    while left != bits.ZERO:
        add_lasting(s, t, seat, np.int64(lowest(left)) + 1)
        left = bits.rest(left)
    for kind in range(NUM_TYPES):
        put_strength(s, seat, kind)
    for place in range(PLACES):
        if s["tokens"][seat] & bits.bit(place) != bits.ZERO:
            s["symbols"][seat] += t["place_symbols"][place]
