"""Counters (RULES 7, `per`) and amounts (n x floor(count / div), at most cap)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .board import Board
from .state import State


def amount(state: State, seat: int, term: dict[str, Any]) -> int:
    """n x floor(count(per) / div), at most cap: of `coins` and `score` effects and objectives' terms."""
    value: int = term["n"] * (count(state, seat, term["per"]) // term.get("div", 1))
    return min(value, term["cap"]) if "cap" in term else value


def count(state: State, seat: int, per: str) -> int:
    if per.startswith("regions_value_"):
        least = int(per.removeprefix("regions_value_"))
        return sum(state.board.value[r] >= least for r in state.occupied_by(seat))
    if per.startswith("stacks_"):
        least = int(per.removeprefix("stacks_"))
        return sum(state.clans[r][seat] >= least for r in state.board.regions)
    if per in ("regions_own", "regions_foreign", "regions_island", "continents", "foreign_homelands"):
        return count_where(state, seat, per)
    if per in ("most_cities", "most_clans", "most_regions"):
        what = per.removeprefix("most_")
        mine = count(state, seat, what)
        return int(all(mine > count(state, other, what) for other in state.opponents(seat)))
    counters: dict[str, Callable[[], int]] = {
        "flat": lambda: 1,
        "regions": lambda: len(state.occupied_by(seat)),
        "singles": lambda: sum(state.clans[r][seat] == 1 for r in state.board.regions),
        "clans": lambda: sum(state.clans[r][seat] for r in state.board.regions),
        "cities": lambda: len(state.with_city(seat)),
        "city_pairs": lambda: city_pairs(state.board, state.with_city(seat)),
        "coins": lambda: state.coins[seat],
        "inventions": lambda: len(state.inventions[seat]),
        "conquests": lambda: state.conquests[seat],
    }
    return counters[per]()


def count_where(state: State, seat: int, per: str) -> int:
    """The counters that depend on whose continent an occupied region lies on."""
    board = state.board
    regions = state.occupied_by(seat)
    abroad = [r for r in regions if board.continent(r) not in (seat, None)]
    return {
        "regions_own": sum(board.continent(r) == seat for r in regions),
        "regions_foreign": len(abroad),
        "regions_island": sum(board.continent(r) is None for r in regions),
        "continents": len({board.continent(r) for r in abroad}),
        "foreign_homelands": sum(board.is_homeland(r) for r in abroad),
    }[per]


def city_pairs(board: Board, cities: list[int]) -> int:
    """The greatest number of disjoint pairs of adjacent regions with an own city: try everything."""
    known: dict[frozenset[int], int] = {}

    def best(left: frozenset[int]) -> int:
        if not left:
            return 0
        if left not in known:
            first = min(left)
            rest = left - {first}
            tries = [best(rest)]  # the first city stays alone, or is paired with a neighbour
            tries += [1 + best(rest - {b}) for b in board.adjacent[first] if b in rest]
            known[left] = max(tries)
        return known[left]

    return best(frozenset(cities))
