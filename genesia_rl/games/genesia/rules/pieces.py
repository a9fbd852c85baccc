"""Pieces: clans and cities between supply and map (RULES 1), coins, and presence as sets.

Only these functions change `clans` and the sets that must agree with it.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.genesia.rules.players import num_seats


@kernel
def arrive(s, seat, region, number):
    """RULES 1: clans that stand in a region give presence there."""
    s["clans"][seat, region] += number
    bits.add(s["clan_regions"][seat], region)
    bits.add(s["occupied"][seat], region)


@kernel
def depart(s, seat, region, number):
    """Clans leave a region; the last one takes the presence with it unless a city stands there."""
    s["clans"][seat, region] -= number
    if s["clans"][seat, region] == 0:
        bits.drop(s["clan_regions"][seat], region)
        if not bits.has(s["city_regions"][seat], region):
            bits.drop(s["occupied"][seat], region)


@kernel
def recruit_clans(s, seat, region, number):
    """Clans come from supply onto the map."""
    s["clan_supply"][seat] -= number
    arrive(s, seat, region, number)


@kernel
def lose_clans(s, seat, region, number):
    """RULES 1: pieces taken off the map return to the supply."""
    depart(s, seat, region, number)
    s["clan_supply"][seat] += number


@kernel
def build_city(s, seat, region):
    """A city comes from supply onto the map."""
    s["city_supply"][seat] -= 1
    bits.add(s["city_regions"][seat], region)
    bits.add(s["occupied"][seat], region)


@kernel
def lose_city(s, seat, region):
    """A city returns to its owner's supply."""
    s["city_supply"][seat] += 1
    bits.drop(s["city_regions"][seat], region)
    if s["clans"][seat, region] == 0:
        bits.drop(s["occupied"][seat], region)


@kernel
def transfer_coins(s, giver, taker, most):
    """Up to `most` coins go from one player to another."""
    paid = min(np.int64(most), np.int64(s["coins"][giver]))
    s["coins"][giver] -= paid
    s["coins"][taker] += paid


@kernel
def others_presence(s, t, seat, word):
    """One word of the regions in which anybody else has presence."""
    others = bits.ZERO
    for other in range(num_seats(t)):
        if other != seat:
            others |= s["occupied"][other, word]
    return others


@kernel
def occupant(s, t, region, seat):
    """Another player with presence in the region (outside homelands there is at most one), or -1."""
    for other in range(num_seats(t)):
        if other != seat and bits.has(s["occupied"][other], region):
            return other
    return -1


@kernel
def may_stop(s, t, seat, word):
    """RULES 5.B: one word of the regions in which a clan of the seat may stop.

    Nobody else is there, or the seat already is, or it is the seat's own homeland.
    """
    home = bits.bit(t["homeland"][seat]) if (t["homeland"][seat] >> 6) == word else bits.ZERO
    others = others_presence(s, t, seat, word)
    return ((t["all_regions"][word] & ~others) | s["occupied"][seat, word]) | home
