"""The actions themselves (RULES 6), and the end of a turn (RULES 5)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.gentes.actions import CARD_BASE, CITIZEN_BASE, COUNT_BASE, END_ACTION, TAX_BASE
from genesia_rl.games.gentes.names import (
    A_CHRONICLER,
    A_LEADER,
    A_NAVIGATOR,
    A_PHILOSOPHER,
    A_SCRIBE,
    A_TAX,
    K_COUNT,
    K_PLAY,
    K_RECRUIT,
    K_TAKE,
    L_DOUBLE,
    L_EXTRA,
    L_GAIN,
    NUM_REWARDS,
    NUM_SYNERGIES,
    P_CARDS,
    P_SYNERGY,
    R_COINS,
    S_AFTER,
    S_APOGEE,
    S_COUNT,
    S_GAINS,
    S_PLAY,
    S_RECRUIT,
    S_TAKE,
    SLOTS,
    TYPES_SLOTS,
)
from genesia_rl.games.gentes.rules.abilities import home_ability, num_once
from genesia_rl.games.gentes.rules.ask import allow, allow_set, pose
from genesia_rl.games.gentes.rules.bonus import check_bonus
from genesia_rl.games.gentes.rules.cards import add_lasting, fill_display, take_shown
from genesia_rl.games.gentes.rules.gains import do_gain
from genesia_rl.games.gentes.rules.needs import missing, playable
from genesia_rl.games.gentes.rules.places import begin_placing
from genesia_rl.games.gentes.rules.seats import gain_reward, num_seats, number_bit, recruit, recruitable
from genesia_rl.games.gentes.tables import MAX_TAKEN

MAX_PILED = 2


@kernel
def begin_action(s, t):
    """The action begins: costs are paid and hourglasses placed."""
    act, seat = s["act"] - 1, np.int64(s["seat"])
    s["stage"] = S_AFTER
    if act == A_PHILOSOPHER:
        s["stage"] = S_COUNT
    elif act == A_SCRIBE:
        s["stage"] = S_TAKE
    elif act == A_CHRONICLER:
        s["stage"] = S_PLAY
    elif act == A_NAVIGATOR:
        begin_placing(s, t, seat, np.int64(s["symbol"]))
    elif act == A_LEADER:
        gain_reward(s, t, seat, R_COINS, np.int64(t["leader_coins"]))
        s["next_first"] = seat + 1
    elif act == A_TAX:
        collect_tax(s, t, seat)


# ---------------------------------------------------------------- abilities chosen


@kernel
def chosen_sum(s, t, does, what):
    """The n of all chosen abilities that do this; of gains only those of `what`."""
    found = np.int64(0)
    cards, homes = s["chosen_cards"], s["chosen_homes"]
    if cards | homes == bits.ZERO:
        return found
    while cards != bits.ZERO:
        ability = np.int64(lowest(cards))
        cards = bits.rest(cards)
        if does != L_GAIN or t["once_what"][ability] == what:
            found += num_once(t, ability, does)
    while homes != bits.ZERO:
        ability = home_ability(t, np.int64(lowest(homes)), np.int64(s["act"]) - 1)
        homes = bits.rest(homes)
        if does != L_GAIN or t["once_what"][ability] == what:
            found += num_once(t, ability, does)
    return found


@kernel
def brought(s, t, seat, what):
    """What `gain` abilities add to the action, of one kind."""
    found = np.int64(s["bringing"][seat, s["act"] - 1, what])
    return found + chosen_sum(s, t, L_GAIN, np.int64(what))


@kernel
def collect_tax(s, t, seat):
    """RULES 6: the coins of the source and of abilities; all of it twice with `double`."""
    coins = np.int64(t["tax_coins"][s["source"] - 1 - TAX_BASE]) + brought(s, t, seat, R_COINS)
    if s["chosen_does"] >> L_DOUBLE & 1:
        coins *= 2
    gain_reward(s, t, seat, R_COINS, coins)


# ---------------------------------------------------------------- Philosopher


@kernel
def types_within(s, t, seat, row):
    """The types that can be recruited by a row (0 or 1) for the amount."""
    found = bits.ZERO
    for slot in range(TYPES_SLOTS):
        if t["price"][row, slot] <= s["amount"]:
            found |= bits.bit(s["recruit"][slot])
    return found & recruitable(s, t, seat)


@kernel
def ask_count(s, t):
    """PROTOCOL 2, count."""
    pose(s, K_COUNT)
    allow(s, COUNT_BASE)
    if types_within(s, t, np.int64(s["seat"]), np.int64(1)) != bits.ZERO:
        allow(s, COUNT_BASE + 1)


@kernel
def apply_count(s, t, action):
    """The row is known, and how many citizens come."""
    s["row"] = action - COUNT_BASE + 1
    s["left"] = np.int64(s["row"]) + chosen_sum(s, t, L_EXTRA, np.int64(0))
    s["stage"] = S_RECRUIT


@kernel
def ask_recruit(s, t):
    """PROTOCOL 2, recruit; False if no more come."""
    types = bits.ZERO
    if s["left"] > 0:
        types = types_within(s, t, np.int64(s["seat"]), np.int64(s["row"]) - 1)
    if types == bits.ZERO:
        move_types(s)
        s["left"] = 0
        s["stage"] = S_AFTER
        return False
    pose(s, K_RECRUIT)
    allow_set(s, CITIZEN_BASE, types)
    return True


@kernel
def apply_recruit(s, t, action):
    """A citizen is recruited; a mark on its type's tile is lost."""
    kind = np.int64(action - CITIZEN_BASE)
    recruit(s, t, np.int64(s["seat"]), kind)
    s["recruited"] |= np.int8(1 << kind)
    s["left"] -= 1
    if s["marked_type"] == kind + 1:
        s["marked_type"] = 0


