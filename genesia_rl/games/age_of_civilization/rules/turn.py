"""Step 3 of a turn and its end (RULES 6)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.age_of_civilization.actions import (
    END_ACTION,
    HERITAGE_BASE,
    MAIN_ACTION,
    TECH_BASE,
    WONDER_BASE,
)
from genesia_rl.games.age_of_civilization.names import (
    BY_TURN_END,
    D_PERFORM,
    G_INHERITED,
    G_MAIN,
    G_TECHNOLOGY,
    G_WONDER,
    K_TURN_END,
    L_SAFE,
    M_TURN_END,
    NUM_ACTS,
    NUM_GROUPS,
    S_ABILITY,
    S_TURN_END,
)
from genesia_rl.games.age_of_civilization.rules.abilities import (
    base_of,
    first_row,
)
from genesia_rl.games.age_of_civilization.rules.acting import is_payable
from genesia_rl.games.age_of_civilization.rules.ask import allow, allow_set, pose
from genesia_rl.games.age_of_civilization.rules.counts import has_flag, holds
from genesia_rl.games.age_of_civilization.rules.effects import begin_ability, gain_workers
from genesia_rl.games.age_of_civilization.rules.performing import begin_action

# ---------------------------------------------------------------- step 3


@kernel
def return_workers(s, t):
    """Workers on red spaces are sacrificed, unless it is safe; all others are idle again."""
    s["stage"] = S_TURN_END
    if not s["acted"]:
        return
    seat, lost = np.int64(s["seat"]), np.int64(0)
    for action in range(NUM_ACTS):
        if s["red"][action] > 0 and not has_flag(s, t, seat, L_SAFE + action):
            lost += np.int64(s["red"][action])
        s["red"][action] = 0
        s["used"][action] = 0
    gain_workers(s, seat, -lost)
    s["placed"] = 0
    s["acted"] = 0
    s["full"] = bits.ZERO


# ---------------------------------------------------------------- the end of the turn


@kernel
def waiting(s, t, seat, group):
    """The abilities of a group with turn_end effects that were not done in this end of turn."""
    return s["own"][seat, group] & t["at_moment"][M_TURN_END, group] & ~s["done"][group]


@kernel
def end_row(t, ability):
    """The first turn_end effect of an ability; of an optional one the only one."""
    row = first_row(t, ability)
    while t["op_moment"][row] != M_TURN_END:
        row += 1
    return row


@kernel
def is_usable(s, t, seat, ability):
    """PROTOCOL 2: the need of an optional effect holds, and it can be done."""
    row = end_row(t, ability)
    if not holds(s, t, seat, row):
        return False
    if t["op_do"][row] == D_PERFORM:
        return is_payable(s, t, seat, np.int64(t["op_what"][row]), True)
    return s["coins"][seat] >= t["op_n"][row] and s["market"] != bits.ZERO


@kernel
def usable(s, t, seat, group):
    """Of the optional abilities that wait, those that are usable."""
    found = bits.ZERO
    left = waiting(s, t, seat, group) & t["optional"][group]
    while left != bits.ZERO:
        place = lowest(left)
        left = bits.rest(left)
        if is_usable(s, t, seat, base_of(group) + place):
            found |= bits.bit(place)
    return found


@kernel
def allow_ability(s, group, members):
    """The actions that do the turn_end effects of some abilities of a group."""
    if group == G_INHERITED:
        allow_set(s, HERITAGE_BASE, members)
    elif group == G_TECHNOLOGY:
        allow_set(s, TECH_BASE, members)
    elif group == G_WONDER:
        allow_set(s, WONDER_BASE, members)
    elif members != bits.ZERO:
        allow(s, MAIN_ACTION)


@kernel
def is_something_waiting(s, t, seat):
    """Has any ability turn_end effects that were not done? Mostly none has."""
    found = bits.ZERO
    for group in range(NUM_GROUPS):
        found |= waiting(s, t, seat, group)
    return found != bits.ZERO


@kernel
def ask_turn_end(s, t):
    """PROTOCOL 2, turn_end; False if nothing is legal, and then the turn is over."""
    seat = np.int64(s["seat"])
    if not is_something_waiting(s, t, seat):
        return False
    pose(s, K_TURN_END)
    must = bits.ZERO
    for group in range(NUM_GROUPS):
        compulsory = waiting(s, t, seat, group) & ~t["optional"][group]
        must |= compulsory
        allow_ability(s, group, compulsory | usable(s, t, seat, group))
    if must == bits.ZERO and s["num_legal"] > 0:
        allow(s, END_ACTION)
    return s["num_legal"] > 0


@kernel
def ability_of(s, action):
    """(group, number - 1) of the ability that an action stands for."""
    if action == MAIN_ACTION:
        return G_MAIN, np.int64(lowest(s["own"][s["seat"], G_MAIN]))
    if action >= HERITAGE_BASE:
        return G_INHERITED, np.int64(action - HERITAGE_BASE)
    if action >= WONDER_BASE:
        return G_WONDER, np.int64(action - WONDER_BASE)
    return G_TECHNOLOGY, np.int64(action - TECH_BASE)


@kernel
def apply_turn_end(s, t, action):
    """An ability's turn_end effects are done."""
    group, place = ability_of(s, action)
    ability = base_of(group) + place
    s["done"][group] |= bits.bit(place)
    row = end_row(t, ability)
    if t["op_do"][row] == D_PERFORM:
        begin_action(s, t, np.int64(t["op_what"][row]), BY_TURN_END)
    else:
        begin_ability(s, t, S_ABILITY, ability)


@kernel
def forget_done(s):
    """The end of the turn is over."""
    for group in range(NUM_GROUPS):
        s["done"][group] = bits.ZERO
