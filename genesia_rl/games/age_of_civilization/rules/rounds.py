"""Rounds, events, wars and the Plague (RULES 5, 9 and 12)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.age_of_civilization.names import (
    CARDS,
    D_COINS,
    D_POINTS,
    FIRST_EVENT,
    L_IMMUNE,
    M_WAR,
    NUM_GROUPS,
    OPEN_CARDS,
    ROUNDS,
    S_CIVILIZATION,
    W_ALL,
    W_MOST,
)
from genesia_rl.games.age_of_civilization.rules.abilities import (
    base_of,
    first_row,
    num_seats,
)
from genesia_rl.games.age_of_civilization.rules.ask import ask_nothing
from genesia_rl.games.age_of_civilization.rules.civilizations import draw_card, put_coins_on_market
from genesia_rl.games.age_of_civilization.rules.counts import amount, count, has_flag, holds, is_weakest
from genesia_rl.games.age_of_civilization.rules.effects import gain_coins, gain_workers
from genesia_rl.games.age_of_civilization.rules.turn import forget_done

# ---------------------------------------------------------------- turns


@kernel
def seat_in_order(s, t, turn):
    """The seat of a turn of the round: clockwise from the first player token on."""
    seat = np.int64(s["first"]) + turn
    return seat - num_seats(t) if seat >= num_seats(t) else seat


@kernel
def begin_turn(s, t):
    """The seat whose turn it is begins with step 1."""
    s["seat"] = seat_in_order(s, t, np.int64(s["turn"]))
    s["stage"] = S_CIVILIZATION


@kernel
def end_turn(s, t):
    """The next seat's turn, the next round, or the end of the game."""
    forget_done(s)
    s["turn"] += 1
    if s["turn"] == num_seats(t):
        s["turn"] = 0
        if s["round"] == ROUNDS:
            ask_nothing(s)
            return
        end_round(s, t)
    begin_turn(s, t)


# ---------------------------------------------------------------- the end of a round


@kernel
def end_round(s, t):
    """RULES 5, in its order."""
    if t["solo"]:
        put_coins_on_market(s)
        draw_card(s)
    s["first"] = s["first"] - 1 if s["first"] > 0 else num_seats(t) - 1
    s["round"] += 1
    open_cards(s, t)
    place = np.int64(s["round"]) + OPEN_CARDS - 2  # of the new card, counted from 0
    if t["num_events"] > 0 and place >= FIRST_EVENT:
        happen(s, t, np.int64(s["events"][place - FIRST_EVENT]))
    card = s["track"][place]
    if t["card_war"][card]:
        fight(s, t)
    if t["card_plague"][card]:
        for seat in range(num_seats(t)):
            gain_workers(s, seat, np.int64(-1))


@kernel
def actions_on(s, t, begin, end):
    """The actions of some cards of the track and of the permanent card."""
    found = t["permanent"]
    for place in range(begin, end):
        action = np.int64(t["card_action"][s["track"][place]])
        if action >= 0:
            found |= bits.bit(action)
    return found


@kernel
def open_cards(s, t):
    """RULES 5: in round r the cards r, r + 1 and r + 2 are open; with `future` all to their right, too."""
    begin = np.int64(s["round"]) - 1
    s["open"] = actions_on(s, t, begin, begin + OPEN_CARDS)
    s["open_later"] = actions_on(s, t, begin, np.int64(CARDS))


# ---------------------------------------------------------------- war


@kernel
def war_gain(s, t, seat, do):
    """What the `war` effects in force of a seat gain: coins or points."""
    found = np.int64(0)
    for group in range(NUM_GROUPS):
        left = s["own"][seat, group] & t["at_moment"][M_WAR, group]
        while left != bits.ZERO:
            ability = base_of(group) + lowest(left)
            left = bits.rest(left)
            for row in range(first_row(t, ability), first_row(t, ability + 1)):
                if t["op_moment"][row] == M_WAR and t["op_do"][row] == do and holds(s, t, seat, row):
                    found += amount(s, t, seat, row)
    return found


@kernel
def losers(s, t):
    """RULES 5, war: the weakest seats that are not immune, as a set of bits."""
    found = bits.ZERO
    for seat in range(num_seats(t)):
        if is_weakest(s, t, seat) and not has_flag(s, t, seat, L_IMMUNE):
            found |= bits.bit(seat)
    return found


@kernel
def has_war_effects(s, t):
    """Does anybody gain something in a war? Mostly nobody does."""
    found = bits.ZERO
    for seat in range(num_seats(t)):
        for group in range(NUM_GROUPS):
            found |= s["own"][seat, group] & t["at_moment"][M_WAR, group]
    return found != bits.ZERO


@kernel
def do_war_effects(s, t):
    """The `war` effects of all seats: all are counted before any is done."""
    for seat in range(num_seats(t)):
        s["gains"][seat, 0] = war_gain(s, t, seat, D_COINS)
        s["gains"][seat, 1] = war_gain(s, t, seat, D_POINTS)
    for seat in range(num_seats(t)):
        gain_coins(s, seat, np.int64(s["gains"][seat, 0]))
        s["points"][seat] += s["gains"][seat, 1]
        s["gains"][seat, 0] = 0
        s["gains"][seat, 1] = 0


@kernel
def fight(s, t):
    """RULES 5, war: who loses is known before anybody gains, and gains come first."""
    lost = losers(s, t)
    if has_war_effects(s, t):
        do_war_effects(s, t)
    while lost != bits.ZERO:
        gain_workers(s, lowest(lost), np.int64(-1))
        lost = bits.rest(lost)


# ---------------------------------------------------------------- events


@kernel
def happen(s, t, event):
    """RULES 9: the effects of an event in their order, each for all whom it concerns at once."""
    for row in range(np.int64(t["first_event"][event]), np.int64(t["first_event"][event + 1])):
        for seat in range(num_seats(t)):
            concerned = is_concerned(s, t, seat, row)
            per = np.int64(t["event_per"][row])
            s["gains"][seat, 0] = np.int64(t["event_n"][row]) * count(s, t, seat, per) if concerned else 0
        for seat in range(num_seats(t)):
            gain_from_event(s, t, seat, row, np.int64(s["gains"][seat, 0]))
            s["gains"][seat, 0] = 0


@kernel
def is_concerned(s, t, seat, row):
    """RULES 9, `who`: all, or the seats whose count is the greatest or smallest, ties included (R8)."""
    who, of = t["event_who"][row], np.int64(t["event_of"][row])
    if who == W_ALL:
        return True
    own = count(s, t, seat, of)
    for other in range(num_seats(t)):
        theirs = count(s, t, other, of)
        if (theirs > own) if who == W_MOST else (theirs < own):
            return False
    return True


@kernel
def gain_from_event(s, t, seat, row, number):
    """Coins, points or workers are gained, or lost if the number is negative."""
    if t["event_do"][row] == D_COINS:
        gain_coins(s, seat, number)
    elif t["event_do"][row] == D_POINTS:
        s["points"][seat] += number
    else:
        gain_workers(s, seat, number)
