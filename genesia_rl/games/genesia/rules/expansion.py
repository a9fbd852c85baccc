"""Expansion turns and moves: steps, groups, crossings and tolls (RULES 5.B).

A move is a first step along an edge, asked in an Expansion turn or in a copier's small turn; if moves
move groups, the size of the group; and, when the step leads where the mover may not stop, further
steps (`transit`) with that same clan or group until it stops.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, owning
from genesia_rl.games.genesia.actions import AMOUNT_BASE, EDGE_BASE, EDGE_WORD, END_ACTION
from genesia_rl.games.genesia.names import (
    AGES,
    ATTACK,
    ICON_EXPANSION,
    K_EXPANSION,
    K_FREE_MOVES,
    K_GROUP,
    K_TRANSIT,
    MAX_REGIONS,
    T_GROUP,
    T_SMALL_TURN,
    T_TRANSIT,
    UNTIL_EXPANSION,
    UNTIL_NONE,
)
from genesia_rl.games.genesia.rules.growth import allow_recruits, apply_turn_action, end_effects
from genesia_rl.games.genesia.rules.legal import (
    allow,
    allow_amounts,
    allow_discards,
    allow_first_steps,
    allow_turn_cards,
    pose,
    tolls_waived,
)
from genesia_rl.games.genesia.rules.pieces import arrive, depart, may_stop, occupant
from genesia_rl.games.genesia.rules.players import num_seats, turn_seat
from genesia_rl.games.genesia.rules.tasks import pop, push

# ---------------------------------------------------------------- what is legal


@kernel
def ask_expansion(s, t):
    """RULES 5.B: as Growth, and moves."""
    seat = turn_seat(s)
    pose(s, K_EXPANSION, seat)
    allow(s, END_ACTION)
    allow_turn_cards(s, t, seat, ICON_EXPANSION)
    allow_discards(s, seat)
    allow_recruits(s, t, seat)
    allow_first_steps(s, t, seat, np.int64(s["free_moves"][seat]), np.int64(s["coins"][seat]))


@kernel
def ask_free_moves(s, t):
    """RULES 7, Copying: a small turn of these free moves only; False when it is over.

    Only tolls are paid in coins: a crossing needs two of the free moves, and its toll.
    """
    seat, left = np.int64(s["small_seat"]), np.int64(s["small_moves"])
    if left == 0:
        s["small_seat"] = 0
        pop(s)
        return False
    pose(s, K_FREE_MOVES, seat)
    allow(s, END_ACTION)
    if left == 1:  # nothing pays a second step
        allow_first_steps(s, t, seat, np.int64(1), np.int64(0))
    else:
        allow_first_steps(s, t, seat, left, np.int64(s["coins"][seat]))
    return True


@kernel
def moves_groups(s, seat):
    """RULES 5.B: moves move groups in Age III, and by an effect."""
    return s["age"] == AGES - 1 or s["group_until"][seat] != UNTIL_NONE


@kernel
def in_small_turn(s):
    """Is the move that is under way a step of a copier's small turn?"""
    return s["depth"] >= 2 and s["tasks"][s["depth"] - 2] == T_SMALL_TURN


@kernel
def ask_group(s):
    """How many of the clans in the origin go together."""
    seat = np.int64(s["mover"])
    pose(s, K_GROUP, seat)
    allow_amounts(s, 1, np.int64(s["clans"][seat, s["move_from"]]))


@kernel
def ask_transit(s, t):
    """RULES 5.B, R2: the crossing goes on, along every step that leaves a payable route."""
    seat, here = np.int64(s["mover"]), np.int64(s["move_at"])
    pose(s, K_TRANSIT, seat)
    small = in_small_turn(s)
    free = np.int64(s["small_moves"]) if small else np.int64(s["free_moves"][seat])
    coins = np.int64(s["coins"][seat])
    stop_0, stop_1 = crossing_stops(s, t, 0), crossing_stops(s, t, 1)
    edge = bits.bit(t["edge_shift"][here])
    for k in range(t["degree"][here]):
        if can_step(s, t, seat, np.int64(t["neighbour"][here, k]), free, coins, small, stop_0, stop_1):
            s["legal"][EDGE_WORD + t["edge_word"][here]] |= edge
        edge = edge << bits.ONE


@kernel
def crossing_stops(s, t, word):
    """One word of the regions where the crossing may end; the origin always is one."""
    origin = np.int64(s["move_from"])
    stops = may_stop(s, t, np.int64(s["mover"]), word)
    return stops | bits.bit(origin) if origin >> 6 == word else stops


@kernel
def is_in(region, word_0, word_1):
    """Is the region in the set of these two words?"""
    return ((word_0 if region < 64 else word_1) & bits.bit(region)) != bits.ZERO


@kernel
def toll_of(s, t, seat, region):
    """The toll for entering a region where the seat may not stop: 0 for homelands or by an effect."""
    return 0 if bits.has(t["homelands"], region) or tolls_waived(s, seat) else 1


