"""Growth turns, recruiting, playing and discarding cards (RULES 5.B)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel
from genesia_rl.games.genesia.actions import CARD_BASE, DISCARD_BASE, END_ACTION, REGION_BASE
from genesia_rl.games.genesia.names import (
    DISCARD_COINS,
    END,
    EXPANSION,
    GROWTH,
    ICON_GROWTH,
    K_GROWTH,
    RECRUIT_PRICE,
    REGION_WORDS,
    T_WINDOW,
    UNTIL_NONE,
    UNTIL_TURN,
)
from genesia_rl.games.genesia.rules.effects import start_effects
from genesia_rl.games.genesia.rules.legal import (
    allow,
    allow_discards,
    allow_region_word,
    allow_turn_cards,
    pose,
)
from genesia_rl.games.genesia.rules.pieces import recruit_clans
from genesia_rl.games.genesia.rules.players import num_seats, turn_seat
from genesia_rl.games.genesia.rules.tasks import push

# ---------------------------------------------------------------- what is legal


@kernel
def ask_growth(s, t):
    """RULES 5.B: any number of actions, in any order, until the seat ends its turn."""
    seat = turn_seat(s)
    pose(s, K_GROWTH, seat)
    allow(s, END_ACTION)
    allow_turn_cards(s, t, seat, ICON_GROWTH)
    allow_discards(s, seat)
    allow_recruits(s, t, seat)


@kernel
def recruit_price(s, seat):
    """2 coins, or the price of an effect while it lasts."""
    return s["price"][seat] if s["price_left"][seat] > 0 else RECRUIT_PRICE


@kernel
def allow_recruits(s, t, seat):
    """RULES 5.B, Recruit: the own homeland, from Age II own cities; every own region by an effect."""
    if s["clan_supply"][seat] == 0 or s["coins"][seat] < recruit_price(s, seat):
        return
    allow(s, REGION_BASE + t["homeland"][seat])
    if s["anywhere_until"][seat] != UNTIL_NONE:
        for word in range(REGION_WORDS):
            allow_region_word(s, word, s["occupied"][seat, word])
    elif s["age"] > 0:
        for word in range(REGION_WORDS):
            allow_region_word(s, word, s["city_regions"][seat, word])


# ---------------------------------------------------------------- what an action does


@kernel
def apply_growth(s, t, action):
    """One action of a Growth turn."""
    if action == END_ACTION:
        close_growth_turn(s, t)
    else:
        apply_turn_action(s, t, action)


@kernel
def apply_turn_action(s, t, action):
    """Recruiting, discarding and playing a card are the same in every phase."""
    seat = np.int64(s["seat"])
    if action >= DISCARD_BASE:
        discard(s, seat, action - DISCARD_BASE)
    elif action >= CARD_BASE:
        play_turn_card(s, t, seat, action - CARD_BASE)
    else:
        recruit(s, seat, action - REGION_BASE)


@kernel
def recruit(s, seat, region):
    """One clan an action, paid to the reserve."""
    s["coins"][seat] -= recruit_price(s, seat)
    if s["price_left"][seat] > 0:
        s["price_left"][seat] -= 1
        if s["price_left"][seat] == 0:
            end_recruit_price(s, seat)
    recruit_clans(s, seat, region, 1)


@kernel
def end_recruit_price(s, seat):
    """The price is 2 again."""
    s["price"][seat] = 0
    s["price_left"][seat] = 0
    s["price_until"][seat] = UNTIL_NONE


@kernel
def discard(s, seat, card):
    """RULES 5.B: a card in hand is discarded face down for 4 coins."""
    bits.drop(s["hand"][seat], card)
    bits.add(s["discarded"][seat], card)
    s["coins"][seat] += DISCARD_COINS


@kernel
def pay_card(s, t, seat, card):
    """The card leaves the hand at once and is paid before any of its effects (PROTOCOL 2)."""
    s["coins"][seat] -= t["cost"][card]
    bits.drop(s["hand"][seat], card)
    bits.add(s["played"][seat], card)
    if t["invention"][card] > 0:
        bits.add(s["inventions"][seat], card)


@kernel
def play_turn_card(s, t, seat, card):
    """Its effects first; then, outside Attack, the others may copy it (RULES 7, Copying)."""
    pay_card(s, t, seat, card)
    if s["phase"] == GROWTH or s["phase"] == EXPANSION or s["phase"] == END:
        s["window_card"] = card
        s["window_seat"] = seat
        push(s, T_WINDOW)
    start_effects(s, seat, card, False)


# ---------------------------------------------------------------- the end of a turn


@kernel
def close_growth_turn(s, t):
    """Effects that hold to the end of the turn are over; the next seat, or Expansion."""
    end_effects(s, turn_seat(s), UNTIL_TURN)
    s["turn"] += 1
    if s["turn"] == num_seats(t):
        s["turn"] = 0
        s["phase"] = EXPANSION


@kernel
def end_effects(s, seat, reached):
    """RULES 7: the lasting effects that hold no longer than to here are over."""
    if s["price_until"][seat] <= reached:
        end_recruit_price(s, seat)
    if s["anywhere_until"][seat] <= reached:
        s["anywhere_until"][seat] = UNTIL_NONE
    if s["group_until"][seat] <= reached:
        s["group_until"][seat] = UNTIL_NONE
    if s["no_toll_until"][seat] <= reached:
        s["no_toll_until"][seat] = UNTIL_NONE
