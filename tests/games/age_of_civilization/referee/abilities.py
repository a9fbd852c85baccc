"""Abilities in force, counts, amounts, needs, force (RULES 1 and 8)."""

from __future__ import annotations

from typing import Any, NamedTuple

from .data import Effect, Effects
from .state import State


class Ability(NamedTuple):
    """`text` is the action that does it at the end of the turn (PROTOCOL 1)."""

    text: str
    effects: Effects


def abilities(state: State, seat: int) -> list[Ability]:
    """In force, in the order of RULES 7, step 4: main, inherited, technologies, wonders, by number."""
    me, data = state.seats[seat], state.data
    found = []
    if me.main is not None:
        found.append(Ability("main", data.civilizations[me.main].main))
    found += [Ability(f"heritage:{c}", data.civilizations[c].inherited) for c in sorted(me.civilizations)]
    found += [Ability(f"tech:{t}", data.technologies[t].effects) for t in sorted(me.technologies)]
    found += [Ability(f"wonder:{w}", data.wonders[w].effects) for w in sorted(me.wonders)]
    return found


def effects_for(state: State, seat: int, when: str) -> list[Effect]:
    """The effects of that moment in force, in order; whether their needs hold is not asked."""
    return [e for ability in abilities(state, seat) for e in ability.effects if e.when == when]


def holding(state: State, seat: int, do: str, action: str | None = None) -> list[Effect]:
    """The `always` effects that hold now."""
    return [
        e
        for e in effects_for(state, seat, "always")
        if e.do == do and e.action == action and holds(state, seat, e)
    ]


# -------------------------------------------------------------------- counts


def count(state: State, seat: int, what: str) -> int:
    """RULES 8, third table."""
    me = state.seats[seat]
    if what == "flat":
        return 1
    if what in ("coins", "points", "workers"):
        return int(getattr(me, what))
    if what in ("technologies", "wonders", "civilizations"):
        return len(getattr(me, what))
    if what == "force":
        return force(state, seat)
    if what == "strongest":
        return int(is_strongest(state, seat))
    if what == "future":
        return state.upcoming
    if what == "bonus":
        return state.bonus if seat == state.seat else 0
    techs = [state.data.technologies[t] for t in me.technologies]
    if what.startswith("row_"):
        return sum(t.row == int(what[-1]) for t in techs)
    in_column = [sum(t.column == column for t in techs) for column in (1, 2, 3)]
    if what == "columns":
        return sum(number >= 1 for number in in_column)
    assert what == "full_columns", what
    return sum(number == 3 for number in in_column)


def within(number: int, low: int | None, high: int | None) -> bool:
    """A bound that is absent does not bind, and with neither of them min = 1."""
    if low is None and high is None:
        low = 1
    return (low is None or number >= low) and (high is None or number <= high)


def holds(state: State, seat: int, effect: Effect) -> bool:
    """Is its need met at this moment?"""
    return effect.need is None or within(count(state, seat, effect.need), effect.low, effect.high)


def amount(state: State, seat: int, effect: Effect) -> int:
    """A = n x floor(count(per) / div), at most cap."""
    made = effect.n * (count(state, seat, effect.per) // effect.div)
    # AMBIGUOUS: a cap together with a negative n; "at most" is taken as it is written, so it never binds.
    return made if effect.cap is None else min(made, effect.cap)


def total(state: State, seat: int, do: str, action: str | None = None) -> int:
    """The sum of the amounts of the `always` effects that hold."""
    return sum(amount(state, seat, e) for e in holding(state, seat, do, action))


# -------------------------------------------------------------------- force


def force(state: State, seat: int) -> int:
    return total(state, seat, "force")


def forces(state: State) -> list[int]:
    """Of all seats; in solo the virtual opponent's, too (RULES 12)."""
    own = [force(state, seat) for seat in range(state.players)]
    return [*own, state.round - 1] if state.solo else own


def is_strongest(state: State, seat: int) -> bool:
    found = forces(state)
    return found[seat] == max(found)


def is_weakest(state: State, seat: int) -> bool:
    found = forces(state)
    return found[seat] == min(found)


# -------------------------------------------------------------------- the picture


def picture(state: State) -> dict[str, Any]:
    """The state before a decision (PROTOCOL 3)."""
    seats = state.seats
    return {
        "round": state.round,
        "first": state.first,
        "coins": [me.coins for me in seats],
        "points": [me.points for me in seats],
        "workers": [me.workers for me in seats],
        "idle": [me.idle for me in seats],
        "force": [force(state, seat) for seat in range(state.players)],
        "main": [me.main for me in seats],
        "civilizations": [sorted(me.civilizations) for me in seats],
        "technologies": [sorted(me.technologies) for me in seats],
        "special_cards": [me.special for me in seats],
        "wonders": [sorted(me.wonders) for me in seats],
        "market": {str(card): coins for card, coins in sorted(state.market.items())},
        "wonder_market": sorted(state.wonder_market),
        "special_market": sorted(state.special_market),
    }
