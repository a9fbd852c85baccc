"""The final score (RULES 6, 8, 10)."""

from __future__ import annotations

from typing import Any

from .counters import amount, count
from .state import State


def radiance(state: State, seat: int) -> int:
    return 2 * count(state, seat, "regions_foreign")


def conquest(state: State, seat: int) -> int:
    return sum(state.board.value[r] for r in state.occupied_by(seat))


def objective_points(state: State, seat: int) -> int:
    kept = state.kept[seat]
    if kept is None:
        return 0
    objective = state.data.objectives[kept]
    need = objective.get("need")
    if need and count(state, seat, need["per"]) < need["min"]:
        return 0
    return max(0, sum(amount(state, seat, term) for term in objective["terms"]))


def winners(state: State, score: list[int], objective: list[int]) -> list[int]:
    if state.solo:
        return []
    keys = [(score[s], objective[s], sum(state.progress[s])) for s in state.seats]
    # R6: a team stands where its last member stands; without teams everybody is a team alone.
    teams = state.config["teams"] or [[s] for s in state.seats]
    best = max(min(keys[s] for s in team) for team in teams)
    return sorted(s for team in teams for s in team if min(keys[x] for x in team) == best)


def final_result(state: State) -> dict[str, Any]:
    """The result in the form of PROTOCOL 3."""
    rad = [radiance(state, s) for s in state.seats]
    con = [conquest(state, s) for s in state.seats]
    obj = [objective_points(state, s) for s in state.seats]
    score = [sum(state.progress[s]) + rad[s] + con[s] + obj[s] for s in state.seats]
    result: dict[str, Any] = {
        "progress": [list(p) for p in state.progress],
        "radiance": rad,
        "conquest": con,
        "objective": obj,
        "objective_kept": list(state.kept),
        "score": score,
        "winners": winners(state, score, obj),
    }
    if state.solo:
        result["solo_score"] = min(score)
    return result
