"""What each card effect does (RULES 7): a card is a row of operations, executed in order.

`run_effects` goes on from where it is until an effect has to ask (then it returns True) or the card
is done. `left` counts what an effect still has to do: -1 before it begins.
"""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest, popcount
from genesia_rl.games.genesia.actions import AMOUNT_BASE, END_ACTION, REGION_BASE, REGION_WORD, SEAT_BASE
from genesia_rl.games.genesia.names import (
    AT_FOREIGN_HOMELAND,
    CONTINENT_SIZE,
    E_CITY,
    E_CLANS,
    E_COINS,
    E_DEFENCE,
    E_FEINT,
    E_FORTIFY,
    E_GROUP_MOVES,
    E_HOST_CLANS,
    E_HOST_COINS,
    E_LEAP,
    E_MOVES,
    E_NO_TOLL,
    E_OFFENCE,
    E_OTHERS_COINS,
    E_PACIFIST,
    E_PARRY,
    E_RAID,
    E_RECRUIT_ANYWHERE,
    E_RECRUIT_PRICE,
    E_RELAY,
    E_RETREAT,
    E_ROUT,
    E_SCORE,
    E_STORM,
    E_STRIKE,
    E_TAKE,
    E_WARD,
    K_FOUND,
    K_LEAP_AMOUNT,
    K_LEAP_FROM,
    K_LEAP_TO,
    K_PLACE,
    K_RELAY_AMOUNT,
    K_RELAY_FROM,
    K_RELAY_TO,
    K_ROB,
    REGION_WORDS,
    T_EFFECTS,
    UNTIL_AGE,
    WHO_ONE,
)
from genesia_rl.games.genesia.rules.counters import city_place_word, place_word, worth
from genesia_rl.games.genesia.rules.legal import allow, allow_amounts, allow_region_word, pose
from genesia_rl.games.genesia.rules.pieces import (
    arrive,
    build_city,
    depart,
    may_stop,
    recruit_clans,
    transfer_coins,
)
from genesia_rl.games.genesia.rules.players import num_seats
from genesia_rl.games.genesia.rules.tasks import pop, push


@kernel
def start_effects(s, actor, card, copied):
    """The card's effects are executed for the actor, as its own card or as a copy."""
    s["card"] = card
    s["actor"] = actor
    s["copied"] = copied
    s["op"] = 0
    _begin_op(s)
    s["hosts"] = 0
    push(s, T_EFFECTS)


@kernel
def _begin_op(s):
    s["left"] = -1
    s["chosen"] = -1
    s["chosen_to"] = -1


@kernel
def run_effects(s, t):
    """Execute effects until one asks (True) or all are done (False)."""
    while s["op"] < t["num_ops"][s["card"]]:
        if run_op(s, t):
            return True
        s["op"] += 1
        _begin_op(s)
    s["card"] = 0
    s["actor"] = 0
    s["copied"] = 0
    s["op"] = 0
    s["left"] = 0
    s["chosen"] = 0
    s["chosen_to"] = 0
    s["hosts"] = 0
    pop(s)
    return False


@kernel
def run_op(s, t):
    """One effect; True if it poses a decision."""
    card, op, actor = np.int64(s["card"]), np.int64(s["op"]), np.int64(s["actor"])
    do = t["op_do"][card, op]
    if do in (E_CLANS, E_CITY):
        return ask_place(s, t, actor, card, op)
    if do == E_TAKE and t["op_who"][card, op] == WHO_ONE:
        return ask_rob(s, t, actor)
    if do == E_RELAY:
        return ask_relay(s, actor, t["op_n"][card, op])
    if do == E_LEAP:
        return ask_leap(s, t, actor, t["op_n"][card, op], np.int64(t["op_distance"][card, op]))
    if do < E_OFFENCE:
        apply_economy(s, t, actor, card, op, do)
    else:
        apply_war(s, t, actor, do, np.int64(t["op_n"][card, op]))
    return False