@kernel
def move_types(s):
    """RULES 6: tiles of recruited types go to the right in the reverse of their order, the others slide."""
    moved = np.int64(s["recruited"])
    size = 0
    out = np.int64(0)  # three bits for each that goes, the first lowest
    number = 0
    for slot in range(TYPES_SLOTS):
        kind = np.int64(s["recruit"][slot])
        if moved >> kind & 1:
            out |= kind << (3 * number)
            number += 1
        else:
            s["recruit"][size] = kind
            size += 1
    for k in range(number):
        s["recruit"][size + k] = out >> (3 * (number - 1 - k)) & 7


# ---------------------------------------------------------------- Scribe


@kernel
def takeable_shown(s, t):
    """PROTOCOL 2, take: the cards of the display within the amount."""
    found = bits.ZERO
    taken = np.int64(s["taken_shown"])
    if taken >= MAX_TAKEN or s["taken_piled"] > 0:
        return found
    for slot in range(SLOTS):
        card = np.int64(s["display"][slot])
        if card > 0 and t["take"][taken, max(np.int64(s["last_slot"]) - 1, slot)] <= s["amount"]:
            found |= number_bit(card)
    return found


@kernel
def takeable_piled(s, t):
    """PROTOCOL 2, take: the cards of the discard pile within the amount."""
    piled = np.int64(s["taken_piled"])
    if s["taken_shown"] > 0 or piled >= MAX_PILED or s["amount"] < t["pile"][piled]:
        return bits.ZERO
    return s["discard"]


@kernel
def ask_take(s, t):
    """PROTOCOL 2, take, of the Scribe; False if nothing is left."""
    cards = takeable_shown(s, t) | takeable_piled(s, t)
    if cards == bits.ZERO:
        end_take(s, t)
        return False
    pose(s, K_TAKE)
    allow_set(s, CARD_BASE, cards)
    if s["taken_shown"] + s["taken_piled"] > 0:
        allow(s, END_ACTION)
    return True


