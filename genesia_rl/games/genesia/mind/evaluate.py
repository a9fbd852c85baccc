"""What a position is worth for a seat, in points of the final score.

The running score, what coins, cards and pieces are likely to become, how far spare clans can still reach,
where the next Age can recruit from, and what could be taken by assaults, from us and by us. Whatever
passes from one heading to another keeps about its worth (an Age that ends turns future coins into coins),
so that positions before and after can be compared.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.genesia.actions import CARD_WORD
from genesia_rl.games.genesia.names import (
    AGE_COINS,
    AGES,
    ATTACK,
    CARD_WORDS,
    CITY_CLANS,
    DISCARD_COINS,
    EXPANSION,
    POSITION,
    RADIANCE_POINTS,
    REGION_WORDS,
)
from genesia_rl.games.genesia.rules.age_end import invention_points
from genesia_rl.games.genesia.rules.counters import num_foreign
from genesia_rl.games.genesia.rules.players import num_seats
from genesia_rl.games.genesia.rules.scoring import conquest_points, objective_worth, total_progress

U = np.uint64  # an index without a sign is not checked for being negative
FIRST, SECOND = U(0), U(1)  # the words of a set of regions
REACH = 5  # how many steps ahead a clan looks


@kernel
def stage_of(s):
    """Before Expansion, in it, or later in the Age: what a coin can still buy."""
    if s["phase"] < EXPANSION:
        return 0
    return 1 if s["phase"] == EXPANSION else 2


@kernel
def ages_to_score(s):
    """How many Ages have not been scored yet, this one included."""
    return AGES - np.int64(s["age"]) - (s["phase"] >= POSITION)


@kernel
def free_word(s, t, word):
    """One word of the regions where nobody is."""
    taken = bits.ZERO
    for seat in range(num_seats(t)):
        taken |= s["occupied"][seat, word]
    return t["all_regions"][word] & ~taken


@kernel
def city_word(s, t, word):
    """One word of the regions where a city stands, whoever's it is: no other rises there at the end of an Age."""
    cities = bits.ZERO
    for seat in range(num_seats(t)):
        cities |= s["city_regions"][seat, word]
    return cities


@kernel
def best_want(p, me, regions_0, regions_1, least):
    """The most that occupying one of these regions would bring; 0 if none brings more than `least`."""
    levels, words = p["level"], p["level_regions"]
    for k in range(U(p["num_levels"])):
        if levels[k] <= least:
            break
        if (regions_0 & words[me, k, FIRST]) | (regions_1 & words[me, k, SECOND]) != bits.ZERO:
            return levels[k]
    return 0.0


@kernel
def best_way(t, p, me, region, free_0, free_1, top, trust, step):
    """What the best way of one clan from here promises: (points, steps); `top` is the best free region's."""
    best, steps = 0.0, 0
    within = t["within"]
    for distance in range(1, REACH + 1):
        least = (best + step * distance) / trust
        if top <= least:
            break
        # nearer regions were worse than what is asked for now: the whole disc may be looked at
        d = U(distance)
        near_0, near_1 = within[region, d, FIRST] & free_0, within[region, d, SECOND] & free_1
        want = best_want(p, me, near_0, near_1, least)
        if want > 0.0:
            best, steps = trust * want - step * distance, distance
    return best, steps


@kernel
def survey(s, t, p, seat, stage):
    """What a seat has on the map: (want of its regions, clans, cities, cities to be, ways, best base, bases).

    Ways are what spare clans can still reach with the coins there are; bases are places to recruit from.
    """
    age, me = np.int64(s["age"]), U(seat)
    free_0, free_1 = free_word(s, t, 0), free_word(s, t, 1)
    trust, step = p["trust"][age, stage], p["step"][age]
    looks = p["reach"][age, stage] > 0.0 or p["base"][age] > 0.0 or p["bases"][age] > 0.0
    top = best_want(p, me, free_0, free_1, 0.0) if looks and trust > 0.0 else 0.0
    home = np.int64(t["homeland"][seat])
    held, all_clans, all_cities, to_be = 0.0, 0, 0, 0
    ways, need, best_base, bases = 0.0, 0.0, 0.0, 0.0
    for word in range(REGION_WORDS):
        left = s["occupied"][me, U(word)]
        cities = s["city_regions"][me, U(word)]
        standing = city_word(s, t, word)
        if word == home >> 6:  # recruits begin there, even if nobody is left
            left |= bits.bit(home)
        while left != bits.ZERO:
            place = U(lowest(left))
            left = bits.rest(left)
            region = U(word * 64) + place
            clans = np.int64(s["clans"][me, region])
            has_city = (cities >> place) & bits.ONE != bits.ZERO
            is_home = np.int64(region) == home
            want = p["want"][me, region]
            will_be = (clans >= CITY_CLANS) and (standing >> place) & bits.ONE == bits.ZERO
            if clans > 0 or has_city:
                held += want
            all_clans += clans
            all_cities += has_city
            to_be += will_be
            if top <= 0.0:
                continue
            got, steps = best_way(t, p, me, region, free_0, free_1, top, trust, step)
            if got <= 0.0:
                continue
            spare = clans if (has_city or is_home) else clans - 1
            if spare > 0:
                number = min(spare, 3)
                ways += number * got
                need += number * steps
            elif clans == 1 and got > want:  # leaving pays
                ways += got - want
                need += steps
            if has_city or will_be or is_home:
                best_base = max(best_base, got)
                bases += got
    if ways > 0.0:
        budget = s["coins"][seat] + s["free_moves"][seat] + p["ahead"][age]
        if budget < need:
            ways *= budget / need
    return held, all_clans, all_cities, to_be, ways, best_base, bases


