"""Another game that one seat could not tell from this one (RULES 9), for search and for leak tests.

All that the seat cannot see is drawn anew, each world that agrees with all it knows being equally likely: the
others' hands, discards and picks, their objectives and unrevealed stances, the cards that are still packed,
later Ages. What it knows of the draft are the packs it has held: a pack's 6 cards leave it in 6 slots (slot r:
the pick of round r by the seat that held it then; the last is the card left over).

    first sight of the pack by the seat
    slots before it        cards the seat has never seen: redrawn together with the undealt cards
    its own slots          known
    slots between sights   known as a set: redistributed among themselves
    slots after the last   likewise

Cards that were played since are public: they were picked by the seat that played them. Among the slots that
are known as a set every other seat has one at most, which then holds the card; of the slots before the first
sight it may be any of that seat's.

What is redrawn is put in order first. So what is drawn depends on what the seat can see and on the seed
alone: whatever a search does with it can depend on nothing else.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, owning
from genesia_rl.games.genesia.names import (
    AGES,
    CARD_WORDS,
    DRAFT,
    HAND,
    K_COPY,
    K_DEFENCE,
    K_REINFORCE,
    MAX_CARD,
    MAX_OBJECTIVE,
    MAX_SEATS,
    NO_STANCE,
    PACK,
    PEACE,
    SETUP,
    STEP_STANCE,
    WAR,
)
from genesia_rl.games.genesia.rules.attack import must_choose_peace
from genesia_rl.games.genesia.rules.legal import num_legal, payable
from genesia_rl.games.genesia.rules.players import num_seats, place_in_order
from genesia_rl.games.genesia.rules.setup import deal_packs, draw_below, shuffle
from genesia_rl.games.genesia.rules.turn import ask


@kernel
def resample(states, i, into, j, tables, seat, seed):
    """Write into `into[j]` a game that the seat cannot tell from `states[i]`.

    That another seat is being asked is known to all. When it is asked because of a card in its hand
    (a copy, a defence, a reinforcement), it holds such a card: hands without one are drawn again.
    """
    t = tables[0]
    into[j] = states[i]
    s = into[j]
    s["rng"] = seed
    draw_cards(s, t, seat)
    while not can_answer(s, t):
        draw_cards(s, t, seat)
    draw_secrets(s, t, seat)
    s["rng"] = states[i]["rng"]
    if not s["over"] and s["seat"] != seat:
        ask_again(s, t)


@kernel
def can_answer(s, t):
    """Does who is asked for a card hold one to answer with? The true game is one such, so there is an end."""
    kind, seat = s["kind"], np.int64(s["seat"])
    if kind not in (K_COPY, K_DEFENCE, K_REINFORCE):
        return True
    for word in range(CARD_WORDS):
        cards = t["copiers"][s["window_card"], word]
        if kind == K_DEFENCE:
            cards = t["defence_cards"][word]
        elif kind == K_REINFORCE:
            cards = t["offence_cards"][word] & ~t["feint_cards"][word]
        if payable(s, t, seat, word) & cards != bits.ZERO:
            return True
    return False


@kernel
def ask_again(s, t):
    """Pose the pending decision of another seat anew: what is legal follows its cards."""
    if s["kind"] == K_COPY:
        s["window_passed"] -= 1
    ask(s, t)
    s["num_legal"] = num_legal(s)


@owning
def draw_secrets(s, t, seat):
    """Objectives, stances and later Ages."""
    if t["with_objectives"]:
        draw_objectives(s, t, seat)
    if s["attack_step"] == STEP_STANCE:
        for other in range(num_seats(t)):
            if other != seat and s["stance"][other] != NO_STANCE and not must_choose_peace(s, other):
                s["stance"][other] = WAR if draw_below(s, 2) else PEACE
    first = 0 if s["phase"] == SETUP else np.int64(s["age"]) + 1
    deck = np.empty(MAX_CARD, np.int64)
    for age in range(first, AGES):
        size = np.int64(t["deck_size"][age])
        for place in range(size):
            deck[place] = t["deck"][age, place]
        shuffle(s, deck, size)
        deal_packs(s, t, age, deck)


@owning
def draw_objectives(s, t, seat):
    """The others were dealt some of the objectives that the seat was not, and have kept any of theirs."""
    pool = np.empty(MAX_OBJECTIVE, np.int64)
    size = 0
    for place in range(t["pool_size"]):
        number = np.int64(t["pool"][place])
        own = s["dealt"][seat, 0] == number or s["dealt"][seat, 1] == number or s["kept"][seat] == number
        if not own:
            pool[size] = number
            size += 1
    shuffle(s, pool, size)
    place = 0
    for other in range(num_seats(t)):
        if other == seat:
            continue
        if s["dealt"][other, 0] > 0:
            s["dealt"][other, 0], s["dealt"][other, 1] = pool[place], pool[place + 1]
            if s["kept"][other] > 0:
                s["kept"][other] = s["dealt"][other, draw_below(s, 2)]
            place += 2
        elif s["kept"][other] > 0:  # from an explicit position: nobody was dealt any
            s["kept"][other] = pool[place]
            place += 1


# ---------------------------------------------------------------- the cards of this Age


@kernel
def draw_order(s, cards, size):
    """Put the cards in any order, whatever order they come in."""
    for place in range(1, size):
        card = cards[place]
        before = place
        while before > 0 and cards[before - 1] > card:
            cards[before] = cards[before - 1]
            before -= 1
        cards[before] = card
    shuffle(s, cards, size)


@owning
def draw_cards(s, t, seat):
    """The others' cards of this Age, by what the seat knows of the draft."""
    if not t["with_draft"] or s["phase"] == SETUP:
        return
    if s["phase"] == DRAFT or s["picks"][seat, 0] > 0:
        slots = np.zeros((MAX_SEATS, PACK), np.int64)
        read_slots(s, t, slots)
        redraw_slots(s, t, seat, slots)
        write_slots(s, t, seat, slots)
    else:
        draw_hands(s, t, seat)


