"""Questions in the middle of an effect (PROTOCOL 2): hourglasses, tokens, regions, citizens, cubes, cards.

Whoever begins an errand sets it and how much is to come; it is over when there is nothing more to do.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.gentes.actions import (
    CARD_BASE,
    CITIZEN_BASE,
    CITY_BASE,
    DOUBLE_BASE,
    GAIN_BASE,
    REGION_BASE,
)
from genesia_rl.games.gentes.names import (
    E_CITY,
    E_CUBE,
    E_ENLIST,
    E_HOURS,
    E_LOSE,
    E_MOVE,
    E_NONE,
    E_REGION,
    E_TAKE,
    K_CITY,
    K_CUBE,
    K_ENLIST,
    K_HOURS,
    K_LOSE,
    K_MOVE,
    K_REGION,
    K_TAKE,
)
from genesia_rl.games.gentes.rules.ask import allow, allow_each, allow_set, pose
from genesia_rl.games.gentes.rules.cards import fill_display, take_shown
from genesia_rl.games.gentes.rules.places import (
    activate,
    empty_places,
    lift_token,
    put_token,
    regions_had,
)
from genesia_rl.games.gentes.rules.seats import (
    cube_room,
    free_spaces,
    gain_reward,
    lose_citizen,
    number_bit,
    recruit,
    recruitable,
    types_had,
)


@kernel
def end_errand(s):
    """Nothing more to do; returns that nothing is asked."""
    s["errand"] = E_NONE
    s["left"] = 0
    s["slots"] = 0
    s["due"] = 0
    return False


@kernel
def ask_errand(s, t):
    """Pose the next question of the errand; False if there is none, and then it is over."""
    errand, seat = s["errand"], np.int64(s["seat"])
    if errand == E_HOURS:
        return ask_hours(s, t, seat)
    if errand == E_CITY:
        return ask_places(s, K_CITY, empty_places(s, t, np.int64(s["symbol"])) & ~lifted_place(s))
    if errand == E_REGION:
        return ask_region(s, t, seat)
    if errand == E_ENLIST:
        return ask_types(s, K_ENLIST, recruitable(s, t, seat))
    if errand == E_LOSE:
        return ask_types(s, K_LOSE, types_had(s, seat))
    if errand == E_CUBE:
        return ask_cube(s, t, seat)
    if errand == E_TAKE:
        return ask_slots(s, t)
    return ask_places(s, K_MOVE, s["tokens"][seat])


@kernel
def apply_errand(s, t, action):
    """Do what a legal action of an errand does."""
    errand, seat = s["errand"], np.int64(s["seat"])
    if errand == E_HOURS:
        put_hours(s, t, seat, np.int64(action - DOUBLE_BASE))
        end_errand(s)
    elif errand == E_CITY:
        put_token(s, t, seat, np.int64(action - CITY_BASE))
    elif errand == E_MOVE:
        lift_token(s, t, seat, np.int64(action - CITY_BASE))
        s["errand"] = E_CITY
    elif errand == E_REGION:
        activate(s, t, seat, np.int64(action - REGION_BASE))
        end_errand(s)
    else:
        apply_counted(s, t, seat, action)
        s["left"] -= 1


@kernel
def apply_counted(s, t, seat, action):
    """One of several citizens, cubes or cards."""
    errand = s["errand"]
    if errand == E_ENLIST:
        recruit(s, t, seat, np.int64(action - CITIZEN_BASE))
    elif errand == E_LOSE:
        lose_citizen(s, seat, np.int64(action - CITIZEN_BASE))
    elif errand == E_CUBE:
        gain_reward(s, t, seat, np.int64(action - GAIN_BASE), np.int64(1))
    else:
        take_shown(s, seat, np.int64(action - CARD_BASE + 1))


# ---------------------------------------------------------------- hourglasses


@kernel
def placeable_hours(s, t, seat):
    """The hourglasses to come, as far as there is room: two on a space."""
    return min(np.int64(s["due"]), 2 * free_spaces(s, t, seat))


@kernel
def ask_hours(s, t, seat):
    """PROTOCOL 2, hours."""
    hours, free = placeable_hours(s, t, seat), free_spaces(s, t, seat)
    if hours <= 0:
        return end_errand(s)
    pose(s, K_HOURS)
    for pairs in range(max(np.int64(0), hours - free), hours // 2 + 1):
        allow(s, DOUBLE_BASE + pairs)
    return True


@kernel
def put_hours(s, t, seat, pairs):
    """So many spaces hold two of the hourglasses, the others one."""
    s["singles"][seat] += np.int8(placeable_hours(s, t, seat) - 2 * pairs)
    s["doubles"][seat] += np.int8(pairs)


# ---------------------------------------------------------------- tokens


@kernel
def lifted_place(s):
    """The place that a token was just lifted from, as a set."""
    return bits.bit(s["lifted"] - 1) if s["lifted"] > 0 else bits.ZERO


@kernel
def ask_places(s, kind, places):
    """PROTOCOL 2, move and city."""
    pose(s, kind)
    allow_set(s, CITY_BASE, places)
    return True


@kernel
def ask_region(s, t, seat):
    """PROTOCOL 2, region."""
    regions = regions_had(s, t, seat)
    if regions == bits.ZERO:
        return end_errand(s)
    pose(s, K_REGION)
    allow_each(s, REGION_BASE, regions)
    return True


# ---------------------------------------------------------------- citizens, cubes, cards


@kernel
def ask_types(s, kind, types):
    """PROTOCOL 2, enlist and lose."""
    if s["left"] <= 0 or types == bits.ZERO:
        return end_errand(s)
    pose(s, kind)
    allow_set(s, CITIZEN_BASE, types)
    return True


@kernel
def ask_cube(s, t, seat):
    """PROTOCOL 2, cube: locks go first, then there is a cube for each that is not there."""
    while s["left"] > 0 and s["locks"][seat] > 0:
        s["locks"][seat] -= 1
        s["left"] -= 1
    room = cube_room(s, t, seat)
    if s["left"] <= 0 or room == bits.ZERO:
        return end_errand(s)
    pose(s, K_CUBE)
    allow_each(s, GAIN_BASE, room)
    return True


@kernel
def ask_slots(s, t):
    """PROTOCOL 2, take, for the gain `card`: then the display is filled."""
    cards = bits.ZERO
    for slot in range(s["slots"]):
        if s["display"][slot] > 0:
            cards |= number_bit(np.int64(s["display"][slot]))
    if s["left"] <= 0 or cards == bits.ZERO:
        fill_display(s, t)
        return end_errand(s)
    pose(s, K_TAKE)
    allow_set(s, CARD_BASE, cards)
    return True
