"""Recruiting (RULES 5.B; PROTOCOL 2, recruiting places)."""

from __future__ import annotations

from .state import State


def recruit_price(state: State, seat: int) -> int:
    """2 coins, or the current recruit_price while it lasts."""
    special = state.active(seat, "recruit_price")
    return special[0].effect["p"] if special else 2


def recruiting_places(state: State, seat: int) -> list[int]:
    """Where a clan may be recruited now; nowhere without a clan in supply or the price."""
    if state.clan_supply(seat) == 0 or state.coins[seat] < recruit_price(state, seat):
        return []
    places = {state.board.homeland(seat)}
    if state.age >= 2:
        places |= set(state.with_city(seat))
    if state.active(seat, "recruit_anywhere"):
        places |= set(state.occupied_by(seat))
    return sorted(places)


def recruit(state: State, seat: int, region: int) -> None:
    state.coins[seat] -= recruit_price(state, seat)
    state.clans[region][seat] += 1
    for special in state.active(seat, "recruit_price"):
        special.left -= 1
        if special.left == 0:
            state.lasting[seat].remove(special)
