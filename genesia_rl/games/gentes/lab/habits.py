"""What an agent does not do by its own choice: bits for each seat, and what they leave of a decision."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.gentes.actions import (
    CARD_BASE,
    CITY_BASE,
    DO_BASE,
    HIRE_ACTION,
    SWAP_ACTION,
    TILE_BASE,
    USE_BASE,
)
from genesia_rl.games.gentes.names import (
    A_NAVIGATOR,
    ACTS,
    ANY_SYMBOL,
    CARDS,
    K_CITY,
    K_FINAL,
    K_TURN,
    K_WILD,
    NUM_ACTS,
    NUM_WILD,
    ROWS,
)
from genesia_rl.games.gentes.rules.places import CITY_PLACES, empty_places

#: The habit of never taking an action, for each but the Tax Collector, which is always there.
ACT_HABITS = {action: 1 << place for place, action in enumerate(ACTS[:-1])}
NO_CITIES, NO_HOMES, NO_EXTRAS = (1 << NUM_ACTS + place for place in range(3))


@kernel
def habit(states, i, tables, habits):
    """Whatever an agent goes without is no longer legal; a Tax Collector is left in every turn."""
    s, t = states[i], tables[0]
    if s["kind"] == K_TURN:
        forgo_acts(s, t, habits)
        forgo_places(s, t, habits)
    if s["kind"] in (K_TURN, K_FINAL) and habits & NO_EXTRAS != 0:
        bits.drop(s["legal"], SWAP_ACTION)
        bits.drop(s["legal"], HIRE_ACTION)
    if s["kind"] == K_WILD:
        for act in range(NUM_WILD):
            if (habits >> act) & 1 != 0:
                bits.drop(s["legal"], DO_BASE + act)
    if s["kind"] == K_CITY:
        keep_places(s, wanted_places(habits))
    return False


# ---------------------------------------------------------------- actions


@kernel
def forgo_acts(s, t, habits):
    """No source of some actions."""
    for act in range(NUM_ACTS - 1):
        if (habits >> act) & 1 != 0:
            drop_tiles(s, t["of_act"][act])
            drop_effects(s, t, act, np.int64(-1))


@kernel
def drop_tiles(s, tiles):
    """Some action tiles are not legal."""
    while tiles != bits.ZERO:
        bits.drop(s["legal"], TILE_BASE + lowest(tiles))
        tiles = bits.rest(tiles)


@kernel
def drop_effects(s, t, act, symbol):
    """The actions of cards and Homes of a kind are not legal; with a symbol those with this one only."""
    for card in range(CARDS):
        if t["action_cards"] & bits.bit(card) != bits.ZERO and is_effect(t, card, act, symbol):
            bits.drop(s["legal"], USE_BASE + card)
    for row in range(ROWS):
        ability = np.int64(t["row_action"][row])
        if ability >= 0 and is_effect(t, ability, act, symbol):
            homes = t["row_homes"][row]
            while homes != bits.ZERO:
                bits.drop(s["legal"], CITY_BASE + lowest(homes))
                homes = bits.rest(homes)


@kernel
def is_effect(t, ability, act, symbol):
    """Is it this action, with this symbol (-1: with any)?"""
    return t["once_act"][ability] == act and (symbol < 0 or t["once_symbol"][ability] == symbol)


# ---------------------------------------------------------------- cities and Homes


@kernel
def wanted_places(habits):
    """The places where an agent puts tokens."""
    places = ~bits.ZERO
    if habits & NO_CITIES != 0:
        places &= ~CITY_PLACES
    if habits & NO_HOMES != 0:
        places &= CITY_PLACES
    return places


@kernel
def forgo_places(s, t, habits):
    """No Navigator for a symbol that is empty where the agent puts no tokens only."""
    wanted = wanted_places(habits)
    if wanted == ~bits.ZERO:
        return
    for symbol in range(1, ANY_SYMBOL + 1):
        if empty_places(s, t, symbol) & wanted == bits.ZERO:
            drop_tiles(s, t["of_symbol"][symbol] & t["of_act"][A_NAVIGATOR])
            drop_effects(s, t, np.int64(A_NAVIGATOR), np.int64(symbol))


@kernel
def keep_places(s, wanted):
    """Of the places for a token those that are wanted; all if there is no other, as a card may bring it about."""
    for place in range(CARD_BASE - CITY_BASE):
        if wanted & bits.bit(place) == bits.ZERO:
            bits.drop(s["legal"], CITY_BASE + place)
