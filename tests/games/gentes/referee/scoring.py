"""Bonus tiles (RULES 7), the final scoring's numbers and the result (RULES 10, PROTOCOL 3)."""

from __future__ import annotations

from typing import Any

from .data import CONDITIONS
from .state import PARTS, SOLO_HIGH_ROUNDS, State


def meets(state: State, seat: int, condition: str) -> bool:
    own = state.seats[seat]
    have = {
        "cards": len(own.played),
        "citizens": sum(own.citizens.values()),
        "cities": state.tokens_placed(seat),
    }
    least = min(tile.least for tile in state.data.bonus if tile.condition == condition)
    return have[condition] >= least


def take_bonus_tiles(state: State, seat: int) -> None:
    """After every action and every finished extra option of a turn: cards, citizens, cities."""
    for condition in CONDITIONS:
        there = state.bonus[condition]
        if seat in there or not meets(state, seat, condition):
            continue
        tiles = state.bonus_points(condition)
        if state.solo:
            points = tiles[0] if state.round <= SOLO_HIGH_ROUNDS else tiles[-1]
        else:
            points = tiles[min(len(there), len(tiles) - 1)]
        state.score(seat, "other", points)
        there.append(seat)


def end_points(state: State, seat: int) -> int:
    """The final scoring without the cards that come into play in it."""
    own, data = state.seats[seat], state.data
    points = own.all_cubes // data.cubes_per_point + own.coins // data.coins_per_point
    points -= sum(state.card(card).half for card in own.hand)
    hours = own.singles + 2 * own.doubles
    if hours:
        points -= data.penalty[min(hours, len(data.penalty)) - 1]
    return points


def final_result(state: State) -> dict[str, Any]:
    """The result in the form of PROTOCOL 3."""
    seats = state.seats
    score = [sum(own.points.values()) for own in seats]
    result: dict[str, Any] = {part: [own.points[part] for own in seats] for part in PARTS}
    result["score"] = score
    result["played"] = [len(own.played) for own in seats]
    result["coins"] = [own.coins for own in seats]
    if state.solo:
        rank = [name for least, name in sorted(state.data.ranks) if least <= score[0]]
        return {**result, "winners": [], "solo_score": score[0], "rank": rank[-1] if rank else None}
    keys = list(zip(score, result["played"], result["coins"], strict=True))
    result["winners"] = [seat for seat, key in enumerate(keys) if key == max(keys)]
    return result
