"""Needs of cards and counters (RULES 8 and 9)."""

from __future__ import annotations

from collections import Counter

from .data import SYMBOLS, TYPES, Card, Effect
from .state import State


def lasting_of(state: State, seat: int) -> list[Effect]:
    """The lasting effects of the cards in play; those of the final scoring have none."""
    own = state.seats[seat]
    cards = [state.card(number) for number in own.played if number not in own.late]
    return [effect for card in cards for effect in card.lasting]


def virtual_citizens(state: State, seat: int) -> Counter[str]:
    found: Counter[str] = Counter()
    for effect in lasting_of(state, seat):
        if effect["do"] == "virtual":
            found[effect["type"]] += effect["n"]
    return found


def symbols_met(state: State, seat: int, card: Card) -> bool:
    """A symbol listed k times needs k own tokens on spaces with it."""
    return all(state.with_symbol(seat, s) >= times for s, times in Counter(card.symbols).items())


def missing_citizens(state: State, seat: int, card: Card) -> int:
    """How many citizens the needs lack, virtual ones counted: each takes one oracle cube."""
    own, virtual = state.seats[seat].citizens, virtual_citizens(state, seat)
    return sum(max(0, n - own[citizen] - virtual[citizen]) for citizen, n in card.needs.items())


def is_met(state: State, seat: int, card: Card, with_cubes: bool = True) -> bool:
    """Are the needs met, with the oracle cubes at hand or without any?"""
    cubes = state.seats[seat].cubes["oracle"] if with_cubes else 0
    return symbols_met(state, seat, card) and missing_citizens(state, seat, card) <= cubes


def cards_met(state: State, seat: int, with_cubes: bool = True) -> list[int]:
    """The cards of the hand whose needs are met, by rising number."""
    hand = sorted(state.seats[seat].hand)
    return [number for number in hand if is_met(state, seat, state.card(number), with_cubes)]


def pay_oracles(state: State, seat: int, card: Card) -> None:
    """Exactly as many oracle cubes as citizens are missing."""
    cubes = state.seats[seat].cubes
    cubes["oracle"] -= missing_citizens(state, seat, card)
    if cubes["oracle"] < 0:
        raise AssertionError(f"seat {seat} lacks oracle cubes for {card.name}")


def count(state: State, seat: int, per: str) -> int:
    """The counters of RULES 9."""
    own = state.seats[seat]
    if per in TYPES:
        return own.citizens[per]
    if per in SYMBOLS:
        return state.with_symbol(seat, per)
    found = {
        "flat": 1,
        "cities": state.tokens_placed(seat),
        "homes": len(state.own_homes(seat)),
        "regions": len(state.own_regions(seat)),
        "cards": len(own.played),
        "types": len(state.types_of(seat)),
        "citizens": sum(own.citizens.values()),
        "coins": own.coins,
    }
    return found[per]


def amount_of(state: State, seat: int, gain: Effect) -> int:
    """n x floor(count(per) / div), at most cap."""
    total = int(gain["n"]) * (count(state, seat, gain.get("per", "flat")) // int(gain.get("div", 1)))
    return min(total, int(gain["cap"])) if "cap" in gain else total
