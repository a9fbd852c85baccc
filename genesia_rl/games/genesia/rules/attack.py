"""The Attack phase: stances, assault turns, and an assault's resolution (RULES 5.B)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.genesia.actions import (
    AMOUNT_BASE,
    CARD_BASE,
    CARD_WORD,
    EDGE_BASE,
    EDGE_WORD,
    END_ACTION,
    PEACE_ACTION,
    WAR_ACTION,
)
from genesia_rl.games.genesia.names import (
    CARD_WORDS,
    ICON_ATTACK,
    K_ASSAULT,
    K_DEFENCE,
    K_LOSSES,
    K_OCCUPY,
    K_REINFORCE,
    K_SIEGE,
    K_STANCE,
    NO_STANCE,
    PEACE,
    REGION_WORDS,
    STEP_ASSAULT,
    STEP_DEFENCE,
    STEP_DONE,
    STEP_EXTRA_LOSSES,
    STEP_LOSSES,
    STEP_OCCUPY,
    STEP_REINFORCE,
    STEP_SIEGE,
    STEP_STANCE,
    T_ASSAULT,
    WAR,
)
from genesia_rl.games.genesia.rules.age_end import begin_end_of_age
from genesia_rl.games.genesia.rules.effects import start_effects
from genesia_rl.games.genesia.rules.growth import allow_recruits, apply_turn_action, pay_card
from genesia_rl.games.genesia.rules.legal import (
    allow,
    allow_amounts,
    allow_discards,
    allow_turn_cards,
    payable,
    pose,
)
from genesia_rl.games.genesia.rules.pieces import (
    arrive,
    build_city,
    depart,
    lose_city,
    lose_clans,
    occupant,
    others_presence,
    transfer_coins,
)
from genesia_rl.games.genesia.rules.players import num_seats, turn_seat
from genesia_rl.games.genesia.rules.tasks import pop, push

NO_ASSAULT = 1_000  # more than any feint can make up for


# ---------------------------------------------------------------- stances and rounds


@kernel
def ask_attack(s, t):
    """The next decision of the phase outside an assault; False when the phase went on without one."""
    if not t["with_attack"]:
        begin_end_of_age(s, t)
        return False
    if s["attack_step"] == STEP_STANCE:
        return ask_stance(s, t)
    return ask_assault_turn(s, t)


@kernel
def ask_stance(s, t):
    """Step 1: War or Peace, seat by seat and hidden; who is under `pacifist` or spent has no choice."""
    if s["turn"] == num_seats(t):
        close_stances(s, t)
        return False
    seat = turn_seat(s)
    pose(s, K_STANCE, seat)
    allow(s, PEACE_ACTION)
    if not must_choose_peace(s, seat):
        allow(s, WAR_ACTION)
    return True


@kernel
def must_choose_peace(s, seat):
    """Has the seat no choice but Peace?"""
    return s["pacifist"][seat] != 0 or s["spent"][seat] != 0


@kernel
def apply_stance(s, action):
    """The choice stays hidden until all have chosen."""
    s["stance"][s["seat"]] = WAR if action == WAR_ACTION else PEACE
    s["turn"] += 1


@kernel
def close_stances(s, t):
    """Step 2: all Peace ends the phase; otherwise the assault turns begin."""
    s["turn"] = 0
    s["attack_step"] = STEP_ASSAULT
    for seat in range(num_seats(t)):
        if s["stance"][seat] == WAR:
            return
    close_attack(s, t)


@kernel
def close_round(s, t):
    """Step 4: who chose War and launched no assault is spent, an assault frees the others; a new round."""
    launched = 0
    for seat in range(num_seats(t)):
        launched += s["launched"][seat]
    for seat in range(num_seats(t)):
        idle = s["stance"][seat] == WAR and s["launched"][seat] == 0
        s["spent"][seat] = idle or (launched == 0 and s["spent"][seat] != 0)
    begin_round(s, t)
    s["war_round"] += 1


@kernel
def begin_round(s, t):
    """Nobody has chosen yet."""
    s["turn"] = 0
    s["attack_step"] = STEP_STANCE
    for seat in range(num_seats(t)):
        s["stance"][seat] = NO_STANCE
        s["launched"][seat] = 0


@kernel
def close_attack(s, t):
    """The phase ends; nobody is spent any more."""
    begin_round(s, t)
    for seat in range(num_seats(t)):
        s["spent"][seat] = 0
    s["war_round"] = 0
    begin_end_of_age(s, t)


# ---------------------------------------------------------------- the assault turn


@kernel
def ask_assault_turn(s, t):
    """Step 3: each seat that chose War, in turn order, has one assault turn."""
    while s["turn"] < num_seats(t) and s["stance"][turn_seat(s)] != WAR:
        s["turn"] += 1
    if s["turn"] == num_seats(t):
        close_round(s, t)
        return False
    seat = turn_seat(s)
    pose(s, K_ASSAULT, seat)
    needed = allow_assaults(s, t, seat)
    if needed > s["feint"]:
        allow(s, END_ACTION)
    allow_offence_cards(s, t, seat, needed)
    allow_turn_cards(s, t, seat, ICON_ATTACK)
    allow_discards(s, seat)
    if t["attack_recruiting"]:
        allow_recruits(s, t, seat)
    return True


@kernel
def allow_assaults(s, t, seat):
    """Every legal assault; returns the least feint with which one would be legal.

    From a region with a >= 1 own clans to an adjacent region, not a homeland, that an opponent
    occupies with d < a clans (after feints); a lone city needs an own city in supply (R4).
    """
    needed = np.int64(NO_ASSAULT)
    for word in range(REGION_WORDS):
        origins = s["clan_regions"][seat, word]
        while origins != bits.ZERO:
            a = word * 64 + lowest(origins)
            origins = bits.rest(origins)
            hostile = bits.ZERO
            for w in range(REGION_WORDS):
                hostile |= t["adjacent"][a, w] & others_presence(s, t, seat, w) & ~t["homelands"][w]
            if hostile != bits.ZERO:
                needed = min(needed, allow_assaults_from(s, t, seat, a))
    return needed


@kernel
def allow_assaults_from(s, t, seat, a):
    """The legal assaults from one region; returns the least feint with which one would be legal."""
    needed = np.int64(NO_ASSAULT)
    edge = bits.bit(t["edge_shift"][a])
    for k in range(t["degree"][a]):
        b = np.int64(t["neighbour"][a, k])
        feint = feint_needed(s, t, seat, a, b)
        if feint <= s["feint"]:
            s["legal"][EDGE_WORD + t["edge_word"][a]] |= edge
        needed = min(needed, feint)
        edge = edge << bits.ONE
    return needed


@kernel
def feint_needed(s, t, seat, a, b):
    """The least feint with which the assault from a to b is legal; 0 if it is so without."""
    defender = occupant(s, t, b, seat)
    if defender < 0 or bits.has(t["homelands"], b):
        return np.int64(NO_ASSAULT)
    d = np.int64(s["clans"][defender, b])
    if d == 0 and s["city_supply"][seat] == 0:
        return np.int64(NO_ASSAULT)
    return max(np.int64(0), d + 1 - np.int64(s["clans"][seat, a]))


@kernel
def allow_offence_cards(s, t, seat, needed):
    """RULES 7, offence: before the declaration, provided an assault is legal after it is played."""
    for word in range(CARD_WORDS):
        cards = payable(s, t, seat, word) & t["offence_cards"][word]
        if needed <= s["feint"]:
            s["legal"][CARD_WORD + word] |= cards
            continue
        cards &= t["feint_cards"][word]
        while cards != bits.ZERO:
            card = word * 64 + lowest(cards)
            if s["feint"] + t["feint_on"][card] >= needed:
                allow(s, CARD_BASE + card)
            cards = bits.rest(cards)


@kernel
def apply_assault_turn(s, t, action):
    """One action of an assault turn."""
    if action == END_ACTION:
        close_assault_turn(s)
    elif action >= EDGE_BASE:
        declare(s, t, action - EDGE_BASE)
    elif action >= CARD_BASE and action < CARD_BASE + 128 and is_offence(t, action - CARD_BASE):
        play_assault_card(s, t, np.int64(s["seat"]), action - CARD_BASE)
    else:
        apply_turn_action(s, t, action)


@kernel
def is_offence(t, card):
    """Is it an offence card?"""
    return bits.has(t["offence_cards"], card)


@kernel
def play_assault_card(s, t, seat, card):
    """Offence and defence cards cannot be copied."""
    pay_card(s, t, seat, card)
    start_effects(s, seat, card, False)


@kernel
def close_assault_turn(s):
    """What cards have added to this assault is forgotten; the next seat."""
    s["strike"] = 0
    s["feint"] = 0
    s["ward"] = 0
    s["raid"] = 0
    s["storm"] = 0
    s["rout"] = 0
    s["fortify"] = 0
    s["parry"] = 0
    s["assault_step"] = STEP_DEFENCE
    s["attacker"] = 0
    s["defender"] = 0
    s["source"] = 0
    s["target"] = 0
    s["target_was_empty"] = 0
    s["conquered"] = 0
    s["turn"] += 1


# ---------------------------------------------------------------- the resolution


@kernel
def declare(s, t, edge):
    """Step 1: the attacker declares A and T."""
    seat = np.int64(s["seat"])
    target = np.int64(t["edge_to"][edge])
    defender = occupant(s, t, target, seat)
    s["attacker"] = seat
    s["defender"] = defender
    s["source"] = t["edge_from"][edge]
    s["target"] = target
    s["target_was_empty"] = s["clans"][defender, target] == 0
    s["assault_step"] = STEP_DEFENCE
    s["launched"][seat] = 1
    push(s, T_ASSAULT)


@kernel
def source_clans(s):
    """a: the attacker's clans in A."""
    return np.int64(s["clans"][s["attacker"], s["source"]])


