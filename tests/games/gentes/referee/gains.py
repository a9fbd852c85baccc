"""What a card does when it is played, and in each Decline (RULES 9)."""

from __future__ import annotations

from .asking import Asking, ask_object
from .data import ANY, REWARDS, Card, Effect
from .needs import amount_of
from .places import activate, navigate
from .state import State
from .track import free_hour, put_hours, unlock


def run_gains(state: State, seat: int, gains: tuple[Effect, ...]) -> Asking:
    """In the listed order; what finds no object is skipped."""
    for gain in gains:
        yield from run_gain(state, seat, gain)


def run_gain(state: State, seat: int, gain: Effect) -> Asking:
    do = gain["do"]
    if do in REWARDS:
        state.receive(seat, do, amount_of(state, seat, gain))
    elif do == "lose_coins":
        state.pay(seat, min(gain["n"], state.seats[seat].coins))
    elif do == "citizen":
        for _ in range(gain["n"]):
            yield from gain_citizen(state, seat, gain["type"])
    elif do == "lose_citizen":
        for _ in range(gain["n"]):
            yield from lose_citizen(state, seat, gain["type"])
    elif do == "hours":
        yield from put_hours(state, seat, gain["n"])
    elif do == "free_hours":
        for _ in range(gain["n"]):
            free_hour(state, seat)
    elif do == "unlock":
        for _ in range(gain["n"]):
            yield from unlock(state, seat)
    elif do == "card":
        yield from gain_cards(state, seat, gain["n"], gain["first"])
    elif do == "city":
        yield from navigate(state, seat, gain["symbol"])
    elif do == "activate":
        yield from activate(state, seat)
    elif do == "first":
        # AMBIGUOUS: also in the solo game, where it changes nothing but `next_first` in the states.
        state.next_first = seat
    else:
        raise AssertionError(f"{do} is no gain")


def gain_citizen(state: State, seat: int, citizen: str) -> Asking:
    """One citizen; no recruiting tile moves."""
    possible = state.recruitable(seat)
    if citizen != ANY:
        possible = [citizen] if citizen in possible else []
    if possible:
        state.recruit_one(seat, (yield from ask_object(seat, "enlist", "citizen", possible)))


def lose_citizen(state: State, seat: int, citizen: str) -> Asking:
    possible = state.types_of(seat)
    if citizen != ANY:
        possible = [citizen] if citizen in possible else []
    if possible:
        state.lose_one(seat, (yield from ask_object(seat, "lose", "citizen", possible)))


def gain_cards(state: State, seat: int, n: int, first: int) -> Asking:
    """Cards of slots 1..first; slots keep their numbers until the gain is done."""
    for _ in range(n):
        cards = [card for card in state.display[:first] if card is not None]
        if not cards:
            break
        state.take_from_display(seat, int((yield from ask_object(seat, "take", "card", cards))))
    state.fill_display()


def synergy_points(state: State, seat: int, card: Card) -> int:
    """RULES 6, Chronicler: the best synergy symbol of the card; it is in play already [R5]."""
    shown = [symbol for played in state.seats[seat].played for symbol in state.card(played).synergy]
    return max((shown.count(symbol) for symbol in card.synergy), default=0)
