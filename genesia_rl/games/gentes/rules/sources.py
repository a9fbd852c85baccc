"""A turn (RULES 5): its sources, the wild tile and the abilities that the seat uses (PROTOCOL 2)."""

from __future__ import annotations

import numpy as np

from genesia_rl.core import bits
from genesia_rl.core.compile import kernel, lowest
from genesia_rl.games.gentes.actions import (
    CARD_BASE,
    CITY_BASE,
    DO_BASE,
    END_ACTION,
    HIRE_ACTION,
    HOME_BASE,
    PAY_BASE,
    SWAP_ACTION,
    TAX_BASE,
    TILE_BASE,
    USE_BASE,
)
from genesia_rl.games.gentes.names import (
    A_NAVIGATOR,
    A_TAX,
    ANY_SYMBOL,
    E_HOURS,
    K_ABILITY,
    K_PAY,
    K_TURN,
    K_WILD,
    L_AMOUNT,
    MAX_COST,
    NEVER,
    NUM_ACTS,
    NUM_SYMBOLS,
    NUM_WILD,
    ROWS,
    S_ABILITY,
    S_ACT,
    S_PAY,
    S_WILD,
)
from genesia_rl.games.gentes.rules.abilities import (
    ability_sums,
    has_room,
    home_ability,
    is_possible,
    least_amount,
    lowest_homes,
    offered_cards,
    offered_homes,
    pays_amount,
)
from genesia_rl.games.gentes.rules.ask import allow, allow_set, pose
from genesia_rl.games.gentes.rules.extras import can_hire, can_swap
from genesia_rl.games.gentes.rules.places import empty_places
from genesia_rl.games.gentes.rules.seats import free_spaces
from genesia_rl.games.gentes.tables import MAX_HOURS

# ---------------------------------------------------------------- the sources of a turn


@kernel
def with_targets(s, t, seat, act):
    """(the tiles of an action that have a target whatever the amount, the least amount)."""
    tiles = t["of_act"][act]
    if act != A_NAVIGATOR:
        return tiles, least_amount(s, t, seat, act, np.int64(0))
    empty = empty_places(s, t, np.int64(ANY_SYMBOL))
    found = bits.ZERO
    for symbol in range(1, NUM_SYMBOLS + 1):
        if empty & t["on_symbol"][symbol] != bits.ZERO:
            found |= t["of_symbol"][symbol]
    if empty == bits.ZERO:
        return found, NEVER
    return found | t["of_symbol"][ANY_SYMBOL], np.int64(0)


@kernel
def cheap_tiles(t, coins):
    """The tiles that cost no more than so many coins."""
    if coins < 0:
        return bits.ZERO
    return t["cheap"][min(coins, np.int64(MAX_COST))]


@kernel
def short_tiles(t, hours):
    """The tiles that take no more than so many hourglasses."""
    if hours < 0:
        return bits.ZERO
    return t["short"][min(hours, np.int64(MAX_HOURS))]


@kernel
def possible_tiles(s, t, seat, act, free):
    """The tiles of an action that are possible: many at a time, as they differ in coins and hourglasses only."""
    tiles = t["of_act"][act] & t["in_game"] & ~s["taken"]
    if tiles == bits.ZERO:
        return tiles
    targets, least = with_targets(s, t, seat, act)
    if least == NEVER:
        return bits.ZERO
    cards, homes = offered_cards(s, t, seat, act), offered_homes(s, t, seat, act, bits.ZERO)
    less, saved, most = ability_sums(s, t, seat, act, cards, homes)
    coins = np.int64(s["coins"][seat])
    found = tiles & targets & short_tiles(t, 2 * (free - 1) + saved)
    lowest_free = max(np.int64(1), least)
    if lowest_free <= most and lowest_free - less <= coins:
        return found
    return found & cheap_tiles(t, coins + less) & ~cheap_tiles(t, least - 1)


@kernel
def is_wild_possible(s, t, seat, act):
    """Can the wild tile be used for this action?"""
    place = np.int64(lowest(t["wild"]))
    amount, hours = np.int64(t["tile_coins"][place]), np.int64(t["tile_hours"][place])
    return is_possible(s, t, seat, act, amount, hours, np.int64(ANY_SYMBOL), np.int64(1), bits.ZERO)


@kernel
def wild_acts(s, t, seat):
    """What the wild tile can be used for, as a set of actions."""
    found = bits.ZERO
    for act in range(NUM_WILD):
        if is_wild_possible(s, t, seat, np.int64(act)):
            found |= bits.bit(act)
    return found


