"""What a position is worth for a seat, in points of the final score.

The score as it stands, and what coins, cubes, citizens, tokens, cards in play, cards in hand and the track are likely
to bring in the rounds that are left. All of it is public.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.gentes.mind.plan import DISTANCES
from genesia_rl.games.gentes.names import (
    CITIES,
    K_RECRUIT,
    NEVER,
    NUM_REGIONS,
    ROUNDS,
    S_DECLINE,
    SCORE_PARTS,
)
from genesia_rl.games.gentes.rules.needs import missing, missing_citizens
from genesia_rl.games.gentes.rules.places import CITY_PLACES
from genesia_rl.games.gentes.rules.scoring import half
from genesia_rl.games.gentes.rules.seats import free_spaces, num_citizens, num_cubes, num_placed, num_seats

MOST_CITIZENS = 18  # more bring little
SYMBOL_DISTANCE = 2  # lacking symbols, in citizens


@kernel
def total(s, seat):
    """The points of a seat."""
    found = 0.0
    for part in range(len(SCORE_PARTS)):
        found += np.float64(s["points"][seat, part])
    return found


@kernel
def distance(s, t, seat, card):
    """How far a card is from being played, in citizens."""
    lacks = missing(s, t, seat, card)
    if lacks == NEVER:
        lacks = missing_citizens(s["strength"][seat], t["need"][card - 1]) + SYMBOL_DISTANCE
    return min(lacks, np.int64(DISTANCES - 1))


@kernel
def hand_value(s, t, p, seat, left, can_act):
    """Cards in hand: what playing them would bring, and what they cost if they stay there."""
    found = 0.0
    cards = s["hand"][seat]
    while cards != bits.ZERO:
        place = np.int64(lowest(cards))
        cards = bits.rest(cards)
        far = distance(s, t, seat, place + 1)
        if left == 0 and not can_act:
            found += half(t, place) if far == 0 else -half(t, place)
        else:
            part = p["ready"][far]
            found += part * p["card"][place, left] - (1.0 - part) * p["late"][left] * half(t, place)
    beyond = popcount(s["hand"][seat]) - np.int64(t["hand_limit"]) - np.int64(s["hand_more"][seat])
    return found - max(np.int64(0), beyond) * p["space"][left]


@kernel
def cards_value(s, p, seat, left):
    """Cards in play: what they still bring."""
    found = 0.0
    cards = s["played"][seat] & ~s["scored"][seat]
    while cards != bits.ZERO:
        found += p["lasting"][lowest(cards), left]
        cards = bits.rest(cards)
    return found


@kernel
def places_value(s, t, p, seat, left, declines):
    """Tokens: the best reward of each region in each Decline to come, and what Homes offer."""
    found = p["token"][left] * num_placed(s, seat)
    for region in range(NUM_REGIONS):
        best = 0.0
        cities = s["tokens"][seat] & t["region_cities"][region]
        while cities != bits.ZERO:
            best = max(best, p["reward"][lowest(cities), left])
            cities = bits.rest(cities)
        found += best * declines
    homes = s["tokens"][seat] & ~CITY_PLACES
    while homes != bits.ZERO:
        found += p["home"][t["home_row"][lowest(homes) - CITIES], left]
        homes = bits.rest(homes)
    return found


@kernel
def track_value(s, t, p, seat, left, in_round):
    """The track: free spaces now, pairs of hourglasses that stay for a round, locks, and the penalty at the end."""
    found = 0.0
    if in_round:
        found += p["space"][left] * free_spaces(s, t, seat)
    staying = np.int64(s["doubles"][seat])
    if not in_round:
        staying += np.int64(s["singles"][seat])
    if left == 0:
        return found - np.float64(t["penalty"][min(staying, np.int64(t["most_penalty"]))])
    return found - p["space"][left] * (staying + 0.8 * left * np.int64(s["locks"][seat]))


@kernel
def seat_value(s, t, p, seat):
    """What a seat has."""
    found = total(s, seat)
    if s["over"]:
        return found
    left = np.int64(ROUNDS) - np.int64(s["round"])
    in_round = s["stage"] < S_DECLINE and not s["scoring"]
    found += p["coin"][left] * s["coins"][seat] + p["cube"][left] * num_cubes(s, seat)
    found += p["citizen"][left] * min(num_citizens(s, seat), np.int64(MOST_CITIZENS))
    found += track_value(s, t, p, seat, left, in_round)
    found += cards_value(s, p, seat, left)
    found += places_value(s, t, p, seat, left, left + (1 if in_round else 0))
    found += hand_value(s, t, p, seat, left, in_round and free_spaces(s, t, seat) > 0)
    if s["next_first"] == seat + 1:
        found += p["first"]
    if s["kind"] == K_RECRUIT and s["seat"] == seat:
        found += p["coming"] * np.int64(s["left"])
    return found


@kernel
def standing(s, t, p, seat):
    """How a seat stands: its own worth against the mean of the others'."""
    found = seat_value(s, t, p, seat)
    seats = num_seats(t)
    if seats == 1:
        return found
    others = 0.0
    for other in range(seats):
        if other != seat:
            others += seat_value(s, t, p, other)
    return found - p["rival"] * others / (seats - 1)
