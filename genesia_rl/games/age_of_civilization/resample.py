"""Another game that one seat could not tell from this one (RULES 11), for search and for leak tests.

Without draft the deck is hidden, and nothing else. With draft the hands of the others are, and what they have seen
and kept. What the seat knows of the draft are the packs it has held: a pack's 7 cards leave it in 7 slots
(slot k: the pick of round k by the seat that held it then; the last two are left over).

    first sight of the pack by the seat
    slots before it        cards the seat has never seen: redrawn together with the cards that were not dealt
    its own slots          known
    slots between sights   known as a set: redistributed among themselves
    slots after the last   likewise; of these the cards left over are known once the draft is over

Cards that came into play out of a hand since are public: in a known set they stay in the slot of the seat that has
them, of the slots before the first sight they take any of that seat's.

What is redrawn is put in order first. So what is drawn depends on what the seat can see and on the seed
alone: whatever a search does with it can depend on nothing else.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, lowest, owning, popcount
from genesia_rl.games.age_of_civilization.names import (
    CIVILIZATIONS,
    K_CIVILIZATION,
    K_DRAFT,
    MAX_SEATS,
    PACK,
    PICKS,
    S_DRAFT,
)
from genesia_rl.games.age_of_civilization.rules.abilities import civilizations_of, num_seats, number_bit
from genesia_rl.games.age_of_civilization.rules.civilizations import ask_civilization
from genesia_rl.games.age_of_civilization.rules.draft import ask_draft
from genesia_rl.games.age_of_civilization.rules.setup import draw

SEEN_NEVER = np.int64(-1)


@kernel
def resample(states, i, into, j, tables, seat, seed):
    """Write into `into[j]` a game that the seat cannot tell from `states[i]`."""
    into[j] = states[i]
    s, t = into[j], tables[0]
    stream = chance.mix(seed)
    if not t["draft"]:
        draw_deck(s, t, stream)
        return
    if was_drafted(s, seat):
        draw_draft(s, t, seat, stream)
    else:
        draw_hands(s, t, seat, stream)
    if s["seat"] >= 0 and s["seat"] != seat:
        ask_again(s, t)


@kernel
def ask_again(s, t):
    """What another seat may do follows its hand."""
    if s["kind"] == K_DRAFT:
        ask_draft(s, t)
    elif s["kind"] == K_CIVILIZATION:
        ask_civilization(s, t)


@kernel
def was_drafted(s, seat):
    """Was there a draft? Not in a game from an explicit position."""
    return s["sights"][seat, 0] != bits.ZERO


@kernel
def in_play(s, t):
    """The civilizations that everybody can see."""
    found = s["market"]
    for seat in range(num_seats(t)):
        found |= civilizations_of(s, seat)
    return found


@kernel
def put_members(members, cards, size):
    """Write the numbers of a set behind the first `size` cards; returns how many there are now."""
    while members != bits.ZERO:
        cards[size] = lowest(members) + 1
        members = bits.rest(members)
        size += 1
    return size


@owning
def draw_some(members, number, stream):
    """So many random members of a set, as a set."""
    cards = np.empty(CIVILIZATIONS, np.int8)
    size = put_members(members, cards, 0)
    draw(cards, size, number, stream)
    found = bits.ZERO
    for place in range(number):
        found |= number_bit(np.int64(cards[place]))
    return found


# ---------------------------------------------------------------- without draft, or without its history


@owning
def draw_deck(s, t, stream):
    """The rest of the deck: any cards that nobody has seen, in any order."""
    cards = np.empty(CIVILIZATIONS, np.int8)
    size = put_members(t["in_box"] & ~in_play(s, t), cards, 0)
    left = np.int64(s["deck_size"]) - np.int64(s["drawn"])
    draw(cards, size, left, stream)
    for place in range(left):
        s["deck"][s["drawn"] + place] = cards[place]


@kernel
def draw_hands(s, t, seat, stream):
    """After an explicit position: the others' hands are any cards that the seat does not see."""
    left = t["in_box"] & ~in_play(s, t) & ~s["hand"][seat]
    for other in range(num_seats(t)):
        if other != seat:
            s["hand"][other] = draw_some(left, popcount(s["hand"][other]), stream)
            left &= ~s["hand"][other]
            stream = chance.mix(stream)


# ---------------------------------------------------------------- the draft, slot by slot


@kernel
def holder(t, pack, pick):
    """RULES 9: the seat that holds a pack at a pick; a pack has the number of the first."""
    return (pack + pick) % num_seats(t)


@kernel
def picks_made(s, t, seat):
    """How many cards the seat has kept."""
    made = np.int64(s["pick"])
    if s["stage"] == S_DRAFT and (seat - s["first"]) % num_seats(t) < s["turn"]:
        made += 1
    return made


@kernel
def sights_had(s):
    """How many packs every seat has held."""
    return min(np.int64(PICKS), np.int64(s["pick"]) + 1)


