"""Configurations that together use every field of RULES 3: what generic tests play (genesia_rl.testing)."""

from __future__ import annotations

from typing import Any

#: name -> the fields that are not at their default
VARIANTS: dict[str, dict[str, Any]] = {
    **{f"players{n}": {"players": n} for n in range(2, 5)},
    "solo": {"players": 1},
    "solo_innovation": {"players": 1, "innovation": True},
    "innovation2": {"players": 2, "innovation": True},
    "innovation3": {"players": 3, "innovation": True},
    "changing_world3": {"players": 3, "changing_world": True},
    "changing_world4": {"players": 4, "changing_world": True},
    **{f"draft{n}": {"players": n, "draft": True} for n in range(2, 5)},
    "innovation_changing_world2": {"players": 2, "innovation": True, "changing_world": True},
    "innovation_draft3": {"players": 3, "innovation": True, "draft": True},
    "changing_world_draft4": {"players": 4, "changing_world": True, "draft": True},
    "first_game2": {"players": 2, "track": "first_game"},
    "first_game4": {"players": 4, "track": "first_game"},
    "all2": {"players": 2, "innovation": True, "changing_world": True, "draft": True, "track": "first_game"},
    "all3": {"players": 3, "innovation": True, "changing_world": True, "draft": True},
    "all4": {"players": 4, "innovation": True, "changing_world": True, "draft": True},
}
