"""Technologies and special cards (RULES 9)."""

from __future__ import annotations

from collections.abc import Iterable

from .data import Cell, Data
from .state import State

SPECIAL_PRICE = 1


def on_card(data: Data, special: int | None) -> list[int]:
    """The technologies on a seat's card: the base ones, two of them covered by the special card."""
    own = [t for t in data.technologies.values() if special is not None and t.special == special]
    covered = {t.cell for t in own}
    base = [t for t in data.technologies.values() if t.special is None and t.cell not in covered]
    return sorted(t.number for t in base + own)


def roots_of(data: Data, cell: Cell) -> set[Cell]:
    """The cells from which an arrow leads to this one."""
    return {a for a, b in data.arrows if b == cell}


def reachable(data: Data, technology: int, gained: Iterable[int]) -> bool:
    """No arrow leads to its cell, or there is a technology in a cell from which one leads there."""
    roots = roots_of(data, data.technologies[technology].cell)
    return not roots or bool(roots & {data.technologies[t].cell for t in gained})


def available(state: State, seat: int) -> list[int]:
    me, data = state.seats[seat], state.data
    return [
        t
        for t in on_card(data, me.special)
        if t not in me.technologies and reachable(data, t, me.technologies)
    ]


def buyable(state: State, seat: int) -> list[int]:
    """The special cards that the seat can buy now."""
    me, data = state.seats[seat], state.data
    if me.special is not None or me.coins < SPECIAL_PRICE:
        return []
    taken = {data.technologies[t].column for t in me.technologies}
    return [special for special in state.special_market if data.column_of(special) not in taken]


def buy(state: State, seat: int, special: int) -> None:
    me = state.seats[seat]
    me.coins -= SPECIAL_PRICE
    me.special = special
    state.special_market.remove(special)