@kernel
def read_slots(s, t, slots):
    """The slots of every pack as they are: the cards kept, then those left in any order."""
    for pack in range(num_seats(t)):
        left = s["sights"][pack, 0]
        taken = 0
        for pick in range(PICKS):
            who = holder(t, pack, pick)
            if pick < picks_made(s, t, who):
                slots[pack, taken] = s["picks"][who, pick]
                left &= ~number_bit(slots[pack, taken])
                taken += 1
        put_members(left, slots[pack], taken)


@owning
def draw_draft(s, t, seat, stream):
    """All that the seat does not know of the draft."""
    slots = np.zeros((MAX_SEATS, PACK), np.int64)
    read_slots(s, t, slots)
    for pack in range(num_seats(t)):
        stream = draw_groups(s, t, seat, slots, pack, stream)
    stream = draw_unseen(s, t, seat, slots, stream)
    write_slots(s, t, seat, slots)


@kernel
def last_sight(s, t, seat, pack, pick):
    """The last pick, up to this one, at which the seat held the pack; -1 if it had not held it."""
    for before in range(min(pick, sights_had(s) - 1), -1, -1):
        if holder(t, pack, before) == seat:
            return np.int64(before)
    return SEEN_NEVER


@kernel
def is_public(s, t, pack, pick, card):
    """Is it known of this slot what it holds: a card left over, or one that its seat has in play?"""
    if pick >= PICKS:
        return s["stage"] != S_DRAFT
    return civilizations_of(s, holder(t, pack, pick)) & ~s["left_over"] & number_bit(card) != bits.ZERO


@owning
def draw_groups(s, t, seat, slots, pack, stream):
    """The slots between two sights of the seat, and those after its last, in any order among themselves."""
    free = np.empty(PACK, np.int64)
    cards = np.empty(PACK, np.int64)
    for sight in range(sights_had(s)):
        if holder(t, pack, sight) != seat:
            continue
        size = 0
        members = bits.ZERO
        for pick in range(sight, PACK):
            own = pick < PICKS and holder(t, pack, pick) == seat and pick < picks_made(s, t, seat)
            if last_sight(s, t, seat, pack, pick) != sight or own:
                continue
            if not is_public(s, t, pack, pick, slots[pack, pick]):
                free[size] = pick
                size += 1
                members |= number_bit(slots[pack, pick])
        put_members(members, cards, 0)
        stream = draw(cards, size, size, stream)
        for place in range(size):
            slots[pack, free[place]] = cards[place]
    return stream


@owning
def draw_unseen(s, t, seat, slots, stream):
    """The slots of packs that the seat had not held yet: cards it has never seen, or that have come into play."""
    pool = t["in_box"]
    for pick in range(PICKS):
        pool &= ~s["sights"][seat, pick]
    for other in range(num_seats(t)):
        pool &= ~civilizations_of(s, other)
    cards = np.empty(CIVILIZATIONS, np.int64)
    size = put_members(pool, cards, 0)
    stream = draw(cards, size, size, stream)
    used = 0
    for other in range(num_seats(t)):
        used, stream = draw_unseen_of(s, t, seat, other, slots, cards, used, stream)
    for pack in range(num_seats(t)):
        for pick in range(PICKS, PACK):
            if last_sight(s, t, seat, pack, pick) == SEEN_NEVER:
                slots[pack, pick] = cards[used]
                used += 1
    return stream


@owning
def draw_unseen_of(s, t, seat, other, slots, cards, used, stream):
    """Those of them that a seat keeps or will keep: its cards in play that were never seen, then any others."""
    free = np.empty(PACK * MAX_SEATS, np.int64)
    size = 0
    public = civilizations_of(s, other) & ~s["left_over"]
    for pick in range(PICKS):
        public &= ~s["sights"][seat, pick]
        pack = (other - pick) % num_seats(t)
        if last_sight(s, t, seat, pack, pick) == SEEN_NEVER:
            free[size] = pack * PACK + pick
            size += 1
    stream = draw(free, size, size, stream)
    for place in range(size):
        if public != bits.ZERO:
            card = np.int64(lowest(public)) + 1
            public = bits.rest(public)
        else:
            card = np.int64(cards[used])
            used += 1
        slots[free[place] // PACK, free[place] % PACK] = card
    return used, stream


@kernel
def write_slots(s, t, seat, slots):
    """What the others have seen and kept, from the slots."""
    for other in range(num_seats(t)):
        if other == seat:
            continue
        kept = bits.ZERO
        for pick in range(PICKS):
            pack = (other - pick) % num_seats(t)
            if pick < sights_had(s):
                s["sights"][other, pick] = contents(slots, pack, pick)
            if pick < picks_made(s, t, other):
                s["picks"][other, pick] = slots[pack, pick]
                kept |= number_bit(slots[pack, pick])
        s["hand"][other] = kept & ~civilizations_of(s, other)


@kernel
def contents(slots, pack, pick):
    """The cards of a pack at a pick."""
    found = bits.ZERO
    for place in range(pick, PACK):
        found |= number_bit(slots[pack, place])
    return found
