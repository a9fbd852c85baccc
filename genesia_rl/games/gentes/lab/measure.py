"""What happened in a game: one record of figures, read off by replaying its actions.

Things are seen after each step of the replay: who has what then and had it not before.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, owning, popcount
from genesia_rl.core.lab import measure_dtype
from genesia_rl.games.gentes.actions import (
    CARD_BASE,
    HIRE_ACTION,
    HOME_BASE,
    SWAP_ACTION,
    TAX_BASE,
    TILE_BASE,
)
from genesia_rl.games.gentes.lab.interventions import bonus_gift, city_gift, home_gift, intervene, tile_gift
from genesia_rl.games.gentes.names import (
    ANY_SYMBOL,
    CARDS,
    CITIES,
    HOMES,
    K_ABILITY,
    K_TURN,
    MAX_SEATS,
    NUM_CONDITIONS,
    SCORE_PARTS,
    TILES,
)
from genesia_rl.games.gentes.rules import kernel as rules
from genesia_rl.games.gentes.rules.bonus import reached
from genesia_rl.games.gentes.rules.cards import shown
from genesia_rl.games.gentes.rules.places import CITY_PLACES
from genesia_rl.games.gentes.rules.seats import num_cards, num_citizens, num_placed, num_seats

_SEATS = (MAX_SEATS,)
CARD_GIFTS = 4  # two of the draft, one at the beginning of each later era

#: Things go by their number; 0 is none. Of what somebody has stands 1 + the seat.
MEASURE = measure_dtype(
    MAX_SEATS,
    len(SCORE_PARTS),
    1,
    [
        ("played", np.int8, _SEATS),  # cards in play at the end, as the next two
        ("citizens", np.int8, _SEATS),
        ("tokens", np.int8, _SEATS),
        ("coins", np.int16, _SEATS),
        ("turns", np.int16, _SEATS),  # actions taken by choice
        ("taxes", np.int16, _SEATS),  # those of them that were a Tax Collector
        ("extras", np.int16, _SEATS),  # swaps and hires
        ("card_gifts", np.int8, (MAX_SEATS, CARD_GIFTS)),  # what it had by lot
        ("tile_gift", np.int8, _SEATS),
        ("city_gift", np.int8, _SEATS),
        ("home_gift", np.int8, _SEATS),
        ("bonus_gift", np.int8, _SEATS),
        ("card_seen", np.int8, (CARDS + 1,)),  # it lay in the draft, in the display, or in a hand
        ("card_seat", np.int8, (CARDS + 1,)),  # who had it in hand first
        ("card_round", np.int8, (CARDS + 1,)),  # in which a Chronicler played it
        ("tile_here", np.int8, (TILES + 1,)),  # it is in the game
        ("tile_seat", np.int8, (TILES + 1,)),  # who took it in round 1
        ("tile_rounds", np.int8, (TILES + 1,)),  # in how many rounds it was taken
        ("city_seat", np.int8, (CITIES + 1,)),  # who had a token there first
        ("city_last", np.int8, (CITIES + 1,)),  # who has one at the end
        ("home_here", np.int8, (HOMES + 1,)),  # it is on this side of the board
        ("home_seat", np.int8, (HOMES + 1,)),
        ("home_uses", np.int8, (HOMES + 1,)),  # how often it was used by choice
        ("bonus_seat", np.int8, (NUM_CONDITIONS + 1,)),  # who has taken the first tile of a condition
        ("bonus_met", np.int8, (NUM_CONDITIONS + 1,)),  # how many seats meet it at the end
    ],
)
#: Of these fields: the axis that goes by seat.
BY_SEAT = dict.fromkeys(
    ("played", "citizens", "tokens", "coins", "turns", "taxes", "extras", "card_gifts", "tile_gift", "city_gift",
     "home_gift", "bonus_gift"), 0
)  # fmt: skip


@kernel
def mark(numbers, members, value):
    """The value at the numbers of a set where there is none yet."""
    left = members
    while left != bits.ZERO:
        number = lowest(left) + 1
        left = bits.rest(left)
        if numbers[number] == 0:
            numbers[number] = value


@kernel
def measure_deal(s, t, m):
    """The cards of the draft, the tiles in the game, the Homes on the board."""
    mark(m["card_seen"], s["open"], 1)
    mark(m["tile_here"], t["in_game"], 1)
    mark(m["home_here"], t["on_symbol"][ANY_SYMBOL] >> np.uint64(CITIES), 1)


@kernel
def replay(states, tables, intervention, log, parts, totals, ranks, m):
    """The whole game: what everybody began with, and what it has after each step."""
    s, t = states[0], tables[0]
    see_gifts(t, intervention, m)
    if intervention["cards"] and not t["first_game"]:
        for seat in range(num_seats(t)):
            add_gifts(m, seat, s["hand"][seat])
    see_things(s, t, m)
    while not s["over"]:
        action, rnd = np.int64(log[s["steps"]]), s["round"]
        see_action(s, action, m)
        rules.step(states, 0, tables, action)
        see_played(s, t, rnd, m)
        if not s["over"]:
            step_aside(states, tables, intervention, m)
        see_things(s, t, m)


# ---------------------------------------------------------------- what was given


@kernel
def see_gifts(t, intervention, m):
    """What everybody began with."""
    for seat in range(num_seats(t)):
        m["tile_gift"][seat] = tile_gift(t, intervention, seat)
        m["city_gift"][seat] = city_gift(intervention, seat)
        m["home_gift"][seat] = max(np.int64(0), home_gift(t, intervention, seat) - CITIES)
        m["bonus_gift"][seat] = bonus_gift(t, intervention, seat)
        if m["bonus_gift"][seat] > NUM_CONDITIONS:
            m["bonus_gift"][seat] = 0


@kernel
def add_gifts(m, seat, cards):
    """More cards that a seat has by lot."""
    for place in range(CARD_GIFTS):
        if m["card_gifts"][seat, place] == 0 and cards != bits.ZERO:
            m["card_gifts"][seat, place] = lowest(cards) + 1
            cards = bits.rest(cards)


@owning
def step_aside(states, tables, intervention, m):
    """What the intervention does after a step; cards that come into a hand by it are gifts."""
    s = states[0]
    hands = s["hand"].copy()
    intervene(states, 0, tables, intervention)
    if intervention["cards"]:
        for seat in range(num_seats(tables[0])):
            add_gifts(m, seat, s["hand"][seat] & ~hands[seat])


# ---------------------------------------------------------------- what is done, and what is there


@kernel
def see_action(s, action, m):
    """Actions taken, tiles, Homes used, extra options."""
    seat = np.int64(s["seat"])
    if action in (SWAP_ACTION, HIRE_ACTION):
        m["extras"][seat] += 1
    elif s["kind"] == K_TURN:
        m["turns"][seat] += 1
        if action < TAX_BASE:
            see_tile(s, seat, action - TILE_BASE + 1, m)
        elif action < HOME_BASE:
            m["taxes"][seat] += 1
    if s["kind"] in (K_TURN, K_ABILITY) and HOME_BASE <= action < CARD_BASE:
        m["home_uses"][action - HOME_BASE + 1] += 1


@kernel
def see_tile(s, seat, tile, m):
    """A tile is taken."""
    m["tile_rounds"][tile] += 1
    if s["round"] == 1:
        m["tile_seat"][tile] = seat + 1


@kernel
def see_played(s, t, rnd, m):
    """Cards that a Chronicler has brought into play."""
    for seat in range(num_seats(t)):
        mark(m["card_round"], s["played"][seat] & ~s["scored"][seat], rnd)


@kernel
def see_things(s, t, m):
    """Cards, tokens and bonus tiles that were not there before."""
    mark(m["card_seen"], shown(s), 1)
    for seat in range(num_seats(t)):
        mark(m["card_seen"], s["hand"][seat], 1)
        mark(m["card_seat"], s["hand"][seat], seat + 1)
        mark(m["city_seat"], s["tokens"][seat] & CITY_PLACES, seat + 1)
        mark(m["home_seat"], s["tokens"][seat] >> np.uint64(CITIES), seat + 1)
    for condition in range(NUM_CONDITIONS):
        m["bonus_seat"][condition + 1] = s["bonus"][condition, 0]


@kernel
def measure_end(s, t, m):
    """The finished game."""
    for seat in range(num_seats(t)):
        m["played"][seat] = num_cards(s, seat)
        m["citizens"][seat] = num_citizens(s, seat)
        m["tokens"][seat] = num_placed(s, seat)
        m["coins"][seat] = s["coins"][seat]
        mark(m["city_last"], s["tokens"][seat] & CITY_PLACES, seat + 1)
        for condition in range(NUM_CONDITIONS):
            m["bonus_met"][condition + 1] += meets(s, t, seat, condition)


@kernel
def meets(s, t, seat, condition):
    """Does a seat meet a condition? Cards of the final scoring come too late."""
    number = reached(s, seat, np.int64(condition))
    if condition == 0:
        number -= np.int64(popcount(s["scored"][seat]))
    return number >= t["bonus_least"][condition]
