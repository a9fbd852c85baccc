"""Performing an action, wherever it comes from (RULES 7)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.age_of_civilization.actions import ACT_BASE, END_ACTION
from genesia_rl.games.age_of_civilization.names import (
    ACTION_SOURCE,
    BY_GRANT,
    BY_SPACE,
    BY_TURN_END,
    D_PERFORM,
    D_TECHNOLOGY,
    D_WONDER,
    K_GRANT,
    M_ACT,
    NUM_GROUPS,
    RESEARCH,
    S_ACTIONS,
    S_GRANTS,
    S_PERFORM,
    S_TURN_END,
)
from genesia_rl.games.age_of_civilization.rules.abilities import (
    base_of,
    first_row,
    number_bit,
)
from genesia_rl.games.age_of_civilization.rules.acting import (
    is_payable,
    payable_technologies,
    price,
    workers_needed,
)
from genesia_rl.games.age_of_civilization.rules.ask import allow, pose
from genesia_rl.games.age_of_civilization.rules.counts import amount, holds, is_for
from genesia_rl.games.age_of_civilization.rules.effects import (
    ask_technology,
    ask_wonder,
    do_plain,
    gain_coins,
    gain_technology,
    to_come,
)

# ---------------------------------------------------------------- steps 1 and 2


@kernel
def place_workers(s, t, action):
    """Step 1: on a space."""
    number = workers_needed(s, t, np.int64(s["seat"]), action)
    s["acted"] = 1
    s["used"][action] += 1
    if s["used"][action] >= t["spaces"][action]:
        s["full"] |= bits.bit(action)
    s["placed"] += number
    if t["is_red"][action]:
        s["red"][action] += number


@kernel
def begin_action(s, t, action, by):
    """Steps 1 and 2: workers, what is in force now, and the price, which research pays later."""
    seat = np.int64(s["seat"])
    if by == BY_SPACE:
        place_workers(s, t, action)
    s["stage"] = S_PERFORM
    s["action"] = action + 1
    s["by"] = by
    s["action_row"] = first_row(t, ACTION_SOURCE + action)
    s["left"] = 0
    for group in range(NUM_GROUPS):
        s["noted"][group] = s["own"][seat, group]
    if action != RESEARCH:
        pay(s, t, action, bits.ZERO)


@kernel
def pay(s, t, action, tech):
    """Step 2: the price is paid."""
    seat = np.int64(s["seat"])
    gain_coins(s, seat, -price(s, t, seat, action, tech, s["by"] == BY_TURN_END))


@kernel
def choose_technology(s, t, number):
    """Step 2, research: the technology is chosen, then its price is paid."""
    s["tech"] = number
    pay(s, t, RESEARCH, number_bit(number))


# ---------------------------------------------------------------- steps 3 and 4


@kernel
def tech_set(number):
    """The technology of research as a set; empty for other actions."""
    return number_bit(number) if number > 0 else bits.ZERO


@kernel
def go_on_with_action(s, t):
    """Steps 2 to 4 until something is asked (True) or all is done (False)."""
    seat, action = np.int64(s["seat"]), np.int64(s["action"]) - 1
    if action == RESEARCH and s["tech"] == 0:
        return ask_technology(s, payable_technologies(s, t, seat, s["by"] == BY_TURN_END))
    while s["action_row"] < first_row(t, ACTION_SOURCE + action + 1):
        if do_action_row(s, t, seat, np.int64(s["action_row"])):
            return True
        s["action_row"] += 1
        s["left"] = 0
    do_acts(s, t, seat, action)
    end_action(s, t, action)
    return False


@kernel
def do_action_row(s, t, seat, row):
    """Step 3: an effect of the action; True if it asks. The technology is the one that research has chosen."""
    do = t["op_do"][row]
    if do == D_WONDER:
        return to_come(s, t, seat, row) and ask_wonder(s)
    if not holds(s, t, seat, row):
        return False
    if do == D_TECHNOLOGY:
        if amount(s, t, seat, row) > 0:
            gain_technology(s, t, seat, np.int64(s["tech"]))
    else:
        do_plain(s, t, seat, row)
    return False


@kernel
def do_acts(s, t, seat, action):
    """Step 4: the `act` effects that were noted, except `perform`."""
    tech = tech_set(np.int64(s["tech"]))
    for group in range(NUM_GROUPS):
        left = s["noted"][group] & t["at_moment"][M_ACT + action, group]
        while left != bits.ZERO:
            ability = base_of(group) + lowest(left)
            left = bits.rest(left)
            for row in range(first_row(t, ability), first_row(t, ability + 1)):
                if t["op_moment"][row] != M_ACT + action or t["op_do"][row] == D_PERFORM:
                    continue
                if is_for(t, row, tech) and holds(s, t, seat, row):
                    do_plain(s, t, seat, row)


@kernel
def end_action(s, t, action):
    """The action is over: what it belongs to goes on."""
    by = s["by"]
    s["stage"] = S_TURN_END if by == BY_TURN_END else S_GRANTS
    if by == BY_SPACE:
        note_grants(s, t, action)
    s["action"] = 0
    s["by"] = 0
    s["tech"] = 0
    s["action_row"] = 0
    for group in range(NUM_GROUPS):
        s["noted"][group] = bits.ZERO


# ---------------------------------------------------------------- step 5


@kernel
def note_grants(s, t, action):
    """Step 5: the noted `perform` effects are to be offered; without any, step 2 of the turn goes on."""
    found = bits.ZERO
    for group in range(NUM_GROUPS):
        s["granting"][group] = s["noted"][group] & t["performs"][action, group]
        found |= s["granting"][group]
    if found == bits.ZERO:
        s["stage"] = S_ACTIONS
        return
    s["space_action"] = action + 1
    s["space_tech"] = s["tech"]


@kernel
def next_grant(s, t):
    """The next noted `perform` effect that holds and whose action is payable now; -1 without one."""
    seat, moment = np.int64(s["seat"]), M_ACT + np.int64(s["space_action"]) - 1
    tech = tech_set(np.int64(s["space_tech"]))
    for group in range(NUM_GROUPS):
        left = s["granting"][group]
        while left != bits.ZERO:
            ability = base_of(group) + lowest(left)
            left = bits.rest(left)
            for row in range(max(first_row(t, ability), np.int64(s["row"])), first_row(t, ability + 1)):
                if t["op_moment"][row] != moment or t["op_do"][row] != D_PERFORM:
                    continue
                what = np.int64(t["op_what"][row])
                if is_for(t, row, tech) and holds(s, t, seat, row) and is_payable(s, t, seat, what, False):
                    s["ability"] = ability + 1
                    return row
    return np.int64(-1)


@kernel
def go_on_with_grants(s, t):
    """Offer the next `perform` effect (True), or go on with step 2 of the turn (False)."""
    row = next_grant(s, t)
    if row < 0:
        end_grants(s)
        return False
    s["row"] = row
    pose(s, K_GRANT)
    allow(s, ACT_BASE + np.int64(t["op_what"][row]))
    allow(s, END_ACTION)
    return True


@kernel
def end_grants(s):
    """All of them have been offered."""
    s["stage"] = S_ACTIONS
    s["space_action"] = 0
    s["space_tech"] = 0
    s["ability"] = 0
    s["row"] = 0
    for group in range(NUM_GROUPS):
        s["granting"][group] = bits.ZERO


@kernel
def apply_grant(s, t, action):
    """The named action is performed without space and worker, or not."""
    s["row"] += 1
    if action != END_ACTION:
        begin_action(s, t, action - ACT_BASE, BY_GRANT)
