"""The final scoring and the result (RULES 10)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.gentes.actions import CARD_BASE, END_ACTION, HIRE_ACTION, SWAP_ACTION
from genesia_rl.games.gentes.names import K_FINAL, P_END, SCORE_PARTS
from genesia_rl.games.gentes.rules.acting import play_card
from genesia_rl.games.gentes.rules.ask import allow, allow_set, ask_nothing, pose
from genesia_rl.games.gentes.rules.extras import begin_hire, begin_swap, can_hire, can_swap
from genesia_rl.games.gentes.rules.needs import missing, playable
from genesia_rl.games.gentes.rules.seats import num_cards, num_cubes, num_seats, number_bit, seat_in_order

# ---------------------------------------------------------------- the final scoring


@kernel
def half(t, place):
    """Half the points of a card, rounded up."""
    return np.int32((np.int64(t["worth"][place]) + 1) // 2)


@kernel
def score_card(s, t, seat, card):
    """A card comes into play for half its points, and does nothing else."""
    play_card(s, t, seat, card)
    s["scored"][seat] |= number_bit(card)
    s["points"][seat, P_END] += half(t, card - 1)


@kernel
def score_free_cards(s, t, seat):
    """RULES 10: cards whose needs are met without cubes are scored by themselves, by rising number."""
    left = s["hand"][seat]
    while left != bits.ZERO:
        card = np.int64(lowest(left)) + 1
        left = bits.rest(left)
        if missing(s, t, seat, card) == 0:
            score_card(s, t, seat, card)


@kernel
def ask_final(s, t):
    """PROTOCOL 2, final; False if the game is over, or nothing but `end` is legal."""
    s["scoring"] = 1
    if s["turn"] >= num_seats(t):
        ask_nothing(s)
        return False
    seat = seat_in_order(s, t, np.int64(s["turn"]))
    s["seat"] = seat
    score_free_cards(s, t, seat)
    pose(s, K_FINAL)
    allow_set(s, CARD_BASE, playable(s, t, seat))
    if s["hand"][seat] != bits.ZERO:
        if can_swap(s, t, seat):
            allow(s, SWAP_ACTION)
        if can_hire(s, t, seat):
            allow(s, HIRE_ACTION)
    allow(s, END_ACTION)
    return True


@kernel
def apply_final(s, t, action):
    """A card with cubes, an extra option, or the end of a seat's scoring."""
    if action == END_ACTION:
        end_seat(s, t, np.int64(s["seat"]))
    elif action == SWAP_ACTION:
        begin_swap(s)
    elif action == HIRE_ACTION:
        begin_hire(s)
    else:
        score_card(s, t, np.int64(s["seat"]), np.int64(action - CARD_BASE + 1))


@kernel
def end_seat(s, t, seat):
    """RULES 10: cards left in hand, cubes, coins, hourglasses."""
    points = num_cubes(s, seat) // np.int64(t["cubes_per_point"])
    points += np.int64(s["coins"][seat]) // np.int64(t["coins_per_point"])
    points -= np.int64(t["penalty"][min(hourglasses(s, seat), np.int64(t["most_penalty"]))])
    left = s["hand"][seat]
    while left != bits.ZERO:
        points -= half(t, np.int64(lowest(left)))
        left = bits.rest(left)
    s["points"][seat, P_END] += np.int32(points)
    s["turn"] += 1


@kernel
def hourglasses(s, seat):
    """Hourglasses on the track; a pair counts two."""
    return np.int64(s["singles"][seat]) + 2 * np.int64(s["doubles"][seat])


# ---------------------------------------------------------------- the result


@kernel
def put_parts(s, t, parts, totals):
    """The parts and totals of every seat as they are."""
    for seat in range(num_seats(t)):
        totals[seat] = 0
        for part in range(len(SCORE_PARTS)):
            parts[seat, part] = s["points"][seat, part]
            totals[seat] += s["points"][seat, part]


@kernel
def is_before(s, totals, other, seat):
    """A higher score; ties: more cards in play, then more coins."""
    if totals[other] != totals[seat]:
        return totals[other] > totals[seat]
    cards, others = num_cards(s, seat), num_cards(s, other)
    if others != cards:
        return others > cards
    return s["coins"][other] > s["coins"][seat]


@kernel
def put_ranks(s, t, totals, ranks):
    """How many seats rank before each."""
    for seat in range(num_seats(t)):
        ranks[seat] = 0
        for other in range(num_seats(t)):
            ranks[seat] += is_before(s, totals, other, seat)