@kernel
def holder(s, t, pack, rnd):
    """R1: the seat that holds a pack in a round of the draft."""
    seats = num_seats(t)
    passes = rnd * (seats - 1) if s["age"] == 1 else rnd
    return (pack + passes) % seats


@kernel
def rounds_done(s, t, seat):
    """How many picks the seat has made in this Age."""
    if s["phase"] != DRAFT:
        return np.int64(HAND)
    return np.int64(s["pick"]) + (place_in_order(s, t, seat) < s["turn"])


@owning
def read_slots(s, t, slots):
    """The slots of every pack as they are: the picks made, then the cards left in any order."""
    age = np.int64(s["age"])
    for pack in range(num_seats(t)):
        taken = 0
        left = np.zeros(CARD_WORDS, np.uint64)
        for place in range(PACK):
            bits.add(left, np.int64(s["packs"][age, pack, place]))
        for rnd in range(HAND):
            who = holder(s, t, pack, rnd)
            if rnd < rounds_done(s, t, who):
                slots[pack, rnd] = s["picks"][who, rnd]
                bits.drop(left, slots[pack, rnd])
                taken += 1
        for word in range(CARD_WORDS):
            while left[word] != bits.ZERO:
                slots[pack, taken] = word * 64 + lowest(left[word])
                left[word] = bits.rest(left[word])
                taken += 1


@kernel
def first_sight(s, t, pack, seat):
    """The round in which the seat holds the pack for the first time."""
    for rnd in range(num_seats(t)):
        if holder(s, t, pack, rnd) == seat:
            return rnd
    return -1


@kernel
def redraw_slots(s, t, seat, slots):
    """Redistribute what the seat cannot tell apart."""
    seats, done = num_seats(t), rounds_done(s, t, seat)
    last = min(np.int64(HAND) - 1, np.int64(s["pick"]) if s["phase"] == DRAFT else np.int64(HAND) - 1)
    for pack in range(seats):
        first = first_sight(s, t, pack, seat)
        start = first
        while start <= last:
            begin = start + 1 if start < done else start  # its own slot is known
            end = start + seats if start + seats <= last else PACK
            shuffle_group(s, t, slots, pack, begin, end)
            start += seats
    redraw_unseen(s, t, seat, slots, last)


@kernel
def is_public(s, t, pack, rnd, card):
    """Has the seat of this slot played the card since?"""
    return rnd < HAND and bits.has(s["played"][holder(s, t, pack, rnd)], card)


@owning
def shuffle_group(s, t, slots, pack, begin, end):
    """The cards of the slots begin..end-1 of a pack in any order; public ones stay."""
    free = np.empty(PACK, np.int64)
    cards = np.empty(PACK, np.int64)
    size = 0
    for rnd in range(begin, end):
        if not is_public(s, t, pack, rnd, slots[pack, rnd]):
            free[size] = rnd
            cards[size] = slots[pack, rnd]
            size += 1
    draw_order(s, cards, size)
    for place in range(size):
        slots[pack, free[place]] = cards[place]