@kernel
def apply_take(s, t, action):
    """A card comes into the hand, or that is all."""
    if action == END_ACTION:
        end_take(s, t)
        return
    card, seat = np.int64(action - CARD_BASE + 1), np.int64(s["seat"])
    if s["discard"] & number_bit(card) != bits.ZERO:
        s["discard"] &= ~number_bit(card)
        s["hand"][seat] |= number_bit(card)
        s["taken_piled"] += 1
    else:
        slot = take_shown(s, seat, card)
        s["last_slot"] = max(np.int64(s["last_slot"]), np.int64(slot) + 1)
        s["taken_shown"] += 1


@kernel
def end_take(s, t):
    """RULES 6: then the display is filled."""
    fill_display(s, t)
    s["stage"] = S_AFTER


# ---------------------------------------------------------------- Chronicler


@kernel
def ask_play(s, t):
    """PROTOCOL 2, play."""
    pose(s, K_PLAY)
    allow_set(s, CARD_BASE, playable(s, t, np.int64(s["seat"])))


@kernel
def apply_play(s, t, action):
    """RULES 6: cubes, then the card comes into play, its points, its gains."""
    card, seat = np.int64(action - CARD_BASE + 1), np.int64(s["seat"])
    play_card(s, t, seat, card)
    s["points"][seat, P_CARDS] += np.int32(t["worth"][card - 1])
    s["card"] = card
    s["gain_row"] = t["first_gain"][card - 1] + 1
    s["stage"] = S_GAINS


@kernel
def play_card(s, t, seat, card):
    """A card of the hand comes into play, with oracle cubes for what is missing."""
    s["oracle"][seat] -= np.int8(missing(s, t, seat, card))
    s["hand"][seat] &= ~number_bit(card)
    s["played"][seat] |= number_bit(card)


@kernel
def go_on_with_gains(s, t):
    """The next gain of the card; after the last its synergy."""
    row = np.int64(s["gain_row"]) - 1
    if row < t["first_gain"][s["card"]]:
        s["gain_row"] += 1
        do_gain(s, t, np.int64(s["seat"]), row)
        return
    s["gain_row"] = 0
    score_synergy(s, t, np.int64(s["seat"]), np.int64(s["card"]))
    s["stage"] = S_AFTER


@kernel
def score_synergy(s, t, seat, card):
    """RULES 6: of the card's symbols the one that most cards in play show, a point for each of them."""
    best = np.int64(0)
    for symbol in range(NUM_SYNERGIES):
        cards = t["with_synergy"][symbol]
        if cards & number_bit(card) != bits.ZERO:
            best = max(best, np.int64(popcount(cards & s["played"][seat])))
    s["points"][seat, P_SYNERGY] += np.int32(best)


# ---------------------------------------------------------------- after the action


@kernel
def end_action(s, t):
    """RULES 5: what abilities add, bonus tiles; a card just played counts from now on; the next seat."""
    seat = np.int64(s["seat"])
    for what in range(NUM_REWARDS):
        if what != R_COINS or s["act"] - 1 != A_TAX:
            number = brought(s, t, seat, what)
            if number > 0:
                gain_reward(s, t, seat, np.int64(what), number)
    check_bonus(s, t, seat)
    if s["card"] > 0:
        add_lasting(s, t, seat, np.int64(s["card"]))
    forget_turn(s)
    s["seat"] = (seat + 1) % num_seats(t)
    s["stage"] = S_APOGEE


@kernel
def forget_turn(s):
    """What belongs to a turn."""
    s["source"] = 0
    s["act"] = 0
    s["amount"] = 0
    s["hours"] = 0
    s["symbol"] = 0
    s["chosen_does"] = 0
    s["row"] = 0
    s["recruited"] = 0
    s["card"] = 0
    s["taken_shown"] = 0
    s["last_slot"] = 0
    s["taken_piled"] = 0
    s["chosen_cards"] = bits.ZERO
    s["chosen_homes"] = bits.ZERO
