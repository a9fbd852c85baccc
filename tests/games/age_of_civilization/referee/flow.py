"""The flow of a game: the draft (RULES 9), the rounds, the end of a round (RULES 5)."""

from __future__ import annotations

from .abilities import amount, count, effects_for, holding, holds, is_weakest
from .asking import Asking, ask, each, number_of
from .config import HAND, LAST_ROUND
from .effects import do_plain
from .state import State
from .turn import turn

FIRST_EVENT_CARD = 6  # the tokens lie on the cards 6, 7 and 8


def whole_game(state: State) -> Asking:
    """From a deal, or from a position: then it begins with the turn of `state.seat`."""
    if state.packs is not None:
        yield from draft(state)
    while True:
        yield from turn(state, state.seat)
        state.seat = (state.seat + 1) % state.players
        if state.seat == state.first:
            if state.round == LAST_ROUND:
                state.step = "over"
                return
            end_of_round(state)
            state.seat = state.first


def draft(state: State) -> Asking:
    """Five picks; the packs pass to the left when all have picked; what is left is the market."""
    assert state.packs is not None
    state.step = "draft"
    for _ in range(HAND):
        for i in range(state.players):
            seat = (state.first + i) % state.players
            card = number_of((yield from ask(seat, "draft", each("card", state.packs[seat]))))
            state.packs[seat].remove(card)
            state.seats[seat].hand.append(card)
        state.packs = [state.packs[seat - 1] for seat in range(state.players)]
    state.market = {card: 0 for pack in state.packs for card in pack}
    state.packs = None


def end_of_round(state: State) -> None:
    """RULES 5, steps 1 to 6."""
    if state.solo:
        state.coins_on_market()
    state.first = (state.first - 1) % state.players
    state.round += 1
    number = state.round + 2
    card = state.card(number)
    if state.events is not None and number >= FIRST_EVENT_CARD:
        event(state, state.events[number - FIRST_EVENT_CARD])
    if card.war:
        war(state)
    if card.plague:
        for me in state.seats:
            me.sacrifice()


def event(state: State, number: int) -> None:
    """RULES 9: who is concerned and the amounts are counted before anybody gains or loses."""
    for e in state.data.events[number]:
        seats = range(state.players)
        values = [count(state, seat, e.of) for seat in seats]
        wanted = {"all": set(values), "most": {max(values)}, "least": {min(values)}}[e.who]
        gains = {seat: e.n * count(state, seat, e.per) for seat in seats if values[seat] in wanted}
        for seat, gain in gains.items():
            if e.do == "workers" and gain < 0:
                state.seats[seat].sacrifice(-gain)
            else:
                do_plain(state, seat, e.do, gain)


def war(state: State) -> None:
    """RULES 5, step 5: everything is counted before anything is done."""
    seats = range(state.players)
    gains = [
        (seat, e.do, amount(state, seat, e))
        for seat in seats
        for e in effects_for(state, seat, "war")
        if holds(state, seat, e)
    ]
    losing = [seat for seat in seats if is_weakest(state, seat) and not holding(state, seat, "immune")]
    for seat, do, number in gains:
        do_plain(state, seat, do, number)
    for seat in losing:
        state.seats[seat].sacrifice()
