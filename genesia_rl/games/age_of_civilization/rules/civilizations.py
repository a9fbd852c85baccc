"""Step 1 of a turn (RULES 6): a civilization rises or is annexed."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.age_of_civilization.actions import ANNEX_BASE, PASS_ACTION, RISE_BASE
from genesia_rl.games.age_of_civilization.names import (
    D_BONUS_TIMES,
    DRAFT_BONUS,
    G_INHERITED,
    G_MAIN,
    K_CIVILIZATION,
    M_BIRTH,
    MAX_CIVILIZATIONS,
    S_ACTIONS,
    S_BIRTH,
)
from genesia_rl.games.age_of_civilization.rules.abilities import (
    change_main,
    civilizations_of,
    first_row,
    gain_ability,
    number_bit,
)
from genesia_rl.games.age_of_civilization.rules.ask import allow, allow_set, pose
from genesia_rl.games.age_of_civilization.rules.counts import holds
from genesia_rl.games.age_of_civilization.rules.effects import begin_ability, gain_coins, gain_workers


@kernel
def ask_civilization(s, t):
    """PROTOCOL 2, civilization; False if the seat has three already."""
    seat = np.int64(s["seat"])
    has = popcount(civilizations_of(s, seat))
    if has >= MAX_CIVILIZATIONS:
        s["stage"] = S_ACTIONS
        return False
    cards = s["market"] | s["hand"][seat]
    pose(s, K_CIVILIZATION)
    allow_set(s, RISE_BASE, cards)
    if has > 0:
        allow_set(s, ANNEX_BASE, cards)
        allow(s, PASS_ACTION)
    return True


@kernel
def apply_civilization(s, t, action):
    """RULES 6, step 1."""
    s["stage"] = S_ACTIONS
    if action == PASS_ACTION:
        return
    if action >= ANNEX_BASE:
        annex(s, t, action - ANNEX_BASE + 1)
    else:
        rise(s, t, action - RISE_BASE + 1)


@kernel
def rise(s, t, number):
    """It is the main civilization now; its `birth` effects come when all else is done (R16)."""
    seat = np.int64(s["seat"])
    bonus = take_card(s, t, seat, number)
    change_main(s, t, seat, number)
    s["workers"][seat] = t["population"][number - 1]
    s["bonus"] = bonus
    gain_coins(s, seat, bonus * bonus_times(s, t, seat, number - 1))
    refill_market(s, t)
    if t["at_moment"][M_BIRTH, G_MAIN] & number_bit(number) != bits.ZERO:
        begin_ability(s, t, S_BIRTH, np.int64(number - 1))
    else:
        end_birth(s)


@kernel
def annex(s, t, number):
    """Its inherited ability is gained, and a worker."""
    seat = np.int64(s["seat"])
    bonus = take_card(s, t, seat, number)
    gain_ability(s, t, seat, G_INHERITED, number)
    gain_workers(s, seat, np.int64(1))
    gain_coins(s, seat, bonus)
    refill_market(s, t)


@kernel
def end_birth(s):
    """Step 2 begins."""
    s["stage"] = S_ACTIONS
    s["bonus"] = 0


@kernel
def take_card(s, t, seat, number):
    """The card leaves the market or the hand; returns its bonus."""
    bonus = np.int64(s["card_coins"][number - 1])
    s["card_coins"][number - 1] = 0
    s["market"] &= ~number_bit(number)
    s["hand"][seat] &= ~number_bit(number)
    if t["draft"] and civilizations_of(s, seat) != bits.ZERO:
        bonus += DRAFT_BONUS
    return bonus


@kernel
def bonus_times(s, t, seat, ability):
    """RULES 8: by what the bonus is multiplied: the n of each `bonus_times` of a main ability."""
    found = np.int64(1)
    if t["at_moment"][M_BIRTH, G_MAIN] & bits.bit(ability) == bits.ZERO:
        return found
    for row in range(first_row(t, ability), first_row(t, ability + 1)):
        if t["op_moment"][row] == M_BIRTH and t["op_do"][row] == D_BONUS_TIMES and holds(s, t, seat, row):
            found *= np.int64(t["op_n"][row])
    return found


# ---------------------------------------------------------------- the market


@kernel
def put_coins_on_market(s):
    """A coin on every card of the market."""
    left = s["market"]
    while left != bits.ZERO:
        s["card_coins"][lowest(left)] += 1
        left = bits.rest(left)


@kernel
def draw_card(s):
    """A card is drawn from the deck to the market, without coins; nothing if the deck has run out."""
    if s["drawn"] < s["deck_size"]:
        s["market"] |= number_bit(np.int64(s["deck"][s["drawn"]]))
        s["drawn"] += 1


@kernel
def refill_market(s, t):
    """RULES 6: coins on what is left, and a new card; not in solo, not with draft."""
    if t["refills"]:
        put_coins_on_market(s)
        draw_card(s)
