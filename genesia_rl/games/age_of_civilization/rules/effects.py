"""What effects do once (RULES 8), and gaining things."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.age_of_civilization.actions import CARD_BASE, TECH_BASE, WONDER_BASE
from genesia_rl.games.age_of_civilization.names import (
    D_BONUS_TIMES,
    D_COINS,
    D_DEPOSIT,
    D_OTHERS_COINS,
    D_POINTS,
    D_TECHNOLOGY,
    D_WONDER,
    D_WORKERS,
    G_TECHNOLOGY,
    G_WONDER,
    K_DEPOSIT,
    K_TECHNOLOGY,
    K_WONDER,
    M_GAIN,
    MAX_WORKERS,
    NUM_GROUPS,
)
from genesia_rl.games.age_of_civilization.rules.abilities import (
    base_of,
    first_row,
    gain_ability,
    num_seats,
    number_bit,
    technologies_of,
)
from genesia_rl.games.age_of_civilization.rules.ask import allow_set, pose
from genesia_rl.games.age_of_civilization.rules.counts import amount, holds

# ---------------------------------------------------------------- coins, points, workers


@kernel
def gain_coins(s, seat, number):
    """RULES 1: the seat gains coins, or loses them if it has some."""
    s["coins"][seat] = max(np.int64(0), np.int64(s["coins"][seat]) + number)


@kernel
def gain_workers(s, seat, number):
    """RULES 1: workers are gained up to four, or sacrificed while there are any."""
    s["workers"][seat] = min(np.int64(MAX_WORKERS), max(np.int64(0), np.int64(s["workers"][seat]) + number))


@kernel
def do_plain(s, t, seat, row):
    """RULES 8: coins, points, workers, others_coins."""
    do, number = t["op_do"][row], amount(s, t, seat, row)
    if do == D_COINS:
        gain_coins(s, seat, number)
    elif do == D_POINTS:
        s["points"][seat] += number
    elif do == D_WORKERS:
        gain_workers(s, seat, number)
    elif do == D_OTHERS_COINS:
        for other in range(num_seats(t)):
            if other != seat:
                gain_coins(s, other, number)


@kernel
def do_rows(s, t, seat, ability, moment):
    """The plain effects of one ability for a moment."""
    for row in range(first_row(t, ability), first_row(t, ability + 1)):
        if t["op_moment"][row] == moment and holds(s, t, seat, row):
            do_plain(s, t, seat, row)


@kernel
def do_moment(s, t, seat, moment):
    """The plain effects of all abilities in force for a moment, in the order of RULES 7."""
    for group in range(NUM_GROUPS):
        left = s["own"][seat, group] & t["at_moment"][moment, group]
        while left != bits.ZERO:
            do_rows(s, t, seat, base_of(group) + lowest(left), moment)
            left = bits.rest(left)


# ---------------------------------------------------------------- technologies and wonders


@kernel
def available(s, t, seat):
    """RULES 9: the technologies that are available to the seat."""
    return t["on_card"][s["special"][seat]] & s["unlocked"][seat] & ~technologies_of(s, seat)


@kernel
def gain_technology(s, t, seat, number):
    """RULES 7, step 3: a technology with what it does when it is gained."""
    gain_ability(s, t, seat, G_TECHNOLOGY, number)
    s["unlocked"][seat] |= t["unlocks"][number - 1]
    do_rows(s, t, seat, base_of(G_TECHNOLOGY) + number - 1, M_GAIN)


@kernel
def gain_wonder(s, t, seat, number):
    """RULES 7, step 3: a wonder of the market with what it does when it is gained."""
    s["wonder_market"] &= ~number_bit(number)
    gain_ability(s, t, seat, G_WONDER, number)
    do_rows(s, t, seat, base_of(G_WONDER) + number - 1, M_GAIN)


# ---------------------------------------------------------------- effects that ask


@kernel
def to_come(s, t, seat, row):
    """PROTOCOL 2: is one more still to come? How many there are is counted before the first."""
    if s["left"] == 0:
        s["left"] = 1 + (amount(s, t, seat, row) if holds(s, t, seat, row) else 0)
    return s["left"] > 1


@kernel
def ask_technology(s, members):
    """A technology of a set is chosen; False if the set is empty."""
    pose(s, K_TECHNOLOGY)
    allow_set(s, TECH_BASE, members)
    return members != bits.ZERO


@kernel
def ask_wonder(s):
    """A wonder of the market is chosen; False if it is empty."""
    pose(s, K_WONDER)
    allow_set(s, WONDER_BASE, s["wonder_market"])
    return s["wonder_market"] != bits.ZERO


@kernel
def ask_deposit(s):
    """A card of the market is chosen for the coins; once."""
    if s["left"] > 0:
        return False
    pose(s, K_DEPOSIT)
    allow_set(s, CARD_BASE, s["market"])
    return True


@kernel
def do_row(s, t, seat, row):
    """One effect of an ability's own moment (birth, turn_end); True if it asks."""
    do = t["op_do"][row]
    if do == D_TECHNOLOGY:
        return to_come(s, t, seat, row) and ask_technology(s, available(s, t, seat))
    if do == D_WONDER:
        return to_come(s, t, seat, row) and ask_wonder(s)
    if do == D_DEPOSIT:
        return ask_deposit(s)
    if do != D_BONUS_TIMES and holds(s, t, seat, row):
        do_plain(s, t, seat, row)
    return False


@kernel
def apply_deposit(s, t, number):
    """RULES 8, `deposit`: coins onto a card, points for the seat."""
    seat, row = np.int64(s["seat"]), np.int64(s["row"])
    gain_coins(s, seat, -np.int64(t["op_n"][row]))
    s["card_coins"][number - 1] += t["op_n"][row]
    s["points"][seat] += t["op_points"][row]
    s["left"] = 1


@kernel
def go_on_with_ability(s, t, moment):
    """Do the effects of the ability under way until one asks (True) or all are done (False)."""
    seat, ability = np.int64(s["seat"]), np.int64(s["ability"]) - 1
    while s["row"] < first_row(t, ability + 1):
        row = np.int64(s["row"])
        if t["op_moment"][row] == moment and do_row(s, t, seat, row):
            return True
        s["row"] += 1
        s["left"] = 0
    s["ability"] = 0
    s["row"] = 0
    return False


@kernel
def begin_ability(s, t, stage, ability):
    """The effects of an ability are done from the first one on."""
    s["stage"] = stage
    s["ability"] = ability + 1
    s["row"] = first_row(t, ability)
    s["left"] = 0
