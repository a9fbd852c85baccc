"""Effects that are done once (RULES 8, second table), except `perform`, `deposit` and `bonus_times`."""

from __future__ import annotations

from .abilities import amount, holds
from .asking import Asking, ask, each, number_of
from .data import PLAIN, Effect
from .state import State
from .technologies import available


def do_plain(state: State, seat: int, do: str, number: int) -> None:
    """Gain coins, points or workers, or give coins to every other seat, or take them away."""
    me = state.seats[seat]
    if do == "coins":
        me.gain_or_lose_coins(number)
    elif do == "points":
        me.points += number
    elif do == "workers":
        me.gain_workers(number)
    elif do == "others_coins":
        for other in state.others(seat):
            other.gain_or_lose_coins(number)
    else:
        raise AssertionError(f"{do} is not plain")


def gain_technology(state: State, seat: int, technology: int) -> None:
    """It is in force now; then its `gain` effects (RULES 7, step 3)."""
    assert technology in available(state, seat)
    state.seats[seat].technologies.append(technology)
    _gained(state, seat, state.data.technologies[technology].effects)


def gain_wonder(state: State, seat: int, wonder: int) -> None:
    state.wonder_market.remove(wonder)
    state.seats[seat].wonders.append(wonder)
    _gained(state, seat, state.data.wonders[wonder].effects)


def _gained(state: State, seat: int, effects: tuple[Effect, ...]) -> None:
    for e in effects:
        if e.when == "gain" and holds(state, seat, e):
            do_plain(state, seat, e.do, amount(state, seat, e))


def do_effect(state: State, seat: int, effect: Effect) -> Asking:
    """Plain, technology or wonder, if its need holds now."""
    if not holds(state, seat, effect):
        return
    number = amount(state, seat, effect)  # how many is counted before the first
    if effect.do in PLAIN:
        do_plain(state, seat, effect.do, number)
    elif effect.do == "technology":
        for _ in range(number):
            options = available(state, seat)
            if not options:
                return
            answer = yield from ask(seat, "technology", each("tech", options))
            gain_technology(state, seat, number_of(answer))
    elif effect.do == "wonder":
        for _ in range(number):
            if not state.wonder_market:
                return
            answer = yield from ask(seat, "wonder", each("wonder", state.wonder_market))
            gain_wonder(state, seat, number_of(answer))
    else:
        raise AssertionError(f"{effect.do} cannot be done here")
