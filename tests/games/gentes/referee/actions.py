"""The six actions themselves (RULES 6), after abilities, payment and time."""

from __future__ import annotations

from .asking import Asking, ask, ask_object, each, number
from .gains import run_gains, synergy_points
from .needs import cards_met, pay_oracles
from .places import empty_places, navigate
from .state import State

# -------------------------------------------------------------------- Philosopher


def in_row(state: State, row: int, amount: int) -> list[str]:
    """The types whose tile lies in a slot with a price of at most the amount, in the row for 1 or 2."""
    prices = state.data.recruiting[row - 1]
    return [citizen for citizen, price in zip(state.recruit, prices, strict=True) if price <= amount]


def by_row(state: State, seat: int, row: int, amount: int) -> list[str]:
    """Those of them that can be recruited now."""
    return [citizen for citizen in in_row(state, row, amount) if state.can_recruit(seat, citizen)]


def philosopher(state: State, seat: int, amount: int, extra: int) -> Asking:
    rows = [1, 2] if by_row(state, seat, 2, amount) else [1]
    row = int((yield from ask_object(seat, "count", "count", rows)))
    recruited = set()
    for _ in range(row + extra):
        possible = by_row(state, seat, row, amount)
        if not possible:
            break
        citizen = yield from ask_object(seat, "recruit", "citizen", possible)
        state.recruit_one(seat, citizen)
        recruited.add(citizen)
        if citizen == state.marked_type:
            state.marked_type = None
    out = [citizen for citizen in state.recruit if citizen in recruited]
    state.recruit = [citizen for citizen in state.recruit if citizen not in recruited] + out[::-1]


# -------------------------------------------------------------------- Scribe


def takeable(state: State, amount: int, slots: list[int], piled: int) -> list[int]:
    """The cards that may be taken next, after those of these slots or so many of the discard pile."""
    data, cards = state.data, []
    k = len(slots)
    if piled == 0 and k < len(data.prices):
        for slot, card in enumerate(state.display, 1):
            price = data.price(k + 1, max([slot, *slots]))
            if card is not None and price is not None and price <= amount:
                cards.append(card)
    if k == 0 and piled < len(data.discard_prices) and data.discard_prices[piled] <= amount:
        cards += state.discard
    return cards


def scribe(state: State, seat: int, amount: int) -> Asking:
    slots: list[int] = []
    piled = 0
    while len(slots) < len(state.data.prices) and piled < len(state.data.discard_prices):
        legal = each("card", takeable(state, amount, slots, piled))
        if slots or piled:
            legal.append("end")
        answer = yield from ask(seat, "take", legal)
        if answer == "end":
            break
        card = number(answer)
        if card in state.discard:
            state.discard.remove(card)
            state.seats[seat].hand.append(card)
            piled += 1
        else:
            slots.append(state.take_from_display(seat, card))
    state.fill_display()


# -------------------------------------------------------------------- Chronicler


def chronicler(state: State, seat: int) -> Asking:
    card = state.card(int((yield from ask_object(seat, "play", "card", cards_met(state, seat)))))
    own = state.seats[seat]
    pay_oracles(state, seat, card)
    own.hand.remove(card.number)
    own.played.append(card.number)
    state.score(seat, "cards", card.points)
    yield from run_gains(state, seat, card.gains)
    state.score(seat, "synergy", synergy_points(state, seat, card))


# -------------------------------------------------------------------- all


def has_target(state: State, seat: int, action: str, amount: int, symbol: str | None) -> bool:
    """RULES 6, *Target*."""
    if action == "philosopher":
        return bool(by_row(state, seat, 1, amount))
    if action == "scribe":
        return bool(takeable(state, amount, [], 0))
    if action == "navigator":
        assert symbol is not None
        return bool(empty_places(state, symbol))
    if action == "chronicler":
        return bool(cards_met(state, seat))
    return True  # Leader and Tax Collector


def perform(state: State, seat: int, action: str, amount: int, symbol: str | None, extra: int) -> Asking:
    """Step 4 of an action; for the Tax Collector see `abilities.take_action`."""
    if action == "philosopher":
        yield from philosopher(state, seat, amount, extra)
    elif action == "scribe":
        yield from scribe(state, seat, amount)
    elif action == "navigator":
        assert symbol is not None
        yield from navigate(state, seat, symbol)
    elif action == "chronicler":
        yield from chronicler(state, seat)
    else:
        assert action == "leader", action
        state.receive(seat, "coins", state.data.leader_coins)
        state.next_first = seat
