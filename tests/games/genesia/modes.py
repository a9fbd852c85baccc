"""Every mode of Genesia, and a position of two seats, for tests of traces and of the command line."""

from __future__ import annotations

from typing import Any

MODES: dict[str, dict[str, Any]] = {
    **{f"{n} players": {"players": n} for n in (2, 3, 4, 5)},
    **{f"solo, {level}": {"players": 1, "solo_level": level} for level in ("beginner", "expert", "heroic")},
    "promos": {"players": 3, "promos": True},
    "extra objectives": {"players": 2, "extra_objectives": True},
    "one black objective": {"players": 2, "extra_objectives": [12]},
    "all objectives": {"players": 3, "objective_pool": "all"},
    "no objectives": {"players": 2, "objectives": False},
    "attack recruiting": {"players": 2, "attack_recruiting": True},
    "teams": {"players": 4, "teams": [[0, 2], [1, 3]]},
    "lots that change": {"lots": [["red", "violet"], ["green", "blue"], ["yellow", "red"]]},
    "decks": {"decks": [[*range(1, 7), *range(13, 18), 91], [*range(31, 43)], [*range(61, 72), 98]]},
}

POSITION: dict[str, Any] = {
    "age": 3,
    "phase": "growth",
    "turn_order": [1, 0],
    "coins": [9, 14],
    "hands": [[61, 64, 80], [67, 72, 83, 81]],
    "clans": {"0": [4, 1], "1": [2, 0], "16": [0, 3], "20": [0, 5], "23": [3, 0]},
    "cities": {"1": [0], "20": [1]},
    "inventions": [[5], [9]],
    "copied": [[], []],
    "progress": [[3, 4], [2, 6]],
    "conquests": [1, 0],
    "objectives": [3, None],
    "packs": [],
}
