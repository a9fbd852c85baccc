"""Abilities for an action: which are offered, what they add up to, whether the action is feasible (PROTOCOL 2)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.gentes.names import (
    A_CHRONICLER,
    A_NAVIGATOR,
    A_PHILOSOPHER,
    A_SCRIBE,
    CARDS,
    CITIES,
    L_AMOUNT,
    L_DISCOUNT,
    L_DOUBLE,
    L_EXTRA,
    L_HOURS,
    NEVER,
    ROWS,
    SLOTS,
    TYPES_SLOTS,
)
from genesia_rl.games.gentes.rules.needs import playable
from genesia_rl.games.gentes.rules.places import CITY_PLACES, empty_places
from genesia_rl.games.gentes.rules.seats import free_spaces, recruitable

_SINGULAR = (L_AMOUNT, L_EXTRA, L_DOUBLE)  # of each at most one in one action

# ---------------------------------------------------------------- targets


@kernel
def least_recruiting(s, t, seat):
    """The least amount with which a type can be recruited."""
    can = recruitable(s, t, seat)
    for slot in range(TYPES_SLOTS):
        if can & bits.bit(s["recruit"][slot]) != bits.ZERO:
            return np.int64(t["price"][0, slot])
    return NEVER


@kernel
def least_taking(s, t):
    """The least amount with which a card can be taken."""
    found = NEVER
    if s["discard"] != bits.ZERO:
        found = np.int64(t["pile"][0])
    for slot in range(SLOTS):
        if s["display"][slot] > 0:
            return min(found, np.int64(t["take"][0, slot]))
    return found


@kernel
def least_amount(s, t, seat, act, symbol):
    """The least amount with which the action has a target (RULES 6); NEVER if it has none."""
    if act == A_PHILOSOPHER:
        return least_recruiting(s, t, seat)
    if act == A_SCRIBE:
        return least_taking(s, t)
    if act == A_CHRONICLER and playable(s, t, seat) == bits.ZERO:
        return NEVER
    if act == A_NAVIGATOR and empty_places(s, t, symbol) == bits.ZERO:
        return NEVER
    return np.int64(0)


# ---------------------------------------------------------------- what is offered


@kernel
def offered_cards(s, t, seat, act):
    """The cards in play whose ability for the action is offered; of a single kind none if one is chosen."""
    found = s["played"][seat] & t["once_of"][act] & ~s["used_cards"][seat] & ~s["chosen_cards"]
    if found != bits.ZERO and s["chosen_does"] != 0:
        for does in _SINGULAR:
            if s["chosen_does"] >> does & 1:
                found &= ~t["once_does"][does]
    return found


@kernel
def home_ability(t, place, act):
    """The ability for an action that a Home offers; -1 if it has none."""
    return np.int64(t["row_ability"][t["home_row"][place - CITIES], act])


@kernel
def offered_homes(s, t, seat, act, without):
    """The Homes whose row has an ability for the action: of each row the lowest that is own and unused."""
    found = bits.ZERO
    left = s["tokens"][seat] & ~CITY_PLACES & ~s["used_homes"] & ~s["chosen_homes"] & ~without
    if left == bits.ZERO:
        return found
    for row in range(ROWS):
        ability = np.int64(t["row_ability"][row, act])
        here = left & t["row_homes"][row]
        if ability < 0 or here == bits.ZERO or is_shut_out(s, t, ability):
            continue
        found |= bits.bit(lowest(here))
    return found


@kernel
def is_shut_out(s, t, ability):
    """Is it of a kind of which one is chosen, and more are not used?"""
    does = t["once_do"][ability]
    return does in _SINGULAR and (s["chosen_does"] >> does & 1) != 0


@kernel
def lowest_homes(s, t, seat, row):
    """The lowest own unused Home of a row, as a set; empty if there is none."""
    here = s["tokens"][seat] & t["row_homes"][row] & ~s["used_homes"]
    return here if here == bits.ZERO else here & ~bits.rest(here)


# ---------------------------------------------------------------- what they add up to


@kernel
def effect_sums(t, ability, less, saved, most):
    """(discounts, hourglasses saved, greatest free amount) with one more ability."""
    does, n = t["once_do"][ability], np.int64(t["once_n"][ability])
    if does == L_DISCOUNT:
        less += n
    elif does == L_HOURS:
        saved += n
    elif does == L_AMOUNT:
        most = max(most, n)
    return less, saved, most


@kernel
def ability_sums(s, t, seat, act, cards, homes):
    """(discounts, hourglasses saved, greatest free amount) of all each-time effects and these abilities."""
    less, saved, most = np.int64(s["discount"][seat, act]), np.int64(s["saving"][seat, act]), np.int64(0)
    while cards != bits.ZERO:
        less, saved, most = effect_sums(t, np.int64(lowest(cards)), less, saved, most)
        cards = bits.rest(cards)
    while homes != bits.ZERO:
        less, saved, most = effect_sums(t, home_ability(t, np.int64(lowest(homes)), act), less, saved, most)
        homes = bits.rest(homes)
    return less, saved, most


@kernel
def num_once(t, ability, does):
    """The n of an ability of a kind; 0 for any other."""
    return np.int64(t["once_n"][ability]) if t["once_do"][ability] == does else np.int64(0)


# ---------------------------------------------------------------- feasible


@kernel
def pays_amount(amount, least, less, coins):
    """Can the seat pay for this amount, and does it reach a target?"""
    return amount >= least and amount - less <= coins


@kernel
def has_amount(amount, least, less, most, coins):
    """The same for the amount of the source or for any 1..most. Both grow with it: the least one decides."""
    lowest_free = max(np.int64(1), least)
    if lowest_free <= most and lowest_free - less <= coins:
        return True
    return pays_amount(amount, least, less, coins)


@kernel
def has_room(free, tile, hours, saved):
    """Is there room on the track for a tile (1, else 0) and the hourglasses?"""
    return free >= max(np.int64(1), tile + (max(np.int64(0), hours - saved) + 1) // 2)


@kernel
def is_possible(s, t, seat, act, amount, hours, symbol, tile, without):
    """PROTOCOL 2: is the action of a source feasible with all that is offered for it?"""
    least = least_amount(s, t, seat, act, symbol)
    if least == NEVER:
        return False
    cards, homes = offered_cards(s, t, seat, act), offered_homes(s, t, seat, act, without)
    less, saved, most = ability_sums(s, t, seat, act, cards, homes)
    coins = np.int64(s["coins"][seat])
    return has_room(free_spaces(s, t, seat), tile, hours, saved) and has_amount(
        amount, least, less, most, coins
    )


@kernel
def is_card(ability):
    """Does a once-a-round effect belong to a card?"""
    return ability < CARDS