@kernel
def target_clans(s):
    """d: the defender's clans in T."""
    return np.int64(s["clans"][s["defender"], s["target"]])


@kernel
def ask_resolution(s, t):
    """Go through the steps until one asks (True) or the assault is over (False)."""
    if s["parry"]:
        s["assault_step"] = STEP_DONE
    if s["assault_step"] == STEP_DEFENCE:
        ask_cards(s, t, K_DEFENCE, np.int64(s["defender"]))
        return True
    if s["assault_step"] == STEP_REINFORCE:
        ask_cards(s, t, K_REINFORCE, np.int64(s["attacker"]))
        return True
    if s["assault_step"] == STEP_EXTRA_LOSSES:
        take_extra_losses(s)
        s["assault_step"] = STEP_LOSSES
        if source_clans(s) == 0:
            s["assault_step"] = STEP_DONE
    if s["assault_step"] == STEP_LOSSES:
        if target_clans(s) > 0:
            pose(s, K_LOSSES, np.int64(s["attacker"]))
            allow_amounts(s, 1, min(source_clans(s), target_clans(s)))
            return True
        s["assault_step"] = STEP_SIEGE
    if s["assault_step"] == STEP_SIEGE and ask_siege(s):
        return True
    if s["assault_step"] == STEP_OCCUPY and ask_occupy(s, t):
        return True
    pop(s)
    close_assault_turn(s)
    return False


