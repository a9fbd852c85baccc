"""What a laboratory may do to a game that the rules do not offer, to find out what something is worth.

Whatever is drawn by lot is drawn from the intervention's seed, whoever would have liked it.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, popcount
from genesia_rl.games.age_of_civilization.actions import RISE_BASE
from genesia_rl.games.age_of_civilization.names import BASE_TECHNOLOGIES, K_CIVILIZATION, MAX_SEATS, WONDERS
from genesia_rl.games.age_of_civilization.rules.abilities import civilizations_of, num_seats
from genesia_rl.games.age_of_civilization.rules.effects import gain_coins, gain_technology, gain_wonder
from genesia_rl.games.age_of_civilization.rules.flow import apply_action, run_on
from genesia_rl.games.age_of_civilization.rules.rounds import seat_in_order

#: `coins` goes by the place in the first turn order.
INTERVENTION = np.dtype(
    [
        ("seed", np.uint64),
        ("coins", np.int16, (MAX_SEATS,)),
        ("lot", np.int8),
        ("technologies", np.int8),
        ("wonders", np.int8),
    ],
    align=True,
)
#: Part what is drawn for one purpose from what is drawn for another.
LOT, TECHNOLOGY_GIFTS, WONDER_GIFTS = np.uint64(0x107), np.uint64(0x7EC), np.uint64(0x30D)
ALL_BASE = np.uint64((1 << BASE_TECHNOLOGIES) - 1)
ALL_WONDERS = np.uint64((1 << WONDERS) - 1)


@kernel
def intervene_first(states, i, tables, intervention):
    """At the first decision: what everybody begins with; whose turn is next may have its civilization drawn."""
    s, t = states[i], tables[0]
    hand_out(s, t, intervention["coins"])
    give(s, t, intervention)
    intervene(states, i, tables, intervention)


@kernel
def intervene(states, i, tables, intervention):
    """At every decision: first civilizations are drawn by lot, one after the other."""
    s, t = states[i], tables[0]
    while intervention["lot"] and s["kind"] == K_CIVILIZATION and is_without(s):
        cards = s["market"] | s["hand"][s["seat"]]
        stream = chance.mix((intervention["seed"] ^ LOT) + np.uint64(s["seat"]))
        card = bits.nth(cards, chance.below(chance.mix(stream), popcount(cards)))
        apply_action(s, t, np.int64(RISE_BASE + card))
        run_on(s, t)


@kernel
def is_without(s):
    """Has the seat to act no civilization yet?"""
    return civilizations_of(s, np.int64(s["seat"])) == bits.ZERO


@kernel
def hand_out(s, t, coins):
    """More coins by place in the first turn order."""
    for place in range(num_seats(t)):
        gain_coins(s, seat_in_order(s, t, place), np.int64(coins[place]))


@kernel
def gift(left, stream, seat):
    """What a seat is given of a set of numbers from 1 on: drawn by lot, another one each."""
    number = np.int64(0)
    for _ in range(seat + 1):
        number = np.int64(bits.nth(left, chance.below(chance.mix(stream), popcount(left)))) + 1
        left &= ~bits.bit(number - 1)
        stream = chance.advance(stream)
    return number


@kernel
def technology_gift(intervention, seat):
    """A technology of the base card, prerequisites or not; 0 if none is given."""
    stream = chance.mix(intervention["seed"] ^ TECHNOLOGY_GIFTS)
    return gift(ALL_BASE, stream, seat) if intervention["technologies"] else np.int64(0)


@kernel
def wonder_gift(intervention, market, seat):
    """A wonder that is not in the wonder market, which stays what it is; 0 if none is given."""
    stream = chance.mix(intervention["seed"] ^ WONDER_GIFTS)
    return gift(ALL_WONDERS & ~market, stream, seat) if intervention["wonders"] else np.int64(0)


@kernel
def give(s, t, intervention):
    """What everybody begins with, with what it does when it is gained."""
    market = s["wonder_market"]
    for seat in range(num_seats(t)):
        technology, wonder = technology_gift(intervention, seat), wonder_gift(intervention, market, seat)
        if technology > 0:
            gain_technology(s, t, seat, technology)
        if wonder > 0:
            gain_wonder(s, t, seat, wonder)