@kernel
def is_effect_possible(s, t, seat, ability, without):
    """Is the action of a once-a-round effect possible?"""
    act, symbol = np.int64(t["once_act"][ability]), np.int64(t["once_symbol"][ability])
    amount, hours = np.int64(t["once_coins"][ability]), np.int64(t["once_hours"][ability])
    return is_possible(s, t, seat, act, amount, hours, symbol, np.int64(0), without)


@kernel
def possible_cards(s, t, seat):
    """The cards in play whose own action is possible."""
    found = bits.ZERO
    left = s["played"][seat] & t["action_cards"] & ~s["used_cards"][seat]
    while left != bits.ZERO:
        place = np.int64(lowest(left))
        left = bits.rest(left)
        if is_effect_possible(s, t, seat, place, bits.ZERO):
            found |= bits.bit(place)
    return found


@kernel
def possible_homes(s, t, seat):
    """The Homes whose action is possible, of each row the lowest."""
    found = bits.ZERO
    for row in range(ROWS):
        ability = np.int64(t["row_action"][row])
        home = lowest_homes(s, t, seat, row)
        if ability >= 0 and home != bits.ZERO and is_effect_possible(s, t, seat, ability, home):
            found |= home
    return found


@kernel
def ask_turn(s, t):
    """PROTOCOL 2, turn."""
    seat = np.int64(s["seat"])
    free = free_spaces(s, t, seat)
    pose(s, K_TURN)
    tiles = bits.ZERO
    for act in range(NUM_ACTS - 1):
        tiles |= possible_tiles(s, t, seat, np.int64(act), free)
    if t["wild"] & ~s["taken"] != bits.ZERO and wild_acts(s, t, seat) != bits.ZERO:
        tiles |= t["wild"]
    allow_set(s, TILE_BASE, tiles)
    allow_set(s, TAX_BASE, t["taxes"])
    allow_set(s, CITY_BASE, possible_homes(s, t, seat))
    allow_set(s, USE_BASE, possible_cards(s, t, seat))
    if can_swap(s, t, seat):
        allow(s, SWAP_ACTION)
    if can_hire(s, t, seat):
        allow(s, HIRE_ACTION)


# ---------------------------------------------------------------- taking a source


@kernel
def begin_source(s, t, action):
    """The source is known; the wild tile still has to say what it is."""
    s["source"] = action + 1
    s["stage"] = S_ABILITY
    if action < TAX_BASE:
        begin_tile(s, t, action)
    elif action < CITY_BASE:
        s["act"] = A_TAX + 1
        s["hours"] = t["tax_hours"][action - TAX_BASE]
    elif action < USE_BASE:
        begin_effect(s, t, np.int64(t["row_action"][t["home_row"][action - HOME_BASE]]))
    else:
        begin_effect(s, t, np.int64(action - USE_BASE))


@kernel
def begin_tile(s, t, place):
    """A tile is the source."""
    s["amount"] = t["tile_coins"][place]
    s["hours"] = t["tile_hours"][place]
    s["symbol"] = t["tile_symbol"][place]
    if t["wild"] == bits.bit(place):
        s["stage"] = S_WILD
    else:
        s["act"] = t["tile_act"][place] + 1


@kernel
def begin_effect(s, t, ability):
    """The action of a card or a Home is the source."""
    s["act"] = t["once_act"][ability] + 1
    s["amount"] = t["once_coins"][ability]
    s["hours"] = t["once_hours"][ability]
    s["symbol"] = t["once_symbol"][ability]


@kernel
def ask_wild(s, t):
    """PROTOCOL 2, wild."""
    pose(s, K_WILD)
    left = wild_acts(s, t, np.int64(s["seat"]))
    while left != bits.ZERO:
        allow(s, DO_BASE + lowest(left))
        left = bits.rest(left)


@kernel
def apply_wild(s, t, act):
    """The wild tile is for this action."""
    s["act"] = act + 1
    s["symbol"] = ANY_SYMBOL if act == A_NAVIGATOR else 0
    s["stage"] = S_ABILITY


@kernel
def source_home(s):
    """The Home that is the source, as a set of places."""
    source = np.int64(s["source"]) - 1
    return bits.bit(source - CITY_BASE) if HOME_BASE <= source < CARD_BASE else bits.ZERO


@kernel
def is_tile(s):
    """1 if the source is a tile, else 0."""
    return np.int64(s["source"] <= TAX_BASE)


# ---------------------------------------------------------------- abilities