@kernel
def ask_cards(s, t, kind, seat):
    """Steps 2 and 3: defence cards, or offence cards other than feints, which come too late now."""
    pose(s, kind, seat)
    allow(s, END_ACTION)
    for word in range(CARD_WORDS):
        cards = t["defence_cards"][word]
        if kind == K_REINFORCE:
            cards = t["offence_cards"][word] & ~t["feint_cards"][word]
        s["legal"][CARD_WORD + word] |= payable(s, t, seat, word) & cards


@kernel
def apply_defence(s, t, action):
    """Step 2: as many defence cards as wanted, then the attacker may answer."""
    if action == END_ACTION:
        s["assault_step"] = STEP_REINFORCE
    else:
        play_assault_card(s, t, np.int64(s["seat"]), action - CARD_BASE)


@kernel
def apply_reinforce(s, t, action):
    """Step 3: each further offence card reopens step 2."""
    if action == END_ACTION:
        s["assault_step"] = STEP_EXTRA_LOSSES
    else:
        s["assault_step"] = STEP_DEFENCE
        play_assault_card(s, t, np.int64(s["seat"]), action - CARD_BASE)


@kernel
def take_extra_losses(s):
    """Step 4: offence less defence, lasting effects and cards together, costs one side clans."""
    attacker, defender = np.int64(s["attacker"]), np.int64(s["defender"])
    offence = np.int64(s["offence"][attacker]) + np.int64(s["strike"])
    x = offence - np.int64(s["defence"][defender]) - np.int64(s["ward"])
    if x > 0:
        lose_some(s, defender, np.int64(s["target"]), min(x, target_clans(s)))
    elif x < 0:
        lose_some(s, attacker, np.int64(s["source"]), min(-x, source_clans(s)))


