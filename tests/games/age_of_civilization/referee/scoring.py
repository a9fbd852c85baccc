"""The end of the game (RULES 10 and 12), and the result (PROTOCOL 3)."""

from __future__ import annotations

from typing import Any

from .abilities import abilities, amount, count, holds, within
from .data import Achievement
from .state import State


def end_points(state: State, seat: int) -> tuple[int, int]:
    """The `game_end` points of a seat's wonders, and all the others."""
    wonders = legacy = 0
    for ability in abilities(state, seat):
        gained = sum(
            amount(state, seat, e) for e in ability.effects if e.when == "game_end" and holds(state, seat, e)
        )
        if ability.text.startswith("wonder:"):
            wonders += gained
        else:
            legacy += gained
    return wonders, legacy


def reached(state: State, achievement: Achievement, score: int) -> bool:
    # AMBIGUOUS: a need that counts points: those of the position at the end of round 6, not the score.
    needs = [within(count(state, 0, what), low, high) for what, low, high in achievement.needs]
    return score >= achievement.points and all(needs)


def final_result(state: State) -> dict[str, Any]:
    """The result in the form of PROTOCOL 3, as if the game ended in this state."""
    course = [me.points for me in state.seats]
    parts = [end_points(state, seat) for seat in range(state.players)]
    score = [points + sum(part) for points, part in zip(course, parts, strict=True)]
    ranks = [(total, me.workers, me.coins) for total, me in zip(score, state.seats, strict=True)]
    result: dict[str, Any] = {
        "course": course,
        "wonders": [part[0] for part in parts],
        "legacy": [part[1] for part in parts],
        "score": score,
        "workers": [me.workers for me in state.seats],
        "coins": [me.coins for me in state.seats],
        "winners": [seat for seat, rank in enumerate(ranks) if rank == max(ranks)],
    }
    if state.solo:
        result["winners"] = []
        result["achievements"] = sorted(
            a.number for a in state.data.achievements if reached(state, a, score[0])
        )
    return result