@kernel
def is_feasible(s, t, seat, act):
    """PROTOCOL 2: with the abilities chosen so far."""
    less, saved, most = ability_sums(s, t, seat, act, s["chosen_cards"], s["chosen_homes"])
    if not has_room(free_spaces(s, t, seat), is_tile(s), np.int64(s["hours"]), saved):
        return False
    least = least_amount(s, t, seat, act, np.int64(s["symbol"]))
    coins = np.int64(s["coins"][seat])
    if most > 0:
        least = max(np.int64(1), least)
        return least <= most and least - less <= coins
    return pays_amount(np.int64(s["amount"]), least, less, coins)


@kernel
def is_worth_offering(t, ability, least, less, coins):
    """Is the action still possible with it? Only a free amount can spoil it: it replaces that of the source."""
    if t["once_do"][ability] != L_AMOUNT:
        return True
    lowest_free = max(np.int64(1), least)
    return lowest_free <= t["once_n"][ability] and lowest_free - less <= coins


@kernel
def ask_ability(s, t):
    """PROTOCOL 2, ability; False if none is offered."""
    seat, act = np.int64(s["seat"]), np.int64(s["act"]) - 1
    cards, homes = offered_cards(s, t, seat, act), offered_homes(s, t, seat, act, source_home(s))
    if cards | homes == bits.ZERO:
        return False
    pose(s, K_ABILITY)
    less, _, _ = ability_sums(s, t, seat, act, cards | s["chosen_cards"], homes | s["chosen_homes"])
    least = least_amount(s, t, seat, act, np.int64(s["symbol"]))
    coins = np.int64(s["coins"][seat])
    while cards != bits.ZERO:
        place = np.int64(lowest(cards))
        cards = bits.rest(cards)
        if is_worth_offering(t, place, least, less, coins):
            allow(s, USE_BASE + place)
    while homes != bits.ZERO:
        place = np.int64(lowest(homes))
        homes = bits.rest(homes)
        if is_worth_offering(t, home_ability(t, place, act), least, less, coins):
            allow(s, CITY_BASE + place)
    if is_feasible(s, t, seat, act):
        allow(s, END_ACTION)
    return True


@kernel
def apply_ability(s, t, action):
    """An ability is used for this action, or no more are."""
    if action == END_ACTION:
        end_abilities(s, t)
        return
    if action >= USE_BASE:
        s["chosen_cards"] |= bits.bit(action - USE_BASE)
        ability = np.int64(action - USE_BASE)
    else:
        s["chosen_homes"] |= bits.bit(action - CITY_BASE)
        ability = home_ability(t, np.int64(action - CITY_BASE), np.int64(s["act"]) - 1)
    s["chosen_does"] |= np.int16(1 << np.int64(t["once_do"][ability]))


@kernel
def end_abilities(s, t):
    """All abilities for this action are named."""
    use_up(s, t)
    s["stage"] = S_PAY


@kernel
def use_up(s, t):
    """The source and all abilities chosen are used up, a tile lies on the track."""
    seat, source = np.int64(s["seat"]), np.int64(s["source"]) - 1
    if source < TAX_BASE:
        s["taken"] |= bits.bit(source)
        s["tiles"][seat] += 1
    elif source >= USE_BASE:
        s["used_cards"][seat] |= bits.bit(source - USE_BASE)
    s["used_cards"][seat] |= s["chosen_cards"]
    s["used_homes"] |= s["chosen_homes"] | source_home(s)


# ---------------------------------------------------------------- payment


@kernel
def ask_pay(s, t):
    """PROTOCOL 2, pay; False if the amount is that of the source."""
    if not s["chosen_does"] >> L_AMOUNT & 1:
        return False
    seat, act = np.int64(s["seat"]), np.int64(s["act"]) - 1
    less, _, most = ability_sums(s, t, seat, act, s["chosen_cards"], s["chosen_homes"])
    least = least_amount(s, t, seat, act, np.int64(s["symbol"]))
    pose(s, K_PAY)
    for amount in range(1, most + 1):
        if pays_amount(np.int64(amount), least, less, np.int64(s["coins"][seat])):
            allow(s, PAY_BASE + amount - 1)
    return True


@kernel
def pay(s, t):
    """RULES 5: the coins are paid, and the hourglasses have to be placed."""
    seat, act = np.int64(s["seat"]), np.int64(s["act"]) - 1
    less, saved, _ = ability_sums(s, t, seat, act, s["chosen_cards"], s["chosen_homes"])
    s["coins"][seat] -= np.int32(max(np.int64(0), np.int64(s["amount"]) - less))
    s["due"] = max(np.int64(0), np.int64(s["hours"]) - saved)
    s["hours"] = 0
    s["errand"] = E_HOURS
    s["stage"] = S_ACT
