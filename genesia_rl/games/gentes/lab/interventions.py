"""What a laboratory may do to a game that the rules do not offer, to find out what something is worth.

Whatever is drawn by lot is drawn from the intervention's seed, or is the next card of the deck, whoever would have
liked it.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits, chance
from genesia_rl.core.compile import kernel, popcount
from genesia_rl.games.gentes.actions import CARD_BASE, TILE_BASE
from genesia_rl.games.gentes.names import (
    ANY_SYMBOL,
    K_DRAFT,
    K_TURN,
    MAX_SEATS,
    NUM_CONDITIONS,
    P_OTHER,
    R_COINS,
    SLOTS,
)
from genesia_rl.games.gentes.rules.cards import deck_size, draw_card
from genesia_rl.games.gentes.rules.flow import apply_action, run_on
from genesia_rl.games.gentes.rules.places import CITY_PLACES
from genesia_rl.games.gentes.rules.seats import gain_reward, num_seats, number_bit, seat_in_order
from genesia_rl.games.gentes.rules.sources import ask_turn

#: `coins` goes by the place in the first turn order.
INTERVENTION = np.dtype(
    [
        ("seed", np.uint64),
        ("coins", np.int16, (MAX_SEATS,)),
        ("cards", np.int8),
        ("tiles", np.int8),
        ("places", np.int8),
        ("bonus", np.int8),
    ],
    align=True,
)
#: Part what is drawn for one purpose from what is drawn for another.
HANDS, TILE_GIFTS, CITY_GIFTS, HOME_GIFTS, BONUS_GIFTS = (
    np.uint64(purpose) for purpose in (0x4A2D, 0x711E, 0xC171, 0x403E, 0xB025)
)


@kernel
def intervene_first(states, i, tables, intervention):
    """At the first decision: what everybody begins with."""
    s, t = states[i], tables[0]
    for place in range(num_seats(t)):
        gain_reward(s, t, seat_in_order(s, t, place), R_COINS, np.int64(intervention["coins"][place]))
    for seat in range(num_seats(t)):
        begin_with_places(s, t, seat, intervention)
        begin_with_bonus(s, t, seat, intervention)
    ask_again(s, t)
    intervene(states, i, tables, intervention)


@kernel
def intervene(states, i, tables, intervention):
    """At every decision: cards come by lot, and nobody is offered a tile that is kept for another."""
    s, t = states[i], tables[0]
    while not s["over"]:
        if intervention["cards"]:
            draw_hands(s, t, intervention)
            give_cards(s, t)
        if not intervention["tiles"] or not keep_tiles(s, t, intervention):
            return
        apply_action(s, t, np.int64(bits.first_member(s["legal"])))
        run_on(s, t)


@kernel
def ask_again(s, t):
    """What was given may make more actions possible."""
    if s["kind"] == K_TURN:
        ask_turn(s, t)


@kernel
def gift(left, stream, seat):
    """What a seat is given of a set of numbers from 1 on: drawn by lot, another one each; 0 if there are too few."""
    number = np.int64(0)
    for _ in range(seat + 1):
        if left == bits.ZERO:
            return np.int64(0)
        number = np.int64(bits.nth(left, chance.below(chance.mix(stream), popcount(left)))) + 1
        left &= ~bits.bit(number - 1)
        stream = chance.advance(stream)
    return number


# ---------------------------------------------------------------- cards


@kernel
def draw_hands(s, t, intervention):
    """The first hands: who keeps which card of the draft is drawn by lot."""
    while s["kind"] == K_DRAFT:
        stream = chance.mix((intervention["seed"] ^ HANDS) + np.uint64(s["turn"]))
        card = bits.nth(s["open"], chance.below(chance.mix(stream), popcount(s["open"])))
        apply_action(s, t, np.int64(CARD_BASE + card))
        run_on(s, t)


@kernel
def give_cards(s, t):
    """In the first turn of Eras II and III everybody is given the next card of the deck, which is still whole."""
    era = np.int64(s["era"])
    whole = np.int64(popcount(t["era_cards"][era])) - np.int64(t["boxed"][era]) - SLOTS
    if era == 0 or s["kind"] != K_TURN or deck_size(s, t) != whole:
        return
    for place in range(num_seats(t)):
        if deck_size(s, t) > 0:
            s["hand"][seat_in_order(s, t, place)] |= number_bit(draw_card(s))
    ask_turn(s, t)


# ---------------------------------------------------------------- tiles


@kernel
def tile_gift(t, intervention, seat):
    """The action tile that is kept for a seat; 0 if none is."""
    stream = chance.mix(intervention["seed"] ^ TILE_GIFTS)
    return gift(t["in_game"] & ~t["wild"], stream, seat) if intervention["tiles"] else np.int64(0)


@kernel
def keep_tiles(s, t, intervention):
    """Tiles that are kept for others are not legal; is a single action left, which is not asked?"""
    if s["kind"] != K_TURN:
        return False
    for seat in range(num_seats(t)):
        tile = tile_gift(t, intervention, seat)
        if tile > 0 and seat != s["seat"] and bits.has(s["legal"], TILE_BASE + tile - 1):
            bits.drop(s["legal"], TILE_BASE + tile - 1)
            s["num_legal"] -= 1
    return s["num_legal"] == 1


# ---------------------------------------------------------------- cities, Homes, bonus tiles


@kernel
def city_gift(intervention, seat):
    """The city where a seat begins with a token; 0 if it has none."""
    stream = chance.mix(intervention["seed"] ^ CITY_GIFTS)
    return gift(CITY_PLACES, stream, seat) if intervention["places"] else np.int64(0)


@kernel
def home_gift(t, intervention, seat):
    """The place of the Home where it does (those of Homes come after those of cities)."""
    stream = chance.mix(intervention["seed"] ^ HOME_GIFTS)
    homes = t["on_symbol"][ANY_SYMBOL] & ~CITY_PLACES
    return gift(homes, stream, seat) if intervention["places"] else np.int64(0)


@kernel
def begin_with_places(s, t, seat, intervention):
    """A token on a city and one on a Home, another one each, without what placing them would bring."""
    for place in (city_gift(intervention, seat), home_gift(t, intervention, seat)):
        if place > 0:
            s["tokens"][seat] |= number_bit(place)
            s["symbols"][seat] += t["place_symbols"][place - 1]


@kernel
def bonus_gift(t, intervention, seat):
    """The condition of the bonus tile with which a seat begins, from 1 on; one more than there are if there is none."""
    stream = chance.mix(intervention["seed"] ^ BONUS_GIFTS)
    most = max(NUM_CONDITIONS, num_seats(t))
    left = (bits.ONE << np.uint64(most)) - bits.ONE
    return gift(left, stream, seat) if intervention["bonus"] else np.int64(0)


@kernel
def begin_with_bonus(s, t, seat, intervention):
    """The highest tile of a condition, another one each; who is left over has the points without a tile."""
    number = bonus_gift(t, intervention, seat)
    if number == 0:
        return
    points = np.int64(0)
    for condition in range(NUM_CONDITIONS):
        points = max(points, np.int64(t["bonus_points"][condition, 0]))
    if number <= NUM_CONDITIONS:
        points = np.int64(t["bonus_points"][number - 1, 0])
        s["bonus"][number - 1, 0] = seat + 1
    s["points"][seat, P_OTHER] += np.int32(points)
