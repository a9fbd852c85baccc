"""Moves, crossings and tolls (RULES 5.B Expansion, R2; PROTOCOL 2 details)."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from .asking import Asking, ask, each, edge, ends, number
from .state import Purse, State


def may_stop(state: State, seat: int, region: int) -> bool:
    """A clan or group may stop in r only if nobody else has presence in r, or the mover already has
    presence in r, or r is the mover's own homeland."""
    return (
        not state.others_in(seat, region)
        or state.occupies(seat, region)
        or region == state.board.homeland(seat)
    )


def toll(state: State, seat: int, region: int) -> int:
    """What entering a region where the mover may not stop costs besides the step."""
    if state.board.is_homeland(region) or state.active(seat, "no_toll"):
        return 0
    return 1


def moves_are_groups(state: State, seat: int) -> bool:
    return state.age == 3 or bool(state.active(seat, "group_moves"))


@dataclass(frozen=True)
class Walk:
    """A move under way: whose, from where it set out, and the region it is crossing now (if any)."""

    seat: int
    origin: int
    crossing: int | None = None


def may_stop_on(state: State, walk: Walk, region: int) -> bool:
    """As may_stop, but the origin is always a possible place to stop (even if its last clan has left
    it), and the group's own being in the region it crosses gives no right there."""
    if region == walk.origin:
        return True
    if region == walk.crossing:
        return False
    return may_stop(state, walk.seat, region)


def paid(
    state: State, walk: Walk, region: int, free: int, coins: int, coins_pay_steps: bool
) -> tuple[int, int] | None:
    """The free moves and coins left after a step into the region, or None if it cannot be paid."""
    if free > 0:
        free -= 1
    elif coins_pay_steps and coins > 0:
        coins -= 1
    else:
        return None
    if not may_stop_on(state, walk, region):
        coins -= toll(state, walk.seat, region)
    return (free, coins) if coins >= 0 else None


def some_route(state: State, walk: Walk, start: int, free: int, coins: int, coins_pay_steps: bool) -> bool:
    """Is there a payable route from start to a region where the mover may stop? Exhaustive search over
    (region, free moves left, coins left); every step uses up a free move or a coin, so it ends."""
    waiting = deque([(start, free, coins)])
    seen = set(waiting)
    while waiting:
        region, free, coins = waiting.popleft()
        for further in state.board.adjacent[region]:
            left = paid(state, walk, further, free, coins, coins_pay_steps)
            if left is None:
                continue
            if may_stop_on(state, walk, further):
                return True
            if (further, *left) not in seen:
                seen.add((further, *left))
                waiting.append((further, *left))
    return False


def step_legal(state: State, walk: Walk, region: int, purse: Purse) -> bool:
    """May the clan or group step into the (adjacent) region?"""
    left = paid(state, walk, region, purse.free, state.coins[walk.seat], purse.coins_pay_steps)
    if left is None:
        return False
    if may_stop_on(state, walk, region):
        return True
    return some_route(state, walk, region, *left, purse.coins_pay_steps)


def first_steps(state: State, seat: int, purse: Purse) -> list[str]:
    """Every legal first step of a move."""
    return [
        edge(a, b)
        for a in state.with_clans(seat)
        for b in state.board.adjacent[a]
        if step_legal(state, Walk(seat, a), b, purse)
    ]


def make_step(state: State, walk: Walk, a: int, b: int, clans: int, purse: Purse) -> None:
    """Pay for the step from a to b (free moves before coins; the toll to the occupant) and make it."""
    seat = walk.seat
    if purse.free > 0:
        purse.free -= 1
    else:
        assert purse.coins_pay_steps
        state.coins[seat] -= 1
    if not may_stop_on(state, walk, b) and toll(state, seat, b) > 0:
        (occupant,) = state.others_in(seat, b)
        state.coins[seat] -= 1
        state.coins[occupant] += 1
    assert state.coins[seat] >= 0
    state.clans[a][seat] -= clans
    state.clans[b][seat] += clans


def move(state: State, seat: int, first: str, purse: Purse) -> Asking:
    """A whole move: the first step, and, if it is a crossing, every further step until it stops."""
    a, b = ends(first)
    clans = 1
    if moves_are_groups(state, seat) and state.clans[a][seat] > 1:
        clans = number((yield from ask(seat, "group", each("amount", range(1, state.clans[a][seat] + 1)))))
    walk = Walk(seat, a)
    here = a
    while True:
        stops = may_stop_on(state, walk, b)
        make_step(state, walk, here, b, clans, purse)
        if stops:
            return
        here = b
        walk = Walk(seat, walk.origin, here)
        further = [edge(here, c) for c in state.board.adjacent[here] if step_legal(state, walk, c, purse)]
        _, b = ends((yield from ask(seat, "transit", further)))


def small_turn(state: State, seat: int, purse: Purse) -> Asking:
    """RULES 7, Copying: a small turn of the copied card's free moves only."""
    while purse.free > 0:
        answer = yield from ask(seat, "free_moves", [*first_steps(state, seat, purse), "end"])
        if answer == "end":
            break
        yield from move(state, seat, answer, purse)
