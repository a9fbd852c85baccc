"""What must be true at every moment of a game, whatever was played."""

from __future__ import annotations

from collections import Counter
from typing import Any

from .play import Game
from .state import State


def cards_at_start(start: dict[str, Any]) -> Counter[int]:
    """Every card of a deal or of a position: packs and hands."""
    cards: Counter[int] = Counter(c for packs in start["packs"] for pack in packs for c in pack)
    cards.update(c for hand in start.get("hands", []) for c in hand)
    return cards


def cards_now(state: State) -> Counter[int]:
    """Every card in a hand, in a later Age's packs, or accounted for as played, discarded or unseen."""
    cards: Counter[int] = Counter(c for hand in state.hands for c in hand)
    cards.update(c for _, c, _ in state.card_log)
    begun = 0 if state.phase == "setup" else state.age
    cards.update(c for age, packs in state.packs.items() if age > begun for pack in packs for c in pack)
    return cards


def broken(game: Game, cards: Counter[int]) -> list[str]:
    """What is not as it must be. `cards` is what cards_at_start gives."""
    state = game.state
    kind = game.decision.kind if game.decision else ""
    problems = []
    for s in state.seats:
        if state.clan_supply(s) < 0 or state.city_supply(s) < 0 or state.coins[s] < 0:
            problems.append(f"seat {s}: supply or coins below zero")
        if len(state.hands[s]) > 5 or state.purses[s].free < 0:
            problems.append(f"seat {s}: hand {state.hands[s]}, free moves {state.purses[s].free}")
    crowded = []
    for r in state.board.regions:
        if any(c < 0 for c in state.clans[r]):
            problems.append(f"region {r}: clans {state.clans[r]}")
        if len(state.occupants(r)) > 1 and not state.board.is_homeland(r):
            crowded.append(r)
    # Only a clan that is crossing may share a region outside homelands.
    if len(crowded) > (1 if kind == "transit" else 0):
        problems.append(f"regions {crowded} are shared ({kind})")
    if kind != "draft" and cards_now(state) != cards:
        problems.append("cards were lost or made")
    if any(count > 1 for count in cards.values()):
        problems.append("a card is there twice")
    return problems
