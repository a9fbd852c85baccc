"""What holds in every state (RULES 1, 4 and 5), compiled: a recount of the map and of the cards.

Said once more, in words and for any state, by `check.py`; here it is counted by the million (core/invariants.py).
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, popcount
from genesia_rl.games.genesia.names import (
    CARD_WORDS,
    CITIES,
    CLANS,
    DRAFT,
    HAND,
    MAX_REGIONS,
    MAX_SEATS,
    REGION_WORDS,
    SETUP,
)

INVARIANTS = (
    "no region holds fewer than no clans of a seat",
    "clans on the map, in supply and on Inventions are 30 for every seat",
    "cities on the map and in supply are 20 for every seat",
    "the regions with own clans, and those occupied, are the ones that the map says",
    "coins, supplies, prices, free moves, progress and conquests are not negative",
    "outside of homelands a region is occupied by one seat at most",
    "cards that are marked are Inventions that the seat has copied",
    "every card is in one place",
    "cards in packs, in hands and among the discarded were dealt for this Age, those played in this or an earlier one",
    "no card of the Age is lost: in packs, hands, discarded and played are as many as there must be",
    "the turn order holds every seat once",
    "a seat that is not in the game has nothing",
)


@kernel
def broken(s, t):
    """The first of them that does not hold, counted from 1; 0 if all do."""
    for seat in range(t["seats"]):
        found = broken_map(s, t, seat)
        if found != 0:
            return found
    if are_crowded(s, t):
        return 6
    found = broken_cards(s, t)
    if found != 0:
        return found
    if not is_order(s, t):
        return 11
    for seat in range(t["seats"], MAX_SEATS):
        if has_something(s, seat):
            return 12
    return 0


# ---------------------------------------------------------------- the map


@kernel
def broken_map(s, t, seat):
    """RULES 1: pieces between map and supply, and the sets that are kept in step with the map."""
    clans, marked, cities = 0, 0, 0
    for region in range(MAX_REGIONS):
        clans += np.int64(s["clans"][seat, region])
        if s["clans"][seat, region] < 0:
            return 1
    for word in range(CARD_WORDS):
        marked += popcount(s["marked"][seat, word])
        if s["marked"][seat, word] & ~(s["inventions"][seat, word] & ~s["played"][seat, word]) != bits.ZERO:
            return 7
    for word in range(REGION_WORDS):
        cities += popcount(s["city_regions"][seat, word])
    if clans + s["clan_supply"][seat] + marked != CLANS:
        return 2
    if cities + s["city_supply"][seat] != CITIES:
        return 3
    if not is_where_it_stands(s, seat):
        return 4
    return 5 if is_negative(s, seat) else 0


@kernel
def is_where_it_stands(s, seat):
    """RULES 5.B: clans give presence where they stand, not where they are crossing; cities do always."""
    crossing = s["move_clans"] > 0 and s["mover"] == seat and s["move_at"] != s["move_from"]
    for word in range(REGION_WORDS):
        standing = bits.ZERO
        for place in range(min(64, MAX_REGIONS - 64 * word)):
            region = 64 * word + place
            if s["clans"][seat, region] > 0 and not (crossing and region == s["move_at"]):
                standing |= bits.bit(place)
        if s["clan_regions"][seat, word] != standing:
            return False
        if s["occupied"][seat, word] != standing | s["city_regions"][seat, word]:
            return False
    return True


@kernel
def is_negative(s, seat):
    """Is less than nothing there of something?"""
    least = min(np.int64(s["coins"][seat]), np.int64(s["conquests"][seat]), np.int64(s["free_moves"][seat]))
    least = min(least, np.int64(s["clan_supply"][seat]), np.int64(s["city_supply"][seat]))
    least = min(least, np.int64(s["price_left"][seat]))
    for age in range(s["progress"].shape[1]):
        least = min(least, np.int64(s["progress"][seat, age]))
    return least < 0


@kernel
def are_crowded(s, t):
    """RULES 5.B: do two seats stand in a region that is no homeland?"""
    for word in range(REGION_WORDS):
        once = bits.ZERO
        for seat in range(t["seats"]):
            if s["occupied"][seat, word] & once & ~t["homelands"][word] != bits.ZERO:
                return True
            once |= s["occupied"][seat, word]
    return False


# ---------------------------------------------------------------- cards


@kernel
def dealt_in(s, t, age, word):
    """One word of the cards that were dealt for an Age."""
    found = bits.ZERO
    for seat in range(t["seats"]):
        for place in range(t["hand_size"][age]):
            card = np.int64(s["packs"][age, seat, place])
            if card >> 6 == word:
                found |= bits.bit(card)
    return found


@kernel
def broken_cards(s, t):
    """RULES 5.A: every card is in one place, and comes from the deal."""
    number = 0
    for word in range(CARD_WORDS):
        now = dealt_in(s, t, np.int64(s["age"]), word)
        ever = now
        for age in range(s["age"]):
            ever |= dealt_in(s, t, age, word)
        once = bits.ZERO
        for seat in range(t["seats"]):
            loose = s["held"][seat, word] | s["hand"][seat, word] | s["discarded"][seat, word]
            mine = loose | s["played"][seat, word]
            kept = popcount(s["held"][seat, word]) + popcount(s["hand"][seat, word])
            kept += popcount(s["discarded"][seat, word]) + popcount(s["played"][seat, word])
            if mine & once != bits.ZERO or kept != popcount(mine):
                return 8
            if loose & ~now != bits.ZERO or s["played"][seat, word] & ~ever != bits.ZERO:
                return 9
            once |= mine
        number += popcount(once & now)
    return 0 if number == cards_of_age(s, t) else 10


@kernel
def cards_of_age(s, t):
    """How many cards of the Age there must be: after the draft one of each pack has left the game."""
    if s["phase"] == SETUP:
        return 0
    if t["with_draft"] and s["phase"] != DRAFT:
        return HAND * np.int64(t["seats"])
    return np.int64(t["hand_size"][s["age"]]) * np.int64(t["seats"])


# ---------------------------------------------------------------- seats


@kernel
def is_order(s, t):
    """Is every seat once in the turn order?"""
    found = bits.ZERO
    for place in range(t["seats"]):
        if s["order"][place] < 0:
            return False
        found |= bits.bit(s["order"][place])
    return popcount(found) == t["seats"] and (found >> np.uint64(t["seats"])) == bits.ZERO


@kernel
def has_something(s, seat):
    """Does a seat have coins, pieces or cards?"""
    found = bits.ZERO
    for word in range(CARD_WORDS):
        found |= s["hand"][seat, word] | s["held"][seat, word] | s["played"][seat, word]
        found |= s["discarded"][seat, word] | s["inventions"][seat, word]
    for word in range(REGION_WORDS):
        found |= s["occupied"][seat, word]
    pieces = s["clan_supply"][seat] != 0 or s["city_supply"][seat] != 0
    return found != bits.ZERO or s["coins"][seat] != 0 or pieces