@kernel
def apply_economy(s, t, actor, card, op, do):
    """Coins, moves, recruiting, points and hosts: effects without a decision."""
    n = np.int64(t["op_n"][card, op])
    until = np.int64(UNTIL_AGE) if s["copied"] else np.int64(t["until"][card])
    if do == E_COINS:
        s["coins"][actor] += op_worth(s, t, actor, card, op)
    elif do == E_SCORE:
        s["progress"][actor, s["age"]] += op_worth(s, t, actor, card, op)
    elif do == E_OTHERS_COINS:
        for other in range(num_seats(t)):
            if other != actor:
                s["coins"][other] += n
    elif do == E_TAKE:
        for other in range(num_seats(t)):
            if other != actor:
                transfer_coins(s, other, actor, n)
    elif do == E_MOVES:
        if s["copied"]:
            s["small_moves"] += n
        else:
            s["free_moves"][actor] += n
    elif do == E_GROUP_MOVES:
        s["group_until"][actor] = max(np.int64(s["group_until"][actor]), until)
    elif do == E_NO_TOLL:
        s["no_toll_until"][actor] = max(np.int64(s["no_toll_until"][actor]), until)
    elif do == E_RECRUIT_ANYWHERE:
        s["anywhere_until"][actor] = max(np.int64(s["anywhere_until"][actor]), until)
    elif do == E_RECRUIT_PRICE:  # a new price replaces an older one
        s["price"][actor] = t["op_price"][card, op]
        s["price_left"][actor] = n
        s["price_until"][actor] = until
    elif do in (E_HOST_COINS, E_HOST_CLANS):
        apply_hosts(s, t, do, n)


@kernel
def op_worth(s, t, actor, card, op):
    """The amount of a `coins` or `score` effect."""
    return worth(
        s, t, actor,
        np.int64(t["op_n"][card, op]), np.int64(t["op_per"][card, op]), np.int64(t["op_arg"][card, op]),
        np.int64(t["op_div"][card, op]), np.int64(t["op_cap"][card, op]),
    )  # fmt: skip


@kernel
def add_host(s, t, actor, region):
    """A piece of the actor has come to the region: whose continent it is on, if another's, is a host."""
    owner = region // CONTINENT_SIZE
    if owner < num_seats(t) and owner != actor:
        s["hosts"] |= 1 << owner


@kernel
def apply_hosts(s, t, do, n):
    """Each host that the card has made so far gains coins, or clans in its own homeland."""
    for host in range(num_seats(t)):
        if (s["hosts"] >> host) & 1 == 0:
            continue
        if do == E_HOST_COINS:
            s["coins"][host] += n
            continue
        number = min(n, np.int64(s["clan_supply"][host]))
        if number > 0:
            recruit_clans(s, host, np.int64(t["homeland"][host]), number)


@kernel
def apply_war(s, t, actor, do, n):
    """Lasting effects on the Attack phase, and effects on this assault."""
    if do == E_OFFENCE:
        s["offence"][actor] += n
    elif do == E_DEFENCE:
        s["defence"][actor] += n
    elif do == E_PACIFIST:
        s["pacifist"][actor] = 1
    elif do == E_STRIKE:
        s["strike"] += n
    elif do == E_FEINT:
        s["feint"] += n
    elif do == E_STORM:
        s["storm"] = 1
    elif do == E_ROUT:
        s["rout"] = 1
    elif do == E_RAID:
        s["raid"] += n
    elif do == E_WARD:
        s["ward"] += n
    elif do == E_PARRY:
        s["parry"] = 1
    elif do == E_FORTIFY:
        s["fortify"] = 1
    elif do == E_RETREAT:
        apply_retreat(s, t, actor)


@kernel
def apply_retreat(s, t, actor):
    """The defender's clans in T, if any, go to its homeland."""
    number = np.int64(s["clans"][actor, s["target"]])
    if number > 0:
        depart(s, actor, np.int64(s["target"]), number)
        arrive(s, actor, np.int64(t["homeland"][actor]), number)


# ---------------------------------------------------------------- clans n at, city n at


@kernel
def ask_place(s, t, actor, card, op):
    """Place pieces one at a time while a piece, a place and a number are left."""
    is_city = t["op_do"][card, op] == E_CITY
    at = np.int64(t["op_at"][card, op])
    if s["left"] < 0:
        s["left"] = t["op_n"][card, op]
    supply = s["city_supply"][actor] if is_city else s["clan_supply"][actor]
    if s["left"] == 0 or supply == 0:
        return False
    pose(s, K_FOUND if is_city else K_PLACE, actor)
    found = 0
    for word in range(REGION_WORDS):
        regions = city_place_word(s, t, actor, at, word) if is_city else place_word(s, t, actor, at, word)
        allow_region_word(s, word, regions)
        found += popcount(regions)
    return found > 0


@kernel
def apply_place(s, t, region):
    """`place`: clans come to the region; a foreign homeland takes all of them at once."""
    actor, card, op = np.int64(s["actor"]), s["card"], s["op"]
    if t["op_at"][card, op] == AT_FOREIGN_HOMELAND:
        recruit_clans(s, actor, region, min(np.int64(s["left"]), np.int64(s["clan_supply"][actor])))
        s["left"] = 0
    else:
        recruit_clans(s, actor, region, np.int64(1))
        s["left"] -= 1
    add_host(s, t, actor, region)


