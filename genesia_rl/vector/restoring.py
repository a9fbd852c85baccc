"""What is kept of a batch's games, checked before it is taken over: compiled code goes where rows and states point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from genesia_rl.core.bounds import check_states, refuse_outside
from genesia_rl.core.errors import StateError
from genesia_rl.core.facts import LEARNER
from genesia_rl.core.game import Bounds, Game

Array = npt.NDArray[Any]
_NUMBERS = ("reward", "sum", "potential", "final_reward", "final_sum")


def row_bounds(game: Game, num_tables: int, opponents: int) -> dict[str, Bounds]:
    """What the rows of a batch may hold, whose opponents have the numbers 1 .. opponents."""
    last, count = game.num_seats - 1, (0, (1 << 31) - 1)
    table, who = (0, num_tables - 1), (LEARNER, opponents)
    return {
        "table": table, "next_table": table, "seat": (-1, last), "kind": (0, len(game.kinds) - 1),
        "learner": (-1, last), "done": (0, 1), "order": (0, last), "controller": who, "lineup": who,
        "length": count, "episode": (0, (1 << 62)), "final_length": count, "final_learner": (0, last),
    }  # fmt: skip


def check_batch(
    game: Game, held: Mapping[str, Array], num_tables: int, opponents: int, where: str, tables: Any
) -> None:
    """Refuse arrays (`states`, `games`, `mask`, `results`) that no batch of this game can have."""
    states, games, results = (_as(held[name], kind) for name, kind in (
        ("states", game.state_dtype), ("games", game.facts.row_dtype), ("results", game.facts.result_dtype),
    ))  # fmt: skip
    refuse_outside(f"{where}: rows", games, row_bounds(game, num_tables, opponents))
    for name in _NUMBERS:
        if not np.isfinite(games[name]).all():
            raise StateError(f"{where}: rows: {name} holds what is no number, allowed are finite numbers")
    seats = (0, game.num_seats - 1)
    refuse_outside(f"{where}: results", results, {"ranks": seats, "order": seats})
    check_states(game, states, f"{where}: states", tables, games["table"])
    begun = states["num_legal"] > 0
    for name in ("seat", "kind"):
        differ = np.flatnonzero(begun & (games[name] != states[name]))
        if len(differ):
            raise StateError(
                f"{where}: rows: {name} = {games[name][differ[0]]} of game {differ[0]}, "
                f"allowed is that of its state, {states[name][differ[0]]}"
            )
    legal = np.where(begun, held["mask"].sum(axis=1, dtype=np.int64), states["num_legal"])
    if not np.isin(held["mask"], (0, 1)).all() or (legal != states["num_legal"]).any():
        raise StateError(f"{where}: mask: is not the legal set of the states, allowed is nothing else")


def _as(held: Array, kind: np.dtype[Any]) -> Array:
    """Records of what may have been kept as bytes."""
    return held if held.dtype == kind else np.ascontiguousarray(held).view(kind).reshape(-1)
