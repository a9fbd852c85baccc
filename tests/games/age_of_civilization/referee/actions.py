"""Actions (RULES 7): spaces, workers needed, price, and what performing one does."""

from __future__ import annotations

from .abilities import amount, effects_for, holding, holds, total
from .asking import Asking, ask, each, number_of
from .data import Effect
from .effects import do_effect, gain_technology
from .state import State
from .technologies import available

RESEARCH = "research"


def spaces(state: State, seat: int, name: str) -> int:
    """Those that the seat can use: of the permanent card, of the cards open to it, and its own."""
    future = bool(holding(state, seat, "future"))
    shown = [*state.data.permanent, *(card.action for card in state.open_cards(future))]
    base = state.data.actions[name].spaces if name in shown else 0
    return base + total(state, seat, "space", name)


def workers_needed(state: State, seat: int, name: str) -> int:
    return max(1, state.data.actions[name].workers + total(state, seat, "labour", name))


def price(state: State, seat: int, name: str, technology: int | None, at_end: bool) -> int:
    """`technology` is the one to be gained by research; `at_end`: performed by a turn_end effect."""
    less = sum(
        amount(state, seat, e)
        for e in holding(state, seat, "discount", name)
        if not (at_end and e.not_at_end) and fits(e, technology)
    )
    return max(0, state.data.actions[name].price - less)


def fits(effect: Effect, technology: int | None) -> bool:
    """With `techs` the technology must be among them."""
    return effect.techs is None or technology in effect.techs


def affordable(state: State, seat: int, at_end: bool) -> list[int]:
    """The available technologies whose price for research the seat has."""
    coins = state.seats[seat].coins
    return [t for t in available(state, seat) if price(state, seat, RESEARCH, t, at_end) <= coins]


def forbidden(state: State, seat: int, name: str) -> bool:
    return any(holding(state, other, "forbid", name) for other in range(state.players) if other != seat)


def payable(state: State, seat: int, name: str, at_end: bool = False) -> bool:
    if forbidden(state, seat, name):
        return False
    if name == RESEARCH:
        return bool(affordable(state, seat, at_end))  # [R6]
    return price(state, seat, name, None, at_end) <= state.seats[seat].coins


def legal_actions(state: State, seat: int) -> list[str]:
    """PROTOCOL 2: a space is left, there are enough idle workers, and it is payable."""
    return [
        name
        for name in state.data.actions
        if spaces(state, seat, name) - state.performed[name] >= 1
        and state.seats[seat].idle >= workers_needed(state, seat, name)
        and payable(state, seat, name)
    ]


def perform(state: State, seat: int, name: str, on_space: bool, at_end: bool = False) -> Asking:
    """RULES 7, steps 1 to 5."""
    me, action = state.seats[seat], state.data.actions[name]
    if on_space:
        needed = workers_needed(state, seat, name)
        me.idle -= needed
        state.placed[name] += needed
        state.performed[name] += 1
    noted = [e for e in effects_for(state, seat, "act") if e.action == name]
    chosen = None
    if name == RESEARCH:
        options = each("tech", affordable(state, seat, at_end))
        chosen = number_of((yield from ask(seat, "technology", options)))
    me.coins -= price(state, seat, name, chosen, at_end)
    assert me.coins >= 0 and me.idle >= 0
    gained = None
    for e in action.effects:
        if e.do != "technology":
            yield from do_effect(state, seat, e)
        # AMBIGUOUS: a need, per or cap on the technology of research: the chosen one if A >= 1, else none.
        elif chosen is not None and holds(state, seat, e) and amount(state, seat, e) >= 1:
            gain_technology(state, seat, chosen)
            gained = chosen
    noted = [e for e in noted if fits(e, gained)]
    for e in noted:
        if e.do != "perform":
            yield from do_effect(state, seat, e)
    if not on_space:
        return  # an action performed without space sets off no `perform` effects
    for e in noted:
        if e.do == "perform" and holds(state, seat, e) and payable(state, seat, e.what):
            answer = yield from ask(seat, "grant", [f"act:{e.what}", "end"])
            if answer != "end":
                yield from perform(state, seat, e.what, on_space=False)
