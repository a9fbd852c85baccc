"""Configurations that together use every field of RULES 3: what generic tests play (genesia_rl.testing)."""

from __future__ import annotations

from typing import Any

from genesia_rl.games.genesia.names import SOLO_LEVELS

#: Explicit decks: every third card of an Age and its promo cards; the whole Age but three cards.
_TWO_DECKS = [
    [*range(1, 26, 3), 91, 92, 93],
    [*range(32, 57, 3), 94, 95, 96],
    [*range(63, 88, 3), 97, 98, 99],
]
_FIVE_DECKS = [[*range(4, 31), 91, 92, 93], [*range(34, 61), 94, 95, 96], [*range(64, 91), 97, 98, 99]]

#: name -> the fields that are not at their default
VARIANTS: dict[str, dict[str, Any]] = {
    **{f"players{n}": {"players": n} for n in range(2, 6)},
    **{f"solo_{level}": {"players": 1, "solo_level": level} for level in SOLO_LEVELS},
    "lots2": {"players": 2, "lots": [["green", "violet"], ["red", "blue"], ["yellow", "red"]]},
    "lots4": {
        "players": 4,
        "lots": [
            ["violet", "red", "green", "yellow"],
            ["violet", "red", "green", "blue"],
            ["violet", "red", "yellow", "blue"],
        ],
    },
    "decks2": {"players": 2, "decks": _TWO_DECKS},
    "decks5": {"players": 5, "decks": _FIVE_DECKS},
    "promos2": {"players": 2, "promos": True},
    "promos3": {"players": 3, "promos": True},
    "promos5": {"players": 5, "promos": True},
    "extra_objectives2": {"players": 2, "extra_objectives": True},
    "extra_objectives5": {"players": 5, "extra_objectives": True},
    "no_objectives2": {"players": 2, "objectives": False},
    "no_objectives4": {"players": 4, "objectives": False},
    "attack_recruiting2": {"players": 2, "attack_recruiting": True, "lots": [["red", "violet"]] * 3},
    "attack_recruiting4": {"players": 4, "attack_recruiting": True},
    "teams3": {"players": 3, "teams": [[0, 2], [1]]},
    "teams4": {"players": 4, "teams": [[0, 2], [1, 3]]},
    "teams5": {"players": 5, "teams": [[0, 1], [2, 3], [4]]},
    "all3": {
        "players": 3,
        "lots": [["red", "green", "violet"], ["violet", "yellow", "red"], ["red", "violet", "blue"]],
        "promos": True,
        "extra_objectives": True,
        "attack_recruiting": True,
        "teams": [[1], [2, 0]],
    },
    "all5": {
        "players": 5,
        "promos": True,
        "extra_objectives": True,
        "attack_recruiting": True,
        "teams": [[4, 0], [1, 2, 3]],
    },
}