@owning
def redraw_unseen(s, t, seat, slots, last):
    """Cards the seat has never seen: the slots before its first sight, and the undealt cards."""
    seats, age = num_seats(t), np.int64(s["age"])
    where = np.empty(MAX_SEATS * PACK, np.int64)
    cards = np.empty(MAX_CARD, np.int64)
    dealt = np.zeros(CARD_WORDS, np.uint64)
    size = 0
    for pack in range(seats):
        for rnd in range(PACK):
            bits.add(dealt, slots[pack, rnd])
    for other in range(seats):
        if other != seat:
            move_public(s, t, other, seat, slots, last)
    for pack in range(seats):
        for rnd in range(PACK):
            unseen = is_unseen(s, t, pack, rnd, seat, last)
            if unseen and not is_public(s, t, pack, rnd, slots[pack, rnd]):
                where[size] = pack * PACK + rnd
                cards[size] = slots[pack, rnd]
                size += 1
    total = size
    for place in range(t["deck_size"][age]):
        if not bits.has(dealt, np.int64(t["deck"][age, place])):
            cards[total] = t["deck"][age, place]
            total += 1
    draw_order(s, cards, total)
    for place in range(size):
        slots[where[place] // PACK, where[place] % PACK] = cards[place]


@kernel
def is_unseen(s, t, pack, rnd, seat, last):
    """Has the card of this slot left its pack before the seat held it?"""
    first = first_sight(s, t, pack, seat)
    return rnd < first or first > last


@owning
def move_public(s, t, other, seat, slots, last):
    """What another seat has picked unseen and played since: it may be from any of its unseen slots.

    The other cards are in any order anyway: the played ones change places with those that they drive out.
    """
    where = np.empty(HAND, np.int64)
    played = np.empty(HAND, np.int64)
    hidden = np.empty(HAND, np.int64)
    size, shown = 0, 0
    for rnd in range(rounds_done(s, t, other)):
        pack = pack_of(s, t, other, rnd)
        if not is_unseen(s, t, pack, rnd, seat, last):
            continue
        where[size] = pack * PACK + rnd
        card = slots[pack, rnd]
        if is_public(s, t, pack, rnd, card):
            played[shown] = card
            shown += 1
        else:
            hidden[size - shown] = card
        size += 1
    draw_order(s, played, shown)
    shuffle(s, where, size)
    for place in range(size):
        card = played[place] if place < shown else hidden[place - shown]
        slots[where[place] // PACK, where[place] % PACK] = card


@kernel
def pack_of(s, t, seat, rnd):
    """The pack that a seat holds in a round of the draft."""
    for pack in range(num_seats(t)):
        if holder(s, t, pack, rnd) == seat:
            return pack
    return -1


@kernel
def write_slots(s, t, seat, slots):
    """Packs, picks, hands, discards and what each seat holds and has seen, from the slots."""
    seats, age = num_seats(t), np.int64(s["age"])
    for pack in range(seats):
        for rnd in range(PACK):
            s["packs"][age, pack, rnd] = slots[pack, rnd]
    for other in range(seats):
        if other == seat:
            continue
        done = rounds_done(s, t, other)
        for word in range(CARD_WORDS):
            s["held"][other, word] = bits.ZERO
            for rnd in range(HAND):
                s["seen"][other, rnd, word] = bits.ZERO
        for pack in range(seats):
            for rnd in range(HAND):
                if holder(s, t, pack, rnd) == other:
                    write_view(s, slots, pack, rnd, other, done)
        split_picks(s, other, done)


@kernel
def write_view(s, slots, pack, rnd, other, done):
    """What the seat picked from the pack in this round, saw in it and still holds of it."""
    drafting = s["phase"] == DRAFT
    if drafting and rnd > s["pick"]:
        return
    if rnd < done:
        s["picks"][other, rnd] = slots[pack, rnd]
    for later in range(rnd, PACK):
        bits.add(s["seen"][other, rnd], slots[pack, later])
        if drafting and rnd == s["pick"] and later >= done:
            bits.add(s["held"][other], slots[pack, later])


@owning
def split_picks(s, other, done):
    """The picks that are not public are in hand or discarded, as many as before."""
    cards = np.empty(HAND, np.int64)
    size = 0
    for rnd in range(done):
        card = np.int64(s["picks"][other, rnd])
        if not bits.has(s["played"][other], card):
            cards[size] = card
            size += 1
    draw_order(s, cards, size)
    write_hand(s, other, cards, 0)


@kernel
def write_hand(s, other, cards, start):
    """Cards from `start` on become the hand and the discards, as many as they are; returns the end."""
    hand, discarded = bits.num_members(s["hand"][other]), bits.num_members(s["discarded"][other])
    for word in range(CARD_WORDS):
        s["hand"][other, word] = bits.ZERO
        s["discarded"][other, word] = bits.ZERO
    for place in range(start, start + hand):
        bits.add(s["hand"][other], cards[place])
    for place in range(start + hand, start + hand + discarded):
        bits.add(s["discarded"][other], cards[place])
    return start + hand + discarded


@owning
def draw_hands(s, t, seat):
    """After an explicit position there was no draft: any cards of the deck that are not accounted for."""
    cards = np.empty(2 * MAX_CARD, np.int64)
    known = np.zeros(CARD_WORDS, np.uint64)
    size = 0
    for other in range(num_seats(t)):
        for word in range(CARD_WORDS):
            known[word] |= s["played"][other, word] | s["inventions"][other, word]
            hidden = s["hand"][other, word] | s["discarded"][other, word]
            known[word] |= hidden
            while other != seat and hidden != bits.ZERO:
                cards[size] = word * 64 + lowest(hidden)
                size += 1
                hidden = bits.rest(hidden)
    for place in range(t["deck_size"][s["age"]]):
        card = np.int64(t["deck"][s["age"], place])
        if not bits.has(known, card):
            cards[size] = card
            size += 1
    draw_order(s, cards, size)
    start = 0
    for other in range(num_seats(t)):
        if other != seat:
            start = write_hand(s, other, cards, start)