@kernel
def lose_some(s, seat, region, number):
    """Lose clans, if it is any."""
    if number > 0:
        lose_clans(s, seat, region, number)


@kernel
def apply_losses(s, action):
    """Step 5: both lose k clans; under `rout` the defender loses twice as many."""
    number = action - AMOUNT_BASE
    lost = min(2 * number, target_clans(s)) if s["rout"] else number
    lose_clans(s, np.int64(s["attacker"]), np.int64(s["source"]), number)
    lose_clans(s, np.int64(s["defender"]), np.int64(s["target"]), lost)
    s["assault_step"] = STEP_SIEGE if source_clans(s) > 0 else STEP_DONE


@kernel
def ask_siege(s):
    """Step 6: a city without clans may be besieged; the siege of a lone city is compulsory (R4)."""
    s["assault_step"] = STEP_OCCUPY
    attacker, defender, target = np.int64(s["attacker"]), np.int64(s["defender"]), np.int64(s["target"])
    has_city = bits.has(s["city_regions"][defender], target)
    if target_clans(s) > 0 or not has_city or s["city_supply"][attacker] == 0 or s["fortify"]:
        return False
    if s["target_was_empty"]:
        besiege(s)
        return False
    s["assault_step"] = STEP_SIEGE
    pose(s, K_SIEGE, attacker)
    allow_amounts(s, 0, 1)
    return True


@kernel
def apply_siege(s, action):
    """Besiege, or leave the city alone."""
    s["assault_step"] = STEP_OCCUPY
    if action > AMOUNT_BASE:
        besiege(s)


@kernel
def besiege(s):
    """A clan of A is lost (not by storm), and the city is replaced by one of the attacker's."""
    attacker, defender, target = np.int64(s["attacker"]), np.int64(s["defender"]), np.int64(s["target"])
    if not s["storm"]:
        lose_clans(s, attacker, np.int64(s["source"]), 1)
    lose_city(s, defender, target)
    build_city(s, attacker, target)
    s["conquered"] = 1


@kernel
def ask_occupy(s, t):
    """Step 7: if nobody else is in T, any number of clans may move there; then the raid."""
    attacker, target = np.int64(s["attacker"]), np.int64(s["target"])
    if occupant(s, t, target, attacker) >= 0:
        s["assault_step"] = STEP_DONE
        return False
    if source_clans(s) == 0:
        close_conquest(s)
        return False
    pose(s, K_OCCUPY, attacker)
    allow_amounts(s, 0, source_clans(s))
    return True


@kernel
def apply_occupy(s, action):
    """The clans move free."""
    number = action - AMOUNT_BASE
    attacker, target = np.int64(s["attacker"]), np.int64(s["target"])
    if number > 0:
        depart(s, attacker, np.int64(s["source"]), number)
        arrive(s, attacker, target, number)
        s["conquered"] = 1
    close_conquest(s)


@kernel
def close_conquest(s):
    """With presence in T gained it is a conquest, and the raid takes coins."""
    s["assault_step"] = STEP_DONE
    if s["conquered"]:
        attacker = np.int64(s["attacker"])
        s["conquests"][attacker] += 1
        transfer_coins(s, np.int64(s["defender"]), attacker, np.int64(s["raid"]))
