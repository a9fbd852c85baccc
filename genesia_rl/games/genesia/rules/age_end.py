"""The end of an Age: cities, end-of-Age turns, progress, and the next turn order (RULES 5.C)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, owning
from genesia_rl.games.genesia.actions import END_ACTION, POSITION_BASE
from genesia_rl.games.genesia.names import (
    AGES,
    CARD_WORDS,
    CITY_CLANS,
    DISCARD_COINS,
    END,
    ICON_END,
    K_END_OF_AGE,
    K_NONE,
    K_POSITION,
    OVER,
    POSITION,
    REGION_WORDS,
    UNTIL_AGE,
)
from genesia_rl.games.genesia.rules.draft import start_age
from genesia_rl.games.genesia.rules.growth import apply_turn_action, end_effects
from genesia_rl.games.genesia.rules.legal import allow, allow_discards, allow_turn_cards, pose
from genesia_rl.games.genesia.rules.pieces import build_city
from genesia_rl.games.genesia.rules.players import num_seats, turn_seat
from genesia_rl.games.genesia.rules.solo import swap_order

# ---------------------------------------------------------------- 1. cities


@owning
def begin_end_of_age(s, t):
    """All players build at the same moment, then the end-of-Age turns begin."""
    standing = np.zeros(REGION_WORDS, np.uint64)
    for seat in range(num_seats(t)):
        for word in range(REGION_WORDS):
            standing[word] |= s["city_regions"][seat, word]
    for seat in range(num_seats(t)):
        build_cities(s, t, seat, standing)
    s["phase"] = END
    s["turn"] = 0


@kernel
def wants_city(s, seat, region, standing):
    """At least 2 clans, where nobody's city stands (R9)."""
    return s["clans"][seat, region] >= CITY_CLANS and not bits.has(standing, region)


@kernel
def build_cities(s, t, seat, standing):
    """RULES 5.C.1: a city wherever two clans and none of the standing cities are; if short, best value first
    (R5)."""
    wanted = 0
    for word in range(REGION_WORDS):
        regions = s["clan_regions"][seat, word]
        while regions != bits.ZERO:
            wanted += wants_city(s, seat, word * 64 + lowest(regions), standing)
            regions = bits.rest(regions)
    if wanted == 0:
        return
    for place in range(t["num_regions"]):
        region = np.int64(t["build_order"][seat, place])
        if s["city_supply"][seat] > 0 and wants_city(s, seat, region, standing):
            build_city(s, seat, region)


# ---------------------------------------------------------------- 2. end-of-Age turns


@kernel
def ask_end_of_age(s, t):
    """Play cards that bear the End icon, discard, end."""
    seat = turn_seat(s)
    pose(s, K_END_OF_AGE, seat)
    allow(s, END_ACTION)
    allow_turn_cards(s, t, seat, ICON_END)
    allow_discards(s, seat)


@kernel
def apply_end_of_age(s, t, action):
    """Ending the turn discards what is left."""
    if action != END_ACTION:
        apply_turn_action(s, t, action)
        return
    seat = np.int64(s["seat"])
    s["coins"][seat] += DISCARD_COINS * bits.num_members(s["hand"][seat])
    for word in range(CARD_WORDS):
        s["discarded"][seat, word] |= s["hand"][seat, word]
        s["hand"][seat, word] = bits.ZERO
    s["turn"] += 1
    if s["turn"] == num_seats(t):
        close_age(s, t)


# ---------------------------------------------------------------- 3. progress


@kernel
def close_age(s, t):
    """Inventions count, all lasting effects are over; the next turn order, or the end of the game."""
    s["turn"] = 0
    for seat in range(num_seats(t)):
        s["progress"][seat, s["age"]] += invention_points(s, t, seat)
        end_effects(s, seat, UNTIL_AGE)
        s["free_moves"][seat] = 0
        s["offence"][seat] = 0
        s["defence"][seat] = 0
        s["pacifist"][seat] = 0
    if s["age"] == AGES - 1:
        finish_game(s)
    elif t["choose_order"]:
        begin_choice(s, t)
    else:
        swap_order(s)
        start_age(s, t, np.int64(s["age"]) + 1)


@kernel
def invention_points(s, t, seat):
    """The points of every Invention played or copied so far."""
    points = 0
    for word in range(CARD_WORDS):
        cards = s["inventions"][seat, word]
        while cards != bits.ZERO:
            points += t["invention"][word * 64 + lowest(cards)]
            cards = bits.rest(cards)
    return points


@kernel
def finish_game(s):
    """After the third Age the game is over; nothing is legal."""
    pose(s, K_NONE, np.int64(-1))
    s["phase"] = OVER
    s["over"] = 1
    s["num_legal"] = 0


# ---------------------------------------------------------------- 4. turn order


@kernel
def begin_choice(s, t):
    """Least progress of this Age chooses first; ties in the current turn order."""
    s["phase"] = POSITION
    s["chosen_places"] = 0
    age = s["age"]
    for place in range(num_seats(t)):
        seat = s["order"][place]
        before = place
        while before > 0 and s["progress"][s["choosers"][before - 1], age] > s["progress"][seat, age]:
            s["choosers"][before] = s["choosers"][before - 1]
            before -= 1
        s["choosers"][before] = seat
        s["next_order"][place] = -1


@kernel
def ask_position(s, t):
    """Each place that is still free."""
    pose(s, K_POSITION, np.int64(s["choosers"][s["chosen_places"]]))
    for place in range(num_seats(t)):
        if s["next_order"][place] < 0:
            allow(s, POSITION_BASE + place)


@kernel
def apply_position(s, t, action):
    """The place is taken; after the last one the next Age begins in the new order."""
    s["next_order"][action - POSITION_BASE] = s["seat"]
    s["chosen_places"] += 1
    if s["chosen_places"] < num_seats(t):
        return
    for place in range(num_seats(t)):
        s["order"][place] = s["next_order"][place]
        s["next_order"][place] = 0
        s["choosers"][place] = 0
    s["chosen_places"] = 0
    start_age(s, t, np.int64(s["age"]) + 1)