@kernel
def can_step(s, t, seat, region, free, coins, small, stop_0, stop_1):
    """Can the crossing step into the region and still be completed?"""
    if free > 0:
        free -= 1
    elif small:
        return False
    else:
        coins -= 1
    if is_in(region, stop_0, stop_1):
        return coins >= 0
    coins -= toll_of(s, t, seat, region)
    if coins < 0:
        return False
    return can_complete(s, t, seat, region, free, coins, small, stop_0, stop_1)


@owning
def can_complete(s, t, seat, region, free, coins, small, stop_0, stop_1):
    """Is there a payable route from a region where the seat may not stop to one where it may?

    A route of m steps with T coins of tolls is payable if T + max(0, m - free) <= coins (in a small
    turn: m <= free and T <= coins). Steps are followed breadth first with the least tolls for each
    region; a longer way may be the cheaper one, through homelands.
    """
    most = free if small else free + coins
    if most < 1:
        return False
    if (t["adjacent"][region, 0] & stop_0) | (t["adjacent"][region, 1] & stop_1) != bits.ZERO:
        return True
    tolls = np.full(MAX_REGIONS, coins + 1)
    tolls[region] = 0
    for steps in range(1, min(most, MAX_REGIONS) + 1):
        further = np.full(MAX_REGIONS, coins + 1)
        for a in range(t["num_regions"]):
            if tolls[a] > coins:
                continue
            for k in range(t["degree"][a]):
                b = np.int64(t["neighbour"][a, k])
                if not is_in(b, stop_0, stop_1):
                    further[b] = min(further[b], tolls[a] + toll_of(s, t, seat, b))
                elif tolls[a] + (0 if small else max(0, steps - free)) <= coins:
                    return True
        tolls = further
    return False


# ---------------------------------------------------------------- what an action does


@kernel
def apply_expansion(s, t, action):
    """One action of an Expansion turn."""
    if action == END_ACTION:
        close_expansion_turn(s, t)
    elif action >= EDGE_BASE:
        begin_move(s, t, action - EDGE_BASE)
    else:
        apply_turn_action(s, t, action)


@kernel
def apply_free_moves(s, t, action):
    """One action of a copier's small turn; moves that are not used are lost."""
    if action == END_ACTION:
        s["small_moves"] = 0
    else:
        begin_move(s, t, action - EDGE_BASE)


@kernel
def begin_move(s, t, edge):
    """The first step is made, unless the size of a group has to be chosen before."""
    seat = np.int64(s["seat"])
    origin = np.int64(t["edge_from"][edge])
    s["mover"] = seat
    s["move_from"] = origin
    s["move_at"] = origin
    s["move_edge"] = edge
    s["move_clans"] = 1
    push(s, T_GROUP)
    if not moves_groups(s, seat) or s["clans"][seat, origin] == 1:
        make_first_step(s, t)


@kernel
def apply_group(s, t, action):
    """The group is chosen and makes the step."""
    s["move_clans"] = action - AMOUNT_BASE
    make_first_step(s, t)


@kernel
def make_first_step(s, t):
    """From the origin along the edge; the move then is over or a crossing has begun."""
    s["tasks"][s["depth"] - 1] = T_TRANSIT
    seat, origin = np.int64(s["mover"]), np.int64(s["move_from"])
    goal = np.int64(t["edge_to"][s["move_edge"]])
    s["move_edge"] = 0
    depart(s, seat, origin, np.int64(s["move_clans"]))
    make_step(s, t, goal)


@kernel
def apply_transit(s, t, action):
    """The crossing goes one step on."""
    s["clans"][s["mover"], s["move_at"]] -= s["move_clans"]
    make_step(s, t, np.int64(t["edge_to"][action - EDGE_BASE]))


@kernel
def make_step(s, t, region):
    """Pay the step (a free move before a coin) and enter the region: stop there, or pay its toll."""
    seat = np.int64(s["mover"])
    if in_small_turn(s):
        s["small_moves"] -= 1
    elif s["free_moves"][seat] > 0:
        s["free_moves"][seat] -= 1
    else:
        s["coins"][seat] -= 1
    s["move_at"] = region
    if is_in(region, crossing_stops(s, t, 0), crossing_stops(s, t, 1)):
        arrive(s, seat, region, np.int64(s["move_clans"]))
        finish_move(s)
        return
    if toll_of(s, t, seat, region) > 0:
        s["coins"][seat] -= 1
        s["coins"][occupant(s, t, region, seat)] += 1
    # on the map, but without presence: it may not stop here
    s["clans"][seat, region] += s["move_clans"]


@kernel
def finish_move(s):
    """The clan or group has stopped."""
    s["mover"] = 0
    s["move_from"] = 0
    s["move_at"] = 0
    s["move_clans"] = 0
    pop(s)


# ---------------------------------------------------------------- the end of a turn


@kernel
def close_expansion_turn(s, t):
    """Unused free moves and the effects that hold to here are over; the next seat, or Attack."""
    seat = turn_seat(s)
    s["free_moves"][seat] = 0
    end_effects(s, seat, UNTIL_EXPANSION)
    s["turn"] += 1
    if s["turn"] == num_seats(t):
        s["turn"] = 0
        s["phase"] = ATTACK
