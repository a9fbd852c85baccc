"""The beginning and the end of a round (RULES 5 and 10)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.gentes.actions import GAIN_BASE
from genesia_rl.games.gentes.names import (
    E_CUBE,
    E_HOURS,
    K_REWARD,
    NUM_REGIONS,
    ROUNDS,
    ROUNDS_OF_ERA,
    S_APOGEE,
    S_BEGIN,
    S_DECLINE,
    S_END_ROUND,
    S_FINAL,
    S_HANDS,
    S_LOCKS,
    S_REWARDS,
    S_TURN,
    SLOTS,
    TYPES_SLOTS,
)
from genesia_rl.games.gentes.rules.ask import allow_each, pose
from genesia_rl.games.gentes.rules.cards import change_era, drop_marked
from genesia_rl.games.gentes.rules.gains import do_decline_rewards
from genesia_rl.games.gentes.rules.seats import (
    free_spaces,
    gain_reward,
    num_seats,
    number_bit,
    seat_in_order,
)

# ---------------------------------------------------------------- the Apogee


@kernel
def begin_round(s, t):
    """RULES 5: marks with one or two players; the first player begins."""
    if t["small"]:
        for slot in range(SLOTS):
            if t["is_marked"][slot] and s["display"][slot] > 0:
                s["marked"] |= number_bit(np.int64(s["display"][slot]))
    if t["solo"]:
        s["marked_type"] = s["recruit"][t["solo_slot"] - 1] + 1
    s["seat"] = s["first"]
    s["stage"] = S_APOGEE


@kernel
def find_turn(s, t):
    """RULES 5: the next seat with a free space takes a turn; without any the Apogee ends."""
    seats, seat = num_seats(t), np.int64(s["seat"])
    for _ in range(seats):
        if free_spaces(s, t, seat) > 0:
            s["seat"] = seat
            s["stage"] = S_TURN
            return
        seat = seat + 1 if seat + 1 < seats else np.int64(0)
    s["stage"] = S_DECLINE


# ---------------------------------------------------------------- the Decline


@kernel
def decline(s, t):
    """RULES 10, steps 1 to 4; what is asked comes after them."""
    if t["small"]:
        drop_marked(s, t)
    if s["marked_type"] > 0:
        move_marked_type(s)
    age(s, t)
    if s["next_first"] > 0:
        s["first"] = s["next_first"] - 1
        s["next_first"] = 0
    s["turn"] = 0
    s["stage"] = S_REWARDS
    if s["round"] % ROUNDS_OF_ERA == 0 and s["round"] < ROUNDS:
        change_era(s, t)
        s["stage"] = S_LOCKS


@kernel
def move_marked_type(s):
    """Solo: the recruiting tile that still has its mark goes to the right end."""
    kind = s["marked_type"] - 1
    size = 0
    for slot in range(TYPES_SLOTS):
        if s["recruit"][slot] != kind:
            s["recruit"][size] = s["recruit"][slot]
            size += 1
    s["recruit"][TYPES_SLOTS - 1] = kind
    s["marked_type"] = 0


@kernel
def age(s, t):
    """Tiles return, one hourglass leaves every space, Homes and cards are unused again."""
    s["taken"] = bits.ZERO
    s["used_homes"] = bits.ZERO
    for seat in range(num_seats(t)):
        s["tiles"][seat] = 0
        s["singles"][seat] = s["doubles"][seat]
        s["doubles"][seat] = 0
        s["used_cards"][seat] = bits.ZERO


@kernel
def next_seat(s, t):
    """The next seat in seat order does its part: False if all have."""
    if s["turn"] >= num_seats(t):
        s["turn"] = 0
        return False
    s["seat"] = seat_in_order(s, t, np.int64(s["turn"]))
    s["turn"] += 1
    return True


@kernel
def go_on_with_locks(s, t):
    """RULES 10, step 4: each seat removes a lock, or gains a cube."""
    if next_seat(s, t):
        s["left"] = 1
        s["errand"] = E_CUBE
    else:
        s["stage"] = S_REWARDS


@kernel
def ask_reward(s, t):
    """PROTOCOL 2, reward, region by region, then decline rewards; False if nothing is asked."""
    if s["turn"] >= num_seats(t):
        s["turn"] = 0
        s["stage"] = S_HANDS
        return False
    seat = seat_in_order(s, t, np.int64(s["turn"]))
    s["seat"] = seat
    while s["region"] < NUM_REGIONS:
        rewards = rewards_of(s, t, seat, np.int64(s["region"]))
        if rewards != bits.ZERO:
            pose(s, K_REWARD)
            allow_each(s, GAIN_BASE, rewards)
            return True
        s["region"] += 1
    do_decline_rewards(s, t, seat)
    s["region"] = 0
    s["turn"] += 1
    return False


@kernel
def rewards_of(s, t, seat, region):
    """The different rewards of the seat's cities in a region, as a set."""
    found = bits.ZERO
    left = s["tokens"][seat] & t["region_cities"][region]
    while left != bits.ZERO:
        found |= bits.bit(t["city_reward"][lowest(left)])
        left = bits.rest(left)
    return found


@kernel
def apply_reward(s, t, action):
    """The reward of the lowest-numbered city that has it."""
    what, seat = np.int64(action - GAIN_BASE), np.int64(s["seat"])
    left = s["tokens"][seat] & t["region_cities"][s["region"]]
    while t["city_reward"][lowest(left)] != what:
        left = bits.rest(left)
    gain_reward(s, t, seat, what, np.int64(t["city_n"][lowest(left)]))
    s["region"] += 1


@kernel
def go_on_with_hands(s, t):
    """RULES 10, step 6: an hourglass for each card beyond the limit."""
    if not next_seat(s, t):
        s["stage"] = S_END_ROUND
        return
    seat = np.int64(s["seat"])
    limit = np.int64(t["hand_limit"]) + np.int64(s["hand_more"][seat])
    s["due"] = max(np.int64(0), np.int64(popcount(s["hand"][seat])) - limit)
    s["errand"] = E_HOURS


@kernel
def end_round(s):
    """The next round, or the final scoring."""
    if s["round"] < ROUNDS:
        s["round"] += 1
        s["stage"] = S_BEGIN
    else:
        s["stage"] = S_FINAL