@kernel
def map_value(s, t, p, seat, stage):
    """Regions held, cities and clans, the ways of spare clans, and the places to recruit from."""
    age = np.int64(s["age"])
    held, clans, cities, to_be, ways, best_base, bases = survey(s, t, p, seat, stage)
    value = held + clans * p["clan"][age] + (cities + to_be * p["city_to_be"]) * p["city"][age]
    value += p["reach"][age, stage] * ways
    return value + p["base"][age] * best_base + p["bases"][age] * bases


@kernel
def best_assault(s, t, p, seat):
    """(The points that the best assault of the seat promises, all that could be taken from others).

    Both sides lose the defender's clans; who attacks leaves somebody at home if it can. Cards are left out.
    """
    age = np.int64(s["age"])
    best, total = -1000.0, 0.0
    loss, spoils = p["loss"][age], p["spoils"][age]
    for other in range(num_seats(t)):
        if other == seat:
            continue
        for word in range(REGION_WORDS):
            own = s["clan_regions"][seat, word]
            while own != bits.ZERO:
                a_region = word * 64 + lowest(own)
                own = bits.rest(own)
                for near in range(REGION_WORDS):
                    goals = t["adjacent"][a_region, near] & s["occupied"][other, near] & ~t["homelands"][near]
                    while goals != bits.ZERO:
                        goal = near * 64 + lowest(goals)
                        goals = bits.rest(goals)
                        got = assault_gain(s, p, seat, other, a_region, goal, loss, spoils)
                        best = max(best, got)
                        if got > 0.0:
                            total += got
    return best, total


@kernel
def assault_gain(s, p, seat, other, source, goal, loss, spoils):
    """What this assault promises if nobody plays a card; -1000 if it is not legal."""
    a, d = np.int64(s["clans"][seat, source]), np.int64(s["clans"][other, goal])
    if d >= a:
        return -1000.0
    left = a - d
    city = bits.has(s["city_regions"][other], goal)
    if city and s["city_supply"][seat] == 0:
        return -1000.0 if d == 0 else -loss * d
    got = loss * d * (spoils - 1.0) + spoils * p["want"][other, goal] + p["want"][seat, goal]
    if city:
        left -= 1  # the siege; its city stays ours
    elif left == 1 and not bits.has(s["city_regions"][seat], source):
        got -= p["want"][seat, source]
    return got


@kernel
def threat(s, t, p, seat):
    """The worth of regions that an opponent's clans next to them could take now."""
    total = 0.0
    for other in range(num_seats(t)):
        if other == seat:
            continue
        for word in range(REGION_WORDS):
            theirs = s["clan_regions"][other, word]
            while theirs != bits.ZERO:
                source = word * 64 + lowest(theirs)
                theirs = bits.rest(theirs)
                for near in range(REGION_WORDS):
                    goals = t["adjacent"][source, near] & s["occupied"][seat, near] & ~t["homelands"][near]
                    while goals != bits.ZERO:
                        goal = near * 64 + lowest(goals)
                        goals = bits.rest(goals)
                        if s["clans"][seat, goal] < s["clans"][other, source]:
                            total += p["want"][seat, goal]
    return total


@kernel
def war_value(s, t, p, seat):
    """What assaults may bring and cost, as long as this Age's Attack phase lies ahead."""
    if s["phase"] > ATTACK or not t["with_attack"]:
        return 0.0
    age = np.int64(s["age"])
    value = 0.0
    if p["threat"][age] != 0.0:
        value -= p["threat"][age] * threat(s, t, p, seat)
    if p["chance"][age] != 0.0 and not s["pacifist"][seat]:
        value += p["chance"][age] * best_assault(s, t, p, seat)[1]
    return value


@kernel
def lack(s, p, coins):
    """Which part of what prepares recruits and moves comes to nothing, as the coins for them are not there."""
    return max(0.0, 1.0 - coins / max(1.0, p["means"][s["age"]]))


@kernel
def card_value(s, p, seat, stage, card):
    """A card in hand: the coins of a discard at least, and no more if it cannot be paid any longer."""
    worth, least = p["worth"][stage, card], DISCARD_COINS * p["coin"][s["age"], stage]
    left = s["coins"][seat] - p["cost"][card]
    if left < 0:
        return min(worth, least)
    if p["prepares"][stage, card] > 0.0:
        return max(min(worth, least), worth - lack(s, p, left) * p["prepares"][stage, card])
    return worth