@kernel
def apply_found(s, t, region):
    """`found`: a city is built in the region; in a foreign homeland just one."""
    actor = np.int64(s["actor"])
    build_city(s, actor, region)
    add_host(s, t, actor, region)
    s["left"] -= 1
    if t["op_at"][s["card"], s["op"]] == AT_FOREIGN_HOMELAND:
        s["left"] = 0


# ---------------------------------------------------------------- take n one


@kernel
def ask_rob(s, t, actor):
    """An opponent with coins is chosen."""
    if s["left"] == 0:
        return False
    pose(s, K_ROB, actor)
    found = False
    for other in range(num_seats(t)):
        if other != actor and s["coins"][other] > 0:
            allow(s, SEAT_BASE + other)
            found = True
    return found


@kernel
def apply_rob(s, t, victim):
    """Up to n coins change hands."""
    transfer_coins(s, victim, np.int64(s["actor"]), np.int64(t["op_n"][s["card"], s["op"]]))
    s["left"] = 0


# ---------------------------------------------------------------- relay n, leap n d


@kernel
def ask_relay(s, actor, n):
    """From a region with own clans to another occupied one, whatever the distance; or not at all."""
    if s["left"] == 0:
        return False
    if s["chosen"] < 0:
        pose(s, K_RELAY_FROM, actor)
        allow(s, END_ACTION)
        for word in range(REGION_WORDS):
            allow_region_word(s, word, s["clan_regions"][actor, word])
        return bits.num_members(s["clan_regions"][actor]) > 0 and bits.num_members(s["occupied"][actor]) > 1
    if s["chosen_to"] < 0:
        pose(s, K_RELAY_TO, actor)
        for word in range(REGION_WORDS):
            allow_region_word(s, word, s["occupied"][actor, word])
        forbid_region(s, s["chosen"])
        return True
    pose(s, K_RELAY_AMOUNT, actor)
    allow_amounts(s, 1, min(np.int64(n), np.int64(s["clans"][actor, s["chosen"]])))
    return True


@kernel
def forbid_region(s, region):
    """This region is not legal after all."""
    s["legal"][REGION_WORD + (region >> 6)] &= ~bits.bit(region)


@kernel
def leap_word(s, t, seat, origin, distance, word):
    """One word of the regions within reach of a leap where the seat may stop."""
    return t["within"][origin, distance, word] & may_stop(s, t, seat, word)


@kernel
def ask_leap(s, t, actor, n, distance):
    """From a region with own clans to one at distance 1..d where they may stop; or not at all."""
    if s["left"] == 0:
        return False
    if s["chosen"] < 0:
        return ask_leap_from(s, t, actor, distance)
    if s["chosen_to"] < 0:
        pose(s, K_LEAP_TO, actor)
        for word in range(REGION_WORDS):
            allow_region_word(s, word, leap_word(s, t, actor, np.int64(s["chosen"]), distance, word))
        return True
    pose(s, K_LEAP_AMOUNT, actor)
    allow_amounts(s, 1, min(np.int64(n), np.int64(s["clans"][actor, s["chosen"]])))
    return True


@kernel
def ask_leap_from(s, t, actor, distance):
    """The regions with own clans from which some leap is possible."""
    pose(s, K_LEAP_FROM, actor)
    allow(s, END_ACTION)
    found = False
    for word in range(REGION_WORDS):
        origins = s["clan_regions"][actor, word]
        while origins != bits.ZERO:
            origin = word * 64 + lowest(origins)
            origins = bits.rest(origins)
            reach = bits.ZERO
            for w in range(REGION_WORDS):
                reach |= leap_word(s, t, actor, origin, distance, w)
            if reach != bits.ZERO:
                allow(s, REGION_BASE + origin)
                found = True
    return found


@kernel
def apply_journey(s, t, action):
    """The three choices of a relay or a leap: from, to, how many; or `end`."""
    if action == END_ACTION:
        s["left"] = 0
    elif action >= REGION_BASE:
        if s["chosen"] < 0:
            s["chosen"] = action - REGION_BASE
        else:
            s["chosen_to"] = action - REGION_BASE
    else:
        actor, number = np.int64(s["actor"]), action - AMOUNT_BASE
        depart(s, actor, np.int64(s["chosen"]), number)
        arrive(s, actor, np.int64(s["chosen_to"]), number)
        add_host(s, t, actor, np.int64(s["chosen_to"]))
        s["left"] = 0
