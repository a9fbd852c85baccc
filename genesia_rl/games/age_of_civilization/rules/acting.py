"""Step 2 of a turn (RULES 6 and 7): which actions are legal, what they need and what they cost."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.age_of_civilization.actions import ACT_BASE, END_ACTION, REST_ACTION, SPECIAL_BASE
from genesia_rl.games.age_of_civilization.names import (
    K_ACTION,
    L_DISCOUNT,
    L_FORBID,
    L_FUTURE,
    L_LABOUR,
    L_SPACE,
    M_REST,
    MAX_PRICE,
    NUM_ACTS,
    RESEARCH,
    REST_COINS,
    REST_WORKERS,
    SPECIAL_PRICE,
    SPECIALS,
)
from genesia_rl.games.age_of_civilization.rules.abilities import num_seats, number_bit, technologies_of
from genesia_rl.games.age_of_civilization.rules.ask import allow, allow_set, pose
from genesia_rl.games.age_of_civilization.rules.counts import has_flag, is_live, lane_sum, live_sum
from genesia_rl.games.age_of_civilization.rules.effects import (
    available,
    do_moment,
    gain_coins,
    gain_workers,
)

ALL_ACTS = np.uint64((1 << NUM_ACTS) - 1)
RESEARCH_BIT = np.uint64(1 << int(RESEARCH))
_DISCOUNT, _LABOUR, _SPACE, _FORBID = map(np.uint64, (L_DISCOUNT, L_LABOUR, L_SPACE, L_FORBID))

# ---------------------------------------------------------------- what an action needs and costs


@kernel
def workers_needed(s, t, seat, action):
    """RULES 7: the workers of the action plus all `labour` for it, at least 1."""
    return max(np.int64(1), np.int64(t["workers"][action]) + lane_sum(s, t, seat, L_LABOUR + action))


@kernel
def price(s, t, seat, action, tech, at_end):
    """RULES 7: the price of the action less all `discount` that apply, at least 0.

    Of research it depends on the technology `tech`, as a set; the empty set leaves out what is for some alone.
    """
    lane = L_DISCOUNT + action
    less = np.int64(s["sums"][seat, lane])
    if is_live(s, seat, lane):
        less += live_sum(s, t, seat, lane, tech, at_end)
    return max(np.int64(0), np.int64(t["price"][action]) - less)


@kernel
def payable_technologies(s, t, seat, at_end):
    """RULES 7: the available technologies whose price the seat has."""
    found = available(s, t, seat)
    coins = np.int64(s["coins"][seat])
    if price(s, t, seat, RESEARCH, bits.ZERO, at_end) <= coins:
        return found
    if not is_live(s, seat, L_DISCOUNT + RESEARCH):
        return bits.ZERO
    left = found
    while left != bits.ZERO:
        tech = bits.bit(lowest(left))
        left = bits.rest(left)
        if price(s, t, seat, RESEARCH, tech, at_end) > coins:
            found &= ~tech
    return found


@kernel
def forbidden(s, t, seat):
    """RULES 8, `forbid`: the actions that the abilities of other seats forbid."""
    found = bits.ZERO
    for other in range(num_seats(t)):
        if other == seat:
            continue
        found |= (s["flags"][other] >> _FORBID) & ALL_ACTS
        left = (s["live"][other] >> _FORBID) & ALL_ACTS & ~found
        while left != bits.ZERO:
            action = lowest(left)
            left = bits.rest(left)
            if has_flag(s, t, other, L_FORBID + action):
                found |= bits.bit(action)
    return found


@kernel
def has_price(s, t, seat, action, at_end):
    """Has the seat the price? For research: that of some available technology."""
    if action == RESEARCH:
        return payable_technologies(s, t, seat, at_end) != bits.ZERO
    return price(s, t, seat, action, bits.ZERO, at_end) <= s["coins"][seat]


@kernel
def is_payable(s, t, seat, action, at_end):
    """RULES 7: no other seat forbids it, and the seat has the price."""
    if forbidden(s, t, seat) & bits.bit(action) != bits.ZERO:
        return False
    return has_price(s, t, seat, action, at_end)


# ---------------------------------------------------------------- the decision


@kernel
def open_actions(s, t, seat):
    """RULES 5: the actions whose card is open to the seat, or that are on the permanent card."""
    return s["open_later"] if has_flag(s, t, seat, L_FUTURE) else s["open"]


@kernel
def is_legal_act(s, t, seat, action, is_open, idle):
    """PROTOCOL 2: a space that the seat can use and has not used, enough idle workers, the price."""
    spaces = lane_sum(s, t, seat, L_SPACE + action)
    if is_open:
        spaces += np.int64(t["spaces"][action])
    if spaces <= s["used"][action] or workers_needed(s, t, seat, action) > idle:
        return False
    return has_price(s, t, seat, action, False)


@kernel
def live_acts(s, seat):
    """The actions of which a part of price, workers or spaces is worked out each time."""
    return acts_of(s["live"][seat])


@kernel
def acts_of(lanes):
    """The actions with a lane among these for price, workers or spaces."""
    return ((lanes >> _DISCOUNT) | (lanes >> _LABOUR) | (lanes >> _SPACE)) & ALL_ACTS


@kernel
def printed_acts(s, t, seat, opened, idle):
    """What is legal by what is printed alone: open, with a free space, enough idle workers and the price."""
    coins = min(np.int64(s["coins"][seat]), np.int64(MAX_PRICE))
    found = opened & ~s["full"] & t["workable"][idle] & t["payable"][coins]
    return found if available(s, t, seat) != bits.ZERO else found & ~RESEARCH_BIT


@kernel
def legal_acts(s, t, seat):
    """PROTOCOL 2: the actions that the seat may perform on a space.

    Those that no ability of the seat changes are legal by what is printed, all at once; the others one by one.
    """
    idle = np.int64(s["workers"][seat]) - np.int64(s["placed"])
    if idle <= 0:
        return bits.ZERO
    opened = open_actions(s, t, seat)
    left = acts_of(s["flags"][seat] | s["live"][seat])
    found = printed_acts(s, t, seat, opened, idle) & ~left
    while left != bits.ZERO:
        action = lowest(left)
        left = bits.rest(left)
        if is_legal_act(s, t, seat, action, opened & bits.bit(action) != bits.ZERO, idle):
            found |= bits.bit(action)
    return found & ~forbidden(s, t, seat)


@kernel
def buyable_specials(s, t, seat):
    """RULES 9: the special cards that the seat may buy."""
    found = s["special_market"]
    if found == bits.ZERO or s["special"][seat] > 0 or s["coins"][seat] < SPECIAL_PRICE:
        return bits.ZERO
    for special in range(SPECIALS):
        if technologies_of(s, seat) & t["special_column"][special] != bits.ZERO:
            found &= ~bits.bit(special)
    return found


@kernel
def ask_action(s, t):
    """PROTOCOL 2, action; False if nothing is legal but to rest or to end."""
    seat = np.int64(s["seat"])
    acts, specials = legal_acts(s, t, seat), buyable_specials(s, t, seat)
    if acts | specials == bits.ZERO:
        return False
    pose(s, K_ACTION)
    allow(s, END_ACTION if s["acted"] else REST_ACTION)
    allow_set(s, ACT_BASE, acts)
    allow_set(s, SPECIAL_BASE, specials)
    return True


@kernel
def buy_special(s, t, number):
    """RULES 9: a special card is bought and covers the rows 1 and 2 of its column."""
    seat = np.int64(s["seat"])
    s["special_market"] &= ~number_bit(number)
    s["special"][seat] = number
    gain_coins(s, seat, np.int64(-SPECIAL_PRICE))


@kernel
def rest(s, t):
    """RULES 6: two coins and a worker, then the `rest` effects."""
    seat = np.int64(s["seat"])
    gain_coins(s, seat, np.int64(REST_COINS))
    gain_workers(s, seat, np.int64(REST_WORKERS))
    do_moment(s, t, seat, M_REST)