@kernel
def hand_value(s, p, seat, stage):
    """The cards in hand."""
    value = 0.0
    for word in range(CARD_WORDS):
        left = s["hand"][seat, word]
        while left != bits.ZERO:
            value += card_value(s, p, seat, stage, word * 64 + lowest(left))
            left = bits.rest(left)
    return value


@kernel
def lapse(s, p, seat, stage):
    """What the cards in hand lose if the seat's turn of a stage ends now.

    Who could play a card in this turn for the last time loses what it does; without this a card that brings just
    what was expected of it would seem to bring nothing, and be kept for nothing. Who will discard a card anyway
    has its coins too late.
    """
    value, age = 0.0, np.int64(s["age"])
    least = DISCARD_COINS * p["coin"][age, stage]
    for word in range(CARD_WORDS):
        left = s["hand"][seat, word]
        while left != bits.ZERO:
            card = word * 64 + lowest(left)
            left = bits.rest(left)
            gain = card_value(s, p, seat, stage, card) - least
            if gain <= 0.0:
                value += p["idle"][age, stage]
            elif p["last"][card] == stage:
                value += gain
    return value


@kernel
def comes_first(s, p, seat, stage):
    """Does the seat hold a card for which recruits and moves wait, as it makes them better or costs coins itself?"""
    least = DISCARD_COINS * p["coin"][s["age"], stage]
    for word in range(CARD_WORDS):
        left = s["hand"][seat, word] & s["legal"][CARD_WORD + word]
        while left != bits.ZERO:
            card = word * 64 + lowest(left)
            left = bits.rest(left)
            first = p["prepares"][stage, card] > 0.0 or p["cost"][card] > 0
            if first and card_value(s, p, seat, stage, card) > least:
                return True
    return False


@kernel
def lasting_value(s, p, seat, stage):
    """Effects that still hold."""
    age = np.int64(s["age"])
    value = 0.0
    if stage < 2:
        prepared = 0.0
        if s["price_left"][seat] > 0:
            prepared += (2 - s["price"][seat]) * min(np.int64(s["price_left"][seat]), 5) * p["price"][age]
        prepared += (s["anywhere_until"][seat] > 0) * p["anywhere"][age]
        prepared += (s["group_until"][seat] > 0) * p["groups"][age]
        if prepared != 0.0:
            value += prepared * (1.0 - lack(s, p, s["coins"][seat]))
        value += s["free_moves"][seat] * p["free_move"][age]
        value += (s["no_toll_until"][seat] > 0) * p["no_toll"][age]
    if s["phase"] <= ATTACK:
        value += s["offence"][seat] * p["offence"][age] + s["defence"][seat] * p["defence"][age]
    return value


@kernel
def coins_value(s, p, seat, stage):
    """Coins, those of the Ages to come included."""
    age = np.int64(s["age"])
    value = s["coins"][seat] * p["coin"][age, stage]
    for later in range(age + 1, AGES):
        value += AGE_COINS * p["coin"][later, 0]
    return value


@kernel
def public_value(s, t, p, seat, stage):
    """What everybody can see of a seat, roughly: for opponents."""
    age = np.int64(s["age"])
    value = total_progress(s, seat) + invention_points(s, t, seat) * ages_to_score(s) * p["invention"]
    if s["over"]:
        return value + conquest_points(s, t, seat) + RADIANCE_POINTS * num_foreign(s, t, seat)
    value += coins_value(s, p, seat, stage) + bits.num_members(s["hand"][seat]) * p["card"][age]
    for word in range(REGION_WORDS):
        left = s["occupied"][seat, word]
        while left != bits.ZERO:
            region = word * 64 + lowest(left)
            left = bits.rest(left)
            value += p["want"][seat, region] + s["clans"][seat, region] * p["clan"][age]
            if bits.has(s["city_regions"][seat], region):
                value += p["city"][age]
    return value


@kernel
def final_value(s, t, seat):
    """RULES 6: the score."""
    value = total_progress(s, seat) + conquest_points(s, t, seat) + RADIANCE_POINTS * num_foreign(s, t, seat)
    if t["with_objectives"]:
        value += objective_worth(s, t, seat, np.int64(s["kept"][seat]))
    return value


@kernel
def seat_value(s, t, p, seat):
    """What the position is worth for a seat, by all that it knows; when the game is over, its score."""
    if s["over"]:
        return float(final_value(s, t, seat))
    stage = stage_of(s)
    age = np.int64(s["age"])
    value = total_progress(s, seat) + invention_points(s, t, seat) * ages_to_score(s) * p["invention"]
    value += coins_value(s, p, seat, stage) + hand_value(s, p, seat, stage)
    value += map_value(s, t, p, seat, stage)
    value += lasting_value(s, p, seat, stage) + war_value(s, t, p, seat)
    if t["with_objectives"]:
        value += p["objective"][age] * objective_worth(s, t, seat, np.int64(s["kept"][seat]))
    return value
