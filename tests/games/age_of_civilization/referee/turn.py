"""A turn (RULES 6): a civilization, actions or rest, the workers return, the end of the turn."""

from __future__ import annotations

from math import prod

from .abilities import Ability, abilities, amount, effects_for, holding, holds
from .actions import legal_actions, payable, perform
from .asking import Asking, ask, each, name_of, number_of, verb
from .data import OPTIONAL
from .effects import do_effect, do_plain
from .state import State
from .technologies import buy, buyable

MOST_CIVILIZATIONS = 3  # [R3]
DRAFT_BONUS = 2  # RULES 9, Draft
REST_COINS, REST_WORKERS = 2, 1


def turn(state: State, seat: int) -> Asking:
    state.seat = seat
    state.performed.clear()
    state.placed.clear()
    state.ended.clear()
    state.step = "civilization"
    yield from civilization(state, seat)
    state.step = "actions"
    yield from actions_or_rest(state, seat)
    workers_return(state, seat)
    state.step = "end"
    yield from end_of_turn(state, seat)


# -------------------------------------------------------------------- step 1


def civilization(state: State, seat: int) -> Asking:
    me = state.seats[seat]
    if len(me.civilizations) >= MOST_CIVILIZATIONS:
        return
    cards = [*state.market, *me.hand]
    legal = each("rise", cards)
    if me.civilizations:
        legal += [*each("annex", cards), "pass"]
    answer = yield from ask(seat, "civilization", legal)
    if answer != "pass":
        yield from take(state, seat, number_of(answer), rise=verb(answer) == "rise")


def take(state: State, seat: int, card: int, rise: bool) -> Asking:
    """The civilization rises or is annexed, in the order of RULES 6, step 1."""
    me, data = state.seats[seat], state.data.civilizations[card]
    draft = state.config["draft"]
    if card in me.hand:
        me.hand.remove(card)
        coins = 0
    else:
        coins = state.market.pop(card)
    state.bonus = coins + (DRAFT_BONUS if draft and me.civilizations else 0)
    me.civilizations.append(card)
    births = [e for e in data.main if e.when == "birth"] if rise else []
    if rise:
        me.main = card
        me.workers = me.idle = data.population
    else:
        me.gain_workers(1)
    me.coins += state.bonus * prod(e.n for e in births if e.do == "bonus_times" and holds(state, seat, e))
    if not state.solo and not draft:
        state.coins_on_market()
    for e in births:
        if e.do != "bonus_times":
            yield from do_effect(state, seat, e)
    state.bonus = 0


# -------------------------------------------------------------------- steps 2 and 3


def actions_or_rest(state: State, seat: int) -> Asking:
    while True:
        last = "end" if state.performed else "rest"
        legal = each("act", legal_actions(state, seat)) + each("special", buyable(state, seat)) + [last]
        answer = yield from ask(seat, "action", legal)
        if answer == "end":
            return
        if answer == "rest":
            rest(state, seat)
            return
        if verb(answer) == "special":
            buy(state, seat, number_of(answer))
        else:
            yield from perform(state, seat, name_of(answer), on_space=True)


def rest(state: State, seat: int) -> None:
    me = state.seats[seat]
    me.coins += REST_COINS
    me.gain_workers(REST_WORKERS)
    for e in effects_for(state, seat, "rest"):
        if holds(state, seat, e):
            do_plain(state, seat, e.do, amount(state, seat, e))


def workers_return(state: State, seat: int) -> None:
    """Step 3: whether they are safe is asked before any of them is sacrificed."""
    me = state.seats[seat]
    lost = sum(
        workers
        for name, workers in state.placed.items()
        if state.data.actions[name].red and not holding(state, seat, "safe", name)
    )
    me.workers -= lost
    assert me.workers >= 0
    me.idle = me.workers
    state.placed.clear()


# -------------------------------------------------------------------- the end of the turn


def end_of_turn(state: State, seat: int) -> Asking:
    """PROTOCOL 2: again and again while something is legal."""
    while True:
        left = [a for a in abilities(state, seat) if a.text not in state.ended and at_turn_end(a)]
        compulsory = [a for a in left if not is_optional(a)]
        useful = [a for a in left if is_optional(a) and usable(state, seat, a)]
        if not compulsory and not useful:
            return
        legal = [a.text for a in compulsory + useful]
        if not compulsory:
            legal.append("end")
        answer = yield from ask(seat, "turn_end", legal)
        if answer == "end":
            return
        state.ended.append(answer)
        ability = next(a for a in left if a.text == answer)
        yield from do_turn_end(state, seat, ability)


def at_turn_end(ability: Ability) -> bool:
    return any(e.when == "turn_end" for e in ability.effects)


def is_optional(ability: Ability) -> bool:
    """An optional turn_end effect is the only one of its ability."""
    return any(e.when == "turn_end" and e.do in OPTIONAL for e in ability.effects)


def usable(state: State, seat: int, ability: Ability) -> bool:
    e = next(e for e in ability.effects if e.when == "turn_end")
    if not holds(state, seat, e):
        return False
    if e.do == "perform":
        return payable(state, seat, e.what, at_end=True)
    return state.seats[seat].coins >= e.n and bool(state.market)


def do_turn_end(state: State, seat: int, ability: Ability) -> Asking:
    me = state.seats[seat]
    for e in ability.effects:
        if e.when != "turn_end":
            continue
        if e.do == "perform":
            yield from perform(state, seat, e.what, on_space=False, at_end=True)
        elif e.do == "deposit":
            card = number_of((yield from ask(seat, "deposit", each("card", state.market))))
            me.coins -= e.n
            state.market[card] += e.n
            me.points += e.points
        else:
            yield from do_effect(state, seat, e)
